package reader

import (
	"slices"
	"strconv"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// choice is one of the combinations of what several values may be, for which a command is judged by itself.
type choice struct {
	list []picked
	all  bool // there are too many: values stand for all that they may be
}

type picked struct {
	name     string
	size, at int
}

// maxCombinations bounds how often one command is judged.
const maxCombinations = 16

// pick says which of the alternatives of something is at hand; -1 if it is all of them.
func (r *reader) pick(name string, size int) int {
	c := r.choice
	if size == 1 {
		return 0
	}
	if c == nil || c.all {
		return -1
	}
	for _, p := range c.list {
		if p.name == name {
			return min(p.at, size-1)
		}
	}
	c.list = append(c.list, picked{name, size, 0})
	return 0
}

// next goes to the next combination; false if there is none.
func (c *choice) next() bool {
	count := 1
	for _, p := range c.list {
		if count *= p.size; count > maxCombinations {
			c.all = true
			return true
		}
	}
	for i := len(c.list) - 1; i >= 0; i-- {
		if c.list[i].at++; c.list[i].at < c.list[i].size {
			return true
		}
		c.list[i].at = 0
	}
	return false
}

// each runs something for each combination of what values may be, or once for all if there are too many.
func (r *reader) each(run func()) {
	outer, printed := r.choice, r.printed
	c := new(choice)
	r.choice = c
	if printed == nil {
		r.printed = map[*syntax.CmdSubst]command.Data{}
	}
	run()
	for !c.all && c.next() && !r.spent {
		if r.extra--; r.extra < 0 {
			c.all = true
		}
		run()
	}
	r.choice, r.printed = outer, printed
}

// piece is a part of a word after expansion and before splitting.
type piece struct {
	command.Word
	quoted bool // protects from splitting and globbing
	split  bool // comes from an expansion that is split at IFS
	sep    bool // a boundary between the elements of "$@"
	many   bool // stands for several elements, or is a boundary that may not be there
	param  bool // comes from a parameter, which zsh does not split
}

// words are the words that others expand to.
type words struct {
	list  []command.Word
	loose int // 1 + index of the first that may stand for any number of words
}

func (l *words) add(w command.Word, several bool) {
	if l.list = append(l.list, w); (several || w.Glob || w.Mixed) && (l.loose == 0 || len(l.list) < l.loose) {
		l.loose = len(l.list)
	}
}

// manner is where a word stands, which decides what a tilde in it means.
type manner uint8

const (
	ordinary manner = iota
	argument        // of a command: a tilde counts behind NAME=
	assigned        // to a variable: a tilde counts behind a colon
	literal         // no tilde counts
)

const (
	maxWords   = 2 << 10
	maxJoined  = 2 << 10 // of a value that is put together of others
	maxPattern = 256     // of a pattern
)

// fields expands a word the way arguments are: into any number of words.
func (r *reader) fields(w *syntax.Word, m manner, out *words) {
	if len(out.list) > maxWords {
		r.gap("too many words", r.src.nodeSpan(w))
		out.list, out.loose = []command.Word{{}}, 1
		return
	}
	if word, ok := r.src.simple(w); ok {
		out.list = append(out.list, word)
		return
	}
	span := r.src.nodeSpan(w)
	if !hasBraces(w) {
		r.assemble(r.pieces(w.Parts, false, m, nil), span, out)
		return
	}
	lists, known, ok := bracesOf(w)
	if !known {
		literally := r.fold(r.pieces(w.Parts, true, literal, nil), span)
		if !ok {
			r.gap("a brace expansion with too many words", span)
		}
		out.add(command.Word{Span: span, Taint: literally.Taint}, true)
		return
	}
	if r.zsh && slices.ContainsFunc(lists, func(parts []syntax.WordPart) bool { return len(parts) == 0 }) {
		out.add(command.Word{Span: span, Hollow: true}, true) // which keeps an empty word
		return
	}
	if len(lists) > 1 || !slices.Equal(lists[0], w.Parts) {
		r.beyondPosix(w)
		m = ordinary // what comes out of braces is no assignment
	}
	if r.spend(len(lists) / 16) {
		return
	}
	for _, parts := range lists {
		r.assemble(r.pieces(parts, false, m, nil), span, out)
	}
}

// simple expands the commonest words, which need no more than to be looked at.
func (s *source) simple(w *syntax.Word) (command.Word, bool) {
	if len(w.Parts) != 1 {
		return command.Word{}, false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		if !strings.ContainsAny(p.Value, `\*?[~{=`) {
			return s.verbatim(p.Value, p.ValuePos.Offset(), p.ValuePos.Offset(), p.ValueEnd.Offset()), true
		}
	case *syntax.SglQuoted:
		if !p.Dollar {
			return s.verbatim(p.Value, p.Left.Offset()+1, p.Left.Offset(), p.Right.Offset()+1), true
		}
	case *syntax.DblQuoted:
		if p.Dollar || len(p.Parts) > 1 {
			return command.Word{}, false
		}
		text := ""
		if len(p.Parts) == 1 {
			l, ok := p.Parts[0].(*syntax.Lit)
			if !ok || strings.IndexByte(l.Value, '\\') >= 0 {
				return command.Word{}, false
			}
			text = l.Value
		}
		return s.verbatim(text, p.Left.Offset()+1, p.Left.Offset(), p.Right.Offset()+1), true
	}
	return command.Word{}, false
}

func (s *source) verbatim(text string, at, start, end uint) command.Word {
	return command.Word{Text: text, Reach: tool.Exact, Span: s.span(int(start), int(end)), At: s.where(int(at), text)}
}

// value expands a word where it is neither split nor matched against names: the right side of an assignment, a here-string.
func (r *reader) value(w *syntax.Word, m manner) command.Word {
	if w == nil {
		return command.Word{Reach: tool.Exact}
	}
	if word, ok := r.src.simple(w); ok {
		return word
	}
	return r.fold(r.pieces(w.Parts, false, m, nil), r.src.nodeSpan(w))
}

// alternatives are all that a word may stand for where it is assigned.
func (r *reader) alternatives(w *syntax.Word) (alts []command.Word) {
	if w == nil {
		return []command.Word{{Reach: tool.Exact}}
	}
	if word, ok := r.src.simple(w); ok {
		return []command.Word{word}
	}
	r.each(func() { alts = unite(alts, []command.Word{r.value(w, assigned)}, maxListed) })
	return alts
}

// fold joins pieces into one word without splitting.
func (r *reader) fold(list []piece, span tool.Span) command.Word {
	for i := range list {
		p := &list[i]
		if p.sep {
			blank := !p.many
			if *p = (piece{}); blank {
				p.Word = r.separator()
			}
		}
		if p.many {
			if p.Plain = false; p.Glob || p.Reach == tool.Under {
				p.Taint |= command.Several
			}
		}
		p.quoted, p.split = true, false
	}
	return compose(list, span, false)
}

// pieces expands the parts of a word.
func (r *reader) pieces(parts []syntax.WordPart, quoted bool, m manner, out []piece) []piece {
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if quoted {
				out = r.src.quotedLit(p, out)
			} else {
				out = r.lit(p, i == 0, i == len(parts)-1, m, out)
			}
		case *syntax.SglQuoted:
			out = append(out, piece{Word: r.singleQuoted(p, quoted), quoted: true})
		case *syntax.DblQuoted:
			out = r.doubleQuoted(p, quoted, out)
		case *syntax.ParamExp:
			from := len(out)
			out = r.param(p, quoted, m, out)
			for k := from; k < len(out); k++ {
				out[k].param = true
			}
		case *syntax.CmdSubst:
			out = append(out, piece{Word: dataWord(r.substitute(p)), quoted: quoted, split: !quoted})
		case *syntax.ArithmExp:
			r.arithm(p.X)
			if p.Bracket {
				r.beyondPosix(p)
			}
			out = append(out, piece{Word: anyNumber(), quoted: quoted, param: true})
		case *syntax.ProcSubst:
			out = append(out, piece{Word: r.process(p), quoted: true})
		case *syntax.ExtGlob:
			if strings.ContainsAny(p.Pattern.Value, "$`<>\\'\"") || r.zsh {
				r.gap("an extended pattern with something in it that may be expanded", r.src.nodeSpan(p))
			}
			out = append(out, piece{Word: command.Word{Text: p.Op.String() + p.Pattern.Value + ")", Reach: tool.Exact, Glob: true}})
		default:
			r.gap("an unknown construct", r.src.nodeSpan(part))
			out = append(out, piece{Word: command.Word{}, split: true})
		}
	}
	return out
}

