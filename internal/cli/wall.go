package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"longline/internal/wall"
)

func wallCommand() subcommand {
	return subcommand{
		name: "wall", usage: "PROGRAM [ARGUMENT...] | --show",
		short: "run a program behind a wall that the kernel holds",
		help: `  longline wall npm test
  longline wall --show

Behind the wall everything can be read but secrets; the project and temporary
directories can be written, except what configures agents, git, editors and CI; and
the network ends at this machine. What is open follows from the rules in force, so
there are no flags that change it; --show says what it is here.

The exit status is the program's: 125 says that the wall could not be set up and
nothing was run. Linux only. "longline docs walls" says what it holds and what not.`,
		run: runWall,
	}
}

func runWall(p *process, args []string) int {
	switch {
	case asksHelp(args):
		return helpOn(p, "wall", nil)
	case len(args) == 0:
		return p.usageError("wall", "which program?")
	}
	dir, err := os.Getwd()
	if err != nil {
		return p.noWall(err)
	}
	if args[0] == wall.SuperviseArg {
		if err := wall.Supervise(func(dir string, network bool) (*wall.Plan, error) { return p.wallPlan(dir, network) }); err != nil {
			return p.noWall(err)
		}
		return exitOK
	}
	plan, err := p.wallPlan(dir, false)
	if err != nil {
		return p.noWall(err)
	}
	if args[0] == "--show" {
		if len(args) > 1 {
			return p.usageError("wall", "unexpected argument %q", args[1])
		}
		fmt.Fprint(p.out, plan.Show(wall.Probe()))
		return exitOK
	}
	if args[0] == "--" {
		args = args[1:]
	} else if strings.HasPrefix(args[0], "-") {
		return p.usageError("wall", "unknown flag %q: a wall has none, what is open is said by the rules", args[0])
	}
	status, err := wall.Run(plan, args, p.err)
	if notRun := (*os.PathError)(nil); errors.As(err, &notRun) {
		fmt.Fprintf(p.err, "longline wall: %s: %v\n", notRun.Path, notRun.Err)
		if status == wall.StatusNoWall {
			status = wall.StatusNoExec
		}
		return status
	}
	if err != nil {
		return p.noWall(err)
	}
	return status
}

func (p *process) noWall(err error) int {
	fmt.Fprintf(p.err, "longline wall: error: %v; nothing was run\n", err)
	return wall.StatusNoWall
}

func (p *process) wallPlan(dir string, network bool) (*wall.Plan, error) {
	cfg, err := p.load(place{dir: dir})
	if err != nil {
		return nil, err
	}
	return wall.For(cfg.Guard.Policy, cfg.World, dir, p.env, wall.Settings{Network: network}), nil
}
