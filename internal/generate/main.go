// Generate compiles everything that longline carries in a compiled form: models,
// rules and zones, content rules and their tables. Run it with "go generate ./..." after changing one of
// them; tests fail where a compiled form is not what its source says.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"longline/internal/contentfile"
	"longline/internal/modelfile"
	"longline/internal/policy"
	"longline/internal/rulesfile"
)

func main() {
	root, err := moduleRoot()
	if err == nil {
		err = os.Chdir(root)
	}
	for _, step := range []func() error{models, packs, content, tables} {
		if err == nil {
			err = step()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// moduleRoot is the directory of go.mod: go generate starts this beside the file
// that asks for it.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("go.mod is not above the working directory")
		}
		dir = up
	}
	return "", err
}

// read reads the YAML files of a directory.
func read(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	paths, err := filepath.Glob(dir + "/*.yaml")
	for _, p := range paths {
		if err == nil {
			files[filepath.Base(p)], err = os.ReadFile(p)
		}
	}
	return files, err
}

func models() error {
	files, err := read("internal/command/models")
	if err != nil {
		return err
	}
	data, err := modelfile.Compile(files)
	if err != nil {
		return err
	}
	return os.WriteFile("internal/command/models.bin", data, 0o644)
}

func packs() error {
	const dir = "internal/policy/packs"
	files, err := read(dir)
	if err != nil {
		return err
	}
	rules, zones, err := rulesfile.Packs(files)
	if err != nil {
		return err
	}
	if err := os.WriteFile(dir+"/rules.bin", policy.Encode(rules), 0o644); err != nil {
		return err
	}
	return os.WriteFile(dir+"/zones.bin", zones, 0o644)
}

func content() error {
	texts, err := read("internal/content/rules")
	if err != nil {
		return err
	}
	files, err := contentfile.ParseAll(texts)
	if err != nil {
		return err
	}
	text, err := contentfile.Compile(files...)
	if err != nil {
		return err
	}
	return os.WriteFile("internal/content/rules.txt", []byte(text), 0o644)
}

// tables lays out the content rules as Go: the types are the package's own, so a test
// of the package writes them, and what the hook links stays small.
func tables() error {
	test := exec.Command("go", "test", "./internal/content", "-run", "^TestTablesAreLaidOut$", "-update")
	if out, err := test.CombinedOutput(); err != nil {
		return fmt.Errorf("internal/content/tables.go: %w\n%s", err, out)
	}
	return nil
}
