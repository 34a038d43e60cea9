package install

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
)

// glob lists the files that match a pattern.
func (d disk) glob(pattern string) []string {
	var found []string
	for file := range d {
		if ok, _ := path.Match(pattern, file); ok {
			found = append(found, file)
		}
	}
	slices.Sort(found)
	return found
}

// exam looks at a disk on which longline is installed in an agent and files are
// as given. A file whose text is "-" is missing.
func exam(t *testing.T, agent string, files map[string]string, env map[string]string, modes map[string]fs.FileMode) []Finding {
	t.Helper()
	place := testPlace(agent)
	place.Getenv = func(name string) string { return env[name] }
	d := disk{}
	changes, err := Install(agent, place, testCommand, d.read)
	if err != nil {
		t.Fatal(err)
	}
	d.apply(changes)
	for file, text := range files {
		file = strings.Replace(file, "~", place.Home, 1)
		file = strings.Replace(file, "./", place.Project+"/", 1)
		switch {
		case text == "-":
			delete(d, file)
		case strings.HasPrefix(text, "+"): // beside what is installed
			old, ok := strings.CutPrefix(string(d[file]), "{")
			if !ok && len(d[file]) > 0 {
				t.Fatalf("%s is no object", file)
			}
			d[file] = []byte("{" + text[1:] + "," + old)
		case strings.HasPrefix(text, ">"): // after it
			d[file] = append(d[file], text[1:]...)
		default:
			d[file] = []byte(text)
		}
	}
	x := Exam{
		Agent: agent, Client: "The client", Place: place, Read: d.read,
		Mode: func(file string) (fs.FileMode, error) {
			if mode, ok := modes[file]; ok {
				if mode == 0 {
					return 0, errors.New("stat " + file + ": no such file")
				}
				return mode, nil
			}
			return 0o755, nil
		},
		Glob: d.glob,
	}
	if env["VERSION"] != "" {
		x.Version = env["VERSION"]
	}
	return x.Findings()
}

