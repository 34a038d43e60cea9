package agent

import "longline/internal/tool"

// antigravity is Google's Antigravity and its program for terminals, agy, from their
// documents. It takes silence for a refusal, so that every answer decides.
type antigravity struct{}

func (antigravity) Name() string { return "antigravity" }

var antigravityTools = []toolUse{
	{tool: "run_command", use: shell, field: "CommandLine", dir: "Cwd"},
	{tool: "view_file", use: reads, field: "AbsolutePath"},
	{tool: "view_file_outline", use: reads, field: "AbsolutePath"},
	{tool: "view_code_item", use: reads, field: "File"},
	{tool: "write_to_file", use: writes, field: "TargetFile"},
	{tool: "replace_file_content", use: writes, field: "TargetFile"},
	{tool: "multi_replace_file_content", use: writes, field: "TargetFile"},
	{tool: "list_dir", use: lists, field: "DirectoryPath"},
	{tool: "find_by_name", use: globs, field: "Pattern", dir: "SearchDirectory"},
	{tool: "grep_search", use: searches, field: "SearchPath"},
	{tool: "read_url_content", use: fetches, field: "Url"},
	{tool: "search_web", use: nothing},
}

var antigravityFacts = Facts{
	Name: "antigravity", Client: "Antigravity",
	Programs: []string{"agy", "antigravity"}, Editors: []string{"antigravity"}, Dir: ".gemini/antigravity",
	Hooks: &Hooks{
		User: ".gemini/config/hooks.json", Project: ".agents/hooks.json", Beside: []string{".agent/hooks.json"},
		// Hooks stand below a name of their own, not below the event.
		Named: true, Keys: []string{"longline"}, Events: []string{"PreToolUse"},
		Entry: `{"matcher":"*","hooks":[{"type":"command","command":"{command}","timeout":{seconds}}]}`,
		Off:   []Off{{Keys: []string{"longline", "enabled"}, False: true, Effect: "longline's hook does not run"}},
	},
	Belongings: Belongings{
		Folders:      []string{".agent"},
		Servers:      []string{"~/.gemini/antigravity/mcp_config.json"},
		Commands:     []string{".agent/workflows/**", ".agent/skills/**"},
		Instructions: []string{".agent/rules"},
	},
	Capabilities: []Capability{
		{
			Agent: "antigravity", Client: "Antigravity", Event: "PreToolUse", Kind: BeforeTool,
			Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Ask, Rewrite: Never, Told: true,
			Crash: tool.Deny, Timeout: tool.Pass,
			Note: "an allow does not spare the client's own question; an ask is one that no earlier \"always allow\" answers",
		},
	},
}

func (antigravity) Facts() *Facts { return &antigravityFacts }

func (antigravity) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	req := Request{Kind: BeforeTool, Call: tool.Call{Agent: "antigravity", Attended: true, Event: "PreToolUse"}}
	doc, err := document(stdin)
	if err != nil {
		return req, err
	}
	req.Document = doc
	req.Call.Session = remark(doc, "conversationId")
	call := doc.Get("toolCall")
	if req.Call.Tool, err = text(call, "name"); err != nil {
		return req, err
	}
	req.Input = call.Get("args")
	at, err := locate(doc, "cwd", startedIn(firstOf(doc, "workspacePaths"), env))
	req.Call.Dir = at.dir
	if err != nil {
		return req, err
	}
	return req, req.describeChecked(antigravityTools, at)
}

func (antigravity) Encode(req Request, v tool.Verdict) Answer {
	v = settle(capability("antigravity", req.Kind), &req, v)
	var top object
	// others: a plain question, which the client's own rules may answer.
	switch v.Decision {
	case tool.Allow:
		top.text("decision", "allow")
	case tool.Ask:
		top.text("decision", "force_ask")
		top.text("reason", v.Reason)
	case tool.Deny:
		top.text("decision", "deny")
		top.text("reason", v.Reason)
	default:
		top.text("decision", "ask")
	}
	return top.spoken(&v)
}
