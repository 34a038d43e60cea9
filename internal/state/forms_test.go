package state

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestForms holds what is written against the files of the first release: an older
// longline must read them, and a newer one what is in testdata. Who changes a form
// gives it another number, and reads the old one for as long as it matters. A form
// with a number that is not known counts for nothing, so that a downgrade is never
// looser.
func TestForms(t *testing.T) {
	when := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	s := Open(t.TempDir())
	pin := Pin{Repository: "/home/dev/src/app", Name: ".longline.yaml", Content: "version: 1\nallowlists: {commands: [terraform apply]}\n", Since: when}
	call := Held{Tool: "Bash", Dir: "/home/dev/src/app", Subject: "git push origin \"main\"\n", ToolUse: "toolu_1"}
	if err := s.Trust(pin); err != nil {
		t.Fatal(err)
	}
	if err := s.Pause(when, when.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	id, err := s.Hold(call, when)
	if err != nil {
		t.Fatal(err)
	}
	held, ok := s.Held(id, when)
	if !ok {
		t.Fatal("what was held is not held")
	}
	if err := s.Grant(held, when); err != nil {
		t.Fatal(err)
	}
	for _, form := range []struct {
		name, path string
		counts     func() bool
	}{
		{"trust", filepath.Join("trust", pinName(pin.Repository, pin.Name)), func() bool { return s.Trusts(pin.Repository, pin.Name, pin.Content) }},
		{"pause", "pause/until", func() bool { _, ok := s.Paused(when); return ok }},
		{"once", filepath.Join("once", id), func() bool { h, ok := s.held("once", id); return ok && h.same(call) }},
	} {
		path := filepath.Join(s.dir, form.path)
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("testdata/forms", form.name))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != string(want) {
			t.Errorf("%s is written as\n%s\nand was\n%s", form.name, got, want)
		}
		// As it was written by the first release, it counts.
		if err := os.WriteFile(path, want, 0o600); err != nil {
			t.Fatal(err)
		}
		if !form.counts() {
			t.Errorf("%s of the first release does not count", form.name)
		}
		head, rest, _ := strings.Cut(string(want), "\n")
		later := head[:len(head)-2] + "9\"\n" + rest
		if err := os.WriteFile(path, []byte(later), 0o600); err != nil {
			t.Fatal(err)
		}
		if form.counts() {
			t.Errorf("%s of a form that is not known counts:\n%s", form.name, later)
		}
	}
}
