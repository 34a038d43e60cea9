package command

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// A list of files is made of fewer than its patterns say if a search leaves some out: by their depth, by their paths, or by a program
// that picks lines. Whoever holds all that the patterns match against the disk asks here which of those are left out.

// Sieve is what is known of the files that an invocation leaves out of a list. There may be more.
type Sieve struct {
	one      bool     // all but one
	none     bool     // it leaves out nothing but by their names
	dir      string   // where the search runs
	roots    []string // where it begins, as that is given; nil if it makes no list of its own
	min, max int      // how deep it looks below these
	sifts    []sift
}

// anyDepth is what a search looks at that is not told how deep to go.
const anyDepth = -1

// sift leaves out what matches a pattern, or what matches none.
type sift struct {
	globs []string
	base  bool // they are patterns of names
	tree  bool // with all that is below
	keeps bool // and nothing else
	folds bool
}

// maxSieves bounds the lists of a script that something may be left out of. If there are more, nobody knows what.
const maxSieves = 64

// Sieves are what is left out of lists: each of one pipeline.
type Sieves struct {
	lists [][]*Sieve
	at    map[int]int // of the pipelines that have a number
	seen  int         // invocations that were looked at
}

// Look looks at the invocations of a script, or at those that have come since.
func (all *Sieves) Look(invs []*Invocation) {
	if len(invs) < all.seen {
		*all = Sieves{}
	}
	for _, inv := range invs[all.seen:] {
		if inv.Sieve != nil && len(all.lists) <= maxSieves {
			all.add(inv)
		}
	}
	all.seen = len(invs)
}

// add takes in what an invocation leaves out.
func (all *Sieves) add(inv *Invocation) {
	i, known := all.at[inv.Pipeline]
	if !known || inv.Pipeline == 0 {
		if all.at == nil {
			all.at = map[int]int{}
		}
		i = len(all.lists)
		all.at[inv.Pipeline], all.lists = i, append(all.lists, nil)
	}
	if len(all.lists[i]) <= maxSieves {
		all.lists[i] = append(all.lists[i], inv.Sieve)
	}
}

// LeaveOut says whether a path is surely in none of the lists that something was left out of.
func (all *Sieves) LeaveOut(path string) bool {
	return all.each(func(list []*Sieve) bool {
		names := writtenIn(list, path)
		return slices.ContainsFunc(list, func(s *Sieve) bool { return s.leavesOut(path, names) })
	})
}

// LeaveOneOf says whether a path and another one are surely not in one of these lists both.
func (all *Sieves) LeaveOneOf(path string) bool {
	return all.each(func(list []*Sieve) bool {
		names := writtenIn(list, path)
		return slices.ContainsFunc(list, func(s *Sieve) bool { return s.one || s.leavesOut(path, names) })
	})
}

// each says whether something holds of every list that something was left out of, and there are such.
func (all *Sieves) each(holds func(list []*Sieve) bool) bool {
	return len(all.lists) > 0 && len(all.lists) <= maxSieves && !slices.ContainsFunc(all.lists, func(list []*Sieve) bool {
		return !holds(list) && slices.ContainsFunc(list, func(s *Sieve) bool { return !s.none })
	})
}

// writtenIn is how a path is written in a list.
func writtenIn(list []*Sieve, path string) (names []string) {
	for _, s := range list {
		for _, root := range s.roots {
			if dir := paths.Clean(s.dir, root); paths.Within(path, dir) {
				names = append(names, strings.TrimRight(root, "/")+strings.TrimSuffix("/"+strings.TrimPrefix(path[len(dir):], "/"), "/"))
			}
		}
	}
	if len(names) == 0 && len(list) > 0 {
		if below, is := strings.CutPrefix(path, list[0].dir+"/"); is {
			names = append(names, below, "./"+below)
		}
		names = append(names, path)
	}
	return names
}

// leavesOut says whether a path is left out, by whichever of its names.
func (s *Sieve) leavesOut(path string, names []string) bool {
	return s.isTooDeep(path) || slices.ContainsFunc(s.sifts, func(f sift) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return !f.leavesOut(name) })
	})
}

// isTooDeep says whether a path is too deep below all places that a search begins in, or not deep enough.
func (s *Sieve) isTooDeep(path string) bool {
	return len(s.roots) > 0 && !slices.ContainsFunc(s.roots, func(root string) bool {
		dir := strings.TrimSuffix(paths.Clean(s.dir, root), "/")
		if !paths.Within(path, dir) {
			return false
		}
		depth := strings.Count(path[len(dir):], "/")
		return depth >= s.min && (s.max == anyDepth || depth <= s.max)
	})
}

// leavesOut says whether a pattern, or one of several, says so of a name.
func (f sift) leavesOut(name string) bool {
	for more := true; more; more = f.tree && more {
		text := name
		if f.base {
			text = path.Base(name)
		}
		if f.matches(text) != f.keeps {
			return true
		}
		slash := strings.LastIndexByte(name, '/')
		name, more = name[:max(slash, 0)], slash > 0
	}
	return false
}

// matches says whether a text matches one of the patterns. What is not sure counts as what leaves less out.
func (f sift) matches(text string) bool {
	if f.folds {
		text = strings.ToLower(text)
	}
	return slices.ContainsFunc(f.globs, func(glob string) bool {
		if f.folds {
			glob = strings.ToLower(glob)
		}
		is, sure := paths.Match(glob, text)
		return is && sure || !sure && f.keeps
	})
}

