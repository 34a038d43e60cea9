package command

import (
	"strings"

	"longline/internal/tool"
)

// maxResponse is how many words of a response file are read.
const maxResponse = 4000

// respond puts the words of response files, which a command line names as @FILE, where
// the program puts them. A file that is not there is no such file, unless the script
// writes it: then nobody has seen its words.
func (r *reader) respond(level *Level, words []Word) []Word {
	if !level.Response {
		return words
	}
	var list []Word
	for i, w := range words {
		if w.Reach == tool.Anywhere || len(w.Text) < 2 || w.Text[0] != '@' {
			r.mayRespond(w)
			if list != nil {
				list = append(list, w)
			}
			continue
		}
		if list == nil {
			list = append(list, words[:i]...)
		}
		list = append(list, r.response(w)...)
	}
	if list == nil {
		return words
	}
	return list
}

// mayRespond notes names of files, if one of them is written as a response file.
func (d *deeds) mayRespond(w Word) {
	if w.IsKnown() || !mayBegin(w) {
		return
	}
	switch name := d.fileLike(w, '@'); name {
	case "":
	case UnseenResponse:
		d.gap("a file name that could not be checked may be read as a response file", w.Span)
	default:
		d.gap("the file "+quote(name)+" may be read as a response file", w.Span)
	}
}

// response is the words that stand in one response file.
func (r *reader) response(w Word) []Word {
	file := w.From(1)
	e := r.path(tool.Read, file)
	if !isCertain(e) || r.world == nil || r.world.ReadFile == nil || r.world.Exists == nil {
		r.gap("the file "+quote(file.Text)+" holds further arguments", w.Span)
		return nil
	}
	r.inv.Runs = append(r.inv.Runs, Nested{File: &file, Known: true, Shell: "response"})
	if !r.world.Exists(e.Target) {
		return []Word{w}
	}
	r.pathUse(tool.Read, file, true)
	text, err := r.world.ReadFile(e.Target)
	fields := strings.Fields(string(text))
	if err != nil || len(fields) > maxResponse || strings.ContainsAny(string(text), `"'\#@`) {
		r.gap("the file "+quote(file.Text)+" holds further arguments", w.Span)
		return nil
	}
	list := make([]Word, len(fields))
	for i, field := range fields {
		list[i] = Word{Text: field, Reach: tool.Exact, Span: w.Span}
	}
	return list
}
