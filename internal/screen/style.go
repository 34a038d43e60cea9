// Package screen writes text for people at a terminal: in colour, as wide as a
// terminal is, and with nothing in it that a terminal would act on.
package screen

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"

	"longline/internal/tool"
)

// IsTerminal says whether a person sits at the other end of a stream. A null
// device is none: an agent may start its hook with one.
func IsTerminal(stream any) bool {
	if s, ok := stream.(interface{ Terminal() *os.File }); ok {
		stream = s.Terminal()
	}
	f, ok := stream.(*os.File)
	return ok && f != nil && term.IsTerminal(int(f.Fd()))
}

// Style colours text for a terminal; the zero style leaves it as it is.
type Style struct {
	On   bool
	Fold bool // long lines are wrapped; who reads them by program wants them whole
}

// Paint puts a text between escapes, such as "1;31".
func (s Style) Paint(code, text string) string {
	if !s.On || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Bold and Dim make a text stronger and weaker.
func (s Style) Bold(text string) string { return s.Paint("1", text) }
func (s Style) Dim(text string) string  { return s.Paint("2", text) }

// Decision paints a text in the colour of a decision.
func (s Style) Decision(d tool.Decision, text string) string {
	// others: as a denial.
	switch d {
	case tool.Allow:
		return s.Paint("32", text)
	case tool.Pass:
		return s.Paint("36", text)
	case tool.Ask:
		return s.Paint("33", text)
	}
	return s.Paint("1;31", text)
}

// Clean makes text from a command safe to print: what a terminal would act on
// is shown as an escape. Newlines and tabs stay where keep names them.
func Clean(text, keep string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case strings.ContainsRune(keep, r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case !unicode.IsPrint(r): // escapes, marks that turn the line around, blanks without width
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// WriteJSON writes a value without escapes for HTML, which nobody wants to read.
func WriteJSON(w io.Writer, indent bool, value any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if indent {
		enc.SetIndent("", "  ")
	}
	return enc.Encode(value)
}
