// Package agent implements the hook protocols of coding agents. Each agent has
// one file, which turns what that agent sends before a tool call into a
// [tool.Call], and a [tool.Verdict] into the answer that it understands. What
// each client does with an answer is in one table, [Capabilities]; an answer
// that it would ignore is replaced by the next stricter one that it supports.
package agent

import (
	"errors"
	"strings"

	"longline/internal/strictjson"
	"longline/internal/tool"
)

// Agent is one dialect.
type Agent interface {
	// Name is what the command line and the audit line call it.
	Name() string
	// Facts is what is known about it.
	Facts() *Facts
	// Decode reads what the agent sent. With an error it still returns a
	// request that Encode can answer, so that the caller can ask.
	Decode(stdin []byte, env func(string) (string, bool)) (Request, error)
	// Encode writes the answer.
	Encode(Request, tool.Verdict) Answer
}

// All lists every dialect; the first is the default.
var All = []Agent{
	claude{},
	claudeLegacy{},
	codex{},
	gemini{},
	copilot{},
	opencode{},
	qwen{},
	droid{},
	cline{},
	amp{},
	cursor{},
	windsurf{},
	kiro{},
	vscode{},
	antigravity{},
	auggie{},
	goose{},
	hermes{},
}

// Find returns the dialect of that name, or nil.
func Find(name string) Agent {
	for _, a := range All {
		if a.Name() == name {
			return a
		}
	}
	return nil
}

// Names lists the names of all dialects.
func Names() []string {
	names := make([]string, len(All))
	for i, a := range All {
		names[i] = a.Name()
	}
	return names
}

// Kind is the event at which the agent calls.
type Kind uint8

const (
	Other        Kind = iota // longline has nothing to say
	BeforeTool               // a tool is about to run
	Permission               // the agent is about to ask its user about a tool call
	AfterTool                // a tool has run
	ConfigChange             // the agent's settings are about to change
	SessionStart
	Prompt       // the user has sent a prompt, or the client has in their place
	Instructions // a file of instructions was loaded
	Refused      // the client itself has refused a tool call
	DirAdded     // a directory was added to the session
)

// Request is what an agent sent.
type Request struct {
	Kind Kind
	Call tool.Call
	// Input is the tool's arguments and Document everything, both as written.
	Input, Document strictjson.Value

	field string // where in Input the script stands
	cwd   string // of the client, if the tool is to run elsewhere
	shape shape
	bell  bool // a question rings the terminal's bell
}

// shape tells apart the dialects that one agent speaks.
type shape uint8

// Answer is what longline tells an agent: bytes for its two streams and the
// exit status.
type Answer struct {
	Stdout, Stderr []byte
	Status         int
}

// Refuse is the answer when longline cannot judge because its own configuration
// is broken: exit status 2 and the reason on standard error, which every client
// treats as a refusal, except those that need it in their own format.
func Refuse(a Agent, req Request, reason string) Answer {
	answer := Answer{Stderr: []byte(reason + "\n"), Status: 2}
	if capability(a.Name(), req.Kind).Deaf {
		answer.Stdout = a.Encode(req, tool.Verdict{Decision: tool.Deny, Reason: reason}).Stdout
	}
	return answer
}

// reasonText is how a verdict reads to a model and to a person: what would happen, and
// for the model what to do instead.
func reasonText(v *tool.Verdict, suggest string) string {
	text := v.Reason
	if v.Rule != "" {
		text = "[" + v.Rule + "]"
		if v.Reason != "" {
			text += " " + v.Reason
		}
	}
	if v.Part != "" && text != "" {
		text += "\nIn: " + v.Part
	}
	if suggest != "" {
		text += "\n" + suggest
	}
	switch {
	case text != "":
		return text
	case v.Decision == tool.Allow:
		return "longline knows what this does, and no rule objects."
	}
	return "longline gave no reason"
}

