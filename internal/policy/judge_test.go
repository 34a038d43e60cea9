package policy_test

import (
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

func world() *tool.World {
	return &tool.World{
		Home: "/home/dev", Project: "/home/dev/proj", Sandbox: "/home/dev/sandbox",
		Guard: []string{"/usr/local/bin/longline"},
	}
}

func builtin(t testing.TB) *policy.File {
	t.Helper()
	f, err := policy.BuiltinFile()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func merge(t testing.TB, project []*policy.File, user *policy.File, managed []*policy.File) *policy.Set {
	t.Helper()
	set, _, err := policy.Merge(builtin(t), project, user, managed)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func parse(t testing.TB, text string) *policy.File {
	t.Helper()
	f, err := rulesfile.Parse("rules.yaml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// effects reads "kind [tree|glob|under|prefix]... target", with commas between; a target of ? is unknown.
func effects(t testing.TB, text string) []tool.Effect {
	t.Helper()
	var list []tool.Effect
	for part := range strings.SplitSeq(text, ", ") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		e := tool.Effect{Kind: tool.ParseKind(words[0]), Target: words[len(words)-1], Reach: tool.Exact}
		if e.Kind == 0 {
			t.Fatalf("no kind in %q", part)
		}
		for _, w := range words[1 : len(words)-1] {
			switch w {
			case "tree":
				e.Tree = true
			case "glob":
				e.Pattern = true
			case "under":
				e.Reach = tool.Under
			case "prefix":
				e.Reach = tool.Prefix
			default:
				t.Fatalf("what is %q in %q?", w, part)
			}
		}
		if e.Target == "?" {
			e.Target, e.Reach = "", tool.Anywhere
		}
		e.Target = strings.Replace(e.Target, "~", "/home/dev", 1)
		if rest, ok := strings.CutPrefix(e.Target, "./"); ok && e.Kind.IsPath() {
			e.Target = "/home/dev/proj/" + rest
		}
		list = append(list, e)
	}
	return list
}

// invocation makes an invocation of words, the way a model would have read it:
// what begins with a dash is a flag, the rest are operands.
func invocation(line string, does []tool.Effect) *command.Invocation {
	inv := &command.Invocation{Dir: command.Known("/home/dev/proj", tool.Span{}), Effects: does}
	for i, w := range strings.Fields(line) {
		word := command.Known(w, tool.Span{})
		if strings.ContainsAny(w, "*?[") {
			word.Glob = true
		}
		if w == "$" {
			word = command.Word{}
		}
		inv.Words = append(inv.Words, word)
		switch {
		case i == 0:
			inv.Name = w[strings.LastIndexByte(w, '/')+1:]
			inv.Path = []string{inv.Name}
		case strings.HasPrefix(w, "--"):
			inv.Flags = append(inv.Flags, w)
		case strings.HasPrefix(w, "-"):
			for _, c := range w[1:] {
				inv.Flags = append(inv.Flags, "-"+string(c))
			}
		default:
			inv.Operands = append(inv.Operands, word)
		}
	}
	return inv
}

// TestHeldByAWall: what a wall holds is allowed, and points at what has the effect, or at the command.
func TestHeldByAWall(t *testing.T) {
	walls := &policy.File{Walls: policy.Walls{Said: true, On: true}}
	set := merge(t, nil, walls, nil)
	whole, part := tool.Span{Start: 0, End: 10}, tool.Span{Start: 5, End: 10}
	for _, at := range []tool.Span{{}, part} {
		for _, walled := range []bool{false, true} {
			inv := invocation("x", effects(t, "execute stdin:x"))
			inv.Span, inv.Walled, inv.Effects[0].Span = whole, walled, at
			want := whole
			if at != (tool.Span{}) {
				want = at
			}
			held := false
			for _, f := range judge(set, tool.Call{Shell: true, Script: "x 12345678"}, inv).Findings {
				held = held || f.Rule == policy.WallID && f.Decision == tool.Allow && f.Span == want
			}
			if held != walled {
				t.Errorf("walled %v, the effect at %v: held %v", walled, at, held)
			}
		}
	}
}

func judge(set *policy.Set, call tool.Call, invs ...*command.Invocation) tool.Verdict {
	return judgeIn(world(), set, call, invs...)
}

func judgeIn(w *tool.World, set *policy.Set, call tool.Call, invs ...*command.Invocation) tool.Verdict {
	call.Shell = true
	return set.Judge(&call, invs, nil, w)
}

func TestBuiltinPolicyByEffect(t *testing.T) {
	tests := []struct{ does, decision, rule string }{
		// Destroying system and home.
		{"delete tree /", "deny", "rm-recursive-root"},
		{"delete tree glob /*", "deny", "rm-recursive-root"},
		{"delete tree glob /*/*", "deny", ""},
		{"delete tree //", "deny", "rm-recursive-root"},
		{"delete tree /tmp/../etc", "deny", "rm-recursive-root"},
		{"delete tree /ETC", "deny", "rm-recursive-root"},
		{"delete tree ~", "deny", "rm-recursive-root"},
		{"delete tree glob ~/*", "deny", "rm-recursive-root"},
		{"delete tree glob ~/.*", "deny", ""},
		{"delete tree under ~", "deny", "rm-recursive-root"},
		{"delete tree glob /home/d*", "deny", "rm-recursive-root"},
		{"delete tree glob /u?r", "deny", "rm-recursive-root"},
		{"delete tree /home/other", "deny", "rm-recursive-root"},
		{"delete tree /usr/lib", "deny", "rm-recursive-root"},
		{"delete tree /usr/lib/x", "ask", "outside-project"},
		{"delete tree ~/Documents", "deny", "home-delete"},
		{"delete ~/Documents/x", "ask", "outside-project"},
		{"delete tree ~/other", "ask", "outside-project"},
		{"delete tree ?", "ask", "outside-project"},
		{"write tree /", "deny", "system-overwrite"},
		{"write tree ~", "deny", "guard-files"}, // its own files are there for certain
		{"write /etc/hosts", "ask", "outside-project"},
		{"write ?", "ask", "outside-project"},
		// Devices.
		{"write /dev/sda", "deny", "device-write"},
		{"write /dev/nvme0n1p2", "deny", "device-write"},
		{"write glob /dev/s*", "deny", "device-write"},
		{"write /dev/null", "allow", ""},
		{"write /dev/fd/3", "allow", ""},
		{"read /dev/sda", "ask", "device-read"},
		{"read /dev/urandom", "allow", ""},
		// The guard and the agents.
		{"write ~/.config/longline/rules.yaml", "deny", "guard-files"},
		{"delete tree ~/.config/longline", "deny", "guard-files"},
		{"write /usr/local/bin/longline", "deny", "guard-files"},
		{"write ./.LONGLINE.yaml", "deny", "guard-files"},
		{"read ~/.config/longline/rules.yaml", "allow", ""},
		{"write ./.claude/settings.json", "deny", "agent-files"},
		{"create ./.Claude/Settings.Local.json", "deny", "agent-files"},
		{"delete tree ./.claude", "deny", "agent-files"},
		{"delete glob ./.claude/*", "deny", "agent-files"},
		{"write tree ./.claude", "deny", "agent-files"},
		{"write ./.claude/notes.md", "pass", "project-write"},
		{"write tree /home/dev/proj", "ask", "project-unpack"},
		// Secrets.
		{"read ./.env", "ask", "secrets-read"},
		{"read ./a/b/.env.local", "ask", "secrets-read"},
		{"read ./.env.example", "allow", ""},
		{"read ./.environment", "allow", ""},
		{"read glob ./.e*", "ask", "secrets-read"},
		{"read glob ./.en[v]", "ask", "secrets-read"},
		{"read glob ./*", "allow", ""},
		{"read glob ./*.json", "allow", ""},
		{"read glob ./*.pem", "ask", "secrets-read"},
		{"read glob ./**/*.pem", "ask", "secrets-read"},
		{"read glob ./**/*.json", "allow", ""},
		{"read glob ./cred*", "ask", "secrets-read"},
		{"read glob ./README*", "allow", ""},
		{"read glob ./server.p*", "ask", "secrets-read"},
		{"write glob ./xx*", "pass", "project-write"},
		{"read ~/.ssh/id_rsa", "ask", "secrets-read"},
		{"read /root/.ssh/id_rsa", "ask", "secrets-read"},
		{"read ~/.SSH/ID_RSA", "ask", "secrets-read"},
		{"read /proc/self/root/etc/shadow", "ask", "secrets-read"},
		{"read /proc/12/task/12/root/home/dev/.netrc", "ask", "secrets-read"},
		{"delete tree /proc/1/root", "deny", "rm-recursive-root"},
		{"read /proc/self/cwd/x", "ask", "read-unknown"},
		{"read glob /proc/self/root/etc/shado?", "ask", "secrets-read"},
		{"read /System/Volumes/Data/Users/me/.netrc", "ask", "secrets-read"},
		{"read /proc/cpuinfo", "allow", ""},
		{"read ~/.ssh/id_rsa.pub", "allow", ""},
		{"read glob ~/.ssh/*.pub", "allow", ""},
		{"read glob ~/.ss?/id_*", "ask", "secrets-read"},
		{"read glob /home/*/.ssh/*", "ask", "secrets-read"},
		{"read ~/.ssh/config", "allow", ""},
		{"read tree ~/.ssh", "ask", "secrets-read"},
		{"read tree ~", "ask", "secrets-read"},
		{"read tree /", "ask", "secrets-read"},
		{"read under ~", "ask", "secrets-read"},
		{"read tree /usr/include", "allow", ""},
		{"read tree /home/dev/proj", "allow", ""},
		{"read under /home/dev/proj", "allow", ""},
		{"read prefix ~/.ssh/id_", "ask", "read-unknown"},
		{"read /proc/1234/environ", "ask", "secrets-read"},
		{"read ?", "ask", "read-unknown"},
		{"read /etc/passwd", "allow", ""},
		{"write ./.env", "ask", "secrets-write"},
		// The project.
		{"create ./src/new.go", "allow", ""},
		{"write ./src/main.go", "pass", "project-write"},
		{"delete ./src/main.go", "ask", "project-delete"},
		{"delete tree ./node_modules", "allow", ""},
		{"delete tree ./a/node_modules/b", "allow", ""},
		{"delete tree glob ./dist/*", "allow", ""},
		{"delete glob ./*.pyc", "allow", ""},
		{"delete glob ./*", "ask", "project-delete"},
		{"delete tree ./dist/../src", "ask", "project-delete"},
		{"delete tree ~/other/node_modules", "ask", "outside-project"},
		{"delete tree /home/dev/proj", "ask", "project-delete"},
		{"create ../elsewhere", "ask", "outside-project"},
		{"write ~/sandbox/x", "allow", ""},
		// Temporary files.
		{"delete /tmp/build/output.o", "allow", ""},
		{"delete tree /tmp/build", "allow", ""},
		{"delete tree /tmp", "ask", "outside-project"},
		{"write tree /tmp", "allow", ""},
		{"create under /tmp", "allow", ""},
		{"delete under /tmp", "ask", "outside-project"},
		{"write /tmp/x, fetch example.com", "pass", "network-download"},
		{"write /tmp/x, fetch localhost", "allow", ""},
		{"write ./x, fetch example.com", "pass", "project-write"},
		{"delete glob /tmp/*.log", "allow", ""},
		{"delete under /tmp/x", "allow", ""},
		// Later execution.
		{"write ~/.bashrc", "ask", "startup-files"},
		{"create ./.github/workflows/ci.yml", "ask", "startup-files"},
		{"delete tree ./.github", "ask", "project-delete"}, // it may hold hooks of agents, and most do not
		{"write ./.git/hooks/pre-commit", "ask", "git-internals"},
		{"delete tree ./.git", "ask", "git-internals"},
		{"read ./.git/HEAD", "allow", ""},
		// Network.
		{"fetch example.com", "allow", ""},
		{"fetch ?", "ask", "network-fetch-unknown"},
		{"fetch 169.254.169.254", "ask", "network-metadata"},
		{"send example.com", "ask", "network-send"},
		{"send localhost", "allow", ""},
		{"send 127.0.0.1", "allow", ""},
		{"send localhost.example.com", "ask", "network-send"},
		{"send 127.0.0.1.example.com", "ask", "network-send"},
		{"send 127.example.com", "ask", "network-send"},
		{"send ::1", "allow", ""},
		{"send ?", "ask", "network-send"},
		// Code and state.
		{"execute fetched:example.com", "deny", "curl-pipe-shell"},
		{"execute shell:reverse", "deny", "reverse-shell"},
		{"execute project:make", "allow", ""},
		{"execute inline:python", "ask", "inline-code"},
		{"execute something:else", "ask", "uncovered"},
		{"control git.commit", "allow", ""},
		{"control git.commit, delete tree /", "deny", "rm-recursive-root"},
		{"control git.stage, control git.push", "ask", "git-push"},
		{"control no.such.name", "ask", "uncovered"},
	}
	set := merge(t, nil, nil, nil)
	for _, tt := range tests {
		v := judge(set, tool.Call{}, invocation("x", effects(t, tt.does)))
		if v.Decision.String() != tt.decision || tt.rule != "" && v.Rule != tt.rule {
			t.Errorf("%s: %s by %q (%s); want %s by %q", tt.does, v.Decision, v.Rule, v.Reason, tt.decision, tt.rule)
		}
		// A tool that is not a shell meets the same rules and is never approved.
		other := set.Judge(&tool.Call{Tool: "Read", Dir: "/home/dev/proj", Effects: effects(t, tt.does)}, nil, nil, world())
		if other.Decision < tool.Pass || v.Decision >= tool.Ask && v.Rule != policy.UncoveredID && other.Decision != v.Decision {
			t.Errorf("%s by another tool: %s, by a shell %s", tt.does, other.Decision, v.Decision)
		}
	}
}

func TestMode(t *testing.T) {
	set := merge(t, nil, nil, nil)
	v := judge(set, tool.Call{Edits: true}, invocation("tee x", effects(t, "write ./x")))
	if v.Decision != tool.Allow {
		t.Errorf("a write where edits are accepted: %s by %s", v.Decision, v.Rule)
	}
}

func TestLevels(t *testing.T) {
	tests := []struct{ level, does, decision string }{
		{"critical", "control git.push", "pass"},
		{"critical", "control no.such.name", "pass"},
		{"critical", "delete tree /", "deny"},
		{"critical", "read ./.env", "ask"},
		{"critical", "read ./main.go", "allow"},
		{"high", "fetch example.com", "allow"},
		{"strict", "fetch example.com", "ask"},
		{"strict", "delete tree ./node_modules", "ask"},
		{"strict", "write ./x", "ask"},
		{"strict", "read ./x", "allow"},
	}
	for _, tt := range tests {
		set := merge(t, nil, parse(t, "version: 1\nsafety_level: "+tt.level), nil)
		if v := judge(set, tool.Call{Edits: true}, invocation("x", effects(t, tt.does))); v.Decision.String() != tt.decision {
			t.Errorf("%s at %s: %s by %s; want %s", tt.does, tt.level, v.Decision, v.Rule, tt.decision)
		}
	}
}

func TestLinksAreFollowed(t *testing.T) {
	w := world()
	w.Readlink = func(path string) (string, error) {
		switch path {
		case "/home/dev/proj/readme":
			return "../.ssh/id_rsa", nil
		case "/home/dev/proj/etc":
			return "/etc", nil
		case "/private", "/home/dev/proj/loop":
			return "/home/dev/proj/loop", nil
		}
		return "", errNoLink
	}
	tests := []struct{ does, decision, rule string }{
		{"read ./readme", "ask", "secrets-read"},
		{"write ./etc/hosts", "ask", "outside-project"},
		{"write glob ./etc/*.conf", "ask", ""},
		{"delete ./etc", "ask", "project-delete"},
		{"read ./loop", "allow", ""},
	}
	set := merge(t, nil, nil, nil)
	for _, tt := range tests {
		v := set.Judge(&tool.Call{Shell: true}, []*command.Invocation{invocation("x", effects(t, tt.does))}, nil, w)
		if v.Decision.String() != tt.decision || tt.rule != "" && v.Rule != tt.rule {
			t.Errorf("%s: %s by %s; want %s by %s", tt.does, v.Decision, v.Rule, tt.decision, tt.rule)
		}
	}
}

type noLink struct{}

func (noLink) Error() string { return "no link" }

var errNoLink = noLink{}

// What is not there is not lost with the tree it would be in.
func TestMissingFilesAreNotSwept(t *testing.T) {
	set := merge(t, nil, nil, nil)
	tests := []struct{ does, there, rule string }{
		{"delete tree ./.github", "", "project-delete"},
		{"delete tree ./missing/.github", "", "agent-files"},
		{"delete tree ./.github", "/home/dev/proj/.github/hooks", "agent-files"},
		{"delete tree ~/.config", "/home/dev/.config/longline", "guard-files"},
		{"read tree ~", "/home/dev/.ssh", "secrets-read"},
		{"write tree ./.github", "", "agent-files"},
	}
	for _, tt := range tests {
		w := world()
		w.Exists = func(path string) bool {
			return path == tt.there || path == effects(t, tt.does)[0].Target && !strings.Contains(path, "missing")
		}
		v := set.Judge(&tool.Call{Shell: true}, []*command.Invocation{invocation("x", effects(t, tt.does))}, nil, w)
		found := false
		for _, f := range v.Findings {
			found = found || f.Rule == tt.rule
		}
		if !found || tt.rule == "project-delete" && v.Decision != tool.Ask {
			t.Errorf("%s with %q there: %s by %s", tt.does, tt.there, v.Decision, v.Rule)
		}
	}
}

// A project that is as wide as the home directory is no zone of its own.
func TestTooWideAProject(t *testing.T) {
	set := merge(t, nil, nil, nil)
	for _, dir := range []string{"/", "/home", "/home/dev", "/etc", ""} {
		w := world()
		w.Project = dir
		v := set.Judge(&tool.Call{Shell: true, Edits: true}, []*command.Invocation{invocation("x", effects(t, "write ~/x"))}, nil, w)
		if v.Decision != tool.Ask {
			t.Errorf("with the project %q: %s by %s", dir, v.Decision, v.Rule)
		}
	}
	w := world()
	w.Project = "/home/dev/build/proj"
	v := set.Judge(&tool.Call{Shell: true}, []*command.Invocation{invocation("x", effects(t, "delete tree ~/build/proj/src"))}, nil, w)
	if v.Rule != "project-delete" {
		t.Errorf("in a project below a directory named build: %s by %s", v.Decision, v.Rule)
	}
}

func TestGapsAsk(t *testing.T) {
	set := merge(t, nil, nil, nil)
	inv := invocation("frob x", nil)
	inv.Gaps = []command.Gap{{Why: "no model of frob"}}
	v := judge(set, tool.Call{}, inv, invocation("rm -rf /", effects(t, "delete tree /")))
	if v.Decision != tool.Deny || v.Rule != "rm-recursive-root" {
		t.Errorf("a gap hides its neighbour: %s by %s", v.Decision, v.Rule)
	}
	v = judge(set, tool.Call{}, inv)
	if v.Decision != tool.Ask || v.Rule != policy.UnknownID || !strings.Contains(v.Reason, "no model of frob") {
		t.Errorf("a gap: %s by %s: %s", v.Decision, v.Rule, v.Reason)
	}
	v = set.Judge(&tool.Call{Shell: true}, nil, []command.Gap{{Why: "does not parse"}}, world())
	if v.Decision != tool.Ask {
		t.Errorf("a gap of the script: %s", v.Decision)
	}
	if v := judge(set, tool.Call{}, invocation("true", nil)); v.Decision != tool.Allow {
		t.Errorf("a command that does nothing: %s by %s", v.Decision, v.Rule)
	}
}
