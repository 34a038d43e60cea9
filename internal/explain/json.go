package explain

import (
	"cmp"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/tool"
)

// Schema names the JSON of explain. Its number changes when a field changes its
// meaning or goes away, not when one is added.
const Schema = "longline.explain/v1"

// Document is an explanation as JSON.
type Document struct {
	Schema      string           `json:"schema"`
	Command     string           `json:"command"`
	Dir         string           `json:"dir"`
	Decision    string           `json:"decision"`
	Rule        string           `json:"rule"`
	Reason      string           `json:"reason"`
	Suggest     string           `json:"suggest"`
	How         string           `json:"how"`
	Parsed      bool             `json:"parsed"`
	Rewritten   *string          `json:"rewritten"`
	Means       []string         `json:"means,omitempty"`
	LeftOut     []string         `json:"left_out,omitempty"` // what an agent's hook would know besides
	Invocations []invocationJSON `json:"invocations"`
	Findings    []findingJSON    `json:"findings"`
	Notices     []string         `json:"notices"`
	WhyNot      *whyNotJSON      `json:"why_not"`
	// As in the audit line: what the hook answers, because of what a person has
	// said before, and the id by which a person can allow it once.
	Answered string  `json:"answered"`
	Because  string  `json:"because"`
	ID       string  `json:"id"`
	Told     *string `json:"told"` // with --agent: what that agent hears
}

type invocationJSON struct {
	Words    []wordJSON   `json:"words"`
	Dir      wordJSON     `json:"dir"`
	Via      []string     `json:"via"`
	Parent   int          `json:"parent"`
	Pipeline int          `json:"pipeline"`
	Stage    int          `json:"stage"`
	Span     spanJSON     `json:"span"`
	Effects  []effectJSON `json:"effects"`
	Gaps     []gapJSON    `json:"gaps"`
}

type wordJSON struct {
	Text  string `json:"text"`
	Reach string `json:"reach"`
	Glob  bool   `json:"glob"`
}

type effectJSON struct {
	Kind    string   `json:"kind"`
	Target  string   `json:"target"`
	Reach   string   `json:"reach"`
	Pattern bool     `json:"pattern"`
	Tree    bool     `json:"tree"`
	In      []string `json:"in"`
	Reaches []string `json:"may_reach"`
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
	Suggest    string   `json:"suggest"`
	Level      string   `json:"level"`
	Layer      string   `json:"layer"`
	Source     string   `json:"source"`
	Invocation int      `json:"invocation"`
	Span       spanJSON `json:"span"`
}

type whyNotJSON struct {
	Obstacles []obstacleJSON `json:"obstacles"`
	Rules     string         `json:"rules"`
	Then      string         `json:"then"`
	Ruleless  []string       `json:"no_rule_because"`
	Limits    []string       `json:"limits"`
}

type obstacleJSON struct {
	Rule       string       `json:"rule"`
	Decision   string       `json:"decision"`
	Invocation int          `json:"invocation"`
	Span       spanJSON     `json:"span"`
	Remedies   []remedyJSON `json:"remedies"`
}

type remedyJSON struct {
	What    string `json:"what"`
	Command string `json:"command"`
	Then    string `json:"then"`
}

// spanJSON is the first byte and the one behind the last of what will run: of
// rewritten if there is one, else of command.
type spanJSON [2]int

// JSON is an explanation for programs.
func (x Printer) JSON(e *Explanation) Document {
	v := &e.Verdict
	j := Document{
		Schema: Schema, Command: e.Call.Script, Dir: e.Call.Dir, Decision: v.Decision.String(), Rule: v.Rule, Reason: v.Reason, Suggest: v.Suggest,
		How: x.how(e), Parsed: v.Parsed, Invocations: []invocationJSON{}, Findings: []findingJSON{}, Notices: append([]string{}, v.Notices...),
		Answered: e.Now.Answer.String(), Because: e.Now.Why, ID: e.ID,
	}
	j.Means, j.LeftOut = append(j.Means, v.Means.Names()...), e.LeftOut
	if v.Rewrite != "" {
		j.Rewritten = &v.Rewrite
	}
	if x.Agent != "" {
		told := agent.Told(x.Agent, *v).String()
		j.Told = &told
	}
	for i := range e.Invs {
		j.Invocations = append(j.Invocations, x.invocation(e.Invs, i))
	}
	for _, f := range v.Findings {
		j.Findings = append(j.Findings, findingJSON{
			Rule: f.Rule, Decision: f.Decision.String(), Reason: f.Reason, Suggest: f.Suggest,
			Level: f.Level, Layer: f.Layer, Source: f.Source, Invocation: f.Invocation, Span: spanOf(f.Span),
		})
	}
	if w := e.WhyNot; w != nil {
		j.WhyNot = &whyNotJSON{Obstacles: []obstacleJSON{}, Rules: w.Rules, Then: w.Then.String(), Ruleless: append([]string{}, w.Ruleless...), Limits: append([]string{}, w.Limits...)}
		for _, o := range w.Obstacles {
			f := o.Finding
			oj := obstacleJSON{f.Rule, f.Decision.String(), f.Invocation, spanOf(f.Span), []remedyJSON{}}
			for _, r := range o.Remedies {
				oj.Remedies = append(oj.Remedies, remedyJSON{r.What, cmp.Or(r.Script, e.Call.Script), r.Then.String()})
			}
			j.WhyNot.Obstacles = append(j.WhyNot.Obstacles, oj)
		}
	}
	return j
}

func (x Printer) invocation(invs []*command.Invocation, i int) invocationJSON {
	inv := invs[i]
	j := invocationJSON{
		Words: []wordJSON{}, Dir: wordOf(inv.Dir), Via: append([]string{}, inv.Via...), Parent: parentOf(invs, i),
		Pipeline: inv.Pipeline, Stage: inv.Stage, Span: spanOf(inv.Span), Effects: []effectJSON{}, Gaps: []gapJSON{},
	}
	for _, w := range inv.Words {
		j.Words = append(j.Words, wordOf(w))
	}
	for _, e := range inv.Effects {
		in, reached := x.Config.Guard.Policy.Zones(e, x.Config.World)
		j.Effects = append(j.Effects, effectJSON{e.Kind.String(), e.Target, e.Reach.String(), e.Pattern, e.Tree, in.Names(), reached.Names(), spanOf(e.Span)})
	}
	for _, g := range inv.Gaps {
		j.Gaps = append(j.Gaps, gapJSON{g.Why, spanOf(g.Span)})
	}
	return j
}

func wordOf(w command.Word) wordJSON { return wordJSON{w.Text, w.Reach.String(), w.Glob} }

func spanOf(s tool.Span) spanJSON { return spanJSON{s.Start, s.End} }
