package install

import "path"

func copilotCLI() installer {
	return installer{
		agent: "copilot",
		files: copilotFiles, examine: examineCopilot,
		live: []string{"-p", promptMark},
	}
}

// copilotFiles: a file of our own, in the dialect that is Copilot's own. There
// is no matcher, for a missing one means every tool.
func copilotFiles(p *Place) ([]target, error) {
	text := func(c Command) string {
		hook := func(event string) field {
			return field{event, list(obj(str("type", "command"), str("bash", c.line("copilot")), num("timeoutSec", seconds)))}
		}
		return pretty(obj(num("version", 1), field{"hooks", obj(hook("preToolUse"), hook("permissionRequest"), hook("postToolUse"))}))
	}
	switch p.Scope {
	case User:
		return []target{ownFile(path.Join(copilotDir(p), "hooks/longline.json"), 0o644, isOurHooks, text)}, nil
	case Project:
		return []target{ownFile(path.Join(p.Project, ".github/hooks/longline.json"), 0o644, isOurHooks, text)}, nil
	}
	return nil, noScope("Copilot CLI", p.Scope, User, Project)
}

func copilotDir(p *Place) string { return p.dir("COPILOT_HOME", ".copilot") }

// examineCopilot: every file of hooks counts, of the user and of the project, and
// so do the project's settings for Claude Code. The switch in a file of hooks is
// for that file; the one in the user's settings was seen to do nothing.
func examineCopilot(x *Exam) {
	dir := copilotDir(&x.Place)
	files := append(x.Glob(path.Join(dir, "hooks/*.json")), path.Join(dir, "settings.json"))
	files = append(files, x.Glob(path.Join(x.Place.Project, ".github/hooks/*.json"))...)
	for _, name := range [...]string{".github/copilot/settings.json", ".github/copilot/settings.local.json", ".claude/settings.json", ".claude/settings.local.json"} {
		files = append(files, path.Join(x.Place.Project, name))
	}
	for _, file := range files {
		root := x.json(file, true)
		if root.Get("disableAllHooks").True {
			switch {
			case path.Base(path.Dir(file)) == "copilot":
				x.off(file, "disableAllHooks", "no hook runs in this project once it is trusted, your own included", "remove it, or do not trust the project")
			case x.scope(file) != "":
				x.off(file, "disableAllHooks", "the hooks in this file do not run", x.again(file))
			}
		}
		for _, event := range [...]string{"preToolUse", "PreToolUse", "permissionRequest", "PermissionRequest"} {
			x.hooks(file, root.Get("hooks").Get(event))
		}
	}
}
