package cli

import (
	"os"

	"longline/internal/agent"
	"longline/internal/config"
	"longline/internal/hook"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

func evaluateCommand() subcommand {
	return subcommand{
		name: "evaluate", usage: "COMMAND RULES.json", flags: true,
		purpose: forWritePolicy, example: "evaluate 'rm x' rules.json",
		short: "judge a command by one rules object of hooks.config.json alone",
		help: `RULES.json maps command names to lists of {"pattern","reason","decision"}. The
answer is {"decision": "block", ...}, {"decision": "approve", ...} or {}. The
command is read as the hook reads it.`,
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
	rules, err := rulesfile.ParseMerged(rest[1], text)
	if err != nil {
		return p.configError(err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return p.configError(err)
	}
	cfg, err := config.Evaluating(hook.Options(p.env, "", dir, ""), rules)
	if err != nil {
		return p.configError(err)
	}
	cfg.UseMeans(0) // who asks takes no snapshot
	for _, remark := range rules.Remarks {
		p.errorf("%s", remark)
	}
	v, _ := cfg.Judge(tool.Call{Tool: "Bash", Dir: dir, Script: rest[0], Shell: true, Attended: true})
	if v.Decision == tool.Allow && v.Rule == "" {
		v.Decision = tool.Pass // nothing in it needs an approval, and nobody has given one
	}
	_, err = p.out.Write(agent.Find("claude-legacy").Encode(agent.Request{Kind: agent.BeforeTool}, v).Stdout)
	return p.ended(err, exitOK)
}
