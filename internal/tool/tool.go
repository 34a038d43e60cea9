// Package tool defines the types that the rest of longline shares: a [Call]
// comes in, its [Effect]s are worked out, rules turn them into [Finding]s, and
// a [Verdict] goes out.
package tool

import (
	"errors"
	"fmt"
)

// Call is one tool call, before it runs, in no particular agent's dialect.
type Call struct {
	Agent string // who asks: "claude", "codex", ...
	Event string // the agent's own name for the moment, such as PreToolUse
	Tool  string // the agent's own name for the tool
	Dir   string // absolute working directory

	// Script is shell text to judge. Shell says whether there is any: a tool
	// that runs a shell may be given an empty script. Without Shell it is text that a
	// tool may run: longline objects to it or has no opinion. Runs says that the tool
	// surely runs it: what nobody knows about it asks.
	Script string
	Shell  bool
	Runs   bool
	// Apart says that it stands for what another program does by itself: variables of the agent's environment do not
	// reach it.
	Apart bool

	// Dialect is the language of Script: "" is that of Bash, or [PowerShell].
	Dialect string

	// Effects are what the tool would do when its arguments already say so, as
	// a file-reading tool's do. Effects of Script are worked out later.
	Effects []Effect

	// Given calls its function with the fields of a tool's input that hold one value, at any depth; nil for shells.
	Given func(yield func(name, value string))

	// Edits says that the user has told the agent to edit files in the project
	// without asking again.
	Edits bool
	// Judges says that the agent decides by itself about what longline has no
	// opinion on, and asks its user where it has doubts.
	Judges bool
	// Answers says that the agent answers questions about files that it guards itself,
	// a hook's with its own.
	Answers bool
	// Attended says whether somebody is there to answer a question.
	Attended bool

	// Mode is the agent's own word for its permission mode. It and the
	// identifiers are for the audit line only.
	Mode                       string
	Session, ToolUse, Subagent string
	Prompt                     string // the client's id of the prompt that led to the call

	// Past is what the session is known for; nil if nothing is remembered.
	Past *Past
	// Agreed says that a person has agreed to this very call earlier in the session.
	Agreed bool
}

// PowerShell is the [Call.Dialect] of a tool that runs PowerShell.
const PowerShell = "powershell"

// Effect is one thing a call would do to the world outside the agent.
type Effect struct {
	Kind   Kind
	Target string // absolute path, host, or the name of code or state
	Reach  Reach  // how exactly Target is known
	// Pattern says that Target is a glob: the effect is on what it matches.
	Pattern bool
	// Tree says that the effect covers everything below Target as well.
	Tree bool
	// Put says that what a write puts at Target may be a directory, with anything in
	// it: whoever puts something at .claude may put settings below it.
	Put bool
	// Manner says in what way it happens, where the kind alone would say too much.
	Manner Manner
	Span   Span // where Target is written in the script
}

// Keeps says whether the content of the target stays as it is.
func (e Effect) Keeps() bool { return e.Manner == Marked || e.Manner == Linked }

// Unlinks says whether what has the name of the target goes, and if that is a link, only the link.
func (e Effect) Unlinks() bool { return e.Kind == Delete && e.Manner != Cleared }

// Manner is in what way an effect on a path happens. Rules do not look at it; reasons and walls do.
type Manner uint8

// The manners of effects. The zero Manner is what the kind says.
const (
	Marked  Manner = iota + 1 // permissions, owner or attributes change
	Linked                    // a link to it is made: what is done through the link is done to it
	Moved                     // it is moved to another place
	Emptied                   // what was there is removed before
	Plain                     // what comes to be is a file, and no directory
	Cleared                   // the content is lost and the name stays: that of a link leads to what it points at
	Keyed                     // what is put there is a private key
	Met                       // a search, a list or a pattern comes across it, and no word names it
)

// Kind is what an effect does to its target.
type Kind uint8

// The kinds of effects. The target of the first four is a path, of fetch and
// send a host, of execute and control a name.
const (
	Read    Kind = iota + 1 // the content of a file leaves the disk
	Create                  // a file or directory comes to be; nothing existing changes
	Write                   // a file is created or its content replaced
	Delete                  // a file or its content is lost
	Fetch                   // bytes come from another host
	Send                    // bytes go to another host
	Execute                 // code that longline cannot see runs
	Control                 // state that is not a file changes: a process, a branch, a cloud
)

var kindNames = [...]string{Read: "read", Create: "create", Write: "write", Delete: "delete", Fetch: "fetch", Send: "send", Execute: "execute", Control: "control"}

// KindNames lists the names of all kinds in their order.
func KindNames() []string { return kindNames[1:] }

