package review

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func items() []Item {
	allow := map[Choice]Proposal{
		Allow: {Rule: "- id: allow-git-push\n  match: {command: git push}\n  decision: allow", Also: []string{"git push --tags"}},
		Here:  {Rule: "- id: allow-git-push-here\n  match: {command: git push, dir: [~/app]}\n  decision: allow"},
		Deny:  {Rule: "- id: deny-git-push\n  match: {command: git push}\n  decision: deny"},
	}
	return []Item{
		{Title: "git push", By: "git-push", Times: 12, Yes: 11, Commands: []string{"git push origin main", "git push \x1b[31m origin x"}, Dir: "~/app", Proposals: allow},
		{Title: "strange", By: "unknown-program", Times: 1, Commands: []string{strings.Repeat("x", 300)}, Proposals: map[Choice]Proposal{}},
		{Title: "npm publish", By: "publish", Times: 2, Commands: []string{"npm publish"}, Dir: "~/app", Proposals: allow},
	}
}

func model() *Model {
	return New(items(), func(chosen []Choice) (string, error) {
		if !slices.ContainsFunc(chosen, func(c Choice) bool { return c != Keep }) {
			return "", nil
		}
		return fmt.Sprint("+ ", chosen), nil
	})
}

func TestChoosing(t *testing.T) {
	for _, c := range []struct {
		keys   string
		chosen string
		write  bool
	}{
		{"a k d y", "[1 0 3]", true},
		{"h k k y", "[2 0 0]", true},
		{"a k d n", "[1 0 3]", false},
		{"k k k y", "[0 0 0]", false}, // nothing to write
		{"a q", "[1 0 0]", false},     // quitting writes nothing
		{"a k left k k y", "[1 0 0]", true},
		{"down enter k k y", "[1 0 0]", true},
		{"a a d k k y", "[1 0 0]", true}, // nothing can be proposed for the second: it stays
		{"a ctrl-c", "[1 0 0]", false},
		{"right right right y", "[0 0 0]", false},
	} {
		m := model()
		for key := range strings.FieldsSeq(c.keys) {
			m.Key(key)
		}
		_, write := m.Done()
		if got := fmt.Sprint(m.Chosen); got != c.chosen || write != c.write {
			t.Errorf("%s: %s %v, want %s %v", c.keys, got, write, c.chosen, c.write)
		}
	}
}

// Whatever is typed and however small the terminal: no crash, no line too many or
// too wide, and nothing that the log holds reaches the terminal as a command to it.
func TestScreens(t *testing.T) {
	keys := []string{"k", "a", "h", "d", "up", "down", "left", "right", "enter", "pageup", "pagedown", "x", "y"}
	for width := range 100 {
		m := model()
		m.Colour = width%2 == 0
		height := width % 37
		m.Resize(width, height)
		for i := range 60 {
			lines := m.View()
			if len(lines) > max(height, 8) {
				t.Fatalf("%d lines on a screen of %d", len(lines), height)
			}
			for _, line := range lines {
				plain := strings.NewReplacer("\x1b[1m", "", "\x1b[0m", "").Replace(line)
				if utf8.RuneCountInString(plain) > max(width, 20) || strings.ContainsAny(plain, "\x1b\n\r") {
					t.Fatalf("%q on a screen of %d", line, width)
				}
			}
			m.Click(i % 10)
			if done, _ := m.Done(); done {
				break
			}
			m.Key(keys[(i*7+width)%len(keys)])
		}
	}
}

func TestView(t *testing.T) {
	m := model()
	m.Key("down")
	want := []string{
		"1 of 3   git push", "asked 12 times by git-push, 11 answered with yes", "", "  [k] keep asking", "> [a] allow", "  [h] allow here only: ~/app", "  [d] deny", "",
		"  git push origin main", `  git push \u001b[31m origin x`, "", "the rule", "  - id: allow-git-push", "    match: {command: git push}", "    decision: allow", "it would also allow:", "  git push --tags",
	}
	if got := m.View(); len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
		t.Errorf("screen\n%s", strings.Join(got, "\n"))
	}
}

func TestChangeFails(t *testing.T) {
	m := New(items()[:1], func([]Choice) (string, error) { return "", errors.New("rules.yaml: cannot be added to") })
	m.Key("a")
	if text := strings.Join(m.View(), "\n"); !strings.Contains(text, "cannot be added to") {
		t.Errorf("the reason is not shown:\n%s", text)
	}
	m.Key("y")
	if _, write := m.Done(); write {
		t.Error("it would write what could not be made")
	}
}

