// Package stats counts what an audit log says: decisions, questions a day, rules
// that asked in vain, and how long answers took.
package stats

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"longline/internal/history"
	"longline/internal/screen"
)

// Tally is what stats counts.
type Tally struct {
	Lines     int                `json:"lines"`
	Corrupt   int                `json:"corrupt"`
	Decisions map[string]int     `json:"decisions"`
	Days      map[string]int     `json:"asks_per_day"`
	Rules     map[string]*asking `json:"rules"`
	Commands  map[string]int     `json:"asked_commands"`
	Acts      map[string]int     `json:"told_by_a_person"`
	Latency   Latencies          `json:"latency_us"`
	Vain      []string           `json:"only_cost_time"`
	Left      int                `json:"not_counted"` // for want of room
	Observed  int                `json:"observed"`    // that were only written down
	Refused   int                `json:"refused_by_agent"`
	pending   map[string]*asking // by the agent's id of the call
	times     Timing
}

// asking is how often a rule asked or denied, and how often the call ran all the
// same, as far as it is known.
type asking struct {
	Asked  int `json:"asked"`
	Denied int `json:"denied"`
	Ran    int `json:"ran"`
}

// NewTally is a tally of nothing.
func NewTally() *Tally {
	return &Tally{
		Decisions: map[string]int{}, Days: map[string]int{}, Rules: map[string]*asking{},
		Commands: map[string]int{}, Acts: map[string]int{}, pending: map[string]*asking{},
	}
}

// Finish works out what can be said when all is counted.
func (t *Tally) Finish() {
	t.Latency = t.times.Latencies()
	t.Vain = append([]string{}, t.vain()...)
}

// Add counts a line.
func (t *Tally) Add(r *history.Record) {
	t.Lines++
	switch {
	case r.Outcome == "refused":
		t.Refused++
		return
	case r.Outcome != "":
		if a := t.pending[r.ToolUse]; a != nil && r.Outcome == "ran" {
			a.Ran++
			delete(t.pending, r.ToolUse)
		}
		return
	case r.Decision == "":
		t.Acts[r.Event]++
		return
	case r.Permitted:
		return // the call was counted when it was judged
	}
	t.Decisions[r.Decision]++
	if r.DryRun {
		t.Observed++
	}
	t.times.Add(r.Duration)
	if r.Decision != "ask" && r.Decision != "deny" {
		return
	}
	t.asked(r)
}

// asked counts a call that was asked about or denied, for the rule that did it.
func (t *Tally) asked(r *history.Record) {
	rule := cmp.Or(r.DecidedBy(), "-")
	a := t.Rules[rule]
	if a == nil {
		if len(t.Rules) >= history.MaxDistinct {
			t.Left++
			return
		}
		a = &asking{}
		t.Rules[rule] = a
	}
	if r.Decision == "deny" {
		a.Denied++
	} else {
		a.Asked++
		t.Days[r.Time.Local().Format("2006-01-02")]++
		if _, known := t.Commands[r.Command]; known || len(t.Commands) < history.MaxDistinct {
			t.Commands[r.Command]++
		} else {
			t.Left++
		}
	}
	if r.ToolUse != "" && len(t.pending) < history.MaxDistinct {
		t.pending[r.ToolUse] = a
	}
}

