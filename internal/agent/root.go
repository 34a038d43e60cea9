package agent

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/strictjson"
)

// rootVariable is the variable in which a client tells its hooks where the project
// is. Clients set it themselves, whatever a project's settings say.
func rootVariable(agent string) string {
	switch agent {
	case "claude", "claude-legacy":
		return "CLAUDE_PROJECT_DIR"
	case "gemini":
		return "GEMINI_PROJECT_DIR"
	case "copilot":
		return "COPILOT_PROJECT_DIR"
	}
	return ""
}

// Root is the project that the client names, or "". If it names several, it is
// the one that the call is in.
func Root(req *Request, env func(string) (string, bool)) string {
	if name := rootVariable(req.Call.Agent); name != "" {
		if dir, _ := env(name); strings.HasPrefix(dir, "/") {
			return dir
		}
	}
	root := ""
	for _, r := range req.Document.Get("workspace_roots").Items {
		if in := paths.Within(req.Call.Dir, r.Text); r.Kind == strictjson.String && (root == "" || in) {
			root = r.Text
			if in {
				break
			}
		}
	}
	return root
}

// Cwd is the client's own directory, which may differ from the one that a tool
// runs in.
func Cwd(req *Request) string {
	if req.cwd != "" {
		return req.cwd
	}
	return req.Call.Dir
}
