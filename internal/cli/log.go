package cli

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"longline/internal/agent"
	"longline/internal/config"
	"longline/internal/draft"
	"longline/internal/history"
	"longline/internal/screen"
	"longline/internal/stats"
	"longline/internal/tool"
)

func logCommand() subcommand {
	return subcommand{
		name: "log", usage: "[stats | suggest] [FLAGS]", flags: true,
		long: true, purpose: forSeeWhatHappened, example: "log stats --since 7d", words: logVerbs,
		short: "show the audit log, statistics, or rules for frequent questions",
		help: `It shows the last lines of the audit log. "stats" counts them; "suggest" drafts and
tests a rule for each frequent question, and shows what else in the log the rule
would allow.

  longline log -n 20 --decision deny
  longline log -f
  longline log stats --since 7d
  longline log suggest --since 30d`,
		run: runLog,
	}
}

// logVerbs are what log does besides showing lines.
var logVerbs = []string{"stats", "suggest"}

// logFilter says which lines count.
type logFilter struct {
	decision, rule, agent, session, command string
	since                                   sinceFlag
}

func (l *logFilter) register(flags *flag.FlagSet) {
	choose(flags, &l.decision, "decision", "only lines with this `DECISION`, or one of several: ask,deny. Refused is what the agent did not run by itself", "allow", "pass", "ask", "deny", "refused")
	flags.StringVar(&l.rule, "rule", "", "only lines on which the rule `ID` matched")
	choose(flags, &l.agent, "agent", "only lines of this `AGENT`", agent.Names()...)
	flags.StringVar(&l.session, "session", "", "only lines of the session whose id begins with `ID`")
	flags.StringVar(&l.command, "command", "", "only lines whose command contains `TEXT`")
	flags.Var(&l.since, "since", "only lines since `WHEN`: 90m, 7d or 2026-11-15")
}

func (l *logFilter) match(r *history.Record) bool {
	return (l.decision == "" || slices.Contains(strings.Split(l.decision, ","), cmp.Or(r.Decision, r.Outcome))) &&
		(l.rule == "" || slices.Contains(r.Rules, l.rule) || r.Rule == l.rule) &&
		(l.agent == "" || r.Agent == l.agent) &&
		strings.HasPrefix(r.Session, l.session) && strings.Contains(r.Command, l.command) &&
		!r.Time.Before(time.Time(l.since))
}

// sinceFlag is a point in time, given as such or as a time ago.
type sinceFlag time.Time

func (s *sinceFlag) String() string { return "" }

func (s *sinceFlag) Set(text string) error {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n < 0 {
			return errors.New("use 90m, 7d or 2026-11-15")
		}
		*s = sinceFlag(time.Now().AddDate(0, 0, -n))
		return nil
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		*s = sinceFlag(time.Now().Add(-ago))
		return nil
	}
	for _, form := range []string{time.DateOnly, "2006-01-02 15:04", time.RFC3339} {
		if t, err := time.ParseInLocation(form, text, time.Local); err == nil {
			*s = sinceFlag(t)
			return nil
		}
	}
	return errors.New("use 90m, 7d or 2026-11-15")
}

// logFlags are what log is told on the command line.
type logFlags struct {
	filter         logFilter
	config, file   string
	follow, asJSON bool
	last, least    int
}

func (f *logFlags) register(flags *flag.FlagSet) {
	flags.StringVar(&f.config, "config", "", "use the rules in `FILE` instead of yours")
	f.filter.register(flags)
	flags.BoolVar(&f.follow, "f", false, "keep running and show new lines")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	flags.IntVar(&f.last, "n", 50, "show the last `N` lines, or suggestions; 0 is all")
	flags.StringVar(&f.file, "file", "", "read `FILE` instead of the active log")
	flags.IntVar(&f.least, "least", 3, "suggest: only questions asked at least `N` times")
}

