package config

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// claudeIn loads the rules for a project, with what of its settings was confirmed.
func claudeIn(t *testing.T, root, confirmed string) func(script string) tool.Decision {
	t.Helper()
	cfg, err := Load(Options{
		Parse: rulesfile.ParseNamed, Dir: filepath.Join(root, "home/p"), known: filepath.Join(root, "home"), managed: filepath.Join(root, "etc"), claudeAdmin: filepath.Join(root, "admin"),
		Env: Env{"HOME=" + filepath.Join(root, "home")}, Pinned: func(_, _, _ string) string { return confirmed },
	})
	if err != nil {
		t.Fatal(err)
	}
	return func(script string) tool.Decision {
		v, _ := cfg.Judge(tool.Call{Agent: "claude", Tool: "Bash", Dir: cfg.Dir, Script: script, Shell: true, Edits: true, Attended: true})
		return v.Decision
	}
}

// TestAbsoluteAdditionalDirectory: an absolute directory is taken as it is, also in a
// project.
func TestAbsoluteAdditionalDirectory(t *testing.T) {
	root := tree(t, "home/p/.git/", "home/lib/a.txt=a", "home/.claude/")
	text := `{"permissions":{"additionalDirectories":["` + filepath.Join(root, "home/lib") + `"]}}`
	if err := os.WriteFile(filepath.Join(root, "home/.claude/settings.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if d := claudeIn(t, root, "")("echo x > ../lib/b.txt"); d >= tool.Ask {
		t.Errorf("a file in it is %v", d)
	}
}

// TestSharedSettingsNeverLoosen: what a person has confirmed counts in the settings it
// stands in, which are the person's; the same line in those that a repository brings
// does not.
func TestSharedSettingsNeverLoosen(t *testing.T) {
	const allow = `={"permissions":{"allow":["Bash(frobnicate all)"]}}`
	const confirmed = `allow "Bash(frobnicate all)"` + "\n"
	for _, test := range []struct {
		file, confirmed string
		counts          bool
	}{
		{"home/p/.claude/settings.json", confirmed, false},
		{"home/p/.claude/settings.json", "", false},
		{"home/p/.claude/settings.local.json", "", false},
		{"home/p/.claude/settings.local.json", confirmed, true},
		{"home/.claude/settings.json", "", true},
	} {
		root := tree(t, "home/p/.git/", "home/p/.claude/settings.local.json={}", test.file+allow)
		if d := claudeIn(t, root, test.confirmed)("frobnicate all"); (d < tool.Ask) != test.counts {
			t.Errorf("%s, confirmed %q: %v", test.file, test.confirmed, d)
		}
	}
}

// TestUsualVariables: a variable that names the usual place, or no place, changes nothing
// at all: nothing more is guarded, and nothing is said.
func TestUsualVariables(t *testing.T) {
	home := filepath.Join(tree(t, "home/p/.git/"), "home")
	usual := new(Look).rootsOf(Env{"HOME=" + home}, home+"/p", "", home)
	for _, m := range moves {
		for _, value := range []string{"", below(home, m.standard), below(home, m.standard) + "/", "relative", "."} {
			if r := new(Look).rootsOf(Env{"HOME=" + home, m.variable + "=" + value}, home+"/p", "", home); !reflect.DeepEqual(r, usual) {
				t.Errorf("%s=%q: %+v, want %+v", m.variable, value, r, usual)
			}
		}
	}
}

// TestUserRecord: whatever the environment says, the user database is asked.
func TestUserRecord(t *testing.T) {
	u, err := user.LookupId("0")
	if err != nil || u.HomeDir == "/" {
		t.Skip("there is no user 0 with a home directory")
	}
	t.Setenv("HOME", "/x")
	t.Setenv("USER", "x")
	if name, home := userRecord(0); name != u.Username || home != u.HomeDir {
		t.Errorf("%q, %q, want %q", name, home, u.HomeDir)
	}
	if name, home := userRecord(1 << 30); name != "" || home != "" {
		t.Errorf("of nobody: %q, %q", name, home)
	}
}

// TestRootsRemembered: what was found out about the roots is good for the same question only.
func TestRootsRemembered(t *testing.T) {
	root := tree(t, "known/", "other/")
	l := new(Look)
	for _, name := range []string{"known", "other", "known"} {
		home := filepath.Join(root, name)
		if got := l.rootsOf(nil, "", "", home).Home; got != home {
			t.Errorf("%s, want %s", got, home)
		}
	}
}

// TestNamedSecret: a file that may hold secrets is not read as rules, though it was named:
// what is wrong with it would be shown.
func TestNamedSecret(t *testing.T) {
	root := tree(t, "home/.ssh/id_rsa=hunter2: [", "home/p/.git/", "home/rules.yaml="+rules("n"))
	if c, err := load(t, root, "home/p", "home/.ssh/id_rsa"); err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "may hold secrets") {
		t.Errorf("%v, %v", c, err)
	}
	if _, err := load(t, root, "home/p", "home/rules.yaml"); err != nil {
		t.Error(err)
	}
}

