package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// lengthOf is the length of a text, or the number of elements.
func lengthOf(quoted bool) piece {
	return piece{Word: command.Word{Plain: true, Made: value.Number}, quoted: quoted, split: !quoted, solid: true}
}

// alternative is ${x:-w} or one of its relatives.
type alternative struct {
	r      *reader
	exp    *syntax.ParamExp
	own    looked // what the parameter holds
	has    status // whether that counts
	quoted bool
	manner manner
}

// conditional expands ${x:-w} and its relatives.
func (r *reader) conditional(s *state, p *syntax.ParamExp, l looked, quoted bool, m manner, out []piece) []piece {
	if r.world.Zsh && !quoted && p.Exp.Word != nil && hasBraces(p.Exp.Word) {
		r.gap("zsh expands braces inside an expansion", r.src.nodeSpan(p))
	}
	if r.world.Zsh && !quoted && p.Exp.Word != nil && slices.ContainsFunc(p.Exp.Word.Parts, mayQualify) {
		r.gap("zsh reads parentheses and angle brackets inside an expansion as those of a pattern", r.src.nodeSpan(p))
	}
	a := alternative{r: r, exp: p, own: l, has: l.counts(p.Exp.Op, s.separator()), quoted: quoted, manner: m}
	assigns := p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull
	if (r.world.Zsh || s.isPosix()) && (l.list || l.star) && a.has != succeeded && !assigns { // it may be nothing, too
		if p.Exp.Op == syntax.ErrorUnset || p.Exp.Op == syntax.ErrorUnsetOrNull {
			a.orError(s, nil)
		}
		s.perhaps(func(s *state) command.Word { return a.word(s) })
		return append(out, piece{Word: value.Lost(l.words...), split: true})
	}
	switch p.Exp.Op {
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		return a.ifSet(s, out)
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		return a.orError(s, out)
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if a.has != succeeded {
			return a.orAssign(s, out)
		}
	}
	switch a.has {
	case succeeded:
		a.aside(s)
		return emit(l, quoted, s.separator(), out)
	case failed:
		return a.otherwise(s, out)
	}
	return append(out, a.either(a.valueOr(s)))
}

// mayQualify says whether a part of a word may hold what zsh takes for a condition on the files that a pattern matches, which may be code,
// or for a range of numbers.
func mayQualify(p syntax.WordPart) bool {
	switch p := p.(type) {
	case *syntax.Lit:
		return strings.ContainsAny(p.Value, "(<")
	case *syntax.ExtGlob:
		return true
	}
	return false
}

// counts says whether a parameter is set and, for the operators with a colon, not empty.
func (l looked) counts(op syntax.ParExpOperator, sep command.Word) status {
	switch op {
	case syntax.AlternateUnsetOrNull, syntax.DefaultUnsetOrNull, syntax.ErrorUnsetOrNull, syntax.AssignUnsetOrNull:
		if l.set != succeeded || l.more {
			break
		}
		if len(l.words) > 1 {
			return l.filled(sep)
		}
		if len(l.words) == 0 {
			return failed
		}
		if set := nonEmpty(l.words[0]); set == succeeded || !l.list && !l.star || sep.IsKnown() && sep.Text == " " {
			return set
		}
		return unknown // bash does not say the same of it everywhere
	}
	return l.set
}

// filled says whether several elements are not nothing together. They are, if there is something between them; shells differ in when they
// join them.
func (l looked) filled(sep command.Word) status {
	if sep.IsKnown() && sep.Text != "" || slices.ContainsFunc(l.words, func(w command.Word) bool { return nonEmpty(w) == succeeded }) {
		return succeeded
	}
	return unknown
}

// piece is a word that an alternative expands to.
func (a alternative) piece(w command.Word) piece {
	p := piece{Word: w, quoted: a.quoted, split: !a.quoted}
	if a.own.env && a.has == unknown {
		p.env, p.sum = a.writes(isOneWord), a.writes(isDigits)
	}
	return p
}

// writes says whether the word of an alternative is nothing, or text of some form.
func (a alternative) writes(is func(text string) bool) bool {
	w := a.exp.Exp.Word
	return w == nil || len(w.Parts) == 0 || is(w.Lit())
}

// isOneWord says whether a text is one word, and no flag, wherever it stands.
func isOneWord(text string) bool {
	return text != "" && text[0] != '-' && !strings.ContainsAny(text, blankBytes+"*?[]{}~\\")
}

// either is what an alternative expands to if it may be the value or the word: any number of words, where one of
// them is a list.
func (a alternative) either(w command.Word) piece {
	if a.quoted && (a.own.list || a.exp.Exp.Word != nil && holdsList(a.exp.Exp.Word)) {
		return piece{Word: value.Lost(w), split: true}
	}
	if !a.quoted && w.IsKnown() && w.Text == "" { // a word, if it is in quotes, or none
		w.Hollow = true
		return piece{Word: w, quoted: true, many: true}
	}
	return a.piece(w)
}

