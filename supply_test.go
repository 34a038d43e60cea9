package longline_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Every module that go.mod requires directly has its reason in the document, and
// the document speaks of no other.
func TestDependenciesHaveReasons(t *testing.T) {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile("docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	required := map[string]bool{}
	for line := range strings.Lines(string(mod)) {
		f := strings.Fields(line)
		if len(f) == 2 && strings.HasPrefix(f[1], "v") && strings.Contains(f[0], ".") {
			required[f[0]] = true
			if !strings.Contains(string(doc), "| `"+f[0]+"` |") {
				t.Errorf("%s has no reason in docs/dependencies.md", f[0])
			}
		}
	}
	if len(required) == 0 {
		t.Fatal("nothing is required")
	}
	for line := range strings.Lines(string(doc)) {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			if name, _, _ = strings.Cut(name, "`"); !required[name] {
				t.Errorf("docs/dependencies.md speaks of %s, which go.mod does not require", name)
			}
		}
	}
}

// The same sources give the same bytes, wherever they lie.
func TestBuildIsReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("builds twice")
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := filepath.Join(t.TempDir(), "longline")
	if err := os.MkdirAll(elsewhere, 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("cp", "-r", "go.mod", "go.sum", "cmd", "internal", elsewhere).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var built [][]byte
	for _, dir := range []string{here, elsewhere} {
		program := filepath.Join(t.TempDir(), "longline-hook")
		cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid=", "-o", program, "./cmd/longline-hook")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		text, err := os.ReadFile(program)
		if err != nil {
			t.Fatal(err)
		}
		built = append(built, text)
	}
	if !bytes.Equal(built[0], built[1]) {
		t.Error("the same sources in another directory give other bytes")
	}
}
