package command

import (
	"strings"

	"longline/internal/tool"
)

// taskUse is a word that names a task of the project.
func (r *reader) taskUse(kind string, w Word) {
	if kind == "make" {
		r.makeOperand(w)
	} else {
		args := r.afterOperand(w)
		if r.flagOf(w) != "" { // all operands are for the task that a flag names
			args = r.oper
		}
		r.task(kind, w, args)
	}
}

// rubyLibrary is a library that becomes part of a program.
func (f *findings) rubyLibrary(w Word) {
	if !w.IsKnown() || !hasWord("json yaml date time set digest base64 securerandom pp csv bigdecimal", w.Text) {
		f.gap("longline does not know the library "+quote(w.Text), w.Span)
	}
}

// psqlOutput is a file, or behind a bar a command.
func (r *reader) psqlOutput(w Word) {
	if cmd, ok := strings.CutPrefix(w.Text, "|"); ok || w.Reach == tool.Anywhere {
		script := w
		script.Text, script.At = cmd, w.At.Shift(1)
		r.scriptUse("sh", script, false)
	} else {
		r.pathUse(tool.Write, w, false)
	}
}

// afterOperand is the operands that follow one.
func (l *commandLine) afterOperand(w Word) []Word {
	for i := range l.oper {
		if isSame(l.oper[i], w) {
			return l.oper[i+1:]
		}
	}
	return nil
}

// takesOne says whether a flag has one value, whose first use is this.
func (f *Flag) takesOne(u Use) bool {
	return len(f.Values) == 1 && len(f.Values[0]) > 0 && f.Values[0][0] == u
}

// pieces is the whole program to which a word belongs: some programs join the
// values of all their flags of this use, line by line. Only the first piece
// stands for the whole; of the others nothing is left.
func (l *commandLine) pieces(u Use, w Word) Word {
	var parts []Word
	for i := range l.given {
		if g := &l.given[i]; g.flag != nil && len(g.values) == 1 && g.flag.takesOne(u) {
			parts = append(parts, g.values[0])
		}
	}
	if len(parts) < 2 {
		return w
	}
	if !isSame(parts[0], w) {
		return Word{Reach: tool.Exact, Span: w.Span}
	}
	var b strings.Builder
	for i, p := range parts {
		if !p.IsKnown() {
			return p
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.Text)
	}
	return Word{Text: b.String(), Reach: tool.Exact, Span: w.Span}
}
