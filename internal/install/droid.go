package install

import (
	"path"

	"longline/internal/strictjson"
)

func droidCLI() installer {
	return installer{
		agent: "droid", programs: []string{"droid"}, dir: ".factory",
		files: droidFiles, examine: examineDroid,
		live: []string{"exec", promptMark},
	}
}

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

func examineDroid(x *Exam) {
	for _, dir := range []string{path.Join(x.Place.Home, ".factory"), path.Join(x.Place.Project, ".factory")} {
		for _, name := range [...]string{"hooks.json", "hooks/hooks.json", "settings.json", "settings.local.json"} {
			file := path.Join(dir, name)
			root := x.json(file, name != "hooks.json")
			hooks, key := root, ""
			if wrapped := root.Get("hooks"); name == "hooks.json" && wrapped.Kind == strictjson.Object {
				x.say(Warn, file+` has its hooks below "hooks": Droid ignores those`, "put the events at the top of the file")
			} else if name != "hooks.json" && name != "hooks/hooks.json" {
				hooks, key = wrapped, "hooks."
			}
			if hooks.Get("hooksDisabled").True {
				x.off(file, key+"hooksDisabled", "no hook runs", "take it out")
			}
			x.hooks(file, hooks.Get("PreToolUse"))
		}
	}
}
