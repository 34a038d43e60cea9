package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"longline/internal/config"
	"longline/internal/draft"
	"longline/internal/policy"
	"longline/internal/screen"
	"longline/internal/state"
	"longline/internal/tool"
)

func trustCommand() subcommand {
	return subcommand{
		name: "trust", usage: "[DIR] [--list | --revoke]", flags: true,
		purpose: forDecideInPerson, example: "trust",
		short: "show how a project would loosen the rules, and allow it",
		help: `A project can make the rules stricter at once. What would loosen them is ignored
until you agree here; a file that changes must be trusted again. So are plugins that
run code inside Claude Code. Worktrees of one repository share trust.

  longline trust
  longline trust --revoke ~/src/app`,
		run: runTrust,
	}
}

func runTrust(p *process, args []string) int {
	flags := p.flagSet("trust")
	list := flags.Bool("list", false, "list what is trusted")
	revoke := flags.Bool("revoke", false, "stop trusting the project")
	rest, status, done := p.parseOne(flags, args, "directory")
	switch {
	case done:
		return status
	case *list && (*revoke || len(rest) > 0):
		return p.usageError("trust", "--list takes no directory and cannot be combined with --revoke")
	case *list:
		return p.listTrusted()
	}
	return p.decideTrust(rest, *revoke)
}

// decideTrust trusts the project in a directory, or here, or stops trusting it.
func (p *process) decideTrust(dir []string, revoke bool) int {
	if !p.byPerson("trust") {
		return exitFailed
	}
	var pl place
	if len(dir) == 1 {
		if pl.dir = dir[0]; !isDir(pl.dir) {
			return p.usageError("trust", "%q is not a directory", pl.dir)
		}
	}
	cfg, err := p.load(pl)
	if err != nil {
		return p.configError(err)
	}
	root := config.Native(cfg.World.Project)
	switch {
	case root == "":
		p.errorf("trust: %q is not a project", cfg.Dir)
		p.hintf("name the directory of one")
		return exitFailed
	case revoke:
		return p.revoke(cfg, root)
	}
	return p.trust(cfg, root)
}

func (p *process) listTrusted() int {
	pins := p.store(p.here()).Pins()
	for _, pin := range pins {
		fmt.Fprintf(p.out, "%s  %s  since %s\n", screen.Clean(pin.Repository, ""), screen.Clean(pin.Name, ""), pin.Since.Local().Format("2006-01-02 15:04"))
	}
	if len(pins) == 0 {
		fmt.Fprintln(p.out, "nothing is trusted")
	}
	return exitOK
}

// trust shows what each file would loosen, asks, and remembers the files as
// they were when they were shown.
func (p *process) trust(cfg *config.Config, root string) int {
	if trouble := cfg.Trouble(); trouble != "" {
		p.errorf("trust: %s", screen.Clean(trouble, "\n\t"))
		return exitFailed
	}
	if status := p.trustPermissions(cfg, root); status != exitOK {
		return status
	}
	if status := p.trustMods(cfg, root); status != exitOK {
		return status
	}
	open, err := p.loosening(cfg, root)
	switch {
	case err != nil:
		return p.failed("trust", err)
	case len(cfg.Project) == 0:
		fmt.Fprintf(p.out, "%s has no rules files\n", screen.Clean(root, ""))
		return exitOK
	case len(open) == 0:
		return exitOK
	case !p.confirm(fmt.Sprintf("Trust %s in %s?", screen.Count(len(open), "file"), screen.Clean(root, ""))):
		p.errorf("trust: nothing is trusted")
		return exitFailed
	}
	store, repository := p.store(cfg.Dir), config.Repository(root)
	for _, f := range open {
		pin := state.Pin{Repository: repository, Name: f.Name, Content: f.Content, Since: time.Now()}
		if err := store.Trust(pin); err != nil {
			return p.failed("trust", err)
		}
		p.act(cfg, "trust", filepath.Join(root, f.Name))
	}
	fmt.Fprintf(p.out, "trusted: %s\n", screen.Count(len(open), "file"))
	return exitOK
}

