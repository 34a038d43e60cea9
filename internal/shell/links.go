package shell

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/packed"
	"longline/internal/paths"
	"longline/internal/tool"
)

// maxHops bounds the links that one path leads through, maxThrough the effects that are found so.
const (
	maxHops    = 16
	maxThrough = 20
)

// throughLinks repeats effects on links, made by this script, on what they
// point at. A link to something below itself leads there once. Effects before the first have been looked at.
func throughLinks(led *ledger, s *state, inv *command.Invocation, first int) {
	if len(s.links) == 0 {
		return
	}
	s.climbsBehind(inv)
	hops := make([]int, len(inv.Effects), len(inv.Effects)+8) // by which an effect was found
	copies := len(treesCopied(inv)) > 0
	for i, given := first, len(inv.Effects); i < len(inv.Effects); i++ {
		if i > given+maxThrough || len(inv.Effects) > given+2*maxThrough { // all of them are looked at in turn, so there are too many in any case
			gapIn(inv, "too many links")
			return
		}
		e := inv.Effects[i]
		if !e.Kind.IsPath() || e.Reach == tool.Anywhere {
			continue
		}
		if real, other := byRealPath(led, s, inv, e); other && !slices.Contains(inv.Effects, real) {
			inv.Effects, hops = append(inv.Effects, real), append(hops, hops[i])
		}
		follows := inv.Follows || copies && puts(e)
		alone := isExact(e) && !e.Tree
		for _, l := range s.links {
			if alone && !l.Pattern && !strings.HasPrefix(e.Target, l.From) {
				continue // as most are
			}
			there, leads := throughLink(l, e, follows)
			switch {
			case !leads:
				continue
			case l.To == command.Somewhere:
				gapIn(inv, "the path may lead through a link that this script made")
				return
			case l.Vague:
				there.Target, there.Reach, there.Pattern = l.To, tool.Under, false
			case hops[i] >= maxHops/4 && l.Pattern && there.Pattern: // it may go round in a circle, and be longer each time
				there.Target = paths.Escape(paths.GlobDir(there.Target)) + "/**"
			}
			if slices.Contains(inv.Effects, there) {
				continue // it is reached by another way
			}
			if hops[i] == maxHops {
				gapIn(inv, "too many links")
				return
			}
			s.toil.joined()
			inv.Effects, hops = append(inv.Effects, there), append(hops, hops[i]+1)
		}
	}
}

// throughOwn repeats the effects of a program on what the links lead to that it has made itself before, or has moved.
func throughOwn(led *ledger, s *state, inv *command.Invocation) {
	if n := len(inv.Effects); inv.Mixed && len(s.links) > len(inv.Moves) {
		throughLinks(led, s, inv, 0)
		led.throughPatterns(inv, n)
	}
}

// throughLink is where an effect is by a link as well, if it is one on it or may be.
func throughLink(l command.Link, e tool.Effect, follows bool) (there tool.Effect, leads bool) {
	switch {
	case l.Moved && takesBehind(l, e):
		there = e
		there.Target, there.Pattern, there.Reach = l.To, l.Pattern, tool.Exact
		return there, true
	case l.Moved && l.Pattern:
		return throughMoved(l, e)
	case l.Pattern:
		return throughUnseen(l, e, follows)
	case l.To == command.Somewhere:
		return e, e.Target != l.From && paths.Within(e.Target, l.From)
	case removesLink(l, e):
		return e, false
	case isThrough(l, e):
		there = e
		there.Target = paths.Clean("/", l.To+e.Target[len(l.From):])
		return there, true
	}
	return perhapsThrough(l, e, follows)
}

// takesBehind says whether an effect deletes what was moved: with a directory, by a pattern, or with others.
func takesBehind(l command.Link, e tool.Effect) bool {
	switch {
	case e.Kind != tool.Delete || paths.Within(l.To, e.Target):
		return false
	case e.Pattern:
		return mayName(e.Target, l.From) || mayNameIn(e.Target, l) || e.Tree && mayNameAbove(e.Target, l)
	case e.Reach == tool.Under:
		return paths.Within(l.From, e.Target)
	case l.Pattern && mayName(l.From, e.Target):
		return true
	}
	return e.Tree && paths.Within(l.From, e.Target) && e.Target != l.From
}

