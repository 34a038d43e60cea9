package cli

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/explain"
	"longline/internal/history"
	"longline/internal/replay"
	"longline/internal/screen"
	"longline/internal/session"
	"longline/internal/tool"
)

func checkCommand() subcommand {
	return subcommand{
		name: "check", usage: "[FLAGS] [COMMAND]", flags: true,
		purpose: forTryIt, example: "check 'rm -rf /'",
		short: "judge a command and print the decision",
		help: `Without COMMAND it judges each line of standard input, or of --file, as a separate
command. It runs nothing and logs nothing.

  longline check 'git push --force'
  longline check --agent claude 'npm install left-pad'
  longline check --script --file deploy.sh
  longline check --jsonl <commands.jsonl

  longline check --replay ~/.claude/hooks-logs/longline.jsonl
  longline check --replay - --bundle stable.bundle

The answer is that of the hook, but for what the hook alone knows: the session, what
files hold that an agent is about to read, and, without --agent, the permissions of
an agent (--json lists this as left_out).

The exit status is that of the strictest decision: 0 allow or pass, 10 ask, 20
deny; with --replay, 1 if a decision changes. --bundle compares the rules in
force with and without that bundle.`,
		run: runCheck,
	}
}

// checkFlags are what check is told on the command line.
type checkFlags struct {
	place place
	as    viewpoint

	file, replay, bundle  string
	script, asJSON, jsonl bool
}

func (f *checkFlags) register(flags *flag.FlagSet) {
	f.place.register(flags)
	f.as.register(flags)
	flags.StringVar(&f.file, "file", "", "read commands from `FILE`; - is standard input")
	flags.BoolVar(&f.script, "script", false, "the whole input is one script")
	flags.BoolVar(&f.asJSON, "json", false, "print JSON")
	flags.BoolVar(&f.jsonl, "jsonl", false, `judge JSON lines (command, or tool, input and source; cwd, home, project, session, content_verdict)`)
	flags.StringVar(&f.replay, "replay", "", "judge the commands in `LOG` again and show changes; - is the active log")
	flags.StringVar(&f.bundle, "bundle", "", "with --replay: use the bundle in `FILE`, and show for whom answers change")
}

// reads reports whether commands are to be read from a file or from standard input.
func (f *checkFlags) reads() bool { return f.file != "" || f.script || f.jsonl }

// problem says what is wrong with the flags and arguments.
func (f *checkFlags) problem(commands int) string {
	if problem := f.as.problem(); problem != "" {
		return problem
	}
	switch {
	case commands > 1:
		return fmt.Sprintf("expected one command, found %d arguments; put the command in quotes", commands)
	case f.replay != "":
		return f.replayProblem(commands)
	case f.bundle != "":
		return "--bundle needs --replay"
	case commands == 1 && f.reads():
		return "COMMAND cannot be combined with --file, --script or --jsonl"
	case f.jsonl && (f.asJSON || f.script):
		return "--jsonl cannot be combined with --json or --script"
	}
	return ""
}

// replayProblem says what cannot be combined with a log to judge again.
func (f *checkFlags) replayProblem(commands int) string {
	if commands > 0 || f.reads() || f.as != (viewpoint{}) {
		return "--replay can be combined with --json and --bundle only"
	}
	return ""
}

func runCheck(p *process, args []string) int {
	var f checkFlags
	flags := p.flagSet("check")
	f.register(flags)
	rest, status, done := p.parse(flags, args)
	if done {
		return status
	}
	if problem := f.problem(len(rest)); problem != "" {
		return p.usageError("check", "%s", problem)
	}
	c := checker{p: p, place: f.place, as: f.as, configs: map[place]*config.Config{}}
	f.place.tell(p)
	// A policy that cannot be read is said before anything is judged by it.
	cfg, err := c.at(f.place)
	switch {
	case err != nil:
		return p.configError(err)
	case f.replay != "":
		return c.replayed(cfg, &f)
	case len(rest) == 1:
		return c.one(rest[0], f.asJSON)
	}
	in, err := p.open(f.file)
	if err != nil {
		p.errorf("check: %v", err)
		return exitUsage
	}
	defer in.Close()
	switch {
	case f.jsonl:
		return c.lines(in)
	case f.script:
		text, err := readScript(in)
		if err != nil {
			return p.usageError("check", "%v", err)
		}
		return c.one(text, f.asJSON)
	}
	return c.many(in, f.asJSON)
}

