package language

import (
	"errors"
	"strings"
)

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

// Unescaped is a text in which some bytes are written as a percent sign and two digits, as in addresses.
func Unescaped(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if high, low := HexDigit(text[i+1]), HexDigit(text[i+2]); high >= 0 && low >= 0 {
				b.WriteByte(byte(high<<4 | low))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// Letters64 are the letters of base64, without the last two.
const Letters64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

var errBase64 = errors.New("no base64")

// Base64 reads padded standard base64. The package of that name builds tables at start, which every
// call would pay for.
func Base64(text string) (out []byte, err error) {
	bare := strings.TrimRight(text, "=")
	if len(text)%4 != 0 || len(text)-len(bare) > 2 {
		return nil, errBase64
	}
	bits, n := uint32(0), 0
	for i := range len(bare) {
		at := strings.IndexByte(Letters64+"+/", bare[i])
		if at < 0 {
			return nil, errBase64
		}
		if bits, n = bits<<6|uint32(at), n+6; n >= 8 {
			n -= 8
			out = append(out, byte(bits>>n))
		}
	}
	return out, nil
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
