package longline_test

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPicture holds docs/terminal.svg against what the commands of docs/terminal.sh
// print; with -update it is drawn anew.
func TestPicture(t *testing.T) {
	script, err := os.ReadFile("docs/terminal.sh")
	if err != nil {
		t.Fatal(err)
	}
	d := document{t: t, name: "docs/terminal.sh", home: t.TempDir()}
	if err := os.MkdirAll(filepath.Join(d.home, "project", ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	d.walls("")
	var lines []string
	for line := range strings.Lines(string(script)) {
		if line = strings.TrimSuffix(line, "\n"); line == "" || line[0] == '#' {
			continue
		}
		lines = append(lines, "$ "+line)
		for _, out := range d.output(line) {
			lines = append(lines, wrapped(out, 84)...)
		}
	}
	picture := draw(lines)
	const name = "docs/terminal.svg"
	if *update {
		if err := os.WriteFile(name, []byte(picture), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != picture {
		t.Errorf("%s is not what the commands print (%v); run go test . -run Picture -update", name, err)
	}
}

// wrapped breaks a line as a terminal of that width shows it, at a blank.
func wrapped(line string, width int) (lines []string) {
	margin := line[:len(line)-len(strings.TrimLeft(line, " "))]
	if !strings.HasPrefix(line, " ") {
		margin = "       "
	}
	for len(line) > width {
		at := strings.LastIndexByte(line[:width], ' ')
		if at <= len(margin) {
			break
		}
		lines, line = append(lines, line[:at]), margin+line[at+1:]
	}
	return append(lines, line)
}

// draw makes a picture of a terminal.
func draw(lines []string) string {
	const high, left, top = 19, 16, 44
	var b strings.Builder
	height := top + high*len(lines) + 4
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 %d" width="740" height="%d" role="img" aria-label="longline in a terminal">`+"\n", height, height)
	fmt.Fprintf(&b, `<rect width="740" height="%d" rx="8" fill="#16181d"/>`+"\n", height)
	for i, colour := range []string{"#ff5f57", "#febc2e", "#28c840"} {
		fmt.Fprintf(&b, `<circle cx="%d" cy="18" r="5.5" fill="%s"/>`+"\n", 20+i*18, colour)
	}
	b.WriteString(`<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13.5" fill="#c9d1d9">` + "\n")
	colours := map[string]string{"allow": "#3fb950", "pass": "#8b949e", "ask": "#e3b341", "deny": "#f85149"}
	for i, line := range lines {
		fmt.Fprintf(&b, `<text x="%d" y="%d">`, left, top+i*high)
		word, rest, _ := strings.Cut(line, " ")
		switch colour := colours[word]; {
		case word == "$":
			fmt.Fprintf(&b, `<tspan fill="#6e7681">$</tspan> <tspan fill="#ffffff">%s</tspan>`, escape(rest))
		case colour != "":
			fmt.Fprintf(&b, `<tspan fill="%s" font-weight="bold">%s</tspan>%s`, colour, word, escape(strings.TrimPrefix(line, word)))
		default:
			b.WriteString(escape(line))
		}
		b.WriteString("</text>\n")
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// escape writes a text as XML. Blanks do not break, or else they would be joined.
func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(strings.ReplaceAll(text, " ", "\u00a0")))
	return b.String()
}
