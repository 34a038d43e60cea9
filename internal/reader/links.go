package reader

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// Links and copies that the script makes: who writes to the one writes to the other, and who reads the copy reads the original.

// follow is where a path leads by the links on the disk.
func (r *reader) follow(at string) string {
	if r.remote {
		return at
	}
	return r.disk.follow(at)
}

func (d *disk) follow(at string) string {
	if d.world.Readlink == nil || !strings.HasPrefix(at, "/") {
		return at
	}
	return command.Follow(at, d.world)
}

// isNowhere says whether the directory of an invocation surely is not there: to go there fails.
func (r *reader) isNowhere(inv *command.Invocation) bool {
	dir := inv.Dir.Text
	return inv.Dir.Reach == tool.Exact && dir != r.world.Project && dir != r.start && r.async == 0 && !r.remote && r.absent(dir) && r.untouched()
}

// absent says whether there is nothing at a path, as far as the disk says.
func (d *disk) absent(at string) bool { return d.world.Exists != nil && !d.world.Exists(at) }

// link is another name for something, that the script has made; or a copy, which holds what the other held.
type link struct {
	From, To string
	copied   bool
	unsure   bool // it leads to To or something below it, or anywhere
}

// behind is where a path leads by a link.
func (l link) behind(at string) command.Word {
	switch {
	case l.To == command.Somewhere:
		return command.Word{}
	case l.unsure:
		return command.Word{Text: l.To, Reach: tool.Under}
	}
	return command.Word{Text: paths.Clean("/", l.To+at[min(len(l.From), len(at)):]), Reach: tool.Exact}
}

// mayLead says whether a path may go through a link that the script has made.
func (r *reader) mayLead(at string) bool {
	return slices.ContainsFunc(r.links, func(l link) bool { return !l.copied && paths.Within(paths.Fixed(at), l.From) })
}

// linked notes the links that an invocation makes, and what it copies or moves: who reads the copy reads the original. Copies of links are not followed.
func (r *reader) linked(inv *command.Invocation) {
	add := func(l link) {
		if len(r.links) >= maxLinks {
			gapIn(inv, "more links and copies than are followed")
		} else if !slices.Contains(r.links, l) {
			r.links = append(r.links, l)
		}
	}
	for _, l := range inv.Links {
		add(link{From: l.From, To: l.To, unsure: l.Vague || l.Pattern})
		if r.jobs > 0 || r.async > 0 && !paths.Within(l.To, r.world.Project) {
			r.gap("a link changes a path that another command may use at the same time", inv.Span)
		}
	}
	for _, l := range r.links[:len(r.links):len(r.links)] {
		if l.copied && !l.unsure || inv.Stage == 0 && !slices.ContainsFunc(inv.Effects, l.isReadBy) {
			continue
		}
		for _, e := range inv.Effects {
			if puts(e) && !paths.Within(e.Target, l.From) && l.copied {
				add(link{From: paths.GlobRoot(e.Target), To: l.To, copied: true, unsure: true})
			} else if puts(e) && !paths.Within(e.Target, l.From) {
				r.gap("a copy of a link that this script made", inv.Span)
			}
		}
	}
	if !inv.Remote && !slices.ContainsFunc(inv.Runs, func(n command.Nested) bool { return n.File == nil }) {
		r.copiedTrees(inv, add)
		r.unpacked(inv, add)
		r.copied(inv, add)
	}
}

// isReadBy says whether an effect reads a link, or what it lies in.
func (l link) isReadBy(e tool.Effect) bool {
	return e.Kind == tool.Read && (paths.Within(l.From, e.Target) || paths.Within(e.Target, l.From) || !isExact(e) && covers(e.Target, l.From))
}

// copied adds what an invocation that runs nothing writes of what it reads.
func (d *disk) copied(inv *command.Invocation, add func(link)) {
	var from, to []tool.Effect
	for _, e := range inv.Effects {
		switch {
		case e.Kind == tool.Execute:
			return
		case e.Kind == tool.Read && isExact(e) && d.matters(e):
			from = append(from, e)
		case puts(e):
			to = append(to, e)
		}
	}
	for _, f := range from[:min(len(from), 4)] {
		for _, t := range to[:min(len(to), 4)] {
			if at := t.Target; at != f.Target {
				if t.Pattern {
					at = paths.GlobRoot(at)
				}
				add(link{From: at, To: f.Target, copied: true})
			}
		}
	}
}

// matters says whether a read is of something that is nobody's business, or lies outside of the project.
func (d *disk) matters(e tool.Effect) bool {
	return !paths.Within(e.Target, d.world.Project) && !strings.HasPrefix(e.Target, "/tmp/") || d.isSecret(e.Target)
}

// leads repeats the effects of an invocation on what its paths may lead to: through links and copies, the parent directory and patterns.
func (r *reader) leads(inv *command.Invocation) {
	own := len(inv.Effects)
	r.throughLinks(inv)
	r.throughDots(inv)
	r.throughPatterns(inv, own)
}

