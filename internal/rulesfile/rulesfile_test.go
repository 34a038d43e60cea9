package rulesfile

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"longline/internal/policy"
	"longline/internal/source"
	"longline/internal/tool"
)

const everything = `
version: 1
default_decision: pass
safety_level: strict
on_allow: pass
builtin: false
log: {path: /var/log/x.jsonl}
disable: [a, b]
allowlists:
  commands:
    - git status
    - git  log
  paths: ["/tmp/**", "~/{a,b}/**"]
rules:
  - id: one
    level: critical
    match:
      command: {any_of: [git push, hub push]}
      flags: {any_of: [-f, --force=x], all_of: -v, none_of: [--dry-run]}
      args: {any_of: ["src/**"]}
      redirect: {op: [">", "2>>"], target: /etc/**}
      env: {PATH: , LD_PRELOAD: ["*.so"]}
      effect: {kind: [write, send], zones: [home, system], paths: [~/x], hosts: "*.example.com", tree: true, sweep: false, reach: [exact, under], with: {kind: fetch}, except: {zones: project, names: git.*}}
      in: [project]
      tool: {any_of: [Write, "mcp__*"]}
      mode: {edits: true}
    decision: deny
    reason: It is so
    suggest: Do otherwise
  - id: two
    match: {pipeline: {stages: [{command: curl, flags: -s}, {command: [sh, bash], args: "-"}]}}
    decision: allow
    overrides: one
tests:
  - {id: t, command: "rm -rf /", cwd: /srv, edits: true, safety_level: high, expected: {decision: deny, rule_id: one}}
`

func TestEveryKey(t *testing.T) {
	f, err := Parse("r.yaml", []byte(everything), nil)
	if err != nil {
		t.Fatal(err)
	}
	kinds := policy.KindSet(0).With(tool.Write).With(tool.Send)
	want := &policy.File{
		Name: "r.yaml", Default: tool.Pass, HasDefault: true, Safety: policy.Strict, OnAllowPass: true, NoBuiltin: true, LogPath: "/var/log/x.jsonl",
		Disable: []policy.Named{{ID: "a", Source: "r.yaml:8"}, {ID: "b", Source: "r.yaml:8"}},
		AllowCommands: []policy.Allowed{
			{Text: "git status", Source: "r.yaml:11"},
			{Text: "git log", Source: "r.yaml:12"},
		},
		AllowPaths: []policy.Allowed{
			{Text: "/tmp/**", Source: "r.yaml:13"},
			{Text: "~/a/**", Source: "r.yaml:13"},
			{Text: "~/b/**", Source: "r.yaml:13"},
		},
		Rules: []policy.Rule{
			{
				ID: "one", Level: policy.Critical, Decision: tool.Deny, Reason: "It is so", Suggest: "Do otherwise", Source: "r.yaml:15",
				Match: policy.Match{
					Commands: []policy.Command{{"git", "push"}, {"hub", "push"}},
					Flags:    policy.Lists{Any: []string{"-f", "--force"}, All: []string{"-v"}, None: []string{"--dry-run"}},
					Args:     policy.Lists{Any: []string{"src/**"}},
					Redirect: policy.Redirect{Ops: []string{">", "2>>"}, Targets: []string{"/etc/**"}},
					Env:      []policy.Variable{{Name: "PATH"}, {Name: "LD_PRELOAD", Values: []string{"*.so"}}},
					Effect: policy.Effect{
						Kinds: kinds, Tree: policy.Yes, Sweep: policy.No, Reach: policy.ReachExact | policy.ReachUnder,
						Places: policy.Places{Zones: policy.ZoneSet(0).With(policy.ZoneHome).With(policy.ZoneSystem), Paths: []string{"~/x"}, Hosts: []string{"*.example.com"}},
						Except: policy.Places{Zones: policy.ZoneSet(0).With(policy.ZoneProject), Names: []string{"git.*"}},
						With:   &policy.Effect{Kinds: policy.KindSet(0).With(tool.Fetch)},
					},
					In:    policy.ZoneSet(0).With(policy.ZoneProject),
					Tools: []string{"Write", "mcp__*"},
					Edits: policy.Yes,
				},
			},
			{
				ID: "two", Level: policy.Critical, Decision: tool.Allow, Source: "r.yaml:30", Overrides: []string{"one"},
				Match: policy.Match{Stages: []policy.Stage{
					{Commands: []policy.Command{{"curl"}}, Flags: policy.Lists{Any: []string{"-s"}}},
					{Commands: []policy.Command{{"sh"}, {"bash"}}, Args: policy.Lists{Any: []string{"-"}}},
				}},
			},
		},
		Tests: []policy.Test{{ID: "t", Command: "rm -rf /", Dir: "/srv", Edits: true, Safety: policy.High, Decision: tool.Deny, Rule: "one", Source: "r.yaml:35"}},
	}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("got\n%+v\nwant\n%+v", f, want)
	}

	// The compact form holds everything but the tests.
	want.Tests = nil
	data := policy.Encode(f)
	back, err := policy.Decode(data)
	if err != nil || !reflect.DeepEqual(back, want) {
		t.Errorf("after encoding: %v\ngot\n%+v\nwant\n%+v", err, back, want)
	}
	for n := range data {
		if _, err := policy.Decode(data[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are read without an error", n, len(data))
		}
	}
}

