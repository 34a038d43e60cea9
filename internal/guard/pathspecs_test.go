package guard_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// TestPathspecs holds which names git is believed to list against those that it does list, for random pathspecs.
func TestPathspecs(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	root := t.TempDir()
	env := []string{"HOME=" + root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
	git := func(dir string, args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, env
		out, _ := cmd.Output() // a search that finds nothing fails
		return string(out)
	}
	for _, name := range []string{"a.py", "b.go", "src/a.py", "src/b.go", "src/sub/a.py", "src/sub/ab.go", "src/.x/a.py", "lib/src/a.py", "lib/a[1].py", "pat"} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("foo\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git(root, "init", "-q", ".")
	git(root, "add", ".")
	g := builtin(t)
	w := realDisk(g, root, root)
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{"*", "?", "a", "src", "/", ".py", "*.py", "src/", "sub", "[ab]", "../", ":!", ":/", ":(exclude)", ":(glob)", "**/", "lib", ".", "\\*", "b.go", ":(icase)", ":^", ":(top)", "main"}
	commands := [][]string{
		{"ls-files"},
		{"ls-files", "--"},
		{"ls-files", "-X", "pat"},
		{"grep", "-l", "foo"},
		{"grep", "-l", "foo", "--"},
		{"grep", "-le", "foo"},
		{"grep", "-L", "zzz", "--"},
		{"grep", "-l", "-f", "pat", "--"},
		{"grep", "-lz", "-e", "foo", "--"},
		{"grep", "-l", "--", "foo"},
	}
	known, listed := 0, 0
	for range 1500 {
		dir := filepath.Join(root, []string{"", "src", "lib/src"}[random.IntN(3)])
		args := append([]string{}, commands[random.IntN(len(commands))]...)
		for range random.IntN(3) {
			spec := ""
			for range 1 + random.IntN(3) {
				spec += pieces[random.IntN(len(pieces))]
			}
			args = append(args, spec)
		}
		inv := &command.Invocation{Dir: command.Known(dir, tool.Span{}), Stdin: command.Data{None: true}}
		for i, word := range append([]string{"git"}, args...) {
			inv.Words = append(inv.Words, command.Known(word, tool.Span{Start: i, End: i + 1}))
		}
		g.Library.Read(inv, w)
		d := inv.Output
		if d.Reach != tool.Under {
			continue
		}
		known++
		for _, name := range strings.FieldsFunc(git(dir, args...), func(c rune) bool { return c == '\n' || c == 0 }) {
			listed++
			if file := path.Join(dir, name); !listedIn(d, file) {
				t.Errorf("in %s, git %q lists %s, believed: below %s, %s", dir, args, file, d.Text, d.Match)
			}
		}
	}
	if known < 500 || listed < 500 {
		t.Errorf("%d lists are known, with %d names", known, listed)
	}
}

// listedIn says whether a file may be in a list.
func listedIn(d command.Data, file string) bool {
	if d.Match == "" {
		return paths.Within(file, d.Text)
	}
	return slices.ContainsFunc(value.Alternatives(d.Match), func(pattern string) bool {
		pattern = paths.Escape(d.Text) + "/" + pattern
		is, _ := paths.Match(pattern, file)
		short, _ := paths.Match(strings.Replace(pattern, "/**/", "/", 1), file) // it stands for no directory, too
		return is || short
	})
}
