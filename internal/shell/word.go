package shell

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"longline/internal/command"
	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// piece is a part of a word after expansion and before splitting.
type piece struct {
	command.Word
	quoted bool // protects from splitting and globbing
	split  bool // comes from an expansion that is split at IFS
	sep    bool // a boundary between the elements of "$@"
	env    bool // not set by the script: whatever the environment holds, or a word that is no more than one
	sum    bool // and that, or a number
	solid  bool // never empty
	// scattered marks the elements of a list of which some may be none: what
	// is glued to its ends may be glued to any of them.
	scattered bool
	many      bool // stands for several elements of a list, or is a boundary that may not be there
	param     bool // comes from a parameter, which zsh does not split
	torn      bool // zsh splits it even where nothing else is split
	// takes says that it stands for what follows it as well, up to a slash, as the tilde of ~"0" does to zsh.
	takes bool
	cuts  bool // what follows it may not be there
}

// words are the words that others expand to.
type words struct {
	list  []command.Word
	loose int // 1 + index of the first that may stand for any number of words
}

// add appends a word; one that may be several, or that is a pattern, stands for any number.
func (l *words) add(w command.Word, several bool) {
	if l.list = append(l.list, w); several || w.Glob || w.Mixed {
		l.scatter(len(l.list))
	}
}

// scattered appends a word that may stand for any number of words.
func (l *words) scattered(w command.Word) {
	l.list = append(l.list, w)
	l.scatter(len(l.list))
}

// scatter notes that the n-th word may stand for any number of words.
func (l *words) scatter(n int) {
	if l.loose == 0 || n < l.loose {
		l.loose = n
	}
}

// manner is where a word stands, which decides what a tilde in it means.
type manner uint8

const (
	ordinary     manner = iota
	argument            // of a command: a tilde counts behind NAME=
	assigned            // to a variable: a tilde counts behind a colon
	element             // of an array: a tilde counts behind a colon to zsh
	inHereString        // a tilde counts behind a colon, but not to zsh
	literal             // no tilde counts
	matched             // a pattern that names of files are not held against
)

// fields expands a word the way arguments are: into any number of words.
func (r *reader) fields(s *state, w *syntax.Word, m manner, out *words) {
	if len(out.list) > maxWords {
		r.gap("too many words", r.src.nodeSpan(w))
		out.list, out.loose = []command.Word{{}}, 1
		return
	}
	if word, ok := r.src.simple(w); ok {
		out.list = append(out.list, word)
		return
	}
	if !hasBraces(w) {
		r.assemble(s, r.pieces(s, w.Parts, false, m, nil), r.src.nodeSpan(w), out)
		return
	}
	lists, ok := r.braces(w)
	if !ok {
		lostBraces(r, s, w, out)
		return
	}
	span := r.src.nodeSpan(w)
	if len(lists) > 1 || !slices.Equal(lists[0], w.Parts) {
		r.beyondPosix(s, w)
		m = ordinary // what comes out of braces is no assignment
	}
	written := int(w.End().Offset()-w.Pos().Offset()) / 2
	for i, parts := range lists {
		if i >= written && r.spend() { // those that {a,b} stands for cost no more than a and b
			out.scattered(command.Word{Span: span})
			return
		}
		before := len(out.list)
		r.assemble(s, r.pieces(s, parts, false, m, nil), span, out)
		if len(out.list) == before && r.world.Zsh { // an empty unquoted word is none, but for zsh
			out.scattered(emptyOrNone(span))
		}
	}
}

// emptyOrNone is an empty word that some shells leave out.
func emptyOrNone(span tool.Span) command.Word {
	w := command.Known("", span)
	w.Hollow = true
	return w
}

