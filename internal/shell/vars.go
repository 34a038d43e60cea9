package shell

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// declClause is export, declare, local and readonly, as the parser knows them:
// with assignments among their words.
func (r *reader) declClause(st *syntax.Stmt, c *syntax.DeclClause, s *state) []*state {
	if r.spend() {
		return one(s)
	}
	r.src.visit(st)
	variant := c.Variant.Value
	if variant == "local" && r.depth == 0 { // an error, but words are expanded
		kept := s.fork()
		faults(&r.ledger, s, nil, variant, nil)
		global, name := *c, *c.Variant // as zsh has it
		name.Value, global.Variant = "typeset", &name
		return append(r.declClause(st, &global, s), kept.end(false))
	}
	if s.lacks(variant, nil) {
		kept := s.fork()
		s.opts &^= optPosix
		out := r.declClause(st, c, s)
		for _, e := range out {
			e.opts |= optPosix
		}
		return append(out, kept.decide(false))
	}
	d := r.declaration(st, c, s)
	if slices.ContainsFunc(st.Redirs, s.isWordBehind) {
		r.refuseZsh(s)
	}
	red := r.redirects(s, st.Redirs, d.inv)
	d.expand(s, c.Args)
	var undone []*state
	if red.risky || red.reads || d.isOdd() { // and then nothing is declared
		undone = one(s.fork().decide(false))
		faults(&r.ledger, s, undone[0], variant, nil)
	}
	d.mayBeRefused(s)
	if d.carryOut(); d.unsure {
		d.refused(s)
	}
	out := d.printed()
	s.keepLast(d.inv.Words)
	if r.known(st, d.inv, s) == nil {
		r.model(st, variant, d.inv, s)
		r.leads(s, d.inv)
		emptiedBy(&r.site, d.inv, out)
		r.list1(d.inv)
		r.remember(st, d.inv, s)
	}
	r.send(s, out, red)
	return append(undone, s.ended())
}

// declaration is one that is being read.
type declaration struct {
	r           *reader
	variant     string // its command
	inv         *command.Invocation
	attrs, drop attributes // that options have given and taken so far
	flags, plus string     // the letters of the options, and of those that take something away
	names       int        // that are declared
	later       []func()   // all words are expanded before the first is assigned
	shows       bool       // it prints a variable
	shown       value.Taint
	unsure      bool // a shell may not take all its words
	takesExport bool // with +x
}

func (r *reader) declaration(st *syntax.Stmt, c *syntax.DeclClause, s *state) declaration {
	d := declaration{r: r, variant: c.Variant.Value}
	d.inv = r.invocation(s, st, []command.Word{r.src.verbatim(d.variant, c.Variant.Pos().Offset(), c.Variant.Pos().Offset(), c.Variant.End().Offset())})
	if d.variant == "nameref" {
		r.gap("bash has no command nameref", d.inv.Span)
	}
	if list, _ := s.calls(d.variant); len(list) > 0 {
		r.gap("a function has taken the name of "+d.variant, d.inv.Span)
	}
	return d
}

// after notes a declaration behind assignments whose words depend on them: zsh assigns
// before it expands those words, others expand first.
func (d *declaration) after(s *state, c *syntax.CallExpr, before []command.Word) {
	f := s.fork()
	d.r.assignAll(f, c.Assigns)
	var after words
	for _, w := range c.Args {
		d.r.fields(f, w, argument, &after)
	}
	if !sameSlice(before, after.list, value.Word.Same) {
		d.r.gap("a declaration of what is assigned in front of it", d.inv.Span)
	}
}

// isDeclaration says whether a command declares variables.
func isDeclaration(name string) bool {
	switch name {
	case "export", "readonly", "declare", "typeset", "local", "integer", "float":
		return true
	}
	return false
}

// mayBeRefused notes that a shell may not take the words of a declaration.
func (d *declaration) mayBeRefused(s *state) {
	if d.isOdd() || d.flags+d.plus != "" && s.isPosix() {
		d.refused(s)
	}
}

