package shell

import (
	"slices"

	"longline/internal/command"
	"longline/internal/value"
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
		s.dir.Same(t.dir) && s.stdin.Same(t.stdin) && s.out.Same(t.out) &&
		sameSlice(s.vars, t.vars, sameVar) &&
		sameSlice(s.params, t.params, value.Word.Same) && sameSlice(s.stack, t.stack, value.Word.Same) &&
		sameSlice(s.funcs, t.funcs, func(a, b function) bool { return a == b }) &&
		sameSlice(s.aliases, t.aliases, func(a, b alias) bool { return a == b }) &&
		sameSlice(s.links, t.links, func(a, b command.Link) bool { return a == b }) &&
		sameSlice(s.files, t.files, sameFile) &&
		sameSlice(s.fds, t.fds, func(a, b descriptor) bool {
			return a.n == b.n && a.path.Same(b.path) && a.data.Same(b.data)
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
	return a.path == b.path && a.foreign == b.foreign && a.authored == b.authored && a.edited == b.edited && a.data.Same(b.data)
}

func sameVar(a, b variable) bool {
	return a.name == b.name && a.attrs == b.attrs && a.unset == b.unset && a.open == b.open && a.loose == b.loose && a.local == b.local &&
		sameSlice(a.words, b.words, value.Word.Same) && slices.Equal(a.keys, b.keys)
}

// join widens a until it also stands for b.
func (s *state) join(b *state) {
	s.own()
	if s.status != b.status || s.last != b.last {
		s.status = unknown
	}
	s.dir = value.JoinDirs(s.dir, b.dir)
	s.stdin = s.stdin.Join(b.stdin)
	s.out = s.out.Join(b.out)
	s.opts |= b.opts
	s.many = s.many || b.many
	s.loose = max(s.loose, b.loose)
	for i := range s.vars {
		v := &s.vars[i]
		other := b.lookup(v.name)
		switch {
		case other == nil:
			v.words, v.keys, v.open, v.unset = []command.Word{value.Lost(v.words...)}, nil, v.attrs&(isArray|isAssoc) != 0, false
		case !sameVar(*v, *other):
			v.join(other)
		}
	}
	for _, v := range b.vars {
		if s.lookup(v.name) == nil {
			v.words, v.keys, v.open, v.unset = []command.Word{value.Lost(v.words...)}, nil, v.attrs&(isArray|isAssoc) != 0, false
			s.vars = append(s.vars, v)
		}
	}
	if !sameSlice(s.params, b.params, value.Word.Same) {
		s.params = []command.Word{value.Lost(append(slices.Clone(s.params), b.params...)...)}
		s.many = true
	}
	if !sameSlice(s.stack, b.stack, value.Word.Same) {
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
			f.data = f.data.Join(command.Data{Taint: f.data.Taint})
			s.files = append(s.files, f)
		} else if !sameFile(*have, f) {
			have.data = have.data.Join(f.data)
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
		v.words = []command.Word{v.words[0].Join(b.words[0])}
		return
	}
	v.words = []command.Word{value.Lost(append(slices.Clone(v.words), b.words...)...)}
	v.keys, v.unset = nil, false
	v.open = v.attrs&(isArray|isAssoc) != 0
}
