package shell

import (
	"slices"
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
	nul    bool   // and the names of a list end with it
	exotic bool   // how much it reads is not followed
	bad    bool   // an option is none: it fails and assigns nothing
	alien  bool   // an option is none to zsh, or another one
	echoes bool   // to zsh it prints what it reads, which is no failure
	from   string // the descriptor, if other
	other  bool
}

// readWords reads the words of read.
func (r *reader) readWords(s *state, args []command.Word) (rd reading) {
	rd.r, rd.delim = r, '\n'
	for len(args) > 0 {
		w := args[0]
		args = args[1:]
		if len(rd.names) == 0 && isFlag(w) {
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
			if flags[0] == 'e' && rd.r.world.Zsh { // it prints what it reads, and assigns nothing
				s.out, rd.alien, rd.echoes = command.Data{Taint: s.stdin.Taint}, true, true
			}
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
		rd.array, rd.alien = value.Text, true
		rd.r.plainName(s, value)
	case 'd':
		rd.delim, rd.nul = 0, endsNames(value)
		if value.IsKnown() && value.Text != "" {
			rd.delim = value.Text[0]
		}
	case 'u':
		rd.from, rd.other = value.Text, !value.IsKnown() || value.Text != "0"
	default:
		rd.exotic, rd.alien = rd.exotic || option != 'p', rd.alien || option == 'p'
		rd.r.zshName(s, value)
		if rd.r.world.Zsh && value.IsKnown() && isName(value.Text) {
			rd.r.forget(s, value) // which is read there
		}
	}
}

// endsNames says whether a delimiter is a NUL: it is an empty one, or $'\0' where that is a character.
func endsNames(delimiter command.Word) bool {
	return delimiter.Text == "" && (delimiter.IsKnown() || delimiter.Taint&command.WithNul != 0)
}

// read assigns a line of the standard input to variables.
func (r *reader) read(s *state, args []command.Word, inv *command.Invocation) []*state {
	rd := r.readWords(s, args)
	in := rd.named(s.stdin)
	if in.Endless {
		exhaust(inv)
	}
	if rd.other {
		// Which descriptor it is, or what it holds by now, is not followed.
		in = command.Data{Taint: r.descriptor(s, rd.from, "/dev/fd/"+rd.from).Taint}
		rd.exotic = true
		s.readsElsewhere()
	}
	takesRest(&r.ledger, in, inv.Span)
	blank := in.Taint&command.WithBlank != 0
	line, more := command.Word{Taint: in.Taint &^ command.WithBlank, Of: in.Of}, unknown
	lost := rd.refused(s)
	switch {
	case rd.bad, in.None: // it fails, or its input is closed
	case rd.follows(in):
		if in.Hollow { // there may be nothing to read
			lost = append(lost, r.readNothing(s.fork(), rd, inv))
		}
		line, s.stdin, more = rd.next(in)
		line.Hollow = line.Hollow || blank
	case in.Reach == tool.Under && !rd.exotic && (rd.delim == '\n' || rd.nul): // and not a part of a line
		lost = append(lost, r.readNothing(s.fork(), rd, inv)) // there may be no line, or no other one
		if s.stdin.Full = false; !rd.raw {                    // a backslash in a name is removed, and what is left may lead elsewhere
			other := s.fork()
			r.spread(other, line, rd.names, rd.array, inv)
			lost = append(lost, other.ended())
		}
		line = r.listLine(s, in, rd)
	case in.Plain:
		line.Plain = true
	case rd.exotic && !rd.other:
		s.stdin = command.Data{Taint: in.Taint}
	}
	r.spread(s, line, rd.names, rd.array, inv)
	s.setStatus(more)
	return append(lost, s)
}

// readNothing is the state after a read that finds the end of its input.
func (led *ledger) readNothing(s *state, rd reading, inv *command.Invocation) *state {
	led.spread(s, command.Known("", inv.Span), rd.names, rd.array, inv)
	return s.decide(false)
}

// named is a stream whose names may end with a NUL, as read takes it.
func (rd *reading) named(in command.Data) command.Data {
	if rd.nul {
		return in.Parted()
	}
	return in.Joined()
}

// refused is the state after a read that zsh refuses, since it has no -a and reads from a coprocess with -p: the variables
// stay what they are, or nothing.
func (rd *reading) refused(s *state) []*state {
	if !rd.r.world.Zsh || !rd.alien {
		return nil
	}
	other := s.fork()
	for _, w := range append(rd.names[:len(rd.names):len(rd.names)], command.Known(rd.array, tool.Span{})) {
		if isName(w.Text) && other.lookup(w.Text) == nil && !other.inherits(w.Text) {
			other.unsetVar(w.Text)
		}
	}
	if rd.echoes {
		return one(other.ended())
	}
	return one(other.decide(false))
}

// listLine is a line of a list of files that read takes.
func (led *ledger) listLine(s *state, in command.Data, rd reading) command.Word {
	l := nameList{dir: in.Text, match: in.Match, at: "\n"}
	if rd.nul {
		l.at = ""
	}
	ifs, known := s.ifs()
	l.trims = !known || strings.ContainsAny(ifs, blankBytes)
	line, _ := led.inLines(l, in.Line(tool.Span{}))
	return line
}

// follows says whether it is known what read takes of a stream.
func (rd *reading) follows(in command.Data) bool {
	return in.Reach == tool.Exact && !rd.exotic && rd.delim != 0
}

// next is the line that read takes of a stream, what is left of that, and whether the line has
// an end.
func (rd *reading) next(in command.Data) (line command.Word, left command.Data, more status) {
	text, rest, found := strings.Cut(in.Text, string(rd.delim))
	if !rd.raw && strings.IndexByte(text, '\\') >= 0 { // backslashes are removed; only text without them is read
		return command.Word{Taint: in.Taint, Of: in.Of}, command.Data{Taint: in.Taint}, unknown
	}
	return command.Word{Text: text, Reach: tool.Exact, Taint: in.Taint &^ command.WithBlank}, command.Data{Text: rest, Reach: tool.Exact, Taint: in.Taint, Rest: true}, ok(found)
}

// spread splits a line over variables.
func (led *ledger) spread(s *state, line command.Word, names []command.Word, array string, inv *command.Invocation) {
	if array != "" {
		led.spreadArray(s, line, array, inv)
		return
	}
	ifs, known := s.ifs()
	if !known || led.keepsLast(line, ifs) {
		line = command.Word{Taint: line.Taint, Of: line.Of}
	}
	if known = known && line.IsKnown(); !known {
		line = lineOrPart(line, ifs, len(names) > 1)
		line.Hollow = line.Hollow || line.Reach == tool.Anywhere && !line.Plain // it may be an empty one
	}
	if len(names) == 0 {
		if known && led.world.Zsh { // which drops the blanks at its ends
			other := line
			other.Text = strings.Join(splitLine(line.Text, ifs, 1), "")
			line = line.Join(other)
		}
		led.assign(s, "REPLY", line, inv.Span)
		return
	}
	var parts []string
	if known {
		parts = splitLine(line.Text, ifs, len(names))
	}
	for i, n := range names {
		w := line
		if w.Hollow = w.Hollow || i > 0 && !known; known { // there may be fewer parts
			w = command.Word{Reach: tool.Exact, Taint: line.Taint}
			if i < len(parts) {
				w.Text = parts[i]
			}
		}
		led.give(s, n, w)
	}
}

// keepsLast says whether a line ends with a separator that zsh leaves to the last variable, and others do not.
func (here *site) keepsLast(line command.Word, ifs string) bool {
	text := strings.TrimRight(line.Text, strings.Map(onlyBlank, ifs))
	n := len(text)
	return here.world.Zsh && line.IsKnown() && n > 0 && !isBlank(text[n-1]) && strings.IndexByte(ifs, text[n-1]) >= 0
}

// lineOrPart is what is known of a line that is not known, or of a part of it if it is divided.
func lineOrPart(line command.Word, ifs string, divided bool) command.Word {
	line.Plain = line.Plain && ifs == " \t\n"
	if divided && line.Reach != tool.Exact && !line.Plain {
		return command.Word{Taint: line.Taint}
	}
	return line
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

// splitLine splits the way read does, into limit parts at most: the last keeps its separators.
func splitLine(text, ifs string, limit int) []string {
	blanks := strings.Map(onlyBlank, ifs)
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
	if len(parts) == limit-1 {
		text = withoutLast(text, ifs)
	}
	if text != "" {
		parts = append(parts, text)
	}
	return parts
}

// onlyBlank leaves out what is no blank.
func onlyBlank(c rune) rune {
	if c < 0x80 && isBlank(byte(c)) {
		return c
	}
	return -1
}

// withoutLast drops the separator at the end of a text, if that is the only one in it.
func withoutLast(text, ifs string) string {
	if t := strings.TrimRight(text, ifs); len(text)-len(t) == 1 && !strings.ContainsAny(t, ifs) {
		return t
	}
	return text
}

// filling is what mapfile is told by its words.
type filling struct {
	r      *reader
	name   string // of the array
	trim   bool   // without the ends of lines
	exotic bool   // which lines it takes is not followed
	other  bool   // it reads from another descriptor
	nul    bool   // its names end with a NUL
}

// mapfile fills an array with lines.
func (r *reader) mapfile(s *state, args []command.Word, inv *command.Invocation) {
	f := filling{r: r, name: "MAPFILE"}
	if !f.words(s, args, inv) {
		return
	}
	in := s.stdin.Joined()
	if f.nul {
		in = s.stdin.Parted()
	}
	takesRest(&r.ledger, in, inv.Span)
	if s.stdin = (command.Data{Taint: in.Taint}); in.Endless {
		exhaust(inv)
	}
	if in.Reach != tool.Exact || in.None || f.exotic || !f.trim {
		if f.other {
			in = s.anyDescriptor()
			s.readsElsewhere()
		}
		line, _ := r.inLines(nameList{dir: in.Text, match: in.Match, at: "\n"}, in.Line(tool.Span{}))
		r.assignArrayWords(s, f.name, []command.Word{line}, inv.Span).open = true
		return
	}
	list := linesOf(in, inv.Span)
	if v := r.assignArrayWords(s, f.name, list, inv.Span); len(list) > maxMapped {
		v.blur()
	}
}

// words reads the words of mapfile; it says whether it is known what array is filled.
func (f *filling) words(s *state, args []command.Word, inv *command.Invocation) bool {
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case !w.IsKnown():
			gapIn(inv, "mapfile with a word known only at run time")
			return false
		case isFlag(w):
			if f.option(s, w, args[i+1:], inv) {
				i++
			}
			continue
		}
		f.name = w.Text
		if !f.r.plainName(s, w) || !isName(f.name) {
			f.r.forget(s, w)
			return false
		}
	}
	return true
}

