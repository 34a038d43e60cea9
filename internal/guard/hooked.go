package guard

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/shell"
	"longline/internal/tool"
)

// maxHook bounds a hook that is read, and maxHooked the files that it may run. With more of them it may run any.
const maxHook, maxHooked = 1 << 14, 64

// withHooked adds to a script what hooks of git on the disk do with files that the script writes before git runs them: they are read behind
// the script, and by themselves. What they do anyway is the project's affair.
func (g *Guard) withHooked(call *tool.Call, r shell.Result, w *tool.World) shell.Result {
	h := hooked(r.Invocations, w)
	if h.text == "" && h.long == "" {
		return r
	}
	var with, alone shell.Result
	if h.text != "" && !strings.Contains(w.Project, "'") {
		text := "\n(cd '" + w.Project + "'\n" + h.text + "\n)\n"
		with, alone = shell.Resolve(call.Script+text, call.Dir, w, g.Library), shell.Resolve(text, call.Dir, w, g.Library)
	}
	if !with.Parsed && h.named(h.text, w.Project) || h.named(h.long, w.Project) {
		r.Gaps = append(r.Gaps, command.Gap{Why: "a hook of git runs what this writes, and cannot be read", Span: h.at})
	}
	if !with.Parsed {
		return r
	}
	count := map[string]int{}
	for _, inv := range alone.Invocations {
		count[wordsOf(inv)]++
	}
	for _, inv := range with.Invocations {
		if inv.Span.Start >= len(call.Script) {
			count[wordsOf(inv)]--
		}
	}
	for _, inv := range with.Invocations {
		if inv.Span.Start >= len(call.Script) && (h.runs(inv, w.Project) || count[wordsOf(inv)] != 0) {
			h.clip(inv)
			r.Invocations = append(r.Invocations, inv)
		}
	}
	for _, gap := range with.Gaps {
		if gap.Span.Start >= len(call.Script) && !slices.ContainsFunc(alone.Gaps, func(o command.Gap) bool { return o.Why == gap.Why }) {
			r.Gaps = append(r.Gaps, command.Gap{Why: gap.Why, Span: h.at})
		}
	}
	return r
}

// wordsOf is what a command is told by from others.
func wordsOf(inv *command.Invocation) string {
	var b strings.Builder
	for _, via := range inv.Via {
		b.WriteString(via + "\x01")
	}
	for i := range inv.Words {
		b.WriteString(inv.Words[i].Text + "\x00")
	}
	return b.String()
}

// hooking is hooks that git runs, where it runs them, and what a script has written before.
type hooking struct {
	text  string
	long  string // the text of those that are too long to be read
	at    tool.Span
	files []tool.Effect
	tasks []tool.Effect // those of the files that were not changed in place
}

// hooked are the hooks that git runs behind a file that they may run.
func hooked(invs []*command.Invocation, w *tool.World) (h hooking) {
	if w == nil || w.Project == "" || w.ReadFile == nil || w.Exists == nil {
		return h
	}
	var dirs []string
	for _, inv := range invs {
		if inv.Remote {
			continue
		}
		if names := hooksOf(inv); names != "" && len(h.files) > 0 {
			if dirs == nil && w.Exists(w.Project+"/.git") {
				dirs = append(command.HookDirs(w, w.Project), command.UsualHooks(w, w.Project))
			}
			for name := range strings.FieldsSeq(names) {
				switch hook := readHook(dirs, name, w); {
				case hook == "" || strings.Contains(h.text+h.long, hook):
				case len(hook) > maxHook:
					h.long, h.at = h.long+hook, inv.Span
				default:
					h.text, h.at = h.text+hook+"\n", inv.Span
				}
			}
		}
		for _, e := range inv.Effects {
			if len(h.files) == maxHooked || !mayHook(inv, e, w.Project) {
				continue
			}
			if h.files = append(h.files, e); !reads(inv, e.Target) {
				h.tasks = append(h.tasks, e)
			}
		}
	}
	return h
}

// mayHook says whether an effect puts a file there that a hook may run, or take tasks from. Tools of the project change their own files.
func mayHook(inv *command.Invocation, e tool.Effect, project string) bool {
	if e.Kind != tool.Write && e.Kind != tool.Create || e.Reach == tool.Anywhere || !paths.Within(paths.Fixed(e.Target), project) || slices.ContainsFunc(inv.Effects, isProject) {
		return false
	}
	return isRunnable(e.Target) || isDefinition(e.Target)
}

// isProject says whether an effect is that a tool runs the code of the project.
func isProject(e tool.Effect) bool {
	return e.Kind == tool.Execute && strings.HasPrefix(e.Target, "project:")
}

// reads says whether an invocation reads a file.
func reads(inv *command.Invocation, path string) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read && e.Target == path })
}

// isDefinition says whether a file may define tasks, by its name.
func isDefinition(file string) bool {
	switch path.Ext(file) {
	case ".json", ".toml", ".yml", ".yaml", ".mk":
		return true
	}
	return false
}

