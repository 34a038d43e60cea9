package install

import "path"

// vscodeFiles: only in a project. For a user VS Code reads Claude Code's own
// settings, so longline in Claude Code is longline in VS Code.
func vscodeFiles(p *Place) ([]target, error) {
	if p.Scope != Project {
		return nil, noScope("VS Code", p.Scope, Project)
	}
	return []target{ownFile(path.Join(p.Project, ".github/hooks/longline-vscode.json"), 0o644, func(c Command) string {
		hook := obj(str("type", "command"), str("command", c.line("vscode")), num("timeout", seconds))
		return pretty(obj(field{"hooks", obj(field{"PreToolUse", list(hook)})}))
	})}, nil
}
