package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
	"longline/internal/value"
)

// Shells differ in what they do if a builtin is given words that it does not take: they go on, give up on the
// line, on the text that eval or source runs, or on the inner shell that they are. So only those words are believed
// to be taken of which it is known that every shell takes them.

// faults notes that a builtin may be given what ends the shell, or the text that it runs: words that it
// does not take or, to what sh is, a redirection of a special one that fails.
func faults(led *ledger, s, undone *state, name string, args []command.Word) {
	if takesCount(name) {
		led.numberGiven(s, args) // which may assign something
	}
	switch {
	case name == "set" && slices.ContainsFunc(args, stopsReading):
		led.giveUp(s)
	case takesCount(name) && len(args) > 1:
		led.strand(s)
	case (name == "break" || name == "continue") && led.loops > 0 && !takes(s, name, args, true): // bash ends then, too
		led.giveUp(s)
	case !takes(s, name, args, led.loops > 0):
		led.abort(s)
	case undone != nil && s.opts&optPosix != 0 && isSpecial(name):
		led.abort(undone)
	}
}

// stopsReading says whether a word of set is the option with which a shell runs nothing more.
func stopsReading(w command.Word) bool {
	return !w.IsKnown() || w.Text == "noexec" || len(w.Text) > 1 && w.Text[0] == '-' && w.Text[1] != '-' && strings.Contains(w.Text, "n")
}

// takes says whether every shell takes the words of a builtin, which may stand in a loop.
func takes(s *state, name string, args []command.Word, inLoop bool) bool {
	switch name {
	case "set":
		return takesOptions(args, s.isPosix())
	case "unset":
		return areNames(behindFlags(args, "vf"))
	case "read":
		return areNames(behindFlags(args, "r"))
	case "shift":
		return isCount(args) && !(s.isPosix() && s.mayLackParams(args))
	case "return", "exit":
		return isCount(args)
	case "break", "continue":
		return isCount(args) && inLoop && !(len(args) > 0 && args[0].Text == "0")
	case "export", "readonly":
		return !slices.ContainsFunc(args, isNoName)
	case "trap":
		return !s.isPosix() || takesSignals(args)
	case ".", "local":
		return !s.isPosix()
	}
	return name != "logout" // this is no login shell
}

// takesCount says whether a builtin takes at most one word, which is a number.
func takesCount(name string) bool {
	switch name {
	case "shift", "return", "exit", "break", "continue":
		return true
	}
	return false
}

// isCount says whether words are no word, or one number.
func isCount(args []command.Word) bool {
	if len(args) == 0 {
		return true
	}
	_, ok := decimal(args[0].Text)
	return len(args) == 1 && (ok && args[0].IsKnown() || args[0].Made == value.Number)
}

// mayLackParams says whether there may be fewer parameters than shift is to take away.
func (s *state) mayLackParams(args []command.Word) bool {
	n := int64(1)
	if len(args) > 0 {
		n, _ = decimal(args[0].Text)
	}
	return s.many || s.loose > 0 || len(args) > 0 && !args[0].IsKnown() || int64(len(s.params)) < n
}

// behindFlags are the words behind those that are flags of one of some letters.
func behindFlags(args []command.Word, letters string) []command.Word {
	for len(args) > 0 && isFlag(args[0]) && len(args[0].Text) == 2 && strings.IndexByte(letters, args[0].Text[1]) >= 0 {
		args = args[1:]
	}
	return args
}

// areNames says whether words are names of variables.
func areNames(args []command.Word) bool {
	for i := range args {
		if !args[i].IsKnown() || !isName(args[i].Text) {
			return false
		}
	}
	return true
}

// isNoName says whether a word may be neither the name of a variable, perhaps with a value, nor an option.
func isNoName(w command.Word) bool {
	name, _, _ := strings.Cut(w.Text, "=")
	return !w.IsKnown() && w.Reach != tool.Prefix || !isName(name) && !strings.HasPrefix(name, "-")
}

// takesOptions says whether the words of set are options that every shell has, with parameters behind them.
func takesOptions(args []command.Word, posix bool) bool {
	for i := 0; i < len(args); i++ {
		w := args[i]
		switch {
		case !w.IsKnown():
			return w.Reach == tool.Prefix && w.Text != "" && !isSign(w.Text[0])
		case w.Text == "--" || w.Text == "" || !isSign(w.Text[0]):
			return true
		case len(w.Text) == 1 || strings.Trim(w.Text[1:], "aefnuvxCo") != "" || strings.Count(w.Text, "o") > 1:
			return false
		case !strings.Contains(w.Text, "o"):
		case i+1 == len(args) || !args[i+1].IsKnown() || !isCommonOption(args[i+1].Text, posix):
			return false
		default:
			i++
		}
	}
	return true
}

func isSign(c byte) bool { return c == '-' || c == '+' }

// isCommonOption says whether every shell has an option of that name, and lets a script switch it.
func isCommonOption(name string, posix bool) bool {
	switch name {
	case "allexport", "errexit", "noclobber", "noexec", "noglob", "nounset", "verbose", "xtrace":
		return true
	}
	return name == "pipefail" && !posix
}

// takesSignals says whether the words of trap are commands and signals that there are.
func takesSignals(args []command.Word) bool {
	if len(args) < 2 {
		return len(args) == 0
	}
	for i := range args[1:] {
		if w := &args[1+i]; !w.IsKnown() || !strings.Contains(" EXIT 0 HUP 1 INT 2 QUIT 3 TERM 15 PIPE 13 USR1 USR2 ALRM 14 ", " "+w.Text+" ") {
			return false
		}
	}
	return true
}
