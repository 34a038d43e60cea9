package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/shell"
	"longline/internal/tool"
)

// saves are the files, or directories with all below them, that an invocation surely has git take in as they are: those that are named,
// or else all where it works.
func saves(inv *command.Invocation) (list []tool.Effect) {
	does := func(name string) bool {
		return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && e.Target == name })
	}
	given := func(flags ...string) bool {
		return slices.ContainsFunc(flags, func(flag string) bool { return slices.Contains(inv.Flags, flag) })
	}
	aside := does("git.stash") && inv.Refs&command.RefsAside != 0
	switch {
	case inv.Remote || does("git.discard"), !aside && !does("git.stage") && !does("git.commit"),
		given("-C", "--git-dir", "--work-tree", "--pathspec-from-file", "-p", "--patch", "-i", "--interactive", "-e", "--edit", "-N", "--intent-to-add", "--refresh"),
		aside && given("-S", "--staged"):
		return nil
	case len(inv.Operands) == 0:
		all := aside || does("git.stage") && given("-A", "--all", "-u", "--update") || does("git.commit") && given("-a", "--all")
		if all && inv.Dir.Reach == tool.Exact {
			list = append(list, tool.Effect{Kind: tool.Read, Target: inv.Dir.Text, Reach: tool.Exact, Tree: true})
		}
		return list
	}
	for _, w := range inv.Operands {
		if strings.HasPrefix(w.Text, ":") {
			return nil // it may leave files out
		}
		for _, e := range inv.Effects {
			if isAt(e, w) && (e.Kind == tool.Read || aside && e.Kind == tool.Create) && e.Reach == tool.Exact && !e.Pattern && !writes(inv, e.Target) {
				e.Tree = true
				list = append(list, e)
			}
		}
	}
	return list
}

// writes says whether an invocation writes a file.
func writes(inv *command.Invocation, path string) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Write && e.Target == path })
}

// gitCopy is a file, or a directory with all below it, that holds a version which git has of a path of the project.
type gitCopy struct{ at, of string }

// ofPath is the path of the project whose version lies at a path, or "".
func (c gitCopy) ofPath(path string) string {
	if paths.Within(path, c.at) {
		return c.of + path[len(c.at):]
	}
	return ""
}

// putBack is what a script does with what git has.
type putBack struct {
	project string
	writes  []tool.Effect   // where it puts that, as the reader has followed it
	shown   map[string]bool // the paths that it reads in a commit
	many    []tool.Effect   // or those that a pattern names, or that begin so
	all     bool            // or it may be any
	copies  []gitCopy
}

// newPutBack looks at what a script reads in commits. Such a path has no file on the disk, and begins where the invocation runs or at
// the top.
func newPutBack(r *shell.Result, project string) (b putBack) {
	if b.project, b.writes = project, r.Restored; len(b.writes) == 0 {
		return b
	}
	b.shown = map[string]bool{}
	for _, inv := range r.Invocations {
		if inv.Commits && !b.shows(inv) {
			b.all = true
		}
	}
	return b
}

// shows notes what an invocation reads in a commit, if that has a name.
func (b *putBack) shows(inv *command.Invocation) (named bool) {
	for _, e := range inv.Effects {
		if e.Kind != tool.Read || e.Reach == tool.Anywhere {
			continue
		}
		named = true
		here, top := e, e
		top.Target = b.project + strings.TrimPrefix(e.Target, inv.Dir.Text)
		for _, e := range []tool.Effect{here, top} {
			switch {
			case e.Reach == tool.Exact && !e.Pattern:
				b.shown[e.Target] = true
			case slices.ContainsFunc(b.many, func(o tool.Effect) bool { return o.Target == e.Target && o.Reach == e.Reach }):
			case len(b.many) < maxLost:
				b.many = append(b.many, e)
			default:
				b.all = true
			}
		}
	}
	return named
}

