package shell

import (
	"slices"

	"longline/internal/command"
	"longline/internal/tool"
)

// maxStates bounds the ways through a script that are followed apart.
const maxStates = 8

// settle removes states that equal another, and joins the rest when there are
// too many of them.
func settle(list []*state) []*state {
	if len(list) < 2 {
		return list
	}
	kept := list[:1:1]
	for i, s := range list[1:] {
		if twin := slices.IndexFunc(kept, s.same); twin < 0 {
			if len(kept) > i { // none has been left out
				kept = list[: i+2 : i+2]
			} else {
				kept = append(kept, s)
			}
		} else if k := kept[twin]; k.status != s.status || k.last != s.last {
			k.status = unknown
		}
	}
	for len(kept) > maxStates {
		// The last two have most in common: they come from the latest fork.
		a, b := kept[len(kept)-2], kept[len(kept)-1]
		i := len(kept) - 2
		if a.jump != b.jump {
			for j, s := range kept[:len(kept)-1] {
				if s.jump == b.jump {
					a, i = s, j
				}
			}
		}
		a.join(b)
		kept[i] = a
		kept = kept[:len(kept)-1]
	}
	return kept
}

// same says whether two states differ in nothing but the exit status.
func (s *state) same(t *state) bool {
	return s.jump == t.jump && s.levels == t.levels && s.opts == t.opts && s.many == t.many && s.loose == t.loose && s.excused == t.excused &&
		sameWord(s.dir, t.dir) && sameData(s.stdin, t.stdin) && sameData(s.out, t.out) &&
		sameSlice(s.vars, t.vars, sameVar) &&
		sameSlice(s.params, t.params, sameWord) && sameSlice(s.stack, t.stack, sameWord) &&
		sameSlice(s.funcs, t.funcs, func(a, b function) bool { return a == b }) &&
		sameSlice(s.aliases, t.aliases, func(a, b alias) bool { return a == b }) &&
		sameSlice(s.links, t.links, func(a, b command.Link) bool { return a == b }) &&
		sameSlice(s.files, t.files, sameFile) &&
		sameSlice(s.fds, t.fds, func(a, b descriptor) bool {
			return a.n == b.n && sameWord(a.path, b.path) && sameData(a.data, b.data)
		})
}

func sameSlice[T any](a, b []T, same func(T, T) bool) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) == 0 || &a[0] == &b[0] {
		return true
	}
	for i := range a {
		if !same(a[i], b[i]) {
			return false
		}
	}
	return true
}

func sameFile(a, b file) bool {
	return a.path == b.path && a.foreign == b.foreign && a.authored == b.authored && a.edited == b.edited && sameData(a.data, b.data)
}

func sameVar(a, b variable) bool {
	return a.name == b.name && a.attrs == b.attrs && a.unset == b.unset && a.open == b.open && a.loose == b.loose && a.local == b.local &&
		sameSlice(a.words, b.words, sameWord) && slices.Equal(a.keys, b.keys)
}

func sameWord(a, b command.Word) bool {
	return a.Text == b.Text && a.Reach == b.Reach && a.Glob == b.Glob && a.Plain == b.Plain && a.Taint == b.Taint && a.Tail == b.Tail && a.Of == b.Of && a.Split == b.Split && a.Bare == b.Bare && a.Tame == b.Tame
}

func sameData(a, b command.Data) bool {
	return a.Text == b.Text && a.Reach == b.Reach && a.Plain == b.Plain && a.Taint == b.Taint && a.None == b.None && a.Match == b.Match && a.Of == b.Of && a.Bare == b.Bare && a.Tame == b.Tame && a.Endless == b.Endless &&
		samePath(a.Path, b.Path)
}

func samePath(a, b *command.Word) bool {
	return a == b || a != nil && b != nil && sameWord(*a, *b)
}

// join widens a until it also stands for b.
func (s *state) join(b *state) {
	s.own()
	if s.status != b.status || s.last != b.last {
		s.status = unknown
	}
	s.dir = joinDirs(s.dir, b.dir)
	s.stdin = joinData(s.stdin, b.stdin)
	s.out = joinData(s.out, b.out)
	s.opts |= b.opts
	s.many = s.many || b.many
	s.loose = max(s.loose, b.loose)
	for i := range s.vars {
		v := &s.vars[i]
		other := b.lookup(v.name)
		switch {
		case other == nil:
			v.words, v.keys, v.open, v.unset = []command.Word{nothing(v.words)}, nil, v.attrs&(isArray|isAssoc) != 0, false
		case !sameVar(*v, *other):
			v.join(other)
		}
	}
	for _, v := range b.vars {
		if s.lookup(v.name) == nil {
			v.words, v.keys, v.open, v.unset = []command.Word{nothing(v.words)}, nil, v.attrs&(isArray|isAssoc) != 0, false
			s.vars = append(s.vars, v)
		}
	}
	if !sameSlice(s.params, b.params, sameWord) {
		s.params = []command.Word{nothing(append(slices.Clone(s.params), b.params...))}
		s.many = true
	}
	if !sameSlice(s.stack, b.stack, sameWord) {
		s.stack = nil
	}
	// Functions, aliases, files and links accumulate: a call is then bound to
	// the latest, and those of the other way are kept behind it.
	for _, f := range b.funcs {
		if !slices.Contains(s.funcs, f) {
			s.funcs = append([]function{f}, s.funcs...)
		}
	}
	for _, a := range b.aliases {
		if !slices.Contains(s.aliases, a) {
			s.aliases = append(s.aliases, a)
		}
	}
	for _, f := range b.files {
		if have := s.wrote(f.path); have == nil {
			f.data = joinData(f.data, command.Data{Taint: f.data.Taint})
			s.files = append(s.files, f)
		} else if !sameFile(*have, f) {
			have.data = joinData(have.data, f.data)
			have.foreign, have.authored, have.edited = have.foreign || f.foreign, have.authored || f.authored, have.edited || f.edited
		}
	}
	for _, l := range b.links {
		if !slices.Contains(s.links, l) {
			s.links = append(s.links, l)
		}
	}
	for _, d := range b.fds {
		s.fds = append(s.fds, descriptor{n: d.n, data: command.Data{Taint: d.data.Taint}})
	}
}

