package agent

import (
	"slices"
	"strconv"
	"strings"

	"longline/internal/tool"
)

// Capability says what one client does with longline's answers to one event.
// [Agent.Encode] uses it, and `longline agents` prints it.
type Capability struct {
	Agent   string // name of the dialect
	Client  string // the program, as its makers write it
	Version string // the version it was tried with; empty if it was not
	Proof   Proof
	Event   string // the client's name for the moment
	Kind    Kind

	// What the client is told in place of each decision. A deny is always told.
	Allow, Pass, Ask tool.Decision
	Rewrite          Rewriting
	// Aside says that a question has a place that the model reads and the person does not.
	Aside bool
	// Told says whether the model reads the reason of a deny.
	Told bool
	// Crash and Timeout are what the client does with the call when the hook
	// dies or does not answer, installed as longline installs it: Pass means that
	// it goes on as if there were no hook.
	Crash, Timeout tool.Decision
	// Deaf says that the client pays no heed to exit statuses.
	Deaf bool
	Note string
}

// Proof is how a capability is known.
type Proof uint8

const (
	Documented Proof = iota // read, never seen
	Observed                // seen with the real client
)

func (p Proof) String() string {
	if p == Observed {
		return "observed"
	}
	return "documented"
}

// Rewriting says with which answers a client runs a changed command.
type Rewriting uint8

const (
	Never      Rewriting = iota // it runs the original, or refuses
	NotWithAsk                  // after a question it runs the original
	Always
)

func (r Rewriting) String() string { return [...]string{"never", "not with ask", "always"}[r%3] }

func (r Rewriting) with(d tool.Decision) bool {
	return r == Always || r == NotWithAsk && d != tool.Ask
}

// TakesChanged reports whether a client runs a command as longline has changed it,
// with this decision. A person at a terminal does.
func TakesChanged(agent string, d tool.Decision) bool {
	c := capability(agent, BeforeTool)
	return c == nil || c.Rewrite.with(d)
}

// capability returns the row for a dialect at a moment. Moments that have no
// row of their own are answered like a tool call: nothing falls through.
func capability(agent string, kind Kind) *Capability {
	rows := FactsOf(agent).Capabilities
	for i := range rows {
		if rows[i].Kind == kind {
			return &rows[i]
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return &rows[0]
}

// CapabilityOf is what the client of a known dialect does with an answer to a tool call.
func CapabilityOf(name string) Capability { return *capability(name, BeforeTool) }

// Limit is what versions of a client before one cannot do.
type Limit struct{ Before, Lacks, Fix string }

// Older reports whether a version, as the client prints it, is before another.
// An unknown one is not.
func Older(version, than string) bool {
	a, b := numbers(version), numbers(than)
	return len(a) > 0 && slices.Compare(a, b) < 0
}

func numbers(version string) []int {
	var list []int
	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil
		}
		list = append(list, n)
	}
	return list
}
