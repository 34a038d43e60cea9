package install

import (
	"path"

	"longline/internal/agent"
)

// scriptTargets: a hook is an executable that bears the name of the event.
func scriptTargets(f *agent.Facts, _ *Place, at string) []target {
	var all []target
	for _, event := range f.Hooks.Events {
		all = append(all, ownScript(path.Join(at, event), f.Name))
	}
	return all
}

// examineScripts: the hooks of every folder run.
func examineScripts(x *Exam, f *agent.Facts) {
	h := f.Hooks
	folders := append([]string{x.Place.at(h, User)}, x.Place.beside(h)...)
	for _, folder := range append(folders, x.Place.at(h, Project)) {
		for _, event := range looked(h) {
			for _, name := range [...]string{event, event + ".sh"} {
				file := path.Join(folder, name)
				if text := x.text(file); mentions(text) {
					x.script(file)
				} else if text != nil {
					x.stranger(file, "the file itself")
				}
			}
		}
	}
}
