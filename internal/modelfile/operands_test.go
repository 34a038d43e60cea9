package modelfile

import (
	"path"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
)

// operandsFile lists the commands of which models say that all operands are text, and
// that they do nothing else, with the reason why these name no file, host, code or
// command. Below a class a line is one command, or
// "last: GLOB..." for subcommands whose last word says it.
const operandsFile = "testdata/operands.txt"

// settledOperands reads the list: commands, and globs of last words.
func settledOperands(t *testing.T) (commands map[string]bool, last []string) {
	t.Helper()
	commands = map[string]bool{}
	for _, c := range readClasses(t, operandsFile) {
		for _, line := range c.lines {
			if globs, ok := strings.CutPrefix(line, "last: "); ok {
				last = append(last, strings.Fields(globs)...)
			} else if commands[line] {
				t.Errorf("%s: %q is there twice", operandsFile, line)
			} else {
				commands[line] = true
			}
		}
	}
	return commands, last
}

// TestOperandsAreSettled fails for a command that by its model does nothing with any
// words, until somebody has looked up that none of them can name a file, a host, code
// or a command; and for an entry that nothing needs.
func TestOperandsAreSettled(t *testing.T) {
	commands, last := settledOperands(t)
	_, parsed := load(t)
	used := map[string]bool{}
	byName := 0
	var look func(name string, l *command.Level)
	look = func(name string, l *command.Level) {
		if onlyText(l) && !used[name] {
			word := name[strings.LastIndexByte(name, ' ')+1:]
			said := word != name && slices.ContainsFunc(last, func(glob string) bool { ok, err := path.Match(glob, word); return err == nil && ok })
			if said {
				byName++
			} else if used[name] = true; !commands[name] {
				t.Errorf("%s: all operands are text; look up what they can name, and put it into %s", name, operandsFile)
			}
		}
		for i := range l.Subs.All() {
			look(name+" "+l.Subs.All()[i].Names[0], l.Subs.All()[i].Level)
		}
	}
	for _, f := range parsed {
		for _, m := range f.Models {
			look(m.Names[0], &m.Level)
		}
	}
	for name := range commands {
		if !used[name] {
			t.Errorf("%s: %q is settled, but it has other operands or effects", operandsFile, name)
		}
	}
	t.Logf("%d by their last word, %d one by one", byName, len(commands))
}

// onlyText says whether a level takes operands, all of them text, and has no effects.
func onlyText(l *command.Level) bool {
	items, effects := slices.Concat(l.Operands, l.After), len(l.Effects)
	for _, m := range l.Modes {
		items, effects = append(items, m.Items...), effects+len(m.Effects)
	}
	if effects > 0 || len(items) == 0 {
		return false
	}
	for _, item := range items {
		for _, u := range item.Uses {
			switch u.Name {
			case "text", "number", "ref", "pattern":
			default:
				return false
			}
		}
	}
	return true
}
