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
func realPath(follow func(dir string) string, name string, pattern, last bool) string {
	switch {
	case pattern:
		dir := paths.GlobDir(name)
		if real := follow(dir); real != dir {
			return strings.TrimSuffix(paths.Escape(real), "/") + "/" + strings.TrimPrefix(name[len(dir):], "/")
		}
		return name
	case last:
		return follow(name)
	}
	dir := path.Dir(name)
	if real := follow(dir); real != dir {
		return paths.Clean(real, "./"+path.Base(name))
	}
	return name
}

func realPlace(follow func(dir string) string, inv *command.Invocation, e tool.Effect) tool.Effect {
	e.Target = realPath(follow, e.Target, e.Pattern, !e.Unlinks() || e.Reach == tool.Under || inv.Follows)
	return e
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
func byRealPath(led *ledger, s *state, inv *command.Invocation, e tool.Effect) (real tool.Effect, other bool) {
	real = realPlace(func(dir string) string { return realDir(led, dir) }, inv, e)
	return real, real.Target != e.Target && slices.ContainsFunc(s.links, func(l command.Link) bool { return isNear(l, real) })
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
