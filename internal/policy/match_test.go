package policy_test

import (
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/tool"
)

// Each matcher against commands that it means and their harmless neighbours.
func TestMatchers(t *testing.T) {
	tests := []struct {
		match    string
		yes, not []string
	}{
		{"{command: rm}", []string{"rm x", "/bin/rm x", "./rm"}, []string{"rmdir x", "echo rm"}},
		{"{command: git push}", []string{"git push", "git push origin", "git -C push", "git --no-pager push"}, []string{"git stash", "git pushx", "git", "push"}},
		{"{command: {any_of: [curl, wget]}}", []string{"curl x", "wget"}, []string{"curly"}},
		{"{command: 'mkfs*'}", []string{"mkfs.ext4 x", "mkfs"}, []string{"mk"}},
		{"{command: /opt/x/run}", []string{"/opt/x/run a"}, []string{"run", "/opt/run"}},
		{"{command: rm, flags: {any_of: [-r, -R, --recursive]}}", []string{"rm -r x", "rm -rf x", "rm -fR x", "rm --recursive x"}, []string{"rm -f x", "rm x"}},
		{"{command: rm, flags: -rf}", []string{"rm -rf x", "rm -f -r x", "rm -rvf x"}, []string{"rm -r x", "rm -f x"}},
		{"{command: rm, flags: {all_of: [-r, -f], none_of: [-i]}}", []string{"rm -rf x"}, []string{"rm -r x", "rm -rfi x"}},
		{"{command: rm, flags: {only: [-r, -v]}}", []string{"rm x", "rm -r x", "rm -rv x", "rm -v -r x"}, []string{"rm -rf x", "rm -f x", "rm --force x"}},
		{"{command: rm, flags: {only: []}}", []string{"rm x"}, []string{"rm -r x"}},
		{"{command: rm, args: {any_of: [/, '/*', /home, /etc]}}", []string{"rm /", "rm x /etc", "rm /*", "rm /bin"}, []string{"rm x", "rm /etc/hosts", "rm etc", "rm"}},
		{"{command: rm, args: 'src/**'}", []string{"rm src/a", "rm src/a/b", "rm src/*"}, []string{"rm src", "rm a/src/b", "rm lib/*"}},
		{"{command: rm, args: '*.go'}", []string{"rm a.go", "rm *.go", "rm *"}, []string{"rm a/b.go", "rm a.c"}},
		{"{command: rm, args: '**/*.go'}", []string{"rm a.go", "rm a/b/c.go"}, []string{"rm a.c"}},
		{"{command: cat, args: '~/.ssh/**'}", []string{"cat /home/dev/.ssh/x", "cat ../.ssh/x", "cat ../.ss?/x"}, []string{"cat .ssh/x", "cat ../x", "cat $"}},
		{"{command: cat, args: './secret/**'}", []string{"cat secret/x", "cat ./secret/x", "cat /home/dev/proj/secret/x"}, []string{"cat ../secret/x"}},
		{"{command: x, args: '{a,b}.txt'}", []string{"x a.txt", "x b.txt"}, []string{"x c.txt", "x {a,b}.txt"}},
		{"{command: x, args: {all_of: [a, b]}}", []string{"x a b", "x b c a"}, []string{"x a", "x b"}},
		{"{command: x, args: {none_of: [a]}}", []string{"x b", "x"}, []string{"x a", "x b a"}},
		{"{effect: {kind: write, paths: '/srv/**'}}", []string{"w /srv/a", "w /srv/*"}, []string{"w /srvx", "w /tmp/a"}},
	}
	for _, tt := range tests {
		set := merge(t, nil, parse(t, "version: 1\nbuiltin: false\ndefault_decision: pass\nrules: [{id: it, decision: deny, match: "+tt.match+"}]"), nil)
		for i, line := range append(append([]string{}, tt.yes...), tt.not...) {
			var does []tool.Effect
			if rest, ok := strings.CutPrefix(line, "w "); ok {
				does = []tool.Effect{{Kind: tool.Write, Target: rest, Reach: tool.Exact, Pattern: strings.Contains(rest, "*")}}
			}
			v := judge(set, tool.Call{}, invocation(line, does))
			if want := i < len(tt.yes); (v.Decision >= tool.Ask) != want {
				t.Errorf("%s against %q: matched %v, want %v", tt.match, line, !want, want)
			}
		}
	}
}

