package rulesfile

import (
	"regexp"
	"strings"

	"longline/internal/source"
)

// Evaluate judges one command by one merged rules object alone, read from the file of that name,
// {"command": [{"pattern", "reason", "decision"}]}, and returns the answer of the
// older dialect: {"decision": ..., "reason": ...} or {}. Commands are told apart at
// && || ; | & and newlines outside quotes. One blocked command blocks them all, and only
// when every one of them is approved is the whole approved.
func Evaluate(name, command string, rules []byte) (string, error) {
	entries, err := hookEntries(name, rules, func(doc source.Node, read func(source.Node)) {
		if doc.IsList() {
			doc.Errorf("expected an object of commands, found a list")
			return
		}
		read(doc)
	})
	if err != nil {
		return "", err
	}
	expressions := make([]*regexp.Regexp, len(entries))
	for i, e := range entries {
		if expressions[i], err = regexp.Compile(e.expression); err != nil {
			return "", err
		}
	}
	worst, reason := approve, ""
	commands := splitCommands(command)
	for _, c := range commands {
		best, matched := -1, undefined
		program := c.words[0][strings.LastIndexByte(c.words[0], '/')+1:]
		for i, e := range entries {
			if e.command != program && e.command != c.words[0] {
				continue
			}
			if !expressions[i].MatchString(c.text) && !expressions[i].MatchString(strings.Join(c.words[1:], " ")) {
				continue
			}
			if best < 0 || e.decision > matched {
				best, matched = i, e.decision
			}
		}
		if matched > worst || reason == "" && matched == worst && best >= 0 {
			worst, reason = matched, ""
			if best >= 0 {
				reason = entries[best].reason
			}
		}
	}
	if len(commands) == 0 || worst == undefined {
		return "{}", nil
	}
	word := "approve"
	if worst == block {
		word = "block"
	}
	return `{"decision": "` + word + `", "reason": ` + quote(reason) + `}`, nil
}

// simple is one command: its words with quotes removed, and the text after the
// first as it is written.
type simple struct {
	words []string
	text  string
}

func splitCommands(script string) []simple {
	var all []simple
	var words []string
	var word strings.Builder
	inWord, first := false, -1 // first: where the text after the first word begins
	endWord := func(at int) {
		if inWord && (len(words) > 0 || !isAssignment(word.String())) {
			words = append(words, word.String())
			if len(words) == 1 {
				first = at
			}
		}
		word.Reset()
		inWord = false
	}
	endCommand := func(at int) {
		endWord(at)
		if len(words) > 0 { // there is more than assignments
			all = append(all, simple{words, strings.TrimSpace(script[first:at])})
		}
		words = nil
	}
	for i := 0; i < len(script); i++ {
		switch c := script[i]; c {
		case ' ', '\t':
			endWord(i)
		case '&':
			if i > 0 && script[i-1] == '>' || i+1 < len(script) && script[i+1] == '>' {
				inWord = true // 2>&1 and &>file redirect
				word.WriteByte(c)
				continue
			}
			endCommand(i)
		case '\n', ';', '|':
			endCommand(i)
		case '\'':
			inWord = true
			for i++; i < len(script) && script[i] != '\''; i++ {
				word.WriteByte(script[i])
			}
		case '"':
			inWord = true
			for i++; i < len(script) && script[i] != '"'; i++ {
				if script[i] == '\\' && i+1 < len(script) && strings.IndexByte("\"\\$`\n", script[i+1]) >= 0 {
					i++
				}
				word.WriteByte(script[i])
			}
		case '\\':
			inWord = true
			if i++; i < len(script) {
				word.WriteByte(script[i])
			}
		default:
			inWord = true
			word.WriteByte(c)
		}
	}
	endCommand(len(script))
	return all
}

// isAssignment says whether a word in front of a command sets a variable.
func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	if !ok || name == "" || '0' <= name[0] && name[0] <= '9' {
		return false
	}
	for i := range len(name) {
		if c := name[i]; c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

// quote writes a JSON string without escaping more than JSON asks for.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ':
			const hex = "0123456789abcdef"
			b.WriteString(`\u00` + string(hex[r>>4]) + string(hex[r&15]))
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
