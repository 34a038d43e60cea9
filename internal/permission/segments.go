package permission

import (
	"path"
	"strings"

	"longline/internal/tool"
)

// segment is one command of a script as it is written, redirections that
// change nothing left out.
type segment struct {
	text     string
	span     tool.Span // with the wrappers in front of it and the redirections
	own      tool.Span // of text
	programs []string  // the program, and the wrappers in front of it
}

// quoted is how long a text in quotes is; 0 if it does not end, or has something
// to expand in it.
func quoted(text string) int {
	if text[0] == '\'' {
		if n := strings.IndexByte(text[1:], '\''); n >= 0 {
			return n + 2
		}
		return 0
	}
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i + 1
		case '$', '`':
			return 0
		case '\\':
			i++
		}
	}
	return 0
}

// segments takes a script apart at && || ; | and line ends. It says no to what
// the client's allow rules do not cover: expansions, substitutions, groups, the
// background, files that are written, here-documents, assignments in front.
func segments(script string) ([]segment, bool) {
	var all []segment
	start := 0
	end := func(at int) bool {
		s, ok := cut(script, start, at)
		if s.text != "" {
			all = append(all, s)
		}
		return ok
	}
	for i := 0; i < len(script); i++ {
		next := byte(0)
		if i+1 < len(script) {
			next = script[i+1]
		}
		switch c := script[i]; c {
		case '\'', '"':
			n := quoted(script[i:])
			if n == 0 {
				return nil, false
			}
			i += n - 1
		case '\\':
			i++
		case '$', '`', '(', ')', '{', '}', '#':
			return nil, false
		case '<':
			if next == '<' || next == '>' {
				return nil, false
			}
		case '>':
			n := harmlessRedirect(script[i:])
			if n == 0 {
				return nil, false
			}
			i += n - 1
		case '&':
			switch {
			case strings.HasPrefix(script[i:], "&>"):
				n := harmlessRedirect(script[i+1:])
				if n == 0 {
					return nil, false
				}
				i += n
			case next != '&':
				return nil, false
			default:
				if !end(i) {
					return nil, false
				}
				i++
				start = i + 1
			}
		case '|':
			if next == '&' || !end(i) {
				return nil, false
			}
			if next == '|' {
				i++
			}
			start = i + 1
		case ';', '\n':
			if !end(i) {
				return nil, false
			}
			start = i + 1
		}
	}
	return all, end(len(script))
}

// harmlessRedirect returns the length of ">&1", ">&2" or ">/dev/null" that the
// text begins with, else 0.
func harmlessRedirect(text string) int {
	rest := strings.TrimPrefix(text, ">")
	rest = strings.TrimPrefix(rest, ">")
	if strings.HasPrefix(rest, "&1") || strings.HasPrefix(rest, "&2") {
		rest = rest[2:]
	} else {
		var ok bool
		if rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), "/dev/null"); !ok {
			return 0
		}
	}
	if rest != "" && !strings.ContainsRune(" \t\n;|&", rune(rest[0])) {
		return 0
	}
	return len(text) - len(rest)
}

// cut is the command between two places of a script, without the words of
// if and the like, without wrappers that change nothing about it, and without the
// redirections at its end. An assignment in front is none of a command's business.
func cut(script string, from, to int) (segment, bool) {
	trim := func() {
		for from < to && strings.IndexByte(" \t", script[from]) >= 0 {
			from++
		}
		for from < to && strings.IndexByte(" \t", script[to-1]) >= 0 {
			to--
		}
	}
	whole := tool.Span{Start: from, End: to}
	var programs []string
	for {
		trim()
		word, _, _ := strings.Cut(script[from:to], " ")
		programs = append(programs, path.Base(word))
		switch word {
		case "if", "then", "else", "elif", "while", "until", "do", "!", "time", "nohup":
			from += len(word)
			continue
		case "fi", "done":
			return segment{}, from+len(word) == to
		case "timeout":
			rest := strings.TrimLeft(script[from+len(word):to], " ")
			limit, _, _ := strings.Cut(rest, " ")
			if limit == "" || strings.Trim(limit, "0123456789.smhd") != "" {
				return segment{}, false
			}
			from = to - len(rest) + len(limit)
			continue
		}
		if name, _, ok := strings.Cut(word, "="); ok && name != "" && strings.Trim(name, letters) == "" {
			return segment{}, false
		}
		break
	}
	for {
		trim()
		at := strings.LastIndexByte(script[from:to], ' ') + from
		if at < from || !redirection(script[at+1:to]) {
			break
		}
		to = at
	}
	return segment{script[from:to], whole, tool.Span{Start: from, End: to}, programs}, true
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// redirection says whether a word is one that segments has let through.
func redirection(word string) bool {
	word = strings.TrimLeft(word, "12&")
	return strings.HasPrefix(word, ">") && harmlessRedirect(word) == len(word) || len(word) > 1 && word[0] == '<'
}