// problem says what is wrong with the flags and arguments.
func (f *logFlags) problem(rest []string) string {
	switch {
	case len(rest) > 1 || len(rest) == 1 && !slices.Contains(logVerbs, rest[0]):
		return fmt.Sprintf("unexpected argument %q; expected stats or suggest", rest[len(rest)-1])
	case len(rest) == 1 && f.follow:
		return "-f cannot be combined with " + rest[0]
	case f.last < 0 || f.least < 1:
		return "-n and --least take a positive number"
	case f.filter.decision != "":
		return decisionsProblem(f.filter.decision)
	}
	return ""
}

// decisionsProblem says what is wrong with a list of decisions.
func decisionsProblem(list string) string {
	for word := range strings.SplitSeq(list, ",") {
		if _, ok := tool.ParseDecision(word); !ok && word != "refused" {
			return fmt.Sprintf("unknown decision %q; expected one of allow, pass, ask, deny, refused", word)
		}
	}
	return ""
}

func runLog(p *process, args []string) int {
	var f logFlags
	flags := p.flagSet("log")
	f.register(flags)
	rest, status, done := p.parse(flags, args)
	if done {
		return status
	}
	if problem := f.problem(rest); problem != "" {
		return p.usageError("log", "%s", problem)
	}
	cfg, err := p.load(place{config: f.config})
	if err != nil {
		return p.configError(err)
	}
	files, err := openLog(cfg, f.file)
	if err != nil {
		return p.failed("log", err)
	}
	defer files.Close()
	l := logReader{p: p, filter: f.filter, files: files}
	switch {
	case len(rest) == 1 && rest[0] == "stats":
		return l.stats(f.asJSON)
	case len(rest) == 1:
		return l.suggest(cfg, f.least, f.last, f.asJSON)
	case !f.follow:
		return l.show(f.last, f.asJSON)
	}
	news := files.Follow(time.Now(), &l.count)
	defer news.Close()
	if status := l.show(f.last, f.asJSON); status != exitOK {
		return status
	}
	return l.follow(news, f.asJSON)
}

type logReader struct {
	p      *process
	filter logFilter
	files  *history.Files
	count  history.Count
}

// each hands over the records that the filter lets through.
func (l *logReader) each(do func(r *history.Record, line []byte) error) error {
	return l.count.ReadFiles(l.files, func(r *history.Record, line []byte) error {
		if !l.filter.match(r) {
			return nil
		}
		return do(r, line)
	})
}

// ended reports how reading went, and turns that into an exit status.
func (l *logReader) ended(err error, found bool) int {
	if err != nil {
		return l.p.failed("log", err)
	}
	if n := l.count.Corrupt; n > 0 {
		l.p.errorf("log: %s could not be read, first %s", screen.Count(n, "line"), l.count.First)
	}
	if !found {
		what := "no line of the log matches"
		if l.count.Lines == 0 {
			what = "the log is empty"
		}
		fmt.Fprintln(l.p.err, "longline: "+what)
	}
	return exitOK
}

// show prints the last lines. Only those that will be printed are kept.
func (l *logReader) show(last int, asJSON bool) int {
	out := bufio.NewWriter(l.p.out)
	s := l.p.style()
	var kept []string
	from, found := 0, false
	err := l.each(func(r *history.Record, line []byte) error {
		found = true
		text := l.line(s, r, line, asJSON)
		switch {
		case last == 0:
			_, err := out.WriteString(text)
			return err
		case len(kept) < last:
			kept = append(kept, text)
		default:
			kept[from] = text
			from = (from + 1) % last
		}
		return nil
	})
	for i := range kept {
		out.WriteString(kept[(from+i)%len(kept)])
	}
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	return l.ended(err, found)
}

// line is one record, as it is logged or for people.
func (l *logReader) line(s screen.Style, r *history.Record, line []byte, asJSON bool) string {
	if asJSON {
		return string(line) + "\n"
	}
	return logLine(s, r)
}

