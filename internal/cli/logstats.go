package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"longline/internal/audit"
	"longline/internal/tool"
)

// maxDistinct bounds how many different commands, rules or days are counted; a
// log may be of any length.
const maxDistinct = 100_000

// tally counts by name.
type tally map[string]int

func (t tally) add(name string) {
	if _, known := t[name]; known || len(t) < maxDistinct {
		t[name]++
	}
}

type count struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// most returns the n most frequent, or all for 0, the most frequent first.
func (t tally) most(n int) []count {
	list := []count{}
	for name, c := range t {
		list = append(list, count{name, c})
	}
	slices.SortFunc(list, func(a, b count) int { return cmp.Or(b.Count-a.Count, cmp.Compare(a.Name, b.Name)) })
	if n > 0 && len(list) > n {
		list = list[:n]
	}
	return list
}

// statistics is what log stats prints; its JSON has a version like all others.
type statistics struct {
	Version   int            `json:"version"`
	Calls     int            `json:"calls"`
	From      string         `json:"from"`
	To        string         `json:"to"`
	Corrupt   int            `json:"corrupt_lines"`
	Decisions map[string]int `json:"decisions"`
	Days      []count        `json:"asks_per_day"`
	Rules     []count        `json:"rules"`
	Asked     []count        `json:"asked_most"`
	Latency   latency        `json:"latency_us"`
}

type latency struct {
	Median int64 `json:"p50"`
	P95    int64 `json:"p95"`
	P99    int64 `json:"p99"`
	Max    int64 `json:"max"`
}

func (p *process) logStats(log io.Reader, f *filter, asJSON bool) int {
	st, err := statisticsOf(log, f)
	if err != nil {
		return p.ended(err, exitUsage)
	}
	if asJSON {
		err = writeJSON(p.out, true, st)
	} else {
		_, err = io.WriteString(p.out, st.text(p.style()))
	}
	return p.ended(err, exitOK)
}

func statisticsOf(log io.Reader, f *filter) (statistics, error) {
	st := statistics{Version: 1, Decisions: map[string]int{}}
	days, rules, asked := tally{}, tally{}, tally{}
	var took []int64
	var from, to time.Time
	corrupt, err := audit.Scan(log, func(r audit.Record) error {
		if !f.wants(&r) {
			return nil
		}
		st.Calls++
		st.Decisions[r.Decision.String()]++
		took = append(took, r.Duration.Microseconds())
		if from.IsZero() || r.Time.Before(from) {
			from = r.Time
		}
		if r.Time.After(to) {
			to = r.Time
		}
		if r.Decision < tool.Ask {
			return nil
		}
		for _, rule := range r.Rules {
			rules.add(rule)
		}
		if r.Decision == tool.Ask {
			days.add(r.Time.UTC().Format("2006-01-02"))
			asked.add(r.Command)
		}
		return nil
	})
	st.Corrupt = corrupt
	if st.Calls > 0 {
		st.From, st.To = from.UTC().Format(time.RFC3339), to.UTC().Format(time.RFC3339)
	}
	st.Days = days.most(0)
	slices.SortFunc(st.Days, func(a, b count) int { return cmp.Compare(a.Name, b.Name) })
	st.Rules, st.Asked = rules.most(20), asked.most(10)
	st.Latency = latencyOf(took)
	return st, err
}

func latencyOf(took []int64) latency {
	if len(took) == 0 {
		return latency{}
	}
	slices.Sort(took)
	at := func(percent int) int64 { return took[min(len(took)*percent/100, len(took)-1)] }
	return latency{at(50), at(95), at(99), took[len(took)-1]}
}

func (st *statistics) text(s style) string {
	var b strings.Builder
	if st.Calls == 0 {
		b.WriteString("no calls\n")
	} else {
		fmt.Fprintf(&b, "%d calls from %s to %s\n\n", st.Calls, st.From, st.To)
		for d := tool.Allow; d <= tool.Deny; d++ {
			n := st.Decisions[d.String()]
			fmt.Fprintf(&b, "%s %7d %3d%%  %s\n", s.decision(d, fmt.Sprintf("%-5s", d)), n, n*100/st.Calls, s.decision(d, bar(n, st.Calls)))
		}
	}
	section(&b, s, "asks per day", st.Days)
	section(&b, s, "rules that asked or denied", st.Rules)
	section(&b, s, "asked most often", st.Asked)
	if st.Calls > 0 {
		l := st.Latency
		fmt.Fprintf(&b, "\nanswers took %s, 95%% at most %s, 99%% %s, the slowest %s\n", micros(l.Median), micros(l.P95), micros(l.P99), micros(l.Max))
	}
	if st.Corrupt > 0 {
		fmt.Fprintf(&b, "\n%d lines are no records and were left out\n", st.Corrupt)
	}
	return b.String()
}

func section(b *strings.Builder, s style, title string, list []count) {
	if len(list) == 0 {
		return
	}
	top := 0
	for _, c := range list {
		top = max(top, c.Count)
	}
	fmt.Fprintf(b, "\n%s\n", s.bold(title))
	for _, c := range list {
		fmt.Fprintf(b, "%7d  %-20s  %s\n", c.Count, bar(c.Count, top), shortened(clean(c.Name, "")))
	}
}

// bar is a line as long as n is of whole, in twenty steps.
func bar(n, whole int) string {
	if n == 0 || whole == 0 {
		return ""
	}
	return strings.Repeat("#", max(1, n*20/whole))
}

func micros(n int64) string {
	return (time.Duration(n) * time.Microsecond).Round(10 * time.Microsecond).String()
}

// shortened keeps a line on one line of most terminals.
func shortened(text string) string {
	const most = 90
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-3]) + "..."
}
