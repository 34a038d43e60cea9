package command

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
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
	input := r.spreadInput()
	if g := r.flagWith("arg-file"); g != nil && !(len(g.values) == 1 && namesInput(g.values[0])) {
		input = Data{Taint: FromFile}
	} else {
		n.Stdin = Data{None: true}
	}
	if r.flagWith("delimiter") != nil {
		input = input.Parted()
	}
	if mark, ok := r.mark(); ok {
		r.replace(n, mark, input)
		if !r.markTakenBack() {
			return
		}
	}
	batches, known := batches(r, input)
	if !known {
		n.Again = true
		n.More, n.Input, n.Each = true, input, r.flagWith("batch") != nil && r.batchSize(2) == 1
		r.inv.Runs = append(r.inv.Runs, n)
		return
	}
	command := n.Words
	if input.Hollow { // it may be nothing, with which the command runs as well
		batches = append(batches, nil)
	}
	for _, batch := range batches {
		n.Words = append(append([]Word(nil), command...), batch...)
		r.inv.Runs = append(r.inv.Runs, n)
	}
}

// batches are the words of a known input, as they are given to one command after the other. There is at
// least one.
func batches(r *reader, input Data) (list [][]Word, known bool) {
	if r.flagWith("batch-lines") != nil {
		return lineBatches(r, input)
	}
	words, known := r.inputWords(input)
	for size := r.batchSize(len(words)); known; {
		batch := words[:min(size, len(words))]
		words = words[len(batch):]
		if list = append(list, batch); len(words) == 0 {
			break
		}
	}
	return list, known
}

