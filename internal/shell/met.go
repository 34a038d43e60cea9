package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// A repository can ship a link under a harmless name. Rules follow the links on the way to a path that is
// named; of a pattern, a list of files or a whole tree it is looked which links there are
// that it may be on or lead through, and the effect is repeated on these.

// maxMet bounds the links that the effects of one invocation are followed through, maxLooked the
// directories that are looked at for one pattern.
const maxMet, maxLooked = 256, 1000

// meeting is an effect on what a pattern or a list stands for, and where it meets links.
type meeting struct {
	led    *ledger
	inv    *command.Invocation
	e      tool.Effect
	dir    string    // where the part of it lies that is not known
	past   bool      // it may be on what lies behind a link that it meets
	enters bool      // whoever meets a link goes on behind it
	left   int       // directories that may be listed
	limit  int       // of the effects
	full   bool      // there are more
	names  selection // what they are taken from
	glued  string    // what stands behind the names of a list in the pattern
}

// meetsLinks repeats the i-th effect of an invocation on the links that it may be on. It says whether
// they were few enough.
func (led *ledger) meetsLinks(inv *command.Invocation, i, limit int) bool {
	return (&meeting{led: led, inv: inv, e: inv.Effects[i], left: maxLooked, limit: limit, past: true}).all()
}

// all looks for all links, and says whether they were not too many.
func (m *meeting) all() bool {
	inv, e := m.inv, m.e
	m.names = selected(inv, e.Span)
	switch {
	case e.Reach == tool.Under:
		if m.dir, m.past = e.Target, gluedBehind(inv, e.Span); m.past && m.isLink(m.dir) {
			m.meetAll(m.dir)
		}
		m.inTree(m.dir, value.Everything)
	case !e.Pattern:
		m.dir = e.Target
		m.inTree(m.dir, value.Everything)
	default:
		w := firstWild(e.Target)
		if w.name == "" {
			return true
		}
		m.dir, m.past = w.dir, !listsNames(inv, e.Span, w)
		m.among(w)
	}
	return !m.full
}

// among looks at the links that a pattern matches. Where something stands behind alternatives, as it does behind the names of a list, it
// looks at each of these: a search goes through no link, but what stands behind the name of one does.
func (m *meeting) among(w wildPath) {
	ways := []string{w.name + w.rest}
	name, rest, _ := paths.CutGlob(ways[0])
	if list, ok := paths.Alternatives(name); ok && rest != "" && !m.past {
		ways, m.past, m.glued = list, true, rest
		for i := range ways {
			ways[i] += "/" + rest
		}
	}
	for _, way := range ways {
		walk{m.led, m}.level(w.dir, way)
	}
}

// enough says whether no more links are to be met.
func (m *meeting) enough() bool { return m.full || m.left <= 0 }

func (m *meeting) lists(bool) { m.left-- }

// deep looks at the links below a directory, which are known.
func (m *meeting) deep(dir, pattern string) bool {
	listed, found := strings.CutSuffix(pattern, "/"+m.glued)
	if m.glued == "" || !found {
		m.inTree(dir, pattern)
		return true
	}
	list := nameList{dir: dir, match: listed}
	for _, link := range m.linksIn(dir) {
		if list.has(link) {
			m.meet(strings.TrimSuffix(dir, "/")+"/"+link, m.glued)
		}
	}
	return true
}

// counts is for links, and directories on the way, or to be gone through.
func (m *meeting) counts(_, rest string, e tool.Entry) bool {
	return e.Link || e.Dir && (rest != "" || m.goesThrough())
}

// meets repeats the effect on a link.
func (m *meeting) meets(path, rest string, e *tool.Entry) bool {
	switch {
	case e != nil && e.Link || e == nil && m.isLink(path):
		if m.meet(path, rest); rest == "" && m.goesThrough() {
			m.meetAll(path)
		}
		return false
	case rest == "" && m.goesThrough():
		m.inTree(path, value.Everything)
	}
	return rest != ""
}

// goesThrough says whether the effect is on all that lies behind the links in a directory.
func (m *meeting) goesThrough() bool { return m.e.Tree && m.inv.Follows }

func (m *meeting) isLink(path string) bool {
	if m.led.world.Readlink == nil {
		return false
	}
	_, err := m.led.world.Readlink(path)
	return err == nil
}

// inTree looks at the links below a directory that the names of a list, or a pattern that goes through any
// number of directories, may be.
func (m *meeting) inTree(dir, pattern string) {
	list := nameList{dir: dir, match: pattern}
	if pattern == value.Everything {
		list.match = ""
	}
	links := m.linksIn(dir)
	m.led.toil.looked(len(links))
	for _, link := range links {
		if path := strings.TrimSuffix(dir, "/") + "/" + link; m.past {
			m.meetBehind(dir, link, path, pattern)
		} else if list.has(link) && m.mayList(path) {
			m.meet(path, "")
		} else if m.names.some && m.keptBehind(path) {
			m.meetAll(path)
		}
	}
}