// mayNameIn says whether a pattern may name one of several things that were moved, or something in a directory that was.
func mayNameIn(pattern string, l command.Link) bool {
	from := l.From
	if !l.Pattern {
		from = paths.Escape(from)
	}
	_, leads := restOfBoth(pattern, from)
	switch {
	case !leads:
		return false
	case l.Pattern:
		a, b := paths.FixedEnd(pattern), paths.FixedEnd(from)
		return strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
	}
	return !l.File
}

// mayNameAbove says whether a pattern may name a directory that something was moved into.
func mayNameAbove(pattern string, l command.Link) bool {
	dir := paths.Parent(l.From)
	if l.Pattern {
		dir = paths.GlobDir(l.From)
	}
	for ; len(dir) > 1; dir = paths.Parent(dir) {
		if mayName(pattern, dir) {
			return true
		}
	}
	return false
}

// removesLink says whether an effect deletes a link itself. What goes through it has an effect on what lies behind it, or writes.
func removesLink(l command.Link, e tool.Effect) bool {
	return e.Unlinks() && !l.Moved && isExact(e) && e.Target == l.From
}

// isThrough says whether an effect is one on what a link points at.
func isThrough(l command.Link, e tool.Effect) bool {
	return e.Target != l.To && paths.Within(e.Target, l.From) && !(paths.Within(l.To, l.From) && paths.Within(e.Target, l.To))
}

// throughUnseen is where an effect is by a link of which only a pattern is known. What is done to a directory does not go
// through the links in it.
func throughUnseen(l command.Link, e tool.Effect, follows bool) (there tool.Effect, leads bool) {
	there = e
	if e.Reach == tool.Under || e.Tree && follows {
		dir := paths.GlobDir(l.From)
		there.Target, there.Reach, there.Pattern = l.To, tool.Under, false
		return there, (follows || !strings.Contains(l.From, "/**/")) && (paths.Within(dir, e.Target) || paths.Within(e.Target, dir))
	}
	name := e.Target
	if !e.Pattern {
		name = paths.Escape(name)
	}
	rest, leads := restOfBoth(name, l.From)
	switch {
	case !leads, rest == "" && e.Unlinks() && !(e.Tree && (name == l.From || !e.Pattern)): // the link itself
		return e, false
	case isWild(rest):
		there.Target, there.Pattern = paths.Escape(l.To)+rest, true
	default:
		there.Target, there.Pattern = paths.Clean("/", l.To+plain(rest)), false
	}
	return there, true
}

// throughMoved is where what is read, or one that is written, was before it was moved with all that a pattern names. What goes into a
// directory keeps its name.
func throughMoved(l command.Link, e tool.Effect) (there tool.Effect, leads bool) {
	if e.Kind != tool.Read && !(e.Kind == tool.Write && isExact(e) && !e.Tree) {
		return e, false
	}
	name := patternOf(e)
	rest, leads := restOfBoth(name, l.From)
	if !leads {
		return e, false
	}
	to := l.To
	if end := path.Base(to); rest != "/**" && isWild(end) && end == path.Base(l.From) {
		to = path.Dir(to) + "/" + path.Base(strings.TrimSuffix(name, rest))
	}
	there = e
	there.Target, there.Reach, there.Pattern = paths.OneDepth(to+rest), tool.Exact, isWild(to+rest)
	if !there.Pattern {
		there.Target = plain(there.Target)
	}
	return there, true
}

// restOfBoth is what is left of a pattern behind the names that another one may match.
func restOfBoth(pattern, other string) (rest string, matches bool) {
	rest = pattern
	for name := range strings.SplitSeq(strings.TrimPrefix(other, "/"), "/") {
		part, behind, more := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
		switch {
		case part == "":
			return "", false
		case part == name:
		case strings.Contains(part, "**") || name == "**" || strings.IndexByte(part, '(') >= 0:
			return "/**", true // any of them
		case isWild(part) && isWild(name):
		case isWild(part):
			if is, sure := paths.Match(part, plain(name)); !is && sure {
				return "", false
			}
		default:
			if is, sure := paths.Match(name, plain(part)); !is && sure {
				return "", false
			}
		}
		if more {
			rest = rest[len(rest)-len(behind)-1:] // with the slash
		} else {
			rest = ""
		}
	}
	return rest, true
}

