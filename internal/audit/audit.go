// Package audit keeps the log: one line of JSON for every call that was judged,
// for what became of the questions, and for what a person told longline.
//
// The encoder is written by hand because it runs on every tool call, where
// encoding/json would cost more than judging does.
package audit

import (
	"cmp"
	"math/rand/v2"
	"strings"
	"time"

	"longline/internal/command"
	"longline/internal/mask"
	"longline/internal/policy"
	"longline/internal/tool"
)

// Version of the line format. It changes when a field changes its meaning or
// goes away, not when one is added.
const Version = 1

// maxText is how many characters of a command or rewrite a line keeps.
const maxText = 1024

// Line is something to log.
type Line interface {
	// Line encodes it, newline included.
	Line() []byte
}

// Entry is the line of a call that was judged.
type Entry struct {
	Time     time.Time
	Call     *tool.Call
	Verdict  *tool.Verdict
	Duration time.Duration
	DryRun   bool // judged, but answered with "no opinion"
	Content  policy.LogContent
	// Invocations is how the script was read. Secrets are told by what the
	// words of a command are for.
	Invocations []*command.Invocation
	// Answer is what was said where a person had said something before: the
	// permission to run it once, a pause. Otherwise it is the verdict's decision.
	Answer tool.Decision
	Why    string // "once" or "pause", if Answer is not the verdict's
	ID     string // by which a person can allow it once
	ByHand bool   // no agent called the hook
	// Bundle is the name and version of the bundle in force, or "".
	Bundle string
	// BundleLost says that what the bundle allows did not count.
	BundleLost bool
}

// Line encodes an entry, newline included.
func (e Entry) Line() []byte {
	command, whole, reason := e.subject()
	o := object{buf: make([]byte, 0, 512)}
	o.text("ts", stamp(e.Time))
	o.text("tool", e.Call.Tool)
	o.text("cwd", e.Call.Dir)
	o.text("command", command)
	o.text("decision", e.Verdict.Decision.String())
	rules, layers := matched(e.Verdict.Findings)
	o.texts("matched_rules", rules)
	o.textOrNull("reason", reason)
	o.flag("parse_ok", e.Verdict.Parsed)
	o.text("session_id", e.Call.Session)
	o.text("agent", e.Call.Agent)
	o.textOrNull("tool_use_id", e.Call.ToolUse)
	o.texts("layers", layers)
	rewrite, _ := cut(e.text(e.Verdict.Rewrite), maxText)
	o.textOrNull("rewritten", rewrite)
	if len(e.Verdict.Walled) > 0 && rewrite != "" {
		o.number("walled", int64(len(e.Verdict.Walled)))
	}
	if means := e.Verdict.Means.Names(); len(means) > 0 {
		o.texts("means", means)
	}
	o.number("duration_us", e.Duration.Microseconds())
	o.flag("dry_run", e.DryRun)
	o.textOrNull("rule", e.Verdict.Rule)
	o.text("event", e.Call.Event)
	o.flag("shell", e.Call.Shell)
	o.flag("edits", e.Call.Edits)
	o.flag("cut", !whole)
	if e.Why != "" {
		o.text("answered", e.Answer.String())
		o.text("because", e.Why)
	}
	if e.ID != "" {
		o.text("id", e.ID)
	}
	if e.Call.Subagent != "" {
		o.text("agent_type", e.Call.Subagent)
	}
	if e.Call.Prompt != "" {
		o.text("prompt_id", e.Call.Prompt)
	}
	if e.ByHand {
		o.flag("by_hand", true)
	}
	e.session(&o)
	if e.Bundle != "" {
		o.text("bundle", e.Bundle)
	}
	if e.BundleLost {
		o.flag("bundle_expired", true)
	}
	o.text("line", lineID(e.Time))
	o.number("v", Version)
	return append(o.buf, "}\n"...)
}

// lineID is what tells a line from every other one, on this machine and elsewhere: the
// time in milliseconds and 64 random bits, in hexadecimal. Who collects lines more than
// once knows a double by it.
func lineID(t time.Time) string {
	const digits = "0123456789abcdef"
	var id [28]byte
	ms, random := uint64(t.UnixMilli()), rand.Uint64()
	for i := 11; i >= 0; i-- {
		id[i] = digits[ms&15]
		ms >>= 4
	}
	for i := 27; i >= 12; i-- {
		id[i] = digits[random&15]
		random >>= 4
	}
	return string(id[:])
}

