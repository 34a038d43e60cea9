package cli

import (
	"fmt"
	"io"
	"strings"

	"longline/docs"
	"longline/internal/schema"
	"longline/internal/screen"
	"longline/internal/source"
)

func docsCommand() subcommand {
	return subcommand{
		name: "docs", usage: "[TOPIC]", short: "read the documentation",
		long: true, purpose: forReadOn, example: "docs rules", words: docs.Topics(),
		help: "Without TOPIC it lists the topics.\n\n  longline docs rules | less",
		run: func(p *process, args []string) int {
			switch len(args) {
			case 0:
				for _, topic := range docs.Topics() {
					fmt.Fprintf(p.out, "%-16s %s\n", topic, docs.Title(topic))
				}
				return exitOK
			case 1:
			default:
				return p.usageError("docs", "expected one topic, found %d arguments", len(args))
			}
			if asksHelp(args) {
				return helpOn(p, "docs", nil)
			}
			text, ok := docs.Text(args[0])
			if !ok {
				p.errorf("docs: no document on %q", args[0])
				if near := source.Nearest(args[0], docs.Topics()); near != "" {
					p.hintf("did you mean %q?", near)
				} else {
					p.hintf("expected one of %s", strings.Join(docs.Topics(), ", "))
				}
				return exitUsage
			}
			return p.ended(writeText(p, text), exitOK)
		},
	}
}

func writeText(p *process, text string) error {
	_, err := io.WriteString(p.out, text)
	return err
}

func schemaCommand() subcommand {
	return subcommand{
		name: "schema", usage: strings.Join(schema.Names(), "|"), short: "print the JSON Schema of a file format, for editors",
		purpose: forWritePolicy, example: "schema rules >rules.schema.json", words: schema.Names(),
		help: `rules is for rules files, tests for test files, hooks for hooks.config.json, models
for models of programs. Editors with a YAML language server use it for a file that
begins with:

  # yaml-language-server: $schema=/home/you/rules.schema.json`,
		run: func(p *process, args []string) int {
			if len(args) != 1 {
				return p.usageError("schema", "expected one of %s", strings.Join(schema.Names(), ", "))
			}
			if asksHelp(args) {
				return helpOn(p, "schema", nil)
			}
			s := schema.Of(args[0])
			if s == nil {
				return p.usageError("schema", "unknown schema %q; expected one of %s", args[0], strings.Join(schema.Names(), ", "))
			}
			return p.ended(screen.WriteJSON(p.out, true, s), exitOK)
		},
	}
}

// manual prints a manual page, longline(1), from what help knows.
func manual(p *process) int {
	var b strings.Builder
	b.WriteString(".TH LONGLINE 1\n.SH NAME\nlongline \\- check what an AI coding agent is about to run\n")
	b.WriteString(".SH SYNOPSIS\n.B longline\n.I SUBCOMMAND\n[\\fIFLAGS\\fR] [\\fIARGUMENTS\\fR]\n.SH SUBCOMMANDS\n")
	for _, purpose := range purposes {
		fmt.Fprintf(&b, ".SS %s\n", roff(string(purpose)))
		for _, c := range purpose.subcommands() {
			b.WriteString(manualEntry(p, c))
		}
	}
	b.WriteString(".SH EXIT STATUS\n0 allow or pass, 10 ask, 20 deny, 1 failed, 2 wrong usage or configuration\n")
	b.WriteString(".SH FILES\n.TP\n~/.config/longline/rules.yaml\nthe user's rules\n.TP\n/etc/longline/rules.yaml\nthe administrator's rules\n" +
		".TP\n\\&.longline.yaml\na project's rules\n.TP\n~/.claude/hooks\\-logs/longline.jsonl\nthe audit log\n.TP\n~/.local/state/longline\nwhat is trusted, and what may run once\n")
	b.WriteString(".SH DOCUMENTS\n\"longline docs TOPIC\" prints them:\n")
	for _, topic := range docs.Topics() {
		fmt.Fprintf(&b, ".TP\n%s\n%s\n", roff(topic), roff(docs.Title(topic)))
	}
	return p.ended(writeText(p, b.String()), exitOK)
}

func manualEntry(p *process, c subcommand) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TP\n\\fBlongline %s\\fR %s\n%s.\n.RS\n", roff(c.name), roff(c.usage), roff(c.short))
	if c.help != "" {
		fmt.Fprintf(&b, ".PP\n.nf\n%s\n.fi\n", roff(c.help))
	}
	for _, f := range p.flagsOf(&c) {
		fmt.Fprintf(&b, ".TP\n\\fB%s\\fR %s\n%s\n", roff(f.name), roff(f.kind), roff(f.about))
	}
	b.WriteString(".RE\n")
	return b.String()
}

// roff escapes text for a manual page.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