// A denial of something that only might be meant is a question.
func TestPerhapsAsks(t *testing.T) {
	known, glob, prefix := tool.Deny, tool.Ask, tool.Ask
	tests := []struct {
		match string
		word  command.Word
		want  tool.Decision
	}{
		{"{command: x, args: '*prod*'}", command.Word{Text: "app-prod-1", Reach: tool.Exact}, known},
		{"{command: x, args: '*prod*'}", command.Word{Text: "app-*", Reach: tool.Exact, Glob: true}, glob},
		{"{command: x, args: '*prod*'}", command.Word{Text: "*-prod-*", Reach: tool.Exact, Glob: true}, known},
		{"{command: x, args: '*prod*'}", command.Word{Text: "app-", Reach: tool.Prefix}, prefix},
		{"{command: x, args: '*prod*'}", command.Word{Text: "app-prod-", Reach: tool.Prefix}, known},
		{"{command: x, args: '*prod*'}", command.Word{}, tool.Allow}, // nothing is known: gaps and effects speak of it
		{"{command: x, args: {any_of: ['*prod*'], none_of: [dry]}}", command.Word{Text: "app-", Reach: tool.Prefix}, prefix},
	}
	for _, tt := range tests {
		set := merge(t, nil, parse(t, "version: 1\nbuiltin: false\ndefault_decision: pass\nrules: [{id: it, decision: deny, match: "+tt.match+"}]"), nil)
		inv := invocation("x", nil)
		inv.Words = append(inv.Words, tt.word)
		inv.Operands = inv.Words[1:]
		if v := judge(set, tool.Call{}, inv); v.Decision != tt.want {
			t.Errorf("%s against %+v: %s, want %s", tt.match, tt.word, v.Decision, tt.want)
		}
	}
}

// A rule that allows matches only what can be nothing else.
func TestAllowingIsStricterThanObjecting(t *testing.T) {
	tests := []struct {
		match, line string
		allowed     bool
	}{
		{"{command: frob}", "frob x", true},
		{"{command: frob}", "/usr/bin/frob x", true},
		{"{command: frob}", "./frob x", false},
		{"{command: frob}", "/tmp/frob x", false},
		{"{command: frob list}", "frob list -a", true},
		{"{command: frob list}", "frob --config=x list", false},
		{"{command: frob, args: 'dist/**'}", "frob dist/a", true},
		{"{command: frob, args: 'dist/**'}", "frob dist/a src/b", false},
		{"{command: frob, args: 'dist/**'}", "frob dist/../src", false},
		{"{command: frob, args: 'dist/**'}", "frob dist/*", true},
		{"{command: frob, args: 'dist/**'}", "frob dist/…", false}, // somewhere that begins so
		{"{command: frob, args: 'dist/**'}", "frob dist/x…", false},
		{"{command: frob, args: 'dist/**'}", "frob d*", false},
		{"{command: frob, args: 'dist/**'}", "frob", false},
		{"{command: frob, args: 'dist/[abc]'}", "frob dist/[ab]", true},
		{"{command: frob, args: 'dist/[abc]'}", "frob dist/[ad]", false},
		{"{command: frob, args: 'dist/[abc]'}", "frob dist/[a-b]", false},
		{"{command: frob, args: 'dist/**'}", "frob $", false},
		{"{command: frob, args: {none_of: [x]}}", "frob $", false},
		{"{command: frob, args: {none_of: [x]}}", "frob y", true},
		{"{command: frob, flags: {none_of: [-f]}}", "frob -vf", false},
		{"{command: frob, flags: {none_of: [-f]}}", "frob -v", true},
	}
	for _, tt := range tests {
		set := merge(t, nil, parse(t, "version: 1\nrules: [{id: it, decision: allow, match: "+tt.match+"}]"), nil)
		inv := invocation(tt.line, nil)
		inv.Gaps = []command.Gap{{Why: "nobody knows frob"}}
		for i := range inv.Operands {
			if text, ok := strings.CutSuffix(inv.Operands[i].Text, "…"); ok {
				inv.Operands[i] = command.Word{Text: text, Reach: tool.Prefix}
				inv.Words[len(inv.Words)-1] = inv.Operands[i]
			}
		}
		if v := judge(set, tool.Call{}, inv); (v.Decision == tool.Allow) != tt.allowed {
			t.Errorf("%s against %q: %s by %s", tt.match, tt.line, v.Decision, v.Rule)
		}
	}
}

