// Package undo keeps what a project was before each call of an agent, and brings it back.
//
// A store has a directory for each project, with what was found in it at some moments: the content
// of every file under its SHA-256 sum, written once; a tree for every directory, which lists names, kinds,
// modes, sizes and sums, and is content itself; and a snapshot that names the trees of the roots. docs/undo.md
// describes the format. A repository below .git is files as all others: what git would do with them is not asked.
//
// The hook opens the store of a project and takes a snapshot before and after what it lets run:
//
//	s, err := undo.Open(undo.Options{Dir: state + "/undo", Root: project, Skip: isBuild})
//	before, err := s.Snapshot(undo.Meta{Session: id, Use: toolUseID, Moment: undo.Before, Command: text}, 2*time.Second)
//	covered, why := before.Covers("/abs/or/relative/path")
//	// ... the call runs; then, with the same Use:
//	after, err := s.Snapshot(undo.Meta{..., Moment: undo.After}, budget)
//	changes, err := s.Changes(before, after)
//
// Any error means that there is no snapshot: a question stays as it was. [ErrTime] says that the budget was
// used up; what was done until then is kept, and the next attempt goes on from there. [ErrBusy] says that another
// process holds the project. The person's side is [Store.List], [Store.Plan] and [Store.Restore].
package undo

import (
	"errors"
	"time"
)

// Options say which project, where its store is, and what is covered.
type Options struct {
	Dir  string // where the stores of all projects are
	Root string // the project's directory, absolute and clean

	Skip             func(name string) bool // whether directories of this name are caches or what a build makes
	Exclude, Include []string               // globs of the user's rules; what is included counts neither as excluded nor as skipped

	MaxFile int64         // the largest file that is kept; default 100 MB
	Size    int64         // how much is kept in all; default 2 GB
	Days    int           // how long snapshots are kept; default 14
	Wait    time.Duration // how long another process is waited for; default 2 s

	Now func() time.Time // default time.Now
}

const (
	defaultMaxFile = 100 << 20
	defaultSize    = 2 << 30
	defaultDays    = 14
	defaultWait    = 2 * time.Second
)

func (o *Options) fill() {
	if o.Skip == nil {
		o.Skip = func(string) bool { return false }
	}
	if o.MaxFile <= 0 {
		o.MaxFile = defaultMaxFile
	}
	if o.Size <= 0 {
		o.Size = defaultSize
	}
	if o.Days <= 0 {
		o.Days = defaultDays
	}
	if o.Wait <= 0 {
		o.Wait = defaultWait
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

// Errors that one may want to know.
var (
	ErrTime    = errors.New("the time for a snapshot is used up")
	ErrBusy    = errors.New("another process is taking a snapshot of this project")
	ErrNone    = errors.New("there is no snapshot of this project")
	ErrDamaged = errors.New("the store is damaged")
)

// Moment says what a snapshot was taken at.
type Moment string

// The moments.
const (
	Start  Moment = "start"  // a session began
	Before Moment = "before" // a call is about to run
	After  Moment = "after"  // it has run
	Undo   Moment = "undo"   // something is about to be brought back
	Undone Moment = "undone" // it has been
	Look   Moment = "look"   // somebody wanted to know
)

// Meta is what is known of a snapshot besides its content.
type Meta struct {
	Session string
	Use     string // the id of the tool's use; a snapshot after a call belongs to the one before it with the same
	Moment  Moment
	Command string // what the call is, in words
}

// Root is a directory that a snapshot covers: the project, and what its repositories keep outside of it.
type Root struct {
	Path string
	Mode uint16
	Tree Sum
}

// Uncovered is something below a root that a snapshot does not hold, and why.
type Uncovered struct{ Path, Why string }

// Snapshot is what a project was at some moment.
type Snapshot struct {
	Meta
	Number    int
	Time      time.Time
	Roots     []Root
	Uncovered []Uncovered // the first of them; caches are not among them
	More      int         // how many more there are
	Fresh     bool        // something had changed since the last one
	Note      string      // what a person should know, such as that a damaged store was set aside

	index *index // of a snapshot just taken
	alias string
}

// Call is what stands between two snapshots: what an agent did, or a person by undoing.
type Call struct {
	Before, After *Snapshot // After is nil if nothing was looked at since
}

// ID is the number a person names the call by.
func (c Call) ID() int { return c.Before.Number }

// Change is one file, link or directory that two snapshots differ in.
type Change struct {
	Root   string
	Path   string // absolute
	Before Entry  // the zero Entry if it was not there
	After  Entry
	Git    bool // it belongs to a repository's own files
}
