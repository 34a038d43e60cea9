package shell

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestFunctionsOfAllNames defines functions with the names of all words that mean something to a shell, and calls them.
func TestFunctionsOfAllNames(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	names := map[string]bool{}
	for shell, script := range map[string]string{"bash": "compgen -k; compgen -b", "zsh": "print -l ${(k)reswords} ${(k)builtins} ${(k)aliases}"} {
		out, err := exec.Command(shell, "-c", script).Output()
		if err != nil {
			continue
		}
		for _, name := range strings.Fields(string(out)) {
			names[name] = true
		}
	}
	if len(names) < 60 {
		t.Fatalf("only %d names", len(names))
	}
	var list []string
	for name := range names {
		if name == "eval" || name == "printf" || name == "ulimit" || name == "exit" { // which the test needs
			continue
		}
		for _, script := range []string{
			`v=o; N() { v=a; }; N; rm "$v"`, `v=o; function N { v=a; }; N; rm "$v"`, `v=o; N() { v=a$1; }; N b; rm "$v"`, `v=o; N() { v=a; }; N v=b; rm "$v"`, `v=o; N () { v=a; }; if N x; then v=${v}c; else v=${v}d; fi; rm "$v"`,
			`v=o; f() { N; rm "$v"; }; N() { v=a; }; f`, `v=o; N() { v=a; }; command N; rm "$v"`, `v=o; N() { v=a; }; "N"; rm "$v"`, `v=o; N() { v=a; }; w=x N; rm "$v"`, `v=o; N() { v=a; }; unset -f N; N v=c; rm "$v"`,
		} {
			list = append(list, strings.ReplaceAll(script, "N", name))
		}
	}
	slices.Sort(list)
	list = sample(list)
	agree(t, list, true, "bash", "zsh")
	agree(t, list, false, "bash", "dash")
}
