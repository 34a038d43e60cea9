package review

import (
	"fmt"
	"strings"
)

// Deed is what one call did.
type Deed struct {
	When, What string
	Files      []string      // one line each
	Diff       func() string // what it changed in them
}

// History is the state of the screens on which a person goes through what calls did
// and picks one to undo.
type History struct {
	Deeds []Deed
	page

	at    int
	diff  []string // of the one that is looked at
	asked bool
	done  bool
	undo  bool
}

// NewHistory returns the screens for some calls, the newest first.
func NewHistory(deeds []Deed) *History {
	return &History{Deeds: deeds, page: page{width: 80, height: 24}}
}

// Picked is the call that was picked.
func (h *History) Picked() int { return h.at }

// Done reports whether the person has finished, and whether to undo what was picked.
func (h *History) Done() (done, undo bool) { return h.done, h.undo }

// Key handles one key, as [Model.Key] does.
func (h *History) Key(key string) {
	switch {
	case key == "q" || key == "ctrl-c" || len(h.Deeds) == 0:
		h.done = true
	case h.helped(key):
	case h.asked:
		h.done, h.undo, h.asked = key == "y", key == "y", false
	case key == "u":
		h.asked = true
	case h.diff != nil:
		h.read(key)
	case key == "up" || key == "p":
		h.at = max(h.at-1, 0)
	case key == "down" || key == "n":
		h.at = min(h.at+1, len(h.Deeds)-1)
	case key == "pageup":
		h.at = max(h.at-h.rows(), 0)
	case key == "pagedown":
		h.at = min(h.at+h.rows(), len(h.Deeds)-1)
	case key == "enter" || key == "right":
		h.diff, h.scroll = splitLines(h.Deeds[h.at].Diff()), 0
	}
}

// read handles a key where differences are shown.
func (h *History) read(key string) {
	switch key {
	case "left", "enter":
		h.diff, h.scroll = nil, 0
	case "up":
		h.scroll = max(h.scroll-1, 0)
	case "down":
		h.scroll++
	case "pageup":
		h.scroll = max(h.scroll-(h.height-4), 0)
	case "pagedown":
		h.scroll += h.height - 4
	}
}

// Click handles a click on a line of the screen, counted from 0.
func (h *History) Click(line int) {
	for _, b := range h.buttons {
		if b.line == line && h.diff == nil && !h.asked {
			h.at = b.at
			return
		}
	}
}

// rows is how many calls the list has room for; the rest of the screen shows the files of one.
func (h *History) rows() int { return max(min(len(h.Deeds), (h.height-4)/2), 1) }

// View is the screen: at most as many lines as the terminal has.
func (h *History) View() []string {
	h.buttons = nil
	if len(h.Deeds) == 0 {
		return h.screen([]string{h.bold("undo"), "", "No call has changed this project since snapshots began."}, nil, "any key: leave")
	}
	d := h.Deeds[h.at]
	if h.asked {
		return h.screen([]string{h.bold("undo this?"), "  [y] undo it", "  [n] leave everything as it is", "", d.When + "  " + visible(d.What)}, h.files(), "y undo · n back")
	}
	if h.diff != nil {
		var body []string
		for _, line := range h.diff {
			body = append(body, h.paint(visible(line)))
		}
		return h.screen([]string{h.bold(d.When + "  " + visible(d.What)), ""}, body, "↑↓ scroll · ← back · u undo · q quit")
	}
	rows := h.rows()
	first := max(min(h.at-rows/2, len(h.Deeds)-rows), 0)
	head := []string{h.bold(fmt.Sprintf("undo: %d of %d", h.at+1, len(h.Deeds)))}
	for i := first; i < first+rows; i++ {
		mark := "  "
		if i == h.at {
			mark = "> "
		}
		h.buttons = append(h.buttons, button{line: len(head), at: i})
		head = append(head, mark+h.Deeds[i].When+"  "+visible(h.Deeds[i].What))
	}
	return h.screen(append(head, ""), h.files(), "↑↓ move · enter differences · u undo · q quit")
}

func (h *History) files() (body []string) {
	for _, f := range h.Deeds[h.at].Files {
		body = append(body, "  "+visible(f))
	}
	return body
}

// paint colours a line of a diff.
func (h *History) paint(line string) string {
	if !h.Colour || line == "" {
		return line
	}
	switch line[0] {
	case '+':
		return "\x1b[32m" + line + "\x1b[0m"
	case '-':
		return "\x1b[31m" + line + "\x1b[0m"
	}
	return line
}

// splitLines are the lines of a text, at least one.
func splitLines(text string) []string {
	if text == "" {
		text = "nothing to show"
	}
	return strings.Split(strings.TrimRight(text, "\n"), "\n")
}
