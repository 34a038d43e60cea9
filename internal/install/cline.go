package install

import "path"

// clineFiles: a hook is an executable that bears the name of the event.
func clineFiles(p *Place) ([]target, error) {
	text := func(c Command) string { return "#!/bin/sh\nexec " + c.line("cline") + "\n" }
	switch p.Scope {
	case User:
		return []target{ownFile(path.Join(p.Home, ".cline/hooks/PreToolUse"), 0o755, text)}, nil
	case Project:
		return []target{ownFile(path.Join(p.Project, ".clinerules/hooks/PreToolUse"), 0o755, text)}, nil
	}
	return nil, noScope("Cline", p.Scope, User, Project)
}