// replayed judges the commands of a log again.
func (c *checker) replayed(cfg *config.Config, f *checkFlags) int {
	judge := func(of replay.Call, bundle *config.Bundle) (tool.Verdict, error) {
		at := c.place.within(of.Dir, "", "")
		at.bundle = bundle
		c.as.edits, c.as.agent = of.Edits, of.Agent
		v, _, err := c.judge(of.Command, at)
		return v, err
	}
	by := replay.Judges{Now: func(of replay.Call) (tool.Verdict, error) { return judge(of, nil) }}
	if f.bundle != "" {
		_, made, err := readBundle(f.bundle)
		if err != nil {
			return c.p.usageError("check", "%v", err)
		}
		candidate := made.Config()
		by = replay.Judges{Before: by.Now, Now: func(of replay.Call) (tool.Verdict, error) { return judge(of, candidate) }}
	}
	r, lines, err := c.replay(cfg, f.replay, by)
	if err != nil {
		c.p.errorf("check: %v", err)
		return exitUsage
	}
	result, status := r.Result(lines), exitOK
	if result.Changed > 0 {
		status = exitFailed
	}
	out := bufio.NewWriter(c.p.out)
	if f.asJSON {
		err = screen.WriteJSON(out, true, result)
	} else {
		result.Write(out, c.p.style())
	}
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	return c.p.ended(err, status)
}

// replay reads a log, or the active one, and judges its calls again.
func (c *checker) replay(cfg *config.Config, name string, by replay.Judges) (*replay.Replay, history.Count, error) {
	var lines history.Count
	if name == "-" {
		name = ""
	}
	files, err := openLog(cfg, name)
	if err != nil {
		return nil, lines, err
	}
	defer files.Close()
	r := replay.New(by)
	return r, lines, lines.ReadFiles(files, func(rec *history.Record, _ []byte) error { return r.Line(rec) })
}

// open opens a file named on the command line. A person at a terminal who
// names none has most likely forgotten something.
func (p *process) open(name string) (io.ReadCloser, error) {
	if name != "" && name != "-" {
		return os.Open(name)
	}
	if name == "" && screen.IsTerminal(p.in) {
		return nil, fmt.Errorf("no command given; try longline check 'rm -rf /'")
	}
	return io.NopCloser(p.in), nil
}

// readScript reads the whole of a script, which has a bound.
func readScript(in io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err == nil && len(text) > maxInput {
		err = fmt.Errorf("the script is longer than %d bytes", maxInput)
	}
	return string(text), err
}

// checker judges one command after the other. Policies are kept by place,
// since a list of commands may name a directory with each of them.
type checker struct {
	p       *process
	place   place
	as      viewpoint
	configs map[place]*config.Config
	// forget has the disk looked at again, by place; nil if it is with every command.
	forget map[place]func()
	// sessions are those that lines of --jsonl belong to.
	sessions map[string]*session.Journal
}

func (c *checker) at(pl place) (*config.Config, error) {
	if cfg := c.configs[pl]; cfg != nil {
		return cfg, nil
	}
	cfg, err := c.p.load(pl)
	if err != nil {
		return nil, err
	}
	c.as.use(cfg)
	if len(c.configs) >= 64 {
		clear(c.configs)
		clear(c.forget)
	}
	c.configs[pl] = cfg
	if c.forget != nil {
		c.forget[pl] = cfg.AtOnce()
	}
	return cfg, nil
}

// lookAgain has the disk looked at again for the next line.
func (c *checker) lookAgain() {
	for _, forget := range c.forget {
		forget()
	}
}

func (c *checker) judge(script string, pl place) (tool.Verdict, []*command.Invocation, error) {
	cfg, err := c.at(pl)
	if err != nil {
		return tool.Verdict{}, nil, err
	}
	v, invs := cfg.Judge(c.as.call("check", cfg.Dir, script))
	return v, invs, nil
}

