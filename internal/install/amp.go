package install

import (
	"fmt"
	"path"

	"longline/internal/agent"
)

func ampCLI() installer {
	return installer{
		agent: "amp",
		files: ampFiles, examine: examineAmp,
		// What its rules say to a command is answered without a model.
		live: []string{"permissions", "test", "Bash", "--cmd", commandMark},
	}
}

// ampFiles: Amp starts a program without arguments, so a script of our own
// stands between. Its rule comes first, because the first that matches wins.
func ampFiles(p *Place) ([]target, error) {
	if p.Scope != User {
		return nil, noScope("Amp", p.Scope, User)
	}
	dir := p.dir("XDG_CONFIG_HOME", ".config")
	script := path.Join(dir, "longline/longline-amp")
	file := &listFile{comments: true, entries: func(Command) []entry {
		rule := obj(str("tool", "*"), str("action", "delegate"), str("to", script))
		return []entry{{path: []string{"amp.permissions"}, element: rule, first: true}}
	}}
	return []target{
		ownScript(script, "amp"),
		file.target(path.Join(dir, "amp/settings.json")),
	}, nil
}

// examineAmp: the first rule that matches decides, so one that stands before
// longline's takes calls away from it.
func examineAmp(x *Exam) {
	dir := x.Place.dir("XDG_CONFIG_HOME", ".config")
	script := path.Join(dir, "longline/longline-amp")
	x.script(script)
	if mode, err := x.Mode(script); err == nil && mode&0o111 == 0 {
		x.say(Fail, script+" is not executable, so Amp refuses every call", "chmod +x "+script)
	}
	for _, file := range []string{path.Join(dir, "amp/settings.json"), path.Join(x.Place.Project, ".amp/settings.json")} {
		root := x.json(file, true)
		if root.Get("amp.dangerouslyAllowAll").True {
			x.say(Warn, file+" sets amp.dangerouslyAllowAll: Amp then runs everything without asking", "take it out")
		}
		for _, rule := range root.Get("amp.permissions").Items {
			if program := agent.Program(rule); program != "" {
				x.program(file, program)
				break
			}
			if scope := x.scope(file); scope == User && rule.Get("action").Text != "reject" {
				x.say(Warn, fmt.Sprintf("%s has a rule for %s before longline's: longline never sees what it matches", file, rule.Get("tool").Raw), x.again(file))
			}
		}
	}
}
