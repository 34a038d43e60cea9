package cli

import (
	"flag"
	"fmt"
	"strings"

	"longline/docs"
	"longline/internal/screen"
	"longline/internal/source"
)

func helpCommand() subcommand {
	return subcommand{
		name: "help", usage: "[SUBCOMMAND | TOPIC] [--man]", short: "show this overview, help on a subcommand, or a document",
		long: true, purpose: forReadOn, example: "help check", words: docs.Topics(), names: true,
		read: []flagHelp{{name: "--man", about: "print the manual page"}},
		help: "TOPIC is one of " + strings.Join(docs.Topics(), ", ") + ".\n\n  longline help check\n  longline help --man >longline.1",
		run: func(p *process, args []string) int {
			switch {
			case len(args) == 0:
				return overview(p)
			case args[0] == "--man":
				return manual(p)
			case len(args) > 1:
				return p.usageError("help", "expected one subcommand or topic, found %d arguments", len(args))
			case asksHelp(args):
				return helpOn(p, "help", nil)
			}
			return helpOn(p, args[0], nil)
		},
	}
}

// asksHelp says whether help is all that a subcommand is asked for; those
// without flags have to look themselves.
func asksHelp(args []string) bool {
	return len(args) == 1 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help")
}

// subcommands are those that one wants for this, in their order.
func (of purpose) subcommands() (list []subcommand) {
	for _, c := range subcommands() {
		if c.purpose == of {
			list = append(list, c)
		}
	}
	return list
}

// overview is the whole of longline on one screen.
func overview(p *process) int {
	var b strings.Builder
	b.WriteString("longline checks what an AI coding agent is about to run, before it runs.\n\n")
	b.WriteString("usage: longline SUBCOMMAND [FLAGS] [ARGUMENTS]\n")
	for _, purpose := range purposes {
		fmt.Fprintf(&b, "\n%s\n", purpose)
		for _, c := range purpose.subcommands() {
			screen.Fill(&b, fmt.Sprintf("  %-10s ", c.name), strings.Repeat(" ", 13), c.short)
			fmt.Fprintf(&b, "  %-10s   longline %s\n", "", c.example)
		}
	}
	b.WriteString("\n")
	screen.Fill(&b, "Exit statuses: ", "", "0 allow or pass, 10 ask, 20 deny, 1 failed, 2 wrong usage or configuration.")
	screen.Fill(&b, "", "", "Long output goes through $PAGER, or less, on a terminal; --no-pager turns that off.")
	b.WriteString("Run \"longline help SUBCOMMAND\" or \"longline docs\" for more.\n")
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
		screen.Fill(&b, "usage: longline "+c.name+" ", "    ", c.usage)
		fmt.Fprintf(&b, "\n%s\n", screen.Folded(strings.TrimSpace(strings.ToUpper(c.short[:1])+c.short[1:]+".\n\n"+c.help)))
		list := c.read
		if flags != nil {
			list = flagsIn(flags)
		}
		for i, f := range list {
			if i == 0 {
				b.WriteString("\nflags:\n")
			}
			screen.Fill(&b, fmt.Sprintf("  %-18s ", strings.TrimSpace(f.name+" "+f.kind)), strings.Repeat(" ", 21), f.about)
		}
		fmt.Fprint(p.out, b.String())
		return exitOK
	}
	if text, ok := docs.Text(name); ok {
		return p.ended(writeText(p, text), exitOK)
	}
	p.errorf("no help on %q", name)
	if near := source.Nearest(name, append(names, docs.Topics()...)); near != "" {
		p.hintf("did you mean %q?", near)
	}
	return exitUsage
}
