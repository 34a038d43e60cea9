package command

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// A program takes the name of a file for a flag if it begins with a dash, and for a file of
// arguments if it begins with @. Patterns and lists of files bring such names. Most directories
// have none, so it is looked whether this one has.

// mayBegin says whether a word stands for names of files that nothing is in front of.
func mayBegin(w Word) bool {
	if w.Glob && w.Reach == tool.Exact {
		return paths.Fixed(w.Text) == "" || isListed(w)
	}
	return w.Reach == tool.Under && w.Text != ""
}

// isListed says whether a pattern is one of a list of files. Such a pattern begins with the directory
// that the list is from; the names in the list need not.
func isListed(w Word) bool {
	return w.Text[0] == '/' && (w.Bare || strings.Contains(w.Text, value.Everything) || strings.Contains(w.Text, "@("))
}

// fileLike is the name of a file that a word may stand for and that begins with a character; "" if
// there is none.
func (d *deeds) fileLike(w Word, first byte) string {
	lists := []listedDir{{d.dir, []string{""}}}
	if w.Glob && !isListed(w) {
		lists[0].patterns[0], _, _ = strings.Cut(w.Text, "/")
	} else {
		lists = listedIn(w, d.dir)
	}
	for _, l := range lists {
		for _, name := range d.inv.Dashed {
			if name[0] == first && (name[1:] == unseen || l.holds(tool.Entry{Name: name})) {
				return name
			}
		}
		if name := d.nameIn(l, first); name != "" {
			return name
		}
	}
	return ""
}

// nameIn is a name in a directory of a list that begins with a character; "" if there is none.
func (d *deeds) nameIn(l listedDir, first byte) string {
	if d.world == nil || d.world.Entries == nil || d.inv.Remote || l.dir.Reach != tool.Exact {
		return ""
	}
	list, whole := d.world.Entries(strings.TrimSuffix(l.dir.Text, "/") + "/")
	for _, e := range list {
		if len(e.Name) > 1 && e.Name[0] == first && l.holds(e) {
			return e.Name
		}
	}
	if !whole && len(list) > 0 {
		return string(first) + unseen
	}
	return ""
}

// unseen stands for the rest of a name that nobody has seen: it is in a directory that is too large to look through, or
// was unpacked just now. UnseenFlag and UnseenResponse are such names.
const (
	unseen         = "…"
	UnseenFlag     = "-" + unseen
	UnseenResponse = "@" + unseen
)

// listedDir is a directory of which names may stand at the beginning of a line of a list, and
// the patterns that they match.
type listedDir struct {
	dir      Word
	patterns []string
}

// listedIn are the directories of a list: the one that it is from, the working directory if that
// is in it, and if names are printed without a directory, those that they may be in.
func listedIn(w, here Word) []listedDir {
	root, patterns := w.Text, []string{value.Everything}
	if w.Glob {
		at := strings.LastIndexByte(paths.Fixed(w.Text), '/') + 1
		root, patterns = paths.Unescape(w.Text[:at]), value.Alternatives(w.Text[at:])
	}
	root = paths.Clean("/", root)
	list := []listedDir{{Known(root, w.Span), patterns}}
	if here.Reach == tool.Exact && here.Text != root && paths.Within(here.Text, root) {
		list = append(list, listedDir{here, []string{value.Everything}})
	}
	for _, p := range patterns {
		if dir := paths.GlobRoot(p); w.Bare && dir != "." {
			list = append(list, listedDir{Known(paths.Clean(root, paths.Unescape(dir)), w.Span), []string{value.Everything}})
		}
	}
	return list
}

// holds says whether a name, or something below it, may be in the list.
func (l listedDir) holds(e tool.Entry) bool {
	return slices.ContainsFunc(l.patterns, func(p string) bool {
		return mayMatch(p, e.Name) || mayMatch(p, "/"+e.Name) || e.Dir && strings.Contains(p, value.Everything)
	})
}

// mayMatch says whether a pattern may match a text.
func mayMatch(pattern, text string) bool {
	is, sure := paths.Match(pattern, text)
	return is || !sure
}