func (k Kind) String() string {
	if k == 0 || int(k) >= len(kindNames) {
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
	return kindNames[k]
}

// ParseKind is the inverse of [Kind.String]; it returns 0 for an unknown name.
func ParseKind(name string) Kind {
	for k, n := range kindNames {
		if n == name && n != "" {
			return Kind(k)
		}
	}
	return 0
}

// IsPath reports whether the target of an effect of this kind is a path.
func (k Kind) IsPath() bool { return k >= Read && k <= Delete }

// IsHost reports whether the target of an effect of this kind is a host.
func (k Kind) IsHost() bool { return k == Fetch || k == Send }

// Reach is how exactly a value is known. The zero Reach is the worst.
type Reach uint8

const (
	Anywhere Reach = iota // nothing is known: "$X"
	Prefix                // it begins with the known text: "a$X"
	Under                 // it is a path at or below the known one
	Exact                 // it is the known text
)

func (r Reach) String() string { return [...]string{"anywhere", "prefix", "under", "exact"}[r&3] }

// Span is a byte range of [Call.Script]. The zero Span means "somewhere".
type Span struct{ Start, End int }

// Decision answers a call. Stricter decisions are greater, so max picks the
// stricter of two; the zero Decision is Ask, so a forgotten answer is a question.
type Decision int8

const (
	Allow Decision = iota - 2 // run it, do not ask
	Pass                      // no opinion: the agent's own flow decides
	Ask                       // a person decides
	Deny                      // do not run it
)

var decisionNames = [...]string{"allow", "pass", "ask", "deny"}

func (d Decision) String() string {
	if d < Allow || d > Deny {
		return fmt.Sprintf("decision(%d)", int8(d))
	}
	return decisionNames[d-Allow]
}

// ParseDecision is the inverse of [Decision.String].
func ParseDecision(name string) (Decision, bool) {
	for i, n := range decisionNames {
		if n == name {
			return Decision(i) + Allow, true
		}
	}
	return Ask, false
}

// Means is a set of what makes it safe to run a call that is not known to be harmless.
type Means uint8

// The means there are.
const (
	Undo Means = 1 << iota // a snapshot of the project is taken before it
	Wall                   // it runs behind a kernel wall
	Mask                   // what it prints goes through a filter that hides the values of secrets

	AllMeans = Undo | Wall | Mask
)

var meansNames = [...]string{"undo", "wall", "mask"}

// Names lists the means in a set.
func (m Means) Names() (names []string) {
	for i, name := range meansNames {
		if m&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// ParseMeans is the inverse of [Means.Names] for one of them; it returns 0 for an unknown name.
func ParseMeans(name string) Means {
	for i, n := range meansNames {
		if n == name {
			return 1 << i
		}
	}
	return 0
}

// Verdict is the answer to a [Call], with everything needed to explain it. The
// agent's message, the audit line and explain are three views of it.
type Verdict struct {
	Decision Decision
	Rule     string    // id of the deciding rule; empty if none spoke
	Reason   string    // one sentence for the agent and its user
	Suggest  string    // what to do instead, if there is something
	Part     string    // the command of a longer script that the reason is about
	Once     string    // id by which a person can let the call run once, if one can
	Findings []Finding // every rule that spoke, not only the deciding one
	Denied   []Denial  // what of the call was denied, for the session to remember
	Again    []Denial  // what was denied before and is done again
	Secrets  []string  // files of secrets that the call reads
	Asks     bool      // a yes to it holds for the session
	Unheard  bool      // a question would not reach a person: the agent answers it itself
	Parsed   bool      // the script could be read
	Means    Means     // what the decision rests on: without it the call asks
	Changes  bool      // it may change files: a snapshot is taken before it runs
	Rewrite  string    // if not empty, run this script instead
	Walled   []string  // the commands that Rewrite puts behind a wall; all spans are the original's then
	Changed  []Span    // the parts of Rewrite that are new
	Dirs     []string  // directories that Rewrite needs to be there
	Moved    []string  // lines for the person, if Rewrite is what runs
	Outside  []string  // what the call reads that others have written
	Met      []Text    // what of that is not clean
	Instead  string    // if not empty, read this file instead of the one that was named
	Output   string    // if not empty, the JSON that stands in place of a tool's result
	Context  string    // what to tell the model beside the answer
	Notices  []string  // lines for the person at the terminal
	Left     []string  // such lines about what is not done, said even if nobody is interrupted
}

// Text is content that was looked at and is not clean.
type Text struct{ Verdict, Where, Kinds string }

// Judged is the script that the spans of the verdict point into.
func (v *Verdict) Judged(script string) string {
	if v.Rewrite != "" && len(v.Walled) == 0 {
		return v.Rewrite
	}
	return script
}

// FromSession reports whether the deciding rule is about the session's history.
func (v *Verdict) FromSession() bool {
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Session && f.Rule == v.Rule && f.Decision == v.Decision {
			return true
		}
	}
	return false
}

// Finding is one rule's opinion of one part of a call.
type Finding struct {
	Rule     string // id, such as rm-recursive-root
	Decision Decision
	Reason   string
	Suggest  string
	Span     Span
	Level    string // critical, high or strict
	Layer    string // builtin, project, user or managed
	Source   string // file:line of the rule
	Final    bool   // its rule is one on which the others rest
	Session  bool   // its rule speaks of what the session is known for
	// Invocation is the index of the invocation the finding speaks of, or -1.
	Invocation int
}

// ErrNotLink may be World.Readlink's error for what is there and is not a link. That
// is so of nearly every path, and this error needs no looking into.
var ErrNotLink = errors.New("not a link")

// World is what judging may know of the machine. It is passed in, so that
// judging itself touches nothing; a nil function means "cannot be known".
type World struct {
	Home    string   // absolute; "" if there is none
	Project string   // root of the project the agent works in; "" if there is none
	Also    []string // directories besides that belong to it: another working tree, what the user has added
	Sandbox string   // directory that downloads belong in; "" if there is none
	Wall    []string // the words that put a program behind a wall; none if there are no walls
	User    string
	Host    string // what this machine calls itself
	// Guard lists longline's own files: executables, configuration, state.
	Guard []string
	// Own lists places that the agent which asks writes to by itself. They begin with
	// a slash or with ~, and may hold wildcards.
	Own []string
	// Settings lists settings of agents that may be elsewhere than usual.
	Settings []string
	// Secrets lists what is nobody's business on this machine besides the usual.
	Secrets []string
	// Keys lists files that the call itself puts private keys in.
	Keys []string
	// Hooks lists files that git runs because settings say where its hooks are.
	Hooks []string
	// Log is the audit log. When it is put away, a dash and the date are added
	// to its name, before the ending.
	Log string

	// Inherited are variables of the agent's environment that count as if they
	// stood in front of a command.
	Inherited []Variable

	// Brought are files that earlier calls have fetched: their content counts as
	// coming from the network.
	Brought []string
	// Past is what the session has done before; nil if nothing is known.
	Past *Past

	Getenv   func(name string) (string, bool)
	ReadFile func(path string) ([]byte, error) // bounded in size
	// ReadAt reads into room from an offset of a regular file, for data that is too
	// large to be read as a whole.
	ReadAt   func(path string, offset int64, room []byte) (int, error)
	Readlink func(path string) (string, error) // an error if it is not a link; see [ErrNotLink]
	Exists   func(path string) bool
	// Newer says whether a file is surely there, and no older than another one that is there, too.
	Newer func(path, other string) bool
	// Entries lists a directory; whole is false if there are more than these.
	Entries func(dir string) (list []Entry, whole bool)

	// Undo says whether the snapshot that is taken before the call brings a path back, and all
	// below it; nil if no snapshot can be taken.
	Undo func(path string) bool

	// Masked says whether what a tool shows of a file of variables is shown without their values; nil if that cannot be.
	Masked func(path string) bool

	// Protected says whether a file configures an agent or longline.
	Protected func(path string) bool
	// Secret says whether an effect is on a file that holds secrets.
	Secret func(e Effect) bool
	// Made says whether a path of the project is called like what builds make.
	Made func(path string) bool
	// Tells says whether a text holds a password or a token.
	Tells func(text string) bool
	// ReadSecret reads a file that ReadFile does not, because nobody may be told what
	// is in it. Whoever calls it tells nobody.
	ReadSecret func(path string) ([]byte, error)

	FoldCase bool // file names that differ only in case are the same
	// Windows says that the machine runs Windows. Paths are written as Git Bash does here, with the
	// drive as the first directory; how Windows writes them is understood in what is judged.
	Windows bool
	// Zsh says that zsh is as likely to run the script as bash: a value that it makes
	// otherwise is not known. What it runs that bash does not is looked at in any case.
	Zsh bool

	// Stop says whether whoever waits for an answer has one by now, or waits no
	// longer: then all work ends, and what was not looked at is not known.
	Stop func() bool

	still bool      // see [World.Still]
	links *linkMemo // with it
}

// Variable is one that programs inherit, with its value.
type Variable struct {
	Name, Value string
	Counts      Counts
	// From is the file of the project that sets it, from its root; "" if the agent was
	// started with it.
	From string
}

// Counts says for which programs an inherited variable counts.
type Counts uint8

const (
	Always  Counts = iota // whatever is known of it
	IfMeant               // for programs whose own models list it
	IfCode                // where it is known to carry code
)

// Entry is a name in a directory.
type Entry struct {
	Name string
	Link bool // it is a symbolic link
	Dir  bool // it is a directory
}

// Elsewhere is the world for what runs on another machine, of whose files nothing
// is known here.
func (w *World) Elsewhere() *World {
	there := *w
	there.ReadFile, there.ReadAt, there.Readlink, there.Exists, there.Entries, there.Newer = nil, nil, nil, nil, nil, nil
	there.Inherited, there.Past = nil, nil
	return &there
}