// join widens a variable.
func (v *variable) join(b *variable) {
	v.attrs |= b.attrs
	if len(v.words) == 1 && len(b.words) == 1 && !v.unset && !b.unset && v.attrs&(isArray|isAssoc) == 0 {
		v.words = []command.Word{joinWords(v.words[0], b.words[0])}
		return
	}
	v.words = []command.Word{nothing(append(slices.Clone(v.words), b.words...))}
	v.keys, v.unset = nil, false
	v.open = v.attrs&(isArray|isAssoc) != 0
}

// nothing is the word of which nothing is known but where it comes from.
func nothing(from []command.Word) command.Word {
	w := command.Word{At: -1}
	for _, f := range from {
		w.Taint |= f.Taint
	}
	return w
}

// joinWords returns a word that stands for either of two.
func joinWords(a, b command.Word) command.Word {
	if sameWord(a, b) {
		return a
	}
	w := command.Word{At: -1, Taint: a.Taint | b.Taint, Span: a.Span, Of: named(a.Of, b.Of)}
	if isPlain(a) && isPlain(b) {
		w.Plain = true
	} else if u, ok := commonDir(a, b); ok {
		w.Text, w.Reach = u, tool.Under
	}
	return w
}

// commonDir finds a directory that both words lie in, when both are relative
// paths that do not climb, or both lie below the same known one.
func commonDir(a, b command.Word) (string, bool) {
	x, ok := dirOf(a)
	if !ok {
		return "", false
	}
	y, ok := dirOf(b)
	if !ok || x[0] == '/' != (y[0] == '/') {
		return "", false
	}
	if x[0] != '/' {
		return ".", true
	}
	for !within(y, x) {
		x = parent(x)
	}
	return x, true
}

// dirOf returns a directory that a word names something in.
func dirOf(w command.Word) (string, bool) {
	switch {
	case w.Text == "" && w.Reach == tool.Anywhere && w.Plain:
		return ".", true
	case w.Text == "" || w.Text[0] == '-' || w.Text[0] == '~' || climbs(w.Text) || hasScheme(w.Text):
		return "", false
	case w.Reach == tool.Under:
		return w.Text, true
	case w.Glob && w.Reach == tool.Exact:
		return globDir(w.Text), true
	case w.Reach == tool.Exact, w.Reach == tool.Prefix && w.Plain:
		return parent(w.Text), true
	}
	return "", false
}

func joinDirs(a, b command.Word) command.Word {
	if sameWord(a, b) {
		return a
	}
	w := command.Word{At: -1, Taint: a.Taint | b.Taint}
	if a.Text == "" || b.Text == "" || a.Reach < tool.Under || b.Reach < tool.Under {
		return w
	}
	x := a.Text
	for !within(b.Text, x) {
		x = parent(x)
	}
	if x == "/" {
		return w
	}
	w.Text, w.Reach = x, tool.Under
	return w
}

func joinData(a, b command.Data) command.Data {
	if sameData(a, b) {
		return a
	}
	d := command.Data{Taint: a.Taint | b.Taint, At: -1, Endless: a.Endless || b.Endless}
	d.Plain = a.Plain && b.Plain && !a.None && !b.None
	if a.Reach == tool.Under && b.Reach == tool.Under && within(b.Text, a.Text) {
		d.Text, d.Reach = a.Text, tool.Under
		if a.Text == b.Text {
			d = d.Both(a, b)
		}
	}
	d.Of = named(a.Of, b.Of)
	if samePath(a.Path, b.Path) {
		d.Path = a.Path
	}
	return d
}

// after is what a stream holds when b is written behind a.
func after(a, b command.Data) command.Data {
	switch {
	case a.Endless || b.None || b.Reach == tool.Exact && b.Text == "" && b.Taint == 0:
		return a
	case a.None || a.Reach == tool.Exact && a.Text == "":
		b.Taint |= a.Taint
		return b
	}
	d := command.Data{Taint: a.Taint | b.Taint, At: -1, Endless: b.Endless}
	switch {
	case len(a.Text)+len(b.Text) > maxScript:
	case a.Reach == tool.Exact && b.Reach == tool.Exact:
		d.Text, d.Reach = a.Text+b.Text, tool.Exact
	case a.Reach == tool.Exact && b.Reach == tool.Prefix:
		d.Text, d.Reach = a.Text+b.Text, tool.Prefix
	case a.Reach == tool.Exact || a.Reach == tool.Prefix:
		d.Text, d.Reach = a.Text, tool.Prefix
	case a.Reach == tool.Under && b.Reach == tool.Under && a.Text == b.Text:
		d.Text, d.Reach, d.Bare = a.Text, tool.Under, a.Bare && b.Bare
		d = d.Both(a, b)
	}
	d.Of = named(a.Of, b.Of)
	return d
}

// named is what is left of two names that something was looked up by. What is the
// script's own only in part is not.
func named(a, b string) string {
	switch {
	case a == b || b == "" && a != command.Own:
		return a
	case a == "" && b != command.Own || a == command.Own:
		return b
	case b == command.Own:
		return a
	}
	return a + " " + b
}
