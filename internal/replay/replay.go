// Package replay judges the calls of a log again and says which decisions are others
// now, and for whom a bundle would change something.
package replay

import (
	"fmt"
	"io"
	"strings"

	"longline/internal/history"
	"longline/internal/hook"
	"longline/internal/mask"
	"longline/internal/screen"
	"longline/internal/tool"
)

// Call is what a judgement depends on.
type Call struct {
	Dir, Command string
	Edits        bool
	Agent        string // whose own rules count; "" for nobody's
}

// Judges judges calls.
type Judges struct {
	// Now judges by the rules that are tried.
	Now func(Call) (tool.Verdict, error)
	// Before judges by the rules to compare with. If it is nil, the decision in the
	// log is compared with.
	Before func(Call) (tool.Verdict, error)
}

// Replay is a log that is being judged again. The log is read as a stream; what is
// kept is bounded.
type Replay struct {
	by      Judges
	people  map[string]*Person
	judged  map[Call]opinion // so that a command is judged once
	changed map[Change]int
	order   []Change
	result  Result
}

// opinion is what is kept of a judgement.
type opinion struct {
	before       tool.Decision // by the rules to compare with, if there are any
	decision     tool.Decision
	rule, reason string
}

// Change is a decision that is another than it was.
type Change struct {
	Was     string `json:"was"`
	Now     string `json:"now"`
	Rule    string `json:"rule"`
	Dir     string `json:"cwd"`
	Command string `json:"command"`
	Reason  string `json:"reason"`
}

// maxJudged bounds the judgements that are remembered.
const maxJudged = 1 << 16

// New begins a replay.
func New(by Judges) *Replay {
	return &Replay{by: by, people: map[string]*Person{}, judged: map[Call]opinion{}, changed: map[Change]int{}}
}

// Line judges the call of a line again.
func (r *Replay) Line(rec *history.Record) error {
	was, ok := tool.ParseDecision(rec.Decision)
	switch {
	case !ok || rec.Permitted:
		r.result.Other++
		return nil
	case !rec.IsShell():
		r.result.NoShell++
		return nil
	case rec.IsCut():
		r.result.Cut++
		return nil
	}
	// A mark where a secret was must not be read as a wildcard.
	now, err := r.judge(Call{rec.Dir, strings.ReplaceAll(rec.Command, mask.Mark, "SECRET"), rec.Edits, rec.Agent})
	if err != nil {
		return err
	}
	if r.by.Before != nil {
		was = now.before
		r.person(rec, was, now.decision)
	}
	if now.decision == was {
		r.result.Unchanged++
		return nil
	}
	r.note(Change{was.String(), now.decision.String(), now.rule, rec.Dir, rec.Command, now.reason})
	return nil
}

// judge judges a call, once.
func (r *Replay) judge(call Call) (now opinion, err error) {
	now, known := r.judged[call]
	if known {
		return now, nil
	}
	if r.by.Before != nil {
		v, err := r.by.Before(call)
		if err != nil {
			return now, err
		}
		now.before = v.Decision
	}
	v, err := r.by.Now(call)
	if err != nil {
		return now, err
	}
	if len(r.judged) >= maxJudged {
		clear(r.judged)
	}
	now = opinion{now.before, v.Decision, v.Rule, v.Reason}
	r.judged[call] = now
	return now, nil
}

func (r *Replay) note(ch Change) {
	r.result.Changed++
	if _, seen := r.changed[ch]; !seen {
		if len(r.order) >= history.MaxDistinct {
			r.result.Left++
			return
		}
		r.order = append(r.order, ch)
	}
	r.changed[ch]++
}

// Result is what came of a replay, as JSON has it.
type Result struct {
	Version   int       `json:"version"`
	Lines     int       `json:"lines"`
	Unchanged int       `json:"unchanged"`
	Changed   int       `json:"changed"`
	Cut       int       `json:"cut"`
	NoShell   int       `json:"no_shell"`
	Other     int       `json:"no_call"` // lines that are no calls of their own
	Corrupt   int       `json:"corrupt"`
	Changes   []Times   `json:"changes"`
	People    []*Person `json:"people,omitempty"`
	Left      int       `json:"-"` // changes that are only counted
}

// Times is how often a decision changed in the same way.
type Times struct {
	Change
	Times int `json:"times"`
}

// Result is what came of it, after the lines that were read.
func (r *Replay) Result(lines history.Count) Result {
	result := r.result
	result.Version, result.Lines, result.Corrupt, result.People, result.Changes = 1, lines.Lines, lines.Corrupt, r.everybody(), []Times{}
	for _, ch := range r.order {
		result.Changes = append(result.Changes, Times{ch, r.changed[ch]})
	}
	return result
}

// Write prints the result for people.
func (r *Result) Write(out io.Writer, s screen.Style) {
	for _, ch := range r.Changes {
		now, _ := tool.ParseDecision(ch.Now)
		times := ""
		if ch.Times > 1 {
			times = fmt.Sprintf("  (%d times)", ch.Times)
		}
		fmt.Fprintf(out, "%s -> %s  %s%s\n", ch.Was, s.Decision(now, ch.Now), screen.OneLine(screen.Shorten(ch.Command, 200)), times)
		if why := hook.Sentence(tool.Verdict{Rule: ch.Rule, Reason: ch.Reason}); why != "" {
			fmt.Fprintf(out, "       %s\n", screen.Clean(why, ""))
		}
	}
	for _, p := range r.People {
		fmt.Fprintf(out, "%s: %s, %d more asked, %d more denied, %d no longer\n", screen.Clean(p.Who, ""), screen.Count(p.Calls, "call"), p.Asked, p.Denied, p.Freed)
	}
	fmt.Fprintf(out, "%s: %d unchanged, %d changed", screen.Count(r.Lines, "line"), r.Unchanged, r.Changed)
	for _, skipped := range []struct {
		n    int
		what string
	}{{r.Cut, "not whole"}, {r.NoShell, "not a shell command"}, {r.Other, "not a call"}, {r.Corrupt, "not readable"}} {
		if skipped.n > 0 {
			fmt.Fprintf(out, ", %d %s", skipped.n, skipped.what)
		}
	}
	fmt.Fprintln(out)
	if r.Left > 0 {
		fmt.Fprintf(out, "%d changed ones are not shown\n", r.Left)
	}
}
