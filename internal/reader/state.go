package reader

import (
	"maps"
	"slices"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// joined is what is known of something: join stands for both of two; with the zero value, for something that may not be there.
type joined[T any] interface{ join(o T) T }

// layer maps names to what is known of them, on top of another one that stays as it is meanwhile.
type layer[T joined[T]] struct {
	below *layer[T]
	own   map[string]T
	keeps bool         // what has been is kept
	past  map[string]T // what the names of own have stood for before
	cut   bool         // nothing is known of what is below it
}

func (l *layer[T]) get(name string) (v T, ok bool) {
	for ; l != nil && !ok; l = l.below {
		if v, ok = l.own[name]; l.cut {
			break
		}
	}
	return v, ok
}

// isCut says whether nothing is known of names that are not in the layers.
func (l *layer[T]) isCut() bool {
	for ; l != nil; l = l.below {
		if l.cut {
			return true
		}
	}
	return false
}

// wipe makes unknown what names stand for.
func (l *layer[T]) wipe() { l.own, l.past, l.cut = nil, nil, true }

func (l *layer[T]) put(name string, v T) {
	if l.own == nil {
		l.own = map[string]T{}
	}
	if l.keeps {
		l.remember(name)
	}
	l.own[name] = v
}

func (l *layer[T]) remember(name string) {
	old, had := l.own[name]
	if !had {
		return
	}
	if before, is := l.past[name]; is {
		old = before.join(old)
	}
	if l.past == nil {
		l.past = map[string]T{}
	}
	l.past[name] = old
}

// take takes over what a layer on this one holds.
func (l *layer[T]) take(o *layer[T]) {
	if o.cut {
		l.wipe()
	}
	for name, v := range o.own {
		if before, is := o.past[name]; is && l.keeps {
			l.put(name, before)
		}
		l.put(name, v)
	}
}

// perhaps takes over what a layer on this one holds or has held, and keeps what was before. What names stand for that are in neither is base.
func (l *layer[T]) perhaps(o *layer[T], base func(string) T) {
	if o.cut {
		l.wipe()
	}
	for name, v := range o.own {
		if before, is := o.past[name]; is {
			v = v.join(before)
		}
		was, had := l.get(name)
		if !had {
			was = base(name)
		}
		l.put(name, was.join(v))
	}
}

// ways is what some layers on one and the same hold, each of which is what a way leads to.
type ways[T joined[T]] struct {
	all  map[string]T
	some map[string]int
	cut  bool
}

func (w *ways[T]) add(o *layer[T]) {
	w.cut = w.cut || o.cut
	if len(o.own) > 0 && w.all == nil {
		w.all, w.some = map[string]T{}, map[string]int{}
	}
	for name, v := range o.own {
		if before, is := o.past[name]; is {
			v = v.join(before)
		}
		if have, is := w.all[name]; is {
			v = have.join(v)
		}
		w.all[name], w.some[name] = v, w.some[name]+1
	}
}

// close gives a layer what the ways have led to; if there is none beside so many of them, what was before is gone where all have changed it.
func (w *ways[T]) close(l *layer[T], count int, base func(string) T) {
	if w.cut {
		l.wipe()
	}
	for name, v := range w.all {
		if w.some[name] < count {
			was, had := l.get(name)
			if !had {
				was = base(name)
			}
			v = was.join(v)
		}
		l.put(name, v)
	}
}

// maxAlternatives bounds what a value may be, maxListed what the variable of a loop may be.
const maxAlternatives, maxListed = 4, 12

// variable is one that the script has touched.
type variable struct {
	alts     []command.Word // what it may be; of an array its elements
	list     bool           // it is an array
	open     bool           // which may have other elements, in any order
	unset    bool           // it surely has no value
	exported bool
	readonly bool
	odd      bool  // it has an attribute that changes what is assigned, or stands for another variable
	integer  bool  // what is assigned is evaluated
	assoc    bool  // its subscripts are text
	listed   bool  // the alternatives are those of the list of a loop
	carried  *bool // where a loop begins it may come from the round before; set when it is looked at
}

func single(w command.Word) variable { return variable{alts: []command.Word{w}} }

func (v variable) join(o variable) variable {
	j := variable{exported: v.exported || o.exported, readonly: v.readonly || o.readonly, odd: v.odd || o.odd, integer: v.integer || o.integer, assoc: v.assoc && o.assoc, listed: v.listed || o.listed}
	if v.list != o.list || v.open != o.open || v.list && !slices.EqualFunc(v.alts, o.alts, value.Word.Same) {
		j.alts, j.list, j.open = []command.Word{lost(append(v.alts[:len(v.alts):len(v.alts)], o.alts...)...)}, true, true
		return j
	}
	if j.list = v.list; j.list {
		j.alts, j.open = v.alts, v.open
		return j
	}
	if v.unset && o.unset {
		j.unset = true
		return j
	}
	limit := maxAlternatives
	if j.listed {
		limit = maxListed
	}
	j.alts = unite(v.values(), o.values(), limit)
	return j
}

// values are what a scalar may be: nothing if it may have no value.
func (v variable) values() []command.Word {
	if v.unset || len(v.alts) == 0 {
		return []command.Word{{Reach: tool.Exact, Hollow: true}}
	}
	return v.alts
}

// unite adds alternatives to others. Too many of them are one that stands for all.
func unite(a, b []command.Word, limit int) []command.Word {
	a = a[:len(a):len(a)]
	for _, w := range b {
		if !slices.ContainsFunc(a, w.Same) {
			a = append(a, w)
		}
	}
	if len(a) > limit {
		return []command.Word{anyOf(a)}
	}
	return a
}

// anyOf is a word that stands for each of some.
func anyOf(list []command.Word) command.Word {
	if len(list) == 0 {
		return command.Word{Reach: tool.Exact}
	}
	w := list[0]
	for _, o := range list[1:] {
		w = w.Join(o)
	}
	return w
}

// lost is a value of which nothing is known, which may be none, but where it comes from.
func lost(from ...command.Word) command.Word {
	w := value.Lost(from...)
	w.Hollow = true
	return w
}

// forgotten is a variable of which nothing is known.
func (v variable) forgotten() variable {
	return variable{alts: []command.Word{lost(v.alts...)}, list: v.list, open: v.list, exported: v.exported, readonly: v.readonly, odd: v.odd, integer: v.integer, assoc: v.assoc}
}

// function is what a name stands for: one of several bodies, or perhaps none of them.
type function struct {
	defs []*definition
	may  bool // or the program of that name
}

// definition is a function as it is written.
type definition struct {
	decl   *syntax.FuncDecl
	src    *source
	called bool
}

func (f function) join(o function) function {
	j := function{defs: f.defs[:len(f.defs):len(f.defs)], may: f.may || o.may || len(f.defs) == 0 || len(o.defs) == 0}
	for _, d := range o.defs {
		if !slices.Contains(j.defs, d) && len(j.defs) < maxAlternatives {
			j.defs = append(j.defs, d)
		}
	}
	return j
}

// place is where the shell is.
type place struct {
	dirs []command.Word // one of these
	old  []command.Word // and was before in one of these
}

func (p place) join(o place) place {
	p.old = unite(p.old, o.old, maxAlternatives)
	p.dirs = slices.Clone(p.dirs)
	for _, d := range o.dirs {
		if !slices.ContainsFunc(p.dirs, d.Same) {
			p.dirs = append(p.dirs, d)
		}
	}
	if len(p.dirs) > maxAlternatives {
		one := p.dirs[0]
		for _, d := range p.dirs[1:] {
			one = value.JoinDirs(one, d)
		}
		p.dirs = []command.Word{one}
	}
	return p
}

// within says whether all directories of a place are of another one.
func (p place) within(o place) bool {
	if slices.ContainsFunc(o.dirs, func(d command.Word) bool { return d.Reach == tool.Anywhere }) {
		return true
	}
	return !slices.ContainsFunc(p.dirs, func(d command.Word) bool { return !slices.ContainsFunc(o.dirs, d.Same) })
}

// state is what the shell knows.
type state struct {
	vars  *layer[variable]
	funcs *layer[function]
	files *layer[file]
	env   []command.Assign // the variables that programs get to see
	place
	missed *place // where it is if the last command has failed, if that is elsewhere
	gone   bool   // the shell or function does not go on here
	noisy  bool   // a trap may print something at any time
	shaken bool   // it may have given up on the line by now
	params []command.Word
	loose  int  // 1 + index of the first parameter whose position is not certain
	many   bool // there may be more of them
	zero   command.Word
	stdin  command.Data
	pieces int           // how often something was written
	out    command.Data  // what has been written to the standard output so far
	shown  bool          // it goes to whoever runs the script, and is not kept
	into   string        // the file that exec has led it to
	opened command.Taint // what may be read from other descriptors
	opts   options
}

// options of the shell that change what is read.
type options struct {
	traced   bool // commands are shown with their words
	exports  bool // what is assigned programs get to see
	noglob   bool
	nullglob bool
	nounset  bool
	extglob  bool
	errexit  bool
}

// layered is a state with the layers that are its own.
type layered struct {
	state
	vars  layer[variable]
	funcs layer[function]
	files layer[file]
}

func newState() *state {
	n := &layered{state: state{out: command.Data{Reach: tool.Exact}, stdin: command.Data{None: true}}}
	n.state.vars, n.state.funcs, n.state.files = &n.vars, &n.funcs, &n.files
	return &n.state
}

// child is a state that goes on from this one, which must not change until the other is taken over or dropped.
func (s *state) child(keeps bool) *state {
	n := &layered{*s, layer[variable]{below: s.vars, keeps: keeps}, layer[function]{below: s.funcs, keeps: keeps}, layer[file]{below: s.files, keeps: keeps}}
	n.state.vars, n.state.funcs, n.state.files = &n.vars, &n.funcs, &n.files
	return &n.state
}

// subshell is a child whose variables are its own, and whose files are not.
func (s *state) subshell() *state {
	c := s.child(false)
	c.files, c.shaken = s.files, false
	return c
}

// settle makes where the shell is what it is however the last command has ended.
func (s *state) settle() {
	if s.missed != nil {
		if !s.opts.errexit {
			s.place = s.place.join(*s.missed)
		}
		s.missed = nil
	}
}

// failed is where the shell is if the last command has failed.
func (s *state) failed() place {
	if s.missed != nil {
		return *s.missed
	}
	return s.place
}

// perhaps takes over what another state has come to that went on from this one, and keeps what was before.
func (r *reader) perhaps(s, o *state) {
	r.spend((len(o.vars.own) + len(o.files.own)) / 4)
	s.vars.perhaps(o.vars, r.inherited)
	s.funcs.perhaps(o.funcs, func(string) function { return function{} })
	if s.files != o.files {
		s.files.perhaps(o.files, func(string) file { return file{} })
	}
	s.meet(o)
}

// take takes over what another state has come to that went on from this one.
func (s *state) take(o *state) {
	s.vars.take(o.vars)
	s.funcs.take(o.funcs)
	s.files.take(o.files)
	c := *o
	c.vars, c.funcs, c.files = s.vars, s.funcs, s.files
	*s = c
}

// meet joins what is not in layers, but for where the shells are.
func (s *state) meet(o *state) {
	s.shaken = s.shaken || o.shaken
	s.env = meetEnv(s.env, o.env)
	s.meetParams(o)
	if !s.stdin.Same(o.stdin) {
		s.stdin = command.Data{Taint: s.stdin.Taint | o.stdin.Taint}
	}
	s.out = either(s.out, o.out)
	if s.into != o.into {
		s.into = "?"
	}
	s.opened |= o.opened
	s.opts = options{s.opts.traced || o.opts.traced, s.opts.exports || o.opts.exports, s.opts.noglob && o.opts.noglob, s.opts.nullglob || o.opts.nullglob, s.opts.nounset || o.opts.nounset, s.opts.extglob || o.opts.extglob, s.opts.errexit && o.opts.errexit}
}

func (s *state) meetParams(o *state) {
	if len(s.params) == len(o.params) && (len(s.params) == 0 || &s.params[0] == &o.params[0]) && s.loose == o.loose && s.many == o.many {
		return
	}
	s.params, s.many, s.loose = []command.Word{lost(append(s.params[:len(s.params):len(s.params)], o.params...)...)}, true, 1
}

// meetEnv is the environment if it is one of two: what one of them does not have may be missing.
func meetEnv(a, b []command.Assign) []command.Assign {
	if len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0]) {
		return a
	}
	out := slices.Clone(a)
	for _, y := range b {
		i := slices.IndexFunc(out, func(x command.Assign) bool { return x.Name == y.Name })
		switch {
		case i < 0:
			out = append(out, y)
		case !out[i].Value.Same(y.Value):
			out[i].Value = out[i].Value.Join(y.Value)
		}
	}
	return out
}

