package install

import "path"

func windsurfFiles(p *Place) ([]target, error) {
	file := &listFile{entries: func(c Command) []entry {
		hook := obj(str("command", c.line("windsurf")), field{"show_output", "true"})
		var all []entry
		for _, event := range [...]string{"pre_run_command", "pre_read_code", "pre_write_code", "pre_mcp_tool_use"} {
			all = append(all, entry{path: []string{"hooks", event}, element: hook})
		}
		return all
	}}
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
