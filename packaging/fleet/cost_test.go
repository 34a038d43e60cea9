package main

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestCost: what a line costs a machine with a Collector, in bytes, time of the processor
// and memory.
func TestCost(t *testing.T) {
	program := collectorProgram(t)
	var lines, sent atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := &counting{from: r.Body}
		zip, err := gzip.NewReader(body)
		if err != nil {
			t.Error(err)
			return
		}
		var in request
		if err := json.NewDecoder(zip).Decode(&in); err != nil {
			t.Error(err)
			return
		}
		io.WriteString(w, "{}")
		sent.Add(body.n)
		for _, rl := range in.ResourceLogs {
			for _, sl := range rl.ScopeLogs {
				lines.Add(int64(len(sl.LogRecords)))
			}
		}
	}))
	defer server.Close()
	const total = 50_000
	dir := t.TempDir()
	m := &machine{host: "m1", home: filepath.Join(dir, "home/ann"), start: time.Now(), bundle: "acme 1.4"}
	m.log.Path = m.home + "/.claude/hooks-logs/longline.jsonl"
	for n := range total {
		if err := m.log.Append(time.Now(), recorded{m.line(n), m}); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Stat(m.log.Path)
	if err != nil {
		t.Fatal(err)
	}
	used := func(cmd *collector) time.Duration {
		cmd.cmd.Process.Signal(syscall.SIGTERM)
		cmd.cmd.Wait()
		return cmd.cmd.ProcessState.UserTime() + cmd.cmd.ProcessState.SystemTime()
	}
	c := &collector{program: program, host: "m1", dir: dir, logs: m.home + "/.claude/hooks-logs/longline*.jsonl", receiver: server.URL}
	c.start(t)
	for end := time.Now().Add(3 * time.Minute); lines.Load() < total && time.Now().Before(end); {
		time.Sleep(100 * time.Millisecond)
	}
	rss := c.rss()
	busy := used(c)
	if lines.Load() < total {
		t.Fatalf("only %d lines came: %s", lines.Load(), c.out.String())
	}
	// With nothing to do: what it takes to start and to end, and then a while of waiting.
	c.start(t)
	time.Sleep(2 * time.Second)
	start := used(c)
	c.start(t)
	time.Sleep(22 * time.Second)
	idle := used(c) - start
	t.Logf("a line is %d bytes in the log and %d on the wire; %v of processor time for a line, %d MB of memory; %v in a second of waiting",
		info.Size()/total, sent.Load()/total, (busy-start)/total, rss>>10, idle/20)
}

// counting counts what is read.
type counting struct {
	from io.Reader
	n    int64
}

func (c *counting) Read(room []byte) (int, error) {
	n, err := c.from.Read(room)
	c.n += int64(n)
	return n, err
}