// The example of the format's first description is read as it stands.
func TestFirstExample(t *testing.T) {
	text := `
version: 1
default_decision: ask
safety_level: high

allowlists:
  commands:
    - git status
    - git diff
  paths:
    - "/tmp/**"

rules:
  - id: rm-recursive-root
    level: critical
    match:
      command: rm
      flags:
        any_of: ["-r", "-R", "--recursive"]
      args:
        any_of: ["/", "/*", "/home", "/etc"]
    decision: deny
    reason: "Recursive delete of a system path"

  - id: curl-pipe-shell
    level: critical
    match:
      pipeline:
        stages:
          - command: { any_of: [curl, wget] }
          - command: { any_of: [sh, bash, zsh] }
    decision: deny
    reason: "A download piped into a shell"
`
	f, err := Parse("r.yaml", []byte(text), nil)
	if err != nil || len(f.Rules) != 2 || len(f.Rules[1].Match.Stages) != 2 {
		t.Errorf("%+v, %v", f, err)
	}
}

// The mark § stands where the error is to point.
func TestMistakes(t *testing.T) {
	rule := func(rest string) string { return "version: 1\nrules:\n  - {id: a, decision: deny, " + rest + "}" }
	tests := []struct{ text, message string }{
		{"version: §2", `unknown version "2"`},
		{"§rules: []", "the version is missing"},
		{"version: 1\nrules: [§null]", `the rule has no "match"`},
		{"version: 1\nrules:\n  -§ ", `the rule has no "id"`},
		{"version: 1\ntests: [§null]", "a test needs a command"},
		{"version: 1\nlog: {path: \"§\x01\"}", "the control character U+0001 is not allowed"},
		{"version: 1\nallowlists: {paths: [§'" + strings.Repeat("a", maxGlob+1) + "']}", "is not a valid glob"},
		{"version: 1\n§safty_level: high", `unknown key "safty_level"; did you mean "safety_level"?`},
		{"version: 1\nsafety_level: §hihg", `unknown level "hihg"; did you mean "high"?`},
		{"version: 1\ndefault_decision: §alow", `did you mean "allow"?`},
		{"version: 1\ndefault_decision: §[ask]", "expected text, found a list"},
		{"version: 1\non_allow: §deny", `unknown answer "deny"`},
		{"version: 1\nbuiltin: §no way", "expected true or false"},
		{"version: 1\nallowlists: {commands: [§\"\"]}", "would allow every command"},
		{"version: 1\nallowlists: {commands: [§\"*\"]}", "would match every command"},
		{"version: 1\nallowlists: {paths: [§\"/tmp/[\"]}", "a [ without a ]"},
		{"version: 1\nallowlists: {paths: [§\"/tmp/{a\"]}", "a { without a }"},
		{"version: 1\nrules: §{id: a}", "expected a list, found a mapping"},
		{"version: 1\nrules: [§{match: {command: x}, decision: deny}]", `the rule has no "id"`},
		{"version: 1\nrules: [§{id: a, decision: deny}]", `the rule has no "match"`},
		{"version: 1\nrules: [§{id: a, match: {command: x}}]", `the rule has no "decision"`},
		{"version: 1\nrules: [{id: §a b, match: {command: x}, decision: deny}]", "contains a space"},
		{"version: 1\nrules:\n- {id: a, match: {command: x}, decision: deny}\n- {id: §a, match: {command: y}, decision: deny}", `the id "a" is taken, first in r.yaml:3`},
		{rule("match: §{}"), "an empty match would match everything"},
		{rule("match: §"), "an empty match would match everything"},
		{rule("match: {command: §[]}"), "an empty list matches nothing"},
		{rule("match: {command: {any_of: §[]}}"), "an empty list matches nothing"},
		{rule("match: {§comand: x}"), `did you mean "command"?`},
		{rule("match: {command: §\"\"}"), "an empty command"},
		{rule("match: {flags: §r}"), "does not begin with a dash"},
		{rule("match: {flags: §{}}"), "empty, which would match everything"},
		{rule("match: {args: §\"[\"}"), "a [ without a ]"},
		{rule("match: {redirect: {op: §\"=>\"}}"), `unknown redirection operator "=>"`},
		{rule("match: {pipeline: §{stages: []}}"), "the pipeline has no stages"},
		{rule("match: {effect: {kind: §wirte}}"), `unknown kind of effect "wirte"; did you mean "write"?`},
		{rule("match: {effect: {zones: [§hoem]}}"), `did you mean "home"?`},
		{rule("match: {effect: {names: §git.psh}}"), `did you mean "git.push"?`},
		{rule("match: {effect: {names: §\"fetch:*\"}}"), `unknown kind of code "fetch"; did you mean "fetched"?`},
		{rule("match: {effect: {reach: §exactly}}"), `did you mean "exact"?`},
		{rule("match: {effect: §{kind: read, hosts: x}}"), "hosts say nothing about effects of this kind"},
		{rule("match: {effect: §{}}"), "empty, which would match everything"},
		{rule("match: {mode: {edits: §maybe}}"), "expected true or false"},
		{rule("match: {command: x}, overrides: §[b]"), "only a rule that allows or passes"},
		{rule("match: {session: §{}}"), "empty, which would match everything"},
		{rule("match: {session: {§untrused: true}}"), `did you mean "untrusted"?`},
		{rule("match: {session: {secret: §perhaps}}"), "expected true or false"},
		{rule("match: §{command: x, session: {secret: false}}"), "can only make answers stricter"},
		{"version: 1\nrules: [{id: a, decision: allow, match: §{command: x, session: {secret: true}}}]", "can only make answers stricter"},
		{"version: 1\ntests: [{command: x, session: {§fetchd: [a]}, expected: {decision: ask}}]", `did you mean "fetched"?`},
		{"version: 1\ntests: [§{command: x}]", "needs a command and expected.decision"},
		{"version: 1\ninclude: §x.yaml", "include cannot be used here"},
		{"version: 1\n§version: 1", "given twice"},
		{"version: 1\n---\n§version: 1", "one document"},
	}
	for _, tt := range tests {
		before, after, ok := strings.Cut(tt.text, "§")
		if !ok {
			t.Fatalf("no mark in %q", tt.text)
		}
		line := strings.Count(before, "\n") + 1
		column := len(before) - strings.LastIndex(before, "\n")
		_, err := Parse("r.yaml", []byte(before+after), nil)
		var list source.Errors
		errors.As(err, &list)
		found := false
		for _, e := range list {
			found = found || e.Line == line && e.Column == column && strings.Contains(e.Error(), tt.message)
		}
		if !found {
			t.Errorf("%q: want %q at %d:%d, got\n%v", tt.text, tt.message, line, column, err)
		}
	}
	if _, err := Parse("r.yaml", []byte("version: 1\nrules: ["), nil); err == nil {
		t.Error("what is no YAML is read without an error")
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	_, err := Parse("r.yaml", []byte("version: 1\nsafety_level: x\nrules: [{id: a, decision: y, match: {comand: z}}]"), nil)
	var list source.Errors
	if !errors.As(err, &list) || len(list) != 3 {
		t.Errorf("want three errors, got\n%v", err)
	}
}

func TestInclude(t *testing.T) {
	files := map[string]string{
		"/c/a.yaml":      "version: 1\ninclude: [b.yaml]\nsafety_level: high\nrules: [{id: a, decision: ask, match: {command: a}}]",
		"/c/b.yaml":      "version: 1\ninclude: c.yaml\nsafety_level: strict\ndefault_decision: deny\nrules: [{id: b, decision: ask, match: {command: b}}]",
		"/c/c.yaml":      "version: 1\nrules: [{id: c, decision: ask, match: {command: c}}]",
		"/c/x.yaml":      "version: 1\ninclude: y.yaml",
		"/c/y.yaml":      "version: 1\ninclude: x.yaml",
		"/c/d.yaml":      "version: 1\ninclude: [c.yaml]\nrules: [{id: c, decision: ask, match: {command: d}}]",
		"/c/e.yaml":      "version: 1\ninclude: [broken.yaml, missing.yaml]",
		"/c/broken.yaml": "version: 1\nrule: []",
	}
	open := func(_, name string) (string, []byte, error) {
		full := "/c/" + strings.TrimPrefix(name, "/c/")
		text, ok := files[full]
		if !ok {
			return full, nil, errors.New("no such file")
		}
		return full, []byte(text), nil
	}
	parse := func(name string) (*policy.File, error) { return Parse("/c/"+name, []byte(files["/c/"+name]), open) }
	f, err := parse("a.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range f.Rules {
		ids = append(ids, r.ID)
	}
	if strings.Join(ids, " ") != "c b a" || f.Safety != policy.High || f.Default != tool.Deny || f.Rules[0].Source != "/c/c.yaml:2" {
		t.Errorf("included: %q, %+v", ids, f)
	}
	for name, want := range map[string][]string{
		"x.yaml": {"includes itself: /c/x.yaml > /c/y.yaml > /c/x.yaml"},
		"d.yaml": {`the id "c" is taken, first in /c/d.yaml`},
		"e.yaml": {`/c/broken.yaml:2:1: unknown key "rule"; did you mean "rules"?`, `cannot include "missing.yaml": no such file`},
	} {
		_, err := parse(name)
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				// Which of two equal ids comes first depends on the order in the file.
				if name == "d.yaml" && err != nil && strings.Contains(err.Error(), `the id "c" is taken`) {
					continue
				}
				t.Errorf("%s: want %q, got\n%v", name, w, err)
			}
		}
	}
}

