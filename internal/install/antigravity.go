package install

import "path"

func antigravityCLI() installer {
	return installer{agent: "antigravity", files: antigravityFiles, examine: examineAntigravity}
}

// antigravityFiles: hooks stand below a name of their own, not below the event.
func antigravityFiles(p *Place) ([]target, error) {
	file := &listFile{entries: func(c Command) []entry {
		hook := obj(str("type", "command"), str("command", c.line("antigravity")), num("timeout", seconds))
		return []entry{{path: []string{"longline", "PreToolUse"}, element: group("*", hook)}}
	}}
	switch p.Scope {
	case User:
		return []target{file.target(path.Join(p.Home, ".gemini/config/hooks.json"))}, nil
	case Project:
		return []target{file.target(path.Join(p.Project, ".agents/hooks.json"))}, nil
	}
	return nil, noScope("Antigravity", p.Scope, User, Project)
}

func examineAntigravity(x *Exam) {
	for _, file := range []string{path.Join(x.Place.Home, ".gemini/config/hooks.json"), path.Join(x.Place.Project, ".agents/hooks.json"), path.Join(x.Place.Project, ".agent/hooks.json")} {
		for _, named := range x.json(file, false).Members {
			if on := named.Value.Get("enabled"); on.Raw == "false" && named.Key == "longline" {
				x.off(file, "longline.enabled to false", "longline's hook does not run", "take it out")
			}
			x.hooks(file, named.Value.Get("PreToolUse"))
		}
	}
}