// perhapsThrough is where an effect is by a link that a pattern may match, that may be in a list, or that lies in a
// directory of which a program goes through the links.
func perhapsThrough(l command.Link, e tool.Effect, follows bool) (there tool.Effect, leads bool) {
	there = e
	switch {
	case l.Moved || l.To == command.Somewhere:
	case l.Pattern:
		return throughUnseen(l, e, follows)
	case e.Reach == tool.Under, follows && e.Tree && isExact(e):
		there.Target = l.To
		return there, l.From != e.Target && paths.Within(l.From, e.Target)
	case e.Pattern && e.Reach == tool.Exact:
		rest, leads := restBehind(e.Target, l.From)
		if there.Target, there.Pattern = l.To+plain(rest), isWild(rest); there.Pattern {
			there.Target = paths.Escape(l.To) + rest
		}
		return there, leads && !(rest == "" && e.Unlinks()) // the link itself
	}
	return there, false
}

// restBehind is what is left of a pattern behind the names that may match a path.
func restBehind(pattern, path string) (rest string, matches bool) {
	rest = pattern
	for name := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		part, behind, more := strings.Cut(strings.TrimPrefix(rest, "/"), "/")
		if strings.Contains(part, "**") || strings.IndexByte(part, '(') >= 0 {
			return "/**", true // any of them
		}
		if is, sure := paths.Match(part, name); !is && sure || part == "" {
			return "", false
		}
		if more {
			rest = rest[len(rest)-len(behind)-1:] // with the slash
		} else {
			rest = ""
		}
	}
	return rest, true
}

// maxRelinked bounds the links that one invocation makes of those that the script has made, or beside them.
const maxRelinked = 256

// copiedLinks adds the links that an invocation makes of those that the script has made: by a copy
// or a move of a link, or of what holds one, and through archives and repositories. More than a limit are not all of them.
func (s *state) copiedLinks(inv *command.Invocation, made []command.Link, limit int) []command.Link {
	for _, l := range s.links {
		if l.Moved || l.To == command.Somewhere {
			continue
		}
		for _, e := range inv.Effects {
			if len(made) > limit {
				return made
			}
			if e.Kind == tool.Read && !e.Keeps() && holdsLink(e, l) {
				made = append(made, copiesOf(l, e, inv)...)
			}
		}
		if inv.Refs != 0 || inv.Stage > 0 {
			made = append(made, scattered(inv, "")...)
		}
	}
	return made
}

// copiedTrees adds the links that an invocation makes of those on the disk by a copy of a link, or of the directory that it lies
// in. In another place the text of a link may lead elsewhere. Of more than a limit it is only known where they may be.
func (led *ledger) copiedTrees(inv *command.Invocation, own []command.Link, limit int) []command.Link {
	made := own
	if led.world.Entries == nil || led.remote || !slices.ContainsFunc(inv.Effects, puts) {
		return made
	}
	for _, e := range inv.Effects {
		if e.Kind != tool.Read || e.Reach == tool.Anywhere || e.Reach == tool.Prefix || e.Keeps() || inv.Follows && e.Manner != tool.Moved {
			continue
		}
		list, all := copiesBelow(led, inv, e, limit)
		dir := e.Target
		if !isExact(e) {
			list, all = copiesAmong(led, inv, e)
			dir = paths.GlobDir(e.Target)
		}
		if made = append(made, leadAway(led, inv, list, dir)...); !all || len(made) > len(own)+limit {
			return append(own[:len(own):len(own)], scattered(inv, e.Target)...)
		}
	}
	return made
}

