package install

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"longline/internal/agent"
	"longline/internal/paths"
	"longline/internal/strictjson"
)

func listTargets(f *agent.Facts, _ *Place, at string) []target {
	return []target{settingsFile(f).target(at)}
}

// settingsFile is a file of settings with a list for each event.
func settingsFile(f *agent.Facts) *listFile {
	h := f.Hooks
	return &listFile{comments: h.Comments, seed: h.Seed, check: h.Rejects, entries: func(c Command) []entry { return eventEntries(f, c, h.Keys) }}
}

// eventEntries are the entries for all events, below some keys.
func eventEntries(f *agent.Facts, c Command, keys []string) []entry {
	var all []entry
	for _, event := range f.Hooks.Events {
		all = append(all, entry{path: append(slices.Clone(keys), event), element: element(f, c, event)})
	}
	return all
}

// element is what is added for an event.
func element(f *agent.Facts, c Command, event string) string {
	text := f.Hooks.Entry
	for _, apart := range f.Hooks.Apart {
		if apart.Event == event {
			text = apart.Entry
		}
	}
	argv := c.argv(f.Name)
	var args []string
	for _, a := range argv[1:] {
		args = append(args, strictjson.Quote(a))
	}
	return strings.NewReplacer(
		`"{command}"`, strictjson.Quote(c.line(f.Name)),
		`"{program}"`, strictjson.Quote(argv[0]), `"{arguments}"`, strings.Join(args, ","),
		"{seconds}", strconv.Itoa(seconds), "{milliseconds}", strconv.Itoa(seconds*1000),
	).Replace(text)
}

// examineLists looks for switches, and for other hooks at the same events.
func examineLists(x *Exam, f *agent.Facts) {
	h := f.Hooks
	managed := h.On("linux")
	if managed == "" {
		managed = h.Managed
	}
	files := append([]string{managed, x.Place.at(h, User), x.Place.at(h, Project)}, x.Place.beside(h)...)
	for _, file := range files {
		if file == "" {
			continue
		}
		root := x.json(file, h.Comments)
		x.switches(file, root, h)
		for _, events := range tables(root, h) {
			x.events(file, events, h)
		}
	}
	if folder := x.distrusted(h.Trust); folder != "" {
		x.say(Fail, f.Client+" is told not to trust "+folder+": no hook runs there, your own included", "trust it with /permissions in "+f.Client+", or work elsewhere")
	}
}

// tables are the objects in a file that have events for keys.
func tables(root strictjson.Value, h *agent.Hooks) []strictjson.Value {
	if !h.Named {
		return []strictjson.Value{below(root, h.Keys)}
	}
	var all []strictjson.Value
	for _, m := range root.Members {
		all = append(all, m.Value)
	}
	return all
}

// below walks down some keys.
func below(v strictjson.Value, keys []string) strictjson.Value {
	for _, key := range keys {
		v = v.Get(key)
	}
	return v
}

// events looks at the hooks of a table of events.
func (x *Exam) events(file string, table strictjson.Value, h *agent.Hooks) {
	for _, event := range looked(h) {
		x.hooks(file, table.Get(event))
	}
}

// switches looks for settings that keep hooks from running.
func (x *Exam) switches(file string, root strictjson.Value, h *agent.Hooks) {
	for _, off := range h.Off {
		if x.isOff(file, root, off) {
			x.offBy(file, strings.Join(off.Keys, "."), off)
		}
	}
	if h.Disabled == nil {
		return
	}
	for _, name := range below(root, h.Disabled).Items {
		if strings.Contains(name.Text, "longline") {
			x.off(file, strings.Join(h.Disabled, "."), "longline's hook does not run", "take "+name.Raw+" out of the list")
		}
	}
}

// isOff reports whether a file has a setting that keeps hooks from running.
func (x *Exam) isOff(file string, root strictjson.Value, off agent.Off) bool {
	switch v := below(root, off.Keys); {
	case v.Kind != strictjson.Bool || v.True == off.False:
		return false
	case off.Folder != "":
		return paths.Within(file, path.Join(x.Place.Project, off.Folder))
	}
	return !off.Own || x.scope(file) != ""
}

// offBy says that a setting of some name keeps hooks from running.
func (x *Exam) offBy(file, what string, off agent.Off) {
	effect, fix := off.Effect, off.Fix
	if off.False {
		what += " to false"
	}
	if effect == "" {
		effect = "no hook runs"
	}
	switch {
	case fix != "":
	case off.Own:
		fix = x.again(file)
	default:
		fix = "take it out"
	}
	if off.Warn {
		x.say(Warn, file+" sets "+what+": "+effect, fix)
		return
	}
	x.off(file, what, effect, fix)
}

// distrusted returns the folder above the project that the user has chosen
// not to trust. The nearest folder that something was said about counts.
func (x *Exam) distrusted(t *agent.Trust) string {
	if t == nil {
		return ""
	}
	file := x.Place.env(t.Variable)
	if file == "" {
		file = path.Join(x.Place.Home, t.File)
	}
	nearest, level := "", ""
	for _, m := range x.json(file, true).Members {
		folder := path.Clean(m.Key)
		if m.Value.Text == "TRUST_PARENT" {
			folder = path.Dir(folder)
		}
		if paths.Within(x.Place.Project, folder) && len(folder) > len(nearest) {
			nearest, level = folder, m.Value.Text
		}
	}
	if level != "DO_NOT_TRUST" {
		return ""
	}
	return nearest
}
