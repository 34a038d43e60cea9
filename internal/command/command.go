// Package command turns an argument vector into effects. What a program's
// arguments mean is data (a [Model]); one interpreter ([Library.Read]) reads
// all models. No program is named in this package's Go code.
package command

import (
	"longline/internal/tool"
	"longline/internal/value"
)

// Invocation is one program run: its words, and what running it would do.
// The shell reader fills the first group of fields, [Library.Read] the second.
type Invocation struct {
	Words     []Word     // the program first, resolved as far as they are known
	Loose     int        // 1 + index of the first word that may stand for any number of words; 0 if none does
	Dir       Word       // where it runs; absolute when Reach is Exact
	Acts      Word       // where it works: Dir, or what a flag such as -C says
	Env       []Assign   // variables set for it, in front of it or exported earlier
	Redirects []Redirect // in order
	Stdin     Data       // what it can read from its standard input
	Unfed     bool       // it reads nothing from there
	Span      tool.Span
	Pipeline  int      // commands of one pipeline share a number; 0 is none
	Stage     int      // position in the pipeline
	Via       []string // the commands that run this one, outermost first: sudo, xargs
	Each      bool     // what runs it gives it one of several words at a time
	Once      bool     // what runs it does so once at most, for a single line
	Silent    bool     // what runs it prints nowhere
	Remote    bool     // it runs on another machine
	Device    string   // the kind of device it runs on, whose programs are a list of their own
	Nowhere   bool     // Dir is a directory that surely is not there, nor is made before: to go there fails
	Dashed    []string // names that begin with - or @ and that files have been given before it

	Name     string   // base name of the program; "" if it is not known
	Path     []string // the program and the subcommands its model recognised
	Aka      []Alias  // other names of parts of Path
	Flags    []string // each flag given, bundles taken apart, values removed
	Operands []Word   // what is neither flag, flag value nor subcommand
	Effects  []tool.Effect
	Runs     []Nested      // commands it would run in turn
	Gaps     []Gap         // why Effects may be incomplete; empty if they are not
	Output   Data          // what it writes to its standard output
	Paths    []Word        // words that name files or directories, whatever is done with them
	Secrets  []Word        // words that are passwords or the like
	Lands    *Landing      // where what it fetches is put; nil if it has no such place
	Stand    []Word        // what counts as operands besides: names that are looked up, or that choose a subcommand
	Puts     bool          // it moves or copies files as they are, in the place of others
	Fifos    []string      // pipes that it makes in the file system
	Links    []Link        // what it makes another name for something else
	Mixed    bool          // code among its words has several effects, in whatever order, and runs commands in between
	Composes bool          // code among its words makes up what it writes
	Dictates bool          // a program among its words writes files: what is in them is what it says
	Inserts  bool          // code among its words adds whole lines, or other text of its own
	Selects  bool          // it prints lines, or parts of lines, of what it reads, and nothing else
	Passes   bool          // what it prints is made of what it reads
	Package  bool          // it is a program of a package that is taken to be the project's own
	Launches bool          // the project's code that it runs is a program among its words, which is judged by itself
	Endless  bool          // a file that it writes grows without end, or beyond measure
	Timed    bool          // it waits, for a time or for somebody
	Walled   bool          // it will run behind a wall
	Within   bool          // together with all that its shell does around it
	Commits  bool          // it prints files as a commit has them: those that it reads, or any
	Versions bool          // git puts other versions of files there
	Arrives  bool          // among them may be files that configure agents: nobody knows what comes
	Stored   bool          // it prints what a repository has in files, as they are or were
	Clones   bool          // what it writes is a clone or a new repository, with settings that git makes
	Relays   bool          // what it writes may come from the network, though another command has fetched it
	Packed   []tool.Effect // reads of files of secrets among what it prints or writes as an archive; they count where that is shown
	Packs    bool          // what it prints or writes is an archive of what it reads
	Sweeps   bool          // it shows or keeps whatever it reads, of directories and lists as well
	Shows    bool          // it prints of what it reads the content
	Whole    bool          // and that in whole lines, or at least words
	Shown    bool          // what it prints is shown, and nothing else is made of it
	Meets    bool          // what it searches holds files of secrets, and it may print lines of them
	Follows  bool          // it goes through links that it meets in directories
	Unpacks  Unpacking     // how it unpacks an archive over what is there; 0 if it does not
	Code     *Code         // which files it runs; nil if none that is known

	Inherited []string // variables that matter to it though nobody has written them in front of it

	steps [2]string // room for Path: most have one subcommand at most
}

// Code is the files whose code an invocation runs.
type Code struct {
	Files []string
	// What of that earlier calls of the session have brought: a file that was fetched,
	// and from where; and one that the agent wrote.
	Fetched *tool.Brought
	Written string
	// Adds is what is new by it: a kind, a space and a name. Packages that it installs and that are new in a manifest go by the kind of
	// that; a remote that is added to the repository of a directory, and one that it pulls from, are named by both.
	Adds []string
}

