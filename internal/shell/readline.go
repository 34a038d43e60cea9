package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
	"longline/internal/value"
)

// reading is what read is told by its words.
type reading struct {
	r      *reader
	names  []command.Word
	array  string // of -a
	raw    bool   // backslashes stay
	delim  byte   // 0 if it is not known
	exotic bool   // how much it reads is not followed
	bad    bool   // an option is none: it fails and assigns nothing
	from   string // the descriptor, if other
	other  bool
}

// readWords reads the words of read.
func (r *reader) readWords(s *state, args []command.Word) (rd reading) {
	rd.r, rd.delim = r, '\n'
	for len(args) > 0 {
		w := args[0]
		args = args[1:]
		if w.IsKnown() && len(rd.names) == 0 && len(w.Text) > 1 && w.Text[0] == '-' {
			args = rd.readOptions(s, w, args)
			continue
		}
		r.plainName(s, w)
		rd.names = append(rd.names, w)
	}
	return rd
}

// readOptions reads a word with options of read; the value of the last may be the next word. It
// returns the words that are left.
func (rd *reading) readOptions(s *state, w command.Word, args []command.Word) []command.Word {
	for flags := w.Text[1:]; flags != ""; flags = flags[1:] {
		switch flags[0] {
		case 'r':
			rd.raw = true
		case 'e', 's':
		case 'a', 'd', 'i', 'n', 'N', 'p', 't', 'u':
			value := command.Known(flags[1:], w.Span)
			if value.Text == "" && len(args) > 0 {
				value, args = args[0], args[1:]
			}
			rd.readOption(s, flags[0], value)
			return args
		default:
			rd.bad = true
		}
	}
	return args
}

// readOption is an option of read with a value.
func (rd *reading) readOption(s *state, option byte, value command.Word) {
	switch option {
	case 'a':
		rd.array = value.Text
		rd.r.plainName(s, value)
	case 'd':
		rd.delim = 0
		if value.IsKnown() && value.Text != "" {
			rd.delim = value.Text[0]
		}
	case 'u':
		rd.from, rd.other = value.Text, !value.IsKnown() || value.Text != "0"
	default:
		rd.exotic = rd.exotic || option != 'p'
		rd.r.zshName(s, value)
	}
}

// read assigns a line of the standard input to variables.
func (r *reader) read(s *state, args []command.Word, inv *command.Invocation) []*state {
	rd := r.readWords(s, args)
	in := s.stdin
	if in.Endless {
		exhaust(inv)
	}
	if rd.other {
		// Which descriptor it is, or what it holds by now, is not followed.
		in = command.Data{Taint: r.descriptor(s, rd.from, "/dev/fd/"+rd.from).Taint}
		rd.exotic = true
	}
	line, more := command.Word{Taint: in.Taint, Of: in.Of}, unknown
	var lost []*state
	switch {
	case rd.bad:
	case in.None: // it is closed
	case in.Reach == tool.Exact && !rd.exotic && rd.delim != 0:
		text, rest, found := strings.Cut(in.Text, string(rd.delim))
		if rd.raw || strings.IndexByte(text, '\\') < 0 {
			line = command.Word{Text: text, Reach: tool.Exact, Taint: in.Taint}
			more = ok(found)
			s.stdin = command.Data{Text: rest, Reach: tool.Exact, Taint: in.Taint}
		} else { // backslashes are removed; only text without them is read
			s.stdin = command.Data{Taint: in.Taint}
		}
	case in.Reach == tool.Under:
		if !rd.raw { // a backslash in a name is removed, and what is left may lead elsewhere
			other := s.fork()
			r.spread(other, line, rd.names, rd.array, inv)
			lost = append(lost, other.ended())
		}
		line = in.Line(line.Span)
	case in.Plain:
		line.Plain = true
	case rd.exotic && !rd.other:
		s.stdin = command.Data{Taint: in.Taint}
	}
	r.spread(s, line, rd.names, rd.array, inv)
	s.setStatus(more)
	return append(lost, s)
}

