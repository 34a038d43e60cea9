package permission_test

import (
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/permission"
	"longline/internal/policy"
	"longline/internal/reader"
	"longline/internal/tool"
)

var world = &tool.World{Home: "/home/dev", Project: "/home/dev/project"}

// settings is a settings file with one list of permissions.
func settings(list, rules string) []byte {
	return []byte(`{"permissions":{"` + list + `":["` + strings.ReplaceAll(rules, "|", `","`) + `"]}}`)
}

// apply judges a script about which a built-in rule has asked throughout.
func apply(t *testing.T, list, rules, script string) tool.Verdict {
	t.Helper()
	var s permission.Set
	if err := s.Add(permission.Source{Path: "settings.json", Layer: "user"}, settings(list, rules)); err != nil {
		t.Fatal(err)
	}
	call := &tool.Call{Tool: "Bash", Dir: "/home/dev/project", Script: script, Shell: true}
	r := reader.Read(script, call.Dir, world, command.Builtin())
	v := tool.Verdict{Decision: tool.Ask, Parsed: r.Parsed, Rule: "x"}
	for i, inv := range r.Invocations {
		v.Findings = append(v.Findings, tool.Finding{Rule: "uncovered", Decision: tool.Ask, Span: inv.Span, Invocation: i})
	}
	return s.Apply(call, v, r.Invocations, world)
}

// What the client's allow rules cover, and what they do not.
func TestAllow(t *testing.T) {
	for _, tt := range []struct {
		rules, script string
		want          tool.Decision
	}{
		{"Bash(foo:*)", "foo", tool.Allow},
		{"Bash(foo:*)", "foo x", tool.Allow},
		{"Bash(foo:*)", "foobar", tool.Ask},
		{"Bash(foo *)", "foo", tool.Allow},
		{"Bash(foo *)", "foo x y", tool.Allow},
		{"Bash(foo *)", "foobar", tool.Ask},
		{"Bash(foo*)", "foobar", tool.Allow},
		{"Bash(foo*)", "foo bar", tool.Allow},
		{"Bash(foo)", "foo", tool.Allow},
		{"Bash(foo)", "foo ", tool.Allow},
		{"Bash(foo)", "foo x", tool.Ask},
		{"Bash(foo x)", "foo  x", tool.Ask},
		{"Bash(foo * z)", "foo x y z", tool.Allow},
		{"Bash(foo * z)", "foo x y", tool.Ask},
		{`Bash(foo \\*)`, "foo x", tool.Ask},
		{"Bash(foo:*)", "foo && foo x", tool.Allow},
		{"Bash(foo:*)", "foo && bar", tool.Ask},
		{"Bash(foo:*)|Bash(bar)", "foo a; bar", tool.Allow},
		{"Bash(foo:*)", "timeout 5 foo a", tool.Allow},
		{"Bash(foo:*)", "time foo a", tool.Allow},
		{"Bash(foo:*)", "foo 2>&1", tool.Allow},
		{"Bash(foo)", "foo 2>&1", tool.Allow},
		{"Bash(foo)", "foo 2>/dev/null", tool.Allow},
		{"Bash(foo:*)", "foo <in", tool.Allow},
		{"Bash(foo:*)", "if foo a; then foo b; fi", tool.Allow},
		{"Bash(foo:*)", "foo $(foo)", tool.Ask},
		{"Bash(foo:*)", "foo `foo`", tool.Ask},
		{"Bash(foo:*)", `foo "$X"`, tool.Ask},
		{"Bash(foo:*)", "VAR=1 foo", tool.Ask},
		{"Bash(foo:*)", "sudo foo", tool.Ask},
		{"Bash(foo:*)", "env foo", tool.Ask},
		{"Bash(foo:*)", "/usr/bin/foo", tool.Ask},
		{"Bash(foo:*)", "foo >file", tool.Ask},
		{"Bash(foo:*)", "foo >/dev/nullx", tool.Ask},
		{"Bash(foo:*)", "foo >>file", tool.Ask},
		{"Bash(foo:*)", "foo &>file", tool.Ask},
		{"Bash(foo:*)", "foo &", tool.Ask},
		{"Bash(foo:*)", "foo & bar", tool.Ask},
		{"Bash(foo:*)", "(foo)", tool.Ask},
		{"Bash(foo:*)", "{ foo; }", tool.Ask},
		{"Bash(foo:*)", "foo <<E\nx\nE\n", tool.Ask},
		{"Bash(foo:*)", "foo <(foo)", tool.Ask},
		{"Bash(foo:*)", "foo 'a b' \"c d\"", tool.Allow},
		{"Bash(foo:*)", "foo 'a;bar'", tool.Allow},
		{"Bash(foo:*)", "foo 'a' ; 'bar'", tool.Ask},
		{"Bash(foo:*)", "foo\nbar", tool.Ask},
		{"Bash", "foo", tool.Ask}, // names no command
		{"Bash(*)", "foo", tool.Ask},
		{"Bash(:*)", "foo", tool.Ask},
		{"B*(foo)", "foo", tool.Ask},
		{"Read(foo)", "foo", tool.Ask},
		{"Bash(foo", "foo", tool.Ask},
	} {
		if got := apply(t, "allow", tt.rules, tt.script); got.Decision != tt.want {
			t.Errorf("allow %s: %q is %v, want %v", tt.rules, tt.script, got.Decision, tt.want)
		}
	}
}

