// Package behind runs programs behind walls under the rules in force. It
// implements "longline wall" and longline-wall.
package behind

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"longline/internal/audit"
	"longline/internal/config"
	"longline/internal/guard"
	"longline/internal/state"
	"longline/internal/veil"
	"longline/internal/wall"
)

// Exit statuses, besides those of package wall and of the program.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// WholeArg is the word by which longline is told to build the wall itself: longline-wall
// says it when the rules have to be read in the language that people write them in. It
// opens nothing.
const WholeArg = "--whole"

// Command is a process that builds walls.
type Command struct {
	Self []string // the words by which this program does it again
	Env  config.Env
	Out  io.Writer
	Err  io.Writer
	Load func(config.Options) (*config.Config, error)
	// Fetches says whether a command is known to need other machines, and is allowed to.
	Fetches func(cfg *config.Config, dir string, args []string) bool
	hides   bool
}

// Main is longline-wall. It reads no commands: which may reach other machines it is told by
// marks of who does.
func Main(args, env []string, out, err io.Writer) int {
	veil.Resume(signal.Ignore) // if it was started to go on filtering
	c := Command{Self: args[:1], Env: env, Out: out, Err: err, Load: config.Rules, Fetches: func(cfg *config.Config, _ string, args []string) bool { return cfg.MayFetch(args) }}
	return c.Run(args[1:])
}

// Run does what the arguments say and returns the exit status.
func (c *Command) Run(args []string) int {
	all := args
	if c.hides = len(args) > 0 && args[0] == guard.HideArg; c.hides {
		args = args[1:]
	}
	if problem := problemWith(args); problem != "" {
		return c.usage(problem)
	}
	if args[0] == wall.AttemptArg && len(args) == 2 {
		return wall.Attempt(args[1])
	}
	dir, err := os.Getwd()
	if err != nil {
		return c.noWall(err)
	}
	project, _ := c.Env.Get("CLAUDE_PROJECT_DIR")
	cfg, err := c.Load(options(c.Env, dir, project))
	if errors.Is(err, config.ErrNotCompiled) {
		err = c.whole(all)
	}
	if err != nil {
		return c.noWall(err)
	}
	switch args[0] {
	case wall.SuperviseArg:
		return c.supervise(cfg)
	case "--clean":
		return c.clean(cfg)
	case "--show":
		// Of the program that is asked about, if one is.
		fmt.Fprint(c.Out, c.plan(cfg, dir, args[1:]).Show(wall.Probe(nil)))
		return exitOK
	case config.ProbeArg:
		return c.probe(cfg)
	case "--":
		args = args[1:]
	}
	return c.program(c.plan(cfg, dir, args), cfg, args)
}

// options is how the rules for a directory are looked up, as package hook does it; to have it from there would make this program
// larger by all that a hook does, and it stays in memory beside every program that runs long.
func options(env config.Env, dir, project string) config.Options {
	return config.Options{Dir: dir, Project: project, Env: env, Trusted: func(dir, root, name, content string) bool {
		return state.Open(dir).Trusts(config.Repository(root), name, content)
	}, Pinned: func(dir, root, name string) string {
		pin, _ := state.Open(dir).Pinned(config.Repository(root), name)
		return pin.Content
	}}
}

func logOf(cfg *config.Config) audit.Log {
	return audit.Log{Path: cfg.Log, Keep: cfg.Guard.Policy.LogKeep}
}

// problemWith says what is wrong with the arguments.
func problemWith(args []string) string {
	switch {
	case len(args) == 0 || args[0] == "--" && len(args) == 1:
		return "which program?"
	case strings.HasPrefix(args[0], "-") && !slices.Contains([]string{"--", "--show", "--clean", wall.SuperviseArg, wall.AttemptArg, config.ProbeArg}, args[0]):
		return fmt.Sprintf("unknown flag %q: the rules decide what is open", args[0])
	}
	return ""
}

