package permission

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// Apply returns the verdict with the user's permissions taken into account.
//
// Ask and deny rules are held against every program that a script comes down
// to, so that neither a wrapper nor a change to the command gets past them.
// Allow rules take away questions that are of no rule, about commands that they name, and
// only where the client's own reading of the script would let them: see segments.
func (s *Set) Apply(call *tool.Call, v tool.Verdict, invs []*command.Invocation, w *tool.World) tool.Verdict {
	if len(s.rules) == 0 {
		return v
	}
	return s.Object(call, s.lift(call, v, invs), invs, w)
}

// Object is the part of Apply that only tightens.
func (s *Set) Object(call *tool.Call, v tool.Verdict, invs []*command.Invocation, w *tool.World) tool.Verdict {
	for i := range s.rules {
		r := &s.rules[i]
		if r.decision < tool.Ask {
			continue
		}
		if f, ok := r.objects(call, invs, w); ok {
			v.Findings = append(v.Findings, f)
			if f.Decision > v.Decision {
				v.Decision, v.Rule, v.Reason, v.Suggest = f.Decision, f.Rule, f.Reason, f.Suggest
			}
		}
	}
	return v
}

// lift takes away the questions that the user has answered before.
func (s *Set) lift(call *tool.Call, v tool.Verdict, invs []*command.Invocation) tool.Verdict {
	if v.Decision != tool.Ask || !v.Parsed || len(v.Findings) == 0 {
		return v
	}
	var covered []cover
	named := s.allowing(func(r *rule) bool { return !call.Shell && r.whole && serves(r.tool, call.Tool) })
	if call.Shell {
		covered = s.covered(call)
	}
	if len(covered) == 0 && named == nil {
		return v
	}
	findings := slices.Clone(v.Findings)
	for i := range findings {
		f := &findings[i]
		r := answering(covered, f, invs)
		if named != nil && f.Decision == tool.Ask && (f.Rule == "server-unknown" || f.Rule == "server-unproven") && f.OfTool() {
			r = named // the user knows the tool
		}
		if r != nil {
			*f = tool.Finding{
				Rule: ID, Decision: tool.Allow, Span: f.Span, Level: "critical", Layer: r.layer, Source: r.source, Invocation: f.Invocation,
				Reason: "Claude Code's permissions.allow has " + r.text,
			}
		}
	}
	f := strictest(findings)
	if f.Decision >= v.Decision {
		return v
	}
	v.Findings = findings
	v.Decision, v.Rule, v.Reason, v.Suggest = f.Decision, f.Rule, f.Reason, f.Suggest
	return v
}

// serves says whether a permission names a tool of a server, or all tools of its server.
func serves(name, called string) bool {
	return strings.HasPrefix(name, "mcp__") && (name == called || strings.HasPrefix(called, ofServer(name)+"__") && strings.Count(ofServer(name), "__") == 1)
}

// strictest is the first of the strictest findings.
func strictest(findings []tool.Finding) *tool.Finding {
	best := &findings[0]
	for i := range findings {
		if findings[i].Decision > best.Decision {
			best = &findings[i]
		}
	}
	return best
}

// answering is the first rule that answers the question of a finding, or nil.
func answering(covered []cover, f *tool.Finding, invs []*command.Invocation) *rule {
	if !answers(f) {
		return nil
	}
	for i := range covered {
		if c := &covered[i]; c.runs(f, invs) {
			return c.rule
		}
	}
	return nil
}

// cover is a part of a script that an allow rule speaks of.
type cover struct {
	rule *rule
	segment
}

// runs says whether a finding is about the program that the part runs, or about
// what definitions that it reads have it run. What its words carry is not meant by
// a permission to run it, and what its output feeds is another program's doing,
// though the text of it stands here.
func (c *cover) runs(f *tool.Finding, invs []*command.Invocation) bool {
	if f.Span == (tool.Span{}) || !within(f.Span, c.span) || f.Invocation < 0 || f.Invocation >= len(invs) {
		return false
	}
	inv := invs[f.Invocation]
	first := inv.Name
	if len(inv.Via) > 0 {
		// Of a definition that the program reads, the whole command is to blame; of what
		// its words carry, those words.
		if !within(c.own, blamed(inv)) {
			return false
		}
		first = inv.Via[0]
	}
	if first == "" && len(inv.Words) > 0 {
		first = path.Base(inv.Words[0].Text)
	}
	return slices.Contains(c.programs, first)
}

// within says whether a part of a script is in another.
func within(part, of tool.Span) bool { return of.Start <= part.Start && part.End <= of.End }

// blamed is where what an invocation does is written.
func blamed(inv *command.Invocation) tool.Span {
	if len(inv.Words) == 0 || inv.Words[0].Span == (tool.Span{}) {
		return inv.Span
	}
	at := inv.Words[0].Span
	at.End = max(at.End, inv.Span.End)
	return at
}

func (s *Set) covered(call *tool.Call) []cover {
	var all []cover
	parts, ok := segments(call.Script)
	if !ok {
		return nil
	}
	for _, part := range parts {
		if r := s.allowing(func(r *rule) bool { return r.tool == "Bash" && r.pattern.matches(part.text) }); r != nil {
			all = append(all, cover{r, part})
		}
	}
	return all
}

