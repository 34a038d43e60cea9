package sandbox

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

const dir = "/home/dev/box"

func newPlanner(links ...string) *planner {
	w := &tool.World{Home: "/home/dev", Sandbox: dir, Readlink: func(path string) (string, error) {
		if slices.Contains(links, path) {
			return "/elsewhere", nil
		}
		return "", errors.New("not a link")
	}}
	return &planner{Plan: Plan{dir: dir}, world: w, values: map[tool.Span]string{}, taken: map[string]string{}}
}

func TestBelow(t *testing.T) {
	for _, test := range []struct {
		name, dir string
		want      bool
	}{
		{"/a/b", "/a", true}, {"/a", "/a", true}, {"/ab", "/a", false}, {"/", "/a", false}, {"/a/b", "/a/", true}, {"/a", "/", true}, {"/", "/", true}, {"", "/a", false}, {"/a/../b", "/a", true},
	} {
		if got := paths.Within(test.name, test.dir); got != test.want {
			t.Errorf("paths.Within(%q, %q) = %v", test.name, test.dir, got)
		}
	}
}

func TestClimbs(t *testing.T) {
	for text, want := range map[string]bool{"": false, "a/b": false, "..": true, "a/..": true, "../a": true, "a/../b": true, "..a": false, "a..": false, "...": false} {
		if paths.Climbs(text) != want {
			t.Errorf("paths.Climbs(%q) = %v", text, !want)
		}
	}
}

// A name in the sandbox is one that nothing else has, and no link out of it.
func TestPlace(t *testing.T) {
	p := newPlanner(dir+"/link", dir+"/link-2")
	for _, test := range []struct{ base, from, want string }{
		{"repo", "/p/repo", "repo"},
		{"repo", "/p/repo", "repo"}, // the same thing again
		{"repo", "/q/repo", "repo-2"},
		{"repo", "/r/repo", "repo-3"},
		{"", "/p", "download"},
		{".", "/p1", "download-2"},
		{"..", "/p2", "download-3"},
		{"a/b", "/p3", "download-4"},
		{"link", "/p/link", "link-3"},
		{"...", "/p4", "..."},
		{"-rf", "/p5", "-rf"},
		{"a b", "/p6", "a b"},
	} {
		if got := p.place(test.base, test.from); got != dir+"/"+test.want {
			t.Errorf("place(%q, %q) = %q, want %s", test.base, test.from, got, test.want)
		}
	}
	many := newPlanner()
	for i := range 200 {
		if to := many.place("x", strings.Repeat("/", i)+"x"); !paths.Within(to, dir) || strings.Contains(to[len(dir)+1:], "/") {
			t.Errorf("%q is not in the sandbox", to)
		}
	}
	if len(many.taken) != 200 {
		t.Errorf("%d names for 200 things", len(many.taken))
	}
}

