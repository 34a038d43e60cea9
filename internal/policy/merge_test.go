package policy_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

func TestLayers(t *testing.T) {
	const (
		allowPush    = "version: 1\nrules: [{id: mine, decision: allow, match: {command: git push}}]"
		namePush     = "version: 1\nrules: [{id: mine, decision: allow, match: {command: git push}, overrides: [git-push]}]"
		nameTheirs   = "version: 1\nrules: [{id: mine, decision: allow, match: {command: git push}, overrides: [theirs, git-push]}]"
		allowRm      = "version: 1\nrules: [{id: mine, decision: allow, match: {command: rm}}]"
		overrideRm   = "version: 1\nrules: [{id: mine, decision: allow, match: {command: rm}, overrides: [rm-recursive-root, outside-project]}]"
		allowEffect  = "version: 1\nrules: [{id: mine, decision: allow, match: {effect: {kind: control, names: git.push}}, overrides: [git-push]}]"
		passPush     = "version: 1\nrules: [{id: mine, decision: pass, match: {command: git push}}]"
		passOverride = "version: 1\nrules: [{id: mine, decision: pass, match: {command: git push}, overrides: [git-push]}]"
		listPush     = "version: 1\nallowlists: {commands: [git push]}"
		askPush      = "version: 1\nrules: [{id: theirs, decision: ask, match: {command: git push}}]"
		denyPush     = "version: 1\nrules: [{id: theirs, decision: deny, match: {command: git push}}]"
		disable      = "version: 1\ndisable: [git-push]"
		listPath     = "version: 1\nallowlists: {paths: ['/srv/data/**']}"
	)
	tests := []struct {
		project, user, managed string
		line, does             string
		decision, rule         string
	}{
		{"", "", "", "git push", "control git.push", "ask", "git-push"},
		{"", allowPush, "", "git push", "control git.push", "ask", "git-push"},
		{"", allowPush, "", "git push", "control no.such.name", "allow", "mine"},
		{"", namePush, "", "git push", "control git.push", "allow", "mine"},
		{"", namePush, "", "git push", "control git.push, read ~/.ssh/id_rsa", "ask", "secrets-read"},
		{"", allowEffect, "", "git push", "control git.push", "allow", "mine"},
		{"", allowEffect, "", "git push", "control git.push, send example.com", "ask", "network-send"},
		{"", listPush, "", "git push", "control git.push", "ask", "git-push"},
		{"", listPush, "", "git push", "control no.such.name", "allow", "allowlist"},
		{"", passPush, "", "git push", "control git.push", "ask", "git-push"},
		{"", passOverride, "", "git push", "control git.push", "pass", "mine"},
		{"", disable, "", "git push", "control git.push", "allow", ""}, // its question does not come back under another name
		{"", disable, "", "git push", "control git.push, control no.such.name", "ask", "uncovered"},
		{"", allowRm, "", "rm -rf /", "delete tree /", "deny", "rm-recursive-root"},
		{"", overrideRm, "", "rm -rf /srv", "delete tree /srv", "allow", "mine"},
		{"", allowRm, "", "rm x", "delete ./x", "ask", "project-delete"},
		{"", allowPush, askPush, "git push", "control git.push", "ask", "theirs"},
		{"", allowPush, denyPush, "git push", "control git.push", "deny", "theirs"},
		{"", askPush, allowPush, "git push", "control git.push", "ask", "theirs"},
		{"", askPush, nameTheirs, "git push", "control git.push", "allow", "mine"},
		{allowPush, "", "", "git push", "control git.push", "ask", "git-push"},
		{denyPush, "", "", "git push", "control git.push", "deny", "theirs"},
		{denyPush, allowPush, "", "git push", "control git.push", "deny", "theirs"},
		{askPush, nameTheirs, "", "git push", "control git.push", "allow", "mine"},
		{disable, "", "", "git push", "control git.push", "ask", "git-push"},
		{"", listPath, "", "x", "write /srv/data/a", "allow", "allowlist"}, // who lists a path has said what that rule asks about
		{"", listPath, "", "x", "write /srv/data/.env", "ask", "secrets-write"},
		{"", listPath, "", "x", "write /srv/data2/a", "ask", "outside-project"},
		{"", "builtin: false\n" + listPath, "", "x", "write /srv/data/a", "allow", "allowlist"},
		{"", "builtin: false\n" + listPath, "", "x", "write /srv/other", "ask", "uncovered"},
		{"", "builtin: false\n" + listPath, "", "x", "write tree /srv/data", "allow", "allowlist"}, // what is unpacked there lies below
		{"", "builtin: false\n" + listPath, "", "x", "write tree /srv", "ask", "uncovered"},
		{"", "builtin: false\n" + listPath, "", "x", "write ?", "ask", "uncovered"},
		{"builtin: false\n" + disable, "", "", "rm -rf /", "delete tree /", "deny", "rm-recursive-root"},
		{"version: 1\ndefault_decision: pass", "", "", "x", "control no.such.name", "ask", "uncovered"},
		{"version: 1\nsafety_level: critical", "", "", "x", "control git.push", "ask", "git-push"},
		{"version: 1\nsafety_level: strict", "", "", "x", "fetch example.com", "ask", "network-fetch-strict"},
		{"version: 1\ndefault_decision: deny", "version: 1\ndefault_decision: pass", "", "x", "control no.such.name", "deny", "uncovered"},
		{"", "version: 1\ndefault_decision: pass", "", "x", "control no.such.name", "pass", "uncovered"},
		{"", "version: 1\ndefault_decision: allow", "", "x", "control no.such.name", "pass", "uncovered"},
		{"", "version: 1\ndefault_decision: pass", "version: 1\ndefault_decision: ask", "x", "control no.such.name", "ask", "uncovered"},
		{"", "version: 1\ndefault_decision: deny", "version: 1\ndefault_decision: ask", "x", "control no.such.name", "deny", "uncovered"},
		{"", "version: 1\non_allow: pass", "", "x", "read ./x", "pass", "reading"},
		{"version: 1\non_allow: pass", "", "", "x", "read ./x", "pass", "reading"},
	}
	for _, tt := range tests {
		file := func(text string) *policy.File {
			if text == "" {
				return nil
			}
			return parse(t, text)
		}
		set := merge(t, []*policy.File{file(tt.project)}, file(tt.user), []*policy.File{file(tt.managed)})
		v := judge(set, tool.Call{}, invocation(tt.line, effects(t, tt.does)))
		if v.Decision.String() != tt.decision || v.Rule != tt.rule {
			t.Errorf("%s (%s) with project %q, user %q, managed %q: %s by %s; want %s by %s", tt.line, tt.does, tt.project, tt.user, tt.managed, v.Decision, v.Rule, tt.decision, tt.rule)
		}
	}
}

