package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"longline/internal/config"
	"longline/internal/policy"
	"longline/internal/state"
	"longline/internal/tool"
)

// maxShown is how many lines a person is asked to agree with at once.
const maxShown = 100

// ruleWords says what a rule lets through, in words: all that its match demands,
// or that it demands nothing.
func ruleWords(r *policy.Rule) string {
	verb := "allows"
	if r.Decision == tool.Pass {
		verb = "leaves to the agent"
	}
	m := &r.Match
	var parts []string
	add := func(what string, list []string) {
		if len(list) > 0 {
			parts = append(parts, what+" "+strings.Join(list, " or "))
		}
	}
	lists := func(what string, l policy.Lists) {
		add("with any "+what+" of", l.Any)
		add("with all "+what+" of", l.All)
		add("without the "+what, l.None)
		add("with no other "+what+" than", l.Only)
	}
	var commands []string
	for _, c := range m.Commands {
		commands = append(commands, strings.Join(c, " "))
	}
	add("the command", commands)
	lists("flags", m.Flags)
	lists("arguments", m.Args)
	var texts []string
	for _, e := range m.Text {
		texts = append(texts, e.Text)
	}
	add("whose text matches", texts)
	if len(m.Stages) > 0 {
		parts = append(parts, fmt.Sprintf("in a pipeline of %d stages", len(m.Stages)))
	}
	add("redirected with", m.Redirect.Ops)
	add("redirected to", m.Redirect.Targets)
	for _, v := range m.Env {
		add("with the variable "+v.Name+" being", v.Values)
	}
	if e := &m.Effect; e.Kinds != 0 {
		var kinds []string
		for k := tool.Read; k <= tool.Control; k++ {
			if e.Kinds.Has(k) {
				kinds = append(kinds, k.String())
			}
		}
		add("whatever the command, to", kinds)
		add("paths", e.Places.Paths)
		add("hosts", e.Places.Hosts)
		add("names", e.Places.Names)
		add("in the zones", zoneWords(e.Places.Zones))
		if e.Places.Zones == 0 && len(e.Places.Paths)+len(e.Places.Hosts)+len(e.Places.Names) == 0 {
			parts = append(parts, "EVERYTHING of that kind")
		}
	}
	add("for the tools", m.Tools)
	add("when run in the zones", zoneWords(m.In))
	add("when run below", m.Dirs)
	if len(parts) == 0 {
		return verb + " EVERYTHING"
	}
	return verb + " " + strings.Join(parts, ", ")
}

func zoneWords(set policy.ZoneSet) []string {
	var names []string
	for _, name := range policy.ZoneNames() {
		if z, ok := policy.ParseZone(name); ok && set.Has(z) {
			names = append(names, name)
		}
	}
	return names
}

// trustPermissions shows the permissions in the project's own settings that nobody has
// confirmed, asks, and remembers them one by one, outside the project.
func (p *process) trustPermissions(cfg *config.Config, root string) int {
	waiting := cfg.Settings.Waiting()
	if len(waiting) == 0 {
		return exitOK
	}
	if len(waiting) > maxShown {
		p.errorf("trust: %s has %d permissions, too many to review; make it smaller", config.LocalSettings, len(waiting))
		return exitFailed
	}
	fmt.Fprintf(p.out, "%s has permissions that do not count yet:\n", config.LocalSettings)
	for _, e := range waiting {
		fmt.Fprintf(p.out, "  %s\n", clean(e.Words(), ""))
	}
	if !p.confirm(fmt.Sprintf("Let them count in %s?", clean(root, ""))) {
		fmt.Fprintln(p.out, "they do not count")
		return exitOK
	}
	store, repository := p.store(cfg.Dir), config.Repository(root)
	pin, _ := store.Pinned(repository, config.LocalSettings)
	for _, e := range waiting {
		pin.Content += e.Line() + "\n"
	}
	pin = state.Pin{Repository: repository, Name: config.LocalSettings, Content: pin.Content, Since: time.Now()}
	if err := store.Trust(pin); err != nil {
		p.errorf("trust: %v", err)
		return exitFailed
	}
	p.act(cfg, "trust", filepath.Join(root, config.LocalSettings))
	fmt.Fprintf(p.out, "%s count from now on\n", count(len(waiting), "permission"))
	return exitOK
}
