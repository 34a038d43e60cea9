package config

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestKept asks about files in a repository that git has made.
func TestKept(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	dir := t.TempDir()
	long := time.Now().Add(-time.Hour)
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
		return path
	}
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	git("init", "-q")
	for _, name := range []string{"a.txt", "src/b.go", "src/deep/c with blanks.go", "edited.txt", "same-size.txt", "gone.txt"} {
		write(name, "one\n")
	}
	git("add", "-A")
	git("commit", "-qm", "x")
	write("untracked.txt", "one\n")
	write("edited.txt", "more\n")
	path := write("same-size.txt", "two\n")
	if err := os.Chtimes(path, long.Add(time.Minute), long.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "gone.txt")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("a.txt", filepath.Join(dir, "link.txt")); err != nil {
		t.Fatal(err)
	}
	git("add", "link.txt")
	fresh := filepath.Join(dir, "fresh.txt")
	git("add", "--intent-to-add", "untracked.txt")
	if err := os.WriteFile(fresh, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	git("add", "fresh.txt")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(fresh, later, later); err != nil {
		t.Fatal(err)
	}
	write("staged.txt", "never committed\n")
	write("restaged.txt", "one\n")
	git("add", "restaged.txt")
	git("commit", "-qm", "y", "restaged.txt")
	write("restaged.txt", "more\n")
	git("add", "staged.txt", "restaged.txt")
	is := kept(dir)()
	for name, want := range map[string]bool{
		"a.txt": true, "src/b.go": true, "src/deep/c with blanks.go": true, "edited.txt": false, "same-size.txt": false, "gone.txt": false,
		"untracked.txt": false, "staged.txt": false, "restaged.txt": false, "link.txt": false, "src": false, "../x": false, "fresh.txt": false, ".git/index": false, ".git/config": false,
	} {
		if got := is(filepath.Join(dir, name)); got != want {
			t.Errorf("%s: kept %v, want %v", name, got, want)
		}
	}
	if kept("")()(path) || kept(t.TempDir())()(path) {
		t.Error("kept without a repository")
	}
}

// TestOutsideIsNotKept: whatever a repository claims to have, it has nothing outside of
// itself. Its index and its trees are files that anybody can write.
func TestOutsideIsNotKept(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	root := tree(t, "p/aa/victim=text", "victim=text")
	dir, long := filepath.Join(root, "p"), time.Now().Add(-time.Hour)
	for _, path := range []string{filepath.Join(dir, "aa/victim"), filepath.Join(root, "victim")} {
		if err := os.Chtimes(path, long, long); err != nil {
			t.Fatal(err)
		}
	}
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	git("add", "-A")
	git("commit", "-qm", "x")
	if !kept(dir)()(filepath.Join(dir, "aa/victim")) {
		t.Fatal("what is committed is not kept")
	}
	index := filepath.Join(dir, ".git/index")
	raw, err := os.ReadFile(index)
	if err != nil || !bytes.Contains(raw, []byte("aa/victim")) {
		t.Fatal(err)
	}
	if err := os.WriteFile(index, bytes.Replace(raw, []byte("aa/victim"), []byte("../victim"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	name, inner := git("rev-parse", "HEAD^{tree}"), git("rev-parse", "HEAD:aa")
	id, err := hex.DecodeString(inner)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(append([]byte("tree 29\x0040000 ..\x00"), id...))
	z.Close()
	object := filepath.Join(dir, ".git/objects", name[:2], name[2:])
	if err := errors.Join(os.Remove(object), os.WriteFile(object, b.Bytes(), 0o444)); err != nil {
		t.Fatal(err)
	}
	if kept(dir)()(filepath.Join(root, "victim")) {
		t.Error("a repository keeps a file outside of itself")
	}
}

// TestEditedAgreesWithGit holds what counts as edited against git, over files in random states.
func TestEditedAgreesWithGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	r := rand.New(rand.NewPCG(1, 2))
	long := time.Now().Add(-time.Hour)
	for round := range 12 {
		dir := t.TempDir()
		git := func(args ...string) string {
			cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
			cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("git %v: %v\n%s", args, err, out)
			}
			return string(out)
		}
		git("init", "-q")
		write := func(path, text string, when time.Time) {
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644), os.Chtimes(path, when, when)); err != nil {
				t.Fatal(err)
			}
		}
		var names []string
		for i := range 12 {
			name := fmt.Sprintf("%s%d", []string{"a", "d/b", "d/e f/c"}[i%3], i)
			names = append(names, filepath.Join(dir, name))
			write(names[i], "one\n", long)
		}
		git("add", "-A")
		git("commit", "-qm", "x")
		if round%2 == 1 {
			git("update-index", "--index-version", "4")
		}
		var states []int
		for _, path := range names {
			state := r.IntN(9)
			switch states = append(states, state); state {
			case 0: // longer
				write(path, "longer\n", long)
			case 1: // as long
				write(path, "two\n", long.Add(time.Minute))
			case 2: // only touched
				write(path, "one\n", long.Add(time.Minute))
			case 3:
				os.Remove(path)
			case 4: // another kind
				if err := errors.Join(os.Remove(path), os.Symlink("/nowhere", path)); err != nil {
					t.Fatal(err)
				}
			case 5: // staged
				write(path, "staged\n", long)
				git("add", path)
			case 6: // staged and changed again
				write(path, "staged\n", long)
				git("add", path)
				write(path, "again, longer\n", long)
			}
		}
		want := map[string]bool{}
		for line := range strings.Lines(git("diff", "--name-only", "--diff-filter=M", "-z")) {
			for name := range strings.SplitSeq(line, "\x00") {
				if name != "" {
					want[filepath.Join(dir, name)] = true
				}
			}
		}
		got := edited(dir, []string{dir + "/a", dir + "/d"}, func(string) bool { return true })
		for _, path := range got {
			if !want[path] {
				t.Errorf("%s counts as edited, not to git (states %v)", path, states)
			}
		}
		if len(got) != min(len(want), maxEdited) {
			t.Errorf("%d files count as edited, to git %d (states %v)", len(got), len(want), states)
		}
		if list := edited(dir, []string{dir + "/nosuch"}, func(string) bool { return true }); round%2 == 0 && list != nil {
			t.Errorf("%v begin with a name that the index does not hold", list)
		}
		if list := edited(dir, []string{dir + "/"}, func(path string) bool { return strings.HasSuffix(path, "0") }); slices.ContainsFunc(list, func(path string) bool { return !strings.HasSuffix(path, "0") }) {
			t.Errorf("%v are not among those that were asked for", list)
		}
	}
}