// TestArgumentText: a rule that objects sees the arguments as they are and as they are written,
// one that allows only what is known.
func TestArgumentText(t *testing.T) {
	const script = `x "$A" 'b c'`
	for _, test := range []struct {
		decision, pattern string
		want              bool
	}{
		{"deny", "b c$", true},
		{"deny", `[$]A`, true}, // as it is written
		{"deny", `'b c'`, true},
		{"deny", `^"[$]A" 'b c'$`, true},
		{"deny", `^x`, false},
		{"deny", "c b", false},
		{"allow", "b c$", false}, // nobody knows the first
	} {
		set := merge(t, nil, parse(t, "version: 1\nbuiltin: false\ndefault_decision: ask\nrules: [{id: it, decision: "+test.decision+", match: {command: x, text: '"+strings.ReplaceAll(test.pattern, "'", "''")+"'}}]"), nil)
		inv := invocation("x", nil)
		inv.Words = append(inv.Words, command.Word{Span: tool.Span{Start: 2, End: 6}}, command.Known("b c", tool.Span{Start: 7, End: 12}))
		inv.Words[0].Span, inv.Span = tool.Span{End: 1}, tool.Span{End: len(script)}
		if v := judge(set, tool.Call{Shell: true, Script: script}, inv); (v.Rule == "it") != test.want {
			t.Errorf("%s %s: %s by %s", test.decision, test.pattern, v.Decision, v.Rule)
		}
	}
}

// TestExceptions: what a rule excepts it does not speak of, by whatever the exception names.
func TestExceptions(t *testing.T) {
	for _, test := range []struct{ effect, spoken, not string }{
		{"{kind: write, except: {paths: '/srv/a/**'}}", "write /srv/b/x", "write /srv/a/x"},
		{"{kind: write, except: {zones: temporary}}", "write /srv/x", "write /tmp/x"},
		{"{kind: send, except: {hosts: example.com}}", "send example.org", "send example.com"},
		{"{kind: control, except: {names: git.push}}", "control git.commit", "control git.push"},
	} {
		for _, decision := range []string{"deny", "allow"} {
			set := merge(t, nil, parse(t, "version: 1\nbuiltin: false\ndefault_decision: ask\nrules: [{id: it, decision: "+decision+", match: {effect: "+test.effect+"}}]"), nil)
			for _, does := range []string{test.spoken, test.not} {
				if v := judge(set, tool.Call{}, invocation("x", effects(t, does))); (v.Rule == "it") != (does == test.spoken) {
					t.Errorf("%s %s on %s: %s by %s", decision, test.effect, does, v.Decision, v.Rule)
				}
			}
		}
	}
}