// lineBatches are the words of a known input if each command gets those of a line. One that ends with a
// blank goes on in the next, which is not followed.
func lineBatches(r *reader, input Data) (list [][]Word, known bool) {
	if input.Reach != tool.Exact || input.None || !r.lineByLine() || strings.ContainsAny(input.Text, `"'\`) {
		return nil, false
	}
	for text := range strings.Lines(input.Text) {
		line := input
		line.Text = strings.TrimSuffix(text, "\n")
		words, known := r.inputWords(line)
		if !known || len(list) == maxSpread || strings.TrimRight(line.Text, " \t") != line.Text {
			return nil, false
		}
		if len(words) > 0 {
			list = append(list, words)
		}
	}
	if len(list) == 0 {
		list = [][]Word{nil}
	}
	return list, true
}

// lineByLine says whether each command gets the words of one line, and nothing else divides the input.
func (l *commandLine) lineByLine() bool {
	if l.flagWith("batch") != nil || l.flagWith("delimiter") != nil {
		return false
	}
	values := l.flagWith("batch-lines").values
	return len(values) == 0 || values[0].IsKnown() && (values[0].Text == "" || values[0].Text == "1")
}

// spreadInput is what standard input holds for such a command. If nothing is connected,
// what somebody may type are most likely names of files that are here. That is enough to
// read them, and for nothing else.
func (f *findings) spreadInput() Data {
	dir := f.inv.Dir
	switch {
	case !f.inv.Stdin.None:
		return f.inv.Stdin
	case dir.Reach == tool.Prefix:
		return Data{}
	}
	return Data{Text: dir.Text, Reach: min(dir.Reach, tool.Under), Taint: Typed, Seen: value.Vantage(dir.Text)}
}

// batchSize is how many words of input go into one command, out of all that there are.
func (l *commandLine) batchSize(all int) int {
	g := l.flagWith("batch")
	switch {
	case g == nil:
		return all
	case len(g.values) == 1 && g.values[0].IsKnown():
		return max(1, atoi(g.values[0].Text))
	}
	return 1
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

// markTakenBack says whether a flag behind that of the mark says how many words or lines each command
// gets. With GNU, the mark is then a word like any other and the input comes behind the command; one
// word at a time is what the mark means anyway. With BSD, the mark stays. So both are read.
func (l *commandLine) markTakenBack() bool {
	for i := len(l.given) - 1; i >= 0; i-- {
		switch g := l.given[i]; {
		case g.flag == nil:
		case g.flag.has("replace"):
			return false
		case g.flag.has("batch-lines"), g.flag.has("batch") && !(len(g.values) == 1 && g.values[0].IsKnown() && g.values[0].Text == "1"):
			return true
		}
	}
	return false
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
	n.Once = input.Single && mark.IsKnown()
	n.Again = !known && !n.Once
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
	return putInPart(w, mark, line)
}

// putInPart is a word of which the mark is a part, with a line in its place of which not all
// is known.
func putInPart(w, mark, line Word) Word {
	head, tail, _ := strings.Cut(w.Text, mark.Text)
	if line.Bare && isOneName(w) && !strings.Contains(tail, mark.Text) && !secondDot(tail) {
		return Word{Text: paths.Escape(head) + "*" + paths.Escape(tail), Reach: tool.Exact, Glob: true, Taint: line.Taint, Span: w.Span}
	}
	out := Word{Text: head, Reach: tool.Prefix, Taint: w.Taint | line.Taint, Span: w.Span}
	if w.IsKnown() && (line.Reach == tool.Under || line.Glob) {
		out.Made = &Made{Text: w.Text, Mark: mark.Text, By: line}
	}
	switch {
	case head != "":
	case w.IsKnown() && staysBelow(line, tail, mark.Text):
		out.Text, out.Reach, out.Seen = line.Text, tool.Under, line.Seen
	default:
		out.Reach = tool.Anywhere
	}
	return out
}

// isOneName says whether a word is known and has no blanks.
func isOneName(w Word) bool { return w.IsKnown() && !strings.ContainsAny(w.Text, " \n") }

// staysBelow says whether a path is below a directory, and stays there if a text follows.
func staysBelow(path Word, tail, mark string) bool {
	return path.Reach == tool.Under && !strings.Contains(tail, "..") && !strings.Contains(tail, mark) && !secondDot(tail)
}

// secondDot says whether a text behind a dot makes it the directory above.
func secondDot(text string) bool { return text == "." || strings.HasPrefix(text, "./") }

// inputLines is the lines of a known input.
func (r *reader) inputLines(input Data) (lines []Word, known bool) {
	if input.Reach != tool.Exact || input.None {
		return nil, false
	}
	separator, ok := r.separator(input.Text)
	if !ok || input.Text == "" {
		return nil, ok
	}
	given := r.flagWith("delimiter") != nil
	for line := range strings.SplitSeq(strings.TrimSuffix(input.Text, separator), separator) {
		if len(lines) == maxSpread {
			return nil, false
		}
		if !given {
			if line = strings.TrimLeft(line, " \t"); line == "" {
				continue
			}
		}
		lines = append(lines, Word{Text: line, Reach: tool.Exact, Taint: input.Taint, Span: r.inv.Span})
	}
	return lines, true
}

// separator is what ends each line of an input. Without a delimiter there may be quotes,
// which are followed only where words are split.
func (l *commandLine) separator(input string) (separator string, ok bool) {
	g := l.flagWith("delimiter")
	switch {
	case g == nil:
		return "\n", !strings.ContainsAny(input, `"'\`)
	case len(g.values) != 1 || g.values[0].Text == "":
		return "\x00", true
	}
	text, ok := unescape(g.values[0].Text)
	return text, ok && g.values[0].IsKnown() && len(text) == 1
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
	s := splitter{word: Word{Reach: tool.Exact, Taint: input.Taint, Span: r.inv.Span}}
	for i := 0; i < len(input.Text); {
		i = s.next(input.Text, i)
	}
	s.end()
	return s.words, s.quoted == 0 && len(s.words) <= 4*maxSpread
}

// splitter takes a text apart at blanks.
type splitter struct {
	words  []Word
	word   Word // what all words are alike in
	text   strings.Builder
	begun  bool // a word has begun, if only with a quote
	quoted byte // the quote that is open; 0 if none is
}

// end ends a word that has begun.
func (s *splitter) end() {
	if s.begun {
		w := s.word
		w.Text = s.text.String()
		s.words = append(s.words, w)
	}
	s.text.Reset()
	s.begun = false
}