// lostBraces takes a word with braces that are not followed: there are too many words, or shells
// make different ones of it.
func lostBraces(r *reader, s *state, w *syntax.Word, out *words) {
	span := r.src.nodeSpan(w)
	literally := r.fold(s, r.pieces(s, w.Parts, true, literal, nil), span)
	if _, own, ok := bracesOf(w); !ok || !own {
		r.gap("a brace expansion with too many words", span)
	}
	lost := command.Word{Span: span, Taint: literally.Taint}
	// The numbers from one to another are plain words; some shells leave the text as it is.
	if text := literally.Text; literally.IsKnown() && len(text) > 4 && text[0] == '{' && text[1] >= '0' && text[1] <= '9' && strings.Trim(text[1:len(text)-1], "0123456789.") == "" {
		lost.Plain = true
		literally.Hollow, literally.Span = true, span
		out.scattered(literally)
	}
	out.scattered(lost)
}

// simple expands the commonest words, which need no more than to be looked at.
func (src *source) simple(w *syntax.Word) (command.Word, bool) {
	if len(w.Parts) != 1 || src.scratch {
		return command.Word{}, false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		if !isActive(p.Value) {
			return src.verbatim(p.Value, p.ValuePos.Offset(), p.ValuePos.Offset(), p.ValueEnd.Offset()), true
		}
	case *syntax.SglQuoted:
		if !p.Dollar {
			return src.verbatim(p.Value, p.Left.Offset()+1, p.Left.Offset(), p.Right.Offset()+1), true
		}
	case *syntax.DblQuoted:
		if text, ok := soleText(p); ok {
			return src.verbatim(text, p.Left.Offset()+1, p.Left.Offset(), p.Right.Offset()+1), true
		}
	}
	return command.Word{}, false
}

// isActive says whether a text without quotes may stand for something else.
func isActive(text string) bool {
	for i := range len(text) {
		switch text[i] {
		case '\\', '*', '?', '[', '~', '{', '=':
			return true
		}
	}
	return false
}

// soleText is what double quotes hold, if that is nothing but text.
func soleText(q *syntax.DblQuoted) (text string, ok bool) {
	if q.Dollar || len(q.Parts) > 1 {
		return "", false
	}
	if len(q.Parts) == 0 {
		return "", true
	}
	l, ok := q.Parts[0].(*syntax.Lit)
	if !ok || strings.IndexByte(l.Value, '\\') >= 0 {
		return "", false
	}
	return l.Value, true
}

func (src *source) verbatim(text string, at, start, end uint) command.Word {
	w := command.Word{Text: text, Reach: tool.Exact, Span: src.span(int(start), int(end)), At: src.where(int(at), text)}
	return w
}

// beyondPosix notes a construct that sh, where it is not bash, reads as something
// else.
func (led *ledger) beyondPosix(s *state, n syntax.Node) {
	if s.opts&optPosix != 0 {
		led.gap("sh may read this differently from bash", led.src.nodeSpan(n))
	}
}

// value expands a word where it is neither split nor matched against names: the
// right side of an assignment, a case word, a here-string.
func (r *reader) value(s *state, w *syntax.Word) command.Word { return r.unsplit(s, w, ordinary) }

func (r *reader) unsplit(s *state, w *syntax.Word, m manner) command.Word {
	if w == nil {
		return command.Word{Reach: tool.Exact}
	}
	if word, ok := r.src.simple(w); ok {
		return word
	}
	return r.fold(s, r.pieces(s, w.Parts, false, m, nil), r.src.nodeSpan(w))
}

// fold joins pieces into one word without splitting. Where elements meet there is a blank; if
// fields are not separated by blanks, shells differ.
func (bud *budget) fold(s *state, list []piece, span tool.Span) command.Word {
	if w, is := foldsMixed(list, span); is {
		return w
	}
	for i := range list {
		if list[i].sep {
			missing := list[i].many
			list[i] = piece{}
			if w := s.separator(); w.IsKnown() && w.Text == " " && !missing {
				list[i].Word = command.Known(" ", span)
			}
		}
		if list[i].torn && strings.ContainsAny(list[i].Text, " \t\n") {
			list[i].Word = value.Lost(list[i].Word)
		}
		list[i].severally()
		list[i].quoted, list[i].split = true, false
	}
	return bud.compose(list, span, false)
}

// severally makes a piece that stands for several elements the value that holds all of them.
func (p *piece) severally() {
	if !p.many {
		return
	}
	if p.Plain = false; p.Glob || p.Reach == tool.Under {
		p.Taint |= command.Several
	}
}

