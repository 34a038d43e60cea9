package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"longline/internal/config"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

func testCommand() subcommand {
	return subcommand{
		name: "test", usage: "[FLAGS] [FILE...]", flags: true,
		short: "run tests of the policy that is in force",
		help: `A FILE holds tests: a list of commands with the decision each is to get. Without
FILE the tests inside the active rules files are run.

  tests:
    - id: no-force-push
      command: git push --force
      expected: {decision: ask}

Exit status 1 means that a test failed.`,
		run: runTest,
	}
}

func runTest(p *process, args []string) int {
	var pl place
	flags := p.flagSet("test")
	pl.register(flags)
	asJSON := flags.Bool("json", false, "print JSON")
	junit := flags.Bool("junit", false, "print JUnit XML")
	verbose := flags.Bool("verbose", false, "also print the tests that pass")
	files, status, done := p.parse(flags, args)
	if done {
		return status
	}
	if *asJSON && *junit {
		return p.usageError("test", "--json cannot be combined with --junit")
	}
	cfg, err := p.load(pl)
	if err != nil {
		return p.configError(err)
	}
	tests, err := testsIn(cfg, files)
	if err != nil {
		return p.configError(err)
	}
	if len(tests) == 0 {
		p.errorf("test: there are no tests")
		p.hintf("name a file, or add \"tests:\" to your rules file")
		return exitUsage
	}
	var outcomes []outcome
	failed := 0
	for _, t := range tests {
		o := try(cfg, t)
		if !o.ok() {
			failed++
		}
		outcomes = append(outcomes, o)
	}
	switch {
	case *asJSON:
		err = writeJSON(p.out, true, outcomesJSON(outcomes, failed))
	case *junit:
		_, err = io.WriteString(p.out, outcomesXML(outcomes, failed))
	default:
		_, err = io.WriteString(p.out, outcomesText(p.style(), outcomes, failed, *verbose))
	}
	if failed > 0 {
		status = exitFailed
	}
	return p.ended(err, status)
}

// testsIn reads the tests of the files, or those of the active rules.
func testsIn(cfg *config.Config, files []string) ([]policy.Test, error) {
	var tests []policy.Test
	if len(files) == 0 {
		for _, f := range cfg.Files {
			tests = append(tests, f.File.Tests...)
		}
		return tests, nil
	}
	for _, name := range files {
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

// outcome is a test and what came of it.
type outcome struct {
	test    policy.Test
	verdict tool.Verdict
	took    time.Duration
}

func try(cfg *config.Config, t policy.Test) outcome {
	dir := t.Dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(cfg.Dir, dir)
	}
	start := time.Now()
	v, _ := cfg.Judge(tool.Call{Agent: "test", Tool: "Bash", Dir: dir, Script: t.Command, Shell: true, Edits: t.Edits, Attended: true})
	return outcome{t, v, time.Since(start)}
}

// ok says whether the decision is the wanted one. A rule is as wanted when it
// spoke with the deciding voice, be it alone or with others.
func (o outcome) ok() bool {
	if o.verdict.Decision != o.test.Decision {
		return false
	}
	if o.test.Rule == "" || o.test.Rule == o.verdict.Rule {
		return true
	}
	for _, f := range o.verdict.Findings {
		if f.Rule == o.test.Rule && f.Decision == o.verdict.Decision {
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
func (o outcome) got() string    { return decided(o.verdict.Decision, o.verdict.Rule) }

func outcomesText(s style, outcomes []outcome, failed int, verbose bool) string {
	var b strings.Builder
	for _, o := range outcomes {
		switch {
		case !o.ok():
			fmt.Fprintf(&b, "%s %s  %s\n", s.decision(tool.Deny, "FAIL"), o.test.ID, s.dim(o.test.Source))
			fmt.Fprintf(&b, "     command: %s\n", clean(o.test.Command, ""))
			fmt.Fprintf(&b, "     wanted:  %s\n", o.wanted())
			fmt.Fprintf(&b, "     got:     %s\n", o.got())
			if o.verdict.Reason != "" {
				fmt.Fprintf(&b, "     because: %s\n", clean(o.verdict.Reason, ""))
			}
		case verbose:
			fmt.Fprintf(&b, "%s %s\n", s.decision(tool.Allow, "ok  "), o.test.ID)
		}
	}
	fmt.Fprintf(&b, "%d tests, %d failed\n", len(outcomes), failed)
	return b.String()
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
	Version int        `json:"version"`
	Tests   int        `json:"tests"`
	Failed  int        `json:"failed"`
	Results []testJSON `json:"results"`
}

func outcomesJSON(outcomes []outcome, failed int) testsJSON {
	j := testsJSON{Version: 1, Tests: len(outcomes), Failed: failed}
	for _, o := range outcomes {
		j.Results = append(j.Results, testJSON{
			o.test.ID, o.test.Source, o.test.Command, o.ok(), o.wanted(), o.verdict.Decision.String(), o.verdict.Rule, o.verdict.Reason,
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
		fmt.Fprintf(&b, ">\n    <failure message=\"wanted %s, got %s\">%s\n%s</failure>\n  </testcase>\n",
			xml(o.wanted()), xml(o.got()), xml(o.test.Command), xml(o.verdict.Reason))
	}
	b.WriteString("</testsuite>\n")
	return b.String()
}

// xml escapes text for XML, which cannot hold most control characters at all.
func xml(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(clean(text, "\n\t"))
}
