package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// assemble splits pieces into fields and composes each into a word.
func (r *reader) assemble(s *state, list []piece, span tool.Span, out *words) {
	if len(list) == 0 {
		return
	}
	if gluedToSome(list) {
		out.scattered(command.Word{Span: span})
		return
	}
	glob := s.opts&optNoglob == 0 || s.doubt&optNoglob != 0
	if !mayDivide(list) {
		w := s.ownPattern(r.compose(list, span, glob))
		several := w.Glob || w.Reach != tool.Exact && isPattern(list, glob) // what is known of it or not
		if several || opensBracket(list) || namesProgram(list[0]) {         // zsh gives up if there is no such file
			r.refuseZsh(s)
		}
		out.add(w, several)
		return
	}
	ifs, known := s.ifs()
	f := splitter{r: r, span: span, glob: glob, ifs: ifs, known: known, alone: len(list) == 1, dir: s.dir, words: *out}
	f.keeps = f.divided(blankBytes) && slices.ContainsFunc(list, func(p piece) bool { return p.sep })
	before := len(out.list)
	whole := true
	for i := 0; whole && i < len(list); i++ {
		f.next = list[i+1:]
		whole = f.take(list[i])
	}
	if whole {
		f.end()
	}
	for i := len(out.list); i < len(f.list); i++ {
		if f.list[i].Glob {
			r.refuseZsh(s)
			break
		}
	}
	*out = f.words
	for i, w := range out.list[before:] {
		out.list[before+i] = s.ownPattern(w)
	}
}

// namesProgram says whether zsh takes a word that begins so for the file of a program.
func namesProgram(p piece) bool {
	return !p.quoted && !p.param && p.Reach == tool.Exact && len(p.Text) > 1 && p.Text[0] == '='
}

// ownPattern is a pattern as the shell at hand may read it: a set that begins with ^ is the opposite of one only
// to some. Where nothing matches, the word is the pattern as it stands, which has to match as well.
func (s *state) ownPattern(w command.Word) command.Word {
	if !w.Glob || s.opts&optPosix == 0 || !strings.Contains(w.Text, "[^") {
		return w
	}
	parts := strings.Split(w.Text, "/")
	for i, part := range parts {
		if first := paths.Fixed(part); first != part && part != "**" {
			parts[i] = first + "*" + paths.FixedEnd(part)
		}
	}
	w.Text, w.At = strings.Join(parts, "/"), 0
	return w
}

// opensBracket says whether pieces hold a bracket that zsh wants to be a pattern.
func opensBracket(list []piece) bool {
	return slices.ContainsFunc(list, func(p piece) bool {
		return !p.quoted && p.Reach == tool.Exact && p.Text != "[" && strings.IndexByte(p.Text, '[') >= 0
	})
}

// gluedToSome says whether something stands beside a list of which some elements may be
// none, so that it is not known what it is glued to.
func gluedToSome(list []piece) bool {
	scattered := 0
	for i := range list {
		if list[i].scattered {
			scattered++
		}
	}
	return scattered > 0 && scattered < len(list)
}

// mayDivide says whether pieces may be more than one word.
func mayDivide(list []piece) bool {
	for i := range list {
		if list[i].split || list[i].sep || list[i].many {
			return true
		}
	}
	return false
}

// splitter makes words of pieces that are split at field separators.
type splitter struct {
	r     *reader // for its gaps
	span  tool.Span
	glob  bool // patterns count
	ifs   string
	known bool // ifs is
	alone bool // there is only one piece
	keeps bool // an element of a list that is nothing may be a word
	dir   command.Word
	next  []piece // that follow
	words         // that come out of it
	field
}

// field is what a splitter has of the word that it is at.
type field struct {
	pieces  []piece
	open    bool           // it has begun
	further bool           // it may go on in further words
	flags   bool           // which may be flags
	mixed   bool           // and are not all numbers
	several bool           // it may be any number of words
	parts   []command.Word // what names in it are split into besides
}

