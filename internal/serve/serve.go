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
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
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

// atOnce is how many calls are judged at the same time; others wait, but not longer
// than a call may take, and not more than atMost in all.
const (
	atOnce = 8
	atMost = 128
)

// grace is how long calls that are being judged may take when the server stops.
const grace = hook.Deadline + time.Second

// Server answers hooks.
type Server struct {
	Env   config.Env
	Token string   // that a request must bear
	Args  []string // of the hook: --config FILE, --dry-run
	Load  func(config.Options) (*config.Config, error)
	Logf  func(format string, args ...any) // what a person should know
	// Names are what requests may call this machine by, beside localhost and addresses.
	Names []string

	places, queue chan struct{}
}

// Run serves until the context ends, then finishes what it has begun.
func (s *Server) Run(ctx context.Context, ln net.Listener) error {
	if s.Token == "" {
		return errors.New("there is no token")
	}
	s.places, s.queue = make(chan struct{}, atOnce), make(chan struct{}, atMost)
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
	err := web.Shutdown(stop)
	if err != nil {
		_ = web.Close() // which ends the requests that are left
	}
	return err
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("POST "+Path, s.hook)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !s.isHere(r.Host):
			http.Error(w, "longline: the request is for another host; use an address or localhost, or name the host with --name", http.StatusMisdirectedRequest)
		case len(r.Header.Values("Origin")) > 0:
			http.Error(w, "longline: requests from web pages are not answered", http.StatusForbidden)
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// isHere says whether a request means this server. A web page can have a name of its
// own lead here, and then counts to the browser as the same site; it cannot do so
// with an address, or with a name that is not its own.
func (s *Server) isHere(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), "."))
	return host == "localhost" || net.ParseIP(host) != nil || slices.ContainsFunc(s.Names, func(name string) bool { return name != "" && strings.EqualFold(name, host) })
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
	said := s.answer(w, r)
	if r.Context().Err() != nil {
		return // nobody waits for it
	}
	w.Header().Set("Content-Type", "application/json")
	if _, err := w.Write(said); err != nil {
		s.Logf("an answer could not be sent: %v", err)
	}
}

// answer reads a call and has it judged when its turn comes.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) []byte {
	select {
	case s.queue <- struct{}{}:
		defer func() { <-s.queue }()
	default:
		return refusal(nil, s.Env, fmt.Sprintf("more than %d calls are waiting; try again", atMost))
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, hook.MaxInput))
	if err != nil {
		return refusal(nil, s.Env, "the hook input could not be read: "+err.Error())
	}
	wait, cancel := context.WithTimeout(r.Context(), hook.Deadline)
	defer cancel()
	select {
	case s.places <- struct{}{}:
		return s.judge(r.Context(), body)
	case <-wait.Done():
		return refusal(body, s.Env, fmt.Sprintf("too many calls are being judged: no turn came within %v; try again", hook.Deadline))
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
