package hook

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"longline/internal/agent"
	"longline/internal/audit"
	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/session"
	"longline/internal/state"
	"longline/internal/tool"
)

// memory is what is remembered of the session that a call belongs to. Without a
// session there is none, and neither for who only tries the hook out.
type memory struct {
	store   state.Store
	journal *session.Journal
	call    *tool.Call
	dir     string
	fresh   bool   // there is no journal yet
	told    string // what is wrong with it, if something is
}

// recall reads the journal of the session.
func (h *Hook) recall(req *agent.Request, cfg *config.Config) *memory {
	if req.Call.Session == "" || h.dryRun || h.hand || cfg.State == "" {
		return nil
	}
	m := &memory{store: state.Open(cfg.State), call: &req.Call, dir: req.Call.Dir}
	text, err := m.store.Journal(req.Call.Agent, req.Call.Session)
	m.fresh = err == nil && len(text) == 0
	if m.journal = session.Parse(text); m.journal.Damaged || err != nil {
		m.setAside(err, h.start.Unix())
	}
	return m
}

// judge judges a call by the rules, and by what its session is known for.
func (m *memory) judge(cfg *config.Config, call tool.Call) (tool.Verdict, []*command.Invocation) {
	if m != nil {
		call.Past, call.Agreed = m.journal.Past(), m.journal.Agreed(&call)
	}
	return cfg.Judge(call)
}

// setAside moves a journal away that cannot be read. Its session goes on with the lines
// that could be read, and counts as one that has met an injection.
func (m *memory) setAside(err error, now int64) {
	m.journal.Damaged = true
	if again, wrong := m.store.Journal(m.call.Agent, m.call.Session); wrong == nil {
		if j := session.Parse(again); !j.Damaged && len(again) > 0 {
			m.journal = j // somebody else has done it
			return
		}
	}
	where, wrong := m.store.PutAside(m.call.Agent, m.call.Session)
	if wrong != nil && !errors.Is(wrong, fs.ErrNotExist) {
		m.told = "longline: warning: the journal of this session cannot be read or moved aside (" + wrong.Error() + "); the session counts as one that read untrusted text"
		return
	}
	lines := m.journal.Entries
	m.journal = &session.Journal{}
	m.fresh = true
	keep := append(lines, m.journal.Met(session.Damaged, where, "", now)...)
	m.journal.Entries = nil
	m.told = "longline: warning: the journal of this session could not be read"
	if err != nil {
		m.told += " (" + err.Error() + ")"
	}
	m.told += "; it was moved to " + where + ", and the session counts as one that read untrusted text"
	if err := m.add(keep, now); err != nil {
		m.told += "; a new one could not be written: " + err.Error()
	}
	m.journal.Entries = keep
}

// add appends lines to the journal.
func (m *memory) add(entries []session.Entry, now int64) error {
	if len(entries) == 0 {
		return nil
	}
	var lines []byte
	if m.fresh {
		m.store.ForgetSessions(time.Unix(now, 0))
		lines = session.Entry{Kind: session.Begun, When: now, Texts: []string{m.call.Agent, m.call.Session, m.dir}}.Line(lines)
	}
	for _, e := range entries {
		lines = e.Line(lines)
	}
	if err := m.store.Remember(m.call.Agent, m.call.Session, lines); err != nil {
		return err
	}
	m.fresh = false
	return nil
}

// learn adds what a call teaches, and what was found in the text that it meets.
func (m *memory) learn(seen session.Seen, now int64) error {
	var entries []session.Entry
	for _, t := range seen.Verdict.Met {
		entries = append(entries, m.journal.Met(t.Verdict, t.Where, t.Kinds, now)...)
	}
	return m.add(append(entries, m.journal.Learn(seen, now)...), now)
}

// note has the journal learn from a call that was judged or has run. That it could
// not is said, and changes nothing.
func (h *Hook) note(r reply, m *memory, cfg *config.Config, v *tool.Verdict, invs []*command.Invocation, runs, once bool) reply {
	if m == nil {
		return r
	}
	err := m.learn(session.Seen{
		Call: m.call, Verdict: v, Invs: invs, Runs: runs, Once: once, Home: cfg.World.Home, Project: cfg.World.Project,
	}, h.start.Unix())
	if err != nil {
		r.err = fmt.Appendf(r.err, "longline: warning: this call could not be added to the session journal: %v\n", err)
	}
	return r
}

// damage says that the journal could not be read, where somebody looks.
func (h *Hook) damage(r reply, m *memory, cfg *config.Config) reply {
	if m == nil || m.told == "" {
		return r
	}
	if !strings.Contains(string(r.err), m.told) {
		r.err = append(r.err, m.told+"\n"...)
	}
	return h.log(r, cfg, audit.Act{Time: h.start, What: "session-damaged", Dir: m.dir, Subject: m.told})
}