// pattern expands a word to a pattern: quoted parts are protected.
func (r *reader) pattern(s *state, w *syntax.Word) command.Word {
	if w == nil {
		return command.Word{Reach: tool.Exact}
	}
	if r.world.Zsh && isBadInZsh(w.Parts) {
		r.pieces(s, w.Parts, false, matched, nil)
		r.giveUp(s)
		return command.Word{}
	}
	var b strings.Builder
	open := false
	for _, p := range r.pieces(s, w.Parts, false, matched, nil) {
		switch {
		case p.sep && s.separator().Text == " ":
			b.WriteByte(' ')
		case p.sep, p.Mixed, !p.quoted && p.param && strings.IndexByte(p.Text, '\\') >= 0, p.Reach != tool.Exact || p.Glob || r.world.Zsh && p.matchesInBash() || !p.quoted && r.differs(s, p.Text):
			return command.Word{}
		case p.quoted:
			if b.Len() == 0 && (strings.HasPrefix(p.Text, "#") || strings.HasPrefix(p.Text, "%")) {
				b.WriteByte('\\') // it says nothing of where to look
			}
			b.WriteString(protected(p.Text, open))
		default:
			b.WriteString(p.Text)
			open = open || strings.IndexByte(p.Text, '[') >= 0
		}
	}
	if text := b.String(); s.opts&optPosix != 0 && strings.Contains(text, "[^") {
		return command.Word{} // which is the opposite of a set only to some shells
	}
	return command.Word{Text: b.String(), Reach: tool.Exact}
}

// differs says whether shells take a text for different patterns: zsh has groups and ranges of numbers,
// and to some a caret in brackets means nothing.
func (here *site) differs(s *state, text string) bool {
	return (here.world.Zsh || s.opts&optExtglob != 0) && strings.ContainsAny(text, "(|<") || s.opts&optPosix != 0 && strings.Contains(text, "[^")
}

// matchesInBash says whether a piece of a pattern has come out of an expansion and is one itself.
// To zsh it is plain text.
func (p *piece) matchesInBash() bool {
	return !p.quoted && (p.param || p.split) && strings.ContainsAny(p.Text, "*?[(|#%")
}

// pieces expands the parts of a word.
func (r *reader) pieces(s *state, parts []syntax.WordPart, quoted bool, m manner, out []piece) []piece {
	first := len(out)
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			switch {
			case r.readsOn(p, parts[i+1:]) || i > 0 && r.readsOn(parts[i-1], parts[i:]):
				out = append(out, piece{Word: command.Word{}, quoted: true})
			case quoted:
				out = r.src.quotedLit(p, out)
			default:
				out = r.lit(s, p, i == 0, i == len(parts)-1, m, out)
			}
		case *syntax.SglQuoted:
			out = append(out, piece{Word: r.singleQuoted(s, p, quoted), quoted: true})
		case *syntax.DblQuoted:
			if from := len(out); quoted && slices.ContainsFunc(p.Parts, holdsEscape) {
				out = append(r.doubleQuoted(s, p, out)[:from], piece{Word: command.Word{}, quoted: true}) // these quotes end the others, or not
			} else {
				out = r.doubleQuoted(s, p, out)
			}
		case *syntax.ParamExp:
			from := len(out)
			out = r.param(s, p, quoted, m, out)
			r.fromParam(s, p, out[from:])
			if r.readsOn(p, parts[i+1:]) {
				out = append(out[:from], lostOf(out[from:], quoted))
			}
		case *syntax.CmdSubst:
			d := r.substitute(s, p.Stmts)
			r.mayBeMissing(p)
			if !p.Backquotes {
				r.reprinted(p, p.Stmts)
			}
			out = append(out, piece{Word: dataWord(d), quoted: quoted, split: !quoted})
		case *syntax.ArithmExp:
			n := r.arithm(s, p.X)
			if p.Bracket {
				r.beyondPosix(s, p)
			}
			out = append(out, piece{Word: numberWord(n), quoted: quoted, split: !quoted, solid: true, param: true})
		case *syntax.ProcSubst:
			out = append(out, piece{Word: r.procSubst(s, p), quoted: true})
		case *syntax.ExtGlob:
			out = append(out, r.extGlob(p, m))
		default:
			r.gap("a construct that is not known", r.src.nodeSpan(part))
			out = append(out, piece{Word: command.Word{}, split: true})
		}
	}
	if r.src.scratch {
		out = append(out[:first], withScratch(out[first:])...)
	}
	if r.world.Zsh && !quoted && m != literal && namesInZsh(parts) {
		for _, p := range out[first:] {
			r.reveals(p.Word, r.src.nodeSpan(parts[0])) // in the complaint that there is none
		}
	}
	return out
}

