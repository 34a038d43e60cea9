package ship

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// collector is a receiver that can be told to fail.
type collector struct {
	*httptest.Server
	mu       sync.Mutex
	got      []string // ids, as they came
	requests int
	about    map[string]string
	fails    func(n int, w http.ResponseWriter) (before, after bool)
}

func newCollector(t *testing.T) *collector {
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.requests++
		before, after := false, false
		if c.fails != nil {
			before, after = c.fails(c.requests, w)
		}
		if before {
			return
		}
		zip, err := gzip.NewReader(r.Body)
		if err != nil || r.URL.Path != "/v1/logs" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: %v", r.URL, r.Header, err)
			return
		}
		var in exportRequest
		d := json.NewDecoder(zip)
		d.DisallowUnknownFields()
		if err := d.Decode(&in); err != nil {
			if c.fails == nil { // else the sender was ended
				t.Error(err)
			}
			return
		}
		c.about = map[string]string{}
		for _, a := range in.ResourceLogs[0].Resource.Attributes {
			c.about[a.Key] = a.Value.Text
		}
		for _, rec := range in.ResourceLogs[0].ScopeLogs[0].LogRecords {
			var line header
			if err := json.Unmarshal([]byte(rec.Body.Text), &line); err != nil {
				t.Errorf("%q: %v", rec.Body.Text, err)
			}
			if rec.Attributes[0].Key != "log.record.uid" || rec.Attributes[0].Value.Text != line.ID || rec.Time != nanoseconds(line.Time) {
				t.Errorf("the record of %s is %+v", line.ID, rec)
			}
			c.got = append(c.got, line.ID)
		}
		if after {
			return
		}
		w.Write([]byte(`{"partialSuccess":{}}`))
	}))
	t.Cleanup(c.Close)
	return c
}

// once is what came, each id where it came first.
func (c *collector) once() []string {
	var list []string
	seen := map[string]bool{}
	for _, id := range c.got {
		if !seen[id] {
			seen[id] = true
			list = append(list, id)
		}
	}
	return list
}

func write(t *testing.T, name string, from, to int) (ids []string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i := from; i < to; i++ {
		id := fmt.Sprintf("%028d", i)
		ids = append(ids, id)
		fmt.Fprintf(f, `{"ts":"2026-11-15T10:00:00.%03dZ","tool":"Bash","command":%q,"decision":"ask","rule":"r","line":%q,"v":1}`+"\n", i%1000, strings.Repeat("x", i%300), id)
	}
	return ids
}

