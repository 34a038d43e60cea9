package cli

import (
	"cmp"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"longline/internal/config"
	"longline/internal/explain"
	"longline/internal/hook"
	"longline/internal/policy"
	"longline/internal/policy/packs"
	"longline/internal/rulesfile"
	"longline/internal/screen"
	"longline/internal/tool"
)

func testCommand() subcommand {
	return subcommand{
		name: "test", usage: "[FLAGS] [FILE...]", flags: true,
		purpose: forWritePolicy, example: "test policy-tests.yaml",
		short: "run the tests of the policy in force",
		help: `FILE is a list of commands with the decision each should get, or a rules file with
tests. Without FILE it runs the tests in the active rules files; --builtin adds
those of the built-in rules.

  tests:
    - id: no-force-push
      command: git push --force
      expected: {decision: ask, rule_id: git-push-force}

  longline test
  longline test --junit report.xml policy-tests.yaml

Exit status 1 means that a test failed.`,
		run: runTest,
	}
}

func runTest(p *process, args []string) int {
	var pl place
	flags := p.flagSet("test")
	pl.register(flags)
	var (
		asJSON  = flags.Bool("json", false, "print JSON")
		junit   = flags.String("junit", "", "also write JUnit XML to `FILE`; - prints nothing else")
		builtin = flags.Bool("builtin", false, "also run the tests of the built-in rules")
		verbose = flags.Bool("verbose", false, "also print the tests that pass")
	)
	files, status, done := p.parse(flags, args)
	if done {
		return status
	}
	if *asJSON && *junit == "-" {
		return p.usageError("test", "--json cannot be combined with --junit -")
	}
	cfg, err := p.load(pl)
	if err != nil {
		return p.configError(err)
	}
	tests, err := testsIn(cfg, files, *builtin)
	if err != nil {
		return p.configError(err)
	}
	var shipped []policy.Test
	if *builtin {
		if shipped, err = packs.Tests(rulesfile.ParseTests); err != nil {
			return p.configError(err)
		}
	}
	if len(tests)+len(shipped) == 0 {
		p.errorf("test: there are no tests")
		p.hintf("name a file, or add \"tests:\" to your rules file")
		return exitUsage
	}
	outcomes, failed := p.try(append(runs(cfg, tests), runs(elsewhere(cfg), shipped)...))
	if failed > 0 {
		status = exitFailed
	}
	if *junit != "" && *junit != "-" {
		if err := os.WriteFile(*junit, []byte(outcomesXML(outcomes, failed)), 0o644); err != nil {
			return p.ended(err, exitUsage)
		}
	}
	switch {
	case *asJSON:
		err = screen.WriteJSON(p.out, true, outcomesJSON(outcomes, failed))
	case *junit == "-":
		_, err = io.WriteString(p.out, outcomesXML(outcomes, failed))
	default:
		_, err = io.WriteString(p.out, outcomesText(p.style(), outcomes, failed, *verbose))
	}
	return p.ended(err, status)
}

