package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"longline/internal/audit"
	"longline/internal/tool"
)

func logCommand() subcommand {
	return subcommand{
		name: "log", usage: "[stats] [FLAGS]", flags: true,
		short: "read the audit log: what was asked, denied and allowed",
		help: `  longline log --decision ask,deny --since 24h
  longline log --rule git-push --json
  longline log stats --since 7d

stats counts decisions, asks per day and per rule, what was asked most often, and
how long answers took.`,
		run: runLog,
	}
}

// filter says which records are wanted; what is not set lets all through.
type filter struct {
	decisions            []tool.Decision
	rule, agent, session string
	contains             string
	since                time.Time
}

func (f *filter) wants(r *audit.Record) bool {
	return (len(f.decisions) == 0 || slices.Contains(f.decisions, r.Decision)) &&
		(f.rule == "" || slices.Contains(r.Rules, f.rule)) &&
		(f.agent == "" || f.agent == r.Agent) &&
		(f.session == "" || f.session == r.Session) &&
		strings.Contains(r.Command, f.contains) &&
		!r.Time.Before(f.since)
}

// register adds the flags of a filter and returns a function that reads those
// that are not plain text.
func (f *filter) register(flags *flag.FlagSet) (finish func(now time.Time) error) {
	decisions := flags.String("decision", "", "only these `DECISIONS`: ask,deny")
	since := flags.String("since", "", "only since `WHEN`: 90m, 24h, 7d or 2026-01-31")
	flags.StringVar(&f.rule, "rule", "", "only what the rule `ID` spoke of")
	flags.StringVar(&f.agent, "agent", "", "only calls of this `AGENT`")
	flags.StringVar(&f.session, "session", "", "only calls of this session (`ID`)")
	flags.StringVar(&f.contains, "grep", "", "only commands that contain `TEXT`")
	return func(now time.Time) (err error) {
		for _, word := range strings.FieldsFunc(*decisions, func(r rune) bool { return r == ',' || r == ' ' }) {
			d, ok := tool.ParseDecision(word)
			if !ok {
				return fmt.Errorf("unknown decision %q; known are allow, pass, ask, deny", word)
			}
			f.decisions = append(f.decisions, d)
		}
		f.since, err = parseSince(*since, now)
		return err
	}
}

func parseSince(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, nil
		}
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			return now.AddDate(0, 0, -int(n)), nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, fmt.Errorf("--since %q is no time; write 90m, 24h, 7d or 2026-01-31", text)
}

func runLog(p *process, args []string) int {
	var f filter
	flags := p.flagSet("log")
	finish := f.register(flags)
	path := flags.String("log", "", "read `FILE` instead of the active log")
	configPath := flags.String("config", "", "the rules `FILE` that says where the log is")
	last := flags.Int("last", 0, "only the last `N`")
	follow := flags.Bool("follow", false, "wait for more")
	asJSON := flags.Bool("json", false, "print the lines as they are, or stats as JSON")
	rest, status, done := p.parse(flags, args)
	if done {
		return status
	}
	stats := len(rest) == 1 && rest[0] == "stats"
	if err := finish(time.Now()); err != nil {
		return p.usageError("log", "%v", err)
	}
	switch {
	case len(rest) > 0 && !stats:
		return p.usageError("log", "unexpected argument %q; known is stats", rest[0])
	case *last < 0 || stats && (*last > 0 || *follow):
		return p.usageError("log", "--last and --follow do not go with this")
	}
	log, err := p.openLog(*path, *configPath)
	if errors.Is(err, fs.ErrNotExist) {
		p.errorf("log: nothing has been logged yet (%v)", err)
		return exitFailed
	}
	if err != nil {
		return p.ended(err, exitUsage)
	}
	defer log.Close()
	if stats {
		return p.logStats(log, &f, *asJSON)
	}
	return p.logLines(log, &f, *last, *follow, *asJSON)
}

// openLog opens the log of the active rules, or a named one.
func (p *process) openLog(path, configPath string) (*os.File, error) {
	if path == "" {
		cfg, err := p.load(place{config: configPath})
		if err != nil {
			return nil, err
		}
		path = cfg.Log
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, fmt.Errorf("%s is a directory", path)
	}
	return f, nil
}

func (p *process) logLines(log io.Reader, f *filter, last int, follow, asJSON bool) int {
	s := p.style()
	show := func(r audit.Record) error {
		text := r.Line
		if !asJSON {
			text = recordText(s, &r)
		}
		_, err := io.WriteString(p.out, text+"\n")
		return err
	}
	var kept []audit.Record // the last ones, when only those are wanted
	reading := true
	each := func(r audit.Record) error {
		switch {
		case !f.wants(&r):
			return nil
		case last == 0 || !reading:
			return show(r)
		}
		if kept = append(kept, r); len(kept) > last {
			kept = kept[1:]
		}
		return nil
	}
	corrupt, err := audit.Scan(log, each)
	for _, r := range kept {
		if err == nil {
			err = show(r)
		}
	}
	if reading = false; follow && err == nil {
		_, err = audit.Scan(patient{log}, each)
	}
	if corrupt > 0 {
		p.errorf("log: %d lines are no records and were left out", corrupt)
	}
	return p.ended(err, exitOK)
}

// patient waits at the end of a file for more to come.
type patient struct{ io.Reader }

func (w patient) Read(b []byte) (int, error) {
	for {
		n, err := w.Reader.Read(b)
		if n > 0 || !errors.Is(err, io.EOF) {
			return n, err
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// recordText is one record on one line.
func recordText(s style, r *audit.Record) string {
	rule := ""
	if len(r.Rules) > 0 && r.Decision >= tool.Ask {
		rule = "[" + strings.Join(r.Rules, " ") + "] "
	}
	dry := ""
	if r.DryRun {
		dry = s.dim("(dry run) ")
	}
	return fmt.Sprintf("%s  %s  %s%s%s", s.dim(r.Time.UTC().Format("2006-01-02 15:04:05")),
		s.decision(r.Decision, fmt.Sprintf("%-5s", r.Decision)), dry, s.dim(rule), clean(r.Command, ""))
}