func options(dir, to string) Options {
	return Options{
		To: to + "/v1/logs", Checkpoint: filepath.Join(dir, "state/ship.json"), Resource: map[string]string{"host.name": "m1"}, Client: http.DefaultClient, Attempts: 3,
		Files: func() []string {
			old, _ := filepath.Glob(filepath.Join(dir, "log-*.jsonl"))
			slices.Sort(old)
			return append(old, filepath.Join(dir, "log.jsonl"))
		},
		Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
}

func TestSendsWhatIsNew(t *testing.T) {
	dir, c := t.TempDir(), newCollector(t)
	o := options(dir, c.URL)
	if sent, err := Run(context.Background(), o); err != nil || sent.Lines != 0 {
		t.Fatalf("there is no log yet: %+v, %v", sent, err)
	}
	want := write(t, filepath.Join(dir, "log.jsonl"), 0, 2500)
	sent, err := Run(context.Background(), o)
	if err != nil || sent.Lines != 2500 || sent.Requests != 3 || !slices.Equal(c.got, want) || c.about["host.name"] != "m1" {
		t.Fatalf("%+v, %v, %d came", sent, err, len(c.got))
	}
	if sent, err := Run(context.Background(), o); err != nil || sent.Requests != 0 {
		t.Fatalf("nothing is new: %+v, %v", sent, err)
	}
	// The file is put away, somebody who had it open adds to it, and a new one is begun.
	if err := os.Rename(filepath.Join(dir, "log.jsonl"), filepath.Join(dir, "log-2026-11-15.jsonl")); err != nil {
		t.Fatal(err)
	}
	want = append(want, write(t, filepath.Join(dir, "log-2026-11-15.jsonl"), 2500, 2501)...)
	want = append(want, write(t, filepath.Join(dir, "log.jsonl"), 2501, 2510)...)
	// Half a line, and what is no line at all.
	f, err := os.OpenFile(filepath.Join(dir, "log.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("nonsense\n\n" + strings.Repeat("y", maxLine+10) + "\n" + `{"ts":"2026-11-15T10:00:00Z",`)
	f.Close()
	if sent, err := Run(context.Background(), o); err != nil || sent.Lines != 10 || sent.Skipped != 2 || !slices.Equal(c.got, want) {
		t.Fatalf("%+v, %v, %d came", sent, err, len(c.got))
	}
	f, _ = os.OpenFile(filepath.Join(dir, "log.jsonl"), os.O_APPEND|os.O_WRONLY, 0)
	f.WriteString(`"line":"late"}` + "\n")
	f.Close()
	if sent, err := Run(context.Background(), o); err != nil || sent.Lines != 1 || c.got[len(c.got)-1] != "late" {
		t.Fatalf("the rest of the line: %+v, %v", sent, err)
	}
	// What is removed is forgotten.
	os.Remove(filepath.Join(dir, "log-2026-11-15.jsonl"))
	if _, err := Run(context.Background(), o); err != nil {
		t.Fatal(err)
	}
	text, _ := os.ReadFile(o.Checkpoint)
	if strings.Count(string(text), ":") != 3 { // version, offsets and one file
		t.Errorf("the checkpoint is %s", text)
	}
}

// TestNothingIsLost: the receiver fails before and after it has taken a batch, the sender is
// ended at any moment, the log grows and is put away meanwhile. In the end every line has
// come, and each for the first time in the order in which it was written.
func TestNothingIsLost(t *testing.T) {
	dir, c := t.TempDir(), newCollector(t)
	random := rand.New(rand.NewPCG(1, 2))
	var cancel context.CancelFunc
	c.fails = func(n int, w http.ResponseWriter) (before, after bool) {
		switch random.IntN(6) {
		case 0:
			w.WriteHeader(http.StatusServiceUnavailable)
			return true, false
		case 1: // taken, and the answer is lost
			w.WriteHeader(http.StatusBadGateway)
			return false, true
		case 2:
			cancel()
		}
		return false, false
	}
	var want []string
	written := 0
	for round := range 40 {
		n := random.IntN(1500)
		want = append(want, write(t, filepath.Join(dir, "log.jsonl"), written, written+n)...)
		written += n
		if round%7 == 6 {
			os.Rename(filepath.Join(dir, "log.jsonl"), filepath.Join(dir, fmt.Sprintf("log-2026-11-%02d.jsonl", round)))
		}
		var ctx context.Context
		ctx, cancel = context.WithCancel(context.Background())
		Run(ctx, options(dir, c.URL))
		cancel()
	}
	c.fails = nil
	if _, err := Run(context.Background(), options(dir, c.URL)); err != nil {
		t.Fatal(err)
	}
	if got := c.once(); !slices.Equal(got, want) {
		t.Errorf("%d of %d lines came", len(got), len(want))
	}
	if len(c.got) == len(want) {
		t.Error("no line came twice, so nothing was tried")
	}
	t.Logf("%d lines, %d requests, %d came twice", len(want), c.requests, len(c.got)-len(want))
}

func TestRefusals(t *testing.T) {
	for status, test := range map[int]struct {
		requests int
		lines    int
	}{400: {1, 0}, 401: {1, 0}, 429: {3, 0}, 503: {3, 0}} {
		dir, c := t.TempDir(), newCollector(t)
		write(t, filepath.Join(dir, "log.jsonl"), 0, 10)
		c.fails = func(_ int, w http.ResponseWriter) (bool, bool) { w.WriteHeader(status); return true, false }
		sent, err := Run(context.Background(), options(dir, c.URL))
		if err == nil || c.requests != test.requests || sent.Lines != test.lines {
			t.Errorf("%d: %v, %d requests, %+v", status, err, c.requests, sent)
		}
	}
	// What is too much at once goes in parts.
	dir, c := t.TempDir(), newCollector(t)
	want := write(t, filepath.Join(dir, "log.jsonl"), 0, 100)
	c.fails = func(n int, w http.ResponseWriter) (bool, bool) {
		if n <= 2 {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
		}
		return n <= 2, false
	}
	if sent, err := Run(context.Background(), options(dir, c.URL)); err != nil || sent.Lines != 100 || !slices.Equal(c.got, want) {
		t.Errorf("%+v, %v", sent, err)
	}
}

func TestBrokenCheckpoint(t *testing.T) {
	dir, c := t.TempDir(), newCollector(t)
	write(t, filepath.Join(dir, "log.jsonl"), 0, 3)
	o := options(dir, c.URL)
	os.MkdirAll(filepath.Dir(o.Checkpoint), 0o700)
	os.WriteFile(o.Checkpoint, []byte("{"), 0o600)
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "sent again") || c.requests != 0 {
		t.Errorf("got %v", err)
	}
}
