package serve_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"longline/internal/config"
	"longline/internal/serve"
)

const lsCall = `{"hook_event_name":"PreToolUse","cwd":"/p","tool_name":"Bash","tool_input":{"command":"ls"}}`

// TestWebPages: no page in a browser gets an answer, be it that its own name leads
// here, that it knows the token, or that it only asks whether there is a server.
func TestWebPages(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &serve.Server{Env: config.Env{"HOME=" + t.TempDir()}, Token: token, Load: load, Logf: t.Logf, Names: []string{"", "Guard.example"}}
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, ln) }()
	defer func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	for _, test := range []struct {
		host, origin string
		want         int
	}{
		{"127.0.0.1:" + port, "", http.StatusOK},
		{"localhost:" + port, "", http.StatusOK},
		{"LOCALHOST", "", http.StatusOK},
		{"localhost.:" + port, "", http.StatusOK},
		{"[::1]:" + port, "", http.StatusOK},
		{"[::1]", "", http.StatusOK},
		{"192.168.1.7:" + port, "", http.StatusOK},
		{"guard.example:" + port, "", http.StatusOK},
		{"evil.example:" + port, "", http.StatusMisdirectedRequest},
		{"evil.example", "", http.StatusMisdirectedRequest},
		{"localhost.evil.example:" + port, "", http.StatusMisdirectedRequest},
		{"127.0.0.1.evil.example", "", http.StatusMisdirectedRequest},
		{"evil.example", "http://evil.example", http.StatusMisdirectedRequest},
		{"127.0.0.1:" + port, "https://evil.example", http.StatusForbidden},
		{"127.0.0.1:" + port, "null", http.StatusForbidden},
		{"localhost:" + port, "http://localhost:" + port, http.StatusForbidden},
		{"guard.example", "http://guard.example", http.StatusForbidden},
	} {
		for _, path := range []string{serve.Path, "/healthz"} {
			method := http.MethodPost
			if path != serve.Path {
				method = http.MethodGet
			}
			req, err := http.NewRequest(method, "http://"+ln.Addr().String()+path, strings.NewReader(lsCall))
			if err != nil {
				t.Fatal(err)
			}
			req.Host = test.host
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Authorization", "Bearer "+token)
			if test.origin != "" {
				req.Header.Set("Origin", test.origin)
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(resp.Body)
			resp.Body.Close()
			if resp.StatusCode != test.want || test.want != http.StatusOK && strings.Contains(string(text), "permissionDecision") {
				t.Errorf("%s for %s from %q: %d %s, not %d", path, test.host, test.origin, resp.StatusCode, text, test.want)
			}
		}
	}
}

// TestCrowd: more calls than may wait are refused at once and in words, and those that
// wait get their answers.
func TestCrowd(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	hold := make(chan struct{})
	s := &serve.Server{Env: config.Env{"HOME=" + t.TempDir()}, Token: token, Logf: t.Logf, Load: func(o config.Options) (*config.Config, error) {
		<-hold
		return load(o)
	}}
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, ln) }()
	defer func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}()
	const calls = 160
	answers := make(chan string, calls)
	for range calls {
		go func() {
			_, text := post(t, "http://"+ln.Addr().String(), token, lsCall)
			answers <- text
		}()
	}
	// Until the others may go on only refusals come, and as many as are too many.
	refused := 0
	for ; refused < calls-128; refused++ {
		if text := <-answers; !strings.Contains(text, `"deny"`) || !strings.Contains(text, "are waiting") {
			t.Fatalf("answered: %s", text)
		}
	}
	close(hold)
	for range calls - refused {
		// On a machine that is too busy it may be a question that no answer was found in time.
		if text := <-answers; !strings.Contains(text, `"permissionDecision"`) || strings.Contains(text, "are waiting") {
			t.Errorf("a call that waited: %s", text)
		}
	}
}
