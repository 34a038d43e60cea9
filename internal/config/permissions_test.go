package config

import (
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// Claude Code's own permissions, from each of the files they may stand in.
func TestClaudePermissions(t *testing.T) {
	const (
		allow = `{"permissions":{"allow":["Bash(frobnicate:*)","Bash(curl:*)"]}}`
		deny  = `{"permissions":{"deny":["Bash(frobnicate:*)"]}}`
		ask   = `{"permissions":{"ask":["Bash(frobnicate:*)"]}}`
		only  = `{"allowManagedPermissionRulesOnly":true}`
	)
	const user, project, local, managed = "home/.claude/settings.json=", "home/p/.claude/settings.json=", "home/p/.claude/settings.local.json=", "claude/managed-settings.json="
	const record = "home/" + RecordFile + "=CLAUDE_CONFIG_DIR=ROOT/dir\n"
	for _, test := range []struct {
		name  string
		files []string
		agent string
		env   []string
		want  tool.Decision
	}{
		{"none", nil, "claude", nil, tool.Ask},
		{"user", []string{user + allow}, "claude", nil, tool.Allow},
		{"another agent", []string{user + allow}, "codex", nil, tool.Ask},
		{"managed", []string{managed + allow}, "claude", nil, tool.Allow},
		{"drop-in", []string{"claude/managed-settings.d/a.json=" + allow}, "claude", nil, tool.Allow},
		{"project", []string{project + allow}, "claude", nil, tool.Ask},
		{"local", []string{local + allow}, "claude", nil, tool.Ask},
		{"managed only", []string{managed + only, user + allow}, "claude", nil, tool.Ask},
		{"user denies", []string{user + deny}, "claude", nil, tool.Deny},
		{"project denies", []string{user + allow, project + deny}, "claude", nil, tool.Deny},
		{"local asks", []string{user + allow, local + ask}, "claude", nil, tool.Ask},
		{"managed denies", []string{user + allow, managed + deny}, "claude", nil, tool.Deny},
		{"comment", []string{user + "{// x\n" + allow[1:]}, "claude", nil, tool.Ask},
		{"moved", []string{"dir/settings.json=" + allow}, "claude", []string{"CLAUDE_CONFIG_DIR=ROOT/dir"}, tool.Ask},
		{"moved, recorded", []string{record, "dir/settings.json=" + allow}, "claude", []string{"CLAUDE_CONFIG_DIR=ROOT/dir"}, tool.Allow},
		{"moved away, recorded", []string{record, user + allow, "dir/"}, "claude", []string{"CLAUDE_CONFIG_DIR=ROOT/dir"}, tool.Ask},
		{"moved into the project", []string{"home/p/x/settings.json=" + allow}, "claude", []string{"CLAUDE_CONFIG_DIR=ROOT/home/p/x"}, tool.Ask},
	} {
		root := tree(t, append(test.files, "home/p/.git/", "home/p/package.json={}")...)
		replaceIn(t, filepath.Join(root, "home", RecordFile), "ROOT", root)
		env := Env{"HOME=" + filepath.Join(root, "home")}
		for _, v := range test.env {
			env = append(env, strings.ReplaceAll(v, "ROOT", root))
		}
		c, err := Load(Options{Parse: rulesfile.ParseNamed, Dir: filepath.Join(root, "home/p"), Env: env, managed: filepath.Join(root, "etc"), claudeAdmin: filepath.Join(root, "claude")})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		v, _ := c.Judge(tool.Call{Agent: test.agent, Tool: "Bash", Dir: c.Dir, Script: "frobnicate all", Shell: true})
		if v.Decision != test.want {
			t.Errorf("%s: got %v by %s, want %v", test.name, v.Decision, v.Rule, test.want)
		}
	}
}

// TestPermissionsBeforeRewrite: the client holds its rules against a changed command only;
// longline holds what they forbid against what was asked for, too. What is forbidden is not
// changed, and what may only be asked about still is.
func TestPermissionsBeforeRewrite(t *testing.T) {
	root := tree(t, "home/p/.git/", "home/.config/longline/rules.yaml=version: 1\nsandbox: {dir: ~/sandbox}\n", "home/sandbox/",
		`home/.claude/settings.json={"permissions":{"deny":["Bash(curl -O https://example.com/x.tgz)"],"ask":["Bash(git clone https://example.com/r)"],"allow":["Bash(wget:*)"]}}`,
		`admin/managed-settings.d/a.json={"permissions":{"deny":["Bash(curl -O https://example.com/managed.tgz)"]}}`,
		`home/p/.claude/settings.json={"permissions":{"ask":["Bash(curl -O https://example.com/own.tgz)"]}}`,
		"home/p/.claude/settings.local.json=")
	c, err := Load(Options{
		Parse: rulesfile.ParseNamed, Dir: filepath.Join(root, "home/p"), known: filepath.Join(root, "home"), managed: filepath.Join(root, "etc"), claudeAdmin: filepath.Join(root, "admin"),
		Env: Env{"HOME=" + filepath.Join(root, "home")},
	})
	if err != nil {
		t.Fatal(err)
	}
	for script, want := range map[string]tool.Decision{
		"curl -O https://example.com/x.tgz":                         tool.Deny,
		"true && curl -O https://example.com/x.tgz":                 tool.Deny,
		"curl -O https://example.com/managed.tgz":                   tool.Deny,
		"curl -O https://example.com/own.tgz":                       tool.Ask,
		"git clone https://example.com/r":                           tool.Ask,
		"git clone https://example.com/r; wget https://example.com": tool.Ask,
		"curl -O https://example.com/y.tgz":                         tool.Allow,
	} {
		call := tool.Call{Tool: "Bash", Dir: c.Dir, Script: script, Shell: true, Agent: "codex"}
		if v, _ := c.Judge(call); v.Rewrite == "" || v.Decision >= tool.Ask {
			t.Fatalf("%q of another client is not changed: %+v", script, v)
		}
		call.Agent = "claude"
		v, invs := c.Judge(call)
		if v.Decision != want || (v.Rewrite == "") != (want == tool.Deny) {
			t.Errorf("%q: %v, %q", script, v.Decision, v.Rewrite)
		}
		for _, f := range v.Findings {
			if f.Invocation >= len(invs) || f.Span.End > len(v.Judged(script)) {
				t.Errorf("%q: a finding points at nothing: %+v", script, f)
			}
		}
	}
}

// TestForbiddenIsNotChanged: of a command that the user's permissions forbid nothing runs, in a
// sandbox or behind a wall either.
func TestForbiddenIsNotChanged(t *testing.T) {
	for _, test := range []struct{ settings, script string }{{"walls: on", "go test ./..."}, {"sandbox: {dir: ~/sandbox}", "git clone https://github.com/o/r"}} {
		for _, rule := range []string{"", "Bash", "Bash(go test:*)", "Bash(git clone:*)"} {
			c, err := load(t, tree(t, "home/p/.git/", "home/sandbox/", "home/.config/longline/rules.yaml=version: 1\n"+test.settings+"\n", `home/.claude/settings.json={"permissions":{"deny":["`+rule+`"]}}`), "home/p", "")
			if err != nil {
				t.Fatal(err)
			}
			v, _ := c.Judge(tool.Call{Agent: "claude", Tool: "Bash", Dir: c.Dir, Script: test.script, Shell: true, Attended: true})
			denied := rule == "Bash" || rule != "" && strings.HasPrefix(test.script, strings.TrimSuffix(strings.TrimPrefix(rule, "Bash("), ":*)"))
			if (v.Decision == tool.Deny) != denied || denied && (v.Rewrite != "" || v.Context != "" || v.Walled != nil) {
				t.Errorf("%s, %s, deny %q: %s, %q, %q, %q", test.settings, test.script, rule, v.Decision, v.Rewrite, v.Context, v.Walled)
			}
			if changes := strings.HasPrefix(test.settings, "sandbox") || WallSystem; !denied && changes && v.Rewrite == "" {
				t.Errorf("%s, %s, deny %q: it is not changed", test.settings, test.script, rule)
			}
		}
	}
}

// TestAdditionalDirectories: a directory that the user or the administrator adds is
// written to as the project is, and no more than that: deletions, code, secrets and
// startup files in it are asked about as elsewhere, and a home directory or the system's
// is no such directory. What the project's settings add counts once it is confirmed.
func TestAdditionalDirectories(t *testing.T) {
	const confirmed = `directory "../lib"` + "\n"
	for _, test := range []struct {
		file, dirs, pinned string
		written            bool // what is in home/lib
	}{
		{"home/.claude/settings.json", `"~/lib"`, "", true},
		{"home/.claude/settings.json", `"../lib"`, "", true},
		{"admin/managed-settings.json", `"~/lib"`, "", true},
		{"home/p/.claude/settings.json", `"~/lib"`, "", false},
		{"home/p/.claude/settings.local.json", `"../lib"`, "", false},
		{"home/p/.claude/settings.local.json", `"../lib"`, confirmed, true},
		{"home/p/.claude/settings.local.json", `"../lib2", "~"`, confirmed, false},
		{"home/.claude/settings.json", `"~"`, "", false},
		{"home/.claude/settings.json", `"~/"`, "", false},
		{"home/.claude/settings.json", `"/"`, "", false},
		{"home/.claude/settings.json", `".."`, "", false},
		{"home/.claude/settings.json", `"~/.ssh", "/usr", "/etc"`, "", false},
	} {
		root := tree(t, "home/p/.git/", "home/lib/a.txt=a", "home/.ssh/id_rsa=key", test.file+`={"permissions":{"additionalDirectories":[`+test.dirs+`]}}`)
		cfg, err := Load(Options{
			Parse: rulesfile.ParseNamed, Dir: filepath.Join(root, "home/p"), known: filepath.Join(root, "home"), managed: filepath.Join(root, "etc"), claudeAdmin: filepath.Join(root, "admin"),
			Env: Env{"HOME=" + filepath.Join(root, "home")}, Pinned: func(_, _, _ string) string { return test.pinned },
		})
		if err != nil {
			t.Fatal(err)
		}
		cfg.UseMeans(0)
		decide := func(script string) tool.Decision {
			v, _ := cfg.Judge(tool.Call{Agent: "claude", Tool: "Bash", Dir: cfg.Dir, Script: script, Shell: true, Edits: true, Attended: true})
			return v.Decision
		}
		if got := decide("echo x > ../lib/b.txt") < tool.Ask; got != test.written {
			t.Errorf("%s adds %s: a file in lib can be written: %v", test.file, test.dirs, got)
		}
		for _, script := range []string{
			"rm ../lib/a.txt", "rm -rf ../lib", "bash ../lib/x.sh", "make -C ../lib", "echo x > ../lib/.git/hooks/post-commit", "echo {} > ../lib/.claude/settings.json", "cat ~/.ssh/id_rsa", "cp x ~/.ssh/authorized_keys",
			"echo x >> ~/.bashrc", "echo x > ~/.config/longline/rules.yaml", "echo x > ~/notes.txt", "echo x > /usr/bin/x", "echo x > /etc/hosts", "rm -rf ~/", "git push --force",
		} {
			if d := decide(script); d < tool.Ask {
				t.Errorf("%s adds %s: %s is %s", test.file, test.dirs, script, d)
			}
		}
	}
}