// take adds a piece; it says whether to go on.
func (f *splitter) take(p piece) bool {
	switch {
	case p.sep:
		f.end()
	case !p.split:
		f.pieces, f.open, f.several = append(f.pieces, p), true, f.several || p.many
	case p.Reach == tool.Exact && !p.Glob:
		return f.text(p)
	default:
		f.unknown(p)
	}
	return true
}

// end finishes a word.
func (f *splitter) end() {
	if f.open || len(f.pieces) > 0 {
		f.add(f.r.compose(f.pieces, f.span, f.glob), f.several || mayVanish(f.pieces) || isPattern(f.pieces, f.glob))
		if len(f.pieces) > 1 {
			// What stands beside a list is glued to its ends only.
			for _, p := range f.pieces {
				if p.many {
					f.list = append(f.list, withSpan(p.Word, f.span))
					f.scatter(len(f.list) - 1)
				}
			}
		}
		f.endParts()
		switch {
		case f.further && !f.mixed:
			f.scattered(command.Word{Span: f.span, Plain: true, Made: value.Number})
		case f.further:
			f.scattered(command.Word{Span: f.span, Split: f.flags})
		}
	}
	f.field = field{}
}

// endParts adds the words that names are split into. What stands beside them is glued to one of
// them.
func (f *splitter) endParts() {
	if len(f.parts) > 0 && slices.ContainsFunc(f.pieces, func(p piece) bool { return paths.Climbs(p.Text) }) {
		f.parts = []command.Word{{Split: true}}
	}
	for _, w := range f.parts {
		f.scattered(withSpan(w, f.span))
	}
}

// mayVanish says whether a word may be none at all: nothing in it is quoted, and all of
// it may be nothing.
func mayVanish(list []piece) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(p piece) bool { return !p.split || !p.Hollow })
}

// text splits a value that is known.
func (f *splitter) text(p piece) bool {
	if f.mayStay(p) {
		f.pieces = append(f.pieces, piece{Word: command.Word{Taint: p.Taint}}) // one word, or several
		f.several = true
		if !f.alone {
			f.further, f.flags, f.mixed = true, true, true
		}
		return true
	}
	if p.Text == "" && f.keeps {
		f.scattered(emptyOrNone(f.span))
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
		end, hard := separators(rest, n, f.ifs)
		f.open = f.open || hard
		f.end()
		if rest = rest[end:]; len(f.list) > 4<<10 {
			f.r.gap("an expansion with too many words", f.span)
			return false
		}
	}
	return true
}

// mayStay says whether it is not known that a text is split: at what, or as zsh leaves
// parameters whole, and has an empty word behind the last separator of a substitution.
func (f *splitter) mayStay(p piece) bool {
	return !f.known || f.r.world.Zsh && strings.ContainsAny(p.Text, f.ifs) && (p.param || strings.IndexByte(f.ifs, p.Text[len(p.Text)-1]) >= 0 && !isBlank(p.Text[len(p.Text)-1]))
}

// separators is where what ends a field has its end, and whether it ends an empty one too: a run
// of white space and at most one other separator.
func separators(text string, at int, ifs string) (end int, hard bool) {
	for end = at; end < len(text) && strings.IndexByte(ifs, text[end]) >= 0; end++ {
		if isBlank(text[end]) {
			continue
		}
		if hard {
			break
		}
		hard = true
	}
	return end, hard
}

// unknown takes a value that is not known as a whole.
func (f *splitter) unknown(p piece) {
	f.several = f.several || !p.solid
	one := isScratch(p.Made) && !f.divided(blankBytes)
	if !one && (f.splits(p) || f.strays(&p)) {
		// What is known of it is split as well.
		f.pieces = append(f.pieces, piece{Word: command.Word{Taint: p.Taint, Split: true}})
		f.further, f.flags, f.mixed = true, true, true
		return
	}
	p.many = p.many || !one && (p.Reach == tool.Under || p.Glob)
	p.Taint &^= command.Several // each of them is a word
	switch {
	case p.Made == value.Numbers && f.known && f.ifs == " \t\n":
		// Words of which each is a number. What is beside them is glued to one.
		p.Plain, p.Made, f.further = true, value.Number, true
	case p.Plain, p.Reach == tool.Under, p.Glob: // one word
		p.Made = ofOneWord(p.Made)
	default:
		p.Made = ofOneWord(p.Made)
		f.divides(&p)
	}
	f.pieces = append(f.pieces, p)
}

