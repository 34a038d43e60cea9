// Package guard judges a call: it reads the script, works out what it would do
// and applies the policy. It is pure; what it may know of the machine is passed
// in.
package guard

import (
	"fmt"
	"slices"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/reader"
	"longline/internal/tool"
)

// Guard is everything that a judgement depends on.
type Guard struct {
	Library *command.Library
	Policy  *policy.Set
	// Limit begins the time that one judgement may take and returns what says that it
	// is over. What has not been looked at by then is a gap; nothing goes on after it.
	Limit func() (stop func() bool)
	stop  func() bool // of the judgement at hand
	last  reading     // of it
	// Block says that downloads to outside the sandbox are refused, not moved.
	Block bool
	// Client adds what the agent's own rules forbid or ask for to a verdict on a command
	// that is about to be changed: the agent holds them against the changed one only.
	Client func(call *tool.Call, v tool.Verdict, invs []*command.Invocation) tool.Verdict
}

// reading is what was read of a call, and the verdict on it.
type reading struct {
	script, dir string
	given, w    *tool.World // as the caller gave it, and as the reading found it to be
	invs        []*command.Invocation
	gaps        []command.Gap
	parsed      bool
	verdict     tool.Verdict
}

// Judge answers a call, and returns the program runs it found on the way. It
// always answers: what goes wrong inside asks, and never hides a deny.
func (g *Guard) Judge(call tool.Call, w *tool.World) (v tool.Verdict, invs []*command.Invocation) {
	g.Policy.Begin(len(call.Script))
	defer g.Policy.End()
	var gaps []command.Gap
	if g.last = (reading{}); g.Limit != nil {
		g.stop = g.Limit()
	}
	given := w
	parsed, problem := true, ""
	if call.Apart {
		apart := *w
		apart.Inherited, w = nil, &apart
	}
	if call.Script != "" || call.Shell {
		invs, gaps, parsed, problem = g.read(&call, w)
	}
	if with := withSecretSettings(&call, invs, w); with != w {
		if w = with; call.Script != "" || call.Shell {
			invs, gaps, parsed, problem = g.read(&call, w)
		}
	}
	w = withKeys(invs, withHooks(&call, invs, w))
	if !call.Shell && !call.Runs { // whether it is run, and by what, nobody knows: what cannot be read says nothing
		gaps, parsed, problem = nil, true, ""
	}
	v = g.hold(&call, invs, gaps, w)
	g.last = reading{call.Script, call.Dir, given, w, invs, gaps, parsed, v}
	if parsed && call.Shell && call.Dialect == "" && w.Sandbox != "" {
		v, invs, call.Script = g.sandboxed(&call, v, invs, w)
	}
	v.Parsed = parsed
	for i := range v.Findings {
		v.Findings[i].Span = inside(v.Findings[i].Span, len(call.Script))
	}
	if !parsed && v.Decision < tool.Ask {
		v.Decision, v.Rule, v.Reason = tool.Ask, "", "the script cannot be read: "+problem
	}
	return v, invs
}

// readAgain is the reading of a call that is judged a second time, in some other way.
func (g *Guard) readAgain(call *tool.Call, w *tool.World) reading {
	if r := &g.last; r.given != w || r.script != call.Script || r.dir != call.Dir || w == nil {
		g.Judge(*call, w)
	}
	return g.last
}

// maxBehind bounds the commands, and what they do, of a script of which some are put behind walls.
const maxBehind = 300

func weight(invs []*command.Invocation) (n int) {
	for _, inv := range invs {
		n += 1 + len(inv.Effects) + len(inv.Gaps)
	}
	return n
}

// tooMany is the verdict on a script of more commands than that, if one of them belongs behind a wall.
func (g *Guard) tooMany(call *tool.Call, r *reading) (tool.Verdict, []*command.Invocation, bool) {
	for i, group := range groups(r.invs) {
		if g.wants(call, group, r.w) {
			b := fence{at: i, span: inside(group[0].Span, len(call.Script))}
			return b.without(r.verdict), r.invs, true
		}
	}
	return tool.Verdict{}, nil, false
}

// needsNone says whether a verdict stands without walls: nothing asks and nothing runs code.
func (g *Guard) needsNone(call *tool.Call, r *reading) bool {
	return r.verdict.Decision == tool.Allow && r.verdict.Means == 0 && !slices.ContainsFunc(r.invs, func(inv *command.Invocation) bool {
		return inv.Meets || inv.Arrives || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute }) || g.Policy.Wall(call, inv, r.w) == policy.WallAlways
	})
}

// read resolves the script. A crash in there leaves nothing to judge but the
// question itself.
func (g *Guard) read(call *tool.Call, w *tool.World) (invs []*command.Invocation, gaps []command.Gap, parsed bool, problem string) {
	defer func() {
		if p := recover(); p != nil {
			invs, parsed, problem = nil, false, fmt.Sprint("internal error: ", p)
			gaps = []command.Gap{{Why: problem, Span: tool.Span{End: len(call.Script)}}}
		}
	}()
	here := w.Remembering()
	if here != nil {
		if g.stop != nil {
			here.Stop = g.stop
		}
		here.Secret, here.Tells, here.Past = g.Policy.Secrets(call, w), Tells, call.Past
		var made func(path string) bool
		here.Made = func(path string) bool { // few ask
			if made == nil {
				made = g.Policy.Made(call, w)
			}
			return made(path)
		}
	}
	r := reader.ReadIn(call.Dialect, call.Script, call.Dir, here, g.Library)
	g.recall(call, r.Invocations, here)
	g.instructs(r.Invocations, here)
	printedMembers(r.Invocations, here)
	return r.Invocations, r.Gaps, r.Parsed, r.Problem
}

// hold judges what was read. If the policy crashes on the whole, each
// invocation is judged alone, so that one that crashes does not hide the deny
// its neighbour deserves; the answer is then at least a question.
func (g *Guard) hold(call *tool.Call, invs []*command.Invocation, gaps []command.Gap, w *tool.World) tool.Verdict {
	v, crash := g.try(call, invs, gaps, w)
	if crash == "" {
		return v
	}
	worst := tool.Verdict{Decision: tool.Ask, Reason: "internal error: " + crash}
	for i, inv := range invs {
		v, crash := g.try(call, []*command.Invocation{inv}, nil, w)
		if crash != "" {
			continue
		}
		for _, f := range v.Findings {
			if f.Invocation == 0 {
				f.Invocation = i
			}
			worst.Findings = append(worst.Findings, f)
		}
		if v.Decision > worst.Decision {
			worst.Decision, worst.Rule, worst.Reason, worst.Suggest = v.Decision, v.Rule, v.Reason, v.Suggest
		}
	}
	return worst
}

func (g *Guard) try(call *tool.Call, invs []*command.Invocation, gaps []command.Gap, w *tool.World) (v tool.Verdict, crash string) {
	defer func() {
		if p := recover(); p != nil {
			crash = fmt.Sprint(p)
		}
	}()
	return g.Policy.JudgeUntil(g.stop, call, invs, gaps, w), ""
}

// inside keeps a span within the script: an error at the end of the input
// points behind it.
func inside(s tool.Span, size int) tool.Span {
	end := min(max(s.End, 0), size)
	return tool.Span{Start: min(max(s.Start, 0), end), End: end}
}
