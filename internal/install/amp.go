package install

import "path"

// ampFiles: Amp starts a program without arguments, so a script of our own
// stands between. Its rule comes first, because the first that matches wins.
func ampFiles(p *Place) ([]target, error) {
	if p.Scope != User {
		return nil, noScope("Amp", p.Scope, User)
	}
	dir := p.env("XDG_CONFIG_HOME")
	if dir == "" {
		dir = path.Join(p.Home, ".config")
	}
	script := path.Join(dir, "longline/longline-amp")
	file := &listFile{comments: true, entries: func(Command) []entry {
		rule := obj(str("tool", "*"), str("action", "delegate"), str("to", script))
		return []entry{{path: []string{"amp.permissions"}, element: rule, first: true}}
	}}
	return []target{
		ownFile(script, 0o755, func(c Command) string { return "#!/bin/sh\nexec " + c.line("amp") + "\n" }),
		file.target(path.Join(dir, "amp/settings.json")),
	}, nil
}
