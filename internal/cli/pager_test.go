package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// What a pager shows is all of the output; the exit status stays, and a pager that is gone, or not there, does no harm.
func TestPager(t *testing.T) {
	for pager, want := range map[string]string{"sed s/^/:/": ":1\n:2\n", "true": "", "": "1\n2\n", "no-such-pager -R": "1\n2\n"} {
		name := filepath.Join(t.TempDir(), "out")
		out, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		p := &process{env: os.Environ(), out: out, err: os.Stderr}
		status := p.through(pager, out, func() int {
			fmt.Fprintln(p.out, 1)
			fmt.Fprintln(p.out, 2)
			return exitAsk
		})
		out.Close()
		if got, err := os.ReadFile(name); err != nil || string(got) != want || status != exitAsk || p.out != out {
			t.Errorf("%q: %q, status %d, %v", pager, got, status, err)
		}
	}
}
