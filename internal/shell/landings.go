package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// Where a word that changes the directory is a pattern or one of a list, or is seen from a directory that is not known, it is
// only known below which directory that leads.
// What is there on the disk says more: a link leads elsewhere, a hidden directory may be that of git or
// of an agent, and in some lie secrets.

// landings are the directories that a word of which only something is known may name, besides ordinary ones. It says whether
// these are all: where a pattern matches few directories, and nothing can have made others.
func (led *ledger) landings(s *state, to command.Word) (list []command.Word, all bool) {
	if led.remote || to.IsKnown() && (s.dir.Reach != tool.Under || strings.HasPrefix(to.Text, "/")) {
		return nil, false
	}
	if to.IsKnown() {
		to.Text = strings.TrimRight(to.Text, "/")
	}
	e := led.pathEffect(&command.Invocation{Dir: s.dir}, tool.Read, to)
	if e.Reach != tool.Under && !e.Pattern {
		return nil, false
	}
	if slices.ContainsFunc(s.links, func(l command.Link) bool { _, leads := perhapsThrough(l, e, false); return leads }) {
		list = append(list, command.Word{})
	}
	if led.world.Entries == nil {
		if namesHidden(e) {
			list = append(list, command.Word{})
		}
		return list, false
	}
	list = append(list, led.behindLinks(e, to)...)
	if dirs := led.dirsMatched(e); len(dirs) > 0 {
		return append(list, dirs...), true
	}
	for _, w := range append(led.hiddenDirs(e, to.Taint), led.secretDirs(e)...) {
		if !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list, false
}

// maxLandings bounds the links that a change of directory is followed through, maxHidden the hidden directories.
const maxLandings, maxHidden = 4, 8

// behindLinks are the directories behind links on the disk.
func (led *ledger) behindLinks(e tool.Effect, to command.Word) (list []command.Word) {
	e.Kind = tool.Delete // of the link itself, of whatever kind
	inv := &command.Invocation{Effects: []tool.Effect{e}, Words: []command.Word{to}}
	if m := (&meeting{led: led, inv: inv, e: e, left: maxLooked, limit: maxLandings, past: true, enters: true}); !m.all() {
		return []command.Word{{}}
	}
	for _, met := range inv.Effects[1:] {
		w := command.Word{Text: command.Follow(met.Target, led.world), Reach: met.Reach, Span: to.Span, Taint: to.Taint}
		if met.Pattern {
			w = command.Word{}
		}
		list = append(list, w)
	}
	return list
}

// namesHidden says whether a name with wildcards in a pattern, or one behind it, begins with a dot.
func namesHidden(e tool.Effect) bool {
	w := firstWild(e.Target)
	return e.Pattern && strings.Contains("/"+strings.ReplaceAll(strings.TrimPrefix(w.name, "@(")+w.rest, "|", "/"), "/.")
}

// dirsMatched are the directories that a pattern matches, if they are few and certain.
func (led *ledger) dirsMatched(e tool.Effect) []command.Word {
	w := firstWild(e.Target)
	if !e.Pattern || w.searches() || !led.untouched() {
		return nil
	}
	d := dirs{world: led.world, above: w.dir, in: command.FromGit | command.FromHidden, most: maxLandings + 1}
	if (walk{led, &d}).level(w.dir, w.name+w.rest); d.unsure || len(d.found) > maxLandings {
		return nil
	}
	return d.as(tool.Exact)
}

// hiddenDirs are the hidden directories that a pattern matches, and those of a list that leaves none out.
func (led *ledger) hiddenDirs(e tool.Effect, from command.Taint) []command.Word {
	d := dirs{world: led.world, above: e.Target, in: from, hidden: true, most: maxHidden}
	look := walk{led, &d}
	if !e.Pattern {
		look.level(d.above, ".*")
		return d.as(tool.Under) // they, or what is below them
	}
	w := firstWild(e.Target)
	d.above = w.dir
	for _, one := range value.Alternatives(w.name + w.rest) {
		if name, found := strings.CutPrefix(one, "**/"); found {
			d.all, d.in = true, from
			look.level(w.dir, name)
			look.level(w.dir, ".*/"+name)
		} else {
			d.all, d.in = false, command.FromGit|command.FromHidden
			look.level(w.dir, one)
		}
	}
	return d.as(tool.Exact)
}

// dirs looks for directories below another one.
type dirs struct {
	world  *tool.World
	above  string
	in     command.Taint // of hidden ones: of which kind
	all    bool          // wildcards match hidden names as well
	hidden bool          // only hidden ones are looked for
	most   int
	found  []string
	seen   int
	unsure bool // there may be others
}

// as are the directories that were found, or what is below them.
func (d *dirs) as(reach tool.Reach) (list []command.Word) {
	for _, dir := range d.found {
		list = append(list, command.Word{Text: dir, Reach: reach})
	}
	return list
}

func (d *dirs) enough() bool { return d.seen > maxLooked || len(d.found) == d.most }

func (d *dirs) lists(whole bool) {
	d.seen++
	d.unsure = d.unsure || !whole || d.seen > maxLooked
}

func (d *dirs) deep(dir, _ string) bool {
	d.unsure = true
	d.meets(dir, "", nil)
	return true
}

func (d *dirs) counts(name, _ string, e tool.Entry) bool {
	kind := command.FromHidden
	if e.Name == ".git" {
		kind = command.FromGit
	}
	return (e.Dir || e.Link) && (e.Name[0] != '.' || d.in&kind != 0 && (d.all || name[0] == '.'))
}

func (d *dirs) meets(path, rest string, e *tool.Entry) bool {
	switch {
	case e != nil && e.Link: // that is looked at by itself
		d.unsure = true
		return false
	case rest != "":
		return true
	case d.hidden && !strings.Contains(path[len(d.above):], "/."):
	case e != nil || d.world.Exists == nil || d.world.Exists(path):
		d.found = append(d.found, path)
	}
	return false
}

// secretDirs are the directories that hold files of secrets, or hold one that does.
func (led *ledger) secretDirs(e tool.Effect) (list []command.Word) {
	if led.world.Secret == nil {
		return nil
	}
	dir, ways := e.Target, []string{"**"}
	if e.Pattern {
		w := firstWild(e.Target)
		dir, ways = w.dir, value.Alternatives(w.name+w.rest)
	}
	for _, way := range ways {
		name, rest, more := strings.Cut(strings.TrimSuffix(way, "/"), "/")
		if more {
			rest = "/" + rest
		}
		list = append(list, led.dirsWith(wildPath{dir, name, rest})...)
	}
	return list
}

// dirsWith are the directories that a pattern matches and that hold files of secrets, or hold one that does.
func (led *ledger) dirsWith(w wildPath) (list []command.Word) {
	ends, deep := []string{"/*", "/.*", "/*/*"}, w.name == "**"
	if deep {
		ends = ends[:1] // at every level, hidden ones included
	}
	for _, end := range ends {
		for _, file := range led.secretsOf(aim{pattern: wildPath{w.dir, w.name, w.rest + end}, hidden: deep}) {
			for range strings.Count(end, "/") {
				file = paths.Parent(file)
			}
			list = append(list, command.Word{Text: file, Reach: tool.Exact})
		}
	}
	return list
}
