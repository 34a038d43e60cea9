// Package wall runs a program confined by the kernel. What is open follows from the
// zones: everything but secrets can be read, only the project and temporary files
// can be written, what configures agents, git and editors stays as it is, and the
// network ends at this machine.
//
// The wall is made of mounts in a user namespace where those are to be had, and of
// Landlock where not; on macOS it is a profile for Seatbelt. On Linux a supervisor outside of it answers for the few calls that the
// kernel cannot judge by itself: it looks at where a connection goes to and at the
// name of a file that comes to be, and makes the call in the program's place.
package wall

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/veil"
)

// Exit statuses of a wall itself. Every other status is the program's.
const (
	StatusNoWall   = 125 // it could not be set up, and nothing was run
	StatusNoExec   = 126 // the program is there and cannot be run
	StatusNotFound = 127 // there is no such program
)

// The words by which longline is told to go on supervising, which is of no use to anybody who has no listener to hand over, and to
// try what no program may do behind a wall.
const (
	SuperviseArg = "--supervise"
	AttemptArg   = "--attempt"
)

// Kind is what a wall does to a path and what is below it.
type Kind uint8

// The kinds of layers. A deeper path counts before one above it.
const (
	Open   Kind = iota // can be written
	Fixed              // can be written, but not moved or removed itself
	Closed             // can be read only
	Hidden             // cannot be read
	Empty              // is there and has nothing in it
)

var kindNames = [...]string{"open", "open, cannot be moved", "read-only", "hidden", "hidden, looks empty"}

func (k Kind) String() string { return kindNames[k] }

// Layer is one path and what is done to it.
type Layer struct {
	Path string // absolute, without links
	Kind Kind
}

// Overlay makes directories look writable: what is written goes to a private place and
// is seen behind walls of the same project only.
type Overlay struct {
	Paths   []string
	Private string // holds what is written
	whole   string // of which one overlay can be made that the paths in it are taken from, "" if none can

	part string   // what of it this wall writes to; "" before it is claimed
	lock *os.File // says that it is in use
}

// Plan is everything that a wall leaves open.
type Plan struct {
	Self     []string // the words by which this program builds walls
	Dir      string   // where the program runs
	Home     string   // the user's home directory, without links
	Projects []string // the project, as given and without links
	Layers   []Layer  // by path
	Overlay  Overlay
	Network  bool     // other machines can be reached
	Keeps    bool     // nothing is closed but what configures agents and longline
	Hides    bool     // secrets of the project are hidden though no other machine can be reached
	Hosts    []string // those that can be if not all can, by name or as *.NAME
	Sockets  []string // unix sockets of others that can be used
	Env      []string // what is left of the environment
	Dropped  []string // the names of variables that were taken out
	// Guarded says whether nothing may come to be under a name, or be changed there.
	Guarded func(path string) bool
	// Leading says whether a name is on the way to a guarded one, so that only a
	// new and empty directory may get it.
	Leading func(path string) bool
	// Loose says whether names are free at a place that are guarded elsewhere: where
	// builds are made, and outside the project.
	Loose func(path string) bool
	// Secret says whether a file is one of those whose content nobody may read.
	Secret func(path string) bool
	// Cover is the filter that what the program prints goes through; nil if there is none. Hidden is how often each secret was hidden.
	Cover  *veil.Cover
	Hidden map[string]int
	// Told is called with what was refused when the program has ended, if anything was. Failed says that it has ended with a failure.
	Told func(refused []Refusal, failed bool)

	members func(z policy.Zone) []string // what the zones are made of
	held    []string                     // open trees in which the supervisor acts for the program
	free    []string                     // the others
	listed  map[string][]string          // directories that were read
	unseen  string                       // a directory that must be seen whole and has too much in it; "" if there is none
	plain   bool                         // no namespaces, although they are to be had: for tests
	strange bool                         // no address but the loopback's is this machine's: for tests
}

// Refusal is something that the supervisor refused.
type Refusal struct {
	Program string // by its short name
	What    string // "connect to 192.0.2.1:443", "change .mcp.json"
	Host    bool   // it was about another machine
	Name    bool   // it was about a name that nothing may come to be under, which programs may take for no failure
}

// Chief is the refusal that most likely made a program fail: the first of another machine, or else the last.
func Chief(refused []Refusal) Refusal {
	if i := slices.IndexFunc(refused, func(r Refusal) bool { return r.Host }); i >= 0 {
		return refused[i]
	}
	return refused[len(refused)-1]
}

