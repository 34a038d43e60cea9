package agent

import (
	"path/filepath"

	"longline/internal/strictjson"
	"longline/internal/tool"
)

// cline is Cline. It pays no heed to exit statuses, and its way of refusing a
// call ends the whole task without a word to the model. Where it can be told to
// run something else, a refused command is therefore replaced by one that
// prints the reason and fails.
type cline struct{}

func (cline) Name() string { return "cline" }

const (
	clineEditor shape = iota // the editor's extension: only cancelling is documented
	clineCLI                 // the command line client, which has been tried
)

var clineTools = []toolUse{
	{tool: "run_commands", use: shells, field: "commands"},
	{tool: "editor", use: writes, field: "path"},
	{tool: "read_files", use: reads, field: "files"},
	{tool: "apply_patch", use: patches, field: "input"},
	{tool: "fetch_web_content", use: fetches, field: "requests"},
	// Names that the editor's extension uses.
	{tool: "execute_command", use: shell, field: "command"},
	{tool: "read_file", use: reads, field: "path"},
	{tool: "write_to_file", use: writes, field: "path"},
	{tool: "replace_in_file", use: writes, field: "path"},
	{tool: "list_files", use: lists, field: "path"},
	{tool: "search_files", use: searches, field: "path"},
	{tool: "web_fetch", use: fetches, field: "url"},
}

var clineFacts = Facts{
	Name: "cline", Client: "Cline",
	Programs: []string{"cline"}, Dir: ".cline",
	Marks:   []string{"CLINE_ACTIVE"},
	Results: Commented,
	Hooks: &Hooks{
		// Every folder's hook runs, executable or not.
		Form: Scripts, User: ".cline/hooks", Project: ".clinerules/hooks", Beside: []string{"~/Documents/Cline/Hooks", ".cline/hooks"},
		Events: []string{"PreToolUse", "PostToolUse"}, Looked: []string{"PreToolUse"},
		Live: []string{"{prompt}"},
	},
	Belongings: Belongings{
		Folders:      []string{".cline", ".clinerules/hooks"},
		Settings:     []string{"~/.cline/data/globalState.json", "~/.cline/data/settings"},
		Servers:      []string{"cline_mcp_settings.json"},
		Commands:     []string{".cline/skills/**", ".cline/workflows/**", ".clinerules/skills/**", ".clinerules/workflows/**", "~/Documents/Cline/Workflows/**"},
		Instructions: []string{".clinerules", "~/Documents/Cline/Rules"},
	},
	Capabilities: []Capability{
		{
			Agent: "cline", Client: "Cline", Version: "3.0.65", Proof: Observed, Event: "PreToolUse", Kind: BeforeTool,
			Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Deny, Rewrite: NotWithAsk, Told: true,
			Crash: tool.Pass, Timeout: tool.Pass, Deaf: true,
			Note: "a denied shell command is replaced by one that prints the reason and fails, since cancelling ends the task; other tools are cancelled; the editor's extension was not tried",
		},
	},
}

func (cline) Facts() *Facts { return &clineFacts }

func (cline) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	req := Request{Kind: BeforeTool, Call: tool.Call{Agent: "cline", Attended: true}}
	doc, err := document(stdin)
	if err != nil {
		return req, err
	}
	req.Document = doc
	req.Call.Session = remark(doc, "taskId")
	if req.Call.Event, err = text(doc, "hookName"); err != nil {
		return req, err
	}
	call := doc.Get("tool_call")
	if result := doc.Get("tool_result"); req.Call.Event == "tool_result" && result.Kind == strictjson.Object {
		req.Kind, call = AfterTool, result
	}
	err = req.readCline(call, doc.Get("preToolUse"), env)
	return req, req.only(err)
}

func (req *Request) readCline(call, old strictjson.Value, env func(string) (string, bool)) (err error) {
	switch {
	case call.Kind == strictjson.Object:
		req.shape = clineCLI
		req.Call.ToolUse = remark(call, "id")
		req.Call.Tool, err = text(call, "name")
		req.Input = call.Get("input")
	case old.Kind == strictjson.Object:
		req.Call.Tool, err = text(old, "toolName")
		req.Input = old.Get("parameters")
	case req.Call.Event != "" && req.Call.Event != "tool_call" && req.Call.Event != "PreToolUse":
		req.Kind = Other
		return nil
	default:
		return errNoTool
	}
	if err != nil {
		return err
	}
	roots, _ := strs(req.Document.Get("workspaceRoots"), "path")
	at := place{}
	at.home, _ = env("HOME")
	if len(roots) > 0 && filepath.IsAbs(roots[0]) {
		at.dir = roots[0]
	} else if pwd, _ := env("PWD"); filepath.IsAbs(pwd) {
		at.dir = pwd
	}
	req.Call.Dir = at.dir
	return req.describeChecked(clineTools, at)
}

func (cline) Encode(req Request, v tool.Verdict) Answer {
	var top object
	if req.Kind == AfterTool && v.Context != "" {
		top.text("contextModification", v.Context)
	}
	if req.Kind != BeforeTool {
		return top.answer()
	}
	v = settle(capability("cline", req.Kind), &req, v)
	if v.Rewrite != "" {
		clineInstead(&top, &req, v.Rewrite, "This command may run only in the form below.\nRun this instead:\n"+v.Rewrite)
	} else if v.Decision == tool.Deny {
		clineInstead(&top, &req, "printf '%s\\n' "+shellQuote(v.Reason)+" >&2; exit 1", v.Reason)
	}
	a := top.answer()
	a.Stderr = top.spoken(&v).Stderr
	return a
}

// clineInstead has another script run in place of the call, or cancels it where that cannot be.
func clineInstead(top *object, req *Request, script, why string) {
	if req.shape == clineCLI && req.Call.Tool == "run_commands" && req.field != "" && filepath.IsAbs(req.Call.Dir) {
		top.raw("overrideInput", req.Input.With(req.field, "["+strictjson.Quote(script)+"]"))
	} else {
		cancel(top, why)
	}
}

func cancel(top *object, why string) {
	top.raw("cancel", "true")
	top.text("errorMessage", why)
}
