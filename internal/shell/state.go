package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/value"

	"mvdan.cc/sh/v3/syntax"
)

// state is what the shell knows at one point of one way through the script.
// Forks share their slices until one of them writes.
type state struct {
	vars    []variable
	funcs   []function
	aliases []alias
	files   []file
	links   []command.Link
	fds     []descriptor
	params  []command.Word // $1, $2, ...
	zero    command.Word   // $0
	dir     command.Word
	stack   []command.Word // pushd; the current directory is not on it
	stdin   command.Data
	out     command.Data // what has been written to the standard output so far
	opts    options
	status  status
	jump    jump
	levels  int // loops that a break or continue still has to leave
	last    int // exit status, if status is not unknown
	shared  bool
	loose   int  // 1 + index of the first of params whose position is not certain
	many    bool // params may be followed by more that are not known
	excused bool // the last command failed where errexit does not count
}

// status is what is known of the exit status of the last command.
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
	optErrexit options = 1 << iota
	optAllexport
	optXtrace
	optExtglob
	optGlobstar
	optNoglob
	optNullglob
	optPosix
	optLastpipe
)

type attributes uint8

const (
	exported attributes = 1 << iota
	integer
	nameref
	readonly
	isArray
	isAssoc
	lowered
	uppered
)

// variable is a shell variable that the script has touched.
type variable struct {
	name  string
	words []command.Word // one for a scalar
	keys  []string       // of an associative or sparse array, beside words
	attrs attributes
	unset bool // it is known to have no value
	open  bool // there may be elements beside words
	loose int  // as in [state]
	local int  // depth of the function it belongs to
}

type function struct {
	name string
	body *syntax.Stmt
	src  *source
	gone bool
	exp  bool // export -f
}

type alias struct {
	name, text string
	known      bool
}

// file is one that the script has written.
type file struct {
	path    string
	data    command.Data
	foreign bool // it came from outside the project
	// authored says that its content stands in the script, or is computed from
	// what does: nobody has seen it before.
	authored bool
	// edited says that it holds what a program made of files in this script, with
	// words of the script in it: sed -i, or jq with its output.
	edited bool
}

// descriptor is a file descriptor above 2 that exec or a redirection opened.
type descriptor struct {
	n    string
	data command.Data
	path command.Word
}

func (s *state) fork() *state {
	s.shared = true
	c := *s
	return &c
}

// own makes the slices safe to write to.
func (s *state) own() {
	if !s.shared {
		return
	}
	s.vars = slices.Clone(s.vars)
	s.funcs = slices.Clone(s.funcs)
	s.aliases = slices.Clone(s.aliases)
	s.files = slices.Clone(s.files)
	s.links = slices.Clone(s.links)
	s.fds = slices.Clone(s.fds)
	s.stack = slices.Clone(s.stack)
	s.shared = false
}

// lookup returns the innermost variable of that name that the script has set.
func (s *state) lookup(name string) *variable {
	for i := len(s.vars) - 1; i >= 0; i-- {
		if s.vars[i].name == name {
			return &s.vars[i]
		}
	}
	return nil
}

// variable returns the variable of that name for writing.
func (s *state) variable(name string) *variable {
	s.own()
	if v := s.lookup(name); v != nil {
		return v
	}
	s.vars = append(s.vars, variable{name: name, unset: true})
	return &s.vars[len(s.vars)-1]
}

func (s *state) set(name string, w command.Word) {
	if name == "_" {
		w = command.Word{Span: w.Span} // every command gives it its own last word
	}
	v := s.variable(name)
	v.words, v.keys, v.unset, v.open = []command.Word{w}, nil, false, false
	if s.opts&optAllexport != 0 {
		v.attrs |= exported
	}
}

func (s *state) unsetVar(name string) {
	if name == "_" {
		s.set(name, command.Word{})
		return
	}
	v := s.variable(name)
	*v = variable{name: name, unset: true, local: v.local}
}

func (s *state) function(name string) *function {
	for i := len(s.funcs) - 1; i >= 0; i-- {
		if s.funcs[i].name == name {
			if s.funcs[i].gone {
				return nil
			}
			return &s.funcs[i]
		}
	}
	return nil
}

func (s *state) alias(name string) *alias {
	for i := len(s.aliases) - 1; i >= 0; i-- {
		if s.aliases[i].name == name {
			return &s.aliases[i]
		}
	}
	return nil
}

func (s *state) wrote(path string) *file {
	for i := len(s.files) - 1; i >= 0; i-- {
		if s.files[i].path == path {
			return &s.files[i]
		}
	}
	return nil
}

// mayHaveWritten is the last write that could have been to a path: to it, to all
// below a directory above it, or to somewhere that is not known exactly.
func (s *state) mayHaveWritten(path string) *file {
	for i := len(s.files) - 1; i >= 0; i-- {
		to, vague := strings.CutPrefix(s.files[i].path, "?")
		if glob := strings.IndexAny(to, "*?[{\\"); glob >= 0 {
			to = to[:strings.LastIndexByte(to[:glob], '/')+1]
		}
		// Of some only the beginning is known, or nothing.
		if vague && strings.HasPrefix(path, to) || value.Within(path, strings.TrimSuffix(to, "/")) {
			return &s.files[i]
		}
	}
	return nil
}

func (s *state) end(ok bool) *state {
	s.status, s.last, s.excused = succeeded, 0, false
	if !ok {
		s.status, s.last = failed, 1
	}
	return s
}

func (s *state) ended() *state {
	s.status, s.excused = unknown, false
	return s
}
