// Package shell reads a script the way bash does, without running it, and lists
// the programs it would run with their words resolved as far as they are known.
//
// The reader is an abstract interpreter: values flow through assignments and
// expansions, the working directory through cd, and every way through the
// script that may be taken is taken. What cannot be known is a value too; what
// cannot be followed is a gap.
package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// Result is what a script would run.
type Result struct {
	Invocations []*command.Invocation // in the order in which they run
	Gaps        []command.Gap         // what could not be followed
	Parsed      bool
	Problem     string        // where and why it does not parse
	Restored    []tool.Effect // writes of what git has in a commit
}

// Bounds on the work of one call.
const (
	maxSteps  = 20000
	maxLevels = 24 // functions, scripts and substitutions inside each other
	maxGaps   = 50
)

// Resolve reads a script that starts in dir.
func Resolve(script, dir string, w *tool.World, lib *command.Library) (res Result) {
	r := newReader(w, lib)
	defer func() {
		// A panic is a bug here; what was found before it is kept.
		if recover() != nil {
			r.parsed = false
			r.problem = "the script could not be followed to its end"
			r.gap(r.problem, tool.Span{End: len(script)})
			res = r.result()
		}
	}()
	return r.resolve(script, dir)
}

func (r *reader) resolve(script, dir string) Result {
	if r.world == nil {
		r.world = &tool.World{}
	}
	r.start = dir
	states := r.follow(script, r.begin(dir))
	if fed := r.fedByNet(states); len(fed) > 0 {
		// Who reads a pipe reads what is written to it later, or by the next stage.
		again := newReader(r.world, r.lib)
		again.maxStates, again.start = r.maxStates, dir
		r = again
		first := r.begin(dir)
		for _, f := range fed {
			first.files.update(f.path, func(to *file) { *to = f })
		}
		r.follow(script, first)
	}
	return r.result()
}

// follow reads a whole script, from its first state to whatever is left in the end.
func (r *reader) follow(script string, first *state) []*state {
	if r.room = r.allowed; r.room == 0 {
		r.room = roomFor(script)
	}
	r.given = script
	states := r.script(script, &source{at: value.At(0), whole: tool.Span{End: len(script)}}, []*state{first})
	r.finish(states)
	outlived(r, states)
	r.shown(states)
	r.skim(len(script))
	return states
}

// begin is the state that a script starts in.
func (r *reader) begin(dir string) *state {
	s := &state{
		world: r.world,
		toil:  &r.toil,
		dir:   command.Word{},
		stdin: command.Data{None: true}, // of the shell's own, which reads nothing known: some agents can write to it
		out:   command.Data{Reach: tool.Exact},
		shown: true,
	}
	if strings.HasPrefix(dir, "/") {
		s.dir = command.Word{Text: paths.Clean("/", dir), Reach: tool.Exact}
	}
	for _, path := range r.world.Brought {
		s.files.update(path, func(f *file) { f.data = command.Data{Taint: command.FromNet} })
	}
	return s
}

// fedByNet is the pipes in the file system that something from the network is
// written to.
func (r *reader) fedByNet(states []*state) []file {
	var fed []file
	for _, path := range r.fifos {
		for _, s := range states {
			if f := s.wrote(path); f != nil && f.data.Taint&command.FromNet != 0 {
				fed = append(fed, file{path: path, data: command.Data{Taint: f.data.Taint}})
				break
			}
		}
	}
	return fed
}

// reader holds what does not depend on the way taken through the script, and runs it.
type reader struct {
	ledger
	memo

	levels int  // statements inside each other
	async  int  // pipelines and background commands around the node being run
	staged int  // last stages of pipelines around it that are read as zsh runs them
	nests  int  // scripts around it
	crowd  bool // there has been more than one state: nodes may run again

	pipes    int          // pipelines so far
	aliasing []string     // aliases being expanded
	calls    []activation // functions being run, outermost first
	reading  []scriptFile // being read as scripts
	left     []remainder  // what was not judged when the steps were taken
	fifos    []string     // pipes in the file system that the script makes
}

func newReader(w *tool.World, lib *command.Library) *reader {
	r := &reader{}
	r.world, r.lib, r.parsed = w, lib, true
	return r
}

type scriptFile struct{ path, text string }

// process is one running shell: a script that another runs begins a new one.
type process struct {
	frame
	texts []text // run in this shell
	traps []trap
	eased bool      // a trap may come between two commands, and change options
	noise occasions // on which a trap prints something
	pipe  int       // number of the pipeline around the node
	stage int

	watcher         // of all that runs
	since   watcher // the first trap was set
}

// site is where commands run, and on whose behalf.
type site struct {
	world  *tool.World
	lib    *command.Library
	remote bool   // on another machine: its files are not ours
	alters string // what a change there amounts to, if programs may look around
	code   string // what running the project's code there amounts to, if it is one of the project's containers
	device string // the kind of device it is, if it has programs of its own
	// project says that the project's definition of a task is being read.
	project bool
	via     []string
	without []command.Word // variables that were taken out of the environment; one that is not known for all
}

// frame is where in its shell the node being run stands.
type frame struct {
	loops    int  // around it
	outside  bool // there are loops around the subshell or function that it is in
	around   int  // loops around the function that it is in: zsh lets it leave them
	depth    int  // functions around it
	sourcing int  // files being read by source
	sprung   bool // in the text of a trap, and not in a function that it calls: there may be no loop and no function around it to leave
	inlined  int  // texts being run by eval, source and the like
	inner    bool // a shell of its own, which another goes on behind
	lone     bool // all that it runs is one program
	strict   bool // a failure ends the shell, where an option says so: nothing around it looks at how it ends
	// failed are the states in which an arithmetic command may have failed, after which the line goes on;
	// failing says that there is one.
	failing bool
	failed  []*state
	// stranded are the states in which bash may have given up on the line.
	stranded pile
	// aborted are those in which a shell may have given up on the text that eval or source runs, or on
	// the inner shell that it is.
	aborted pile
	held    held
}

