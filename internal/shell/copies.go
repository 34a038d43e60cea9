package shell

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// Who copies or packs a whole directory shows nobody the file of secrets in it. Who then shows
// the copies by a pattern or a list does, and the disk does not tell: they are not there yet.

// notePacked remembers the files of secrets in directories that an invocation copies or packs, or in a list that it
// copies.
func (led *ledger) notePacked(inv *command.Invocation) {
	if len(inv.Packed) == 0 && !inv.Shows && led.world.Entries != nil && led.world.Secret != nil && !led.remote {
		inv.Packed = copiesListed(led, inv)
	}
	for _, e := range inv.Packed {
		if len(led.packed) < maxNamed && !slices.Contains(led.packed, e.Target) {
			led.packed = append(led.packed, e.Target)
		}
	}
}

// copiesListed are reads of the files of secrets in a list that an invocation copies to another place.
func copiesListed(led *ledger, inv *command.Invocation) (list []tool.Effect) {
	for _, e := range inv.Effects {
		listed := e.Reach == tool.Under || e.Pattern && firstWild(e.Target).searches()
		if e.Kind != tool.Read || !listed || !slices.ContainsFunc(inv.Effects, func(put tool.Effect) bool { return puts(put) && put.Target != e.Target }) {
			continue
		}
		c := selected(inv, e.Span)
		found := secretsNear(led, e, c)
		if e.Reach == tool.Under {
			found = slices.Concat(found, secretsListed(led, inv, e.Target, c))
		}
		for _, file := range found {
			list = append(list, tool.Effect{Kind: tool.Read, Target: file, Reach: tool.Exact, Span: e.Span})
		}
		if len(list) > 0 {
			noteRenamed(led, inv, e)
		}
	}
	return list
}

// noteRenamed notes where an invocation puts what it reads under another name.
func noteRenamed(led *ledger, inv *command.Invocation, from tool.Effect) {
	name, _ := paths.GlobBase(from.Target)
	for _, put := range inv.Effects {
		base, _ := paths.GlobBase(put.Target)
		other := put.Reach == tool.Exact && base != name || put.Reach == tool.Under && !allWords(inv, put.Span, command.Word.IsKnown)
		if puts(put) && other && len(led.renamed) < maxNamed && !slices.Contains(led.renamed, put.Target) {
			led.renamed = append(led.renamed, put.Target)
		}
	}
}

// showsRenamed says whether a read may be of a file that was put under another name.
func showsRenamed(renamed []string, e tool.Effect) bool {
	return len(renamed) == maxNamed || slices.ContainsFunc(renamed, func(to string) bool {
		if isOneFile(e) {
			return to != e.Target && matchesBeginning(to, e.Target) // what it has written by name itself is known
		}
		one, other := paths.Fixed(e.Target), paths.Fixed(to)
		return e.Reach == tool.Anywhere || strings.HasPrefix(one, other) || strings.HasPrefix(other, one)
	})
}

// showsCopy says whether a read may be of the copy of a file of secrets that came with its
// directory, or under another name, or of a copy of that.
func (led *ledger) showsCopy(s *state, e tool.Effect) bool {
	return s.files.taint()&command.FromTree != 0 && (isCopied(led, s, e) || slices.ContainsFunc(originsOf(led, e), func(o origin) bool { return isCopied(led, s, o.Effect) }))
}

// isCopied is showsCopy for what has been copied once.
func isCopied(led *ledger, s *state, e tool.Effect) (found bool) {
	switch {
	case showsRenamed(led.renamed, e):
		return true
	case isOneFile(e):
		return false
	}
	unsure := e.Reach == tool.Anywhere || len(led.packed) == 0 || len(led.packed) == maxNamed
	s.files.eachMarked(marks(command.FromTree), func(to string, _ *file) bool {
		s.toil.joined()
		to = strings.TrimPrefix(to, "?")
		found = unsure && (e.Reach == tool.Anywhere || paths.Within(e.Target, to) || readsFile(e, to)) ||
			slices.ContainsFunc(led.packed, func(secret string) bool { return meetsCopy(e, secret, to) })
		return !found
	})
	return found
}

// readsOwnCopies says whether a program reads several files in a directory that it has copied another one to itself.
func readsOwnCopies(inv *command.Invocation) bool {
	reads := func(e tool.Effect) bool { return e.Kind == tool.Read && e.Pattern }
	if !slices.ContainsFunc(inv.Effects, reads) {
		return false
	}
	copies := map[string]bool{}
	for _, e := range inv.Effects {
		if e.Kind == tool.Write && e.Tree {
			copies[e.Target] = true
		}
	}
	return len(copies) > 0 && slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return reads(e) && isIn(copies, paths.GlobDir(e.Target)) })
}

// isIn says whether a path is one of several, or below one.
func isIn(several map[string]bool, path string) bool {
	for ; !several[path]; path = paths.Parent(path) {
		if path == "/" || path == "." {
			return false
		}
	}
	return true
}

