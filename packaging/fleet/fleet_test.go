package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"longline/internal/audit"
	"longline/internal/tool"
)

// The test needs a real Collector, built from builder.yaml, and PostgreSQL. "make fleet"
// makes the one, and says so if it does not find the other.
//
//	FLEET_COLLECTOR  the Collector's program
//	FLEET_LINES      how many lines all machines write together; 1,000,000 if nothing is said
//	FLEET_TIME       for how long they write at most; 30m if nothing is said
//	FLEET_HOOK       longline-hook
const (
	machines = 10
	maxAhead = 3000
)

func collectorProgram(t *testing.T) string {
	t.Helper()
	program := os.Getenv("FLEET_COLLECTOR")
	if program == "" {
		t.Skip("FLEET_COLLECTOR does not name a Collector; run make fleet")
	}
	return program
}

// collector is a Collector of one machine.
type collector struct {
	program, host, dir, logs, receiver string
	more                               []string // configuration besides collector.yaml
	cmd                                *exec.Cmd
	out                                bytes.Buffer
}

func (c *collector) start(t *testing.T) {
	t.Helper()
	args := []string{"--feature-gates=stanza.synchronousLogEmitter", "--config", "collector.yaml"}
	for _, name := range c.more {
		args = append(args, "--config", name)
	}
	c.cmd = exec.Command(c.program, args...)
	c.cmd.Env = append(os.Environ(), "LONGLINE_HOST="+c.host, "LONGLINE_LOGS="+c.logs, "LONGLINE_STATE="+filepath.Join(c.dir, "storage"), "LONGLINE_RECEIVER="+c.receiver, "GOMAXPROCS=1")
	c.cmd.Stdout, c.cmd.Stderr = &c.out, &c.out
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
}

// kill ends it as a crash or the loss of power of its process would: at once.
func (c *collector) kill() {
	c.cmd.Process.Kill()
	c.cmd.Wait()
}

func (c *collector) rss() int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return n
		}
	}
	return 0
}

