package guard_test

import (
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
		words := strings.Fields(script)
		for i := 1; i < len(words); i++ {
			less := strings.Join(slices.Delete(slices.Clone(words), i, i+1), " ")
			bare, _ := g.Judge(attended(less), world())
			switch {
			case bare.Decision < tool.Ask, strings.Contains(bare.Reason, "is missing"), strings.Contains(bare.Reason, "needs a value"):
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
	if tried < 1000 {
		t.Errorf("only %d tried", tried)
	}
}

// vanishing are commands that take the directory they run in, or all there is, if no path is given.
var vanishing = []string{
	"find build -type f -delete", "find build -name x -delete", "grep -rn KEY build", "rg -uu KEY build", "git clean -fdx build", "git checkout -f build", "git stash drop build", "git restore --staged build",
	"terraform destroy -auto-approve build", "docker compose down -v build", "docker volume prune -f build", "kubectl delete pods --all build", "git push --force origin main", "env build",
}
