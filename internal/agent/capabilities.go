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

// Sandboxed reports whether a client runs commands in a sandbox of its own without
// being told to, as far as its call does not say otherwise.
func Sandboxed(call *tool.Call) bool {
	return call.Agent == "codex" && call.Mode != "bypassPermissions"
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

// Limit is what older versions of a client cannot do.
type Limit struct{ Agent, Before, Lacks, Fix string }

// Limits lists what older versions of clients cannot do.
var Limits = []Limit{
	{
		"claude", "2.1.295", `does not support "onFailure": if longline crashes or is late, the command runs`,
		"update Claude Code to 2.1.295 or later (needs Node 22, or the native installer)",
	},
}

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

// Capabilities is everything known about the clients. The first row of a
// dialect is for the event before a tool call.
var Capabilities = []Capability{
	{
		Agent: "claude", Client: "Claude Code", Version: "2.1.325", Proof: Observed, Event: "PreToolUse", Kind: BeforeTool,
		Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Ask, Aside: true, Rewrite: Always, Told: true,
		Crash: tool.Deny, Timeout: tool.Deny,
		Note: `before 2.1.295, which does not support "onFailure", a crash or a timeout lets the call run; allow does not beat the user's deny and ask rules; allow is not said in plan mode, nor for a command that asks to leave the client's own sandbox`,
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
		Note: "the older dialect cannot ask or change a command",
	},
	{
		Agent: "codex", Client: "Codex CLI", Version: "0.166.0", Proof: Observed, Event: "PreToolUse", Kind: BeforeTool,
		Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Deny, Rewrite: Always, Told: true,
		Crash: tool.Pass, Timeout: tool.Pass,
		Note: "a bare allow voids the answer, so it is silence; Codex silently skips a hook whose hash is not on record; text typed into a running command (write_stdin) is not shown to hooks",
	},
	{
		Agent: "codex", Client: "Codex CLI", Version: "0.166.0", Proof: Observed, Event: "PermissionRequest", Kind: Permission,
		Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Pass, Rewrite: Never, Told: true,
		Crash: tool.Ask, Timeout: tool.Ask,
		Note: "only where Codex would ask: never in codex exec",
	},
	{
		Agent: "gemini", Client: "Gemini CLI", Version: "0.61.0", Proof: Observed, Event: "BeforeTool", Kind: BeforeTool,
		Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Ask, Aside: true, Rewrite: Always, Told: true,
		Crash: tool.Pass, Timeout: tool.Pass,
		Note: "allow does not skip the confirmation; an ask without a terminal ends the run, exit status 0, the command not run; in a folder that is not trusted no hook runs",
	},
	{
		Agent: "copilot", Client: "Copilot CLI", Version: "1.0.102", Proof: Observed, Event: "preToolUse, PreToolUse", Kind: BeforeTool,
		Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Ask, Rewrite: NotWithAsk, Told: true,
		Crash: tool.Deny, Timeout: tool.Pass,
		Note: "after an ask it runs the original command, so an ask about a changed one is a deny",
	},
	{
		Agent: "copilot", Client: "Copilot CLI", Version: "1.0.102", Proof: Observed, Event: "permissionRequest", Kind: Permission,
		Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Pass, Rewrite: Never, Told: true,
		Crash: tool.Deny, Timeout: tool.Pass,
	},
	{
		Agent: "opencode", Client: "opencode", Version: "1.18.33", Proof: Observed, Event: "tool.execute.before", Kind: BeforeTool,
		Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Deny, Rewrite: Always, Told: true,
		Crash: tool.Deny, Timeout: tool.Deny,
		Note: "through longline's plugin, which refuses when longline fails; a plugin that does not load is skipped silently",
	},
	{
		Agent: "qwen", Client: "Qwen Code", Version: "0.24.4", Proof: Observed, Event: "PreToolUse", Kind: BeforeTool,
		Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Ask, Rewrite: Never, Told: true,
		Crash: tool.Pass, Timeout: tool.Pass,
		Note: "comes after Qwen's own question; a changed command is ignored and the original runs",
	},
	{
		Agent: "qwen", Client: "Qwen Code", Version: "0.24.4", Proof: Observed, Event: "PermissionRequest", Kind: Permission,
		Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Pass, Rewrite: NotWithAsk, Told: true,
		Crash: tool.Ask, Timeout: tool.Ask,
		Note: "only where Qwen would ask: not in yolo mode, not without a terminal",
	},
	{
		Agent: "droid", Client: "Droid", Version: "0.225.2", Proof: Observed, Event: "PreToolUse", Kind: BeforeTool,
		Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Deny, Rewrite: NotWithAsk, Told: true,
		Crash: tool.Pass, Timeout: tool.Pass,
		Note: "ask counts as no opinion, so the command may run",
	},
	{
		Agent: "cline", Client: "Cline", Version: "3.0.65", Proof: Observed, Event: "PreToolUse", Kind: BeforeTool,
		Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Deny, Rewrite: NotWithAsk, Told: true,
		Crash: tool.Pass, Timeout: tool.Pass, Deaf: true,
		Note: "a denied shell command is replaced by one that prints the reason and fails, since cancelling ends the task; other tools are cancelled; the editor's extension was not tried",
	},
	{
		Agent: "amp", Client: "Amp", Version: "0.0.1790142911", Proof: Observed, Event: "delegate", Kind: BeforeTool,
		Allow: tool.Allow, Pass: tool.Ask, Ask: tool.Ask, Rewrite: Never, Told: true,
		Crash: tool.Deny, Timeout: tool.Ask,
		Note: "tried with amp permissions test only; it has no neutral answer, so no opinion asks; a hook that exits with status 1 asks, one that is killed denies, one that hangs is waited for",
	},
	{
		Agent: "cursor", Client: "Cursor", Event: "beforeShellExecution, beforeReadFile, beforeMCPExecution, preToolUse", Kind: BeforeTool,
		Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Ask, Aside: true, Rewrite: Never, Told: true,
		Crash: tool.Deny, Timeout: tool.Deny,
		Note: `with "failClosed": true; beforeReadFile and preToolUse cannot ask (deny), and the latter can change the command`,
	},
	{
		Agent: "windsurf", Client: "Windsurf", Event: "pre_run_command, pre_read_code, pre_write_code", Kind: BeforeTool,
		Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Deny, Rewrite: Never, Told: true,
		Crash: tool.Pass, Timeout: tool.Pass,
		Note: "understands only exit statuses",
	},
	{
		Agent: "kiro", Client: "Kiro", Event: "PreToolUse", Kind: BeforeTool,
		Allow: tool.Pass, Pass: tool.Pass, Ask: tool.Deny, Rewrite: Never, Told: true,
		Crash: tool.Pass, Timeout: tool.Pass,
		Note: "understands only exit statuses; some versions were reported to ignore them for file writes",
	},
	{
		Agent: "vscode", Client: "Copilot in VS Code", Event: "PreToolUse", Kind: BeforeTool,
		Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Ask, Aside: true, Rewrite: NotWithAsk, Told: true,
		Crash: tool.Pass, Timeout: tool.Pass,
		Note: "matchers are ignored: a hook set up for Claude Code is called too",
	},
}

// TellsAfter reports whether a client also calls the hook after a tool has run. For
// others it is unknown whether a question was answered with yes.
func TellsAfter(name string) bool { return name == "claude" }
