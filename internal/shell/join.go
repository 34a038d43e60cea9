package shell

import (
	"slices"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// maxStates bounds the ways through a script that are followed apart, and maxCompared how many are
// held against each other to find those that are the same.
const (
	maxStates   = 8
	maxCompared = 8 * maxStates
)

// settle removes states that equal another, and joins the rest when there are too
// many of them. States that go on at different places are never joined.
func (bud *budget) settle(list []*state) []*state {
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
		} else if k := kept[twin]; k.status != s.status || k.hint != s.hint || k.frail != s.frail || s.running.beyond(k.running) {
			k = k.fork()
			k.joinStatus(s)
			k.running = k.running.join(s.running)
			kept = slices.Clone(kept)
			kept[twin] = k
		}
		kept = joinLatest(kept, maxCompared)
	}
	return joinLatest(kept, bud.limit())
}

// joinLatest joins states until there are no more than so many, if they go on at the same place.
func joinLatest(list []*state, limit int) []*state {
	for len(list) > limit {
		i, j := latest(list)
		if i < 0 {
			break // all go on at different places
		}
		one := list[i].fork()
		one.join(list[j])
		list = append(slices.Clone(list[:j]), list[j+1:]...)
		list[i] = one
	}
	return list
}

// limit is how many ways are followed apart: fewer the longer it takes, so that the
// time is linear in the length of a script.
func (bud *budget) limit() int {
	limit := maxStates
	if bud.maxStates > 0 {
		limit = bud.maxStates
	}
	switch {
	case bud.steps > 1500 || bud.skimmed != nil:
		return 1
	case bud.steps > 600:
		return min(limit, 2)
	}
	return limit
}

// pile is states of which only what they all may be like counts in the end. They are
// joined with their neighbours, and these with theirs, so that each is joined with what it
// has most in common with: the n-th group stands for 2^n of them.
type pile struct{ groups [][]*state }

func (bud *budget) heap(p pile, list ...*state) pile {
	groups := slices.Clone(p.groups)
	level := 0
	for ; level < len(groups) && groups[level] != nil; level++ {
		list, groups[level] = bud.settle(slices.Concat(groups[level], list)), nil
	}
	if level == len(groups) {
		groups = append(groups, nil)
	}
	groups[level] = list
	return pile{groups}
}

// all is what the states have become, from first to last.
func (p pile) all() (list []*state) {
	for _, g := range slices.Backward(p.groups) {
		list = append(list, g...)
	}
	return list
}

// latest finds the last two states that go on at the same place: they come from the
// latest fork and have most in common.
func latest(list []*state) (int, int) {
	for j := len(list) - 1; j > 0; j-- {
		for i := j - 1; i >= 0; i-- {
			if list[i].place() == list[j].place() {
				return i, j
			}
		}
	}
	return -1, -1
}

// point is where a state goes on.
type point struct {
	jump   jump
	levels int
}

func (s *state) place() point { return point{s.jump, s.levels} }

// same says whether two states differ in nothing but the exit status and the jobs that may still run.
func (s *state) same(t *state) bool {
	return s == t || s.place() == t.place() && s.opts == t.opts && s.doubt == t.doubt && s.shown == t.shown &&
		s.sameValues(t) && s.sameTables(t)
}

// sameValues says whether two states have the same parameters, directories and streams.
func (s *state) sameValues(t *state) bool {
	return s.many == t.many && s.loose == t.loose &&
		s.dir.Same(t.dir) && s.zero.Same(t.zero) && s.stdin.Same(t.stdin) && s.out.Same(t.out) &&
		sameSlice(s.params, t.params, value.Word.Same) && sameSlice(s.stack, t.stack, value.Word.Same)
}

// sameTables says whether two states have the same variables, functions, files and the like.
func (s *state) sameTables(t *state) bool {
	return sameScopes(s.scopes, t.scopes) &&
		s.vars.same(t.vars, sameVar) &&
		s.funcs.same(t.funcs, sameFuncs) &&
		s.files.same(t.files) &&
		slices.Equal(s.aliases, t.aliases) && slices.Equal(s.links, t.links) && slices.Equal(s.uproots, t.uproots) && s.into == t.into && slices.Equal(s.held, t.held) &&
		s.fds.same(t.fds)
}