// ErrUnsupported is the error of platforms without walls.
var ErrUnsupported = errors.New("walls need Linux or macOS")

// kindOf is what the wall does to a path.
func (p *Plan) kindOf(path string) Kind {
	for _, l := range slices.Backward(p.Layers) {
		if paths.Within(path, l.Path) {
			return l.Kind
		}
	}
	return Closed
}

// writable says whether something can be made or changed at a path.
func (p *Plan) writable(path string) bool {
	k := p.kindOf(path)
	return (k == Open || k == Fixed) && !p.guarded(path)
}

// apart says whether what is written at a path is kept apart.
func (o *Overlay) apart(path string) bool {
	return slices.ContainsFunc(o.Paths, func(dir string) bool { return paths.Within(path, dir) })
}

func (p *Plan) guarded(path string) bool { return p.Guarded != nil && p.Guarded(path) }

func (p *Plan) loose(path string) bool { return p.Loose != nil && p.Loose(path) }

// reaches says whether there are other machines that can be reached.
func (p *Plan) reaches() bool { return p.Network || len(p.Hosts) > 0 }

// hidesOwn says whether the secrets of the project are hidden.
func (p *Plan) hidesOwn() bool { return p.Hides || p.reaches() }

// opens says whether a machine of a name can be reached.
func (p *Plan) opens(name string) bool {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	return slices.ContainsFunc(p.Hosts, func(host string) bool {
		below, all := strings.CutPrefix(host, "*")
		return name == host || all && strings.HasSuffix(name, below)
	})
}

// add puts a layer in its place; the last word on a path counts.
func (p *Plan) add(path string, kind Kind) {
	i, found := slices.BinarySearchFunc(p.Layers, path, func(l Layer, path string) int { return strings.Compare(l.Path, path) })
	if found {
		p.Layers[i].Kind = kind
		return
	}
	p.Layers = slices.Insert(p.Layers, i, Layer{path, kind})
}

// Engine is how a wall is made on this machine.
type Engine struct {
	Name string   // "namespaces", "Landlock", "Seatbelt"; "" if there is none
	Why  string   // why it is not a better one
	Open []string // what it does not hold, each as half a sentence
}

func (e Engine) String() string {
	if e.Name == "" {
		return "none: " + e.Why
	}
	return e.Name
}

// Show says in words what a plan leaves open.
func (p *Plan) Show(e Engine) string {
	var b strings.Builder
	fmt.Fprintf(&b, "engine     %s\n", e)
	list := func(name string, kinds ...Kind) {
		var paths []string
		for _, l := range p.Layers {
			if slices.Contains(kinds, l.Kind) {
				paths = append(paths, p.tilde(l.Path))
			}
		}
		if len(paths) == 0 {
			paths = []string{"nothing"}
		}
		fmt.Fprintf(&b, "%-10s %s\n", name, strings.Join(paths, "\n           "))
	}
	list("writable", Open, Fixed)
	for i, path := range p.Overlay.Paths {
		if e.Name != "namespaces" {
			break
		}
		if i == 0 {
			fmt.Fprintf(&b, "private    in %s is kept what is written to\n", p.tilde(p.Overlay.Private))
		}
		fmt.Fprintf(&b, "           %s\n", p.tilde(path))
	}
	list("read-only", Closed)
	fmt.Fprintf(&b, "           and everything else\n")
	list("hidden", Hidden, Empty)
	if p.Network {
		b.WriteString("network    open: the command fetches, and the rules allow it\n")
	} else if len(p.Hosts) > 0 && e.Name != "Seatbelt" { // which knows no names
		b.WriteString("network    this machine, and " + strings.Join(p.Hosts, ", ") + "\n")
	} else {
		b.WriteString("network    this machine only\n")
	}
	sockets := "those that the program makes itself"
	for _, s := range p.Sockets {
		sockets += "\n           " + p.tilde(s)
	}
	fmt.Fprintf(&b, "sockets    %s\n", sockets)
	if len(p.Dropped) > 0 {
		fmt.Fprintf(&b, "taken out  $%s\n", strings.Join(p.Dropped, " $"))
	}
	for i, gap := range e.Open {
		name := ""
		if i == 0 {
			name = "not held"
		}
		fmt.Fprintf(&b, "%-10s %s\n", name, gap)
	}
	return b.String()
}

func (p *Plan) tilde(path string) string {
	if p.Home != "" && paths.Within(path, p.Home) {
		return "~" + path[len(p.Home):]
	}
	return path
}
