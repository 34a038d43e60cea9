package shell

import (
	"slices"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// state is what the shell knows at one point of one way through the script. Forks
// share what they hold until one of them writes.
type state struct {
	world   *tool.World     // what it was born into
	toil    *toil           // of the reader, which all its states add to
	vars    table[variable] // those that programs get to see are marked
	scopes  *scope          // the local variables of the functions being run
	funcs   table[functions]
	aliases []alias
	files   files
	links   []command.Link
	running *running
	uproots []tool.Effect // what this shell has moved away, with all below it
	into    string        // the file that exec has led standard output to
	held    []string      // files that other descriptors have been opened to write to
	fds     descriptors
	params  []command.Word // $1, $2, ...
	zero    command.Word   // $0
	dir     command.Word
	stack   []command.Word // pushd; the current directory is not on it
	stdin   command.Data
	out     command.Data // what has been written to the standard output so far
	shown   bool         // the output goes to whoever runs the script, and is not kept
	opts    options
	doubt   options // those that may be the other way round
	turns   int     // how often one of them has been switched
	status  status  // of the last command, if this way was taken because of it
	hint    status  // how it seems to have ended otherwise
	frail   bool    // or it has failed, as a redirection may
	jump    jump
	levels  int  // loops that a break or continue still has to leave
	loose   int  // 1 + index of the first of params whose position is not certain
	many    bool // params may be followed by more that are not known
}

// status is how a command has ended. It is known only to a state that was forked
// off because of it, as behind && or by cd, which changes the directory if it ends
// well. Of other commands it is not believed: both ways behind them are followed.
// What it seems to be tells loops that go on for ever.
type status uint8

const (
	unknown status = iota
	succeeded
	failed
)

// jump is why a state runs nothing more of the list it is in.
type jump uint8

const (
	none jump = iota
	breaks
	continues
	returns
	exits
)

func (s *state) jumped() bool { return s.jump != none }

type options uint16

const (
	optAllexport options = 1 << iota
	optXtrace
	optExtglob
	optGlobstar
	optNoglob
	optNullglob
	optPosix
	optLastpipe
	optNounset
	optVerbose // what is read is shown, or handed to traps
	optNoclobber
	optErrexit
	optErrtrace  // traps for failures are inherited
	optFunctrace // and those that come at every step
	optPipefail
	optEndtrap // a trap for failures may end the shell
)

type attributes uint16

const (
	exported attributes = 1 << iota
	integer
	nameref
	readonly
	isArray
	isAssoc
	lowered
	uppered
	based // zsh writes the integer with the base that it once was given
)

// variable is a shell variable that the script has touched.
type variable struct {
	name  string
	words []command.Word // one for a scalar
	keys  []string       // of an associative or sparse array, beside words
	attrs attributes
	unset bool      // it is known to have no value
	bare  bool      // but for zsh, which gives it one with its declaration: nothing or 0
	open  bool      // there may be elements beside words
	loose int       // as in [state]
	local int       // depth of the function it belongs to
	vague bool      // it may have other attributes: what a child gets to see is not known
	front bool      // it stands in front of a command, for as long as that runs
	own   bool      // it may be the shell's own, though the environment has one of its name
	outer *variable // the one that it hides while the function runs
}

// Marks of variables and functions.
const (
	visible marks = 1 << iota // programs get to see it
	firm                      // something may be known of it
	sure                      // it may be known to have been touched
)

// scope is a local variable, and those that were made before it.
type scope struct {
	name  string
	depth int
	n     int // how many there are
	next  *scope
}

func (s *scope) push(name string, depth int) *scope {
	return &scope{name, depth, s.size() + 1, s}
}

// without is the list without the latest of a name and depth.
func (s *scope) without(name string, depth int) *scope {
	switch {
	case s == nil:
		return nil
	case s.name == name && s.depth == depth:
		return s.next
	}
	return s.next.without(name, depth).push(s.name, s.depth)
}

func (s *scope) size() int {
	if s == nil {
		return 0
	}
	return s.n
}

type function struct {
	name string
	body *syntax.Stmt
	src  *source
	exp  bool // export -f
}

// functions are what a name may stand for.
type functions struct {
	list []function
	sure bool // it is one of them, and not a program or a builtin
}

type alias struct {
	name, text string
	known      bool
}

// Bounds on what a script makes; beyond them it is not followed.
const (
	maxVars  = 2000
	maxFiles = 2000
	maxFuncs = 4000
	maxOpen  = 64
	maxNamed = 64 // aliases, links and functions of one name
	maxStack = 16
	maxElems = 128 // elements of an array, or parameters
)

func (s *state) fork() *state {
	c := *s
	return &c
}

// lookup returns the innermost variable of that name that the script has set. It
// must not be written to.
func (s *state) lookup(name string) *variable { return s.vars.get(name) }

// variable returns the variable of that name for writing.
func (s *state) variable(name string) *variable {
	if v := s.vars.get(name); v != nil {
		return s.vars.put(name, *v, firm|sure)
	}
	m := firm | sure
	v := variable{name: name, unset: true}
	if s.inherits(name) { // it holds what it holds there until somebody assigns to it
		m |= visible
		v.words, v.unset = []command.Word{anybodys(name)}, false
	}
	return s.vars.put(name, v, m)
}

// inherits says whether a variable comes with the environment, so that assigning to
// it changes what programs see.
func (s *state) inherits(name string) bool {
	switch name {
	case "PATH", "HOME", "PWD", "SHELL", "TMPDIR", "EDITOR", "VISUAL", "PAGER", "LANG", "LD_LIBRARY_PATH", "PYTHONPATH", "NODE_OPTIONS", "BROWSER":
		return true
	}
	if s.world != nil && s.world.Getenv != nil {
		_, ok := s.world.Getenv(name)
		return ok
	}
	return false
}

// hide makes a variable that hides the one of the same name until the function
// that is depth deep has ended.
func (s *state) hide(v variable, depth int) {
	v.local = depth
	v.outer = s.vars.get(v.name)
	v.own = v.own || s.world != nil && s.world.Zsh // which exports it only if it is told to
	if v.name == "PWD" && v.outer == nil {         // cd changes the one that hides it
		v.outer = &variable{name: v.name, words: []command.Word{s.dir}}
	}
	m := firm | sure
	if v.attrs&exported != 0 || s.inherits(v.name) {
		m |= visible
	}
	s.vars.put(v.name, v, m)
	s.scopes = s.scopes.push(v.name, depth)
}

// dropLocals removes the variables of a function that has ended.
func (s *state) dropLocals(depth int) {
	for ; s.scopes != nil && s.scopes.depth >= depth; s.scopes = s.scopes.next {
		v := s.vars.get(s.scopes.name)
		switch {
		case v == nil || v.local < depth:
		case v.outer != nil:
			s.vars.put(v.name, *v.outer, firm|sure)
		default:
			s.vars.remove(v.name)
		}
	}
}

func (s *state) set(name string, w command.Word) {
	if name == "_" {
		w = command.Word{Span: w.Span, Taint: w.Taint} // every command gives it its own last word
	}
	v := s.variable(name)
	v.words, v.keys, v.unset, v.open, v.loose = []command.Word{w}, nil, false, false, 0
	s.export(v)
}

// export gives a variable that is assigned the attribute that set -a gives.
func (s *state) export(v *variable) *variable {
	if s.opts&optAllexport != 0 {
		v.attrs |= exported
		v.vague = v.vague || s.doubt&optAllexport != 0
	}
	if v.attrs&exported == 0 || s.vars.marked(v.name, visible) {
		return v
	}
	return s.vars.put(v.name, *v, visible)
}

func (s *state) unsetVar(name string) {
	if name == "_" {
		s.set(name, command.Word{})
		return
	}
	v := s.variable(name)
	*v = variable{name: name, unset: true, local: v.local, outer: v.outer, own: s.inherits(name)}
}

// forgetAll makes all variables unknown.
func (s *state) forgetAll() {
	s.vars = s.vars.merge(table[variable]{}, lostLaw, s.toil)
}

var lostLaw = law[variable]{same: sameVar, fading: firm, join: func(v, _ *variable) variable {
	c := *v
	c.forget()
	c.words[0].Hollow = slices.ContainsFunc(v.words, hollow)
	return c
}}

// forget makes a variable one of which nothing is known.
func (v *variable) forget() {
	v.words, v.keys, v.unset, v.loose, v.vague = []command.Word{hollowed(v.words...)}, nil, false, 0, true
	v.open = v.attrs&(isArray|isAssoc) != 0
}

// takeBase notes that a variable was given a number with its base. An integer of zsh keeps that.
func (v *variable) takeBase() {
	if v.forget(); v.attrs&integer != 0 {
		v.attrs |= based
	}
}

// calls returns the functions that a name may stand for, and whether it stands for
// one of them in any case.
func (s *state) calls(name string) ([]function, bool) {
	if f := s.funcs.get(name); f != nil {
		return f.list, f.sure
	}
	return nil, false
}

func (s *state) alias(name string) *alias {
	for i := len(s.aliases) - 1; i >= 0; i-- {
		if s.aliases[i].name == name {
			return &s.aliases[i]
		}
	}
	return nil
}

// wrote is what the script has written to a path; it must not be written to.
func (s *state) wrote(path string) *file { return s.files.get(path) }

// end notes how a command seems to have ended.
func (s *state) end(ok bool) *state {
	s.status, s.hint, s.frail = unknown, succeeded, false
	if !ok {
		s.hint = failed
	}
	return s
}

// decide makes a state the one of two that stands for a command that ended so.
func (s *state) decide(ok bool) *state {
	s.end(ok)
	s.status = s.hint
	return s
}

// mayFail notes that commands may have failed although they seem to have ended well.
func mayFail(states []*state) []*state {
	for _, s := range states {
		s.frail = true
	}
	return states
}

func (s *state) ended() *state {
	s.status, s.hint, s.frail = unknown, unknown, false
	return s
}