func anyNumber() command.Word { return command.Word{Plain: true, Made: value.Number} }

// doubleQuoted expands what stands in double quotes.
func (r *reader) doubleQuoted(p *syntax.DblQuoted, quoted bool, out []piece) []piece {
	from := len(out)
	out = r.pieces(p.Parts, true, literal, out)
	switch {
	case p.Dollar: // which some keep, and others translate by a file
		r.beyondPosix(p)
		if slices.ContainsFunc(p.Parts, func(part syntax.WordPart) bool { _, is := part.(*syntax.Lit); return !is }) {
			r.gap("a translated text with something in it that is expanded", r.src.nodeSpan(p))
		}
		return append(out[:from], piece{Word: lost(wordsOf(out[from:])...), quoted: true})
	case quoted && slices.ContainsFunc(p.Parts, holdsEscape): // these quotes end the others, or not
		return append(out[:from], piece{Word: lost(wordsOf(out[from:])...), quoted: true})
	case len(out) == from && !(len(p.Parts) > 0 && onlyLists(p.Parts)):
		out = append(out, piece{Word: command.Known("", tool.Span{}), quoted: true})
	}
	return out
}

func wordsOf(list []piece) (all []command.Word) {
	for i := range list {
		all = append(all, list[i].Word)
	}
	return all
}

