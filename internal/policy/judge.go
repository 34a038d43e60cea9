package policy

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// The ids of what no rule speaks for.
const (
	UnknownID   = "unknown"   // something that no model accounts for
	UncoveredID = "uncovered" // an effect that nothing allows
)

// judging is one call being judged.
type judging struct {
	set      *Set
	g        *ground
	call     *tool.Call
	invs     []*command.Invocation
	opinions opinions
	sure     bool     // what may be meant is not enough; see surely
	again    repeat   // of the last command that was looked at
	before   []target // of what was denied, as they are needed
	mark     uint64   // of the call
	denied   []tool.Denial
	repeats  []tool.Denial
	secrets  []string
	asks     bool       // see [tool.Verdict]
	means    tool.Means // that make something safe
	changes  bool       // something may change
	work     int        // done so far
	operands memo[operandKey, bool]
	tired    bool // of it
}

// Judge answers a call whose script has been read into invocations. The gaps
// are those of the script as a whole; invocations have their own. Only a shell
// call is ever allowed: of other tools longline has objections or no opinion.
func (s *Set) Judge(call *tool.Call, invs []*command.Invocation, gaps []command.Gap, w *tool.World) tool.Verdict {
	return s.JudgeUntil(nil, call, invs, gaps, w)
}

// JudgeUntil is Judge for as long as stop does not say that it is enough. What is
// not looked at then is a gap.
func (s *Set) JudgeUntil(stop func() bool, call *tool.Call, invs []*command.Invocation, gaps []command.Gap, w *tool.World) tool.Verdict {
	j := &judging{set: s, g: s.groundOf(w), call: call, invs: invs}
	j.g.length = max(j.g.length, len(call.Script))
	for i, inv := range invs {
		if i&15 == 15 && stop != nil && stop() {
			gaps = append(gaps[:len(gaps):len(gaps)], command.Gap{Why: "it takes too long to judge", Span: inv.Span})
			break
		}
		if j.work += 1 + len(inv.Effects) + len(inv.Gaps); j.work > maxWork {
			if !j.tired {
				j.tired = true
				gaps = append(gaps[:len(gaps):len(gaps)], command.Gap{Why: "it does more than longline judges", Span: inv.Span})
			}
			if len(j.opinions.findings) > 0 && j.opinions.best.Decision == tool.Deny {
				break // nothing makes that another answer
			}
			if !j.denies(inv) {
				continue
			}
		}
		j.invocation(i, inv)
	}
	if len(call.Effects) > 0 || !call.Shell {
		j.invocation(-1, &command.Invocation{
			Dir:     command.Known(call.Dir, tool.Span{}),
			Effects: call.Effects,
		})
	}
	for _, gap := range gaps {
		j.gap(-1, gap)
	}
	return j.verdict()
}

// maxWork bounds the effects and commands of a call that are held against every rule. Behind them only what is denied counts:
// the rest asks together.
const maxWork = 600

// denies says whether a rule that denies may be about an invocation.
func (j *judging) denies(inv *command.Invocation) (found bool) {
	defer func() { found = found || recover() != nil }()
	targets := make([]target, len(inv.Effects))
	for i, e := range inv.Effects {
		targets[i] = j.g.target(e)
	}
	j.set.candidates(j.g, inv, targets, j.possibly(inv), func(r *Rule) {
		found = found || r.Decision == tool.Deny && len(j.object(nil, r, inv, targets)) > 0
	}, nil)
	return found
}

// permit is an allow or pass rule that matches an invocation.
type permit struct {
	rule *Rule
	// whole says that the rule speaks of the command as such and so covers
	// what its words do; else covered has one bit for each effect.
	whole   bool
	covered []bool
}

// objection is an ask or deny rule that matches an invocation.
type objection struct {
	rule     *Rule
	effect   int // index, or -1 for the command as such
	strength touch
}

