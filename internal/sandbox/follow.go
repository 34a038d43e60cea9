package sandbox

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// follow edits the words of an invocation that name a place which was moved.
func (p *planner) follow(inv *command.Invocation) {
	if len(p.Moved) == 0 {
		return
	}
	if _, ok := p.newPlace(inv.Dir.Text); ok {
		return // it runs inside a moved directory, so relative words moved along
	}
	for _, w := range inv.Paths {
		p.followWord(inv, w)
	}
	for _, r := range inv.Redirects {
		if r.Op != "<<" && r.Op != "<<-" && r.Op != "<<<" {
			p.followWord(inv, r.Target)
		}
	}
}

func (p *planner) followWord(inv *command.Invocation, w command.Word) {
	if _, met := p.values[w.Span]; met || !p.stands(inv, w) {
		return // the comparison of before and after will tell
	}
	if w.Glob {
		p.followPattern(inv, w)
		return
	}
	e := inv.PathEffect(tool.Read, w, p.world)
	if e.Reach != tool.Exact || e.Pattern {
		return
	}
	if to, ok := p.newPlace(e.Target); ok {
		p.values[w.Span] = e.Target
		p.edit(w.Span, w.Lead, to)
	}
}

// followPattern follows a pattern of names below a moved directory, if it is
// written without quotes: the wildcards stay as they are.
func (p *planner) followPattern(inv *command.Invocation, w command.Word) {
	if w.Reach != tool.Exact || w.Lead != "" || p.script[w.Span.Start:w.Span.End] != w.Text {
		return
	}
	slash := strings.LastIndexByte(paths.Fixed(w.Text), '/')
	if slash <= 0 {
		return
	}
	e := inv.PathEffect(tool.Read, command.Known(w.Text[:slash], w.Span), p.world)
	if to, ok := p.newPlace(e.Target); ok && e.Reach == tool.Exact {
		p.values[w.Span] = e.Target
		p.Edits = append(p.Edits, Edit{w.Span, p.quote(to, "") + w.Text[slash:]})
	}
}

// looksFor says whether an invocation names something that may be one of the
// files of unknown names that were moved: it is where they would have been, and
// nothing of that name is there.
func (p *planner) looksFor(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Paths, func(w command.Word) bool {
		e := inv.PathEffect(tool.Read, w, p.world)
		if _, moved := p.newPlace(e.Target); moved || e.Reach != tool.Anywhere && !paths.Within(e.Target, p.unnamed) || e.Target == p.unnamed {
			return false
		}
		return e.Reach != tool.Exact || e.Pattern || p.world.Exists == nil || !p.world.Exists(e.Target)
	})
}

// prepare edits what stands before an acquisition and prepares its place:
// whether it is there, making it, entering it or taking it away. What is read
// before is another thing of the same name.
func (p *planner) prepare(i int, inv *command.Invocation) {
	if slices.ContainsFunc(inv.Effects, isUse) {
		return
	}
	for _, w := range inv.Paths {
		e := inv.PathEffect(tool.Read, w, p.world)
		if slices.ContainsFunc(p.Moved, func(m Move) bool { return m.at > i && m.From != "" && m.From == e.Target }) {
			p.followWord(inv, w)
			if to, ok := p.newPlace(e.Target); ok && creates(inv) {
				p.Dirs = slices.DeleteFunc(p.Dirs, func(d string) bool { return d == to })
			}
		}
	}
}

// isUse reports whether an effect is on what something holds.
func isUse(e tool.Effect) bool {
	return e.Kind == tool.Read || e.Kind == tool.Write || e.Kind == tool.Execute
}

func creates(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Create })
}

// newPlace is where a path is after the moves.
func (p *Plan) newPlace(name string) (string, bool) {
	for _, m := range p.Moved {
		if m.From != "" && paths.Within(name, m.From) && m.From != "/" {
			return m.To + name[len(m.From):], true
		}
	}
	return "", false
}

