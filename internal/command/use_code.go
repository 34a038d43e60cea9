package command

import (
	"strings"

	"longline/internal/language"
	"longline/internal/tool"
	"longline/internal/value"
)

// Words on the command lines of interpreters that are part of their programs.

// sedSuffixed is the operand behind the script. To the seds of BSD the script was
// the suffix of -i, unless that had one already, and this operand is the script.
func (r *reader) sedSuffixed(w Word) {
	for i := range r.given {
		if g := &r.given[i]; g.flag == nil || !g.flag.has("suffix") || len(g.values) > 0 {
			continue
		}
		d, _ := language.Read("sed", w.Text, nil)
		if !w.IsKnown() || d.Problem != "" {
			return
		}
		for _, x := range d.List {
			if x.Kind == tool.Write {
				r.perform("sed", w, language.Deeds{List: []language.Deed{x}})
			}
		}
	}
}

// yqOperand is the first operand of a program that takes a filter there, or, if
// it is one that can only be a file's name, a file.
func (r *reader) yqOperand(w Word) {
	if e := r.path(tool.Read, w); w.IsKnown() && strings.HasPrefix(w.Text, ".") && e.Reach == tool.Exact && r.exists(e.Target) {
		r.effect(e) // a file of that name goes before the filter
	}
	switch {
	case w.IsKnown() && looksLikeData(w.Text):
		r.pathUse(tool.Read, w, true)
		if r.anyGiven(false, "-i", "--inplace", "--in-place") {
			r.pathUse(tool.Write, w, true)
		}
	case w.Glob:
		r.unread(w)
	default:
		r.code("yq", w)
	}
}

// perlModule is a module that is loaded by a flag: "NAME" or "NAME=names". What
// stands there is put into the program as it is.
func (f *findings) perlModule(w Word) {
	name, list, _ := strings.Cut(w.Text, "=")
	ok := w.IsKnown() && hasWord("strict warnings utf8 feature integer bigint bignum List::Util Scalar::Util POSIX Data::Dumper MIME::Base64 Digest::MD5 Digest::SHA Time::HiRes Time::Local Encode JSON::PP Text::Wrap open", name)
	for i := range len(list) {
		ok = ok && (isWordByte(list[i]) || list[i] == ',' || list[i] == ':' && name == "open")
	}
	if !ok {
		f.gap("longline does not know the module "+quote(w.Text), w.Span)
	}
}

// perlSplit is the pattern of -F, which is put into the program as it is when it
// stands in slashes or quotes.
func (f *findings) perlSplit(w Word) {
	text := w.Text
	if w.IsKnown() && text != "" && strings.IndexByte(`/'"`, text[0]) < 0 && strings.IndexByte(text, 0) < 0 {
		return
	}
	if n := len(text); !w.IsKnown() || n < 2 || text[n-1] != text[0] || strings.ContainsAny(text[1:n-1], `/'"$@({`) {
		f.gap("longline does not follow the pattern "+quote(text), w.Span)
	}
}

// magicFile is a file that an interpreter opens by itself: a name with a bar or
// an arrow at its ends would be a command or another way to open it.
func (r *reader) magicFile(use string, w Word) {
	if text := strings.TrimSpace(w.Text); w.IsKnown() && text != "" && (strings.IndexByte("|<>+&", text[0]) >= 0 || text[len(text)-1] == '|') {
		r.gap("a name that may be a command", w.Span)
	}
	kind := tool.Read
	if use == "write" {
		kind = tool.Write
	}
	r.pathUse(kind, w, true)
}

// looksLikeData says whether a word is a path with an ending that data files
// have, and no filter: a field's name would have a dot in front.
func looksLikeData(text string) bool {
	dot := strings.LastIndexByte(text, '.')
	if dot <= 0 || text[0] == '.' && !strings.HasPrefix(text, "./") && !strings.HasPrefix(text, "../") {
		return false
	}
	for i := range len(text) {
		if c := text[i]; !isWordByte(c) && strings.IndexByte("./-+@~", c) < 0 {
			return false
		}
	}
	return hasWord("yaml yml json toml xml csv tsv ini properties jsonl ndjson lock", text[dot+1:])
}

// pagerCommand is a file to look at, or behind a plus sign what a pager does first: it
// goes to a line, to the end, or to what matches a pattern. Other commands may run a shell.
func (r *reader) pagerCommand(w Word, operand bool) {
	if !strings.HasPrefix(w.Text, "+") {
		r.pathUse(tool.Read, w, operand)
		return
	}
	text, known := w.Form()
	switch command := strings.TrimPrefix(text, "+"); {
	case !known:
	case strings.Trim(command, "0123456789"+value.Numeral) == "", command == "G", command == "F", command == "g":
		return
	case command[0] == '/' && !strings.ContainsFunc(command, func(c rune) bool { return c < ' ' }):
		return
	}
	r.execute("inline:"+r.inv.Name, w.Span)
}

// dataCode is the code that an address holds instead of leading to it: "data:text/javascript,CODE". Of one that cannot be read
// nothing is known.
func dataCode(w Word) (code Word, ok bool) {
	const scheme = "data:"
	if len(w.Text) < len(scheme) || !strings.EqualFold(w.Text[:len(scheme)], scheme) {
		return w, false
	}
	kind, text, _ := strings.Cut(w.Text[len(scheme):], ",")
	text = language.Unescaped(text)
	if strings.HasSuffix(strings.ToLower(strings.TrimSpace(kind)), ";base64") {
		plain, err := language.Base64(text + "==="[:-len(text)&3])
		if err != nil {
			return Word{Span: w.Span}, true
		}
		text = string(plain)
	}
	w.Text, w.At = text, 0
	return w, true
}
