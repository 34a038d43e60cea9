package value

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// Leq reports whether o stands for all that w stands for. It errs only by saying no.
func (w Word) Leq(o Word) bool {
	if w.Same(o) {
		return true
	}
	switch {
	case w.taint(o)&^o.Taint != 0, w.Split && !o.Split, w.Hollow && (!o.Hollow || worse(w.IfEmpty, o.IfEmpty)):
		return false
	case !w.keeps(o), joinOf(w.Of, o.Of) != o.Of:
		return false
	}
	return w.within(o)
}

// taint is what o must say of where w has been. That a path may lead through links goes without saying where its
// directories are not known, and must be said of those below one.
func (w Word) taint(o Word) Taint {
	switch o.Reach {
	case tool.Anywhere, tool.Prefix:
		return w.Taint &^ Followed
	case tool.Under:
		return w.Taint | w.through()
	case tool.Exact:
	}
	return w.Taint
}

// keeps says whether all holds of w that o says of its texts, whatever they are.
func (w Word) keeps(o Word) bool {
	switch {
	case o.Tame && !w.tame(), o.Bare && !w.Bare, o.Visible && !w.Visible, o.Found && !w.Found, o.Made != nil && (w.numbers() == 0 || w.numbers() > o.numbers()):
		return false
	}
	return o.Tail == "" || strings.HasSuffix(w.Tail, o.Tail) || w.IsKnown() && strings.HasSuffix(w.Text, o.Tail)
}

// within is the order of the texts alone.
func (w Word) within(o Word) bool {
	// others: exactly this.
	switch o.Reach {
	case tool.Anywhere:
		return !o.Plain || w.IsPlain()
	case tool.Under:
		return w.Seen.within(o.Seen) && w.below(o)
	case tool.Prefix:
		return w.Seen == "" && w.begins(o)
	}
	return w.Reach == tool.Exact && w.Text == o.Text && w.Glob == o.Glob && w.Seen.within(o.Seen)
}

// below says whether a value is a directory or something below it.
func (w Word) below(o Word) bool {
	if w.IsKnown() && w.Text == o.Text {
		return true
	}
	dir, ok := dirOf(w)
	switch {
	case !ok:
		return false
	case o.Text[0] == '/':
		return dir[0] == '/' && paths.Within(paths.Clean("/", dir), o.Text)
	}
	return dir[0] != '/' && paths.Within(paths.Clean("/", dir), paths.Clean("/", o.Text))
}

// begins says whether a value begins with a text and, if what follows has to be plain, is.
func (w Word) begins(o Word) bool {
	if w.Glob {
		// All that a pattern matches begins as the pattern does, up to its first wildcard.
		return !o.Plain && strings.HasPrefix(paths.Fixed(w.Text), o.Text)
	}
	rest, ok := strings.CutPrefix(w.Text, o.Text)
	switch {
	case !ok || w.Reach == tool.Anywhere || w.Reach == tool.Under && w.Text[0] != '/':
		return false
	case !o.Plain:
		return true
	}
	return w.plainBehind(o.Text, rest)
}

// plainBehind says whether what follows the beginning of a value is plain, of which rest is
// known.
func (w Word) plainBehind(beginning, rest string) bool {
	if strings.HasSuffix("/"+beginning, "/.") && strings.HasPrefix(rest, ".") {
		return false // a plain word does not begin with a dot, and two are a directory
	}
	return PlainPart(rest) && (w.Reach == tool.Exact || w.Reach != tool.Under && w.Plain)
}

// matches says whether the patterns of d are among those of o.
func (o Data) matches(d Data) bool {
	have := Alternatives(o.Match)
	if slices.Contains(have, Everything) {
		return true
	}
	for _, p := range Alternatives(d.Match) {
		if !slices.Contains(have, p) {
			return false
		}
	}
	return d.Text == o.Text
}

// Leq reports whether o stands for all that d stands for. It errs only by saying no.
func (d Data) Leq(o Data) bool {
	if d.Same(o) {
		return true
	}
	switch {
	case d.Taint&^o.Taint != 0, d.Endless && !o.Endless, o.Full && !d.full(), o.None, o.Path != nil, !d.keeps(o), joinOf(d.Of, o.Of) != o.Of:
		return false
	}
	return d.within(o)
}

// keeps says whether all holds of d that o says of its lines, and that there are some where
// o begins with a text.
func (d Data) keeps(o Data) bool {
	switch {
	case d.Hollow && (o.Reach == tool.Exact && !o.Hollow || o.Reach == tool.Prefix), o.Bare && !d.Bare, o.Visible && !d.Visible, o.Found && !d.Found, o.Tame && !d.Tame, o.Single && !d.Single, d.Rest && !o.Rest && o.Reach != tool.Anywhere:
		return false
	}
	return o.Lines == AnyLines || d.Lines == o.Lines
}

// within is the order of the texts alone.
func (d Data) within(o Data) bool {
	// others: exactly this.
	switch o.Reach {
	case tool.Anywhere:
		return !o.Plain || d.plain()
	case tool.Under:
		return d.Seen.within(o.Seen) && d.below(o) && o.matches(d)
	case tool.Prefix:
		return (d.Reach == tool.Exact || d.Reach == tool.Prefix) && !o.Plain && strings.HasPrefix(d.Text, o.Text)
	}
	return d.Reach == tool.Exact && d.Text == o.Text
}

// below says whether a list is one of files below the directory of another.
func (d Data) below(o Data) bool {
	return d.Reach == tool.Under && (d.Text == o.Text || d.Text[0] == '/' && o.Text[0] == '/' && paths.Within(d.Text, o.Text))
}