func (j *judging) invocation(index int, inv *command.Invocation) {
	defer func() {
		if p := recover(); p != nil {
			// A bug in judging one invocation must not hide its neighbours.
			j.opinions.add(opinion{tool.Finding{
				Rule: UnknownID, Decision: tool.Ask, Span: inv.Span, Invocation: index, Reason: "longline failed while judging this command",
			}, perhaps, 0})
		}
	}()
	targets := make([]target, len(inv.Effects))
	for i, e := range inv.Effects {
		targets[i] = j.g.target(e)
	}
	var permits []permit
	var objections, silenced []objection
	j.set.candidates(j.g, inv, targets, j.possibly(inv), func(r *Rule) {
		if r.Decision <= tool.Pass {
			if p, ok := j.permit(r, inv, targets); ok {
				permits = append(permits, p)
			}
			return
		}
		objections = j.object(objections, r, inv, targets)
	}, func(r *Rule) { silenced = j.object(silenced, r, inv, targets) })

	j.reads(targets)
	j.changes = j.changes || changes(inv)
	spoken := make([]bool, len(targets)) // somebody has spoken for or against
	all := j.objectTo(index, inv, objections, permits, targets, spoken)
	covered := j.permitted(index, inv, permits, targets, len(objections) > 0, spoken)
	if all {
		return
	}
	silence(silenced, spoken)
	for i, e := range inv.Effects {
		if !spoken[i] && (e.Kind == tool.Execute || e.Kind.IsPath() && (e.Reach == tool.Anywhere || j.g.within(&targets[i], ZoneSet(0).With(ZoneProject)))) && j.fenced(inv, e.Span) {
			j.held(index, inv, i)
		} else if !spoken[i] {
			j.uncovered(index, e)
		}
	}
	for i, gap := range inv.Gaps {
		if !covered[i] && j.fenced(inv, gap.Span) {
			j.heldAt(index, gap.Span)
		} else if !covered[i] {
			j.gap(index, gap)
		}
	}
}

// silence notes what rules that are switched off would have asked about: nobody asks about it under
// another name.
func silence(silenced []objection, spoken []bool) {
	for _, o := range silenced {
		for i := range spoken {
			spoken[i] = spoken[i] || o.effect < 0 || o.effect == i
		}
	}
}

// objectTo notes the objections that nothing lifts and the effects that they speak of, and
// says whether one is to the command as such.
func (j *judging) objectTo(index int, inv *command.Invocation, objections []objection, permits []permit, targets []target, spoken []bool) (all bool) {
	for _, o := range objections {
		if j.lifted(o, inv, permits) {
			continue
		}
		if o.effect < 0 {
			all = true
		} else {
			spoken[o.effect] = true
		}
		if o.effect >= 0 && j.wallAnswers(inv, &o) {
			j.held(index, inv, o.effect)
			continue
		}
		if index < 0 && o.effect >= 0 && j.withoutValues(&o, &inv.Effects[o.effect]) {
			continue
		}
		if o.rule.Contain && o.effect >= 0 && j.undone(inv, o.effect, targets) {
			j.contained(index, inv, o.rule, o.effect)
			continue
		}
		j.add(index, inv, o.rule, o.effect, o.strength)
	}
	return all
}

// permitted notes what allows, the effects that it speaks of, and which gaps it covers.
func (j *judging) permitted(index int, inv *command.Invocation, permits []permit, targets []target, objections bool, spoken []bool) (covered []bool) {
	covered = make([]bool, len(inv.Gaps))
	var objected []bool // nil where nobody objects
	if objections {
		objected = slices.Clone(spoken)
	}
	for k := range permits {
		p := &permits[k]
		if p.overridden(permits) {
			continue
		}
		for i, ok := range p.covered {
			spoken[i] = spoken[i] || ok
		}
		first := p.first(objected)
		if first < 0 && len(p.covered) > 0 && !p.whole {
			continue // somebody objects to all that it would allow
		}
		p.coverGaps(inv, covered)
		if p.rule.Contain && first >= 0 && j.allUndone(inv, p, targets) {
			j.contained(index, inv, p.rule, first)
			continue
		}
		j.add(index, inv, p.rule, first, touching)
	}
	return covered
}

