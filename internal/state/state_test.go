package state

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestTrust(t *testing.T) {
	s := Open(t.TempDir())
	now := time.Date(2026, 11, 15, 4, 0, 0, 0, time.UTC)
	text := "version: 1\n\"odd\"\n\x00\xff"
	pin := Pin{"/r/.git", "a/.longline.yaml", text, now}
	if err := s.Trust(pin); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		repository, name, content string
		want                      bool
	}{
		{"/r/.git", "a/.longline.yaml", text, true},
		{"/r/.git", "a/.longline.yaml", text + "\n", false},
		{"/r/.git", "a/.longline.yaml", "", false},
		{"/r/.git", "b/.longline.yaml", text, false},
		{"/s/.git", "a/.longline.yaml", text, false},
	} {
		if got := s.Trusts(test.repository, test.name, test.content); got != test.want {
			t.Errorf("%s %s %q: trusted is %v", test.repository, test.name, test.content, got)
		}
	}
	if pins := s.Pins(); len(pins) != 1 || pins[0] != pin {
		t.Errorf("trusted are %v", pins)
	}
	if (Store{}).Trusts("/r/.git", "a/.longline.yaml", text) || (Store{}).Trust(pin) == nil {
		t.Error("a store that is nowhere keeps something")
	}
}

// Many processes may trust at once; each file that is trusted stays so.
func TestTrustingAtOnce(t *testing.T) {
	s := Open(t.TempDir())
	var wait sync.WaitGroup
	for i := range 40 {
		wait.Go(func() {
			name, content := fmt.Sprintf("f%d", i%8), strings.Repeat(fmt.Sprint(i%8), 10_000)
			if err := s.Trust(Pin{"/r", name, content, time.Now()}); err != nil {
				t.Error(err)
			}
			if !s.Trusts("/r", name, content) {
				t.Errorf("%s is not trusted", name)
			}
		})
	}
	wait.Wait()
	if n := len(s.Pins()); n != 8 {
		t.Errorf("%d files are trusted, want 8", n)
	}
	if files, _ := os.ReadDir(filepath.Join(s.Dir(), "trust")); len(files) != 8 {
		t.Errorf("%d files are left, want 8", len(files))
	}
}

func TestAboutIsUsedUp(t *testing.T) {
	s, now := Open(t.TempDir()), time.Now()
	call := Held{Tool: "Bash", Dir: "/p", Subject: "make"}
	about := func(want string, allowed bool) {
		t.Helper()
		if id, ok := s.About("make", "/p", now); (id != "") != (want != "") || ok != allowed {
			t.Errorf("%s: %q, %v", want, id, ok)
		}
	}
	about("", false)
	id, err := s.Hold(call, now)
	if err != nil {
		t.Fatal(err)
	}
	about("held", false)
	h, _ := s.Held(id, now)
	if err := s.Grant(h, now); err != nil {
		t.Fatal(err)
	}
	about("", true)
	if !s.Use(call, now) || s.Use(call, now) {
		t.Error("a permission is for one call")
	}
	about("", false)
}

func TestOnce(t *testing.T) {
	s := Open(t.TempDir())
	now := time.Now()
	call := Held{Tool: "Bash", Dir: "/p", Subject: "make\ndeploy", ToolUse: "t1"}
	id, err := s.Hold(call, now)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := s.Hold(call, now); again != id {
		t.Errorf("a second try has the id %q, the first %q", again, id)
	}
	if s.Use(call, now) {
		t.Error("a call that nobody has allowed may run")
	}
	h, ok := s.Held(id, now)
	if !ok || !h.same(call) {
		t.Fatalf("held is %v, %v", h, ok)
	}
	if _, ok := s.Held(id, now.Add(HoldFor)); ok {
		t.Error("a call can be allowed after an hour")
	}
	if err := s.Grant(h, now); err != nil {
		t.Fatal(err)
	}
	for _, other := range []Held{
		{Tool: "Bash", Dir: "/p", Subject: "make"},
		{Tool: "Bash", Dir: "/q", Subject: call.Subject},
		{Tool: "Monitor", Dir: "/p", Subject: call.Subject},
	} {
		if s.Use(other, now) {
			t.Errorf("%v may run", other)
		}
	}
	if s.Use(call, now.Add(HoldFor)) || s.Use(call, now.Add(-time.Hour)) {
		t.Error("a permission holds too early or too late")
	}
	// Of many that try at once one is let through.
	var used atomic.Int32
	var wait sync.WaitGroup
	for range 30 {
		wait.Go(func() {
			if s.Use(call, now) {
				used.Add(1)
			}
		})
	}
	wait.Wait()
	if used.Load() != 1 {
		t.Errorf("the permission was used %d times", used.Load())
	}
	if !s.Used(call, now.Add(time.Second)) || s.Used(call, now.Add(usedFor)) {
		t.Error("it is not known that the permission was used a moment ago, or for too long")
	}
}

