package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// uncovered returns the first call that really happened and that no call covers which longline
// believed possible, with those of the same program; nil if there is none.
func uncovered(calls []call, believed []*command.Invocation) *surprise {
	for _, real := range calls {
		if real.argv[0] == "dump" || isCopy(real) {
			continue
		}
		var same []*command.Invocation
		for _, inv := range believed {
			if len(inv.Words) > 0 && mayName(inv.Words[0], real.argv[0]) {
				same = append(same, inv)
			}
		}
		if !slices.ContainsFunc(same, func(inv *command.Invocation) bool { return covers(inv, real) }) {
			return &surprise{real, same}
		}
	}
	return nil
}

// isCopy says whether a call is the one that zsh makes for redirections without a command. Longline judges
// those as they are.
func isCopy(real call) bool { return len(real.argv) == 1 && real.argv[0] == "cat" }

// surprise is a call that nobody believed possible, and the calls of the same program that were.
type surprise struct {
	real     call
	believed []*command.Invocation
}

func (s *surprise) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "ran      %q in %s\n", s.real.argv, s.real.dir)
	for _, inv := range s.believed {
		fmt.Fprintf(&b, "believed %s in %s", described(inv.Words), describe(inv.Dir))
		if inv.Loose > 0 {
			fmt.Fprintf(&b, ", any number from word %d on", inv.Loose-1)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func described(words []command.Word) string {
	var list []string
	for _, w := range words {
		list = append(list, describe(w))
	}
	return "[" + strings.Join(list, " ") + "]"
}

// describe writes down what is known of a word.
func describe(w command.Word) string {
	s := map[tool.Reach]string{tool.Anywhere: "?", tool.Exact: fmt.Sprintf("%q", w.Text), tool.Prefix: fmt.Sprintf("%q?", w.Text), tool.Under: fmt.Sprintf("below %q", w.Text)}[w.Reach]
	if w.Seen != "" {
		s += fmt.Sprintf(" from %q", w.Seen)
	}
	if w.Hollow {
		s += fmt.Sprintf(" or %q", w.IfEmpty)
	}
	if w.Tail != "" {
		s += fmt.Sprintf(" ending in %q", w.Tail)
	}
	for _, f := range []struct {
		is   bool
		name string
	}{{w.Glob, "pattern"}, {w.Plain, "plain"}, {w.Split, "split"}, {w.Tame, "tame"}, {w.Bare, "bare"}, {w.Visible, "visible"}, {w.Made != nil, "made"}} {
		if f.is {
			s += " " + f.name
		}
	}
	return s
}

// mayName says whether the first word of a call may be the name of a program.
func mayName(w command.Word, program string) bool {
	return !w.IsKnown() || filepath.Base(w.Text) == program
}

// covers says whether a call that really happened is one that longline believed possible: it was
// made in a directory, and with words, that the believed ones stand for.
func covers(inv *command.Invocation, real call) bool {
	return coversDir(inv.Dir, real) && coversWords(inv.Words[1:], inv.Loose-1, real.argv[1:])
}

// coversDir says whether a directory is one that a word stands for. The word has the names of the links
// that led there, or of what they lead to.
func coversDir(w command.Word, real call) bool {
	if w.Reach == tool.Exact && resolve(w.Text+"/.") == real.physical+"/." {
		return true
	}
	return coversWord(w, real.dir) || coversWord(w, real.physical)
}

// coversWords says whether words stand for what a program was given. From the first on that may be any
// number of words, each that was given is one of them.
func coversWords(words []command.Word, loose int, argv []string) bool {
	first := len(words)
	if loose >= 0 {
		first = max(0, loose-1)
	}
	if i := slices.IndexFunc(words, func(w command.Word) bool { return w.Split || w.Glob }); i >= 0 {
		first = min(first, i)
	}
	if len(argv) < first || len(argv) > first && first == len(words) {
		return false
	}
	for i, arg := range argv {
		of := words[first:]
		if i < first {
			of = words[i : i+1]
		}
		if !slices.ContainsFunc(of, func(w command.Word) bool { return w.Split || coversWord(w, arg) }) {
			return false
		}
	}
	return true
}

// coversWord says whether a text is one of those that a word stands for.
func coversWord(w command.Word, text string) bool {
	switch {
	case w.Hollow && text == w.IfEmpty, w.Taint&value.Typed != 0: // which is a guess
		return true
	case w.Bare && strings.Contains(text, "/"), w.Visible && strings.HasPrefix(filepath.Base(text), "."):
		return false
	case w.Glob:
		return matches(w, text)
	case w.Reach == tool.Under:
		return isBelow(w, text)
	case w.Reach == tool.Exact && strings.HasPrefix(w.Text, "/dev/fd/"): // which descriptor it is is the shell's affair
		return strings.HasPrefix(text, "/dev/fd/") || strings.HasPrefix(text, "/proc/self/fd/")
	case w.Made != nil && w.Made.Mark == value.Numeral:
		return hasForm(w.Made.Text, text)
	}
	w.Hollow, w.IfEmpty, w.Bare, w.Visible, w.Made = false, "", false, false, nil
	return value.Known(text, tool.Span{}).Leq(w)
}

// hasForm says whether a text is made of constant parts and numbers, one of which may be missing. One
// that was calculated may have a minus.
func hasForm(form, text string) bool {
	form = strings.NewReplacer(value.Numeral, `(-?[0-9]+)?`, value.Numerals, `[-0-9\n]*`).Replace(regexp.QuoteMeta(form))
	return regexp.MustCompile("^" + form + "$").MatchString(text)
}

// matches says whether a pattern is that of a path, or the text itself.
func matches(w command.Word, text string) bool {
	if text == w.Text || text == paths.Unescape(w.Text) {
		return true
	}
	text = seen(w, text)
	if strings.Contains(w.Text, "**") {
		is, sure := paths.Match(strings.ReplaceAll(w.Text, "**/", "*"), text)
		return (is || !sure) && !paths.Climbs(text)
	}
	names, patterns := strings.Split(text, "/"), strings.Split(w.Text, "/")
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
	if !strings.HasPrefix(w.Text, "/") {
		return !strings.HasPrefix(text, "/") && !paths.Climbs(text) && (w.Text == "." || paths.Within(filepath.Clean(text), filepath.Clean(w.Text)))
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
