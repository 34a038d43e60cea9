package install

import "path"

func qwenCode() installer {
	return installer{
		agent: "qwen",
		files: qwenFiles, examine: examineQwen,
		live: []string{"--allowed-tools", "run_shell_command(" + commandMark + ")", "-p", promptMark},
	}
}

// qwenFiles: both events before a tool are needed. Qwen Code asks its user before it calls
// PreToolUse, so only PermissionRequest can spare the question.
func qwenFiles(p *Place) ([]target, error) {
	file := &listFile{comments: true, entries: func(c Command) []entry {
		return []entry{
			{path: []string{"hooks", "PreToolUse"}, element: group("*", namedHook(c, "qwen"))},
			{path: []string{"hooks", "PermissionRequest"}, element: group("*", namedHook(c, "qwen"))},
			{path: []string{"hooks", "PostToolUse"}, element: group("*", namedHook(c, "qwen"))},
		}
	}}
	switch p.Scope {
	case User:
		return []target{file.target(path.Join(p.Home, ".qwen/settings.json"))}, nil
	case Project:
		return []target{file.target(path.Join(p.Project, ".qwen/settings.json"))}, nil
	}
	return nil, noScope("Qwen Code", p.Scope, User, Project)
}

func examineQwen(x *Exam) {
	for _, file := range []string{path.Join(x.Place.Home, ".qwen/settings.json"), path.Join(x.Place.Project, ".qwen/settings.json")} {
		root := x.json(file, true)
		if root.Get("disableAllHooks").True {
			x.off(file, "disableAllHooks", "no hook runs", "take it out")
		}
		x.hooks(file, root.Get("hooks").Get("PreToolUse"))
		x.hooks(file, root.Get("hooks").Get("PermissionRequest"))
	}
}