// loosening shows what the files of a project would loosen, and returns those that are
// not trusted to.
func (p *process) loosening(cfg *config.Config, root string) (open []config.ProjectFile, err error) {
	for _, f := range cfg.Project {
		loosens, name := loosening(f.File), screen.Clean(f.Name, "")
		switch {
		case len(loosens) > maxShown:
			return nil, fmt.Errorf("%s would loosen %d things, too many to review; make it smaller", name, len(loosens))
		case len(loosens) == 0:
			fmt.Fprintf(p.out, "%s loosens nothing and needs no trust\n", name)
			continue
		case f.File.Trusted:
			fmt.Fprintf(p.out, "%s is already trusted\n", name)
			continue
		}
		fmt.Fprintf(p.out, "%s would loosen:\n", name)
		for _, line := range loosens {
			fmt.Fprintf(p.out, "  %s\n", screen.Clean(strings.TrimPrefix(line, root+"/"), ""))
		}
		if pin, ok := p.store(cfg.Dir).Pinned(config.Repository(root), f.Name); ok {
			fmt.Fprintf(p.out, "it has changed since it was trusted on %s:\n", pin.Since.Local().Format("2006-01-02"))
			for _, line := range difference(pin.Content, f.Content) {
				fmt.Fprintf(p.out, "  %s\n", screen.Clean(line, "\t"))
			}
		}
		open = append(open, f)
	}
	return open, nil
}

func (p *process) revoke(cfg *config.Config, root string) int {
	store, repository := p.store(cfg.Dir), config.Repository(root)
	revoked := 0
	for _, pin := range store.Pins() {
		if pin.Repository != repository {
			continue
		}
		ok, err := store.Revoke(repository, pin.Name)
		if err != nil {
			return p.failed("trust", err)
		}
		if ok {
			revoked++
			p.act(cfg, "revoke", filepath.Join(root, pin.Name))
		}
	}
	if revoked == 0 {
		p.errorf("trust: nothing of %q is trusted", root)
		return exitFailed
	}
	fmt.Fprintf(p.out, "no longer trusted: %s\n", screen.Count(revoked, "file"))
	return exitOK
}

// loosening lists what of a file is ignored as long as it is not trusted.
func loosening(f *policy.File) []string {
	copied := *f
	copied.Trusted = false
	// Beside no other layer every setting is compared with the defaults.
	_, notices, _ := policy.Merge(nil, []*policy.File{&copied}, nil, nil)
	list := untold(&copied, notices)
	for _, entry := range copied.AllowCommands {
		list = append(list, entry.Source+": allows the command "+entry.Text)
	}
	for _, entry := range copied.AllowPaths {
		list = append(list, entry.Source+": allows the path "+entry.Text)
	}
	for _, name := range copied.Disable {
		list = append(list, name.Source+": turns off the rule "+name.ID)
	}
	for i := range copied.Rules {
		list = append(list, looseningRule(&copied.Rules[i])...)
	}
	return list
}

// untold are the notices about what does not count as long as a file is not trusted, but
// for those about rules: they are told with all that they let through.
func untold(f *policy.File, notices []string) (list []string) {
	for _, n := range notices {
		what, ok := strings.CutSuffix(n, policy.Untrusted)
		told := slices.ContainsFunc(f.Rules, func(r policy.Rule) bool {
			return strings.HasPrefix(what, r.Source+": the ") && strings.HasSuffix(what, " rule "+r.ID)
		})
		if ok && !told {
			list = append(list, what)
		}
	}
	return list
}

// looseningRule says what a rule lets through, and which rules it overrides.
func looseningRule(r *policy.Rule) (list []string) {
	if r.Decision <= tool.Pass {
		list = append(list, r.Source+": the rule "+r.ID+" "+draft.RuleWords(r))
	}
	for _, id := range r.Overrides {
		says := r.Source + ": the rule " + r.ID + " overrides " + id
		if isFinal(id) {
			says += ", which nothing can: that rule stays"
		}
		list = append(list, says)
	}
	return list
}

// isFinal says whether a built-in rule is one that no file lifts.
func isFinal(id string) bool {
	packs, err := policy.BuiltinFile()
	if err != nil {
		return false
	}
	set, _, err := policy.Merge(packs, nil, nil, nil)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(set.Rules(), func(r policy.Rule) bool { return r.ID == id && r.Final })
}

// difference shows the lines that are gone and those that are new. Common lines
// at both ends are left out; what lies between is shown whole.
func difference(before, after string) []string {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var lines []string
	for _, line := range a {
		lines = append(lines, "- "+line)
	}
	for _, line := range b {
		lines = append(lines, "+ "+line)
	}
	return lines
}
