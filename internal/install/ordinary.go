package install

import (
	"path"
	"strconv"
	"strings"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

// ordinary is the installer of a client whose facts say all that has to be known.
func ordinary(f *agent.Facts) installer {
	return installer{
		agent: f.Name, live: f.Hooks.Live,
		files: func(p *Place) ([]target, error) {
			files := settingsOf(f.Hooks, p)
			if files[p.Scope] == "" {
				var have []Scope
				for _, scope := range []Scope{User, Project, Managed} {
					if files[scope] != "" {
						have = append(have, scope)
					}
				}
				return nil, noScope(f.Client, p.Scope, have...)
			}
			return []target{ordinaryFile(f).target(files[p.Scope])}, nil
		},
		examine: func(x *Exam) { examineOrdinary(x, f.Hooks) },
	}
}

// settingsOf are the files of a client's settings by their scope.
func settingsOf(h *agent.Hooks, p *Place) map[Scope]string {
	files := map[Scope]string{Managed: h.Managed}
	if h.User != "" {
		files[User] = path.Join(p.Home, h.User)
	}
	if h.Project != "" {
		files[Project] = path.Join(p.Project, h.Project)
	}
	return files
}

// ordinaryFile is the file of settings with an entry for each event.
func ordinaryFile(f *agent.Facts) *listFile {
	h := f.Hooks
	return &listFile{comments: h.Comments, seed: h.Seed, entries: func(c Command) []entry {
		element := strings.NewReplacer(`"{command}"`, strictjson.Quote(c.line(f.Name)), "{seconds}", strconv.Itoa(seconds), "{milliseconds}", strconv.Itoa(seconds*1000)).Replace(h.Entry)
		var all []entry
		for _, event := range h.Events {
			all = append(all, entry{path: append(append([]string{}, h.Keys...), event), element: element})
		}
		return all
	}}
}

// examineOrdinary looks for switches, and for other hooks at the same events.
func examineOrdinary(x *Exam, h *agent.Hooks) {
	at := settingsOf(h, &x.Place)
	files := []string{at[Managed], at[User], at[Project]}
	if h.Local != "" {
		files = append(files, path.Join(x.Place.Project, h.Local))
	}
	looked := h.Looked
	if looked == nil {
		looked = h.Events
	}
	for _, file := range files {
		if file == "" {
			continue
		}
		root := x.json(file, h.Comments)
		for _, off := range h.Off {
			if root.Get(off).True {
				x.off(file, off, "no hook runs", "take it out")
			}
		}
		hooks := root
		for _, key := range h.Keys {
			hooks = hooks.Get(key)
		}
		for _, event := range looked {
			x.hooks(file, hooks.Get(event))
		}
	}
}