// What a permission does not answer.
func TestNotLifted(t *testing.T) {
	var s permission.Set
	if err := s.Add(permission.Source{Layer: "user"}, settings("allow", "Bash(foo:*)")); err != nil {
		t.Fatal(err)
	}
	call := &tool.Call{Tool: "Bash", Dir: "/p", Script: "foo x", Shell: true}
	foo := []*command.Invocation{{Words: []command.Word{{Text: "foo", Reach: tool.Exact}}, Span: tool.Span{End: 5}}}
	for _, tt := range []struct {
		f    tool.Finding
		want tool.Decision
	}{
		{tool.Finding{Rule: "uncovered", Decision: tool.Ask}, tool.Allow},
		{tool.Finding{Rule: "unknown", Decision: tool.Ask, Reason: "Cannot be judged: longline does not know the program \"foo\""}, tool.Allow},
		{tool.Finding{Rule: "unknown", Decision: tool.Ask, Reason: "Cannot be judged: longline does not follow \"exec=x\""}, tool.Ask},
		{tool.Finding{Rule: "uncovered", Decision: tool.Deny}, tool.Deny},
		{tool.Finding{Rule: "network-send", Decision: tool.Ask, Layer: "builtin", Level: "high"}, tool.Ask},
		{tool.Finding{Rule: "network-send", Decision: tool.Ask, Layer: "user", Level: "high"}, tool.Ask},
		{tool.Finding{Rule: "network-send", Decision: tool.Ask, Layer: "managed", Level: "high"}, tool.Ask},
	} {
		tt.f.Span = tool.Span{Start: 0, End: 5}
		v := s.Apply(call, tool.Verdict{Decision: tt.f.Decision, Parsed: true, Findings: []tool.Finding{tt.f}}, foo, world)
		if v.Decision != tt.want {
			t.Errorf("%+v: got %v, want %v", tt.f, v.Decision, tt.want)
		}
	}
	v := s.Apply(call, tool.Verdict{Decision: tool.Ask, Findings: []tool.Finding{{Decision: tool.Ask, Span: tool.Span{End: 5}}}}, nil, world)
	if v.Decision != tool.Ask {
		t.Error("a script that could not be read is allowed")
	}
}

