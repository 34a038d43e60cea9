package command

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// maxSpread is how many commands are read one by one when a program builds
// them from its input; of more than that only the shape is kept.
const maxSpread = 64

// flagWith is the last flag given whose value has a use.
func (l *commandLine) flagWith(use string) *flagUse {
	for i := len(l.given) - 1; i >= 0; i-- {
		if f := l.given[i].flag; f != nil && f.has(use) {
			return &l.given[i]
		}
	}
	return nil
}

// spread is a command that gets more words from standard input, or has them put
// in place of a mark.
func (r *reader) spread(n Nested) {
	input := r.inv.Stdin
	if input.None {
		// Nothing is connected, and what somebody may type are most likely names of
		// files that are here. That is enough to read them, and for nothing else.
		input = Data{Text: r.inv.Dir.Text, Reach: min(r.inv.Dir.Reach, tool.Under), Taint: Typed}
		if r.inv.Dir.Reach == tool.Prefix {
			input = Data{}
		}
	}
	if g := r.flagWith("arg-file"); g != nil && !(len(g.values) == 1 && g.values[0].IsKnown() && isStream(g.values[0].Text)) {
		input = Data{Taint: FromFile}
	} else {
		n.Stdin = Data{None: true}
	}
	if mark, ok := r.mark(); ok {
		r.replace(n, mark, input)
		return
	}
	words, known := r.inputWords(input)
	if !known {
		n.More, n.Input = true, input
		r.inv.Runs = append(r.inv.Runs, n)
		return
	}
	size := len(words)
	if g := r.flagWith("batch"); g != nil {
		size = 1
		if len(g.values) == 1 && g.values[0].IsKnown() {
			size = max(1, atoi(g.values[0].Text))
		}
	}
	command := n.Words
	for {
		batch := words[:min(size, len(words))]
		words = words[len(batch):]
		n.Words = append(append([]Word(nil), command...), batch...)
		r.inv.Runs = append(r.inv.Runs, n)
		if len(words) == 0 {
			return
		}
	}
}

// mark is the text that each line of input replaces.
func (l *commandLine) mark() (Word, bool) {
	g := l.flagWith("replace")
	if g == nil {
		return Word{}, false
	}
	if len(g.values) == 0 || g.values[0].IsKnown() && g.values[0].Text == "" {
		return Known("{}", g.span), true
	}
	return g.values[0], true
}

// replace runs a command once for each line of input, with the line in place of
// the mark.
func (r *reader) replace(n Nested, mark Word, input Data) {
	lines, known := r.inputLines(input)
	if !mark.IsKnown() {
		known = false
	}
	if !known {
		lines = []Word{input.Line(r.inv.Span)}
	}
	command := n.Words
	for _, line := range lines {
		n.Words = make([]Word, len(command))
		for i, w := range command {
			n.Words[i] = putIn(w, mark, line)
		}
		r.inv.Runs = append(r.inv.Runs, n)
	}
}

// putIn is a word in which a line of input takes the place of the mark.
func putIn(w, mark, line Word) Word {
	switch {
	case !mark.IsKnown():
		// Any word may hold it.
		return Word{Taint: line.Taint, Span: w.Span}
	case w.Reach == tool.Anywhere || !strings.Contains(w.Text, mark.Text):
		return w
	case w.Text == mark.Text && w.IsKnown():
		line.Span = w.Span
		return line
	case line.IsKnown() && w.IsKnown():
		return Word{Text: strings.ReplaceAll(w.Text, mark.Text, line.Text), Reach: tool.Exact, Taint: line.Taint, Span: w.Span}
	}
	head, tail, _ := strings.Cut(w.Text, mark.Text)
	if line.Bare && w.IsKnown() && !strings.Contains(tail, mark.Text) && !strings.ContainsAny(w.Text, " \n") {
		return Word{Text: paths.Escape(head) + "*" + paths.Escape(tail), Reach: tool.Exact, Glob: true, Taint: line.Taint, Span: w.Span}
	}
	out := Word{Text: head, Reach: tool.Prefix, Taint: w.Taint | line.Taint, Span: w.Span}
	if w.IsKnown() && (line.Reach == tool.Under || line.Glob) {
		out.Made = &Made{Text: w.Text, Mark: mark.Text, By: line}
	}
	if head == "" {
		// A path below a known directory stays there if more names follow.
		rest := strings.TrimPrefix(w.Text, mark.Text)
		if line.Reach == tool.Under && w.IsKnown() && !strings.Contains(rest, "..") && !strings.Contains(rest, mark.Text) {
			out.Text, out.Reach = line.Text, tool.Under
			return out
		}
		out.Reach = tool.Anywhere
	}
	return out
}

