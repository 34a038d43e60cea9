// Package policy applies rules to invocations and effects and decides: allow,
// pass, ask or deny.
//
// Every rule that matches is a finding and the strictest wins. A call is
// allowed only when allow rules or allowlists cover every effect of every
// invocation and no gap is left; what nobody speaks for gets the default.
// Rules that object ask "could this effect touch the place?", rules that allow
// ask "does everything it can touch lie inside?".
package policy

import (
	"longline/internal/expression"
	"longline/internal/tool"
)

// Level is the lowest safety level at which a rule is active.
type Level uint8

const (
	Critical Level = iota + 1 // always
	High                      // at high and strict
	Strict                    // at strict only
)

var levelNames = [...]string{Critical: "critical", High: "high", Strict: "strict"}

// LevelNames lists the names of all levels, the loosest first.
func LevelNames() []string { return levelNames[1:] }

func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return ""
}

// Layer says whose rule it is. Higher layers have more authority.
type Layer uint8

const (
	Builtin Layer = iota // the packs that longline brings
	Project              // found in the repository; may only tighten until trusted
	User
	Bundle  // a signed file that a team or an administrator has published
	Managed // set by the administrator of the machine
)

var layerNames = [...]string{"builtin", "project", "user", "bundle", "managed"}

func (l Layer) String() string {
	if int(l) < len(layerNames) {
		return layerNames[l]
	}
	return ""
}

// Rule is one opinion, with an id.
type Rule struct {
	ID       string
	Level    Level
	Decision tool.Decision
	Reason   string // one sentence
	Suggest  string // what to do instead; "" if there is nothing to say
	Layer    Layer
	Source   string // file:line
	Match    Match
	// Listed marks an entry of an allowlist.
	Listed bool
	// Final marks a rule on which the others rest: no project that is trusted switches
	// it off or overrides it, and what it denies no person allows for once.
	Final bool
	// Walled says of a rule that asks that it does not ask about what runs behind a
	// wall: it is about code that cannot be read, and the kernel holds that there.
	Walled bool
	// Wall says whether what the rule matches is put behind a wall.
	Wall Wall
	// Contain marks a rule whose decision holds only where the means are missing that make
	// what it matches safe: a snapshot for what is lost. With them it allows.
	Contain bool
	// Defer marks a rule that asks where nobody else does, and leaves the answer to
	// an agent that judges by itself.
	Defer bool
	// Overrides names rules of this layer or below whose findings an allow or
	// pass rule lifts where it matches, denials included.
	Overrides []string
}

// Wall says when a program runs behind a wall.
type Wall uint8

const (
	WallUsual  Wall = iota // where it runs code that cannot be read
	WallNever              // not even then
	WallAlways             // whatever it runs
)

// WallNames lists the words for it that a rule can have.
func WallNames() []string { return []string{"never", "always"} }

// Walls is what a file says about walls.
type Walls struct {
	Said, On bool     // it says so, and what
	Write    []string // more places that can be written behind a wall
	Sockets  []string // unix sockets of others that can be used
	Hosts    []string // other machines that can be reached, by name or as *.NAME
	Env      []string // variables that stay although their names look secret
}

// Undo is what a file says about the snapshots that are taken before calls. Only users and administrators have a say in it.
type Undo struct {
	Given, Off       bool // the file says something about it, and that there are none
	Days             int  // how long they are kept; 0 is the usual time
	Size             int  // how much in megabytes; 0 is the usual size
	Exclude, Include []string
}

// Match says what a rule is about. All parts that are present must hold; each
// list is "any of".
type Match struct {
	Commands []Command
	Flags    Lists
	Args     Lists                   // globs
	Text     []expression.Expression // on the argument text
	Stages   []Stage                 // programs of one pipeline, in this order
	Redirect Redirect
	Env      []Variable
	Effect   Effect
	In       ZoneSet    // zones of the directory it runs in
	Dirs     []string   // directories that it runs in or below; globs
	Tools    []string   // globs on the names of tools other than shells
	Given    []Variable // of these, what they are given: the names of fields at any depth, and globs on their values
	Edits    Answer     // whether the user accepts edits without asking
	Session  Session    // what the session is known for
}

// Command is the words a command begins with, such as [git push]. The first is
// a program's base name or path; all are globs.
type Command []string

// Lists is a choice of texts.
type Lists struct{ Any, All, None, Only []string }

// Stage is what one stage of a pipeline must be.
type Stage struct {
	Commands []Command
	Flags    Lists
	Args     Lists
}

// Redirect is a redirection by operator and target.
type Redirect struct {
	Ops     []string // as written: ">", ">>", "<"
	Targets []string // globs
}

