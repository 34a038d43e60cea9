package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/sandbox"
	"longline/internal/tool"
)

// SandboxID is the id of the sandbox's objections.
const SandboxID = "sandbox"

// sandboxed holds a script against the sandbox: what it fetches must land there.
// It returns the verdict on what will really run, with that script's reading.
func (g *Guard) sandboxed(call *tool.Call, v tool.Verdict, invs []*command.Invocation, w *tool.World) (tool.Verdict, []*command.Invocation, string) {
	plan := sandbox.For(call.Script, invs, w)
	if v.Decision == tool.Deny || !plan.Needed() {
		return v, invs, call.Script
	}
	m := &move{plan: &plan, dir: tilde(w.Sandbox, w), from: call.Script, to: plan.Apply(call.Script)}
	if why := m.refused(g.Block); why != nil {
		return why.to(v), invs, call.Script
	}
	moved := *call
	moved.Script = m.to
	after, gaps, parsed, _ := g.read(&moved, w)
	if why := m.strays(invs, after, parsed, w); why != nil {
		return why.to(v), invs, call.Script
	}
	nv := g.hold(&moved, after, gaps, w)
	if nv.Decision == tool.Deny {
		return objection{tool.Deny, nv.Reason, nv.Suggest, plan.Span(), ""}.to(v), invs, call.Script
	}
	if g.Client != nil {
		held := g.Client(call, v, invs)
		if held.Decision == tool.Deny {
			return held, invs, call.Script
		}
		nv = asWritten(nv, held.Findings[len(v.Findings):])
	}
	nv.Rewrite, nv.Changed, nv.Dirs = m.to, plan.Changed(), append([]string{w.Sandbox}, plan.Dirs...)
	var said []string
	nv.Moved, said = redirected(nv.Moved, &plan, w)
	nv.Context = "longline changed the command so that the download goes to the sandbox: it is now in " + strings.Join(said, ", ") + ". Use that path from now on. The command that ran: " + m.to
	return nv, after, m.to
}

// objection is one of the sandbox.
type objection struct {
	decision        tool.Decision
	reason, suggest string
	span            tool.Span
	notice          string
}

// to adds the objection to a verdict.
func (o objection) to(v tool.Verdict) tool.Verdict {
	v.Findings = append(v.Findings, tool.Finding{Rule: SandboxID, Decision: o.decision, Reason: o.reason, Suggest: o.suggest, Span: o.span, Level: "critical", Layer: "builtin", Source: "sandbox", Invocation: -1})
	if o.decision > v.Decision || o.decision == v.Decision && o.decision == tool.Ask {
		v.Decision, v.Rule, v.Reason, v.Suggest = o.decision, SandboxID, o.reason, o.suggest
	}
	if o.notice != "" {
		v.Notices = append(v.Notices, o.notice)
	}
	return v
}

// move is the change of a script so that what it fetches lands in the sandbox.
type move struct {
	plan     *sandbox.Plan
	dir      string // the sandbox, as it is shown
	from, to string // the scripts
}

// use is what to do instead, if the changed script is worth saying.
func (m *move) use() string {
	if m.to != "" && m.to != m.from && len(m.plan.Blocked) == 0 {
		return "Use: " + m.to
	}
	return ""
}

// piped is the objection to a download that goes into a program.
func (m *move) piped(span tool.Span) *objection {
	use := "Use: curl <url> -o " + m.dir + "/<filename>"
	return &objection{tool.Deny, "Cannot safely rewrite piped download", use, span, "[SandboxEnforcer] BLOCKED: Cannot safely rewrite piped download. " + use}
}

// refused says why the script is not changed at all.
func (m *move) refused(block bool) *objection {
	for _, b := range m.plan.Blocked {
		if b.Piped {
			return m.piped(b.Span)
		}
	}
	if block {
		const why = "External content acquisition denied (block mode)"
		return &objection{tool.Deny, why, m.use(), m.plan.Span(), "[SandboxEnforcer] BLOCKED: " + why}
	}
	if len(m.plan.Blocked) == 0 {
		return nil
	}
	b := m.plan.Blocked[0]
	suggest := "Name a destination below " + m.dir
	if b.Fixed {
		suggest = "Clone it below " + m.dir + " and look at it first"
	}
	return &objection{tool.Ask, "Downloads something that belongs in " + m.dir + ", but " + b.Why, suggest, b.Span, ""}
}

// strays says why the changed script, which reads as after, is not what was meant.
func (m *move) strays(invs, after []*command.Invocation, parsed bool, w *tool.World) *objection {
	belongs, name, all := "Downloads something that belongs in "+m.dir+", and ", "Name a destination below "+m.dir, m.plan.Span()
	if m.use() == "" || !parsed {
		return &objection{tool.Ask, belongs + "the command cannot be rewritten", name, all, ""}
	}
	if span, spilled := sandbox.Spilled(m.to, after, w); spilled {
		return m.piped(inside(span, len(m.from)))
	}
	if left := sandbox.For(m.to, after, w); left.Needed() {
		return &objection{tool.Ask, belongs + "the rewritten command would too", name, all, ""}
	}
	if why, ok := m.plan.Follows(invs, after); !ok {
		return &objection{tool.Ask, belongs + why, m.use(), all, ""}
	}
	return nil
}

// redirected adds a line for each download that goes elsewhere, and lists where they go.
func redirected(lines []string, plan *sandbox.Plan, w *tool.World) (all, where []string) {
	for _, m := range plan.Moved {
		what := "download"
		if m.Clone {
			what = "git clone"
		}
		line := "[SandboxEnforcer] Redirected " + what + " to sandbox: " + tilde(m.To, w)
		if !slices.Contains(lines, line) {
			lines, where = append(lines, line), append(where, tilde(m.To, w))
		}
	}
	return lines, where
}

// asWritten adds what the agent's own rules say of a command as it was written to the
// verdict on the changed one, in which they have no place.
func asWritten(v tool.Verdict, findings []tool.Finding) tool.Verdict {
	for _, f := range findings {
		f.Invocation, f.Span = -1, tool.Span{}
		v.Findings = append(v.Findings, f)
		if f.Decision > v.Decision {
			v.Decision, v.Rule, v.Reason, v.Suggest = f.Decision, f.Rule, f.Reason, f.Suggest
		}
	}
	return v
}

// tilde writes a path below the home directory with "~".
func tilde(path string, w *tool.World) string {
	if rest, ok := strings.CutPrefix(path, w.Home+"/"); ok && w.Home != "" {
		return "~/" + rest
	}
	return path
}
