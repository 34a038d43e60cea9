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
		inv.Packed = led.copiesListed(inv)
	}
	for _, e := range inv.Packed {
		if len(led.packed) < maxNamed && !slices.Contains(led.packed, e.Target) {
			led.packed = append(led.packed, e.Target)
		}
	}
}

// copiesListed are reads of the files of secrets in a list that an invocation copies to another place.
func (led *ledger) copiesListed(inv *command.Invocation) (list []tool.Effect) {
	for _, e := range inv.Effects {
		if !slices.ContainsFunc(inv.Effects, func(put tool.Effect) bool { return puts(put) && put.Target != e.Target }) {
			continue
		}
		for _, file := range led.secretsListed(inv, e) {
			list = append(list, tool.Effect{Kind: tool.Read, Target: file, Reach: tool.Exact, Span: e.Span})
		}
	}
	return list
}

// showsCopy says whether a read may be of the copy of a file of secrets that came with its
// directory.
func (led *ledger) showsCopy(s *state, e tool.Effect) (found bool) {
	if s.files.taint()&command.FromTree == 0 || isOneFile(e) {
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
	last := path.Base(pattern)
	if name[0] == '.' && paths.Wild(last[:1]) && !strings.Contains(pattern, "**") {
		return false
	}
	is, sure := paths.Match(last, name)
	return is || !sure
}
