package command

import (
	"path"
	"strings"

	"longline/internal/tool"
)

// lands works out where what is fetched is put: see [Landing].
func (r *reader) lands(modes []*Mode) {
	level := r.levels[len(r.levels)-1]
	how := level.Lands
	for _, m := range modes {
		if m.Lands != "" {
			how = m.Lands
		}
	}
	if how == "" && r.inv.Lands == nil && len(r.scope.outputs) == 0 {
		return
	}
	l := r.inv.Landing()
	flag, whole := strings.CutPrefix(how, "file:")
	*l = Landing{Words: l.Words, Named: how == "operand" || whole, Prints: level.Lands == "written", Fixed: how == "fixed"}
	if f := r.lookup(flag); f != nil {
		l.Flag, l.Made = flag, f.has("chdir") || f.has("chdir-operands") || f.has("output-dir")
		l.Words = r.valuesOf(f)
	} else {
		l.Words = append(l.Words, r.scope.outputs...)
	}
	if how == "" || how == "written" && len(l.Words) == 0 {
		return
	}
	l.Is, l.Name = true, r.fetchedName()
	if len(l.Words) > 0 {
		return
	}
	for _, e := range r.inv.Effects {
		// The program's own choice, where its model knows it.
		if l.Named && (e.Kind == tool.Write || e.Kind == tool.Create) && e.Reach == tool.Exact && !e.Pattern && e.Target != r.dir.Text {
			l.Name = path.Base(e.Target)
		}
	}
	l.After = r.landAfter(level)
}

// landsAt notes a word that names where something is put.
func (f *findings) landsAt(w Word) {
	l := f.inv.Landing()
	l.Words = append(l.Words, w)
}

// valuesOf are the values given to a flag, and to others that mean the same.
func (l *commandLine) valuesOf(f *Flag) []Word {
	var words []Word
	for _, g := range l.given {
		if g.flag != nil && sameUses(g.flag, f) {
			words = append(words, g.values...)
		}
	}
	return words
}

// landAfter is the offset at which a destination can be added: behind the last
// word of the command, as operands must follow those that are there and flags
// would do anywhere.
func (r *reader) landAfter(level *Level) int {
	words, l := r.inv.Words, r.inv.Landing()
	if f := r.lookup(l.Flag); f != nil && f.has("chdir-operands") && len(r.oper) > 0 {
		// It counts only for the operands behind it.
		for i := 1; i < len(words); i++ {
			if words[i].Span == r.oper[0].Span {
				return words[i-1].Span.End
			}
		}
		return 0
	}
	if r.dashed > 0 && len(level.After) > 0 {
		return r.oper[r.dashed-1].Span.End // what stands behind "--" is for another program
	}
	for i := 1; i < len(words) && r.dashed >= 0 && l.Flag != ""; i++ {
		if words[i].IsKnown() && words[i].Text == "--" {
			return words[i-1].Span.End
		}
	}
	if len(words) == 0 {
		return 0
	}
	return words[len(words)-1].Span.End
}

// fetchedName is the last part of the address that is fetched from.
func (l *commandLine) fetchedName() string {
	for i := range l.oper {
		if name := LastName(l.oper[i].Text); name != "" && l.oper[i].IsKnown() {
			return name
		}
	}
	return ""
}

// LastName is the file name that a download from an address usually gets: its
// last part, without a query, a trailing slash or ".git".
func LastName(address string) string {
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address = address[:i]
	}
	if _, rest, ok := strings.Cut(address, "://"); ok {
		host, path, slash := strings.Cut(rest, "/")
		if !slash || strings.Trim(path, "/") == "" {
			return ""
		}
		address = host + "/" + path
	}
	address = strings.TrimRight(address, "/")
	address = strings.TrimSuffix(address, ".git")
	address = strings.TrimRight(address, "/")
	if i := strings.LastIndexAny(address, "/:"); i >= 0 {
		address = address[i+1:]
	}
	if address == "." || address == ".." {
		return ""
	}
	return address
}
