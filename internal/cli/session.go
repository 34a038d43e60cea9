package cli

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"longline/internal/screen"
	"longline/internal/session"
	"longline/internal/state"
	"longline/internal/tool"
)

func sessionCommand() subcommand {
	return subcommand{
		name: "session", usage: "[ID] | clear [ID] [--all]", flags: true,
		purpose: forSeeWhatHappened, example: "session", words: []string{"clear"},
		short: "show or clear what longline remembers about sessions",
		help: `longline remembers what a session read (untrusted text, secrets), downloaded, wrote
and was denied, and judges later calls by it. ID is the agent's session id; its
first letters are enough. An agent sees only its own session.

clear forgets the history of a session: later calls are judged as if it had just
begun. It needs a person at a terminal, and is logged.

  longline session
  longline session clear 6f0c`,
		run: runSession,
	}
}

func runSession(p *process, args []string) int {
	flags := p.flagSet("session")
	asJSON := flags.Bool("json", false, "print JSON")
	all := flags.Bool("all", false, "clear all sessions")
	rest, status, done := p.parse(flags, args)
	if done {
		return status
	}
	rest, clears := cutWord(rest, "clear")
	if problem := sessionProblem(rest, clears, *all, *asJSON); problem != "" {
		return p.usageError("session", "%s", problem)
	}
	id := strings.Join(rest, "")
	if clears {
		return p.clearSessions(id, *all)
	}
	if id == "" {
		id, _ = p.env.Get("CLAUDE_CODE_SESSION_ID")
	}
	list := known(p.store(p.here()), id)
	if len(list) == 0 && len(rest) == 1 && id != "" {
		return p.noSession("no session %q", id)
	}
	if *asJSON {
		return p.ended(screen.WriteJSON(p.out, true, sessionsJSON(list)), exitOK)
	}
	return p.ended(writeText(p, p.sessionsText(list)), exitOK)
}

// sessionProblem says what is wrong with the flags and arguments.
func sessionProblem(rest []string, clears, all, asJSON bool) string {
	switch {
	case len(rest) > 1:
		return fmt.Sprintf("expected one session, found %d arguments", len(rest))
	case all && (!clears || len(rest) > 0):
		return "--all is for clear without an ID"
	case clears && asJSON:
		return "--json is for the list"
	}
	return ""
}

// noSession says that it is not clear which session is meant.
func (p *process) noSession(format string, args ...any) int {
	p.errorf("session: "+format, args...)
	p.hintf("run \"longline session\" for the list")
	return exitFailed
}

// remembered is the journal of a session, with whose it is.
type remembered struct {
	state.Kept
	*session.Journal
	agent, id, dir string
}

// known lists the journals of the sessions whose ids begin with id.
func known(store state.Store, id string) (list []remembered) {
	for _, k := range store.Journals() {
		r := remembered{Kept: k, Journal: session.Parse(k.Text)}
		r.Journal.Damaged = r.Journal.Damaged || k.Err != nil
		for _, e := range r.Journal.Entries {
			if e.Kind == session.Begun {
				r.agent, r.id, r.dir = e.Texts[0], e.Texts[1], e.Texts[2]
				break
			}
		}
		if strings.HasPrefix(r.id, id) {
			list = append(list, r)
		}
	}
	return list
}

// theSession finds the one session that an id stands for.
func (p *process) theSession(id string) (remembered, error) {
	list := known(p.store(p.here()), id)
	for _, r := range list {
		if r.id == id {
			return r, nil
		}
	}
	switch {
	case id == "":
		return remembered{}, errors.New("a session has an id")
	case len(list) == 0:
		return remembered{}, fmt.Errorf("no session %q", id)
	case len(list) > 1:
		return remembered{}, fmt.Errorf("%q matches %d sessions; write more of it", id, len(list))
	}
	return list[0], nil
}

// clearSessions forgets what is known of the sessions whose ids begin with id.
func (p *process) clearSessions(id string, all bool) int {
	store := p.store(p.here())
	list := known(store, id)
	if !p.byPerson("session clear") {
		return exitFailed
	}
	switch {
	case len(list) == 0 && id == "":
		p.errorf("session: no sessions are recorded")
		return exitFailed
	case len(list) == 0:
		return p.noSession("no session %q", id)
	case len(list) > 1 && !all:
		return p.noSession("there are %s; name one, or use --all", screen.Count(len(list), "session"))
	}
	if err := forget(store, list); err != nil {
		return p.failed("session", err)
	}
	if cfg, err := p.load(place{}); err == nil {
		for _, r := range list {
			p.act(cfg, "session-clear", strings.TrimSpace(r.agent+" "+r.id))
		}
	}
	fmt.Fprintf(p.out, "cleared: %s\n", screen.Count(len(list), "session"))
	return exitOK
}

// forget forgets what is known of sessions.
func forget(store state.Store, list []remembered) error {
	for _, r := range list {
		if err := store.Forget(r.Name); err != nil {
			return err
		}
	}
	return nil
}