// refused notes that a shell may not take the next word of a declaration.
func (d *declaration) refused(s *state) {
	d.unsure = true
	if d.shows || d.isOdd() { // what it has printed by then
		s = s.fork()
		s.out = command.Data{Taint: d.shown}
	}
	d.r.abort(s)
}

// printed is what a declaration prints.
func (d *declaration) printed() command.Data {
	switch {
	case d.names == 0: // all of them
		return command.Data{Taint: command.FromSecret}
	case d.shows, d.isOdd(), strings.ContainsAny(d.flags, "fFp"):
		return command.Data{Taint: d.shown}
	}
	return command.Data{Reach: tool.Exact}
}

// show notes that zsh may print a variable that is declared without a value.
func (d *declaration) show(s *state, name string) {
	if !d.mayShow(s, name) {
		return
	}
	d.shows, d.shown = true, d.shown|anybodys(name).Taint
	if v := s.lookup(name); v != nil {
		d.shown |= value.Lost(v.words...).Taint
	}
	d.r.reveals(command.Word{Taint: d.shown}, d.inv.Span)
}

// mayShow says whether zsh may print a variable that is declared without a value: it has one, and gets no attribute.
func (d *declaration) mayShow(s *state, name string) bool {
	if !d.r.world.Zsh || d.variant == "export" || strings.Trim(d.flags, "-") != "" && d.plus == "" || d.r.makesLocal(s, d.variant, name, d.flags) {
		return false
	}
	v := s.lookup(name)
	return v != nil && (!v.unset || v.bare) || v == nil && (s.inherits(name) || mayBeOwn(name))
}

// mayBeOwn says whether a variable may be one that a shell has by itself.
func mayBeOwn(name string) bool {
	return strings.ToUpper(name) == name || isFixedInZsh(name) || tiedTo(name) != "" || changedBy(name, command.Word{}) != ""
}

// option adds the attributes that one gives, or takes away.
func (d *declaration) option(flag string) {
	at := attributesOf(flag[1:])
	if flag[0] == '-' {
		d.attrs |= at
		d.flags += flag[1:]
	} else {
		d.drop |= at
		d.plus += flag[1:]
		d.takesExport = d.takesExport || strings.Contains(flag, "x")
	}
}

// isOdd says whether there is an option that a shell may not have, or that may mean something
// else than an attribute: what is declared is perhaps only shown.
func (d *declaration) isOdd() bool {
	usual, less := "-xiraAlugf", "xirlut"
	switch d.variant {
	case "export":
		usual, less = "-f", ""
	case "readonly":
		usual, less = "-aAf", ""
	}
	return strings.Trim(d.flags, usual) != "" || strings.Trim(d.plus, less) != ""
}

// bend forgets the value of a variable that zsh pads, cuts or calculates. To zsh -F makes a number of whatever it is given, too; bash only
// looks for a function of that name.
func (d *declaration) bend(s *state, name string) {
	if d.r.world.Zsh && strings.Contains(d.flags, "F") {
		v := s.variable(name)
		v.attrs, v.vague = v.attrs|integer, true
	}
	if v := s.lookup(name); v != nil && !v.unset && d.isOdd() && strings.ContainsAny(d.flags, "EFLRZT0123456789") {
		s.variable(name).forget()
	}
}

// all are the attributes of what is declared now.
func (d *declaration) all() attributes {
	switch d.variant {
	case "export":
		return d.attrs | exported
	case "readonly":
		return d.attrs | readonly
	}
	return d.attrs
}

// expand reads the words of a declaration.
func (d *declaration) expand(s *state, args []*syntax.Assign) {
	for _, a := range args {
		if a.Name == nil { // an option, or something that expands to assignments
			d.declGiven(s, a)
		} else {
			d.declNamed(s, a)
		}
	}
}

// carryOut declares what has been read.
func (d *declaration) carryOut() {
	for _, assign := range d.later {
		assign()
	}
}