// holdsList says whether an expansion in a word stands for each parameter, or each element of an array.
func holdsList(w *syntax.Word) (found bool) {
	syntax.Walk(w, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		case *syntax.ParamExp:
			found = found || n.Param.Value == "@" || indexOf(n) == "@"
		}
		return !found
	})
	return found
}

// otherwise expands the word of an alternative.
func (a alternative) otherwise(s *state, out []piece) []piece {
	if a.exp.Exp.Word == nil {
		return append(out, piece{Word: command.Known("", tool.Span{}), quoted: a.quoted, split: !a.quoted})
	}
	from := len(out)
	parts := a.exp.Exp.Word.Parts
	if !a.quoted && a.joins(s, parts) {
		return append(out, piece{Word: value.Lost(a.r.fold(s, a.r.pieces(s, parts, false, a.manner, nil), a.r.src.nodeSpan(a.exp))), split: true})
	}
	if a.quoted {
		parts = withoutEscapedBraces(parts)
		if a.losesQuotes(parts) {
			return append(out, piece{Word: hollowed(a.r.fold(s, a.r.pieces(s, parts, true, a.manner, nil), a.r.src.nodeSpan(a.exp))), quoted: true})
		}
	}
	out = a.r.pieces(s, parts, a.quoted, a.manner, out)
	for i := from; i < len(out); i++ {
		if !out[i].quoted && !out[i].sep {
			out[i].torn = out[i].torn || a.r.world.Zsh && out[i].split && !out[i].param // a substitution
			out[i].split = true
		}
	}
	return out
}

// losesQuotes says whether quotes in the word divide what bash reads as one: within others it takes them away first, so that "${e:-"$y"a}" has
// what $ya holds, and "$"(ls) runs ls.
func (a alternative) losesQuotes(parts []syntax.WordPart) (lost bool) {
	var before syntax.WordPart
	eachLeaf(parts, func(p syntax.WordPart) {
		switch b := before.(type) {
		case *syntax.Lit:
			if endsInDollar(b.Value) {
				a.r.gap("quotes within quotes, which bash takes away before it expands what is in them", a.r.src.nodeSpan(a.exp))
				lost = true
			}
		case *syntax.ParamExp:
			l, ok := p.(*syntax.Lit)
			lost = lost || ok && b.Short && isName(b.Param.Value) && scan.IsNameByte(l.Value[0])
		}
		before = p
	})
	return lost
}

// eachLeaf calls a function with the parts of a word, and with those of the double quotes in it.
func eachLeaf(parts []syntax.WordPart, call func(syntax.WordPart)) {
	for _, p := range parts {
		if q, ok := p.(*syntax.DblQuoted); ok {
			eachLeaf(q.Parts, call)
		} else if l, ok := p.(*syntax.Lit); !ok || l.Value != "" {
			call(p)
		}
	}
}