// settle returns what is really said to the client: the verdict, or what its
// capabilities make of it, with the reason completed accordingly. A suggestion that is
// left is for the model alone; otherwise the reason holds it.
func settle(c *Capability, req *Request, v tool.Verdict) tool.Verdict {
	v.Decision = sure(v.Decision)
	asked, lasting := v.Decision == tool.Ask, v.Lasting() && (req.Call.Shell || ofTool(&v))
	if v.Decision == tool.Deny || !req.Call.Shell {
		v.Rewrite = ""
	}
	text := c.reason(req, &v)
	if v.Rewrite != "" && !c.Rewrite.with(v.Decision) {
		text = inThatForm(&v, text)
		v.Decision, v.Rewrite, asked = tool.Deny, "", false
	}
	if c.decides(&v) {
		text = "No rule allows or forbids this."
	}
	if v.Decision = c.told(&v); v.Decision == tool.Deny {
		v.Rewrite = ""
	}
	noteMoved(&v)
	if v.Decision >= tool.Ask {
		text += byPerson(c, req, &v, asked, lasting)
	}
	v.Reason = text
	return v
}

// ofTool says whether all questions are about the tool, and none about what it is given.
func ofTool(v *tool.Verdict) bool {
	some := false
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Decision >= tool.Ask {
			if some = f.OfTool(); !some {
				return false
			}
		}
	}
	return some
}

// sure is a decision; what is none asks.
func sure(d tool.Decision) tool.Decision {
	if d < tool.Allow || d > tool.Deny {
		return tool.Ask
	}
	return d
}

// reason is what is said about a verdict. A suggestion that the model alone is told stays in
// the verdict.
func (c *Capability) reason(req *Request, v *tool.Verdict) string {
	if c.heard(req, v) && c.Aside {
		return reasonText(v, "")
	}
	text := reasonText(v, v.Suggest)
	v.Suggest = ""
	return text
}

// inThatForm is the reason of a denial that says in which form the command may run.
func inThatForm(v *tool.Verdict, text string) string {
	if v.Reason == "" && v.Rule == "" {
		text = "This command may run only in the form below."
	}
	return text + "\nRun this instead:\n" + v.Rewrite
}

// decides reports whether the client is told something about a call that no rule speaks of.
func (c *Capability) decides(v *tool.Verdict) bool {
	return v.Decision == tool.Pass && c.Pass != tool.Pass && v.Reason == ""
}

// told is the decision that the client is told in place of a verdict's.
func (c *Capability) told(v *tool.Verdict) tool.Decision {
	// others: a denial is one everywhere.
	switch v.Decision {
	case tool.Allow:
		return c.Allow
	case tool.Pass:
		return c.Pass
	case tool.Ask:
		if v.Unheard {
			return tool.Deny
		}
		return c.Ask
	}
	return v.Decision
}

// noteMoved says what was moved, as far as the changed command runs.
func noteMoved(v *tool.Verdict) {
	if len(v.Moved) > 0 && v.Rewrite != "" {
		v.Notices = append(v.Notices[:len(v.Notices):len(v.Notices)], v.Moved...)
	} else if len(v.Moved) > 0 {
		v.Context = "" // nothing was moved after all
	}
}

// heard says whether a verdict is a question that its client puts to a person.
func (c *Capability) heard(req *Request, v *tool.Verdict) bool {
	return v.Decision == tool.Ask && c.Ask == tool.Ask && !v.Unheard && req.Call.Attended && (v.Rewrite == "" || c.Rewrite.with(tool.Ask))
}

// aside is the reason with the suggestion, for the place that only the model reads.
func aside(v *tool.Verdict) string {
	if v.Suggest == "" {
		return v.Reason
	}
	return v.Reason + "\nIf the user says no: " + v.Suggest
}