// throughCopies adds reads of the files of secrets whose copies an invocation shows: in directories that were copied with all
// that is in them, or in an archive of one.
func (led *ledger) throughCopies(inv *command.Invocation) {
	if len(led.copied) == 0 || led.world.Entries == nil || led.world.Secret == nil || led.remote {
		return
	}
	for i, n := 0, len(inv.Effects); i < n; i++ {
		e := inDirectories(inv, inv.Effects[i])
		if e.Kind != tool.Read || e.Reach == tool.Anywhere || isOneFile(e) && !e.Tree && !hasNamed(led.copied, path.Base(e.Target)) {
			continue
		}
		for _, from := range originsOf(led, e) {
			if strings.HasPrefix(from.Target, throughPipe) {
				continue
			}
			for _, file := range secretsAt(led, from.Effect) {
				if from.chosen != "" && paths.Parent(file) == from.chosen {
					continue // whether that was taken is known
				}
				e.Target, e.Pattern, e.Reach, e.Tree = file, false, tool.Exact, false
				inv.Effects = append(inv.Effects, e)
			}
		}
	}
}

// hasNamed says whether something was copied to a place of some name. If not, a file of that name is copied from one, whatever it is a
// copy of: only what is itself such a place may be all of a directory.
func hasNamed(copies []copied, name string) bool {
	return slices.ContainsFunc(copies, func(c copied) bool { return path.Base(c.to) == name })
}

// inDirectories makes a read of directories one of the files that count in them: at every level if all there is comes up, and else
// those right in directories that a pattern matches.
func inDirectories(inv *command.Invocation, e tool.Effect) tool.Effect {
	all := inv.Spills && !inv.Chooses
	switch {
	case !e.Tree || e.Reach != tool.Exact:
	case e.Pattern && all:
		e.Target += "/**/*"
	case e.Pattern:
		e.Target += "/*"
	case all:
		e.Reach = tool.Under
	}
	return e
}

// origin is a read of what copies are copies of.
type origin struct {
	tool.Effect
	chosen string // a directory of which only some files were copied
}

// originsOf are the reads of what a read is one of copies of.
func originsOf(led *ledger, e tool.Effect) []origin {
	list := []origin{{Effect: e}}
	for i := 0; i < len(list) && i < maxOrigins; i++ {
		fixed := list[i].Target
		if list[i].Pattern {
			fixed = paths.Fixed(fixed)
		}
		for _, c := range led.copied {
			if !strings.HasPrefix(fixed, c.to) && !strings.HasPrefix(c.to, fixed) {
				continue
			}
			if led.traced++; led.traced > maxTraced {
				led.gap("too many copies", e.Span)
				return list[1:]
			}
			if from, ok := c.origin(list[i]); ok && !slices.Contains(list, from) {
				list = append(list, from)
			}
		}
	}
	return list[1:]
}

// maxOrigins bounds the copies of copies that are followed back, and maxTraced the steps of a whole script.
const maxOrigins, maxTraced = 16, 1 << 12

// origin is what a read of copies would be on in the directory that these come from.
func (c copied) origin(e origin) (origin, bool) {
	if c.some {
		e.chosen = c.from
	}
	from := strings.TrimSuffix(c.from, "/")
	if paths.Within(e.Target, c.to) {
		rest := e.Target[len(c.to):]
		if e.Target = from + rest; e.Pattern {
			e.Target = paths.Escape(from) + rest
		}
		if rest == "" { // all that is in an archive
			e.Reach = tool.Under
		}
		return e, true
	}
	if e.Pattern {
		if rest, matches := restBehind(e.Target, c.to); matches && rest != "" {
			if rest == "/**" {
				rest = "/**/*"
			}
			e.Target = paths.Escape(from) + rest
			return e, true
		}
	}
	if e.Reach == tool.Under && paths.Within(c.to, e.Target) {
		e.Target, e.Pattern = from, false
		return e, true
	}
	return e, false
}

// secretsAt are the files of secrets on the disk that a read of several files, or of a whole directory, is of.
func secretsAt(led *ledger, e tool.Effect) []string {
	w := firstWild(e.Target)
	switch {
	case e.Pattern && w.name != "":
	case e.Reach == tool.Under:
		w = wildPath{dir: e.Target, name: "**", rest: "/*"}
	case e.Tree: // those right where a search begins
		w = wildPath{dir: e.Target, name: "*"}
	default:
		return nil
	}
	return led.secretsOf(aim{pattern: w, hidden: !e.Pattern || e.Tree}) // hidden ones as well, unless the pattern leaves them out
}

// meetsCopy says whether a read of several files may be of the copy of a file, if the directory
// that it lies in was copied or unpacked to some place, or below it under the names of its own path.
func meetsCopy(e tool.Effect, file, to string) bool {
	dir := e.Target
	if e.Pattern {
		if dir = paths.GlobDir(e.Target); !mayBeNamed(e.Target, path.Base(file)) {
			return false
		}
	}
	to = paths.GlobRoot(to)
	if dir = strings.TrimSuffix(dir, "/"); !paths.Within(dir, to) {
		return paths.Within(to, dir)
	}
	return strings.HasSuffix(path.Dir(file), strings.TrimPrefix(dir, to))
}

// mayBeNamed says whether a pattern may match a file of some name. That of a shell leaves out
// names that begin with a dot, unless it begins with one.
func mayBeNamed(pattern, name string) bool {
	last, sure := paths.GlobBase(pattern)
	if !sure || last == "" {
		return true
	}
	if name[0] == '.' && paths.Wild(last[:1]) && !strings.Contains(pattern, "**") {
		return false
	}
	is, sure := paths.Match(last, name)
	return is || !sure
}