// withScratch puts what they stand for in the place of the marks of temporary files.
func withScratch(list []piece) (out []piece) {
	for _, p := range list {
		texts := []string{p.Text}
		if p.IsKnown() {
			texts = strings.Split(p.Text, value.Scratch)
		}
		for i, text := range texts {
			if i > 0 {
				out = append(out, piece{Word: command.Word{Text: value.Scratch, Reach: tool.Under, Made: value.ScratchPath}, quoted: true, solid: true})
			}
			if p.Text = text; len(texts) == 1 || text != "" {
				out = append(out, p)
			}
			p.At = 0
		}
	}
	return out
}

// withoutScratch is a text that is made of the paths of temporary files if these are nothing.
func withoutScratch(text string) string { return strings.ReplaceAll(text, value.Scratch, "") }

// namesInZsh says whether zsh takes the parts of a word for the name of a user or a program: ~$x, =$x.
func namesInZsh(parts []syntax.WordPart) bool {
	if len(parts) < 2 {
		return false
	}
	l, ok := parts[0].(*syntax.Lit)
	return ok && l.Value != "" && (l.Value[0] == '~' && strings.IndexByte(l.Value, '/') < 0 || l.Value[0] == '=')
}

// holdsEscape says whether a part of a word is text with a backslash.
func holdsEscape(p syntax.WordPart) bool {
	l, ok := p.(*syntax.Lit)
	return ok && strings.IndexByte(l.Value, '\\') >= 0
}

// readsOn says whether a part of a word is a dollar sign, or a variable without braces, and the next begins with a letter
// that only zsh has in names.
func (here *site) readsOn(p syntax.WordPart, next []syntax.WordPart) bool {
	if !here.world.Zsh || len(next) == 0 {
		return false
	}
	switch p := p.(type) {
	case *syntax.Lit:
		if p.Value != "$" {
			return false
		}
	case *syntax.ParamExp:
		if !p.Short || !isName(p.Param.Value) {
			return false
		}
	default:
		return false
	}
	l, ok := next[0].(*syntax.Lit)
	if !ok {
		return false
	}
	c, _ := utf8.DecodeRuneInString(l.Value)
	return c >= 0x80 && unicode.IsLetter(c)
}

// lostOf is a piece of which nothing is known but where others come from.
func lostOf(list []piece, quoted bool) piece {
	var w command.Word
	for i := range list {
		w.Taint |= list[i].Taint
	}
	return piece{Word: w, quoted: quoted, split: !quoted}
}

// doubleQuoted expands what stands in double quotes.
func (r *reader) doubleQuoted(s *state, p *syntax.DblQuoted, out []piece) []piece {
	if p.Dollar { // which some keep, and others translate by a file
		if r.beyondPosix(s, p); slices.ContainsFunc(p.Parts, func(part syntax.WordPart) bool { _, is := part.(*syntax.Lit); return !is }) {
			r.gap("a translated text with something in it that is expanded", r.src.nodeSpan(p))
		}
		return append(out, lostOf(r.pieces(s, p.Parts, true, literal, nil), true))
	}
	before := len(out)
	if out = r.pieces(s, p.Parts, true, literal, out); r.src.bracketsQuotes(s, p.Parts) {
		return append(out[:before], piece{Word: hollowed(lostOf(out[before:], true).Word), split: true})
	}
	if len(out) == before && (len(p.Parts) == 0 || !onlyAt(p.Parts)) {
		out = append(out, piece{Word: command.Known("", tool.Span{}), quoted: true})
	}
	return out
}