// postgres starts a database of its own.
func postgres(t *testing.T) string {
	t.Helper()
	programs, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if len(programs) == 0 {
		t.Fatal("PostgreSQL is not installed")
	}
	bin := filepath.Dir(programs[len(programs)-1])
	dir, err := os.MkdirTemp("", "longline-fleet-db-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	as := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.Dir = dir
		if os.Geteuid() == 0 { // which PostgreSQL refuses to run as
			u, err := user.Lookup("postgres")
			if err != nil {
				t.Fatal(err)
			}
			uid, _ := strconv.Atoi(u.Uid)
			gid, _ := strconv.Atoi(u.Gid)
			os.Chown(dir, uid, gid)
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
		}
		return cmd
	}
	data := filepath.Join(dir, "data")
	if out, err := as("initdb", "-D", data, "-A", "trust", "-U", "fleet", "--no-sync").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	port := freePort(t)
	server := as("postgres", "-D", data, "-k", dir, "-h", "127.0.0.1", "-p", port, "-c", "shared_buffers=256MB", "-c", "max_wal_size=2GB")
	var logged bytes.Buffer
	server.Stderr = &logged
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Signal(syscall.SIGINT)
		server.Wait()
	})
	address := "postgres://fleet@127.0.0.1:" + port + "/postgres"
	for range 300 {
		if l, err := newLoader(context.Background(), address); err == nil {
			l.db.Close()
			return address
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("PostgreSQL does not start: %s", logged.String())
	return ""
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// machine writes lines as hooks do.
type machine struct {
	host, person, home string
	log                audit.Log
	bundle             string
	start              time.Time
	ids                []string // of its lines, in the order in which they were written
	asks, denials      int
	approvals          int
}

var commands = []struct {
	command, rule string
	decision      tool.Decision
}{
	{"git status", "", tool.Allow},
	{"go test ./...", "", tool.Allow},
	{"rg TODO src", "", tool.Allow},
	{"npm run build", "", tool.Allow},
	{"git push origin topic", "git-push-topic", tool.Ask},
	{"cat package.json", "", tool.Allow},
	{"corptool sync --all", "unknown", tool.Ask},
	{"rm -rf ~/", "rm-recursive-root", tool.Deny},
	{"ls -la", "", tool.Allow},
	{"python3 scripts/check.py", "", tool.Allow},
}

// line is the nth line of the machine. What was asked about ran in half of the cases.
func (m *machine) line(n int) audit.Line {
	at := m.start.Add(time.Duration(n) * 7 * time.Millisecond)
	call := &tool.Call{Agent: []string{"claude", "codex"}[n%2], Event: "PreToolUse", Tool: "Bash", Dir: m.home + "/src/app", Session: fmt.Sprintf("%s-%d", m.host, n/500), ToolUse: fmt.Sprintf("%s-%09d", m.host, n), Shell: true}
	c := commands[n%len(commands)]
	if n%20 == 5 { // behind the question before it
		call.ToolUse = fmt.Sprintf("%s-%09d", m.host, n-1)
		m.approvals++
		return audit.Outcome{Time: at, Call: call, What: "ran"}
	}
	if n%5000 == 13 {
		return audit.Act{Time: at, What: "pause", Dir: m.home, Subject: "10m"}
	}
	call.Script = fmt.Sprintf("%s # %d", c.command, n)
	v := &tool.Verdict{Decision: c.decision, Rule: c.rule, Parsed: true}
	switch c.decision {
	case tool.Ask:
		m.asks++
		v.Reason = "asked: " + c.command
	case tool.Deny:
		m.denials++
		v.Reason = "denied: " + c.command
	}
	if c.rule != "" {
		v.Findings = []tool.Finding{{Rule: c.rule, Decision: c.decision, Layer: "builtin", Reason: v.Reason}}
	}
	return audit.Entry{Time: at, Call: call, Verdict: v, Duration: time.Duration(1500+n%900) * time.Microsecond, Bundle: m.bundle}
}

// recorded remembers the id of a line while it is written.
type recorded struct {
	line audit.Line
	m    *machine
}

func (r recorded) Line() []byte {
	text := r.line.Line()
	_, after, _ := bytes.Cut(text, []byte(`"line":"`))
	id, _, _ := bytes.Cut(after, []byte(`"`))
	r.m.ids = append(r.m.ids, string(id))
	return text
}

// TestFleet: ten machines write while their Collectors are killed and started again. In the
// end every line is in the store once and in its order, and no hook was slowed.
func TestFleet(t *testing.T) {
	program := collectorProgram(t)
	total := 1_000_000
	if n, err := strconv.Atoi(os.Getenv("FLEET_LINES")); err == nil {
		total = n
	}
	writeFor := 30 * time.Minute
	if d, err := time.ParseDuration(os.Getenv("FLEET_TIME")); err == nil {
		writeFor = d
	}
	each := total / machines
	ctx := context.Background()
	l, err := newLoader(ctx, postgres(t))
	if err != nil {
		t.Fatal(err)
	}
	defer l.db.Close()
	var requests, received, all atomic.Int64
	stored := map[string]*atomic.Int64{}
	for i := range machines {
		stored[fmt.Sprintf("m%02d", i)] = new(atomic.Int64)
	}
	l.stored = func(host string, n int64) {
		stored[host].Add(n)
		all.Add(n)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		received.Add(max(r.ContentLength, 0))
		l.ServeHTTP(w, r)
	}))
	defer server.Close()

	root := t.TempDir()
	begin := time.Now()
	var fleet []*machine
	var collectors []*collector
	for i := range machines {
		host := fmt.Sprintf("m%02d", i)
		home := filepath.Join(root, host, "home", fmt.Sprintf("dev%02d", i))
		m := &machine{host: host, person: filepath.Base(home), home: home, log: audit.Log{Path: home + "/.claude/hooks-logs/longline.jsonl"}, bundle: "acme 1.4", start: begin.Add(-time.Hour)}
		switch i {
		case 8: // it says nothing any more
			m.start = begin.Add(-72 * time.Hour)
		case 9:
			m.bundle = "acme 1.3"
		}
		fleet = append(fleet, m)
		c := &collector{program: program, host: host, dir: filepath.Join(root, host), logs: home + "/.claude/hooks-logs/longline*.jsonl", receiver: server.URL}
		os.MkdirAll(filepath.Dir(m.log.Path), 0o700)
		c.start(t)
		collectors = append(collectors, c)
	}
	defer func() {
		for _, c := range collectors {
			c.kill()
		}
	}()

	// The machines write.
	var writers sync.WaitGroup
	var written atomic.Int64
	for _, m := range fleet {
		writers.Go(func() {
			for n := range each {
				if n == each/2 { // the file of the day before is put away
					os.Rename(m.log.Path, strings.TrimSuffix(m.log.Path, ".jsonl")+"-2026-11-14.jsonl")
				}
				if err := m.log.Append(time.Now(), recorded{m.line(n), m}); err != nil {
					t.Error(err)
					return
				}
				written.Add(1)
				if time.Since(begin) > writeFor {
					return
				}
				// A machine is not further ahead than a developer's is in two days: a Collector
				// notes how far it came when it has caught up, and must be able to.
				for int64(n)-stored[m.host].Load() > maxAhead && time.Since(begin) < writeFor {
					time.Sleep(20 * time.Millisecond)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { writers.Wait(); close(done) }()
	hooks := hookTimes(t, collectors[0], filepath.Join(root, "hook"), done)

	// Meanwhile one Collector after the other is killed.
	kills := 0
	random := rand.New(rand.NewPCG(23, 23))
	count := func() (n int64) {
		l.db.QueryRow(ctx, "SELECT count(*) FROM longline_lines").Scan(&n)
		return n
	}
	last := time.Now()
	for writing := true; writing; {
		select {
		case <-done:
			writing = false
		case <-time.After(3 * time.Second):
			c := collectors[random.IntN(machines)]
			c.kill()
			kills++
			c.start(t)
			if time.Since(last) > 15*time.Second {
				last = time.Now()
				t.Logf("%4.0f s: %d written, %d stored, %d kills", time.Since(begin).Seconds(), written.Load(), all.Load(), kills)
			}
		}
	}
	t.Logf("all %d lines written after %.0f s, %d kills", written.Load(), time.Since(begin).Seconds(), kills)
	// And a few more times while they catch up.
	for range machines {
		time.Sleep(500 * time.Millisecond)
		c := collectors[kills%machines]
		c.kill()
		kills++
		c.start(t)
	}
	deadline := time.Now().Add(20 * time.Minute)
	for all.Load() < written.Load() && time.Now().Before(deadline) {
		time.Sleep(time.Second)
	}
	took := time.Since(begin)
	var rss int64
	for _, c := range collectors {
		rss = max(rss, c.rss())
	}

	// Every line once, and in its order.
	wrong := 0
	for _, m := range fleet {
		rows, err := l.db.Query(ctx, "SELECT line FROM longline_lines WHERE host = $1 AND person = $2 ORDER BY arrived", m.host, m.person)
		if err != nil {
			t.Fatal(err)
		}
		var stored []string
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				t.Fatal(err)
			}
			stored = append(stored, id)
		}
		switch {
		case len(stored) != len(m.ids):
			t.Errorf("%s wrote %d lines, and %d are stored", m.host, len(m.ids), len(stored))
		case !slices.Equal(stored, m.ids):
			moved := 0
			for i := range stored {
				if stored[i] != m.ids[i] {
					moved++
				}
			}
			wrong++
			slices.Sort(stored)
			ids := slices.Clone(m.ids)
			slices.Sort(ids)
			t.Errorf("%s: %d lines are not where they were written; the same lines otherwise: %v", m.host, moved, slices.Equal(stored, ids))
		}
	}
	var size int64
	l.db.QueryRow(ctx, "SELECT pg_total_relation_size('longline_lines')").Scan(&size)
	t.Logf("%d lines of %d machines in the store once each, %d machines out of order, %d kills, %.0f s (%.0f lines/s)", count(), machines, wrong, kills, took.Seconds(), float64(count())/took.Seconds())
	t.Logf("%d requests, %.1f MB on the wire (%.0f bytes a line, with what was sent twice); the store takes %.0f bytes a line; a Collector has %d MB in memory at most",
		requests.Load(), float64(received.Load())/1e6, float64(received.Load())/float64(written.Load()), float64(size)/float64(written.Load()), rss>>10)
	hooks(t)
	questions(t, l, fleet)
}
