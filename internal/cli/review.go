package cli

import (
	"fmt"
	"os"
	"time"

	"longline/internal/draft"
	"longline/internal/history"
	"longline/internal/install"
	"longline/internal/review"
	"longline/internal/rulesfile"
	"longline/internal/screen"
	"longline/internal/userfiles"
)

func reviewCommand() subcommand {
	return subcommand{
		name: "review", usage: "[--since WHEN]", flags: true,
		purpose: forSeeWhatHappened, example: "review --since 7d",
		short: "go through past questions and turn them into rules",
		help: `It groups similar questions and shows a rule for each. At the end you see the
changes to your rules file, which are written only if you agree. Without --since it
begins where the last review ended.

  longline review --since 7d`,
		run: runReview,
	}
}

func runReview(p *process, args []string) int {
	store := p.store(p.here())
	filter := logFilter{since: sinceFlag(store.Reviewed())}
	flags := p.flagSet("review")
	flags.Var(&filter.since, "since", "review questions since `WHEN`: 90m, 7d or 2026-11-15; default: since the last review")
	file := flags.String("file", "", "read `FILE` instead of the active log")
	status, done := p.parseAlone(flags, args)
	if done {
		return status
	}
	if !p.byPerson("review") {
		return exitFailed
	}
	// The screens are on the terminal itself, wherever the output goes.
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		p.errorf("review: needs a terminal: %v", err)
		p.hintf("\"longline log suggest\" prints the same rules")
		return exitFailed
	}
	defer tty.Close()
	cfg, err := p.load(place{})
	if err != nil {
		return p.configError(err)
	}
	files, err := openLog(cfg, *file)
	if err != nil {
		return p.failed("review", err)
	}
	defer files.Close()
	began := time.Now()
	r := reviewing{p: p, Review: draft.NewReview(p.questions(cfg)), path: p.user().RulesPath()}
	l := logReader{p: p, filter: filter, files: files}
	if err := l.each(func(rec *history.Record, _ []byte) error { r.Note(rec); return nil }); err != nil {
		return p.failed("review", err)
	}
	r.Propose()
	screens := review.New(r.Items, func(chosen []review.Choice) (string, error) {
		change, err := r.change(chosen)
		if err != nil || change.New == nil {
			return "", err
		}
		return userfiles.Diff(change.Path, change.Old, change.New), nil
	})
	noColor, _ := p.env.Get("NO_COLOR")
	screens.Colour = noColor == ""
	write, err := screens.Run(tty, tty)
	if err != nil {
		return p.failed("review", err)
	}
	return r.finish(screens.Chosen, write, func() error { return store.SetReviewed(began) })
}

// reviewing is a review at work.
type reviewing struct {
	p *process
	*draft.Review
	path string // of the user's rules
}

// change is what the choices would do to the user's rules file; its New is nil if
// that is nothing.
func (v *reviewing) change(chosen []review.Choice) (install.Change, error) {
	c := install.Change{Path: v.path, Mode: 0o600}
	old, err := userfiles.ReadFile(v.path)
	if err != nil {
		return c, err
	}
	c.Old = old
	if rules, tests := v.Entries(chosen); len(rules) > 0 {
		c.New, err = rulesfile.Append(v.path, old, rules, tests)
	}
	return c, err
}

// finish writes what was decided and remembers that the questions were gone through.
func (v *reviewing) finish(chosen []review.Choice, write bool, remember func() error) int {
	if write {
		change, err := v.change(chosen)
		if err == nil {
			err = v.p.user().Write(change)
		}
		if err != nil {
			return v.p.failed("review", err)
		}
		fmt.Fprintf(v.p.out, "%s: written; run \"longline test\" to try its tests\n", change.Path)
	} else {
		fmt.Fprintln(v.p.out, "nothing was written")
	}
	if v.Refused > 0 {
		fmt.Fprintf(v.p.out, "your agent refused %s that longline had not stopped: longline log --decision refused\n", screen.Count(v.Refused, "call"))
	}
	if err := remember(); err != nil {
		return v.p.failed("review", err)
	}
	return exitOK
}
