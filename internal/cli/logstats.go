package cli

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"longline/internal/history"
)

// maxDistinct bounds how many different commands, days or rules are counted, so
// that memory does not grow with the log.
const maxDistinct = 50_000

// tally is what stats counts.
type tally struct {
	Lines     int                `json:"lines"`
	Corrupt   int                `json:"corrupt"`
	Decisions map[string]int     `json:"decisions"`
	Days      map[string]int     `json:"asks_per_day"`
	Rules     map[string]*asking `json:"rules"`
	Commands  map[string]int     `json:"asked_commands"`
	Acts      map[string]int     `json:"told_by_a_person"`
	Latency   latencies          `json:"latency_us"`
	Vain      []string           `json:"only_cost_time"`
	Left      int                `json:"not_counted"` // for want of room
	Observed  int                `json:"observed"`    // that were only written down
	pending   map[string]*asking // by the agent's id of the call
	times     timing
}

// asking is how often a rule asked or denied, and how often the call ran all the
// same, as far as it is known.
type asking struct {
	Asked  int `json:"asked"`
	Denied int `json:"denied"`
	Ran    int `json:"ran"`
}

type latencies struct {
	P50 int64 `json:"p50"`
	P90 int64 `json:"p90"`
	P99 int64 `json:"p99"`
	Max int64 `json:"max"`
}

func (l *logReader) stats(asJSON bool) int {
	t := tally{
		Decisions: map[string]int{}, Days: map[string]int{}, Rules: map[string]*asking{},
		Commands: map[string]int{}, Acts: map[string]int{}, pending: map[string]*asking{},
	}
	err := l.each(func(r *history.Record, _ []byte) error {
		if !r.ByHand {
			t.add(r)
		}
		return nil
	})
	t.Corrupt = l.count.Corrupt
	t.Latency = t.times.latencies()
	t.Vain = append([]string{}, t.vain()...)
	if t.Lines > 0 && err == nil {
		if asJSON {
			err = writeJSON(l.p.out, true, t)
		} else {
			_, err = io.WriteString(l.p.out, t.text(l.p.style()))
		}
	}
	return l.ended(err, t.Lines > 0)
}

