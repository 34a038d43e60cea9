package cli

import (
	"flag"
	"os"
	"slices"
	"strings"

	"longline/internal/install"
	"longline/internal/userfiles"
)

func initCommand() subcommand {
	return subcommand{
		name: "init", usage: "[--agent NAME,...] [--scope user|project|managed] [--observe] [--rules] [--walls] [--print] [--yes]", flags: true,
		purpose: forGuardAgent, example: "init",
		short: "add longline to the agents on this machine",
		help: `Without --agent it changes every agent that it finds. It says what it would add and
asks once; answer "diff" to see the changes. It keeps backups and changes nothing
else in a file; "longline uninstall" restores the original. With --observe
longline judges and logs but never asks or denies.

--rules writes a commented rules file and its schema, if you have none. The file
changes nothing until you edit it.

--walls writes "walls: on" into your rules file: code that longline cannot read
then runs behind a wall. See "longline docs walls".

With --sandbox it writes the directory that downloads are moved to into your rules.

--rules, --walls and --sandbox do only that unless you also pass --agent.

If XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME or CLAUDE_CONFIG_DIR name
other places, init records them in ~/.config/longline/places. Hooks ignore these
variables otherwise, because a repository can set them.

  longline init --observe
  longline init --rules`,
		run: runInit,
	}
}

func uninstallCommand() subcommand {
	return subcommand{
		name: "uninstall", usage: "[--agent NAME,...] [--scope user|project|managed] [--purge] [--print] [--yes]", flags: true,
		purpose: forGuardAgent, example: "uninstall",
		short: "remove longline from the agents",
		help: `Without --agent it removes longline from every agent. It shows the changes first.

With --purge it also removes what longline has written for you: the log, what you
have told it (trust, permissions, pauses), sessions, bundles, compiled rules and
copies of settings. Your rules stay; what stays is listed.`,
		run: runUninstall,
	}
}

// setup is one run of init or uninstall.
type setup struct {
	p      *process
	agents []string // given by the user; empty if none were
	place  install.Place
	print  bool
	yes    bool
}

func runInit(p *process, args []string) int {
	var w wanted
	flags := p.flagSet("init")
	flags.BoolVar(&w.observe, "observe", false, "judge and log, but never ask or deny")
	flags.BoolVar(&w.rules, "rules", false, "write a commented rules file and its schema, if there is none")
	flags.BoolVar(&w.walls, "walls", false, "run code that cannot be read behind walls, where possible")
	flags.StringVar(&w.sandbox, "sandbox", "", "move downloads to `DIR`, an absolute path or one below ~")
	s, status, done := p.setup(flags, args)
	switch {
	case done:
		return status
	case w.problem(s) != "":
		return p.usageError("init", "%s", w.problem(s))
	}
	besides, err := w.besides(p, s.place.Scope)
	if err != nil {
		return p.failed("init", err)
	}
	if w.alone(s) {
		return s.apply(besides, exitOK, proposal{what: w.title(), nothing: "this is so already"})
	}
	program, err := os.Executable()
	if err != nil {
		p.errorf("longline cannot find its own path: %v", err)
		return exitFailed
	}
	if len(s.agents) == 0 {
		s.agents = s.p.user().Found(s.place)
	}
	if len(s.agents) == 0 {
		p.errorf("no agent was found on this machine")
		p.hintf("name one with --agent: %s", strings.Join(install.Agents(), ", "))
		return exitFailed
	}
	return s.change(s.agents, func(agent string) ([]install.Change, error) {
		return install.Install(agent, s.place, install.Command{Program: userfiles.HookProgram(program), Observe: w.observe}, userfiles.ReadFile)
	}, besides, w.proposal(p, s.agents))
}

// wanted is what init is to add.
type wanted struct {
	observe, rules, walls bool
	sandbox               string
}

// alone reports whether no agent is to call longline, but something else is wanted.
func (w *wanted) alone(s *setup) bool {
	return len(s.agents) == 0 && (w.walls || w.rules || w.sandbox != "")
}

// problem says which flags do not go together.
func (w *wanted) problem(s *setup) string {
	switch {
	case w.walls && (s.place.Scope != install.User || w.observe || w.rules):
		return "--walls can be combined with --print, --yes and --agent only"
	case w.sandbox != "" && (s.place.Scope != install.User || w.observe || w.rules || w.walls):
		return "--sandbox can be combined with --print, --yes and --agent only"
	case w.rules && (s.place.Scope != install.User || len(s.agents) == 0 && w.observe):
		return "--rules can be combined with --print, --yes and --agent only"
	}
	return ""
}