// isScratch says whether a value is the path of a temporary file or what lies at a constant place from there, of which nothing can be split.
func isScratch(m *value.Made) bool {
	return m != nil && m.Mark == value.Scratch && strings.HasPrefix(m.Text, value.Scratch) && !strings.ContainsAny(m.Text, blankBytes+"*?[\\")
}

// ofOneWord is what is known of the form of a value that is not divided into numbers.
func ofOneWord(m *value.Made) *value.Made {
	if m != nil && m.Mark == value.Numeral && strings.Contains(m.Text, value.Numerals) {
		return nil
	}
	return m
}

// divides takes a value that may be any number of words.
func (f *splitter) divides(p *piece) {
	f.mixed = true
	if p.Split = !p.Tame; f.alone {
		p.Text, p.Reach = "", tool.Anywhere
	} else if !p.env {
		f.further, f.flags = true, f.flags || !p.Tame
	}
}

// splits says whether a value may be split at more than the blanks between names.
func (f *splitter) splits(p piece) bool {
	switch p.Reach { // others: all of them is known
	case tool.Prefix:
		return !f.known || strings.ContainsAny(p.Text, f.ifs)
	case tool.Under:
		return f.r.blanks || f.divided(blankBytes) || strings.ContainsAny(p.Text, blankBytes) || strings.ContainsAny(p.Tail, blankBytes)
	case tool.Exact:
		return p.Glob && (f.r.blanks || f.divided(blankBytes) || strings.ContainsAny(p.Text, blankBytes))
	case tool.Anywhere:
		return p.Plain && f.divided(blankBytes+beyondPlain(p))
	}
	return false
}

// beyondPlain are separators that a plain value does not have.
func beyondPlain(p piece) string {
	if p.Made == value.Number {
		return `/;|&:,=_.@%`
	}
	return `/;|&`
}

// divided says whether fields may be separated by others than some characters.
func (f *splitter) divided(usual string) bool { return !f.known || strings.Trim(f.ifs, usual) != "" }

// strays says whether a part of a name that is split may lead anywhere. Parts that stay near are
// further words.
func (f *splitter) strays(p *piece) bool {
	list, ok := f.nameList(p)
	if !ok {
		return false
	}
	kind, name, beyond := f.r.strays(list)
	if kind == straysFar || kind != straysNone && f.dir.Reach < tool.Under {
		f.r.gap(takenApart(name), f.span)
		return true
	}
	if beyond {
		p.Taint |= command.Typed
		kind = straysDash
	}
	f.parts = append(f.parts, list.parts(kind, f.dir, p.Word)...)
	return false
}

// nameList is the list of files that a piece stands for.
func (f *splitter) nameList(p *piece) (l nameList, ok bool) {
	l.at = blankBytes
	if f.known {
		l.at = f.ifs
	}
	switch {
	case strings.Trim(l.at, blankBytes) != "":
		return l, false
	case p.Reach != tool.Under && (!p.Glob || p.Reach != tool.Exact):
		return l, false
	case strings.HasPrefix(p.Text, "/"), f.dir.Reach == tool.Exact:
	case f.dir.Reach == tool.Under && paths.Within(f.dir.Text, f.r.world.Project):
		l.dir = f.dir.Text // or a directory in there
	default:
		return l, false
	}
	if len(f.pieces) > 0 {
		l.before = beside(f.pieces)
	}
	if len(f.next) > 0 && !f.next[0].sep {
		l.behind = beside(f.next[:1])
	}
	switch {
	case l.dir != "":
	case p.Reach == tool.Under:
		l.dir = paths.Clean(f.dir.Text, p.Text)
	default:
		l.pattern(f.dir.Text, p.Text)
	}
	return l, true
}

