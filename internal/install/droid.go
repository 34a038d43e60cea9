package install

import (
	"path"
	"slices"

	"longline/internal/strictjson"
)

func droidCLI() installer {
	return installer{
		agent: "droid",
		files: droidFiles, examine: examineDroid,
		live: []string{"exec", promptMark},
	}
}

// droidFiles: hooks.json is keyed by event directly; one with a "hooks" around it
// would be ignored. Where there is one, Droid does not look for hooks in
// settings.json any more, so that somebody who has theirs there would lose them:
// longline joins them there.
func droidFiles(p *Place) ([]target, error) {
	var dir string
	switch p.Scope {
	case User:
		dir = path.Join(p.Home, ".factory")
	case Project:
		dir = path.Join(p.Project, ".factory")
	default:
		return nil, noScope("Droid", p.Scope, User, Project)
	}
	entries := func(keys ...string) *listFile {
		return &listFile{comments: len(keys) > 0, entries: func(c Command) []entry {
			hook := obj(str("type", "command"), str("command", c.line("droid")), num("timeout", seconds))
			var all []entry
			for _, event := range [...]string{"PreToolUse", "PostToolUse"} {
				all = append(all, entry{path: append(slices.Clone(keys), event), element: group("*", hook)})
			}
			return all
		}}
	}
	hooks := entries().target(path.Join(dir, "hooks.json"))
	settings := entries("hooks").target(path.Join(dir, "settings.json"))
	joins := func(now reader) bool {
		d, err := (&listFile{comments: true}).read(now(settings.path))
		return now(hooks.path) == nil && err == nil && d.root.Get("hooks").Kind == strictjson.Object
	}
	onlyIf := func(t target, wanted func(now reader) bool) target {
		put := t.put
		t.put = func(old []byte, c Command, now reader) ([]byte, error) {
			if !wanted(now) {
				return old, nil
			}
			return put(old, c, now)
		}
		return t
	}
	return []target{
		onlyIf(hooks, func(now reader) bool { return !joins(now) }),
		onlyIf(settings, joins),
	}, nil
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
