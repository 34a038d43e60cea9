package install

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

// joinedTargets: a file of hooks has the events at its top; one with a "hooks" around them
// would be ignored. Where there is one, the client does not look for hooks in its settings
// any more, so that somebody who has theirs there would lose them: longline joins them there.
func joinedTargets(f *agent.Facts, _ *Place, at string) []target {
	entries := func(comments bool, keys []string) *listFile {
		return &listFile{comments: comments, entries: func(c Command) []entry { return eventEntries(f, c, keys) }}
	}
	hooks := entries(false, nil).target(at)
	settings := entries(true, f.Hooks.Keys).target(path.Join(path.Dir(at), path.Base(f.Hooks.Second)))
	joins := func(now reader) bool {
		d, err := (&listFile{comments: true}).read(now(settings.path))
		return now(hooks.path) == nil && err == nil && below(d.root, f.Hooks.Keys).Kind == strictjson.Object
	}
	return []target{
		hooks.onlyIf(func(now reader) bool { return !joins(now) }),
		settings.onlyIf(joins),
	}
}

// onlyIf is the target, to which nothing is added unless it is wanted.
func (t target) onlyIf(wanted func(now reader) bool) target {
	put := t.put
	t.put = func(old []byte, c Command, now reader) ([]byte, error) {
		if !wanted(now) {
			return old, nil
		}
		return put(old, c, now)
	}
	return t
}

func examineJoined(x *Exam, f *agent.Facts) {
	h := f.Hooks
	for _, at := range []string{x.Place.at(h, User), x.Place.at(h, Project)} {
		files := []string{h.Project, h.Second}
		files = append(files, h.Beside...)
		slices.Sort(files)
		for _, file := range files {
			below := strings.TrimPrefix(file, path.Dir(h.Project)+"/")
			x.joined(path.Join(path.Dir(at), below), file == h.Project, f)
		}
	}
}

// joined looks at one file. Those that bear the name of the file of hooks have the events
// at their top; only in that file itself longline knows of no comments.
func (x *Exam) joined(file string, itself bool, f *agent.Facts) {
	h := f.Hooks
	root := x.json(file, !itself)
	hooks, keys := below(root, h.Keys), h.Keys
	if path.Base(file) == path.Base(h.Project) {
		if itself && hooks.Kind == strictjson.Object {
			x.say(Warn, fmt.Sprintf("%s has its hooks below %q: %s ignores those", file, strings.Join(h.Keys, "."), f.Client), "put the events at the top of the file")
		}
		hooks, keys = root, nil
	}
	for _, off := range h.Off {
		if x.isOff(file, hooks, off) {
			x.offBy(file, strings.Join(append(slices.Clone(keys), off.Keys...), "."), off)
		}
	}
	x.events(file, hooks, h)
}