// session says what the answer has to do with earlier calls: whether it comes from
// what the session is known for, and which file is run that it has fetched or that the
// agent has written.
func (e Entry) session(o *object) {
	if e.Verdict.FromSession() {
		o.flag("from_session", true)
	}
	fetched, written := "", ""
	for _, inv := range e.Invocations {
		if inv.Code == nil {
			continue
		}
		if b := inv.Code.Fetched; b != nil && fetched == "" {
			fetched = b.Path
		}
		written = cmp.Or(written, inv.Code.Written)
	}
	if fetched != "" {
		o.text("runs_fetched", e.text(fetched))
	}
	if written != "" {
		o.text("runs_written", e.text(written))
	}
}

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// subject is what a call is about, as the log may hold it: its script, or what a
// tool without one does. It says whether that is all of it. The reason leaves out
// what a target in it may tell.
func (e Entry) subject() (text string, whole bool, reason string) {
	reason = e.Verdict.Reason
	switch {
	case e.Content == policy.LogStructure:
		if e.Call.Shell {
			text, _ = cut(mask.Structure(e.Invocations), maxText)
		} else {
			text = structureOf(e.Call.Effects)
		}
		return text, false, e.text(reason)
	case !e.Call.Shell:
		text, reason = e.text(Does(e.Call)), e.text(reason)
	case e.Content == policy.LogFull:
		text = e.Call.Script
	default:
		text, reason = mask.Both(e.script(), reason, e.Invocations)
		if len(e.Call.Script) > maxMasked {
			text, _ = cut(text, maxText)
			return text, false, reason
		}
	}
	text, whole = cut(text, maxText)
	return text, whole, reason
}

// maxMasked bounds how much of a script is looked at for secrets; it is far more
// than a line keeps.
const maxMasked = 16 << 10

func (e Entry) script() string { return e.Call.Script[:min(len(e.Call.Script), maxMasked)] }

// text is a text that is not a script, as the log may hold it.
func (e Entry) text(text string) string {
	// others: masked, as when nobody says.
	switch e.Content {
	case policy.LogFull:
		return text
	case policy.LogStructure:
		return ""
	}
	return mask.Text(text)
}

// Does is what a tool that is not a shell would do, in words.
func Does(call *tool.Call) string {
	parts := make([]string, len(call.Effects))
	for i, effect := range call.Effects {
		parts[i] = effect.Kind.String() + " " + effect.Target
	}
	return strings.Join(parts, ", ")
}

func structureOf(effects []tool.Effect) string {
	parts := make([]string, len(effects))
	for i, effect := range effects {
		parts[i] = effect.Kind.String() + " " + mask.Placeholder
	}
	return strings.Join(parts, ", ")
}

// Outcome is the line about what became of a call: one that had been held back ran after
// all, or the agent put the question to its user; or the agent refused one itself.
type Outcome struct {
	Time time.Time
	Call *tool.Call
	What string // "ran", "asked" or "refused"
	// Of what the agent refused: why, and how much the line may hold.
	Reason  string
	Content policy.LogContent
}

// Line encodes an outcome, newline included.
func (e Outcome) Line() []byte {
	o := object{buf: make([]byte, 0, 256)}
	o.text("ts", stamp(e.Time))
	o.text("event", "outcome")
	o.text("outcome", e.What)
	o.text("tool", e.Call.Tool)
	o.text("cwd", e.Call.Dir)
	o.text("session_id", e.Call.Session)
	o.text("agent", e.Call.Agent)
	o.textOrNull("tool_use_id", e.Call.ToolUse)
	if e.What == "refused" {
		command, _, reason := Entry{Call: e.Call, Verdict: &tool.Verdict{Reason: e.Reason}, Content: e.Content}.subject()
		reason, _ = cut(reason, maxText)
		o.text("command", command)
		o.textOrNull("reason", reason)
	}
	o.text("line", lineID(e.Time))
	o.number("v", Version)
	return append(o.buf, "}\n"...)
}

// Act is the line about something a person told longline.
type Act struct {
	Time time.Time
	What string // "trust", "revoke", "allow", "allow-once", "pause", "resume"; and of a wall "wall-refused"
	Dir  string
	// Subject is what it is about: a file, a command, a time.
	Subject string
}

// Line encodes an act, newline included.
func (e Act) Line() []byte {
	o := object{buf: make([]byte, 0, 256)}
	o.text("ts", stamp(e.Time))
	o.text("event", e.What)
	o.text("cwd", e.Dir)
	subject, _ := cut(mask.Text(e.Subject), maxText)
	o.text("subject", subject)
	o.text("line", lineID(e.Time))
	o.number("v", Version)
	return append(o.buf, "}\n"...)
}

// allowlist is the name under which entries of allowlists speak. They are no
// rules, so the line does not list them.
const allowlist = "allowlist"

// matched lists the rules that spoke, each once, and beside each its layer.
func matched(findings []tool.Finding) (rules, layers []string) {
next:
	for _, f := range findings {
		if f.Rule == "" || f.Rule == allowlist {
			continue
		}
		for i, r := range rules {
			if r == f.Rule && layers[i] == f.Layer {
				continue next
			}
		}
		rules, layers = append(rules, f.Rule), append(layers, f.Layer)
	}
	return rules, layers
}

// cut shortens a text to n characters, never splitting one, and says whether
// it was short enough.
func cut(text string, n int) (string, bool) {
	for i := range text {
		if n == 0 {
			return text[:i], false
		}
		n--
	}
	return text, true
}
