package cli

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Every subcommand has a purpose and an example that begins with its name.
func TestPurposes(t *testing.T) {
	var grouped []string
	for _, purpose := range purposes {
		grouped = append(grouped, purpose.names...)
	}
	for _, c := range subcommands() {
		if !slices.Contains(grouped, c.name) {
			t.Errorf("%s is in no group of the overview", c.name)
		}
		if !strings.HasPrefix(exampleOf(c.name), c.name) {
			t.Errorf("the example of %s is %q", c.name, exampleOf(c.name))
		}
	}
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
	var names []string
	for _, f := range p.flagsOf("log") {
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
