// Package belief says whether what a shell really ran is what the reader of scripts believed possible.
package belief

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// Covers says whether the words of an invocation stand for what was run, the program first. From the
// first on that may be any number of words, each that was given is one of them.
func Covers(inv *command.Invocation, argv []string) bool {
	words, first := inv.Words, len(inv.Words)
	if inv.Loose > 0 {
		first = min(first, inv.Loose-1)
	}
	if i := slices.IndexFunc(words, func(w command.Word) bool { return w.Split || w.Glob }); i >= 0 {
		first = min(first, i)
	}
	if len(argv) < first {
		return false
	}
	for i, arg := range argv {
		of := words[first:]
		if i < first {
			of = words[i : i+1]
		}
		if !slices.ContainsFunc(of, func(w command.Word) bool { return w.Split || Stands(w, arg) }) {
			return false
		}
	}
	return true
}

// Stands says whether a text is one of those that a word stands for.
func Stands(w command.Word, text string) bool {
	switch {
	case w.Hollow && text == w.IfEmpty, w.Taint&value.Typed != 0: // which is a guess
		return true
	case w.Bare && strings.Contains(text, "/"), w.Visible && strings.HasPrefix(filepath.Base(text), "."):
		return false
	case w.Glob:
		return matches(w, w.Text, text) || w.Hollow && matches(w, w.IfEmpty, text)
	case w.Reach == tool.Under:
		return isBelow(w, text)
	case w.Reach == tool.Exact && strings.HasPrefix(w.Text, "/dev/fd/"): // which descriptor it is is the shell's affair
		return strings.HasPrefix(text, "/dev/fd/") || strings.HasPrefix(text, "/proc/self/fd/")
	case w.Made != nil && w.Made.Mark == value.Numeral:
		return hasForm(w.Made.Text, text)
	}
	w.Hollow, w.IfEmpty, w.Bare, w.Visible, w.Found, w.Made, w.Of, w.Taint = false, "", false, false, false, nil, "", w.Taint|value.Followed
	return value.Known(text, tool.Span{}).Leq(w)
}

// hasForm says whether a text is made of constant parts and numbers, one of which may be missing. One
// that was calculated may have a minus and, in zsh, be a fraction or none.
func hasForm(form, text string) bool {
	form = strings.NewReplacer(value.Numeral, `(-?([0-9.]+(e[-+]?[0-9]+)?|Inf|NaN))?`, value.Numerals, `[-+.0-9eIfnaN\n]*`).Replace(regexp.QuoteMeta(form))
	return regexp.MustCompile("^" + form + "$").MatchString(text)
}

// matches says whether a pattern of a word is that of a path, or the text itself.
func matches(w command.Word, pattern, text string) bool {
	if text == pattern || text == paths.Unescape(pattern) {
		return true
	}
	text = seen(w, text)
	if strings.Contains(pattern, "**") {
		text, pattern = filepath.Clean(text), filepath.Clean(pattern) // a search keeps what its operand is written with
		is, sure := paths.Match(strings.ReplaceAll(pattern, "**/", "*"), text)
		fixed, _, _ := strings.Cut(pattern, "**")
		return (is || !sure) && !paths.Climbs(strings.TrimPrefix(text, fixed))
	}
	names, patterns := strings.Split(text, "/"), strings.Split(pattern, "/")
	if len(names) != len(patterns) {
		return false
	}
	for i, name := range names {
		if is, sure := paths.Match(patterns[i], name); !is && sure {
			return false
		}
	}
	return true
}

// isBelow says whether a text is a path at or below a directory.
func isBelow(w command.Word, text string) bool {
	text = seen(w, text)
	if rest, ok := strings.CutPrefix(text, w.Text); ok && (rest == "" || rest[0] == '/' && !paths.Climbs(rest)) {
		return true
	}
	if !strings.HasPrefix(w.Text, "/") {
		text, dir := filepath.Clean(text), filepath.Clean(w.Text)
		return !strings.HasPrefix(text, "/") && (dir == "." && !paths.Climbs(text) || paths.Within(text, dir) && !paths.Climbs(strings.TrimPrefix(text, dir)))
	}
	return strings.HasPrefix(text, "/") && paths.Within(paths.Clean("/", text), w.Text)
}

// seen is a path as it is seen from where the list was made that it is of.
func seen(w command.Word, text string) string {
	if w.Seen == "" || strings.HasPrefix(text, "/") {
		return text
	}
	return strings.TrimSuffix(string(w.Seen), "/") + "/" + strings.TrimPrefix(text, "./")
}
