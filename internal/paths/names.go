package paths

import (
	"slices"
	"strings"
)

// Names says quickly of most names that they are none of some names and patterns of names. The zero value has none.
type Names struct {
	All   bool // every name may be one of them
	exact map[string]bool
	begin []string
	end   [256][]string // by their last letter
}

// NamesOf are the names that members of a zone may begin with which may stand anywhere.
func NamesOf(members []string) *Names {
	n := &Names{}
	for _, m := range members {
		if m[0] != '/' && m[0] != '~' {
			first, _, _ := strings.Cut(strings.ToLower(m), "/")
			n.Add(first)
		}
	}
	return n
}

// Add adds a name, or a pattern of names.
func (n *Names) Add(name string) {
	switch fixed, rest := Fixed(name), Ending(name); {
	case fixed == name:
		if n.exact == nil {
			n.exact = map[string]bool{}
		}
		n.exact[name] = true
	case fixed != "":
		n.begin = append(n.begin, fixed)
	case rest == "":
		n.All = true
	default:
		last := rest[len(rest)-1]
		n.end[last] = append(n.end[last], rest)
	}
}

// May reports whether a name may be one of them.
func (n *Names) May(name string) bool {
	name = strings.ToLower(name)
	return n.All || n.exact[name] || strings.Contains(name, "\u017f") || // which is another case of s
		slices.ContainsFunc(n.end[name[len(name)-1]], func(e string) bool { return strings.HasSuffix(name, e) }) ||
		slices.ContainsFunc(n.begin, func(b string) bool { return strings.HasPrefix(name, b) })
}

// AnyOf reports whether one of the names of a path may be one of them.
func (n *Names) AnyOf(path string) bool {
	if n.All {
		return true
	}
	for path != "" {
		var name string
		if name, path, _ = strings.Cut(path, "/"); name != "" && n.May(name) {
			return true
		}
	}
	return false
}
