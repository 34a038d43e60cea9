package mask

import (
	_ "embed" // places.txt
	"strings"

	"longline/internal/command"
)

//go:embed places.txt
var placesText string

// eachPlace calls f with each place of each command. It goes through the text once,
// whatever their number.
func eachPlace(invs []*command.Invocation, f func(inv *command.Invocation, line []string)) {
	var named []*command.Invocation // by the line above the places
	for line := range strings.Lines(placesText) {
		switch line[0] {
		case '#':
		case '\t':
			if len(named) > 0 {
				words := strings.Fields(line)
				for _, inv := range named {
					f(inv, words)
				}
			}
		default:
			named = appendNamed(named[:0], invs, strings.TrimSuffix(line, "\n"))
		}
	}
}

// appendNamed appends the commands whose programs a line names.
func appendNamed(list, invs []*command.Invocation, line string) []*command.Invocation {
	for line != "" {
		var name string
		name, line, _ = strings.Cut(line, " ")
		for _, inv := range invs {
			if inv.Name == name && len(inv.Words) > 0 {
				list = append(list, inv)
			}
		}
	}
	return list
}

func (m *masker) place(inv *command.Invocation, line []string) {
	words := inv.Words[1:]
	operands := nonFlags(words)
	for _, token := range line {
		flag, needed := strings.CutSuffix(token, "+")
		switch {
		case token[0] == '-' && needed:
			if !given(words, flag) {
				return
			}
		case token[0] == '-':
			m.flag(words, token)
		case token == "<":
			m.anywhere(strings.TrimSpace(inv.Stdin.Text))
		case len(operands) == 0 || !m.operand(token, operands):
			return
		default:
			operands = operands[1:]
		}
	}
}

// nonFlags are the words that do not begin with a dash, or are one.
func nonFlags(words []command.Word) (rest []command.Word) {
	for _, w := range words {
		if !strings.HasPrefix(w.Text, "-") || w.Text == "-" {
			rest = append(rest, w)
		}
	}
	return rest
}

// operand masks what a token says of the operands, and says whether the line goes on.
func (m *masker) operand(token string, operands []command.Word) bool {
	w := operands[0]
	switch token {
	case "*":
	case "KEY":
		return command.SecretName(w.Text)
	case "HOST":
		return strings.Contains(w.Text, ".")
	case "SECRET":
		m.value(w)
	case "LAST":
		m.value(operands[len(operands)-1])
	case ":SECRET":
		if i := strings.IndexByte(w.Text, ':'); i > 0 && !strings.Contains(w.Text, "://") {
			m.after(w, i+1)
		}
	case "SECRET...":
		for _, w := range operands {
			m.value(w)
		}
	case "KEYS...":
		for i := 1; i < len(operands); i++ {
			if command.SecretName(operands[i-1].Text) {
				m.value(operands[i])
			}
		}
		return false
	case "=SECRET":
		for _, w := range operands {
			m.pair(w, 0)
		}
	default:
		return oneOf(token, w.Text)
	}
	return true
}

// oneOf says whether a word is one of those between commas.
func oneOf(list, word string) bool {
	for one := range strings.SplitSeq(list, ",") {
		before, after, star := strings.Cut(one, "*")
		if star && strings.HasPrefix(word, before) && strings.HasSuffix(word, after) || strings.EqualFold(one, word) {
			return true
		}
	}
	return false
}

// given says whether a flag is there, alone or among other letters.
func given(words []command.Word, flag string) bool {
	for _, w := range words {
		name, _, _ := strings.Cut(w.Text, "=")
		if name == flag || len(flag) == 2 && cluster(w.Text) && strings.IndexByte(w.Text, flag[1]) > 0 {
			return true
		}
	}
	return false
}

// cluster says whether a word is a dash and letters, as flags are put together.
func cluster(word string) bool {
	return len(word) > 1 && len(word) < 7 && word[0] == '-' && strings.Trim(word[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// flag masks the values of a flag: the words after it, or what is glued to it.
func (m *masker) flag(words []command.Word, token string) {
	f := readFlag(token)
	for i, w := range words {
		if f.isFollowed(w.Text) {
			for _, value := range words[i+1 : min(i+1+f.values, len(words))] {
				m.flagValue(&f, value, 0)
			}
		} else if skip, ok := f.valueIn(w.Text); ok {
			m.flagValue(&f, w, skip)
		}
	}
}

// placeOfFlag is a flag that has secrets as its values.
type placeOfFlag struct {
	name   string
	values int  // how many
	glued  bool // they stand in the same word
	pair   bool // of name=value it is the value
	part   bool // it is what follows the first colon or comma
}

// readFlag reads what places.txt says of a flag.
func readFlag(token string) placeOfFlag {
	f := placeOfFlag{values: 1}
	f.name, f.pair = strings.CutSuffix(token, "=")
	f.name, f.glued = strings.CutSuffix(f.name, "?")
	f.name, f.part = strings.CutSuffix(f.name, "~")
	if name, ok := strings.CutSuffix(f.name, ":2"); ok {
		f.name, f.values = name, 2
	}
	return f
}

func (f *placeOfFlag) short() bool { return len(f.name) == 2 }

// isFollowed says whether a word is the flag, or letters that end with it, so that its values
// are the next words.
func (f *placeOfFlag) isFollowed(word string) bool {
	if f.glued {
		return false
	}
	return word == f.name || f.short() && !strings.HasPrefix(word, f.name) && cluster(word) && word[len(word)-1] == f.name[1]
}

// valueIn is where in a word with the flag its value begins, if it is there.
func (f *placeOfFlag) valueIn(word string) (at int, ok bool) {
	rest, ok := strings.CutPrefix(word, f.name)
	switch {
	case !ok || rest == "":
		return 0, false
	case rest[0] == '=':
		return len(f.name) + 1, true
	}
	return len(f.name), f.short() || f.glued
}

// flagValue masks a value of a flag, which begins some bytes into a word.
func (m *masker) flagValue(f *placeOfFlag, w command.Word, skip int) {
	switch {
	case f.pair:
		m.pair(w, skip)
	case f.part:
		m.part(w, skip)
	case skip == 0:
		m.value(w)
	case !isReference(w.Text[skip:]):
		m.after(w, skip)
	}
}

// part masks what follows the first colon or comma, from n bytes into a word.
func (m *masker) part(w command.Word, n int) {
	if i := strings.IndexAny(w.Text[n:], ":,"); i >= 0 && !isReference(w.Text[n+i+1:]) {
		m.after(w, n+i+1)
	}
}

// pair masks the value of name=value, which begins n bytes into a word.
func (m *masker) pair(w command.Word, n int) {
	if i := strings.IndexByte(w.Text[n:], '='); i >= 0 && !isReference(w.Text[n+i+1:]) {
		m.after(w, n+i+1)
	}
}
