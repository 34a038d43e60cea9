package install

import "path"

// droidFiles: the file is keyed by event directly; one with a "hooks" around it
// would be ignored.
func droidFiles(p *Place) ([]target, error) {
	file := &listFile{entries: func(c Command) []entry {
		hook := obj(str("type", "command"), str("command", c.line("droid")), num("timeout", seconds))
		return []entry{{path: []string{"PreToolUse"}, element: group("*", hook)}}
	}}
	switch p.Scope {
	case User:
		return []target{file.target(path.Join(p.Home, ".factory/hooks.json"))}, nil
	case Project:
		return []target{file.target(path.Join(p.Project, ".factory/hooks.json"))}, nil
	}
	return nil, noScope("Droid", p.Scope, User, Project)
}
