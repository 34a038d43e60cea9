// Package sandbox moves what a script fetches into one directory. It changes
// the script by text edits at the words that name where content lands, and lets
// the rest of the script follow; everything else stays byte for byte. Which
// words those are is said by the command models.
package sandbox

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// Edit replaces a part of a script. An empty span adds.
type Edit struct {
	Span tool.Span
	New  string
}

// Plan is what has to change so that everything fetched lands in the sandbox.
type Plan struct {
	Edits []Edit
	Moved []Move
	// Blocked are acquisitions that cannot be moved, with the reason.
	Blocked []Blocked
	// Dirs are directories below the sandbox that must be there beforehand.
	Dirs []string

	dir string // the sandbox
}

// Move is one place that content is moved from and to.
type Move struct {
	From, To string
	Clone    bool // a repository, not a file
	Span     tool.Span
	at       int // index of the invocation that is moved
}

// Blocked is an acquisition that cannot be moved by an edit.
type Blocked struct {
	Why  string
	Span tool.Span
	// Piped says that it goes through a pipe to something that puts it somewhere.
	Piped bool
	Fixed bool // it cannot be anywhere else
}

// Needed reports whether the script fetches anything to outside the sandbox.
func (p *Plan) Needed() bool { return len(p.Moved) > 0 || len(p.Blocked) > 0 }

// planner works out a plan.
type planner struct {
	Plan
	script string
	world  *tool.World
	invs   []*command.Invocation
	at     int  // the invocation that is looked at
	nested bool // it stands in a script that is a word of another command
	// values holds, for each edited span, what the word was worth when it was
	// first met: a loop meets it with another value.
	values map[tool.Span]string
	taken  map[string]string // new path -> what it stands for
	// inPlace says that something was to be put into the very directory that
	// the script works in, so that later commands would miss it.
	inPlace bool
	// unnamed is the directory that files of unknown names were moved from.
	unnamed string
}

// For plans how a script, read into invocations, has to change.
func For(script string, invs []*command.Invocation, w *tool.World) Plan {
	p := &planner{Plan: Plan{dir: w.Sandbox}, script: script, world: w, invs: invs, values: map[tool.Span]string{}, taken: map[string]string{}}
	if w.Sandbox == "" {
		return p.Plan
	}
	for i, inv := range invs {
		if p.at, p.nested = i, len(inv.Via) > 0; !inv.Remote {
			p.invocation(i, inv) // what another machine keeps is not this one's affair
		}
	}
	for i, inv := range invs {
		if p.nested = len(inv.Via) > 0; !inv.Remote && len(p.Moved) > 0 {
			p.prepare(i, inv)
		}
	}
	return p.Plan
}

// invocation plans for one invocation: it follows what was moved before, and moves what it
// fetches itself.
func (p *planner) invocation(i int, inv *command.Invocation) {
	if p.inPlace && len(inv.Words) > 0 && inv.Stage == 0 {
		p.block(inv.Span, "the commands after it work in the original directory")
		p.inPlace = false
	}
	p.follow(inv)
	if p.unnamed != "" && p.looksFor(inv) {
		p.block(inv.Span, "a later command may look for it there")
		p.unnamed = ""
	}
	p.land(i, inv)
}

// land moves where one invocation puts what it, or a stage before it, fetched.
func (p *planner) land(i int, inv *command.Invocation) {
	own, piped, l := brings(inv), p.piped(inv), inv.Landing()
	if !own {
		l.Name = "" // its operands are not addresses
	}
	if own && l.Is || piped {
		p.destinations(inv, l)
	}
	if own && l.Prints || piped || p.passes(i, inv) {
		p.redirects(inv, l.Name)
	}
	if piped && isPlaceless(l) {
		p.pipedAway(inv)
	}
}

// isPlaceless reports whether nothing is known about where something is put.
func isPlaceless(l *command.Landing) bool { return !l.Is && len(l.Words) == 0 }

// passes reports whether an invocation prints what others fetched.
func (p *planner) passes(i int, inv *command.Invocation) bool {
	return p.given(i, inv) || len(inv.Words) == 0 && p.inner(i, inv)
}

// destinations moves the destinations that an invocation has among its words, or would
// choose itself.
func (p *planner) destinations(inv *command.Invocation, l *command.Landing) {
	for _, w := range l.Words {
		p.word(inv, w, l.Name)
	}
	if l.Fixed {
		p.Blocked = append(p.Blocked, Blocked{Why: "it cannot be moved there", Span: inv.Span, Fixed: true})
	} else if len(l.Words) == 0 && l.Is {
		p.add(inv)
	}
}

