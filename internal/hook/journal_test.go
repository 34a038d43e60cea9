package hook

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"longline/internal/config"
	"longline/internal/rulesfile"
	"longline/internal/state"
	"longline/internal/strictjson"
)

// remembered is a machine with sessions.
type remembered struct {
	t    *testing.T
	home string
	n    int
}

func newRemembered(t *testing.T) *remembered {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "proj", ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return &remembered{t: t, home: home}
}

// ask puts a command to the hook and returns the decision, the reason and what is said on
// standard error.
func (m *remembered) ask(session, command string) (decision, reason, said string) {
	m.n++
	return m.send(`"hook_event_name":"PreToolUse","tool_use_id":"t`+strconv.Itoa(m.n)+`"`, session, command)
}

func (m *remembered) send(head, session, command string) (decision, reason, said string) {
	m.t.Helper()
	input := `{` + head + `,"session_id":` + strictjson.Quote(session) + `,"cwd":` + strictjson.Quote(filepath.Join(m.home, "proj")) +
		`,"tool_name":"Bash","tool_input":{"command":` + strictjson.Quote(command) + `}}`
	var out, errs bytes.Buffer
	h := Hook{Env: config.Env{"HOME=" + m.home}, In: strings.NewReader(input), Out: &out, Err: &errs, Deadline: time.Minute, Load: func(o config.Options) (*config.Config, error) {
		o.Parse = rulesfile.ParseNamed
		return config.Load(o)
	}}
	h.Run([]string{"claude"})
	doc, err := strictjson.Parse(out.Bytes())
	if err != nil {
		m.t.Fatalf("%s: %v: %s%s", command, err, out.String(), errs.String())
	}
	answer := doc.Get("hookSpecificOutput")
	return answer.Get("permissionDecision").Text, answer.Get("permissionDecisionReason").Text, errs.String()
}

func (m *remembered) want(session, command, decision, rule string) {
	m.t.Helper()
	d, reason, said := m.ask(session, command)
	if d != decision || rule != "" && !strings.HasPrefix(reason, "["+rule+"]") {
		m.t.Errorf("%s: %s %s %s, want %s by %s", command, d, reason, said, decision, rule)
	}
}

func (m *remembered) store() state.Store {
	return state.Open(filepath.Join(m.home, ".local/state/longline"))
}

func (m *remembered) journal() string {
	list := m.store().Journals()
	if len(list) == 0 {
		return ""
	}
	return filepath.Join(m.store().Dir(), "session", list[0].Name)
}

func (m *remembered) log() string {
	text, err := os.ReadFile(filepath.Join(m.home, ".claude/hooks-logs/longline.jsonl"))
	if err != nil {
		m.t.Fatal(err)
	}
	return string(text)
}

// The hook remembers from call to call, session by session, and the log says when an
// answer came from that.
func TestSessionRemembers(t *testing.T) {
	m := newRemembered(t)
	m.want("s1", "ls", "allow", "")
	if m.journal() != "" {
		t.Error("there is a journal although nothing is worth remembering")
	}
	m.want("s1", "rm -rf ~/proj/../", "deny", "")
	m.want("s1", "find ~ -delete", "deny", "session-workaround")
	m.want("s2", "find ~ -delete", "deny", "rm-recursive-root")
	m.want("s1", "curl -o t.py https://example.com/t.py", "allow", "")
	m.want("s1", "python3 t.py", "ask", "session-fetched")
	m.want("s2", "python3 t.py", "allow", "")
	m.want("", "python3 t.py", "allow", "")
	lines := strings.Split(strings.TrimSpace(m.log()), "\n")
	for i, want := range []bool{false, false, true, false, false, true, false, false} {
		if got := strings.Contains(lines[i], `"from_session":true`); got != want {
			t.Errorf("line %d: from_session is %v: %s", i, got, lines[i])
		}
	}
	if !strings.Contains(lines[5], `"runs_fetched":"`+m.home+`/proj/t.py"`) {
		t.Error(lines[5])
	}
}

// A secret counts as read when the client says that the call has run: before that
// nobody has said yes.
func TestSecretCountsWhenRead(t *testing.T) {
	m := newRemembered(t)
	m.send(`"hook_event_name":"PreToolUse","tool_use_id":"q1"`, "s", "cat .env")
	if text, _ := m.store().Journal("claude", "s"); strings.Contains(string(text), "secret") {
		t.Error("a question counts as an answer")
	}
	m.send(`"hook_event_name":"PostToolUse","tool_use_id":"q1","tool_response":{"stdout":"A=1"}`, "s", "cat .env")
	text, _ := m.store().Journal("claude", "s")
	if !strings.Contains(string(text), "secret") || strings.Contains(string(text), "A=1") {
		t.Errorf("%s", text)
	}
}

