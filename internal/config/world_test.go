package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// TestWorldAsTold: what judging is told of the machine.
func TestWorldAsTold(t *testing.T) {
	root := tree(t, "p/a=text", "p/d/b=")
	project := filepath.Join(root, "p")
	env := Env{"USER=ann", "SHELL=/bin/zsh", "HOME=/elsewhere", "X=1"}
	w := World(env, Site{Project: project}, "/h")
	if w.Home != "/h" || w.Project != project || w.User != "ann" || !w.Zsh || w.Also != nil {
		t.Errorf("%+v", w)
	}
	for name, want := range map[string]string{"HOME": "/h", "X": "1"} {
		if got, ok := w.Getenv(name); got != want || !ok {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
	if _, ok := w.Getenv("NONE"); ok {
		t.Error("a variable that is not set has a value")
	}
	if got, _ := World(env, Site{}, "").Getenv("HOME"); got != "/elsewhere" {
		t.Errorf("without a home directory: %q", got)
	}
	if World(Env{"SHELL=/usr/bin/bash"}, Site{}, "").Zsh {
		t.Error("bash is taken for zsh")
	}
	if w := World(env, Site{Project: project, Worktree: "/w"}, "/h"); w.Project != "/w" || len(w.Also) != 1 || w.Also[0] != project {
		t.Errorf("in another working tree: %q, %q", w.Project, w.Also)
	}
	room := make([]byte, 2)
	if n, err := w.ReadAt(filepath.Join(project, "a"), 1, room); n != 2 || err != nil || string(room) != "ex" {
		t.Errorf("%q, %d, %v", room, n, err)
	}
	if n, err := w.ReadAt(filepath.Join(project, "a"), 3, room); n != 1 || err != nil {
		t.Errorf("the end: %d, %v", n, err)
	}
	if n, err := w.ReadAt(filepath.Join(project, "a"), 4, room); n != 0 || !errors.Is(err, io.EOF) {
		t.Errorf("behind the end: %d, %v", n, err)
	}
	if _, err := w.ReadAt(project, 0, room); err == nil {
		t.Error("a directory is read")
	}
	list, whole := w.Entries(project)
	if len(list) != 2 || !whole || list[0].Name == "d" != list[0].Dir || list[1].Name == "d" != list[1].Dir {
		t.Errorf("%+v, %v", list, whole)
	}
	if list, whole := w.Entries(filepath.Join(project, "none")); list != nil || whole {
		t.Errorf("%+v, %v", list, whole)
	}
	if _, whole := w.Entries(filepath.Join(project, "a")); whole {
		t.Error("a file is listed")
	}
}

// TestOtherHome: with another home directory the machine is seen from there, and the
// rules stay where they are.
func TestOtherHome(t *testing.T) {
	root := tree(t, "home/.config/longline/rules.yaml="+rules("u"), "other/p/.git/", "other/p/x/")
	c, err := Load(Options{
		Parse: rulesfile.ParseNamed, Dir: filepath.Join(root, "other/p/x"), Home: filepath.Join(root, "home") + "/../other/",
		Env: Env{"HOME=" + filepath.Join(root, "home")}, managed: filepath.Join(root, "etc"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.World.Home != filepath.Join(root, "other") || c.World.Project != filepath.Join(root, "other/p") || ids(c) != "user:u" {
		t.Errorf("%s, %s, %s", c.World.Home, c.World.Project, ids(c))
	}
	c, err = load(t, root, "other/p/x", "")
	if err != nil || c.World.Home != filepath.Join(root, "home") {
		t.Errorf("%s, %v", c.World.Home, err)
	}
}

// TestReadable: only regular files are read, up to their bound.
func TestReadable(t *testing.T) {
	for _, test := range []struct {
		dir, regular bool
		size         int64
		want         bool
	}{{false, true, 5, true}, {false, true, 6, false}, {true, false, 0, false}, {false, false, 0, false}} {
		if err := readable("x", test.dir, test.regular, test.size, 5); (err == nil) != test.want {
			t.Errorf("%+v: %v", test, err)
		}
	}
	root := tree(t, "a=12345")
	path := filepath.Join(root, "a")
	for limit, want := range map[int64]bool{4: false, 5: true} {
		f, _, err := openRegular(path, limit)
		if (err == nil) != want {
			t.Errorf("%d: %v", limit, err)
		}
		if err == nil {
			f.Close()
		}
	}
	if _, _, err := openRegular(filepath.Join(root, "none"), 5); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestHolds: a file holds a text if it is that text, however it is read.
func TestHolds(t *testing.T) {
	long := strings.Repeat("0123456789abcdef", 3<<10)
	for _, test := range []struct {
		have, text string
		want       bool
	}{{"", "", true}, {"a", "a", true}, {"a", "", false}, {"", "a", false}, {"ab", "a", false}, {"a", "ab", false}, {long, long, true}, {long, long + "x", false}, {long + "x", long, false}, {long[1:], long, false}} {
		if got := holds(strings.NewReader(test.have), test.text); got != test.want {
			t.Errorf("%.5q (%d), %.5q (%d): %v", test.have, len(test.have), test.text, len(test.text), got)
		}
		if len(test.have) < 10 && holds(iotest.OneByteReader(strings.NewReader(test.have)), test.text) != test.want {
			t.Errorf("%q, %q, byte by byte", test.have, test.text)
		}
	}
	if holds(iotest.ErrReader(errors.New("x")), "") {
		t.Error("a file that cannot be read is empty")
	}
}

// TestTooWide: what holds a home directory, or is the root, is no project.
func TestTooWide(t *testing.T) {
	for _, test := range []struct {
		dir   string
		homes []string
		want  bool
	}{{"/home/a", []string{"/home/a"}, true}, {"/home", []string{"", "/home/a"}, true}, {"/", nil, true}, {"/", []string{"/home/a"}, true}, {"/home/a/p", []string{"/home/a"}, false}, {"/srv", []string{""}, false}, {"/home/ab", []string{"/home/a"}, false}} {
		if got := tooWide(test.dir, test.homes); got != test.want {
			t.Errorf("%s, %q: %v", test.dir, test.homes, got)
		}
	}
}

// TestMissing: only what is not there is missing. What cannot be opened for another
// reason is there, and what it forbids is not known.
func TestMissing(t *testing.T) {
	for _, test := range []struct {
		err  error
		want bool
	}{
		{syscall.ENOENT, true}, {syscall.ENOTDIR, true}, {syscall.EACCES, false}, {syscall.EIO, false}, {syscall.ELOOP, false}, {fs.ErrNotExist, true}, {fs.ErrPermission, false}, {errors.New("x"), false}, {nil, false},
	} {
		wrapped := []error{test.err, &Error{Path: "x", Err: test.err}, &Error{Path: "x", Err: &fs.PathError{Op: "open", Path: "x", Err: test.err}}, fmt.Errorf("x: %w", test.err)}
		if test.err == nil {
			wrapped = wrapped[:1]
		}
		for _, err := range wrapped {
			if got := missing(err); got != test.want {
				t.Errorf("%T, %v: %v", err, err, got)
			}
		}
	}
}

// TestUnheard: a question reaches nobody where the client answers it itself, as it does
// for changes of hidden files, of those it names, and of those that configure something.
func TestUnheard(t *testing.T) {
	root := tree(t, "home/p/.git/")
	c, err := load(t, root, "home/p", "")
	if err != nil {
		t.Fatal(err)
	}
	change := func(path string) tool.Effect { return tool.Effect{Kind: tool.Write, Target: path, Reach: tool.Exact} }
	home, project := c.World.Home, c.World.Project
	for _, test := range []struct {
		e    tool.Effect
		want bool
	}{
		{change(project + "/a.txt"), false},
		{change(project + "/.a"), true},
		{change(project + "/d/.a/b"), true},
		{change(home + "/a.txt"), false},
		{change(home + "/.a"), true},
		{change(project + "/Lefthook.yml"), true},
		{change(project + "/CLAUDE.md"), false},
		{change(project + "/.git/config"), true},
		{tool.Effect{Kind: tool.Read, Target: project + "/.a", Reach: tool.Exact}, false},
		{tool.Effect{Kind: tool.Delete, Target: project + "/.a", Reach: tool.Exact}, true},
		{tool.Effect{Kind: tool.Create, Target: project + "/.a", Reach: tool.Exact}, true},
	} {
		ask := &tool.Verdict{Decision: tool.Ask}
		invs := []*command.Invocation{{}, {Effects: []tool.Effect{{Kind: tool.Read, Target: "/x", Reach: tool.Exact}, test.e}}}
		if got := c.Unheard(&tool.Call{Agent: "claude", Answers: true}, ask, invs); got != test.want {
			t.Errorf("%+v: %v", test.e, got)
		}
		if got := c.Unheard(&tool.Call{Agent: "claude", Answers: true, Effects: []tool.Effect{test.e}}, ask, nil); got != test.want {
			t.Errorf("%+v of a tool: %v", test.e, got)
		}
		if c.Unheard(&tool.Call{Agent: "claude"}, ask, invs) || c.Unheard(&tool.Call{Agent: "claude", Answers: true}, &tool.Verdict{Decision: tool.Deny}, invs) {
			t.Errorf("%+v: a client that asks, or is not asked", test.e)
		}
	}
	// Only what stands behind the project counts, though it looks like the home directory.
	c.World.Project, c.World.Home = "/p", "/srv/.home/ann"
	if !c.Unheard(&tool.Call{Agent: "claude", Answers: true, Effects: []tool.Effect{change("/p/srv/.home/ann/f")}}, &tool.Verdict{Decision: tool.Ask}, nil) {
		t.Error("a hidden directory in the project")
	}
	if c.Unheard(&tool.Call{Agent: "claude", Answers: true, Effects: []tool.Effect{change("/srv/.home/ann/f")}}, &tool.Verdict{Decision: tool.Ask}, nil) {
		t.Error("a home directory below a hidden one")
	}
}

// TestReading: while a rules file is broken, the built-in rules judge.
func TestReading(t *testing.T) {
	root := tree(t, "home/p/.git/", "home/.config/longline/rules.yaml=broken")
	c, err := Reading(Options{Dir: filepath.Join(root, "home/p"), Env: Env{"HOME=" + filepath.Join(root, "home")}, managed: filepath.Join(root, "etc")})
	if err != nil || c.Guard.Policy == nil || len(c.Guard.Policy.Rules()) == 0 || ids(c) != "" {
		t.Fatalf("%+v, %v", c, err)
	}
	if c.World.Home != filepath.Join(root, "home") || c.World.Project != filepath.Join(root, "home/p") || len(c.World.Guard) == 0 || c.Guard.Library == nil {
		t.Errorf("%+v", c.World)
	}
}

func TestTemporary(t *testing.T) {
	for path, want := range map[string]bool{"/tmp": true, "/tmp/x": true, "/var/tmp/x": true, "/dev/shm/x": true, "/private/var/x": true, "/tmpx": false, "/home/x": false, "/var/lib": false, "/": false} {
		if got := temporary(path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
}

// TestSandboxedByAnySettings: the client's own sandbox is on if one of its settings files
// says so.
func TestSandboxedByAnySettings(t *testing.T) {
	const on, off = `{"sandbox":{"enabled":true}}`, `{"sandbox":{"enabled":false}}`
	root := tree(t, "on="+on, "off="+off, "bad={")
	file := func(name string) string { return filepath.Join(root, name) }
	for _, test := range []struct {
		managed []string
		user    string
		project []string
		want    bool
	}{
		{nil, "off", nil, false},
		{nil, "on", nil, true},
		{nil, "none", []string{"off", "on"}, true},
		{nil, "none", []string{"on", "off"}, true},
		{nil, "off", []string{"off", "bad"}, false},
		{[]string{"off", "on"}, "off", []string{"off"}, true},
		{[]string{"on", "off"}, "off", nil, true},
		{[]string{"off"}, "none", nil, false},
	} {
		s := Settings{User: file(test.user)}
		for _, name := range test.managed {
			s.Managed = append(s.Managed, file(name))
		}
		for _, name := range test.project {
			s.Project = append(s.Project, file(name))
		}
		if got := s.sandboxed(); got != test.want {
			t.Errorf("%+v: %v", test, got)
		}
	}
}

// TestNote: a note of git's is one line of a file that is not too long.
func TestNote(t *testing.T) {
	root := tree(t, "a= text \n", "most="+strings.Repeat("x", 8192), "more="+strings.Repeat("x", 8193), "d/")
	for name, want := range map[string]int{"a": 4, "most": 8192, "more": 0, "d": 0, "none": 0} {
		if got := note(filepath.Join(root, name)); len(got) != want {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
}

// TestWallsAreWanted: nothing is put behind a wall that rules, the call or the verdict keep
// from it.
func TestWallsAreWanted(t *testing.T) {
	root := tree(t, "home/p/.git/")
	c, err := load(t, root, "home/p", "")
	if err != nil {
		t.Fatal(err)
	}
	usual := tool.Verdict{Decision: tool.Ask, Parsed: true}
	for name, test := range map[string]struct {
		off, file bool
		v         tool.Verdict
		want      bool
	}{
		"as usual":          {v: usual, want: true},
		"not wanted":        {v: usual, off: true},
		"no shell":          {v: usual, file: true},
		"denied":            {v: tool.Verdict{Decision: tool.Deny, Parsed: true}},
		"changed otherwise": {v: tool.Verdict{Decision: tool.Ask, Parsed: true, Rewrite: "x"}},
		"not read":          {v: tool.Verdict{Decision: tool.Ask}},
	} {
		c.World.Wall = nil
		c.Guard.Policy.Walls.On = !test.off
		call := &tool.Call{Agent: "claude", Tool: "Bash", Script: "ls", Dir: c.World.Project, Shell: !test.file}
		v, _ := c.walled(call, test.v, nil)
		if test.want = test.want && WallSystem && WallWords() != nil; (c.World.Wall != nil) != test.want {
			t.Errorf("%s: %q", name, c.World.Wall)
		}
		if !test.want && (v.Decision != test.v.Decision || v.Rewrite != test.v.Rewrite) {
			t.Errorf("%s: %+v", name, v)
		}
	}
}

// TestLikeSandbox: a variable, which a repository may set, names no directory in which
// something is put unasked and matters.
func TestLikeSandbox(t *testing.T) {
	root := tree(t, "home/p/.git/", "home/p/sandbox/", "home/plain/sandbox/", "home/real/.git/", "home/real/sandbox/", "home/.cfg/sandbox/", "home/sandbox/", "home/all-sandbox/p/", "other/sandbox/", "home/Library/sandbox/", "home/deep/My-SandBox/")
	for link, to := range map[string]string{"home/link": "home/real", "home/sandbox-link": "home/.cfg", "home/sandbox-out": "other", "other/sandbox-in": "home/sandbox"} {
		if err := os.Symlink(filepath.Join(root, to), filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		project, dir string
		want         bool
	}{
		{"home/p", "home/sandbox", true},
		{"home/p", "home/deep/My-SandBox", true},
		{"home/p", "home/not-there/sandbox", true},
		{"home/p", "home/deep", false},
		{"home/p", "home/.cfg/sandbox", false},
		{"home/p", "home/Library/sandbox", false},
		{"home/p", "other/sandbox", false},
		{"home/p", "home/sandbox-link", false},
		{"home/p", "home/sandbox-out", false},
		{"home/p", "other/sandbox-in", false},
		{"home/p", "home/p/sandbox", false},
		{"home/plain", "home/plain/sandbox", false},
		{"home/all-sandbox/p", "home/all-sandbox", false},
		{"home/link", "home/real/sandbox", false},
		{"home/link", "home/link/sandbox", false},
		{"", "home/sandbox", true},
	} {
		c := &Config{World: &tool.World{Home: filepath.Join(root, "home")}}
		if test.project != "" {
			c.World.Project = filepath.Join(root, test.project)
		}
		if got := c.likeSandbox(filepath.Join(root, test.dir)); got != test.want {
			t.Errorf("%s from %s: %v", test.dir, test.project, got)
		}
	}
	c := &Config{World: &tool.World{Home: filepath.Join(root, "home")}}
	if c.likeSandbox("sandbox") {
		t.Error("a relative path")
	}
	c.World.Home = ""
	if c.likeSandbox(filepath.Join(root, "home/sandbox")) {
		t.Error("without a home directory")
	}
}

// TestPlacesOnce: what was seen of the disk is kept only by who asks for one call.
func TestPlacesOnce(t *testing.T) {
	o := Options{Dir: "/", Env: Env{"HOME=/h"}, managed: t.TempDir()}
	if placesOf(o).once {
		t.Error("it is kept")
	}
	if o.Look = new(Look); !placesOf(o).once {
		t.Error("it is not kept")
	}
}

// TestNoKeyNoCompiledFile: where no key can be made, nothing is kept, and nothing breaks.
func TestNoKeyNoCompiledFile(t *testing.T) {
	root := tree(t, "file=", "cache/")
	dir := filepath.Join(root, "cache")
	s := &shelf{dir: dir, mode: 0o600, owner: os.Geteuid(), state: filepath.Join(root, "file", "state")}
	s.store(&compiled{name: "/rules.yaml"}, &policy.File{})
	if list, err := os.ReadDir(dir); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	s.state = filepath.Join(root, "state")
	s.store(&compiled{name: "/rules.yaml"}, &policy.File{})
	if list, err := os.ReadDir(dir); err != nil || stamp() != "" && len(list) != 1 {
		t.Errorf("with a key: %v, %v", list, err)
	}
}

// TestRootsAreForTheirCall: what was worked out for one place does not count for another.
func TestRootsAreForTheirCall(t *testing.T) {
	root := tree(t, "a/p/", "b/p/", "b/.config/longline/places=")
	look := new(Look)
	for range 2 {
		for _, project := range []string{"a/p", "b/p", "b/p"} {
			for _, known := range []string{"a", "b", "a"} {
				at, k := filepath.Join(root, project), filepath.Join(root, known)
				for _, dir := range []string{at, root} {
					want := new(Look).rootsOf(Env{"HOME=" + k}, at, dir, k)
					if got := look.rootsOf(Env{"HOME=" + k}, at, dir, k); got.Home != want.Home || len(got.Told) != len(want.Told) {
						t.Errorf("%s, %s, %s: %+v, want %+v", project, dir, known, got, want)
					}
				}
			}
		}
	}
}

// TestStateIsSecret: where longline keeps what it was told is secret, also where the
// built-in rules do not know the place.
func TestStateIsSecret(t *testing.T) {
	root := tree(t, "home/p/.git/", "moved/")
	c, err := load(t, root, "home/p", "")
	if err != nil || c.World.Secrets != nil {
		t.Errorf("as usual: %q, %v", c.World.Secrets, err)
	}
	if err := os.MkdirAll(filepath.Join(root, "home/.config/longline"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "home", RecordFile), []byte("XDG_STATE_HOME="+filepath.Join(root, "moved")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err = load(t, root, "home/p", "")
	if want := filepath.Join(root, "moved/longline"); err != nil || len(c.World.Secrets) != 1 || c.World.Secrets[0] != want {
		t.Errorf("moved: %q, %v", c.World.Secrets, err)
	}
}
