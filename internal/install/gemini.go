package install

import "path"

// geminiFiles: times are in milliseconds. Its settings may hold comments.
func geminiFiles(p *Place) ([]target, error) {
	file := &listFile{comments: true, entries: geminiEntries}
	switch p.Scope {
	case User:
		return []target{file.target(path.Join(p.Home, ".gemini/settings.json"))}, nil
	case Project:
		return []target{file.target(path.Join(p.Project, ".gemini/settings.json"))}, nil
	}
	return nil, noScope("Gemini CLI", p.Scope, User, Project)
}

func geminiEntries(c Command) []entry {
	return []entry{{path: []string{"hooks", "BeforeTool"}, element: group("*", namedHook(c, "gemini"))}}
}

// namedHook is a hook in the settings of Gemini CLI and of its relatives.
func namedHook(c Command, agent string) string {
	return obj(str("type", "command"), str("name", "longline"), str("command", c.line(agent)), num("timeout", seconds*1000))
}
