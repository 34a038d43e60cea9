package install

import "path"

func windsurfEditor() installer {
	return installer{
		agent: "windsurf", files: windsurfFiles, examine: examineWindsurf,
	}
}

var windsurfEvents = [...]string{"pre_run_command", "pre_read_code", "pre_write_code", "pre_mcp_tool_use"}

func windsurfHooks() *listFile {
	return &listFile{entries: func(c Command) []entry {
		hook := obj(str("command", c.line("windsurf")), field{"show_output", "true"})
		var all []entry
		for _, event := range windsurfEvents {
			all = append(all, entry{path: []string{"hooks", event}, element: hook})
		}
		return all
	}}
}

func windsurfFiles(p *Place) ([]target, error) {
	file := windsurfHooks()
	switch p.Scope {
	case User:
		return []target{file.target(path.Join(p.Home, ".codeium/windsurf/hooks.json"))}, nil
	case Project:
		return []target{file.target(path.Join(p.Project, ".windsurf/hooks.json"))}, nil
	case Managed:
		return []target{file.target("/etc/windsurf/hooks.json")}, nil
	}
	return nil, noScope("Windsurf", p.Scope, User, Project, Managed)
}

func examineWindsurf(x *Exam) {
	for _, file := range []string{"/etc/windsurf/hooks.json", path.Join(x.Place.Home, ".codeium/windsurf/hooks.json"), path.Join(x.Place.Project, ".windsurf/hooks.json")} {
		hooks := x.json(file, false).Get("hooks")
		for _, event := range windsurfEvents {
			x.hooks(file, hooks.Get(event))
		}
	}
}
