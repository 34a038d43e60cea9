package guard

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// A patch changes the files that it names, and deletes some. Of one that can be read it is known which those are. Any other may take what is
// in any file below the directory where it is applied: git diff . | git apply -R does away with all edits.

// patched adds the loss of files that patches delete, or may change.
func patched(invs []*command.Invocation, w *tool.World) {
	if w == nil || w.Entries == nil || w.Exists == nil || w.Project == "" {
		return
	}
	var seen *contents
	for i, inv := range invs {
		if inv.Remote || inv.Unpacks&command.Patches == 0 {
			continue
		}
		seen = seen.in(w)
		o := &overlay{contents: seen, before: invs[:i]}
		text, known := o.patchOf(inv)
		for _, e := range inv.Effects[:len(inv.Effects):len(inv.Effects)] {
			dir := paths.Fixed(e.Target)
			if e.Kind != tool.Write || !paths.Within(dir, w.Project) || !known && !e.Tree {
				continue
			}
			lost, is := tool.Effect{Target: o.deletedBy(text, inv, dir), Reach: tool.Exact, Span: e.Span}, false
			if is = lost.Target != ""; !known {
				lost, is = o.below(tool.Effect{Target: dir, Reach: tool.Under, Span: e.Span})
			}
			if is {
				lost.Kind = tool.Delete
				inv.Effects = append(inv.Effects, lost)
				break
			}
		}
	}
}

// patchOf is the patch that an invocation applies, if it can be read: it stands in the script, or in a file that the script has not changed.
func (o *overlay) patchOf(inv *command.Invocation) (text string, known bool) {
	var reads []tool.Effect
	for _, e := range inv.Effects {
		if e.Kind == tool.Read {
			reads = append(reads, e)
		}
	}
	switch {
	case len(reads) == 0 && inv.Stdin.Reach == tool.Exact && !inv.Stdin.None:
		text = inv.Stdin.Text
	case len(reads) == 1 && isOne(reads[0]) && o.w.ReadFile != nil && !slices.ContainsFunc(o.before, func(b *command.Invocation) bool {
		return has(b, func(e tool.Effect) bool { return mayPut(e, reads[0].Target, o.w) })
	}):
		data, err := o.w.ReadFile(reads[0].Target)
		if err != nil {
			return "", false
		}
		text = string(data)
	}
	return text, strings.Contains(text, "\n+++ ") || strings.HasPrefix(text, "+++ ")
}

// deletedBy is a file below a directory that a patch deletes, or below the project, which git takes names from; "" if there is none.
func (o *overlay) deletedBy(text string, inv *command.Invocation, dir string) string {
	back := slices.Contains(inv.Flags, "-R") || slices.Contains(inv.Flags, "--reverse")
	last := ""
	for line := range strings.SplitSeq(text, "\n") {
		from, gone := last, line
		if back {
			from, gone = line, last
		}
		if last = line; len(from) > 4 && (strings.HasPrefix(gone, "+++ /dev/null") || strings.HasPrefix(gone, "--- /dev/null")) {
			if lost := o.patchedAt(from[4:], dir); lost != "" {
				return lost
			}
		}
	}
	return ""
}

// patchedAt is where a file lies that a patch names, if that holds what is nowhere else. Directories in front of its name may be left out.
func (o *overlay) patchedAt(name, dir string) string {
	name, _, _ = strings.Cut(strings.TrimSuffix(name, "\r"), "\t")
	for more := true; more && name != ""; _, name, more = strings.Cut(name, "/") {
		for _, from := range [...]string{dir, paths.Parent(dir), o.w.Project} {
			file := paths.Clean(from, "./"+name)
			if o.w.Exists(file) && !o.w.Exists(file+"/.") && paths.Within(file, o.w.Project) && o.loses(command.Follow(file, o.w)) {
				return file
			}
		}
	}
	return ""
}