// byPerson says what a person can do about an answer. The id by which a call can
// be let through comes last, where people look for it. Who is asked needs no way to let
// the call run once.
func byPerson(c *Capability, req *Request, v *tool.Verdict, asked, lasting bool) string {
	text := ""
	switch {
	case asked && v.Decision == tool.Deny:
		text = "\n" + c.Client + " cannot ask its user about this. A person can run it, or allow it with a rule in longline's rules file."
	case asked && !req.Call.Attended:
		text = "\nThere is nobody to ask. A person can run it, or allow it with a rule in longline's rules file."
	}
	if v.Once == "" {
		return text
	}
	if v.Decision == tool.Ask && req.Call.Attended {
		if lasting {
			text += "\nTo stop this question: longline allow " + v.Once
		}
		return text
	}
	text += "\nA person can allow it once: longline allow-once " + v.Once
	if lasting {
		text += "; or from now on: longline allow " + v.Once
	}
	return text
}

// Told is what a client is told in place of a decision about a shell command
// that is about to run.
func Told(name string, v tool.Verdict) tool.Decision {
	req := Request{Kind: BeforeTool, Call: tool.Call{Shell: true, Attended: true}}
	return settle(capability(name, BeforeTool), &req, v).Decision
}

// object writes a JSON object member by member.
type object struct{ buf []byte }

func (o *object) key(key string) {
	if len(o.buf) == 0 {
		// As much as an answer takes: growing would touch new memory each time.
		o.buf = append(make([]byte, 0, 512), '{')
	} else {
		o.buf = append(o.buf, ',')
	}
	o.buf = append(strictjson.AppendString(o.buf, key), ':')
}

func (o *object) raw(key, value string) {
	o.key(key)
	o.buf = append(o.buf, value...)
}

func (o *object) text(key, value string) {
	o.key(key)
	o.buf = strictjson.AppendString(o.buf, value)
}

func (o *object) empty() bool { return len(o.buf) == 0 }

func (o *object) String() string {
	if len(o.buf) == 0 {
		return "{}"
	}
	return string(o.buf) + "}"
}

// answer is the object as the only thing on standard output.
func (o *object) answer() Answer {
	if o.empty() {
		return Answer{Stdout: []byte("{}\n")}
	}
	return Answer{Stdout: append(o.buf, "}\n"...)}
}

// spoken is the object on standard output, or nothing at all if it is empty:
// most clients take silence for "no opinion". Lines for a person go to standard
// error where the dialect has no place for them.
func (o *object) spoken(v *tool.Verdict) Answer {
	var a Answer
	if !o.empty() {
		a = o.answer()
	}
	if len(v.Notices) > 0 {
		a.Stderr = []byte(strings.Join(v.Notices, "\n") + "\n")
	}
	return a
}

// blocked is the answer of the clients that know only an exit status: 2 and the
// reason refuse, 0 goes on.
func blocked(v *tool.Verdict) Answer {
	if v.Decision == tool.Deny {
		return Answer{Stderr: []byte(v.Reason + "\n"), Status: 2}
	}
	return new(object).spoken(v)
}

var errNoObject = errors.New("the hook input is not a JSON object")

// document reads what the agent sent; anything but an object is an error.
func document(stdin []byte) (strictjson.Value, error) {
	v, err := strictjson.Parse(stdin)
	if err != nil {
		return v, errors.New("the hook input is not usable: " + err.Error())
	}
	if v.Kind != strictjson.Object {
		return v, errNoObject
	}
	return v, nil
}

// text returns a string member; one that is missing or null reads as "".
func text(v strictjson.Value, key string) (string, error) {
	m := v.Get(key)
	switch m.Kind {
	case strictjson.String:
		return m.Text, nil
	case strictjson.Absent, strictjson.Null:
		return "", nil
	}
	return "", errors.New("the hook input has " + m.Kind.String() + " for " + strictjson.Quote(key) + " (want a string)")
}

// remark returns a string member that decides nothing; anything else reads as "".
func remark(v strictjson.Value, key string) string { return v.Get(key).Text }

var (
	errNoInput     = errors.New(`the hook input has no object "tool_input"`)
	errNoTool      = errors.New(`the hook input has neither a tool nor a command`)
	errRelativeDir = errors.New("the hook input gives a working directory that is not absolute")
)
