package install

import "path"

func vscodeEditor() installer {
	return installer{
		agent: "vscode", files: vscodeFiles, examine: examineVSCode,
	}
}

// vscodeFiles: only in a project. For a user VS Code reads Claude Code's own
// settings, so longline in Claude Code is longline in VS Code.
func vscodeFiles(p *Place) ([]target, error) {
	if p.Scope != Project {
		return nil, noScope("VS Code", p.Scope, Project)
	}
	return []target{ownFile(path.Join(p.Project, ".github/hooks/longline-vscode.json"), 0o644, isOurHooks, func(c Command) string {
		hook := obj(str("type", "command"), str("command", c.line("vscode")), num("timeout", seconds))
		return pretty(obj(field{"hooks", obj(field{"PreToolUse", list(hook)})}))
	})}, nil
}

func examineVSCode(x *Exam) {
	for _, file := range x.Glob(path.Join(x.Place.Project, ".github/hooks/*.json")) {
		x.hooks(file, x.json(file, false).Get("hooks").Get("PreToolUse"))
	}
}