func TestFeed(t *testing.T) {
	m := model()
	m.View()
	if rest := feed(m, []byte("\x1b[B\x1b")); string(rest) != "\x1b" || m.cursor != Allow {
		t.Errorf("rest %q, cursor %d", rest, m.cursor)
	}
	if rest := feed(m, []byte("\x1b[<0;5;6M")); len(rest) > 0 || m.Chosen[0] != Here { // a click on line 6
		t.Errorf("rest %q, chosen %v", rest, m.Chosen)
	}
	feed(m, []byte("\x1b[D\x1b[Da"))
	if m.Chosen[0] != Allow {
		t.Errorf("chosen %v", m.Chosen)
	}
}

func FuzzFeed(f *testing.F) {
	f.Add([]byte("\x1b[<0;5;6Makd\x1b[5~"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m := model()
		if rest := feed(m, text); len(rest) > 32 {
			t.Fatalf("%d bytes wait for the end of a key", len(rest))
		}
		m.View()
	})
}

func TestHistory(t *testing.T) {
	deeds := []Deed{
		{When: "10:02", What: "rm \x1b[31m x", Files: []string{"deleted x"}, Diff: func() string { return "-one\n+two\n" }},
		{When: "10:01", What: "cp a b", Files: []string{"changed b"}, Diff: func() string { return "" }},
		{When: "10:00", What: "mv a b"},
	}
	for _, c := range []struct {
		keys string
		at   int
		undo bool
	}{
		{"u y", 0, true},
		{"down u y", 1, true},
		{"down down down up u y", 1, true},
		{"u n q", 0, false},
		{"enter u y", 0, true},
		{"enter left down u y", 1, true},
		{"q", 0, false},
		{"u ctrl-c", 0, false},
		{"pagedown u y", 2, true},
		{"enter down down up pagedown pageup q", 0, false},
	} {
		h := NewHistory(deeds)
		for key := range strings.FieldsSeq(c.keys) {
			for _, line := range h.View() {
				if strings.Contains(line, "\x1b[31m x") {
					t.Errorf("%s: what was logged reaches the terminal", c.keys)
				}
			}
			h.Key(key)
		}
		if done, undo := h.Done(); !done || undo != c.undo || h.Picked() != c.at {
			t.Errorf("%s: %v %v %d, want %v %d", c.keys, done, undo, h.Picked(), c.undo, c.at)
		}
	}
	h := NewHistory(deeds)
	for _, size := range [][2]int{{20, 8}, {80, 24}, {200, 60}} {
		h.Resize(size[0], size[1])
		if lines := h.View(); len(lines) > size[1] {
			t.Errorf("%v: %d lines", size, len(lines))
		}
	}
	h.Click(2)
	if h.Key("enter"); h.Picked() != 1 || !strings.Contains(strings.Join(h.View(), "\n"), "nothing to show") {
		t.Errorf("a click picks %d", h.Picked())
	}
	none := NewHistory(nil)
	if none.View(); none.at != 0 {
		t.Error("nothing is something")
	}
	none.Key("u")
	if done, undo := none.Done(); !done || undo {
		t.Error("nothing can be undone")
	}
}

// A question mark shows the keys of the screen, and the next key takes them away and does nothing else.
func TestKeysAreShown(t *testing.T) {
	review := New([]Item{{Title: "a", Proposals: map[Choice]Proposal{Allow: {}}}, {Title: "b"}}, func([]Choice) (string, error) { return "", nil })
	undo := NewHistory([]Deed{{When: "now", What: "rm a"}, {When: "before", What: "rm b"}})
	for _, s := range []Screens{review, undo} {
		before := strings.Join(s.View(), "\n")
		if !strings.Contains(before, "? keys") {
			t.Errorf("it does not say how to see the keys:\n%s", before)
		}
		s.Key("?")
		if keys := strings.Join(s.View(), "\n"); !strings.Contains(keys, "\nq quit") || strings.Contains(keys, "rm a") {
			t.Errorf("no keys:\n%s", keys)
		}
		s.Key("u")
		if after := strings.Join(s.View(), "\n"); after != before {
			t.Errorf("it was\n%s\nand is\n%s", before, after)
		}
		s.Key("?")
		s.Key("q")
		if done, agreed := s.Done(); !done || agreed {
			t.Errorf("done %v, agreed %v", done, agreed)
		}
	}
}
