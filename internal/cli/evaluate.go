package cli

import (
	"fmt"
	"os"

	"longline/internal/rulesfile"
)

func evaluateCommand() subcommand {
	return subcommand{
		name: "evaluate", usage: "COMMAND RULES.json", flags: true,
		short: "judge a command by one rules object of hooks.config.json alone",
		help: `RULES.json maps command names to lists of {"pattern","reason","decision"}. The
answer is {"decision": "block", ...}, {"decision": "approve", ...} or {}.`,
		run: runEvaluate,
	}
}

func runEvaluate(p *process, args []string) int {
	rest, status, done := p.parse(p.flagSet("evaluate"), args)
	if done {
		return status
	}
	if len(rest) != 2 {
		return p.usageError("evaluate", "expected a command and a rules file, found %d arguments", len(rest))
	}
	text, err := os.ReadFile(rest[1])
	if err != nil {
		return p.configError(err)
	}
	answer, err := rulesfile.Evaluate(rest[1], rest[0], text)
	if err != nil {
		return p.configError(err)
	}
	_, err = fmt.Fprintln(p.out, answer)
	return p.ended(err, exitOK)
}
