package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/tool"
)

func explainCommand() subcommand {
	return subcommand{
		name: "explain", usage: "[FLAGS] COMMAND", flags: true,
		short: "show how a decision comes to be",
		help: `It shows the parts of the command that matter, every program that would run with
its words resolved and what it would do, what could not be accounted for, and
every rule that spoke.

  longline explain 'T=~; rm -r "$T"'`,
		run: runExplain,
	}
}

func runExplain(p *process, args []string) int {
	var pl place
	flags := p.flagSet("explain")
	pl.register(flags)
	asJSON := flags.Bool("json", false, "print JSON")
	script := flags.Bool("script", false, "read the script from standard input")
	rest, status, done := p.parse(flags, args)
	switch {
	case done:
		return status
	case *script && len(rest) == 0:
		text, err := io.ReadAll(io.LimitReader(p.in, maxInput))
		if err != nil {
			return p.ended(err, exitUsage)
		}
		rest = []string{string(text)}
	case len(rest) != 1 || *script:
		return p.usageError("explain", "expected one command in quotes, found %d arguments", len(rest))
	}
	cfg, err := p.load(pl)
	if err != nil {
		return p.configError(err)
	}
	call := tool.Call{Agent: "explain", Tool: "Bash", Dir: cfg.Dir, Script: rest[0], Shell: true, Attended: true}
	v, invs := cfg.Judge(call)
	if *asJSON {
		err = writeJSON(p.out, true, explanationOf(rest[0], v, invs))
	} else {
		e := explainer{style: p.style(), home: cfg.World.Home}
		_, err = io.WriteString(p.out, e.text(rest[0], v, invs))
	}
	return p.ended(err, statusOf(v.Decision))
}

// explainer prints verdicts for people.
type explainer struct {
	style
	home string
}

// text is a verdict on one screen.
func (x explainer) text(script string, v tool.Verdict, invs []*command.Invocation) string {
	var b strings.Builder
	b.WriteString(opinion(x.style, v, ""))
	if v.Rewrite != "" {
		// What is marked and listed below is what would run.
		b.WriteString("\n" + marked(x.style, script, nil) + changes(x.style, script, v.Rewrite))
		script = v.Rewrite
	}
	if marks := marksOf(v, invs); v.Rewrite == "" || len(marks) > 0 {
		b.WriteString("\n" + marked(x.style, script, marks))
	}
	for i, inv := range invs {
		fmt.Fprintf(&b, "\n%d. %s", i+1, x.bold(clean(wordsText(inv.Words), "")))
		if len(inv.Via) > 0 {
			fmt.Fprintf(&b, "  %s", x.dim("run by "+clean(strings.Join(inv.Via, ", "), "")))
		}
		fmt.Fprintf(&b, "\n   in %s\n", clean(x.short(wordText(inv.Dir)), ""))
		for _, line := range x.about(i, inv, v.Findings) {
			b.WriteString("   " + line + "\n")
		}
	}
	var whole strings.Builder
	for _, f := range v.Findings {
		if f.Invocation < 0 || f.Invocation >= len(invs) {
			whole.WriteString("   " + x.finding(f) + "\n")
		}
	}
	if whole.Len() > 0 {
		b.WriteString("\nthe whole call\n" + whole.String())
	}
	return b.String()
}

// about lists what an invocation does, what is not known of it, and what rules
// say to it. A gap speaks for itself, so its finding is left out.
func (x explainer) about(i int, inv *command.Invocation, findings []tool.Finding) []string {
	var lines []string
	for _, e := range inv.Effects {
		e.Target = x.short(e.Target)
		lines = append(lines, clean(effectText(e), ""))
	}
	for _, g := range inv.Gaps {
		lines = append(lines, x.decision(tool.Ask, "gap:")+" "+clean(g.Why, ""))
	}
	if len(lines) == 0 {
		lines = append(lines, "no effect")
	}
	for _, f := range findings {
		if f.Invocation == i && (f.Rule != policy.UnknownID || len(inv.Gaps) == 0) {
			lines = append(lines, x.finding(f))
		}
	}
	return unique(lines)
}

func (x explainer) finding(f tool.Finding) string {
	head := f.Decision.String()
	if f.Rule != "" {
		head += " [" + f.Rule + "]"
	}
	text := x.style.decision(f.Decision, head) + " " + clean(f.Reason, "")
	if from := strings.Join(nonEmpty(f.Level, f.Layer, f.Source), ", "); from != "" {
		text += x.dim(" (" + from + ")")
	}
	return text
}

// short writes a path in the home directory with a tilde.
func (x explainer) short(path string) string {
	if rest, ok := strings.CutPrefix(path, x.home); ok && x.home != "" && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return path
}

// unique leaves out what was said before.
func unique(lines []string) []string {
	var once []string
	for _, line := range lines {
		if !slices.Contains(once, line) {
			once = append(once, line)
		}
	}
	return once
}

func nonEmpty(texts ...string) []string {
	var some []string
	for _, t := range texts {
		if t != "" {
			some = append(some, t)
		}
	}
	return some
}

// effectText says what an effect does, and how exactly that is known.
func effectText(e tool.Effect) string {
	target := e.Target
	switch e.Reach {
	case tool.Anywhere:
		target = "something unknown"
		if e.Target != "" {
			target += " (" + e.Target + ")"
		}
	case tool.Prefix:
		target = "something that begins with " + e.Target
	case tool.Under:
		target = "something at or below " + e.Target
	}
	if e.Pattern {
		target = "what matches " + target
	}
	if e.Tree {
		target += " and everything below"
	}
	return e.Kind.String() + " " + target
}

// wordsText shows an argument vector so that it can be read, and pasted when
// all of it is known.
func wordsText(words []command.Word) string {
	parts := make([]string, len(words))
	for i, w := range words {
		parts[i] = wordText(w)
	}
	return strings.Join(parts, " ")
}

func wordText(w command.Word) string {
	switch {
	case w.Reach == tool.Anywhere:
		return "<unknown>"
	case w.Reach == tool.Prefix:
		return shellQuote(w.Text) + "<unknown>"
	case w.Reach == tool.Under:
		return shellQuote(w.Text) + "/<unknown>"
	case w.Glob:
		return w.Text
	}
	return shellQuote(w.Text)
}

// shellQuote puts a word in quotes if the shell would otherwise act on it.
func shellQuote(text string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_@%+=:,./-", r) || r >= 0xa0
	}
	if text != "" && strings.IndexFunc(text, func(r rune) bool { return !plain(r) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
