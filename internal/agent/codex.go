package agent

import (
	"errors"
	"strconv"
	"strings"

	"longline/internal/strictjson"
	"longline/internal/tool"
)

// codex is OpenAI's Codex CLI. It reads answers strictly: one field too many, an
// empty reason or a bare allow voids the answer, and then the command runs.
type codex struct{}

func (codex) Name() string { return "codex" }

// Whatever tool the model used, the hook is shown Bash with nothing but a command.
var codexTools = []toolUse{
	{tool: "Bash", use: native, field: "command"},
	{tool: "apply_patch", use: patches, field: "command"},
}

// The administrator's settings.
const (
	codexEtc          = "/etc/codex"
	codexRequirements = "/requirements.toml"
)

// codexRejects: a key that Codex does not know costs the whole file.
func codexRejects(root strictjson.Value) error {
	for _, m := range root.Members {
		if m.Key != "hooks" && m.Key != "description" {
			return errors.New("unknown key " + strconv.Quote(m.Key) + " (want hooks or description)")
		}
	}
	return nil
}

var codexFacts = Facts{
	Name: "codex", Client: "Codex CLI",
	Programs: []string{"codex"}, Dir: ".codex",
	Marks:     []string{"CODEX_SANDBOX", "CODEX_THREAD_ID"},
	Sandboxed: true,
	Results:   Replaced,
	Hooks: &Hooks{
		// Codex skips a hook that is not on record, without a word where nobody looks at a
		// terminal. What a project brings along is for each user to trust.
		Form: Recorded, User: ".codex/hooks.json", Second: ".codex/config.toml", Variable: "CODEX_HOME", Project: ".codex/hooks.json",
		Beside: []string{codexEtc + "/managed_config.toml", codexEtc + "/config.toml"},
		// No user has to trust what is in here, and none can switch it off.
		Fleet: &Fleet{
			Linux: codexEtc + codexRequirements, Darwin: codexEtc + codexRequirements,
			Only: "allow_managed_hooks_only", Preferences: "com.openai.codex",
		},
		Keys: []string{"hooks"}, Events: []string{"PreToolUse", "PermissionRequest", "PostToolUse"},
		Entry:   `{"matcher":"*","hooks":[{"type":"command","command":"{command}","timeout":{seconds}}]}`,
		Rejects: codexRejects,
		Off:     []Off{{Keys: []string{"features", "hooks"}, False: true}, {Keys: []string{"features", "codex_hooks"}, False: true}},
		Live:    []string{"exec", "--skip-git-repo-check", "{prompt}"},
	},
	Belongings: Belongings{
		Folders:      []string{".codex"},
		Settings:     []string{".codex/rules", codexEtc},
		Hooks:        []string{".codex/hooks"},
		Commands:     []string{".codex/prompts/**", ".codex/skills/**", ".codex/agents/**", ".agents/skills/**"},
		Extensions:   []string{".codex/plugins/**", ".agents/plugins/**"},
		Instructions: []string{"AGENTS.md", "AGENTS.override.md"},
	},
	Capabilities: []Capability{
		{
			Agent: "codex", Client: "Codex CLI", Version: "0.169.0", Proof: Observed, Event: "PreToolUse", Kind: BeforeTool,
			Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Deny, Rewrite: Always, Told: true,
			Crash: tool.Pass, Timeout: tool.Pass,
			Note: "a bare allow voids the answer, so it is silence; Codex silently skips a hook whose hash is not on record; text typed into a running command (write_stdin) is not shown to hooks",
		},
		{
			Agent: "codex", Client: "Codex CLI", Version: "0.169.0", Proof: Observed, Event: "PermissionRequest", Kind: Permission,
			Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Pass, Rewrite: Never, Told: true,
			Crash: tool.Ask, Timeout: tool.Ask,
			Note: "only where Codex would ask: never in codex exec",
		},
	},
}

func (codex) Facts() *Facts { return &codexFacts }

func (codex) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	req, err := decodeClaude("codex", codexTools, stdin, env)
	// This mode says only that the user is never asked; it is how every
	// unattended run looks, and not a wish to have files edited.
	if req.Call.Mode == "bypassPermissions" {
		req.Call.Attended = false
	}
	return req, err
}

func (codex) Encode(req Request, v tool.Verdict) Answer {
	if req.Kind == AfterTool {
		return afterwards(&req, &v, "block")
	}
	v = settle(capability("codex", req.Kind), &req, v)
	var top, hook object
	switch req.Kind {
	case BeforeTool:
		hook = codexWords(&req, &v)
	case Permission:
		if v.Decision == tool.Allow || v.Decision == tool.Deny {
			hook.raw("decision", permissionDecision(&req, v))
		}
	default:
		return Answer{}
	}
	if len(v.Notices) > 0 {
		top.text("systemMessage", strings.Join(v.Notices, "\n"))
	}
	if !hook.empty() {
		top.named("hookSpecificOutput", req.event(), &hook)
	}
	v.Notices = nil
	return top.spoken(&v)
}

// codexWords is the answer before a tool.
func codexWords(req *Request, v *tool.Verdict) (hook object) {
	switch {
	case v.Decision == tool.Deny:
		hook.text("permissionDecision", "deny")
		hook.text("permissionDecisionReason", v.Reason)
	case v.Rewrite != "":
		// Without allow the change is ignored; with it Codex's own rules still
		// decide about the changed command.
		hook.text("permissionDecision", "allow")
		hook.raw("updatedInput", req.rewritten(v.Rewrite))
	}
	if v.Context != "" {
		hook.text("additionalContext", v.Context)
	}
	return hook
}
