// Package examine looks at a machine and says whether longline guards the agents on
// it: its own program and rules, its log, each agent's settings, and, if asked, the
// real client at work.
package examine

import (
	"debug/elf"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"longline/internal/agent"
	"longline/internal/config"
	"longline/internal/draft"
	"longline/internal/history"
	"longline/internal/install"
	"longline/internal/screen"
	"longline/internal/state"
	"longline/internal/stats"
	"longline/internal/sync"
	"longline/internal/tool"
	"longline/internal/userfiles"
)

// Symptom is one thing that was found.
type Symptom struct {
	Level string `json:"level"` // ok, note, warn or fail
	About string `json:"about"` // an agent, or longline
	What  string `json:"what"`
	Fix   string `json:"fix,omitempty"`
}

// Machine is what is examined.
type Machine struct {
	Env     config.Env
	Place   install.Place // where agents' settings are
	Project string        // that was named
	Version string        // of this longline
	Exe     string        // its path; "" if it is not known
	Live    bool          // start the real clients
	// Tell says what is being waited for, if that takes more than a moment; nil to say nothing.
	Tell func(what string)
	// Load finds the rules in force, ReadLog hands over the lines of the log that they
	// name, and Store is what the user has told longline.
	Load    func() (*config.Config, error)
	ReadLog func(*config.Config, *history.Count, func(*history.Record, []byte) error) error
	Store   func(dir string) state.Store
	// Sync finds the settings by which bundles are fetched, or nil, and where they are kept.
	Sync func() (settings *sync.Settings, dir string, err error)
}

// doctor is one examination.
type doctor struct {
	Machine
	cfg   *config.Config // nil if the rules do not load
	found []Symptom
	last  map[string]time.Time     // of each agent, and of each kind of its subagents
	times map[string]*stats.Timing // of each agent, and of all under ""
}

func (d *doctor) say(level, about, what, fix string) {
	d.found = append(d.found, Symptom{level, about, what, fix})
}

// Examine looks at longline and at the agents that are named.
func Examine(m Machine, agents []string) []Symptom {
	d := &doctor{Machine: m, last: map[string]time.Time{}, times: map[string]*stats.Timing{"": {}}}
	d.self()
	d.places()
	d.log()
	d.bundle()
	if d.cfg != nil && d.cfg.World.Project != "" {
		d.Place.Project = filepath.ToSlash(config.Native(d.cfg.World.Project)) // where agents look for a project's settings
	}
	if len(agents) == 0 {
		d.say("fail", "longline", "nothing is guarded: no agent was found on this machine", "install one, or name it with --agent")
	}
	d.agents(agents)
	return d.found
}

// Failed says whether anything is as it must not be.
func Failed(found []Symptom) bool {
	return slices.ContainsFunc(found, func(s Symptom) bool { return s.Level == "fail" })
}

// self looks at longline: its program, its rules.
func (d *doctor) self() {
	if d.Exe == "" {
		d.say("fail", "longline", "it cannot find its own path", "install it in a fixed place")
		return
	}
	d.say("ok", "longline", d.Version+" at "+d.Exe, "")
	d.linked()
	if real, err := filepath.EvalSymlinks(d.Exe); err == nil && strings.HasPrefix(real, os.TempDir()+"/") {
		d.say("warn", "longline", "the program is in a directory for temporary files", "install it elsewhere and run longline init again")
	}
	var err error
	if d.cfg, err = d.Load(); err != nil {
		d.say("fail", "longline", "the rules do not load, so every call is blocked: "+err.Error(), "fix the file; longline rules shows what is in force")
		return
	}
	d.say("ok", "longline", fmt.Sprintf("%s in force, safety level %s", screen.Count(len(d.cfg.Guard.Policy.Rules()), "rule"), d.cfg.Guard.Policy.Safety), "")
	for _, n := range d.cfg.Notices {
		d.say("warn", "longline", n, "see longline trust --help, or remove it")
	}
	for _, n := range d.cfg.Told {
		d.say("warn", "longline", n, "")
	}
	for _, doubt := range draft.Doubts(d.cfg) {
		d.say("warn", "longline", doubt.String(), "longline rules --check lists such rules")
	}
	d.walls()
	d.undo()
	if until, ok := d.Store(d.cfg.Dir).Paused(time.Now()); ok {
		d.say("warn", "longline", "questions are paused until "+until.Local().Format("15:04"), "longline pause off")
	}
}

