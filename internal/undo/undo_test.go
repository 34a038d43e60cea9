//go:build unix

package undo

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestMain keeps git away from the settings of whoever runs the tests.
func TestMain(m *testing.M) {
	for _, pair := range []string{
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=A",
		"GIT_COMMITTER_EMAIL=a@example.com", "GIT_EDITOR=true", "GIT_OPTIONAL_LOCKS=0",
		"GIT_TEMPLATE_DIR=", "GIT_CONFIG_COUNT=4", "GIT_CONFIG_KEY_0=init.defaultBranch", "GIT_CONFIG_VALUE_0=main", "GIT_CONFIG_KEY_1=gc.auto", "GIT_CONFIG_VALUE_1=0",
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
		if errors.Is(err, fs.ErrPermission) {
			text, err = nil, nil
		}
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
	check(t, os.Chmod(filepath.Join(root, "sub/deep"), 0o777|fs.ModeSetgid|fs.ModeSticky))
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

func TestCovers(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	write(t, root, "a", "one", "sub/b", "two", "sub/deep/big", strings.Repeat("x", 2000), "node_modules/x", "x", "web/node_modules/y", "y", "logs/l.log", "l", "keep/k.log", "k", "target/kept", "k")
	check(t, os.Symlink("sub", filepath.Join(root, "link")))
	s := opened(t, root, func(o *Options) {
		o.MaxFile, o.Exclude, o.Include = 1000, []string{"*.log", "/secret/**"}, []string{"keep", "target/"}
	})
	n, err := s.Snapshot(Meta{Moment: Before}, 0)
	check(t, err)
	for path, why := range map[string]string{
		"a": "", "sub/b": "", "sub": "larger", "sub/deep/big": "larger", "sub/deep": "larger", "nothing": "", "sub/nothing/at/all": "", "web": "", "web/node_modules": "makes it again",
		"node_modules/x": "makes it again", "logs/l.log": "exclude", "logs": "exclude", "keep/k.log": "", "target/kept": "", "link": "", "link/b": "symbolic link", "../other": "outside", "a/below": "",
		"NODE_MODULES/x": "makes it again", ".": ": ", root + "/a": "",
	} {
		ok, said := n.Covers(path)
		if ok != (why == "") || !strings.Contains(said, why) {
			t.Errorf("%s: %v, %q; want %q", path, ok, said, why)
		}
	}
	if len(n.Uncovered) != 2 || n.More != 0 {
		t.Errorf("uncovered: %v", n.Uncovered)
	}
	same, err := s.Snapshot(Meta{Moment: Before}, 0)
	check(t, err)
	if ok, _ := same.Covers("sub"); ok || same.Fresh || !n.Fresh {
		t.Error("what did not change is taken to be something else")
	}
	if err := os.WriteFile(filepath.Join(root, "web/big"), make([]byte, 1001), 0o644); err != nil {
		t.Fatal(err)
	}
	if n, err = s.Snapshot(Meta{Moment: Before}, 0); err != nil || !n.Fresh {
		t.Errorf("%v, %v", n, err)
	}
	if ok, _ := n.Covers("web"); ok {
		t.Error("a file that came is not seen")
	}
}

// TestGitBehindLinks: what git writes through a link of its own directory is not held.
func TestGitBehindLinks(t *testing.T) {
	t.Parallel()
	for name, held := range map[string]bool{"refs": false, "objects": false, "logs": false, "hooks": true, "hooks/post-merge": true} {
		top := t.TempDir()
		root := filepath.Join(top, "p")
		sh(t, top, `git init -q p; cd p; git commit -q --allow-empty -m x; mkdir -p .git/hooks; : > .git/hooks/post-merge; mv .git/`+name+` ../away; ln -s "$PWD/../away" .git/`+name)
		n, err := opened(t, root).Snapshot(Meta{Moment: Before}, 0)
		check(t, err)
		if got, why := n.Covers(".git"); got != held {
			t.Errorf("%s: %v %s", name, got, why)
		}
	}
}

// TestChangedSince: what somebody changed after the call stays, beside what comes back.
func TestChangedSince(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	write(t, root, "a", "one", "b", "two", "c", "three", "dir/d", "four", "gone", "five", "same", "six", "e", "seven")
	s := opened(t, root)
	call := around(t, s, func() {
		write(t, root, "a", "ONE", "new", "x", "new2", "y", "same", "SIX", "e", "SEVEN")
		sh(t, root, `rm b; rm -r dir; mkdir made; echo m > made/m; rm gone; chmod 600 c`)
	})
	write(t, root, "a", "mine", "new", "mine", "dir", "mine", "made/mine", "mine", "b", "two", "e.kept-1", "taken", "e", "also mine")
	check(t, os.Remove(filepath.Join(root, "same")))
	p, err := s.Restore(call)
	check(t, err)
	id := call.ID()
	for path, want := range map[string]string{
		"a": "one", fmt.Sprintf("a.kept-%d", id): "mine", "b": "two", "dir/d": "four", fmt.Sprintf("dir.kept-%d", id): "mine", "new": "mine", "made/mine": "mine", "gone": "five", "same": "six",
		"e": "seven", "e.kept-1": "taken", "e.kept-1-2": "also mine",
	} {
		if text, err := os.ReadFile(filepath.Join(root, path)); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v; want %q", path, text, err, want)
		}
	}
	for _, path := range []string{"new2", "made/m"} {
		if _, err := os.Lstat(filepath.Join(root, path)); err == nil {
			t.Errorf("%s is still there", path)
		}
	}
	if info, err := os.Stat(filepath.Join(root, "c")); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("c: %v, %v", info.Mode(), err)
	}
	var left []string
	for _, r := range p.Remaining {
		left = append(left, strings.TrimPrefix(r.Path, root+"/"))
	}
	slices.Sort(left)
	if fmt.Sprint(left) != "[made new]" {
		t.Errorf("remaining: %v", p.Remaining)
	}
	whole(t, s)
}

