// Package review implements the screens on which a person goes through questions
// and decides about each. It knows keys, sizes and text; what the choices mean is
// passed in.
package review

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Choice is what a person decides about an item.
type Choice int

// The choices. Keep, the zero choice, changes nothing.
const (
	Keep  Choice = iota // keep asking
	Allow               // everywhere
	Here                // in this directory and below only
	Deny
)

// Proposal is a rule that a choice would write.
type Proposal struct {
	Rule string   // as it would be written
	Also []string // what else in the log it would let run
}

// Item is one group of questions that are alike.
type Item struct {
	Title     string // the program and its subcommand
	By        string // the rules that asked
	Times     int
	Yes       int // how often it ran in the end
	Commands  []string
	Dir       string
	Proposals map[Choice]Proposal // of the choices that can be made
}

// Model is the state of the screens.
type Model struct {
	Items  []Item
	Chosen []Choice
	// Change returns what the choices would write, as a diff; empty if nothing.
	Change func(chosen []Choice) (diff string, err error)
	page

	at          int // the item that is shown; len(Items) is the last screen
	cursor      Choice
	diff        string
	done, write bool
}

// page is a screen of a terminal.
type page struct {
	Colour        bool
	width, height int
	scroll        int
	buttons       []button
	message       string
	help          bool // the keys are shown, one to a line
}

// helped handles a key that shows the keys or takes them away again.
func (m *page) helped(key string) bool {
	was := m.help
	m.help = key == "?" && !was
	return was || m.help
}

// button is a line that can be clicked.
type button struct {
	line int
	key  string
	at   int // or what it stands for
}

// New returns the screens for some items.
func New(items []Item, change func([]Choice) (string, error)) *Model {
	return &Model{Items: items, Chosen: make([]Choice, len(items)), Change: change, page: page{width: 80, height: 24}}
}

// Resize tells how large the terminal is.
func (m *page) Resize(width, height int) { m.width, m.height = max(width, 20), max(height, 8) }

// Done reports whether the person has finished, and whether to write the changes.
func (m *Model) Done() (done, write bool) { return m.done, m.write }

// names are the choices in the order of the screen, with their keys.
var names = []struct {
	choice    Choice
	key, text string
}{
	{Keep, "k", "keep asking"}, {Allow, "a", "allow"}, {Here, "h", "allow here only"}, {Deny, "d", "deny"},
}

// Key handles one key: a letter, "up", "down", "left", "right", "enter", "pageup",
// "pagedown" or "ctrl-c".
func (m *Model) Key(key string) {
	m.message = ""
	switch key {
	case "q", "ctrl-c":
		m.done = true
		return
	}
	if m.helped(key) {
		return
	}
	if m.at >= len(m.Items) {
		m.last(key)
		return
	}
	switch key {
	case "k", "a", "h", "d":
		m.choose(choiceFor(key))
	case "up", "down":
		m.look(key == "up")
	case "enter":
		m.choose(m.cursor)
	case "right", "n":
		m.show(m.at + 1)
	case "left", "p":
		m.show(m.at - 1)
	case "pagedown":
		m.scroll++
	case "pageup":
		m.scroll = max(m.scroll-1, 0)
	}
}

// look moves the cursor by one choice.
func (m *Model) look(up bool) {
	step := 1
	if up {
		step = -1
	}
	m.cursor = Choice(min(max(int(m.cursor)+step, 0), len(names)-1))
}

// choiceFor is the choice that a key stands for.
func choiceFor(key string) Choice {
	for _, n := range names {
		if n.key == key {
			return n.choice
		}
	}
	return Keep
}

// last handles a key on the screen that shows the changes.
func (m *Model) last(key string) {
	switch key {
	case "y":
		m.done, m.write = true, m.diff != ""
	case "n", "enter":
		m.done = true
	case "left", "p":
		m.show(len(m.Items) - 1)
	case "down", "pagedown":
		m.scroll++
	case "up", "pageup":
		m.scroll = max(m.scroll-1, 0)
	}
}

func (m *Model) choose(c Choice) {
	if _, ok := m.Items[m.at].Proposals[c]; !ok && c != Keep {
		m.message = "no narrow rule covers these commands; keep asking, or write a rule yourself"
		m.cursor = c
		return
	}
	m.Chosen[m.at] = c
	m.show(m.at + 1)
}

// show moves to an item or, after the last of them, to the changes.
func (m *Model) show(at int) {
	m.at, m.scroll = min(max(at, 0), len(m.Items)), 0
	if m.at < len(m.Items) {
		m.cursor = m.Chosen[m.at]
		return
	}
	diff, err := m.Change(m.Chosen)
	if m.diff = diff; err != nil {
		m.diff, m.message = "", err.Error()
	}
}

// Click handles a click on a line of the screen, counted from 0.
func (m *Model) Click(line int) {
	for _, b := range m.buttons {
		if b.line == line {
			m.Key(b.key)
			return
		}
	}
}