// bracketsQuotes says whether there is a list in double quotes, and quotes in what stands behind an operator, or made by one, or a word that
// takes the place of a value where fields are divided by other than blanks: bash may divide these as if they stood in no quotes.
func (src *source) bracketsQuotes(s *state, parts []syntax.WordPart) bool {
	list, quotes := false, false
	ifs, known := s.ifs()
	divides := !known || ifs != " \t\n"
	for _, part := range parts {
		p, ok := part.(*syntax.ParamExp)
		if !ok {
			continue
		}
		list = list || isBareList(p)
		quotes = quotes || p.Exp != nil && (p.Exp.Op == syntax.OtherParamOps || divides && isConditional(p.Exp.Op) && p.Exp.Word != nil)
		for _, w := range operandsOf(p) {
			list = list || slices.ContainsFunc(w.Parts, isBareList)
			if p.Repl != nil {
				eachLeaf(w.Parts, func(part syntax.WordPart) { list = list || isBareList(part) })
			}
			from, to := int(w.Pos().Offset()), min(int(w.End().Offset()), len(src.text))
			quotes = quotes || from < to && strings.IndexByte(src.text[from:to], '"') >= 0
		}
	}
	return list && quotes
}

// operandsOf are the words behind the operator of an expansion.
func operandsOf(p *syntax.ParamExp) (list []*syntax.Word) {
	switch {
	case p.Repl != nil:
		list = append(list, p.Repl.Orig, p.Repl.With)
	case p.Exp != nil:
		list = append(list, p.Exp.Word)
	}
	return slices.DeleteFunc(list, func(w *syntax.Word) bool { return w == nil })
}

// fromParam marks pieces as those of a parameter, and notes that a trace shows them.
func (led *ledger) fromParam(s *state, p *syntax.ParamExp, list []piece) {
	for i := range list {
		if list[i].param = true; s.traces() {
			led.reveals(list[i].Word, led.src.nodeSpan(p))
		}
	}
}

// mayBeMissing notes a substitution that only new shells have.
func (led *ledger) mayBeMissing(p *syntax.CmdSubst) {
	if p.TempFile || p.ReplyVar {
		led.gap("a substitution that this shell may not have", led.src.nodeSpan(p))
	}
}

// extGlob is an extended pattern.
func (led *ledger) extGlob(p *syntax.ExtGlob, m manner) piece {
	if strings.ContainsAny(p.Pattern.Value, "$`<>\\'\"") || led.world.Zsh && m != matched {
		led.gap("an extended pattern with something in it that may be expanded", led.src.nodeSpan(p))
	}
	return piece{Word: command.Word{Text: p.Op.String() + p.Pattern.Value + ")", Reach: tool.Exact, Glob: true}}
}

// singleQuoted reads text in single quotes.
func (led *ledger) singleQuoted(s *state, p *syntax.SglQuoted, quoted bool) command.Word {
	switch {
	case quoted && (strings.ContainsAny(p.Value, "$`\\") || p.Dollar):
		// Only inside "${x:-'...'}", where the quotes are characters
		// and what they hold is expanded after all.
		led.gap("single quotes inside a double-quoted expansion do not quote", led.src.nodeSpan(p))
		return command.Word{}
	case quoted:
		return command.Known("'"+p.Value+"'", tool.Span{})
	case p.Dollar:
		led.beyondPosix(s, p)
		switch {
		case !led.world.Zsh || commonEscapes(p.Value):
		case p.Value == `\0`:
			return command.Word{Taint: command.WithNul}
		default:
			return command.Word{}
		}
		return command.Known(scan.Ansi(p.Value), tool.Span{})
	}
	return led.src.verbatim(p.Value, p.Left.Offset()+1, 0, 0)
}