// TestGitChangedSince: a repository's own files come back together or not at all.
func TestGitChangedSince(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	write(t, root, "a", "one")
	sh(t, root, `git init -q; git add .; git commit -qm one; echo two > a; git commit -qam two; git branch old; echo s > a; git stash -q`)
	old := strings.TrimSpace(sh(t, root, `git rev-parse old`))
	stash := strings.TrimSpace(sh(t, root, `git rev-parse stash`))
	s := opened(t, root)
	call := around(t, s, func() { sh(t, root, `git branch -qD old; git reset -q --hard HEAD~1; git stash clear`) })
	sh(t, root, `git status -s; touch a; git update-index -q --refresh`) // changes nothing that counts
	lock := filepath.Join(root, ".git/index.lock")
	write(t, root, ".git/index.lock", "")
	p, err := s.Plan(call)
	check(t, err)
	if len(p.Remaining) != 1 || !strings.Contains(p.Remaining[0].Why, "index.lock") {
		t.Errorf("with a lock: %v", p.Remaining)
	}
	check(t, os.Remove(lock))
	p, err = s.Plan(call)
	check(t, err)
	if len(p.Remaining) != 0 {
		t.Errorf("remaining: %v", p.Remaining)
	}
	p, err = s.Plan(call, filepath.Join(root, ".git/HEAD"))
	check(t, err)
	if len(p.Remaining) != 1 || len(p.Steps) != 0 {
		t.Errorf("a part of a repository: %v, %v", p.Steps, p.Remaining)
	}
	sh(t, root, `git checkout -qb other; echo b > b; git add b; git commit -qm b; git reflog expire --expire=now --all; git gc -q --prune=now`)
	p, err = s.Restore(call)
	check(t, err)
	if len(p.Remaining) != 1 || !strings.Contains(p.Remaining[0].Why, "changed since") {
		t.Fatalf("remaining: %v", p.Remaining)
	}
	sh(t, root, strings.Join(p.Remaining[0].Commands, "\n"))
	id := call.ID()
	if got := sh(t, root, fmt.Sprintf("git rev-parse undo-%d/old undo-%d/main stash; git fsck --no-dangling --no-progress", id, id)); got != old+"\n"+old+"\n"+stash+"\n" {
		t.Errorf("the commands %q bring back %q", p.Remaining[0].Commands, got)
	}
	if text, _ := os.ReadFile(filepath.Join(root, "a")); string(text) != "two" && string(text) != "two\n" {
		t.Errorf("the file is %q", text)
	}
	whole(t, s)
}

