package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A subcommand is described once: it has a purpose that help shows, one line, an example
// that begins with its name, and flags with a text each.
func TestDescriptions(t *testing.T) {
	p := &process{}
	for _, c := range subcommands() {
		if !slices.Contains(purposes, c.purpose) {
			t.Errorf("%s has no purpose that help shows", c.name)
		}
		if !strings.HasPrefix(c.example, c.name) || c.short == "" || strings.HasSuffix(c.short, ".") {
			t.Errorf("%s: the example is %q, the line %q", c.name, c.example, c.short)
		}
		flags := p.flagsOf(&c)
		for _, f := range flags {
			if f.about == "" {
				t.Errorf("%s %s has no text", c.name, f.name)
			}
		}
	}
}

// TestDescribedOnce: what the description of a subcommand holds is in everything that is
// made from it, and the synopsis names no flag and no word that the rest does not know.
func TestDescribedOnce(t *testing.T) {
	made := func(args ...string) string {
		var out bytes.Buffer
		p := &process{in: strings.NewReader(""), out: &out, err: &out}
		if status := p.main(append([]string{"longline"}, args...)); status != exitOK {
			t.Fatalf("%q: %s", args, out.String())
		}
		return strings.Join(strings.Fields(out.String()), " ")
	}
	said := func(where, text string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if part = strings.Join(strings.Fields(part), " "); !strings.Contains(text, part) {
				t.Errorf("%s does not say %q", where, part)
			}
		}
	}
	scripts := map[string]string{"bash": made("completion", "bash"), "zsh": made("completion", "zsh"), "fish": made("completion", "fish")}
	all, man := made("help"), made("help", "--man")
	for _, c := range subcommands() {
		help, flags := made("help", c.name), (&process{}).flagsOf(&c)
		said("the overview", all, c.name, c.short, "longline "+c.example)
		said("help "+c.name, help, c.usage, strings.ToUpper(c.short[:1])+c.short[1:])
		said("the manual", man, roff("longline "+c.name), roff(c.short))
		known := slices.Clone(c.words)
		for _, f := range flags {
			known = append(known, f.name)
			said("help "+c.name, help, strings.TrimSpace(f.name+" "+f.kind), f.about)
			said("the manual", man, "\\fB"+roff(f.name)+"\\fR "+roff(f.kind), roff(f.about))
			said("fish for "+c.name, scripts["fish"], strings.ReplaceAll(f.about, "'", `\'`))
			for _, shell := range []string{"bash", "zsh"} {
				said(shell+" for "+c.name, scripts[shell], f.name)
				if f.values != "" {
					said(shell+" for "+c.name, scripts[shell], "'"+c.name+" "+f.name+"') offers='"+f.values+"'")
				}
			}
		}
		for shell, script := range scripts {
			said(shell+" for "+c.name, script, append([]string{c.name, strings.Join(c.words, " ")}, c.words...)...)
		}
		for _, word := range strings.FieldsFunc(c.usage, func(r rune) bool { return strings.ContainsRune(" |[]", r) }) {
			plain := strings.ToLower(word) == word && !strings.HasPrefix(word, "/")
			scope := word == "user" || word == "project" || word == "managed" // values of --scope
			if plain && !scope && !slices.Contains(known, word) {
				t.Errorf("the synopsis of %s names %q, which its flags and words do not", c.name, word)
			}
		}
		if len(flags) > 0 && !c.flags && c.read == nil {
			t.Errorf("%s has flags from nowhere", c.name)
		}
	}
}

// TestReference holds docs/commands.md to the descriptions; -update writes it.
func TestReference(t *testing.T) {
	const file = "../../docs/commands.md"
	p := &process{}
	var b strings.Builder
	b.WriteString("# Commands\n\nThis page is generated. `longline help NAME` and the manual page describe the flags.\n")
	for _, purpose := range purposes {
		fmt.Fprintf(&b, "\n## %s\n\n```text\n", purpose)
		for i, c := range purpose.subcommands() {
			b.WriteString(strings.Repeat("\n", min(i, 1)) + section(p, &c))
		}
		b.WriteString("```\n")
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != b.String() {
		t.Errorf("docs/commands.md is not what the descriptions say (%v); run go test ./internal/cli -run Reference -update", err)
	}
}

// section is what the page says about one subcommand.
func section(p *process, c *subcommand) string {
	text := fmt.Sprintf("longline %s\n  %s.\n", strings.TrimSpace(c.name+" "+c.usage), strings.ToUpper(c.short[:1])+c.short[1:])
	line := " "
	for _, f := range p.flagsOf(c) {
		if strings.Contains(c.usage, f.name) {
			continue
		}
		if flag := " " + strings.TrimSpace(f.name+" "+f.kind); len(line+flag) > 110 {
			text, line = text+line+"\n", " "+flag
		} else {
			line += flag
		}
	}
	if line != " " {
		text += line + "\n"
	}
	return text
}

// The script for bash is one, and knows what it is asked about.
func TestBashCompletion(t *testing.T) {
	p := &process{in: strings.NewReader(""), out: new(bytes.Buffer), err: new(bytes.Buffer)}
	script := bashCompletion(p)
	for _, test := range []struct{ line, want string }{
		{"longline che", "check"},
		{"longline check --repl", "--replay"},
		{"longline log sta", "stats"},
		{"longline log --decision d", "deny"},
		{"longline schema r", "rules"},
	} {
		words := strings.Fields(test.line)
		program := script + "\nCOMP_WORDS=(" + strings.Join(words, " ") + "); COMP_CWORD=" + string(rune('0'+len(words)-1)) + "; _longline; echo \"${COMPREPLY[@]}\"\n"
		out, err := exec.Command("bash", "-c", program).CombinedOutput()
		if err != nil || strings.TrimSpace(string(out)) != test.want {
			t.Errorf("%s: got %q, %v, want %q", test.line, out, err, test.want)
		}
	}
}

func TestFlagsOf(t *testing.T) {
	p := &process{}
	all := subcommands()
	log := &all[slices.IndexFunc(all, func(c subcommand) bool { return c.name == "log" })]
	var names []string
	for _, f := range p.flagsOf(log) {
		names = append(names, f.name)
		if f.about == "" {
			t.Errorf("%s has no text", f.name)
		}
	}
	for _, want := range []string{"-f", "-n", "--decision", "--since"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing: %v", want, names)
		}
	}
}
