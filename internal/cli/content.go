package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"longline/internal/audit"
	"longline/internal/config"
	"longline/internal/content"
	"longline/internal/contentscan"
	"longline/internal/hook"
	"longline/internal/intake"
	"longline/internal/screen"
	"longline/internal/state"
)

func contentCommand() subcommand {
	return subcommand{
		name: "content", usage: "[list | show ID | allow ID --reason WHY | reject ID --reason WHY]", flags: true,
		purpose: forDecideInPerson, example: "content show 3f2a9c", words: []string{"list", "show", "allow", "reject"},
		short: "review text that was withheld from an agent",
		help: `list shows what was withheld, by the hash of its content; the first digits are enough
for an ID. show prints the text and the findings. allow lets agents read exactly this
content in any file; reject withholds it regardless of the rules. Both are
logged. All but list need a person at a terminal, so that the text does not reach an
agent this way.

  longline content show 3f2a9c
  longline content allow 3f2a9c --reason "our own test data"`,
		run: runContent,
	}
}

func runContent(p *process, args []string) int {
	flags := p.flagSet("content")
	reason := flags.String("reason", "", "`WHY` you decided so")
	rest, status, done := p.parse(flags, args)
	if done {
		return status
	}
	what := "list"
	if len(rest) > 0 {
		what, rest = rest[0], rest[1:]
	}
	if problem := contentProblem(what, len(rest)); problem != "" {
		return p.usageError("content", "%s", problem)
	}
	store := p.store(p.here())
	if what == "list" {
		return p.listReviews(store)
	}
	if !p.byPerson("content") {
		return exitFailed
	}
	r, err := findReview(store, rest[0])
	if err != nil {
		p.errorf("content: %v", err)
		p.hintf("run \"longline content\" for the list")
		return exitFailed
	}
	if what == "show" {
		return p.showReview(r)
	}
	if strings.TrimSpace(*reason) == "" {
		return p.usageError("content", "%s needs --reason", what)
	}
	return p.decideReview(store, r, what, *reason)
}

// contentProblem says what is wrong with an action and the number of its arguments.
func contentProblem(what string, arguments int) string {
	switch what {
	case "list":
		if arguments > 0 {
			return "list takes no arguments"
		}
	case "show", "allow", "reject":
		if arguments != 1 {
			return what + " needs one ID"
		}
	default:
		return fmt.Sprintf("unknown action %q; expected list, show, allow or reject", what)
	}
	return ""
}

func findReview(store state.Store, id string) (state.Review, error) {
	var found []state.Review
	for _, r := range store.Reviews() {
		if strings.HasPrefix(r.Hash, strings.ToLower(id)) {
			found = append(found, r)
		}
	}
	switch {
	case len(id) < 6:
		return state.Review{}, fmt.Errorf("%q is too short; an ID has at least six digits", id)
	case len(found) == 0:
		return state.Review{}, fmt.Errorf("nothing with the id %q is withheld", id)
	case len(found) > 1:
		return state.Review{}, fmt.Errorf("%q matches %d texts; write more digits", id, len(found))
	}
	return found[0], nil
}

func (p *process) listReviews(store state.Store) int {
	list := store.Reviews()
	var b strings.Builder
	s := p.style()
	for _, r := range list {
		fmt.Fprintf(&b, "%s  %s  %s  %s", r.Hash[:12], s.Decision(contentscan.AnswerTo(r.Verdict), fmt.Sprintf("%-10s", r.Verdict)), placeOf(r), s.Dim(r.Kinds))
		if r.Decision != "" {
			fmt.Fprintf(&b, "  (%s by %s: %s)", past(r.Decision), screen.Clean(r.By, ""), screen.Clean(r.Reason, ""))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s withheld\n", screen.Count(len(list), "content"))
	return p.ended(writeText(p, b.String()), exitOK)
}

func past(decision string) string {
	return map[string]string{"allow": "allowed", "reject": "rejected"}[decision]
}

func placeOf(r state.Review) string {
	place := screen.Clean(r.Path, "")
	if r.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, r.Line)
	}
	return place
}

// showReview prints a content with what was found in it.
func (p *process) showReview(r state.Review) int {
	text, err := intake.Open(r.Path)
	if err != nil {
		return p.failed("content", err)
	}
	if intake.HashOf(text.Bytes).String() != r.Hash {
		p.errorf("content: %s has changed since; scan it again", r.Path)
		return exitFailed
	}
	report := p.contentRules().Scan(r.Path, text.Bytes)
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", r.Verdict, placeOf(r))
	for _, f := range report.Findings {
		if !f.Counts {
			continue
		}
		fmt.Fprintf(&b, "  line %d: %s: %s", f.Line, f.Rule, f.Reason)
		if len(f.Via) > 0 {
			fmt.Fprintf(&b, " [%s]", strings.Join(f.Via, ", "))
		}
		shown := f.Decoded
		if shown == "" {
			shown = string(text.Bytes[min(f.Start, len(text.Bytes)):min(f.End, len(text.Bytes))])
		}
		fmt.Fprintf(&b, "\n    %s\n", screen.Clean(screen.Shorten(shown, 300), ""))
	}
	return p.ended(writeText(p, b.String()), exitOK)
}

func (p *process) decideReview(store state.Store, r state.Review, what, reason string) int {
	r.Decision, r.Reason, r.Decided, r.By = what, reason, time.Now(), config.UserName()
	if err := store.Decide(r); err != nil {
		return p.failed("content", err)
	}
	fmt.Fprintf(p.out, "%s %s, %s\n", past(what), r.Hash[:12], placeOf(r))
	cfg, err := p.load(place{})
	if err == nil {
		err = hook.LogOf(cfg).Append(r.Decided, audit.Act{Time: r.Decided, What: "content-" + what, Dir: p.here(), Subject: fmt.Sprintf("%s %s by %s: %s", r.Hash[:12], r.Path, r.By, reason)})
	}
	if err != nil {
		p.errorf("content: the decision was not logged: %v", err)
	}
	return exitOK
}

// contentRules are the rules that are in force here. With broken rules the built-in
// ones are used.
func (p *process) contentRules() *content.Rules {
	if cfg, err := p.load(place{}); err == nil {
		if rules, err := cfg.ContentRules(); err == nil {
			return rules
		}
	}
	return content.Builtin()
}

// keepVerdicts remembers what a scan found, so that the hook need not scan again.
func (p *process) keepVerdicts(results []contentscan.Result) {
	cfg, err := p.load(place{})
	if err != nil {
		return
	}
	var list []hook.Scanned
	for i := range results {
		r := &results[i]
		if r.Err == nil && r.Unread == "" {
			path, err := filepath.Abs(r.Path)
			if err != nil {
				continue
			}
			list = append(list, hook.Scanned{Path: path, Hash: r.Hash, Report: &r.Report})
		}
	}
	hook.Remember(cfg, list, time.Now())
}