// commonEscapes says whether shells agree on what the escapes of $'text' stand for: those of one letter,
// and numbers that are not nothing.
func commonEscapes(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		if i++; i == len(text) {
			return false
		}
		digits := text[i+1:]
		switch c := text[i]; {
		case strings.IndexByte("abeEfnrtv\\'\"", c) >= 0:
		case c == 'x' || c == 'u' || c == 'U':
			if n := strings.TrimLeft(digits, "0"); n == "" || strings.IndexByte("123456789abcdefABCDEF", n[0]) < 0 || len(digits)-len(n) > 1 {
				return false
			}
		case c < '1' || c > '3' && (len(digits) > 1 && isOctal(digits[0]) && isOctal(digits[1])):
			return false // nothing, or more than a byte
		case c > '7':
			return false
		}
	}
	return true
}

func isOctal(c byte) bool { return c >= '0' && c <= '7' }

// onlyAt says whether quoted parts are "$@" or "${a[@]}" alone, or what another variable names, which vanish
// when there are no elements.
func onlyAt(parts []syntax.WordPart) bool {
	for _, p := range parts {
		e, ok := p.(*syntax.ParamExp)
		if !ok || e.Param == nil || e.Param.Value != "@" && indexOf(e) != "@" && !e.Excl {
			return false
		}
	}
	return true
}

// quotedLit reads literal text inside double quotes, where a backslash only
// escapes some characters.
func (src *source) quotedLit(l *syntax.Lit, out []piece) []piece {
	if strings.IndexByte(l.Value, '\\') < 0 {
		return append(out, piece{Word: src.verbatim(l.Value, l.ValuePos.Offset(), 0, 0), quoted: true})
	}
	var b strings.Builder
	for i := 0; i < len(l.Value); i++ {
		if l.Value[i] == '\\' && i+1 < len(l.Value) {
			switch l.Value[i+1] {
			case '$', '`', '"', '\\':
				i++
			case '\n':
				i++
				continue
			}
		}
		b.WriteByte(l.Value[i])
	}
	return append(out, piece{Word: command.Known(b.String(), tool.Span{}), quoted: true})
}

// lit reads unquoted literal text: escapes become quoted pieces, tildes are
// expanded where they may be.
func (led *ledger) lit(s *state, l *syntax.Lit, first, last bool, m manner, out []piece) []piece {
	text, at := l.Value, l.ValuePos.Offset()
	if first && led.namesProgram(text, m, last) {
		led.refuseZsh(s)
		if !strings.HasPrefix(text, "==") {
			return append(out, piece{quoted: true, takes: true})
		}
	}
	if m != literal && first {
		if w, n, ok := leadingTilde(led, s, l, last, m); ok {
			if w.Reach == tool.Anywhere {
				led.refuseZsh(s) // there may be no such user
			}
			out = append(out, piece{Word: w, quoted: true, takes: w.Reach == tool.Anywhere})
			text, at = text[n:], at+uint(n)
		}
	}
	if m == assigned && led.world.Zsh && expandsLate(text, first) {
		return append(out, piece{quoted: true, takes: true})
	}
	if !first && mayBegin(out) && (led.namesProgram(text, m, last) || led.namesHome(text, m)) {
		led.refuseZsh(s)
		return append(out, piece{quoted: true, takes: true})
	}
	signs := led.tildeSigns(m)
	if first && m == argument && s.opts&optPosix == 0 && beginsAssignment(text) {
		signs = "=:"
	}
	out, from := led.litParts(s, text, last, signs, out)
	if from == 0 && text == l.Value {
		return append(out, piece{Word: led.src.verbatim(text, at, 0, 0)})
	}
	if from < len(text) {
		out = append(out, piece{Word: command.Known(text[from:], tool.Span{})})
	}
	return out
}

// behindOperator says whether a place is behind something else than the sign of an assignment.
func (src *source) behindOperator(at uint) bool {
	return at > 0 && int(at) <= len(src.text) && src.text[at-1] != '='
}

