package install

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/BurntSushi/toml"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

// table is a table of a TOML file.
type table map[string]any

// table returns a table in this one; nil if there is none.
func (t table) table(key string) table {
	inner, _ := t[key].(map[string]any)
	return inner
}

func readTOML(f *agent.Facts, text []byte) (table, error) {
	doc := map[string]any{}
	if _, err := toml.Decode(string(text), &doc); err != nil {
		var e toml.ParseError
		if errors.As(err, &e) {
			err = fmt.Errorf("%d:%d: %s", e.Position.Line, e.Position.Start, e.Message)
		}
		return nil, &Rejected{err, "fix the file; " + spoken(f) + " does not start with it"}
	}
	return doc, nil
}

// toml reads a settings file that is written in TOML.
func (x *Exam) toml(f *agent.Facts, file string) table {
	doc, err := readTOML(f, x.text(file))
	if err != nil {
		x.rejected(file, err)
	}
	return doc
}

func examineRecorded(x *Exam, f *agent.Facts) {
	h := f.Hooks
	own := x.Place.home(h, h.Second)
	user := x.toml(f, own)
	hooks, theirs := x.Place.at(h, User), x.Place.at(h, Project)
	configs := append([]string{h.On("linux")}, x.Place.beside(h)...)
	configs = append(configs, own)
	if theirs != hooks {
		configs = append(configs, path.Join(x.Place.Project, h.Second))
	}
	for _, file := range configs {
		x.config(f, file)
	}
	records := recorded{f, own, user}
	x.recorded(hooks, records, Fail, "longline init --agent "+f.Name)
	if theirs == hooks {
		return
	}
	x.recorded(theirs, records, Warn, "start "+f.Programs[0]+" here and check it with /hooks")
	if level, _ := user.table("projects").table(x.Place.Project)["trust_level"].(string); level != "trusted" && mentions(x.text(theirs)) {
		x.say(Warn, theirs+" counts only where the project is trusted, and "+own+" does not say that it is", "start "+f.Programs[0]+" here and trust the project")
	}
}

// config looks at a TOML file of settings: what is switched off, and hooks in it.
func (x *Exam) config(f *agent.Facts, file string) {
	h := f.Hooks
	doc := x.toml(f, file)
	x.tomlSwitches(file, "", doc, h)
	if name, _ := doc["profile"].(string); name != "" {
		x.tomlSwitches(file, "profiles."+name+".", doc.table("profiles").table(name), h)
	}
	if file == h.On("linux") && doc[h.Fleet.Only] == true {
		x.off(file, h.Fleet.Only, "hooks in your own settings do not run", "ask the administrator to add longline's hook to that file")
	}
	for _, event := range looked(h) {
		x.hookTables(file, doc.table("hooks")[event])
	}
}

// tomlSwitches looks whether a table of some name switches hooks off.
func (x *Exam) tomlSwitches(file, name string, t table, h *agent.Hooks) {
	for _, off := range h.Off {
		last, in := len(off.Keys)-1, t
		for _, key := range off.Keys[:last] {
			in = in.table(key)
		}
		if in[off.Keys[last]] == !off.False {
			x.offBy(file, name+strings.Join(off.Keys, "."), off)
		}
	}
}

// hookTables looks at hooks that are written as tables.
func (x *Exam) hookTables(file string, groups any) {
	list, _ := groups.([]map[string]any)
	for _, g := range list {
		hooks, _ := g["hooks"].([]map[string]any)
		for _, h := range hooks {
			line, _ := h["command"].(string)
			x.hooks(file, strictjson.Value{Items: []strictjson.Value{command(line)}})
		}
	}
}

// recorded is the file in which hooks are on record as trusted.
type recorded struct {
	agent *agent.Facts
	file  string
	doc   table
}

// recorded looks at a file of hooks, and whether longline's are on record.
func (x *Exam) recorded(file string, in recorded, level, fix string) {
	h, client := in.agent.Hooks, spoken(in.agent)
	root := x.json(file, h.Comments)
	x.events(file, below(root, h.Keys), h)
	if root.Kind != strictjson.Object {
		return
	}
	needed, _ := trustRecords(h, file, []byte(root.Raw))
	for _, r := range needed {
		have := in.doc.table("hooks").table("state").table(r.key)
		switch {
		case have == nil || have["trusted_hash"] == nil:
			x.say(level, fmt.Sprintf("%s skips longline's hook at %s in %s: %s holds no record that you trust it", client, r.event, file, in.file), fix)
		case have["trusted_hash"] != r.hash:
			x.say(level, fmt.Sprintf("%s skips longline's hook at %s in %s: the record in %s is of another hook", client, r.event, file, in.file), fix)
		}
		if have["enabled"] == false {
			x.off(in.file, "enabled to false for longline's hook at "+r.event, client+" does not run it", "turn it on with /hooks in "+client)
		}
	}
}