func TestUndoSettings(t *testing.T) {
	for text, want := range map[string]string{
		"undo: off":                      "{Given:true Off:true Days:0 Size:0 Exclude:[] Include:[]}",
		"undo: on":                       "{Given:true Off:false Days:0 Size:0 Exclude:[] Include:[]}",
		"undo: {days: 30, size: 2 GB}":   "{Given:true Off:false Days:30 Size:2000 Exclude:[] Include:[]}",
		"undo: {size: 500MB, off: true}": "{Given:true Off:true Days:0 Size:500 Exclude:[] Include:[]}",
		"undo: {exclude: '*.iso', include: [target/reports]}": "{Given:true Off:false Days:0 Size:0 Exclude:[*.iso] Include:[target/reports]}",
		"undo: maybe":              `unknown answer "maybe"`,
		"undo: {size: 7}":          `"7" is not a size`,
		"undo: {size: -1 GB}":      "is not a size",
		"undo: {days: never}":      "is not a number of days",
		"undo: {exclude: ~/x}":     "is not a glob of names in the project",
		"undo: {exclude: ../x}":    "is not a glob of names in the project",
		"undo: {exclde: [x]}":      "exclde",
		"undo: {off: true, no: 1}": "no",
	} {
		f, err := Parse("rules.yaml", []byte("version: 1\n"+text), nil)
		got := ""
		if f != nil {
			got = fmt.Sprintf("%+v", f.Undo)
		}
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