// beside is what stands beside a name in its word: what is not known may begin with a slash.
func beside(list []piece) (text string) {
	for i := range list {
		if list[i].Reach != tool.Exact {
			return "/"
		}
		text += list[i].Text
	}
	return text
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' }

// ifs returns the current field separators. Of letters with more than one byte shells take whole ones or bytes, here and there.
func (s *state) ifs() (string, bool) {
	v := s.lookup("IFS")
	switch {
	case v == nil || v.unset:
		return " \t\n", true
	case len(v.words) == 1 && v.words[0].IsKnown() && ascii(v.words[0].Text):
		return v.words[0].Text, true
	}
	return "", false
}

// compose joins the pieces of one field into a word; one that is longer than any
// should be is not followed.
func (bud *budget) compose(list []piece, span tool.Span, glob bool) command.Word {
	n := 0
	for i := range list {
		n += len(list[i].Text) + len(list[i].IfEmpty)
	}
	if bud.toil.copied(n); n > value.MaxText && len(list) > 1 {
		bud.gap("a value that grows too large", span)
	}
	w := compose(list, span, glob)
	if glob && w.Glob && paths.SlashInSet(w.Text) { // which zsh matches one letter with, and others take for text
		return command.Word{Taint: w.Taint, Span: span, Split: w.Split}
	}
	return w
}

func compose(list []piece, span tool.Span, glob bool) command.Word {
	if len(list) == 1 {
		w := list[0].Word
		w.Span = span
		if !w.Glob && isPattern(list, glob) {
			w.Glob = true
			w.Taint |= throughAll(w.Text)
		}
		return w
	}
	list = asParts(list)
	pattern := isPattern(list, glob)
	w := command.Word{Reach: tool.Exact, Span: span, Glob: pattern}
	if len(list) > 8 {
		list = merged(list)
	}
	open, end := false, ""
	for i := range list {
		p := list[i]
		if pattern && p.Reach == tool.Exact {
			p.Word, open = p.inPattern(open)
		}
		w = w.Concat(p.Word)
		if end += p.Text; p.Reach != tool.Exact {
			end = ""
		}
	}
	w.Hollow, w.IfEmpty = emptied(list)
	switch {
	case w.Reach == tool.Exact:
	case pattern:
		w = matchedBelow(w, end)
	default:
		w.Tail = tail(list)
	}
	return w
}

// matchedBelow is a value of a list of paths with a pattern behind it, which matches names at every level below the
// directory of the list. Of other values it is not known how they end.
func matchedBelow(w command.Word, pattern string) command.Word {
	if w.Reach != tool.Under || !strings.HasPrefix(pattern, "/") || strings.Trim(pattern, "/") == "" || paths.Climbs(pattern) {
		return w
	}
	w.Text = paths.Escape(strings.TrimSuffix(w.Text, "/")) + "/**" + pattern
	w.Glob, w.Reach = true, tool.Exact
	w.Taint |= command.Followed // one of the list may be a link
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
		p.Text = protected(p.Text, open)
	case open && p.split && strings.ContainsAny(p.Text, inSets):
		return command.Word{Taint: p.Taint}, open // zsh takes it for text, others do not
	case p.split && strings.IndexByte(p.Text, '\\') >= 0:
		return command.Word{Taint: p.Taint}, open // it quotes in the pattern, and stays where nothing matches
	default:
		open = open || strings.IndexByte(p.Text, '[') >= 0
		p.Taint |= throughAll(p.Text)
	}
	p.Word.Glob = true
	return p.Word, open
}

// inSets are the characters that mean something within the brackets of a pattern only.
const inSets = "!^-"