// declGiven reads a word of a declaration that is not written as a name or an assignment.
func (d *declaration) declGiven(s *state, a *syntax.Assign) {
	var given words
	d.r.fields(s, a.Value, argument, &given)
	if given.loose > 0 {
		d.r.gap(d.variant+" of words known only at run time", d.inv.Span)
	}
	for _, w := range given.list {
		d.inv.Words = append(d.inv.Words, w)
		if w.IsKnown() && isSwitch(w.Text) {
			if d.option(w.Text); d.names > 0 {
				d.later = append(d.later, func() { d.refused(s) })
			}
			continue
		}
		d.names++
		now := *d
		d.later = append(d.later, func() {
			now.declWord(s, w)
			d.shows, d.shown = d.shows || now.shows, d.shown|now.shown
		})
	}
}

// declNamed reads a name or an assignment of a declaration.
func (d *declaration) declNamed(s *state, a *syntax.Assign) {
	d.names++
	variant, inv, name, all, flags, drop := d.variant, d.inv, a.Name.Value, d.all(), d.flags, d.drop
	if strings.Contains(flags, "f") {
		d.function(s, name)
		d.declAnyway(s, a)
		return
	}
	if isNaked(a) {
		d.declNaked(s, a)
		return
	}
	if a.Value != nil && d.attrs&(isArray|isAssoc) != 0 && d.r.looksLikeArray(s, a) {
		d.r.gap("an array in quotes that is evaluated", d.r.src.nodeSpan(a))
	}
	var old *variable
	if !d.r.makesLocal(s, variant, name, flags) {
		old = s.lookup(name)
	}
	ones := d.r.bracedAssigns(s, a)
	values := make([]given, len(ones))
	for i, one := range ones {
		values[i] = d.r.expandAssign(s, one, all, old)
	}
	if old := s.lookup(name); a.Append || a.Index != nil || a.Array == nil && (d.attrs&(isArray|isAssoc) != 0 || old != nil && old.attrs&isArray != 0) {
		d.later = append(d.later, func() { d.refused(s) })
	}
	if d.takesExport {
		flags += "x" // which is global to zsh as well
	}
	d.later = append(d.later, func() {
		d.r.declVar(s, variant, name, flags, inv)
		for i, one := range ones {
			anew := d.r.countsAnew(s, name, values[i].word, all)
			if d.r.assignDecl(s, one, values[i], all); anew {
				s.variable(name).anyNumber()
			}
		}
		d.r.attribute(s, name, 0, drop, d.r.src.nodeSpan(a))
		d.bend(s, name)
		d.r.src.declared(s, a, inv)
	})
}

// declAnyway reads what a function is given with its declaration. Bash assigns an array although it is none.
func (d *declaration) declAnyway(s *state, a *syntax.Assign) {
	if isNaked(a) {
		return
	}
	name := a.Name.Value
	d.r.expandAssign(s, a, 0, s.lookup(name))
	if a.Array != nil && !d.r.full(s, name, d.r.src.nodeSpan(a)) {
		d.later = append(d.later, func() { s.variable(name).forget() })
	}
}

// isNaked says whether a name is declared without a value.
func isNaked(a *syntax.Assign) bool { return a.Naked && a.Array == nil && a.Value == nil }

// declNaked reads a name of a declaration that is given no value.
func (d *declaration) declNaked(s *state, a *syntax.Assign) {
	variant, inv, name, all, flags, drop, now := d.variant, d.inv, a.Name.Value, d.all(), d.flags, d.drop, *d
	if a.Index != nil {
		d.r.subscript(s, s.lookup(name), a.Index)
		d.later = append(d.later, func() { d.refused(s) })
	}
	d.later = append(d.later, func() {
		now.show(s, name)
		d.shows, d.shown = d.shows || now.shows, d.shown|now.shown
		d.r.declVar(s, variant, name, flags, inv)
		d.r.attribute(s, name, all, drop, d.r.src.nodeSpan(a))
		d.bend(s, name)
		if v := s.lookup(name); d.r.world.Zsh && v != nil && v.unset && !v.bare {
			s.variable(name).bare = true
		}
		inv.Words = append(inv.Words, command.Known(name, d.r.src.nodeSpan(a)))
	})
}

