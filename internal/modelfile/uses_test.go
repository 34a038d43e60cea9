package modelfile

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// TestUsesAreApplied fails for a use of the table that the reader does not know, and
// for one that no model needs.
func TestUsesAreApplied(t *testing.T) {
	needed := map[string]bool{}
	note := func(uses []command.Use) {
		for _, u := range uses {
			if u.Arg != "" {
				u.Name += ":"
			}
			needed[u.Name] = true
		}
	}
	var look func(l *command.Level)
	look = func(l *command.Level) {
		flags, items := slices.Concat(l.Flags.All(), l.Global.All()), slices.Concat(l.Operands, l.After)
		for _, m := range l.Modes {
			flags, items = append(flags, m.Flags...), append(items, m.Items...)
		}
		for _, f := range flags {
			for _, uses := range f.Values {
				note(uses)
			}
		}
		for _, it := range items {
			note(it.Uses)
		}
		for _, e := range l.Env.All() {
			note(e.Uses)
		}
		for i := range l.Subs.All() {
			look(l.Subs.All()[i].Level)
		}
	}
	_, parsed := load(t)
	for _, f := range parsed {
		for _, m := range f.Models {
			look(&m.Level)
		}
	}
	for _, e := range readVariables(t) {
		note(e.Uses)
	}
	seen := map[string]bool{}
	for _, form := range command.AllUses() {
		if seen[form] {
			continue
		}
		seen[form] = true
		name, _, argued := strings.Cut(form, ":")
		use := command.Use{Name: name}
		if argued {
			use.Arg = "x"
		}
		if !command.KnownUse(use) {
			t.Errorf("%q is in the table, and not known", form)
		}
		if !needed[form] {
			t.Errorf("no model needs the use %q", form)
		}
		m := &command.Model{Names: []string{"p"}}
		value := use
		if use.TakesRest() {
			value = command.Use{Name: "text"} // an operand and all behind it
		}
		m.Flags = command.FlagsOf([]command.Flag{{Name: "--flag", Values: [][]command.Use{{value}}}})
		m.Operands = []command.Item{{Uses: []command.Use{use}, Many: true}}
		lib := &command.Library{
			Find:     func(string) *command.Model { return m },
			Programs: func() []string { return nil },
		}
		inv := &command.Invocation{
			Words: []command.Word{command.Known("p", tool.Span{End: 1}), command.Known("--flag=a", tool.Span{Start: 2, End: 10}), command.Known("b", tool.Span{Start: 11, End: 12})},
			Dir:   command.Known("/home/dev/proj", tool.Span{}), Stdin: command.Data{None: true}, Span: tool.Span{End: 12},
		}
		lib.Read(inv, &tool.World{Home: "/home/dev", Project: "/home/dev/proj"})
		for _, gap := range inv.Gaps {
			if strings.Contains(gap.Why, "unknown use") || strings.Contains(gap.Why, "internal error") {
				t.Errorf("%q: %s", form, gap.Why)
			}
		}
	}
}
