package state

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// FuzzRecords: whatever stands in the files of the store, a permission is for
// exactly the call that it names, a pause ends within its bounds, and trust is
// for the very text.
func FuzzRecords(f *testing.F) {
	now := time.Date(2026, 11, 15, 4, 0, 0, 0, time.UTC)
	call := Held{Tool: "Bash", Dir: "/p", Subject: "rm -rf x", Since: now}
	f.Add(call.record())
	f.Add(fields(pauseForm, now.Add(time.Hour).Format(time.RFC3339)))
	f.Add(fields(pauseForm, now.Add(24*time.Hour).Format(time.RFC3339)))
	f.Add(append(fields(trustForm, "/r", "n", now.Format(time.RFC3339)), "version: 1\n"...))
	f.Add([]byte("\"longline held 2\"\n`Bash`\n'x'\n"))
	s := Open(f.TempDir())
	f.Fuzz(func(t *testing.T, record []byte) {
		for _, path := range []string{"once/abcdefgh", "held/abcdefgh", "pause/until", "trust/" + pinName("/r", "n")} {
			path = filepath.Join(s.dir, path)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, record, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, now, now); err != nil {
				t.Fatal(err)
			}
		}
		read, ok := s.held("once", "abcdefgh")
		if ok && string(read.record()) != string(record) {
			// Another spelling of the same is fine; another meaning is not.
			again, rest, whole := cutFields(read.record(), 7)
			first, _, _ := cutFields(record, 7)
			if !whole || rest != "" || again[1] != first[1] || again[2] != first[2] || again[3] != first[3] || again[4] != first[4] {
				t.Fatalf("%q is read as %+v", record, read)
			}
		}
		if s.Use(Held{Tool: "Bash", Dir: "/p", Subject: "rm -rf y"}, now) && read.Subject != "rm -rf y" {
			t.Fatalf("%q permits another call", record)
		}
		if until, ok := s.Paused(now); ok && (until.Before(now) || until.Sub(now) > MaxPause) {
			t.Fatalf("%q pauses until %v", record, until)
		}
		if pin, ok := s.Pinned("/r", "n"); ok && s.Trusts("/r", "n", pin.Content+"x") || s.Trusts("/other", "n", string(record)) {
			t.Fatalf("%q trusts another text", record)
		}
		s.AllHeld(now)
		s.Ran(call)
		s.sweep(now)
	})
}