// declared adds the word of a declaration that has been carried out to its invocation.
func (src *source) declared(s *state, a *syntax.Assign, inv *command.Invocation) {
	name, span := a.Name.Value, src.nodeSpan(a)
	v := s.lookup(name)
	w := command.Word{Span: span}
	if v != nil && len(v.words) == 1 && v.attrs&(isArray|isAssoc) == 0 {
		w = command.Known(name+"=", span).Concat(v.words[0])
		w.Span = span
		if v.attrs&exported != 0 {
			inv.Env = append(inv.Env, command.Assign{Name: name, Value: withSpan(v.words[0], span), Append: a.Append, Prefix: true})
		}
	}
	inv.Words = append(inv.Words, w)
}

// attribute gives a variable attributes and takes others from it.
func (led *ledger) attribute(s *state, name string, add, drop attributes, span tool.Span) {
	if (add|drop)&nameref != 0 {
		led.gap("a name reference", span)
	}
	if (add|drop)&^(exported|readonly) != 0 && mayBeOwn(name) {
		led.refuseZsh(s) // it may have a type already
	}
	if add == 0 && drop == 0 && s.lookup(name) != nil || led.full(s, name, span) {
		return
	}
	if s.lookup(name) == nil && (add|drop)&^(exported|readonly) == 0 { // the environment may hold it
		w, _ := led.inherited(s, name)
		s.set(name, w)
	}
	v := s.variable(name)
	if add&readonly != 0 && led.world.Zsh && isFixedInZsh(name) {
		led.gap("a variable of zsh's own that is made read-only: "+name, span)
	}
	if v.attrs&readonly != 0 && drop&readonly != 0 {
		led.strand(s)
		drop &^= readonly
	}
	if led.world.Zsh && add&integer != 0 && v.attrs&integer == 0 && !v.unset { // it evaluates the value that is there
		led.evaluateEach(s, slices.Clone(v.words), span)
		v = s.variable(name)
	}
	before := v.attrs
	v.attrs, v.own = v.attrs&^drop|add, v.own || drop&exported != 0
	v = s.export(v)
	if !v.unset {
		v.reread(before ^ v.attrs)
	}
}

// reread makes of a value what it is when some attributes have changed.
func (v *variable) reread(changed attributes) {
	array := v.attrs&(isArray|isAssoc) != 0
	switch {
	case changed&(isArray|isAssoc) != 0, changed&(integer|lowered|uppered) != 0 && array:
		v.blur()
	case changed&integer != 0 && !(len(v.words) == 1 && v.words[0].IsKnown() && isPlainNumber(v.words[0].Text)): // zsh makes a number of it
		v.words = []command.Word{value.Lost(v.words...)}
	case changed&(lowered|uppered) != 0: // bash changes the case of what is assigned, zsh of what is expanded
		v.words = []command.Word{value.Lost(v.words...)}
	}
}

// isPlainNumber says whether a text is a number as a shell prints it.
func isPlainNumber(text string) bool {
	return isNumber(text) && (text == "0" || text[0] != '0')
}

// bracedAssigns expands the braces of a declaration, which is an ordinary word
// before it is an assignment.
func (led *ledger) bracedAssigns(s *state, a *syntax.Assign) []*syntax.Assign {
	if a.Value == nil || !hasBraces(a.Value) {
		return []*syntax.Assign{a}
	}
	lists, ok := led.braces(a.Value)
	if ok && len(lists) > 1 && (led.world.Zsh || s.opts&optPosix != 0) {
		ok = false // only bash expands them there
	}
	if !ok {
		led.gap("a brace expansion with too many words", led.src.nodeSpan(a))
		return []*syntax.Assign{a}
	}
	var out []*syntax.Assign
	for _, parts := range lists {
		one := *a
		one.Value = nil
		if len(parts) > 0 {
			one.Value = &syntax.Word{Parts: parts}
		}
		out = append(out, &one)
	}
	return out
}

