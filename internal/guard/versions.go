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
		named := false
		for _, e := range inv.Effects {
			if inv.Commits && e.Kind == tool.Read && e.Reach == tool.Exact && !e.Pattern {
				b.shown[e.Target], b.shown[project+strings.TrimPrefix(e.Target, inv.Dir.Text)] = true, true
				named = true
			}
		}
		b.all = b.all || inv.Commits && !named
	}
	return b
}

// writesAt says whether an effect is one that puts there what git has.
func (b *putBack) writesAt(e tool.Effect) bool {
	return slices.ContainsFunc(b.writes, func(o tool.Effect) bool {
		return o.Target == e.Target && o.Tree == e.Tree && (o.Span == e.Span || o.Span == tool.Span{})
	})
}

// copiesTree says whether an invocation makes a working tree or a clone of the project.
func copiesTree(inv *command.Invocation, project string) bool {
	return inv.Refs&command.RefsCloned != 0 && slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && isOne(e) && e.Target == project }) ||
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
		if read[e.Target] || isOne(e) && (b.all || b.shown[e.Target]) && b.writesAt(e) {
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