// TestSameSizeAndTime: a file that has been replaced by another one of its size, and was given its time, is not the one that git has.
func TestSameSizeAndTime(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	top := t.TempDir()
	run := func(script string) {
		t.Helper()
		cmd := exec.Command("/bin/sh", "-ec", script)
		cmd.Dir = top
		cmd.Env = []string{"HOME=" + top, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", script, err, out)
		}
	}
	run("mkdir p; cd p; git init -q .; for f in same other linked moved mode; do echo one >$f; touch -d '2 hours ago' $f; done; git add -A; git commit -qm one")
	run("cd p; echo two >x; touch -r other x; cp -p x other; touch -r linked x; mv x linked; mv moved y; mv y moved; chmod 600 mode; cp -a . ../copy")
	for _, dir := range []string{top + "/p", top + "/copy"} {
		keeps := kept(dir)()
		for name, want := range map[string]bool{"same": true, "other": false, "linked": false, "moved": true, "mode": true} {
			if got := keeps(dir + "/" + name); got != want {
				t.Errorf("%s/%s: kept %v, want %v", dir, name, got, want)
			}
			list := edited(dir, []string{dir + "/" + name}, func(path string) bool { return path == dir+"/"+name })
			if got := len(list) == 0; got != want {
				t.Errorf("%s/%s: unedited %v, want %v", dir, name, got, want)
			}
		}
	}
}

// TestUntouched: a file is the one that git looked at if its times and its size are those in the index, as far as the index has them.
func TestUntouched(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	dir := t.TempDir()
	cmd := exec.Command("/bin/sh", "-ec", "git init -q .; echo one >f; touch -d '2 hours ago' f; git add f")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path := filepath.Join(dir, "f")
	look := func() os.FileInfo {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	x := &gitIndex{project: dir}
	e, ok := x.of("f", look())
	at, known := changedAt(look())
	if !ok || !known || !isUntouched(e, look()) {
		t.Fatalf("%+v is not the file that git has just looked at", e)
	}
	for _, test := range []struct {
		seconds, nano uint32
		want          bool
	}{
		{0, 0, true},
		{0, 7, true},                 // the index does not have it
		{uint32(at.Unix()), 0, true}, // not all of it
		{uint32(at.Unix()), uint32(at.Nanosecond()), true},
		{uint32(at.Unix()), uint32(at.Nanosecond()) + 1, false},
		{uint32(at.Unix()) + 1, uint32(at.Nanosecond()), false},
		{uint32(at.Unix()) + 1, 0, false},
	} {
		e.Changed, e.ChangedNano = test.seconds, test.nano
		if got := isUntouched(e, look()); got != test.want {
			t.Errorf("%d.%d in the index of a file of %d.%d: %v", test.seconds, test.nano, at.Unix(), at.Nanosecond(), got)
		}
	}
	written := look().ModTime()
	for name, change := range map[string]func() error{
		"another second":           func() error { return os.Chtimes(path, written, written.Add(-time.Second)) },
		"another part of a second": func() error { return os.Chtimes(path, written, written.Add(-time.Nanosecond)) },
		"another size": func() error {
			return errors.Join(os.WriteFile(path, []byte("more\n"), 0o644), os.Chtimes(path, written, written))
		},
	} {
		if err := errors.Join(os.WriteFile(path, []byte("one\n"), 0o644), os.Chtimes(path, written, written)); err != nil {
			t.Fatal(err)
		}
		if _, ok := x.of("f", look()); !ok {
			t.Errorf("before %s it is not the file", name)
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if _, ok := x.of("f", look()); ok {
			t.Errorf("with %s it is the file", name)
		}
	}
}
