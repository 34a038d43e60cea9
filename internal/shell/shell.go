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
	"longline/internal/tool"
	"longline/internal/value"

	"mvdan.cc/sh/v3/syntax"
)

// Result is what a script would run.
type Result struct {
	Invocations []*command.Invocation // in the order in which they run
	Gaps        []command.Gap         // what could not be followed
	Parsed      bool
	Problem     string // where and why it does not parse
}

// Bounds on the work of one call.
const (
	maxSteps  = 20000
	maxLevels = 24 // functions, scripts and substitutions inside each other
	maxGaps   = 50
)

// Resolve reads a script that starts in dir.
func Resolve(script, dir string, w *tool.World, lib *command.Library) (res Result) {
	r := &reader{world: w, lib: lib, parsed: true}
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
	s := r.begin(dir)
	states := r.script(script, &source{at: value.At(0), whole: tool.Span{End: len(script)}}, []*state{s})
	r.atExit(states)
	r.shown(states)
	if fed := r.fedByNet(states); len(fed) > 0 {
		// Who reads a pipe reads what is written to it later, or by the next stage.
		again := &reader{world: r.world, lib: r.lib, parsed: true}
		first := r.begin(dir)
		first.files = fed
		states = again.script(script, &source{at: value.At(0), whole: tool.Span{End: len(script)}}, []*state{first})
		again.atExit(states)
		again.shown(states)
		return again.result()
	}
	return r.result()
}

// begin is the state that a script starts in.
func (r *reader) begin(dir string) *state {
	s := &state{
		dir:   command.Word{},
		zero:  command.Known("bash", tool.Span{}),
		stdin: command.Data{None: true},
		out:   command.Data{Reach: tool.Exact},
	}
	if strings.HasPrefix(dir, "/") {
		s.dir = command.Word{Text: value.Clean("/", dir), Reach: tool.Exact}
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

// reader holds what does not depend on the way taken through the script.
type reader struct {
	world *tool.World
	lib   *command.Library
	src   *source // of the node being run

	invocations []*command.Invocation
	gaps        []command.Gap
	parsed      bool
	problem     string

	steps       int
	spent       bool
	levels      int  // statements inside each other
	loops       int  // loops around the node being run
	outside     bool // there are loops around the subshell that the node is in
	conds       int  // conditions around it, in which errexit does not count
	async       int  // pipelines and background commands around it
	depth       int  // functions around it
	nests       int  // scripts around it
	crowd       bool // there has been more than one state: nodes may run again
	loose       int  // 1 + index of the first word, of those last expanded, that may be several
	args        bool // the word is an argument: a tilde counts behind NAME=
	colons      bool // the word is assigned: a tilde counts behind a colon
	sourcing    int  // files being read by source
	substituted bool // a substitution has run since this was last cleared

	remote bool   // on another machine: its files are not ours
	alters string // what a change there amounts to, if programs may look around
	device string // the kind of device it is, if it has programs of its own
	// project says that the project's definition of a task is being read.
	project bool
	via     []string
	pipes   int // pipelines so far
	pipe    int // number of the pipeline around the node
	stage   int

	aliasing []string     // aliases being expanded
	calls    []frame      // functions being run, outermost first
	reading  []scriptFile // being read as scripts
	traps    []trap
	seen     map[syntax.Node][]record
	procs    []stream
	fifos    []string // pipes in the file system that the script makes
	looked   []directory
}

type scriptFile struct{ path, text string }

// frame is a call of a function.
type frame struct {
	body  *syntax.Stmt
	async int // of the reader when it was called
}

// stream is a process substitution that a word stands for.
type stream struct {
	path string
	data command.Data
}

type trap struct {
	text  command.Word
	state *state
	src   *source
}

func (r *reader) result() Result {
	return Result{Invocations: r.invocations, Gaps: r.gaps, Parsed: r.parsed, Problem: r.problem}
}

// gap notes something that could not be followed.
func (r *reader) gap(why string, span tool.Span) {
	for _, g := range r.gaps {
		if g.Why == why && g.Span == span {
			return
		}
	}
	if len(r.gaps) < maxGaps {
		r.gaps = append(r.gaps, command.Gap{Why: why, Span: span})
	}
}

// spend takes one step of the budget; it says whether there is none left.
func (r *reader) spend() bool {
	if r.steps++; r.steps <= maxSteps {
		return false
	}
	if !r.spent {
		r.spent = true
		r.gap("too much to follow", tool.Span{})
	}
	return true
}

func (r *reader) nodeSpan(n syntax.Node) tool.Span {
	return r.src.span(int(n.Pos().Offset()), int(n.End().Offset()))
}