// changes says whether an invocation may change something: it does more than read, or nobody knows.
func changes(inv *command.Invocation) bool {
	return len(inv.Gaps) > 0 || slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind != tool.Read && e.Kind != tool.Fetch && e.Kind != tool.Send })
}

// coverGaps notes the gaps that a rule about a command speaks of.
func (p *permit) coverGaps(inv *command.Invocation, covered []bool) {
	for i, gap := range inv.Gaps {
		covered[i] = covered[i] || p.whole && p.reaches(inv, gap.Span)
	}
}

// first is the first effect that a permit covers and to which nobody objects, or -1.
func (p *permit) first(objected []bool) int {
	for i, ok := range p.covered {
		if ok && (objected == nil || !objected[i]) {
			return i
		}
	}
	return -1
}

// permit says whether a rule that allows matches, and what it covers.
func (j *judging) permit(r *Rule, inv *command.Invocation, targets []target) (permit, bool) {
	if r.Match.Effect.Kinds != 0 {
		return j.permitEffects(r, inv, targets)
	}
	p := permit{rule: r, whole: true}
	if !j.shape(r, inv) {
		return p, false
	}
	p.covered = make([]bool, len(targets))
	for i, e := range inv.Effects {
		p.covered[i] = p.reaches(inv, e.Span)
	}
	return p, true
}

// permitEffects is permit for a rule that speaks of effects.
func (j *judging) permitEffects(r *Rule, inv *command.Invocation, targets []target) (permit, bool) {
	p := permit{rule: r}
	// The effect is looked at first: it is what most rules fail on.
	for i := range targets {
		if r.Decision == tool.Allow && r.Match.Effect.With != nil && !p.reaches(inv, targets[i].effect.Span) {
			continue // a redirection is not the doing of what it accompanies
		}
		if j.g.covers(&targets[i], &r.Match.Effect) {
			if p.covered == nil {
				p.covered = make([]bool, len(targets))
			}
			p.covered[i] = true
		}
	}
	return p, p.covered != nil && j.shape(r, inv) && j.accompanied(r.Match.Effect.With, targets)
}

// reaches says whether a rule about a command speaks of what is written at the
// span. Redirections and assignments in front are no part of the command unless the
// rule mentions them.
func (p *permit) reaches(inv *command.Invocation, span tool.Span) bool {
	if span == (tool.Span{}) {
		return true
	}
	m := &p.rule.Match
	if m.Redirect.empty() && redirects(inv, span) {
		return false
	}
	return len(m.Env) > 0 || len(inv.Words) == 0 || !liesBetween(span, inv.Span.Start, inv.Words[0].Span.Start)
}

// redirects says whether what is written at a span belongs to a redirection.
func redirects(inv *command.Invocation, span tool.Span) bool {
	for i := range inv.Redirects {
		if r := inv.Redirects[i].Span; r != (tool.Span{}) && liesBetween(span, r.Start, r.End) {
			return true
		}
	}
	return false
}

// liesBetween says whether a span lies between two places.
func liesBetween(span tool.Span, from, to int) bool { return from <= span.Start && span.End <= to }

func (j *judging) object(list []objection, r *Rule, inv *command.Invocation, targets []target) []objection {
	if r.Match.Effect.Kinds == 0 {
		if j.shape(r, inv) {
			o := objection{r, -1, j.strength(r, inv)}
			if r.Match.Session.Has&KnownRepeats != 0 {
				o.effect, o.strength = j.again.effect, min(o.strength, j.again.strength)
			}
			list = append(list, o)
		}
		return list
	}
	checked, most := false, touching
	for i := range targets {
		strength := j.g.objects(&targets[i], &r.Match.Effect)
		if strength == apart {
			continue
		}
		if !checked && (!j.shape(r, inv) || !j.accompanied(r.Match.Effect.With, targets)) {
			return list
		}
		if !checked {
			checked, most = true, j.strength(r, inv)
		}
		list = append(list, objection{r, i, min(strength, most)})
	}
	return list
}

// strength is the most that a rule can say about a command by how it is written.
func (j *judging) strength(r *Rule, inv *command.Invocation) touch {
	if r.Decision == tool.Deny && !j.surely(r, inv) {
		return perhaps
	}
	return touching
}

