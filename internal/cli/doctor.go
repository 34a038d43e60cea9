package cli

import (
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
	"longline/internal/history"
	"longline/internal/install"
	"longline/internal/tool"
)

func doctorCommand() subcommand {
	return subcommand{
		name: "doctor", usage: "[--agent NAME,...] [--live] [--json]", flags: true,
		purpose: forGuardAgent, example: "doctor",
		short: "check that longline guards the agents on this machine",
		help: `Each line says ok, note, warn or FAIL, and how to fix a problem. --live starts the
real client with a command that longline denies, and looks for it in the audit log.
That costs one short prompt.

The exit status is 1 if anything is FAIL: an agent that does not call longline or
only observes, rules that do not load, hooks that are switched off.`,
		run: runDoctor,
	}
}

// symptom is one thing that doctor has found.
type symptom struct {
	Level string `json:"level"` // ok, note, warn or fail
	About string `json:"about"` // an agent, or longline
	What  string `json:"what"`
	Fix   string `json:"fix,omitempty"`
}

// doctor is one examination.
type doctor struct {
	p     *process
	setup *setup
	cfg   *config.Config // nil if the rules do not load
	exe   string
	found []symptom
	last  map[string]time.Time // of each agent, and of each kind of its subagents
	times map[string]*timing   // of each agent, and of all under ""
}

func (d *doctor) say(level, about, what, fix string) {
	d.found = append(d.found, symptom{level, about, what, fix})
}

func runDoctor(p *process, args []string) int {
	flags := p.flagSet("doctor")
	agents := flags.String("agent", "", "only the agents `NAME,...`")
	live := flags.Bool("live", false, "start the real client and check that it calls longline")
	asJSON := flags.Bool("json", false, "print JSON")
	rest, status, done := p.parse(flags, args)
	if done {
		return status
	}
	if len(rest) > 0 {
		return p.usageError("doctor", "unexpected argument %q", rest[0])
	}
	d := &doctor{p: p, last: map[string]time.Time{}, times: map[string]*timing{"": {}}}
	place, err := p.installPlace(install.User)
	if err != nil {
		return p.usageError("doctor", "%v", err)
	}
	d.setup = &setup{p: p, place: place}
	named := *agents != ""
	list := d.setup.found()
	if named {
		list = strings.Split(*agents, ",")
		for _, a := range list {
			if !slices.Contains(install.Agents(), a) {
				return p.usageError("doctor", "unknown agent %q; known are %s", a, strings.Join(install.Agents(), ", "))
			}
		}
	}
	d.self()
	d.places()
	d.log()
	d.bundle()
	if d.cfg != nil && d.cfg.World.Project != "" {
		d.setup.place.Project = d.cfg.World.Project // where agents look for a project's settings
	}
	if len(list) == 0 {
		d.say("fail", "longline", "nothing is guarded: no agent was found on this machine", "install one, or name it with --agent")
	}
	d.agents(list, *live)
	if *asJSON {
		status = d.printJSON()
	} else {
		status = d.print()
	}
	return status
}

