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
	object := func(d tool.Decision, reason, suggest string, span tool.Span, notice string) (tool.Verdict, []*command.Invocation, string) {
		v.Findings = append(v.Findings, tool.Finding{Rule: SandboxID, Decision: d, Reason: reason, Suggest: suggest, Span: span, Level: "critical", Layer: "builtin", Source: "sandbox", Invocation: -1})
		if d > v.Decision || d == v.Decision && d == tool.Ask {
			v.Decision, v.Rule, v.Reason, v.Suggest = d, SandboxID, reason, suggest
		}
		if notice != "" {
			v.Notices = append(v.Notices, notice)
		}
		return v, invs, call.Script
	}
	dir := tilde(w.Sandbox, w)
	instead := plan.Apply(call.Script)
	piped := "[SandboxEnforcer] BLOCKED: Cannot safely rewrite piped download. Use: curl <url> -o " + dir + "/<filename>"
	for _, b := range plan.Blocked {
		if b.Piped {
			return object(tool.Deny, "Cannot safely rewrite piped download", "Use: curl <url> -o "+dir+"/<filename>", b.Span, piped)
		}
	}
	use := ""
	if instead != "" && instead != call.Script && len(plan.Blocked) == 0 {
		use = "Use: " + instead
	}
	if g.Block {
		return object(tool.Deny, "External content acquisition denied (block mode)", use, plan.Span(),
			"[SandboxEnforcer] BLOCKED: External content acquisition denied (block mode)")
	}
	if len(plan.Blocked) > 0 {
		b := plan.Blocked[0]
		suggest := "Name a destination below " + dir
		if b.Fixed {
			suggest = "Clone it below " + dir + " and look at it first"
		}
		return object(tool.Ask, "Downloads something that belongs in "+dir+", but "+b.Why, suggest, b.Span, "")
	}
	moved := *call
	moved.Script = instead
	after, gaps, parsed, _ := g.read(&moved, w)
	if use == "" || !parsed {
		return object(tool.Ask, "Downloads something that belongs in "+dir+", and the command cannot be rewritten", "Name a destination below "+dir, plan.Span(), "")
	}
	if span, spilled := sandbox.Spilled(instead, after, w); spilled {
		return object(tool.Deny, "Cannot safely rewrite piped download", "Use: curl <url> -o "+dir+"/<filename>", inside(span, len(call.Script)), piped)
	}
	if left := sandbox.For(instead, after, w); left.Needed() {
		return object(tool.Ask, "Downloads something that belongs in "+dir+", and the rewritten command would too", "Name a destination below "+dir, plan.Span(), "")
	}
	if why, ok := plan.Follows(invs, after); !ok {
		return object(tool.Ask, "Downloads something that belongs in "+dir+", and "+why, use, plan.Span(), "")
	}
	nv := g.hold(&moved, after, gaps, w)
	if nv.Decision == tool.Deny {
		return object(tool.Deny, nv.Reason, nv.Suggest, plan.Span(), "")
	}
	if client, rule := g.client(call, invs); client > max(nv.Decision, tool.Pass) {
		reason := "Your own settings have " + rule + " under " + client.String() + ", which speaks of the command as it was"
		if client == tool.Deny {
			return object(tool.Deny, reason, "", plan.Span(), "")
		}
		nv.Decision, nv.Rule, nv.Reason, nv.Suggest = client, SandboxID, reason, ""
	}
	nv.Rewrite, nv.Changed, nv.Dirs = instead, plan.Changed(), append([]string{w.Sandbox}, plan.Dirs...)
	var said []string
	nv.Moved, said = redirected(nv.Moved, &plan, w)
	nv.Context = "longline changed the command so that the download goes to the sandbox: it is now in " + strings.Join(said, ", ") + ". Use that path from now on. The command that ran: " + instead
	return nv, after, instead
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

// client is what the agent's own rules say to the original: to the whole of it,
// and to each command in it as written and as resolved.
func (g *Guard) client(call *tool.Call, invs []*command.Invocation) (tool.Decision, string) {
	if g.Client == nil {
		return tool.Pass, ""
	}
	texts := []string{call.Script}
	for _, inv := range invs {
		if len(inv.Words) == 0 {
			continue
		}
		if s := inside(inv.Span, len(call.Script)); s.Start < s.End {
			texts = append(texts, call.Script[s.Start:s.End])
		}
		words := make([]string, len(inv.Words))
		for i, w := range inv.Words {
			words[i] = w.Text
		}
		texts = append(texts, strings.Join(words, " "))
	}
	return g.Client(call.Agent, texts)
}

// tilde writes a path below the home directory with "~".
func tilde(path string, w *tool.World) string {
	if rest, ok := strings.CutPrefix(path, w.Home+"/"); ok && w.Home != "" {
		return "~/" + rest
	}
	return path
}