// fact is one thing that a session is known for, in words.
type fact struct {
	What string `json:"what"`
	Of   string `json:"of"`
	Why  string `json:"why,omitempty"`
	When string `json:"when"`
}

// facts lists what a session is known for. What a person has lifted is left out.
func (p *process) facts(r *remembered) (list []fact) {
	home, _ := p.env.Get("HOME")
	past := r.Past()
	for _, e := range r.Journal.Entries {
		if e.Kind == session.Denied && (past == nil || !standing(past, e)) {
			continue
		}
		if f := factOf(home, e); f.What != "" {
			f.When = time.Unix(e.When, 0).UTC().Format(time.RFC3339)
			list = append(list, f)
		}
	}
	if r.Journal.Damaged {
		list = append(list, fact{What: "journal damaged", Why: "it counts as an injection", When: r.Since.UTC().Format(time.RFC3339)})
	}
	return list
}

// factOf is an entry of a journal in words; its What is "" if it is nothing to show.
func factOf(home string, e session.Entry) fact {
	t := e.Texts
	switch e.Kind {
	case session.Untrusted:
		if t[0] == session.Damaged {
			return fact{What: "journal damaged", Of: screen.Homely(home, t[1]), Why: "it counts as an injection"}
		}
		return fact{What: t[0] + " text met", Of: screen.Homely(home, t[1]), Why: t[2]}
	case session.Secret:
		return fact{What: "secret " + map[string]string{"read": "read", "print": "shown"}[t[0]], Of: screen.Homely(home, t[1])}
	case session.Denied:
		return fact{What: "denied", Of: strings.TrimSpace(t[3] + " " + screen.Homely(home, t[4])), Why: "[" + t[0] + "]"}
	case session.Fetched:
		return fact{What: "fetched", Of: screen.Homely(home, t[0]), Why: t[1]}
	case session.Written:
		return fact{What: "written", Of: screen.Homely(home, t[0])}
	case session.Remote:
		return fact{What: "remote " + cmp.Or(t[2], "added"), Of: t[1], Why: screen.Homely(home, t[0])}
	case session.Added:
		return fact{What: "package added", Of: t[1], Why: t[0]}
	case session.Agreed:
		return fact{What: "agreed to"}
	case session.Full:
		return fact{What: "too many to remember", Of: t[0]}
	}
	return fact{}
}

// standing says whether a denial was not lifted.
func standing(past *tool.Past, e session.Entry) bool {
	for _, d := range past.Denied {
		kind := ""
		if d.Effect.Kind != 0 {
			kind = d.Effect.Kind.String()
		}
		if d.Rule == e.Texts[0] && kind == e.Texts[3] && d.Effect.Target == e.Texts[4] {
			return true
		}
	}
	return false
}

// shownFacts bounds how many files are listed that were fetched or written.
const shownFacts = 8

func (p *process) sessionsText(list []remembered) string {
	var b strings.Builder
	s := p.style()
	for i := range list {
		r := &list[i]
		fmt.Fprintf(&b, "%s  %s\n", s.Bold(screen.Clean(r.id, "")), s.Dim(screen.Clean(strings.Join(screen.NonEmpty(r.agent, r.dir, screen.Ago(time.Since(r.Since))), ", "), "")))
		seen := map[string]int{}
		for _, f := range screen.Unique(lines(p.facts(r))) {
			what, _, _ := strings.Cut(f, ":")
			if seen[what]++; seen[what] <= shownFacts || what != "fetched" && what != "written" {
				b.WriteString("  " + screen.Clean(f, "") + "\n")
			}
		}
		for _, what := range []string{"fetched", "written"} {
			if seen[what] > shownFacts {
				fmt.Fprintf(&b, "  %s: and %d more\n", what, seen[what]-shownFacts)
			}
		}
	}
	if len(list) == 0 {
		b.WriteString("no sessions are recorded\n")
	}
	return b.String()
}

func lines(facts []fact) (list []string) {
	for _, f := range facts {
		text := f.What + ": " + f.Of
		if f.Of == "" {
			text = f.What
		}
		if f.Why != "" {
			text += " (" + f.Why + ")"
		}
		list = append(list, text)
	}
	return list
}

type sessionJSON struct {
	ID    string `json:"id"`
	Agent string `json:"agent"`
	Dir   string `json:"dir"`
	Facts []fact `json:"facts"`
}

func sessionsJSON(list []remembered) any {
	out := struct {
		Schema   string        `json:"schema"`
		Sessions []sessionJSON `json:"sessions"`
	}{"longline.session/v1", []sessionJSON{}}
	p := &process{}
	for i := range list {
		r := &list[i]
		facts := p.facts(r)
		if facts == nil {
			facts = []fact{}
		}
		out.Sessions = append(out.Sessions, sessionJSON{r.id, r.agent, r.dir, facts})
	}
	return out
}
