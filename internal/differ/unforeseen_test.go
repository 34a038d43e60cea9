//go:build unix

package differ

import (
	"fmt"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/differ/belief"
	"longline/internal/tool"
)

// uncovered returns the first call that really happened and that no call covers which longline
// believed possible, with those of the same program; nil if there is none.
func uncovered(calls []call, believed []*command.Invocation) *surprise {
	for _, real := range calls {
		if real.argv[0] == "dump" || isCopy(real) {
			continue
		}
		if !slices.ContainsFunc(believed, func(inv *command.Invocation) bool { return covers(inv, real) }) {
			return &surprise{real, slices.DeleteFunc(slices.Clone(believed), func(inv *command.Invocation) bool {
				return len(inv.Words) == 0 || !belief.Stands(inv.Words[0], real.argv[0])
			})}
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
	}{{w.Glob, "pattern"}, {w.Plain, "plain"}, {w.Split, "split"}, {w.Tame, "tame"}, {w.Bare, "bare"}, {w.Visible, "visible"}, {w.Found, "found"}, {w.Made != nil, "made"}} {
		if f.is {
			s += " " + f.name
		}
	}
	return s
}

// covers says whether a call that really happened is one that longline believed possible: it was
// made in a directory, and with words, that the believed ones stand for.
func covers(inv *command.Invocation, real call) bool {
	return coversDir(inv.Dir, real) && belief.Covers(inv, real.argv)
}

// coversDir says whether a directory is one that a word stands for. The word has the names of the links
// that led there, or of what they lead to.
func coversDir(w command.Word, real call) bool {
	if w.Reach == tool.Exact && resolve(w.Text+"/.") == real.physical+"/." {
		return true
	}
	return belief.Stands(w, real.dir) || belief.Stands(w, real.physical)
}