// spread splits a line over variables.
func (led *ledger) spread(s *state, line command.Word, names []command.Word, array string, inv *command.Invocation) {
	if array != "" {
		led.spreadArray(s, line, array, inv)
		return
	}
	ifs, known := s.ifs()
	if known = known && line.IsKnown(); !known {
		line.Plain = line.Plain && ifs == " \t\n"
		if len(names) > 1 && line.Reach != tool.Exact && !line.Plain {
			line = command.Word{Taint: line.Taint}
		}
	}
	if len(names) == 0 {
		led.assign(s, "REPLY", line, inv.Span)
		return
	}
	var parts []string
	if known {
		parts = splitLine(line.Text, ifs, len(names))
	}
	for i, n := range names {
		w := line
		if known {
			w = command.Word{Reach: tool.Exact, Taint: line.Taint}
			if i < len(parts) {
				w.Text = parts[i]
			}
		}
		led.give(s, n, w)
	}
}

// spreadArray is spread for read -a.
func (led *ledger) spreadArray(s *state, line command.Word, array string, inv *command.Invocation) {
	if !isName(array) {
		led.noName(inv.Span)
		return
	}
	ifs, known := s.ifs()
	if !known || !line.IsKnown() {
		led.assignArrayWords(s, array, []command.Word{value.Lost(line)}, inv.Span).blur()
		return
	}
	const limit = 1 << 10
	parts := splitLine(line.Text, ifs, limit)
	var list []command.Word
	for _, p := range parts {
		list = append(list, command.Word{Text: p, Reach: tool.Exact, Taint: line.Taint, Span: inv.Span})
	}
	if v := led.assignArrayWords(s, array, list, inv.Span); len(parts) >= limit-1 {
		v.blur()
	}
}

// give assigns to what read was told to, a variable or an element of an array.
func (led *ledger) give(s *state, name, w command.Word) {
	base, _, sub := strings.Cut(name.Text, "[")
	switch {
	case !name.IsKnown():
		s.forgetAll()
	case !isName(base):
		led.noName(name.Span)
	case sub:
		led.special(s, base, w, name.Span)
		led.barred(s, base)
		v := s.variable(base)
		v.attrs |= isArray
		v.words = append([]command.Word{w}, v.words...)
		v.blur()
	default:
		led.assign(s, base, w, name.Span)
	}
}

// splitLine splits the way read does: the last part keeps its separators.
func splitLine(text, ifs string, limit int) []string {
	blanks := ""
	for i := 0; i < len(ifs); i++ {
		if isBlank(ifs[i]) {
			blanks += ifs[i : i+1]
		}
	}
	text = strings.TrimLeft(text, blanks)
	var parts []string
	for ifs != "" && len(parts) < limit-1 && text != "" {
		n := strings.IndexAny(text, ifs)
		if n < 0 {
			break
		}
		parts = append(parts, text[:n])
		text = strings.TrimLeft(text[n:], blanks)
		if text != "" && strings.IndexByte(ifs, text[0]) >= 0 {
			text = strings.TrimLeft(text[1:], blanks)
		}
	}
	text = strings.TrimRight(text, blanks)
	if limit > 0 && len(parts) == limit-1 && ifs != "" {
		// One separator at the end is dropped if it is the only one.
		if t := strings.TrimRight(text, ifs); t != text && !strings.ContainsAny(t, ifs) && len(text)-len(t) == 1 {
			text = t
		}
	}
	if text != "" {
		parts = append(parts, text)
	}
	return parts
}