// TestNothingOutside: links that are put in the way since lead nowhere.
func TestNothingOutside(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	root, out := filepath.Join(top, "p"), filepath.Join(top, "out")
	write(t, root, "d/a", "one", "e/f/b", "two", "g", "three")
	write(t, out, "a", "theirs", "f/b", "theirs", "g", "theirs")
	s := opened(t, root)
	call := around(t, s, func() { sh(t, root, `echo x > d/a; rm -r e; chmod 600 g`) })
	sh(t, root, `rm -r d; ln -s ../out d; ln -s ../out e; rm g; ln -s ../out/g g`)
	before := image(t, out)
	_, err := s.Restore(call)
	check(t, err)
	same(t, before, image(t, out), "outside")
	if text, err := os.ReadFile(filepath.Join(root, "e/f/b")); err != nil || string(text) != "two" {
		t.Errorf("e/f/b: %q, %v", text, err)
	}
	if info, err := os.Stat(filepath.Join(out, "g")); err != nil || info.Mode().Perm() != 0o644 {
		t.Errorf("g outside: %v", info.Mode())
	}
}

func TestOnlySomePaths(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	write(t, root, "a", "one", "d/b", "two", "d/c", "three")
	s := opened(t, root)
	call := around(t, s, func() { sh(t, root, `rm -r a d`) })
	_, err := s.Restore(call, filepath.Join(root, "d/b"))
	check(t, err)
	if got := sh(t, root, `find . -type f`); got != "./d/b\n" {
		t.Errorf("got %q", got)
	}
}

// TestList: calls that changed nothing are not listed, and where nobody looked afterwards the next snapshot counts.
func TestList(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	write(t, root, "a", "one")
	s := opened(t, root)
	_, err := s.Snapshot(Meta{Moment: Start}, 0)
	check(t, err)
	for range 3 {
		around(t, s, func() {})
	}
	write(t, root, "a", "by hand")
	around(t, s, func() { write(t, root, "a", "two") })
	_, err = s.Snapshot(Meta{Moment: Before, Use: "never ended", Command: "rm a"}, 0)
	check(t, err)
	check(t, os.Remove(filepath.Join(root, "a")))
	around(t, s, func() { write(t, root, "b", "three") })
	calls, err := s.List()
	check(t, err)
	var said []string
	for _, c := range calls {
		list, err := s.Changes(c.Before, c.After)
		check(t, err)
		for _, ch := range list {
			said = append(said, fmt.Sprint(filepath.Base(ch.Path), ch.Before.Kind, ch.After.Kind))
		}
	}
	if got := strings.Join(said, ", "); got != "b0 1, a1 0, a1 1, a1 1" { // the first one by hand
		t.Errorf("calls: %s", got)
	}
	if numbers, _ := s.numbers(); len(numbers) > 8 {
		t.Errorf("%d snapshots are kept", len(numbers))
	}
}