func (t *tally) add(r *history.Record) {
	t.Lines++
	switch {
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
	t.times.add(r.Duration)
	if r.Decision != "ask" && r.Decision != "deny" {
		return
	}
	rule := cmp.Or(r.DecidedBy(), "-")
	a := t.Rules[rule]
	if a == nil {
		if len(t.Rules) >= maxDistinct {
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
		if _, known := t.Commands[r.Command]; known || len(t.Commands) < maxDistinct {
			t.Commands[r.Command]++
		} else {
			t.Left++
		}
	}
	if r.ToolUse != "" && len(t.pending) < maxDistinct {
		t.pending[r.ToolUse] = a
	}
}

func (t *tally) text(s style) string {
	var b strings.Builder
	total := 0
	for _, n := range t.Decisions {
		total += n
	}
	fmt.Fprintf(&b, "%s\n", s.bold(count(total, "call")))
	for _, d := range []string{"allow", "pass", "ask", "deny"} {
		if n := t.Decisions[d]; n > 0 {
			fmt.Fprintf(&b, "  %-6s %7d  %5.1f %%  %s\n", d, n, 100*float64(n)/float64(total), bar(n, total))
		}
	}
	if t.Observed > 0 {
		fmt.Fprintf(&b, "observed only: %d\n", t.Observed)
	}
	if len(t.Days) > 0 {
		fmt.Fprintf(&b, "\n%s\n", s.bold("questions per day"))
		days := slices.Sorted(maps.Keys(t.Days))
		days = days[max(0, len(days)-14):]
		most := 0
		for _, day := range days {
			most = max(most, t.Days[day])
		}
		for _, day := range days {
			fmt.Fprintf(&b, "  %s %7d  %s\n", day, t.Days[day], bar(t.Days[day], most))
		}
	}
	if len(t.Rules) > 0 {
		fmt.Fprintf(&b, "\n%s\n  %-28s %7s %7s %7s\n", s.bold("rules that asked or denied"), "rule", "asked", "denied", "ran")
		for _, rule := range top(t.Rules, 15, func(a *asking) int { return a.Asked + a.Denied }) {
			a := t.Rules[rule]
			fmt.Fprintf(&b, "  %-28s %7d %7d %7d\n", clean(rule, ""), a.Asked, a.Denied, a.Ran)
		}
	}
	if rules := t.vain(); len(rules) > 0 {
		fmt.Fprintf(&b, "\n%s  %s\n  every question was answered with yes; see longline log suggest, or disable the rule\n", s.bold("only cost time"), clean(strings.Join(rules, ", "), ""))
	}
	if len(t.Commands) > 0 {
		fmt.Fprintf(&b, "\n%s\n", s.bold("asked about most"))
		for _, command := range top(t.Commands, 10, func(n int) int { return n }) {
			fmt.Fprintf(&b, "  %7d  %s\n", t.Commands[command], clean(shorten(command, 100), ""))
		}
	}
	if len(t.Acts) > 0 {
		fmt.Fprintf(&b, "\n%s\n", s.bold("decided by a person"))
		for _, act := range slices.Sorted(maps.Keys(t.Acts)) {
			fmt.Fprintf(&b, "  %-12s %5d\n", clean(act, ""), t.Acts[act])
		}
	}
	if t.times.total > 0 {
		fmt.Fprintf(&b, "\n%s  half within %s, 90 %% within %s, 99 %% within %s, longest %s\n", s.bold("time to answer"),
			millis(t.Latency.P50), millis(t.Latency.P90), millis(t.Latency.P99), millis(t.Latency.Max))
	}
	if t.Left > 0 {
		fmt.Fprintf(&b, "\n%s beyond the first %d different ones not counted\n", count(t.Left, "command"), maxDistinct)
	}
	return b.String()
}

// barWidth is how many characters the longest bar has.
const barWidth = 30

// vain lists the rules whose questions were all answered with yes, if there were
// enough of them to tell.
func (t *tally) vain() []string {
	const enough = 3
	var rules []string
	for _, rule := range top(t.Rules, len(t.Rules), func(a *asking) int { return a.Asked }) {
		if a := t.Rules[rule]; a.Asked >= enough && a.Ran >= a.Asked && a.Denied == 0 {
			rules = append(rules, rule)
		}
	}
	return rules
}

// bar is n of most as a line.
func bar(n, most int) string {
	if most == 0 {
		return ""
	}
	eighths := n * barWidth * 8 / most
	if n > 0 && eighths == 0 {
		eighths = 1
	}
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return text
}

// top returns the keys with the greatest values, of equals in their order.
func top[V any](m map[string]V, n int, value func(V) int) []string {
	keys := slices.Sorted(maps.Keys(m))
	slices.SortStableFunc(keys, func(a, b string) int { return value(m[b]) - value(m[a]) })
	return keys[:min(n, len(keys))]
}

func millis(us int64) string { return fmt.Sprintf("%.1f ms", float64(us)/1000) }

// timing counts durations in classes that are each a twentieth wider than the
// one before, so that percentiles are right to 5 % in a few hundred numbers.
type timing struct {
	classes [512]int
	total   int
	max     int64
}

const classWidth = 1.05

func (t *timing) add(us int64) {
	if us < 0 {
		return
	}
	class := int(math.Log(float64(us)+1) / math.Log(classWidth))
	t.classes[min(class, len(t.classes)-1)]++
	t.total++
	t.max = max(t.max, us)
}

func (t *timing) latencies() latencies {
	at := func(part float64) int64 {
		left := int(math.Ceil(part * float64(t.total)))
		for class, n := range t.classes {
			if left -= n; left <= 0 {
				return min(int64(math.Pow(classWidth, float64(class+1))), t.max)
			}
		}
		return t.max
	}
	if t.total == 0 {
		return latencies{}
	}
	return latencies{at(0.5), at(0.9), at(0.99), t.max}
}