// Deny and ask rules see what a script comes down to.
func TestObjections(t *testing.T) {
	for _, tt := range []struct {
		rules, script string
		want          bool
	}{
		{"Bash(touch:*)", "touch x", true},
		{"Bash(touch:*)", "echo && touch x", true},
		{"Bash(touch:*)", "echo $(touch x)", true},
		{"Bash(touch:*)", "cat <(touch x)", true},
		{"Bash(touch:*)", "A=1 touch x", true},
		{"Bash(touch:*)", "sudo touch x", true},
		{"Bash(touch:*)", "env touch x", true},
		{"Bash(touch:*)", "timeout 5 touch x", true},
		{"Bash(touch:*)", "nice touch x", true},
		{"Bash(touch:*)", "echo x | xargs touch", true},
		{"Bash(touch:*)", "command touch x", true},
		{"Bash(touch:*)", "exec touch x", true},
		{"Bash(touch:*)", "'touch' x", true},
		{"Bash(touch:*)", `to\uch x`, true},
		{"Bash(touch:*)", "/usr/bin/touch x", true},
		{"Bash(touch:*)", "A=touch; $A x", true},
		{"Bash(touch:*)", "f() { touch x; }; f", true},
		{"Bash(touch:*)", "bash -c 'touch x'", true}, // which the client misses
		{"Bash(touch:*)", `eval "touch x"`, true},
		{"Bash(touch:*)", `find . -exec touch x \;`, true},
		{"Bash(touch:*)", "$(echo touch) x", true},
		{"Bash(touch x)", "touch  x", true},
		{"Bash(touch x)", "touch xy", false},
		{"Bash(touch:*)", "touchy x", false},
		{"Bash(touch:*)", "echo touch x", false},
		{"Bash(git push *)", "git push origin main", true},
		{"Bash(* --force)", "git push --force", true},
		{"Bash(touch 'x y')", "true; touch 'x y'", true}, // as it is written
		{"Bash(touch $X:*)", "touch $X y", true},
		{"Bash($X --force)", "true | $X --force", true},
		{"Bash(* && tee *)", "touch x && tee y", true}, // the whole script
		{"Bash(touch x && touch y)", " touch x && touch y ", true},
		{"Bash(touch x && touch y)", "touch x && touch z", false},
		{"Bash(*uch x:*)", "touch x", true}, // whether the star counts there is not said
		{"Bash(*uch x:*)", "touch x y", true},
		{"Bash(*uch x:*)", "touch xy", false},
		{"Bash", "true", true},
		{"B*", "true", true},
		{"Edit", "true", false},
		{"Read(./.env)", "cat .env", true},
		{"Read(./.env)", "grep x < .env", true},
		{"Read(./.env)", "cp .env b", true},
		{"Read(.env)", "cat sub/.env", true},
		{"Read(./.env)", "cat sub/.env", false},
		{"Read(~/.aws/**)", "cat ~/.aws/a/b", true},
		{"Read(//etc/shadow)", "bash -c 'cat /etc/shadow'", true},
		{"Read(./secrets)", "cat secrets/a", true},
		{"Read(./.env)", "echo x > .env", false},
		{"Edit(./.env)", "echo x > .env", true},
		{"Edit(./*.lock)", "rm a.lock", true},
		{"Edit(./*.lock)", "rm b/a.lock", false},
		{"Write(./.env)", "echo x > .env", false}, // never matches in the client either
	} {
		for _, list := range []string{"deny", "ask"} {
			v := apply(t, list, tt.rules, tt.script)
			said := false
			for _, f := range v.Findings {
				said = said || f.Rule == permission.ID && f.Decision.String() == list
			}
			if said != tt.want || list == "deny" && (v.Decision == tool.Deny) != tt.want {
				t.Errorf("%s %s: %q is %v, rule spoke: %v", list, tt.rules, tt.script, v.Decision, said)
			}
		}
	}
}

func TestFileTools(t *testing.T) {
	for _, tt := range []struct {
		list, rules string
		kind        tool.Kind
		target      string
		want        tool.Decision
	}{
		{"allow", "Edit(~/notes/**)", tool.Write, "/home/dev/notes/a/b", tool.Ask},
		{"allow", "Edit(~/notes/**)", tool.Write, "/home/dev/other", tool.Ask},
		{"allow", "Edit(~/notes/**)", tool.Read, "/home/dev/notes/a", tool.Ask},
		{"allow", "Edit", tool.Write, "/home/dev/other", tool.Ask},
		{"deny", "Edit(//srv/**)", tool.Write, "/srv/x", tool.Deny},
		{"deny", "Edit(/docs/*.md)", tool.Write, "/home/dev/project/docs/x.md", tool.Deny},
	} {
		var s permission.Set
		if err := s.Add(permission.Source{Layer: "user", Base: "/home/dev/project"}, settings(tt.list, tt.rules)); err != nil {
			t.Fatal(err)
		}
		call := &tool.Call{Tool: "Write", Dir: "/home/dev/project", Effects: []tool.Effect{{Kind: tt.kind, Target: tt.target, Reach: tool.Exact}}}
		v := s.Apply(call, tool.Verdict{Decision: tool.Ask, Parsed: true, Findings: []tool.Finding{{Rule: "outside-project", Decision: tool.Ask, Layer: "builtin", Level: "high"}}}, nil, world)
		if v.Decision != tt.want {
			t.Errorf("%s %s on %v %s: %v", tt.list, tt.rules, tt.kind, tt.target, v.Decision)
		}
	}
}