// redirects moves the files that standard output goes to.
func (p *planner) redirects(inv *command.Invocation, name string) {
	for _, r := range inv.Redirects {
		if keeps(r) {
			p.word(inv, r.Target, name)
		}
	}
}

// inside says whether an effect stays in the sandbox whatever it touches.
func (p *planner) inside(e tool.Effect) bool {
	return e.Reach != tool.Anywhere && paths.Within(e.Target, p.dir) && !p.linked(e.Target)
}

// linked says whether a path below the sandbox leads through a symbolic link,
// which fetched content can bring along.
func (p *planner) linked(name string) bool {
	for len(name) > len(p.dir) {
		if p.isLink(name) {
			return true
		}
		name = path.Dir(name)
	}
	return false
}

// word moves a destination that is written in the script.
func (p *planner) word(inv *command.Invocation, w command.Word, name string) {
	if isNoFile(w) {
		return
	}
	e := inv.PathEffect(tool.Write, w, p.world)
	if p.inside(e) && !e.Pattern {
		return
	}
	if !p.stands(inv, w) {
		p.block(inv.Span, "its destination is not written out in the script")
		return
	}
	if e.Reach != tool.Exact || e.Pattern {
		p.prefix(w, "its destination is known only at run time")
		return
	}
	before, met := p.values[w.Span]
	switch {
	case !met:
		p.move(inv, w, e, name)
	case before != e.Target:
		p.repeated(w)
	}
}

// isNoFile reports whether a word names a stream, or nothing.
func isNoFile(w command.Word) bool { return w.IsKnown() && (isStream(w.Text) || w.Text == "") }

// move puts the place in the sandbox for one destination into the script.
func (p *planner) move(inv *command.Invocation, w command.Word, e tool.Effect, name string) {
	p.values[w.Span] = e.Target
	base := path.Base(e.Target)
	if base == "/" || isDots(w.Text) {
		base = name
		if !inv.Landing().Named && name != "" {
			e.Target = path.Join(e.Target, name) // it is put into that directory
		}
	}
	to := p.place(base, e.Target)
	p.edit(w.Span, w.Lead, to)
	if paths.Within(inv.Dir.Text, e.Target) {
		p.inPlace, e.Target = true, ""
	}
	p.moved(inv, e.Target, to, w.Span)
	if inv.Landing().Made {
		p.Dirs = append(p.Dirs, to)
	}
}

// isDots reports whether a path ends in dots, which are no name.
func isDots(name string) bool {
	name = path.Clean(name)
	return name == "." || name == ".." || strings.HasSuffix(name, "/..")
}

// stands says whether a word is one of the script's own, or the end of one, so
// that it can be replaced: not a name inside the program of a small language.
func (p *planner) stands(inv *command.Invocation, w command.Word) bool {
	if w.Span == (tool.Span{}) || w.Span.Start >= w.Span.End || w.Span.End > len(p.script) {
		return false
	}
	same := func(v command.Word) bool {
		return v.Span == w.Span && v.Reach == w.Reach && v.Text == w.Lead+w.Text
	}
	found := slices.ContainsFunc(inv.Words, same) ||
		slices.ContainsFunc(inv.Redirects, func(r command.Redirect) bool { return same(r.Target) })
	return found && sharers(inv, w.Span) == 1
}

// sharers counts the words of an invocation that have the same place: those of
// a script which does not stand verbatim in another one have all the place of
// the whole.
func sharers(inv *command.Invocation, span tool.Span) int {
	n := 0
	for _, w := range inv.Words {
		if w.Span == span {
			n++
		}
	}
	for _, r := range inv.Redirects {
		if r.Target.Span == span {
			n++
		}
	}
	return n
}

// add names a destination where the script names none.
func (p *planner) add(inv *command.Invocation) {
	l := inv.Landing()
	span := tool.Span{Start: l.After, End: l.After}
	if l.After == 0 || l.After > len(p.script) || isElsewhere(inv) {
		p.block(inv.Span, "no destination can be added to it")
		return
	}
	from := inv.Dir.Text
	if inv.Dir.Reach == tool.Exact && paths.Within(from, p.world.Sandbox) {
		return
	}
	before, met := p.values[span]
	switch {
	case !met:
		p.addAt(inv, l, span)
	case before != l.Name:
		p.block(inv.Span, "it runs more than once with different sources")
	default:
		p.again(span, from)
	}
}

// isElsewhere reports whether the words of an invocation do not stand in the script one by one.
func isElsewhere(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Words, func(w command.Word) bool { return sharers(inv, w.Span) > 1 })
}

