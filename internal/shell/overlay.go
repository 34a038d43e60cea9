package shell

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// A tree that is copied goes into directories that are there already. Where one of them holds a link that has the name of something in the
// tree, the copy goes through the link.

// overlay is what an invocation puts at a place of the trees that it copies.
type overlay struct {
	meeting
	from   []tool.Effect // the trees
	before []tool.Effect // what the script may have put into them
	unsure bool          // or it may have put anything there
	tops   map[top]bool  // whether the trees have such names on the disk
}

// top is the first name of a path in a directory.
type top struct{ dir, name string }

// copiesOver repeats what an invocation puts somewhere on the links there that have the names of what it copies.
func copiesOver(led *ledger, inv *command.Invocation) {
	if led.world.Entries == nil || led.world.Exists == nil || led.remote {
		return
	}
	from := treesCopied(inv)
	if len(from) == 0 {
		return
	}
	o := overlay{from: from, unsure: len(led.gaps) > 0 || led.inLoop()}
	for i, n := 0, len(inv.Effects); i < n; i++ {
		e := inv.Effects[i]
		if !puts(e) || slices.ContainsFunc(from, func(tree tool.Effect) bool { return tree.Target == e.Target && tree.Reach == e.Reach }) {
			continue
		}
		if o.meeting = (meeting{led: led, inv: inv, e: e, limit: n + maxMet}); !o.meetsNamed() {
			inv.Gaps = append(inv.Gaps, command.Gap{Why: "more links match than can be followed", Span: e.Span})
			return
		}
	}
}

// treesCopied are the trees that an invocation copies, if it may. Those that it moves take the place of what was there.
func treesCopied(inv *command.Invocation) (from []tool.Effect) {
	if !slices.ContainsFunc(inv.Effects, puts) {
		return nil
	}
	for _, e := range inv.Effects {
		if e.Kind == tool.Read && e.Tree && e.Manner != tool.Moved && !e.Keeps() {
			from = append(from, e)
		}
	}
	return from
}

// looksBack finds what the script may have put into the trees.
func (o *overlay) looksBack(led *ledger) {
	o.before = []tool.Effect{}
	for _, inv := range led.invocations {
		o.unsure = o.unsure || len(inv.Gaps) > 0
		for _, e := range inv.Effects {
			switch {
			case e.Kind == tool.Execute, makesAnywhere(e), len(o.before) > maxLooked:
				o.unsure = true
			case puts(e):
				o.before = append(o.before, e)
			}
		}
	}
}

// makesAnywhere says whether something is put nobody knows where.
func makesAnywhere(e tool.Effect) bool {
	return (e.Kind == tool.Write || e.Kind == tool.Create) && (e.Reach == tool.Anywhere || e.Reach == tool.Prefix)
}

// meetsNamed meets the links below the place that have such names. It says whether they were few enough.
func (o *overlay) meetsNamed() bool {
	e, all := o.e, false
	o.dir = e.Target
	switch {
	case e.Reach == tool.Prefix:
		o.dir, all = paths.Parent(e.Target+"x"), true
	case e.Pattern:
		o.dir = paths.GlobDir(e.Target)
		all = !slices.ContainsFunc(o.from, func(tree tool.Effect) bool {
			return tree.Pattern && path.Base(tree.Target) == path.Base(e.Target) && path.Dir(e.Target) == paths.Escape(o.dir)
		})
	}
	links := o.led.linksBelow(o.dir)
	if len(links) > 0 && o.before == nil {
		o.looksBack(o.led)
	}
	all = all || o.unsure
	idle := idleAmong(o.led, o.dir, len(links))
	for i, name := range links {
		if idle[i] || o.full {
			continue
		}
		if !all && !o.names(name) && !(e.Reach == tool.Under && o.namesBelow(name)) {
			continue
		}
		if o.led.weighed++; o.led.weighed > maxWeighed {
			return false
		}
		link := paths.Clean(o.dir, "./"+name)
		if idle[i] = !o.matters(link, true); !idle[i] {
			o.add(onLink(e, link, ""))
		}
	}
	return !o.full
}

// maxWeighed bounds the links that a script is followed through so.
const maxWeighed = 256

// idleAmong says which links below a directory are known not to matter to what is put there.
func idleAmong(led *ledger, dir string, links int) []bool {
	if idle := led.idle[dir]; len(idle) == links {
		return idle
	}
	if led.idle == nil {
		led.idle = map[string][]bool{}
	}
	led.idle[dir] = make([]bool, links)
	return led.idle[dir]
}

// names says whether something in the trees may be put in the place of a link below the directory.
func (o *overlay) names(name string) bool {
	first, _, _ := strings.Cut(name, "/")
	for _, tree := range o.from {
		if tree.Reach != tool.Exact {
			return true
		}
		dir := tree.Target
		if w := firstWild(dir); tree.Pattern && (w.rest != "" || w.searches()) {
			return true
		} else if tree.Pattern {
			if w.mayMatch(first) && o.holds(top{w.dir, first}, name) {
				return true
			}
			continue
		}
		if o.holds(top{dir, first}, name) || first == path.Base(dir) && o.holds(top{paths.Parent(dir), first}, name) {
			return true
		}
	}
	return false
}

// namesBelow says whether something in the trees may be put in the place of a link, from one of the directories that it is in.
func (o *overlay) namesBelow(name string) bool {
	for _, rest, more := strings.Cut(name, "/"); more; _, rest, more = strings.Cut(rest, "/") {
		if o.names(rest) {
			return true
		}
	}
	return false
}

// hasTop says whether a directory on the disk has a name, which is looked at once.
func (o *overlay) hasTop(t top) bool {
	has, known := o.tops[t]
	if !known {
		if o.tops == nil {
			o.tops = map[top]bool{}
		}
		has = o.led.world.Exists(paths.Clean(t.dir, "./"+t.name))
		o.tops[t] = has
	}
	return has
}

// holds says whether something may be at a path in a directory that is copied to the place of a link, other than the same link.
func (o *overlay) holds(at top, name string) bool {
	if !o.hasTop(at) && len(o.before) == 0 {
		return false
	}
	if o.led.compared++; o.led.compared > maxLooked {
		return true
	}
	from := paths.Clean(at.dir, "./"+name)
	if o.hasTop(at) && o.led.world.Exists(from) && (o.inv.Follows || !o.isLink(from) || command.Follow(from, o.led.world) != command.Follow(paths.Clean(o.dir, "./"+name), o.led.world)) {
		return true
	}
	return slices.ContainsFunc(o.before, func(e tool.Effect) bool {
		return paths.Within(e.Target, from) || !isOneFile(e) && holdsLink(e, command.Link{From: from}) ||
			e.Put && isExact(e) && paths.Within(from, e.Target)
	})
}
