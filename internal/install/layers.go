package install

import (
	"path"
	"slices"

	"longline/internal/agent"
	"longline/internal/guard"
	"longline/internal/strictjson"
)

// layers are the files that the client reads: the administrator's, and the others.
func layers(x *Exam, h *agent.Hooks) (managed, others []string) {
	managed = append([]string{h.Managed}, x.Glob(path.Join(path.Dir(h.On("linux")), "*.json"))...)
	others = []string{x.Place.at(h, User)}
	for _, file := range append([]string{x.Place.at(h, Project)}, x.Place.beside(h)...) {
		if file != others[0] {
			others = append(others, file)
		}
	}
	return managed, others
}

// examineLayers: hooks in the administrator's settings run whatever others switch off.
func examineLayers(x *Exam, f *agent.Facts) {
	h := f.Hooks
	x.variables(h)
	managed, others := layers(x, h)
	starts := func(file string) bool { return startsLongline(x.json(file, h.Comments), h) }
	fixed := slices.ContainsFunc(managed, starts)
	everywhere := "longline init --agent " + f.Name + " --scope managed"
	for _, file := range append(slices.Clone(managed), others...) {
		administrator := slices.Contains(managed, file)
		root := x.json(file, h.Comments)
		for _, s := range h.Switches([]byte(root.Raw), guard.VariableEffect) {
			level, fix := Warn, "remove it, or install with "+everywhere
			switch {
			case s.Off && fixed && !administrator:
				fix = "remove it; longline runs anyway, because it is in the managed settings"
			case s.Off:
				level = Fail
			}
			x.say(level, file+" sets "+s.Setting+": "+s.Effect, fix)
		}
		if administrator && root.Get(h.Fleet.Only).True && !starts(file) {
			x.off(file, h.Fleet.Only, "hooks in your own settings do not run", everywhere)
		}
		x.events(file, below(root, h.Keys), h)
	}
}

// startsLongline reports whether settings call longline before each tool call.
func startsLongline(root strictjson.Value, h *agent.Hooks) bool {
	for _, group := range below(root, h.Keys).Get(h.Events[0]).Items {
		if slices.ContainsFunc(group.Get("hooks").Items, agent.Starts) {
			return true
		}
	}
	return false
}