// logLine is one record for people.
func logLine(s screen.Style, r *history.Record) string {
	when := s.Dim(r.Time.Local().Format("2006-01-02 15:04:05"))
	if r.Decision == "" {
		about := cmp.Or(r.Outcome, r.Event)
		what := screen.OneLine(cmp.Or(r.Subject, screen.Shorten(r.Command, 200), r.ToolUse))
		if r.Reason != "" {
			what += s.Dim("  (" + screen.OneLine(screen.Shorten(r.Reason, 200)) + ")")
		}
		return fmt.Sprintf("%s  %-5s  %s\n", when, screen.Clean(about, ""), what)
	}
	d, _ := tool.ParseDecision(r.Decision)
	text := when + "  " + s.Decision(d, fmt.Sprintf("%-5s", r.Decision)) + "  "
	if rule := r.DecidedBy(); rule != "" && d >= tool.Ask {
		text += "[" + screen.Clean(rule, "") + "] "
	}
	text += screen.OneLine(screen.Shorten(r.Command, 200))
	if r.Rewritten != "" {
		text += s.Dim("  (ran as: " + screen.OneLine(screen.Shorten(r.Rewritten, 200)) + ")")
	}
	if slices.Contains(r.Means, "undo") {
		text += s.Dim("  (can be undone)")
	}
	if r.Answered != "" {
		text += s.Dim("  (" + screen.Clean(r.Answered, "") + ": " + screen.Clean(r.Because, "") + ")")
	}
	if r.DryRun {
		text += s.Dim("  (dry run)")
	}
	return text + "\n"
}

// pollEvery is how often -f looks for new lines.
const pollEvery = 250 * time.Millisecond

// follow prints lines as they are added, also after the file was put away and a
// new one begun. It ends when printing does, or by a signal.
func (l *logReader) follow(news *history.Follower, asJSON bool) int {
	s := l.p.style()
	for {
		time.Sleep(pollEvery)
		err := news.News(time.Now(), func(r *history.Record, line []byte) error {
			if !l.filter.match(r) {
				return nil
			}
			_, err := io.WriteString(l.p.out, l.line(s, r, line, asJSON))
			return err
		})
		if err != nil {
			return l.ended(err, true)
		}
	}
}

// stats prints what can be counted in the log.
func (l *logReader) stats(asJSON bool) int {
	t := stats.NewTally()
	err := l.each(func(r *history.Record, _ []byte) error {
		if !r.ByHand {
			t.Add(r)
		}
		return nil
	})
	t.Corrupt = l.count.Corrupt
	t.Finish()
	if t.Lines > 0 && err == nil {
		if asJSON {
			err = screen.WriteJSON(l.p.out, true, t)
		} else {
			_, err = io.WriteString(l.p.out, t.Text(l.p.style()))
		}
	}
	return l.ended(err, t.Lines > 0)
}

// suggest prints rules for frequent questions.
func (l *logReader) suggest(cfg *config.Config, least, most int, asJSON bool) int {
	s := l.p.questions(cfg)
	s.Agreed = true
	found := false
	err := l.each(func(r *history.Record, _ []byte) error {
		found = s.Note(r) || found
		return nil
	})
	if err != nil || !found {
		return l.ended(err, found)
	}
	groups := s.Groups(least)
	if most > 0 {
		groups = groups[:min(most, len(groups))]
	}
	drafts := s.Drafts(groups)
	if asJSON {
		return l.ended(screen.WriteJSON(l.p.out, true, suggestionsJSON{1, drafts, s.Refused()}), true)
	}
	if len(drafts) == 0 {
		fmt.Fprintf(l.p.err, "longline: no question was asked %d times that a narrow rule would cover\n", least)
		return l.ended(nil, true)
	}
	_, err = io.WriteString(l.p.out, s.Text(drafts))
	return l.ended(err, true)
}

// suggestionsJSON is what log suggest --json prints.
type suggestionsJSON struct {
	Version     int                `json:"version"`
	Suggestions []draft.Suggestion `json:"suggestions"`
	Refused     []draft.Refused    `json:"refused"` // for which nothing is suggested
}

// questions is the log's questions, to be judged where they were asked.
func (p *process) questions(cfg *config.Config) *draft.Log {
	c := checker{p: p, configs: map[place]*config.Config{}}
	return draft.NewLog(cfg, func(dir string) (*config.Config, error) { return c.at(place{dir: dir}) })
}
