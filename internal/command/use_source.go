package command

import (
	"path"
	"strings"

	"longline/internal/language"
	"longline/internal/tool"
)

// A file of code that is given to its interpreter is read like code in an
// argument: what provably only computes and prints is harmless wherever it
// stands. All others are files that longline does not read.

// maxSource bounds the files that are read; what is longer is seldom so simple.
const maxSource = 64 << 10

// source is the use of a word that names such a file.
func (r *reader) source(lang string, w Word) {
	switch {
	case !w.IsKnown(), isStream(w.Text), w.Taint&FromNet != 0:
	case r.launcher(w):
		return
	case isClient(lang):
		if e, ok := r.readOrders(lang, w); ok {
			r.named(w)
			r.effect(e)
			return
		}
	case r.readSource(lang, w):
		r.named(w)
		return
	}
	r.run(lang, w)
}

// readSource adds what a file does; it is true if all of that could be found out.
func (r *reader) readSource(lang string, w Word) bool {
	e := r.path(tool.Read, w)
	if e.Reach != tool.Exact || e.Pattern {
		return false
	}
	text, ok := r.sourceFile(lang, e.Target)
	if !ok {
		return false
	}
	p := program{lang: lang, text: text, dir: Word{Text: path.Dir(e.Target), Reach: tool.Exact, Span: w.Span}, word: w, file: true}
	args := r.scriptArgs(w)
	if len(args) == 0 || args[0].Span != w.Span {
		return false // not an operand: what the code sees as its arguments is not known
	}
	if p.args = args[1:]; !r.follow(p) {
		return false
	}
	r.effect(e)
	// One that this very script writes is not what is on the disk.
	w.Text = e.Target
	r.inv.Runs = append(r.inv.Runs, Nested{File: &w, Args: args, Known: true, Shell: lang})
	return true
}

// fedFile is a file that an interpreter reads as its standard input.
func (r *reader) fedFile(lang string, w Word) {
	r.named(w)
	if _, ok := r.readOrders(lang, w); !ok {
		r.runFile(lang, w)
	}
}

// readOrders adds what the text of a file does that is read from its beginning to its end, like standard input. ok is false if it
// could not be read.
func (r *reader) readOrders(lang string, w Word) (read tool.Effect, ok bool) {
	e := r.path(tool.Read, w)
	if !w.IsKnown() || e.Reach != tool.Exact || e.Pattern || w.Taint&FromNet != 0 {
		return e, false
	}
	text, ok := r.sourceFile(lang, e.Target)
	if !ok || !r.follow(program{lang: lang, text: text, args: r.codeArgs(), dir: r.dir, word: w}) {
		return e, false
	}
	w.Text = e.Target
	r.inv.Runs = append(r.inv.Runs, Nested{File: &w, Known: true, Shell: lang})
	return e, true
}

// sourceFile is the text of a program in a file.
func (s *surroundings) sourceFile(lang, file string) (text string, ok bool) {
	if s.world.ReadFile == nil || lang == "node" && !language.IsJavaScript(path.Ext(file)) {
		return "", false // other endings stand for other languages, or for machine code
	}
	if s.world.Readlink != nil {
		if _, err := s.world.Readlink(file); err == nil {
			return "", false // modules are looked for where the link points
		}
	}
	data, err := s.world.ReadFile(file)
	if err != nil || len(data) > maxSource {
		return "", false
	}
	return sourceText(lang, string(data))
}

// sourceText is the program in a file, as its interpreter reads it. ok is false
// where the first line could make it another program.
func sourceText(lang, text string) (program string, ok bool) {
	if strings.HasPrefix(text, "#!") {
		line, rest, _ := strings.Cut(text, "\n")
		name, flags := Shebang(line)
		if !strings.HasPrefix(name, lang) || flags != "" && flags != "-w" {
			return "", false // some interpreters heed what the line says
		}
		text = "\n" + rest
	}
	if lang == "php" {
		// All before this mark is printed, and marks in it would begin code.
		text, ok = strings.CutPrefix(strings.TrimPrefix(text, "\n"), "<?php")
		return text, ok && (text == "" || isBlank(text[0]) || text[0] == '\n')
	}
	return text, true
}

// Shebang is the interpreter that the first line of a file names, without its
// directory, and the flags that it gives it.
func Shebang(line string) (name, flags string) {
	words := strings.Fields(strings.TrimPrefix(line, "#!"))
	if len(words) > 1 && path.Base(words[0]) == "env" {
		words = words[1:]
	}
	if len(words) == 0 {
		return "", ""
	}
	return path.Base(words[0]), strings.Join(words[1:], " ")
}
