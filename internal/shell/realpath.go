package shell

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// What a script has moved or linked lies at a path that other names lead to as well, by links on the disk. So an effect is held against it
// by the path that is written and by the one that this leads to.

// realPath is where a path or a pattern leads by the links on the disk above it, and by the one at its end if that is to be followed.
func realPath(led *ledger, name string, pattern, last bool) string {
	switch {
	case pattern:
		dir := paths.GlobDir(name)
		if real := realDir(led, dir); real != dir {
			return strings.TrimSuffix(paths.Escape(real), "/") + "/" + strings.TrimPrefix(name[len(dir):], "/")
		}
		return name
	case last:
		return realDir(led, name)
	}
	dir := path.Dir(name)
	if real := realDir(led, dir); real != dir {
		return paths.Clean(real, "./"+path.Base(name))
	}
	return name
}

// maxReal bounds the directories of which it is kept where they lie.
const maxReal = 1024

// realDir is where a directory lies by the links on the disk, which is asked for once.
func realDir(led *ledger, dir string) string {
	if led.world.Readlink == nil || led.remote {
		return dir
	}
	real, known := led.real[dir]
	if known {
		return real
	}
	if real = command.Follow(dir, led.world); led.real == nil {
		led.real = map[string]string{}
	}
	if len(led.real) < maxReal {
		led.real[dir] = real
	}
	return real
}

// byRealPath is an effect by the path that links on the disk lead to, if that is another one, and near to what the script has moved or linked.
// What is removed goes itself and not what a link at the end of its path leads to, unless the program follows that.
func byRealPath(led *ledger, s *state, inv *command.Invocation, e tool.Effect) (real tool.Effect, other bool) {
	real = e
	real.Target = realPath(led, e.Target, e.Pattern, !e.Unlinks() || e.Reach == tool.Under || inv.Follows)
	if real.Target == e.Target {
		return e, false
	}
	return real, slices.ContainsFunc(s.links, func(l command.Link) bool { return isNear(l, real) })
}

// isNear says whether an effect and something that was moved or linked may lie at one path, or one below the other.
func isNear(l command.Link, e tool.Effect) bool {
	one, other := e.Target, l.From
	if e.Pattern {
		one = paths.Fixed(one)
	}
	if l.Pattern {
		other = paths.Fixed(other)
	}
	return strings.HasPrefix(one, other) || strings.HasPrefix(other, one)
}
