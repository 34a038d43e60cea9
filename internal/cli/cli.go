// Package cli is the command line: one file per subcommand.
package cli

import (
	"flag"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"time"

	"longline/internal/config"
	"longline/internal/screen"
	"longline/internal/source"
	"longline/internal/veil"
)

// Exit statuses. Agents read 2 as "block", so everything that must not let a
// call through ends with it.
const (
	exitOK     = 0
	exitFailed = 1  // a test failed, a file could not be written
	exitUsage  = 2  // wrong usage or configuration
	exitAsk    = 10 // check: the strictest decision was ask
	exitDeny   = 20 // check: it was deny
)

// process is what a subcommand sees of the world.
type process struct {
	env config.Env
	in  io.Reader
	out io.Writer
	err io.Writer
	// person says why whoever runs this does not count as a person at a
	// terminal; nil is [process.atTerminal]. Tests have no terminal.
	person func() error
	// patience is how long somebody at a terminal waits before being shown how
	// far a long run is; 0 is the usual time.
	patience time.Duration
	// limit bounds each judgement; nil is [config.Limit].
	limit func() (stop func() bool)
	// flags is shown the flags of a subcommand before they are read, for tests.
	flags func(*flag.FlagSet)
}

// subcommand is one entry of the list below, and the one description of it: help,
// completion, the manual page and docs/commands.md come from it.
type subcommand struct {
	name    string
	purpose purpose
	usage   string   // arguments, as the synopsis shows them
	short   string   // one line for the overview
	help    string   // what "longline help NAME" adds
	example string   // how it is typically called
	words   []string // that may stand as its arguments, beside files
	names   bool     // so may the names of subcommands
	flags   bool     // it has flags, which -h lists
	long    bool     // a person reads what it prints, which may be long
	// Flags of a subcommand that reads its arguments itself.
	read []flagHelp
	run  func(p *process, args []string) int
}

// purpose is what one wants of a subcommand. Help shows them in this order.
type purpose string

const (
	forTryIt           purpose = "Try it"
	forGuardAgent      purpose = "Guard an agent"
	forWritePolicy     purpose = "Write a policy"
	forSharePolicy     purpose = "Share a policy"
	forSeeWhatHappened purpose = "See what happened"
	forDecideInPerson  purpose = "Decide in person"
	forReadOn          purpose = "Read on"
)

var purposes = []purpose{forTryIt, forGuardAgent, forWritePolicy, forSharePolicy, forSeeWhatHappened, forDecideInPerson, forReadOn}

// subcommands is in the order in which help shows them.
func subcommands() []subcommand {
	return []subcommand{
		checkCommand(),
		explainCommand(),
		scanCommand(),
		initCommand(),
		doctorCommand(),
		agentsCommand(),
		uninstallCommand(),
		hookCommand(),
		wallCommand(),
		serveCommand(),
		rulesCommand(),
		testCommand(),
		importCommand(),
		schemaCommand(),
		evaluateCommand(),
		bundleCommand(),
		syncCommand(),
		adminCommand(),
		logCommand(),
		statuslineCommand(),
		reportCommand(),
		reviewCommand(),
		undoCommand(),
		sessionCommand(),
		shipCommand(),
		trustCommand(),
		allowCommand(),
		allowOnceCommand(),
		pauseCommand(),
		contentCommand(),
		docsCommand(),
		helpCommand(),
		completionCommand(),
		versionCommand(),
	}
}

// Main runs longline and returns its exit status.
func Main(args, environ []string, in io.Reader, out, err io.Writer) int {
	veil.Resume(signal.Ignore) // if it was started to go on filtering
	return (&process{env: environ, in: in, out: out, err: err}).main(args)
}

func (p *process) main(args []string) int {
	// An agent's hook names nothing, "hook" or only flags of hook; it comes
	// first because it is the one that runs all day.
	if len(args) < 2 {
		if screen.IsTerminal(p.in) {
			return overview(p)
		}
		return runHook(p, nil)
	}
	name := args[1]
	switch name {
	case "hook":
		return runHook(p, args[2:])
	case "--help", "-h":
		return overview(p)
	case "--version":
		name = "version"
	}
	if strings.HasPrefix(name, "-") {
		return runHook(p, args[1:])
	}
	list := subcommands()
	names := make([]string, len(list))
	for i, c := range list {
		if c.name == name {
			return p.paged(&c, args[2:])
		}
		names[i] = c.name
	}
	p.errorf("unknown subcommand %q", name)
	if near := source.Nearest(name, names); near != "" {
		p.hintf("did you mean %q?", near)
	} else {
		p.hintf("run \"longline help\" for the list")
	}
	return exitUsage
}

// People are spoken to on standard error, in lower case and without a full
// stop: what is wrong first, what to do about it as a hint of its own.

func (p *process) errorf(format string, args ...any) {
	fmt.Fprintln(p.err, screen.Style{Fold: screen.IsTerminal(p.err)}.Hang(fmt.Sprintf("longline: error: "+format, args...)))
}

func (p *process) hintf(format string, args ...any) {
	fmt.Fprintln(p.err, screen.Style{Fold: screen.IsTerminal(p.err)}.Hang(fmt.Sprintf("longline: hint: "+format, args...)))
}
