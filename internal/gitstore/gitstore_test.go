package gitstore

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// disk reads the real one.
var disk = Files{
	ReadAt: func(path string, offset int64, room []byte) (int, error) {
		f, err := os.Open(path)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		n, err := f.ReadAt(room, offset)
		if n > 0 && err == io.EOF {
			err = nil
		}
		return n, err
	},
	List: func(dir string) []string {
		var names []string
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	},
}

// repo makes a repository by running git in a directory of its own.
type repo struct {
	t    *testing.T
	dir  string
	date string // of commits, if it is not now
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	r := &repo{t: t, dir: t.TempDir()}
	r.git("init", "-q", "-b", "main", ".")
	return r
}

func (r *repo) git(args ...string) string {
	r.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	cmd.Env = []string{"HOME=" + r.dir, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
	if r.date != "" {
		cmd.Env = append(cmd.Env, "GIT_COMMITTER_DATE="+r.date)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %s: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

func (r *repo) file(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) store() *Store { return Open(disk, filepath.Join(r.dir, ".git"), "") }

// TestLikeGit: what is read of refs, trees and the index is what git says, with loose
// objects and with packs that hold deltas.
func TestLikeGit(t *testing.T) {
	r := newRepo(t)
	long := strings.Repeat("a line that is in every version\n", 400)
	for i := range 12 {
		r.file("dir/big.txt", fmt.Sprintf("%sversion %d\n", long, i))
		r.file(fmt.Sprintf("dir/sub/f%d", i), "x")
		r.git("add", "-A")
		r.git("commit", "-q", "-m", fmt.Sprint("c", i))
	}
	r.git("tag", "light", "HEAD~3")
	r.git("tag", "-a", "-m", "x", "heavy", "HEAD~4")
	r.git("switch", "-q", "-c", "feature")
	r.file(".claude/settings.json", "{}")
	r.git("rm", "-q", "dir/sub/f1")
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "feature")
	r.git("switch", "-q", "main")
	check := func() {
		t.Helper()
		s := r.store()
		for _, rev := range []string{"main", "feature", "HEAD", "@", "light", "heavy", "HEAD~2", "main~5^", "-", "refs/heads/feature", "heavy~1", r.git("rev-parse", "HEAD"), r.git("rev-parse", "--short=9", "HEAD~1")} {
			id, err := s.Resolve(rev)
			if err != nil {
				t.Errorf("%s: %v", rev, err)
				continue
			}
			tree, err := s.Tree(id)
			if want := r.git("rev-parse", strings.Replace(rev, "-", "@{-1}", btoi(rev == "-"))+"^{tree}"); err != nil || fmt.Sprintf("%x", tree) != want {
				t.Errorf("%s: tree %x, %v; git says %s", rev, tree, err, want)
			}
		}
		id, _ := s.Resolve("main~6")
		tree, _ := s.Tree(id)
		var below []string
		if err := s.Below(tree, 100, func(e Entry) {
			below = append(below, e.Name)
			text, err := s.Blob(e.ID)
			if want := r.git("show", "main~6:"+e.Name); err != nil || strings.TrimSpace(string(text)) != want {
				t.Errorf("%s: %d bytes, %v; git has %d", e.Name, len(text), err, len(want))
			}
		}); err != nil || strings.Join(below, "\n") != r.git("ls-tree", "-r", "--name-only", "main~6") {
			t.Errorf("%q, %v", below, err)
		}
		entries, err := s.Index()
		var names []string
		for _, e := range entries {
			names = append(names, e.Name)
		}
		if want := r.git("ls-files"); err != nil || strings.Join(names, "\n") != want {
			t.Errorf("index: %q, %v; git says %q", names, err, want)
		}
	}
	check()
	r.git("gc", "-q", "--aggressive", "--prune=now")
	r.git("pack-refs", "--all")
	check()
	r.git("update-index", "--index-version", "4")
	check()
	r.git("update-index", "--assume-unchanged", "dir/big.txt")
	r.git("update-index", "--skip-worktree", "dir/sub/f0")
	r.git("update-index", "--add", "--cacheinfo", "160000,"+r.git("rev-parse", "HEAD")+",module")
	check()
	entries, err := r.store().Index()
	for _, e := range entries {
		if e.Assumed != (e.Name == "dir/big.txt") || e.Module != (e.Name == "module") {
			t.Errorf("index: %s: %+v, %v", e.Name, e, err)
		}
	}
	if _, err := r.store().Resolve("nosuch"); err == nil {
		t.Error("a branch that does not exist was found")
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// FuzzObjects: whatever bytes stand in the place of git's data, nothing breaks.
func FuzzObjects(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"), []byte("\x05\x05\x90\x05"))
	f.Fuzz(func(t *testing.T, data, delta []byte) {
		files := Files{ReadAt: func(_ string, offset int64, room []byte) (int, error) {
			if offset < 0 || offset >= int64(len(data)) {
				return 0, io.EOF
			}
			return copy(room, data[offset:]), nil
		}, List: func(string) []string { return []string{"x.idx"} }}
		s := Open(files, "/r/.git", "")
		s.Index()
		s.Resolve("HEAD~2")
		s.object(ID{1})
		patch(data, delta)
		(&pack{path: "/x"}).object(s, 0, 0)
		loose(data)
	})
}

// Whatever an index holds, reading it ends, and it yields no more files than fit in it.
func FuzzIndexed(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x01"))
	f.Add(append([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01"), make([]byte, 64)...))
	f.Fuzz(func(t *testing.T, raw []byte) {
		n := 0
		_ = EachIndexed(raw, func(Indexed) { n++ })
		if n*62 > len(raw) {
			t.Errorf("%d files in %d bytes", n, len(raw))
		}
	})
}
