// Package report turns the audit log into an HTML page: what was asked, what it
// cost, and what was denied.
package report

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"longline/internal/history"
)

// Bounds keep memory and the page small, whatever the size of the log.
const (
	maxGroups  = 20_000 // different groups that are counted
	maxEntries = 2_000  // entries on the page
	maxPending = 50_000 // calls whose outcome is waited for
)

// Tally counts calls by their decision.
type Tally struct {
	Calls     int `json:"calls"`
	Allowed   int `json:"allowed"`
	Passed    int `json:"passed"`
	Asked     int `json:"asked"`
	Denied    int `json:"denied"`
	Rewritten int `json:"rewritten"`
	Undone    int `json:"undo"` // allowed because a snapshot brings back what is lost
	Yes       int `json:"yes"`  // asked about, and then run
}

// Per100 is the number of questions in 100 calls.
func (t *Tally) Per100() float64 {
	if t.Calls == 0 {
		return 0
	}
	return 100 * float64(t.Asked) / float64(t.Calls)
}

func (t *Tally) add(r *history.Record) {
	t.Calls++
	switch r.Decision {
	case "allow":
		t.Allowed++
	case "pass":
		t.Passed++
	case "ask":
		t.Asked++
	case "deny":
		t.Denied++
	}
	if r.Rewritten != "" {
		t.Rewritten++
	}
	if slices.Contains(r.Means, "undo") {
		t.Undone++
	}
}

// Row is the tally of one agent, project or rule.
type Row struct {
	Name string `json:"name"`
	Tally
	Waited time.Duration `json:"-"` // the median time until a question was answered and the call had run
	Vain   bool          `json:"vain,omitempty"`
	Draft  string        `json:"draft,omitempty"`
	waits  []time.Duration
}

// Entry stands for calls that are alike.
type Entry struct {
	Decision string    `json:"decision"`
	Rule     string    `json:"rule"`
	Command  string    `json:"command"`
	Reason   string    `json:"reason"`
	Dir      string    `json:"dir"`
	Agent    string    `json:"agent"`
	Tool     string    `json:"tool"`
	Answered string    `json:"answered,omitempty"`
	Rewrite  string    `json:"rewritten,omitempty"`
	Last     time.Time `json:"last"`
	Times    int       `json:"times"`
	Yes      int       `json:"yes"`
	Shell    bool      `json:"shell"`
	// Spans are the parts of Command that the deciding rule speaks of, as byte offsets.
	Spans [][2]int `json:"spans,omitempty"`
}

// Day is what happened on one day.
type Day struct {
	Date string `json:"date"`
	Tally
}

// Report is what the page shows.
type Report struct {
	From, To time.Time
	Total    Tally
	Days     []Day
	Agents   []*Row
	Projects []*Row
	Rules    []*Row
	Entries  []*Entry
	Left     int // groups or calls that were not counted one by one
	Corrupt  int // lines of the log that could not be read
	FirstBad string
}

// Collector reads records and makes a report of them.
type Collector struct {
	report   Report
	days     map[string]*Tally
	agents   map[string]*Row
	projects map[string]*Row
	rules    map[string]*Row
	groups   map[groupKey]*Entry
	pending  map[string]pending
}

type groupKey struct{ decision, rule, words, dir string }

// pending is a question whose answer has not been seen yet.
type pending struct {
	at   time.Time
	rows []*Row
	day  *Tally
	e    *Entry
}

// NewCollector returns an empty one.
func NewCollector() *Collector {
	return &Collector{
		days: map[string]*Tally{}, agents: map[string]*Row{}, projects: map[string]*Row{}, rules: map[string]*Row{},
		groups: map[groupKey]*Entry{}, pending: map[string]pending{},
	}
}

// Add counts a record of the log.
func (c *Collector) Add(r *history.Record) {
	if r.Outcome != "" {
		c.outcome(r)
		return
	}
	if !isJudgment(r) {
		return
	}
	c.report.span(r.Time)
	c.report.Total.add(r)
	day := c.day(r.Time)
	day.add(r)
	rows := []*Row{c.row(c.agents, cmp.Or(r.Agent, "none")), c.row(c.projects, cmp.Or(r.Dir, "unknown"))}
	if r.Decision == "ask" || r.Decision == "deny" {
		rows = append(rows, c.row(c.rules, cmp.Or(r.DecidedBy(), "no rule")))
	}
	for _, row := range rows {
		if row != nil {
			row.add(r)
		}
	}
	e := c.entry(r)
	if r.Decision == "ask" && r.ToolUse != "" && len(c.pending) < maxPending {
		c.pending[r.ToolUse] = pending{r.Time, rows, day, e}
	}
}

// isJudgment reports whether a record is a call of an agent that was judged: not what a person
// said, a call that was counted when it was judged, or one of no agent.
func isJudgment(r *history.Record) bool { return r.Decision != "" && !r.Permitted && !r.ByHand }