// besides are the changes that are not an agent's: places, rules, walls.
func (w *wanted) besides(p *process, scope install.Scope) (all []install.Change, err error) {
	if w.walls || w.sandbox != "" {
		change, err := install.Change{}, error(nil)
		if w.walls {
			change, err = p.user().WallsChange()
		} else {
			change, err = p.user().SandboxChange(w.sandbox)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, change)
	}
	if w.rules {
		if all, err = p.user().RulesChanges(); err != nil {
			return nil, err
		}
	}
	if scope != install.User {
		return all, nil
	}
	places, err := p.user().PlaceChanges()
	return append(all, places...), err
}

// title says what the changes besides are for.
func (w *wanted) title() string {
	if w.walls {
		return "Code that longline cannot read will run behind walls."
	}
	if w.sandbox != "" {
		return "Downloads will be moved to " + w.sandbox + "."
	}
	return "You get a commented rules file and its schema. It changes nothing until you edit it."
}

// proposal says what installing in agents means, and what to try afterwards.
func (w *wanted) proposal(p *process, agents []string) proposal {
	what := "will ask longline before every tool call."
	next := []string{
		"  longline check 'git push --force'   what longline says to a command",
		"  longline doctor                     whether your agents really ask it",
	}
	if w.observe {
		what = "will tell longline of every tool call. It only observes: nothing is asked or denied."
		next = []string{
			"  longline doctor      whether your agents really ask it",
			"  longline log stats   later: what it would have asked and denied",
		}
	}
	if _, err := os.Lstat(p.user().RulesPath()); err != nil && !w.rules {
		next = append(next, "  longline init --rules   a commented rules file, if you want rules of your own")
	}
	return proposal{
		what: clientNames(agents) + " " + what, nothing: "longline is installed already (" + strings.Join(agents, ", ") + ")",
		undo: "\"longline uninstall\" takes it out again.", next: append([]string{"", "Restart agents that are running, then try:"}, align(next)...),
	}
}

func runUninstall(p *process, args []string) int {
	flags := p.flagSet("uninstall")
	purge := flags.Bool("purge", false, "also remove the log and state; your rules stay")
	s, status, done := p.setup(flags, args)
	if done {
		return status
	}
	if *purge && (len(s.agents) > 0 || s.place.Scope != install.User) {
		return p.usageError("uninstall", "--purge can be combined with --print and --yes only")
	}
	agents := s.agents
	if len(agents) == 0 {
		agents = slices.DeleteFunc(install.Agents(), func(agent string) bool {
			_, err := install.Paths(agent, s.place)
			return err != nil // it has no settings of this scope
		})
	}
	status = s.change(agents, func(agent string) ([]install.Change, error) {
		return install.Uninstall(agent, s.place, userfiles.ReadFile)
	}, nil, proposal{
		what: "longline will be taken out of the settings of your agents.", undo: "\"longline init\" puts it in again.",
		nothing: "longline is not installed in any of them (" + strings.Join(agents, ", ") + ")",
	})
	if status == exitOK && *purge {
		return s.purge()
	}
	return status
}

// setup reads the flags that init and uninstall share.
func (p *process) setup(flags *flag.FlagSet, args []string) (*setup, int, bool) {
	agents := choose(flags, new(string), "agent", "only the agents `NAME,...`", install.Agents()...)
	at := string(install.User)
	scope := choose(flags, &at, "scope", "change the settings of `SCOPE`: user, project or managed", "user", "project", "managed")
	s := &setup{p: p}
	flags.BoolVar(&s.print, "print", false, "show the changes without making them")
	flags.BoolVar(&s.yes, "yes", false, "do not ask")
	status, done := p.parseAlone(flags, args)
	if done {
		return nil, status, true
	}
	fail := func(format string, args ...any) (*setup, int, bool) {
		return nil, p.usageError(nameOf(flags), format, args...), true
	}
	if *agents != "" {
		s.agents = strings.Split(*agents, ",")
	}
	for _, a := range s.agents {
		if !slices.Contains(install.Agents(), a) {
			return fail("unknown agent %q; expected one of %s", a, strings.Join(install.Agents(), ", "))
		}
	}
	var err error
	if s.place, err = p.user().Install(install.Scope(*scope)); err != nil {
		return fail("%v", err)
	}
	if !slices.Contains([]install.Scope{install.User, install.Project, install.Managed}, s.place.Scope) {
		return fail("unknown scope %q; expected user, project or managed", *scope)
	}
	return s, exitOK, false
}
