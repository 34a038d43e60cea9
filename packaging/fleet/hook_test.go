package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// hookTimes runs the hook again and again, by turns in a home directory whose log a Collector
// follows and in one that nobody looks at, until done. What it returns says how long each
// took.
func hookTimes(t *testing.T, like *collector, dir string, done <-chan struct{}) func(t *testing.T) {
	program := os.Getenv("FLEET_HOOK")
	if program == "" {
		t.Log("FLEET_HOOK does not name longline-hook; its times are not taken")
		return func(*testing.T) {}
	}
	homes := []string{filepath.Join(dir, "with/home/dev"), filepath.Join(dir, "without/home/dev")}
	for _, home := range homes {
		if err := os.MkdirAll(home+"/.claude/hooks-logs", 0o700); err != nil {
			t.Fatal(err)
		}
	}
	sink := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, "{}")
	}))
	c := &collector{program: like.program, host: "hook", dir: filepath.Join(dir, "with"), logs: homes[0] + "/.claude/hooks-logs/longline*.jsonl", receiver: sink.URL}
	c.start(t)
	times := make([][]time.Duration, 2)
	var problem error
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		for n := 0; ; n++ {
			select {
			case <-done:
				return
			default:
			}
			home := homes[n%2]
			input, _ := json.Marshal(map[string]any{"hook_event_name": "PreToolUse", "session_id": "s", "cwd": home, "tool_name": "Bash", "tool_use_id": fmt.Sprint("t", n), "tool_input": map[string]string{"command": "git status"}})
			cmd := exec.Command(program, "claude")
			cmd.Env = []string{"HOME=" + home, "PATH=/usr/bin:/bin"}
			cmd.Stdin = strings.NewReader(string(input))
			cmd.Stdout = new(bytes.Buffer) // an answer that goes nowhere is a failure
			start := time.Now()
			if err := cmd.Run(); err != nil {
				problem = err
				return
			}
			times[n%2] = append(times[n%2], time.Since(start))
			time.Sleep(20 * time.Millisecond)
		}
	}()
	return func(t *testing.T) {
		<-finished
		c.kill()
		sink.Close()
		if problem != nil {
			t.Error(problem)
			return
		}
		at := func(list []time.Duration, q float64) time.Duration { return list[int(q*float64(len(list)-1))] }
		for i := range times {
			if len(times[i]) < 20 {
				t.Errorf("only %d hooks were run", len(times[i]))
				return
			}
			slices.Sort(times[i])
		}
		with, without := times[0], times[1]
		t.Logf("hook with a Collector that follows its log: p50 %v, p95 %v (%d runs); without: p50 %v, p95 %v (%d runs)",
			at(with, .5).Round(time.Microsecond), at(with, .95).Round(time.Microsecond), len(with), at(without, .5).Round(time.Microsecond), at(without, .95).Round(time.Microsecond), len(without))
		// The machine is busy with everything else in this test; what counts is the difference.
		if at(with, .5) > at(without, .5)*5/4+time.Millisecond {
			t.Errorf("the Collector slows the hook: %v instead of %v", at(with, .5), at(without, .5))
		}
	}
}