// leadingTilde expands the tilde that a word begins with.
func leadingTilde(led *ledger, s *state, l *syntax.Lit, last bool, m manner) (w command.Word, n int, ok bool) {
	w, n, ok = led.tildePrefix(s, l.Value, last, m == assigned || m == inHereString)
	if ok && led.world.Zsh && n < len(l.Value) && l.Value[n] == ':' && (m == inHereString || m == assigned && led.src.behindOperator(l.ValuePos.Offset())) {
		w = command.Word{} // a colon ends it only where a value begins
	}
	return w, n, ok
}

// tildeSigns are those behind which a tilde counts within a word; two if shells differ.
func (here *site) tildeSigns(m manner) string {
	switch {
	case m == assigned, m == inHereString && !here.world.Zsh:
		return ":"
	case m == inHereString, m == element && here.world.Zsh:
		return "::"
	}
	return ""
}

// namesProgram says whether a word begins so that zsh takes it for the path of a program, which is an
// error if there is none: =ls. Nobody has one whose name begins with another equals sign.
func (here *site) namesProgram(text string, m manner, last bool) bool {
	return here.world.Zsh && text[:min(1, len(text))] == "=" && m != literal && m != matched && (len(text) > 1 || !last)
}

// namesHome says whether zsh takes what stands at the beginning of a word for a home directory.
func (here *site) namesHome(text string, m manner) bool {
	return here.world.Zsh && text[:min(1, len(text))] == "~" && m != literal && m != matched
}

// mayBegin says whether what stands behind pieces may be the beginning of a word, as they may be nothing.
func mayBegin(list []piece) bool {
	for i := len(list) - 1; i >= 0 && !list[i].sep; i-- {
		if p := &list[i]; p.solid || !(p.Reach == tool.Exact && p.Text == "" || p.Hollow && p.IfEmpty == "" || p.Reach == tool.Anywhere && !p.Plain) {
			return false
		}
	}
	return true
}

// expandsLate says whether zsh expands something in the value of an assignment that others leave: a tilde
// behind a colon that an expansion gives, or the name of a program behind one.
func expandsLate(text string, first bool) bool {
	return !first && text[:min(1, len(text))] == "~" || strings.Contains(text, ":=")
}

// beginsAssignment says whether a text begins with a name and an equals sign.
func beginsAssignment(text string) bool {
	n := strings.IndexByte(text, '=')
	return n > 0 && isName(strings.TrimSuffix(text[:n], "+"))
}

// litParts reads literal text up to its last escape or tilde, and says where the rest begins.
// In an assignment a tilde counts behind some signs. Two signs: shells differ.
func (led *ledger) litParts(s *state, text string, last bool, signs string, out []piece) (list []piece, from int) {
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text):
			if i > from {
				out = append(out, piece{Word: command.Known(text[from:i], tool.Span{})})
			}
			i++
			if text[i] != '\n' {
				out = append(out, piece{Word: command.Known(text[i:i+1], tool.Span{}), quoted: true})
			}
			from = i + 1
		case text[i] == '\\' && led.world.Zsh: // at the end of a script, where zsh drops it
			return append(out, piece{Word: command.Known(text[from:i], tool.Span{})}, piece{Word: command.Word{}, quoted: true}), len(text)
		case i > 0 && strings.IndexByte(signs, text[i-1]) >= 0:
			if w, n, ok := led.tildePrefix(s, text[i:], last, true); ok {
				if len(signs) > 1 && led.world.Zsh {
					w = command.Word{}
				}
				out = append(out, piece{Word: command.Known(text[from:i], tool.Span{})}, piece{Word: w, quoted: true, takes: w.Reach == tool.Anywhere})
				from = i + n
				i = from - 1
			}
		}
	}
	return out, from
}

// tildePrefix expands the tilde that a text begins with, if it does, and says how much of the
// text that takes. A colon ends it in what is assigned. What goes on in another part of the
// word, as ~"x" and ~$x do, is no tilde prefix.
func (here *site) tildePrefix(s *state, text string, last, assigned bool) (w command.Word, n int, ok bool) {
	if !strings.HasPrefix(text, "~") {
		return command.Word{}, 0, false
	}
	if n = strings.IndexAny(text, "/:\\"); n < 0 {
		n = len(text)
	}
	if n == len(text) && !last || n < len(text) && text[n] != '/' && !(text[n] == ':' && assigned) {
		return command.Word{}, n, here.world.Zsh // which expands it whatever follows
	}
	w, ok = here.tilde(s, text[1:n])
	return w, n, ok
}

