package agent

import "longline/internal/tool"

// gemini is Google's Gemini CLI.
type gemini struct{}

func (gemini) Name() string { return "gemini" }

var geminiTools = []toolUse{
	{tool: "run_shell_command", use: native, field: "command", dir: "dir_path"},
	{tool: "read_file", use: reads, field: "file_path"},
	{tool: "read_many_files", use: gathers, field: "include"},
	{tool: "write_file", use: writes, field: "file_path"},
	{tool: "replace", use: writes, field: "file_path"},
	{tool: "list_directory", use: lists, field: "dir_path"},
	{tool: "glob", use: globs, field: "pattern", dir: "dir_path"},
	{tool: "grep_search", use: searches, field: "dir_path"},
	{tool: "search_file_content", use: searches, field: "dir_path"},
	{tool: "web_fetch", use: links, field: "prompt"},
}

// The administrator's settings, and the folders that the user trusts.
const (
	geminiEtc     = "/etc/gemini-cli"
	geminiLibrary = "/Library/Application Support/GeminiCli"
	geminiFolders = ".gemini/trustedFolders.json"
)

var geminiFacts = Facts{
	Name: "gemini", Client: "Gemini CLI",
	Programs: []string{"gemini"}, Dir: ".gemini",
	Marks:        []string{"GEMINI_CLI"},
	RootVariable: "GEMINI_PROJECT_DIR",
	Results:      Replaced,
	Hooks: &Hooks{
		User: ".gemini/settings.json", Project: ".gemini/settings.json",
		// The file that overrides all others of its settings.
		Fleet: &Fleet{Linux: geminiEtc + "/settings.json", Darwin: geminiLibrary + "/settings.json", Seed: "{\n\t\"hooksConfig\": {\"enabled\": true}\n}"},
		// Times are in milliseconds.
		Comments: true, Keys: []string{"hooks"}, Events: []string{"BeforeTool", "AfterTool"}, Looked: []string{"BeforeTool"},
		Entry:      `{"matcher":"*","hooks":[{"type":"command","name":"longline","command":"{command}","timeout":{milliseconds}}]}`,
		Off:        []Off{{Keys: []string{"hooksConfig", "enabled"}, False: true}},
		Disabled:   []string{"hooksConfig", "disabled"},
		Trust:      &Trust{File: geminiFolders, Variable: "GEMINI_CLI_TRUSTED_FOLDERS_PATH"},
		PluginFile: ".gemini/extensions/longline/hooks/hooks.json",
		// Without somebody to ask it offers no shell to the model, except for what is allowed
		// by name.
		Live: []string{"--skip-trust", "--allowed-tools", "run_shell_command({command})", "-p", "{prompt}"},
	},
	Belongings: Belongings{
		Folders:      []string{".gemini"},
		Settings:     []string{".gemini/policies", geminiFolders, geminiEtc, geminiLibrary},
		Hooks:        []string{".gemini/hooks"},
		Commands:     []string{".gemini/commands/**", ".gemini/skills/**", ".gemini/agents/**"},
		Extensions:   []string{".gemini/extensions/**"},
		Instructions: []string{"GEMINI.md", ".gemini/system.md"},
	},
	Capabilities: []Capability{
		{
			Agent: "gemini", Client: "Gemini CLI", Version: "0.61.0", Proof: Observed, Event: "BeforeTool", Kind: BeforeTool,
			Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Ask, Aside: true, Rewrite: Always, Told: true,
			Crash: tool.Pass, Timeout: tool.Pass,
			Note: "allow does not skip the confirmation; an ask without a terminal ends the run, exit status 0, the command not run; in a folder that is not trusted no hook runs",
		},
	},
}

func (gemini) Facts() *Facts { return &geminiFacts }

func (gemini) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	req, err := decodeClaude("gemini", geminiTools, stdin, env)
	if server := remark(req.Document.Get("mcp_context"), "server_name"); server != "" && err == nil {
		req.Call.Effects, req.Call.Script, req.Call.Shell = nil, "", false
		at, _ := locate(req.Document, "cwd", env)
		err = req.foreign(server, req.Call.Tool, at)
	}
	return req, err
}

func (gemini) Encode(req Request, v tool.Verdict) Answer {
	switch req.Kind {
	case BeforeTool:
	case AfterTool:
		return afterwards(&req, &v, "deny")
	default:
		return Answer{}
	}
	v = settle(capability("gemini", req.Kind), &req, v)
	var top object
	switch {
	case v.Decision == tool.Deny:
		top.text("decision", "deny")
		top.text("reason", v.Reason)
	case v.Decision == tool.Ask:
		top.text("decision", "ask")
		top.text("reason", aside(&v))
		top.text("systemMessage", v.Reason) // the only one of the two that the user is shown
	case v.Rewrite != "":
		top.text("decision", "allow")
	}
	if v.Rewrite != "" {
		var hook object
		hook.raw("tool_input", req.rewritten(v.Rewrite))
		top.named("hookSpecificOutput", "BeforeTool", &hook)
	}
	return top.spoken(&v)
}