// endsInDollar says whether a text ends in a dollar sign that is not quoted.
func endsInDollar(text string) bool {
	rest, is := strings.CutSuffix(text, "$")
	return is && (len(rest)-len(strings.TrimRight(rest, `\`)))%2 == 0
}

// isBareList says whether a part of a word is all elements of a list, without quotes.
func isBareList(part syntax.WordPart) bool {
	p, ok := part.(*syntax.ParamExp)
	return ok && (isAll(p.Param.Value) || indexOf(p) != "")
}

// dividesAtBlanks says whether blanks are sure to separate fields.
func (s *state) dividesAtBlanks() bool {
	ifs, known := s.ifs()
	return known && strings.Contains(ifs, " ")
}

// joinsIn says whether bash may join a list without quotes that an operator is applied to: blanks do not separate fields.
func (l looked) joinsIn(s *state) bool { return (l.list || l.star) && !s.dividesAtBlanks() }

// joins says whether a shell may make other words of the lists in an alternative: bash joins them with blanks where these separate no
// fields, and zsh leaves empty ones out.
func (a alternative) joins(s *state, parts []syntax.WordPart) bool {
	return slices.ContainsFunc(parts, func(part syntax.WordPart) bool {
		if !isBareList(part) {
			return false
		}
		p := part.(*syntax.ParamExp)
		return !s.dividesAtBlanks() || a.r.world.Zsh && (!isAll(p.Param.Value) || slices.ContainsFunc(s.params, mayBeEmpty))
	})
}

// withoutEscapedBraces are parts of a word in double quotes in which the backslash of \} is none.
func withoutEscapedBraces(parts []syntax.WordPart) []syntax.WordPart {
	cloned := false
	for i, p := range parts {
		l, ok := p.(*syntax.Lit)
		if !ok || !strings.Contains(l.Value, `\}`) {
			continue
		}
		if !cloned {
			parts, cloned = slices.Clone(parts), true
		}
		short := *l
		short.Value = strings.NewReplacer(`\\`, `\\`, `\}`, "}").Replace(l.Value) // a backslash that is quoted quotes nothing
		parts[i] = &short
	}
	return parts
}

// word is the word of an alternative as one value.
func (a alternative) word(s *state) command.Word {
	return a.r.fold(s, a.otherwise(s, nil), a.r.src.nodeSpan(a.exp))
}

// aside judges what the word of an alternative runs where it seems not to be expanded.
func (a alternative) aside(s *state) {
	s.onTheSide(func(s *state) { a.word(s) })
}

// ifSet is ${x:+w}: the word or nothing.
func (a alternative) ifSet(s *state, out []piece) []piece {
	nothing := command.Known("", tool.Span{})
	switch a.has {
	case succeeded:
		return a.otherwise(s, out)
	case failed:
		if a.aside(s); a.quoted && a.own.list && len(a.own.words) == 0 {
			return out // no word
		}
		return append(out, a.piece(nothing))
	}
	w := s.perhaps(func(s *state) command.Word { return a.word(s) }, nothing)
	w.Hollow, w.IfEmpty = true, ""
	return append(out, a.either(w))
}

// orError is ${x:?w}: bash gives up on the line if there is no value, and prints the word.
func (a alternative) orError(s *state, out []piece) []piece {
	s.onTheSide(func(s *state) { a.r.reveals(a.word(s), a.r.src.nodeSpan(a.exp)) })
	if a.has != succeeded {
		a.r.strand(s)
		a.r.quit(s)
	}
	if a.has == failed {
		return append(out, a.piece(command.Word{}))
	}
	l := a.own
	if a.exp.Exp.Op == syntax.ErrorUnsetOrNull && len(l.words) == 1 {
		// Bash gives up where it is empty.
		w := l.words[0]
		w.Hollow = w.Hollow && w.IfEmpty != ""
		l.words = []command.Word{w}
	}
	return emit(l, a.quoted, s.separator(), out)
}

// valueOr is the value of a parameter or, if it has none, the word.
func (a alternative) valueOr(s *state) command.Word {
	l := a.own
	w := s.perhaps(func(s *state) command.Word { return a.word(s) }, l.words...)
	if given := a.exp.Exp.Word; !w.IsKnown() && (given == nil || len(given.Parts) == 0) {
		w.Hollow = true
	}
	if len(l.words) == 0 || l.more || l.list || l.star {
		return command.Word{Taint: w.Taint, Hollow: mayBeEmpty(w)}
	}
	return w
}

// orAssign is ${x:=w}, where the word may be assigned.
func (a alternative) orAssign(s *state, out []piece) []piece {
	p := a.exp
	w := a.valueOr(s)
	if a.has == failed {
		w = a.word(s)
	}
	switch name := p.Param.Value; {
	case p.Excl:
		a.r.gap("a variable assigned through a name that longline cannot follow", a.r.src.nodeSpan(p))
	case !isName(name):
		a.r.strand(s) // bash cannot assign to it, and zsh may leave the word out
		w = hollowed(w)
		if a.r.world.Zsh && isNumber(name) {
			a.r.gap("a parameter assigned inside an expansion", a.r.src.nodeSpan(p))
		}
	case p.Index == nil:
		a.r.assign(s, name, w, a.r.src.nodeSpan(p))
		if v := s.lookup(name); v != nil && v.attrs != 0 {
			w, _ = a.r.scalar(s, name)
		}
	default:
		a.r.gap("an array element assigned inside an expansion", a.r.src.nodeSpan(p))
		s.variable(name).blur()
	}
	return append(out, a.piece(w))
}

// onTheSide runs something for what it runs, and forgets what it does to the shell.
func (s *state) onTheSide(run func(*state)) {
	f := s.fork()
	run(f)
	s.files = s.files.join(f.files, s.toil)
	s.links = joinLists(s.links, f.links)
}

// perhaps is a word that may be expanded, or else one of others.
func (s *state) perhaps(run func(*state) command.Word, others ...command.Word) command.Word {
	f := s.fork()
	w := run(f)
	s.join(f)
	for _, o := range others {
		o.Hollow, o.IfEmpty = false, "" // then it is the word
		w = w.Join(o)
	}
	return w
}

// transform is what an operator makes of a value. What is left of one text without an end that a plain pattern matches may be known; of
// all else it is known only where it comes from. What stands behind the operator is code in any case.
func (r *reader) transform(s *state, p *syntax.ParamExp, l looked) looked {
	if !hasOperator(p) {
		return l
	}
	var operand command.Word
	switch {
	case p.Slice != nil:
		r.sliced(s, p.Slice)
	case p.Repl != nil:
		operand = r.replacing(s, p.Repl)
	case p.Exp.Op == syntax.OtherParamOps:
		if p.Exp.Word != nil && p.Exp.Word.Lit() == "P" {
			r.gap("${"+p.Param.Value+"@P} runs what its value holds", r.src.nodeSpan(p))
		}
	default:
		if operand = r.pattern(s, p.Exp.Word); isTrim(p.Exp.Op) && !l.list && !l.star {
			return r.trimmedEach(p.Exp.Op, l, operand)
		}
	}
	from := append(slices.Clone(l.words), operand)
	if l.list || l.star {
		l.words, l.more = nil, true
	}
	return looked{words: []command.Word{hollowed(from...)}, list: l.list, star: l.star, more: l.more, set: unknown, env: l.env && p.Slice != nil}
}

// isTrim says whether an operator is that of ${x#p} or one of its relatives.
func isTrim(op syntax.ParExpOperator) bool {
	switch op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return true
	}
	return false
}

// trimmedEach is what ${x#p} and its relatives make of what a parameter may hold.
func (led *ledger) trimmedEach(op syntax.ParExpOperator, l looked, pattern command.Word) looked {
	if !isPlainPattern(pattern.Text) {
		pattern = command.Word{Taint: pattern.Taint}
	}
	out := make([]command.Word, 0, len(l.words))
	for _, w := range l.words {
		if w.Hollow && w.IfEmpty != "" { // what it is then is cut as well
			w = value.Lost(w)
		}
		led.toil.copied(len(w.Text) * len(pattern.Text) / matchedPerByte)
		now := withoutEnd(w, pattern, op)
		now.Hollow = now.Hollow || !now.IsKnown() && !now.Glob && mayBeEmpty(w)
		if l.set != succeeded {
			now = now.Join(command.Word{Reach: tool.Exact})
		}
		out = append(out, now)
	}
	l.words = out
	return l
}

// replacing expands the operands of ${x/pattern/text}.
func (r *reader) replacing(s *state, p *syntax.Replace) command.Word {
	pattern := r.pattern(s, p.Orig)
	with := r.value(s, p.With)
	if p.With != nil && r.world.Zsh {
		for _, part := range p.With.Parts { // within double quotes, however far out, zsh expands what single ones hold
			if q, ok := part.(*syntax.SglQuoted); ok && (q.Dollar || strings.ContainsAny(q.Value, "$`\\")) {
				r.gap("single quotes inside a double-quoted expansion do not quote", r.src.nodeSpan(q))
			}
		}
	}
	return value.Lost(pattern, with)
}

