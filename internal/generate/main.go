// generate compiles the built-in models into the form that is embedded. Run it
// with "go generate ./..." after changing a model.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"longline/internal/modelfile"
)

func main() {
	if err := models("models", "models.bin"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func models(dir, out string) error {
	paths, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return err
	}
	files := map[string][]byte{}
	for _, p := range paths {
		if files[p], err = os.ReadFile(p); err != nil {
			return err
		}
	}
	data, err := modelfile.Compile(files)
	if err != nil {
		return err
	}
	return os.WriteFile(out, data, 0o644)
}