// View is the screen: at most as many lines as the terminal has.
func (m *Model) View() []string {
	m.buttons = nil
	if m.at >= len(m.Items) {
		return m.changes()
	}
	item := &m.Items[m.at]
	lines := []string{
		m.bold(fmt.Sprintf("%d of %d   %s", m.at+1, len(m.Items), item.Title)),
		fmt.Sprintf("asked %s by %s, %d answered with yes", times(item.Times), item.By, item.Yes),
		"",
	}
	for _, n := range names {
		m.buttons = append(m.buttons, button{line: len(lines), key: n.key})
		lines = append(lines, m.choiceLine(item, n.choice, n.key, n.text))
	}
	lines = append(lines, "")
	var body []string
	for _, command := range item.Commands {
		body = append(body, "  "+visible(command))
	}
	if p, ok := item.Proposals[m.cursor]; ok && m.cursor != Keep {
		body = append(body, m.proposal(p.Rule, p.Also)...)
	}
	return m.screen(lines, body, "k a h d choose · ←→ move · ↑↓ look · q quit without writing")
}

// choiceLine is the line of one choice.
func (m *Model) choiceLine(item *Item, c Choice, key, text string) string {
	mark := "  "
	if m.cursor == c {
		mark = "> "
	}
	line := fmt.Sprintf("%s[%s] %s", mark, key, text)
	if _, ok := item.Proposals[c]; !ok && c != Keep {
		line += " (no narrow rule covers it)"
	} else if c == Here {
		line += ": " + item.Dir
	}
	if m.Chosen[m.at] == c && c != Keep {
		line += "  *"
	}
	return line
}

// proposal shows a rule, and what else it would allow.
func (m *Model) proposal(rule string, also []string) []string {
	lines := []string{"", m.bold("the rule")}
	for line := range strings.SplitSeq(strings.TrimRight(rule, "\n"), "\n") {
		lines = append(lines, "  "+visible(line))
	}
	switch {
	case m.cursor == Deny:
		return lines
	case len(also) == 0:
		return append(lines, "it would allow nothing else in the log")
	}
	lines = append(lines, "it would also allow:")
	for _, one := range also {
		lines = append(lines, "  "+visible(one))
	}
	return lines
}

// changes is the last screen.
func (m *Model) changes() []string {
	if m.diff == "" {
		text := "Nothing changes: longline keeps asking."
		if len(m.Items) == 0 {
			text = "Nothing was asked since the last review."
		}
		return m.screen([]string{m.bold("done"), "", text}, nil, "enter leave · ← back")
	}
	var body []string
	for line := range strings.SplitSeq(strings.TrimRight(m.diff, "\n"), "\n") {
		body = append(body, visible(line))
	}
	m.buttons = append(m.buttons, button{line: 1, key: "y"}, button{line: 2, key: "n"})
	return m.screen([]string{m.bold("write these rules?"), "  [y] write them", "  [n] leave everything as it is", ""}, body, "y write · n leave · ← back · ↑↓ scroll")
}

// screen puts a head, as much of a body as fits, and a line of keys together.
func (m *page) screen(head, body []string, keys string) []string {
	if m.help {
		head, body, m.buttons = []string{m.bold("keys"), ""}, append(strings.Split(keys, " · "), "page up, page down, space, wheel scroll", "click choose"), nil
		keys = "any key: back · q quit"
	} else if strings.Contains(keys, " · ") {
		keys = "? keys · " + keys
	}
	wrapped := wrap(body, m.width)
	room := max(m.height-len(head)-2, 0)
	if m.message != "" {
		room = max(room-1, 0)
	}
	m.scroll = min(m.scroll, max(len(wrapped)-room, 0))
	shown := wrapped[min(m.scroll, len(wrapped)):]
	more := len(shown) > room
	shown = shown[:min(room, len(shown))]
	if more && len(shown) > 0 {
		shown = append(slices.Clone(shown[:len(shown)-1]), "… more: page down")
	}
	lines := slices.Concat(head, shown)
	for len(lines) < m.height-2 {
		lines = append(lines, "")
	}
	if m.message != "" {
		lines[len(lines)-1] = m.bold("! " + m.message)
	}
	lines = append(lines, keys)
	for i, line := range lines {
		lines[i] = cut(line, m.width)
	}
	return lines[:min(len(lines), m.height)]
}

func (m *page) bold(text string) string {
	if !m.Colour {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// acting are the characters, from one to another, that a terminal acts on or does not show.
var acting = [][2]rune{
	{0, 0x1f}, {0x7f, 0x9f}, // control characters
	{0x200b, 0x200b}, {0xfeff, 0xfeff}, // of no width
	{0x200e, 0x200f}, {0x202a, 0x202e}, {0x2066, 0x2069}, // directions
	{0x2028, 0x2029}, // ends of lines and paragraphs
	{utf8.RuneError, utf8.RuneError},
}

// visible makes what a terminal would act on visible: nothing that was logged moves
// the cursor or changes a colour.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n':
			b.WriteString(" ⏎ ")
		case r == '\t':
			b.WriteByte(' ')
		case slices.ContainsFunc(acting, func(of [2]rune) bool { return of[0] <= r && r <= of[1] }):
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// wrap breaks lines that are wider than the screen.
func wrap(lines []string, width int) []string {
	var out []string
	for _, line := range lines {
		runes := []rune(line)
		for len(runes) > width && !strings.Contains(line, "\x1b") {
			out = append(out, string(runes[:width]))
			runes = append([]rune("    "), runes[width:]...)
		}
		out = append(out, string(runes))
	}
	return out
}

// cut shortens a line to the width of the screen; colours take no room.
func cut(line string, width int) string {
	n, inside := 0, false
	for i, r := range line {
		switch {
		case r == '\x1b':
			inside = true
		case inside:
			inside = r != 'm'
		default:
			if n++; n > width {
				return line[:i]
			}
		}
	}
	return line
}