// accompanied says whether the command has another effect that a rule wants
// beside the one it speaks of.
func (j *judging) accompanied(with *Effect, targets []target) bool {
	if with == nil {
		return true
	}
	for i := range targets {
		if j.g.objects(&targets[i], with) != apart {
			return true
		}
	}
	return false
}

// lifted says whether a permit that names it stands against an objection. A permit covers
// what it speaks of and nothing that another rule objects to.
func (j *judging) lifted(o objection, inv *command.Invocation, permits []permit) bool {
	for i := range permits {
		if p := &permits[i]; p.maySpeakTo(&o) && (j.liftsDenial(p, &o, inv) || p.rule.Layer >= o.rule.Layer && slices.Contains(p.rule.Overrides, o.rule.ID)) {
			return true
		}
	}
	return false
}

// maySpeakTo says whether a permit has a say in an objection at all: it covers what that is
// to, and is not a project's against what is final or comes from the session.
func (p *permit) maySpeakTo(o *objection) bool {
	if len(p.rule.Overrides) == 0 || !p.covers(o.effect) {
		return false
	}
	return p.rule.Layer != Project || o.rule.Layer == Project || !o.rule.Final && !o.rule.ofSession()
}

// liftsDenial says whether a permit lifts the denial that an objection follows from: who does
// that lifts what follows from it.
func (j *judging) liftsDenial(p *permit, o *objection, inv *command.Invocation) bool {
	if o.rule.Match.Session.Has&KnownRepeats == 0 {
		return false
	}
	d := j.repeated(inv).denial
	return d != nil && p.rule.Layer != Project && slices.Contains(p.rule.Overrides, d.Rule)
}

// overridden says whether allow rules that name this pass rule cover all that it
// covers: then it has nothing left to say.
func (p *permit) overridden(permits []permit) bool {
	if p.rule.Decision != tool.Pass {
		return false
	}
	some := false
	for i, ok := range p.covered {
		if ok && !p.overriddenAt(i, permits) {
			return false
		}
		some = some || ok
	}
	return some
}

// overriddenAt is overridden for one effect.
func (p *permit) overriddenAt(effect int, permits []permit) bool {
	for k := range permits {
		q := &permits[k]
		if q.rule.Decision == tool.Allow && q.covered[effect] && q.rule.Layer >= p.rule.Layer && slices.Contains(q.rule.Overrides, p.rule.ID) {
			return true
		}
	}
	return false
}

func (p *permit) covers(effect int) bool {
	if effect >= 0 {
		return p.covered[effect]
	}
	for _, ok := range p.covered {
		if !ok {
			return false
		}
	}
	return p.whole || len(p.covered) > 0
}

// undone says whether the snapshot before the call brings back what an effect loses: all that it
// can touch lies in the project and is covered, and so is the repository that a change of git's is made to.
func (j *judging) undone(inv *command.Invocation, effect int, targets []target) bool {
	w, e := j.g.w, inv.Effects[effect]
	if w.Undo == nil || inv.Remote || inv.Device != "" || j.set.Safety == Strict {
		return false
	}
	if e.Kind == tool.Control {
		return strings.HasPrefix(e.Target, "git.") && inv.Acts.IsKnown() && j.g.repositoryUndone(inv.Acts.Text) && j.lossesUndone(inv, targets)
	}
	t := &targets[effect]
	if !e.Kind.IsPath() || !j.g.within(t, ZoneSet(0).With(ZoneProject)) {
		return false
	}
	for i := range t.spots {
		if !w.Undo(t.spots[i].at.path) {
			return false
		}
	}
	return true
}

// lossesUndone is undone for all that an invocation removes: a working tree may lie elsewhere.
func (j *judging) lossesUndone(inv *command.Invocation, targets []target) bool {
	for i, e := range inv.Effects {
		if e.Kind == tool.Delete && !j.undone(inv, i, targets) {
			return false
		}
	}
	return true
}