// hasOne says whether a path, or a pattern, may be that of one of some files, or of a directory that one is in. If there are too many, it is.
func hasOne(files []tool.Effect, at string) bool {
	return len(files) == maxHooked || slices.ContainsFunc(files, func(e tool.Effect) bool {
		return paths.Within(e.Target, at) || (e.Tree || e.Reach == tool.Under) && paths.Within(at, e.Target) || e.Pattern && mayBeAt(e.Target, at) || mayBeAt(at, e.Target)
	})
}

// mayBeAt says whether a pattern may match a path.
func mayBeAt(pattern, path string) bool {
	is, sure := paths.Match(pattern, path)
	short, _ := paths.Match(strings.Replace(pattern, "/**/", "/", 1), path) // a search finds what lies where it begins, too
	return is || short || !sure
}

// runs says whether an invocation of a hook runs one of the files itself. A tool of the project may run anything, so that of what it may run
// only that counts which it takes its tasks from; and these are changed in place all day.
func (h *hooking) runs(inv *command.Invocation, root string) (found bool) {
	project := slices.ContainsFunc(inv.Effects, isProject)
	inv.Effects = slices.DeleteFunc(slices.Clone(inv.Effects), func(e tool.Effect) bool {
		kind, file, _ := strings.Cut(e.Target, ":")
		known := strings.HasPrefix(file, "/")
		switch {
		case e.Kind != tool.Execute:
		case kind == "written" || kind == "planted" || kind == "edited":
			if (project || kind != "written") && !(hasOne(h.tasks, file) && slices.ContainsFunc(inv.Runs, func(n command.Nested) bool { return n.File != nil && n.File.Text == file })) {
				return true
			}
			found = true
		case known && (kind == "script" || kind == "file" || kind == "fetched"):
			found = found || hasOne(h.files, file)
		case !known && kind != "project":
			found = found || h.isCalled(inv.Name) || slices.ContainsFunc(inv.Words[min(1, len(inv.Words)):], func(w command.Word) bool {
				at := paths.Clean(root, w.Text)
				return at != root && hasOne(h.files, at) || w.Tail != "" && h.isCalled(path.Base(w.Tail))
			})
		}
		return false
	})
	return found
}

// clip makes what an invocation of a hook does what is done where git runs it.
func (h *hooking) clip(inv *command.Invocation) {
	inv.Span = h.at
	for i := range inv.Effects {
		inv.Effects[i].Span = h.at
	}
	for i := range inv.Words {
		inv.Words[i].Span = h.at
	}
	for i := range inv.Gaps {
		inv.Gaps[i].Span = h.at
	}
}

// hooksOf are the hooks that git runs for what a command does.
func hooksOf(inv *command.Invocation) (names string) {
	for _, e := range inv.Effects {
		if e.Kind == tool.Control && strings.HasPrefix(e.Target, "git.") {
			names += hooksFor(e.Target) + " reference-transaction post-index-change "
		}
	}
	return names
}

// hooksFor are the hooks that git runs for one thing that it does, besides those for each reference and for the index.
func hooksFor(does string) string {
	const commit = "pre-commit prepare-commit-msg commit-msg post-commit post-rewrite "
	switch does {
	case "git.commit":
		return commit
	case "git.merge", "git.redo", "git.rewrite", "git.update": // also by patches, and what goes on after a conflict
		return commit + "pre-merge-commit post-merge pre-rebase post-checkout applypatch-msg pre-applypatch post-applypatch"
	case "git.push", "git.push.topic", "git.push.force":
		return "pre-push"
	case "git.branch", "git.worktree", "git.discard":
		return "post-checkout"
	}
	return ""
}

// readHook is the text of a hook that is a script for a shell; "" if there is none.
func readHook(dirs []string, name string, w *tool.World) string {
	for _, dir := range dirs {
		text, err := w.ReadFile(dir + "/" + name)
		first, _, _ := strings.Cut(string(text), "\n")
		if err == nil && (!strings.HasPrefix(first, "#!") || strings.HasSuffix(strings.TrimSpace(first), "sh")) {
			return string(text)
		}
	}
	return ""
}

// isRunnable says whether a file may be one that a script runs, by its name.
func isRunnable(file string) bool {
	switch path.Ext(file) {
	case "", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php":
		return true
	}
	return command.ShellEnding(file)
}

// isCalled says whether one of the files may have a name.
func (h *hooking) isCalled(name string) bool {
	return name != "" && slices.ContainsFunc(h.files, func(e tool.Effect) bool { return mayMatch(path.Base(e.Target), name) })
}

// named says whether a text names one of the files: by its path from the root or, with an ending, by its name.
func (h *hooking) named(text, root string) bool {
	return text != "" && (len(h.files) == maxHooked || slices.ContainsFunc(h.files, func(e tool.Effect) bool {
		from := strings.TrimPrefix(e.Target, root+"/")
		name := path.Base(e.Target)
		return isOne(e) && (strings.Contains(from, "/") && strings.Contains(text, from) || strings.Contains(name, ".") && strings.Contains(text, name) || strings.Contains(text, "./"+from))
	}))
}