// one judges a single command or script.
func (c *checker) one(script string, asJSON bool) int {
	v, _, err := c.judge(script, c.place)
	if err != nil {
		return c.p.configError(err)
	}
	if asJSON {
		err = screen.WriteJSON(c.p.out, true, c.resultOf(script, v))
	} else {
		_, err = io.WriteString(c.p.out, explain.Opinion(c.p.style(), v, "", explain.Told(c.as.agent, v))+explain.Changes(c.p.style(), v))
	}
	return c.p.ended(err, statusOf(v.Decision))
}

// collectLess has garbage collected an eighth as often, unless the user has said
// how often. Judging leaves nearly nothing behind, so that the heap stays at its
// least size, and to collect that again and again takes a fifth of the time of a
// batch. It costs about 50 MB.
func (p *process) collectLess() {
	if _, set := p.env.Get("GOGC"); !set {
		debug.SetGCPercent(800)
	}
}

// many judges each line of the input.
func (c *checker) many(in io.Reader, asJSON bool) int {
	c.p.collectLess()
	results := []result{}
	status, s := exitOK, c.p.style()
	out := bufio.NewWriter(c.p.out)
	err := eachLine(in, func(_ int, line string) error {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			return nil
		}
		v, _, err := c.judge(line, c.place)
		if err != nil {
			return err
		}
		status = max(status, statusOf(v.Decision))
		if asJSON {
			results = append(results, c.resultOf(line, v))
			return nil
		}
		if _, err := out.WriteString(explain.Opinion(s, v, line, explain.Told(c.as.agent, v)) + explain.Changes(s, v)); err != nil {
			return err
		}
		return out.Flush()
	})
	if err == nil && asJSON {
		err = screen.WriteJSON(out, true, results)
	}
	if err == nil {
		err = out.Flush()
	}
	return c.p.ended(err, status)
}

// result is one judgement as --json and --jsonl print it. Fields are added at
// the end and never change their meaning.
type result struct {
	Command   string   `json:"command"`
	Decision  string   `json:"decision"`
	Reason    string   `json:"reason"`
	Rules     []string `json:"rules"`
	Rewritten *string  `json:"rewritten"`
	Suggest   string   `json:"suggest,omitempty"`
	Walled    bool     `json:"walled,omitempty"`
	Means     []string `json:"means,omitempty"`
	LeftOut   []string `json:"left_out,omitempty"` // what an agent's hook would know besides
}

func (c *checker) resultOf(script string, v tool.Verdict) result {
	r := resultOf(script, v)
	r.LeftOut = c.as.leftOut(false)
	return r
}

func resultOf(script string, v tool.Verdict) result {
	r := result{Command: script, Decision: v.Decision.String(), Reason: v.Reason, Rules: ruleIDs(v), Suggest: v.Suggest, Means: v.Means.Names()}
	if rewrite := v.Rewrite; rewrite != "" {
		r.Rewritten, r.Walled = &rewrite, len(v.Walled) > 0
	}
	return r
}

func statusOf(d tool.Decision) int {
	// others: as a question.
	switch d {
	case tool.Allow, tool.Pass:
		return exitOK
	case tool.Deny:
		return exitDeny
	}
	return exitAsk
}

// ended turns an error of reading or printing into an exit status.
func (p *process) ended(err error, status int) int {
	if err != nil {
		p.errorf("%v", err)
		return exitUsage
	}
	return status
}

// configError says what is wrong with the configuration. An error that knows
// its place speaks for itself.
func (p *process) configError(err error) int {
	p.errorf("%v", err)
	return exitUsage
}

// eachLine hands every line to do, with its number from 1. Lines may be as
// long as a script may be.
func eachLine(in io.Reader, do func(number int, line string) error) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxInput)
	number := 0
	for lines.Scan() {
		number++
		if err := do(number, lines.Text()); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", number+1, err)
	}
	return nil
}

// within returns a line's directory: what it says, taken from where it stands.
func (pl place) within(dir, home, project string) place {
	if dir != "" {
		if !filepath.IsAbs(dir) && pl.dir != "" {
			dir = filepath.Join(pl.dir, dir)
		}
		pl.dir = dir
	}
	if home != "" {
		pl.home = home
	}
	if project != "" {
		pl.project = project
	}
	return pl
}
