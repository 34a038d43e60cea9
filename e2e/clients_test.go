//go:build linux

package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/install"
)

// client is one real agent and how it is driven without a network or a person.
type client struct {
	name string // as install.sh and the dialect call it
	// program is the file to run, under clients/<name>/node_modules.
	program string
	// call is how the model has a command run.
	call func(command string) toolCall
	// setup adds what makes the client run headless against the stub, with
	// everything that would ask turned off.
	setup func(t *testing.T, p *plan, program string)
	// before is a shell command that has to run first, "$0" being the program.
	before string
}

var clients = []client{
	{"claude", "@anthropic-ai/claude-code-linux-x64/claude", simple("Bash", "command"), setupClaude, ""},
	{"codex", ".bin/codex", simple("exec_command", "cmd"), setupCodex, ""},
	{"gemini", ".bin/gemini", simple("run_shell_command", "command"), setupGemini, ""},
	{"opencode", ".bin/opencode", simple("bash", "command"), setupOpencode, ""},
	{"copilot", "@github/copilot-linux-x64/copilot", simple("bash", "command"), setupCopilot, ""},
	{"qwen", ".bin/qwen", simple("run_shell_command", "command"), setupQwen, ""},
	{"droid", "@factory/cli-linux-x64-baseline/bin/droid", func(command string) toolCall {
		return toolCall{"Execute", fields{"command": command, "riskLevelReason": "a test", "riskLevel": "low"}}
	}, setupDroid, ""},
	{"cline", ".bin/cline", func(command string) toolCall {
		return toolCall{"run_commands", fields{"commands": []any{command}}}
	}, setupCline, clineAuth},
}

func simple(tool, field string) func(string) toolCall {
	return func(command string) toolCall {
		return toolCall{tool, fields{field: command, "description": "run it"}}
	}
}

// find returns the client's program, or skips the test.
func (c *client) find(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("runs a real client; not with -short")
	}
	if c.name != "claude" && os.Getenv("LONGLINE_E2E") != "all" {
		t.Skip("runs with LONGLINE_E2E=all alone, as in make e2e, for all of them together take minutes")
	}
	variable := "LONGLINE_E2E_" + strings.ToUpper(c.name)
	if p := os.Getenv(variable); p != "" {
		return p
	}
	p, err := filepath.Abs(filepath.Join("clients", c.name, "node_modules", c.program))
	if err == nil {
		_, err = os.Stat(p)
	}
	if err != nil && c.name == "claude" && os.Getenv("LONGLINE_E2E") == "required" {
		t.Fatalf("%s is not installed, and LONGLINE_E2E says that it has to be", c.name)
	}
	if err != nil {
		t.Skipf("%s is not installed; run e2e/install.sh %s, or name its program in %s", c.name, c.name, variable)
	}
	return p
}