// tilde expands a tilde prefix without its tilde.
func (here *site) tilde(s *state, user string) (command.Word, bool) {
	switch user {
	case "":
		return here.homeOf(s), true
	case "+", "-":
		return here.tildeSign(s, user), true
	}
	switch {
	case strings.IndexFunc(user, notInUserName) >= 0:
		return command.Word{}, false
	case user == here.world.User:
		return here.home(), true
	case user == "root":
		return command.Known("/root", tool.Span{}), true
	}
	return command.Word{}, true // a home, or this text if there is no such user
}

// tildeSign is ~+ or ~-, which sh does not have.
func (here *site) tildeSign(s *state, sign string) command.Word {
	switch {
	case s.opts&optPosix != 0, sign == "+" && s.lookup("PWD") != nil, here.world.Zsh && sign == "-" && s.lookup("OLDPWD") != nil:
		return command.Word{} // or the variable, or not
	case sign == "+":
		return s.dir
	}
	w, _ := here.scalar(s, "OLDPWD")
	return w
}

// notInUserName says whether a character cannot be part of the name of a user.
func notInUserName(c rune) bool {
	return c >= 0x80 || !scan.IsNameByte(byte(c)) && c != '-' && c != '.' && c != '+'
}

// homeOf is the home directory, as the script has it.
func (here *site) homeOf(s *state) command.Word {
	v := s.lookup("HOME")
	switch {
	case v == nil:
		return here.home()
	case v.unset || len(v.words) == 0:
		return command.Word{}
	}
	return v.words[0]
}

func (here *site) home() command.Word {
	if here.world.Home == "" {
		return command.Word{}
	}
	return command.Known(here.world.Home, tool.Span{})
}

// dataWord is the value of a substitution that yields the given data.
func dataWord(d command.Data) command.Word {
	w := command.Word{Text: d.Text, Reach: d.Reach, Plain: d.Plain, Taint: d.Taint &^ command.WithBlank, Of: d.Of, Bare: d.Bare, Visible: d.Visible, Found: d.Found, Tame: d.Tame, Seen: d.Seen}
	if d.Match != "" {
		w = d.Line(tool.Span{})
	} else {
		w.Made = numbersIn(d)
	}
	if w.Taint &^= command.Several; (w.Reach == tool.Under || w.Glob) && !d.Single {
		w.Taint |= command.Several
	}
	// Whatever prints it may find nothing to print, or fail.
	w.Hollow = d.Hollow || (d.Reach == tool.Anywhere || d.Reach == tool.Under) && !d.Full
	switch {
	case d.None, d.Taint&command.Typed != 0:
		return command.Word{Taint: d.Taint, Hollow: true} // nobody knows what comes of it
	case d.Reach == tool.Exact:
		w.Text = strings.TrimRight(strings.ReplaceAll(d.Text, "\x00", ""), "\n")
	case d.Reach == tool.Prefix:
		// What follows may be nothing, and newlines at the end are cut.
		if w.Text = strings.TrimRight(d.Text, "\n"); w.Text == "" {
			w.Reach, w.Hollow = tool.Anywhere, !d.Full
		}
		if w.Text != d.Text { // they are not, if something follows
			w.Plain, w.Made = false, nil
		}
	case d.Reach == tool.Anywhere:
		w.Text = ""
	}
	return w
}

// numbersIn is what is known of the form of a stream whose lines are numbers, or which is the path of a temporary file.
func numbersIn(d command.Data) *value.Made {
	switch {
	case d.Lines == value.AsScratch && d.Single && d.Reach == tool.Under && d.Text == value.Scratch:
		return value.ScratchPath
	case d.Lines != value.AsNumbers || d.Reach != tool.Anywhere:
		return nil
	case d.Plain:
		return value.Number
	}
	return value.Numbers
}
