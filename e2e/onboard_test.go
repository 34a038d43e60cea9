//go:build linux

package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const root = ".."

// installed puts longline where a plugin's script finds it.
func installed(t *testing.T, p *plan) {
	t.Helper()
	p.Files[p.home(".local", "bin", "longline")] = "#!/bin/sh\nexec " + built(t) + " \"$@\"\n"
}

// copied puts a directory of the repository into the plan.
func copied(t *testing.T, p *plan, from, to string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(root, from), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(filepath.Join(root, from), path)
		p.Files[filepath.Join(to, name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPlugin: longline comes as a plugin from the repository, without an entry in
// any settings.
func TestPlugin(t *testing.T) {
	for name, wire := range map[string]func(t *testing.T, p *plan){
		"claude": func(t *testing.T, p *plan) {
			dir := filepath.Join(p.Area, "plugin")
			copied(t, p, "plugins/claude", dir)
			p.Argv = append(p.Argv, "--plugin-dir", dir)
		},
		"gemini": func(t *testing.T, p *plan) {
			copied(t, p, "plugins/gemini", p.home(".gemini", "extensions", "longline"))
		},
		"opencode": func(t *testing.T, p *plan) {
			copied(t, p, "plugins/opencode", p.home(".config", "opencode", "plugins"))
		},
	} {
		c := clients[slices.IndexFunc(clients, func(c client) bool { return c.name == name })]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := c.find(t)
			for _, test := range []struct {
				name, command, told string
				missing, ran        bool
			}{
				{name: "allowed", command: "touch ran.txt", ran: true},
				{name: "denied", command: "touch ran.txt; rm -rf ~/", told: "[rm-recursive-root]"},
				{name: "no longline", command: "touch ran.txt", told: "longline is not installed", missing: true},
			} {
				t.Run(test.name, func(t *testing.T) {
					t.Parallel()
					p := prepare(t)
					p.Calls = []toolCall{c.call(test.command)}
					c.setup(t, &p, client)
					if !test.missing {
						installed(t, &p)
					}
					wire(t, &p)
					r := do(t, p)
					if ran := p.has("ran.txt"); ran != test.ran {
						t.Errorf("ran: %v, want %v\nclient (status %d):\n%s", ran, test.ran, r.Status, tail(r.Output))
					}
					// Without longline the prompt itself is refused, and the person is told.
					saw := r.modelSaw(test.told) || test.missing && strings.Contains(r.Output, test.told)
					if test.told != "" && !saw {
						t.Errorf("nobody was told %q\n%s", test.told, tail(r.Output))
					}
				})
			}
		})
	}
}

// TestMarketplace: the real client accepts the plugin and the marketplace, and
// installs the one from the other.
func TestMarketplace(t *testing.T) {
	t.Run("claude", func(t *testing.T) {
		c := clients[0]
		client := c.find(t)
		p := prepare(t)
		p.Calls = []toolCall{c.call("touch ran.txt; longline-canary-plugin")}
		c.setup(t, &p, client)
		installed(t, &p)
		dir := filepath.Join(p.Area, "repository")
		copied(t, &p, ".claude-plugin", filepath.Join(dir, ".claude-plugin"))
		copied(t, &p, "plugins", filepath.Join(dir, "plugins"))
		p.Argv = []string{"/bin/sh", "-ec", `
			"$0" plugin validate "$1"
			"$0" plugin validate "$1/plugins/claude"
			"$0" plugin marketplace add "$1"
			"$0" plugin install longline@longline
			"$0" plugin list
			"$0" -p "run it" --permission-mode bypassPermissions
			` + built(t) + ` doctor --agent claude`, client, dir}
		r := do(t, p)
		if p.has("ran.txt") || !r.modelSaw("[canary]") || !strings.Contains(r.Output, "wired (plugin: ") {
			t.Errorf("the installed plugin does not ask\n%s", r.Output)
		}
		if r.Status != 0 || strings.Count(r.Output, "Validation passed") != 2 || !strings.Contains(r.Output, "longline@longline") {
			t.Errorf("status %d\n%s", r.Status, r.Output)
		}
	})
}

// TestDoctorLive: the canary goes through the real client, and the log proves it.
func TestDoctorLive(t *testing.T) {
	for _, c := range append(slices.Clone(clients), amp) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			client := c.find(t)
			p := prepare(t)
			c.live(t, &p, client)
			r := do(t, p)
			if r.Status != 0 || !strings.Contains(r.Output, "and was told no") {
				t.Errorf("status %d\n%s", r.Status, r.Output)
			}
			t.Logf("%.1f s\n%s", r.Seconds, r.Output)
			if c.name != "claude" {
				return
			}
			// Present in the settings, and switched off.
			p = prepare(t)
			c.live(t, &p, client)
			edit("home/.claude/settings.json", "{", `{"disableAllHooks": true,`)(&p)
			if r = do(t, p); r.Status != 1 || !strings.Contains(r.Output, "FAIL  live") || !strings.Contains(r.Output, "disableAllHooks") {
				t.Errorf("switched off: status %d\n%s", r.Status, r.Output)
			}
		})
	}
}