// An allow-once lifts a denial.
func TestOnceLiftsADenial(t *testing.T) {
	m := newRemembered(t)
	if err := os.MkdirAll(filepath.Join(m.home, "proj/data/old"), 0o755); err != nil { // what is not there may be deleted
		t.Fatal(err)
	}
	rules := filepath.Join(m.home, "proj/.longline.yaml")
	if err := os.WriteFile(rules, []byte("version: 1\nrules: [{id: no-data, match: {command: rm}, decision: deny, reason: no}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	m.want("s", "rm -rf data", "deny", "no-data")
	m.want("s", "find data -delete", "deny", "session-workaround")
	held := m.store().AllHeld(time.Now())
	for _, h := range held {
		if h.Subject == "find data -delete" {
			if err := m.store().Grant(h, time.Now()); err != nil {
				t.Fatal(err)
			}
		}
	}
	m.want("s", "find data -delete", "allow", "")
	m.want("s", "find data -delete", "allow", "") // as without a journal
}

// A damaged journal is put aside and said, what can be read of it stays, and its
// session counts as one that has met untrusted text.
func TestDamagedJournal(t *testing.T) {
	for name, damage := range map[string]func(path string) error{
		"garbage":          func(path string) error { return appendText(path, "\x00\xffgarbage\n") },
		"an unended line":  func(path string) error { return appendText(path, "untrusted 1 \"inj") },
		"others may write": func(path string) error { return os.Chmod(path, 0o666) },
		"a link":           func(path string) error { os.Remove(path); return os.Symlink("/dev/null", path) },
		"a directory":      func(path string) error { os.Remove(path); return os.Mkdir(path, 0o700) },
		"not to be read":   func(path string) error { os.Remove(path); return os.Symlink(path, path) },
		"far too long":     func(path string) error { return appendText(path, strings.Repeat("x\n", 1<<20)) },
	} {
		t.Run(name, func(t *testing.T) {
			m := newRemembered(t)
			m.want("s", "rm -rf ~", "deny", "rm-recursive-root")
			if err := damage(m.journal()); err != nil {
				t.Fatal(err)
			}
			d, reason, said := m.ask("s", "npm ci")
			if d != "ask" || !strings.HasPrefix(reason, "[session-install]") {
				t.Errorf("%s %s", d, reason)
			}
			if !strings.Contains(said, "could not be read") || !strings.Contains(m.log(), `"event":"session-damaged"`) {
				t.Errorf("it is not said: %s", said)
			}
			if _, _, said := m.ask("s", "npm ci"); strings.Contains(said, "could not be read") {
				t.Errorf("it is said twice: %s", said)
			}
			m.want("s", "npm ci", "ask", "session-install")
			m.want("other", "npm ci", "allow", "")
			if name == "garbage" {
				m.want("s", "find ~ -delete", "deny", "session-workaround")
			}
			if list, err := os.ReadDir(filepath.Join(m.store().Dir(), "session-damaged")); err != nil || len(list) != 1 {
				t.Errorf("%v, %v", list, err)
			}
		})
	}
}

func appendText(path, text string) error {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteString(text)
	return err
}

// Subagents have the session of who started them, and work at the same time: what one
// of them meets counts for all.
func TestSubagentsShareASession(t *testing.T) {
	m := newRemembered(t)
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			one := &remembered{t: t, home: m.home, n: n * 1000}
			for i := range 5 {
				name := "f" + strconv.Itoa(n) + "-" + strconv.Itoa(i) + ".py"
				one.send(`"hook_event_name":"PreToolUse","agent_id":"a`+strconv.Itoa(n)+`","agent_type":"worker","tool_use_id":"`+name+`"`, "s", "curl -o "+name+" https://example.com/"+name)
			}
		})
	}
	wg.Wait()
	text, err := m.store().Journal("claude", "s")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "fetched "); n != 40 {
		t.Errorf("%d of 40 lines", n)
	}
	m.want("s", "python3 f3-2.py", "ask", "session-fetched")
}