// TestExam: what is known to keep an agent from asking is found, with its weight,
// and every finding says how to fix it.
func TestExam(t *testing.T) {
	type files = map[string]string
	type env = map[string]string
	for _, test := range []struct {
		agent string
		files files
		env   env
		modes map[string]fs.FileMode
		want  string // "level text"; "" is nothing at all
	}{
		{agent: "claude"},
		{agent: "claude", files: files{"./.claude/settings.local.json": `{"disableAllHooks": true}`}, want: "fail settings.local.json sets disableAllHooks"},
		{agent: "claude", files: files{
			"./.claude/settings.json":                `{"disableAllHooks": true}`,
			"/etc/claude-code/managed-settings.json": `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/usr/bin/longline hook claude","timeout":10,"onFailure":"block"}]}]}}`,
		}, want: "warn settings.json sets disableAllHooks"},
		{agent: "claude", files: files{"/etc/claude-code/managed-settings.json": `{"disableAllHooks":true,"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/usr/bin/longline hook claude","timeout":10,"onFailure":"block"}]}]}}`}, want: "fail managed-settings.json sets disableAllHooks"},
		{agent: "claude", files: files{"./.claude/settings.json": `{"enabledPlugins": {"longline@x": false}}`}, want: "fail sets enabledPlugins.longline@x"},
		{agent: "claude", files: files{"./.claude/settings.json": `{"env": {"LD_PRELOAD": "x"}}`}, want: "warn sets env.LD_PRELOAD"},
		{agent: "claude", files: files{"./.claude/settings.local.json": "{ // no\n}"}, want: "fail The client ignores /home/dev/project/.claude/settings.local.json: 1:3"},
		{agent: "claude", files: files{"/etc/claude-code/managed-settings.d/x.json": `{"allowManagedHooksOnly": true}`}, want: "fail x.json sets allowManagedHooksOnly"},
		{agent: "claude", env: env{"CLAUDE_CODE_SIMPLE": "1"}, want: "fail the variable CLAUDE_CODE_SIMPLE is set"},
		{agent: "claude", env: env{"CLAUDE_CODE_SIMPLE": "0"}},
		{agent: "claude", env: env{"VERSION": "2.1.294"}, want: `warn The client 2.1.294 does not support "onFailure"`},
		{agent: "claude", env: env{"VERSION": "2.1.295"}},
		{agent: "claude", env: env{"VERSION": "2.2.0"}},
		{agent: "claude", modes: map[string]fs.FileMode{testCommand.Program: 0}, want: "fail the hook's program is gone"},
		{agent: "claude", modes: map[string]fs.FileMode{testCommand.Program: 0o644}, want: "fail longline cannot be run"},
		{agent: "claude", modes: map[string]fs.FileMode{testCommand.Program: 0o777}, want: "warn can be changed by others"},
		{agent: "claude", files: files{"./.claude/settings.json": `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"./rewriter"}]}]}}`}, want: "note has another hook before tools (./rewriter)"},
		{agent: "claude", files: files{"~/.claude/settings.json": `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"longline hook claude"}]}]}}`}, want: `fail the hook starts "longline"`},

		{agent: "codex"},
		{agent: "codex", files: files{"~/.codex/config.toml": ">[features]\nhooks = false\n"}, want: "fail config.toml sets features.hooks to false"},
		{agent: "codex", files: files{"~/.codex/config.toml": ">[features]\ncodex_hooks = false\n"}, want: "fail sets features.codex_hooks to false"},
		{agent: "codex", files: files{"~/.codex/config.toml": ">[features]\nhooks = true\n"}},
		{agent: "codex", files: files{"./.codex/config.toml": "profile = \"p\"\n[profiles.p.features]\nhooks = false\n"}, want: "fail sets profiles.p.features.hooks to false"},
		{agent: "codex", files: files{"/etc/codex/requirements.toml": "allow_managed_hooks_only = true\n"}, want: "fail sets allow_managed_hooks_only"},
		{agent: "codex", files: files{"~/.codex/config.toml": "-"}, want: "fail holds no record that you trust it"},
		{agent: "codex", files: files{"~/.codex/config.toml": ">enabled = false\n"}, want: "fail config.toml sets enabled to false for longline's hook at PostToolUse"},
		{agent: "codex", files: files{"~/.codex/hooks.json": `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/usr/bin/longline hook codex","timeout":10}]}]}}`}, want: "fail is of another hook"},
		{agent: "codex", files: files{"./.codex/hooks.json": `{"hooks":{"PreToolUse":[{"matcher":"*","hooks":[{"type":"command","command":"/usr/bin/longline hook codex","timeout":10}]}]}}`}, want: "warn holds no record that you trust it"},
		{agent: "codex", files: files{"./.codex/config.toml": "[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"./mine\"\n"}, want: "note has another hook before tools (./mine)"},
		{agent: "codex", files: files{"./.codex/config.toml": "a = \n"}, want: "fail The client ignores /home/dev/project/.codex/config.toml: 1:"},
		{agent: "codex", modes: map[string]fs.FileMode{testCommand.Program: 0}, want: "fail the hook's program is gone"},

		{agent: "gemini"},
		{agent: "gemini", files: files{"~/.gemini/settings.json": `+"hooksConfig": {"enabled": false}`}, want: "fail settings.json sets hooksConfig.enabled to false"},
		{agent: "gemini", files: files{"./.gemini/settings.json": `{"hooksConfig": {"disabled": ["longline"]}} // mine`}, want: "fail sets hooksConfig.disabled"},
		{agent: "gemini", files: files{"./.gemini/settings.json": `{"hooksConfig": {"enabled": true, "disabled": ["other"]}}`}},
		{agent: "gemini", files: files{"~/.gemini/trustedFolders.json": `{"/home/dev": "TRUST_FOLDER", "/home/dev/project": "DO_NOT_TRUST"}`}, want: "fail told not to trust /home/dev/project"},
		{agent: "gemini", files: files{"~/.gemini/trustedFolders.json": `{"/home/dev/project": "TRUST_FOLDER", "/home/dev": "DO_NOT_TRUST"}`}},
		{agent: "gemini", files: files{"~/.gemini/trustedFolders.json": `{"/home/dev/projects": "DO_NOT_TRUST"}`}},
		{agent: "gemini", files: files{"./.gemini/settings.json": `{"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"./mine"}]}]}}`}, want: "note has another hook before tools (./mine)"},

		{agent: "copilot"},
		{agent: "copilot", files: files{"~/.copilot/settings.json": `{"disableAllHooks": true}`}},
		{agent: "copilot", files: files{"~/.copilot/hooks/mine.json": `{"disableAllHooks": true}`}},
		{agent: "copilot", files: files{"~/.copilot/hooks/longline.json": `+"disableAllHooks": true`}, want: "fail longline.json sets disableAllHooks"},
		{agent: "copilot", files: files{"./.github/copilot/settings.json": `{"disableAllHooks": true}`}, want: "fail settings.json sets disableAllHooks"},
		{agent: "copilot", files: files{"./.github/hooks/mine.json": `{"version":1,"hooks":{"preToolUse":[{"type":"command","bash":"./mine"}]}}`}, want: "note mine.json has another hook before tools (./mine)"},
		{agent: "copilot", files: files{"./.claude/settings.json": `{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"./mine"}]}]}}`}, want: "note has another hook before tools (./mine)"},
		{agent: "copilot", modes: map[string]fs.FileMode{testCommand.Program: 0}, want: "fail the hook's program is gone"},

		{agent: "opencode"},
		{agent: "opencode", env: env{"OPENCODE_PURE": "1"}, want: "fail the variable OPENCODE_PURE is set"},
		{agent: "opencode", files: files{"~/.config/opencode/plugins/mine.ts": "export const x = 1"}, want: "note mine.ts has another hook"},
		{agent: "opencode", files: files{"./opencode.json": `{"plugin": ["some-plugin@1"]}`}, want: `note has another hook before tools (the plugin "some-plugin@1")`},
		{agent: "opencode", files: files{"./opencode.json": `{"plugin": `}, want: "fail The client ignores /home/dev/project/opencode.json"},
		{agent: "opencode", modes: map[string]fs.FileMode{testCommand.Program: 0}, want: "fail the hook's program is gone"},

		{agent: "qwen"},
		{agent: "qwen", files: files{"~/.qwen/settings.json": `+"disableAllHooks": true`}, want: "fail settings.json sets disableAllHooks"},
		{agent: "qwen", files: files{"./.qwen/settings.json": `{"hooks":{"PermissionRequest":[{"hooks":[{"type":"command","command":"./mine"}]}]}}`}, want: "note has another hook before tools (./mine)"},

		{agent: "droid"},
		{agent: "droid", files: files{"~/.factory/hooks.json": `+"hooksDisabled": true`}, want: "fail hooks.json sets hooksDisabled"},
		{agent: "droid", files: files{"./.factory/settings.json": `{"hooks": {"hooksDisabled": true}}`}, want: "fail settings.json sets hooks.hooksDisabled"},
		{agent: "droid", files: files{"./.factory/hooks.json": `{"hooks": {"PreToolUse": []}}`}, want: `warn has its hooks below "hooks"`},
		{agent: "droid", files: files{"./.factory/hooks.json": `{"PreToolUse":[{"hooks":[{"type":"command","command":"./mine"}]}]}`}, want: "note has another hook before tools (./mine)"},

		{agent: "cline"},
		{agent: "cline", modes: map[string]fs.FileMode{"/home/dev/.cline/hooks/PreToolUse": 0o644}},
		{agent: "cline", modes: map[string]fs.FileMode{testCommand.Program: 0}, want: "fail the hook's program is gone"},
		{agent: "cline", files: files{"./.clinerules/hooks/PreToolUse.sh": "#!/bin/sh\n./mine\n"}, want: "note PreToolUse.sh has another hook"},

		{agent: "amp"},
		{agent: "amp", files: files{"~/.config/amp/settings.json": `{"amp.permissions": [{"tool": "Bash", "action": "allow"}, {"tool": "*", "action": "delegate", "to": "/home/dev/.config/longline/longline-amp"}]}`}, want: `warn has a rule for "Bash" before longline's`},
		{agent: "amp", files: files{"~/.config/amp/settings.json": `+"amp.dangerouslyAllowAll": true`}, want: "warn sets amp.dangerouslyAllowAll"},
		{agent: "amp", modes: map[string]fs.FileMode{"/home/dev/.config/longline/longline-amp": 0o644}, want: "fail longline-amp is not executable, so Amp refuses"},
		{agent: "amp", modes: map[string]fs.FileMode{testCommand.Program: 0}, want: "fail the hook's program is gone"},

		{agent: "cursor"},
		{agent: "cursor", files: files{"./.cursor/hooks.json": `{"version":1,"hooks":{"preToolUse":[{"command":"./mine"}]}}`}, want: "note has another hook before tools (./mine)"},
		{agent: "cursor", modes: map[string]fs.FileMode{testCommand.Program: 0}, want: "fail the hook's program is gone"},
		{agent: "windsurf"},
		{agent: "windsurf", files: files{"./.windsurf/hooks.json": `{"hooks":{"pre_run_command":[{"command":"./mine"}]}}`}, want: "note has another hook before tools (./mine)"},
		{agent: "kiro"},
		{agent: "kiro", files: files{"./.kiro/hooks/mine.json": `{"version":"v1","hooks":[{"trigger":"PreToolUse","action":{"type":"command","command":"./mine"}}]}`}, want: "note has another hook before tools (./mine)"},
		{agent: "kiro", modes: map[string]fs.FileMode{testCommand.Program: 0}, want: "fail the hook's program is gone"},
		{agent: "vscode"},
		{agent: "vscode", files: files{"./.github/hooks/mine.json": `{"hooks":{"PreToolUse":[{"type":"command","command":"./mine"}]}}`}, want: "note has another hook before tools (./mine)"},
		{agent: "vscode", modes: map[string]fs.FileMode{testCommand.Program: 0}, want: "fail the hook's program is gone"},
	} {
		found := exam(t, test.agent, test.files, test.env, test.modes)
		level, text, _ := strings.Cut(test.want, " ")
		seen := false
		for _, f := range found {
			seen = seen || f.Level == level && strings.Contains(f.What, text)
			if f.Fix == "" {
				t.Errorf("%s: nothing is said about how to fix %q", test.agent, f.What)
			}
		}
		if seen == (test.want == "") || test.want == "" && len(found) > 0 {
			t.Errorf("%s %v %v %v: found %q, want %q", test.agent, test.files, test.env, test.modes, found, test.want)
		}
	}
}

