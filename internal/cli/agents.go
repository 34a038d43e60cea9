package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"longline/internal/agent"
	"longline/internal/screen"
)

func agentsCommand() subcommand {
	return subcommand{
		name: "agents", usage: "[--json] [AGENT...]", flags: true,
		purpose: forGuardAgent, example: "agents", words: agent.Names(),
		short: "show how each agent treats longline's answers",
		help: `The table shows what the agent is told for each decision: the same if its client
supports it, otherwise the next stricter answer. CRASH and TIMEOUT show what the
client does if the hook fails; "pass" means that the call runs. With names, it
adds details about these agents.`,
		run: runAgents,
	}
}

func runAgents(p *process, args []string) int {
	flags := p.flagSet("agents")
	asJSON := flags.Bool("json", false, "one JSON object per line")
	names, status, done := p.parse(flags, args)
	if done {
		return status
	}
	for _, name := range names {
		if agent.Find(name) == nil {
			return p.usageError("agents", "unknown agent %q; expected one of %s", name, strings.Join(agent.Names(), ", "))
		}
	}
	rows := slices.DeleteFunc(slices.Clone(agent.Capabilities()), func(c agent.Capability) bool {
		return len(names) > 0 && !slices.Contains(names, c.Agent)
	})
	if *asJSON {
		return printAgentsJSON(p, rows)
	}
	documented := p.agentTable(rows)
	var b strings.Builder
	if documented {
		b.WriteString("* from documentation; the others were tested with the real client\n")
	}
	if len(names) > 0 {
		for _, c := range rows {
			how := c.Proof.String()
			screen.Fill(&b, "\n"+c.Agent+" at "+c.Event+": ", "  ", strings.TrimSpace(c.Client+" "+c.Version)+", "+how+". "+c.Note)
		}
		for _, a := range agent.Belonging() {
			if !slices.ContainsFunc(rows, func(c agent.Capability) bool { return c.Client == a.Client }) {
				continue
			}
			screen.Fill(&b, "\n"+a.Client+", changes denied: ", "  ", strings.Join(a.Guarded(), " "))
			b.WriteString(screen.Filled("changes asked about: ", "  ", strings.Join(a.Run(), " ")))
			b.WriteString(screen.Filled("instructions: ", "  ", strings.Join(a.Instructions, " ")))
		}
	}
	return p.ended(writeText(p, b.String()), exitOK)
}

// agentTable prints what clients do with answers, and says whether some of it is only from
// their documentation.
func (p *process) agentTable(rows []agent.Capability) (documented bool) {
	w := tabwriter.NewWriter(p.out, 0, 0, 1, ' ', 0)
	fmt.Fprintln(w, "AGENT\tAT\tALLOW\tPASS\tASK\tREWRITE\tCRASH\tTIMEOUT")
	for _, c := range rows {
		name := c.Agent
		if c.Proof != agent.Observed {
			name, documented = name+"*", true
		}
		at, _, more := strings.Cut(c.Event, ", ")
		if more {
			at += ","
		}
		fmt.Fprintf(w, "%s\t%s\t%v\t%v\t%v\t%v\t%v\t%v\n", name, at, c.Allow, c.Pass, c.Ask, c.Rewrite, c.Crash, c.Timeout)
	}
	w.Flush()
	return documented
}

func printAgentsJSON(p *process, rows []agent.Capability) int {
	enc := json.NewEncoder(p.out)
	enc.SetEscapeHTML(false)
	for _, c := range rows {
		err := enc.Encode(struct {
			Agent   string `json:"agent"`
			Client  string `json:"client"`
			Version string `json:"version,omitempty"`
			Proof   string `json:"proof"`
			Event   string `json:"event"`
			Allow   string `json:"allow"`
			Pass    string `json:"pass"`
			Ask     string `json:"ask"`
			Rewrite string `json:"rewrite"`
			Told    bool   `json:"model_reads_reason"`
			Crash   string `json:"crash"`
			Timeout string `json:"timeout"`
			Note    string `json:"note,omitempty"`
		}{
			c.Agent, c.Client, c.Version, c.Proof.String(), c.Event, c.Allow.String(), c.Pass.String(), c.Ask.String(),
			c.Rewrite.String(), c.Told, c.Crash.String(), c.Timeout.String(), c.Note,
		})
		if err != nil {
			p.errorf("%v", err)
			return exitFailed
		}
	}
	return exitOK
}
