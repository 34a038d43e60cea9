package policy

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// index finds the rules that can match an invocation without looking at all of
// them: by the program's name, else by the kind of effect.
type index struct {
	rules   []Rule
	names   []named // sorted by name, then rule
	kinds   [tool.Control + 1][]int32
	general []int32 // what neither a name nor a kind narrows down
}

type named struct {
	name string
	rule int32
}

func newIndex(rules []Rule) index {
	x := index{rules: rules}
	for i := range rules {
		n := int32(i)
		m := &rules[i].Match
		switch names, ok := rules[i].programs(); {
		case ok:
			for _, name := range names {
				x.names = append(x.names, named{name, n})
			}
		case m.Effect.Kinds != 0:
			for k := range x.kinds {
				if m.Effect.Kinds.Has(tool.Kind(k)) {
					x.kinds[k] = append(x.kinds[k], n)
				}
			}
		default:
			x.general = append(x.general, n)
		}
	}
	slices.SortFunc(x.names, func(a, b named) int {
		if c := strings.Compare(a.name, b.name); c != 0 {
			return c
		}
		return int(a.rule - b.rule)
	})
	return x
}

// programs lists the names of programs one of which an invocation must have to
// match, if the matcher says so in plain names. Of a pipeline it is the last
// stage, at which objections are raised.
func (r *Rule) programs() (names []string, ok bool) {
	m := &r.Match
	commands := m.Commands
	if len(commands) == 0 && len(m.Stages) > 0 && r.Decision >= tool.Ask {
		commands = m.Stages[len(m.Stages)-1].Commands
	}
	for _, c := range commands {
		if len(c) == 0 || wild(c[0]) || strings.Contains(c[0], "/") {
			return nil, false
		}
		names = append(names, c[0])
	}
	return names, len(names) > 0
}

// candidates calls f with each rule that may match, each once, in their order.
func (s *Set) candidates(inv *command.Invocation, f func(*Rule)) {
	x := &s.index
	list := append([]int32(nil), x.general...)
	name := inv.Name
	if name == "" && len(inv.Words) > 0 && inv.Words[0].IsKnown() {
		name = lastName(inv.Words[0].Text)
	}
	if name != "" {
		at, _ := slices.BinarySearchFunc(x.names, name, func(n named, name string) int { return strings.Compare(n.name, name) })
		for ; at < len(x.names) && x.names[at].name == name; at++ {
			list = append(list, x.names[at].rule)
		}
	}
	var kinds KindSet
	for _, e := range inv.Effects {
		if int(e.Kind) < len(x.kinds) && !kinds.Has(e.Kind) {
			kinds = kinds.With(e.Kind)
			list = append(list, x.kinds[e.Kind]...)
		}
	}
	slices.Sort(list)
	for _, n := range slices.Compact(list) {
		f(&x.rules[n])
	}
}
