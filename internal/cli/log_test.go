package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"longline/internal/audit"
	"longline/internal/config"
)

// reader collects what is printed, and fails when it has seen enough, which is
// how following a log ends.
type reader struct {
	sync.Mutex
	text  strings.Builder
	lines chan struct{}
	done  bool
}

func (r *reader) Write(b []byte) (int, error) {
	r.Lock()
	defer r.Unlock()
	if r.done {
		return 0, errors.New("enough")
	}
	for range strings.Count(string(b), "\n") {
		r.lines <- struct{}{}
	}
	return r.text.Write(b)
}

// TestFollowing appends to a log from several processes' places at once while it
// is put away again and again: each line is shown once.
func TestFollowing(t *testing.T) {
	const writers, each, before = 4, 150, 30
	home := t.TempDir()
	log := audit.Log{Path: filepath.Join(home, ".claude/hooks-logs/longline.jsonl")}
	now, tomorrow := time.Now(), time.Now().AddDate(0, 0, 1)
	add := func(name string, when time.Time) {
		if err := log.Append(when, audit.Act{Time: now, What: "pause", Subject: name}); err != nil {
			t.Error(err)
		}
	}
	for i := range before {
		add(fmt.Sprintf("before-%d", i), now)
	}
	out := &reader{lines: make(chan struct{}, 10_000)}
	ended := make(chan string)
	go func() {
		var errs strings.Builder
		p := &process{env: []string{"HOME=" + home}, in: strings.NewReader(""), out: out, err: &errs}
		p.main([]string{"longline", "log", "-f", "-n", "0"})
		ended <- errs.String()
	}()

	// While it begins already.
	var wait sync.WaitGroup
	for w := range writers {
		wait.Go(func() {
			for i := range each {
				when := now
				if i%40 == 39 {
					when = tomorrow // today's file is put away
				}
				add(fmt.Sprintf("w%d-%d", w, i), when)
				time.Sleep(4 * time.Millisecond)
			}
		})
	}
	wait.Wait()
	// One had opened the file before it was put away, and writes now.
	late, err := os.OpenFile(log.Path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer late.Close()
	add("after-0", tomorrow)
	want := before + writers*each + 1
	await(t, out, want)
	if _, err := late.Write(audit.Act{Time: now, What: "pause", Subject: "late-0"}.Line()); err != nil {
		t.Fatal(err)
	}
	want++
	await(t, out, 1)

	out.Lock()
	out.done = true
	out.Unlock()
	add("after-1", now)
	if said := <-ended; !strings.Contains(said, "enough") {
		t.Errorf("it ended with %q", said)
	}
	seen := map[string]int{}
	for line := range strings.Lines(out.text.String()) {
		seen[line[strings.LastIndexByte(line, ' ')+1:]]++
	}
	for line, n := range seen {
		if n > 1 {
			t.Errorf("%s is shown %d times", strings.TrimSpace(line), n)
		}
	}
	if len(seen) != want {
		t.Errorf("%d lines are shown, want %d", len(seen), want)
	}
	if put := log.Put(); len(put) < 5 {
		t.Errorf("the file was put away %d times only", len(put))
	}
}

func await(t *testing.T, r *reader, lines int) {
	t.Helper()
	limit := time.After(20 * time.Second)
	for i := range lines {
		select {
		case <-r.lines:
		case <-limit:
			t.Fatalf("%d lines are shown, want %d", i, lines)
		}
	}
}

// A report is shown only where there is a desktop to show it on.
func TestOpener(t *testing.T) {
	for _, c := range []struct{ system, variable, want string }{
		{"linux", "", ""}, {"linux", "DISPLAY=:0", "xdg-open"}, {"freebsd", "WAYLAND_DISPLAY=wayland-0", "xdg-open"}, {"darwin", "", "/usr/bin/open"},
	} {
		p := &process{env: config.Env{c.variable}}
		if got := p.opener(c.system); got != c.want {
			t.Errorf("%s with %q: %q, want %q", c.system, c.variable, got, c.want)
		}
	}
}
