//go:build linux

package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestSwitches: what doctor says keeps a client from asking longline really does.
// The command is one that longline denies, so that it runs where nobody asks.
func TestSwitches(t *testing.T) {
	const command = "touch ran.txt; longline-canary-switch"
	for _, test := range []struct {
		client, name string
		flip         func(p *plan)
		want         string // what doctor calls it
	}{
		{"claude", "disableAllHooks", put("project/.claude/settings.json", `{"disableAllHooks": true}`), "sets disableAllHooks"},
		{"claude", "a comment in the settings", edit("home/.claude/settings.json", "{", "{ // mine\n"), "Claude Code ignores"},
		{"codex", "features.hooks", add("home/.codex/config.toml", "[features]\nhooks = false\n"), "features.hooks to false"},
		{"codex", "features.codex_hooks", add("home/.codex/config.toml", "[features]\ncodex_hooks = false\n"), "features.codex_hooks to false"},
		{"codex", "features.hooks of the project", put("project/.codex/config.toml", "[features]\nhooks = false\n"), "features.hooks to false"},
		{"codex", "no record", edit("home/.codex/config.toml", `trusted_hash = "sha256:`, `trusted_hash = "sha256:0`), "the record in"},
		{"codex", "switched off", edit("home/.codex/config.toml", "hooks.json:pre_tool_use:0:0\"]\n", "hooks.json:pre_tool_use:0:0\"]\nenabled = false\n"), "enabled to false"},
		{"codex", "an unknown key", edit("home/.codex/hooks.json", "{", `{"$schema": "x",`), "unknown key"},
		{"gemini", "hooksConfig.enabled", edit("home/.gemini/settings.json", "{", `{"hooksConfig": {"enabled": false},`), "hooksConfig.enabled to false"},
		{"gemini", "hooksConfig.disabled", edit("home/.gemini/settings.json", "{", `{"hooksConfig": {"disabled": ["longline"]},`), "hooksConfig.disabled"},
		{"copilot", "disableAllHooks of a file", edit("home/.copilot/hooks/longline.json", "{", `{"disableAllHooks": true,`), "sets disableAllHooks"},
		{"copilot", "disableAllHooks of the project", put("project/.github/copilot/settings.json", `{"disableAllHooks": true}`), "sets disableAllHooks"},
		{"opencode", "OPENCODE_PURE", func(p *plan) { p.Env = append(p.Env, "OPENCODE_PURE=1") }, "OPENCODE_PURE is set"},
		{"qwen", "disableAllHooks", edit("home/.qwen/settings.json", "{", `{"disableAllHooks": true,`), "sets disableAllHooks"},
		{"qwen", "disableAllHooks of the project", put("project/.qwen/settings.json", `{"disableAllHooks": true}`), "sets disableAllHooks"},
		{"droid", "hooksDisabled", edit("home/.factory/hooks.json", "{", `{"hooksDisabled": true,`), "sets hooksDisabled"},
		{"droid", "hooks.hooksDisabled", edit("home/.factory/settings.json", "{", `{"hooks": {"hooksDisabled": true},`), "sets hooks.hooksDisabled"},
	} {
		t.Run(test.client+"/"+test.name, func(t *testing.T) {
			t.Parallel()
			c := clients[slices.IndexFunc(clients, func(c client) bool { return c.name == test.client })]
			program := c.find(t)
			p := prepare(t)
			p.Calls = []toolCall{c.call(command)}
			c.setup(t, &p, program)
			c.wire(t, &p, built(t))
			test.flip(&p)
			examined := filepath.Join(p.Area, "doctor.json")
			p.Argv = append([]string{"/bin/sh", "-c", `"$@"; ` + built(t) + ` doctor --json --agent ` + c.name + ` >` + examined, "sh"}, p.Argv...)
			r := do(t, p)
			if !p.has("ran.txt") {
				t.Errorf("longline was asked all the same\n%s", tail(r.Output))
			}
			data, err := os.ReadFile(examined)
			if err != nil {
				t.Fatal(err)
			}
			if !failsWith(t, data, test.want) {
				t.Errorf("doctor does not say %q\n%s", test.want, data)
			}
		})
	}
}

// failsWith says whether doctor found something that fails, in these words.
func failsWith(t *testing.T, data []byte, want string) bool {
	t.Helper()
	var d struct {
		OK       bool `json:"ok"`
		Findings []struct{ Level, What, Fix string }
	}
	if err := json.Unmarshal(data, &d); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	for _, f := range d.Findings {
		if f.Level == "fail" && strings.Contains(f.What, want) && f.Fix != "" && !d.OK {
			return true
		}
	}
	return false
}

func put(file, text string) func(*plan) {
	return func(p *plan) { p.Files[filepath.Join(p.Area, file)] = text }
}

func add(file, text string) func(*plan) {
	return func(p *plan) { p.Files[filepath.Join(p.Area, file)] += text }
}

// edit replaces the first of some text, which must be there.
func edit(file, old, text string) func(*plan) {
	return func(p *plan) {
		name := filepath.Join(p.Area, file)
		if !strings.Contains(p.Files[name], old) {
			panic(file + " does not hold " + old)
		}
		p.Files[name] = strings.ReplaceAll(p.Files[name], old, text)
		if old == "{" { // the first alone
			p.Files[name] = text + strings.ReplaceAll(strings.TrimPrefix(p.Files[name], text), text, old)
		}
	}
}
