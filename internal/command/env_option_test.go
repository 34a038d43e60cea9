package command

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestOptionsFromEnvironment holds for all programs that PROGRAM_OPTION does to a path what --option does, in whatever
// way the name of the option joins its words, and that it makes nothing a rehearsal.
func TestOptionsFromEnvironment(t *testing.T) {
	lib := Builtin()
	const place = "/srv/option-test"
	w := &tool.World{Home: "/home/dev", Project: "/home/dev/proj"}
	on := func(env []Assign, words ...string) (effects []string) {
		inv := Invocation{Dir: Known(w.Project, tool.Span{}), Stdin: Data{None: true}, Env: env}
		for i, s := range words {
			inv.Words = append(inv.Words, Known(s, tool.Span{Start: i * 100, End: i*100 + len(s)}))
		}
		lib.Read(&inv, w)
		for _, e := range inv.Effects {
			if strings.Contains(e.Target, place) {
				effects = append(effects, e.Kind.String())
			}
		}
		return effects
	}
	tried := 0
	for _, name := range lib.Programs() {
		model := lib.Find(name)
		if model == nil || strings.ContainsAny(name, "/.+[") || model.Grammar != GNU {
			continue
		}
		for _, f := range model.Flags.All() {
			if !strings.HasPrefix(f.Name, "--") || len(f.Values) != 1 || f.Optional || !puts(&f) && !f.has("empties") && !f.has("delete") && !f.has("delete-tree") {
				continue
			}
			variable := strings.ToUpper(strings.ReplaceAll(name+"_"+f.Name[2:], "-", "_"))
			if lib.named(variable).use != nil || model.Env.find(variable) != nil {
				continue
			}
			tried++
			env := []Assign{{Name: variable, Value: Known(place, tool.Span{Start: 5, End: 9}), Prefix: true}}
			given, got := on(nil, name, f.Name+"="+place), on(env, name)
			for _, kind := range given {
				if !slices.Contains(got, kind) {
					t.Errorf("%s=%s %s: %q, but with %s: %q", variable, place, name, got, f.Name, given)
					break
				}
			}
		}
		for _, d := range model.Dry {
			variable := strings.ToUpper(strings.ReplaceAll(name+"_"+strings.TrimLeft(d, "-"), "-", "_"))
			env := []Assign{{Name: variable, Value: Known("1", tool.Span{Start: 5, End: 6}), Prefix: true}}
			if plain, got := on(nil, name, place), on(env, name, place); len(got) < len(plain) {
				t.Errorf("%s=1 %s %s: %q, without the variable %q", variable, name, place, got, plain)
			}
		}
	}
	if tried < 100 {
		t.Errorf("only %d options were tried", tried)
	}
}