// linked looks for a program of ours that loads libraries: one that LD_PRELOAD names could
// answer in its place.
func (d *doctor) linked() {
	for _, suffix := range []string{"", "-hook", "-wall"} {
		f, err := elf.Open(d.Exe + suffix)
		if err != nil {
			continue // it is not there, or this system has other programs
		}
		if slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP }) && runtime.GOOS == "linux" {
			d.say("warn", "longline", d.Exe+suffix+" is not static: a library that LD_PRELOAD names could answer in its place", "build it with CGO_ENABLED=0")
		}
		f.Close()
	}
}

// log looks at the audit log: whether it can be written, who was seen in it, and
// how long answers took.
func (d *doctor) log() {
	if d.cfg == nil {
		return
	}
	path := d.cfg.Log
	if err := writable(path); err != nil {
		d.say("fail", "longline", "the log cannot be written: "+err.Error(), "make "+path+" writable, or set log.path in the rules file")
		return
	}
	var read history.Count
	err := d.ReadLog(d.cfg, &read, func(r *history.Record, _ []byte) error {
		d.note(r)
		return nil
	})
	switch {
	case err != nil:
		d.say("warn", "longline", "the log cannot be read: "+err.Error(), "look at "+path)
	case read.Corrupt > 0:
		d.say("warn", "longline", screen.Count(read.Corrupt, "line")+" of the log cannot be read, first "+read.First, "move the file away; longline starts a new one")
	case read.Lines == 0:
		d.say("note", "longline", "the log at "+path+" is empty: nothing has been judged yet", "run something in an agent")
	default:
		l := d.times[""].Latencies()
		level, fix := "ok", ""
		if l.P99 > 1_000_000 {
			level, fix = "warn", "see longline log stats; agents wait for 10 s at most"
		}
		d.say(level, "longline", fmt.Sprintf("%s in the log at %s; half answered within %s, 99 %% within %s",
			screen.Count(read.Lines, "line"), path, screen.Millis(l.P50), screen.Millis(l.P99)), fix)
	}
}

// note remembers who asked when, and how long the answer took.
func (d *doctor) note(r *history.Record) {
	if r.Decision == "" {
		return
	}
	name := r.Agent
	if r.Subagent != "" {
		name += "/" + r.Subagent
	}
	if len(d.last) < history.MaxDistinct && r.Time.After(d.last[name]) {
		d.last[name] = r.Time
	}
	if r.Permitted {
		return // the call was judged before
	}
	d.times[""].Add(r.Duration)
	if d.times[r.Agent] == nil && len(d.times) < history.MaxDistinct {
		d.times[r.Agent] = new(stats.Timing)
	}
	if t := d.times[r.Agent]; t != nil {
		t.Add(r.Duration)
	}
}