// Variable is a variable set for a command.
type Variable struct {
	Name   string   // a glob
	Values []string // globs; none means any value
}

// Effect is what an effect must be like.
type Effect struct {
	Kinds KindSet
	Places
	Except Places // what does not count
	Tree   Answer // whether the effect covers what is below its target
	// Sweep says whether the effect reaches the places only because they lie
	// somewhere below its target or match its wildcard, as with grep -r.
	Sweep Answer
	Reach ReachSet // how exactly the target is known
	// With is what another effect of the same command must be, if it has kinds.
	With *Effect
}

// Places is a set of targets: of paths those in one of the zones (if there are
// any) that match one of the paths (if there are any), of hosts and names those
// that match.
type Places struct {
	Zones ZoneSet
	Paths []string // globs; ~ is the home directory, ./ the project
	Hosts []string
	Names []string
}

// Answer is yes, no, or not asked.
type Answer uint8

const (
	NotAsked Answer = iota
	Yes
	No
)

func (a Answer) holds(fact bool) bool { return a == NotAsked || (a == Yes) == fact }

// KindSet is a set of kinds of effects.
type KindSet uint16

// With returns the set with k in it.
func (s KindSet) With(k tool.Kind) KindSet { return s | 1<<k }

// Has reports whether k is in the set.
func (s KindSet) Has(k tool.Kind) bool { return s&(1<<k) != 0 }

// ReachSet is a set of ways to know a target; the empty set means any.
type ReachSet uint8

// The words of a rules file for how a target is known.
const (
	ReachExact ReachSet = 1 << iota
	ReachPattern
	ReachUnder
	ReachAnywhere
)

// ReachNames lists the words in the order of the bits.
func ReachNames() []string { return []string{"exact", "pattern", "under", "anywhere"} }

// File is what one rules file says, its included files among it.
type File struct {
	Name          string
	Trusted       bool          // a project's file that the user has trusted
	Bundled       bool          // it is a bundle's
	Expired       bool          // a bundle whose time is over: what it allows does not count
	Default       tool.Decision // of what nobody speaks for; see HasDefault
	HasDefault    bool
	Safety        Level // 0 if the file does not say
	OnAllowPass   bool  // answer pass where the answer would be allow
	NoBuiltin     bool  // leave the built-in packs out
	LogPath       string
	Sandbox       Sandbox
	Content       Content
	LogContent    LogContent
	LogKeep       int // days that the log is kept; 0 if the file does not say
	Walls         Walls
	Undo          Undo
	AllowCommands []Allowed
	AllowPaths    []Allowed
	Rules         []Rule
	Disable       []Named
	Remarks       []string // what in the file is not followed, each with its place
	Tests         []Test

	books []book // the rules, if the file was opened in its compact form
}

// Sandbox is where downloads belong; without a directory there is none.
type Sandbox struct {
	Dir   string // absolute, or below the home directory with a leading ~
	Block bool   // refuse what would land elsewhere instead of moving it
}

// Content says what is looked at before an agent reads it.
type Content struct {
	Given  bool     // the file says something about it
	Scan   []string // "sandbox", "downloads", or directories
	Redact bool     // hand the agent a cleaned copy where that is possible
	Off    []string // content rules that are left out
	Rules  string   // further content rules, compiled
}

// The words that Content.Scan can have beside directories.
const (
	ScanSandbox   = "sandbox"
	ScanDownloads = "downloads"
)

// Allowed is one entry of an allowlist.
type Allowed struct {
	Text   string // leading words, or a glob
	Reason string
	Source string
}

// Named is a rule's id and where it is written.
type Named struct{ ID, Source string }

// Test is a decision that the rules are to give.
type Test struct {
	ID       string
	Command  string
	Dir      string // "" is the project
	Decision tool.Decision
	Rule     string     // id of the deciding rule; "" if it does not matter
	Edits    bool       // the user accepts edits
	Means    tool.Means // that there are
	Session  *TestSession
	Safety   Level // 0 is the default
	Source   string
	Wrong    string // why it cannot be run
}

// TestSession is what the session of a test is known for.
type TestSession struct {
	Untrusted, Injection, Secret bool
	Fetched, Written             []string // paths
	Denied                       []string // commands that the rules deny
}

// LogContent says how much of a command the audit log holds.
type LogContent uint8

const (
	LogUnset     LogContent = iota
	LogFull                 // everything
	LogMasked               // everything but secrets
	LogStructure            // programs and flags only
)

var logContentNames = [...]string{LogFull: "full", LogMasked: "masked", LogStructure: "structure"}

// LogContentNames lists the words for it, the most detailed first.
func LogContentNames() []string { return logContentNames[1:] }