// inputLines is the lines of a known input.
func (r *reader) inputLines(input Data) (lines []Word, known bool) {
	if input.Reach != tool.Exact || input.None {
		return nil, false
	}
	separator := "\n"
	if g := r.flagWith("delimiter"); g != nil {
		separator = "\x00"
		if len(g.values) == 1 && g.values[0].Text != "" {
			text, ok := unescape(g.values[0].Text)
			if !ok || !g.values[0].IsKnown() || len(text) != 1 {
				return nil, false
			}
			separator = text
		}
	} else if strings.ContainsAny(input.Text, `"'\`) {
		return nil, false // quoting is followed only where words are split
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(input.Text, separator), separator) {
		if len(lines) == maxSpread {
			return nil, false
		}
		if separator == "\n" {
			line = strings.TrimLeft(line, " \t")
		}
		if line != "" || separator != "\n" {
			lines = append(lines, Word{Text: line, Reach: tool.Exact, Taint: input.Taint, Span: r.inv.Span})
		}
	}
	return lines, true
}

// inputWords is the words of a known input, taken apart as xargs does: at
// blanks, with quotes and backslashes, unless a delimiter is given.
func (r *reader) inputWords(input Data) (words []Word, known bool) {
	if r.flagWith("delimiter") != nil {
		return r.inputLines(input)
	}
	if input.Reach != tool.Exact || input.None || r.flagWith("end-mark") != nil {
		return nil, false
	}
	var b strings.Builder
	begun, quoted := false, byte(0)
	flush := func() {
		if begun {
			words = append(words, Word{Text: b.String(), Reach: tool.Exact, Taint: input.Taint, Span: r.inv.Span})
		}
		b.Reset()
		begun = false
	}
	for i := 0; i < len(input.Text); i++ {
		c := input.Text[i]
		switch {
		case quoted != 0 && c == quoted:
			quoted = 0
		case quoted != 0:
			b.WriteByte(c)
		case c == '"' || c == '\'':
			quoted, begun = c, true
		case c == '\\' && i+1 < len(input.Text):
			i++
			b.WriteByte(input.Text[i])
			begun = true
		case c == ' ' || c == '\t' || c == '\n':
			flush()
		default:
			b.WriteByte(c)
			begun = true
		}
	}
	flush()
	return words, quoted == 0 && len(words) <= 4*maxSpread
}

// template is a command line that a program fills in and hands to a shell: its
// words up to ":::", with the words after it, or lines of its input, in the
// places marked by braces. Without a command, the input is the commands.
func (r *reader) template(words []Word) {
	end := len(words)
	var lists [][]Word
	files := r.flagWith("arg-file") != nil
	for i, w := range words {
		if !w.IsKnown() || !strings.HasPrefix(w.Text, ":::") {
			if end < len(words) && len(lists) > 0 {
				lists[len(lists)-1] = append(lists[len(lists)-1], w)
			}
			continue
		}
		end = min(end, i)
		lists = append(lists, nil)
		if strings.HasPrefix(w.Text, "::::") {
			files = true
			for _, f := range words[i+1:] {
				if strings.HasPrefix(f.Text, ":::") {
					break
				}
				r.pathUse(tool.Read, f, false)
			}
		}
	}
	line := Word{Reach: tool.Exact, Span: r.inv.Span}
	known := true
	for i, w := range words[:end] {
		if i > 0 {
			line.Text += " "
		}
		line.Text += w.Text
		line.Taint |= w.Taint
		known = known && w.IsKnown()
	}
	var values []Word
	switch {
	case files:
		values = []Word{{Taint: FromFile, Span: r.inv.Span}}
	case len(lists) == 1:
		values = lists[0]
	case len(lists) > 1:
		values = []Word{{Span: r.inv.Span}}
	default:
		lines, ok := r.inputLines(r.inv.Stdin)
		if values = lines; !ok {
			values = []Word{r.inv.Stdin.Line(r.inv.Span)}
		}
	}
	if len(values) > maxSpread {
		values = []Word{{Span: r.inv.Span}}
	}
	for _, v := range values {
		r.fill(line, known, v)
	}
}

// fill runs one command line of a template with a value in its places. The
// program quotes values, so that each is one word or part of one.
func (d *deeds) fill(line Word, known bool, v Word) {
	dir := d.dir
	n := Nested{Shell: "sh", Dir: &dir, Stdin: Data{None: true}, Piped: true}
	script := line
	if known && line.Text != "" && !hasPlace(line.Text) {
		script.Text += " {}"
	}
	switch {
	case line.Text == "" && known:
		script = v
	case !known || strings.Contains(line.Text, "{="):
		script = Word{Taint: line.Taint | v.Taint, Span: line.Span}
	case v.IsKnown() && hasPlace(strings.NewReplacer("{}", "", "{1}", "").Replace(script.Text)), !v.IsKnown():
		// The value is not known, or only a part of it is used.
		if strings.ContainsAny(script.Text, "'\"\\`$&|;<>()#~*?[]!\n") {
			script = Word{Taint: line.Taint | v.Taint, Span: line.Span}
			break
		}
		n.Shell = ""
		for text := range strings.FieldsSeq(script.Text) {
			w := Word{Text: text, Reach: tool.Exact, Taint: line.Taint, Span: line.Span}
			if text == "{}" {
				w = v
			} else if hasPlace(text) {
				head, _, _ := strings.Cut(text, "{")
				w = Word{Text: head, Reach: tool.Prefix, Taint: v.Taint, Span: line.Span}
				if head == "" {
					w.Reach = tool.Anywhere
				}
			}
			n.Words = append(n.Words, w)
		}
		d.inv.Runs = append(d.inv.Runs, n)
		return
	default:
		script.Text = strings.NewReplacer("{}", shellQuote(v.Text), "{1}", shellQuote(v.Text)).Replace(script.Text)
		script.Taint |= v.Taint
	}
	n.Script = &script
	d.inv.Runs = append(d.inv.Runs, n)
}

// hasPlace says whether a template has a place for a value.
func hasPlace(text string) bool {
	if place(text) >= 0 {
		return true
	}
	for _, p := range [...]string{"{1", "{2", "{3", "{4", "{5", "{6", "{7", "{8", "{9", "{+", "{#}", "{%}", "{..", "{=", "{-"} {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