// next reads what stands at a place of the text, and returns the next place.
func (s *splitter) next(text string, i int) int {
	switch c := text[i]; {
	case s.quoted != 0 && c == s.quoted:
		s.quoted = 0
	case s.quoted != 0:
		s.text.WriteByte(c)
	case c == '"' || c == '\'':
		s.quoted, s.begun = c, true
	case c == '\\' && i+1 < len(text):
		s.text.WriteByte(text[i+1])
		s.begun = true
		return i + 2
	case isBlank(c):
		s.end()
	default:
		s.text.WriteByte(c)
		s.begun = true
	}
	return i + 1
}

// template is a command line that a program fills in and hands to a shell: its
// words up to ":::", with the words after it, or lines of its input, in the
// places marked by braces. Without a command, the input is the commands.
func (r *reader) template(words []Word) {
	command, lists, files := r.templateLists(words)
	line := Word{Reach: tool.Exact, Span: r.inv.Span}
	for i, w := range command {
		if i > 0 {
			line.Text += " "
		}
		line.Text += w.Text
		line.Taint |= w.Taint
	}
	values := r.templateValues(lists, files || r.flagWith("arg-file") != nil)
	if len(values) > maxSpread {
		values = []Word{{Span: r.inv.Span}}
	}
	for _, v := range values {
		r.fill(line, allKnown(command), v)
	}
}

// templateLists divides the words of a template into the command and the lists of values
// behind it. It says whether values are in files, which are read.
func (r *reader) templateLists(words []Word) (command []Word, lists [][]Word, files bool) {
	inFile := false
	for _, w := range words {
		switch {
		case w.IsKnown() && strings.HasPrefix(w.Text, ":::"):
			lists = append(lists, nil)
			inFile = strings.HasPrefix(w.Text, "::::")
			files = files || inFile
		case len(lists) == 0:
			command = append(command, w)
		default:
			lists[len(lists)-1] = append(lists[len(lists)-1], w)
			if inFile = inFile && !strings.HasPrefix(w.Text, ":::"); inFile {
				r.pathUse(tool.Read, w, false)
			}
		}
	}
	return command, lists, files
}

// templateValues are what is put into a template, one after the other.
func (r *reader) templateValues(lists [][]Word, files bool) []Word {
	switch {
	case files:
		return []Word{{Taint: FromFile, Span: r.inv.Span}}
	case len(lists) == 1:
		return lists[0]
	case len(lists) > 1:
		return []Word{{Span: r.inv.Span}}
	}
	if lines, ok := r.inputLines(r.inv.Stdin); ok {
		return lines
	}
	return []Word{r.inv.Stdin.Line(r.inv.Span)}
}

// fill runs one command line of a template with a value in its places. The
// program quotes values, so that each is one word or part of one.
func (d *deeds) fill(line Word, known bool, v Word) {
	dir := d.dir
	n := Nested{Shell: "sh", Dir: &dir, Stdin: Data{None: true}, Piped: true, Again: !v.IsKnown()}
	script := line
	if !hasPlace(line.Text) {
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
		n.Shell, n.Words = "", filled(script, v)
		d.inv.Runs = append(d.inv.Runs, n)
		return
	default:
		script.Text = strings.NewReplacer("{}", shellQuote(v.Text), "{1}", shellQuote(v.Text)).Replace(script.Text)
		script.Taint |= v.Taint
	}
	n.Script = &script
	d.inv.Runs = append(d.inv.Runs, n)
}

// filled is the words of a plain command with a value in their places.
func filled(script, v Word) (words []Word) {
	for text := range strings.FieldsSeq(script.Text) {
		w := Word{Text: text, Reach: tool.Exact, Taint: script.Taint, Span: script.Span}
		if text == "{}" {
			w = v
		} else if hasPlace(text) {
			head, _, _ := strings.Cut(text, "{")
			w = Word{Text: head, Reach: tool.Prefix, Taint: v.Taint, Span: script.Span}
			if head == "" {
				w.Reach = tool.Anywhere
			}
		}
		words = append(words, w)
	}
	return words
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