// sieved notes where a search makes a list, whether that has not all files of its names, and what is known of those that it leaves out.
func sieved(r *reader, sifted bool) {
	s := &Sieve{none: !sifted, max: anyDepth}
	r.inv.Sieve = s
	unknown := func(w Word) bool { return !w.IsKnown() }
	if r.inv.Name != "find" || r.dir.Reach != tool.Exact || slices.ContainsFunc(r.oper, unknown) || slices.ContainsFunc(r.given, func(g flagUse) bool { return g.perhaps }) {
		return
	}
	s.dir, s.roots = r.dir.Text, []string{"."}
	if len(r.oper) > 0 {
		s.roots = nil
	}
	for _, w := range r.oper {
		s.roots = append(s.roots, w.Text)
	}
	c := condition{sieve: s, whole: r.anyGiven(true, "-depth", "-delete")}
	for i := range r.given {
		c.take(&r.given[i])
	}
	c.end()
}

// condition is that of find, as far as it leaves files out: what all that is listed must match, and what is pruned before.
type condition struct {
	sieve   *Sieve
	depth   int    // of the groups that are open
	not     bool   // what follows is the opposite
	whole   bool   // nothing is pruned
	either  bool   // one of several conditions is enough
	more    bool   // the last of them has others
	acts    int    // how often something is done
	now     []sift // what the last of them says
	group   []sift // of its last group, each of which is enough
	pruned  []sift // what was pruned, unless something is done with that itself
	expects bool   // the next condition of the group is enough
}

// take reads the next flag.
func (c *condition) take(g *flagUse) {
	not := c.not
	c.not = false
	text, known := onlyText(g.values)
	switch g.name {
	case "-mindepth":
		c.sieve.min, _ = strconv.Atoi(text)
	case "-maxdepth":
		if n, err := strconv.Atoi(text); err == nil {
			c.sieve.max = n
		}
	case "-not", "!":
		c.not = !not
	case "(":
		c.more = c.more || not || c.depth > 0 || len(c.group) > 0
		c.depth, c.expects = c.depth+1, true
	case ")":
		c.depth--
	case "-o", "-or":
		c.or()
	case "-prune":
		c.prune()
	case "-type", "-a", "-and":
	case "-path", "-wholename", "-ipath", "-iwholename", "-name", "-iname":
		c.pattern(sift{globs: []string{text}, base: g.name == "-name" || g.name == "-iname", keeps: !not, folds: g.name[1] == 'i'}, known)
	default:
		c.more = true
		if g.flag != nil && (g.flag.has("prints") || g.flag.has("command;") || g.name == ",") {
			c.acts++
		}
	}
}

// or begins another condition. Only what is pruned in one with which nothing is done is left out, if something is done in another.
func (c *condition) or() {
	if c.depth == 0 && c.acts == 0 && !c.either {
		c.sieve.sifts = append(c.sieve.sifts, c.pruned...)
	}
	if c.expects = c.depth > 0; !c.expects {
		c.either, c.more, c.now, c.group = true, false, nil, nil
	}
}

// pattern takes in one of paths or names. What comes after something is done says nothing about it.
func (c *condition) pattern(f sift, known bool) {
	switch {
	case !known || c.depth > 0 && (!f.keeps || !c.expects):
		c.more = true
	case c.depth > 0:
		c.group = append(c.group, f)
	case c.acts == 0:
		c.now = append(c.now, f)
	}
	c.expects = false
}

// prune takes in that what matches is not searched, and left out whatever is said of others.
func (c *condition) prune() {
	list := append(c.group, c.now...)
	if c.whole || c.more || c.either || c.depth > 0 || len(c.group) > 0 && len(c.now) > 0 || len(c.now) > 1 {
		return
	}
	for _, f := range list {
		if f.keeps {
			f.keeps, f.tree = false, true
			c.pruned = append(c.pruned, f)
		}
	}
	c.more = true
}

// end takes in what holds of all that is listed, or of all that something is done with.
func (c *condition) end() {
	switch {
	case c.acts > 1, c.acts == 0 && len(c.pruned) > 0: // which is printed then
		c.sieve.sifts = nil
	case c.acts == 1 || !c.either:
		c.sieve.sifts = append(c.sieve.sifts, c.now...)
	}
}

// sievedLines is sieved for a program that picks lines of a list.
func sievedLines(r *reader) {
	s := &Sieve{one: takesOne(r), max: anyDepth}
	r.inv.Sieve = s
	const usual = "-v --invert-match -i --ignore-case -E --extended-regexp -e --regexp"
	if !r.scope.patterned || r.dir.Reach != tool.Exact || slices.ContainsFunc(r.given, func(g flagUse) bool { return g.perhaps || !hasWord(usual, g.name) }) {
		return
	}
	s.dir = r.dir.Text
	f := sift{keeps: !r.anyGiven(true, "-v", "--invert-match"), folds: foldsCase(r)}
	bar := `\|`
	if r.anyGiven(true, "-E", "--extended-regexp") {
		bar = "|"
	}
	for _, pattern := range r.scope.patterns {
		for one := range strings.SplitSeq(pattern, bar) {
			glob, ok := asGlob(one)
			if ok {
				f.globs = append(f.globs, glob)
			} else if f.keeps {
				return
			}
		}
	}
	s.sifts = []sift{f}
}

// asGlob is a glob of what a plain regular expression finds.
func asGlob(expression string) (glob string, ok bool) {
	text, fromStart := strings.CutPrefix(expression, "^")
	text, toEnd := strings.CutSuffix(text, "$")
	if strings.ContainsAny(strings.NewReplacer(`\.`, "", `\/`, "", ".*", "").Replace(text), `\[](){}*+?^$|`) {
		return "", false
	}
	text = strings.NewReplacer(`\.`, ".", `\/`, "/", ".*", "*", ".", "?").Replace(text)
	if !fromStart {
		text = "*" + text
	}
	if !toEnd {
		text += "*"
	}
	return text, true
}