func TestTighten(t *testing.T) {
	var s permission.Set
	from := permission.Source{Layer: "project", Tighten: true}
	if err := s.Add(from, []byte(`{"permissions":{"allow":["Bash(foo:*)"],"deny":["Bash(bar)"]}}`)); err != nil {
		t.Fatal(err)
	}
	call := &tool.Call{Tool: "Bash", Script: "foo x", Shell: true}
	asked := tool.Verdict{Decision: tool.Ask, Parsed: true, Findings: []tool.Finding{{Decision: tool.Ask, Span: tool.Span{End: 5}}}}
	if v := s.Apply(call, asked, nil, world); v.Decision != tool.Ask {
		t.Error("a project's allow rule counts")
	}
	if err := s.Add(from, []byte("{// no\n}")); err == nil {
		t.Error("a comment is accepted, which the client does not do")
	}
}

// Whatever an allow rule and a script are, the script's own denials stay, and a
// command that the rule does not begin like stays a question.
func FuzzAllow(f *testing.F) {
	for _, s := range []string{"foo", "foo && bar", "foo 'x;bar' ; bar", "foo | bar", "foo\\\nbar", "foo 2>&1;bar", "foo &>/dev/null bar"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, script string) {
		var s permission.Set
		if err := s.Add(permission.Source{Layer: "user"}, settings("allow", "Bash(foo:*)")); err != nil {
			t.Fatal(err)
		}
		call := &tool.Call{Tool: "Bash", Dir: "/p", Script: script, Shell: true}
		r := reader.Read(script, call.Dir, world, command.Builtin())
		for i, inv := range r.Invocations {
			if len(inv.Words) == 0 || inv.Words[0].Text == "foo" || len(inv.Via) > 0 || inv.Span == (tool.Span{}) {
				continue
			}
			v := s.Apply(call, tool.Verdict{Decision: tool.Ask, Parsed: true, Findings: []tool.Finding{{Rule: "unknown", Decision: tool.Ask, Span: inv.Span, Invocation: i}}}, r.Invocations, world)
			if v.Decision != tool.Ask {
				t.Errorf("%q: %q is allowed by a rule about foo", script, inv.Words[0].Text)
			}
		}
	})
}

// TestNoRuleIsLifted: a permission lifts no question of a rule.
func TestNoRuleIsLifted(t *testing.T) {
	packs, err := policy.BuiltinFile()
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := policy.Merge(packs, nil, &policy.File{Safety: policy.Strict}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var s permission.Set
	if err := s.Add(permission.Source{Layer: "user"}, settings("allow", "Bash(foo:*)")); err != nil {
		t.Fatal(err)
	}
	call := &tool.Call{Tool: "Bash", Dir: "/p", Script: "foo x", Shell: true}
	foo := []*command.Invocation{{Name: "foo", Span: tool.Span{End: 5}}}
	for _, r := range set.Rules() {
		f := tool.Finding{Rule: r.ID, Decision: tool.Ask, Level: r.Level.String(), Layer: "builtin", Span: tool.Span{End: 5}}
		if v := s.Apply(call, tool.Verdict{Decision: tool.Ask, Parsed: true, Findings: []tool.Finding{f}}, foo, world); v.Decision != tool.Ask {
			t.Errorf("%s is lifted", r.ID)
		}
	}
}
