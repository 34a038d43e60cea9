package reader

import (
	"slices"
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