// What is unknown of a program without a model is told apart by its looks.
func TestProgramsWithoutModel(t *testing.T) {
	set := merge(t, nil, parse(t, "version: 1\nrules: [{id: it, decision: allow, match: {command: frob, args: 'dist/**'}}]"), nil)
	for line, want := range map[string]bool{"frob -v dist/a": true, "frob -v src/a": false, "frob dist/a -v --long=x": true, "frob -v": false} {
		inv := invocation(line, nil)
		inv.Flags, inv.Operands, inv.Gaps = nil, inv.Words[1:], []command.Gap{{Why: "nobody knows frob"}}
		if v := judge(set, tool.Call{}, inv); (v.Decision == tool.Allow) != want {
			t.Errorf("%q: %s", line, v.Decision)
		}
	}
	set = merge(t, nil, parse(t, "version: 1\nbuiltin: false\nrules: [{id: it, decision: deny, match: {command: frob, flags: -rf, args: x}}]"), nil)
	for line, want := range map[string]bool{"frob -rf x": true, "frob -f -r x": true, "frob -r x": false, "frob -rf y": false} {
		inv := invocation(line, nil)
		inv.Flags, inv.Operands = nil, inv.Words[1:]
		if v := judge(set, tool.Call{}, inv); (v.Decision == tool.Deny) != want {
			t.Errorf("%q: %s", line, v.Decision)
		}
	}
}

// TestStages: a stage of a pipeline is what all of its wishes say.
func TestStages(t *testing.T) {
	set := merge(t, nil, parse(t, "version: 1\nbuiltin: false\ndefault_decision: pass\nrules: [{id: it, decision: deny, match: {pipeline: {stages: [{command: curl, flags: -s}, {args: /dev/tcp, flags: -e}, {command: sh, args: x}]}}}]"), nil)
	for line, want := range map[string]bool{
		"curl -s a | nc -e /dev/tcp | sh x": true, "curl a | nc -e /dev/tcp | sh x": false, "wget -s a | nc -e /dev/tcp | sh x": false, "curl -s a | nc /dev/tcp | sh x": false, "curl -s a | nc -e b | sh x": false, "curl -s a | nc -e /dev/tcp | sh y": false, "curl -s a | nc -e /dev/tcp | bash x": false,
		"curl -s a | cat | nc -e /dev/tcp | cat | sh x": true, "nc -e /dev/tcp | curl -s a | sh x": false, "curl -s a | sh x": false,
	} {
		var invs []*command.Invocation
		for i, stage := range strings.Split(line, " | ") {
			inv := invocation(stage, nil)
			inv.Pipeline, inv.Stage = 1, i
			invs = append(invs, inv)
		}
		if v := judge(set, tool.Call{}, invs...); (v.Decision == tool.Deny) != want {
			t.Errorf("%s: %s", line, v.Decision)
		}
	}
}

// TestWallRules: rules say whether a program belongs behind a wall, by what it does too. Of those
// that match the strictest counts, and a project that nobody trusts cannot do without one.
func TestWallRules(t *testing.T) {
	rules := "version: 1\nrules: [{id: a, decision: ask, wall: always, match: {effect: {kind: write, paths: '/srv/**'}}}, {id: b, decision: allow, wall: never, match: {command: frob}}, {id: c, decision: ask, match: {command: plain}}]"
	for _, test := range []struct {
		line, does   string
		user, theirs policy.Wall // by a user's rules, and by those of a project
	}{
		{"x", "write /srv/a", policy.WallAlways, policy.WallAlways},
		{"x", "write /tmp/a", policy.WallUsual, policy.WallUsual},
		{"x", "read /srv/a", policy.WallUsual, policy.WallUsual},
		{"frob", "write /tmp/a", policy.WallNever, policy.WallUsual},
		{"frob", "write /srv/a", policy.WallAlways, policy.WallAlways},
		{"plain", "write /tmp/a", policy.WallUsual, policy.WallUsual},
	} {
		inv := invocation(test.line, effects(t, test.does))
		if got := merge(t, nil, parse(t, rules), nil).Wall(&tool.Call{}, inv, world()); got != test.user {
			t.Errorf("%s, %s: %v by the user's rules", test.line, test.does, got)
		}
		if got := merge(t, []*policy.File{parse(t, rules)}, nil, nil).Wall(&tool.Call{}, inv, world()); got != test.theirs {
			t.Errorf("%s, %s: %v by a project's rules", test.line, test.does, got)
		}
	}
}

