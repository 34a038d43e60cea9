package guard_test

import (
	"strings"
	"testing"

	"longline/internal/rulesfile"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// A simple is a script that is one simple command, taken apart so that
// something can be put in front of it.
type simple struct {
	text    string // the whole
	words   int    // where its words begin, behind assignments and redirections
	builtin bool   // only the shell itself can run it
}

// simpleCommand says whether a script is one command with a name, without
// anything around it.
func simpleCommand(script string) (simple, bool) {
	file, err := syntax.Parse(script)
	if err != nil || len(file.Stmts) != 1 {
		return simple{}, false
	}
	stmt := file.Stmts[0]
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || stmt.Background || stmt.Negated || len(file.Comments) > 0 {
		return simple{}, false
	}
	name := call.Args[0].Lit()
	if name == "" {
		return simple{}, false // who knows what it is
	}
	for _, r := range stmt.Redirs {
		if r.Hdoc != nil {
			return simple{}, false // its body must stay at the end of the text
		}
		if name == "true" && r.Op == syntax.RdrOut {
			return simple{}, false // an idiom that empties a file; with a wrapper it is none
		}
	}
	return simple{script, int(call.Args[0].Pos().Offset()), shellOnly(strings.TrimPrefix(name, `\`))}, true
}

func shellOnly(name string) bool {
	switch name {
	case ".", ":", "alias", "bg", "bind", "break", "builtin", "caller", "cd", "command", "compgen", "complete", "continue",
		"declare", "dirs", "disown", "enable", "eval", "exec", "exit", "export", "fc", "fg", "getopts", "hash", "help", "history", "jobs",
		"let", "local", "logout", "mapfile", "popd", "pushd", "read", "readarray", "readonly", "return", "set", "shift", "shopt",
		"source", "suspend", "times", "trap", "type", "typeset", "ulimit", "umask", "unalias", "unset", "wait":
		return true
	}
	return false
}

// TestWrappersAreTransparent puts harmless wrappers around every golden command
// that is a simple one. The decision stays what it was, neither stricter nor
// looser; with sudo it never becomes looser.
func TestWrappersAreTransparent(t *testing.T) {
	g := builtin(t)
	w := world()
	judge := func(script string) tool.Verdict {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Attended: true}, w)
		return v
	}
	programs := []string{"env", "timeout 5", "nice", "nohup", "stdbuf -o0", "env timeout 5 nice"}
	prefixes := []string{"FOO=1 ", "! ", "time "}
	around := [][2]string{{"( ", " )"}, {"{ ", "; }"}, {"if ", "; then :; fi"}, {"true && ", ""}}
	tried := 0
	for _, tests := range read(t, "testdata/decisions/*.yaml", rulesfile.ParseTests) {
		for _, test := range tests {
			s, ok := simpleCommand(test.Command)
			if !ok || test.Dir != "" {
				continue
			}
			tried++
			bare := judge(s.text)
			same := func(script string) {
				if v := judge(script); v.Decision != bare.Decision {
					t.Errorf("%s: %s\n\t%s is %s [%s] %s\n\t%s is %s [%s] %s", test.Source, test.ID,
						s.text, bare.Decision, bare.Rule, bare.Reason, script, v.Decision, v.Rule, v.Reason)
				}
			}
			for _, p := range prefixes {
				same(p + s.text)
			}
			for _, a := range around {
				same(a[0] + s.text + a[1])
			}
			same("bash -c " + quote(s.text))
			same("eval " + quote(s.text))
			if s.builtin {
				continue
			}
			for _, p := range append(programs, "command") {
				same(s.text[:s.words] + p + " " + s.text[s.words:])
			}
			for _, p := range []string{"sudo", "sudo -u root", "doas"} {
				script := s.text[:s.words] + p + " " + s.text[s.words:]
				if v := judge(script); v.Decision < bare.Decision || v.Decision < tool.Ask {
					t.Errorf("%s: %s\n\t%s is %s [%s]\n\t%s is only %s", test.Source, test.ID, s.text, bare.Decision, bare.Rule, script, v.Decision)
				}
			}
		}
	}
	if tried < 200 {
		t.Errorf("only %d simple commands among the decisions", tried)
	}
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
