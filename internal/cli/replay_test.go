package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A log of 100,000 lines is judged again as a stream: what is kept does not grow
// with it.
func TestReplayIsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	path := filepath.Join(t.TempDir(), "log.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	const lines = 100_000
	var b bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&b, `{"ts":"2026-01-10T10:00:00.000Z","tool":"Bash","cwd":"/srv/p%d","command":"git show HEAD~%d","decision":"allow","matched_rules":[],"v":1}`+"\n", i%7, i%1000)
	}
	if _, err := f.Write(b.Bytes()); err != nil || f.Close() != nil {
		t.Fatal(err)
	}
	b = bytes.Buffer{}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	most, done := make(chan uint64), make(chan struct{})
	go func() {
		var peak uint64
		for {
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			peak = max(peak, now.HeapAlloc)
			select {
			case <-done:
				most <- peak
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	var out strings.Builder
	p := &process{env: []string{"HOME=" + t.TempDir()}, in: strings.NewReader(""), out: &out, err: &out}
	if status := p.main([]string{"longline", "check", "--replay", path}); status != exitOK {
		t.Fatalf("status %d: %.500s", status, out.String())
	}
	close(done)
	if peak := int64(<-most) - int64(before.HeapAlloc); peak > 64<<20 {
		t.Errorf("%d MiB were in use", peak>>20)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if !strings.Contains(out.String(), "100000 lines: 100000 unchanged") {
		t.Errorf("printed %.300s", out.String())
	}
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 32<<20 {
		t.Errorf("%d MiB are still in use", grown>>20)
	}
}