// either is what is printed if it is one of two, of which one may be nothing.
func either(a, b command.Data) command.Data {
	if a.Same(b) {
		return a
	}
	if b.IsEmpty() && !b.None {
		a, b = b, a
	}
	if !a.IsEmpty() || a.None || b.Reach == tool.Prefix || b.Reach == tool.Exact {
		return a.Join(b)
	}
	b.Taint |= a.Taint
	b.Full = false
	return b
}

// fork is several states that went on from one, of which the script takes one way.
type fork struct {
	r     *reader
	from  *state
	vars  ways[variable]
	funcs ways[function]
	files ways[file]
	count int
	one   *state // what is not in layers
	at    *place // where those that go on are
	fail  *place
}

func (f *fork) add(s *state) {
	f.count++
	f.vars.add(s.vars)
	f.funcs.add(s.funcs)
	f.files.add(s.files)
	if !s.gone || f.from.gone {
		f.at, f.fail = joinPlaces(f.at, s.place), joinPlaces(f.fail, s.failed())
	}
	if f.one == nil {
		c := *s
		f.one = &c
	} else {
		f.one.meet(s)
	}
}

func joinPlaces(p *place, o place) *place {
	if p != nil {
		o = p.join(o)
	}
	return &o
}

// close leaves the state that stands for all that were added, and makes it the one at hand.
func (f *fork) close() {
	r, s := f.r, f.from
	r.spend((len(f.vars.all) + len(f.files.all)) / 4)
	one, gone := *f.one, s.gone
	one.vars, one.funcs, one.files = s.vars, s.funcs, s.files
	*s = one
	f.vars.close(s.vars, f.count, r.inherited)
	f.funcs.close(s.funcs, f.count, func(string) function { return function{} })
	f.files.close(s.files, f.count, func(string) file { return file{} })
	if s.gone = gone || f.at == nil; f.at != nil {
		s.place, s.missed = *f.at, nil
		if !f.fail.within(s.place) || !s.place.within(*f.fail) {
			s.missed = f.fail
		}
	}
	r.s = s
}

