package cli

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

// isTerminal says whether a person sits at the other end of a stream. A null
// device is none: an agent may start its hook with one.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// style colours text for a terminal; the zero style leaves it as it is.
type style struct {
	on   bool
	fold bool // long lines are wrapped; who reads them by program wants them whole
}

func (p *process) style() style {
	noColor, _ := p.env.Get("NO_COLOR")
	kind, _ := p.env.Get("TERM")
	terminal := isTerminal(p.out)
	return style{on: noColor == "" && kind != "dumb" && terminal, fold: terminal}
}

func (s style) paint(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) bold(text string) string { return s.paint("1", text) }
func (s style) dim(text string) string  { return s.paint("2", text) }

// decision paints a text in the colour of a decision.
func (s style) decision(d tool.Decision, text string) string {
	// others: as a denial.
	switch d {
	case tool.Allow:
		return s.paint("32", text)
	case tool.Pass:
		return s.paint("36", text)
	case tool.Ask:
		return s.paint("33", text)
	}
	return s.paint("1;31", text)
}

// clean makes text from a command safe to print: what a terminal would act on
// is shown as an escape. Newlines and tabs stay where keep names them.
func clean(text, keep string) string {
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

// ruleIDs lists the rules that spoke, each once, the deciding one first.
func ruleIDs(v tool.Verdict) []string {
	ids := []string{}
	add := func(id string) {
		for _, have := range ids {
			if have == id {
				return
			}
		}
		if id != "" {
			ids = append(ids, id)
		}
	}
	add(v.Rule)
	for _, f := range v.Findings {
		add(f.Rule)
	}
	return ids
}

func writeJSON(w io.Writer, indent bool, value any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if indent {
		enc.SetIndent("", "  ")
	}
	return enc.Encode(value)
}