// option reads a word with options of mapfile. It says whether the next word is the value of the
// last.
func (f *filling) option(s *state, w command.Word, behind []command.Word, inv *command.Invocation) bool {
	if strings.Trim(w.Text[1:], "dnOsuCct") != "" {
		gapIn(inv, "mapfile with the option "+w.Text)
	}
	switch c := w.Text[len(w.Text)-1]; {
	case strings.IndexByte(w.Text, 'C') > 0:
		gapIn(inv, "mapfile runs a command")
		if len(behind) > 0 && behind[0].IsKnown() {
			f.r.inline(behind[0].Text+" 0 x", &source{whole: behind[0].Span}, s.fork())
		}
		return true
	case c == 't':
		f.trim = true
	case strings.IndexByte("dnOsucC", c) >= 0:
		f.exotic = true
		f.other = f.other || c == 'u'
		f.nul = f.nul || c == 'd' && len(behind) > 0 && endsNames(behind[0])
		return true
	}
	return false
}

// maxMapped bounds the lines of a stream that are told apart.
const maxMapped = 1 << 10

// linesOf are the lines of a stream that is known, or one more than are told apart.
func linesOf(in command.Data, span tool.Span) (list []command.Word) {
	if in.Text == "" {
		return nil
	}
	for _, l := range strings.Split(strings.TrimSuffix(in.Text, "\n"), "\n") {
		if list = append(list, command.Word{Text: l, Reach: tool.Exact, Taint: in.Taint, Span: span}); len(list) > maxMapped {
			break
		}
	}
	return list
}