func TestMovedProject(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	root := filepath.Join(top, "p")
	write(t, root, "a", "one")
	s := opened(t, root)
	call := around(t, s, func() { check(t, os.Remove(filepath.Join(root, "a"))) })
	to := filepath.Join(top, "q")
	check(t, os.Rename(root, to))
	write(t, root, "another", "project")
	s = opened(t, to)
	calls, err := s.List()
	check(t, err)
	if len(calls) != 1 || calls[0].ID() != call.ID() {
		t.Fatalf("calls: %v", calls)
	}
	_, err = s.Restore(calls[0])
	check(t, err)
	if text, err := os.ReadFile(filepath.Join(to, "a")); err != nil || string(text) != "one" {
		t.Errorf("%q, %v", text, err)
	}
	if calls, err := opened(t, root).List(); err != nil || len(calls) != 0 {
		t.Errorf("the other project has %v, %v", calls, err)
	}
	if id, err := recorded(s.dir); err != nil || id.path != to {
		t.Errorf("recorded: %v, %v", id, err)
	}
}

// TestBudget: a snapshot that runs out of time goes on the next time.
func TestBudget(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	for i := range 3000 {
		write(t, root, fmt.Sprintf("d%d/f%d", i%7, i), fmt.Sprint("content ", i))
	}
	s := opened(t, root)
	tries := 0
	for {
		tries++
		_, err := s.Snapshot(Meta{Moment: Before}, time.Duration(4+tries)*time.Millisecond)
		if err == nil {
			break
		}
		if !errors.Is(err, ErrTime) || tries > 2000 {
			t.Fatal(err)
		}
		if list, _ := s.numbers(); len(list) > 0 {
			t.Fatal("half a snapshot is there")
		}
	}
	if tries < 2 {
		t.Skip("this machine is too fast")
	}
	whole(t, s)
	want := image(t, root)
	call := around(t, s, func() { sh(t, root, `rm -r d1 d2`) })
	_, err := s.Restore(call)
	check(t, err)
	same(t, want, image(t, root), fmt.Sprintf("after %d tries", tries))
}

// TestSameTimeSameSize: a change that no time tells is seen all the same.
func TestSameTimeSameSize(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	write(t, root, "a", "one")
	at := time.Now().Add(-time.Hour)
	s := opened(t, root)
	for i := range 5 {
		text := fmt.Sprint("on", i)
		f, err := os.OpenFile(filepath.Join(root, "a"), os.O_WRONLY, 0)
		check(t, err)
		_, err = f.WriteAt([]byte(text), 0)
		check(t, errors.Join(err, f.Close(), os.Chtimes(filepath.Join(root, "a"), at, at)))
		n, err := s.Snapshot(Meta{Moment: Before}, 0)
		check(t, err)
		tree, err := s.tree(n.Roots[0].Tree)
		check(t, err)
		if got, err := s.content(tree[0].Sum); err != nil || string(got) != text {
			t.Errorf("%q is kept as %q, %v", text, got, err)
		}
	}
}

// TestTrackedCaches: what git tracks is kept, whatever its directory is called.
func TestTrackedCaches(t *testing.T) {
	t.Parallel()
	for _, make := range []string{
		`git init -q`, `git init -q; git update-index --index-version 4`, `git init -q --object-format=sha256`, `git init -q; git config core.splitIndex true`,
	} {
		root := filepath.Join(t.TempDir(), "p")
		write(t, root, "dist/app.js", "kept", "web/dist/b", "kept too", "target/x", "made", "a", "1")
		sh(t, root, make+`; git add a dist web; git commit -qm x; git update-index --split-index 2>/dev/null; echo y > z; git add z`)
		n, err := opened(t, root).Snapshot(Meta{Moment: Before}, 0)
		check(t, err)
		for path, want := range map[string]bool{"dist/app.js": true, "web/dist": true, "target/x": false} {
			if got, why := n.Covers(path); got != want {
				t.Errorf("%s: %s: %v %s", make, path, got, why)
			}
		}
	}
}

