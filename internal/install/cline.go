package install

import "path"

func clineCLI() installer {
	return installer{
		agent: "cline",
		files: clineFiles, examine: examineCline,
		live: []string{promptMark},
	}
}

// clineFiles: a hook is an executable that bears the name of the event.
func clineFiles(p *Place) ([]target, error) {
	switch p.Scope {
	case User:
		return clineScripts(path.Join(p.Home, ".cline/hooks")), nil
	case Project:
		return clineScripts(path.Join(p.Project, ".clinerules/hooks")), nil
	}
	return nil, noScope("Cline", p.Scope, User, Project)
}

func clineScripts(dir string) []target {
	return []target{ownScript(path.Join(dir, "PreToolUse"), "cline"), ownScript(path.Join(dir, "PostToolUse"), "cline")}
}

// examineCline: every folder's hook runs, executable or not.
func examineCline(x *Exam) {
	for _, dir := range []string{
		path.Join(x.Place.Home, ".cline/hooks"), path.Join(x.Place.Home, "Documents/Cline/Hooks"),
		path.Join(x.Place.Project, ".cline/hooks"), path.Join(x.Place.Project, ".clinerules/hooks"),
	} {
		for _, name := range [...]string{"PreToolUse", "PreToolUse.sh"} {
			file := path.Join(dir, name)
			if text := x.text(file); mentions(text) {
				x.script(file)
			} else if text != nil {
				x.stranger(file, "the file itself")
			}
		}
	}
}