// RunsFile notes that the invocation runs the code of a file.
func (inv *Invocation) RunsFile(path string) {
	if inv.Code == nil {
		inv.Code = new(Code)
	}
	if len(inv.Code.Files) < 16 {
		inv.Code.Files = append(inv.Code.Files, path)
	}
}

// Link is a path that stands for another one.
type Link struct {
	From, To string
	Pattern  bool // it may lie wherever From matches
	Vague    bool // it leads to To or something below it
}

// Landing returns where it puts what it fetches, to be read or added to.
func (inv *Invocation) Landing() *Landing {
	if inv.Lands == nil {
		inv.Lands = new(Landing)
	}
	return inv.Lands
}

// Landing says where an invocation puts what it fetches: at the words that name
// what it writes, or, if there are none, at a place that an added word can name.
type Landing struct {
	Is     bool   // it fetches something that is put somewhere
	Words  []Word // destinations as written
	Flag   string // without a destination: a flag to add; none if an operand does
	Named  bool   // the destination is the thing itself, not a directory to put it into
	Name   string // the name it chooses by itself
	After  int    // offset in the script after which to add; 0 if it is not known
	Prints bool   // what it fetches may go to its standard output
	Fixed  bool   // what it fetches cannot be put elsewhere
	Made   bool   // a directory that is named must be there already
}

// The values that flow through a script are a package of their own.
type (
	Word  = value.Word
	Data  = value.Data
	Taint = value.Taint
	Made  = value.Made
)

const (
	FromNet       = value.FromNet
	FromFile      = value.FromFile
	FromSecret    = value.FromSecret
	FromScript    = value.FromScript
	FromOutside   = value.FromOutside
	FromKeys      = value.FromKeys
	Typed         = value.Typed
	FromTree      = value.FromTree
	FromGit       = value.FromGit
	FromHidden    = value.FromHidden
	FromTracked   = value.FromTracked
	FromUntracked = value.FromUntracked
	FromIgnored   = value.FromIgnored

	// FromListed is all that a list which leaves out some files may hold.
	FromListed = FromTracked | FromUntracked | FromIgnored
	WithNul    = value.WithNul
	Followed   = value.Followed

	RestOfScript = value.RestOfScript
	Unseen       = value.Unseen
	WithBlank    = value.WithBlank
	WithSettings = value.WithSettings
	Sifted       = value.Sifted
	Several      = value.Several
	FromVersion  = value.FromVersion

	Own = value.Own
)

// Known returns a word with the given value.
func Known(text string, span tool.Span) Word { return value.Known(text, span) }

// Assign is one variable given to a program.
type Assign struct {
	Name   string
	Value  Word
	Append bool // NAME+=value
	Prefix bool // written in front of this very command
}

// Redirect is one redirection, with its target resolved.
type Redirect struct {
	Op     string // as written: ">", ">>", "<", "2>&1" has Op ">&"
	Fd     string // "" where none is written
	Target Word
	Span   tool.Span
}

// Gap is one thing no model accounts for.
type Gap struct {
	Why  string // "unknown flag --foo"
	Span tool.Span
	// Program says that it is the program as such of which nothing is known; Asked, that
	// it is asked for its help or its version and nothing else.
	Program, Asked bool
	Missing        bool // an operand or the value of a flag is missing
	Arrives        bool // it is which files git puts there, and a wall can keep those that configure agents
}

// Nested is a command given to another command to run.
type Nested struct {
	Words  []Word // an argument vector, as env and find -exec take
	Script *Word  // or shell text, as sh -c takes
	File   *Word  // or a file of shell text (or, if Shell is empty, any executable)
	// Known says that what File does is accounted for already, unless this very
	// script has written it; with Project, unless it has fetched it.
	Known bool
	Args  []Word // with Script or File: $0, $1, ...
	Dir   *Word  // where it runs, if not where the outer command does
	Env   []Assign
	Clear bool // it does not inherit the environment
	// Without are the names of variables that are taken out of its environment; one
	// that is not known stands for all.
	Without []Word
	More    bool // gets further arguments at run time, of which Input says what is known
	Input   Data
	Stdin   Data // what it reads, if Piped
	Piped   bool
	Each    bool // it gets one of the further arguments at a time
	Once    bool // it runs once at most, for a single line of input
	Again   bool // it may run more than once, with other words or the same
	Apart   bool // it may go on when the outer command has ended
	Remote  bool // runs on another machine
	// Alters is what it amounts to, as the name of a control, if something changes
	// or code runs there: looking around is harmless. Without it nobody looks at
	// what is done on another machine.
	Alters string
	// Code is what it amounts to if the project's own code runs there, where that is a
	// container of the project.
	Code string
	// Device is the kind of device it runs on, where the programs of "list/DEVICE"
	// come before those of this machine.
	Device string
	// Among says that the program does other things besides, so that what it prints
	// is more than what this prints.
	Among bool
	// Project says that the project's own definition of a task says so: programs
	// longline does not know count as the project's code there.
	Project bool
	Package bool   // its program is that of a package that is taken to be the project's own
	Shell   string // language of Script or File: "sh", "bash", "zsh", ...
}