// throughLinks repeats effects on links, made by this script, on what they point at.
func (r *reader) throughLinks(inv *command.Invocation) {
	if len(r.links) == 0 {
		return
	}
	named := inv.Words
	for _, rd := range inv.Redirects {
		named = append(named[:len(named):len(named)], rd.Target)
	}
	for _, w := range named { // it leads to where the link points, not to where the path says
		_, behind, _ := strings.Cut(w.Text, "=")
		for _, text := range [...]string{w.Text, behind} {
			at := strings.Index(text, "/..")
			if at > 0 && slices.ContainsFunc(r.links, func(l link) bool { return !l.copied && paths.Within(paths.Clean(inv.Dir.Text, text[:at]), l.From) }) {
				gapIn(inv, "a path with .. after a link in this script")
			}
		}
	}
	for i := 0; i < len(inv.Effects) && i < 64; i++ {
		e := inv.Effects[i]
		if !e.Kind.IsPath() || e.Reach == tool.Anywhere {
			continue
		}
		for _, l := range r.links {
			if there, ok := l.through(e, inv.Follows, inv.Shows || inv.Sweeps); ok && !slices.Contains(inv.Effects, there) {
				if inv.Effects = append(inv.Effects, there); l.To == command.Somewhere {
					gapIn(inv, "the path may lead through a link that this script made")
				}
			}
		}
	}
}

// through is where an effect is by a link as well, if it is one on it or may be.
func (l link) through(e tool.Effect, follows, shows bool) (tool.Effect, bool) {
	there := e
	there.Target, there.Pattern, there.Reach = l.To, false, tool.Exact
	within, may, holds := l.meets(e)
	switch {
	case l.copied:
		there.Tree = false
		return there, e.Kind == tool.Read && (within && e.Target != l.To || may || holds) && (shows || !l.unsure)
	case l.unsure || l.To == command.Somewhere:
		there.Reach = tool.Under
		return there, l.mayBeOn(e) && (l.To != command.Somewhere || e.Target != l.From || e.Tree && follows)
	case isExact(e) && e.Unlinks() && e.Target == l.From: // the link itself
	case within && l.leadsOn(e.Target):
		there = e
		there.Target = paths.Clean("/", l.To+e.Target[len(l.From):])
		return there, true
	case may && (!e.Unlinks() || e.Pattern && strings.Count(e.Target, "/") > strings.Count(l.From, "/")), follows && holds:
		there.Tree = there.Tree || may
		return there, true
	}
	return e, false
}

// meets says whether an effect is on something at the link or below it, whether it may be, and whether the link lies in what it is on.
func (l link) meets(e tool.Effect) (within, may, holds bool) {
	within, may = paths.Within(e.Target, l.From), !isExact(e) && (covers(e.Target, l.From) || e.Pattern && reaches(e.Target, l.From, false))
	return within, may, e.Tree && paths.Within(l.From, e.Target)
}

// leadsOn says whether a path below a link is not where the link leads to.
func (l link) leadsOn(at string) bool {
	return at != l.To && !(paths.Within(l.To, l.From) && paths.Within(at, l.To))
}

// mayBeOn says whether an effect may be on a link of which not all is known, or on what is behind it.
func (l link) mayBeOn(e tool.Effect) bool {
	near := paths.Within(paths.Fixed(e.Target), l.From) || paths.Within(paths.Fixed(l.From), paths.Fixed(e.Target))
	if isExact(e) {
		return paths.Within(e.Target, paths.GlobRoot(l.From)) && (!e.Tree || near)
	}
	return near
}

// throughDots notes patterns that reach through the parent directory: ".*" matches ".." in dash, and in bash before 5.2.
func (d *disk) throughDots(inv *command.Invocation) {
	for _, e := range inv.Effects {
		if !e.Pattern || e.Reach != tool.Exact || !e.Kind.IsPath() || !strings.Contains(e.Target, "/.") || !slices.ContainsFunc(strings.Split(e.Target, "/"), paths.CanBeParent) {
			continue
		}
		above := paths.Parent(paths.GlobRoot(e.Target))
		if w := firstWild(e.Target); w.name != "" && !w.searches() && !(e.Kind == tool.Read && paths.Within(above, d.world.Project)) {
			gapIn(inv, "a pattern that may match the parent directory")
		}
	}
}

// pathEffect is the effect on the path that a word names, for an invocation that may run in a directory of which is only known below which one
// it lies.
func (d *disk) pathEffect(inv *command.Invocation, kind tool.Kind, w command.Word) tool.Effect {
	e := inv.PathEffect(kind, w, d.world)
	if inv.Dir.Reach == tool.Under && !strings.HasPrefix(w.Text, "/") {
		e = anywhereBelow(inv.Dir.Text, e, w.Reach == tool.Under)
	}
	return e
}

// fromBelow makes the effects of an invocation that runs in such a directory what they may be on.
func fromBelow(inv *command.Invocation) {
	if inv.Dir.Reach != tool.Under {
		return
	}
	for i := range inv.Effects {
		e := &inv.Effects[i]
		absolute, listed := false, false
		for _, w := range inv.Words {
			if w.Span == e.Span {
				absolute, listed = absolute || strings.HasPrefix(w.Text, "/"), listed || w.Reach == tool.Under
			}
		}
		if !absolute {
			*e = anywhereBelow(inv.Dir.Text, *e, listed)
		}
	}
}

// anywhereBelow is an effect on a path that is seen from somewhere below a directory: on that path anywhere below it, or on anything there if the
// path is not known either.
func anywhereBelow(dir string, e tool.Effect, listed bool) tool.Effect {
	rest, below := strings.CutPrefix(e.Target, strings.TrimSuffix(dir, "/")+"/")
	switch {
	case !e.Kind.IsPath() || e.Reach != tool.Under || !below || rest == "":
	case listed:
		e.Target = dir
	default:
		e.Target, e.Pattern, e.Reach = paths.Escape(strings.TrimSuffix(dir, "/"))+"/**/"+paths.Escape(rest), true, tool.Exact
	}
	return e
}