// mapfile fills an array with lines.
func (r *reader) mapfile(s *state, args []command.Word, inv *command.Invocation) {
	name, exotic, trim, other := "MAPFILE", false, false, false
	for i := 0; i < len(args); i++ {
		w := args[i]
		if !w.IsKnown() {
			gapIn(inv, "mapfile with a word known only at run time")
			return
		}
		if len(w.Text) > 1 && w.Text[0] == '-' {
			if strings.Trim(w.Text[1:], "dnOsuCct") != "" {
				gapIn(inv, "mapfile with the option "+w.Text)
			}
			switch c := w.Text[len(w.Text)-1]; {
			case strings.IndexByte(w.Text, 'C') > 0:
				i++
				gapIn(inv, "mapfile runs a command")
				if i < len(args) && args[i].IsKnown() {
					r.inline(args[i].Text+" 0 x", &source{whole: args[i].Span}, s.fork())
				}
			case c == 't':
				trim = true
			case strings.IndexByte("dnOsucC", c) >= 0:
				i++
				exotic = true
				other = other || c == 'u'
			}
			continue
		}
		name = w.Text
		if !r.plainName(s, w) || !isName(name) {
			r.forget(s, w)
			return
		}
	}
	in := s.stdin
	if s.stdin = (command.Data{Taint: in.Taint}); in.Endless {
		exhaust(inv)
	}
	if in.Reach != tool.Exact || in.None || exotic || !trim {
		if other {
			in = s.anyDescriptor()
		}
		r.assignArrayWords(s, name, []command.Word{in.Line(tool.Span{})}, inv.Span).open = true
		return
	}
	var list []command.Word
	for _, l := range strings.Split(strings.TrimSuffix(in.Text, "\n"), "\n") {
		if list = append(list, command.Word{Text: l, Reach: tool.Exact, Taint: in.Taint, Span: inv.Span}); len(list) > 1<<10 {
			break
		}
	}
	if in.Text == "" {
		list = nil
	}
	if v := r.assignArrayWords(s, name, list, inv.Span); len(list) > 1<<10 {
		v.blur()
	}
}

// printfNumbers looks at what zsh evaluates: the words that the format of printf wants to be
// numbers. If the format is not known, any of those that hold a subscript may be one.
func (led *ledger) printfNumbers(s *state, args []command.Word) {
	if !led.world.Zsh || len(args) < 2 {
		return
	}
	format, known := conversions(args[0].Text), args[0].IsKnown()
	for i, w := range args[1:] {
		if known && len(format) > 0 && strings.IndexByte("diouxXeEfFgGaA*", format[i%len(format)]) >= 0 || !known && strings.IndexByte(w.Text, '[') >= 0 {
			led.zshNumber(s, w)
		}
	}
}

// conversions are those of a format, each by its letter; a width or precision that is an
// argument is a star.
func conversions(format string) (list []byte) {
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return list
		}
		n := 0
		for ; n < len(rest) && strings.IndexByte("0123456789+- #'.*hlLjzt", rest[n]) >= 0; n++ {
			if rest[n] == '*' {
				list = append(list, '*')
			}
		}
		if format = ""; n < len(rest) {
			if format = rest[n+1:]; rest[n] != '%' {
				list = append(list, rest[n])
			}
		}
	}
}

// zshName looks at the value of an option of read that has none in zsh, which takes it
// for the name of a variable or for a number.
func (led *ledger) zshName(s *state, w command.Word) {
	if base, _, found := strings.Cut(w.Text, "["); led.world.Zsh && (!w.IsKnown() || found && isName(base)) {
		led.plainName(s, w)
	}
	if led.world.Zsh && w.IsKnown() && isName(w.Text) {
		led.evaluate(s, w, false, 0)
	}
}

// printfVar handles printf -v, which assigns instead of printing.
func (r *reader) printfVar(s *state, args []command.Word, red redirection) redirection {
	if len(args) > 0 && args[0].Hollow && strings.HasPrefix(args[0].IfEmpty, "-v") {
		r.forget(s, command.Word{})
		r.plainName(s, command.Known(args[0].IfEmpty[2:], args[0].Span))
	}
	if len(args) == 0 || !args[0].IsKnown() || !strings.HasPrefix(args[0].Text, "-v") {
		r.printfNumbers(s, args)
		return red
	}
	name := command.Known(args[0].Text[2:], args[0].Span)
	rest := args[1:]
	if name.Text == "" {
		if len(args) < 2 {
			return red
		}
		name, rest = args[1], args[2:]
	}
	r.printfNumbers(s, rest)
	if !r.plainName(s, name) || !isName(name.Text) {
		r.forget(s, name)
		return red
	}
	// What it would print is what the model says of the same words without -v.
	probe := &command.Invocation{Words: append([]command.Word{command.Known("printf", name.Span)}, rest...), Dir: s.dir, Span: name.Span}
	r.lib.Read(probe, r.world)
	w := command.Word{Text: probe.Output.Text, Reach: probe.Output.Reach, Plain: probe.Output.Plain, Taint: probe.Output.Taint}
	r.assign(s, name.Text, w, name.Span)
	red.stdout = discarded
	return red
}