func TestHeldIsBoundedAndSwept(t *testing.T) {
	s := Open(t.TempDir())
	now := time.Now()
	for i := range maxHeld + 10 {
		id, err := s.Hold(Held{Subject: fmt.Sprint(i)}, now)
		if err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
		// Each is a moment older than the next.
		at := now.Add(time.Duration(i-100) * time.Second)
		if err := os.Chtimes(filepath.Join(s.Dir(), "held", id), at, at); err != nil {
			t.Fatal(err)
		}
	}
	list := s.AllHeld(now)
	if len(list) != maxHeld || slices.ContainsFunc(list, func(h Held) bool { return h.Subject == "0" }) || !slices.ContainsFunc(list, func(h Held) bool { return h.Subject == fmt.Sprint(maxHeld+9) }) {
		t.Errorf("%d calls are held, want the last %d", len(list), maxHeld)
	}
	if id, err := Open(t.TempDir()).Hold(Held{Subject: strings.Repeat("x", maxSubject+1)}, now); err == nil {
		t.Errorf("a huge call is held as %q", id)
	}
	old := now.Add(-HoldFor - time.Minute)
	for _, name := range s.names("held") {
		if err := os.Chtimes(filepath.Join(s.Dir(), "held", name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Hold(Held{Subject: "new"}, now); err != nil || len(s.AllHeld(now)) != 1 {
		t.Errorf("%d calls are held (%v), want the new one", len(s.AllHeld(now)), err)
	}
}

func TestRan(t *testing.T) {
	s := Open(t.TempDir())
	now := time.Now()
	call := Held{Tool: "Bash", Dir: "/p", Subject: "x", ToolUse: "t1"}
	if s.Ran(call) {
		t.Error("a call that was not held back ran after all")
	}
	if _, err := s.Hold(call, now); err != nil {
		t.Fatal(err)
	}
	if s.Ran(Held{ToolUse: "t2"}) || !s.Ran(Held{ToolUse: "t1"}) || s.Ran(Held{ToolUse: "t1"}) {
		t.Error("outcomes are told by the id of the call, once")
	}
}

func TestPause(t *testing.T) {
	s := Open(t.TempDir())
	now := time.Now()
	if err := s.Pause(now, now.Add(MaxPause+time.Minute)); err == nil {
		t.Error("a pause can be too long")
	}
	if err := s.Pause(now, now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	for after, want := range map[time.Duration]bool{0: true, 59 * time.Minute: true, 61 * time.Minute: false, -8 * time.Hour: false} {
		if _, ok := s.Paused(now.Add(after)); ok != want {
			t.Errorf("after %v paused is %v", after, ok)
		}
	}
	if was, err := s.Resume(); !was || err != nil {
		t.Error(was, err)
	}
	if was, err := s.Resume(); was || err != nil {
		t.Error(was, err)
	}
}

func TestReadRefuses(t *testing.T) {
	s := Open(t.TempDir())
	now := time.Now()
	if err := s.Pause(now, now.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(s.Dir(), "pause", "until")
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Paused(now); ok {
		t.Error("a file that others can write counts")
	}
	real := filepath.Join(s.Dir(), "elsewhere")
	if os.Chmod(path, 0o600) != nil || os.Rename(path, real) != nil || os.Symlink(real, path) != nil {
		t.Fatal("cannot make a link")
	}
	if _, ok := s.Paused(now); ok {
		t.Error("a link counts")
	}
}

// A call without an id is told by what it is.
func TestRanWithoutAnID(t *testing.T) {
	s := Open(t.TempDir())
	call := Held{Tool: "Bash", Dir: "/p", Subject: "x", ToolUse: "t1"}
	if _, err := s.Hold(call, time.Now()); err != nil {
		t.Fatal(err)
	}
	other, same := call, call
	other.ToolUse, other.Subject, same.ToolUse = "", "y", ""
	if s.Ran(other) {
		t.Error("another call without an id ran")
	}
	elsewhere := other
	elsewhere.ToolUse = "t2"
	if s.Ran(elsewhere) || !s.Ran(same) || s.Ran(same) {
		t.Error("a call without an id is told by what it is, once")
	}
}

// What is too old is removed, not only passed over, and what is not a record is none.
func TestHeldRecords(t *testing.T) {
	s := Open(t.TempDir())
	now := time.Now()
	old, err := s.Hold(Held{Subject: "old"}, now)
	if err != nil {
		t.Fatal(err)
	}
	at := now.Add(-HoldFor - time.Minute)
	if err := os.Chtimes(filepath.Join(s.Dir(), "held", old), at, at); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Hold(Held{Subject: "new"}, now); err != nil || len(s.names("held")) != 1 {
		t.Errorf("%d files are left (%v)", len(s.names("held")), err)
	}
	if h, ok := s.held("held", "nosuch"); ok {
		t.Errorf("a file that is not there is %+v", h)
	}
	if err := os.WriteFile(filepath.Join(s.Dir(), "held", "long"), make([]byte, 8*maxSubject+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if h, ok := s.held("held", "long"); ok {
		t.Errorf("a file that nobody wrote is %+v", h)
	}
	if was, err := Open("").Resume(); was || err != nil {
		t.Errorf("a pause without a place for it: %v, %v", was, err)
	}
}

// The first directory of a session is its project's, for that agent and session only.
func TestBegan(t *testing.T) {
	s := Open(t.TempDir())
	now := time.Now()
	for _, test := range []struct{ agent, session, dir, want string }{
		{"a", "1", "/first", "/first"},
		{"a", "1", "/second", "/first"},
		{"a", "2", "/second", "/second"},
		{"b", "1", "/third", "/third"},
		{"a", "", "/fourth", "/fourth"},
		{"a", "", "/fifth", "/fifth"},
	} {
		if got := s.Began(test.agent, test.session, test.dir, now); got != test.want {
			t.Errorf("%+v: %s", test, got)
		}
	}
	for _, dir := range []string{"/first", "/second"} {
		if got := Open("").Began("a", "1", dir, now); got != dir {
			t.Errorf("without a place to remember it: %s, want %s", got, dir)
		}
	}
	for _, record := range []string{"", "x\n", "\"x\"", "\"a\"\n\"b\"\n", "\"a\"\nb\n\"c\"\n"} {
		if texts, _, ok := cutFields([]byte(record), 3); ok {
			t.Errorf("%q has three fields: %q", record, texts)
		}
	}
	if got, rest, ok := cutFields([]byte("\"a\"\n\"b\"\nrest"), 2); !ok || rest != "rest" || !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("%q, %q, %v", got, rest, ok)
	}
}

// TestAddDir: directories are those of one session of one agent, each once, and not without end.
func TestAddDir(t *testing.T) {
	s := Open(t.TempDir())
	now := time.Now()
	for _, dir := range []string{"/a", "/b c\n", "/a"} {
		if err := s.AddDir("claude", "1", dir, now); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.AddedDirs("claude", "1"); !slices.Equal(got, []string{"/a", "/b c\n"}) {
		t.Errorf("added: %q", got)
	}
	for _, other := range [][2]string{{"claude", "2"}, {"qwen", "1"}, {"claude", ""}} {
		if got := s.AddedDirs(other[0], other[1]); got != nil {
			t.Errorf("%v has %q", other, got)
		}
	}
	if err := s.write("added", pinName("claude", "2"), fields(addedForm, "claude", "1", "/c")); err != nil {
		t.Fatal(err)
	}
	if got := s.AddedDirs("claude", "2"); got != nil {
		t.Errorf("another session's record counts: %q", got)
	}
	for i := range 2 * maxAdded {
		_ = s.AddDir("claude", "3", fmt.Sprint("/", i), now)
	}
	if got := s.AddedDirs("claude", "3"); len(got) != maxAdded {
		t.Errorf("%d directories", len(got))
	}
}

// TestBeganIsBounded: of more sessions than are remembered, the first are forgotten.
func TestBeganIsBounded(t *testing.T) {
	s := Open(t.TempDir())
	for i := range maxProjects + 20 {
		s.Began("a", fmt.Sprint(i), "/d", time.Now().Add(time.Second))
	}
	if list, err := os.ReadDir(filepath.Join(s.Dir(), "project")); err != nil || len(list) > maxProjects {
		t.Errorf("%d sessions are remembered, %v", len(list), err)
	}
}

// What was said is remembered, so much of it.
func TestSaidIsBounded(t *testing.T) {
	s := Open(t.TempDir())
	for i := range 100 {
		now := time.Now().Add(time.Second) // later than what was said before
		if !s.Say(fmt.Sprint("remark ", i), now) || s.Say(fmt.Sprint("remark ", i), now) {
			t.Fatalf("remark %d is not said once", i)
		}
	}
	if list, err := os.ReadDir(filepath.Join(s.Dir(), "said")); err != nil || len(list) > 65 {
		t.Errorf("%d remarks are remembered, %v", len(list), err)
	}
}
