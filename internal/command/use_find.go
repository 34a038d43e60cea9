package command

import (
	"strings"

	"longline/internal/tool"
)

// limit follows the expression of a search: the names that it looks for count
// only if they stand before what is done with the files, and if no other
// condition is an alternative to them.
func (r *reader) limit(g *flagUse, modes []*Mode) {
	if g.flag.has("any-of") {
		r.scope.negated = true
	}
	if !g.flag.has("name-filter") {
		return
	}
	for i := range r.given {
		before := &r.given[i]
		if before == g {
			return
		}
		acts := before.flag == nil || before.flag.has("command;")
		for _, m := range modes {
			for _, w := range m.When {
				acts = acts || w == before.name
			}
		}
		if acts {
			r.scope.negated = true
		}
	}
}

// each is a command run for every path that a search finds: "{}" stands for it.
// With the argument "dir" it runs in the directory of that path; with "rest" the
// first operand is what is searched for, and a command without "{}" gets the
// path as its last word.
func (r *reader) each(u Use, words []Word) {
	roots := r.oper
	if u.Arg == "rest" {
		roots = roots[min(1, len(roots)):]
		words = withPlace(words)
	}
	if len(words) == 0 {
		r.gap("the command to run is missing", r.inv.Span)
		return
	}
	if len(roots) == 0 {
		roots = []Word{Known(".", r.inv.Span)}
	}
	for _, root := range roots {
		found := r.found(root)
		n := Nested{Stdin: Data{None: true, At: -1}, Piped: true}
		if r.dir != r.inv.Dir {
			dir := r.dir
			n.Dir = &dir
		}
		if u.Arg == "dir" {
			e := r.path(tool.Read, root)
			dir := Word{Text: e.Target, Reach: min(e.Reach, tool.Under), Span: root.Span, At: -1}
			if e.Pattern {
				dir.Text = staticDir(e.Target)
			}
			n.Dir = &dir
			found = Word{Text: ".", Reach: tool.Under, Span: root.Span, At: -1}
		}
		n.Words = make([]Word, len(words))
		for i, w := range words {
			if n.Words[i] = w; w.Reach != tool.Anywhere && place(w.Text) >= 0 {
				n.Words[i] = replaceFound(w, found)
			}
		}
		r.inv.Runs = append(r.inv.Runs, n)
	}
}

// place is where in a word "{}" stands, or one of the forms that give a part of
// the path; -1 if there is none.
func place(text string) int {
	at := -1
	for _, p := range [...]string{"{}", "{.}", "{/}", "{//}", "{/.}"} {
		if i := strings.Index(text, p); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}

func withPlace(words []Word) []Word {
	for _, w := range words {
		if place(w.Text) >= 0 {
			return words
		}
	}
	if len(words) == 0 {
		return nil
	}
	return append(append([]Word(nil), words...), Known("{}", words[len(words)-1].Span))
}

// found is a path that a search below root may find.
func (r *reader) found(root Word) Word {
	if f := r.filter(); f != "" && root.Reach == tool.Exact {
		text := root.Text
		if !root.Glob {
			text = EscapeGlob(text)
		}
		return Word{Text: text + "/**/" + f, Reach: tool.Exact, Glob: true, Span: root.Span, At: -1}
	}
	if root.Glob {
		e := r.path(tool.Read, root)
		if e.Reach == tool.Anywhere {
			return Word{Span: root.Span, At: -1}
		}
		return Word{Text: staticDir(e.Target), Reach: tool.Under, Span: root.Span, At: -1}
	}
	if root.Reach == tool.Exact {
		root.Reach = tool.Under
	}
	return root
}

func replaceFound(w, found Word) Word {
	if w.Text == "{}" && w.IsKnown() {
		found.Span = w.Span
		return found
	}
	// Part of a longer word, whose beginning may still say something.
	if at := place(w.Text); at > 0 {
		return Word{Text: w.Text[:at], Reach: tool.Prefix, Span: w.Span, At: -1}
	}
	return Word{Span: w.Span, At: -1}
}
