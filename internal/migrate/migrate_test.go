package migrate

import (
	"strings"
	"testing"

	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// files are small examples of every format.
var files = map[string]string{
	"settings.json": `{"permissions": {"allow": ["Bash(ls:*)", "Bash(npm run *)", "Bash", "Read(~/notes/**)", "Read(/x)", "Edit(src/*.go)", "WebFetch(domain:a.b)", "mcp__x__y", "Bash(a | b)", "Bash(a | b:*)", "Bash(git * main)"],
		"deny": ["Bash(git push --force:*)", "Bash", "Read(.env)", "Read(//etc/**)", "mcp__x", "WebSearch", "Odd(x", "Bash(curl * | sh)", "Task(x)"], "ask": ["Bash(git commit)", "Write(./a/)"], "defaultMode": "plan"}}`,
	"hooks.config.json": `{"PreToolUse": {"Bash": [{"command": "rm", "args": "-rf", "decision": "block"}, {"command": "ls", "decision": "approve"}, {"decision": "approve"}, {"decision": "block"}, {"command": "x", "args": "("}], "Write": [{"decision": "block"}, {"args": "x", "decision": "block"}]}}`,
	".safety-net.json":  `{"version": 1, "rules": [{"name": "n", "command": "git", "subcommand": "add", "block_args": ["-A", "."], "reason": "r"}, {"name": "m", "command": "git"}, {"name": "o", "command": "x", "block_args": ["y"], "regex": "z"}, "book"]}`,
	".dippy":            "# c\nallow just *\nask *prod* \"say \\\"so\\\"\"\ndeny rm -rf /*\nallow ls\nask docker rm[!i] ?*\ndeny-redirect .env*\nallow-redirect /tmp/**\nask-mcp mcp__*\nallow-mcp a\nallow-web\nafter x\nset default allow\nallow ~/bin/x\nallow\ndeny a|b *\nfrob\n",
	".nah.yaml":         "actions: {filesystem_delete: ask, git_history_rewrite: block, git_safe: allow, obfuscated: block, deploys: block}\nclassify: {deploys: [shipit now, \"frob -x\"], other: [x]}\nsensitive_paths: {~/taxes: block, ~/.kube: ask, ~/a: allow}\nsensitive_basenames: {.npmrc: ask}\ntrusted_paths: [~/builds]\nllm: {enabled: true}\nallow_paths: {~/.aws/config: [/x]}\nknown_registries: [a]\n",
	"pack.yaml":         "schema_version: 1\nid: a.b\ndestructive_patterns:\n- {name: prod, pattern: 'shipit\\s+--env\\s*=?\\s*prod', severity: critical, description: No}\n- {name: any, pattern: '(a|b) c', severity: low}\nsafe_patterns: [{name: s, pattern: x}]\n",
	"allowlist.toml":    "[[allow]]\nexact_command = \"git reset --hard\"\nreason = \"mine\"\n[[allow]]\ncommand_prefix = \"shipit status\"\nreason = \"r\"\n[[allow]]\nrule = \"core.git:x\"\nreason = \"r\"\n[packs]\nenabled = [\"kubernetes\"]\n[policy.rules]\n\"core.git:push\" = \"warn\"\n",
	"rules.yaml": `{version: 1, default_decision: ask, safety_level: odd, trust_level: minimal, include: [a.yaml], allowlists: {commands: [git status, {command: x, trust: minimal}, {trust: full}], paths: [/tmp/**], hosts: [a]},
		rules: [{id: a, level: high, match: {command: {any_of: [tar, bsdtar]}, flags: {starts_with: [-x]}}, decision: deny, reason: r}, {id: b, match: {args: {subcommand: [push], any_of: [main]}, command: git}, decision: ask},
		{id: c, match: {command: git, args: {argv_first_not: [config], min_args: 2}}, decision: deny}, {id: d, match: {command: git, args: {argv_first_not: [config]}}, decision: allow},
		{id: e, match: {pipeline: {stages: [{command: curl}, {command: sh, flags: {any_of: [-s]}}]}}, decision: deny}, {id: f, match: {redirect: {op: ">", target: "*.lock"}}, decision: ask}, {id: g, match: {command: x, env: {any_of: ["GIT_*"], case_insensitive: true}}, decision: ask}, {id: h, decision: deny}, {id: i, match: {odd: 1}, decision: deny}], odd: 1}`,
}

// check: every entry is either taken over, in one way, or says why not; and what is
// taken over is valid.
func check(t *testing.T, d Draft) {
	t.Helper()
	for _, e := range d.Entries {
		ways := 0
		for _, is := range []bool{e.Why != "", e.Command != "", e.Path != ""} {
			if is {
				ways++
			}
		}
		if e.Match != "" && e.Why == "" && ways == 0 {
			ways++
		}
		// The words of a whole script are in its example.
		if ways == 0 && e.Example != "" && e.Decision == tool.Allow && !e.Given {
			ways++
		}
		if ways != 1 || e.Source == "" || e.Text == "" {
			t.Errorf("%+v is taken over in %d ways", e, ways)
		}
		if e.Match != "" && e.Why == "" {
			text := "version: 1\nrules:\n  - {id: x, match: " + e.Match + ", decision: " + e.Decision.String() + "}\n"
			if _, err := rulesfile.Parse("draft", []byte(text), nil); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

func TestRead(t *testing.T) {
	for name, text := range files {
		d, err := Read(name, []byte(text), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		check(t, d)
	}
	for name, want := range map[string]int{"settings.json": 16, "hooks.config.json": 4, ".safety-net.json": 2, ".dippy": 8, "rules.yaml": 9, ".nah.yaml": 8, "pack.yaml": 1, "allowlist.toml": 2} {
		d, _ := Read(name, []byte(files[name]), nil)
		taken := 0
		var left []string
		for _, e := range d.Entries {
			if e.Why == "" {
				taken++
			} else {
				left = append(left, e.Text+": "+e.Why)
			}
		}
		if taken != want {
			t.Errorf("%s: %d entries are taken over, want %d; left are\n%s", name, taken, want, strings.Join(left, "\n"))
		}
	}
	for _, bad := range []struct{ name, text string }{{"x.json", "{"}, {"x.json", "[]"}, {"x.json", "{}"}, {"x.yaml", "version: 2"}, {"x.yaml", "- a"}, {"x", "hello\n"}, {"x.toml", "a = "}} {
		if d, err := Read(bad.name, []byte(bad.text), nil); err == nil {
			t.Errorf("%s %q is read as %s", bad.name, bad.text, d.Kind)
		}
	}
}

// TestMatches looks at what single entries become.
func TestMatches(t *testing.T) {
	for text, want := range map[string]string{
		"Bash(git push --force:*)":  `{command: "git push", flags: {all_of: ["--force"]}}`,
		"Bash(git push origin *)":   `{command: "git push origin"}`,
		"Bash(git commit)":          `{command: git, text: "^commit$"}`,
		"Bash(git * main)":          `{command: git, text: "^.* main$"}`,
		"Bash(npm run test.unit *)": `{command: "npm run test.unit"}`,
		"Read(.env)":                `{effect: {kind: [read], paths: ["**/.env", "**/.env/**"]}}`,
		"Read(//etc/**)":            `{effect: {kind: [read], paths: ["/etc/**"]}}`,
		"Edit(src/*.go)":            `{effect: {kind: [create, write, delete], paths: ["./src/*.go", "./src/*.go/**"]}}`,
		"WebFetch(domain:a.b)":      `{effect: {kind: [fetch, send], hosts: [a.b, "*.a.b"]}}`,
		"mcp__x":                    `{tool: "mcp__x__*"}`,
		"Bash":                      `{text: ""}`,
	} {
		c := claudeFile{name: "settings.json"}
		if e := c.entry(text, tool.Deny); e.Match != want {
			t.Errorf("%s: %s (%s), want %s", text, e.Match, e.Why, want)
		}
	}
}

// FuzzRead: any bytes under any name are an error or entries of which each says what
// it became.
func FuzzRead(f *testing.F) {
	for name, text := range files {
		f.Add(name, []byte(text))
	}
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		d, err := Read(name, text, nil)
		if err != nil {
			return
		}
		for _, e := range d.Entries {
			if e.Why == "" && e.Match == "" && e.Command == "" && e.Path == "" && e.Example == "" {
				t.Errorf("%+v became nothing, and does not say why", e)
			}
		}
	})
}

// TestParseOlder: a rules file of the Rust longline is read where it lies, with what it includes; what means something else is said
// with its line, and a rule that objects never gets lost.
func TestParseOlder(t *testing.T) {
	files := map[string]string{
		"rules.yaml": "version: 1\ndefault_decision: ask\ntrust_level: standard\ninclude: [base.yaml]\n",
		"base.yaml": `allowlists:
  commands: [{command: mytool run, trust: standard}, {command: mytool deploy, trust: full}]
rules:
  - {id: remotes, level: high, match: {command: git, args: {any_of: [remote]}, flags: {any_of: [add, rm]}}, decision: ask, reason: r}
  - {id: keys, level: high, match: {command: git, args: {any_of: [core.hooksPath], case_insensitive: true}}, decision: deny, reason: r}
  - {id: two, level: high, match: {command: frob, args: {any_of: [a], case_insensitive: true, min_args: 2}}, decision: deny, reason: r}
  - {id: lets, level: high, match: {command: x, args: {argv_first_not: [y]}}, decision: allow, reason: r}
`,
	}
	f, err := Parse("rules.yaml", []byte(files["rules.yaml"]), func(_, name string) (string, []byte, error) { return name, []byte(files[name]), nil })
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range f.Rules {
		got = append(got, r.ID+" "+r.Decision.String()+" "+r.Source)
	}
	if want := "remotes ask base.yaml:4, keys deny base.yaml:5, two ask base.yaml:6"; strings.Join(got, ", ") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, ", "), want)
	}
	if len(f.AllowCommands) != 1 || f.AllowCommands[0].Text != "mytool run" {
		t.Errorf("%+v", f.AllowCommands)
	}
	remarks := strings.Join(f.Remarks, "\n")
	for _, want := range []string{"4 of its 5 entries are followed", "base.yaml:6: deny rule two: two conditions", "base.yaml:7: allow rule lets is not followed"} {
		if !strings.Contains(remarks, want) {
			t.Errorf("%q is missing in\n%s", want, remarks)
		}
	}
	// A slip in a file of this longline stays an error.
	if _, err := Parse("rules.yaml", []byte("version: 1\nruels: []\n"), nil); err == nil {
		t.Error("a wrong key is accepted")
	}
}