func TestUntrustedProjectsMayOnlyTighten(t *testing.T) {
	text := `
version: 1
default_decision: pass
safety_level: critical
builtin: false
disable: [git-push]
log: {path: /dev/null}
allowlists: {commands: [git push], paths: ['/**']}
rules:
  - {id: a, decision: allow, match: {command: rm}, overrides: [rm-recursive-root]}
  - {id: b, decision: pass, match: {command: rm}}
  - {id: c, decision: deny, match: {command: tac}}
`
	f := parse(t, text)
	set, notices, err := policy.Merge(builtin(t), []*policy.File{f}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(notices) != 8 || set.Safety != policy.High || set.Default != tool.Ask || set.LogPath != "" {
		t.Errorf("%d notices:\n%s\n%+v", len(notices), strings.Join(notices, "\n"), set)
	}
	if v := judge(set, tool.Call{}, invocation("tac x", effects(t, "read ./x"))); v.Rule != "c" {
		t.Errorf("the project's own denial: %s by %s", v.Decision, v.Rule)
	}
	f.Trusted = true
	set, notices, err = policy.Merge(builtin(t), []*policy.File{f}, nil, nil)
	if err != nil || len(notices) != 0 {
		t.Fatalf("trusted: %q, %v", notices, err)
	}
	if v := judge(set, tool.Call{}, invocation("rm -rf /srv", effects(t, "delete tree /srv"))); v.Decision != tool.Pass || v.Rule != "b" {
		t.Errorf("a trusted project's override: %s by %s", v.Decision, v.Rule)
	}
}

func TestNamesThatAreNotThere(t *testing.T) {
	for _, text := range []string{
		"version: 1\ndisable: [git-psuh]",
		"version: 1\nrules: [{id: a, decision: allow, match: {command: x}, overrides: [git-psuh]}]",
	} {
		_, _, err := policy.Merge(builtin(t), nil, parse(t, text), nil)
		var unknown *policy.UnknownRule
		if !errors.As(err, &unknown) || !strings.Contains(rulesfile.Explain(err).Error(), `"git-push"`) || !strings.HasPrefix(err.Error(), "rules.yaml:2: ") {
			t.Errorf("%q: %v", text, rulesfile.Explain(err))
		}
	}
	higher := parse(t, "version: 1\nrules: [{id: theirs, decision: deny, match: {command: x}}]")
	set, notices, err := policy.Merge(nil, nil, parse(t, "version: 1\ndisable: [theirs]"), []*policy.File{higher})
	if err != nil || len(notices) != 1 || len(set.Rules()) != 1 {
		t.Errorf("a rule of a higher layer was disabled: %q, %v", notices, err)
	}
}

// A rule about a command says nothing about where its output goes or what
// variables come before it.
func TestCommandRulesDoNotCoverRedirects(t *testing.T) {
	user := parse(t, "version: 1\nbuiltin: false\nallowlists: {commands: [frob]}")
	set := merge(t, nil, user, nil)
	frob := func() *command.Invocation { // A=1 frob > x
		inv := invocation("frob", nil)
		inv.Span = tool.Span{Start: 0, End: 12}
		inv.Words[0].Span = tool.Span{Start: 4, End: 8}
		inv.Redirects = []command.Redirect{{Op: ">", Target: command.Known("x", tool.Span{Start: 11, End: 12}), Span: tool.Span{Start: 9, End: 12}}}
		return inv
	}
	tests := []struct {
		span tool.Span
		want tool.Decision
	}{
		{tool.Span{Start: 11, End: 12}, tool.Ask},
		{tool.Span{Start: 0, End: 3}, tool.Ask},
		{tool.Span{Start: 4, End: 8}, tool.Allow},
		{tool.Span{}, tool.Allow},
	}
	// A rule that speaks of a variable speaks of what that does.
	named := merge(t, nil, parse(t, "version: 1\nbuiltin: false\nrules: [{id: it, decision: allow, match: {command: frob, env: [A]}}]"), nil)
	for _, span := range []tool.Span{{Start: 0, End: 3}, {Start: 4, End: 8}, {Start: 11, End: 12}} {
		inv := frob()
		inv.Env = []command.Assign{{Name: "A", Value: command.Known("1", tool.Span{}), Prefix: true}}
		inv.Effects = []tool.Effect{{Kind: tool.Write, Target: "/etc/x", Reach: tool.Exact, Span: span}}
		if v := judge(named, tool.Call{}, inv); (v.Decision == tool.Allow) != (span.Start < 9) {
			t.Errorf("with a variable, an effect at %v: %s by %s", span, v.Decision, v.Rule)
		}
	}
	for _, tt := range tests {
		inv := frob()
		inv.Effects = []tool.Effect{{Kind: tool.Write, Target: "/etc/x", Reach: tool.Exact, Span: tt.span}}
		if v := judge(set, tool.Call{}, inv); v.Decision != tt.want {
			t.Errorf("an effect at %v: %s by %s", tt.span, v.Decision, v.Rule)
		}
		inv = frob()
		inv.Gaps = []command.Gap{{Why: "?", Span: tt.span}}
		if v := judge(set, tool.Call{}, inv); v.Decision != tt.want {
			t.Errorf("a gap at %v: %s by %s", tt.span, v.Decision, v.Rule)
		}
	}
}

func TestFindingsAreAllThere(t *testing.T) {
	set := merge(t, nil, nil, nil)
	v := judge(set, tool.Call{}, invocation("x", effects(t, "read ./.env, send example.com, delete tree /")))
	var rules []string
	for _, f := range v.Findings {
		rules = append(rules, f.Rule)
	}
	for _, want := range []string{"secrets-read", "network-send", "rm-recursive-root"} {
		if !slices.Contains(rules, want) {
			t.Errorf("no finding of %s among %q", want, rules)
		}
	}
}

// Merging does not look for the rules that the packs' own rules override.
func TestPacksOverrideRulesThatAreThere(t *testing.T) {
	packs, err := policy.BuiltinFile()
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := policy.Merge(packs, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	set.Safety = policy.Strict
	rules := set.Rules()
	overridden := 0
	for _, r := range rules {
		for _, id := range r.Overrides {
			overridden++
			if !slices.ContainsFunc(rules, func(other policy.Rule) bool { return other.ID == id }) {
				t.Errorf("%s overrides %q, which is no rule", r.ID, id)
			}
		}
	}
	if overridden == 0 {
		t.Error("no rule overrides another; the test sees nothing")
	}
}

// TestSettingsOfLayers: what a file sets counts, what it leaves out stays as it was, and
// what a file above sets counts instead.
func TestSettingsOfLayers(t *testing.T) {
	for _, setting := range []struct {
		name string
		set  func(f *policy.File, value string)
		get  func(s *policy.Set) string
	}{
		{"log", func(f *policy.File, v string) { f.LogPath = v }, func(s *policy.Set) string { return s.LogPath }},
		{"sandbox", func(f *policy.File, v string) { f.Sandbox.Dir = v }, func(s *policy.Set) string { return s.Sandbox.Dir }},
		{"content", func(f *policy.File, v string) { f.Content = policy.Content{Given: true, Rules: v} }, func(s *policy.Set) string { return s.Content.Rules }},
		{"log content", func(f *policy.File, v string) {
			f.LogContent = map[string]policy.LogContent{"/a": policy.LogMasked, "/b": policy.LogFull}[v]
		}, func(s *policy.Set) string {
			return map[policy.LogContent]string{policy.LogMasked: "/a", policy.LogFull: "/b"}[s.LogContent]
		}},
		{"log keep", func(f *policy.File, v string) { f.LogKeep = len(strings.Split(v, "a")) }, func(s *policy.Set) string { return map[int]string{2: "/a", 1: "/b"}[s.LogKeep] }},
	} {
		for _, test := range []struct{ user, managed, want string }{{"", "", ""}, {"/a", "", "/a"}, {"", "/b", "/b"}, {"/a", "/b", "/b"}} {
			file := func(value string) *policy.File {
				f := &policy.File{}
				if value != "" {
					setting.set(f, value)
				}
				return f
			}
			s, _, err := policy.Merge(nil, nil, file(test.user), []*policy.File{file(test.managed)})
			if err != nil {
				t.Fatal(err)
			}
			if got := setting.get(s); got != test.want {
				t.Errorf("%s: the user says %q, the administrator %q, and %q counts", setting.name, test.user, test.managed, got)
			}
		}
	}
}

// TestDefaultsOfLayers: at the critical level nothing is asked about what no rule speaks for,
// unless somebody other than the packs has said so.
func TestDefaultsOfLayers(t *testing.T) {
	given := &policy.File{HasDefault: true, Default: tool.Ask}
	for _, test := range []struct {
		packs, user *policy.File
		want        tool.Decision
	}{{nil, nil, tool.Pass}, {given, nil, tool.Pass}, {nil, given, tool.Ask}, {given, given, tool.Ask}} {
		set, _, err := policy.Merge(test.packs, nil, test.user, nil)
		if err != nil {
			t.Fatal(err)
		}
		v := judge(set.At(policy.Critical), tool.Call{Shell: true}, invocation("x", effects(t, "write /srv/a")))
		if v.Decision != test.want {
			t.Errorf("packs %v, user %v: %s", test.packs != nil, test.user != nil, v.Decision)
		}
	}
}

// TestBundledRules: the rules of a bundle are in force above the user's.
func TestBundledRules(t *testing.T) {
	for _, expired := range []bool{false, true} {
		bundle := parse(t, "version: 1\nrules: [{id: theirs, decision: deny, match: {command: frob}}, {id: yes, decision: allow, match: {command: grob}}]")
		bundle.Bundled, bundle.Expired = true, expired
		set, _, err := policy.Merge(nil, nil, parse(t, "version: 1\nrules: [{id: mine, decision: allow, match: {command: frob}}]"), []*policy.File{bundle})
		if err != nil {
			t.Fatal(err)
		}
		if v := judge(set, tool.Call{Shell: true}, invocation("frob", nil)); v.Decision != tool.Deny || v.Rule != "theirs" {
			t.Errorf("expired %v: %s by %s", expired, v.Decision, v.Rule)
		}
		inv := invocation("grob", effects(t, "write /srv/a"))
		if v := judge(set, tool.Call{Shell: true}, inv); (v.Decision == tool.Allow) == expired {
			t.Errorf("expired %v: %s by %s", expired, v.Decision, v.Rule)
		}
	}
}

// TestWhyOff: of a rule that is off it is said by whose word.
func TestWhyOff(t *testing.T) {
	const rules = "version: 1\nrules: [{id: a, decision: ask, match: {command: x}}, {id: b, decision: allow, match: {command: y}}, {id: c, level: strict, decision: ask, match: {command: z}}]"
	project, bundle := parse(t, rules), parse(t, strings.NewReplacer("id: a", "id: d", "id: b", "id: e", "id: c", "id: f").Replace(rules))
	bundle.Bundled, bundle.Expired = true, true
	user := parse(t, "version: 1\ndisable: [a, d]")
	set, _, err := policy.Merge(nil, []*policy.File{project}, user, []*policy.File{bundle})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, off := range set.At(policy.High).Off() {
		got[off.ID] = off.Why
	}
	for id, want := range map[string]string{
		"a": "disabled by user, rules.yaml:2", "b": "the project is not trusted and may only tighten the rules", "c": "safety_level is high", "e": "the bundle has expired, and its allow rules no longer count", "f": "safety_level is high",
	} {
		if got[id] != want {
			t.Errorf("%s: %q, want %q", id, got[id], want)
		}
	}
	if len(got) != 5 {
		t.Errorf("%q", got)
	}
}

// TestUntrustedNames: what a file that may only tighten lifts does not count, so that it may name
// rules that are not there; and one that only tightens is not spoken of.
func TestUntrustedNames(t *testing.T) {
	f := parse(t, "version: 1\nrules: [{id: a, decision: allow, match: {command: x}, overrides: [nothing]}]")
	for _, trusted := range []bool{false, true} {
		f.Trusted = trusted
		if _, _, err := policy.Merge(nil, []*policy.File{f}, nil, nil); (err != nil) != trusted {
			t.Errorf("trusted %v: %v", trusted, err)
		}
	}
	strict := parse(t, "version: 1\ndefault_decision: deny\nsafety_level: strict\nwalls: on\nrules: [{id: a, decision: deny, match: {command: x}}]")
	if _, notices, err := policy.Merge(nil, []*policy.File{strict}, nil, nil); len(notices) > 0 || err != nil {
		t.Errorf("%q, %v", notices, err)
	}
}

// TestWallsOfLayers: walls are open where anybody says so who may.
func TestWallsOfLayers(t *testing.T) {
	open := func(name string) *policy.File {
		return &policy.File{Walls: policy.Walls{Write: []string{name + "-write"}, Sockets: []string{name + "-sockets"}, Hosts: []string{name + "-hosts"}, Env: []string{name + "-env"}}}
	}
	for _, trusted := range []bool{false, true} {
		project, bundle := open("project"), open("bundle")
		project.Trusted, bundle.Expired = trusted, true
		s, _, err := policy.Merge(nil, []*policy.File{project}, open("user"), []*policy.File{open("managed"), bundle})
		if err != nil {
			t.Fatal(err)
		}
		for kind, list := range map[string][]string{"write": s.Walls.Write, "sockets": s.Walls.Sockets, "hosts": s.Walls.Hosts, "env": s.Walls.Env} {
			want := []string{"user-" + kind, "managed-" + kind}
			if trusted {
				want = append([]string{"project-" + kind}, want...)
			}
			if !slices.Equal(list, want) {
				t.Errorf("trusted %v, %s: %q", trusted, kind, list)
			}
		}
	}
}

// TestUndoOfLayers: what is kept is for users and administrators to say; a project's file has no say, trusted or not.
func TestUndoOfLayers(t *testing.T) {
	off := func(days int) *policy.File {
		return &policy.File{Name: "a file", Undo: policy.Undo{Given: true, Off: true, Days: days, Exclude: []string{"*"}}}
	}
	for _, trusted := range []bool{false, true} {
		project := off(1)
		project.Trusted = trusted
		s, notices, err := policy.Merge(nil, []*policy.File{project}, nil, nil)
		if err != nil || s.Undo.Given || len(notices) != 1 || !strings.Contains(notices[0], "undo is ignored") {
			t.Errorf("trusted %v: %+v, %q, %v", trusted, s.Undo, notices, err)
		}
		s, _, err = policy.Merge(nil, []*policy.File{project}, off(2), nil)
		if err != nil || s.Undo.Days != 2 {
			t.Errorf("the user's: %+v, %v", s.Undo, err)
		}
		s, _, err = policy.Merge(nil, []*policy.File{project}, off(2), []*policy.File{off(3)})
		if err != nil || s.Undo.Days != 3 {
			t.Errorf("the administrator's: %+v, %v", s.Undo, err)
		}
	}
}
