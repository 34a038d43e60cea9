package install

import "path"

func auggieCLI() installer {
	return installer{agent: "auggie", files: auggieFiles, examine: examineAuggie}
}

// auggieFiles: times are in milliseconds, and a matcher is a regular expression.
func auggieFiles(p *Place) ([]target, error) {
	file := &listFile{entries: func(c Command) []entry {
		hook := obj(str("type", "command"), str("command", c.line("auggie")), num("timeout", seconds*1000))
		return []entry{{path: []string{"hooks", "PreToolUse"}, element: group(".*", hook)}}
	}}
	switch p.Scope {
	case User:
		return []target{file.target(path.Join(p.Home, ".augment/settings.json"))}, nil
	case Project:
		return []target{file.target(path.Join(p.Project, ".augment/settings.json"))}, nil
	case Managed:
		return []target{file.target("/etc/augment/settings.json")}, nil
	}
	return nil, noScope("Augment", p.Scope, User, Project, Managed)
}

func examineAuggie(x *Exam) {
	for _, file := range []string{"/etc/augment/settings.json", path.Join(x.Place.Home, ".augment/settings.json"), path.Join(x.Place.Project, ".augment/settings.json"), path.Join(x.Place.Project, ".augment/settings.local.json")} {
		x.hooks(file, x.json(file, false).Get("hooks").Get("PreToolUse"))
	}
}