func TestPipelines(t *testing.T) {
	rule := "version: 1\nbuiltin: false\ndefault_decision: pass\nrules: [{id: it, decision: deny, match: {pipeline: {stages: [{command: {any_of: [curl, wget]}}, {command: {any_of: [sh, bash]}}]}}}]"
	set := merge(t, nil, parse(t, rule), nil)
	tests := []struct {
		line string
		want bool
	}{
		{"curl x | sh", true},
		{"curl x | tee y | bash", true},
		{"wget x | cat | cat | sh -s", true},
		{"sh x | curl y", false},
		{"curl x", false},
		{"sh", false},
		{"curl x ; sh", false},
	}
	for _, tt := range tests {
		var invs []*command.Invocation
		pipelines := strings.Split(tt.line, " ; ")
		for n, p := range pipelines {
			for i, stage := range strings.Split(p, " | ") {
				inv := invocation(stage, nil)
				inv.Pipeline, inv.Stage = n+1, i
				invs = append(invs, inv)
			}
		}
		if v := judge(set, tool.Call{}, invs...); (v.Decision == tool.Deny) != tt.want {
			t.Errorf("%q: %s", tt.line, v.Decision)
		}
	}
}

func TestRedirectsAndVariables(t *testing.T) {
	inv := invocation("frob x", nil)
	inv.Redirects = []command.Redirect{{Op: ">", Fd: "2", Target: command.Known("out/log.txt", tool.Span{})}}
	inv.Env = []command.Assign{{Name: "LD_PRELOAD", Value: command.Known("./x.so", tool.Span{}), Prefix: true}}
	tests := []struct {
		match string
		want  bool
	}{
		{"{redirect: {op: '>'}}", true},
		{"{redirect: {op: '2>'}}", true},
		{"{redirect: {op: '>>'}}", false},
		{"{redirect: {target: 'out/**'}}", true},
		{"{redirect: {target: './out/*'}}", true},
		{"{redirect: {op: '>', target: /etc/*}}", false},
		{"{env: 'LD_*'}", true},
		{"{env: {LD_PRELOAD: '*.so'}}", true},
		{"{env: {LD_PRELOAD: '/usr/lib/*'}}", false},
		{"{env: PATH}", false},
		{"{command: frob, env: 'LD_*', redirect: {op: '>'}}", true},
		{"{command: other, env: 'LD_*'}", false},
	}
	for _, tt := range tests {
		set := merge(t, nil, parse(t, "version: 1\nbuiltin: false\ndefault_decision: pass\nrules: [{id: it, decision: deny, match: "+tt.match+"}]"), nil)
		if v := judge(set, tool.Call{}, inv); (v.Decision == tool.Deny) != tt.want {
			t.Errorf("%s: %s", tt.match, v.Decision)
		}
	}
}

func TestTools(t *testing.T) {
	set := merge(t, nil, parse(t, "version: 1\nrules: [{id: it, decision: deny, match: {tool: 'mcp__*__delete_*'}}, {id: no-web, decision: deny, match: {tool: WebFetch, effect: {kind: fetch, hosts: '*.example.com'}}}]"), nil)
	tests := []struct {
		call tool.Call
		want tool.Decision
	}{
		{tool.Call{Tool: "mcp__db__delete_row"}, tool.Deny},
		{tool.Call{Tool: "mcp__db__read_row"}, tool.Pass},
		{tool.Call{Tool: "mcp__db__delete_row", Shell: true}, tool.Allow},
		{tool.Call{Tool: "WebFetch", Effects: []tool.Effect{{Kind: tool.Fetch, Target: "a.Example.com", Reach: tool.Exact}}}, tool.Deny},
		{tool.Call{Tool: "WebFetch", Effects: []tool.Effect{{Kind: tool.Fetch, Target: "example.org", Reach: tool.Exact}}}, tool.Pass},
		{tool.Call{Tool: "Read", Effects: []tool.Effect{{Kind: tool.Read, Target: "/home/dev/.ssh/id_rsa", Reach: tool.Exact}}}, tool.Ask},
		{tool.Call{Tool: "Write", Effects: []tool.Effect{{Kind: tool.Write, Target: "/home/dev/proj/.claude/settings.json", Reach: tool.Exact}}}, tool.Deny},
		{tool.Call{Tool: "Unheard", Effects: []tool.Effect{{Kind: tool.Control, Target: "no.such", Reach: tool.Exact}}}, tool.Pass},
	}
	for _, tt := range tests {
		if v := set.Judge(&tt.call, nil, nil, world()); v.Decision != tt.want {
			t.Errorf("%s %v: %s by %s; want %s", tt.call.Tool, tt.call.Effects, v.Decision, v.Rule, tt.want)
		}
	}
}

