package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestStatusline(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log.jsonl")
	now := time.Date(2026, 11, 15, 15, 0, 0, 0, time.Local)
	if d, err := today(log, now); err != nil || d.String() != "longline: 0 allowed · 0 asked · 0 denied" {
		t.Errorf("without a log: %v %v", d, err)
	}
	line := func(at time.Time, rest string) string {
		return `{"ts":"` + at.Format(time.RFC3339Nano) + `",` + rest + "}\n"
	}
	lines := line(now.AddDate(0, 0, -1), `"decision":"deny","rule":"old"`) +
		line(now, `"decision":"allow","means":["undo","wall"]`) + line(now, `"decision":"allow"`) +
		line(now, `"decision":"deny","rule":"rm-recursive-root"`) + line(now, `"decision":"ask","rule":"git-push"`) +
		line(now, `"decision":"ask","rule":"git-push","event":"PermissionRequest"`) + line(now, `"decision":"ask","by_hand":true`) + "half a li"
	for _, before := range []string{"", strings.Repeat(strings.Repeat("x", 1000)+"\n", maxStatus/1000)} {
		if err := os.WriteFile(log, []byte(before+lines), 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := today(log, now)
		if want := "longline: 2 allowed (1 contained) · 1 asked · 1 denied · 1 call with undo · asked 15:00 git-push"; err != nil || d.String() != want {
			t.Errorf("%v %v, want %s", d, err, want)
		}
	}
}