// TestJoined: of two files of the user the later says what is said once, and what is strict
// in one of them is strict.
func TestJoined(t *testing.T) {
	strict := policy.File{
		Default: tool.Deny, HasDefault: true, Safety: policy.Strict, OnAllowPass: true, NoBuiltin: true, LogPath: "/l", Sandbox: policy.Sandbox{Dir: "/s", Block: true},
		Content: policy.Content{Given: true, Rules: "r"}, LogContent: policy.LogStructure, LogKeep: 3, Walls: policy.Walls{Said: true, On: true, Write: []string{"w"}, Sockets: []string{"s"}, Env: []string{"e"}},
	}
	for _, files := range [][]*policy.File{{&strict, {}}, {{}, &strict}} {
		got := Joined(files)
		if got.Default != tool.Deny && files[1] == &strict || got.Safety != policy.Strict || !got.OnAllowPass || !got.NoBuiltin || got.LogPath != "/l" || got.Sandbox != strict.Sandbox ||
			!got.Content.Given || got.Content.Rules != "r" || got.LogContent != policy.LogStructure || got.LogKeep != 3 || !got.Walls.On || len(got.Walls.Write) != 1 || len(got.Walls.Sockets) != 1 || len(got.Walls.Env) != 1 {
			t.Errorf("%+v", got)
		}
	}
	later := policy.File{Default: tool.Allow, HasDefault: true, LogPath: "/m", Sandbox: policy.Sandbox{Dir: "/t"}, Content: policy.Content{Given: true}, LogKeep: 4, Walls: policy.Walls{Said: true}}
	if got := Joined([]*policy.File{&strict, &later}); got.Default != tool.Allow || got.LogPath != "/m" || got.Sandbox.Dir != "/t" || got.Content.Rules != "" || got.LogKeep != 4 || got.Walls.On {
		t.Errorf("%+v", got)
	}
	if Joined(nil) != nil {
		t.Error("no files are one")
	}
}

// TestSandboxVariable: a rules file says where downloads belong, or else a variable, if it
// names what can be meant.
func TestSandboxVariable(t *testing.T) {
	const dir, mode, rules = sandboxDirVariable + "=", sandboxModeVariable + "=", "home/.config/longline/rules.yaml=version: 1\nsandbox: {dir: ~/own, mode: block}\n"
	for _, test := range []struct {
		name    string
		files   []string
		env     []string
		want    string
		block   bool
		ignored bool
		notices int
	}{
		{"nothing", nil, nil, "", false, false, 0},
		{"a rules file", []string{rules}, nil, "home/own", true, false, 0},
		{"both", []string{rules}, []string{dir + "ROOT/home/sandbox"}, "home/own", true, false, 0},
		{"a variable", nil, []string{dir + "ROOT/home/sandbox"}, "home/sandbox", false, false, 0},
		{"from home", nil, []string{dir + "~/my-sandbox/"}, "home/my-sandbox", false, false, 0},
		{"rewrite", nil, []string{dir + "~/sandbox", mode + "rewrite"}, "home/sandbox", false, false, 0},
		{"block", nil, []string{dir + "~/sandbox", mode + "block"}, "home/sandbox", true, false, 0},
		{"no such mode", nil, []string{dir + "~/sandbox", mode + "x"}, "home/sandbox", false, false, 1},
		{"another name", nil, []string{dir + "~/downloads"}, "", false, true, 0},
		{"hidden", nil, []string{dir + "~/.config/sandbox"}, "", false, true, 0},
		{"outside of home", nil, []string{dir + "ROOT/sandbox"}, "", false, true, 0},
		{"in a repository", nil, []string{dir + "~/p/sandbox"}, "", false, true, 0},
	} {
		root := tree(t, append(test.files, "home/p/.git/")...)
		c, err := load(t, root, "home/p", "", slices.Clone(test.env)...)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		want := ""
		if test.want != "" {
			want = filepath.Join(root, test.want)
		}
		if c.World.Sandbox != want || c.Guard.Block != test.block || (c.Ignored != "") != test.ignored || len(c.Notices) != test.notices {
			t.Errorf("%s: %q, block %v, ignored %q, notices %q", test.name, c.World.Sandbox, c.Guard.Block, c.Ignored, c.Notices)
		}
	}
}

