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

// maxHook bounds a hook that is read, and maxHooked the files that it is searched for. With more of them it may run any.
const maxHook, maxHooked = 1 << 14, 64

// withHooked reads a script together with the hooks of git on the disk that run a file which the script writes before git runs them. All
// other hooks are the project's affair.
func (g *Guard) withHooked(call *tool.Call, r shell.Result, w *tool.World) shell.Result {
	text, at := hooked(r.Invocations, w)
	if text == "" {
		return r
	}
	var with shell.Result
	if len(text) <= maxHook && !strings.Contains(w.Project, "'") {
		with = shell.Resolve(call.Script+"\n(cd '"+w.Project+"'\n"+text+"\n)\n", call.Dir, w, g.Library)
	}
	if !with.Parsed {
		r.Gaps = append(r.Gaps, command.Gap{Why: "a hook of git runs what this writes, and cannot be read", Span: at})
		return r
	}
	clip := func(s *tool.Span) {
		if s.End > len(call.Script) {
			*s = at
		}
	}
	for _, inv := range with.Invocations {
		clip(&inv.Span)
		for i := range inv.Effects {
			clip(&inv.Effects[i].Span)
		}
		for i := range inv.Words {
			clip(&inv.Words[i].Span)
		}
		for i := range inv.Gaps {
			clip(&inv.Gaps[i].Span)
		}
	}
	for i := range with.Gaps {
		clip(&with.Gaps[i].Span)
	}
	return with
}

// hooked is the text of those hooks, and where git runs them.
func hooked(invs []*command.Invocation, w *tool.World) (text string, at tool.Span) {
	if w == nil || w.Project == "" || w.ReadFile == nil || w.Exists == nil {
		return "", at
	}
	var files, dirs []string
	for _, inv := range invs {
		if inv.Remote {
			continue
		}
		if names := hooksOf(inv); names != "" && len(files) > 0 {
			if dirs == nil && w.Exists(w.Project+"/.git") {
				dirs = append(command.HookDirs(w, w.Project), w.Project+"/.git/hooks")
			}
			for name := range strings.FieldsSeq(names) {
				if hook := readHook(dirs, name, w); namesOne(hook, files, w.Project) && !strings.Contains(text, hook) {
					text, at = text+hook+"\n", inv.Span
				}
			}
		}
		for _, e := range inv.Effects {
			if (e.Kind == tool.Write || e.Kind == tool.Create) && e.Reach == tool.Exact && !e.Pattern && !e.Tree && len(files) < maxHooked && isRunnable(e.Target) && paths.Within(e.Target, w.Project) {
				files = append(files, e.Target)
			}
		}
	}
	return text, at
}

// hooksOf are the hooks that git runs for what a command does.
func hooksOf(inv *command.Invocation) string {
	for _, e := range inv.Effects {
		if e.Kind != tool.Control {
			continue
		}
		switch e.Target {
		case "git.commit":
			return "pre-commit prepare-commit-msg commit-msg post-commit"
		case "git.merge", "git.update":
			return "pre-merge-commit post-merge pre-rebase"
		case "git.push", "git.push.topic", "git.push.force":
			return "pre-push"
		case "git.branch", "git.worktree":
			return "post-checkout"
		}
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

// namesOne says whether a hook names one of some files: by its path from the root or, with an ending, by its name.
func namesOne(hook string, files []string, root string) bool {
	return hook != "" && len(files) == maxHooked || slices.ContainsFunc(files, func(file string) bool {
		from := strings.TrimPrefix(file, root+"/")
		name := path.Base(file)
		return strings.Contains(from, "/") && strings.Contains(hook, from) || strings.Contains(name, ".") && strings.Contains(hook, name) || strings.Contains(hook, "./"+from)
	})
}