func TestLargeFiles(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "p")
	big := strings.Repeat("0123456789abcdef", largeMin/16) + "x"
	write(t, root, "big", big, "repo/HEAD", "ref: x", "repo/refs/r", "", "repo/objects/pack/pack-x.pack", big+"y", "huge", big+"zz")
	s := opened(t, root, func(o *Options) { o.MaxFile = int64(len(big)) + 1 })
	call := around(t, s, func() { sh(t, root, `echo x >> big; rm -r repo huge`) })
	whole(t, s)
	p, err := s.Restore(call)
	check(t, err)
	if len(p.Remaining) != 1 || !strings.HasSuffix(p.Remaining[0].Path, "/huge") {
		t.Errorf("remaining: %v", p.Remaining)
	}
	for path, want := range map[string]string{"big": big, "repo/objects/pack/pack-x.pack": big + "y"} {
		if text, err := os.ReadFile(filepath.Join(root, path)); err != nil || string(text) != want {
			t.Errorf("%s: %d bytes, %v", path, len(text), err)
		}
	}
	check(t, os.RemoveAll(filepath.Join(s.dir, "large")))
	if problems := s.Check(); len(problems) == 0 {
		t.Error("what is missing is not missed")
	}
	if _, err := s.Snapshot(Meta{Moment: Before}, 0); err != nil {
		t.Error(err)
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	now := time.Now()
	set := func(o *Options) {
		o.Now = func() time.Time { return now }
		o.Dir, o.Size = filepath.Join(top, "state"), 100_000
	}
	var stores []*Store
	for _, name := range []string{"p", "q", "gone"} {
		root := filepath.Join(top, name)
		write(t, root, "kept", strings.Repeat(name, 1000))
		s := opened(t, root, set)
		for i := range 40 {
			write(t, root, "a", fmt.Sprint(i, strings.Repeat("x", 1000)))
			_, err := s.Snapshot(Meta{Moment: Before, Use: fmt.Sprint(i)}, 0)
			check(t, err)
			now = now.Add(time.Hour)
		}
		stores = append(stores, s)
	}
	count := func(s *Store) int { list, _ := s.numbers(); return len(list) }
	check(t, prune(stores[0].o))
	if count(stores[2]) != 40 || count(stores[0]) >= 40 || count(stores[0]) < 1 {
		t.Errorf("by size: %d, %d, %d are left", count(stores[0]), count(stores[1]), count(stores[2]))
	}
	if names, _ := stores[2].packNames(); len(names) > maxSmall {
		t.Errorf("there are %d packs", len(names))
	}
	for _, s := range stores {
		whole(t, s)
		if size := s.Size(); size > 150_000 {
			t.Errorf("a store has %d bytes", size)
		}
	}
	check(t, os.RemoveAll(stores[2].o.Root))
	now = now.Add(13*24*time.Hour + 12*time.Hour)
	check(t, prune(stores[0].o))
	if n := count(stores[2]); n < 2 || n > 20 || count(stores[1]) != 1 {
		t.Errorf("by age: %d and %d are left", n, count(stores[1]))
	}
	now = now.Add(3 * 24 * time.Hour)
	check(t, prune(stores[0].o))
	if _, err := os.Lstat(stores[2].dir); err == nil || count(stores[0]) != 1 {
		t.Errorf("what was kept of a project that is gone is still there, or %d", count(stores[0]))
	}
	whole(t, stores[0])
	want := image(t, stores[0].o.Root)
	call := around(t, stores[0], func() { sh(t, stores[0].o.Root, `rm *`) })
	_, err := stores[0].Restore(call)
	check(t, err)
	same(t, want, image(t, stores[0].o.Root), "after pruning")
	if !due(stores[0].o) || due(stores[0].o) {
		t.Error("it is not due once")
	}
}

