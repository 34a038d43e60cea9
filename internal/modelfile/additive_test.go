package modelfile

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// TestAddingNeverRemoves takes every example and adds, one at a time, every flag
// that its command knows, an unknown flag, and an operand. What the command did
// before it must still do: a flag cannot talk longline out of an effect. The
// exceptions are named by the models themselves: rehearsals (dry), flags that make
// it another command (instead), and modes that hold only unless a flag, or while
// no operand, is given.
func TestAddingNeverRemoves(t *testing.T) {
	lib, parsed := load(t)
	checked := 0
	// Two examples are enough for each flag of each level.
	tried := map[*command.Level]map[string]int{}
	for name, f := range parsed {
		for _, e := range f.Examples {
			words := Split(e.Run)
			if strings.Contains(words[0].Text, "=") {
				continue // an assignment in front
			}
			base := read(lib, words, e.Stdin)
			levels, at := entered(lib, base, words)
			if levels == nil || base.Gaps != nil {
				continue
			}
			if slices.ContainsFunc(base.Flags, func(f string) bool { return handsOn(levels, f) }) {
				continue // what follows that flag belongs to another command
			}
			last := levels[len(levels)-1]
			var added []string
			for _, l := range levels {
				for _, flag := range slices.Concat(l.Flags.All(), l.Global.All()) {
					if l == last || slices.ContainsFunc(l.Global.All(), func(g command.Flag) bool { return g.Name == flag.Name }) {
						added = append(added, flag.Name)
					}
				}
			}
			added = append(added, "--no-such-flag", "-\u00a7", "extra-operand")
			for _, add := range added {
				if tried[last] == nil {
					tried[last] = map[string]int{}
				}
				if tried[last][add]++; tried[last][add] > 2 || exempt(levels, add) || handsOn(levels, add) {
					continue
				}
				where := at // a flag behind the subcommand, an operand behind the last word
				if !strings.HasPrefix(add, "-") {
					where = len(words)
				}
				more := slices.Insert(slices.Clone(words), where, flagWords(levels, add)...)
				got := read(lib, more, e.Stdin)
				checked++
				for _, effect := range base.Effects {
					if !slices.ContainsFunc(got.Effects, func(g tool.Effect) bool { return covers(g, effect) }) {
						t.Errorf("%s (%s): adding %q removes %s", e.Run, name, add, describeEffect(effect, "/home/dev/proj", "/home/dev"))
					}
				}
			}
		}
	}
	t.Logf("%d additions", checked)
}

// covers says whether an effect is at least as bad as another.
func covers(g, e tool.Effect) bool {
	if g.Kind != e.Kind {
		return false
	}
	if g.Reach == tool.Anywhere {
		return true
	}
	if read, ok := strings.CutSuffix(e.Target, ".read"); ok && e.Kind == tool.Control && strings.HasPrefix(g.Target, read+".") {
		return true // changing something is worse than looking at it
	}
	if g.Tree && (e.Target == g.Target || strings.HasPrefix(e.Target, g.Target+"/")) {
		return true
	}
	return g.Target == e.Target && !e.Tree && g.Reach <= e.Reach
}

// entered finds the levels that an invocation entered, and the index of the first
// word after the last subcommand.
func entered(lib *command.Library, inv *command.Invocation, words []command.Word) (levels []*command.Level, at int) {
	m := lib.Find(inv.Name)
	if m == nil {
		return nil, 0
	}
	level, at := &m.Level, 1
	levels = append(levels, level)
	for _, name := range inv.Path[1:] {
		for at < len(words) && words[at].Text != name {
			at++
		}
		at++
		next := level
		for _, s := range level.Subs.All() {
			if slices.ContainsFunc(s.Names, func(n string) bool { return n == name || strings.Contains(n, "*") }) {
				next = s.Level
				break
			}
		}
		level = next
		levels = append(levels, level)
	}
	return levels, at
}

// handsOn says whether a flag takes all further words for another command.
func handsOn(levels []*command.Level, name string) bool {
	for _, l := range levels {
		for _, f := range slices.Concat(l.Flags.All(), l.Global.All()) {
			if f.Name == name && len(f.Values) > 0 && len(f.Values[0]) > 0 && strings.HasSuffix(f.Values[0][0].Name, "-module") {
				return true
			}
		}
	}
	return false
}

func exempt(levels []*command.Level, add string) bool {
	isFlag := strings.HasPrefix(add, "-")
	for _, l := range levels {
		if l.Grammar == command.Bundle || l.Grammar == command.KeyVal || l.Grammar == command.Plain {
			return true // the first word, or every word, is read by its place
		}
		if slices.Contains(l.Instead, add) {
			return true
		}
		if slices.ContainsFunc(l.Dry, func(d string) bool { d, _, _ = strings.Cut(d, "="); return d == add }) {
			return true
		}
		for _, m := range l.Modes {
			if !isFlag && len(m.Items) > 1 {
				return true
			}
			if slices.ContainsFunc(m.Unless, func(u string) bool { u, _, _ = strings.Cut(u, "="); return u == add }) || m.Operands == command.None && !isFlag {
				return true
			}
		}
		if !isFlag && (!l.Permute || !l.Subs.Empty()) {
			return true // another first operand is another command
		}
		// Where the operands have fixed places, one more shifts the others.
		if !isFlag && (len(l.Operands) != 1 || !l.Operands[0].Many) {
			return true
		}
		for _, f := range slices.Concat(l.Flags.All(), l.Global.All()) {
			if f.Name == add && slices.ContainsFunc(f.Values, func(us []command.Use) bool {
				return slices.ContainsFunc(us, func(u command.Use) bool {
					return strings.HasPrefix(u.Name, "chdir") || u.Name == "name-filter" || u.Name == "command;"
				})
			}) {
				return true // moves the effects elsewhere
			}
		}
	}
	return false
}

func flagWords(levels []*command.Level, add string) []command.Word {
	words := []command.Word{command.Known(add, tool.Span{Start: 9000, End: 9001})}
	for _, l := range slices.Backward(levels) {
		for _, f := range slices.Concat(l.Flags.All(), l.Global.All()) {
			if f.Name == add && !f.Optional {
				for range f.Values {
					words = append(words, command.Known("added", tool.Span{Start: 9002, End: 9003}))
				}
				return words
			}
		}
	}
	return words
}