// prepare makes the throw-away directory and the parts of a plan that are the
// same for every client.
func prepare(t *testing.T) plan {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	// One level down, so that there is an outside which the test owns.
	p := plan{Area: filepath.Join(top, "area"), Files: map[string]string{}, Limit: 6 * time.Minute}
	for _, d := range []string{"home", "project", "tmp"} {
		if err := os.MkdirAll(filepath.Join(p.Area, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	git := exec.Command("git", "-c", "init.defaultBranch=main", "init", "-q", p.project())
	git.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + p.home()}
	if out, err := git.CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	p.Env = []string{
		"HOME=" + p.home(), "TMPDIR=" + filepath.Join(p.Area, "tmp"), "PATH=/usr/local/bin:/usr/bin:/bin", "TERM=dumb", "LANG=C.UTF-8",
		"SHELL=/bin/bash", "USER=dev", "NO_COLOR=1",
	}
	return p
}

func (p *plan) home(parts ...string) string {
	return filepath.Join(append([]string{p.Area, "home"}, parts...)...)
}

func (p *plan) project(parts ...string) string {
	return filepath.Join(append([]string{p.Area, "project"}, parts...)...)
}

func (p *plan) has(file string) bool {
	_, err := os.Stat(p.project(file))
	return err == nil
}

func indent(v any) string {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(data)
}

// wire installs longline in the client, as longline init does. The settings
// that setup made are what it finds there.
func (c *client) wire(t *testing.T, p *plan, program string) {
	t.Helper()
	place := install.Place{Scope: install.User, Home: p.home()}
	changes, err := install.Install(c.name, place, install.Command{Program: program}, func(path string) ([]byte, error) {
		if text, ok := p.Files[path]; ok {
			return []byte(text), nil
		}
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		p.Files[change.Path] = string(change.New)
	}
}

func setupClaude(_ *testing.T, p *plan, program string) {
	p.Files[p.home(".claude.json")] = indent(fields{
		"hasCompletedOnboarding": true, "projects": fields{p.project(): fields{"hasTrustDialogAccepted": true}},
	})
	p.Env = append(p.Env, "ANTHROPIC_API_KEY=made-up", "ANTHROPIC_BASE_URL=http://127.0.0.1:"+portMark, "DISABLE_TELEMETRY=1",
		"DISABLE_ERROR_REPORTING=1", "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"CLAUDE_CODE_TMPDIR="+filepath.Join(p.Area, "tmp"), "IS_SANDBOX=1")
	p.Argv = []string{program, "-p", "run it", "--output-format", "stream-json", "--verbose", "--permission-mode", "bypassPermissions"}
}

func setupCodex(_ *testing.T, p *plan, program string) {
	p.Files[p.home(".codex", "config.toml")] = strings.Join([]string{
		`model = "gpt-5.2-codex"`, `model_provider = "stub"`, `check_for_update_on_startup = false`,
		`[model_providers.stub]`, `name = "stub"`, `base_url = "http://127.0.0.1:` + portMark + `/v1"`, `wire_api = "responses"`, `env_key = "STUB_KEY"`,
		`[analytics]`, `enabled = false`, `[projects."` + p.project() + `"]`, `trust_level = "trusted"`, "",
	}, "\n")
	p.Env = append(p.Env, "STUB_KEY=made-up", "CODEX_HOME="+p.home(".codex"))
	p.Argv = []string{
		program, "exec", "--json", "--skip-git-repo-check", "--sandbox", "danger-full-access", "-c", `approval_policy="never"`,
		"run it",
	}
}

func setupGemini(_ *testing.T, p *plan, program string) {
	p.Files[p.home(".gemini", "settings.json")] = indent(fields{
		"security": fields{"auth": fields{"selectedType": "gemini-api-key"}}, "privacy": fields{"usageStatisticsEnabled": false},
		"telemetry": fields{"enabled": false}, "general": fields{"enableAutoUpdate": false, "enableAutoUpdateNotification": false},
		"model": fields{"name": "gemini-2.5-pro"}, // or it asks a model which model to ask
	})
	p.Env = append(p.Env, "GEMINI_API_KEY=made-up", "GOOGLE_GEMINI_BASE_URL=http://127.0.0.1:"+portMark, "GEMINI_CLI_NO_RELAUNCH=1",
		"GEMINI_CLI_TRUST_WORKSPACE=true")
	p.Argv = []string{program, "--approval-mode", "yolo", "--output-format", "json", "-p", "run it"}
}

func setupOpencode(t *testing.T, p *plan, program string) {
	config := p.home(".config", "opencode")
	p.Files[filepath.Join(config, "opencode.json")] = indent(fields{
		"autoupdate": false, "share": "disabled", "model": "stub/stub", "small_model": "stub/stub", "permission": fields{"bash": "allow"},
		"provider": fields{"stub": fields{
			"npm": "@ai-sdk/openai-compatible", "name": "stub",
			"options": fields{"baseURL": "http://127.0.0.1:" + portMark + "/v1", "apiKey": "made-up"},
			"models":  fields{"stub": fields{"name": "stub", "tool_call": true, "limit": fields{"context": 100000, "output": 4000}}},
		}},
	})
	// opencode fetches its plugin library at start and waits for it in vain
	// where there is no network, unless it is there already.
	library := filepath.Join(filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(program)))), "opencode-plugin")
	if err := os.CopyFS(config, os.DirFS(library)); err != nil {
		t.Fatalf("the plugin library of opencode: %v", err)
	}
	p.Env = append(p.Env, "OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1",
		"OPENCODE_DISABLE_DEFAULT_PLUGINS=1", "XDG_CONFIG_HOME="+p.home(".config"))
	p.Argv = []string{program, "run", "--format", "json", "run it"}
}

func setupCopilot(_ *testing.T, p *plan, program string) {
	p.Files[p.home(".copilot", "config.json")] = indent(fields{"trustedFolders": []any{p.project()}})
	p.Files[p.home(".copilot", "settings.json")] = `{"banner":"never"}`
	p.Env = append(p.Env, "COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=http://127.0.0.1:"+portMark+"/v1",
		"COPILOT_PROVIDER_API_KEY=made-up", "COPILOT_MODEL=gpt-5.4", "COPILOT_AUTO_UPDATE=false")
	p.Argv = []string{program, "--no-auto-update", "--allow-all-tools", "-p", "run it"}
}

func setupQwen(_ *testing.T, p *plan, program string) {
	p.Files[p.home(".qwen", "settings.json")] = indent(fields{
		"security": fields{"auth": fields{"selectedType": "openai"}}, "privacy": fields{"usageStatisticsEnabled": false},
		"telemetry": fields{"enabled": false}, "general": fields{"disableAutoUpdate": true, "disableUpdateNag": true},
	})
	p.ownNode(program)
	p.Env = append(p.Env, "OPENAI_API_KEY=made-up", "OPENAI_BASE_URL=http://127.0.0.1:"+portMark+"/v1", "OPENAI_MODEL=stub", "QWEN_CODE_NO_RELAUNCH=1")
	p.Argv = []string{program, "--approval-mode", "yolo", "-p", "run it"}
}

func setupDroid(_ *testing.T, p *plan, program string) {
	stub := "http://127.0.0.1:" + portMark
	p.Files[p.home(".factory", "settings.json")] = indent(fields{
		"customModels": []any{fields{
			"model": "stub", "displayName": "stub", "baseUrl": stub + "/v1", "apiKey": "made-up",
			"provider": "generic-chat-completion-api", "maxOutputTokens": 4000,
		}},
		"cloudSessionSync": false, "sessionDefaultSettings": fields{"model": "custom:stub", "autonomyMode": "normal"},
	})
	p.Env = append(p.Env, "FACTORY_API_KEY=fk-made-up", "FACTORY_AIRGAP_ENABLED=true", "FACTORY_API_BASE_URL="+stub,
		"FACTORY_TELEMETRY_INGEST_BASE_URL="+stub, "FACTORY_DROID_AUTO_UPDATE_ENABLED=false", "FACTORY_DISABLE_KEYRING=1", "FACTORY_DISABLE_DYNAMIC_CONFIG=1")
	p.Argv = []string{program, "exec", "-m", "custom:stub", "--auto", "high", "-o", "json", "run it"}
}

const clineAuth = `"$0" auth -p openai -k made-up -m stub -b "http://127.0.0.1:` + portMark + `/v1"`

func setupCline(_ *testing.T, p *plan, program string) {
	p.ownNode(program)
	p.Env = append(p.Env, "CI=1", "CLINE_TELEMETRY_DISABLED=1", "DO_NOT_TRACK=1", "CLINE_NO_AUTO_UPDATE=1")
	// The provider has to be made known first.
	p.Argv = []string{
		"/bin/sh", "-c", clineAuth + ` && exec "$0" --json "run it"`, program,
	}
}

// ownNode puts the Node that was installed beside a client in front of the
// machine's, which may be too old for it.
func (p *plan) ownNode(program string) {
	node := filepath.Join(filepath.Dir(filepath.Dir(program)), "node", "bin")
	for i, e := range p.Env {
		if rest, ok := strings.CutPrefix(e, "PATH="); ok {
			p.Env[i] = "PATH=" + node + ":" + rest
		}
	}
}
