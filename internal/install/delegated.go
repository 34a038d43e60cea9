package install

import (
	"fmt"
	"path"
	"strings"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

// delegatedTargets: the client starts a program without arguments, so a script of our own
// stands between. Its rule comes first, because the first that matches wins.
func delegatedTargets(f *agent.Facts, p *Place, at string) []target {
	script := delegate(f, p)
	file := settingsFile(f)
	file.entries = func(c Command) []entry {
		all := eventEntries(f, c, f.Hooks.Keys)
		for i := range all {
			all[i].element = strings.ReplaceAll(all[i].element, `"{script}"`, strictjson.Quote(script))
			all[i].first = true
		}
		return all
	}
	return []target{ownScript(script, f.Name), file.target(at)}
}

// delegate is the script that the rule names: in longline's own directory beside the client's.
func delegate(f *agent.Facts, p *Place) string {
	config, _, _ := strings.Cut(f.Hooks.User, "/")
	return p.home(f.Hooks, path.Join(config, "longline/longline-"+f.Name))
}

// examineDelegated: the first rule that matches decides, so one that stands before
// longline's takes calls away from it.
func examineDelegated(x *Exam, f *agent.Facts) {
	h := f.Hooks
	script := delegate(f, &x.Place)
	x.script(script)
	if mode, err := x.Mode(script); err == nil && !onWindows && mode&0o111 == 0 {
		x.say(Fail, script+" is not executable, so "+f.Client+" refuses every call", "chmod +x "+script)
	}
	for _, file := range append([]string{x.Place.at(h, User)}, x.Place.beside(h)...) {
		root := x.json(file, h.Comments)
		x.switches(file, root, h)
		for _, event := range h.Events {
			x.rules(file, below(root, h.Keys).Get(event))
		}
	}
}

// rules looks at a list of rules up to longline's.
func (x *Exam) rules(file string, list strictjson.Value) {
	for _, rule := range list.Items {
		if program := agent.Program(rule); program != "" {
			x.program(file, program)
			return
		}
		if x.scope(file) == User && rule.Get("action").Text != "reject" {
			x.say(Warn, fmt.Sprintf("%s has a rule for %s before longline's: longline never sees what it matches", file, rule.Get("tool").Raw), x.again(file))
		}
	}
}