// Text is the tally for people.
func (t *Tally) Text(s screen.Style) string {
	var b strings.Builder
	total := 0
	for _, n := range t.Decisions {
		total += n
	}
	fmt.Fprintf(&b, "%s\n", s.Bold(screen.Count(total, "call")))
	for _, d := range []string{"allow", "pass", "ask", "deny"} {
		if n := t.Decisions[d]; n > 0 {
			fmt.Fprintf(&b, "  %-6s %7d  %5.1f %%  %s\n", d, n, 100*float64(n)/float64(total), screen.Bar(n, total))
		}
	}
	if t.Observed > 0 {
		fmt.Fprintf(&b, "observed only: %d\n", t.Observed)
	}
	if t.Refused > 0 {
		fmt.Fprintf(&b, "refused by the agent itself: %d\n", t.Refused)
	}
	b.WriteString(t.days(s) + t.rules(s) + t.commands(s) + t.acts(s))
	if t.times.total > 0 {
		fmt.Fprintf(&b, "\n%s  half within %s, 90 %% within %s, 99 %% within %s, longest %s\n", s.Bold("time to answer"),
			screen.Millis(t.Latency.P50), screen.Millis(t.Latency.P90), screen.Millis(t.Latency.P99), screen.Millis(t.Latency.Max))
	}
	if t.Left > 0 {
		fmt.Fprintf(&b, "\n%s beyond the first %d different ones not counted\n", screen.Count(t.Left, "command"), history.MaxDistinct)
	}
	return b.String()
}

// rules shows the rules that objected most, and those whose questions were in vain.
func (t *Tally) rules(s screen.Style) string {
	var b strings.Builder
	if len(t.Rules) > 0 {
		fmt.Fprintf(&b, "\n%s\n  %-28s %7s %7s %7s\n", s.Bold("rules that asked or denied"), "rule", "asked", "denied", "ran")
		for _, rule := range top(t.Rules, 15, func(a *asking) int { return a.Asked + a.Denied }) {
			a := t.Rules[rule]
			fmt.Fprintf(&b, "  %-28s %7d %7d %7d\n", screen.Clean(rule, ""), a.Asked, a.Denied, a.Ran)
		}
	}
	if rules := t.vain(); len(rules) > 0 {
		fmt.Fprintf(&b, "\n%s  %s\n  every question was answered with yes; see longline log suggest, or disable the rule\n", s.Bold("only cost time"), screen.Clean(strings.Join(rules, ", "), ""))
	}
	return b.String()
}

// commands shows what was asked about most.
func (t *Tally) commands(s screen.Style) string {
	if len(t.Commands) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n", s.Bold("asked about most"))
	for _, command := range top(t.Commands, 10, func(n int) int { return n }) {
		fmt.Fprintf(&b, "  %7d  %s\n", t.Commands[command], screen.Clean(screen.Shorten(command, 100), ""))
	}
	return b.String()
}

// acts shows what a person decided.
func (t *Tally) acts(s screen.Style) string {
	if len(t.Acts) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n", s.Bold("decided by a person"))
	for _, act := range slices.Sorted(maps.Keys(t.Acts)) {
		fmt.Fprintf(&b, "  %-12s %5d\n", screen.Clean(act, ""), t.Acts[act])
	}
	return b.String()
}

// days shows how many questions there were on each of the last days.
func (t *Tally) days(s screen.Style) string {
	if len(t.Days) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s\n", s.Bold("questions per day"))
	days := slices.Sorted(maps.Keys(t.Days))
	days = days[max(0, len(days)-14):]
	most := 0
	for _, day := range days {
		most = max(most, t.Days[day])
	}
	for _, day := range days {
		fmt.Fprintf(&b, "  %s %7d  %s\n", day, t.Days[day], screen.Bar(t.Days[day], most))
	}
	return b.String()
}

// vain lists the rules whose questions were all answered with yes, if there were
// enough of them to tell.
func (t *Tally) vain() []string {
	const enough = 3
	var rules []string
	for _, rule := range top(t.Rules, len(t.Rules), func(a *asking) int { return a.Asked }) {
		if a := t.Rules[rule]; a.Asked >= enough && a.Ran >= a.Asked && a.Denied == 0 {
			rules = append(rules, rule)
		}
	}
	return rules
}

// top returns the keys with the greatest values, of equals in their order.
func top[V any](m map[string]V, n int, value func(V) int) []string {
	keys := slices.Sorted(maps.Keys(m))
	slices.SortStableFunc(keys, func(a, b string) int { return value(m[b]) - value(m[a]) })
	return keys[:min(n, len(keys))]
}
