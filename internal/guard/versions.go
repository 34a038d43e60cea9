package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
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

// copied are the copies of what git has that one of the invocations makes: a file it writes from a commit, a working tree, or a clone
// of the project.
func copied(invs []*command.Invocation, i int, project string) (list []gitCopy) {
	inv := invs[i]
	if inv.Remote {
		return nil
	}
	tree := inv.Refs&command.RefsCloned != 0 && slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && isOne(e) && e.Target == project }) ||
		paths.Within(inv.Dir.Text, project) && slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && e.Target == "git.worktree" })
	var read []string
	looked := false
	for _, e := range inv.Effects {
		switch {
		case e.Kind != tool.Write && e.Kind != tool.Create || e.Reach != tool.Exact || e.Pattern:
		case e.Tree && tree:
			list = append(list, gitCopy{e.Target, project})
		case !e.Tree:
			if !looked {
				read, looked = versionsRead(invs, i, project), true
			}
			for _, path := range read {
				list = append(list, gitCopy{e.Target, path})
			}
		}
		if len(list) > maxLost {
			break // there are too many
		}
	}
	return list
}

// versions are the files of the project in whose place an invocation puts a version that git has: it writes what it, or a command
// before it in its pipeline, reads at the same path in a commit, or in a copy of one.
func versions(invs []*command.Invocation, i int, copies []gitCopy, project string) (list []tool.Effect) {
	inv := invs[i]
	if inv.Remote {
		return nil
	}
	var read, copied map[string]bool // what it reads in a commit, and the files that it reads copies of
	for _, e := range inv.Effects {
		if e.Kind != tool.Write || e.Manner != 0 || e.Reach != tool.Exact || !paths.Within(e.Target, project) {
			continue
		}
		if read == nil {
			read, copied = map[string]bool{}, originals(inv, copies)
			for _, path := range versionsRead(invs, i, project) {
				read[path] = true
			}
		}
		if isOne(e) && read[e.Target] || copied[e.Target] {
			list = append(list, e)
		}
	}
	return list
}

// originals are the files of which an invocation reads copies.
func originals(inv *command.Invocation, copies []gitCopy) map[string]bool {
	of := map[string]bool{}
	for _, e := range inv.Effects {
		for i := range copies {
			if e.Kind == tool.Read && e.Reach == tool.Exact {
				of[copies[i].ofPath(e.Target)] = true
			}
		}
	}
	return of
}

// versionsRead are the paths that an invocation, or a command before it in its pipeline, reads in a commit. Such a path has no file on the
// disk, is read with all below it, and stands behind a colon; it begins at the top.
func versionsRead(invs []*command.Invocation, i int, project string) (list []string) {
	inv := invs[i]
	for from := i; from >= 0 && (from == i || inv.Pipeline > 0 && invs[from].Pipeline == inv.Pipeline); from-- {
		for _, o := range invs[from].Effects {
			if o.Kind == tool.Read && o.Tree && o.Reach == tool.Exact && !o.Pattern &&
				slices.ContainsFunc(invs[from].Operands, func(w command.Word) bool { return isAt(o, w) && strings.Contains(w.Text+w.Tail, ":") }) {
				list = append(list, o.Target)
				if top := project + strings.TrimPrefix(o.Target, invs[from].Dir.Text); top != o.Target {
					list = append(list, top)
				}
			}
		}
	}
	return list
}