// allUndone is undone for all effects that a permit covers.
func (j *judging) allUndone(inv *command.Invocation, p *permit, targets []target) bool {
	for i, covered := range p.covered {
		if covered && !j.undone(inv, i, targets) {
			return false
		}
	}
	return true
}

// contained notes that what a rule speaks of is allowed, because a snapshot is taken before it.
func (j *judging) contained(index int, inv *command.Invocation, r *Rule, effect int) {
	j.means |= tool.Undo
	j.addAs(index, inv, r, effect, touching, tool.Allow)
}

// repositoryUndone says whether a snapshot covers the repository of a directory: the nearest
// one above it.
func (g *ground) repositoryUndone(dir string) bool {
	for at := dir; g.w.Exists != nil; at = paths.Parent(at) {
		if g.w.Exists(at + "/.git") {
			return g.w.Undo(at) && g.w.Undo(at+"/.git")
		}
		if at == "/" || at == "" {
			break
		}
	}
	return g.w.Undo(dir) // there is no repository: git does nothing
}

// WallID is the id under which unreadable code behind a wall is allowed.
const WallID = "wall"

// wallAnswers says whether a wall answers what a rule objects to in an effect: code that cannot be read, and files of which
// nobody knows whether the rule speaks of them. What surely is such a file keeps its question.
func (j *judging) wallAnswers(inv *command.Invocation, o *objection) bool {
	if !inv.Walled || !j.set.WallsAnswer || j.decision(o.rule, o.strength) != tool.Ask {
		return false
	}
	e := &inv.Effects[o.effect]
	switch {
	case o.rule.Layer == Builtin && j.masks(inv, e):
		j.means |= tool.Mask
		return true
	case e.Kind == tool.Control && e.Target == "env.dump" && o.rule.Layer == Builtin:
		return j.fenced(inv, e.Span)
	case len(inv.Via) > 0 && e.Reach >= tool.Under && j.g.w.Undo != nil && j.g.w.Undo(e.Target) && o.rule.Match.Effect.Except.Zones.Has(ZoneProject) && e.Kind.IsPath():
		// A rule that spares the project spares the one whose code this is: the wall keeps the code there.
		return o.rule.Layer == Builtin && j.fenced(inv, e.Span)
	}
	if e.Kind.IsPath() && !j.fenced(inv, e.Span) {
		return false
	}
	return o.rule.Walled || o.rule.Layer == Builtin && e.Kind.IsPath() && (o.strength == perhaps || e.Reach == tool.Anywhere || o.strength == sweeping && e.Kind == tool.Read)
}

// masks says whether an invocation prints of a file of variables what it reads, as it is, and nothing is made of that: behind a wall the values are
// hidden. What takes values apart (fold, xxd, sed) asks.
// What is in other files, or was in this one once, the filter may not know.
func (j *judging) masks(inv *command.Invocation, e *tool.Effect) bool {
	if e.Manner == tool.Met { // and if the filter does not know what is in it, the wall hides it
		return j.fenced(inv, e.Span)
	}
	if e.Kind != tool.Read || e.Reach != tool.Exact || e.Pattern || e.Tree || !inv.Shows || !inv.Whole || !inv.Shown || len(inv.Path) != 1 || !j.fenced(inv, e.Span) {
		return false
	}
	name, at := path.Base(e.Target), j.g.target(*e)
	return j.g.w.Undo != nil && j.g.within(&at, ZoneSet(0).With(ZoneProject)) && strings.Contains(name+".", ".env.") && !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind != tool.Read })
}

// withoutValues says whether a tool shows a file of variables to a client that lets longline put names in place of its values.
func (j *judging) withoutValues(o *objection, e *tool.Effect) bool {
	w := j.g.w
	if w.Masked == nil || o.rule.Layer != Builtin || j.decision(o.rule, o.strength) != tool.Ask || j.set.Safety == Strict ||
		e.Kind != tool.Read || e.Reach != tool.Exact || e.Pattern || e.Tree || !strings.Contains(path.Base(e.Target)+".", ".env.") || !w.Masked(e.Target) {
		return false
	}
	j.means |= tool.Mask
	j.opinions.add(opinion{tool.Finding{
		Rule: MaskID, Decision: tool.Allow, Invocation: -1, Layer: Builtin.String(),
		Reason: "What it shows of a file of variables are the names; longline hides the values",
	}, touching, 0})
	return true
}