// printfNumbers looks at what zsh evaluates: the words that the format of printf wants to be
// numbers. If the format is not known, any of those that hold a subscript may be one.
func (led *ledger) printfNumbers(s *state, args []command.Word) {
	args = behindDashes(args)
	if len(args) < 2 {
		return
	}
	format, known := conversions(args[0].Text), args[0].IsKnown()
	if slices.Contains(format, 'n') {
		led.gap("printf with %n, which assigns to a variable", args[0].Span)
	}
	if !known { // it may hold one
		for _, w := range args[1:] {
			if w.IsKnown() && isName(w.Text) && s.lookup(w.Text) != nil {
				led.forget(s, w)
			}
		}
	}
	if !led.world.Zsh {
		return
	}
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
		for ; n < len(rest) && strings.IndexByte("0123456789$+- #'.*hlLjzt", rest[n]) >= 0; n++ {
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
	if v := s.lookup(w.Text); led.world.Zsh && w.IsKnown() && v != nil {
		s.variable(w.Text).forget()
	}
	if led.world.Zsh && !(w.IsKnown() && isName(w.Text)) {
		s.params, s.many, s.loose = []command.Word{value.Lost(s.params...)}, true, 1
	}
}

// printfVar handles printf -v, which assigns instead of printing.
func (r *reader) printfVar(s *state, args []command.Word, red redirection) redirection {
	if len(args) > 0 {
		r.maybeVar(s, args[0])
	}
	if len(args) == 0 || !args[0].IsKnown() || !strings.HasPrefix(args[0].Text, "-v") {
		r.printfNumbers(s, args)
		return red
	}
	name := command.Known(args[0].Text[2:], args[0].Span)
	rest := args[1:]
	if name.Text != "" && r.world.Zsh {
		r.gap("printf with -v and a name in one word, which zsh prints", name.Span)
	}
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
	inAnyOrder(r, probe)
	d := probe.Output
	w := command.Word{Text: d.Text, Reach: d.Reach, Plain: d.Plain, Taint: d.Taint &^ command.WithBlank, Hollow: d.Hollow || d.Text == "" && d.Reach != tool.Exact && !d.Full}
	old, _ := r.scalar(s, name.Text)
	if r.assign(s, name.Text, w, name.Span); r.world.Zsh && !isPlainFormat(rest) { // which may refuse it, and assign nothing
		r.perhapsAssign(s, name.Text, old)
	}
	red.stdout, red.assigned = discarded, true
	return red
}

// isPlainFormat says whether every shell takes the format of printf that words begin with.
func isPlainFormat(words []command.Word) bool {
	words = behindDashes(words)
	if len(words) == 0 || !words[0].IsKnown() {
		return false
	}
	list := slices.DeleteFunc(conversions(words[0].Text), func(c byte) bool { return c == '*' })
	signs := strings.Count(strings.ReplaceAll(words[0].Text, "%%", ""), "%")
	return len(list) == signs && !slices.ContainsFunc(list, func(c byte) bool { return strings.IndexByte("diouxXeEfFgGaAcsbq", c) < 0 })
}

// maybeVar looks at a first word of printf that is -v if something in it is empty: it may
// assign to any variable.
func (led *ledger) maybeVar(s *state, w command.Word) {
	if w.Hollow && strings.HasPrefix(w.IfEmpty, "-v") {
		led.forget(s, command.Word{})
		led.plainName(s, command.Known(w.IfEmpty[2:], w.Span))
	}
}
