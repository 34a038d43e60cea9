package install

import "path"

// qwenFiles: both events are needed. Qwen Code asks its user before it calls
// PreToolUse, so only PermissionRequest can spare the question.
func qwenFiles(p *Place) ([]target, error) {
	file := &listFile{comments: true, entries: func(c Command) []entry {
		return []entry{
			{path: []string{"hooks", "PreToolUse"}, element: group("*", namedHook(c, "qwen"))},
			{path: []string{"hooks", "PermissionRequest"}, element: group("*", namedHook(c, "qwen"))},
		}
	}}
	switch p.Scope {
	case User:
		return []target{file.target(path.Join(p.Home, ".qwen/settings.json"))}, nil
	case Project:
		return []target{file.target(path.Join(p.Project, ".qwen/settings.json"))}, nil
	}
	return nil, noScope("Qwen Code", p.Scope, User, Project)
}
