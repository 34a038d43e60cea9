package guard_test

import (
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/tool"
)

// A search may come across a file of secrets; one that is after secrets, or a command
// that prints whatever there is, reads it.
func TestSweeps(t *testing.T) {
	set, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{
		project:          {".env", ".git", "README.md", "main.go", "src"},
		project + "/src": {"app.py", "password.py"},
	}
	w := world()
	w.Entries = func(dir string) (list []tool.Entry, whole bool) {
		for _, name := range names[strings.TrimSuffix(dir, "/")] {
			list = append(list, tool.Entry{Name: name})
		}
		return list, true
	}
	w.Exists = func(path string) bool {
		path = strings.TrimSuffix(path, "/.")
		for dir, list := range names {
			for _, name := range list {
				if path == dir || path == dir+"/"+name {
					return true
				}
			}
		}
		return false
	}
	g := guard.Guard{Library: command.Builtin(), Policy: set}
	judge := func(script string) tool.Verdict {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true}, w)
		return v
	}
	for _, script := range []string{
		"grep -rn PASSWORD .", "grep -r 'API_KEY=' .", "grep -ri secret", "egrep -r 'TOKEN|SECRET' .", "grep -r '' .", "grep -r . .", "grep -rv foo .", "rgrep API_TOKEN .",
		"rg -uu PASSWORD", "rg --hidden --no-ignore 'SECRET_KEY'", "rg -uuu .", "ag --hidden PASSWORD", "git grep --no-index --no-exclude-standard API_KEY",
		"find . -type f | xargs cat", "find . -type f -exec cat {} +", "find . -type f -print0 | xargs -0 head -5", "ls -A | xargs cat", "cat $(ls -A)", "fd -H -t f -X cat",
		"git ls-files -o | xargs cat", "find . -maxdepth 1 -type f | xargs base64", "grep -rlE . . | xargs cat", "cat .*", "tar cf - . | tar xOf -",
		"tar c . | strings", "tar cf - . | base64", "tar czf - . | base64", "tar c . | cat", "rg -uu -g '!*.py' .", "grep -r --exclude='*.py' PASSWORD .", "git diff --no-index /dev/null .",
	} {
		if v := judge(script); v.Decision != tool.Ask {
			t.Errorf("%s\n\t%s (%s), want ask", script, v.Decision, v.Reason)
		}
	}
	for _, script := range []string{
		"grep -rn TODO .", "grep -rn password .", "grep -rl PASSWORD .", "grep -rc PASSWORD .", "grep -rn PASSWORD src", "grep -rn --include='*.py' PASSWORD .", "grep -rn tokenize .",
		"rg PASSWORD", "rg --hidden TODO", "rg -g '*.py' PASSWORD --hidden", "rg --files | xargs cat", "git grep PASSWORD", "git ls-files | xargs cat", "fd -e py -X cat", "fd -t f -X cat",
		"find src -type f | xargs cat", "find . -name '*.py' | xargs cat", "find . -type f | xargs wc -l", "find . -type f | xargs grep -n TODO", "grep -rl TODO . | xargs cat", "ls | xargs cat",
		"git diff --name-only | xargs cat", "find . -type f | head -20", "find . -type f | sort",
		"tar c src | strings", "tar czf - . | wc -c", "grep -r --exclude='.env*' PASSWORD .", "rg --hidden -g '!.git' TODO", "git diff --no-index src src",
	} {
		if v := judge(script); v.Decision != tool.Allow {
			t.Errorf("%s\n\t%s (%s), want allow", script, v.Decision, v.Reason)
		}
	}
	names[project] = names[project][1:] // without the file, nobody is asked
	for _, script := range []string{"grep -rn PASSWORD .", "find . -type f | xargs cat", "rg -uuu ."} {
		if v := judge(script); v.Decision != tool.Allow {
			t.Errorf("%s where there is no such file\n\t%s (%s), want allow", script, v.Decision, v.Reason)
		}
	}
}
