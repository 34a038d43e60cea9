package agent

import (
	"strings"

	"longline/internal/strictjson"
	"longline/internal/tool"
)

// hermes is the Hermes agent of Nous Research, from its source. Its hooks stand in YAML, to
// which its user adds longline.
type hermes struct{}

func (hermes) Name() string { return "hermes" }

var hermesTools = []toolUse{
	{tool: "terminal", use: shell, field: "command", dir: "workdir"},
	{tool: "execute_code", use: runs, field: "inline:python"},
	{tool: "read_file", use: reads, field: "path"},
	{tool: "write_file", use: writes, field: "path"},
	{tool: "search_files", use: searches, field: "path"},
	{tool: "web_extract", use: fetches, field: "urls"},
	{tool: "browser_navigate", use: fetches, field: "url"},
	{tool: "web_search", use: asks},
	{tool: "cronjob", use: controls, field: "schedule"},
	{tool: "patch", use: nothing}, // see Decode
	{tool: "todo", use: nothing},
	{tool: "clarify", use: nothing},
	{tool: "skill_view", use: nothing},
	{tool: "skills_list", use: nothing},
}

var hermesFacts = Facts{
	Name: "hermes", Client: "Hermes",
	Programs: []string{"hermes"}, Dir: ".hermes",
	Belongings: Belongings{
		// NousResearch/hermes-agent: user-guide/configuration, user-guide/features/hooks
		Settings:     []string{"~/.hermes/config.yaml", "~/.hermes/.env"},
		Hooks:        []string{"~/.hermes/shell-hooks-allowlist.json", "~/.hermes/hooks"},
		Commands:     []string{"~/.hermes/skills/**", "~/.hermes/cron/**"},
		Extensions:   []string{"~/.hermes/plugins/**"},
		Instructions: []string{"AGENTS.md", ".hermes.md", "HERMES.md", "~/.hermes/SOUL.md", "~/.hermes/memories"},
	},
	Capabilities: []Capability{
		{
			Agent: "hermes", Client: "Hermes", Event: "pre_tool_call", Kind: BeforeTool,
			Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Deny, Rewrite: Never, Told: true,
			Crash: tool.Pass, Timeout: tool.Deny,
			Note: `the hook can only deny; with "fail_closed: true" a hook that cannot be started or is late blocks, and one that is killed does not; Hermes skips a hook that the user has not approved; relative paths count from where Hermes was started, whatever a command before has changed; text typed into a running command (process) is judged by its arguments only`,
		},
	},
}

func (hermes) Facts() *Facts { return &hermesFacts }

func (hermes) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	req, err := decodeClaude("hermes", hermesTools, stdin, env)
	req.Call.ToolUse = remark(req.Document.Get("extra"), "tool_call_id")
	if req.Call.Tool == "patch" && err == nil {
		home, _ := env("HOME")
		req.hermesPatch(place{req.Call.Dir, home})
	}
	return req, err
}

// hermesPatch describes the tool that changes one file, or those that a patch names.
func (req *Request) hermesPatch(at place) {
	if name := req.Input.Get("path"); name.Kind == strictjson.String {
		at.path(req, tool.Write, name.Text)
	}
	if p := req.Input.Get("patch"); p.Kind == strictjson.String || len(req.Call.Effects) == 0 {
		req.patch(hermesHeaders(p.Text), at)
	}
}

// hermesHeaders is a patch with the blanks that may be missing at the beginning of its headers.
func hermesHeaders(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if header, ok := strings.CutPrefix(strings.TrimSpace(line), "***"); ok {
			lines[i] = "*** " + strings.TrimSpace(header)
		}
	}
	return strings.Join(lines, "\n")
}

func (hermes) Encode(req Request, v tool.Verdict) Answer {
	return denial(&req, settle(capability("hermes", req.Kind), &req, v))
}
