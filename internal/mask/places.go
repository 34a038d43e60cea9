package mask

import (
	_ "embed" // places.txt
	"slices"
	"strings"

	"longline/internal/command"
)

//go:embed places.txt
var placesText string

// placesOf calls f with each place of a program. The name is searched for in the
// whole text: most programs are not in it at all.
func placesOf(program string, f func(line []string)) (found bool) {
	for from := 0; ; {
		i := strings.Index(placesText[from:], program)
		if i < 0 {
			return found
		}
		start, end := from+i, from+i+len(program)
		from = end
		line := placesText[strings.LastIndexByte(placesText[:start], '\n')+1:]
		inside := len(line) > len(placesText)-start && placesText[start-1] != ' ' || end < len(placesText) && placesText[end] != ' ' && placesText[end] != '\n'
		if inside || line[0] == '#' || line[0] == '\t' {
			continue // a part of another word, or not the name of a program
		}
		found = true
		_, places, _ := strings.Cut(placesText[end:], "\n")
		for line := range strings.Lines(places) {
			if line[0] != '\t' {
				break
			}
			f(strings.Fields(line))
		}
	}
}

// places masks what places.txt says of a command.
func (m *masker) places(inv *command.Invocation) {
	if len(inv.Words) < 1 || inv.Name == "" {
		return
	}
	if slices.Contains(m.plain, inv.Name) {
		return
	}
	if !placesOf(inv.Name, func(line []string) { m.place(inv, line) }) && len(m.plain) < 16 {
		m.plain = append(m.plain, inv.Name)
	}
}

func (m *masker) place(inv *command.Invocation, line []string) {
	words := inv.Words[1:]
	var operands []command.Word
	for _, w := range words {
		if !strings.HasPrefix(w.Text, "-") || w.Text == "-" {
			operands = append(operands, w)
		}
	}
	for _, token := range line {
		if token[0] == '-' {
			if flag, ok := strings.CutSuffix(token, "+"); ok && !given(words, flag) {
				return
			} else if !ok {
				m.flag(words, token)
			}
			continue
		}
		if token == "<" {
			m.anywhere(strings.TrimSpace(inv.Stdin.Text))
			continue
		}
		if len(operands) == 0 {
			return
		}
		if !m.operand(token, operands) {
			return
		}
		operands = operands[1:]
	}
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
	values := 1
	flag, pair := strings.CutSuffix(token, "=")
	flag, glued := strings.CutSuffix(flag, "?")
	flag, part := strings.CutSuffix(flag, "~")
	if name, ok := strings.CutSuffix(flag, ":2"); ok {
		flag, values = name, 2
	}
	short := len(flag) == 2
	for i, w := range words {
		rest, ok := strings.CutPrefix(w.Text, flag)
		switch {
		case ok && rest == "" && !glued, !ok && short && !glued && cluster(w.Text) && w.Text[len(w.Text)-1] == flag[1]:
			for _, value := range words[i+1 : min(i+1+values, len(words))] {
				switch {
				case pair:
					m.pair(value, 0)
				case part:
					m.part(value, 0)
				default:
					m.value(value)
				}
			}
		case ok && rest != "" && (rest[0] == '=' || short || glued):
			skip := len(flag)
			if rest[0] == '=' {
				skip++
			}
			if pair {
				m.pair(w, skip)
			} else if part {
				m.part(w, skip)
			} else if !isReference(w.Text[skip:]) {
				m.after(w, skip)
			}
		}
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
