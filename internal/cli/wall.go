package cli

import (
	"os"
	"strings"
	"syscall"

	"longline/internal/behind"
	"longline/internal/config"
	"longline/internal/guard"
	"longline/internal/hook"
)

func wallCommand() subcommand {
	return subcommand{
		name: "wall", usage: "[--hide] PROGRAM [ARGUMENT...] | --show [PROGRAM [ARGUMENT...]] | --clean",
		purpose: forGuardAgent, example: "wall npm test",
		read: []flagHelp{
			{name: guard.HideArg, about: "hide the secrets of the project too"},
			{name: "--show", about: "print what is open behind the wall"},
			{name: "--clean", about: "remove private caches that were not used for a month"},
		},
		short: "run a program behind a wall, confined by the kernel",
		help: `  longline wall npm test
  longline wall --show

Behind the wall a program can read everything but secrets, write the project and
temporary directories, except what configures agents, git, editors and CI, and reach
only this machine. The rules in force decide what is open; --show prints it. --clean
removes the private caches of projects that were not used for a month; once a day
this happens by itself.

The exit status is the program's, or 125 if the wall could not be set up and nothing
ran. longline-wall PROGRAM does the same with less memory, and is what
commands are changed to. See "longline docs walls".`,
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
	if args[0] == behind.WholeArg {
		args = args[1:]
	} else if small := config.SmallWall(); small != "" {
		// It does the same and takes less memory while the program runs.
		markFetching(p, args)
		_ = syscall.Exec(small, append([]string{"longline-wall"}, args...), os.Environ())
	}
	c := behind.Command{Self: []string{"longline", "wall", behind.WholeArg}, Env: p.env, Out: p.out, Err: p.err, Load: load, Fetches: (*config.Config).Fetches}
	return c.Run(args)
}

// markFetching tells the small program whether a command may reach other machines.
func markFetching(p *process, args []string) {
	if args[0] == "--" || args[0] == "--show" || args[0] == guard.HideArg {
		args = args[1:]
	}
	dir, err := os.Getwd()
	if err != nil || len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return
	}
	project, _ := p.env.Get("CLAUDE_PROJECT_DIR")
	if cfg, err := load(hook.Options(p.env, "", dir, project)); err == nil {
		cfg.Mark(args, true, cfg.Fetches(dir, args))
	}
}
