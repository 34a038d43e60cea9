package sync

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/bundle"
	"longline/internal/config"
)

var start = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// machine is one that follows a source.
type machine struct {
	t   *testing.T
	o   Options
	now time.Time
}

func newMachine(t *testing.T, source string, keys ...bundle.Secret) *machine {
	m := &machine{t: t, now: start.Add(time.Hour)}
	s := &Settings{Path: "sync.yaml", Name: "acme", Source: source, Channel: Stable}
	for _, k := range keys {
		s.Keys = append(s.Keys, k.Public())
	}
	m.o = Options{
		Settings: s, Dir: filepath.Join(t.TempDir(), "bundle"), Version: "0.3.0", Machine: "m1",
		Now: func() time.Time { return m.now }, Wait: func(context.Context, time.Duration) error { return nil },
	}
	return m
}

func (m *machine) sync() Result {
	m.t.Helper()
	m.o.Force = true
	return Run(context.Background(), m.o)
}

// has says which version is installed, from the file itself.
func (m *machine) has() string {
	data, err := os.ReadFile(filepath.Join(m.o.Dir, config.BundleFile))
	if err != nil {
		return ""
	}
	b, err := bundle.Read(data)
	if err != nil {
		m.t.Fatal(err)
	}
	return b.Version
}

func (m *machine) revoked() bool {
	_, err := os.Stat(filepath.Join(m.o.Dir, config.RevokedFile))
	return err == nil
}