// mayShow says whether the script may read a file that is written in a commit, or one of them.
func (b *putBack) mayShow(e tool.Effect) bool {
	if b.all || isOne(e) && b.shown[e.Target] {
		return true
	}
	if !isOne(e) {
		for path := range b.shown {
			if takesItself(e, path) || e.Reach == tool.Under && strings.HasPrefix(path, e.Target) {
				return true
			}
		}
	}
	return slices.ContainsFunc(b.many, func(o tool.Effect) bool {
		if isOne(e) && o.Reach == tool.Exact {
			return takesItself(o, e.Target)
		}
		begins, other := paths.Fixed(e.Target), paths.Fixed(o.Target)
		return strings.HasPrefix(begins, other) || strings.HasPrefix(other, begins)
	})
}

// writesAt says whether an effect is one that puts there what git has.
func (b *putBack) writesAt(e tool.Effect) bool {
	return slices.ContainsFunc(b.writes, func(o tool.Effect) bool {
		return o.Target == e.Target && o.Tree == e.Tree && (o.Span == e.Span || o.Span == tool.Span{})
	})
}

// isRepository says whether a read is of the project as a repository.
func isRepository(e tool.Effect, project string) bool {
	return e.Kind == tool.Read && isOne(e) && (e.Target == project || e.Target == project+"/.git")
}

// copiesTree says whether an invocation makes a working tree or a clone of the project.
func copiesTree(inv *command.Invocation, project string) bool {
	return inv.Refs&command.RefsCopied != 0 && slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return isRepository(e, project) }) ||
		paths.Within(inv.Dir.Text, project) && slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && e.Target == "git.worktree" })
}

// note adds the copies of what git has that an invocation makes: a working tree, a clone of the project, what it unpacks, or a
// copy of those in another place.
func (b *putBack) note(inv *command.Invocation) {
	tree := !inv.Remote && copiesTree(inv, b.project)
	if inv.Remote || !tree && len(b.copies) == 0 && len(b.writes) == 0 {
		return
	}
	var read map[string]bool
	for _, e := range inv.Effects {
		if e.Kind != tool.Write && e.Kind != tool.Create || e.Reach == tool.Anywhere || e.Pattern || len(b.copies) > maxLost {
			continue
		}
		if read == nil {
			read = b.originals(inv)
		}
		if read[e.Target] || read[paths.Parent(e.Target)] {
			continue // it is where it belongs
		}
		for of := range read {
			if len(b.copies) > maxLost {
				return
			}
			b.copies = append(b.copies, gitCopy{e.Target, of})
		}
		if e.Tree && (tree || len(read) == 0 && b.writesAt(e)) {
			b.copies = append(b.copies, gitCopy{e.Target, b.project})
		}
	}
}

// versions are the files of the project in whose place an invocation puts a version that git has: it writes what is read at the same
// path in a commit, or in a copy of one.
func (b *putBack) versions(inv *command.Invocation) (list []tool.Effect) {
	if inv.Remote || len(b.writes) == 0 && len(b.copies) == 0 {
		return nil
	}
	var read map[string]bool // the files that it reads copies of
	for _, e := range inv.Effects {
		if e.Kind != tool.Write || e.Manner != 0 || e.Reach != tool.Exact && e.Reach != tool.Under || !paths.Within(e.Target, b.project) {
			continue
		}
		if read == nil {
			read = b.originals(inv)
		}
		if read[e.Target] || !e.Tree && b.writesAt(e) && b.mayShow(e) {
			e.Tree = e.Tree || e.Reach == tool.Under
			e.Reach = tool.Exact
			list = append(list, e)
		}
	}
	return list
}

// originals are the paths of the project of which an invocation reads copies.
func (b *putBack) originals(inv *command.Invocation) map[string]bool {
	of := map[string]bool{}
	for _, e := range inv.Effects {
		for _, c := range b.copies {
			if path := c.ofPath(e.Target); path != "" && e.Kind == tool.Read && e.Reach == tool.Exact {
				of[path] = true
			}
		}
	}
	return of
}
