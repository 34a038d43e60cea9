//go:build (linux && (amd64 || arm64)) || darwin

package wall

import (
	"os"
	"strings"
	"testing"
)

// TestProbe: what is tried goes wrong behind a wall, and would be seen without one.
func TestProbe(t *testing.T) {
	needWall(t)
	t.Setenv("WALL_TEST", "attempt")
	if e := Probe([]string{must(os.Executable())}); e.Name == "" {
		t.Error(e.Why)
	}
	base := t.TempDir()
	if err := probed(base); err != nil {
		t.Fatal(err)
	}
	for i, a := range attempts {
		if err := a.try(base); err != nil && !strings.HasPrefix(a.what, "connects") { // there may be nobody
			t.Errorf("%s: %v, without a wall", a.what, err)
		} else if status := Attempt(base); !a.may && err == nil && status&(1<<i) == 0 {
			t.Errorf("%s: it is not seen", a.what)
		}
	}
}
