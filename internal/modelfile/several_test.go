package modelfile

import (
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/reader"
	"longline/internal/tool"
)

// A pattern stands for all the files that it matches. Whatever a program does with one of several files that are named, it does with the
// pattern that stands for them: with the second as with the first.
func TestPatternsAreSeveralOperands(t *testing.T) {
	lib, parsed := load(t)
	world := &tool.World{
		Home: "/home/dev", Project: "/home/dev/p", Exists: func(path string) bool { return !strings.HasSuffix(path, "/.") },
		Entries: func(dir string) ([]tool.Entry, bool) {
			if dir != "/home/dev/p" {
				return nil, true
			}
			return []tool.Entry{{Name: "x1.f"}, {Name: "x2.f"}, {Name: "x3.f"}}, true
		},
	}
	effects := func(script string) (list []tool.Effect, certain bool) {
		res := reader.Read(script, "/home/dev/p", world, lib)
		certain = len(res.Gaps) == 0
		for _, inv := range res.Invocations {
			certain = certain && len(inv.Gaps) == 0
			list = append(list, inv.Effects...)
		}
		return list, certain
	}
	second, checked := 0, 0
	var look func(name string, l *command.Level)
	look = func(name string, l *command.Level) {
		checked++
		pattern, certain := effects(name + " x*.f")
		for _, names := range []string{" x1.f x2.f", " x1.f x2.f x3.f"} {
			several, judged := effects(name + names)
			for _, e := range several {
				if certain && judged && e.Kind.IsPath() && e.Kind != tool.Read && strings.Contains(e.Target, "/x") && !hasEffect(pattern, e) {
					t.Errorf("%s%s: %s %s, and the pattern of them does not", name, names, e.Kind, e.Target)
				} else if e.Kind != tool.Read {
					second++
				}
			}
		}
		for i := range l.Subs.All() {
			look(name+" "+l.Subs.All()[i].Names[0], l.Subs.All()[i].Level)
		}
	}
	for _, f := range parsed {
		for _, m := range f.Models {
			if !strings.Contains(m.Names[0], "/") {
				look(m.Names[0], &m.Level)
			}
		}
	}
	if checked < 5000 || second < 1000 {
		t.Errorf("%d commands, %d effects", checked, second)
	}
}

// hasEffect says whether one of several effects may be on what another one is on.
func hasEffect(list []tool.Effect, e tool.Effect) bool {
	for _, o := range list {
		is, sure := paths.Match(o.Target, e.Target)
		switch {
		case o.Kind != e.Kind:
		case o.Reach != tool.Exact, o.Target == e.Target, o.Pattern && (is || !sure), o.Tree && paths.Within(e.Target, o.Target):
			return true
		}
	}
	return false
}
