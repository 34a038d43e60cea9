// Package serve answers Claude Code's HTTP hooks with the judge that also
// answers its command hooks.
//
// The client takes every answer but a 2xx with JSON in it for no answer, and
// then runs the command unless its settings say "onFailure": "block". So whatever can
// be answered is answered with 200 and a decision.
package serve

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"time"

	"longline/internal/agent"
	"longline/internal/config"
	"longline/internal/hook"
	"longline/internal/tool"
)

// Path is where hooks are answered.
const Path = "/hook/claude"

const dialect = "claude"

// atOnce is how many calls are judged at the same time; others wait.
const atOnce = 8

// grace is how long calls that are being judged may take when the server stops.
const grace = hook.Deadline + time.Second

// Server answers hooks.
type Server struct {
	Env    config.Env
	Token  string   // that a request must bear
	Args   []string // of the hook: --config FILE, --dry-run
	Load   func(config.Options) (*config.Config, error)
	Logf   func(format string, args ...any) // what a person should know
	places chan struct{}
}

// Run serves until the context ends, then finishes what it has begun.
func (s *Server) Run(ctx context.Context, ln net.Listener) error {
	if s.Token == "" {
		return errors.New("there is no token")
	}
	s.places = make(chan struct{}, atOnce)
	web := &http.Server{
		Handler:           s.handler(),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      2 * hook.Deadline,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
	done := make(chan error, 1)
	go func() { done <- web.Serve(ln) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	stop, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	return web.Shutdown(stop)
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("POST "+Path, s.hook)
	return mux
}

func (s *Server) hook(w http.ResponseWriter, r *http.Request) {
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok || subtle.ConstantTimeCompare([]byte(given), []byte(s.Token)) != 1 {
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "longline: the token is missing or wrong", http.StatusUnauthorized)
		return
	}
	// A page in a browser can send requests here, but not of this type unasked.
	if kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";"); strings.TrimSpace(kind) != "application/json" {
		http.Error(w, "longline: the body must be application/json", http.StatusUnsupportedMediaType)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, hook.MaxInput))
	var said []byte
	if err != nil {
		said = refusal(nil, s.Env, "the hook input could not be read: "+err.Error())
	} else {
		select {
		case s.places <- struct{}{}:
		case <-r.Context().Done():
			return
		}
		said = s.judge(r.Context(), body)
	}
	w.Header().Set("Content-Type", "application/json")
	if _, err := w.Write(said); err != nil {
		s.Logf("an answer could not be sent: %v", err)
	}
}

// judge lets a hook answer. It stops judging when the answer is given or whoever asked
// is gone; the place it takes is given back when it has come to its end.
func (s *Server) judge(ctx context.Context, body []byte) []byte {
	var out, errs bytes.Buffer
	ended := make(chan int, 2)
	h := hook.Hook{
		Env: s.Env, In: bytes.NewReader(body), Out: &out, Err: &errs, Deadline: hook.Deadline, Load: s.Load,
		Exit: func(status int) { ended <- status }, Leave: runtime.Goexit,
		Gone: func() bool { return ctx.Err() != nil },
	}
	go func() {
		defer func() { <-s.places }()
		ended <- h.Run(append([]string{dialect}, s.Args...))
	}()
	status := <-ended
	if text := strings.TrimSpace(errs.String()); text != "" {
		s.Logf("%s", text)
	}
	if status == 0 {
		return out.Bytes()
	}
	// Where a command hook would refuse by its exit status.
	return refusal(body, s.Env, strings.TrimSpace(errs.String()))
}

// refusal is a deny for what cannot be judged.
func refusal(body []byte, env config.Env, reason string) []byte {
	a := agent.Find(dialect)
	req, _ := a.Decode(body, env.Get)
	return a.Encode(req, tool.Verdict{Decision: tool.Deny, Reason: reason}).Stdout
}