// allowing is the first rule that allows what is spoken of, or nil. One that allows a tool as
// such names nothing.
func (s *Set) allowing(speaks func(*rule) bool) *rule {
	for i := range s.rules {
		if r := &s.rules[i]; r.decision == tool.Allow && (!r.whole || strings.HasPrefix(r.tool, "mcp__")) && speaks(r) {
			return r
		}
	}
	return nil
}

// objects says whether a rule that asks or denies holds for a call.
func (r *rule) objects(call *tool.Call, invs []*command.Invocation, w *tool.World) (tool.Finding, bool) {
	f := tool.Finding{
		Rule: ID, Decision: r.decision, Level: "critical", Layer: r.layer, Source: r.source, Invocation: -1,
		Reason: "Claude Code's permissions." + r.decision.String() + " has " + r.text,
	}
	if r.whole {
		return f, paths.Stars(r.tool, call.Tool) && call.Tool != ""
	}
	for i, inv := range invs {
		if r.meets(inv, call, w) {
			f.Invocation, f.Span = i, inv.Span
			return f, true
		}
	}
	if r.tool == "Bash" {
		return f, call.Shell && r.pattern.mayMatch(call.Script)
	}
	return f, r.speaksOfAny(call.Effects, call.Dir, w)
}

// meets says whether a rule that has content speaks of an invocation.
func (r *rule) meets(inv *command.Invocation, call *tool.Call, w *tool.World) bool {
	if r.tool == "Bash" {
		return slices.ContainsFunc(spellings(inv, call.Script), r.pattern.mayMatch)
	}
	return r.speaksOfAny(inv.Effects, call.Dir, w)
}

// speaksOfAny says whether a rule for paths concerns one of some effects.
func (r *rule) speaksOfAny(effects []tool.Effect, dir string, w *tool.World) bool {
	for _, e := range effects {
		if r.speaksOf(e, dir, w) {
			return true
		}
	}
	return false
}

// spellings are the texts of a program run that rules may mean: as the script has it,
// and its words with single blanks between them, by its path and by its name.
func spellings(inv *command.Invocation, script string) []string {
	var all []string
	if s := inv.Span; s.Start < s.End && s.End <= len(script) {
		all = append(all, script[s.Start:s.End])
	}
	if len(inv.Words) == 0 || inv.Words[0].Reach != tool.Exact {
		return all
	}
	var b strings.Builder
	for _, w := range inv.Words[1:] {
		b.WriteByte(' ')
		b.WriteString(w.Text)
	}
	program, rest := inv.Words[0].Text, b.String()
	all = append(all, program+rest)
	if name := path.Base(program); name != program {
		all = append(all, name+rest)
	}
	return all
}

// speaksOf says whether a rule for paths concerns an effect: Read of what is
// read, Edit of what is changed.
func (r *rule) speaksOf(e tool.Effect, dir string, w *tool.World) bool {
	if !e.Kind.IsPath() || e.Pattern || e.Reach != tool.Exact || r.tool != toolFor(e.Kind) {
		return false
	}
	glob, ok := r.rooted(dir, w)
	return ok && pathMatches(glob, path.Clean(e.Target))
}

// toolFor is the tool whose rules concern an effect on a path.
func toolFor(k tool.Kind) string {
	if k == tool.Read {
		return "Read"
	}
	return "Edit"
}

// rooted makes a rule's path absolute: // is the root, ~/ the home directory, one
// slash the directory of the settings, all else the working directory.
func (r *rule) rooted(dir string, w *tool.World) (string, bool) {
	text := strings.TrimPrefix(r.pattern.text, "./")
	switch {
	case strings.HasPrefix(text, "//"):
		return text[1:], true
	case strings.HasPrefix(text, "~/"):
		return path.Join(w.Home, text[2:]), w.Home != ""
	case strings.HasPrefix(text, "/"):
		return path.Join(r.base, text), r.base != ""
	case dir == "":
		return "", false
	case text == r.pattern.text && !strings.Contains(strings.TrimSuffix(text, "/"), "/"):
		return path.Join(dir, "**", text), true // a bare name may stand anywhere below
	}
	return path.Join(dir, text), true
}

// pathMatches holds a path against a glob as in a .gitignore: * stays within a
// name, ** does not, and what matches a directory matches all in it.
func pathMatches(glob, name string) bool {
	return partsMatch(strings.Split(strings.Trim(glob, "/"), "/"), strings.Split(strings.Trim(name, "/"), "/"))
}

func partsMatch(glob, name []string) bool {
	if len(glob) == 0 {
		return true // whatever is below
	}
	if glob[0] == "**" {
		for i := range len(name) + 1 {
			if partsMatch(glob[1:], name[i:]) {
				return true
			}
		}
		return false
	}
	return len(name) > 0 && oneMatches(glob[0], name[0]) && partsMatch(glob[1:], name[1:])
}

func oneMatches(glob, name string) bool {
	ok, _ := paths.Match(glob, name)
	return ok || glob == name
}