// What is only tried out is not remembered, and a journal that cannot be written is
// said and changes no answer.
func TestNotRemembered(t *testing.T) {
	m := newRemembered(t)
	var out, errs bytes.Buffer
	h := Hook{Env: config.Env{"HOME=" + m.home}, In: strings.NewReader(`{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`), Out: &out, Err: &errs, Deadline: time.Minute, Load: config.Load}
	h.Run([]string{"claude", "--dry-run"})
	if m.journal() != "" {
		t.Error("a dry run is remembered")
	}
	if err := os.MkdirAll(m.store().Dir(), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(m.store().Dir(), "session"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	d, _, said := m.ask("s", "rm -rf ~")
	if d != "deny" || !strings.Contains(said, "could not be added to the session journal") {
		t.Errorf("%s %s", d, said)
	}
}

// TestBroughtTreesRun puts two calls to the hook: one brings a directory of others' files, the other runs code of it. That is asked about as
// in one call, until the agent reports that it has run; what has nothing to do with the directory is not.
func TestBroughtTreesRun(t *testing.T) {
	for _, bring := range []string{
		"git clone https://example.com/y.git", "git clone --depth 1 https://example.com/y.git y", "gh repo clone a/y", "mkdir -p y && curl -sL https://example.com/y.tgz | tar xz -C y",
		"curl -sLo y.zip https://example.com/y.zip && unzip -q y.zip -d y", "tar xf y.tar -C y", "wget -q -r -P y https://example.com",
	} {
		for _, run := range []string{"cd y && make", "make -C y", "y/bin/tool", "bash y/run.sh", "python3 y/run.py", "cd y && npm test", "npm --prefix y test", "cp y/tool t && ./t", "for d in */; do (cd $d && make); done"} {
			m := newRemembered(t)
			m.ask("s", bring)
			m.send(`"hook_event_name":"PostToolUse","tool_use_id":"t1","tool_response":{"stdout":""}`, "s", bring)
			for _, other := range []string{"make", "npm test", "python3 src/own.py", "ls y && cat y/README.md", "git -C y log"} {
				if d, reason, _ := m.ask("s", other); d == "ask" || d == "deny" {
					t.Errorf("%s, then %s: %s %s", bring, other, d, reason)
				}
			}
			for range 2 { // as long as it has not run
				if d, reason, _ := m.ask("s", run); d != "ask" {
					t.Errorf("%s, then %s: %s %s", bring, run, d, reason)
				}
			}
			if d, _, _ := m.ask("other", "make -C y"); d != "allow" {
				t.Errorf("%s in another session: %s", bring, d)
			}
		}
	}
	m := newRemembered(t)
	clone := "git clone https://example.com/y.git"
	ran := func(command string) {
		m.send(`"hook_event_name":"PostToolUse","tool_use_id":"t`+strconv.Itoa(m.n)+`","tool_response":{"stdout":""}`, "s", command)
	}
	for range 2 {
		m.ask("s", clone)
		ran(clone)
		m.want("s", "make -C y", "ask", "session-fetched")
		ran("make -C y")
		m.want("s", "make -C y", "allow", "")
		m.want("s", "y/bin/tool", "allow", "")
	}
}

// What a person has agreed to is not asked again in the session, for the very same command, by rules that leave something to the
// client's own judge. Force, main and what is unknown ask each time, and so does everything once an injection was met.
func TestAgreedOnce(t *testing.T) {
	m := newRemembered(t)
	ran := func(session, command string) {
		m.send(`"hook_event_name":"PostToolUse","tool_use_id":"t`+strconv.Itoa(m.n)+`","tool_response":{"stdout":""}`, session, command)
	}
	const install = "pip install requests"
	m.want("s", install, "ask", "package-install")
	m.want("s", install, "ask", "package-install") // nobody has said yes
	ran("s", install)
	m.want("s", install, "allow", "package-install")
	m.want("s", install+" flask", "ask", "package-install")
	m.want("other", install, "ask", "package-install")
	for _, always := range []string{"git push --force origin main", "npm publish", "sudo ls", "curl -d @README.md https://example.com"} {
		for range 2 {
			if d, reason, _ := m.ask("s", always); d != "ask" {
				t.Errorf("%s: %s %s", always, d, reason)
			}
			ran("s", always)
		}
	}
	if text, _ := m.store().Journal("claude", "s"); strings.Contains(string(text), "requests") {
		t.Errorf("the journal says what was agreed to: %s", text)
	}
	if err := os.WriteFile(m.journal(), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	m.want("s", install, "ask", "")
}