// span makes the time that is reported on reach to a moment.
func (r *Report) span(t time.Time) {
	if r.From.IsZero() || t.Before(r.From) {
		r.From = t
	}
	if t.After(r.To) {
		r.To = t
	}
}

// day finds or makes the count of the day of a moment.
func (c *Collector) day(t time.Time) *Tally {
	date := t.Local().Format(time.DateOnly)
	day := c.days[date]
	if day == nil {
		day = &Tally{}
		c.days[date] = day
	}
	return day
}

// row finds or makes a row; nil if there are too many.
func (c *Collector) row(rows map[string]*Row, name string) *Row {
	row := rows[name]
	if row == nil {
		if len(rows) >= maxGroups {
			c.report.Left++
			return nil
		}
		row = &Row{Name: name}
		rows[name] = row
	}
	return row
}

// entry puts a record to those like it.
func (c *Collector) entry(r *history.Record) *Entry {
	key := groupKey{r.Decision, r.DecidedBy(), firstWords(r), ""}
	if r.Decision == "deny" {
		key.words, key.dir = r.Command, r.Dir // every denial counts by itself
	}
	e := c.groups[key]
	if e == nil {
		if len(c.groups) >= maxGroups {
			c.report.Left++
			return nil
		}
		e = &Entry{Decision: r.Decision, Rule: r.DecidedBy()}
		c.groups[key] = e
	}
	e.Times++
	if !r.Time.Before(e.Last) {
		e.Command, e.Reason, e.Dir, e.Agent, e.Tool, e.Last = r.Command, r.Reason, r.Dir, r.Agent, r.Tool, r.Time
		e.Answered, e.Rewrite, e.Shell = r.Answered, r.Rewritten, r.IsShell() && !r.IsCut()
	}
	return e
}

// firstWords is what makes commands alike: the tool, and of shell commands the
// program and its subcommand.
func firstWords(r *history.Record) string {
	if !r.IsShell() {
		return r.Tool
	}
	command := r.Command
	if len(command) > 400 {
		command = command[:400]
	}
	words := program(strings.Fields(command))
	if len(words) == 0 {
		return ""
	}
	if len(words) > 1 && !strings.ContainsAny(words[1], "-/.=$'\"|&;<>*") {
		return words[0] + " " + words[1]
	}
	return words[0]
}

// program leaves out what stands before the program: assignments, and a cd with what ends it.
func program(words []string) []string {
	for len(words) > 1 {
		if words[0] == "cd" {
			at := slices.IndexFunc(words, func(w string) bool { return w == "&&" || strings.HasSuffix(w, ";") })
			if at < 0 || at+1 == len(words) {
				return words
			}
			words = words[at+1:]
		} else if strings.Contains(words[0], "=") {
			words = words[1:]
		} else {
			return words
		}
	}
	return words
}

// outcome notes that a call which was asked about ran.
func (c *Collector) outcome(r *history.Record) {
	p, ok := c.pending[r.ToolUse]
	if !ok || r.Outcome != "ran" {
		return
	}
	delete(c.pending, r.ToolUse)
	c.report.Total.Yes++
	p.day.Yes++
	if p.e != nil {
		p.e.Yes++
	}
	for _, row := range p.rows {
		if row == nil {
			continue
		}
		row.Yes++
		if waited := r.Time.Sub(p.at); waited >= 0 && len(row.waits) < 10_000 {
			row.waits = append(row.waits, waited)
		}
	}
}

// enough is how many questions it takes to say that a rule only costs time.
const enough = 3

// Report returns what was collected.
func (c *Collector) Report() *Report {
	r := c.report
	for _, date := range slices.Sorted(maps.Keys(c.days)) {
		r.Days = append(r.Days, Day{date, *c.days[date]})
	}
	r.Agents, r.Projects, r.Rules = ranked(c.agents), ranked(c.projects), ranked(c.rules)
	for _, row := range r.Rules {
		row.Vain = row.Asked >= enough && row.Yes >= row.Asked && row.Denied == 0
	}
	r.Entries = slices.SortedFunc(maps.Values(c.groups), func(a, b *Entry) int {
		return cmp.Or(rank(a)-rank(b), b.Times-a.Times, b.Last.Compare(a.Last), strings.Compare(a.Command, b.Command))
	})
	if len(r.Entries) > maxEntries {
		r.Left += len(r.Entries) - maxEntries
		r.Entries = r.Entries[:maxEntries]
	}
	return &r
}

// rank puts denials first, then questions, then the rest.
func rank(e *Entry) int {
	return slices.Index([]string{"deny", "ask", "pass", "allow"}, e.Decision)
}

func ranked(rows map[string]*Row) []*Row {
	list := slices.SortedFunc(maps.Values(rows), func(a, b *Row) int {
		return cmp.Or(b.Asked+b.Denied-a.Asked-a.Denied, b.Calls-a.Calls, strings.Compare(a.Name, b.Name))
	})
	for _, row := range list {
		if n := len(row.waits); n > 0 {
			slices.Sort(row.waits)
			row.Waited = row.waits[n/2]
		}
	}
	return list
}