// writable says why a file could not be written to, without changing it.
func writable(path string) error {
	if path == "" {
		return fmt.Errorf("there is no home directory")
	}
	if _, err := os.Stat(path); err == nil {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err == nil {
			err = f.Close()
		}
		return err
	}
	dir := filepath.Dir(path)
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	f, err := os.CreateTemp(dir, ".longline-doctor-*")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// agents looks at each agent.
func (d *doctor) agents(list []string) {
	versions := d.versions(list)
	for _, name := range list {
		client := agent.CapabilityOf(name)
		version := versions[name]
		switch {
		case version == "" && client.Version == "":
			d.say("note", name, client.Client+": support is based on its documentation and was never tested", "let it run longline-canary-x and check that longline log shows it")
		case version == "":
			d.say("note", name, client.Client+" is set up here, but its program was not found or did not say its version", "put it on the PATH if you use it here")
		case client.Version != "" && version != client.Version:
			d.say("note", name, fmt.Sprintf("%s %s; longline was tested with %s", client.Client, version, client.Version), "run longline doctor --live to check")
		default:
			d.say("ok", name, client.Client+" "+version, "")
		}
		d.means(name)
		wired := d.wiring(name)
		if client.Crash == tool.Pass && wired {
			d.say("note", name, "if longline is killed or missing, "+client.Client+" runs the command as if there were no hook", "nothing in longline can prevent this; a call that is late, needs too much memory or hits a bug still asks. Do not move or remove the program")
		}
		d.examine(name, version)
		d.mods(name)
		d.seen(name, wired)
		if d.Live {
			d.live(name, wired)
		}
	}
}

// wiring says in which of an agent's settings longline stands.
func (d *doctor) wiring(name string) bool {
	wired, stale := d.scopes(name)
	if where := install.RenderedAt(name, runtime.GOOS, userfiles.ReadFile); where != "" && !wired {
		d.say("ok", name, "wired (administrator: "+where+")", "")
		wired = true
	}
	if where := install.Plugged(name, d.Place, userfiles.ReadFile); where != "" {
		d.say("ok", name, "wired (plugin: "+where+")", "")
		if wired {
			d.say("note", name, "it calls longline twice: from its settings and as a plugin", "remove one of them")
		}
		wired = true
	}
	if script := install.Wrapped(name, d.Place, userfiles.ReadFile); script != "" && !wired && !stale {
		d.say("note", name, "it calls "+script+", which seems to call longline", "longline doctor --live shows whether it does")
		return true
	}
	if !wired && !stale {
		d.say("fail", name, "not wired: it does not call longline", "longline init --agent "+name)
	}
	return wired || stale
}

// scopes looks at an agent's settings of all scopes.
func (d *doctor) scopes(name string) (wired, stale bool) {
	for _, scope := range []install.Scope{install.Managed, install.User, install.Project} {
		state := d.settings(name, scope)
		wired = wired || state == install.Wired || state == install.Observing
		stale = stale || state == install.Stale
	}
	return wired, stale
}

// settings says whether longline stands in an agent's settings of one scope.
func (d *doctor) settings(name string, scope install.Scope) install.State {
	at := d.Place
	at.Scope = scope
	paths, err := install.Paths(name, at)
	if err != nil {
		return install.NotWired // there is no such scope
	}
	state, err := install.Check(name, at, d.command(), userfiles.ReadFile)
	rejected, again := (*install.Rejected)(nil), fmt.Sprintf("longline init --agent %s --scope %s", name, scope)
	switch {
	case errors.As(err, &rejected):
		d.say("fail", name, agent.CapabilityOf(name).Client+" ignores "+err.Error(), rejected.Fix)
	case err != nil && scope == install.User:
		d.say("warn", name, err.Error(), "then longline init --agent "+name)
	case err != nil:
	case state == install.Wired:
		d.say("ok", name, fmt.Sprintf("wired (%s: %s)", scope, paths[0]), "")
	case state == install.Observing:
		d.say("fail", name, fmt.Sprintf("observes only (%s: %s): longline judges and logs, and nothing is asked or denied", scope, paths[0]), again)
	case state == install.Stale:
		d.say("warn", name, fmt.Sprintf("stale: the entry in %s calls longline, but not as longline init writes it now: it is older, or was edited", paths[0]), again+", which keeps its --config")
	}
	return state
}

// examine looks for what keeps an agent that is wired from asking.
func (d *doctor) examine(name, version string) {
	x := install.Exam{
		Agent: name, Client: agent.CapabilityOf(name).Client, Version: version, Place: d.Place, Read: userfiles.ReadFile,
		Mode: func(path string) (fs.FileMode, error) {
			info, err := os.Stat(path)
			if err != nil {
				return 0, err
			}
			return info.Mode(), nil
		},
		Glob: func(pattern string) []string {
			files, _ := filepath.Glob(pattern)
			return files
		},
	}
	for _, f := range x.Findings() {
		d.say(f.Level, name, f.What, f.Fix)
	}
}

// mods says which mods of a client can overrule longline.
func (d *doctor) mods(name string) {
	if d.cfg == nil || !agent.Watched(name) {
		return
	}
	for _, m := range d.cfg.Mods {
		if m.Trusted {
			d.say("warn", name, m.Words()+"; you have trusted it", "longline trust --revoke takes that back")
		} else {
			d.say("fail", name, m.Words(), "remove it, or turn it off")
		}
	}
	for _, m := range d.cfg.OwnMods() {
		d.say("warn", name, m.Words(), "remove it unless you trust its code as you trust longline; longline admin render writes managed settings that keep mods out")
	}
}

func (d *doctor) command() install.Command {
	return install.Command{Program: userfiles.HookProgram(d.Exe)}
}

// seen says when an agent and its subagents last asked.
func (d *doctor) seen(name string, wired bool) {
	var who []string
	for agent := range d.last {
		if agent == name || strings.HasPrefix(agent, name+"/") {
			who = append(who, agent)
		}
	}
	slices.Sort(who)
	for _, agent := range who {
		kind, took := "last asked", ""
		if _, sub, ok := strings.Cut(agent, "/"); ok {
			kind = "its subagent " + screen.Clean(sub, "") + " last asked"
		} else if t := d.times[name]; t != nil {
			l := t.Latencies()
			took = fmt.Sprintf("; half of its answers took %s at most, 99 %% %s", screen.Millis(l.P50), screen.Millis(l.P99))
		}
		d.say("ok", name, kind+" "+screen.Ago(time.Since(d.last[agent]))+took, "")
	}
	if wired && len(who) == 0 && d.cfg != nil {
		d.say("note", name, "it has never called longline", "run something in it, or longline doctor --live")
	}
}
