package permission

import (
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// allowing is a set of permissions in a user's settings.
func allowing(t *testing.T, settings string) *Set {
	t.Helper()
	var s Set
	if err := s.Add(Source{Path: "/w/.claude/settings.json", Layer: "user", Base: "/w"}, []byte(settings)); err != nil {
		t.Fatal(err)
	}
	return &s
}

// TestPartlyAnswered: where one of two questions is answered, the verdict stays as it
// was; where both are, each finding says by what.
func TestPartlyAnswered(t *testing.T) {
	call := &tool.Call{Tool: "Bash", Dir: "/w", Script: "foo; bar", Shell: true}
	foo, bar := tool.Span{End: 3}, tool.Span{Start: 5, End: 8}
	invs := []*command.Invocation{{Name: "foo", Span: foo}, {Name: "bar", Span: bar}}
	asked := tool.Verdict{Decision: tool.Ask, Parsed: true, Rule: "uncovered", Reason: "It sends.", Suggest: "Do not.", Findings: []tool.Finding{
		{Rule: "uncovered", Decision: tool.Ask, Span: foo, Reason: "It sends."},
		{Rule: "uncovered", Decision: tool.Ask, Span: bar, Invocation: 1, Reason: "It deploys."},
	}}
	w := &tool.World{Home: "/h", Project: "/w"}
	v := allowing(t, `{"permissions": {"allow": ["Bash(foo)"]}}`).Apply(call, asked, invs, w)
	if v.Decision != tool.Ask || v.Rule != asked.Rule || v.Reason != asked.Reason || v.Findings[0].Rule != "uncovered" || v.Findings[1].Rule != "uncovered" {
		t.Errorf("one is answered: %+v", v)
	}
	v = allowing(t, `{"permissions": {"allow": ["Bash(foo)", "Bash(bar)"]}}`).Apply(call, asked, invs, w)
	if v.Decision != tool.Allow || v.Rule != ID || v.Reason != "Claude Code's permissions.allow has Bash(foo)" || v.Suggest != "" {
		t.Errorf("both are answered: %+v", v)
	}
	for i, text := range []string{"Bash(foo)", "Bash(bar)"} {
		f := v.Findings[i]
		if f.Rule != ID || f.Decision != tool.Allow || f.Invocation != i || f.Reason != "Claude Code's permissions.allow has "+text || f.Layer != "user" {
			t.Errorf("%d: %+v", i, f)
		}
	}
	if asked.Findings[0].Rule != "uncovered" {
		t.Error("the verdict that was given is changed")
	}
}

// TestAnsweredPassesOn: what is left is the strictest of the findings, the first of them.
func TestAnsweredPassesOn(t *testing.T) {
	call := &tool.Call{Tool: "Bash", Dir: "/w", Script: "foo", Shell: true}
	span := tool.Span{End: 3}
	invs := []*command.Invocation{{Name: "foo", Span: span}}
	asked := tool.Verdict{Decision: tool.Ask, Parsed: true, Rule: "uncovered", Findings: []tool.Finding{
		{Rule: "a", Decision: tool.Allow, Span: span},
		{Rule: "b", Decision: tool.Pass, Span: span, Reason: "B."},
		{Rule: "c", Decision: tool.Pass, Span: span},
		{Rule: "uncovered", Decision: tool.Ask, Span: span},
	}}
	s := allowing(t, `{"permissions": {"allow": ["Bash(foo)"]}}`)
	if v := s.Apply(call, asked, invs, &tool.World{}); v.Decision != tool.Pass || v.Rule != "b" || v.Reason != "B." {
		t.Errorf("%+v", v)
	}
	asked.Findings = nil
	if v := s.Apply(call, asked, invs, &tool.World{}); v.Decision != tool.Ask {
		t.Errorf("a question that nobody asks is lifted: %+v", v)
	}
}

// TestPaths: which effects a rule for paths speaks of.
func TestPaths(t *testing.T) {
	write := tool.Effect{Kind: tool.Write, Reach: tool.Exact}
	w := &tool.World{Home: "/h", Project: "/w"}
	for _, test := range []struct {
		list, rule, target string
		with               func(*tool.Effect)
		want               bool
	}{
		{"ask", "Edit(//srv/a)", "/srv/a", nil, true},
		{"ask", "Edit(//srv/a)", "/srv/a/b", nil, true},
		{"ask", "Edit(//srv/a)", "/srv/ab", nil, false},
		{"deny", "Edit(//srv/a)", "/srv/a", func(e *tool.Effect) { e.Tree = true }, true},
		{"deny", "Edit(//srv/a)", "/srv/a", func(e *tool.Effect) { e.Pattern = true }, false},
		{"deny", "Edit(//srv/a)", "/srv/a", func(e *tool.Effect) { e.Reach = tool.Under }, false},
		{"deny", "Edit(//srv/a)", "/srv/a", func(e *tool.Effect) { e.Kind = tool.Read }, false},
		{"deny", "Edit(//srv/a)", "/srv/a", func(e *tool.Effect) { e.Kind = tool.Fetch }, false},
		{"deny", "Read(//srv/a)", "/srv/a", func(e *tool.Effect) { e.Kind = tool.Read }, true},
		{"deny", "Edit(//srv/a)", "/srv/x/../a", nil, true},
		{"deny", "Edit(//srv/**/x)", "/srv/a/b/x", nil, true},
		{"deny", "Edit(//srv/**/x)", "/srv/x", nil, true},
		{"deny", "Edit(//srv/**/x)", "/srv/a/b/y", nil, false},
		{"deny", "Edit(//srv/**/x)", "/srv", nil, false},
		{"deny", "Edit(//srv/**)", "/srv", nil, true},
		{"deny", "Edit(//srv/*/x)", "/srv/a/b/x", nil, false},
		{"deny", "Edit(//srv/a*)", "/srv/ab", nil, true},
		{"deny", "Edit(//srv/[a)", "/srv/[a", nil, true},
		{"deny", "Edit(//srv/a/b)", "/srv/a", nil, false},
		{"deny", "Edit(~/a)", "/h/a", nil, true},
		{"deny", "Edit(/a)", "/w/a", nil, true},
		{"deny", "Edit(/a)", "/a", nil, false},
		{"deny", "Edit(a)", "/w/sub/a", nil, true},
		{"deny", "Edit(a)", "/w/a", nil, true},
		{"deny", "Edit(a/)", "/w/sub/a", nil, true},
		{"deny", "Edit(a)", "/x/a", nil, false},
		{"deny", "Edit(./a)", "/w/a", nil, true},
		{"deny", "Edit(./a)", "/w/sub/a", nil, false},
		{"deny", "Edit(a/b)", "/w/a/b", nil, true},
		{"deny", "Edit(a/b)", "/w/sub/a/b", nil, false},
	} {
		s := allowing(t, `{"permissions": {"`+test.list+`": ["`+test.rule+`"]}}`)
		e := write
		e.Target = test.target
		if test.with != nil {
			test.with(&e)
		}
		if got := s.rules[0].speaksOf(e, "/w", w); got != test.want {
			t.Errorf("%s %s: %+v: %v", test.list, test.rule, e, got)
		}
	}
	// Where a place is not known, a rule speaks of nothing.
	s := allowing(t, `{"permissions": {"deny": ["Edit(~/a)", "Edit(/a)", "Edit(a)", "Edit(./a)"]}}`)
	for _, r := range s.rules {
		r.base = ""
		for _, target := range []string{"/a", "/h/a", "/w/a", "a", "/"} {
			if r.speaksOf(tool.Effect{Kind: tool.Write, Reach: tool.Exact, Target: target}, "", &tool.World{}) {
				t.Errorf("%s speaks of %s", r.text, target)
			}
		}
	}
}

// TestSpellings: a program is known by its path and by its name, with its words.
func TestSpellings(t *testing.T) {
	known := func(texts ...string) *command.Invocation {
		inv := &command.Invocation{}
		for _, text := range texts {
			inv.Words = append(inv.Words, command.Known(text, tool.Span{}))
		}
		return inv
	}
	for _, test := range []struct {
		inv  *command.Invocation
		rule string
		want bool
	}{
		{known("git", "push"), "Bash(git push)", true},
		{known("/usr/bin/git", "push"), "Bash(git push)", true},
		{known("/usr/bin/git", "push"), "Bash(/usr/bin/git push)", true},
		{known("git", "push"), "Bash(/usr/bin/git push)", false},
		{known(), "Bash(* x)", false},
		{&command.Invocation{Words: []command.Word{{}, command.Known("x", tool.Span{})}}, "Bash(* x)", false},
		{&command.Invocation{Span: tool.Span{Start: 2, End: 5}}, "Bash(two)", true}, // as it is written
		{&command.Invocation{Span: tool.Span{Start: 2, End: 6}}, "Bash(two)", false},
		{&command.Invocation{Span: tool.Span{Start: 0, End: 5}}, "Bash(two)", false},
	} {
		s := allowing(t, `{"permissions": {"deny": ["`+test.rule+`"]}}`)
		if got := s.rules[0].meets(test.inv, &tool.Call{Dir: "/w", Script: "a two"}, &tool.World{}); got != test.want {
			t.Errorf("%s, %+v: %v", test.rule, test.inv.Words, got)
		}
	}
}

// TestWholeTools: a rule without content speaks of the tools that it names.
func TestWholeTools(t *testing.T) {
	for _, test := range []struct {
		rule, tool string
		want       tool.Decision
	}{
		{"mcp__x__*", "mcp__x__y", tool.Deny}, {"mcp__x__*", "mcp__y__y", tool.Allow}, {"Edit", "Edit", tool.Deny}, {"Edit", "Write", tool.Allow}, {"*", "", tool.Allow},
	} {
		s := allowing(t, `{"permissions": {"deny": ["`+test.rule+`"]}}`)
		v := s.Apply(&tool.Call{Tool: test.tool, Dir: "/w"}, tool.Verdict{Decision: tool.Allow, Parsed: true}, nil, &tool.World{})
		if v.Decision != test.want || test.want == tool.Deny && (v.Rule != ID || v.Findings[0].Invocation != -1) {
			t.Errorf("%s, %s: %+v", test.rule, test.tool, v)
		}
	}
	// What a rule says less strictly than others is only added.
	s := allowing(t, `{"permissions": {"ask": ["Edit"]}}`)
	v := s.Apply(&tool.Call{Tool: "Edit"}, tool.Verdict{Decision: tool.Deny, Rule: "x", Parsed: true}, nil, &tool.World{})
	if v.Decision != tool.Deny || v.Rule != "x" || len(v.Findings) != 1 {
		t.Errorf("%+v", v)
	}
	v = s.Apply(&tool.Call{Tool: "Edit"}, tool.Verdict{Decision: tool.Ask, Rule: "x", Parsed: true}, nil, &tool.World{})
	if v.Rule != "x" || len(v.Findings) != 1 {
		t.Errorf("%+v", v)
	}
}

// TestObjectsWhere: an objection says which command it is to, and where that stands.
func TestObjectsWhere(t *testing.T) {
	first, second := tool.Span{End: 3}, tool.Span{Start: 5, End: 8}
	invs := []*command.Invocation{
		{Words: []command.Word{command.Known("foo", first)}, Span: first},
		{Words: []command.Word{command.Known("bar", second)}, Span: second},
	}
	v := allowing(t, `{"permissions": {"deny": ["Bash(bar)"]}}`).Apply(&tool.Call{Tool: "Bash", Script: "foo; bar", Shell: true}, tool.Verdict{Decision: tool.Allow, Parsed: true}, invs, &tool.World{})
	if v.Decision != tool.Deny || len(v.Findings) != 1 || v.Findings[0].Invocation != 1 || v.Findings[0].Span != second {
		t.Errorf("%+v", v)
	}
}

// TestConfirmed: of a file that has to be confirmed, only what was confirmed loosens.
func TestConfirmed(t *testing.T) {
	var s Set
	from := Source{Layer: "project", Confirmed: func(line string) bool { return line == `allow "Bash(a)"` }}
	if err := s.Add(from, []byte(`{"permissions": {"allow": ["Bash(a)", "Bash(b)"], "deny": ["Bash(c)"], "ask": ["Bash(d)"]}}`)); err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, r := range s.rules {
		texts = append(texts, r.text)
	}
	if len(texts) != 3 || texts[0] != "Bash(c)" || texts[1] != "Bash(d)" || texts[2] != "Bash(a)" {
		t.Errorf("%q", texts)
	}
	for text, want := range map[string]bool{`{"allowManagedPermissionRulesOnly": true}`: true, `{"allowManagedPermissionRulesOnly": false}`: false, `{}`: false, `{`: false} {
		if ManagedOnly([]byte(text)) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

// TestHarmlessRedirects: only what loses output, or joins it, belongs to a command.
func TestHarmlessRedirects(t *testing.T) {
	for text, want := range map[string]int{
		">&1": 3, ">&2 x": 3, ">/dev/null": 10, "> /dev/null": 11, ">>/dev/null": 11, "&>/dev/null;x": 11, ">/dev/null|x": 10, ">/dev/null&& x": 10,
		">&3": 0, ">x": 0, ">": 0, "&": 0, "& x": 0, ">/dev/nullx": 0, ">&1x": 0, ">&12": 0, "&>x": 0,
	} {
		if got := harmlessRedirect(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	for word, want := range map[string]bool{
		"2>&1": true, "1>&2": true, ">/dev/null": true, "&>/dev/null": true, "<in": true, "<": false, ">x": false, "2>/dev/nullx": false, "x>&1": false, "in": false, "12": false,
	} {
		if got := redirection(word); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}

// TestCommandPattern: how the content of a rule for Bash matches.
func TestCommandPattern(t *testing.T) {
	for _, test := range []struct {
		content, text string
		want          bool
	}{
		{"a b", "a b", true},
		{"a b", "a b ", true},
		{"a b ", "a b", true},
		{"a b", "a  b", false},
		{"a:*", "a", true},
		{"a:*", "a\tb", true},
		{"a:*", "a;b", false},
		{"a *", "a", true},
		{"a * *", "a", false},
		{"a * *", "a b c", true},
		{"a*", "ab", true},
		{"*", "a", true},
		{`a \*`, "a b", false},
		{`a \* *`, `a \* b`, true},
	} {
		if got := commandPattern(test.content).matches(test.text); got != test.want {
			t.Errorf("%q, %q: %v", test.content, test.text, got)
		}
	}
}