// testsIn reads the tests of the files, or those of the active rules if it is
// not the packs that are to be tested.
func testsIn(cfg *config.Config, files []string, builtin bool) ([]policy.Test, error) {
	var tests []policy.Test
	if len(files) == 0 && !builtin {
		for _, f := range cfg.Files {
			tests = append(tests, f.File.Tests...)
		}
		return tests, nil
	}
	for _, name := range files {
		if err := cfg.Readable(name); err != nil {
			return nil, err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		found, err := rulesfile.ParseTests(name, text)
		if err != nil {
			return nil, err
		}
		tests = append(tests, found...)
	}
	return tests, nil
}

// elsewhere is the same policy on a machine with nothing on it: what the packs
// promise must not depend on where their tests are run.
func elsewhere(cfg *config.Config) *config.Config {
	const home, project = "/home/dev", "/home/dev/proj"
	there := *cfg
	there.Dir = project
	there.World = &tool.World{
		Home: home, Project: project, User: "dev",
		Guard:    []string{home + "/.config/longline", "/etc/longline", "/usr/local/bin/longline"},
		Log:      home + "/.claude/hooks-logs/longline.jsonl",
		Getenv:   func(name string) (string, bool) { return home, name == "HOME" },
		ReadFile: func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		Readlink: func(string) (string, error) { return "", fs.ErrNotExist },
		Exists:   func(string) bool { return false },
	}
	return &there
}

// run is a test to be run under a configuration.
type run struct {
	cfg  *config.Config
	test policy.Test
}

func runs(cfg *config.Config, tests []policy.Test) (list []run) {
	for _, t := range tests {
		list = append(list, run{cfg, t})
	}
	return list
}

// try runs the tests, and shows somebody who waits how far it is.
func (p *process) try(list []run) (outcomes []outcome, failed int) {
	shown := p.progress(len(list))
	for i, r := range list {
		shown.at(i, failed)
		o := r.try()
		if !o.ok() {
			failed++
		}
		outcomes = append(outcomes, o)
	}
	shown.end()
	return outcomes, failed
}

// progress is a line on the terminal that says how far a long run is. It shows
// itself after a while, and is gone at the end.
type progress struct {
	out   io.Writer // nil if nobody looks
	total int
	what  string // what is counted beside
	every time.Duration
	last  time.Time
	shown bool
}

func (p *process) progress(total int) *progress {
	bar := &progress{total: total, what: "failed", every: cmp.Or(p.patience, 500*time.Millisecond), last: time.Now()}
	if screen.IsTerminal(p.err) {
		bar.out = p.err
	}
	return bar
}

func (b *progress) at(done, failed int) {
	if b.out == nil || time.Since(b.last) < b.every {
		return
	}
	fmt.Fprintf(b.out, "\r%s▏ %d of %d, %d %s\x1b[K", screen.Padded(screen.Bar(done, b.total), screen.BarWidth), done, b.total, failed, b.what)
	b.last, b.shown = time.Now(), true
}

func (b *progress) end() {
	if b.shown {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}

// outcome is a test and what came of it.
type outcome struct {
	run
	*explain.Explanation
	took time.Duration
}

// try judges a test's command as the test says: in its directory, at its safety
// level, with edits accepted or not.
func (r run) try() outcome {
	cfg, t := r.cfg, r.test
	dir := t.Dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(cfg.Dir, dir)
	}
	if t.Safety != 0 && t.Safety != cfg.Guard.Policy.Safety {
		at := *cfg
		at.Guard.Policy = cfg.Guard.Policy.At(t.Safety)
		cfg = &at
		r.cfg = cfg
	}
	start := time.Now()
	call := tool.Call{Agent: "test", Tool: "Bash", Dir: dir, Script: t.Command, Shell: true, Edits: t.Edits, Attended: true}
	call.Past = cfg.Guard.PastOf(t.Session, call, cfg.World)
	e := explain.Printer{Config: cfg}.Explain(call)
	return outcome{r, e, time.Since(start)}
}

// ok says whether the decision is the wanted one. A rule is as wanted when it
// spoke with the deciding voice, be it alone or with others.
func (o outcome) ok() bool {
	if o.Verdict.Decision != o.test.Decision {
		return false
	}
	if o.test.Rule == "" || o.test.Rule == o.Verdict.Rule {
		return true
	}
	for _, f := range o.Verdict.Findings {
		if f.Rule == o.test.Rule && f.Decision == o.Verdict.Decision {
			return true
		}
	}
	return false
}

func decided(d tool.Decision, rule string) string {
	if rule == "" {
		return d.String()
	}
	return d.String() + " by " + rule
}

func (o outcome) wanted() string { return decided(o.test.Decision, o.test.Rule) }
func (o outcome) got() string    { return decided(o.Verdict.Decision, o.Verdict.Rule) }

func outcomesText(s screen.Style, outcomes []outcome, failed int, verbose bool) string {
	var b strings.Builder
	for _, o := range outcomes {
		x := explain.Printer{Style: s, Config: o.cfg, All: true}
		switch {
		case !o.ok():
			fmt.Fprintf(&b, "%s %s  %s\n", x.Decision(tool.Deny, "FAIL"), o.test.ID, x.Dim(o.test.Source))
			fmt.Fprintf(&b, "  wanted: %s\n", o.wanted())
			fmt.Fprintf(&b, "  got:    %s\n", o.got())
			if given := o.circumstances(); given != "" {
				fmt.Fprintf(&b, "  given:  %s\n", screen.Clean(given, ""))
			}
			for line := range strings.Lines(x.Text(o.Explanation)) {
				b.WriteString(strings.TrimRight("  | "+line, " \n") + "\n")
			}
		case verbose:
			fmt.Fprintf(&b, "%s %s\n", x.Decision(tool.Allow, "ok  "), o.test.ID)
		}
	}
	fmt.Fprintf(&b, "%s, %d failed\n", screen.Count(len(outcomes), "test"), failed)
	return b.String()
}

// circumstances are what a test says beside its command.
func (o outcome) circumstances() string {
	var parts []string
	if o.test.Dir != "" {
		parts = append(parts, "cwd "+o.test.Dir)
	}
	if o.test.Edits {
		parts = append(parts, "edits accepted")
	}
	if o.test.Safety != 0 {
		parts = append(parts, "safety_level "+o.test.Safety.String())
	}
	if s := o.test.Session; s != nil {
		for _, fact := range []struct {
			is   bool
			what string
		}{
			{s.Untrusted, "it read untrusted text"},
			{s.Injection, "it read a suspected prompt injection"},
			{s.Secret, "it read a secret"},
			{len(s.Fetched) > 0, "fetched: " + strings.Join(s.Fetched, " ")},
			{len(s.Written) > 0, "written: " + strings.Join(s.Written, " ")},
			{len(s.Denied) > 0, "denied: " + strings.Join(s.Denied, "; ")},
		} {
			if fact.is {
				parts = append(parts, fact.what)
			}
		}
	}
	return strings.Join(parts, ", ")
}

type testJSON struct {
	ID      string `json:"id"`
	Source  string `json:"source"`
	Command string `json:"command"`
	OK      bool   `json:"ok"`
	Wanted  string `json:"wanted"`
	Got     string `json:"got"`
	Rule    string `json:"rule"`
	Reason  string `json:"reason"`
}

type testsJSON struct {
	Schema  string     `json:"schema"`
	Tests   int        `json:"tests"`
	Failed  int        `json:"failed"`
	Results []testJSON `json:"results"`
}

func outcomesJSON(outcomes []outcome, failed int) testsJSON {
	j := testsJSON{Schema: "longline.test/v1", Tests: len(outcomes), Failed: failed}
	for _, o := range outcomes {
		j.Results = append(j.Results, testJSON{
			o.test.ID, o.test.Source, o.test.Command, o.ok(), o.wanted(), o.Verdict.Decision.String(), o.Verdict.Rule, o.Verdict.Reason,
		})
	}
	return j
}

// outcomesXML is what build servers read.
func outcomesXML(outcomes []outcome, failed int) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	fmt.Fprintf(&b, "<testsuite name=\"longline\" tests=\"%d\" failures=\"%d\">\n", len(outcomes), failed)
	for _, o := range outcomes {
		file, _, _ := strings.Cut(o.test.Source, ":")
		fmt.Fprintf(&b, "  <testcase classname=\"%s\" name=\"%s\" time=\"%.6f\"", xml(file), xml(o.test.ID), o.took.Seconds())
		if o.ok() {
			b.WriteString("/>\n")
			continue
		}
		fmt.Fprintf(&b, ">\n    <failure message=\"wanted %s, got %s\">%s: %s\n%s</failure>\n  </testcase>\n",
			xml(o.wanted()), xml(o.got()), xml(o.test.Source), xml(o.test.Command), xml(hook.Sentence(o.Verdict)))
	}
	b.WriteString("</testsuite>\n")
	return b.String()
}

// xml escapes text for XML, which cannot hold most control characters at all.
func xml(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(screen.Clean(text, "\n\t"))
}
