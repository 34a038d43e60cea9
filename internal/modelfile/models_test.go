package modelfile

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"longline/internal/command"
)

const modelsDir = "../command/models"

func modelFiles(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(modelsDir + "/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no models in %s: %v", modelsDir, err)
	}
	files := map[string][]byte{}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		files["models/"+filepath.Base(p)] = text
	}
	return files
}

// load parses all model files into one library. Reading them takes longer than most tests, so all share what was read; none changes it.
func load(t *testing.T) (*command.Library, map[string]*File) {
	t.Helper()
	loaded.once.Do(func() { loaded.lib, loaded.parsed = loadOnce(t) })
	if loaded.lib == nil {
		t.Fatal("the models cannot be read, as the first test says that needed them")
	}
	return loaded.lib, loaded.parsed
}

var loaded struct {
	once   sync.Once
	lib    *command.Library
	parsed map[string]*File
}

func loadOnce(t *testing.T) (*command.Library, map[string]*File) {
	t.Helper()
	var variables *command.Variables
	models := map[string]*command.Model{}
	parsed := map[string]*File{}
	for name, text := range modelFiles(t) {
		if filepath.Base(name) == VariablesFile {
			data, err := Compile(map[string][]byte{name: text})
			if err != nil {
				t.Fatal(err)
			}
			variables = command.Open(string(data)).Variables
			continue
		}
		f, err := Parse(name, text)
		if err != nil {
			t.Fatal(err)
		}
		parsed[name] = f
		for _, m := range f.Models {
			for _, n := range m.Names {
				models[n] = m
			}
		}
	}
	return &command.Library{
		Find:      func(name string) *command.Model { return models[name] },
		Variables: variables,
		Programs:  func() []string { return slices.Collect(maps.Keys(models)) },
	}, parsed
}

// readVariables reads the table of variables.
func readVariables(t *testing.T) []command.EnvUse {
	t.Helper()
	name := "models/" + VariablesFile
	table, err := ParseVariables(name, modelFiles(t)[name])
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// TestExamples runs every example of every model file by the models of all
// files, so that a claim and its proof stand together.
func TestExamples(t *testing.T) {
	lib, parsed := load(t)
	total := 0
	for name, f := range parsed {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".yaml"), func(t *testing.T) {
			if len(f.Examples) == 0 {
				t.Errorf("%s has no examples", name)
			}
			for _, e := range f.Examples {
				total++
				if got := Run(lib, e); got != e.Does {
					t.Errorf("%s: %s\n  does: %s\n  want: %s", e.Pos, e.Run, got, e.Does)
				}
			}
		})
	}
	t.Logf("%d programs, %d examples", len(lib.Programs()), total)
}

// TestCompiled fails when the embedded form is not that of the sources.
func TestCompiled(t *testing.T) {
	want, err := Compile(modelFiles(t))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../command/models.bin")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("internal/command/models.bin is not what its sources compile to; run go generate ./...")
	}
}
