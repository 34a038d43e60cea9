package cli

import (
	"longline/internal/screen"
	"longline/internal/tool"
)

func (p *process) style() screen.Style {
	noColor, _ := p.env.Get("NO_COLOR")
	kind, _ := p.env.Get("TERM")
	terminal := screen.IsTerminal(p.out)
	return screen.Style{On: noColor == "" && kind != "dumb" && terminal, Fold: terminal}
}

// ruleIDs lists the rules that spoke, each once, the deciding one first.
func ruleIDs(v tool.Verdict) []string {
	ids := []string{}
	add := func(id string) {
		for _, have := range ids {
			if have == id {
				return
			}
		}
		if id != "" {
			ids = append(ids, id)
		}
	}
	add(v.Rule)
	for _, f := range v.Findings {
		add(f.Rule)
	}
	return ids
}
