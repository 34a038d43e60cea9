package cli

import (
	"longline/internal/command"
	"longline/internal/tool"
)

// The JSON of explain. Version changes when a field changes its meaning or
// goes away, not when one is added.

type explanationJSON struct {
	Version     int              `json:"version"`
	Command     string           `json:"command"`
	Decision    string           `json:"decision"`
	Rule        string           `json:"rule"`
	Reason      string           `json:"reason"`
	Suggest     string           `json:"suggest"`
	Parsed      bool             `json:"parsed"`
	Rewritten   *string          `json:"rewritten"`
	Invocations []invocationJSON `json:"invocations"`
	Findings    []findingJSON    `json:"findings"`
}

type invocationJSON struct {
	Words   []wordJSON   `json:"words"`
	Dir     wordJSON     `json:"dir"`
	Via     []string     `json:"via"`
	Span    spanJSON     `json:"span"`
	Effects []effectJSON `json:"effects"`
	Gaps    []gapJSON    `json:"gaps"`
}

type wordJSON struct {
	Text  string `json:"text"`
	Reach string `json:"reach"`
	Glob  bool   `json:"glob,omitempty"`
}

type effectJSON struct {
	Kind    string   `json:"kind"`
	Target  string   `json:"target"`
	Reach   string   `json:"reach"`
	Pattern bool     `json:"pattern,omitempty"`
	Tree    bool     `json:"tree,omitempty"`
	Span    spanJSON `json:"span"`
}

type gapJSON struct {
	Why  string   `json:"why"`
	Span spanJSON `json:"span"`
}

type findingJSON struct {
	Rule       string   `json:"rule"`
	Decision   string   `json:"decision"`
	Reason     string   `json:"reason"`
	Suggest    string   `json:"suggest,omitempty"`
	Level      string   `json:"level"`
	Layer      string   `json:"layer"`
	Source     string   `json:"source"`
	Invocation int      `json:"invocation"`
	Span       spanJSON `json:"span"`
}

type spanJSON [2]int

func explanationOf(script string, v tool.Verdict, invs []*command.Invocation) explanationJSON {
	e := explanationJSON{
		Version: 1, Command: script, Decision: v.Decision.String(), Rule: v.Rule, Reason: v.Reason, Suggest: v.Suggest,
		Parsed: v.Parsed, Invocations: []invocationJSON{}, Findings: []findingJSON{},
	}
	if v.Rewrite != "" {
		e.Rewritten = &v.Rewrite
	}
	for _, inv := range invs {
		e.Invocations = append(e.Invocations, invocationOf(inv))
	}
	for _, f := range v.Findings {
		e.Findings = append(e.Findings, findingJSON{
			Rule: f.Rule, Decision: f.Decision.String(), Reason: f.Reason, Suggest: f.Suggest,
			Level: f.Level, Layer: f.Layer, Source: f.Source, Invocation: f.Invocation, Span: spanOf(f.Span),
		})
	}
	return e
}

func invocationOf(inv *command.Invocation) invocationJSON {
	j := invocationJSON{
		Words: []wordJSON{}, Dir: wordOf(inv.Dir), Via: append([]string{}, inv.Via...), Span: spanOf(inv.Span),
		Effects: []effectJSON{}, Gaps: []gapJSON{},
	}
	for _, w := range inv.Words {
		j.Words = append(j.Words, wordOf(w))
	}
	for _, e := range inv.Effects {
		j.Effects = append(j.Effects, effectJSON{e.Kind.String(), e.Target, e.Reach.String(), e.Pattern, e.Tree, spanOf(e.Span)})
	}
	for _, g := range inv.Gaps {
		j.Gaps = append(j.Gaps, gapJSON{g.Why, spanOf(g.Span)})
	}
	return j
}

func wordOf(w command.Word) wordJSON { return wordJSON{w.Text, w.Reach.String(), w.Glob} }

func spanOf(s tool.Span) spanJSON { return spanJSON{s.Start, s.End} }
