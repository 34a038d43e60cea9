package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

//go:embed testdata/chosen.go
var chosen []byte

// load lists the mutants of a part, and gives its files with all of them.
func (t *target) load() (list []mutant, texts map[string][]byte, err error) {
	texts = map[string][]byte{}
	checked := map[string]*checkedPackage{}
	paths, err := t.paths()
	if err != nil {
		return nil, nil, err
	}
	for _, path := range paths {
		dir := filepath.Dir(path)
		if checked[dir] == nil {
			if checked[dir], err = check(dir); err != nil {
				return nil, nil, err
			}
		}
		p := checked[dir]
		file := p.files[path]
		if file == nil {
			return nil, nil, fmt.Errorf("%s is not built on this system", path)
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		m := mutator{path: path, source: source, set: p.set, info: p.info, first: len(list) + 1}
		texts[path] = m.mutate(file, t.funcs)
		list = append(list, m.list...)
	}
	return list, texts, nil
}

// paths are the files of a part.
func (t *target) paths() ([]string, error) {
	var list []string
	for _, name := range t.files {
		found, err := filepath.Glob(filepath.Join("internal", filepath.FromSlash(name)))
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("%s: there is no %s", t.name, name)
		}
		for _, path := range found {
			if !strings.HasSuffix(path, "_test.go") && left[strings.TrimPrefix(filepath.ToSlash(path), "internal/")] == "" {
				list = append(list, path)
			}
		}
	}
	return list, nil
}

// checkedPackage is a package whose types are known.
type checkedPackage struct {
	set   *token.FileSet
	files map[string]*ast.File
	info  *types.Info
}

// check reads a package and finds the types in it.
func check(dir string) (*checkedPackage, error) {
	p := &checkedPackage{set: token.NewFileSet(), files: map[string]*ast.File{}, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}}
	found, err := build.Default.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range found.GoFiles {
		path := filepath.Join(dir, name)
		file, err := parser.ParseFile(p.set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files[path] = file
		files = append(files, file)
	}
	exports, err := exportsOf(dir)
	if err != nil {
		return nil, err
	}
	config := types.Config{Importer: importer.ForCompiler(p.set, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })}
	_, err = config.Check("longline/"+filepath.ToSlash(dir), p.set, files, p.info)
	return p, err
}

// exportsOf are the files with the types of the packages that one imports.
func exportsOf(dir string) (map[string]string, error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "./"+filepath.ToSlash(dir)).Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w", dir, err)
	}
	list := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		list[path] = file
	}
	return list, nil
}

// bench is where the mutants of a part are tried: the tests with all of them built in.
type bench struct {
	dir   string
	each  time.Duration
	tests []*builtTest
}

// builtTest is one of the tests of a part.
type builtTest struct {
	name, dir, program string
	args               []string
	usual              time.Duration // without a mutant
	reaches            map[int]bool
}

// newBench builds the tests of a part, and runs them once without a mutant.
func newBench(t *target, dir string, each time.Duration) (*bench, []mutant, error) {
	list, texts, err := t.load()
	if err != nil {
		return nil, nil, err
	}
	texts[filepath.Join("internal", "mutants", "chosen", "chosen.go")] = chosen
	overlay := filepath.Join(dir, "overlay.json")
	if err := writeOverlay(overlay, texts); err != nil {
		return nil, nil, err
	}
	b := &bench{dir: dir, each: each}
	for i, args := range t.tests {
		test := &builtTest{name: strings.Join(args, " "), dir: args[0], program: filepath.Join(dir, fmt.Sprintf("test%d", i)), args: args[1:], reaches: map[int]bool{}}
		flags := fmt.Sprintf("-X longline/internal/mutants/chosen.file=%s -X longline/internal/mutants/chosen.reached=%s", b.file("alive"), b.file("reached"))
		cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-ldflags", flags, "-o", test.program, args[0])
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, nil, fmt.Errorf("go test -c %s: %w\n%s", args[0], err, out)
		}
		if err := b.without(test, len(list)); err != nil {
			return nil, nil, err
		}
		b.tests = append(b.tests, test)
	}
	return b, list, nil
}

func (b *bench) file(name string) string { return filepath.Join(b.dir, name) }

// writeOverlay writes the files that the compiler takes in place of the real ones.
func writeOverlay(name string, texts map[string][]byte) error {
	replace := map[string]string{}
	for path, text := range texts {
		real, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		replace[real] = filepath.Join(filepath.Dir(name), fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(replace[real], text, 0o600); err != nil {
			return err
		}
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}

// without runs a test without a mutant, and learns how long it takes and which mutants
// it reaches.
func (b *bench) without(test *builtTest, mutants int) error {
	if err := os.WriteFile(b.file("reached"), nil, 0o600); err != nil {
		return err
	}
	began := time.Now()
	failed, out, err := b.fails(test, -mutants-1, 5*b.each)
	test.usual = time.Since(began)
	if err != nil || failed {
		return fmt.Errorf("%s fails without a mutant: %w\n%s", test.name, err, out)
	}
	text, err := os.ReadFile(b.file("reached"))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		id, err := strconv.Atoi(strings.TrimSpace(line))
		if err != nil {
			return err
		}
		test.reaches[id] = true
	}
	return nil
}

// fate is what becomes of a mutant.
type fate uint8

const (
	unreached fate = iota // no test comes by
	unnoticed
	killed
	outOfTime
)

// try runs the tests with a mutant alive. One that makes a test take too long is dead
// too.
func (b *bench) try(id int) (fate, error) {
	f := unreached
	for _, test := range b.tests {
		if !test.reaches[id] {
			continue
		}
		f = unnoticed
		failed, _, err := b.fails(test, id, min(b.each, 15*time.Second+5*test.usual))
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return outOfTime, nil
		case err != nil:
			return f, err
		case failed:
			return killed, nil
		}
	}
	return f, nil
}

// fails reports whether a test fails with a mutant alive. A mutant may not have more
// memory than a test needs: some would take it all.
func (b *bench) fails(test *builtTest, alive int, limit time.Duration) (failed bool, output string, err error) {
	if err := os.WriteFile(b.file("alive"), []byte(strconv.Itoa(alive)), 0o600); err != nil {
		return false, "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	args := append([]string{"-c", `ulimit -v 8000000; exec "$@"`, "sh", test.program, "-test.failfast"}, test.args...)
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.Dir = test.dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	err = cmd.Run()
	if ctx.Err() != nil {
		return true, out.String(), ctx.Err()
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return true, out.String(), nil
	}
	return false, out.String(), err
}