// TestPlugged: a plugin is as good as an entry in settings.
func TestPlugged(t *testing.T) {
	d := disk{"/home/dev/.claude/settings.json": []byte(`{"enabledPlugins": {"longline@longline": true}}`)}
	for _, p := range Plugins() {
		for from, to := range map[string]string{"plugins/gemini/": "/home/dev/.gemini/extensions/longline/", "plugins/opencode/": "/home/dev/.config/opencode/plugins/"} {
			if name, ok := strings.CutPrefix(p.Path, from); ok {
				d[to+name] = []byte(p.Text)
			}
		}
	}
	for _, agent := range []string{"claude", "gemini", "opencode"} {
		if Plugged(agent, testPlace(agent), d.read) == "" {
			t.Errorf("%s: the plugin is not seen", agent)
		}
		if where := Plugged(agent, testPlace(agent), disk{}.read); where != "" {
			t.Errorf("%s: a plugin is seen at %s", agent, where)
		}
	}
	d["/home/dev/.claude/settings.json"] = []byte(`{"enabledPlugins": {"longline@longline": false, "other@x": true}}`)
	delete(d, "/home/dev/.config/opencode/plugins/longline-hook")
	for _, agent := range []string{"claude", "opencode"} {
		if where := Plugged(agent, testPlace(agent), d.read); where != "" {
			t.Errorf("%s: a plugin is seen at %s", agent, where)
		}
	}
}

func TestLive(t *testing.T) {
	for _, test := range []struct {
		agent, want string
		model       bool
	}{
		{"claude", "-p|say|", true},
		{"gemini", "--skip-trust|--allowed-tools|run_shell_command(do)|-p|say|", true},
		{"amp", "permissions|test|Bash|--cmd|do|", false},
		{"cursor", "", false},
		{"nobody", "", false},
	} {
		args, model := Live(test.agent, "say", "do")
		got := strings.Join(args, "|")
		if len(args) > 0 {
			got += "|"
		}
		if got != test.want || model != test.model {
			t.Errorf("%s: %q %v", test.agent, got, model)
		}
	}
}
