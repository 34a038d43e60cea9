package undo

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMain keeps git away from the settings of whoever runs the tests.
func TestMain(m *testing.M) {
	for _, pair := range []string{
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A",
		"GIT_COMMITTER_EMAIL=a@example.com", "GIT_EDITOR=true", "GIT_OPTIONAL_LOCKS=0",
		"GIT_CONFIG_COUNT=4", "GIT_CONFIG_KEY_0=init.defaultBranch", "GIT_CONFIG_VALUE_0=main", "GIT_CONFIG_KEY_1=gc.auto", "GIT_CONFIG_VALUE_1=0",
		"GIT_CONFIG_KEY_2=protocol.file.allow", "GIT_CONFIG_VALUE_2=always", "GIT_CONFIG_KEY_3=core.fsync", "GIT_CONFIG_VALUE_3=none",
	} {
		name, value, _ := strings.Cut(pair, "=")
		os.Setenv(name, value)
	}
	os.Exit(m.Run())
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// write puts files into a directory: name, content, name, content.
func write(t testing.TB, dir string, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		path := filepath.Join(dir, pairs[i])
		check(t, os.MkdirAll(filepath.Dir(path), 0o755))
		check(t, os.WriteFile(path, []byte(pairs[i+1]), 0o644))
	}
}

// sh runs a script in a directory; whether it fails does not matter unless it must not.
func sh(t testing.TB, dir, script string) string {
	t.Helper()
	cmd := exec.Command("bash", "-ec", script)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return string(out)
}

func isCache(name string) bool {
	return slices.Contains([]string{"node_modules", "target", "dist"}, name)
}

func opened(t testing.TB, root string, change ...func(*Options)) *Store {
	t.Helper()
	o := Options{Dir: filepath.Join(filepath.Dir(root), "state", "undo"), Root: root, Skip: isCache}
	for _, c := range change {
		c(&o)
	}
	s, err := Open(o)
	check(t, err)
	return s
}

var uses int

// around takes a snapshot, does something, takes another, and returns the call.
func around(t testing.TB, s *Store, do func()) Call {
	t.Helper()
	uses++
	m := Meta{Session: "s", Use: fmt.Sprint(uses), Moment: Before, Command: "something"}
	before, err := s.Snapshot(m, 0)
	check(t, err)
	do()
	m.Moment = After
	after, err := s.Snapshot(m, 0)
	check(t, err)
	return Call{before, after}
}

// image is everything below a directory, as text. What git may keep or refresh is left out: contents that it finds by their
// sums, and when it last looked at files.
func image(t testing.TB, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	check(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		info, err := d.Info()
		if err != nil {
			return err
		}
		dir, base := filepath.Split(path)
		switch {
		case d.IsDir() && base == "objects" && isFile(dir+"HEAD"):
			return filepath.SkipDir
		case d.IsDir() && base == "node_modules":
			return filepath.SkipDir
		case d.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			all[rel] = "-> " + to
			return err
		case !d.Type().IsRegular():
			all[rel] = info.Mode().String()
			return nil
		}
		text, err := os.ReadFile(path)
		if base == "index" && isFile(dir+"HEAD") {
			list, _, _ := readGitIndex(text)
			text = fmt.Append(nil, list)
		}
		all[rel] = info.Mode().String() + " " + string(text)
		return err
	}))
	return all
}

// same says in what two images differ.
func same(t testing.TB, want, got map[string]string, what string) {
	t.Helper()
	for path, w := range want {
		if g, ok := got[path]; !ok {
			t.Errorf("%s: %q is gone", what, path)
		} else if g != w {
			t.Errorf("%s: %q is %.300q, was %.300q", what, path, g, w)
		}
	}
	for path := range got {
		if _, ok := want[path]; !ok {
			t.Errorf("%s: %q is new", what, path)
		}
	}
}

// whole says that the store can bring back everything it says it can.
func whole(t testing.TB, s *Store) {
	t.Helper()
	for _, err := range s.Check() {
		t.Errorf("check: %v", err)
	}
}

func TestRoundTrip(t *testing.T) {
	root := filepath.Join(t.TempDir(), "p")
	write(t, root, "a", "one", "sub/b", "two", "sub/deep/c", "", "with\nline", "x", "not\xffutf8", "y", " blank", "z", "node_modules/m/i.js", "cache")
	check(t, os.Symlink("sub/b", filepath.Join(root, "link")))
	check(t, os.Symlink("nowhere", filepath.Join(root, "dangling")))
	check(t, os.Mkdir(filepath.Join(root, "empty"), 0o700))
	check(t, os.Chmod(filepath.Join(root, "a"), 0o4755))
	check(t, os.Chmod(filepath.Join(root, "sub/deep"), 0o1777))
	s := opened(t, root)
	before := image(t, root)
	call := around(t, s, func() {
		sh(t, root, `rm -r sub/b sub/deep link empty with*; mkdir link; echo new > link/x; chmod 600 a; echo more >> ' blank'; rm not*; ln -s / fresh; mkdir -p n/e/w; rm -r node_modules`)
	})
	whole(t, s)
	after := image(t, root)
	p, err := s.Restore(call)
	check(t, err)
	same(t, before, image(t, root), "undone")
	if len(p.Remaining) != 1 || !strings.HasSuffix(p.Remaining[0].Path, "/node_modules") {
		t.Errorf("remaining: %v", p.Remaining)
	}
	calls, err := s.List()
	check(t, err)
	if len(calls) != 2 || calls[0].ID() != p.Undone || calls[1].ID() != call.ID() {
		t.Fatalf("calls: %v", calls)
	}
	_, err = s.Restore(calls[0])
	check(t, err)
	same(t, after, image(t, root), "done again")
	whole(t, s)
}

func benchmark(b *testing.B, files int) {
	root := filepath.Join(b.TempDir(), "p")
	for i := range files {
		dir := fmt.Sprintf("%s/d%d/e%d", root, i/400, i/12%30)
		if i%12 == 0 || i%400 == 0 {
			check(b, os.MkdirAll(dir, 0o755))
		}
		check(b, os.WriteFile(fmt.Sprintf("%s/file%d.go", dir, i), fmt.Appendf(nil, "content %d %s", i, strings.Repeat("x", i%3000)), 0o644))
	}
	s := opened(b, root)
	began := time.Now()
	_, err := s.Snapshot(Meta{Moment: Start}, 0)
	check(b, err)
	b.Logf("%d files: the first snapshot took %v, the store has %d kB", files, time.Since(began), s.Size()>>10)
	time.Sleep(grain)
	_, err = s.Snapshot(Meta{Moment: Start}, 0)
	check(b, err)
	for _, changed := range []int{0, 5} {
		b.Run(fmt.Sprintf("%d changed", changed), func(b *testing.B) {
			cpu := cpuTime()
			defer func() { b.ReportMetric(float64((cpuTime()-cpu).Microseconds())/1000/float64(b.N), "cpu-ms/op") }()
			for i := range b.N {
				for j := range changed {
					check(b, os.WriteFile(fmt.Sprintf("%s/d0/e0/file%d.go", root, j), fmt.Append(nil, i, j, time.Now()), 0o644))
				}
				_, err := s.Snapshot(Meta{Moment: Before, Use: fmt.Sprint(i)}, 0)
				check(b, err)
			}
		})
	}
}

func BenchmarkSnapshot2000(b *testing.B)  { benchmark(b, 2000) }
func BenchmarkSnapshot60000(b *testing.B) { benchmark(b, 60000) }