// variable is what is known of one.
func (r *reader) variable(name string) variable {
	v, ok := r.s.vars.get(name)
	if v.carried != nil {
		*v.carried = true
	}
	if ok {
		return v
	}
	if r.s.vars.isCut() {
		return r.inherited(name).join(single(command.Word{Taint: r.assigned, Hollow: true}))
	}
	return r.inherited(name)
}

// touched says whether the script has assigned to a variable.
func (s *state) touched(name string) bool {
	_, ok := s.vars.get(name)
	return ok || s.vars.isCut()
}

// maxEnv bounds the variables of a script that programs get to see.
const maxEnv = 48

// setVariable gives a variable a value, and programs if they get to see it.
func (r *reader) setVariable(name string, v variable) {
	s := r.s
	for _, w := range v.alts {
		r.assigned |= w.Taint
	}
	if s.gone || r.weak { // it may not be carried out
		v = v.join(r.variable(name))
	}
	if was, had := r.since[name]; had {
		r.sinceThen(name, was.join(v))
	} else if len(r.traps) > 0 {
		r.sinceThen(name, v)
	}
	perhaps := !v.exported && (name == "LANG" || name == "TERM" || name == "SHELL")
	if perhaps {
		s.vars.put(name, v)
		v.alts, v.unset = []command.Word{lost(v.alts...)}, false
	} else if v.exported = v.exported || s.opts.exports || name == "PATH" || r.inherits(name); !v.exported {
		s.vars.put(name, v)
		return
	}
	if !perhaps {
		s.vars.put(name, v)
	}
	i := slices.IndexFunc(s.env, func(a command.Assign) bool { return a.Name == name })
	env := slices.Clone(s.env)
	a := command.Assign{Name: name, Value: anyOf(v.alts)}
	if perhaps {
		a.Value = lost(v.alts...)
	}
	switch {
	case v.list || name == "OLDPWD" || name == "PWD":
		return
	case v.unset && i >= 0:
		env = slices.Delete(env, i, i+1)
	case v.unset:
	case i >= 0:
		env[i] = a
	case len(env) < maxEnv:
		env = append(env, a)
	default:
		r.gap("too many variables that programs get to see", tool.Span{})
	}
	s.env = env
}

// inherits says whether the environment surely holds a variable.
func (d *disk) inherits(name string) bool {
	switch name {
	case "HOME", "PATH", "PWD", "USER", "LOGNAME":
		return true
	}
	if d.world.Getenv == nil {
		return false
	}
	_, ok := d.world.Getenv(name)
	return ok
}

// forgetAll makes unknown whatever the shell knew: something has run in it that cannot be read.
func (s *state) forgetAll() {
	s.vars.wipe()
	s.env = slices.Clone(s.env)
	for i := range s.env {
		s.env[i].Value = lost(s.env[i].Value)
	}
	s.params, s.many, s.loose = []command.Word{lost(s.params...)}, true, 1
	s.place, s.missed = place{dirs: []command.Word{{}}}, nil
}

// note adds a name to some.
func note(names *map[string]bool, name string) {
	if *names == nil {
		*names = map[string]bool{}
	}
	(*names)[name] = true
}

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