// sorted are the edits in the order of the script.
func (p *Plan) sorted() []Edit {
	edits := slices.Clone(p.Edits)
	slices.SortStableFunc(edits, func(a, b Edit) int { return a.Span.Start - b.Span.Start })
	return edits
}

// Changed are the places of the edits in the script that they make, without
// the blank in front of a word that is added.
func (p *Plan) Changed() []tool.Span {
	var spans []tool.Span
	shift := 0
	for _, e := range p.sorted() {
		end := e.Span.Start + shift + len(e.New)
		spans = append(spans, tool.Span{Start: end - len(strings.TrimLeft(e.New, " ")), End: end})
		shift += len(e.New) - (e.Span.End - e.Span.Start)
	}
	return spans
}

// Apply splices the edits into a script.
func (p *Plan) Apply(script string) string {
	var b strings.Builder
	at := 0
	for _, e := range p.sorted() {
		if e.Span.Start < at || e.Span.End > len(script) {
			return "" // edits that touch each other cannot be right
		}
		b.WriteString(script[at:e.Span.Start])
		b.WriteString(e.New)
		at = e.Span.End
	}
	b.WriteString(script[at:])
	return b.String()
}

// Follows reports whether the script after the edits does what it did before,
// with nothing but the moved places moved: the same invocations, each in the
// same or the moved directory, with the same or the moved effects. If not, it
// says which part does not follow.
func (p *Plan) Follows(before, after []*command.Invocation) (why string, ok bool) {
	if len(before) != len(after) {
		return "the changed script runs other commands", false
	}
	for i, a := range after {
		b := before[i]
		if b.Name != a.Name || b.Dir.Reach != a.Dir.Reach || p.mapped(b.Dir.Text) != a.Dir.Text {
			return "a later command would run in another directory", false
		}
		if why := p.changed(b, a); why != "" {
			return why, false
		}
	}
	return "", true
}

// changed says what an invocation does after the edits that it did not do before,
// or no longer does. Where it puts things may change, into the sandbox.
func (p *Plan) changed(before, after *command.Invocation) string {
	for _, a := range after.Effects {
		if p.lands(a) {
			continue
		}
		if a.Kind.IsPath() && a.Reach == tool.Exact {
			if _, moved := p.newPlace(a.Target); moved {
				return "a later command still names the old place"
			}
		}
		if !slices.ContainsFunc(before.Effects, func(b tool.Effect) bool { return p.same(a, b) }) {
			return "a later command would do something else"
		}
	}
	for _, b := range before.Effects {
		if isMade(b) || b.Kind == tool.Execute && p.mappedTarget(b) != b.Target {
			continue // it has moved, or is among those above
		}
		if !slices.ContainsFunc(after.Effects, func(a tool.Effect) bool { return p.same(a, b) }) {
			return "a later command would no longer do what it does"
		}
	}
	return ""
}

// lands reports whether an effect is on something in the sandbox. Code from there is the
// policy's to judge.
func (p *Plan) lands(e tool.Effect) bool {
	if e.Kind.IsPath() && e.Reach != tool.Anywhere && paths.Within(e.Target, p.dir) {
		return true
	}
	_, name, ok := strings.Cut(e.Target, ":")
	return ok && e.Kind == tool.Execute && paths.Within(name, p.dir)
}

// same reports whether an effect after the edits is one from before them.
func (p *Plan) same(after, before tool.Effect) bool {
	return after.Kind == before.Kind && after.Reach == before.Reach && (after.Target == before.Target || p.mappedTarget(before) == after.Target)
}

// mappedTarget is where what an effect is on is after the moves.
func (p *Plan) mappedTarget(e tool.Effect) string {
	if e.Kind.IsPath() {
		return p.mapped(e.Target)
	}
	if kind, name, ok := strings.Cut(e.Target, ":"); ok && e.Kind == tool.Execute {
		return kind + ":" + p.mapped(name)
	}
	return e.Target
}

func (p *Plan) mapped(name string) string {
	if to, ok := p.newPlace(name); ok {
		return to
	}
	return name
}
