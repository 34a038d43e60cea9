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

// notePacked remembers the files of secrets in directories that an invocation copies or packs.
func (led *ledger) notePacked(inv *command.Invocation) {
	for _, e := range inv.Packed {
		if len(led.packed) < maxNamed && !slices.Contains(led.packed, e.Target) {
			led.packed = append(led.packed, e.Target)
		}
	}
}

// showsCopies is [command.FromTree] if an invocation may show the copy of a file of secrets that
// came with its directory.
func (led *ledger) showsCopies(s *state, inv *command.Invocation) command.Taint {
	if !inv.Shows || inv.Seeks || len(led.packed) == 0 || s.files.taint()&command.FromTree == 0 {
		return 0
	}
	for _, e := range inv.Effects {
		if e.Kind != tool.Read || isOneFile(e) {
			continue
		}
		found := false
		s.files.eachMarked(marks(command.FromTree), func(to string, _ *file) bool {
			s.toil.joined()
			to = strings.TrimPrefix(to, "?")
			found = slices.ContainsFunc(led.packed, func(secret string) bool { return meetsCopy(e, secret, to) })
			return !found
		})
		if found {
			return command.FromTree
		}
	}
	return 0
}

// meetsCopy says whether a read of several files may be of the copy of a file, if the directory
// that it lies in was copied or unpacked to some place, or below it under the names of its own path.
func meetsCopy(e tool.Effect, file, to string) bool {
	if e.Reach == tool.Anywhere {
		return false // that is unknown by itself
	}
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
	if name[0] == '.' && strings.IndexByte("*?[", last[0]) >= 0 && !strings.Contains(pattern, "**") {
		return false
	}
	is, sure := paths.Match(last, name)
	return is || !sure
}
