package config

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"longline/internal/policy"
	"longline/internal/rulesfile"
)

// A large compiled file that was read through once is not read through again, and
// any change to it or to its source ends that, also one that keeps size and time.
func TestMark(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := shelf{dir: dir, mode: 0o600, owner: os.Geteuid(), state: t.TempDir()}
	name := dir + "/rules.yaml"
	var text strings.Builder
	text.WriteString("version: 1\nrules:\n")
	for i := range 1500 {
		fmt.Fprintf(&text, "- {id: rule%d, match: {command: tool%d}, decision: deny, reason: no}\n", i, i)
	}
	if err := os.WriteFile(name, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := rulesfile.ParseNamed(name, []byte(text.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	s.store(&compiled{name: name, text: text.String()}, file)
	load := func() error {
		source, info, err := openRegular(name, maxRules)
		if err != nil {
			t.Fatal(err)
		}
		defer source.Close()
		_, rules, err := s.load(name, source, info, nil)
		if err == nil && !bytes.Equal(policy.Encode(rules), policy.Encode(file)) {
			t.Error("other rules are trusted")
		}
		return err
	}
	marked := func() bool {
		_, made, err := openRegular(s.path(name), maxCompiled)
		if err != nil {
			t.Fatal(err)
		}
		if made.Size() < markedFrom {
			t.Fatalf("%d bytes are too few for a mark", made.Size())
		}
		_, source, err := openRegular(name, maxRules)
		if err != nil {
			t.Fatal(err)
		}
		return s.mark(name, s.key(), made, source).made()
	}
	if err := load(); err != nil || marked() {
		t.Fatalf("right after it was written: %v, marked %t", err, marked())
	}
	time.Sleep(markedAfter + 100*time.Millisecond)
	if err := load(); err != nil || !marked() {
		t.Fatalf("later: %v, marked %t", err, marked())
	}
	if err := load(); err != nil {
		t.Fatalf("with the mark: %v", err)
	}

	// change writes other bytes of the same number and sets the time back.
	change := func(path, from, to string) {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(data, []byte(from)) {
			t.Fatalf("%s has no %q: %v", path, from, err)
		}
		if err := os.WriteFile(path, bytes.Replace(data, []byte(from), []byte(to), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, info.ModTime(), info.ModTime()); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{s.path(name), name} {
		change(path, "tool1499", "tool9999")
		if err := load(); !errors.Is(err, ErrNotCompiled) {
			t.Errorf("%s was changed, and what was compiled still counts: %v", path, err)
		}
		change(path, "tool9999", "tool1499")
		if err := load(); err != nil || marked() {
			t.Errorf("%s is as it was: %v, marked %t", path, err, marked())
		}
	}
}