// A path as a shell word is that path, whatever is in it, for the shell itself.
func TestQuoteIsOneWord(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed; install the package bash")
	}
	p := newPlanner()
	for _, name := range []string{
		dir + "/a", dir + "/a b", dir + "/$HOME", dir + "/`id`", dir + "/\"", dir + `/\`, dir + "/'", dir + "/*", dir + "/~", dir + "/a;b", dir + "/a\tb", dir + "/é", dir + "/#", dir + "/-x", "/srv/a", "/srv/a b", "/srv/$(id)", "/srv/!x", "/srv/{a,b}",
	} {
		for _, lead := range []string{"", "--output="} {
			out, err := exec.Command(bash, "-c", "HOME=/home/dev; printf %s "+lead+p.quote(name, lead)).Output()
			if err != nil || string(out) != lead+name {
				t.Errorf("%s%s is %q to bash (%v)", lead, p.quote(name, lead), out, err)
			}
		}
		p.nested = true
		if quoted := p.quote(name, ""); !strings.Contains(name, "'") {
			out, err := exec.Command(bash, "-c", "export HOME=/home/dev; bash -c 'printf %s "+quoted+"'").Output()
			if err != nil || string(out) != name {
				t.Errorf("nested, %s is %q to bash (%v)", quoted, out, err)
			}
		}
		p.nested = false
	}
}

func TestPlain(t *testing.T) {
	for name, want := range map[string]bool{"": false, "/a/b.c-d_e+f,g@h%i:j": true, "a b": false, "~": false, "$x": false, "é": false, "a=b": false, "*": false, "a\n": false} {
		if plain(name) != want {
			t.Errorf("plain(%q) = %v", name, !want)
		}
	}
}

func TestStreams(t *testing.T) {
	for name, want := range map[string]bool{"-": true, "/dev/stdout": true, "/dev/null": true, "/dev": false, "--": false, "x": false, "/devices": false} {
		if isStream(name) != want {
			t.Errorf("isStream(%q) = %v", name, !want)
		}
	}
}

func TestKeeps(t *testing.T) {
	for _, test := range []struct {
		fd, op, target string
		want           bool
	}{
		{"", ">", "x", true},
		{"1", ">", "x", true},
		{"2", ">", "x", false},
		{"", ">>", "x", true},
		{"", ">|", "x", true},
		{"", "<>", "x", false},
		{"1", "<>", "x", true},
		{"", "&>", "x", true},
		{"", "&>>", "x", true},
		{"", ">&", "2", false},
		{"", ">&", "-", false},
		{"", ">&", "2-", false},
		{"", ">&", "file", true},
		{"2", ">&", "file", false},
		{"", "<", "x", false},
		{"", "<<", "x", false},
		{"", "<<<", "x", false},
		{"", "<&", "3", false},
	} {
		r := command.Redirect{Fd: test.fd, Op: test.op, Target: command.Known(test.target, tool.Span{})}
		if keeps(r) != test.want {
			t.Errorf("%s%s %s: %v", test.fd, test.op, test.target, !test.want)
		}
	}
}

func TestApply(t *testing.T) {
	for _, test := range []struct {
		script  string
		edits   []Edit
		want    string
		changed string // what stands at the changed places
	}{
		{"curl -o a b", nil, "curl -o a b", ""},
		{"curl -o a b", []Edit{{tool.Span{Start: 8, End: 9}, "/s/a"}}, "curl -o /s/a b", "/s/a"},
		{"git clone u", []Edit{{tool.Span{Start: 11, End: 11}, " /s/u"}}, "git clone u /s/u", "/s/u"},
		{"a b c", []Edit{{tool.Span{Start: 4, End: 5}, "CC"}, {tool.Span{Start: 0, End: 1}, "AA"}}, "AA b CC", "AA|CC"}, // in any order
		{"a b c", []Edit{{tool.Span{Start: 0, End: 3}, "x"}, {tool.Span{Start: 2, End: 5}, "y"}}, "", "-"},              // they overlap
		{"a", []Edit{{tool.Span{Start: 0, End: 9}, "x"}}, "", "-"},                                                      // beyond the end
	} {
		p := Plan{Edits: test.edits}
		got := p.Apply(test.script)
		if got != test.want {
			t.Errorf("%q: got %q, want %q", test.script, got, test.want)
		}
		if test.changed == "-" {
			continue
		}
		var parts []string
		for _, s := range p.Changed() {
			parts = append(parts, got[s.Start:s.End])
		}
		if strings.Join(parts, "|") != test.changed {
			t.Errorf("%q: %q has changed, want %q", test.script, parts, test.changed)
		}
	}
}

func TestNewPlace(t *testing.T) {
	p := Plan{Moved: []Move{{From: "", To: dir}, {From: "/", To: dir + "/root"}, {From: "/p/repo", To: dir + "/repo"}, {From: "/p/repo/x", To: dir + "/x"}}}
	for name, want := range map[string]string{"/p/repo": dir + "/repo", "/p/repo/a/b": dir + "/repo/a/b", "/p/repo/x": dir + "/repo/x", "/p/repos": "", "/p": "", "/": "", "": "", "/q": ""} {
		if got, ok := p.newPlace(name); got != want || ok != (want != "") {
			t.Errorf("newPlace(%q) = %q, %v", name, got, ok)
		}
	}
}

// What comes after the edits must be what came before, but for the moved places.
func TestFollows(t *testing.T) {
	p := Plan{dir: dir, Moved: []Move{{From: "/p/a", To: dir + "/a"}}}
	inv := func(name, at string, effects ...tool.Effect) *command.Invocation {
		return &command.Invocation{Name: name, Dir: command.Known(at, tool.Span{}), Effects: effects}
	}
	effect := func(k tool.Kind, target string) tool.Effect {
		return tool.Effect{Kind: k, Target: target, Reach: tool.Exact}
	}
	one := func(i *command.Invocation) []*command.Invocation { return []*command.Invocation{i} }
	for _, test := range []struct {
		name          string
		before, after *command.Invocation
		why           string
	}{
		{"the same", inv("ls", "/p", effect(tool.Read, "/q")), inv("ls", "/p", effect(tool.Read, "/q")), ""},
		{"moved read", inv("cat", "/p", effect(tool.Read, "/p/a")), inv("cat", "/p", effect(tool.Read, dir+"/a")), ""},
		{"moved write", inv("curl", "/p", effect(tool.Write, "/p/a")), inv("curl", "/p", effect(tool.Write, dir+"/a")), ""},
		{"moved directory", inv("ls", "/p/a"), inv("ls", dir+"/a"), ""},
		{"moved code", inv("sh", "/p", effect(tool.Execute, "script:/p/a")), inv("sh", "/p", effect(tool.Execute, "script:"+dir+"/a")), ""},
		{"other program", inv("ls", "/p"), inv("rm", "/p"), "another directory"},
		{"other directory", inv("ls", "/p"), inv("ls", "/q"), "another directory"},
		{"old place", inv("cat", "/p", effect(tool.Read, "/p/a")), inv("cat", "/p", effect(tool.Read, "/p/a")), "still names the old place"},
		{"something else", inv("cat", "/p"), inv("cat", "/p", effect(tool.Delete, "/q")), "do something else"},
		{"no longer", inv("cat", "/p", effect(tool.Delete, "/q")), inv("cat", "/p"), "no longer do"},
		{"another host", inv("curl", "/p", effect(tool.Fetch, "a")), inv("curl", "/p", effect(tool.Fetch, "b")), "do something else"},
	} {
		why, ok := p.Follows(one(test.before), one(test.after))
		if ok != (test.why == "") || !strings.Contains(why, test.why) {
			t.Errorf("%s: %v, %q", test.name, ok, why)
		}
	}
	if _, ok := p.Follows(nil, one(inv("ls", "/p"))); ok {
		t.Error("one command more follows")
	}
}

// Inside is what stays in the sandbox whatever it touches: not a link that leads
// out of it, and nothing that is not known.
func TestInside(t *testing.T) {
	p := newPlanner(dir + "/link")
	for _, test := range []struct {
		target string
		reach  tool.Reach
		want   bool
	}{
		{dir + "/a", tool.Exact, true}, {dir, tool.Exact, true}, {dir + "/a", tool.Anywhere, false}, {"/home/dev/boxes", tool.Exact, false}, {dir + "/link", tool.Exact, false}, {dir + "/link/x", tool.Exact, false}, {dir + "/a", tool.Under, true}, {"", tool.Exact, false},
	} {
		if got := p.inside(tool.Effect{Kind: tool.Write, Target: test.target, Reach: test.reach}); got != test.want {
			t.Errorf("%q (%v): %v", test.target, test.reach, got)
		}
	}
}

// Without a sandbox nothing is planned.
func TestNoSandbox(t *testing.T) {
	plan := For("curl -o a b", []*command.Invocation{{Name: "curl"}}, &tool.World{})
	if plan.Needed() || len(plan.Edits) > 0 || plan.Span() != (tool.Span{}) {
		t.Errorf("%+v", plan)
	}
}
