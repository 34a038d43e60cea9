package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"longline/internal/audit"
	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/hook"
	"longline/internal/tool"
	"longline/internal/wall"
)

func wallCommand() subcommand {
	return subcommand{
		name: "wall", usage: "PROGRAM [ARGUMENT...] | --show [PROGRAM [ARGUMENT...]] | --clean",
		short: "run a program behind a wall, confined by the kernel",
		help: `  longline wall npm test
  longline wall --show

Behind the wall a program can read everything but secrets, write the project and
temporary directories, except what configures agents, git, editors and CI, and reach
only this machine. The rules in force decide what is open; --show prints it. --clean
removes the private caches of projects that were not used for a month; once a day
this happens by itself.

The exit status is the program's, or 125 if the wall could not be set up and nothing
ran. Linux only. See "longline docs walls".`,
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
		if err := wall.Supervise(func(dir string, network bool) (*wall.Plan, error) {
			plan, _, err := p.wallPlan(dir, nil)
			if err == nil {
				plan.Network = network
			}
			return plan, err
		}); err != nil {
			return p.noWall(err)
		}
		return exitOK
	}
	if args[0] == "--clean" && len(args) == 1 {
		return cleanWalls(p, dir)
	}
	show := args[0] == "--show"
	switch {
	case show:
		args = args[1:] // of the program that is asked about, if one is
	case args[0] == "--":
		args = args[1:]
	case strings.HasPrefix(args[0], "-"):
		return p.usageError("wall", "unknown flag %q: the rules decide what is open", args[0])
	}
	plan, cfg, err := p.wallPlan(dir, args)
	if err != nil {
		return p.noWall(err)
	}
	if show {
		fmt.Fprint(p.out, plan.Show(wall.Probe()))
		return exitOK
	}
	if len(args) == 0 {
		return p.usageError("wall", "which program?")
	}
	plan.Told = func(refused []wall.Refusal) {
		var said []string
		for _, r := range refused {
			if one := r.Program + ": " + r.What; !slices.Contains(said, one) {
				said = append(said, one)
			}
		}
		_ = hook.LogOf(cfg).Append(time.Now(), audit.Act{Time: time.Now(), What: "wall-refused", Dir: dir, Subject: strings.Join(said, "; ")})
	}
	status, err := wall.Run(plan, args, p.err)
	cleanNowAndThen(cfg)
	if notRun := (*os.PathError)(nil); errors.As(err, &notRun) {
		fmt.Fprintf(p.err, "longline wall: %s: %v\n", notRun.Path, notRun.Err)
		if status == wall.StatusNoWall {
			status = wall.StatusNoExec
		}
		return status
	}
	if err != nil {
		// So that nobody is sent here again before the machine is another one.
		if path := cfg.WallRefusedPath(); path != "" {
			_ = os.MkdirAll(filepath.Dir(path), 0o700)
			_ = os.WriteFile(path, []byte(config.BootID()+"\n"+err.Error()+"\n"), 0o600)
		}
		return p.noWall(err)
	}
	return status
}

// cleanWalls removes private caches that nobody uses.
func cleanWalls(p *process, dir string) int {
	cfg, err := p.load(place{dir: dir})
	if err != nil {
		return p.noWall(err)
	}
	removed, kept, err := wall.Clean(cfg.WallCaches(), time.Now())
	if err != nil {
		fmt.Fprintf(p.err, "longline wall: error: %v\n", err)
		return exitFailed
	}
	what := "caches"
	if removed == 1 {
		what = "cache"
	}
	fmt.Fprintf(p.out, "%d private %s removed, %d kept\n", removed, what, kept)
	return exitOK
}

// cleanNowAndThen starts the cleaning in a process of its own, once a day. Whoever waits
// for the program does not wait for it.
func cleanNowAndThen(cfg *config.Config) {
	dir := cfg.WallCaches()
	mark := filepath.Join(dir, "cleaned")
	info, err := os.Stat(mark)
	if dir == "" || err == nil && time.Since(info.ModTime()) < 24*time.Hour || errors.Is(err, os.ErrNotExist) && !isDir(dir) {
		return
	}
	if os.WriteFile(mark, nil, 0o600) != nil {
		return
	}
	now := time.Now()
	_ = os.Chtimes(mark, now, now)
	wall.Detach("--clean")
}

func (p *process) noWall(err error) int {
	fmt.Fprintf(p.err, "longline wall: error: %v; nothing was run\n", err)
	return wall.StatusNoWall
}

// wallPlan is what a wall leaves open in a directory.
func (p *process) wallPlan(dir string, args []string) (*wall.Plan, *config.Config, error) {
	cfg, err := p.load(place{dir: dir})
	if err != nil {
		return nil, nil, err
	}
	w := cfg.Guard.Policy.Walls
	return wall.For(cfg.Guard.Policy, cfg.World, dir, p.env, wall.Settings{Write: w.Write, Sockets: w.Sockets, Keep: w.Env, Network: fetches(cfg, dir, args), Private: cfg.WallPrivate()}), cfg, nil
}

// fetches says whether a command is known to need other machines, and is allowed to.
func fetches(cfg *config.Config, dir string, args []string) bool {
	inv := &command.Invocation{Dir: command.Known(dir, tool.Span{})}
	quoted := make([]string, len(args))
	for i, a := range args {
		inv.Words = append(inv.Words, command.Known(a, tool.Span{}))
		quoted[i] = "'" + strings.ReplaceAll(a, "'", `'\''`) + "'"
	}
	if len(args) == 0 {
		return false
	}
	cfg.Guard.Library.Read(inv, cfg.World)
	if !slices.ContainsFunc(inv.Effects, otherMachine) {
		return false // which is nearly always so, and quickly found out
	}
	v, _ := cfg.Guard.Judge(tool.Call{Agent: "wall", Tool: "Bash", Dir: dir, Script: strings.Join(quoted, " "), Shell: true}, cfg.World)
	return v.Decision <= tool.Pass
}

// otherMachine says whether an effect is on another machine.
func otherMachine(e tool.Effect) bool {
	return e.Kind.IsHost() && e.Target != "@local" && e.Target != "localhost" && !strings.HasPrefix(e.Target, "127.")
}
