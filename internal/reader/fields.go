package reader

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// The pieces that a word expands to become words: they are split at field separators and joined again.

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
	case !f.known || p.Reach == tool.Prefix && strings.ContainsAny(p.Text, f.ifs) || (p.Reach == tool.Under && p.Made != value.ScratchPath || p.Glob) && (strings.ContainsAny(p.Text+p.Tail, " \t\n") || f.r.misleads(p.Word, blanks)):
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