// assignDecl assigns inside a declaration. With the attribute n the value is a
// name, with i it is evaluated.
func (r *reader) assignDecl(s *state, a *syntax.Assign, g given, attrs attributes) {
	name := a.Name.Value
	ro := attrs & readonly
	attrs &^= readonly
	if attrs&nameref != 0 && a.Value != nil {
		r.gap("a name reference", r.src.nodeSpan(a))
		s.variable(name).forget()
		return
	}
	if r.assignGiven(s, a, g, attrs); ro != 0 && !r.full(s, name, r.src.nodeSpan(a)) {
		s.variable(name).attrs |= ro
	}
}

// looksLikeArray says whether a quoted value is read as an array by declare -a.
func (r *reader) looksLikeArray(s *state, a *syntax.Assign) bool {
	if v := r.value(s.fork(), a.Value); v.IsKnown() {
		return evaluatedArray(v.Text)
	} else {
		return mayBeList(v)
	}
}

// evaluatedArray says whether text that declare -a reads as an array holds something that is
// expanded or, as a subscript, evaluated.
func evaluatedArray(text string) bool {
	return strings.HasPrefix(text, "(") && strings.ContainsAny(text, "$`[<>")
}

func attributesOf(flags string) (a attributes) {
	for i := 0; i < len(flags); i++ {
		switch flags[i] {
		case 'x':
			a |= exported
		case 'i':
			a |= integer
		case 'n':
			a |= nameref
		case 'r':
			a |= readonly
		case 'a':
			a |= isArray
		case 'A':
			a |= isAssoc
		case 'l':
			a |= lowered
		case 'u':
			a |= uppered
		case 'c': // the first letter
			a |= lowered | uppered
		}
	}
	return a
}

// declVar makes a local variable where the declaration is a function's.
func (led *ledger) declVar(s *state, variant, name, flags string, inv *command.Invocation) {
	old := s.lookup(name)
	if strings.Contains(flags, "g") && (old != nil && old.local > 0 || led.world.Zsh && variant == "local") {
		led.gap("a global variable assigned from behind a local one", inv.Span)
		s.variable(name).forget()
		return
	}
	if !led.makesLocal(s, variant, name, flags) {
		turns := old != nil && (strings.Contains(flags, "A") && old.attrs&isArray != 0 || strings.Contains(flags, "a") && old.attrs&isAssoc != 0)
		led.declOuter(s, variant, name, flags)
		if turns { // bash leaves it as it is, zsh makes a new one
			s.variable(name).vague = true
		}
		return
	}
	if led.full(s, name, inv.Span) {
		return
	}
	v := variable{name: name, unset: true}
	switch {
	case old != nil && (strings.Contains(flags, "I") || old.attrs&readonly != 0): // bash hides no read-only one
		if v = *old; led.world.Zsh {
			v = s.perhapsLike(name)
			v.attrs = old.attrs & readonly // to bash
		}
		v.front = false
	case fixed(name):
		v.words, v.unset = []command.Word{{}}, false
	case old != nil && old.front, s.opts&optPosix != 0: // it may have that value, or none
		v = s.perhapsLike(name)
	}
	global := led.world.Zsh && variant != "local" && strings.Contains(flags, "x") // zsh exports what there is
	if global && v.unset {
		v = s.perhapsLike(name)
	}
	if s.hide(v, led.depth); global {
		s.variable(name).exposeOuter()
	}
}

// declOuter declares a variable that is not the function's own. In bash it may be one that
// another in front of the function hides; in zsh what is read-only is the function's own.
func (led *ledger) declOuter(s *state, variant, name, flags string) {
	old := s.lookup(name)
	switch {
	case old != nil && old.front:
		s.variable(name).exposeOuter()
	case variant == "readonly" && led.world.Zsh && led.makesLocal(s, "local", name, flags):
		s.hide(s.perhapsLike(name), led.depth)
		v := s.variable(name)
		v.vague = v.vague || old != nil && old.attrs&^(exported|readonly) != 0 // as in bash it is still of that kind
		v.exposeOuter()
		v.outer.attrs |= readonly
	}
}

