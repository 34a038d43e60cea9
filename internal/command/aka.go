package command

import (
	"cmp"
	"slices"
	"strings"
)

// Alias says that some words of a path have another name, of one word or more.
type Alias struct {
	From, To int
	Name     string
}

// alsoKnown notes the other names of the level that was entered last.
func (inv *Invocation) alsoKnown(l *Level) {
	end := len(inv.Path)
	last := inv.Path[end-1]
	for _, same := range l.Same {
		if names := strings.Split(same, "|"); len(names) == 1 {
			inv.Aka = append(inv.Aka, Alias{0, end, strings.ReplaceAll(same, "*", inv.Path[0])})
		} else if slices.Contains(names, last) {
			for _, name := range names {
				if name != last {
					inv.Aka = append(inv.Aka, Alias{end - 1, end, name})
				}
			}
		}
	}
}

// versions notes the other names of a program that differ from its own in a version: pip, pip3, pip3.12.
func (inv *Invocation) versions(m *Model) {
	plain := unversioned(inv.Name)
	for _, name := range m.Names {
		if name != inv.Name && unversioned(name) == plain {
			inv.Aka = append(inv.Aka, Alias{0, 1, name})
		}
	}
}

// unversioned is the name of a program without the version at its end.
func unversioned(name string) string {
	return cmp.Or(strings.TrimSuffix(strings.TrimRight(name, "0123456789."), "-"), name)
}
