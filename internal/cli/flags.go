package cli

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"longline/internal/config"
	"longline/internal/hook"
	"longline/internal/paths"
	"longline/internal/screen"
	"longline/internal/source"
)

// flagSet starts the flags of a subcommand. Its messages have the form of all
// others; usage is printed for -h alone, not after every slip.
func (p *process) flagSet(name string) *flag.FlagSet {
	flags := flag.NewFlagSet("longline "+name, flag.ContinueOnError)
	flags.SetOutput(discard{})
	flags.Usage = func() {}
	return flags
}

type discard struct{}

func (discard) Write(b []byte) (int, error) { return len(b), nil }

// choice is the value of a flag of which the words are known. Completion offers them;
// whether it is one of them is for the subcommand to say.
type choice struct {
	to     *string
	values []string
}

func (c *choice) String() string {
	if c.to == nil {
		return ""
	}
	return *c.to
}

func (c *choice) Set(text string) error {
	*c.to = text
	return nil
}

// choose registers a flag of which the words are known.
func choose(flags *flag.FlagSet, to *string, name, about string, values ...string) *string {
	flags.Var(&choice{to, values}, name, about)
	return to
}

// parse reads flags that may stand before and after the arguments; after "--"
// everything is an argument. It returns done when there is nothing left to do
// but to exit with status.
func (p *process) parse(flags *flag.FlagSet, args []string) (rest []string, status int, done bool) {
	if p.flags != nil {
		p.flags(flags)
	}
	var verbatim []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, verbatim = args[:i], args[i+1:]
	}
	for len(args) > 0 {
		err := flags.Parse(args)
		name := nameOf(flags)
		if errors.Is(err, flag.ErrHelp) {
			return nil, helpOn(p, name, flags), true
		}
		if err != nil {
			return nil, p.flagError(flags, args, name, err), true
		}
		if args = flags.Args(); len(args) > 0 {
			rest, args = append(rest, args[0]), args[1:]
		}
	}
	return append(rest, verbatim...), exitOK, false
}

// parseAlone is parse for a subcommand that takes flags and nothing else.
func (p *process) parseAlone(flags *flag.FlagSet, args []string) (status int, done bool) {
	rest, status, done := p.parse(flags, args)
	if !done && len(rest) > 0 {
		return p.usageError(nameOf(flags), "unexpected argument %q", rest[0]), true
	}
	return status, done
}

// parseOne is parse for a subcommand that takes one argument at most.
func (p *process) parseOne(flags *flag.FlagSet, args []string, what string) (rest []string, status int, done bool) {
	rest, status, done = p.parse(flags, args)
	if !done && len(rest) > 1 {
		return nil, p.usageError(nameOf(flags), "expected one %s, found %d arguments", what, len(rest)), true
	}
	return rest, status, done
}

// nameOf is the subcommand that flags belong to.
func nameOf(flags *flag.FlagSet) string { return strings.TrimPrefix(flags.Name(), "longline ") }

// failed says what has kept a subcommand from doing its work.
func (p *process) failed(name string, err error) int {
	p.errorf("%s: %v", name, err)
	return exitFailed
}

// statusIf is the exit status of work in which something may have failed.
func statusIf(failed bool) int {
	if failed {
		return exitFailed
	}
	return exitOK
}

// cutWord takes a word off the front of arguments, and says whether it was there.
func cutWord(rest []string, word string) ([]string, bool) {
	if len(rest) > 0 && rest[0] == word {
		return rest[1:], true
	}
	return rest, false
}

// flagError says what is wrong with a flag, in longline's words where package
// flag has others.
func (p *process) flagError(flags *flag.FlagSet, args []string, name string, err error) int {
	if unknown, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
		var known []string
		flags.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
		typed := "--" + unknown
		if slices.Contains(args, "-"+unknown) {
			typed = "-" + unknown
		}
		p.errorf("%s: unknown flag %q", name, typed)
		if near := source.Nearest(unknown, known); near != "" {
			p.hintf("did you mean %q?", dashed(near))
			return exitUsage
		}
	} else if lacking, ok := strings.CutPrefix(err.Error(), "flag needs an argument: -"); ok {
		p.errorf("%s: %s needs a value", name, dashed(lacking))
	} else {
		p.errorf("%s: %v", name, err)
	}
	p.hintf("run \"longline help %s\" for its flags; a command to judge is one quoted argument", name)
	return exitUsage
}

// dashed is a flag as people write it.
func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// usageError reports a wrong use of a subcommand.
func (p *process) usageError(name, format string, args ...any) int {
	p.errorf("%s: %s", name, fmt.Sprintf(format, args...))
	p.hintf("run \"longline help %s\"", name)
	return exitUsage
}

// place is the part of the command line that says which policy judges, and
// from where. The zero place is this process's own.
type place struct {
	config    string
	dir, home string
	project   string
	bundle    *config.Bundle // instead of the one that is installed
}

func (pl *place) register(flags *flag.FlagSet) {
	flags.StringVar(&pl.config, "config", "", "use the rules in `FILE` instead of yours")
	flags.StringVar(&pl.dir, "cwd", "", "judge as if in `DIR`")
	flags.StringVar(&pl.project, "project", "", "judge as if `DIR` were the project; default: the repository you are in")
	flags.StringVar(&pl.home, "home", "", "judge as if `DIR` were the home directory")
}

// tell says that a directory is not there: a command is judged by what would be in it.
func (pl place) tell(p *process) {
	if info, err := os.Stat(pl.dir); pl.dir != "" && pl.home == "" && (err != nil || !info.IsDir()) {
		fmt.Fprintf(p.err, "longline: note: %s does not exist; longline treats it as empty\n", screen.Clean(pl.dir, ""))
	}
}

// load reads the policy that is active at a place.
func (p *process) load(pl place) (*config.Config, error) {
	windows := pl.spelled()
	dir := pl.dir
	if dir == "" || !filepath.IsAbs(dir) {
		here, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		dir = filepath.Join(here, dir)
	}
	home := pl.home
	if home != "" && !filepath.IsAbs(home) {
		return nil, fmt.Errorf("--home %q is not an absolute path", home)
	}
	if pl.project != "" && !filepath.IsAbs(pl.project) {
		return nil, fmt.Errorf("the project %q is not an absolute path", pl.project)
	}
	o := hook.Options(p.env, pl.config, filepath.Clean(dir), p.named(pl.project))
	o.Home, o.Bundle, o.Limit, o.Windows = home, pl.bundle, p.limit, windows
	return load(o)
}

// spelled gives the places of another machine, which runs Windows, the form that paths have here. It says whether there are any.
func (pl *place) spelled() (windows bool) {
	for _, dir := range [...]*string{&pl.dir, &pl.home, &pl.project} {
		if runtime.GOOS != "windows" && paths.OfWindows(*dir) {
			if path, ok := paths.FromWindows(*dir); ok {
				*dir, windows = path, true
			}
		}
	}
	return windows
}

// named is the project that was named: on the command line, or by the client that
// runs this.
func (p *process) named(project string) string {
	if project == "" {
		project, _ = p.env.Get("CLAUDE_PROJECT_DIR")
	}
	return project
}
