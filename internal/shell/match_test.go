package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// covered says whether an argument vector that bash ran is among the
// invocations of a result.
func covered(res Result, argv []string) bool {
	for _, inv := range res.Invocations {
		if len(inv.Words) > 0 && fits(inv.Words, argv) {
			return true
		}
	}
	return false
}

// fits says whether words can stand for an argument vector. A word that may be
// anything, and a pattern, may stand for any number of arguments.
func fits(words []command.Word, argv []string) bool {
	if len(words) == 0 {
		return len(argv) == 0
	}
	w := words[0]
	if w.Glob || w.Reach == tool.Under || w.Reach == tool.Anywhere && !w.Plain {
		for n := 0; n <= len(argv); n++ {
			if n > 0 && w.Glob && !globFits(w, argv[n-1]) {
				return false
			}
			if fits(words[1:], argv[n:]) {
				return true
			}
		}
		return false
	}
	if len(argv) == 0 || !fitsOne(w, argv[0]) {
		// The command that prints a plain word may print nothing.
		return w.Plain && w.Reach == tool.Anywhere && fits(words[1:], argv)
	}
	return fits(words[1:], argv[1:])
}

func globFits(w command.Word, arg string) bool {
	if is, sure := paths.Match(strings.ReplaceAll(w.Text, "**/", "*"), arg); is || !sure {
		return true
	}
	var plain strings.Builder
	for i := 0; i < len(w.Text); i++ {
		if w.Text[i] == '\\' && i+1 < len(w.Text) {
			i++
		}
		plain.WriteByte(w.Text[i])
	}
	return arg == w.Text || arg == plain.String()
}

func fitsOne(w command.Word, arg string) bool {
	switch w.Reach {
	case tool.Exact:
		// Which descriptor a process substitution gets is bash's affair.
		return w.Text == arg || strings.HasPrefix(arg, "/dev/fd/") && strings.HasPrefix(w.Text, "/dev/fd/")
	case tool.Prefix:
		return strings.HasPrefix(arg, w.Text)
	}
	return true
}

// fitsDir says whether a directory can be the one that a word stands for.
func fitsDir(w command.Word, dir string) bool {
	switch w.Reach {
	case tool.Exact:
		return w.Text == dir
	case tool.Under:
		return paths.Within(dir, w.Text)
	}
	return true
}