// copiesBelow are the links that an invocation makes of one on the disk that it reads, or of those in a directory, and whether these are
// all, and no more than a limit.
func copiesBelow(led *ledger, inv *command.Invocation, e tool.Effect, limit int) (list command.Links, all bool) {
	if !isExact(e) {
		return nil, true
	}
	base := path.Base(e.Target)
	for _, l := range linksIn(led, e) {
		for _, put := range inv.Effects {
			if !puts(put) || put.Target == e.Target || l.Name == "" && becomes(put) {
				continue
			}
			if len(list) > limit {
				return nil, false
			}
			if put.Pattern {
				list.Add(paths.Clean(paths.GlobDir(put.Target), "./"+base+"/"+l.Name), l.Text)
				continue
			}
			named, dir := path.Base(put.Target) == base && isExact(put), led.world.Exists(put.Target+"/.")
			if !dir || l.Name != "" { // it is put under that name, or what is in it is put there, over what has the same names
				list.Add(paths.Clean(put.Target, "./"+l.Name), l.Text)
			}
			if dir || !named {
				list.Add(paths.Clean(put.Target, "./"+base+"/"+l.Name), l.Text)
			}
			for way := longestWay(led, inv, e.Target, l.Text); put.Tree && way != "" && way != base; { // or with directories in front of its name
				list.Add(paths.Clean(put.Target, "./"+way+"/"+l.Name), l.Text)
				_, way, _ = strings.Cut(way, "/")
			}
		}
	}
	return list, true
}

// copiesAmong are the links that an invocation makes of those on the disk which a pattern matches, that are in a list, or that lie
// below such a thing, and whether these are all. Directories in front of a name may be left out.
func copiesAmong(led *ledger, inv *command.Invocation, e tool.Effect) (list command.Links, all bool) {
	c := copying{led: led, tree: e.Tree || e.Manner == tool.Moved, left: maxLooked}
	if w := firstWild(e.Target); e.Pattern {
		walk{led, &c}.level(w.dir, w.name+w.rest)
	} else {
		c.below(e.Target)
	}
	for _, link := range c.found {
		text, err := led.world.Readlink(link)
		if err != nil {
			continue
		}
		for name, more := longestWay(led, inv, link, text), true; more; _, name, more = strings.Cut(name, "/") {
			for _, put := range inv.Effects {
				if puts(put) && put.Target != e.Target && len(list) < maxMoved {
					list.Add(paths.Clean(paths.GlobRoot(put.Target), "./"+name), text)
				}
			}
		}
	}
	return list, !c.enough() && len(list) < maxMoved
}

// longestWay is the path of something that a program reads by which it may put a link of some text elsewhere: from where it runs, or in
// the project. With all directories in front of it, a link leads to its neighbours as it did, unless its text begins at the root.
func longestWay(led *ledger, inv *command.Invocation, from, text string) string {
	for _, dir := range [...]string{inv.Dir.Text, led.world.Project} {
		if dir != "" && dir != "/" && !strings.HasPrefix(text, "/") && from != dir && paths.Within(from, dir) {
			return from[len(dir)+1:]
		}
	}
	return strings.TrimPrefix(from, "/")
}

// copying looks for links that are copied.
type copying struct {
	led   *ledger
	tree  bool // with what is in directories
	left  int
	found []string
}

func (c *copying) enough() bool { return c.left <= 0 }

func (c *copying) lists(bool) { c.left-- }

func (c *copying) deep(dir, _ string) bool {
	c.below(dir)
	return true
}

func (c *copying) counts(_, _ string, e tool.Entry) bool { return e.Link || e.Dir }

func (c *copying) meets(path, rest string, e *tool.Entry) bool {
	if _, err := c.led.world.Readlink(path); err == nil {
		if rest == "" {
			c.found = append(c.found, path)
		}
		return false
	}
	if rest == "" && c.tree && (e == nil || e.Dir) {
		c.below(path)
	}
	return rest != ""
}

// below adds the links below a directory.
func (c *copying) below(dir string) {
	for _, name := range c.led.linksBelow(dir) {
		c.found = append(c.found, paths.Clean(dir, "./"+name))
	}
}

// linksIn are the links on the disk that are what is read, or lie below it, by their names from there.
func linksIn(led *ledger, e tool.Effect) (list []packed.Link) {
	if to, err := led.world.Readlink(e.Target); err == nil {
		return []packed.Link{{Text: to}}
	}
	if !e.Tree && e.Manner != tool.Moved {
		return nil
	}
	for _, name := range led.linksBelow(e.Target) {
		if to, err := led.world.Readlink(paths.Clean(e.Target, name)); err == nil {
			list = append(list, packed.Link{Name: name, Text: to})
		}
	}
	return list
}