func (c *Command) program(plan *wall.Plan, cfg *config.Config, args []string) int {
	plan.Told = func(refused []wall.Refusal, failed bool) {
		var said []string
		for _, r := range refused {
			if one := r.Program + ": " + r.What; !slices.Contains(said, one) {
				said = append(said, one)
			}
		}
		_ = logOf(cfg).Append(time.Now(), audit.Act{Time: time.Now(), What: "wall-refused", Dir: plan.Dir, Subject: strings.Join(said, "; ")})
		if failed {
			r := wall.Chief(refused)
			cfg.SayRefused(args, r.Program+": "+r.What)
		}
	}
	if err := c.cover(plan, cfg); err != nil {
		return c.noWall(err)
	}
	status, err := wall.Run(plan, args, c.Err)
	if len(plan.Hidden) > 0 {
		names := slices.Sorted(maps.Keys(plan.Hidden))
		_ = logOf(cfg).Append(time.Now(), audit.Act{Time: time.Now(), What: "masked", Dir: plan.Dir, Subject: strings.Join(names, ", ")})
	}
	c.cleanNowAndThen(cfg)
	if notRun := (*os.PathError)(nil); errors.As(err, &notRun) {
		fmt.Fprintf(c.Err, "longline wall: %s: %v\n", notRun.Path, notRun.Err)
		if status == wall.StatusNoWall {
			status = wall.StatusNoExec
		}
		return status
	}
	if err != nil {
		// So that nobody is sent here again before the machine is another one.
		cfg.SayTried(config.WallTried{Why: err.Error()})
		return c.noWall(err)
	}
	return status
}

// cover puts a filter before what the program prints, unless a person looks at it: the values of secrets become their names.
func (c *Command) cover(plan *wall.Plan, cfg *config.Config) (err error) {
	if isTerminal(os.Stdout) && isTerminal(os.Stderr) {
		return nil
	}
	plan.Cover, err = veil.Put(veil.Near(cfg.Guard.Policy.Ground(cfg.World), cfg.World, c.Env, nil), os.Stdout, os.Stderr)
	return err
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// probe tries walls and keeps what came of it.
func (c *Command) probe(cfg *config.Config) int {
	self := slices.Clone(c.Self)
	exe, err := os.Executable()
	if err != nil {
		return c.noWall(err)
	}
	self[0] = exe
	e := wall.Probe(self)
	cfg.SayTried(config.WallTried{Kind: e.Name, Why: e.Why, Open: e.Open})
	fmt.Fprintln(c.Out, e)
	if e.Name == "" {
		return exitFailed
	}
	return exitOK
}

// whole lets the longline beside this program build the wall: it reads the rules, and
// keeps them compiled for the next time.
func (c *Command) whole(args []string) error {
	path, err := config.Sibling()
	if err == nil {
		err = syscall.Exec(path, append([]string{"longline", "wall", WholeArg}, args...), c.Env)
	}
	return fmt.Errorf("the rules must be compiled, and longline could not be run: %w", err)
}

// supervise goes on where another process has ended.
func (c *Command) supervise(cfg *config.Config) int {
	err := wall.Supervise(func(dir string, s wall.Settings) *wall.Plan {
		return c.planOf(cfg, dir, s)
	})
	if err != nil {
		return c.noWall(err)
	}
	return exitOK
}

// clean removes private caches that nobody uses.
func (c *Command) clean(cfg *config.Config) int {
	removed, kept, err := wall.Clean(cfg.WallCaches(), time.Now())
	if err != nil {
		fmt.Fprintf(c.Err, "longline wall: error: %v\n", err)
		return exitFailed
	}
	what := "caches"
	if removed == 1 {
		what = "cache"
	}
	fmt.Fprintf(c.Out, "%d private %s removed, %d kept\n", removed, what, kept)
	return exitOK
}

// cleanNowAndThen starts the cleaning in a process of its own, once a day. Whoever waits
// for the program does not wait for it.
func (c *Command) cleanNowAndThen(cfg *config.Config) {
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
	wall.Detach(append(slices.Clone(c.Self), "--clean"))
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func (c *Command) noWall(err error) int {
	fmt.Fprintf(c.Err, "longline wall: error: %v; nothing was run\n", err)
	return wall.StatusNoWall
}

func (c *Command) usage(text string) int {
	fmt.Fprintf(c.Err, "longline: error: wall: %s\nlongline: hint: run \"longline help wall\"\n", text)
	return exitUsage
}

// plan is what a wall leaves open in a directory.
func (c *Command) plan(cfg *config.Config, dir string, args []string) *wall.Plan {
	return c.planOf(cfg, dir, wall.Settings{Network: c.Fetches(cfg, dir, args), Keeps: cfg.Keeps(args), Hides: c.hides})
}

func (c *Command) planOf(cfg *config.Config, dir string, s wall.Settings) *wall.Plan {
	w := cfg.Guard.Policy.Walls
	s.Write, s.Sockets, s.Hosts, s.Keep, s.Private, s.State = w.Write, w.Sockets, w.Hosts, w.Env, cfg.WallPrivate(), cfg.StateDir()
	plan := wall.For(cfg.Guard.Policy, cfg.World, dir, c.Env, s)
	plan.Self = c.Self
	return plan
}
