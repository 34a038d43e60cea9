package install

import (
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"longline/internal/agent"
	"longline/internal/policy"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// TestRender holds what is rendered against what is known of each client's own settings for
// administrators: where the file is, how it is read, and that longline is what it starts.
func TestRender(t *testing.T) {
	program := "/opt/long line/longline-hook" // which needs quotes where a shell reads it
	for _, only := range []bool{false, true} {
		for _, test := range []struct{ agent, linux, darwin string }{
			{"claude", "/etc/claude-code/managed-settings.d/50-longline.json", "/Library/Application Support/ClaudeCode/managed-settings.d/50-longline.json"},
			{"codex", "/etc/codex/requirements.toml", "/etc/codex/requirements.toml"},
			{"gemini", "/etc/gemini-cli/settings.json", "/Library/Application Support/GeminiCli/settings.json"},
			{"cursor", "/etc/cursor/hooks.json", "/Library/Application Support/Cursor/hooks.json"},
			{"windsurf", "/etc/windsurf/hooks.json", "/Library/Application Support/Windsurf/hooks.json"},
		} {
			for system, want := range map[string]string{"linux": test.linux, "darwin": test.darwin} {
				f, err := Render(test.agent, Fleet{System: system, Command: Command{Program: program}, Only: only})
				if err != nil || f.Path != want {
					t.Errorf("%s on %s: %s, %v", test.agent, system, f.Path, err)
				}
				if at := RenderedAt(test.agent, system, func(path string) ([]byte, error) {
					if path == f.Path {
						return f.Text, nil
					}
					return nil, nil
				}); at != f.Path {
					t.Errorf("%s on %s is not found where it was put: %q", test.agent, system, at)
				}
				if test.agent == "codex" {
					checkRequirements(t, f.Text, only)
					continue
				}
				root, err := strictjson.Parse(f.Text)
				if err != nil {
					t.Fatalf("%s: %v: %s", test.agent, err, f.Text)
				}
				starts := 0
				var walk func(strictjson.Value)
				walk = func(v strictjson.Value) {
					if agent.Starts(v) {
						starts++
					}
					for _, m := range v.Members {
						walk(m.Value)
					}
					for _, i := range v.Items {
						walk(i)
					}
				}
				walk(root)
				if starts == 0 {
					t.Errorf("%s does not start longline: %s", test.agent, f.Text)
				}
				if test.agent == "claude" {
					if !agent.ClaudeStarts(f.Text) || agent.FactsOf("claude").Hooks.Rejects(root) != nil || root.Get("allowManagedHooksOnly").True != only {
						t.Errorf("claude: %s", f.Text)
					}
					hook := root.Get("hooks").Get("PreToolUse").Items[0].Get("hooks").Items[0]
					if hook.Get("command").Text != program || hook.Get("onFailure").Text != "block" || hook.Get("args").Items[0].Text != "claude" {
						t.Errorf("claude is started by %s", hook.Raw)
					}
				}
			}
		}
	}
	if _, err := Render("amp", Fleet{System: "linux", Command: Command{Program: program}}); err == nil {
		t.Error("there is no such file for amp")
	}
	if _, err := Render("claude", Fleet{System: "linux", Command: Command{Program: "longline"}}); err == nil {
		t.Error("a program without its place is accepted")
	}
	for _, name := range Renders() {
		if !slices.Contains(Agents(), name) {
			t.Errorf("%s cannot be installed otherwise", name)
		}
	}
}

// checkRequirements reads the file as Codex does: TOML tables with the fields of hooks.json.
func checkRequirements(t *testing.T, text []byte, only bool) {
	t.Helper()
	type group struct {
		Matcher string
		Hooks   []struct {
			Type, Command string
			Timeout       int
		}
	}
	var file struct {
		Only     bool `toml:"allow_managed_hooks_only"`
		Features struct{ Hooks bool }
		Hooks    map[string][]group
	}
	meta, err := toml.Decode(string(text), &file)
	if err != nil || len(meta.Undecoded()) > 0 {
		t.Fatalf("%v, %v: %s", err, meta.Undecoded(), text)
	}
	if file.Only != only || !file.Features.Hooks || len(file.Hooks) != 3 {
		t.Errorf("got %+v", file)
	}
	for _, event := range []string{"PreToolUse", "PermissionRequest", "PostToolUse"} {
		g := file.Hooks[event]
		if len(g) != 1 || g[0].Matcher != "*" || len(g[0].Hooks) != 1 || g[0].Hooks[0].Type != "command" || g[0].Hooks[0].Timeout <= 0 ||
			g[0].Hooks[0].Command != "'/opt/long line/longline-hook' codex" {
			t.Errorf("%s: %+v", event, g)
		}
	}
}

func TestTOMLText(t *testing.T) {
	for _, text := range []string{"plain", `a"b\c`, "tab\tnew\nline", "é漢"} {
		var got struct{ X string }
		if _, err := toml.Decode("x = "+tomlText(text), &got); err != nil || got.X != text {
			t.Errorf("%q became %q, %v", text, got.X, err)
		}
	}
	if strings.Contains(tomlText("\x00"), "\x00") {
		t.Error("a control character is left")
	}
}

// No agent can write the files by which an administrator adds longline, on either system.
func TestRenderedFilesAreGuarded(t *testing.T) {
	rules, err := policy.BuiltinFile()
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := policy.Merge(rules, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range Renders() {
		for _, system := range []string{"linux", "darwin"} {
			f, err := Render(name, Fleet{System: system, Command: Command{Program: "/usr/bin/longline-hook"}})
			if err != nil {
				t.Fatal(err)
			}
			call := tool.Call{Tool: "Write", Dir: "/home/dev/proj", Effects: []tool.Effect{{Kind: tool.Write, Target: f.Path, Reach: tool.Exact}}}
			if v := set.Judge(&call, nil, nil, &tool.World{Home: "/home/dev", Project: "/home/dev/proj"}); v.Decision != tool.Deny || v.Rule != "agent-files" {
				t.Errorf("%s: a write to %s is %s by %s", name, f.Path, v.Decision, v.Rule)
			}
		}
	}
}
