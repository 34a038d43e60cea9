package cli

import (
	"flag"
	"fmt"
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
		long: true, purpose: forTryIt, example: "explain 'find . -delete'",
		short: "show how a decision is made",
		help: `It shows every program that would run with its resolved arguments, what it would
do, what longline does not know, and every rule that matched. What does not fit
a screen is left out; --all shows everything. --why-not allow also shows tested changes that
would make it allowed.

  longline explain 'T=~; rm -r "$T"'
  longline explain --tree 'sudo find . -name "*.o" | xargs rm'
  longline explain --why-not allow 'git push --force'
  longline explain --session 6f0c 'git push'
  longline explain --tool mcp__db__query '{"sql": "DROP TABLE t"}'

The exit status is that of check: 0 allow or pass, 10 ask, 20 deny.`,
		run: runExplain,
	}
}

// explainFlags are what explain is told on the command line.
type explainFlags struct {
	place                     place
	as                        viewpoint
	asJSON, script, all, tree bool
	session, whyNot           string
	tool, source              string
}

func (f *explainFlags) register(flags *flag.FlagSet) {
	f.place.register(flags)
	f.as.register(flags)
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	flags.BoolVar(&f.script, "script", false, "read the script from standard input")
	flags.BoolVar(&f.all, "all", false, "show everything, however long")
	flags.BoolVar(&f.tree, "tree", false, "draw which command runs which")
	flags.StringVar(&f.tool, "tool", "", "explain a call of the tool `NAME`; COMMAND is its input as JSON")
	flags.StringVar(&f.source, "source", "", "with --tool: who brought the tool's server, `SOURCE`: user, project, plugin or managed")
	flags.StringVar(&f.session, "session", "", "judge as in the session `ID`, with its history")
	choose(flags, &f.whyNot, "why-not", "show what would have to change for `DECISION`; only allow is supported", "allow")
}

// problem says what is wrong with the flags and arguments.
func (f *explainFlags) problem(commands int) string {
	switch {
	case f.whyNot != "" && f.whyNot != "allow":
		return fmt.Sprintf("--why-not supports only allow, not %q", f.whyNot)
	case f.as.problem() != "":
		return f.as.problem()
	case f.tool != "" && f.whyNot != "":
		return "--why-not is about commands, not about tools"
	case f.source != "" && f.tool == "":
		return "--source needs --tool"
	case f.tree && f.asJSON:
		return "--tree cannot be combined with --json, which shows what runs each invocation"
	case !f.script && commands != 1 || f.script && commands > 0:
		return fmt.Sprintf("expected one command in quotes, found %d arguments", commands)
	}
	return ""
}

func runExplain(p *process, args []string) int {
	var f explainFlags
	flags := p.flagSet("explain")
	f.register(flags)
	rest, status, done := p.parse(flags, args)
	if done {
		return status
	}
	if problem := f.problem(len(rest)); problem != "" {
		return p.usageError("explain", "%s", problem)
	}
	script, err := f.subject(p, rest)
	if err != nil {
		return p.usageError("explain", "%v", err)
	}
	cfg, err := p.load(f.place)
	if err != nil {
		return p.configError(err)
	}
	f.as.use(cfg)
	call := f.as.call("explain", cfg.Dir, script)
	if f.tool != "" {
		if err := f.as.describe(&call, f.tool, []byte(script), f.source, cfg.World.Home); err != nil {
			return p.usageError("explain", "%v", err)
		}
	}
	if f.session != "" {
		r, err := p.theSession(f.session)
		if err != nil {
			p.errorf("explain: %v", err)
			p.hintf("run \"longline session\" for the list")
			return exitUsage
		}
		call.Past = r.Past()
	}
	x := explain.Printer{Style: p.style(), Config: cfg, Agent: f.as.agent, All: f.all}
	e := x.Explain(call)
	e.LeftOut = f.as.leftOut(f.session != "")
	if f.place.home == "" && f.tool == "" {
		// In the home directory of somebody else nobody has said anything.
		e.Now, e.ID = hook.Foresee(cfg, &call, e.Verdict, time.Now())
	}
	if f.whyNot != "" {
		e.WhyNot = draft.WhyNot(cfg, &e.Judged)
	}
	text, err := f.text(&x, e)
	if err == nil {
		// A model that runs this would see what files hold that a script names.
		_, err = io.WriteString(p.out, mask.Hidden(e.Script(), e.Invs)(text))
	}
	return p.ended(err, statusOf(e.Verdict.Decision))
}

// subject is the script to explain: standard input, or the argument.
func (f *explainFlags) subject(p *process, rest []string) (string, error) {
	if f.script {
		return readScript(p.in)
	}
	return rest[0], nil
}

// text is an explanation in the form that was asked for.
func (f *explainFlags) text(x *explain.Printer, e *explain.Explanation) (string, error) {
	switch {
	case f.asJSON:
		var b strings.Builder
		err := screen.WriteJSON(&b, true, x.JSON(e))
		return b.String(), err
	case f.tree:
		return x.Headline(e) + "\n" + x.Tree(e) + x.Standing(e) + x.ToAllow(e), nil
	}
	return x.Text(e), nil
}