// live plans a run of longline doctor --live on a machine where the client is
// set up and wired.
func (c *client) live(t *testing.T, p *plan, program string) {
	t.Helper()
	if c.setup != nil {
		p.Calls = []toolCall{c.call(canaryMark)}
		c.setup(t, p, program)
	}
	c.wire(t, p, built(t))
	bin := filepath.Join(p.Area, "bin")
	p.Files[filepath.Join(bin, c.name)] = "#!/bin/sh\nexec " + program + " \"$@\"\n"
	for i, e := range p.Env {
		if rest, ok := strings.CutPrefix(e, "PATH="); ok {
			p.Env[i] = "PATH=" + bin + ":" + rest
		}
	}
	p.Argv = []string{built(t), "doctor", "--live", "--agent", c.name}
	if c.before != "" {
		p.Argv = append([]string{"/bin/sh", "-c", c.before + ` && exec "$@"`, program}, p.Argv...)
	}
}

// TestServe: the real client asks over HTTP.
func TestServe(t *testing.T) {
	t.Run("claude", func(t *testing.T) {
		c := clients[0]
		client := c.find(t)
		for _, test := range []struct {
			name, command, token, told string
			ran                        bool
		}{
			{name: "allowed", command: "touch ran.txt", token: "$LONGLINE_TOKEN", ran: true},
			{name: "denied", command: "touch ran.txt; rm -rf ~/", token: "$LONGLINE_TOKEN", told: "[rm-recursive-root]"},
			{name: "wrong token", command: "touch ran.txt", token: "something-else-entirely", told: "onFailure"},
		} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				p := prepare(t)
				p.Calls = []toolCall{c.call(test.command)}
				c.setup(t, &p, client)
				token := filepath.Join(p.Area, "token")
				p.Env = append(p.Env, "LONGLINE_TOKEN=made-up-for-this-test")
				p.Files[p.home(".claude", "settings.json")] = indent(fields{"hooks": fields{"PreToolUse": []any{fields{"matcher": "*", "hooks": []any{fields{
					"type": "http", "url": "http://127.0.0.1:8737/hook/claude", "timeout": 10, "onFailure": "block",
					"headers": fields{"Authorization": "Bearer " + test.token}, "allowedEnvVars": []any{"LONGLINE_TOKEN"},
				}}}}}})
				script := `umask 077; echo made-up-for-this-test >` + token + `
					` + built(t) + ` serve --token-file ` + token + ` >` + p.Area + `/serve.log 2>&1 & server=$!
					for i in 1 2 3 4 5 6 7 8 9 10; do grep -q listening ` + p.Area + `/serve.log && break; sleep 0.3; done
					"$@"; status=$?; kill $server; wait $server; cat ` + p.Area + `/serve.log; exit $status`
				p.Argv = append([]string{"/bin/sh", "-c", script, "sh"}, p.Argv...)
				r := do(t, p)
				if ran := p.has("ran.txt"); ran != test.ran {
					t.Errorf("ran: %v, want %v\n%s", ran, test.ran, tail(r.Output))
				}
				if test.told != "" && !r.modelSaw(test.told) {
					t.Errorf("the model was not told %q\n%s", test.told, tail(r.Output))
				}
				if !strings.Contains(r.Output, "stopped") {
					t.Errorf("the server did not stop in order\n%s", tail(r.Output))
				}
			})
		}
	})
}

// TestPermissions: what the user's settings allow is not asked about again, and
// what they deny is denied however it is wrapped.
func TestPermissions(t *testing.T) {
	t.Run("claude", func(t *testing.T) {
		c := clients[0]
		client := c.find(t)
		for _, test := range []struct {
			name, permissions, command string
			ran                        bool
			told                       string
		}{
			{"asked", `{}`, "chmod 755 x; touch ran.txt; frobnicate jq", false, "[unknown"},
			{"allowed", `{"allow":["Bash(chmod:*)","Bash(touch:*)","Bash(frobnicate:*)"]}`, "chmod 755 x; touch ran.txt; frobnicate jq", true, ""},
			{"denied", `{"deny":["Bash(touch:*)"]}`, "touch ran.txt", false, ""},
			{"denied in another shell", `{"deny":["Bash(touch:*)"]}`, "bash -c 'touch ran.txt'", false, "[claude-permissions]"},
		} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				p := prepare(t)
				p.Calls = []toolCall{c.call(test.command)}
				c.setup(t, &p, client)
				p.Argv[len(p.Argv)-1] = "default" // the permission mode
				p.Files[p.home(".claude", "settings.json")] = `{"permissions":` + test.permissions + `}`
				p.Files[p.home(".config/longline/rules.yaml")] = "version: 1\nwalls: off\n" // so that it asks
				c.wire(t, &p, built(t))
				r := do(t, p)
				if ran := p.has("ran.txt"); ran != test.ran {
					t.Errorf("ran: %v, want %v\n%s", ran, test.ran, tail(r.Output))
				}
				if test.told != "" && !r.modelSaw(test.told) {
					t.Errorf("the model was not told %q\n%s", test.told, tail(r.Output))
				}
			})
		}
	})
}