// meetBehind repeats the effect on what a pattern may match behind a link below a directory: the rest of it, if the link is on the way to that, and
// all of it, as what stands for any number of directories may lead through the link. Of what is not deleted, or by other patterns, it may be
// anything.
func (m *meeting) meetBehind(dir, link, path, pattern string) {
	if !strings.HasPrefix(pattern, "**/") || m.e.Kind != tool.Delete || strings.ContainsAny(pattern, "({[\\") || m.enters {
		m.meetAll(path)
		return
	}
	if !m.isDir(path) || !m.matters(path, true) {
		return
	}
	m.add(onLink(m.e, path, "/"+pattern))
	for i := len("**/"); i < len(pattern); i++ {
		if pattern[i] == '/' && (nameList{dir: dir, match: pattern[:i]}).has(link) {
			m.add(onLink(m.e, path, pattern[i:]))
		}
	}
	if (nameList{dir: dir, match: pattern}).has(link) {
		m.meetAll(path)
	}
}

// mayList says whether a link may be among the names of a list. A search for what is in files lists no directory, and enters no link.
func (m *meeting) mayList(link string) bool {
	c := m.names
	return !c.some || !c.found || c.follows || !m.isDir(link)
}

// linksIn are the links below a directory. Whoever changes what lies behind them all goes through those of other tools as well, and
// through those that nobody has seen.
func (m *meeting) linksIn(dir string) []string {
	if !m.inv.Follows || m.e.Kind == tool.Read {
		return m.led.linksBelow(dir)
	}
	t := m.led.treeBelow(dir, 0)
	m.full = m.full || t.beyond || t.cut
	return append(t.links[:len(t.links):len(t.links)], t.theirs...)
}

// meet repeats the effect on a link, or on what the rest of a pattern matches behind it.
func (m *meeting) meet(link, rest string) {
	switch {
	case !m.matters(link, rest != "" || m.enters), m.finds() && rest != "" && !m.mayHave(link, rest):
	case rest != "":
		m.add(onLink(m.e, link, "/"+rest))
	case m.e.Reach == tool.Under && m.e.Kind != tool.Read && m.e.Kind != tool.Delete:
		m.meetAll(link) // what is put there may be put below it
	case m.e.Kind == tool.Read && !m.e.Tree && m.keptBehind(link):
		m.meetAll(link)
	case m.e.Kind == tool.Read && !m.e.Tree && m.isDir(link): // of which there is nothing to be read
	default:
		m.add(onLink(m.e, link, ""))
	}
}

// mayHave says whether there may be something behind a link that the rest of a pattern matches.
func (m *meeting) mayHave(link, rest string) bool {
	if !isWild(rest) {
		return m.led.world.Exists(link + "/" + plain(rest))
	}
	if m.glued == "" {
		return true
	}
	f := finding{world: m.led.world}
	walk{m.led, &f}.level(link, rest)
	return f.found || f.listed > maxFinding
}

// maxFinding bounds the directories in which it is looked for anything that a pattern matches.
const maxFinding = 64

// finding looks whether there is anything that a pattern matches.
type finding struct {
	world  *tool.World
	listed int
	found  bool
}

func (f *finding) enough() bool { return f.found || f.listed > maxFinding }

func (f *finding) lists(whole bool) {
	if f.listed++; !whole {
		f.listed = maxFinding + 1
	}
}

func (f *finding) deep(string, string) bool { return false }

func (f *finding) counts(_, rest string, e tool.Entry) bool { return rest == "" || e.Dir || e.Link }

func (f *finding) meets(path, rest string, e *tool.Entry) bool {
	f.found = f.found || rest == "" && (e != nil || f.world.Exists(path))
	return rest != ""
}

// keptBehind says whether git keeps files where a link is now: it takes that for the directory that was there, and lists them.
func (m *meeting) keptBehind(link string) bool {
	return m.matters(link, true) && m.isDir(link) && m.led.lib.KeepsBelow(m.led.world, link)
}

// finds says whether the effect is only on what is there.
func (m *meeting) finds() bool {
	return (m.e.Kind == tool.Read || m.e.Kind == tool.Delete) && m.led.world.Exists != nil
}

// meetAll repeats the effect on something at a link or behind it.
func (m *meeting) meetAll(link string) {
	if m.e.Tree && m.e.Kind != tool.Read && !m.isDir(link) || !m.matters(link, true) {
		return // what unpacks a tree replaces it
	}
	e := m.e
	e.Target, e.Pattern = link, false
	switch {
	case e.Kind == tool.Delete: // not of the link itself
		e.Target, e.Pattern, e.Reach = paths.Escape(link)+"/**", true, tool.Exact
	case !e.Tree:
		e.Reach = tool.Under
	}
	m.add(e)
}

