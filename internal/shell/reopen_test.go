package shell

import (
	"fmt"
	"strings"
	"testing"
)

// TestReopenedStreams has real shells run what is left of a stream of which something has been read, or all of it once more: a
// file that is opened by a name as /dev/stdin is read from its beginning, and copies of a descriptor go on one behind the other.
func TestReopenedStreams(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	texts := []string{`rm whole\nrm rest\n`, `cat <<E\nrm inside\nE\n`, `rm only\n`, `: <<E\nrm 1\nrm 2\nE\nrm 3\n`}
	takes := []string{
		"read x", "read -r x; read y", "(read x)", "read x <&3", "read -u3 x", "exec 4<&0; read x", "exec 4<&0; read -u4 x", "exec 4<&3; read -u4 x", "cat >/dev/null", "cat <&3", "while read x; do :; done", "while read x; do break; done", ":",
		"f() { read x; }; f", "read -n 2 x", "eval 'read x'", "read x </dev/stdin", "read x </dev/fd/3",
	}
	sources := []string{". /dev/stdin", ". /dev/fd/0", ". /dev/fd/3", "eval \"$(cat)\"", "eval \"$(cat /dev/stdin)\"", "while read -r c; do eval \"$c\"; done", "while read -r c; do eval \"$c\"; done </dev/stdin", "while read -r c; do eval \"$c\"; done <&3", "f() { . /dev/stdin; }; f"}
	shells := []string{"bash", "bash /dev/stdin", "bash </dev/stdin", "bash <&3", "bash </dev/fd/3", "bash /dev/fd/3", "bash -c '. /dev/stdin'", "bash -c 'bash \"$0\"' /dev/stdin", "env bash /dev/stdin", "cat /dev/stdin | bash", "xargs -a /dev/stdin env"}
	opens := []string{"{ %s; %s; } <s 3<s", "{ %s; %s; } <s 3<&0", "{ %s; %s; } 3<s <&3", "exec <s 3<s; %s; %s", "exec 3<s; exec <&3; %s; %s", "cat s | { %s; %s; } 3<s"}
	var own, others []string
	for _, text := range texts {
		for _, take := range takes {
			for _, open := range opens {
				for _, run := range sources {
					own = append(own, fmt.Sprintf("printf '%s' >s\n"+open, text, take, run))
				}
				for _, run := range shells {
					others = append(others, fmt.Sprintf("printf '%s' >s\n"+open, text, take, run))
				}
			}
			for _, run := range sources {
				own = append(own, fmt.Sprintf("{ %s; %s; } 3</dev/null <<'EOF'\n%sEOF\n", take, run, unescaped(text)))
			}
		}
	}
	agree(t, every(5, own), true, "bash", "zsh")
	rig, lib := newBashRig(t), testLibrary(t)
	for _, script := range sample(every(29, others)) { // each of which starts several programs
		dir := rig.dir(t)
		res := Resolve(script, dir, rig.world(dir), lib)
		if missed := hidden(res, rig.run(t, script, dir)); len(missed) > 0 {
			t.Errorf("%s\nruns %q", script, missed)
		}
	}
}

// every is one in so many of a list.
func every(n int, list []string) (some []string) {
	for i := 0; i < len(list); i += n {
		some = append(some, list[i])
	}
	return some
}

func unescaped(text string) string { return strings.ReplaceAll(text, `\n`, "\n") }