// held is what a shell has printed in front of a part of what it runs, the output of which is looked at by itself.
type held struct {
	is  bool
	out command.Data
	to  sink // where that part prints to
}

// hold keeps what was printed before a part that prints to a stream, and returns what was held before.
func (at *frame) hold(out command.Data, to sink) (was held) {
	was = at.held
	switch {
	case was.is && was.to != toParent: // which takes all of it
		return was
	case was.is:
		out = was.out.Then(out)
	}
	at.held = held{true, out, to}
	return was
}

// thrown is a state in which the shell gives up on what it runs: it has printed what was held, too.
func (at *frame) thrown(s *state) *state {
	f := s.thrownOut(at.depth)
	switch h := &at.held; {
	case !h.is:
	case h.to == toParent:
		f.out = h.out.Then(f.out)
	case h.to == toFile:
		f.out = h.out
	default:
		f.out = command.Data{Taint: h.out.Taint | f.out.Taint}
	}
	return f
}

// strand notes that bash may give up here on the line that it is running, and go on
// with the next.
func (led *ledger) strand(s *state) {
	led.stranded = led.heap(led.stranded, led.thrown(s))
	if led.failing {
		led.failed = append(led.failed, s.fork())
	}
	led.abort(s)
	if led.inlined > 0 {
		led.quit(s)
	}
}

// abort notes that zsh, or what sh is, may give up here on the text that it runs by eval or source, or
// on the substitution or subshell that it is, and go on behind that.
func (led *ledger) abort(s *state) {
	if led.world.Zsh || s.opts&optPosix != 0 {
		led.giveUp(s)
	}
}

// refuseZsh is abort for what only zsh takes for an error.
func (led *ledger) refuseZsh(s *state) {
	if led.world.Zsh {
		led.giveUp(s)
	}
}

// refuseSh is abort for what is an error to shells that know nothing beyond the standard.
func (led *ledger) refuseSh(s *state) {
	if s.opts&optPosix != 0 {
		led.giveUp(s)
	}
}

// giveUp is abort for what is an error to every shell.
func (led *ledger) giveUp(s *state) {
	if led.inlined > 0 || led.inner {
		led.aborted = led.heap(led.aborted, led.thrown(s))
	}
}

// quit notes that an inner shell may end here, whatever it runs by eval or source.
func (led *ledger) quit(s *state) {
	if led.inner {
		f := led.thrown(s)
		f.jump = exits
		led.aborted = led.heap(led.aborted, f)
	}
}

// endOnError notes that a command may have failed that ends an inner shell then.
func (led *ledger) endOnError(states []*state) {
	if !led.inner {
		return
	}
	for _, s := range states {
		if (s.opts|s.doubt)&(optErrexit|optEndtrap) != 0 && (s.hint != succeeded || s.frail) {
			led.quit(s)
		}
	}
}

// thrownOut is a state in which an error has ended all functions, which are so deep.
func (s *state) thrownOut(depth int) *state {
	f := s.fork()
	f.ended()
	f.jump, f.levels = none, 0
	if depth > 0 {
		f.dropLocals(1)
		f.params, f.many, f.loose = []command.Word{{}}, true, 1
	}
	return f
}

// activation is a call of a function.
type activation struct {
	body  *syntax.Stmt
	async int // of the reader when it was called
}

// stream is a process substitution that a word stands for.
type stream struct {
	path string
	data command.Data
	span tool.Span
	from int // its invocations, where they were not listed before
	to   int
}

type streams []stream

type trap struct {
	text    command.Word
	scratch bool   // it is made of paths of temporary files, which are marked
	set     *state // what the script was like when it was set
}

func (n *notes) result() Result {
	return Result{Invocations: n.invocations, Gaps: n.gaps, Parsed: n.parsed, Problem: n.problem, Restored: n.restored}
}

// gap notes something that could not be followed.
func (n *notes) gap(why string, span tool.Span) {
	for _, g := range n.gaps {
		if g.Why == why && g.Span == span {
			return
		}
	}
	if len(n.gaps) < maxGaps {
		n.gaps = append(n.gaps, command.Gap{Why: why, Span: span})
	}
}

// roomFor is how many steps a script may take: what usual ones need, ten times over,
// and more the longer it is. The first kilobyte gets less, so that a small script does
// not take long.
func roomFor(script string) int {
	return min(maxSteps, 600+len(script)/2+max(0, len(script)-1000))
}

// grant gives a text that was found on the disk steps of its own, however often it
// is run.
func (bud *budget) grant(text string) {
	if had, found := bud.found[text]; found && !had && bud.room > 0 {
		bud.found[text] = true
		bud.room = min(maxSteps, bud.room+roomFor(text))
	}
}

// spend takes one step of the budget; it says whether there is none left.
func (r *reader) spend() bool {
	room := r.room
	if room == 0 {
		room = maxSteps
	}
	if r.steps++; r.steps+r.toil.steps() <= room && !r.late {
		if r.steps&63 != 0 || r.world.Stop == nil || !r.world.Stop() {
			return false
		}
		r.late = true
	}
	if !r.spent {
		r.spent = true
		r.gap("too much to follow", tool.Span{})
	}
	return true
}

func (src *source) nodeSpan(n syntax.Node) tool.Span {
	return src.span(int(n.Pos().Offset()), int(n.End().Offset()))
}
