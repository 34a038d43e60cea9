package agent

import (
	"path/filepath"

	"longline/internal/tool"
)

// amp is Sourcegraph's Amp. It runs one program without arguments, gives it the
// bare arguments of the tool and its name in the environment, and goes by the
// exit status: 0 allows, 1 asks, 2 refuses with standard error as the reason.
type amp struct{}

func (amp) Name() string { return "amp" }

var ampTools = []toolUse{
	{tool: "Bash", use: shell, field: "cmd", dir: "cwd"},
	{tool: "Read", use: reads, field: "path"},
	{tool: "create_file", use: writes, field: "path"},
	{tool: "edit_file", use: writes, field: "path"},
	{tool: "undo_edit", use: writes, field: "path"},
	{tool: "glob", use: globs, field: "filePattern"},
	{tool: "Grep", use: searches, field: "path"},
	{tool: "read_web_page", use: fetches, field: "url"},
}

var ampFacts = Facts{
	Name: "amp", Client: "Amp",
	Programs: []string{"amp"}, Dir: ".config/amp",
	Hooks: &Hooks{
		Form: Delegated, User: ".config/amp/settings.json", Variable: "XDG_CONFIG_HOME", Beside: []string{".amp/settings.json"},
		// Amp starts a program without arguments, so a script stands between.
		Comments: true, Events: []string{"amp.permissions"}, Entry: `{"tool":"*","action":"delegate","to":"{script}"}`,
		Off: []Off{{Keys: []string{"amp.dangerouslyAllowAll"}, Warn: true, Effect: "Amp then runs everything without asking"}},
		// What its rules say to a command is answered without a model.
		Live: []string{"permissions", "test", "Bash", "--cmd", "{command}"},
	},
	Belongings: Belongings{
		Folders:      []string{".amp"},
		Settings:     []string{".amp/settings.json*", "~/.config/amp/settings.json*", "/etc/ampcode"},
		Commands:     []string{".agents/checks/**", ".agents/commands/**", ".agents/skills/**", "~/.config/amp/commands/**", "~/.config/amp/skills/**", "~/.config/amp/tools/**"},
		Extensions:   []string{".amp/plugins/**", "~/.config/amp/plugins/**"},
		Instructions: []string{"AGENT.md", "AGENTS.md"},
	},
	Capabilities: []Capability{
		{
			Agent: "amp", Client: "Amp", Version: "0.0.1790142911", Proof: Observed, Event: "delegate", Kind: BeforeTool,
			Allow: tool.Allow, Pass: tool.Ask, Ask: tool.Ask, Rewrite: Never, Told: true,
			Crash: tool.Deny, Timeout: tool.Ask,
			Note: "tried with amp permissions test only; it has no neutral answer, so no opinion asks; a hook that exits with status 1 asks, one that is killed denies, one that hangs is waited for",
		},
	},
}

func (amp) Facts() *Facts { return &ampFacts }

func (amp) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	req := Request{Kind: BeforeTool, Call: tool.Call{Agent: "amp", Event: "delegate", Attended: true}}
	req.Call.Tool, _ = env("AGENT_TOOL_NAME")
	req.Call.Session, _ = env("AGENT_THREAD_ID")
	var at place
	at.home, _ = env("HOME")
	if pwd, _ := env("PWD"); filepath.IsAbs(pwd) {
		at.dir = pwd
	}
	req.Call.Dir = at.dir
	doc, err := document(stdin)
	if err != nil {
		return req, err
	}
	req.Document, req.Input = doc, doc
	return req, req.describeChecked(ampTools, at)
}

func (amp) Encode(req Request, v tool.Verdict) Answer {
	v = settle(capability("amp", req.Kind), &req, v)
	// others: blocked.
	switch v.Decision {
	case tool.Allow, tool.Pass:
		return new(object).spoken(&v)
	case tool.Ask:
		return Answer{Stderr: []byte(v.Reason + "\n"), Status: 1}
	}
	return blocked(&v)
}