// self looks at longline: its program, its rules.
func (d *doctor) self() {
	exe, err := os.Executable()
	if err != nil {
		d.say("fail", "longline", "it cannot find its own path: "+err.Error(), "install it in a fixed place")
		return
	}
	d.exe = exe
	d.say("ok", "longline", versionLine()+" at "+exe, "")
	if real, err := filepath.EvalSymlinks(exe); err == nil && strings.HasPrefix(real, os.TempDir()+"/") {
		d.say("warn", "longline", "the program is in a directory for temporary files", "install it elsewhere and run longline init again")
	}
	if d.cfg, err = d.p.load(place{}); err != nil {
		d.say("fail", "longline", "the rules do not load, so every call is blocked: "+err.Error(), "fix the file; longline rules shows what is in force")
		return
	}
	d.say("ok", "longline", fmt.Sprintf("%s in force, safety level %s", count(len(d.cfg.Guard.Policy.Rules()), "rule"), d.cfg.Guard.Policy.Safety), "")
	for _, n := range d.cfg.Notices {
		d.say("warn", "longline", n, "see longline trust --help, or remove it")
	}
	for _, n := range d.cfg.Told {
		d.say("warn", "longline", n, "")
	}
	if d.cfg.Ignored != "" {
		d.say("warn", "longline", d.cfg.Ignored, "")
	}
	d.walls()
	if until, ok := d.p.store(d.cfg.Dir).Paused(time.Now()); ok {
		d.say("warn", "longline", "questions are paused until "+until.Local().Format("15:04"), "longline pause off")
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
	err := readLog(d.cfg, &read, func(r *history.Record, _ []byte) error {
		if r.Decision == "" {
			return nil
		}
		name := r.Agent
		if r.Subagent != "" {
			name += "/" + r.Subagent
		}
		if len(d.last) < maxDistinct && r.Time.After(d.last[name]) {
			d.last[name] = r.Time
		}
		if !r.Permitted {
			d.times[""].add(r.Duration)
			if d.times[r.Agent] == nil && len(d.times) < maxDistinct {
				d.times[r.Agent] = new(timing)
			}
			if t := d.times[r.Agent]; t != nil {
				t.add(r.Duration)
			}
		}
		return nil
	})
	switch {
	case err != nil:
		d.say("warn", "longline", "the log cannot be read: "+err.Error(), "look at "+path)
	case read.Corrupt > 0:
		d.say("warn", "longline", count(read.Corrupt, "line")+" of the log cannot be read, first "+read.First, "move the file away; longline starts a new one")
	case read.Lines == 0:
		d.say("note", "longline", "the log at "+path+" is empty: nothing has been judged yet", "run something in an agent")
	default:
		l := d.times[""].latencies()
		level, fix := "ok", ""
		if l.P99 > 1_000_000 {
			level, fix = "warn", "see longline log stats; agents wait for 10 s at most"
		}
		d.say(level, "longline", fmt.Sprintf("%s in the log at %s; half answered within %s, 99 %% within %s",
			count(read.Lines, "line"), path, millis(l.P50), millis(l.P99)), fix)
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
func (d *doctor) agents(list []string, live bool) {
	versions := d.versions(list)
	for _, name := range list {
		client := clientOf(name)
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
		wired := d.wiring(name)
		if client.Crash == tool.Pass && wired {
			d.say("note", name, "if longline crashes, "+client.Client+" runs the command as if there were no hook", "this cannot be prevented; do not move or remove the program")
		}
		d.examine(name, version)
		d.seen(name, wired)
		if live {
			d.live(name, wired)
		}
	}
}

func clientOf(name string) agent.Capability {
	i := slices.IndexFunc(agent.Capabilities(), func(c agent.Capability) bool { return c.Agent == name })
	return agent.Capabilities()[i]
}

// wiring says in which of an agent's settings longline stands.
func (d *doctor) wiring(name string) bool {
	wired, stale := false, false
	for _, scope := range []install.Scope{install.Managed, install.User, install.Project} {
		at := d.setup.place
		at.Scope = scope
		paths, err := install.Paths(name, at)
		if err != nil {
			continue // there is no such scope
		}
		state, err := install.Check(name, at, d.command(), readFile)
		rejected := (*install.Rejected)(nil)
		switch {
		case errors.As(err, &rejected):
			d.say("fail", name, clientOf(name).Client+" ignores "+err.Error(), rejected.Fix)
		case err != nil && scope == install.User:
			d.say("warn", name, err.Error(), "then longline init --agent "+name)
		case err != nil:
		case state == install.Wired:
			wired = true
			d.say("ok", name, fmt.Sprintf("wired (%s: %s)", scope, paths[0]), "")
		case state == install.Observing:
			wired = true
			d.say("fail", name, fmt.Sprintf("observes only (%s: %s): longline judges and logs, and nothing is asked or denied", scope, paths[0]),
				fmt.Sprintf("longline init --agent %s --scope %s", name, scope))
		case state == install.Stale:
			stale = true
			d.say("warn", name, fmt.Sprintf("stale: the entry in %s is not what longline would install now", paths[0]),
				fmt.Sprintf("longline init --agent %s --scope %s", name, scope))
		}
	}
	if where := install.RenderedAt(name, runtime.GOOS, readFile); where != "" && !wired {
		d.say("ok", name, "wired (administrator: "+where+")", "")
		wired = true
	}
	if where := install.Plugged(name, d.setup.place, readFile); where != "" {
		d.say("ok", name, "wired (plugin: "+where+")", "")
		if wired {
			d.say("note", name, "it calls longline twice: from its settings and as a plugin", "remove one of them")
		}
		wired = true
	}
	if !wired && !stale {
		d.say("fail", name, "not wired: it does not call longline", "longline init --agent "+name)
	}
	return wired || stale
}

// examine looks for what keeps an agent that is wired from asking.
func (d *doctor) examine(name, version string) {
	x := install.Exam{
		Agent: name, Client: clientOf(name).Client, Version: version, Place: d.setup.place, Read: readFile,
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

func (d *doctor) command() install.Command { return install.Command{Program: hookProgram(d.exe)} }

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
			kind = "its subagent " + clean(sub, "") + " last asked"
		} else if t := d.times[name]; t != nil {
			l := t.latencies()
			took = fmt.Sprintf("; half of its answers took %s at most, 99 %% %s", millis(l.P50), millis(l.P99))
		}
		d.say("ok", name, kind+" "+ago(time.Since(d.last[agent]))+took, "")
	}
	if wired && len(who) == 0 && d.cfg != nil {
		d.say("note", name, "it has never called longline", "run something in it, or longline doctor --live")
	}
}

func ago(t time.Duration) string {
	switch {
	case t < 2*time.Minute:
		return "just now"
	case t < 2*time.Hour:
		return fmt.Sprintf("%d minutes ago", int(t.Minutes()))
	case t < 48*time.Hour:
		return fmt.Sprintf("%d hours ago", int(t.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(t.Hours()/24))
}

func (d *doctor) failed() bool {
	return slices.ContainsFunc(d.found, func(s symptom) bool { return s.Level == "fail" })
}

func (d *doctor) print() int {
	s := d.p.style()
	var b strings.Builder
	about := ""
	for _, f := range d.found {
		if f.About != about {
			about = f.About
			fmt.Fprintf(&b, "%s\n", s.bold(about))
		}
		word := map[string]string{"ok": s.paint("32", "ok  "), "note": s.dim("note"), "warn": s.paint("33", "warn"), "fail": s.paint("1;31", "FAIL")}[f.Level]
		fix := ""
		if f.Fix != "" {
			fix = "        fix: " + clean(f.Fix, "") + "\n"
		}
		if what := clean(f.What, ""); !isTerminal(d.p.out) {
			fmt.Fprintf(&b, "  %s  %s\n%s", word, what, fix) // for whoever searches in it
		} else {
			margin := strings.Repeat(" ", 8)
			var wrapped strings.Builder
			fill(&wrapped, margin, margin, what)
			b.WriteString("  " + word + "  " + strings.TrimPrefix(wrapped.String(), margin))
			if fix != "" {
				fill(&b, margin, margin+"  ", fix)
			}
		}
	}
	status := exitOK
	if d.failed() {
		status = exitFailed
	}
	return d.p.ended(writeText(d.p, b.String()), status)
}

func (d *doctor) printJSON() int {
	status := exitOK
	if d.failed() {
		status = exitFailed
	}
	return d.p.ended(writeJSON(d.p.out, true, struct {
		OK       bool      `json:"ok"`
		Findings []symptom `json:"findings"`
	}{!d.failed(), d.found}), status)
}
