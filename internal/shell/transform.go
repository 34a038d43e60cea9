package shell

import (
	"slices"
	"strconv"
	"strings"

	"longline/internal/command"
	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

func lengthOf(l looked, quoted, zsh bool) piece {
	w := command.Word{Plain: true, Made: value.Number}
	switch {
	case l.more, l.loose > 0, l.scalar && zsh: // to zsh it is a length
	case l.list || l.star:
		w = command.Known(strconv.Itoa(len(l.words)), tool.Span{})
	case l.set == failed:
		w = command.Known("0", tool.Span{})
	case len(l.words) == 1 && l.words[0].IsKnown() && ascii(l.words[0].Text):
		w = command.Known(strconv.Itoa(len(l.words[0].Text)), tool.Span{})
	}
	return piece{Word: w, quoted: quoted, split: !quoted, solid: true}
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

// replacing expands the pattern of ${x/pattern/text}, and what takes its place.
func replacing(r *reader, s *state, p *syntax.Replace, quoted bool) (pattern, with command.Word) {
	pattern, with = r.pattern(s, p.Orig), r.replacement(s, p.With, quoted)
	switch {
	case !pattern.IsKnown():
	case p.Orig == nil || len(p.Orig.Parts) == 0:
		pattern, with = r.slashed(p, with)
	case r.world.Zsh && readsApart(p, pattern.Text, quoted):
		pattern = command.Word{}
	}
	return pattern, with
}

// slashed is the pattern of ${x////text}, where none is written: a slash, if it is not zsh.
func (here *site) slashed(p *syntax.Replace, with command.Word) (command.Word, command.Word) {
	text, is := strings.CutPrefix(with.Text, "/")
	if here.world.Zsh || !p.All || !with.IsKnown() || !is {
		return command.Word{}, hollowed(with)
	}
	with.Text, with.At = text, 0
	return command.Known("/", tool.Span{}), with
}

// readsApart says whether zsh takes something else for the pattern: it matches nothing, too, knows anchors
// with // and two of them at once, and does not let quotes hide a slash, nor quote at all in double quotes.
func readsApart(p *syntax.Replace, pattern string, quoted bool) bool {
	if pattern == "" || p.All && (pattern[0] == '#' || pattern[0] == '%') || strings.HasPrefix(pattern, "#%") || strings.HasPrefix(pattern, "%#") {
		return true
	}
	return slices.ContainsFunc(p.Orig.Parts, func(part syntax.WordPart) bool {
		switch q := part.(type) {
		case *syntax.SglQuoted:
			return quoted || strings.IndexByte(q.Value, '/') >= 0 || q.Dollar && len(p.Orig.Parts) > 1
		case *syntax.DblQuoted:
			text, ok := soleText(q)
			return !ok || strings.IndexByte(text, '/') >= 0
		}
		return false
	})
}

// anchorsHome says whether a tilde stands behind the anchor of a pattern. Zsh expands it there.
func anchorsHome(p *syntax.Replace) bool {
	if p.Orig == nil || len(p.Orig.Parts) == 0 {
		return false
	}
	l, ok := p.Orig.Parts[0].(*syntax.Lit)
	return ok && (strings.HasPrefix(l.Value, "#~") || strings.HasPrefix(l.Value, "%~"))
}

// homePattern is such a pattern with the home directory in the place of its tilde; other directories are not followed.
func homePattern(here *site, s *state, pattern command.Word) command.Word {
	home, _ := here.scalar(s, "HOME")
	if !pattern.IsKnown() || !home.IsKnown() {
		return command.Word{}
	}
	rest := pattern.Text[2:]
	if rest != "" && !strings.HasPrefix(rest, "/") && !strings.HasPrefix(rest, `\/`) {
		return command.Word{}
	}
	pattern.Text = pattern.Text[:1] + protected(home.Text, false) + rest
	return pattern
}

// replacement expands what takes the place of a pattern. If there are double quotes around it,
// however far out, zsh does not let single quotes and backslashes quote there: they are text, and what
// they hold is expanded.
func (r *reader) replacement(s *state, w *syntax.Word, quoted bool) command.Word {
	with := r.value(s, w)
	if w == nil || !r.world.Zsh {
		return with
	}
	longer := command.Word{Taint: with.Taint, Hollow: mayBeEmpty(with)} // with what does not quote
	for _, p := range w.Parts {
		switch q := p.(type) {
		case *syntax.SglQuoted:
			with = longer
			if q.Dollar || strings.ContainsAny(q.Value, "$`\\") {
				r.gap("single quotes inside a double-quoted expansion do not quote", r.src.nodeSpan(q))
			}
		case *syntax.Lit:
			if quoted && strings.ContainsAny(q.Value, `\~`) {
				with = longer
			}
		}
	}
	return with
}

// transform applies slices, replacements, trims and case changes.
func (r *reader) transform(s *state, p *syntax.ParamExp, l looked, quoted bool) looked {
	if !hasOperator(p) {
		return l
	}
	joins := !quoted && l.joinsIn(s)
	each := transformEach(r, s, p, l, quoted) // whatever comes of it, what the operator is given is expanded, and may be an error
	switch {
	case l.star && quoted && r.world.Zsh && len(l.words) > 1: // it joins first
		return looked{words: []command.Word{hollowed(l.words...)}, set: l.set}
	case joins:
		return l.scattered() // bash may join it with blanks
	}
	return each
}

// transformEach applies an operator to each element.
func transformEach(r *reader, s *state, p *syntax.ParamExp, l looked, quoted bool) looked {
	l.words, l.mixed = forTransform(l.words), l.mixed || slices.ContainsFunc(l.words, isMixed)
	if p.Slice != nil {
		return r.sliced(s, p.Slice, l)
	}
	var pattern, with command.Word
	if p.Repl != nil {
		pattern, with = replacing(r, s, p.Repl, quoted)
	} else if p.Exp.Op != syntax.OtherParamOps {
		pattern = r.pattern(s, p.Exp.Word)
	}
	if quoted && r.world.Zsh && endsEarly(p) { // the rest follows the value as text
		return endless(l, with)
	}
	if l.words = eachOperated(r, s, p, l, pattern, with); (l.list || l.star) && (!oneForEach(p) || s.opts&optPosix != 0) { // what sh is may leave some out
		return l.scattered()
	}
	return l
}

// eachOperated is what an operator makes of each value.
func eachOperated(r *reader, s *state, p *syntax.ParamExp, l looked, pattern, with command.Word) []command.Word {
	out := make([]command.Word, 0, len(l.words))
	for _, w := range l.words {
		if r.spend() {
			return append(out, command.Word{})
		}
		now := r.operate(p, w, pattern, with)
		if p.Repl != nil && r.world.Zsh && anchorsHome(p.Repl) {
			now = now.Join(r.operate(p, w, homePattern(&r.site, s, pattern), with))
		}
		if l.set != succeeded && !l.list && !l.star { // zsh replaces in what has no value, and quotes it; bash makes nothing of it
			now = now.Join(command.Word{Reach: tool.Exact})
		}
		out = append(out, now)
	}
	return out
}

// closesBrace says whether a part of a word is text with a closing brace.
func closesBrace(part syntax.WordPart) bool {
	l, ok := part.(*syntax.Lit)
	return ok && strings.IndexByte(l.Value, '}') >= 0
}

// endsEarly says whether an expansion in double quotes, or its pattern, ends in the middle of other quotes to zsh.
func endsEarly(p *syntax.ParamExp) bool {
	for _, w := range operandsOf(p) {
		for _, part := range w.Parts {
			switch q := part.(type) {
			case *syntax.SglQuoted:
				if strings.ContainsAny(q.Value, "}/") {
					return true
				}
			case *syntax.DblQuoted:
				if slices.ContainsFunc(q.Parts, closesBrace) {
					return true
				}
			}
		}
	}
	return false
}

// endless is a value of which nothing is known, because the shells do not agree on what belongs to the expansion.
func endless(l looked, with command.Word) looked {
	if l.list || l.star {
		return l.scattered()
	}
	l.words, l.set = []command.Word{hollowed(append(slices.Clone(l.words), with)...)}, unknown
	return l
}

// hollowed is a value of which nothing is known, not even that it is not empty.
func hollowed(from ...command.Word) command.Word {
	w := value.Lost(from...)
	w.Hollow = true
	return w
}

// hasOperator says whether an expansion makes something else of its value.
func hasOperator(p *syntax.ParamExp) bool { return p.Slice != nil || p.Repl != nil || p.Exp != nil }

// forTransform are values that can be transformed: what one is if a part of it is empty is
// transformed as well, and not followed.
func forTransform(words []command.Word) []command.Word {
	for i, w := range words {
		if w.Hollow && w.IfEmpty != "" {
			words = slices.Clone(words)
			words[i] = value.Lost(w)
		}
	}
	return words
}

// sliced is ${x:offset:length}.
func (r *reader) sliced(s *state, part *syntax.Slice, l looked) looked {
	off := r.arithm(s, part.Offset)
	length := number{known: true, value: -1 << 31}
	if part.Length != nil {
		without := s
		if givesValue(part.Length) { // bash does not look at it behind the end
			without = s.fork()
		}
		if length = r.arithm(s, part.Length); without != s {
			s.join(without)
		}
	}
	if !off.known || !length.known || part.Length != nil && length.value < 0 {
		r.strand(s) // less than nothing is an error
	}
	own := int64(len(l.words))
	if l.zero {
		own--
	}
	if r.world.Zsh && (l.list || l.star) && off.known && off.value < 0 && -off.value > own {
		return l.scattered() // zsh begins with the first, and does not count $0; others have none
	}
	return slice(l, off, length, part.Length != nil)
}

// oneForEach says whether an expansion makes one word of each element. Some @ operators do not:
// they make words of an element and its key, or of all together.
func oneForEach(p *syntax.ParamExp) bool {
	if p.Exp == nil || p.Exp.Op != syntax.OtherParamOps {
		return true
	}
	if p.Exp.Word == nil {
		return false
	}
	switch p.Exp.Word.Lit() {
	case "Q", "U", "L", "u", "E", "P", "a":
		return true
	}
	return false
}

// scattered is a list of which nothing is known but where its elements come from.
func (l looked) scattered() looked {
	l.words, l.more, l.set = []command.Word{hollowed(l.words...)}, true, unknown
	return l
}

func replaced(w, pattern, with command.Word, all bool) command.Word {
	if w.IsKnown() && pattern.IsKnown() && with.IsKnown() {
		if text, ok := replace(w.Text, pattern.Text, with.Text, all); ok {
			w.Text, w.At = text, 0
			w.Taint |= with.Taint
			return w
		}
	}
	plain := w.IsPlain() && with.IsKnown() && value.PlainPart(with.Text) && with.Text != "" && with.Text[0] != '.' && with.Text[0] != '-'
	return command.Word{Taint: w.Taint | with.Taint, Plain: plain}
}

// operate applies a replacement, a trim, a change of case or an @ operator to one value. What is not known of it then may be
// empty if the value was, or if the operator can take text away.
func (led *ledger) operate(p *syntax.ParamExp, w, pattern, with command.Word) command.Word {
	led.toil.copied(len(w.Text) * len(pattern.Text) / matchedPerByte)
	out := outcome(led, p, w, pattern, with)
	out.Hollow = out.Hollow || !out.IsKnown() && !out.Glob && (mayBeEmpty(w) || !keepsText(p, with))
	return out
}

// mayBeEmpty says whether a value is, or may be, the empty one.
func mayBeEmpty(w command.Word) bool {
	return w.Hollow && w.IfEmpty == "" || w.Reach == tool.Exact && w.Text == ""
}

// keepsText says whether an operator makes no empty value of one that is not empty.
func keepsText(p *syntax.ParamExp, with command.Word) bool {
	switch {
	case p.Repl != nil:
		return !mayBeEmpty(with)
	case p.Exp.Op == syntax.OtherParamOps:
		return p.Exp.Word != nil && strings.Contains("QULu", p.Exp.Word.Lit())
	}
	return true // a trim says that itself
}

// outcome is what an operator makes of one value, as far as that is known.
func outcome(led *ledger, p *syntax.ParamExp, w, pattern, with command.Word) command.Word {
	if p.Repl != nil {
		return replaced(w, pattern, with, p.Repl.All)
	}
	switch op := p.Exp.Op; op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		return withoutEnd(w, pattern, op)
	case syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll:
		return inCase(w, pattern, op)
	case syntax.OtherParamOps:
		letter := ""
		if p.Exp.Word != nil {
			letter = p.Exp.Word.Lit()
		}
		if letter == "P" {
			led.gap("${"+p.Param.Value+"@P} runs what its value holds", led.src.nodeSpan(p))
		}
		return transformed(w, letter)
	}
	return hollowed(w)
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

// inCase is ${x^^p} and its relatives.
func inCase(w, pattern command.Word, op syntax.ParExpOperator) command.Word {
	every := pattern.Reach == tool.Exact && (pattern.Text == "" || pattern.Text == "?")
	if !w.IsKnown() || !every || !ascii(w.Text) {
		return command.Word{Taint: w.Taint, Plain: w.IsPlain()}
	}
	w.Text, w.At = changeCase(w.Text, op), 0
	return w
}

// transformed is ${x@U} and its relatives.
func transformed(w command.Word, letter string) command.Word {
	lost := command.Word{Taint: w.Taint}
	if !w.IsKnown() || !ascii(w.Text) {
		return lost
	}
	w.At = 0
	switch letter {
	case "Q":
		if !printable(w.Text) {
			return lost
		}
		w.Text = "'" + strings.ReplaceAll(w.Text, "'", `'\''`) + "'"
	case "U":
		w.Text = strings.ToUpper(w.Text)
	case "L":
		w.Text = strings.ToLower(w.Text)
	case "u":
		w.Text = changeCase(w.Text, syntax.UpperFirst)
	case "E":
		w.Text = scan.Ansi(w.Text)
	default:
		return lost
	}
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

func printable(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

func changeCase(s string, op syntax.ParExpOperator) string {
	switch op {
	case syntax.UpperAll:
		return strings.ToUpper(s)
	case syntax.LowerAll:
		return strings.ToLower(s)
	}
	if s == "" {
		return s
	}
	if op == syntax.UpperFirst {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// slice is ${x:offset:length}, of a text or of a list.
func slice(l looked, off, length number, limited bool) looked {
	if l.list || l.star {
		if l.scalar || l.more || l.loose > 0 || l.gaps || l.mixed || !off.known || !length.known {
			return l.scattered()
		}
		l.words = sliceList(l.words, off.value, length.value, limited)
		return l
	}
	if len(l.words) == 1 {
		l.words = []command.Word{sliceWord(l.words[0], off, length, limited)}
	}
	return l
}

// sliceWord takes a part of a value.
func sliceWord(w command.Word, off, length number, limited bool) command.Word {
	if w.IsKnown() && ascii(w.Text) && off.known && length.known {
		if from, to, ok := bounds(len(w.Text), off.value, length.value, limited); ok {
			w.Text, w.At = w.Text[from:to], 0
			return w
		}
	}
	lost := value.Lost(w)
	lost.Plain = !w.IsKnown() && w.IsPlain() && off.known && off.value == 0
	lost.Hollow = mayBeEmpty(w) || !off.known || off.value != 0 || limited && (!length.known || length.value <= 0)
	return lost
}

// sliceList takes elements of "$@" (which counts from one) or an array.
func sliceList(words []command.Word, off, length int64, limited bool) []command.Word {
	from, to, ok := bounds(len(words), off, length, limited)
	if !ok {
		return nil
	}
	return words[from:to]
}

func bounds(n int, off, length int64, limited bool) (from, to int, ok bool) {
	if off < 0 {
		off += int64(n)
	}
	if off < 0 || off > int64(n) {
		return 0, 0, false
	}
	end := int64(n)
	if limited {
		if length < 0 {
			end += length
		} else {
			end = min(end, off+length)
		}
	}
	if end < off {
		return 0, 0, false
	}
	return int(off), int(end), true
}