// perhapsLike is a variable that may have the value of the one of that name, or none.
func (s *state) perhapsLike(name string) variable {
	v := variable{name: name, unset: true}
	old := s.lookup(name)
	switch {
	case old != nil && !old.unset:
		v.words, v.unset = []command.Word{value.Lost(old.words...)}, false
	case old == nil && s.inherits(name):
		v.words, v.unset = []command.Word{{}}, false
	default:
		return v
	}
	v.words[0].Hollow = true
	return v
}

// makesLocal says whether a declaration makes a variable that is the function's own.
func (led *ledger) makesLocal(s *state, variant, name, flags string) bool {
	if variant != "local" && variant != "declare" && variant != "typeset" || led.depth == 0 || strings.Contains(flags, "g") {
		return false
	}
	old := s.lookup(name)
	return old == nil || old.local != led.depth || old.front
}

func (s *state) exportFunction(name, variant, flags string) {
	if variant != "export" && !strings.Contains(flags, "x") {
		return
	}
	list, certain := s.calls(name)
	kept := slices.Clone(list)
	for i := range kept {
		kept[i].exp = true
	}
	if len(kept) > 0 {
		s.funcs.put(name, functions{kept, certain}, sure|visible)
	}
}

// declWord reads a word of a declaration that is not written as an assignment: it
// came out of quotes or an expansion, and bash looks at it again.
func (d *declaration) declWord(s *state, w command.Word) {
	name, value, is := strings.Cut(w.Text, "=")
	if w.Reach == tool.Anywhere || w.Glob || !is && !w.IsKnown() {
		gapIn(d.inv, d.variant+" of a variable known only at run time")
		return
	}
	plain := strings.TrimSuffix(name, "+")
	if !is && plain != name { // no name, or what asks for a list
		d.shows = true
		d.refused(s)
		return
	}
	if strings.IndexByte(name, '[') >= 0 {
		d.refused(s)
		d.r.declElement(s, plain, w.Span)
		return
	}
	if !isName(plain) {
		d.refused(s)
		gapIn(d.inv, d.variant+" of something that is not a name")
		return
	}
	if strings.Contains(d.flags, "f") {
		d.function(s, plain)
		return
	}
	if !is {
		d.show(s, plain)
	}
	if name != plain {
		d.refused(s)
	}
	d.r.declVar(s, d.variant, plain, d.flags, d.inv)
	if !is {
		d.r.attribute(s, plain, d.all(), 0, w.Span)
		return
	}
	v := w.From(len(w.Text) - len(value))
	v.Lead, v.At = w.Lead, 0
	d.assignWord(s, plain, v, name != plain)
	d.bend(s, plain)
}

// function is a declaration of a function. One that is read-only cannot be defined anew, and a later body is not its own.
func (d *declaration) function(s *state, name string) {
	if s.exportFunction(name, d.variant, d.flags); d.all()&readonly != 0 {
		gapIn(d.inv, "a function that is read-only")
	}
}

// declElement reads a word of a declaration that names an element of an array.
func (led *ledger) declElement(s *state, name string, span tool.Span) {
	led.plainName(s, command.Known(name, span))
	if base, _, _ := strings.Cut(name, "["); isName(base) {
		led.special(s, base, command.Word{}, span)
		led.barred(s, base)
		v := s.variable(base)
		v.attrs |= isArray
		v.blur()
	}
}

