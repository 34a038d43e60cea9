package cli

import (
	"bufio"
	"fmt"
	"strings"

	"longline/internal/config"
	"longline/internal/history"
	"longline/internal/hook"
	"longline/internal/mask"
	"longline/internal/tool"
)

// replay judges the commands of a log again and reports every decision that is
// another now. The log is read as a stream; what is kept is bounded.
type replay struct {
	checker
	bundle  *config.Bundle // whose effect is looked for; nil if it is that of all that has changed
	people  map[string]*effectOn
	out     *bufio.Writer
	asJSON  bool
	judged  map[replayed]opinionNow // so that a command is judged once
	changed map[change]int
	order   []change
	same    int
	changes int
	left    int // changes that are only counted
	cut     int
	noShell int
	other   int // lines that are no calls of their own
}

// replayed is what a judgement depends on.
type replayed struct {
	dir, command string
	edits        bool
	agent        string // whose own rules count; "" for nobody's
}

// opinionNow is what is kept of a judgement.
type opinionNow struct {
	before       tool.Decision // without the bundle, if there is one to compare with
	decision     tool.Decision
	rule, reason string
}

// change is a decision that is another than it was.
type change struct {
	Was     string `json:"was"`
	Now     string `json:"now"`
	Rule    string `json:"rule"`
	Dir     string `json:"cwd"`
	Command string `json:"command"`
	Reason  string `json:"reason"`
}

// maxJudged bounds the judgements that are remembered.
const maxJudged = 1 << 16

func (c *checker) replay(files *history.Files, err error, bundle *config.Bundle, asJSON bool) int {
	if err != nil {
		c.p.errorf("check: %v", err)
		return exitUsage
	}
	defer files.Close()
	r := replay{checker: *c, bundle: bundle, people: map[string]*effectOn{}, out: bufio.NewWriter(c.p.out), asJSON: asJSON, judged: map[replayed]opinionNow{}, changed: map[change]int{}}
	var lines history.Count
	if err := lines.ReadFiles(files, func(rec *history.Record, _ []byte) error { return r.line(rec) }); err != nil {
		c.p.errorf("check: %v", err)
		return exitUsage
	}
	r.report(lines)
	if err := r.out.Flush(); err != nil {
		return c.p.ended(err, exitOK)
	}
	if r.changes > 0 {
		return exitFailed
	}
	return exitOK
}

func (r *replay) line(rec *history.Record) error {
	was, ok := tool.ParseDecision(rec.Decision)
	switch {
	case !ok || rec.Permitted:
		r.other++
		return nil
	case !rec.IsShell():
		r.noShell++
		return nil
	case rec.IsCut():
		r.cut++
		return nil
	}
	// A mark where a secret was must not be read as a wildcard.
	key := replayed{rec.Dir, strings.ReplaceAll(rec.Command, mask.Mark, "SECRET"), rec.Edits, rec.Agent}
	now, known := r.judged[key]
	if !known {
		r.as.edits, r.as.agent = rec.Edits, rec.Agent
		at := r.place.within(rec.Dir, "", "")
		if r.bundle != nil {
			v, _, err := r.judge(key.command, at)
			if err != nil {
				return err
			}
			now.before, at.bundle = v.Decision, r.bundle
		}
		v, _, err := r.judge(key.command, at)
		if err != nil {
			return err
		}
		if len(r.judged) >= maxJudged {
			clear(r.judged)
		}
		now = opinionNow{now.before, v.Decision, v.Rule, v.Reason}
		r.judged[key] = now
	}
	if r.bundle != nil {
		was = now.before
		r.person(rec, was, now.decision)
	}
	if now.decision == was {
		r.same++
		return nil
	}
	r.changes++
	ch := change{was.String(), now.decision.String(), now.rule, rec.Dir, rec.Command, now.reason}
	if _, seen := r.changed[ch]; !seen {
		if len(r.order) >= maxDistinct {
			r.left++
			return nil
		}
		r.order = append(r.order, ch)
	}
	r.changed[ch]++
	return nil
}

type replayJSON struct {
	Version   int          `json:"version"`
	Lines     int          `json:"lines"`
	Unchanged int          `json:"unchanged"`
	Changed   int          `json:"changed"`
	Cut       int          `json:"cut"`
	NoShell   int          `json:"no_shell"`
	Other     int          `json:"no_call"`
	Corrupt   int          `json:"corrupt"`
	Changes   []changeJSON `json:"changes"`
	People    []*effectOn  `json:"people,omitempty"`
}

type changeJSON struct {
	change
	Times int `json:"times"`
}

func (r *replay) report(lines history.Count) {
	if r.asJSON {
		j := replayJSON{1, lines.Lines, r.same, r.changes, r.cut, r.noShell, r.other, lines.Corrupt, []changeJSON{}, r.everybody()}
		for _, ch := range r.order {
			j.Changes = append(j.Changes, changeJSON{ch, r.changed[ch]})
		}
		writeJSON(r.out, true, j)
		return
	}
	s := r.p.style()
	for _, ch := range r.order {
		now, _ := tool.ParseDecision(ch.Now)
		times := ""
		if n := r.changed[ch]; n > 1 {
			times = fmt.Sprintf("  (%d times)", n)
		}
		fmt.Fprintf(r.out, "%s -> %s  %s%s\n", ch.Was, s.decision(now, ch.Now), oneLine(shorten(ch.Command, 200)), times)
		if why := hook.Sentence(tool.Verdict{Rule: ch.Rule, Reason: ch.Reason}); why != "" {
			fmt.Fprintf(r.out, "       %s\n", clean(why, ""))
		}
	}
	for _, p := range r.everybody() {
		fmt.Fprintf(r.out, "%s: %s, %d more asked, %d more denied, %d no longer\n", clean(p.Who, ""), count(p.Calls, "call"), p.Asked, p.Denied, p.Freed)
	}
	fmt.Fprintf(r.out, "%s: %d unchanged, %d changed", count(lines.Lines, "line"), r.same, r.changes)
	for _, skipped := range []struct {
		n    int
		what string
	}{{r.cut, "not whole"}, {r.noShell, "not a shell command"}, {r.other, "not a call"}, {lines.Corrupt, "not readable"}} {
		if skipped.n > 0 {
			fmt.Fprintf(r.out, ", %d %s", skipped.n, skipped.what)
		}
	}
	fmt.Fprintln(r.out)
	if r.left > 0 {
		fmt.Fprintf(r.out, "%d changed ones are not shown\n", r.left)
	}
}