// protected is quoted text as a part of a pattern, in which a bracket may be open.
func protected(text string, open bool) string {
	if text = paths.Escape(text); !open || !strings.ContainsAny(text, inSets) {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte(inSets, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// asParts is what pieces are worth as parts of a longer word: where a value leads by itself is not
// where the word leads.
func asParts(list []piece) []piece {
	cloned := false
	for i := range list {
		if !list[i].Bare && (i == 0 || !placed(list[i].Word)) {
			continue
		}
		if !cloned {
			list, cloned = slices.Clone(list), true
		}
		if list[i].Bare {
			// In a longer word it is a name and nothing more.
			w := &list[i].Word
			*w = command.Word{Text: "*", Reach: tool.Exact, Glob: true, Taint: w.Taint, Hollow: w.Hollow, IfEmpty: w.IfEmpty}
		} else {
			list[i].Word = command.Word{Taint: list[i].Taint, Hollow: list[i].Hollow}
		}
	}
	return list
}

// isPattern says whether the pieces of a word make it a pattern: one of them is, or, if
// patterns count, they hold its characters. A bracket may open in one and close in another.
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

// tail is how a word ends, behind the last part that is not known, or may be missing.
func tail(list []piece) string {
	end := ""
	for i := len(list) - 1; i >= 0; i-- {
		p := &list[i]
		known := p.Reach == tool.Exact && !p.Glob
		text := p.Tail
		if known {
			text = p.Text
		}
		if p.Hollow && !p.solid && !strings.HasSuffix(p.IfEmpty, text) {
			text, known = "", false
		}
		if end = text + end; !known {
			return notTaken(list[:i+1], end)
		}
	}
	return end
}

// notTaken is what is left of the end of a word behind pieces that may stand for a part of it.
func notTaken(before []piece, end string) string {
	if slices.ContainsFunc(before, func(p piece) bool { return p.cuts }) {
		return ""
	}
	if slices.ContainsFunc(before, func(p piece) bool { return p.takes }) {
		_, rest, found := strings.Cut(end, "/")
		if !found {
			return ""
		}
		return "/" + rest
	}
	return end
}

// emptied says what a word is worth if every variable in it that nobody set is
// empty: "$X/" is "/" then.
func emptied(list []piece) (bool, string) {
	var b strings.Builder
	found := false
	for i := range list {
		switch p := &list[i]; {
		case p.Hollow && !p.solid:
			b.WriteString(p.IfEmpty)
			found = true
		case p.Reach == tool.Exact:
			b.WriteString(p.Text)
		default:
			return false, ""
		}
	}
	return found, b.String()
}

// merged joins neighbours that are known and quoted alike, so that a word of many
// small parts is not copied once for each of them.
func merged(list []piece) []piece {
	out := list[:0:0]
	for i := 0; i < len(list); {
		first := list[i]
		j := i + 1
		if first.Reach == tool.Exact && !first.Glob {
			var b strings.Builder
			b.WriteString(first.Text)
			for j < len(list) && list[j].Reach == tool.Exact && !list[j].Glob && list[j].quoted == first.quoted {
				b.WriteString(list[j].Text)
				first.Taint |= list[j].Taint
				j++
			}
			first.Text, first.At = b.String(), 0
		}
		out = append(out, first)
		i = j
	}
	return out
}

// concat appends one value to another; one that grows beyond bounds is not followed.
func (bud *budget) concat(a, b command.Word, span tool.Span) command.Word {
	n := len(a.Text) + len(a.IfEmpty) + len(b.Text) + len(b.IfEmpty)
	if bud.toil.copied(n); n > value.MaxText {
		bud.gap("a value that grows too large", span)
	}
	if placed(b) && a.Text != "" {
		b = command.Word{Taint: b.Taint}
	}
	return a.Concat(b)
}

// placed says whether a value is known by where it leads: a line of a list of files,
// which may be spelled in another way, as from the directory that it was listed in.
func placed(w command.Word) bool {
	return w.Glob && w.Reach == tool.Exact && strings.HasPrefix(w.Text, "/")
}

// maxWords bounds the words of a command.
const maxWords = 2 << 10