// assignWord assigns the value of such a word, or adds it to the one that there is.
func (d *declaration) assignWord(s *state, name string, v command.Word, add bool) {
	attrs, span := d.all(), v.Span
	if old := s.lookup(name); add || attrs&(isArray|isAssoc) != 0 || old != nil && old.attrs&isArray != 0 {
		d.r.refuseZsh(s)
	}
	switch {
	case attrs&nameref != 0:
		d.r.gap("a name reference", span)
		s.variable(name).forget()
		return
	case mayBeList(v) && s.mayBeArray(name, attrs, v):
		d.assignQuoted(s, name, v)
		return
	case add:
		old, _ := d.r.scalar(s, name)
		v = d.r.concat(old, v, span)
	}
	anew := d.r.countsAnew(s, name, v, attrs)
	d.r.attribute(s, name, attrs&^readonly, 0, span)
	if d.r.assign(s, name, v, span); anew {
		s.variable(name).anyNumber()
	}
	d.r.attribute(s, name, attrs, 0, span)
	if attrs&exported != 0 {
		d.inv.Env = append(d.inv.Env, command.Assign{Name: name, Value: withSpan(v, span), Prefix: true})
	}
}

// mayBeArray says whether a variable that is declared with some attributes may be an array, to which a value is assigned as the list of its
// elements: it is one with them, or was one before.
func (s *state) mayBeArray(name string, attrs attributes, w command.Word) bool {
	v := s.lookup(name)
	return attrs&(isArray|isAssoc) != 0 || v != nil && (v.attrs&(isArray|isAssoc) != 0 || v.vague && w.IsKnown())
}

// mayBeList says whether a value may be a list in parentheses.
func mayBeList(w command.Word) bool {
	if w.IsKnown() {
		return strings.HasPrefix(w.Text, "(")
	}
	return !w.IsPlain() && (w.Reach != tool.Prefix || w.Text == "" || w.Text[0] == '(')
}

// countsAnew says whether an expression may name the variable that it is assigned to, which becomes an integer by that: to zsh it is 0
// then, to bash it has its old value.
func (here *site) countsAnew(s *state, name string, w command.Word, attrs attributes) bool {
	v := s.lookup(name)
	if !here.world.Zsh || attrs&integer == 0 || attrs&(isArray|isAssoc) != 0 || v != nil && (v.attrs&integer != 0 && !v.vague || v.unset) {
		return false
	}
	return !w.IsKnown() || strings.IndexFunc(w.Text, unicode.IsLetter) >= 0 || strings.IndexByte(w.Text, '_') >= 0
}

// anyNumber forgets which number a variable holds.
func (v *variable) anyNumber() {
	if len(v.words) == 1 && v.words[0].IsKnown() {
		v.words = []command.Word{numberWord(number{})}
	}
}

// assignQuoted assigns an array that is written in quotes.
func (d *declaration) assignQuoted(s *state, name string, v command.Word) {
	if evaluatedArray(v.Text) || !v.IsKnown() {
		gapIn(d.inv, "an array in quotes that is evaluated")
	}
	d.r.special(s, name, command.Word{}, v.Span)
	made := s.variable(name)
	made.attrs |= d.all()
	made.blur()
}

// declWords is a declaration whose name the parser did not see as one, as in
// "command export X=1".
func (r *reader) declWords(s *state, name string, args []command.Word, inv *command.Invocation) {
	d := declaration{r: r, variant: name, inv: inv}
	before := s.fork()
	if inv.Loose > 0 { // bash splits what it does not see as a declaration
		gapIn(inv, name+" of words known only at run time")
	}
	for _, w := range args {
		if w.IsKnown() && isSwitch(w.Text) {
			if d.option(w.Text); d.names > 0 {
				d.refused(s)
			}
			continue
		}
		d.names++
		d.declWord(s, w)
	}
	if d.mayBeRefused(before); d.unsure {
		d.refused(s)
	}
	s.out = d.printed()
	if d.isOdd() || s.isPosix() { // which does not split them
		s.join(before)
	}
	if given := len(inv.Env); given > 0 {
		probe := command.Invocation{Dir: inv.Dir, Span: inv.Span, Env: inv.Env}
		r.lib.Read(&probe, r.world)
		inv.Effects, inv.Gaps = append(inv.Effects, probe.Effects...), append(inv.Gaps, probe.Gaps...)
	}
	s.ended()
}