// MaskID is the id under which a tool shows what its result is masked for.
const MaskID = "mask"

// fenced says whether an invocation is behind a wall, with a snapshot of where it works before it, and does itself what is
// written at a span: redirections and assignments in front are the shell's doing.
func (j *judging) fenced(inv *command.Invocation, span tool.Span) bool {
	w, at := j.g.w, inv.Dir
	if !inv.Walled || !j.set.WallsAnswer || !j.set.Packs || j.set.Safety == Strict || at.Reach < tool.Under || !inv.Within && redirects(inv, span) {
		return false
	}
	if !inv.Within && span != (tool.Span{}) && len(inv.Words) > 0 && liesBetween(span, inv.Span.Start, inv.Words[0].Span.Start) {
		return false
	}
	if at.Reach == tool.Exact && w.Home != "" && paths.Within(w.Home, at.Text) { // which is no project: nothing can be written
		return true
	}
	return w.Undo != nil && (w.Undo(at.Text) || paths.Within(at.Text, "/tmp"))
}

func (j *judging) held(index int, inv *command.Invocation, effect int) {
	span := inv.Effects[effect].Span
	if span == (tool.Span{}) {
		span = inv.Span
	}
	j.heldAt(index, span)
}

// heldAt notes that a wall answers for what stands somewhere, after a snapshot where there is one.
func (j *judging) heldAt(index int, span tool.Span) {
	if j.g.w.Undo != nil {
		j.means |= tool.Undo
	}
	j.opinions.add(opinion{tool.Finding{
		Rule: WallID, Decision: tool.Allow, Span: span, Invocation: index, Layer: Builtin.String(),
		Reason: "Runs behind a wall: it can change only the project and temporary files, and cannot read secrets or reach other machines",
	}, touching, 0})
}

// Wall reports whether rules want a program behind a wall: always, never, or as
// usual. Of rules that match the strictest counts.
func (s *Set) Wall(call *tool.Call, inv *command.Invocation, w *tool.World) Wall {
	var j *judging
	var targets []target
	result := WallUsual
	ask := func(r *Rule) {
		if kinds := r.Match.Effect.Kinds; kinds != 0 && !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return kinds.Has(e.Kind) }) {
			return
		}
		if j == nil {
			j = &judging{set: s, g: s.groundOf(w), call: call, invs: []*command.Invocation{inv}}
			targets = make([]target, len(inv.Effects))
		}
		for i, e := range inv.Effects {
			if targets[i].effect.Kind = e.Kind; len(targets[i].spots) == 0 && (r.Match.Effect.With != nil || r.Match.Effect.Kinds == 0 || r.Match.Effect.Kinds.Has(e.Kind)) {
				targets[i] = j.g.target(e)
			}
		}
		matched := false
		if r.Decision <= tool.Pass {
			_, matched = j.permit(r, inv, targets)
		} else {
			matched = len(j.object(nil, r, inv, targets)) > 0
		}
		// A project that nobody trusts can want a wall, and not do without one.
		if matched && (r.Wall == WallAlways || r.Layer != Project) {
			result = max(result, r.Wall)
		}
	}
	for i := range s.books {
		s.books[i].onWalls(s.Safety, ask)
	}
	return result
}

func (j *judging) add(index int, inv *command.Invocation, r *Rule, effect int, strength touch) {
	j.addAs(index, inv, r, effect, strength, j.decision(r, strength))
}