// packedTrees are the links that an invocation unpacks of those on the disk that lie in directories which a command has read
// before. Directories in front of a name may be left out.
func packedTrees(led *ledger, s *state, inv *command.Invocation) (made []command.Link) {
	if led.world.Entries == nil || inv.Stdin.None && s.files.perhaps(soleRead(inv)) == nil {
		return nil
	}
	var seen []string
	for _, before := range slices.Backward(led.invocations) {
		for _, e := range before.Effects {
			if s.toil.joined(); e.Kind != tool.Read || !isExact(e) || !e.Tree || e.Keeps() || slices.Contains(seen, e.Target) {
				continue
			}
			seen = append(seen, e.Target)
			var list command.Links
			for _, l := range linksIn(led, e) {
				for name, more := paths.Clean(e.Target, "./"+l.Name)[1:], true; more; _, name, more = strings.Cut(name, "/") {
					list = linksAt(list, inv, name, l.Text)
				}
			}
			if made = append(made, leadAway(led, inv, list, e.Target)...); len(made) > maxNamed {
				return scattered(inv, e.Target)
			}
		}
	}
	return made
}

// leadAway are the links that lead out of what was copied with them: out of the project too, or to files of the project that are
// not copies.
func leadAway(led *ledger, inv *command.Invocation, list command.Links, dir string) []command.Link {
	if out := list.LeadOut(led.world, dir); len(out) > 0 {
		return out
	}
	return slices.DeleteFunc(slices.Clone(list), func(l command.Link) bool {
		return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return isPut(e) && e.Target != l.From && paths.Within(l.To, e.Target) })
	})
}

// linksAt adds links of one name and text wherever an invocation puts something.
func linksAt(list command.Links, inv *command.Invocation, name, text string) command.Links {
	for _, e := range inv.Effects {
		if puts(e) && !e.Pattern {
			list.Add(paths.Clean(e.Target, "./"+name), text)
		}
	}
	return list
}

// unpackedLinks are the links in the archive that an invocation unpacks, as far as it can be looked into.
func (led *ledger) unpackedLinks(s *state, inv *command.Invocation) []command.Link {
	if !inv.Follows || led.remote {
		return nil
	}
	trees := packedTrees(led, s, inv)
	if led.world.ReadAt == nil {
		return trees
	}
	var out, inside command.Links
	for _, archive := range led.archives(s, inv) {
		list, looked := led.packedLinks(archive)
		if leadOut(led.world, list, inv, &out, &inside); !looked || len(out) > maxNamed/2 {
			return scattered(inv, archive)
		}
	}
	if len(out) == 0 {
		return trees
	}
	return append(append(out, inside...), trees...)
}

// packedLinks are the links in an archive, unless too much was read for a script already.
func (led *ledger) packedLinks(archive string) (list []packed.Link, looked bool) {
	if list, looked = led.archived[archive]; looked || led.unpackedSize > maxUnpacked {
		return list, looked
	}
	list = packed.Links(func(offset int64, room []byte) (int, error) {
		n, err := led.world.ReadAt(archive, offset, room)
		led.unpackedSize += max(n, 0)
		return n, err
	})
	if led.archived == nil {
		led.archived = map[string][]packed.Link{}
	}
	led.archived[archive] = list
	return list, true
}

// maxUnpacked bounds what is read of all the archives that a script unpacks.
const maxUnpacked = 8 << 20

// leadOut adds the links of an archive that lead out of the project, and the others. Directories in front of a name may
// be left out.
func leadOut(world *tool.World, list []packed.Link, inv *command.Invocation, out, inside *command.Links) {
	for _, l := range list {
		var all command.Links
		for name, more := l.Name, true; more; _, name, more = strings.Cut(name, "/") {
			all = linksAt(all, inv, name, l.Text)
		}
		if far := all.LeadOut(world, world.Project); len(far) > 0 {
			*out = append(*out, far...)
		} else if len(*inside) < maxNamed/2 {
			*inside = linksAt(*inside, inv, l.Name, l.Text)
		}
	}
}