// again notes that what stands at a place also runs in another directory: a cd before it
// may have failed.
func (p *planner) again(span tool.Span, dir string) {
	for _, m := range slices.Clone(p.Moved) {
		if m.Span == span && m.From != "" {
			m.From = path.Join(dir, path.Base(m.From))
			p.Moved = append(p.Moved, m)
		}
	}
}

// addAt adds a destination at a place of the script.
func (p *planner) addAt(inv *command.Invocation, l *command.Landing, span tool.Span) {
	p.values[span] = l.Name
	text, to := "", p.world.Sandbox
	if l.Flag != "" {
		text = " " + l.Flag
	}
	switch {
	case l.Named:
		name := l.Name
		if name == "" {
			name = "download"
		}
		from := path.Join(inv.Dir.Text, name)
		to = p.place(name, from)
		p.moved(inv, from, to, span)
	case l.Name == "":
		// Names that are not known beforehand are put there.
		p.inPlace = true
		p.moved(inv, "", to, span)
	default:
		p.files(inv, to, span)
	}
	p.Edits = append(p.Edits, Edit{span, text + " " + p.quote(to, "")})
}

// files notes the files that a program chooses the names of, in a directory that
// is added. Of names that are not known it only keeps where they would have been.
func (p *planner) files(inv *command.Invocation, to string, span tool.Span) {
	known := false
	for _, e := range inv.Effects {
		if !p.makesOutside(inv, e) {
			continue
		}
		if e.Reach == tool.Exact && !e.Pattern && !e.Tree {
			p.file(inv, e.Target, to, span)
			known = true
		} else if e.Reach != tool.Anywhere && paths.Within(e.Target, inv.Dir.Text) {
			p.unnamed = inv.Dir.Text
		}
	}
	if !known {
		p.moved(inv, "", to, span)
	}
}

// makesOutside reports whether an effect makes a file outside of the sandbox, and not by a
// redirect.
func (p *planner) makesOutside(inv *command.Invocation, e tool.Effect) bool {
	return isMade(e) && !redirected(inv, e) && !p.inside(e)
}

// isMade reports whether by an effect a file comes to be.
func isMade(e tool.Effect) bool { return e.Kind == tool.Write || e.Kind == tool.Create }

// file notes one file, by its name from the directory that the program works in.
func (p *planner) file(inv *command.Invocation, from, to string, span tool.Span) {
	name, ok := strings.CutPrefix(from, inv.Dir.Text+"/")
	if !ok {
		name = path.Base(from)
	}
	p.moved(inv, from, path.Join(to, name), span)
	if dir := path.Dir(path.Join(to, name)); dir != to {
		p.Dirs = append(p.Dirs, dir)
	}
}

// repeated deals with a word that is met again with another value, in a loop: a
// literal path cannot stand for both.
func (p *planner) repeated(w command.Word) {
	p.Edits = slices.DeleteFunc(p.Edits, func(e Edit) bool { return e.Span == w.Span })
	p.Moved = slices.DeleteFunc(p.Moved, func(m Move) bool { return m.Span == w.Span && m.From != "" })
	p.prefix(w, "its destination differs from run to run")
}

// prefix moves a destination whose value is not one known path by putting the
// sandbox in front of it, which is sure only for plain relative names.
func (p *planner) prefix(w command.Word, why string) {
	plain := (w.Reach == tool.Exact && !w.Glob || w.Reach == tool.Prefix && w.Plain) && !strings.HasPrefix(w.Text, "/") && !paths.Climbs(w.Text)
	start := p.script[w.Span.Start]
	if !plain || w.Lead != "" || start == '~' {
		p.block(w.Span, why)
		return
	}
	at := tool.Span{Start: w.Span.Start, End: w.Span.Start}
	p.values[w.Span] = ""
	if slices.ContainsFunc(p.Edits, func(e Edit) bool { return e.Span == at }) {
		return
	}
	p.Edits = append(p.Edits, Edit{at, p.quote(p.world.Sandbox, "") + "/"})
	p.Moved = append(p.Moved, Move{To: p.world.Sandbox, Span: w.Span, at: p.at})
}

func (p *planner) block(span tool.Span, why string) {
	p.Blocked = append(p.Blocked, Blocked{Why: why, Span: span})
}

func (p *planner) moved(inv *command.Invocation, from, to string, span tool.Span) {
	clone := len(inv.Path) > 1 && inv.Path[len(inv.Path)-1] == "clone"
	p.Moved = append(p.Moved, Move{From: from, To: to, Clone: clone, Span: span, at: p.at})
}

// Span is where the first thing that has to change stands.
func (p *Plan) Span() tool.Span {
	for _, m := range p.Moved {
		return m.Span
	}
	for _, b := range p.Blocked {
		return b.Span
	}
	return tool.Span{}
}