func (j *judging) addAs(index int, inv *command.Invocation, r *Rule, effect int, strength touch, decision tool.Decision) {
	if decision == tool.Deny {
		j.deny(inv, r, effect)
	}
	if r.Match.Session.Has&KnownRepeats != 0 && j.repeated(inv).denial != nil {
		j.repeats = append(j.repeats, *j.repeated(inv).denial)
	}
	f := tool.Finding{
		Rule: r.ID, Decision: decision, Reason: j.reason(r, inv), Suggest: r.Suggest, Span: inv.Span,
		Level: r.Level.String(), Layer: r.Layer.String(), Source: r.Source, Invocation: index, Final: r.Final,
		Session: r.ofSession(),
	}
	if decision <= tool.Pass {
		f.Suggest = "" // it is what to do instead
	}
	told := 0
	if effect >= 0 {
		e := inv.Effects[effect]
		if e.Span != (tool.Span{}) {
			f.Span = e.Span
		}
		if strings.Contains(f.Reason, "{") {
			f.Reason = strings.Replace(f.Reason, "{does}", does(e), 1)
			if before, after, ok := strings.Cut(f.Reason, "{command}"); ok {
				f.Reason = before + j.named(inv) + after
			} else { // what a path says is not looked at
				f.Reason = strings.ReplaceAll(f.Reason, "{target}", j.g.show(e))
			}
		}
		if decision <= tool.Pass {
			told = tells(e.Kind)
		}
	}
	j.opinions.add(opinion{f, strength, told})
}

// decision is what a rule decides that matches with a strength.
func (j *judging) decision(r *Rule, strength touch) tool.Decision {
	decision := r.Decision
	if decision == tool.Deny && strength == perhaps {
		decision = tool.Ask // nobody knows whether it is the forbidden thing
	}
	if decision == tool.Ask && r.Defer && !r.Walled && j.agreed() {
		return tool.Allow
	}
	if decision == tool.Ask && r.Defer && j.defers() {
		return tool.Pass
	}
	return decision
}

// reason is a rule's reason, with what was denied before where it speaks of that.
func (j *judging) reason(r *Rule, inv *command.Invocation) string {
	denial := j.again.denial
	if !r.ofSession() || j.again.inv != inv || denial == nil || !strings.Contains(r.Reason, "{denied}") {
		return r.Reason
	}
	return strings.ReplaceAll(r.Reason, "{denied}", printable(denial.Rule)+": "+j.g.describe(denial.Effect))
}

// open is the decision on what no rule speaks for. At the critical level that is no
// opinion, unless somebody has said what it is.
func (j *judging) open() tool.Decision {
	if j.set.Safety == Critical && !j.set.defaultSaid || !j.call.Shell && !j.call.Runs {
		return tool.Pass
	}
	return max(j.set.Default, tool.Pass)
}

func (j *judging) uncovered(index int, e tool.Effect) {
	j.opinions.add(opinion{tool.Finding{
		Rule: UncoveredID, Decision: j.open(), Span: e.Span, Invocation: index,
		Reason:  "No rule allows what this does: it " + j.g.describe(e),
		Suggest: "Stay inside the project, or let the user decide",
	}, perhaps, 0})
}

func (j *judging) gap(index int, gap command.Gap) {
	decision := j.open()
	if gap.Program && decision == tool.Ask && (j.defers() || gap.Asked && j.set.Safety != Strict) {
		decision = tool.Pass // the agent sees as much of it
	}
	j.opinions.add(opinion{tool.Finding{
		Rule: UnknownID, Decision: decision, Span: gap.Span, Invocation: index,
		Reason:  "Cannot be judged: " + printable(gap.Why),
		Suggest: "Use common programs with literal arguments, or let the user decide",
	}, sweeping, 0}) // surer than a rule that can only guess
}

// verdict puts the opinions together.
func (j *judging) verdict() tool.Verdict {
	v := tool.Verdict{Decision: tool.Allow, Findings: j.opinions.findings}
	if f := &j.opinions.best; len(v.Findings) > 0 {
		v.Decision, v.Rule, v.Reason, v.Suggest = f.Decision, f.Rule, f.Reason, f.Suggest
	}
	v.Denied, v.Again, v.Secrets, v.Asks = j.denied, j.repeats, j.secrets, j.asks
	if v.Changes = j.changes; v.Decision <= tool.Pass {
		v.Means = j.means
	}
	if v.Decision == tool.Allow && (!j.call.Shell || j.set.OnAllowPass) {
		v.Decision = tool.Pass
	}
	return v
}
