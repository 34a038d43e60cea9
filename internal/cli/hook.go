package cli

import (
	"strings"

	"longline/internal/agent"
	"longline/internal/bundle"
	"longline/internal/config"
	"longline/internal/hook"
	"longline/internal/migrate"
	"longline/internal/rulesfile"
)

// maxInput bounds a line or script given to check.
const maxInput = hook.MaxInput

func hookCommand() subcommand {
	return subcommand{
		name: "hook", usage: "[AGENT] [--config FILE] [--dry-run]",
		purpose: forGuardAgent, example: "hook claude <call.json", words: agent.Names(),
		read: []flagHelp{
			{name: "--config", kind: "FILE", about: "use the rules in FILE instead of yours"},
			{name: "--dry-run", about: "judge and log, and tell the agent that there is no objection"},
		},
		short: "answer an agent's hook: JSON on standard input, the decision on standard output",
		help: `AGENT is one of ` + strings.Join(agent.Names(), ", ") + `; without it, ` + agent.Names()[0] + `.
With --dry-run the call is judged and logged and the answer goes to standard error;
the agent is told that there is no objection.

longline-hook AGENT does the same and starts faster.

Exit status 2 and a message on standard error mean that the configuration is
broken; agents then block the call.`,
		run: runHook,
	}
}

func runHook(p *process, args []string) int {
	if asksHelp(args) {
		return helpOn(p, "hook", nil)
	}
	return hook.Main(args, p.env, p.in, p.out, p.err, load)
}

// load finds the rules in force, reading them in the language they are written in.
func load(o config.Options) (*config.Config, error) {
	o.Parse, o.ParseBundle = migrate.Parse, bundle.Parse
	cfg, err := config.Load(o)
	if cfg != nil {
		cfg.Expression = rulesfile.Expression
	}
	return cfg, rulesfile.Explain(err)
}