// sliced reads the numbers of ${x:offset:length}.
func (r *reader) sliced(s *state, part *syntax.Slice) {
	if r.world.Zsh {
		r.giveUp(s) // a modifier, as in ${x:h}, or one that there is not
	}
	off := r.arithm(s, part.Offset)
	if part.Length != nil {
		without := s
		if givesValue(part.Length) { // bash does not look at it behind the end
			without = s.fork()
		}
		length := r.arithm(s, part.Length)
		if off.known = off.known && length.known && length.value >= 0; without != s {
			s.join(without)
		}
	}
	if !off.known {
		r.strand(s) // less than nothing is an error
	}
}

// hollowed is a value of which nothing is known, not even that it is not empty.
func hollowed(from ...command.Word) command.Word {
	w := value.Lost(from...)
	w.Hollow = true
	return w
}

// hasOperator says whether an expansion makes something else of its value.
func hasOperator(p *syntax.ParamExp) bool { return p.Slice != nil || p.Repl != nil || p.Exp != nil }

// scattered is a list of which nothing is known but where its elements come from.
func (l looked) scattered() looked {
	l.words, l.more, l.set = []command.Word{hollowed(l.words...)}, true, unknown
	return l
}

// mayBeEmpty says whether a value is, or may be, the empty one.
func mayBeEmpty(w command.Word) bool {
	return w.Hollow && w.IfEmpty == "" || w.Reach == tool.Exact && w.Text == ""
}

// withoutEnd is ${x#p} and its relatives.
func withoutEnd(w, pattern command.Word, op syntax.ParExpOperator) command.Word {
	suffix := op == syntax.RemSmallSuffix || op == syntax.RemLargeSuffix
	longest := op == syntax.RemLargePrefix || op == syntax.RemLargeSuffix
	if !w.IsKnown() || !pattern.IsKnown() {
		return trimmed(w, pattern, suffix, longest)
	}
	text, ok := trim(w.Text, pattern.Text, suffix, longest)
	if !ok {
		return hollowed(w)
	}
	w.Text, w.At = text, 0
	return w
}

// ascii says whether a text means the same in every locale.
func ascii(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
