package install

import "path"

// copilotFiles: a file of our own, in the dialect that is Copilot's own. There
// is no matcher, for a missing one means every tool.
func copilotFiles(p *Place) ([]target, error) {
	text := func(c Command) string {
		hook := func(event string) field {
			return field{event, list(obj(str("type", "command"), str("bash", c.line("copilot")), num("timeoutSec", seconds)))}
		}
		return pretty(obj(num("version", 1), field{"hooks", obj(hook("preToolUse"), hook("permissionRequest"))}))
	}
	switch p.Scope {
	case User:
		dir := p.env("COPILOT_HOME")
		if dir == "" {
			dir = path.Join(p.Home, ".copilot")
		}
		return []target{ownFile(path.Join(dir, "hooks/longline.json"), 0o644, text)}, nil
	case Project:
		return []target{ownFile(path.Join(p.Project, ".github/hooks/longline.json"), 0o644, text)}, nil
	}
	return nil, noScope("Copilot CLI", p.Scope, User, Project)
}
