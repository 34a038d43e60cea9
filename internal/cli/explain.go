package cli

import (
	"io"
	"strings"
	"time"

	"longline/internal/draft"
	"longline/internal/explain"
	"longline/internal/hook"
	"longline/internal/mask"
	"longline/internal/screen"
)

func explainCommand() subcommand {
	return subcommand{
		name: "explain", usage: "[FLAGS] COMMAND", flags: true,
		purpose: forTryIt, example: "explain 'find . -delete'",
		short: "show how a decision is made",
		help: `It shows every program that would run with its resolved arguments, what it would
do, what longline does not know, and every rule that matched, as far as that fits
a screen; --all shows everything. --why-not allow also shows tested changes that
would make it allowed.

  longline explain 'T=~; rm -r "$T"'
  longline explain --tree 'sudo find . -name "*.o" | xargs rm'
  longline explain --why-not allow 'git push --force'
  longline explain --session 6f0c 'git push'

The exit status is that of check: 0 allow or pass, 10 ask, 20 deny.`,
		run: runExplain,
	}
}

func runExplain(p *process, args []string) int {
	var pl place
	var as viewpoint
	flags := p.flagSet("explain")
	pl.register(flags)
	as.register(flags)
	var (
		asJSON = flags.Bool("json", false, "print JSON")
		script = flags.Bool("script", false, "read the script from standard input")
		all    = flags.Bool("all", false, "show everything, however long")
		tree   = flags.Bool("tree", false, "draw which command runs which")
		of     = flags.String("session", "", "judge as in the session `ID`, with its history")
		whyNot = choose(flags, new(string), "why-not", "show what would have to change for `DECISION`; only allow is supported", "allow")
	)
	rest, status, done := p.parse(flags, args)
	switch {
	case done:
		return status
	case *whyNot != "" && *whyNot != "allow":
		return p.usageError("explain", "--why-not supports only allow, not %q", *whyNot)
	case as.problem() != "":
		return p.usageError("explain", "%s", as.problem())
	case *tree && *asJSON:
		return p.usageError("explain", "--tree cannot be combined with --json, which says of each invocation what runs it")
	case *script && len(rest) == 0:
		text, err := readScript(p.in)
		if err != nil {
			return p.usageError("explain", "%v", err)
		}
		rest = []string{text}
	case len(rest) != 1 || *script:
		return p.usageError("explain", "expected one command in quotes, found %d arguments", len(rest))
	}
	cfg, err := p.load(pl)
	if err != nil {
		return p.configError(err)
	}
	x := explain.Printer{Style: p.style(), Config: cfg, Agent: as.agent, All: *all}
	call := as.call("explain", cfg.Dir, rest[0])
	if *of != "" {
		r, err := p.theSession(*of)
		if err != nil {
			p.errorf("explain: %v", err)
			p.hintf("run \"longline session\" for the list")
			return exitUsage
		}
		call.Past = r.Past()
	}
	e := x.Explain(call)
	if pl.home == "" {
		// In the home directory of somebody else nobody has said anything.
		e.Now, e.ID = hook.Foresee(cfg, &call, e.Verdict, time.Now())
	}
	if *whyNot != "" {
		e.WhyNot = draft.WhyNot(cfg, &e.Judged)
	}
	var said strings.Builder
	switch {
	case *asJSON:
		err = screen.WriteJSON(&said, true, x.JSON(e))
	case *tree:
		said.WriteString(x.Headline(e) + "\n" + x.Tree(e) + x.Standing(e) + x.ToAllow(e))
	default:
		said.WriteString(x.Text(e))
	}
	if err == nil {
		// A model that runs this would see what files hold that a script names.
		_, err = io.WriteString(p.out, mask.Hidden(e.Script(), e.Invs)(said.String()))
	}
	return p.ended(err, statusOf(e.Verdict.Decision))
}
