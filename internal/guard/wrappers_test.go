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
			if tried++; leftOut(tried) {
				continue
			}
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

// TestWordsInFront runs what a program makes of words that it puts in front of its operands: what is lost was asked about.
func TestWordsInFront(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; echo a >a; git add a; git commit -qm one; mkdir data; echo mine >data/f; echo mine >notes`)
	lost, quiet := 0, 0
	for _, words := range []string{"rm -rf", "rm", "FOO=1 rm -rf", "find", "truncate -s0", "tee", "ls", "FOO=1", "", "rm -rf ;", "ls |", "rm -rf #", `rm\_-rf`, "timeout 5 rm -rf", `sh -c "rm -rf notes"`, "${HOME}", "rm -rf ${NONE}", "'rm' -rf", "true && rm -rf", "rm -rf >"} {
		for _, operands := range []string{"ls data", "data", "ls notes", "notes", "echo data notes", "ls -delete", "data -delete", "rm -rf data", "", "FOO=1 rm -rf data", "-- data"} {
			for i, form := range []string{"env -S %s", "env --split-string=%s", "env -iS %s", "timeout 5 env -S %s", "echo notes | xargs env -S %s", "find data -maxdepth 0 -exec env -S %s {} +", "env A=1 env -S %s", "bash -c \"env -S %s\""} {
				if i > 0 && (len(words)+len(operands)+i)%5 != 0 {
					continue
				}
				quoted := "'" + strings.ReplaceAll(words, "'", `'\''`) + "'"
				script := strings.Replace(form, "%s", quoted+" "+operands, 1)
				if strings.HasPrefix(form, "bash") && strings.ContainsAny(words, "\"$\\") {
					continue
				}
				asks, _ := l.asks(script)
				switch gone := len(l.loses(script)) > 0; {
				case gone && !asks:
					t.Errorf("%s: something is lost, and nobody is asked", script)
				case gone:
					lost++
				case !asks:
					quiet++
				}
			}
		}
	}
	if lost < 25 || quiet < 25 {
		t.Errorf("%d lose something, %d are allowed", lost, quiet)
	}
	t.Logf("%d lose something, %d are allowed", lost, quiet)
}