func holdsEscape(p syntax.WordPart) bool {
	l, ok := p.(*syntax.Lit)
	return ok && strings.IndexByte(l.Value, '\\') >= 0
}

// onlyLists says whether quoted parts are "$@" or "${a[@]}" alone, which vanish when there are no elements.
func onlyLists(parts []syntax.WordPart) bool {
	return !slices.ContainsFunc(parts, func(p syntax.WordPart) bool {
		e, ok := p.(*syntax.ParamExp)
		return !ok || e.Param == nil || e.Param.Value != "@" && allOf(e.Index) != "@" && !e.Excl
	})
}

// singleQuoted reads text in single quotes.
func (r *reader) singleQuoted(p *syntax.SglQuoted, quoted bool) command.Word {
	switch {
	case quoted && (strings.ContainsAny(p.Value, "$`\\") || p.Dollar): // only inside "${x:-'...'}", where the quotes are characters
		r.gap("single quotes inside a double-quoted expansion do not quote", r.src.nodeSpan(p))
		return command.Word{}
	case quoted:
		return command.Known("'"+p.Value+"'", tool.Span{})
	case p.Dollar:
		if r.beyondPosix(p); r.zsh && strings.ContainsAny(strings.NewReplacer(`\n`, "", `\t`, "", `\\`, "", `\'`, "").Replace(p.Value), `\`) {
			return command.Word{}
		}
		return command.Known(scan.Ansi(p.Value), tool.Span{})
	}
	return r.src.verbatim(p.Value, p.Left.Offset()+1, 0, 0)
}

// quotedLit reads literal text inside double quotes, where a backslash only escapes some characters.
func (s *source) quotedLit(l *syntax.Lit, out []piece) []piece {
	if strings.IndexByte(l.Value, '\\') < 0 {
		return append(out, piece{Word: s.verbatim(l.Value, l.ValuePos.Offset(), 0, 0), quoted: true})
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

// lit reads unquoted literal text: escapes become quoted pieces, tildes are expanded where they may be.
func (r *reader) lit(l *syntax.Lit, first, last bool, m manner, out []piece) []piece {
	text, at := l.Value, l.ValuePos.Offset()
	if r.zsh && differsUnquoted(text, first, m) {
		return append(out, piece{quoted: true})
	}
	if m != literal && first {
		if w, n, ok := r.tildePrefix(text, last, m == assigned); ok {
			out = append(out, piece{Word: w, quoted: true})
			text, at = text[n:], at+uint(n)
		}
	}
	signs := "" // behind which a tilde counts
	if name, _, is := strings.Cut(text, "="); m == assigned {
		signs = ":"
	} else if is && first && m == argument && isName(strings.TrimSuffix(name, "+")) && !r.posix {
		signs = "=:"
	}
	from := 0
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			if i > from {
				out = append(out, piece{Word: command.Known(text[from:i], tool.Span{})})
			}
			if i++; text[i] != '\n' {
				out = append(out, piece{Word: command.Known(text[i:i+1], tool.Span{}), quoted: true})
			}
			from = i + 1
			continue
		}
		if i == 0 || strings.IndexByte(signs, text[i-1]) < 0 {
			continue
		}
		if w, n, ok := r.tildePrefix(text[i:], last, true); ok {
			if len(signs) > 1 && r.zsh {
				w = command.Word{}
			}
			out = append(out, piece{Word: command.Known(text[from:i], tool.Span{})}, piece{Word: w, quoted: true})
			from = i + n
			i = from - 1
		}
	}
	switch {
	case from == 0 && text == l.Value:
		return append(out, piece{Word: r.src.verbatim(text, at, 0, 0)})
	case from < len(text):
		out = append(out, piece{Word: command.Known(text[from:], tool.Span{})})
	}
	return out
}

// differsUnquoted says whether zsh makes something else of a part of a word: the path of a program, or a directory, as what stands before it may be nothing.
func differsUnquoted(text string, first bool, m manner) bool {
	if first {
		return strings.HasPrefix(text, "=") && len(text) > 1 && text[1] != '=' && m != literal || strings.Contains(text, "$\xc3")
	}
	return text != "" && (text[0] == '~' || text[0] == '=') || strings.Contains(text, "$\xc3")
}

// tildePrefix expands the tilde that a text begins with, if it does, and says how much of the text that takes.
func (r *reader) tildePrefix(text string, last, assigned bool) (w command.Word, n int, ok bool) {
	if !strings.HasPrefix(text, "~") {
		return command.Word{}, 0, false
	}
	if n = strings.IndexAny(text, "/:\\"); n < 0 {
		n = len(text)
	}
	if n == len(text) && !last || n < len(text) && text[n] != '/' && !(text[n] == ':' && assigned) {
		return command.Word{}, n, r.zsh // which expands it whatever follows
	}
	switch user := text[1:n]; {
	case user == "":
		w, _ = r.scalar("HOME")
		w.Hollow = false
		return w, n, true
	case user == "+" && !r.posix && !r.s.touched("PWD"):
		return r.dir(), n, true
	case user == "+", user == "-":
		return command.Word{}, n, true
	case strings.IndexFunc(user, func(c rune) bool {
		return c >= 0x80 || !scan.IsNameByte(byte(c)) && c != '-' && c != '.' && c != '+'
	}) >= 0:
		return command.Word{}, n, false
	case user == r.world.User && r.world.Home != "":
		return command.Known(r.world.Home, tool.Span{}), n, true
	case user == "root":
		return command.Known("/root", tool.Span{}), n, true
	}
	return command.Word{}, n, true // a home, or this text if there is no such user
}

// dir is the directory that the shell is in, for the combination at hand.
func (r *reader) dir() command.Word {
	dirs := r.s.dirs
	if i := r.pick("/", len(dirs)); i >= 0 {
		for _, moved := range r.uproots {
			if paths.Within(dirs[i].Text, moved) || moved != paths.Fixed(moved) && covers(moved, dirs[i].Text) {
				return command.Word{} // it is elsewhere now
			}
		}
		return dirs[i]
	}
	one := dirs[0]
	for _, d := range dirs[1:] {
		one = value.JoinDirs(one, d)
	}
	return one
}

// assemble splits pieces into fields and composes each into a word.
func (r *reader) assemble(list []piece, span tool.Span, out *words) {
	if len(list) == 0 {
		return
	}
	if !slices.ContainsFunc(list, func(p piece) bool { return p.split || p.sep || p.many }) {
		w := r.composed(list, span)
		out.add(w, w.Glob)
		return
	}
	ifs, known := " \t\n", true
	if v := r.variable("IFS"); r.s.touched("IFS") {
		known = len(v.alts) == 1 && v.alts[0].IsKnown() && strings.Trim(v.alts[0].Text, " \t\n") == ""
		if known {
			ifs = v.alts[0].Text
		}
	}
	f := splitter{r: r, span: span, ifs: ifs, known: known, alone: len(list) == 1, words: *out}
	for _, p := range list {
		f.take(p)
	}
	f.end()
	*out = f.words
}

func (r *reader) composed(list []piece, span tool.Span) command.Word {
	w := compose(list, span, !r.s.opts.noglob)
	if r.zsh && (w.Glob || slices.ContainsFunc(list, func(p piece) bool { return !p.quoted && p.Text != "[" && strings.IndexByte(p.Text, '[') >= 0 })) { // which gives up if there is no such file
		r.s.shaken = true
	}
	if w.Glob && (r.posix || r.zsh) && strings.Contains(w.Text, "[^") { // the opposite of a set only to some
		return command.Word{Taint: w.Taint, Span: span, Split: w.Split}
	}
	return w
}

// splitter makes words of pieces that are split at field separators.
type splitter struct {
	r     *reader
	span  tool.Span
	ifs   string
	known bool // ifs is
	alone bool // there is only one piece
	words      // that come out of it

	pieces  []piece // of the word at hand
	open    bool    // which has begun
	several bool    // which may be any number of words
	further bool    // and may go on in others
	flags   bool    // which may be flags
	numbers bool    // and are numbers
}

func (f *splitter) end() {
	if f.open || len(f.pieces) > 0 {
		empty := len(f.pieces) > 0 && !slices.ContainsFunc(f.pieces, func(p piece) bool { return !p.split || !p.Hollow })
		f.add(f.r.composed(f.pieces, f.span), f.several || empty)
		if f.further && f.numbers {
			f.add(command.Word{Span: f.span, Plain: true, Made: value.Number}, true)
		} else if f.further {
			f.add(command.Word{Span: f.span, Split: f.flags}, true)
		}
	}
	f.pieces, f.open, f.several, f.further, f.flags, f.numbers = nil, false, false, false, false, false
}

// take adds a piece.
func (f *splitter) take(p piece) {
	switch {
	case p.sep:
		f.end()
	case !p.split:
		f.pieces, f.open, f.several = append(f.pieces, p), true, f.several || p.many
	case p.Reach == tool.Exact && !p.Glob:
		f.text(p)
	default:
		f.unknown(p)
	}
}

// text splits a value that is known. Zsh leaves parameters whole.
func (f *splitter) text(p piece) {
	f.several = f.several || p.Hollow
	if !f.known {
		f.unknown(piece{Word: command.Word{Taint: p.Taint}, split: true})
		return
	}
	if f.r.zsh && p.param && strings.ContainsAny(p.Text, f.ifs) {
		switch f.r.pick("zsh", 2) {
		case 1:
			f.pieces, f.open = append(f.pieces, p), true
			return
		case -1:
			f.unknown(piece{Word: command.Word{Taint: p.Taint}, split: true})
			return
		}
	}
	if !strings.ContainsAny(p.Text, f.ifs) {
		if p.Text != "" || p.Hollow {
			f.pieces, f.open = append(f.pieces, p), f.open || p.Text != ""
		}
		return
	}
	for rest := p.Text; rest != ""; {
		n := strings.IndexAny(rest, f.ifs)
		part := p
		if part.Text, part.At = rest, 0; n >= 0 {
			part.Text = rest[:n]
		}
		if part.Text != "" {
			f.pieces, f.open = append(f.pieces, part), true
		}
		if n < 0 {
			break
		}
		f.end()
		rest = strings.TrimLeft(rest[n:], f.ifs)
		if len(f.list) > maxWords {
			f.r.gap("an expansion with too many words", f.span)
			return
		}
	}
}

// unknown takes a value that is not known as a whole.
func (f *splitter) unknown(p piece) {
	f.several = true
	p.Taint &^= command.Several
	switch {
	case !f.known || p.Reach == tool.Prefix && strings.ContainsAny(p.Text, f.ifs) || (p.Reach == tool.Under || p.Glob) && (strings.ContainsAny(p.Text+p.Tail, " \t\n") || f.r.misleads(p.Word, true)):
		p = piece{Word: command.Word{Taint: p.Taint, Split: true}}
		f.further, f.flags = true, true
	case p.Reach == tool.Under, p.Glob:
		p.many = true
	case p.Made == value.Numbers:
		p.Plain, p.Made, f.further, f.numbers = true, value.Number, true, true
	case p.Plain:
	default:
		p.Split = !p.Tame
		if f.alone {
			p.Text, p.Reach = "", tool.Anywhere
		} else {
			f.further, f.flags = true, f.flags || !p.Tame
		}
	}
	f.pieces = append(f.pieces, p)
}

// compose joins the pieces of one field into a word.
func compose(list []piece, span tool.Span, glob bool) command.Word {
	if len(list) == 1 {
		w := list[0].Word
		w.Span = span
		if !w.Glob && isPattern(list, glob) {
			w.Glob, w.Taint = true, w.Taint|throughAll(w.Text)
		}
		if w.Glob && glob && paths.SlashInSet(w.Text) { // which zsh matches one letter with, and others take for text
			return command.Word{Taint: w.Taint, Span: span, Split: w.Split}
		}
		return w
	}
	list = asParts(list)
	pattern, made := isPattern(list, glob), 0
	w := command.Word{Reach: tool.Exact, Span: span, Glob: pattern}
	if len(list) > 8 {
		list = merged(list)
	}
	open, end := false, ""
	for i := range list {
		p := list[i]
		if p.param || p.split {
			made += len(p.Text)
		}
		if pattern && p.Reach == tool.Exact {
			p.Word, open = p.inPattern(open)
		}
		w = w.Concat(p.Word)
		if end += p.Text; p.Reach != tool.Exact {
			end = p.Tail
		}
	}
	switch {
	case made > maxJoined || pattern && (made > maxPattern || paths.SlashInSet(w.Text)):
		return command.Word{Taint: w.Taint, Span: span, Split: w.Split}
	case w.Reach == tool.Exact:
	case pattern:
		w = matchedBelow(w, end)
	case !slices.ContainsFunc(list, func(p piece) bool { return p.Hollow && p.Reach == tool.Exact }):
		w.Tail = end
	}
	return w
}

// matchedBelow is a value of a list of paths with a pattern behind it, which matches names at every level below the directory of the list.
func matchedBelow(w command.Word, pattern string) command.Word {
	if w.Reach != tool.Under || !strings.HasPrefix(pattern, "/") || strings.Trim(pattern, "/") == "" || paths.Climbs(pattern) {
		return w
	}
	w.Text = paths.Escape(strings.TrimSuffix(w.Text, "/")) + "/**" + pattern
	w.Glob, w.Reach, w.Taint = true, tool.Exact, w.Taint|command.Followed
	return w
}

// throughAll says of a pattern that it goes through all directories, links to some among them.
func throughAll(pattern string) command.Taint {
	if strings.Contains(pattern, "**") {
		return command.Followed
	}
	return 0
}

// inPattern is a piece as a part of a pattern, in which a bracket may be open.
func (p piece) inPattern(open bool) (command.Word, bool) {
	switch {
	case p.Glob:
		return p.Word, open
	case p.quoted:
		p.Text = paths.Escape(p.Text)
		if open && strings.ContainsAny(p.Text, "!^-") {
			return command.Word{Taint: p.Taint}, open
		}
	case p.split && (strings.IndexByte(p.Text, '\\') >= 0 || open && strings.ContainsAny(p.Text, "!^-")):
		return command.Word{Taint: p.Taint}, open
	default:
		open = open || strings.IndexByte(p.Text, '[') >= 0
		p.Taint |= throughAll(p.Text)
	}
	p.Word.Glob = true
	return p.Word, open
}

// asParts is what pieces are worth as parts of a longer word: where a line of a list leads by itself is not where the word leads.
func asParts(list []piece) []piece {
	list = slices.Clone(list)
	for i := range list {
		w := &list[i].Word
		switch {
		case w.Bare: // in a longer word it is a name and nothing more
			*w = command.Word{Text: "*", Reach: tool.Exact, Glob: true, Taint: w.Taint, Hollow: w.Hollow, IfEmpty: w.IfEmpty}
		case i > 0 && w.Glob && w.Reach == tool.Exact && strings.HasPrefix(w.Text, "/"):
			*w = command.Word{Taint: w.Taint, Hollow: w.Hollow, IfEmpty: w.IfEmpty}
		}
	}
	return list
}

// isPattern says whether the pieces of a word make it a pattern. A bracket may open in one and close in another.
func isPattern(list []piece, glob bool) bool {
	open := false
	for i := range list {
		p := &list[i]
		switch {
		case p.Reach != tool.Exact:
		case p.Glob:
			return true
		case glob && !p.quoted:
			if paths.Wild(p.Text) || open && strings.IndexByte(p.Text, ']') >= 0 {
				return true
			}
			open = open || strings.IndexByte(p.Text, '[') >= 0
		}
	}
	return false
}

// merged joins neighbours that are known and quoted alike, so that a word of many small parts is not copied once for each of them.
func merged(list []piece) []piece {
	out := list[:0:0]
	for i := 0; i < len(list); {
		first := list[i]
		j := i + 1
		if first.Reach == tool.Exact && !first.Glob && !first.Hollow {
			var b strings.Builder
			b.WriteString(first.Text)
			for j < len(list) && list[j].Reach == tool.Exact && !list[j].Glob && !list[j].Hollow && list[j].quoted == first.quoted {
				b.WriteString(list[j].Text)
				first.Taint |= list[j].Taint
				first.param = first.param || list[j].param
				j++
			}
			first.Text, first.At = b.String(), 0
		}
		out = append(out, first)
		i = j
	}
	return out
}

// dataWord is the value of a substitution that yields the given data.
func dataWord(d command.Data) command.Word {
	w := command.Word{Text: d.Text, Reach: d.Reach, Plain: d.Plain, Taint: d.Taint &^ command.WithBlank, Of: d.Of, Bare: d.Bare, Visible: d.Visible, Found: d.Found, Tame: d.Tame, Seen: d.Seen}
	switch {
	case d.Match != "":
		w = d.Line(tool.Span{})
	case d.Lines == value.AsScratch && d.Single && d.Reach == tool.Under && d.Text == value.Scratch:
		w.Made = value.ScratchPath
	case d.Lines == value.AsNumbers && d.Reach == tool.Anywhere && d.Plain:
		w.Made = value.Number
	case d.Lines == value.AsNumbers && d.Reach == tool.Anywhere:
		w.Made = value.Numbers
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
	case d.Reach == tool.Prefix: // what follows may be nothing, and newlines at the end are cut
		if w.Text = strings.TrimRight(d.Text, "\n"); w.Text == "" {
			w.Reach, w.Hollow = tool.Anywhere, !d.Full
		}
		if w.Text != d.Text {
			w.Plain, w.Made = false, nil
		}
	case d.Reach == tool.Anywhere:
		w.Text = ""
	}
	return w
}

// arithm looks at an arithmetic expression: at what runs in it, and what it assigns.
func (r *reader) arithm(x syntax.Node) {
	if x == nil || x == syntax.ArithmExpr(nil) {
		return
	}
	syntax.Walk(x, func(n syntax.Node) bool {
		if b, is := n.(*syntax.BinaryArithm); is && (b.Op == syntax.Quo || b.Op == syntax.Rem || b.Op == syntax.Pow || b.Op == syntax.QuoAssgn || b.Op == syntax.RemAssgn || b.Op == syntax.Shl || b.Op == syntax.Shr) {
			r.s.shaken = true // it may be an error
		}
		w, is := n.(*syntax.Word)
		if !is {
			return n != nil
		}
		if l := w.Lit(); l != "" {
			if isName(l) {
				r.evaluateName(l, r.src.nodeSpan(w), 0)
			} else {
				r.evaluate(command.Known(l, r.src.nodeSpan(w)), false, 0)
			}
			return false
		}
		if p, element := w.Parts[0].(*syntax.ParamExp); element && len(w.Parts) == 1 && !p.Dollar.IsValid() {
			r.arithm(p.Index)
			r.evaluateName(p.Param.Value, r.src.nodeSpan(w), 0)
			return false
		}
		v := r.value(w, literal)
		v.Span = r.src.nodeSpan(w)
		env := false
		if p, one := w.Parts[0].(*syntax.ParamExp); one && len(w.Parts) == 1 {
			env = isName(p.Param.Value) && !r.s.touched(p.Param.Value) && p.Exp == nil && p.Repl == nil && !p.Excl
		}
		r.evaluate(v, env, 0)
		return false
	})
	for _, name := range assignedIn(x) {
		r.assign(name, single(anyNumber()), tool.Span{})
	}
}

// evaluate looks at a text that arithmetic evaluates: a subscript in it can run commands. What the environment holds is not believed to be code.
func (r *reader) evaluate(w command.Word, env bool, depth int) {
	r.reveals(w, w.Span) // what is no number is complained about
	if !w.IsKnown() {
		r.s.shaken = r.s.shaken || !w.Plain
		form, numbers := w.Form()
		if !(numbers && strings.Trim(form, "0123456789+-*/%()<>=&|^!~?:,# \t\n"+value.Numeral+value.Numerals) == "") && !env {
			r.gap("arithmetic on a value that may be more than a number", w.Span)
		}
		return
	}
	if strings.ContainsAny(w.Text, "[$`") {
		r.gap("arithmetic on text that is evaluated", w.Span)
		return
	}
	if n := strings.TrimLeft(w.Text, "+-"); !isNumber(n) && !isName(n) && n != "" || len(n) > 1 && n[0] == '0' || len(n) > 18 {
		r.s.shaken = true
	}
	for _, name := range namesIn(w.Text) {
		r.evaluateName(name, w.Span, depth+1)
	}
}

// namesIn are the names in an expression.
func namesIn(text string) []string {
	list := strings.FieldsFunc(text, func(c rune) bool { return c >= 0x80 || !scan.IsNameByte(byte(c)) })
	return slices.DeleteFunc(list, func(name string) bool { return !isName(name) })
}

// evaluateName looks at what a variable holds, or the environment.
func (r *reader) evaluateName(name string, span tool.Span, depth int) {
	if depth > 4 {
		r.gap("arithmetic on text that is evaluated", span)
		return
	}
	if r.s.touched(name) {
		v := r.variable(name)
		for _, w := range v.alts {
			w.Span = span
			r.evaluate(w, false, depth)
		}
	} else if command.SecretName(name) {
		r.reveals(command.Word{Taint: command.FromSecret}, span)
	} else if r.world.Getenv != nil {
		if text, ok := r.world.Getenv(name); ok {
			r.evaluate(command.Known(text, span), true, depth)
		}
	}
}

// assignedIn are the variables that an arithmetic expression assigns to.
func assignedIn(x syntax.Node) (names []string) {
	add := func(to syntax.ArithmExpr) {
		if w, ok := to.(*syntax.Word); ok {
			if name := w.Lit(); isName(name) {
				names = append(names, name)
			} else if p, ok := w.Parts[0].(*syntax.ParamExp); ok && !p.Dollar.IsValid() {
				names = append(names, p.Param.Value)
			}
		}
	}
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryArithm:
			if n.Op >= syntax.Assgn {
				add(n.X)
			}
		case *syntax.UnaryArithm:
			if n.Op == syntax.Inc || n.Op == syntax.Dec {
				add(n.X)
			}
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false
		}
		return n != nil
	})
	return names
}

