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

var kiroBelongings = Belongings{
	Client: "Kiro", Folders: []string{".kiro"},
	Settings:     []string{".kiro/agents", ".kiro/settings"},
	Hooks:        []string{".kiro/hooks"},
	Commands:     []string{".kiro/prompts/**", ".kiro/skills/**"},
	Extensions:   []string{".kiro/powers/**"},
	Instructions: []string{".kiro/steering"},
}

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