// TestWhereItRuns: a rule that names zones and directories means commands that run where both hold, and such as may.
func TestWhereItRuns(t *testing.T) {
	set := merge(t, nil, parse(t, "version: 1\nbuiltin: false\ndefault_decision: pass\nrules: [{id: it, decision: deny, match: {in: project, dir: [/home/dev/proj/sub, /tmp/sub]}}]"), nil)
	for dir, want := range map[string]tool.Decision{
		"/home/dev/proj/sub": tool.Deny, "/home/dev/proj/sub/x": tool.Deny, "/home/dev/proj": tool.Allow, "/home/dev/proj/other": tool.Allow, "/tmp/sub": tool.Allow, "/tmp": tool.Allow,
		"/home/dev/proj/*": tool.Ask, "/home/dev/proj/o*": tool.Allow, "/tmp/s*": tool.Allow, "/home/dev/*": tool.Allow, "/home/dev/**": tool.Ask,
	} {
		inv := invocation("ls", nil)
		if inv.Dir = command.Known(dir, tool.Span{}); strings.Contains(dir, "*") {
			inv.Dir.Glob = true
		}
		if v := judge(set, tool.Call{}, inv); v.Decision != want {
			t.Errorf("in %s: %s, want %s (%s)", dir, v.Decision, want, v.Reason)
		}
	}
}

// TestFlagsByAnyName: a rule that objects means a flag wherever it names it, and words that look like flags where a
// model takes them for operands. What keeps it from matching is a real flag only.
func TestFlagsByAnyName(t *testing.T) {
	for _, test := range []struct {
		match, line string
		operands    int // how many of the last words a model takes for operands
		want        bool
	}{
		{"{command: rm, args: [-rf]}", "rm -r -f x", 1, true},
		{"{command: rm, args: [-rf]}", "rm -r x", 1, false},
		{"{command: git, args: ['--config-env=core.*']}", "git --config-env=core.bare=x status", 1, true},
		{"{command: dd, args: ['of=/dev/*']}", "dd if=x of=/dev/sda", 0, true},
		{"{command: dd, args: ['of=/dev/*']}", "dd if=/dev/x of=y", 0, false},
		{"{command: kill, flags: [-9]}", "kill -9 1", 2, true},
		{"{command: kill, flags: [-9]}", "kill -15 1", 2, false},
		{"{command: rm, flags: {any_of: [-r], none_of: [--dry-run]}}", "rm -r --dry-run", 1, true},
	} {
		set := merge(t, nil, parse(t, "version: 1\nbuiltin: false\ndefault_decision: pass\nrules: [{id: it, decision: deny, match: "+test.match+"}]"), nil)
		inv := invocation(test.line, nil)
		inv.Operands, inv.Flags = inv.Words[len(inv.Words)-test.operands:], nil
		for _, w := range inv.Words[1 : len(inv.Words)-test.operands] {
			inv.Flags = append(inv.Flags, w.Text)
		}
		if v := judge(set, tool.Call{}, inv); (v.Decision == tool.Deny) != test.want {
			t.Errorf("%s on %s: %s", test.match, test.line, v.Decision)
		}
	}
}
