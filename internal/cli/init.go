package cli

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/hook"
	"longline/internal/install"
)

func initCommand() subcommand {
	return subcommand{
		name: "init", usage: "[--agent NAME,...] [--scope user|project|managed] [--observe] [--rules] [--walls] [--print] [--yes]", flags: true,
		short: "add longline to the agents on this machine",
		help: `Without --agent it changes every agent that it finds. It shows the changes first,
keeps backups, and changes nothing else in a file; "longline uninstall" restores
the original. With --observe longline judges and logs but never asks or denies.

--rules writes a commented rules file and its schema, if you have none. The file
changes nothing until you edit it.

--walls writes "walls: on" into your rules file: code that longline cannot read
then runs behind a wall. See "longline docs walls".

--rules and --walls do only that unless you also pass --agent.

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
	flags := p.flagSet("init")
	observe := flags.Bool("observe", false, "judge and log, but never ask or deny")
	rules := flags.Bool("rules", false, "write a commented rules file and its schema, if there is none")
	walls := flags.Bool("walls", false, "run code that cannot be read behind walls, if they can be built here")
	s, status, done := p.setup(flags, args)
	if done {
		return status
	}
	if hook.Unsupported != "" {
		p.errorf("init: %s", hook.Unsupported)
		return exitFailed
	}
	var first []install.Change
	if *walls {
		if s.place.Scope != install.User || *observe || *rules {
			return p.usageError("init", "--walls can be combined with --print, --yes and --agent only")
		}
		change, err := p.wallsChange()
		if err != nil {
			p.errorf("init: %v", err)
			return exitFailed
		}
		first = append(first, change)
		if len(s.agents) == 0 {
			return s.apply(first, exitOK, "walls are on already")
		}
	}
	if *rules {
		if s.place.Scope != install.User || len(s.agents) == 0 && *observe {
			return p.usageError("init", "--rules can be combined with --print, --yes and --agent only")
		}
		var err error
		if first, err = p.rulesChanges(); err != nil {
			p.errorf("init: %v", err)
			return exitFailed
		}
	}
	if s.place.Scope == install.User {
		places, err := p.placeChanges()
		if err != nil {
			p.errorf("init: %v", err)
			return exitFailed
		}
		first = append(first, places...)
	}
	if *rules {
		if len(s.agents) == 0 {
			return s.apply(first, exitOK, "the rules file and its schema exist already")
		}
	}
	program, err := os.Executable()
	if err != nil {
		p.errorf("longline cannot find its own path: %v", err)
		return exitFailed
	}
	agents := s.agents
	if len(agents) == 0 {
		if agents = s.found(); len(agents) == 0 {
			p.errorf("no agent was found on this machine")
			p.hintf("name one with --agent: %s", strings.Join(install.Agents(), ", "))
			return exitFailed
		}
	}
	status = s.change(agents, func(agent string) ([]install.Change, error) {
		return install.Install(agent, s.place, install.Command{Program: hookProgram(program), Observe: *observe}, readFile)
	}, first, "longline is installed already")
	if status == exitOK && !*rules && s.place.Scope == install.User {
		return s.offerRules()
	}
	return status
}

func runUninstall(p *process, args []string) int {
	flags := p.flagSet("uninstall")
	purge := flags.Bool("purge", false, "remove the log and all else that longline has written, too; your rules stay")
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
		return install.Uninstall(agent, s.place, readFile)
	}, nil, "longline is not installed in any of them")
	if status == exitOK && *purge {
		return s.purge()
	}
	return status
}

// setup reads the flags that init and uninstall share.
func (p *process) setup(flags *flag.FlagSet, args []string) (*setup, int, bool) {
	agents := flags.String("agent", "", "only the agents `NAME,...`")
	scope := flags.String("scope", string(install.User), "change the settings of `SCOPE`: user, project or managed")
	s := &setup{p: p}
	flags.BoolVar(&s.print, "print", false, "show the changes without making them")
	flags.BoolVar(&s.yes, "yes", false, "do not ask")
	name := strings.TrimPrefix(flags.Name(), "longline ")
	rest, status, done := p.parse(flags, args)
	if done {
		return nil, status, true
	}
	fail := func(format string, args ...any) (*setup, int, bool) {
		return nil, p.usageError(name, format, args...), true
	}
	if len(rest) > 0 {
		return fail("unexpected argument %q", rest[0])
	}
	if *agents != "" {
		s.agents = strings.Split(*agents, ",")
	}
	for _, a := range s.agents {
		if !slices.Contains(install.Agents(), a) {
			return fail("unknown agent %q; known are %s", a, strings.Join(install.Agents(), ", "))
		}
	}
	var err error
	if s.place, err = p.installPlace(install.Scope(*scope)); err != nil {
		return fail("%v", err)
	}
	if !slices.Contains([]install.Scope{install.User, install.Project, install.Managed}, s.place.Scope) {
		return fail("unknown scope %q; known are user, project and managed", *scope)
	}
	return s, exitOK, false
}

// installPlace is where agents' settings are looked for.
func (p *process) installPlace(scope install.Scope) (install.Place, error) {
	home, _ := p.env.Get("HOME")
	dir, err := os.Getwd()
	if err != nil || !filepath.IsAbs(home) {
		return install.Place{}, errors.New("the home or working directory is unknown")
	}
	return install.Place{Scope: scope, Home: home, Project: dir, Getenv: func(name string) string {
		v, _ := p.env.Get(name)
		return v
	}}, nil
}

// hookProgram is what agents are to start: the small program for the hook, if it
// stands beside longline, else longline.
func hookProgram(longline string) string {
	if small := longline + "-hook"; strings.HasSuffix(longline, "longline") {
		if info, err := os.Stat(small); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return small
		}
	}
	return longline
}

func (s *setup) found() []string {
	path, _ := s.p.env.Get("PATH")
	onPath := func(program string) bool {
		return slices.ContainsFunc(filepath.SplitList(path), func(dir string) bool {
			_, err := exec.LookPath(filepath.Join(dir, program))
			return filepath.IsAbs(dir) && err == nil
		})
	}
	exists := func(path string) bool {
		_, err := os.Stat(path)
		return err == nil
	}
	return slices.DeleteFunc(install.Found(s.place.Home, exists, onPath), func(agent string) bool {
		_, err := install.Paths(agent, s.place)
		return err != nil
	})
}

// change works out what has to change in each agent, shows it and what has to
// change besides, asks, and does it.
func (s *setup) change(agents []string, work func(agent string) ([]install.Change, error), besides []install.Change, nothing string) int {
	status := exitOK
	var all []install.Change
	for _, agent := range agents {
		changes, err := work(agent)
		if err != nil {
			s.p.errorf("%s: %v", agent, err)
			status = exitFailed
			continue
		}
		all = append(all, changes...)
	}
	return s.apply(append(all, besides...), status, nothing+" ("+strings.Join(agents, ", ")+")")
}

// apply shows changes, asks, and makes them. The status is that of what went
// before; nothing says why there is nothing to do.
func (s *setup) apply(all []install.Change, status int, nothing string) int {
	all = slices.DeleteFunc(all, func(c install.Change) bool { return c.Nothing() })
	for _, c := range all {
		fmt.Fprint(s.p.out, diff(c.Path, c.Old, c.New))
	}
	switch {
	case len(all) == 0 && status == exitOK:
		fmt.Fprintf(s.p.out, "nothing to do: %s\n", nothing)
		return status
	case len(all) == 0 || s.print:
		return status
	case !s.yes && !s.agreed("make these changes? [y/N] "):
		s.p.errorf("nothing was changed")
		s.p.hintf("answer y, or run it again with --yes")
		return exitFailed
	}
	return max(status, s.writeAll(all))
}

func (s *setup) writeAll(changes []install.Change) int {
	status := exitOK
	for _, c := range changes {
		if err := s.write(c); err != nil {
			s.p.errorf("%v", err)
			status = exitFailed
		}
	}
	if status == exitOK {
		fmt.Fprintln(s.p.out, "done")
	}
	return status
}

// agreed asks the person at the terminal; where there is none, nobody agrees.
func (s *setup) agreed(question string) bool {
	if !isTerminal(s.p.in) {
		return false
	}
	fmt.Fprint(s.p.err, question)
	line, _ := bufio.NewReader(s.p.in).ReadString('\n')
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}

// readFile returns nil for a file that does not exist.
func readFile(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return nil, fmt.Errorf("%s is a link to a file that does not exist", path)
		}
		return nil, nil
	}
	if err == nil && text == nil {
		text = []byte{}
	}
	return text, err
}
