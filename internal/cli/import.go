package cli

import (
	"fmt"
	"os"

	"longline/internal/draft"
)

func importCommand() subcommand {
	return subcommand{
		name: "import", usage: "FILE...", flags: true,
		purpose: forWritePolicy, example: "import ~/.claude/settings.json",
		short: "draft rules from another guard's or an agent's settings",
		help: `It prints a rules file with tests, and a comment for every entry that says what it
became or why it was left out. It changes nothing; save what you agree with:

  longline import ~/.claude/settings.json > draft.yaml
  longline test --config draft.yaml draft.yaml

It reads permissions of Claude Code (settings.json, settings.local.json),
hooks.config.json, rules.yaml of the Rust longline, the configuration of Dippy and
the rules of cc-safety-net. "longline docs migrate" compares each with longline.`,
		run: runImport,
	}
}

func runImport(p *process, args []string) int {
	var pl place
	flags := p.flagSet("import")
	pl.register(flags)
	files, status, done := p.parse(flags, args)
	switch {
	case done:
		return status
	case len(files) == 0:
		return p.usageError("import", "expected a file to import")
	}
	cfg, err := p.load(pl)
	if err != nil {
		return p.configError(err)
	}
	im := draft.NewImport(cfg)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err == nil {
			err = im.Read(name, text)
		}
		if err != nil {
			return p.configError(err)
		}
	}
	if err := im.Settle(); err != nil {
		p.errorf("import: the draft is not valid; this is a bug in longline: %v", err)
		return exitFailed
	}
	taken, all := im.Counts()
	fmt.Fprintf(p.err, "longline: %d of %d entries imported; nothing was written\n", taken, all)
	return p.ended(writeText(p, im.Text()), exitOK)
}