// isDir says whether a directory is at a path, or behind a link there.
func (m *meeting) isDir(path string) bool {
	if is, known := m.led.ends.dirs[path]; known {
		return is
	}
	is := false
	if m.led.world.Exists != nil {
		is = m.led.world.Exists(path + "/.")
	} else {
		list, whole := m.led.world.Entries(path + "/")
		is = whole || len(list) > 0
	}
	remember(&m.led.ends.dirs, path, is)
	return is
}

// ends is where links on the disk lead to: which of them to directories, and which away from a directory that they were met below. Each
// is looked at once.
type ends struct {
	dirs map[string]bool
	away map[[2]string]bool
}

// maxEnds bounds what is remembered of links.
const maxEnds = 1 << 13

// remember keeps an answer, if there are not too many.
func remember[K comparable](known *map[K]bool, key K, answer bool) {
	if *known == nil {
		*known = map[K]bool{}
	}
	if len(*known) < maxEnds {
		(*known)[key] = answer
	}
}

func (m *meeting) add(e tool.Effect) {
	if m.full = m.full || len(m.inv.Effects) > m.limit; !m.full && !slices.Contains(m.inv.Effects, e) {
		m.inv.Effects = append(m.inv.Effects, e)
	}
}

// matters says whether a link leads to what is of another kind than what lies around it: out of the project and
// of the directory that it was met in, or to something that is protected or secret. What is changed behind it matters
// in the project too: where git or an agent keeps its own files, and what is deleted.
func (m *meeting) matters(link string, behind bool) bool {
	away, known := m.led.ends.away[[2]string{link, m.dir}]
	if !known {
		away = m.led.leadsAway(link, m.dir)
		remember(&m.led.ends.away, [2]string{link, m.dir}, away)
	}
	if away {
		return true
	}
	if m.e.Kind == tool.Read {
		return false
	}
	real := command.Follow(link, m.led.world)
	if behind && slices.ContainsFunc(m.inv.Moves, func(l command.Link) bool { return paths.Within(l.From, real) }) {
		return true
	}
	return !(paths.Within(real, m.dir) && m.alike()) && (m.e.Kind == tool.Delete && (behind || !m.e.Unlinks()) || paths.Within(m.led.world.Project, real) || strings.Contains(real[len(m.led.world.Project):], "/."))
}

// alike says whether all that lies in the directory where links are met is of one kind: it is not deleted, or all of it is, or made by builds, or none of it is
// of the project.
func (m *meeting) alike() bool {
	w := m.led.world
	return m.enters || m.e.Kind != tool.Delete || !m.e.Pattern || w.Project == "" || !paths.Within(m.dir, w.Project) || w.Made != nil && w.Made(m.dir)
}

// leadsAway is [meeting.matters] for a link that was met below a directory.
func (here *site) leadsAway(link, dir string) bool {
	if here.world.Readlink == nil {
		return true
	}
	real := command.Follow(link, here.world)
	switch {
	case !paths.Within(real, dir) && (here.world.Project == "" || !paths.Within(real, here.world.Project)):
		return true
	case here.world.Protected != nil && here.world.Protected(real):
		return true
	}
	return here.world.Secret != nil && here.world.Secret(tool.Effect{Kind: tool.Read, Target: real, Reach: tool.Exact})
}

// linksBelow are the links below a directory, as far as it is looked through, seen from there.
func (led *ledger) linksBelow(dir string) []string {
	t := led.treeBelow(dir, 0)
	if len(t.theirs) > 0 && !keepsOut(led.world, dir) {
		return append(t.links[:len(t.links):len(t.links)], t.theirs...)
	}
	return t.links
}

// listsNames says whether the word at a place of the script is a list of what a search has found, which finds
// links and does not go through them unless it is told to, with nothing behind the names.
func listsNames(inv *command.Invocation, at tool.Span, w wildPath) bool {
	if inv.Follows || !w.searches() || strings.Count(w.name+w.rest, "/") > 1 && w.name == "**" {
		return false
	}
	return !gluedBehind(inv, at)
}

// gluedBehind says whether something may stand behind the names of a list at a place of the script, or the list
// may hold what lies behind links.
func gluedBehind(inv *command.Invocation, at tool.Span) bool {
	return !allWords(inv, at, func(w command.Word) bool {
		return w.Taint&command.Followed == 0 && w.Tail == "" && (w.Made == nil || w.Made.Text == w.Made.Mark)
	})
}

// allWords says whether something is so of all words that stand at a place of the script.
func allWords(inv *command.Invocation, at tool.Span, is func(command.Word) bool) bool {
	for _, w := range inv.Words {
		if w.Span == at && !is(w) {
			return false
		}
	}
	for i := range inv.Redirects {
		if w := inv.Redirects[i].Target; w.Span == at && !is(w) {
			return false
		}
	}
	return true
}
