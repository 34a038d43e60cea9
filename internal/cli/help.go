package cli

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"longline/docs"
	"longline/internal/source"
)

func helpCommand() subcommand {
	return subcommand{
		name: "help", usage: "[SUBCOMMAND | TOPIC] [--man]", short: "show this overview, help on a subcommand, or a document",
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

// purposes groups the subcommands by what one wants.
var purposes = []struct {
	title string
	names []string
}{
	{"Try it", []string{"check", "explain", "scan"}},
	{"Guard an agent", []string{"init", "doctor", "agents", "uninstall", "hook", "wall", "serve"}},
	{"Write a policy", []string{"rules", "test", "import", "schema", "evaluate"}},
	{"Share a policy", []string{"bundle", "sync", "admin"}},
	{"See what happened", []string{"log", "report", "review", "session", "ship"}},
	{"Decide in person", []string{"trust", "allow", "allow-once", "pause", "content"}},
	{"Read on", []string{"docs", "help", "completion", "version"}},
}

// exampleOf is how a subcommand is typically called.
func exampleOf(name string) string {
	switch name {
	case "check":
		return "check 'rm -rf /'"
	case "explain":
		return "explain 'find . -delete'"
	case "review":
		return "review --since 7d"
	case "report":
		return "report --since 7d --out report.html"
	case "scan":
		return "scan ~/sandbox/repo"
	case "content":
		return "content show 3f2a9c"
	case "hook":
		return "hook claude <call.json"
	case "rules":
		return "rules --filter git"
	case "import":
		return "import ~/.claude/settings.json"
	case "test":
		return "test policy-tests.yaml"
	case "schema":
		return "schema rules >rules.schema.json"
	case "evaluate":
		return "evaluate 'rm x' rules.json"
	case "log":
		return "log stats --since 7d"
	case "allow":
		return "allow k3v9qa2m"
	case "allow-once":
		return "allow-once k3v9qa2m"
	case "pause":
		return "pause 10m"
	case "docs":
		return "docs recipes"
	case "ship":
		return "ship --to https://otel.example.com:4318"
	case "admin":
		return "admin render --target claude,codex"
	case "bundle":
		return "bundle build policy --key team.key"
	case "wall":
		return "wall npm test"
	case "help":
		return "help check"
	case "completion":
		return "completion bash"
	}
	return name
}

// overview is the whole of longline on one screen.
func overview(p *process) int {
	var b strings.Builder
	b.WriteString("longline checks what an AI coding agent is about to run, before it runs.\n\n")
	b.WriteString("usage: longline SUBCOMMAND [FLAGS] [ARGUMENTS]\n")
	all := subcommands()
	for _, purpose := range purposes {
		fmt.Fprintf(&b, "\n%s\n", purpose.title)
		for _, name := range purpose.names {
			if i := slices.IndexFunc(all, func(c subcommand) bool { return c.name == name }); i >= 0 {
				fill(&b, fmt.Sprintf("  %-10s ", name), strings.Repeat(" ", 13), all[i].short)
				fmt.Fprintf(&b, "  %-10s   longline %s\n", "", exampleOf(name))
			}
		}
	}
	b.WriteString("\n")
	fill(&b, "Exit statuses: ", "", "0 allow or pass, 10 ask, 20 deny, 1 failed, 2 wrong usage or configuration.")
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
		fill(&b, "usage: longline "+c.name+" ", "    ", c.usage)
		fmt.Fprintf(&b, "\n%s\n", folded(strings.TrimSpace(strings.ToUpper(c.short[:1])+c.short[1:]+".\n\n"+c.help)))
		if flags != nil {
			head := "\nflags:\n"
			flags.VisitAll(func(f *flag.Flag) {
				b.WriteString(head)
				head = ""
				kind, text := flag.UnquoteUsage(f)
				fill(&b, fmt.Sprintf("  %-18s ", strings.TrimSpace(dashed(f.Name)+" "+kind)), strings.Repeat(" ", 21), text)
			})
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