// archives are the files that an invocation may unpack. What is piped in, and a file that the script has made, may be
// any archive that a command has read before, in whatever way it was packed, copied or moved.
func (led *ledger) archives(s *state, inv *command.Invocation) (list []string) {
	if archive := soleRead(inv); unpacks(inv) && s.files.perhaps(archive) == nil && !led.absent(archive) {
		return []string{archive}
	}
	if !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return puts(e) && e.Tree }) {
		return nil
	}
	if inv.Stdin.None && !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && isOneFile(e) }) {
		return nil
	}
	for _, before := range slices.Backward(led.invocations) {
		for _, e := range before.Effects {
			s.toil.joined()
			if e.Kind == tool.Read && isExact(e) && len(list) < maxArchives && !slices.Contains(list, e.Target) {
				list = append(list, e.Target)
			}
		}
	}
	return list
}

// maxArchives bounds the files that are looked into for one command.
const maxArchives = 32

// holdsLink says whether what is read may be a link, or hold it.
func holdsLink(e tool.Effect, l command.Link) bool {
	if isExact(e) {
		return paths.Within(l.From, e.Target)
	}
	return covers(vagueFile(e), l.From)
}

// copiesOf are the links that a link becomes where an invocation writes what it reads: its text
// stays, which may lead from there or from the root.
func copiesOf(l command.Link, from tool.Effect, inv *command.Invocation) (list []command.Link) {
	if !isExact(from) || from.Target != l.From && !from.Tree && from.Manner != tool.Moved {
		return scattered(inv, from.Target)
	}
	for _, e := range inv.Effects {
		if !puts(e) || e.Pattern || e.Target == from.Target || l.From == from.Target && becomes(e) {
			continue
		}
		at := e.Target + l.From[len(from.Target):]
		list = append(list, command.Link{From: at, To: l.To})
		if way, err := filepath.Rel(paths.Parent(l.From), l.To); err == nil {
			list = append(list, command.Link{From: at, To: paths.Clean(paths.Parent(at), way)})
		}
	}
	return list
}

// scattered are links of which it is only known below which directory they may be.
func scattered(inv *command.Invocation, from string) (list []command.Link) {
	for _, e := range inv.Effects {
		if !puts(e) || e.Target == from || !e.Tree && from == "" {
			continue
		}
		at := e.Target
		if e.Pattern {
			at = paths.GlobRoot(at)
		}
		list = append(list, command.Link{From: at, To: command.Somewhere})
	}
	return list
}

// isExact says whether it is known what an effect is on.
func isExact(e tool.Effect) bool { return e.Reach == tool.Exact && !e.Pattern }

// isPut says whether something is put at a path that is known.
func isPut(e tool.Effect) bool { return puts(e) && isExact(e) }

// puts says whether something is put somewhere.
func puts(e tool.Effect) bool {
	return (e.Kind == tool.Write || e.Kind == tool.Create) && e.Reach != tool.Anywhere && !e.Keeps()
}

// becomes says whether a directory, and nothing else, is put at a path: under a new name.
func becomes(e tool.Effect) bool { return e.Kind == tool.Create && e.Put }

// climbsBehind notes a path with ".." behind a link that this script has made: it
// leads to where the link points, not to where the path says.
func (s *state) climbsBehind(inv *command.Invocation) {
	words := inv.Words
	for i := range inv.Redirects {
		words = append(words[:len(words):len(words)], inv.Redirects[i].Target)
	}
	for _, w := range words {
		// It may stand behind the name of a flag or an operand: --output=PATH, of=PATH.
		_, behind, _ := strings.Cut(w.Text, "=")
		if climbsBehind(s, inv.Dir, w.Text) || climbsBehind(s, inv.Dir, behind) {
			gapIn(inv, "a path with .. after a link or a move in this script")
			return
		}
	}
}

func climbsBehind(s *state, dir command.Word, path string) bool {
	for at := 1; at < len(path); at++ {
		n := strings.Index(path[at:], "/..")
		if n < 0 {
			break
		}
		at += n
		way := paths.Clean(dir.Text, path[:at])
		for _, l := range s.links {
			if dir.Reach != tool.Exact && path[0] != '/' || paths.Within(way, l.From) {
				return true
			}
		}
	}
	return false
}
