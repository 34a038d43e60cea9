package cli

import (
	"flag"
	"fmt"
	"strings"

	"longline/internal/source"
)

func helpCommand() subcommand {
	return subcommand{
		name: "help", usage: "[SUBCOMMAND]", short: "show this overview, or help on one subcommand",
		run: func(p *process, args []string) int {
			if len(args) == 0 {
				return overview(p)
			}
			return helpOn(p, args[0], nil)
		},
	}
}

// overview is the whole of longline on one screen.
func overview(p *process) int {
	var b strings.Builder
	b.WriteString("longline judges what an AI coding agent is about to do, before it does it.\n\n")
	b.WriteString("usage: longline SUBCOMMAND [FLAGS] [ARGUMENTS]\n\n")
	for _, c := range subcommands() {
		fmt.Fprintf(&b, "  %-10s %s\n", c.name, c.short)
	}
	b.WriteString("\nexample: longline check 'rm -rf /'\n")
	b.WriteString("\nExit statuses: 0 allow or pass, 10 ask, 20 deny, 1 failed, 2 wrong usage or configuration.\n")
	b.WriteString("Run \"longline help SUBCOMMAND\" for more.\n")
	fmt.Fprint(p.out, b.String())
	return exitOK
}

// helpOn prints the help of one subcommand. Without flags it asks the
// subcommand for them.
func helpOn(p *process, name string, flags *flag.FlagSet) int {
	var names []string
	for _, c := range subcommands() {
		names = append(names, c.name)
		if c.name != name {
			continue
		}
		if flags == nil && c.flags {
			return c.run(p, []string{"-h"})
		}
		var b strings.Builder
		fmt.Fprintf(&b, "usage: longline %s %s\n\n%s\n", c.name, c.usage, strings.TrimSpace(c.short+".\n"+c.help))
		if flags != nil {
			b.WriteString("\nflags:\n")
			flags.VisitAll(func(f *flag.Flag) {
				kind, text := flag.UnquoteUsage(f)
				fmt.Fprintf(&b, "  %-18s %s\n", strings.TrimSpace("--"+f.Name+" "+kind), text)
			})
		}
		fmt.Fprint(p.out, b.String())
		return exitOK
	}
	p.errorf("no help on %q", name)
	if near := source.Nearest(name, names); near != "" {
		p.hintf("did you mean %q?", near)
	}
	return exitUsage
}
