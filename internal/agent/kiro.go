package agent

import "longline/internal/tool"

// kiro is Kiro, from its documents.
type kiro struct{}

func (kiro) Name() string { return "kiro" }

var kiroTools = []toolUse{
	{tool: "execute_bash", use: shell, field: "command"},
	{tool: "shell", use: shell, field: "command"},
	{tool: "fs_read", use: reads, field: "operations"},
	{tool: "read", use: reads, field: "operations"},
	{tool: "fs_write", use: writes, field: "path"},
	{tool: "write", use: writes, field: "path"},
	{tool: "web_fetch", use: fetches, field: "url"},
}

var kiroFacts = Facts{
	Name: "kiro", Client: "Kiro",
	Programs: []string{"kiro", "kiro-cli"}, Editors: []string{"kiro"}, Dir: ".kiro",
	Hooks: &Hooks{
		Form: OwnFile, User: ".kiro/hooks/longline.json", Project: ".kiro/hooks/longline.json",
		Seed: `{"version":"v1"}`, Keys: []string{"hooks"}, Trigger: "trigger", Events: []string{"PreToolUse"},
		Entry: `{"name":"longline","trigger":"PreToolUse","matcher":"*","action":{"type":"command","command":"{command}"},"timeout":{seconds}}`,
	},
	Belongings: Belongings{
		Folders:      []string{".kiro"},
		Settings:     []string{".kiro/agents", ".kiro/settings"},
		Hooks:        []string{".kiro/hooks"},
		Commands:     []string{".kiro/prompts/**", ".kiro/skills/**"},
		Extensions:   []string{".kiro/powers/**"},
		Instructions: []string{".kiro/steering"},
	},
	Capabilities: []Capability{
		{
			Agent: "kiro", Client: "Kiro", Event: "PreToolUse", Kind: BeforeTool,
			Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Deny, Rewrite: Never, Told: true,
			Crash: tool.Pass, Timeout: tool.Pass,
			Note: "understands only exit statuses; some versions were reported to ignore them for file writes",
		},
	},
}

func (kiro) Facts() *Facts { return &kiroFacts }

func (kiro) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	return decodeClaude("kiro", kiroTools, stdin, env)
}

func (kiro) Encode(req Request, v tool.Verdict) Answer {
	if req.Kind != BeforeTool {
		return Answer{}
	}
	v = settle(capability("kiro", req.Kind), &req, v)
	return blocked(&v)
}
