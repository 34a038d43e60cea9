package install

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/BurntSushi/toml"

	"longline/internal/strictjson"
)

// table is a table of a TOML file.
type table map[string]any

// table returns a table in this one; nil if there is none.
func (t table) table(key string) table {
	inner, _ := t[key].(map[string]any)
	return inner
}

func readTOML(text []byte) (table, error) {
	doc := map[string]any{}
	if _, err := toml.Decode(string(text), &doc); err != nil {
		var e toml.ParseError
		if errors.As(err, &e) {
			err = fmt.Errorf("%d:%d: %s", e.Position.Line, e.Position.Start, e.Message)
		}
		return nil, &Rejected{err, "fix the file; Codex does not start with it"}
	}
	return doc, nil
}

// toml reads a settings file that is written in TOML.
func (x *Exam) toml(file string) table {
	doc, err := readTOML(x.text(file))
	if err != nil {
		x.rejected(file, err)
	}
	return doc
}

func examineCodex(x *Exam) {
	dir := codexDir(&x.Place)
	own := path.Join(dir, "config.toml")
	user := x.toml(own)
	project := path.Join(x.Place.Project, ".codex")
	configs := []string{"/etc/codex/requirements.toml", "/etc/codex/managed_config.toml", "/etc/codex/config.toml", own}
	if project != dir {
		configs = append(configs, path.Join(project, "config.toml"))
	}
	for _, file := range configs {
		doc := x.toml(file)
		x.codexSwitches(file, "features", doc.table("features"))
		if name, _ := doc["profile"].(string); name != "" {
			x.codexSwitches(file, "profiles."+name+".features", doc.table("profiles").table(name).table("features"))
		}
		if doc["allow_managed_hooks_only"] == true && strings.HasSuffix(file, "requirements.toml") {
			x.off(file, "allow_managed_hooks_only", "hooks in your own settings do not run", "ask the administrator to add longline's hook to that file")
		}
		for _, event := range codexEvents {
			x.codexTables(file, doc.table("hooks")[event.name])
		}
	}
	x.codexHooks(path.Join(dir, "hooks.json"), own, user, Fail, "longline init --agent codex")
	if project != dir {
		theirs := path.Join(project, "hooks.json")
		x.codexHooks(theirs, own, user, Warn, "start codex here and check it with /hooks")
		if level, _ := user.table("projects").table(x.Place.Project)["trust_level"].(string); level != "trusted" && mentions(x.text(theirs)) {
			x.say(Warn, theirs+" counts only where the project is trusted, and "+own+" does not say that it is", "start codex here and trust the project")
		}
	}
}

func (x *Exam) codexSwitches(file, where string, features table) {
	for _, name := range [...]string{"hooks", "codex_hooks"} {
		if features[name] == false {
			x.off(file, where+"."+name+" to false", "no hook runs", "take it out")
		}
	}
}

// codexTables looks at hooks that are written as tables.
func (x *Exam) codexTables(file string, groups any) {
	list, _ := groups.([]map[string]any)
	for _, g := range list {
		hooks, _ := g["hooks"].([]map[string]any)
		for _, h := range hooks {
			line, _ := h["command"].(string)
			x.hooks(file, strictjson.Value{Items: []strictjson.Value{command(line)}})
		}
	}
}

// codexHooks looks at a file of hooks, and whether longline's are on record.
func (x *Exam) codexHooks(file, config string, doc table, level, fix string) {
	root := x.json(file, false)
	for _, event := range codexEvents {
		x.hooks(file, root.Get("hooks").Get(event.name))
	}
	if root.Kind != strictjson.Object {
		return
	}
	needed, _ := trustRecords(file, []byte(root.Raw))
	for _, r := range needed {
		have := doc.table("hooks").table("state").table(r.key)
		switch {
		case have == nil || have["trusted_hash"] == nil:
			x.say(level, fmt.Sprintf("Codex skips longline's hook at %s in %s: %s holds no record that you trust it", r.event, file, config), fix)
		case have["trusted_hash"] != r.hash:
			x.say(level, fmt.Sprintf("Codex skips longline's hook at %s in %s: the record in %s is of another hook", r.event, file, config), fix)
		}
		if have["enabled"] == false {
			x.off(config, "enabled to false for longline's hook at "+r.event, "Codex does not run it", "turn it on with /hooks in Codex")
		}
	}
}