// plainName says whether a name operand is nothing but a name, perhaps with a constant subscript: what else there is, bash evaluates.
func (r *reader) plainName(w command.Word) bool {
	if !w.IsKnown() {
		if !w.IsPlain() {
			r.gap("a variable name known only at run time that may be evaluated", w.Span)
		}
		return false
	}
	base, rest, found := strings.Cut(w.Text, "[")
	if !found {
		return true
	}
	sub, closed := strings.CutSuffix(rest, "]")
	if !closed || !isName(base) || strings.ContainsAny(rest, "$`(\\'\"") {
		r.gap("a subscript that is evaluated", w.Span)
		return false
	}
	r.evaluate(command.Known(sub, w.Span), false, 0)
	return true
}

func isName(s string) bool {
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return false
	}
	for i := range len(s) {
		if !scan.IsNameByte(s[i]) {
			return false
		}
	}
	return true
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func number(n int) string { return strconv.Itoa(n) }

// test looks at an expression of [[ ]].
func (r *reader) test(x syntax.TestExpr) {
	matches, from := false, []command.Word(nil)
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryTest:
			if w, is := n.Y.(*syntax.Word); is && n.Op == syntax.TsReMatch { // a bad expression is shown
				matches = true
				r.reveals(r.value(w, ordinary), r.src.nodeSpan(w))
			}
			if n.Op >= syntax.TsEql && n.Op <= syntax.TsGtr {
				for _, side := range [...]syntax.TestExpr{n.X, n.Y} {
					if w, ok := side.(*syntax.Word); ok {
						v := r.value(w, ordinary)
						v.Span = r.src.nodeSpan(w)
						env := false
						if p, one := w.Parts[0].(*syntax.ParamExp); one && len(w.Parts) == 1 {
							env = isName(p.Param.Value) && !r.s.touched(p.Param.Value) && p.Exp == nil && p.Repl == nil && !p.Excl
						}
						r.evaluate(v, env, 0)
					}
				}
				return false
			}
		case *syntax.UnaryTest:
			if w, ok := n.X.(*syntax.Word); ok && (n.Op == syntax.TsVarSet || n.Op == syntax.TsRefVar) {
				r.plainName(r.value(w, ordinary))
				return false
			}
		case *syntax.Word:
			from = append(from, r.value(n, ordinary))
			return false
		}
		return n != nil
	})
	for _, name := range [...]string{"MATCH", "match", "BASH_REMATCH"} {
		if matches {
			r.setVariable(name, variable{alts: []command.Word{lost(from...)}, list: name != "MATCH", open: name != "MATCH"})
		}
	}
}
