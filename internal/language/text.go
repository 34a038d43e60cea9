package language

import "strings"

// HasWord reports whether a name is one of a list of blank-separated words.
// Such lists cost nothing until they are asked.
func HasWord(list, name string) bool {
	if name == "" || strings.IndexByte(name, ' ') >= 0 {
		return false
	}
	for from := 0; ; {
		i := strings.Index(list[from:], name)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(name)
		if (i == 0 || isBlank(list[i-1])) && (end == len(list) || isBlank(list[end])) {
			return true
		}
		from = end
	}
}

// entry is what a table says of a name: a line for each, with the name, a colon, a blank
// and the text. Such tables cost nothing until they are asked.
func entry(table, name string) string {
	_, rest, _ := strings.Cut(table, "\n"+name+": ")
	line, _, _ := strings.Cut(rest, "\n")
	return line
}

// Quote puts a word in quotes and keeps messages to a readable length.
func Quote(s string) string {
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:80], "") + "…"
	}
	return `"` + s + `"`
}

// IsName reports whether a text can be the name of a variable.
func IsName(s string) bool {
	for i := range len(s) {
		if !isLetter(s[i]) && (i == 0 || !isDigit(s[i])) {
			return false
		}
	}
	return s != ""
}

// HexDigit is the value of a hexadecimal digit, or -1.
func HexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// Number is the number that a text begins with; large ones are cut short.
func Number(s string) int {
	n := 0
	for i := range len(s) {
		if !isDigit(s[i]) || n > 1_000_000 {
			return n
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }

func isSpace(c byte) bool { return isBlank(c) || c == '\r' }

func isQuote(c byte) bool    { return c == '\'' || c == '"' }
func isLetter(c byte) bool   { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool    { return c >= '0' && c <= '9' }
func isWordByte(c byte) bool { return isLetter(c) || isDigit(c) }

// EntryPoints are what an interpreter tries behind a name with an ending, or with none, that it is told to run.
func EntryPoints(lang, ending string) []string {
	switch {
	case lang == "python" && ending != ".py":
		return []string{"/__main__.py"}
	case lang == "node" && !IsJavaScript(ending):
		return []string{".js", ".json", ".node", "/package.json", "/index.js"}
	}
	return nil
}
