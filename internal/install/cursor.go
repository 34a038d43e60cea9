package install

import "path"

func cursorEditor() installer {
	return installer{
		agent: "cursor", files: cursorFiles, examine: examineCursor,
	}
}

// cursorHooks: one event for each sort of call. preToolUse would fire for the
// same calls again, and does not ask.
func cursorHooks() *listFile {
	return &listFile{seed: "{\n\t\"version\": 1\n}", entries: func(c Command) []entry {
		hook := obj(str("command", c.line("cursor")), num("timeout", seconds), field{"failClosed", "true"})
		var all []entry
		for _, event := range [...]string{"beforeShellExecution", "beforeReadFile", "beforeMCPExecution"} {
			all = append(all, entry{path: []string{"hooks", event}, element: hook})
		}
		return all
	}}
}

func cursorFiles(p *Place) ([]target, error) {
	file := cursorHooks()
	switch p.Scope {
	case User:
		return []target{file.target(path.Join(p.Home, ".cursor/hooks.json"))}, nil
	case Project:
		return []target{file.target(path.Join(p.Project, ".cursor/hooks.json"))}, nil
	case Managed:
		return []target{file.target("/etc/cursor/hooks.json")}, nil
	}
	return nil, noScope("Cursor", p.Scope, User, Project, Managed)
}

func examineCursor(x *Exam) {
	for _, file := range []string{"/etc/cursor/hooks.json", path.Join(x.Place.Home, ".cursor/hooks.json"), path.Join(x.Place.Project, ".cursor/hooks.json")} {
		hooks := x.json(file, false).Get("hooks")
		for _, event := range [...]string{"beforeShellExecution", "beforeReadFile", "beforeMCPExecution", "preToolUse"} {
			x.hooks(file, hooks.Get(event))
		}
	}
}
