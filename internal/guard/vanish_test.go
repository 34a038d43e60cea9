package guard_test

import (
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// A word without quotes that turns out to be nothing is no word: a command with one is at least as strict as without it,
// wherever the word stands. A command that needs the word does not run without it.
func TestWordsThatVanish(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	g := builtin(t)
	simple := regexp.MustCompile(`^[\w./:=@%+, -]+$`)
	tried := 0
	var list []string
	for _, s := range append(scripts(t, 0), vanishing...) {
		if simple.MatchString(s) && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	for _, script := range list {
		h := fnv.New32()
		h.Write([]byte(script)) // not its place in the list, which changes with any document
		if leftOut(int(h.Sum32() % 1024)) {
			continue
		}
		words := strings.Fields(script)
		for i := 1; i < len(words); i++ {
			less := strings.Join(slices.Delete(slices.Clone(words), i, i+1), " ")
			bare, _ := g.Judge(attended(less), world())
			switch {
			case bare.Decision < tool.Ask, strings.Contains(bare.Reason, "is missing"), strings.Contains(bare.Reason, "needs a value"), strings.Contains(bare.Reason, `the program "-`):
				continue
			case i == len(words)-1 && words[i-1][0] == '-': // whose value is missing
				continue
			}
			for _, nothing := range []string{"$(find build -name none)", "$(git ls-files none)", "$UNSET"} {
				with := slices.Clone(words)
				with[i] = nothing
				tried++
				if v, _ := g.Judge(attended(strings.Join(with, " ")), world()); v.Decision < bare.Decision && v.Decision < tool.Ask {
					t.Errorf("%s\n\tis %s, and %s is %s: %s", strings.Join(with, " "), v.Decision, less, bare.Decision, bare.Reason)
				}
			}
		}
	}
	if tried < 1000 && !sampled() {
		t.Errorf("only %d tried", tried)
	}
}

// The same for what a program prints: the names of other files, if the place that it should look at is none.
func TestListsOfPlacesThatVanish(t *testing.T) {
	g := builtin(t)
	judge := func(script string) tool.Decision {
		v, _ := g.Judge(attended(script), world())
		return v.Decision
	}
	for _, list := range []string{
		"find PLACE -type f", "find PLACE", "find PLACE -name x", "git ls-files -o PLACE", "fd -H . PLACE", "rg --files PLACE", "rg -l x PLACE", "grep -rl x PLACE", "ls PLACE", "ls -d PLACE", "ag -l x PLACE", "git ls-files PLACE",
	} {
		for _, end := range []string{
			"LIST | xargs rm -f", "rm -f $(LIST)", "LIST | while read -r f; do rm \"$f\"; done", "for f in $(LIST); do rm -f $f; done", "x=$(LIST); rm -f $x", "LIST > build/l; xargs rm -f < build/l", "LIST | sort | head -3 | xargs rm -f",
		} {
			bare := judge(strings.ReplaceAll(end, "LIST", strings.ReplaceAll(list, " PLACE", "")))
			for _, nothing := range []string{"$(find build -name none)", "$(ls -d build/*/)", "$(find build -type d | head -1)"} {
				script := strings.ReplaceAll(end, "LIST", strings.ReplaceAll(list, "PLACE", nothing))
				if got := judge(script); got < min(bare, tool.Ask) {
					t.Errorf("%s is %s, and %s without the place", script, got, bare)
				}
			}
		}
	}
}

// A program that is no word, a parameter that is none and a pattern that is empty.
func TestWhatStandsBehindThatVanishes(t *testing.T) {
	g := builtin(t)
	w := world()
	w.Exists = func(string) bool { return true }
	w.Entries = func(dir string) ([]tool.Entry, bool) {
		return []tool.Entry{{Name: ".env"}, {Name: "main.go"}}, strings.Count(dir, "/") == 3
	}
	judge := func(script string) tool.Decision {
		v, _ := g.Judge(attended(script), w)
		return v.Decision
	}
	for _, nothing := range []string{"$(realpath build/none/tool)", "$(readlink -f build/none/tool)", "$(find build -name none)", "$(command -v none)"} {
		for _, front := range []string{"", "time ", "command ", "exec ", "eval ", "env ", "nice ", "timeout 5 ", "nohup "} {
			for _, harm := range []string{"rm -rf ~/keep", "git branch -D feature", "cat ~/.ssh/id_rsa"} {
				if script := front + nothing + " " + harm; judge(script) < tool.Ask {
					t.Errorf("%s is %s", script, judge(script))
				}
			}
		}
		for _, script := range []string{
			`sh -c 'rm -rf "$1"' _ NOTHING ~/keep`, `bash -c 'cp -r "$1" "$2"' _ NOTHING README.md ~/docs/precious.txt`, `timeout 5 sh -c 'rm -rf "$1"' _ NOTHING ~/keep`,
			`python3 NOTHING -c "import shutil; shutil.rmtree('/home/dev/keep')"`, `f() { rm -rf "$1"; }; f NOTHING ~/keep`, `set -- NOTHING ~/keep; rm -rf "$1"`,
		} {
			if s := strings.ReplaceAll(script, "NOTHING", nothing); judge(s) < tool.Ask {
				t.Errorf("%s is %s", s, judge(s))
			}
		}
	}
	for _, search := range []string{"grep -rn PATTERN .", "grep -rhF PATTERN .", "rg -uu PATTERN", "grep -r -e PATTERN .", "ag -u PATTERN", "git grep --no-index --no-exclude-standard PATTERN"} {
		if all := strings.ReplaceAll(search, "PATTERN", `""`); judge(all) < tool.Ask {
			t.Errorf("%s is %s", all, judge(all))
		}
		for _, nothing := range []string{`"$(find build -name none)"`, `"$(basename "$(find build -name none)" .js)"`, `"$UNSET"`, `"$(realpath build/none)"`, `"^$UNSET"`, `"$(git tag | tail -1).*"`, `"${UNSET:+x}"`} {
			if s := strings.ReplaceAll(search, "PATTERN", nothing); judge(s) < tool.Ask {
				t.Errorf("%s is %s", s, judge(s))
			}
		}
		if s := strings.ReplaceAll(search, "PATTERN", "main"); judge(s) > tool.Pass && !strings.Contains(s, "-e") { // of which an operand counts as a pattern too
			t.Errorf("%s is %s", s, judge(s))
		}
	}
}

// vanishing are commands that take the directory they run in, or all there is, if no path is given.
var vanishing = []string{
	"find build -type f -delete", "find build -name x -delete", "grep -rn KEY build", "rg -uu KEY build", "git clean -fdx build", "git checkout -f build", "git stash drop build", "git restore --staged build",
	"terraform destroy -auto-approve build", "docker compose down -v build", "docker volume prune -f build", "kubectl delete pods --all build", "git push --force origin main", "env build",
}
