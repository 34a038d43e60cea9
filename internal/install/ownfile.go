package install

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

func ownTargets(f *agent.Facts, _ *Place, at string) []target {
	return []target{ownFile(at, 0o644, isOurHooks, func(c Command) string { return ownText(f, c) })}
}

// ownText is a file of hooks of our own: what the seed says, and the hooks.
func ownText(f *agent.Facts, c Command) string {
	var fields []field
	seed, _ := strictjson.Parse([]byte(f.Hooks.Seed))
	for _, m := range seed.Members {
		fields = append(fields, field{m.Key, m.Value.Raw})
	}
	var events []field
	var all []string
	for _, event := range f.Hooks.Events {
		hook := element(f, c, event)
		events, all = append(events, field{event, list(hook)}), append(all, hook)
	}
	hooks := obj(events...)
	if f.Hooks.Trigger != "" {
		hooks = list(all...)
	}
	return pretty(obj(append(fields, field{f.Hooks.Keys[0], hooks})...))
}

// pretty lays out a file of our own.
func pretty(compact string) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(compact), "", "  "); err != nil {
		return compact
	}
	return b.String() + "\n"
}

// examineOwn: every file in a folder of hooks counts, and what the client reads besides.
func examineOwn(x *Exam, f *agent.Facts) {
	h := f.Hooks
	for _, file := range x.folders(h) {
		root := x.json(file, h.Comments)
		x.switches(file, root, h)
		if h.Trigger != "" {
			x.triggered(file, below(root, h.Keys), h)
		} else {
			x.events(file, below(root, h.Keys), h)
		}
	}
}

// folders are the files that a client with folders of hooks reads: the user's, then the
// project's.
func (x *Exam) folders(h *agent.Hooks) []string {
	home, project := x.folder(x.Place.at(h, User)), x.folder(x.Place.at(h, Project))
	for _, file := range h.Beside {
		if strings.HasPrefix(file, "~/") {
			home = append(home, x.Place.file(h, file))
		} else {
			project = append(project, x.Place.file(h, file))
		}
	}
	if other := find(h.Borrows); other != nil {
		project = append(append(project, x.Place.at(other.Hooks, Project)), x.Place.beside(other.Hooks)...)
	}
	return append(home, project...)
}

// folder lists the files beside one of our own.
func (x *Exam) folder(own string) []string {
	if own == "" {
		return nil
	}
	return x.Glob(path.Join(path.Dir(own), "*.json"))
}

// triggered looks at a list of hooks that each say their event.
func (x *Exam) triggered(file string, list strictjson.Value, h *agent.Hooks) {
	for _, hook := range list.Items {
		action := hook.Get("action")
		if program := agent.Program(action); program != "" {
			x.program(file, program)
		} else if slices.Contains(looked(h), hook.Get(h.Trigger).Text) {
			x.other(file, action)
		}
	}
}