// TestWorldOfAnAgent: the world stays the same one while nothing changes, so that what was
// found out about it counts, and is another one when something does.
func TestWorldOfAnAgent(t *testing.T) {
	root := tree(t, "home/p/.git/", "home/.ssh/id_rsa=key")
	c, err := load(t, root, "home/p", "")
	if err != nil {
		t.Fatal(err)
	}
	judge := func(name string) *tool.World {
		c.Judge(tool.Call{Agent: name, Tool: "Bash", Dir: c.Dir, Script: "ls", Shell: true})
		if !slices.Equal(c.World.Own, agent.Own(name)) {
			t.Errorf("%s is judged where %q are its own", name, c.World.Own)
		}
		return c.World
	}
	first := judge("claude")
	if judge("claude") != first {
		t.Error("the same agent is judged in another world")
	}
	if judge("codex") == first {
		t.Error("another agent is judged in the same world")
	}
	key := filepath.Join(root, "home/.ssh/id_rsa")
	if _, err := c.World.ReadFile(key); !errors.Is(err, errUnreadable) {
		t.Errorf("a secret is read: %v", err)
	}
	if text, err := c.World.ReadSecret(key); err != nil || string(text) != "key" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestEvaluatingIsBounded: one file alone is judged within the same bound.
func TestEvaluatingIsBounded(t *testing.T) {
	asked := false
	c, err := Evaluating(Options{Dir: "/", Limit: func() func() bool { asked = true; return func() bool { return false } }}, &policy.File{})
	if err != nil {
		t.Fatal(err)
	}
	if c.Guard.Limit(); !asked {
		t.Error("another limit counts")
	}
}

// TestWithOneMore: one more file of the user adds to what is in force, and changes it nowhere
// else.
func TestWithOneMore(t *testing.T) {
	root := tree(t, "home/p/.git/", "home/p/run.sh=ls", "home/.config/longline/rules.yaml="+rules("u"))
	c, err := load(t, root, "home/p", "")
	if err != nil {
		t.Fatal(err)
	}
	file, err := rulesfile.ParseNamed("more.yaml", []byte("version: 1\nrules:\n  - id: m\n    match: {effect: {kind: [read], paths: [\"**/run.sh\"]}}\n    decision: deny\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	more, err := c.With(file)
	if err != nil || ids(more) != "user:u user:m" || ids(c) != "user:u" {
		t.Errorf("%v, %s, %s", err, ids(more), ids(c))
	}
	for _, under := range []struct {
		c    *Config
		want bool
	}{{c, true}, {more, false}, {c, true}} {
		if _, err := under.c.World.ReadFile(filepath.Join(root, "home/p/run.sh")); (err == nil) != under.want {
			t.Errorf("%s: a script is read: %v", ids(under.c), err)
		}
	}
}

// TestMarkIsWhole: all of a mark comes from what it is for.
func TestMarkIsWhole(t *testing.T) {
	path := filepath.Join(tree(t, "a="+strings.Repeat("x", markedFrom)), "a")
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	s := shelf{state: t.TempDir()}
	one, other := s.mark("a", make([]byte, keySize), info, info), s.mark("b", make([]byte, keySize), info, info)
	if string(one.sum[:8]) == string(other.sum[:8]) || string(one.sum[8:]) == string(other.sum[8:]) {
		t.Errorf("%x and %x", one.sum, other.sum)
	}
}

// TestMarkIsMade: a mark is for a large file on a disk, and as old as the younger of the two files.
func TestMarkIsMade(t *testing.T) {
	root := tree(t, "large="+strings.Repeat("x", markedFrom), "small=x", "source=x")
	times := map[string]time.Time{"large": time.Unix(1_000, 0), "small": time.Unix(1_000, 0), "source": time.Unix(2_000, 0)}
	info := func(name string) fs.FileInfo {
		path := filepath.Join(root, name)
		if err := os.Chtimes(path, times[name], times[name]); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Millisecond) // the times of changes differ too
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	large, small, source := info("large"), info("small"), info("source")
	if _, changed := OnDisk(source); !changed.Equal((&shelf{state: "s"}).mark("n", make([]byte, keySize), large, source).last) {
		t.Error("the source was changed last")
	}
	if _, changed := OnDisk(source); !changed.Equal((&shelf{state: "s"}).mark("n", make([]byte, keySize), grown{source}, large).last) {
		t.Error("the compiled file was changed last")
	}
	for _, test := range []struct {
		state        string
		made, source fs.FileInfo
		want         bool
	}{
		{"s", large, source, true},
		{"", large, source, false},
		{"s", small, source, false},
		{"", small, source, false},
		{"s", nowhere{large}, source, false},
		{"s", large, nowhere{source}, false},
	} {
		if m := (&shelf{state: test.state}).mark("n", make([]byte, keySize), test.made, test.source); (m.path != "") != test.want {
			t.Errorf("state %q, %d bytes: %+v", test.state, test.made.Size(), m)
		}
	}
}

// grown is a file that is as large as it has to be.
type grown struct{ fs.FileInfo }

func (grown) Size() int64 { return markedFrom }

// nowhere is a file that lies on no disk.
type nowhere struct{ fs.FileInfo }

func (nowhere) Sys() any { return nil }

// TestShelfElsewhere: where nothing can be kept, nothing is, and nothing breaks.
func TestShelfElsewhere(t *testing.T) {
	s := shelf{dir: "/proc/self", mode: 0o600, owner: os.Geteuid()}
	s.put("/proc/self/x", []byte("x"))
	if exists("/proc/self/x") {
		t.Error("it is there")
	}
}

// TestFollowedBelowNothing: links are followed as far as there is something.
func TestFollowedBelowNothing(t *testing.T) {
	root := tree(t, "real/a=")
	link := filepath.Join(root, "link")
	if err := os.Symlink("real", link); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "real/a", "none": "real/none", "none/deep/er": "real/none/deep/er"} {
		for _, follow := range []func(string) string{followed, new(Look).followed} {
			if got := follow(filepath.Join(link, name)); got != filepath.Join(root, want) {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
	if got := new(Look).followed(root + "/real/./a"); got != filepath.Join(root, "real/a") {
		t.Error(got)
	}
	// A home directory by another spelling is the same one.
	if home, why := new(Look).homeOf(Env{"HOME=" + link}, "", filepath.Join(root, "real")); home != filepath.Join(root, "real") || why != "" {
		t.Errorf("%s: %s", home, why)
	}
	list, _ := entries(root)
	for _, e := range list {
		if e.Link != (e.Name == "link") || e.Dir != (e.Name == "real") {
			t.Errorf("%+v", e)
		}
	}
	if len(list) != 2 {
		t.Errorf("%+v", list)
	}
}

// TestCompiledIncludes: what a file includes is compiled with it, and read again when the
// included file changes.
func TestCompiledIncludes(t *testing.T) {
	root := tree(t, "home/p/.git/", "home/.config/longline/rules.yaml=version: 1\ninclude: [more.yaml]\n", "home/.config/longline/more.yaml="+rules("m"))
	o := Options{Dir: filepath.Join(root, "home/p"), Env: Env{"HOME=" + filepath.Join(root, "home")}, managed: filepath.Join(root, "etc")}
	compiled, parsed := o, o
	parsed.Parse = rulesfile.ParseNamed
	if stamp() == "" {
		t.Skip("this program cannot be told from another")
	}
	if _, err := Load(compiled); !errors.Is(err, ErrNotCompiled) {
		t.Fatal(err)
	}
	if _, err := Load(parsed); err != nil {
		t.Fatal(err)
	}
	c, err := Load(compiled)
	if err != nil || ids(c) != "user:m" {
		t.Fatalf("%v", err)
	}
	replaceIn(t, filepath.Join(root, "home/.config/longline/more.yaml"), "id: m", "id: n")
	if _, err := Load(compiled); !errors.Is(err, ErrNotCompiled) {
		t.Errorf("the included file has changed: %v", err)
	}
}

// TestAllowIsPassed: where the rules leave an allowed call to the client, a permission that
// lifts a question does too, and changes nothing else.
func TestAllowIsPassed(t *testing.T) {
	root := tree(t, "home/p/.git/", "home/p/package.json={}", `home/.claude/settings.json={"permissions":{"allow":["Bash(frobnicate:*)"],"deny":["Bash(scp:*)"]}}`)
	c, err := load(t, root, "home/p", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, passes := range []bool{false, true} {
		c.Guard.Policy.OnAllowPass = passes
		allowed := map[bool]tool.Decision{false: tool.Allow, true: tool.Pass}[passes]
		for script, want := range map[string]tool.Decision{"frobnicate all": allowed, "scp a b:": tool.Deny, "nosuchprogram": tool.Ask} {
			if v, _ := c.Judge(tool.Call{Agent: "claude", Tool: "Bash", Dir: c.Dir, Script: script, Shell: true, Attended: true}); v.Decision != want {
				t.Errorf("passes %v: %s is %s, want %s", passes, script, v.Decision, want)
			}
		}
	}
}

// TestOnlyWhatCounts: of the variables that the agent passes on those are named that the
// question is about.
func TestOnlyWhatCounts(t *testing.T) {
	root := tree(t, "home/p/.git/", "home/other/.git/")
	c, err := load(t, root, "home/p", "", "GIT_DIR=ROOT/home/other/.git", "LESSOPEN=|ROOT/home/p/evil %s")
	if err != nil {
		t.Fatal(err)
	}
	v, _ := c.Judge(tool.Call{Agent: "claude", Tool: "Bash", Dir: c.Dir, Script: "less README", Shell: true, Attended: true})
	if strings.Count(v.Suggest, "The variable ") != 1 || !strings.Contains(v.Suggest, "The variable LESSOPEN ") {
		t.Errorf("%q", v.Suggest)
	}
}

// TestLookIsBounded: what is remembered of the disk has a bound.
func TestLookIsBounded(t *testing.T) {
	l, root := new(Look), tree(t)
	for i := range 2 * maxSeen {
		l.at(filepath.Join(root, strings.Repeat("x", i+1)))
	}
	if len(l.seen) != maxSeen {
		t.Errorf("%d paths are remembered", len(l.seen))
	}
}

// TestBundleSettings: the administrator and the user each have a file that says where
// bundles come from.
func TestBundleSettings(t *testing.T) {
	root := tree(t, "home/p/", "etc/")
	list, places := BundleSettings(Options{Dir: filepath.Join(root, "home/p"), Env: Env{"HOME=" + filepath.Join(root, "home")}, known: filepath.Join(root, "home"), managed: filepath.Join(root, "etc")})
	if len(list) != 2 || len(places) != 2 || !slices.Contains(list, filepath.Join(root, "etc", SyncFile)) || !slices.Contains(list, filepath.Join(root, "home/.config/longline", SyncFile)) {
		t.Errorf("%q, %+v", list, places)
	}
	for i, at := range places {
		if above := map[bool]string{true: "etc", false: "home"}[at.Admin]; !strings.HasPrefix(list[i], filepath.Join(root, above)) || !strings.HasPrefix(at.Dir, filepath.Join(root, above)) {
			t.Errorf("%s says where bundles for %s come from (administrator: %v)", list[i], at.Dir, at.Admin)
		}
	}
}

// TestOriginIsOfTheReason: only variables of the command that the reason is about are named.
func TestOriginIsOfTheReason(t *testing.T) {
	c := &Config{World: &tool.World{Inherited: []tool.Variable{{Name: "A"}, {Name: "B"}, {Name: "C"}}}}
	invs := []*command.Invocation{{Inherited: []string{"A"}}, {Inherited: []string{"B"}}, {Inherited: []string{"C"}}}
	v := &tool.Verdict{Rule: "r", Reason: "said", Findings: []tool.Finding{
		{Rule: "r", Reason: "otherwise", Invocation: 0}, {Rule: "other", Reason: "said", Invocation: 1}, {Rule: "r", Reason: "said", Invocation: 2}, {Rule: "r", Reason: "said", Invocation: -1}, {Rule: "r", Reason: "said", Invocation: 3},
	}}
	if got := c.origin(v, invs); got != whence(&c.World.Inherited[2]) {
		t.Errorf("got %q", got)
	}
}

// TestProjectOfTheRoots: a home directory in the project is not believed, and the reason says
// so.
func TestProjectOfTheRoots(t *testing.T) {
	root := tree(t, "known/", "p/.git/", "p/home/")
	roots, _ := new(Look).where(Env{"HOME=" + filepath.Join(root, "p/home")}, filepath.Join(root, "p"), "", filepath.Join(root, "known"))
	if roots.Home != filepath.Join(root, "known") || len(roots.Told) != 1 || !strings.Contains(roots.Told[0], "HOME is ignored") {
		t.Errorf("%s, %q", roots.Home, roots.Told)
	}
}

// TestRenameFails: what cannot be put in its place leaves nothing behind.
func TestRenameFails(t *testing.T) {
	root := tree(t, "shelf/taken/x=")
	s := shelf{dir: filepath.Join(root, "shelf"), mode: 0o600, owner: os.Geteuid()}
	s.put(filepath.Join(s.dir, "taken"), []byte("x"))
	if list, err := os.ReadDir(s.dir); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}
