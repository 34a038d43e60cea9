package agent

import (
	"slices"
	"strings"

	"longline/internal/tool"
)

// Facts are what is known about one agent. They are the only home of it: detection,
// installation, zones, processes, capabilities and the documents are made from them.
// The file of the agent holds its facts and its dialect. To add an agent, write that file
// and its fixtures, and list it in [All]. Only a client whose settings have none of the
// forms that there are needs a new [Form], which package install then implements.
type Facts struct {
	Name   string // on the command line and in the log
	Client string // the program, as its makers write it

	// Programs are the names of its programs, the one for terminals first. Editors are
	// those of them that are not only an agent: a person's terminal is theirs too.
	Programs, Editors []string
	// Dir is the directory below the home directory by which one sees that it is there.
	Dir string
	// Marks are variables that it sets for the commands it runs.
	Marks []string
	// RootVariable is the variable in which it tells its hooks where the project is. It
	// is set by the client, whatever a project's settings say.
	RootVariable string
	// Own are the places in the home directory that it writes to by itself: its plans,
	// its memory. Whatever configures a client is not among them. A member stands for
	// itself and everything below it. Only what a real client was seen to write is listed.
	Own []string
	// Guards are names of files, beside hidden ones, about whose change it has a question
	// of its own, in small letters. In the modes AnswersIn it answers that itself, and
	// takes a hook's question about the same call for answered too.
	Guards, AnswersIn []string
	// TellsAfter says that it calls the hook, as longline installs it, after a tool too.
	TellsAfter bool
	// Results is what it does with what longline says about the result of a tool.
	Results Results
	// Sandboxed says that it runs commands in a sandbox of its own without being told to.
	Sandboxed bool

	Hooks        *Hooks // nil if longline cannot be installed in it
	Belongings   Belongings
	Capabilities []Capability // the first is for the moment before a tool call
	Limits       []Limit      // what older versions cannot do
}

// FactsOf returns what is known about an agent; nothing if it has no dialect.
func FactsOf(name string) *Facts {
	if a := Find(name); a != nil {
		return a.Facts()
	}
	return &noFacts
}

// noFacts is what is known about an agent without a dialect.
var noFacts Facts

// Capabilities lists what is known about how the clients take answers.
func Capabilities() (list []Capability) {
	for _, a := range All {
		list = append(list, a.Facts().Capabilities...)
	}
	return list
}

// Programs lists the names of the programs of agents that run commands in terminals
// of their own, in order.
func Programs() []string {
	list := slices.Clone(otherPrograms)
	for _, a := range All {
		f := a.Facts()
		for _, p := range f.Programs {
			if !slices.Contains(f.Editors, p) {
				list = append(list, p)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Marks lists the variables that agents set for the commands they run, in order.
func Marks() []string {
	list := slices.Clone(otherMarks)
	for _, a := range All {
		list = append(list, a.Facts().Marks...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Belonging lists what belongs to each agent: those that longline has a dialect for,
// and others that may be at work in the same project.
func Belonging() (list []Belongings) {
	for _, a := range All {
		if b := a.Facts().belongings(); len(b.Guarded()) > 0 {
			list = append(list, b)
		}
	}
	return append(list, otherBelongings...)
}

// belongings is what belongs to an agent, the files among it that longline is added to.
func (f *Facts) belongings() Belongings {
	b := f.Belongings
	b.Client = f.Client
	if f.Hooks != nil {
		b.Hooks = join(b.Hooks, f.Hooks.guarded(b.Guarded()))
	}
	return b
}

// Moved lists the settings and hooks of all agents that lie below a directory which a
// variable names. directory says which, and is "" for one that moves nothing; standard is
// what it stands for, below the home directory.
func Moved(directory func(variable, standard string) string) (list []string) {
	for _, a := range All {
		f := a.Facts()
		if f.Hooks == nil || f.Hooks.Variable == "" {
			continue
		}
		standard, _, _ := strings.Cut(f.Hooks.User, "/")
		if dir := directory(f.Hooks.Variable, standard); dir != "" {
			list = append(list, f.below(dir, standard)...)
		}
	}
	return list
}

// below lists the settings and hooks of an agent that lie in a directory, if that stands for
// the standard one. What has a wildcard is listed by its file, if that is known.
func (f *Facts) below(dir, standard string) (list []string) {
	for _, file := range join(f.Hooks.files(), f.Belongings.Guarded()) {
		rest, ok := strings.CutPrefix(strings.TrimPrefix(file, "~/"), standard+"/")
		if ok && !strings.Contains(rest, "*") && !slices.Contains(list, dir+"/"+rest) {
			list = append(list, dir+"/"+rest)
		}
	}
	return list
}

// Own lists an agent's own places, "~" for the home directory.
func Own(name string) []string { return FactsOf(name).Own }

// GuardedNames are names of files that an agent guards itself, in lower case.
func GuardedNames(name string) []string { return FactsOf(name).Guards }

// Answers reports whether an agent in a permission mode answers questions about
// files that it guards itself.
func Answers(name, mode string) bool { return slices.Contains(FactsOf(name).AnswersIn, mode) }

// TellsAfter reports whether a client also calls the hook after a tool has run. For
// others it is unknown whether a question was answered with yes.
func TellsAfter(name string) bool { return FactsOf(name).TellsAfter }

// Sandboxed reports whether a client runs commands in a sandbox of its own without
// being told to, as far as its call does not say otherwise.
func Sandboxed(call *tool.Call) bool {
	return FactsOf(call.Agent).Sandboxed && call.Mode != "bypassPermissions"
}

// What is known about agents that longline has no dialect for.
var (
	otherPrograms = []string{"aider", "crush", "openhands", "plandex"}
	otherMarks    = []string{"AI_AGENT"}
)