func newKey(t *testing.T) bundle.Secret {
	t.Helper()
	k, err := bundle.NewSecret()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// published is a bundle and its signature.
type published struct{ data, signature []byte }

func publish(t *testing.T, key bundle.Secret, version string, change ...func(*bundle.Manifest, *string)) published {
	t.Helper()
	m := bundle.Manifest{Format: bundle.Format, Name: "acme", Version: version, Time: start, NotAfter: start.AddDate(0, 1, 0)}
	rules := "version: 1\nrules:\n  - {id: team-no, level: critical, match: {command: df}, decision: deny, reason: no}\ntests:\n  - {id: t, command: df, expected: {decision: deny}}\n"
	for _, c := range change {
		c(&m, &rules)
	}
	data, err := bundle.Encode(m, []bundle.File{{Path: "rules/team.yaml", Text: []byte(rules)}})
	if err != nil {
		t.Fatal(err)
	}
	return published{data, key.Sign(&bundle.Bundle{Manifest: m}, data)}
}

// TestRefused: whatever is wrong with a bundle, the last good one stays, and it is said why.
func TestRefused(t *testing.T) {
	key, next, stranger := newKey(t), newKey(t), newKey(t)
	good := publish(t, key, "1.4")
	altered := func(p published) published {
		p.data = []byte(strings.Replace(string(p.data), "decision: deny, reason: no", "decision: pass, reason: ok", 1))
		return p
	}
	for name, test := range map[string]struct {
		p    published
		want string
	}{
		"unsigned":             {published{publish(t, key, "1.5").data, []byte{}}, "cannot be read"},
		"altered":              {altered(publish(t, key, "1.5")), "altered"},
		"of a stranger":        {publish(t, stranger, "1.5"), "not pinned"},
		"signature of another": {published{publish(t, key, "1.5").data, good.signature}, "altered"},
		"expired":              {publish(t, key, "1.5", func(m *bundle.Manifest, _ *string) { m.Time, m.NotAfter = start.AddDate(0, -2, 0), start }), "expired"},
		"older":                {publish(t, key, "1.3"), "older than 1.4"},
		"same number":          {publish(t, key, "1.4", func(_ *bundle.Manifest, rules *string) { *rules += "# other\n" }), "a new version"},
		"another's name":       {publish(t, key, "1.5", func(m *bundle.Manifest, _ *string) { m.Name = "evil" }), `"acme" is wanted`},
		"for a newer longline": {publish(t, key, "1.5", func(m *bundle.Manifest, _ *string) { m.Longline = "9" }), "needs longline 9"},
		"failing tests": {publish(t, key, "1.5", func(_ *bundle.Manifest, rules *string) {
			*rules = strings.Replace(*rules, "expected: {decision: deny}", "expected: {decision: allow}", 1)
		}), "tests fail"},
		"malformed": {published{[]byte("x"), key.Sign(&bundle.Bundle{}, []byte("x"))}, "not a bundle"},
		"too large": {published{make([]byte, bundle.MaxSize+1), nil}, "at most"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put := func(p published) {
				t.Helper()
				for suffix, data := range map[string][]byte{"": p.data, bundle.SignatureSuffix: p.signature} {
					if err := os.WriteFile(filepath.Join(dir, "stable.bundle"+suffix), data, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			m := newMachine(t, dir, key, next)
			put(good)
			if r := m.sync(); r.Err != nil || !r.Changed || m.has() != "1.4" {
				t.Fatalf("the good one: %+v", r)
			}
			put(test.p)
			r := m.sync()
			if r.Err == nil || !strings.Contains(r.Err.Error(), test.want) || m.has() != "1.4" || m.revoked() {
				t.Errorf("got %v with %s installed, want %q", r.Err, m.has(), test.want)
			}
			if r.State.Problem == "" || r.State.Installed.Version != "1.4" {
				t.Errorf("the state is %+v", r.State)
			}
			// A machine that has none takes none.
			if fresh := newMachine(t, dir, key, next); name != "older" && name != "same number" {
				if r := fresh.sync(); r.Err == nil || fresh.has() != "" {
					t.Errorf("a fresh machine: %v, has %q", r.Err, fresh.has())
				}
			}
			// And the next good one heals it.
			put(publish(t, next, "1.6"))
			if r := m.sync(); r.Err != nil || m.has() != "1.6" || r.State.Refused != "" || r.State.Problem != "" {
				t.Errorf("the next one: %v, %+v", r.Err, r.State)
			}
		})
	}
}

// TestRotation: the second key takes over; when the first is no longer pinned, what was
// signed with it only forbids.
func TestRotation(t *testing.T) {
	one, two := newKey(t), newKey(t)
	dir := t.TempDir()
	m := newMachine(t, dir, one, two)
	write(t, dir, publish(t, one, "1"))
	if r := m.sync(); r.Err != nil || m.has() != "1" {
		t.Fatal(r.Err)
	}
	m.o.Settings.Keys = []bundle.Key{two.Public()}
	if r := m.sync(); r.Err == nil || m.has() != "1" || !m.revoked() {
		t.Errorf("the first key is gone: %v, revoked %v", r.Err, m.revoked())
	}
	write(t, dir, publish(t, two, "2"))
	if r := m.sync(); r.Err != nil || m.has() != "2" || m.revoked() {
		t.Errorf("signed anew: %v, revoked %v", r.Err, m.revoked())
	}
	// Somebody has changed the installed file.
	if err := os.WriteFile(filepath.Join(m.o.Dir, config.BundleFile), publish(t, one, "3").data, 0o600); err != nil {
		t.Fatal(err)
	}
	if r := m.sync(); r.Err != nil || m.has() != "2" || m.revoked() {
		t.Errorf("after a change: %v, has %s, revoked %v", r.Err, m.has(), m.revoked())
	}
}

func write(t *testing.T, dir string, p published) {
	t.Helper()
	for suffix, data := range map[string][]byte{"": p.data, bundle.SignatureSuffix: p.signature} {
		if err := os.WriteFile(filepath.Join(dir, "stable.bundle"+suffix), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// web serves a bundle, and counts what it is asked.
type web struct {
	*httptest.Server
	p                published
	full, same, sigs int
	wrong            func(w http.ResponseWriter, r *http.Request) bool
}

func newWeb(t *testing.T, p published) *web {
	s := &web{p: p}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.wrong != nil && s.wrong(w, r) {
			return
		}
		switch r.URL.Path {
		case "/policy/stable.bundle":
			sum := sha256.Sum256(s.p.data)
			tag := `"` + hex.EncodeToString(sum[:8]) + `"`
			w.Header().Set("ETag", tag)
			if r.Header.Get("If-None-Match") == tag {
				s.same++
				w.WriteHeader(http.StatusNotModified)
				return
			}
			s.full++
			w.Write(s.p.data)
		case "/policy/stable.bundle.minisig":
			s.sigs++
			w.Write(s.p.signature)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func TestWeb(t *testing.T) {
	key := newKey(t)
	s := newWeb(t, publish(t, key, "1"))
	m := newMachine(t, s.URL+"/policy/", key)
	for i, want := range []struct {
		changed          bool
		full, same, sigs int
	}{{true, 1, 0, 1}, {false, 1, 1, 1}, {false, 1, 2, 1}} {
		r := m.sync()
		if r.Err != nil || r.Changed != want.changed || s.full != want.full || s.same != want.same || s.sigs != want.sigs {
			t.Fatalf("%d: %+v, full %d, same %d, signatures %d", i, r, s.full, s.same, s.sigs)
		}
	}
	s.p = publish(t, key, "2")
	if r := m.sync(); r.Err != nil || !r.Changed || m.has() != "2" {
		t.Fatalf("the next: %+v", r)
	}
	// What is installed was lost: the tag does not count.
	os.Remove(filepath.Join(m.o.Dir, config.BundleFile))
	if r := m.sync(); r.Err != nil || m.has() != "2" {
		t.Fatalf("lost: %+v", r)
	}
}

func TestWebTrouble(t *testing.T) {
	key := newKey(t)
	for name, test := range map[string]struct {
		wrong func(w http.ResponseWriter, r *http.Request) bool
		want  string
		tries int
	}{
		"gone": {func(w http.ResponseWriter, r *http.Request) bool { w.WriteHeader(404); return true }, "404", 1},
		"busy": {func(w http.ResponseWriter, r *http.Request) bool { w.WriteHeader(500); return true }, "500", attempts},
		"wait": {func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Retry-After", "7200")
			w.WriteHeader(503)
			return true
		}, "503", 1},
		"endless": {func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Length", "99999999999")
			w.WriteHeader(200)
			return true
		}, "at most", 1},
		"flood": {func(w http.ResponseWriter, r *http.Request) bool {
			for i := 0; i < bundle.MaxSize/65536+2; i++ {
				w.Write(make([]byte, 65536))
			}
			return true
		}, "larger than", 1},
		"cut off": {func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Content-Length", "1000")
			w.Write([]byte("x"))
			return true
		}, "EOF", attempts},
		"sent off": {func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "http://example.com/x", http.StatusFound)
			return true
		}, "not protected", 1},
		"in circles": {func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, r.URL.Path, http.StatusFound)
			return true
		}, "redirects", 1},
		"304": {func(w http.ResponseWriter, r *http.Request) bool { w.WriteHeader(304); return true }, "304", 1},
	} {
		t.Run(name, func(t *testing.T) {
			s := newWeb(t, publish(t, key, "1"))
			m := newMachine(t, s.URL+"/policy/", key)
			if r := m.sync(); r.Err != nil {
				t.Fatal(r.Err)
			}
			os.Remove(filepath.Join(m.o.Dir, StateFile)) // so that it asks for the whole
			asked := 0
			s.wrong = func(w http.ResponseWriter, r *http.Request) bool { asked++; return test.wrong(w, r) }
			r := m.sync()
			if r.Err == nil || !strings.Contains(r.Err.Error(), test.want) || m.has() != "1" {
				t.Errorf("got %v, want %q", r.Err, test.want)
			}
			if name != "in circles" && asked != test.tries {
				t.Errorf("it asked %d times, want %d", asked, test.tries)
			}
			// It does not come again at once.
			m.o.Force = false
			before := asked
			if r := Run(context.Background(), m.o); !r.Early || asked != before {
				t.Errorf("it came again at once: %+v", r)
			}
			m.now = r.State.Next
			if r := Run(context.Background(), m.o); r.Early {
				t.Error("it does not come again at all")
			}
		})
	}
}

// TestBackoff: the pauses grow, are bounded, and differ between machines; a server's word
// counts.
func TestBackoff(t *testing.T) {
	r := &run{Options: Options{Now: func() time.Time { return start }}}
	last := time.Duration(0)
	for i := range 30 {
		r.failed(errors.New("x"))
		pause := r.state.Next.Sub(start)
		most := min(leastWait<<min(i, 10), mostWait)
		if pause < most/2-time.Second || pause > most {
			t.Errorf("after %d failures it waits %v, not up to %v", i+1, pause, most)
		}
		last = pause
	}
	if last < mostWait/2-time.Second {
		t.Errorf("the last pause is %v", last)
	}
	r = &run{Options: Options{Now: func() time.Time { return start }}}
	r.failed(retryAfter{errors.New("x"), 2 * time.Hour})
	if pause := r.state.Next.Sub(start); pause < time.Hour-time.Second {
		t.Errorf("the server said two hours, and it waits %v", pause)
	}
}

func TestChannels(t *testing.T) {
	s := &Settings{Name: "acme", Canary: 5}
	wider := &Settings{Name: "acme", Canary: 20}
	canary, wide := 0, 0
	for i := range 20000 {
		id := fmt.Sprint("machine", i)
		narrow := s.ChannelOf(id) == Canary
		if narrow != (s.ChannelOf(id) == Canary) {
			t.Fatal("it changes its mind")
		}
		if narrow {
			canary++
			if wider.ChannelOf(id) != Canary {
				t.Fatal("a larger share leaves a machine out")
			}
		}
		if wider.ChannelOf(id) == Canary {
			wide++
		}
	}
	if canary < 850 || canary > 1150 || wide < 3700 || wide > 4300 {
		t.Errorf("%d and %d of 20000 follow canary, not about 1000 and 4000", canary, wide)
	}
	for percent, want := range map[float64]string{0: Stable, 100: Canary} {
		if got := (&Settings{Name: "a", Canary: percent}).ChannelOf("x"); got != want {
			t.Errorf("%v%%: %s", percent, got)
		}
	}
	if (&Settings{Channel: Canary}).ChannelOf("x") != Canary {
		t.Error("a channel that is given does not count")
	}
}

func TestSettings(t *testing.T) {
	key := newKey(t).Public().Text()
	good := "version: 1\nname: acme\nsource: https://policy.example.com/x/\nkeys: [" + key + "]\ncanary: 5%\n"
	s, err := ParseSettings("sync.yaml", []byte(good))
	if err != nil || s.Canary != 5 || len(s.Keys) != 1 {
		t.Fatalf("%+v, %v", s, err)
	}
	for text, want := range map[string]string{
		strings.Replace(good, "https", "http", 1):                             "use https",
		strings.Replace(good, "https://", "ftp://", 1):                        "not a source",
		strings.Replace(good, "https://", "https://u:p@", 1):                  "login",
		strings.Replace(good, "["+key+"]", "["+key+","+key+","+key+"]", 1):    "at most 2",
		strings.Replace(good, "["+key+"]", "[]", 1):                           "needed",
		strings.Replace(good, key, "RWx", 1):                                  "not a minisign public key",
		good + "channel: stable\n":                                            "both",
		strings.Replace(good, "canary: 5%", "channel: beta", 1):               "beta",
		strings.Replace(good, "5%", "500%", 1):                                "share",
		strings.Replace(good, "5%", "NaN", 1):                                 "share",
		strings.Replace(good, "version: 1", "version: 2", 1):                  "version",
		strings.Replace(good, "version: 1\n", "", 1):                          "version",
		good + "kees: []\n":                                                   "kees",
		"":                                                                    "one document",
		strings.Replace(good, "canary: 5%", "credentials: x", 1):              "absolute",
		strings.Replace(good, "source: https://policy.example.com/x/", "", 1): "needed",
	} {
		if _, err := ParseSettings("sync.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}
