package guard_test

import (
	"os"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// TestSearchForNothing: a search for a word that may be empty finds all lines of a file of secrets.
func TestSearchForNothing(t *testing.T) {
	root := t.TempDir()
	project := filepath.Join(root, "proj")
	for name, text := range map[string]string{".env": "API_KEY=sk_live_0123456789abcdef\n", "src/a.txt": "x\n", "list.txt": "a b\n\nc\n"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(project, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(project, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	g := builtin(t)
	for script, asks := range map[string]bool{
		`git ls-files | xargs -n1 basename | cut -d. -f1 | while read -r n; do grep -rn "$n" .; done`: true,
		`awk '{print $2}' list.txt | while read -r n; do grep -rn "$n" .; done`:                       true,
		`while IFS=, read -r a b; do grep -rn "$b" .; done < list.txt`:                                true,
		`git log --format=%b | while read -r w; do grep -rn "$w" .; done`:                             true,
		`read -r w; grep -rn "$w" .`:                    true,
		`read -r; grep -rn "$REPLY" .`:                  true,
		`p=${PATTERN:-}; grep -rn "$p" .`:               true,
		`grep -rn "${PATTERN-}" .`:                      true,
		`pats=(TODO FIXME); grep -rn "${pats[2]}" .`:    true,
		`mapfile -t a < list.txt; grep -rn "${a[7]}" .`: true,
		`git ls-files | while read -r f; do m=${f##*/}; m=${m%%.*}; grep -rn "${m//-/_}" .; done`: true,
		`git ls-files | while read -r f; do m=${f##*/}; m=${m%%.*}; grep -rn "${m^}" .; done`:     true,
		`for f in $(git ls-files); do m=${f%%.*}; grep -rn "${m//\//.}" .; done`:                  true,
		`while IFS=, read -r a b; do grep -rn "${b//\"/}" .; done < list.txt`:                     true,
		`p=${PATTERN//./\\.}; grep -rn "$p" .`:                                                    true,
		`v=$(git tag | tail -1); grep -rn "${v:1}" .`:                                             true,
		`c=$(cat list.txt); grep -rn "${c//[a-z]/}" .`:                                            true,
		`f() { grep -rn "${*:2}" .; }; f a`:                                                       true,
		`f() { local m=${1//./\/}; grep -rn "$m" .; }; f`:                                         true,
		`q=$(printf '%s\n' "$NAME"); grep -rn "$q" .`:                                             true,
		`printf -v p %s "$nope"; grep -rn "$p" .`:                                                 true,
		`b=TODO export a; grep -rn "$b" .`:                                                        true,
		`getopts ab d x; grep -rn "$d" .`:                                                         true,
		`n=$(printf '%03d' 7); grep -rn "$n" .`:                                                   false,
		`for n in $(ls src); do grep -rn "$n" .; done`:                                            false,
		`ls src | while read -r n; do grep -rn "$n" .; done`:                                      false,
		`grep -rn "${PATTERN:-TODO}" .`:                                                           false,
		`while read -r n; do grep -rn "x$n" src; done < list.txt`:                                 false,
		`while read -r n; do echo "$n"; done < list.txt`:                                          false,
	} {
		for _, zsh := range []bool{false, true} {
			w := realDisk(g, root, project)
			w.Zsh = zsh
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
			if v.Decision >= tool.Ask != asks {
				t.Errorf("%s (zsh: %v): %v %s", script, zsh, v.Decision, v.Reason)
			}
		}
	}
}
