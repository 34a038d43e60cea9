package serve_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"longline/internal/config"
	"longline/internal/serve"
)

// slow serves with a clock that takes its time, and counts how often it is looked at.
func slow(t *testing.T, looks *atomic.Int64, delay time.Duration) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &serve.Server{Env: config.Env{"HOME=" + t.TempDir()}, Token: token, Logf: t.Logf, Load: func(o config.Options) (*config.Config, error) {
		limit := o.Limit
		o.Limit = func() func() bool {
			over := limit()
			return func() bool {
				looks.Add(1)
				time.Sleep(delay)
				return over()
			}
		}
		return load(o)
	}}
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, ln) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return "http://" + ln.Addr().String()
}

// quiet waits until nothing is at work but what was before.
func quiet(t *testing.T, before int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); runtime.NumGoroutine() > before; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			buf := make([]byte, 64<<10)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
	}
}

// TestGone: a request that nobody waits for any more is not judged to its end, and
// nothing is left at work.
func TestGone(t *testing.T) {
	var looks atomic.Int64
	const delay = 50 * time.Millisecond
	url := slow(t, &looks, delay)
	time.Sleep(50 * time.Millisecond)
	before := runtime.NumGoroutine()
	body := fmt.Sprintf(`{"hook_event_name":"PreToolUse","cwd":"/p","tool_name":"Bash","tool_input":{"command":%q}}`, strings.Repeat("ls -la; ", 20000))
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range 12 { // more than are judged at the same time
		ctx, cancel := context.WithCancel(context.Background())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+serve.Path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+token)
		seen := looks.Load()
		gone := make(chan error, 1)
		go func() {
			resp, err := client.Do(req)
			if err == nil {
				resp.Body.Close()
			}
			gone <- err
		}()
		for looks.Load() < seen+2 {
			time.Sleep(time.Millisecond)
		}
		cancel()
		if err := <-gone; err == nil {
			t.Fatal("the request was answered before it was given up")
		}
		quiet(t, before)
		// Whole, it is looked at the clock some hundred times, and three seconds take sixty.
		if n := looks.Load() - seen; n > 30 {
			t.Errorf("it went on for %d looks at the clock", n)
		}
	}
}

// TestServeLimit: a judgement that takes too long asks, and nothing goes on after it.
func TestServeLimit(t *testing.T) {
	var looks atomic.Int64
	url := slow(t, &looks, 400*time.Millisecond)
	time.Sleep(50 * time.Millisecond)
	before := runtime.NumGoroutine()
	body := fmt.Sprintf(`{"hook_event_name":"PreToolUse","cwd":"/p","tool_name":"Bash","tool_input":{"command":%q}}`, strings.Repeat("ls -la; ", 20000))
	start := time.Now()
	code, text := post(t, url, token, body)
	if code != http.StatusOK || !strings.Contains(text, `"ask"`) {
		t.Errorf("%d %.300s", code, text)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %v", took)
	}
	http.DefaultClient.CloseIdleConnections()
	quiet(t, before)
	if n := looks.Load(); n > 15 {
		t.Errorf("%d looks at the clock", n)
	}
}
