package agent

import "longline/internal/tool"

// Capability says what one client makes of longline's answers at one moment.
// It is what [Agent.Encode] goes by, and what `longline agents` prints.
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
	// Told says whether the model reads the reason of a deny.
	Told bool
	// Crash and Timeout are what the client does with the call when the hook
	// dies or does not answer: Pass means that it goes on as if there were no hook.
	Crash, Timeout tool.Decision
	Note           string
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

// capability returns the row for a dialect at a moment. Moments that have no
// row of their own are answered like a tool call: nothing falls through.
func capability(agent string, kind Kind) *Capability {
	var found *Capability
	for i := range Capabilities {
		c := &Capabilities[i]
		if c.Agent == agent && (found == nil || c.Kind == kind) {
			found = c
			if c.Kind == kind {
				break
			}
		}
	}
	return found
}

// Capabilities is the one home of what is known about the clients. The first
// row of a dialect is for the moment before a tool call.
var Capabilities = []Capability{
	{
		Agent: "claude", Client: "Claude Code", Version: "2.1.325", Proof: Observed, Event: "PreToolUse", Kind: BeforeTool,
		Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Ask, Rewrite: Always, Told: true,
		Crash: tool.Pass, Timeout: tool.Pass,
		Note: `with "onFailure": "block" (2.1.295 and later) a crash or a timeout denies; allow does not beat the user's deny and ask rules; in plan mode allow is not said`,
	},
	{
		Agent: "claude", Client: "Claude Code", Version: "2.1.325", Proof: Observed, Event: "PermissionRequest", Kind: Permission,
		Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Pass, Rewrite: Never, Told: true,
		Crash: tool.Pass, Timeout: tool.Pass,
		Note: "the question is the user's own ask rule or the client's; longline does not answer it for them",
	},
	{
		Agent: "claude-legacy", Client: "An older hook of Claude Code", Version: "2.1.325", Proof: Observed, Event: "PreToolUse", Kind: BeforeTool,
		Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Deny, Rewrite: Never, Told: true,
		Crash: tool.Pass, Timeout: tool.Pass,
		Note: "the older dialect has no word for ask and none for a changed command",
	},
}
