package guard_test

import (
	"io/fs"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestScriptsOnInput: a command in a script that a shell reads from its standard input takes away the lines behind it if it
// reads, and these may be anything: an assignment, the beginning of a here-document. What leaves its input alone is judged as
// everywhere.
func TestScriptsOnInput(t *testing.T) {
	g := builtin(t)
	w := world()
	judge := func(script string) tool.Verdict {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		return v
	}
	ways := []func(string) string{
		func(s string) string { return "bash <<'END'\n" + s + "\nEND" },
		func(s string) string { return "sh -s <<'END'\n" + s + "\nEND" },
		func(s string) string { return "bash -e - <<'END'\n" + s + "\nEND" },
		func(s string) string { return "bash /dev/stdin <<'END'\n" + s + "\nEND" },
		func(s string) string { return "zsh <<< '" + strings.ReplaceAll(s, "'", `'\''`) + "'" },
		func(s string) string { return "printf '%s\\n' '" + strings.ReplaceAll(s, "'", `'\''`) + "' | bash" },
		func(s string) string { return "cat > run.txt <<'END'\n" + s + "\nEND\nbash < run.txt" },
		func(s string) string { return "{ timeout 9 bash; } <<'END'\n" + s + "\nEND" },
	}
	reads := []string{
		"read -r y", "read -p 'Go on? ' y", "(read y)", "f() { read y; }\nf", "while read -r l; do break; done", "y=$(cat)", "cat", "head -1", "head -c 8 | wc -c", "sed -n 1p", "grep x", "tr a b",
		"tee src/copy", "bash -c 'read y'", "env X=1 cat", "exec 3<&0\nread -u 3 y", "read y < /dev/stdin", ". /dev/stdin", "xargs echo", "cat - README.md", "if read y; then :; fi", "wc -l",
		"dd of=src/copy", "eval 'read y'", "exec < README.md", "read y & wait", "npm test", "sort -", "awk '{print}'",
	}
	for _, way := range ways {
		for _, read := range reads {
			if v := judge(way("x=docs\n" + read + "\nx=build\nmkdir -p \"src/$x\"")); v.Decision < tool.Ask {
				t.Errorf("%s: %s", way(read+"; …"), v.Decision)
			}
		}
		for _, leaves := range []string{
			"ls -la", "ls src | head -3", "git status -s | wc -l", "cat README.md", "grep -rn x src", "read y < README.md", "while read -r l; do echo \"$l\"; done < README.md", "for i in 1 2; do echo $i; done",
			"cat < /dev/null", "npm test < /dev/null", "echo a | cat", "rm -rf build", "y=$(cat README.md)", "sleep 1", "echo x | while read -r l; do echo $l; done", "env X=1 ls", "mkdir -p build",
		} {
			if v := judge(way(leaves + "\necho done")); v.Decision >= tool.Ask {
				t.Errorf("%s: %s, %s", way(leaves), v.Decision, v.Reason)
			}
		}
	}
	if v := judge(ways[0]("cd src\nnpm test")); v.Decision >= tool.Ask {
		t.Errorf("nothing is left to read behind the last command: %s, %s", v.Decision, v.Reason)
	}
}

// TestNameOfFedScript: a script that comes from standard input does not know its file. $0 is the name of the shell.
func TestNameOfFedScript(t *testing.T) {
	g := builtin(t)
	w := world()
	text := "cd \"$(dirname \"$0\")/..\" && rm -rf build\n"
	w.ReadFile = func(name string) ([]byte, error) {
		if name == project+"/scripts/clean.sh" {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
	for script, asks := range map[string]bool{
		"bash scripts/clean.sh": false, "./scripts/clean.sh": false, "sh scripts/clean.sh < README.md": false,
		"bash < scripts/clean.sh": true, "sh -s < scripts/clean.sh": true, "timeout 9 bash < scripts/clean.sh": true, "{ zsh; } < scripts/clean.sh": true, "f() { bash; }; f < scripts/clean.sh": true,
		"bash -c 'bash < scripts/clean.sh'": true, "cat scripts/clean.sh | bash": true,
	} {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		if got := v.Decision >= tool.Ask; got != asks {
			t.Errorf("%s: %s, %s", script, v.Decision, v.Reason)
		}
	}
}
