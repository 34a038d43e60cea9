package examine

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"longline/internal/config"
	"longline/internal/history"
	"longline/internal/install"
	"longline/internal/rulesfile"
	"longline/internal/state"
	"longline/internal/sync"
)

// Each test has a home directory of its own.
func init() { config.KnownHome = "HOME" }

// machine is one with nothing on it, and a log that holds these lines.
func machine(t *testing.T, lines ...history.Record) (m Machine, home string) {
	home = t.TempDir()
	if err := os.Mkdir(filepath.Join(home, "bin"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "bin/longline"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	env := config.Env{"HOME=" + home, "PATH=" + filepath.Join(home, "bin")}
	m = Machine{
		Env: env, Version: "longline 1.2.3", Exe: filepath.Join(home, "bin/longline"),
		Place: install.Place{Scope: install.User, Home: home, Project: home, Getenv: func(string) string { return "" }},
		Load: func() (*config.Config, error) {
			return config.Load(config.Options{Env: env, Dir: home, Parse: rulesfile.ParseNamed})
		},
		ReadLog: func(_ *config.Config, count *history.Count, do func(*history.Record, []byte) error) error {
			for i := range lines {
				count.Lines++
				if err := do(&lines[i], nil); err != nil {
					return err
				}
			}
			return nil
		},
		Store: func(string) state.Store { return state.Store{} },
		Sync:  func() (*sync.Settings, string, error) { return nil, "", nil },
	}
	return m, home
}

// said is what was found at a level, as one text.
func said(found []Symptom, level string) string {
	var lines []string
	for _, s := range found {
		if s.Level == level {
			lines = append(lines, s.About+": "+s.What)
		}
	}
	return strings.Join(lines, "\n")
}

func TestNothingIsGuarded(t *testing.T) {
	m, _ := machine(t)
	found := Examine(m, nil)
	if !Failed(found) || !strings.Contains(said(found, "fail"), "nothing is guarded") || !strings.Contains(said(found, "note"), "is empty") {
		t.Errorf("%+v", found)
	}
	if !strings.Contains(said(found, "ok"), "longline 1.2.3 at "+m.Exe) {
		t.Errorf("%+v", found)
	}
}

func TestRulesThatDoNotLoad(t *testing.T) {
	m, _ := machine(t)
	m.Load = func() (*config.Config, error) { return nil, errors.New("line 3: no") }
	found := Examine(m, []string{"claude"})
	if fails := said(found, "fail"); !strings.Contains(fails, "every call is blocked: line 3: no") || !strings.Contains(fails, "claude: not wired") {
		t.Errorf("%+v", found)
	}
}

// TestWiring: what longline would install counts as wired, a changed entry as stale, one
// that observes as a failure.
func TestWiring(t *testing.T) {
	for _, test := range []struct {
		observe      bool
		spoil        bool
		level, wants string
	}{
		{false, false, "ok", "claude: wired (user: "},
		{true, false, "fail", "claude: observes only"},
		{false, true, "warn", "claude: stale"},
	} {
		m, home := machine(t)
		none := func(string) ([]byte, error) { return nil, nil }
		changes, err := install.Install("claude", m.Place, install.Command{Program: m.Exe, Observe: test.observe}, none)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			text := string(c.New)
			if test.spoil {
				text = strings.ReplaceAll(text, m.Exe, filepath.Join(home, "elsewhere/longline"))
			}
			if err := os.MkdirAll(filepath.Dir(c.Path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(c.Path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		found := Examine(m, []string{"claude"})
		if !strings.Contains(said(found, test.level), test.wants) {
			t.Errorf("want %s %q in %+v", test.level, test.wants, found)
		}
		if strings.Contains(said(found, "fail"), "not wired") {
			t.Errorf("%+v", found)
		}
	}
}

func TestWhoAsked(t *testing.T) {
	now := time.Now()
	m, _ := machine(t,
		history.Record{Time: now.Add(-72 * time.Hour), Agent: "claude", Decision: "allow", Duration: 2000},
		history.Record{Time: now.Add(-5 * time.Minute), Agent: "claude", Decision: "ask", Duration: 2000},
		history.Record{Time: now.Add(-3 * time.Hour), Agent: "claude", Subagent: "explorer", Decision: "ask", Duration: 2_000_000},
		history.Record{Time: now, Agent: "claude", Decision: "ask", Permitted: true, Duration: 9_000_000},
		history.Record{Time: now, Agent: "claude", Event: "pause"},
		history.Record{Time: now, Agent: "claudette", Decision: "ask"},
	)
	found := Examine(m, []string{"claude", "codex"})
	ok := said(found, "ok")
	if !strings.Contains(ok, "claude: last asked just now; half of its answers took 2.") || !strings.Contains(ok, "its subagent explorer last asked 3 hours ago") || strings.Contains(ok, "claudette") {
		t.Errorf("%s", ok)
	}
	if !strings.Contains(said(found, "warn"), "99 % within 2000.0 ms") {
		t.Errorf("slow answers: %s", said(found, "warn"))
	}
	if strings.Contains(said(found, "note"), "claude: it has never called") {
		t.Errorf("%s", said(found, "note"))
	}
}

func TestLogThatCannotBeRead(t *testing.T) {
	m, _ := machine(t)
	m.ReadLog = func(_ *config.Config, count *history.Count, _ func(*history.Record, []byte) error) error {
		count.Lines, count.Corrupt, count.First = 3, 2, "log:2"
		return nil
	}
	if warns := said(Examine(m, nil), "warn"); !strings.Contains(warns, "2 lines of the log cannot be read, first log:2") {
		t.Errorf("%s", warns)
	}
	m.ReadLog = func(*config.Config, *history.Count, func(*history.Record, []byte) error) error {
		return errors.New("disk on fire")
	}
	if warns := said(Examine(m, nil), "warn"); !strings.Contains(warns, "disk on fire") {
		t.Errorf("%s", warns)
	}
}

// TestPath: a directory before longline's own through which another program could be
// started in its place.
func TestPath(t *testing.T) {
	m, home := machine(t)
	open := filepath.Join(home, "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(home, "other")
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "longline"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	m.Env = config.Env{"HOME=" + home, "PATH=bin:" + open + ":" + other + ":/after"}
	warns := said(Examine(m, nil), "warn")
	for _, want := range []string{`PATH contains "bin", which depends on the directory`, open + ", which others can write to", "is another program: " + other} {
		if !strings.Contains(warns, want) {
			t.Errorf("%q is missing in:\n%s", want, warns)
		}
	}
}

// A program that loads libraries is said.
func TestLinked(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("programs of another kind")
	}
	m, home := machine(t)
	for _, program := range []struct {
		name string
		kind elf.ProgType
	}{{"longline", elf.PT_INTERP}, {"longline-hook", elf.PT_LOAD}} {
		var b bytes.Buffer
		header := elf.Header64{Type: uint16(elf.ET_EXEC), Machine: uint16(elf.EM_X86_64), Version: 1, Phoff: 64, Ehsize: 64, Phentsize: 56, Phnum: 1}
		copy(header.Ident[:], "\x7fELF\x02\x01\x01")
		if err := errors.Join(binary.Write(&b, binary.LittleEndian, header), binary.Write(&b, binary.LittleEndian, elf.Prog64{Type: uint32(program.kind)})); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, "bin", program.name), b.Bytes(), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if warns := said(Examine(m, nil), "warn"); strings.Count(warns, "is not static") != 1 || !strings.Contains(warns, "bin/longline is not static") {
		t.Errorf("%s", warns)
	}
}

func TestBundle(t *testing.T) {
	m, _ := machine(t)
	m.Sync = func() (*sync.Settings, string, error) { return nil, "", errors.New("line 1") }
	if fails := said(Examine(m, nil), "fail"); !strings.Contains(fails, "bundle: cannot read the sync settings: line 1") {
		t.Errorf("%s", fails)
	}
	dir := t.TempDir()
	m.Sync = func() (*sync.Settings, string, error) {
		return &sync.Settings{Path: "/etc/longline/sync.yaml", Name: "team"}, dir, nil
	}
	if fails := said(Examine(m, nil), "fail"); !strings.Contains(fails, "names the bundle team, and it was never installed") {
		t.Errorf("%s", fails)
	}
	d := &doctor{Machine: m}
	d.inForce(&config.Bundle{Until: time.Now().Add(time.Hour)}, false)
	d.fetched(&sync.State{Refused: "older", Failures: 2})
	if got := said(d.found, "warn") + said(d.found, "fail"); !strings.Contains(got, "expires on") || !strings.Contains(got, "with the keys that count") || !strings.Contains(got, "the last good one stays") {
		t.Errorf("%s", got)
	}
}

// TestSlowClient: a client that takes more than a second to say its version is named meanwhile, one that does not is not.
func TestSlowClient(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the clients are shell scripts")
	}
	m, home := machine(t)
	for program, text := range map[string]string{"claude": "sleep 1.5; echo 1.2.3", "codex": "echo 4.5.6"} {
		if err := os.WriteFile(filepath.Join(home, "bin", program), []byte("#!/bin/sh\nPATH=/usr/bin:/bin; "+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	told := make(chan string, 9)
	m.Tell = func(what string) { told <- what }
	d := &doctor{Machine: m}
	if v := d.versions([]string{"claude", "codex"}); v["claude"] != "1.2.3" || v["codex"] != "4.5.6" {
		t.Errorf("%v", v)
	}
	select {
	case what := <-told:
		if !strings.Contains(what, "claude") {
			t.Errorf("%q", what)
		}
	default:
		t.Error("nothing was said")
	}
}