// unset removes variables and functions.
func (led *ledger) unset(s *state, args []command.Word) {
	var flags string
	for len(args) > 0 && isFlag(args[0]) {
		flags += args[0].Text
		args = args[1:]
	}
	if strings.Contains(flags, "m") { // zsh takes words for patterns
		s.forgetAll()
	}
	for _, w := range args {
		switch {
		case !led.plainName(s, w):
			s.forgetAll()
			led.gap("a variable name known only at run time", w.Span)
		case !isName(w.Text) && strings.Contains(flags, "f"):
			s.mayUnsetFunction(w.Text)
		case !isName(w.Text):
			led.unsetElement(s, w)
		case strings.Trim(flags, "-vf") != "": // it is refused, or removes only name references
			s.mayUnset(w.Text)
		case strings.Contains(flags, "f"):
			s.funcs.remove(w.Text)
		default:
			led.unsetName(s, w)
		}
	}
}

// unsetElement removes an element of an array.
func (led *ledger) unsetElement(s *state, w command.Word) {
	base, key, _ := strings.Cut(w.Text, "[")
	if name, _, is := strings.Cut(w.Text, "="); is && isName(name) && s.isPosix() { // sh looks at the name alone
		s.mayUnset(name)
	}
	if !isName(base) {
		return
	}
	led.special(s, base, command.Word{}, w.Span)
	if v := s.variable(base); led.world.Zsh && v.attrs&isAssoc == 0 || v.resists() { // zsh counts from one
		v.blur()
	} else {
		v.remove(strings.TrimSuffix(key, "]"))
	}
}

// unsetName removes a variable, or if there is none the function of that name.
func (led *ledger) unsetName(s *state, w command.Word) {
	name := w.Text
	if name != "IFS" {
		led.special(s, name, command.Known("", w.Span), w.Span)
	}
	v := s.lookup(name)
	switch {
	case led.full(s, name, w.Span):
	case v.resists(), fixed(name):
		led.barred(s, name)
		s.mayUnset(name)
	case v != nil && (v.front || v.local > 0 && v.local < led.depth):
		// It is a caller's: what it hides comes to light again, and is assigned to from now on.
		s.mayUnset(name)
		s.variable(name).exposeOuter()
	case v != nil && !v.unset:
		s.unsetVar(name)
	default: // the environment may hold one of that name
		s.unsetVar(name)
		s.mayUnsetFunction(name)
	}
}

// mayUnsetFunction makes a function one that may not be there any more.
func (s *state) mayUnsetFunction(name string) {
	if list, _ := s.calls(name); len(list) > 0 {
		s.funcs.put(name, functions{list, false}, 0)
	}
}

// resists says whether a variable may not let itself be removed.
func (v *variable) resists() bool { return v != nil && (v.attrs&readonly != 0 || v.vague) }

// mayUnset makes a variable one that may have no value any more.
func (s *state) mayUnset(name string) {
	v := s.variable(name)
	v.forget()
	v.words[0].Hollow = true
}

// exposeOuter notes that what a variable hides may get its value, or another one.
func (v *variable) exposeOuter() {
	if v.local == 0 {
		return
	}
	lost := variable{name: v.name, words: v.words, attrs: v.attrs}
	if v.outer != nil {
		lost = *v.outer
		lost.exposeOuter()
	}
	lost.forget()
	lost.words[0].Hollow = true
	v.outer = &lost
}

// remove unsets one element of an array.
func (v *variable) remove(key string) {
	i := v.find(key)
	if i < 0 || v.open || v.uncertain(key) || strings.HasPrefix(key, "-") && v.attrs&(isArray|isAssoc) == 0 || !isNumber(key) && v.attrs&isAssoc == 0 || strings.ContainsAny(key, blankBytes+"\"'\\") {
		v.blur()
		return
	}
	words, keys := v.words, v.keys
	v.words, v.keys = nil, []string{}
	for j, w := range words {
		if j == i {
			continue
		}
		k := strconv.Itoa(j)
		if keys != nil {
			k = keys[j]
		}
		v.words, v.keys = append(v.words, w), append(v.keys, k)
	}
}
