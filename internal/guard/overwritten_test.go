package guard_test

import (
	"os"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// A file that the script has overwritten is lost already, and may be deleted. Where the redirection may have failed, it is what it was.
func TestOverwrittenFiles(t *testing.T) {
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, root, filepath.Join(root, "proj"))
	for _, name := range []string{"w.txt", "in.txt", "d/x.txt"} {
		file := filepath.Join(w.Project, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("work\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		script string
		asks   bool
	}{
		{"rm w.txt", true},
		{"echo x > w.txt; rm w.txt", false},
		{"echo x > w.txt; cat w.txt; rm w.txt", false},
		{"set -C; echo x > w.txt; rm w.txt", true},
		{"set -o noclobber; echo x > w.txt || rm w.txt", true},
		{"set -o noclobber; echo x > w.txt; rm w.txt", true},
		{"set -C; echo x &> w.txt; rm w.txt", true},
		{"set -C; echo x >| w.txt; rm w.txt", false},
		{"set -C; set +C; echo x > w.txt; rm w.txt", false},
		{"set -C; echo x > new.txt; rm new.txt", false},
		{"echo x > w.txt; set -C; echo y > w.txt; rm w.txt", false},
		{"cat < nosuch > w.txt; rm w.txt", true},
		{"sort < nosuch > w.txt; rm w.txt", true},
		{"cat < nosuch > w.txt || rm w.txt", true},
		{"(cat < nosuch > w.txt) || rm w.txt", true},
		{"sort < in.txt > w.txt; rm w.txt", false},
		{"echo b > nosuch; sort < nosuch > w.txt; rm w.txt", false},
		{"[ -e x ] && echo b > nosuch; sort < nosuch > w.txt; rm w.txt", true},
		{"sort < d/x.txt > w.txt; rm w.txt", false},
		{"sort > w.txt < nosuch; rm w.txt", false},
		{"ls 2> nosuch/err > w.txt; rm w.txt", true},
		{"ls 2> err.txt > w.txt; rm w.txt", false},
		{"ls 2> /dev/null > w.txt; rm w.txt", false},
		{"ls > w.txt 2>&1; rm w.txt", false},
		{"ls 2>&1 > w.txt; rm w.txt", false},
		{"ls > w.txt 2> nosuch/err; rm w.txt", false},
		{"ls 3>&7 > w.txt; rm w.txt", true},
		{"ls > nosuch/../w.txt; rm w.txt", true},
		{"cat < \"$X\" > w.txt; rm w.txt", true},
		{"cat <<< a > w.txt; rm w.txt", false},
		{"cat > w.txt <<'E'\na\nE\nrm w.txt", false},
		{"f() { cat < nosuch > w.txt; }; f; rm w.txt", true},
		{"printf x > w.txt 2> err.txt; rm w.txt err.txt", false},
	} {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: c.script, Shell: true, Edits: true, Attended: true}, w)
		if (v.Decision >= tool.Ask) != c.asks {
			t.Errorf("%s: %s (%s)", c.script, v.Decision, v.Reason)
		}
	}
}
