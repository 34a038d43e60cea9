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
	for i := 0; i < len(script); {
		if n := separator(script[i:]); n > 0 {
			if !end(i) {
				return nil, false
			}
			i += n
			start = i
			continue
		}
		n := harmless(script[i:])
		if n == 0 {
			return nil, false
		}
		i += n
	}
	return all, end(len(script))
}

// separator returns the length of what ends a command at the beginning of a text, else 0.
func separator(text string) int {
	switch {
	case strings.HasPrefix(text, "&&"), strings.HasPrefix(text, "||"):
		return 2
	case strings.HasPrefix(text, "|&"):
		return 0
	case text[0] == '|' || text[0] == ';' || text[0] == '\n':
		return 1
	}
	return 0
}

// harmless returns the length of what is covered by a permission at the beginning of a text:
// one character, a quotation or a redirection; else 0.
func harmless(text string) int {
	switch text[0] {
	case '\'', '"':
		return quoted(text)
	case '\\':
		return 2
	case '$', '`', '(', ')', '{', '}', '#', '|':
		return 0
	case '<':
		if strings.HasPrefix(text, "<<") || strings.HasPrefix(text, "<>") {
			return 0
		}
	case '>', '&':
		return harmlessRedirect(text)
	}
	return 1
}

// harmlessRedirect returns the length of ">&1", ">&2", ">/dev/null" or "&>/dev/null" that the
// text begins with, else 0.
func harmlessRedirect(text string) int {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(text, "&"), ">")
	if !ok {
		return 0
	}
	rest = strings.TrimPrefix(rest, ">")
	if strings.HasPrefix(rest, "&1") || strings.HasPrefix(rest, "&2") {
		rest = rest[2:]
	} else if rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), "/dev/null"); !ok {
		return 0
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
	whole := tool.Span{Start: from, End: to}
	var programs []string
	for {
		from, to = trimmed(script, from, to)
		word, _, _ := strings.Cut(script[from:to], " ")
		programs = append(programs, path.Base(word))
		if word == "fi" || word == "done" {
			return segment{}, from+len(word) == to
		}
		n, ok := leading(script[from:to], word)
		if !ok {
			return segment{}, false
		}
		if n == 0 {
			break
		}
		from += n
	}
	for {
		from, to = trimmed(script, from, to)
		at := strings.LastIndexByte(script[from:to], ' ') + from
		if at < from || !redirection(script[at+1:to]) {
			break
		}
		to = at
	}
	return segment{script[from:to], whole, tool.Span{Start: from, End: to}, programs}, true
}

// trimmed takes the blanks at both ends off what is between two places of a script.
func trimmed(script string, from, to int) (int, int) {
	for from < to && strings.IndexByte(" \t", script[from]) >= 0 {
		from++
	}
	for from < to && strings.IndexByte(" \t", script[to-1]) >= 0 {
		to--
	}
	return from, to
}

// leading is the length of what is before a command, by its first word; 0 if the word is its own.
// It says no to what is not covered there: an assignment, an unusual limit of time.
func leading(text, word string) (int, bool) {
	switch word {
	case "if", "then", "else", "elif", "while", "until", "do", "!", "time", "nohup":
		return len(word), true
	case "timeout":
		rest := strings.TrimLeft(text[len(word):], " ")
		limit, _, _ := strings.Cut(rest, " ")
		return len(text) - len(rest) + len(limit), limit != "" && strings.Trim(limit, "0123456789.smhd") == ""
	}
	name, _, assigns := strings.Cut(word, "=")
	return 0, !assigns || name == "" || strings.Trim(name, letters) != ""
}

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

// redirection says whether a word is one that segments has let through.
func redirection(word string) bool {
	word = strings.TrimLeft(word, "12&")
	return strings.HasPrefix(word, ">") && harmlessRedirect(word) == len(word) || len(word) > 1 && word[0] == '<'
}
