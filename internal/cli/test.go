package cli

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"time"

	"longline/internal/config"
	"longline/internal/policy"
	"longline/internal/policy/packs"
	"longline/internal/policytest"
	"longline/internal/rulesfile"
	"longline/internal/screen"
)

func testCommand() subcommand {
	return subcommand{
		name: "test", usage: "[FLAGS] [FILE...]", flags: true,
		purpose: forWritePolicy, example: "test policy-tests.yaml",
		short: "run the tests of the policy in force",
		help: `FILE is a list of commands with the decision each should get, a rules file with
tests, or a directory of such files. Without FILE it runs the tests in the active rules files; --builtin adds
those of the built-in rules.

  tests:
    - id: no-force-push
      command: git push --force
      expected: {decision: ask, rule_id: git-push-force}

  longline test
  longline test --junit report.xml tests/golden

What is wrong with one test or file fails that one only. A relative cwd is taken
from the file. Exit status 1 means that a test failed.`,
		run: runTest,
	}
}

func runTest(p *process, args []string) int {
	var pl place
	flags := p.flagSet("test")
	pl.register(flags)
	var form testForm
	flags.BoolVar(&form.json, "json", false, "print JSON")
	flags.StringVar(&form.junit, "junit", "", "also write JUnit XML to `FILE`; - prints nothing else")
	builtin := flags.Bool("builtin", false, "also run the tests of the built-in rules")
	flags.BoolVar(&form.verbose, "verbose", false, "also print the tests that pass")
	files, status, done := p.parse(flags, args)
	if done {
		return status
	}
	if form.json && form.junit == "-" {
		return p.usageError("test", "--json cannot be combined with --junit -")
	}
	cfg, err := p.load(pl)
	if err != nil {
		return p.configError(err)
	}
	tests, shipped, err := testsOf(cfg, files, *builtin)
	if err != nil {
		return p.configError(err)
	}
	if len(tests)+len(shipped) == 0 {
		p.errorf("test: there are no tests")
		p.hintf("name a file, or add \"tests:\" to your rules file")
		return exitUsage
	}
	outcomes, failed := p.try(append(policytest.Runs(cfg, tests), policytest.Runs(policytest.Elsewhere(cfg), shipped)...))
	return p.ended(form.write(p, outcomes, failed), statusIf(failed > 0))
}

// testForm is how the outcomes of tests are shown.
type testForm struct {
	json, verbose bool
	junit         string
}

// write writes the outcomes in the form that was asked for.
func (f *testForm) write(p *process, outcomes []policytest.Outcome, failed int) error {
	if f.junit != "" && f.junit != "-" {
		if err := os.WriteFile(f.junit, []byte(policytest.JUnit(outcomes, failed)), 0o644); err != nil {
			return err
		}
	}
	switch {
	case f.json:
		return screen.WriteJSON(p.out, true, policytest.JSON(outcomes, failed))
	case f.junit == "-":
		return writeText(p, policytest.JUnit(outcomes, failed))
	}
	return writeText(p, policytest.Text(p.style(), outcomes, failed, f.verbose))
}

// testsOf are the tests in files, or in the rules that count, and those of the built-in
// rules if they are wanted.
func testsOf(cfg *config.Config, files []string, builtin bool) (tests, shipped []policy.Test, err error) {
	if tests, err = policytest.In(cfg, files, builtin); err != nil || !builtin {
		return tests, nil, err
	}
	shipped, err = packs.Tests(rulesfile.ParseTests)
	return tests, shipped, err
}

// try runs the tests, and shows somebody who waits how far it is.
func (p *process) try(list []policytest.Run) (outcomes []policytest.Outcome, failed int) {
	shown := p.progress(len(list))
	for i, r := range list {
		shown.at(i, failed)
		o := r.Try()
		if !o.OK() {
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
