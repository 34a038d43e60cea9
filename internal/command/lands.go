package command

import (
	"path"
	"strings"

	"longline/internal/tool"
)

// lands works out where what is fetched is put: see [Landing].
func (r *reader) lands(modes []*Mode) {
	level := r.level()
	how := level.landing(modes)
	if how == "" && r.inv.Lands == nil && len(r.scope.outputs) == 0 {
		return
	}
	l := r.inv.Landing()
	flag, whole := strings.CutPrefix(how, "file:")
	*l = Landing{Words: l.Words, Named: how == "operand" || whole, Prints: level.Lands == "written", Fixed: how == "fixed"}
	if f := r.lookup(flag); f != nil {
		l.Flag, l.Made, l.Words = flag, f.namesDir(), r.valuesOf(f)
	} else {
		l.Words = append(l.Words, r.scope.outputs...)
	}
	if l.Is = how != "" && (how != "written" || len(l.Words) > 0); l.Is {
		r.landing(l)
	}
}

// landing is what the last of a level and its modes says of where things land.
func (l *Level) landing(modes []*Mode) string {
	how := l.Lands
	for _, m := range modes {
		if m.Lands != "" {
			how = m.Lands
		}
	}
	return how
}

// namesDir says whether the value of a flag is a directory that must be there.
func (f *Flag) namesDir() bool {
	return f.has("chdir") || f.has("chdir-operands") || f.has("output-dir")
}

// landing adds the name that is chosen for what is fetched, and, where nobody has said
// where to put it, how to say so.
func (r *reader) landing(l *Landing) {
	l.Name = r.fetchedName()
	if len(l.Words) > 0 {
		return
	}
	for i := range r.inv.Effects {
		// The program's own choice, where its model knows it.
		if e := r.inv.Effects[i]; l.Named && makes(e.Kind) && isCertain(e) && e.Target != r.dir.Text {
			l.Name = path.Base(e.Target)
		}
	}
	l.After = r.landAfter(r.level())
}

// makes says whether an effect of a kind puts something on the disk.
func makes(kind tool.Kind) bool { return kind == tool.Write || kind == tool.Create }

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
		end, _ := endBefore(words, func(w Word) bool { return w.Span == r.oper[0].Span })
		return end
	}
	if r.dashed > 0 && len(level.After) > 0 {
		return r.oper[r.dashed-1].Span.End // what stands behind "--" is for another program
	}
	if r.dashed >= 0 && l.Flag != "" {
		if end, ok := endBefore(words, func(w Word) bool { return w.IsKnown() && w.Text == "--" }); ok {
			return end
		}
	}
	return endOf(words)
}

// endOf is where the last of some words ends.
func endOf(words []Word) int {
	if len(words) == 0 {
		return 0
	}
	return words[len(words)-1].Span.End
}

// endBefore is where the word ends that stands before the first argument of some kind.
func endBefore(words []Word, is func(Word) bool) (end int, ok bool) {
	for i := 1; i < len(words); i++ {
		if is(words[i]) {
			return words[i-1].Span.End, true
		}
	}
	return 0, false
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