// TestSettingsChange: while a session runs, somebody takes longline out of the
// user's settings. The session goes on with what it had, because longline's own
// hook for such changes refuses this one; without that hook the next command runs
// unasked.
func TestSettingsChange(t *testing.T) {
	t.Run("claude", func(t *testing.T) {
		c := clients[0]
		client := c.find(t)
		for _, guarded := range []bool{true, false} {
			t.Run(map[bool]string{true: "guarded", false: "not guarded"}[guarded], func(t *testing.T) {
				t.Parallel()
				p := prepare(t)
				// The first command gives somebody the time to change the file.
				p.Calls = []toolCall{c.call("touch first.txt; sleep 6"), c.call("touch ran.txt; longline-canary-change")}
				c.setup(t, &p, client)
				c.wire(t, &p, built(t))
				settings := p.home(".claude", "settings.json")
				if !guarded {
					p.Files[settings] = strings.Replace(p.Files[settings], `"ConfigChange"`, `"Notification"`, 1)
				}
				script := `(while ! [ -e first.txt ]; do sleep 0.2; done; sleep 1; echo '{"model": "opus"}' >` + settings + `) & exec "$@"`
				p.Argv = append([]string{"/bin/sh", "-c", script, "sh"}, p.Argv...)
				r := do(t, p)
				if ran := p.has("ran.txt"); ran == guarded || !p.has("first.txt") {
					t.Errorf("the second command ran: %v\n%s", ran, tail(r.Output))
				}
				log, _ := os.ReadFile(p.home(".claude", "hooks-logs", "longline.jsonl"))
				if got := strings.Contains(string(log), "settings-change-refused"); got != guarded {
					t.Errorf("the refusal is in the log: %v\n%s", got, log)
				}
			})
		}
	})
}

// TestSessionStart: the client takes longline's line for its user, and the
// warning about a project that would switch it off.
func TestSessionStart(t *testing.T) {
	t.Run("claude", func(t *testing.T) {
		c := clients[0]
		client := c.find(t)
		for _, test := range []struct{ name, project, want string }{
			{"on", "", "longline is on (safety level high)"},
			{"bent", `{"env": {"PATH": "/repo/bin:/usr/bin:/bin"}}`, "sets env.PATH"},
		} {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				p := prepare(t)
				c.setup(t, &p, client)
				c.wire(t, &p, built(t))
				if test.project != "" {
					p.Files[p.project(".claude", "settings.json")] = test.project
				}
				p.Argv = append(p.Argv, "--include-hook-events")
				r := do(t, p)
				if !strings.Contains(r.Output, test.want) || !strings.Contains(r.Output, `"outcome":"success"`) {
					t.Errorf("the client did not take %q\n%s", test.want, r.Output)
				}
			})
		}
		t.Run("in a terminal", func(t *testing.T) {
			t.Parallel()
			if _, err := os.Stat("/usr/bin/script"); err != nil {
				t.Skip("there is no /usr/bin/script, which makes a terminal")
			}
			p := prepare(t)
			c.setup(t, &p, client)
			c.wire(t, &p, built(t))
			edit("home/.claude.json", "{", `{"customApiKeyResponses": {"approved": ["made-up"]},`)(&p)
			p.Env = append(p.Env, "TERM=xterm-256color")
			// It is ended once it has said what it has to say.
			p.Argv = []string{"/bin/sh", "-c", `sleep 90 | script -qefc "stty rows 50 cols 160; exec timeout 90 '$0'" screen >/dev/null 2>&1 &
				for i in $(seq 85); do sleep 1; grep -q longline screen && break; done; sleep 1; cat screen; kill $!`, client}
			r := do(t, p)
			words := regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`).ReplaceAllString(r.Output, " ")
			if !strings.Contains(strings.Join(strings.Fields(words), " "), "longline is on (safety level high)") {
				t.Errorf("the screen does not show it\n%q", tail(r.Output))
			}
		})
	})
}
