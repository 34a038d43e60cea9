package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"longline/internal/config"
	"longline/internal/draft"
	"longline/internal/install"
	"longline/internal/screen"
	"longline/internal/userfiles"
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

With --save it asks, and makes the draft your rules file; an existing one is
kept as rules.yaml.before-import.

It reads permissions of Claude Code (settings.json, settings.local.json),
hooks.config.json, rules, golden tests and ai-judge.yaml of the Rust longline, and
the configurations of Dippy, cc-safety-net, nah and dcg. "longline docs migrate"
compares each with longline.`,
		run: runImport,
	}
}

func runImport(p *process, args []string) int {
	var pl place
	flags := p.flagSet("import")
	pl.register(flags)
	save := flags.Bool("save", false, "make the draft your rules file, after asking; keep the old one")
	files, status, done := p.parse(flags, args)
	switch {
	case done:
		return status
	case len(files) == 0:
		return p.usageError("import", "expected a file to import")
	}
	if *save && !p.byPerson("import --save") {
		return exitFailed
	}
	cfg, err := p.load(pl)
	if err == nil {
		// What is imported may be in force already; then nothing of it would seem to be needed.
		cfg, err = cfg.Without(absolute(files)...)
	}
	if err != nil {
		return p.configError(err)
	}
	im := draft.NewImport(cfg)
	for _, name := range files {
		_, text, err := p.beside(cfg)("", name)
		if err == nil {
			err = im.Read(name, text, p.beside(cfg))
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
	if *save {
		return p.saveImport(im.Text(), fmt.Sprintf("%d of %d entries imported", taken, all))
	}
	fmt.Fprintf(p.err, "longline: %d of %d entries imported; nothing was written\n", taken, all)
	return p.ended(writeText(p, im.Text()), exitOK)
}

// absolute are the full names of files.
func absolute(names []string) (list []string) {
	for _, name := range names {
		if full, err := filepath.Abs(name); err == nil {
			list = append(list, full)
		}
	}
	return list
}

// saveImport makes a draft the user's rules file.
func (p *process) saveImport(text, counts string) int {
	change := install.Change{Path: p.user().RulesPath(), New: []byte(text), Mode: 0o600}
	var err error
	if change.Old, err = userfiles.ReadFile(change.Path); err != nil {
		return p.failed("import", err)
	}
	kept := install.Change{Path: change.Path + ".before-import", New: change.Old, Mode: 0o600}
	if kept.Old, err = userfiles.ReadFile(kept.Path); err != nil {
		return p.failed("import", err)
	}
	if kept.Old != nil && change.Old != nil {
		return p.usageError("import", "%s is there already; move it away", kept.Path)
	}
	fmt.Fprint(p.out, screen.Clean(text, "\n"))
	fmt.Fprintf(p.err, "longline: %s\n", counts)
	if !p.confirm("Make this " + change.Path + "?") {
		p.errorf("import: nothing was written")
		return exitFailed
	}
	if change.Old != nil {
		if err := p.user().Write(kept); err != nil {
			return p.failed("import", err)
		}
		fmt.Fprintf(p.out, "%s: holds the old rules\n", kept.Path)
	}
	if err := p.user().Write(change); err != nil {
		return p.failed("import", err)
	}
	fmt.Fprintf(p.out, "%s: written\n", change.Path)
	return exitOK
}

// beside opens a file that another includes. What may hold secrets is not read: messages about what is wrong with
// a file show its lines.
func (p *process) beside(cfg *config.Config) func(from, name string) (full string, text []byte, err error) {
	return func(from, name string) (full string, text []byte, err error) {
		if full = name; !filepath.IsAbs(name) && from != "" {
			full = filepath.Join(filepath.Dir(from), name)
		}
		if err = cfg.Readable(full); err == nil {
			text, err = os.ReadFile(full)
		}
		return full, text, err
	}
}