// TestShut: what nobody may read any more comes back as well, and nothing is kept twice for it.
func TestShut(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root reads everything")
	}
	for _, call := range []string{`chmod -R 644 .`, `chmod -R 000 .`, `chmod -R 000 d`, `chmod 000 d/e/f a`, `chmod -R a-r .; rm -f a`, `chmod 000 d/e; rm a`, `chmod -R -x .; chmod +x .`, `rm a; chmod 000 .`} {
		root := filepath.Join(t.TempDir(), "p")
		write(t, root, "a", "one", "d/e/f", "two", "d/g", "three")
		check(t, os.Chmod(filepath.Join(root, "d/g"), 0o755))
		t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+rwx", root).Run() })
		s := opened(t, root)
		want := image(t, root)
		m := Meta{Moment: Before, Use: "x"}
		before, err := s.Snapshot(m, 0)
		check(t, err)
		_, _ = run(root, call) // chmod fails where it has shut itself out
		m.Moment = After
		after, err := s.Snapshot(m, 0)
		if err != nil {
			after = nil
		}
		p, err := s.Restore(Call{before, after})
		check(t, err)
		for _, r := range p.Remaining {
			t.Errorf("%s: remaining: %v", call, r)
		}
		same(t, want, image(t, root), call)
		if info, err := os.Stat(root); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%s: the root is %v", call, info.Mode())
		}
	}
}

// TestRootBehindLink: a project is the same by whatever name it is reached.
func TestRootBehindLink(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	write(t, top, "p/a", "one", "p/d/b", "two")
	link := filepath.Join(top, "link")
	check(t, os.Symlink("p", link))
	s := opened(t, link)
	n, err := s.Snapshot(Meta{Moment: Before}, 0)
	check(t, err)
	for _, path := range []string{"a", filepath.Join(top, "p/a"), filepath.Join(link, "d/b")} {
		if ok, why := n.Covers(path); !ok {
			t.Errorf("%s: %s", path, why)
		}
	}
	call := around(t, opened(t, filepath.Join(top, "p")), func() { sh(t, link, `rm -r a d`) })
	_, err = s.Restore(call, filepath.Join(link, "d"))
	check(t, err)
	if got := sh(t, top, `cd p; find . -type f`); got != "./d/b\n" {
		t.Errorf("got %q", got)
	}
}

// TestManyFiles takes a while, so it runs where LONGLINE_MANY says how many files there are: make undo-many.
func TestManyFiles(t *testing.T) {
	files, err := strconv.Atoi(os.Getenv("LONGLINE_MANY"))
	if err != nil {
		t.Skip("LONGLINE_MANY does not say how many files")
	}
	root := filepath.Join(t.TempDir(), "p")
	for i := range files {
		write(t, root, fmt.Sprintf("d%d/e%d/f%d", i/1000, i/20%50, i), fmt.Sprint("content ", i))
	}
	s := opened(t, root)
	cpu, began := cpuTime(), time.Now()
	_, err = s.Snapshot(Meta{Moment: Start}, 0)
	check(t, err)
	t.Logf("the first snapshot of %d files: %v of CPU, %v on the clock, %d MB", files, cpuTime()-cpu, time.Since(began), s.Size()>>20)
	time.Sleep(grain)
	want := image(t, root)
	cpu = cpuTime()
	call := around(t, s, func() { sh(t, root, `rm -rf d1 d2; sed -i s/content/lost/ d3/*/*; mv d4 d5/`) })
	t.Logf("two more: %v of CPU", cpuTime()-cpu)
	_, err = s.Restore(call)
	check(t, err)
	same(t, want, image(t, root), "many files")
	whole(t, s)
}

// FuzzGitIndex: what is no index names nothing.
func FuzzGitIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		list, extensions, _ := readGitIndex(raw)
		if len(list)*40 > len(raw) || len(extensions) > len(raw) {
			t.Errorf("%d entries in %d bytes", len(list), len(raw))
		}
	})
}

// TestOtherNames: what is written to a file with another name is written there too, so undo does not answer it.
func TestOtherNames(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	root := filepath.Join(top, "p")
	write(t, root, "a", "one")
	write(t, root, "b", "two")
	check(t, os.Link(filepath.Join(root, "b"), filepath.Join(top, "outside")))
	n, err := opened(t, root).Snapshot(Meta{Moment: Before}, 0)
	check(t, err)
	for name, held := range map[string]bool{"a": true, "b": false} {
		if got, why := n.Covers(name); got != held {
			t.Errorf("%s: %v %s", name, got, why)
		}
	}
}