func sameScopes(a, b *scope) bool {
	for ; a != b; a, b = a.next, b.next {
		if a.size() != b.size() || a.name != b.name || a.depth != b.depth {
			return false
		}
	}
	return true
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

func sameFuncs(a, b *functions) bool {
	return a == b || a.sure == b.sure && slices.Equal(a.list, b.list)
}

func sameVar(a, b *variable) bool {
	if a == b {
		return true
	}
	return a.sameKind(b) && sameSlice(a.words, b.words, value.Word.Same) && slices.Equal(a.keys, b.keys) &&
		(a.keys == nil) == (b.keys == nil) && (a.outer == b.outer || a.outer != nil && b.outer != nil && sameVar(a.outer, b.outer))
}

// sameKind says whether two variables differ in nothing but their values.
func (v *variable) sameKind(o *variable) bool {
	return v.name == o.name && v.attrs == o.attrs && v.unset == o.unset && v.bare == o.bare && v.open == o.open &&
		v.loose == o.loose && v.local == o.local && v.vague == o.vague && v.front == o.front && v.own == o.own
}

// join widens a state until it also stands for b, which goes on at the same place.
// What either knows stays possible; what only one is sure of is not sure.
func (s *state) join(b *state) {
	s.joinStatus(b)
	s.joinShell(b)
	s.stdin = s.stdin.Join(b.stdin)
	s.out = s.out.Join(b.out)
	s.shown = s.shown && b.shown
	s.files = s.files.join(b.files, s.toil)
	s.links = joinLists(s.links, b.links)
	s.running = s.running.join(b.running)
	s.into = oneFile(s.into, b.into)
	s.held = joinLists(s.held, b.held)
	s.fds = s.fds.join(b.fds, s.toil)
}

// eitherDir is what is known of the directory if it is one of two. That it is below one which the home directory or the
// project is in as well as others tells nothing of what a name in it is.
func (s *state) eitherDir(o command.Word) command.Word {
	w := value.JoinDirs(s.dir, o)
	if w.Reach != tool.Under || s.world == nil {
		return w
	}
	home, project := s.world.Home, s.world.Project
	if isAbove(w.Text, home) || isAbove(w.Text, project) && !(home != "" && paths.Within(w.Text, home)) {
		return command.Word{Taint: w.Taint}
	}
	return w
}

// isAbove says whether a directory is one above a place.
func isAbove(dir, place string) bool { return place != "" && place != dir && paths.Within(place, dir) }

// joinShell is join for what a shell knows of itself: its variables, parameters, functions,
// directories and options.
func (s *state) joinShell(b *state) {
	s.dir = s.eitherDir(b.dir)
	s.zero = s.zero.Join(b.zero)
	s.doubt |= b.doubt | (s.opts ^ b.opts)
	s.opts |= b.opts
	s.turns = max(s.turns, b.turns)
	s.vars = s.vars.merge(b.vars, varLaw, s.toil)
	s.scopes = joinScopes(s.scopes, b.scopes)
	s.joinParams(b)
	if !sameSlice(s.stack, b.stack, value.Word.Same) {
		s.stack = []command.Word{{}}
	}
	s.funcs = s.funcs.merge(b.funcs, funcLaw, s.toil)
	s.aliases = joinLists(s.aliases, b.aliases)
	s.uproots = joinLists(s.uproots, b.uproots)
}

// joinParams is join for the positional parameters.
func (s *state) joinParams(b *state) {
	s.many = s.many || b.many
	s.loose = joinLoose(s.loose, b.loose)
	if !sameSlice(s.params, b.params, value.Word.Same) {
		s.params = []command.Word{value.Lost(append(slices.Clone(s.params), b.params...)...)}
		s.many, s.loose = true, 1
	}
}

func (s *state) joinStatus(b *state) {
	if s.status != b.status {
		s.status = unknown
	}
	if s.hint != b.hint {
		s.hint = unknown
	}
	s.frail = s.frail || b.frail
}

// joinLoose is the earlier of two places from which positions are not certain.
func joinLoose(a, b int) int {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

var (
	varLaw  = law[variable]{same: sameVar, join: joinVars, fading: firm | sure}
	funcLaw = law[functions]{same: sameFuncs, join: joinFuncs, fading: sure}
)

func joinVars(x, y *variable) variable {
	switch {
	case x == nil:
		return y.unsure()
	case y == nil:
		return x.unsure()
	case sameVar(x, y):
		return *x
	}
	v := *x
	v.join(y)
	return v
}

// unsure is a variable that may not have been touched at all.
func (v *variable) unsure() variable {
	c := *v
	c.forget()
	c.words[0].Hollow = true
	if c.outer != nil || c.local > 0 {
		c.outer = &variable{name: v.name, words: []command.Word{value.Lost(v.words...)}}
	}
	return c
}

// join widens a variable.
func (v *variable) join(b *variable) {
	v.vague = v.vague || b.vague || v.attrs != b.attrs
	v.bare = v.bare || b.bare
	v.front, v.own = v.front || b.front, v.own || b.own
	single := v.isSingle() && b.isSingle()
	v.attrs |= b.attrs
	v.joinOuter(b)
	if single {
		v.words = []command.Word{v.words[0].Join(b.words[0])}
		return
	}
	v.words = append(slices.Clone(v.words), b.words...)
	empty := v.unset || b.unset || slices.ContainsFunc(v.words, hollow)
	vague := v.vague
	v.forget()
	v.vague = vague
	v.words[0].Hollow = empty
	v.open = v.attrs&(isArray|isAssoc) != 0
}

// isSingle says whether a variable is no array and has a value.
func (v *variable) isSingle() bool {
	return len(v.words) == 1 && !v.unset && v.attrs&(isArray|isAssoc) == 0
}

// joinOuter widens what a variable hides, and notes that it may hide nothing.
func (v *variable) joinOuter(b *variable) {
	switch {
	case v.local != b.local:
		// One of them hides another, which may be assigned to in its place later.
		v.outer = &variable{name: v.name, words: []command.Word{value.Lost(append(slices.Clone(v.words), b.words...)...)}}
		v.local = max(v.local, b.local)
	case v.outer != nil && b.outer != nil:
		o := joinVars(v.outer, b.outer)
		v.outer = &o
	case v.outer != b.outer:
		v.outer = &variable{name: v.name, words: []command.Word{{}}}
	}
}

func hollow(w command.Word) bool { return w.Hollow }

// joinScopes holds all of both. What both come from is shared, and looked at no further.
func joinScopes(a, b *scope) *scope {
	shared := a
	for rest := b; shared != rest; {
		switch {
		case shared.size() > rest.size():
			shared = shared.next
		case shared.size() < rest.size():
			rest = rest.next
		default:
			shared, rest = shared.next, rest.next
		}
	}
	type local struct {
		name  string
		depth int
	}
	have := map[local]bool{}
	for x := a; x != shared; x = x.next {
		have[local{x.name, x.depth}] = true
	}
	var missing []*scope
	for x := b; x != shared; x = x.next {
		if !have[local{x.name, x.depth}] {
			missing = append(missing, x)
		}
	}
	for _, x := range slices.Backward(missing) {
		a = a.push(x.name, x.depth)
	}
	return a
}

func joinFuncs(a, b *functions) functions {
	switch {
	case a == nil:
		return functions{b.list, false}
	case b == nil:
		return functions{a.list, false}
	}
	return functions{joinLists(a.list, b.list), a.sure && b.sure}
}

// fewJoined is how long lists are of which each element is looked for in the other.
const fewJoined = 24

// joinLists holds all of both, once.
func joinLists[T comparable](a, b []T) []T {
	i := 0
	for _, x := range a {
		if i < len(b) && b[i] == x {
			i++
		}
	}
	if i == len(b) {
		return a // it holds the other, in its order
	}
	out := a[:len(a):len(a)]
	if len(a) <= fewJoined && len(b) <= fewJoined { // a table costs more
		for _, x := range b {
			if !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
		return out
	}
	have := make(map[T]bool, len(a)+len(b))
	for _, x := range a {
		have[x] = true
	}
	out = slices.Grow(out, len(b))
	for _, x := range b {
		if !have[x] {
			have[x] = true
			out = append(out, x)
		}
	}
	return out
}
