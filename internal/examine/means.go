package examine

import (
	"runtime"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/config"
	"longline/internal/tool"
)

// mean is what makes code safe that longline cannot read: on a platform, with some clients.
type mean struct {
	platform, clients, code, besides string

	here func(p *place) bool // it is one for a client on this machine
}

// place is a client on a machine.
type place struct {
	client string
	walls  bool   // they are on
	kind   string // what they are made of
	boxed  bool   // the client's settings have its sandbox on
}

// What becomes of such code.
const (
	contained = "runs behind a wall"
	asked     = "asks"
)

// means are all of them. The first that fits counts.
func means() []mean {
	takes, partly, never, boxed := clients()
	made := func(kind string) func(*place) bool { return func(p *place) bool { return p.kind == kind } }
	return []mean{
		{"any", boxed + ", unless its sandbox is off", asked, "no wall can be built inside the client's own sandbox", func(p *place) bool { return agent.FactsOf(p.client).Sandboxed }},
		{"any", "Claude Code with its own sandbox on", asked, "the same", func(p *place) bool { return p.boxed }},
		{"any", "Claude Code in plan mode", "is left to the client", "the client runs only what reads", func(*place) bool { return false }},
		{"any", never, asked, "the client does not accept changed commands", func(p *place) bool { return !agent.TakesChanged(p.client, tool.Allow) }},
		{"any, with `walls: off`", "any", asked, "", func(p *place) bool { return p.kind != "" && !p.walls }},
		{"Linux with user namespaces", takes, contained, "", func(p *place) bool { return p.kind == "namespaces" && agent.TakesChanged(p.client, tool.Ask) }},
		{"Linux with user namespaces", partly, contained, "a command that asks runs without a wall if you agree", made("namespaces")},
		{"Linux with Landlock alone: most containers, some distributions", "clients that accept changed commands", contained, "Landlock [protects less](walls.md#what-it-is-made-of)", made("Landlock")},
		{"Linux with neither: kernels before 5.19, some containers", "any", asked, "", func(*place) bool { return config.WallSystem && runtime.GOOS == "linux" }},
		{"macOS where a wall holds ([not run by us yet](#macos))", "clients that accept changed commands", contained, "Seatbelt [protects less](#macos)", made("Seatbelt")},
		{"macOS where none does, Windows, other systems", "any", asked, "", func(*place) bool { return true }},
	}
}

// clients lists those that run a changed command always, only if nobody is asked, and never, and those with a sandbox.
func clients() (takes, partly, never, boxed string) {
	var lists [4][]string
	for _, name := range agent.Names() {
		if name == "claude-legacy" {
			continue
		}
		at := 2
		switch {
		case agent.FactsOf(name).Sandboxed:
			at = 3
		case agent.TakesChanged(name, tool.Ask):
			at = 0
		case agent.TakesChanged(name, tool.Allow):
			at = 1
		}
		lists[at] = append(lists[at], agent.CapabilityOf(name).Client)
	}
	text := func(i int) string {
		slices.Sort(lists[i])
		return strings.Join(slices.Compact(lists[i]), ", ")
	}
	return text(0), text(1), text(2), text(3)
}

// means says what holds for a client here.
func (d *doctor) means(name string) {
	if d.cfg == nil {
		return
	}
	t, _ := d.cfg.Tried()
	p := &place{name, d.cfg.Guard.Policy.Walls.On, t.Kind, d.cfg.Boxed(name)}
	all := means()
	row := all[slices.IndexFunc(all, func(m mean) bool { return m.here(p) })]
	text := "code that longline cannot read " + row.code
	if row.besides != "" {
		what, link, _ := strings.Cut(row.besides, "[")
		link, _, _ = strings.Cut(link, "]")
		text += ": " + what + link
	}
	d.say("note", name, text, "")
}
