package guard_test

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestPatternsAboveLinks deletes by patterns, searches and loops whose first wildcard stands above a link as well as above what the link leads to. What lies
// behind the link is judged as what it is, and not as the output of a build that the link is called like. The answer is held against what is left.
func TestPatternsAboveLinks(t *testing.T) {
	runsPrograms(t)
	worlds := []map[string]string{
		{"docs/target": "-> ../data", "data/p": "text of p"},
		{"pkg/a/dist": "-> ../../data", "data/p": "text of p", "data/sub/q": "text of q"},
		{"ext/build": "-> ../src", "src/p": "text of p"},
		{"pkg/a/node_modules/b": "-> ../../b", "pkg/b/src/code": "text of code"},
		{"docs/target": "-> ../build/x", "build/x/o": ""},
		{"docs/see": "-> ../data", "data/p": "text of p", "a1/build/o": "", "a2/dist/o": ""},
	}
	for i := range worlds {
		for _, dir := range []string{"a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8", "a9"} {
			worlds[i][dir+"/kept"] = ""
		}
	}
	scripts := []string{
		`rm -rf */target/*`, `rm -rf */*/dist/*`, `rm -rf ./*/target/`, `rm -rf */target/p`, `rm -rf */build/*`, `for d in */target; do rm -rf $d/*; done`, `for d in */; do rm -rf "$d"target/*; done`, `for d in */; do rm -rf "$d"build/*; done`,
		`find . -name dist -exec sh -c 'rm -rf "$1"/*' _ {} \;`, `find . -name target | while read -r d; do rm -rf "$d"/*; done`, `for d in $(find . -name build); do rm -rf $d/*; done`, `find */target/ -type f -delete`, `find -L . -path '*/dist/*' -type f -delete`,
		`rm -rf pkg/*/node_modules/*/`, `for d in pkg/*/node_modules/*/; do rm -rf "$d"; done`, `rm -rf pkg/*/node_modules/*/src`, `rm -rf pkg/*/node_modules/*`, `rm -rf */node_modules`, `rm -rf */target`, `rm -rf */*/dist`, `a=(*/target/*); rm -rf "${a[@]}"`, `f() { rm -rf "$@"; }; f */build/*`, `bash -c 'rm -rf */target/*'`,
		`for d in */; do (cd "$d" && rm -rf build/*); done`, `for d in */; do (cd "$d" && rm -rf target/); done`, `for d in *; do [ -d "$d" ] && (cd "$d" && rm -rf target/* build/*); done`, `ls | while read -r d; do (cd "$d" && rm -rf target/*); done`, `for d in */; do (cd "$d" && find build/ -type f -delete); done`, `for d in */; do (cd "$d" && rm -rf build target); done`,
		`for d in */*/; do (cd "$d" && rm -rf dist/*); done`, `for d in a*/; do (cd "$d" && rm -rf build/* dist/*); done`,
	}
	shells, n := bothShells(), 0
	for _, held := range worlds {
		for _, script := range scripts {
			n++
			v, lost := moveFilesIn(t, held, script, shells[n%len(shells)], 0)
			switch asks := v.Decision >= tool.Ask; {
			case lost && !asks:
				t.Errorf("%v: %s: %s, but a file is lost", held, script, v.Decision)
			case asks && held["docs/see"] != "" && !strings.Contains(script, "-L"):
				t.Errorf("%v: %s: %s (%s), but the link leads to nothing that it deletes", held, script, v.Decision, v.Reason)
			}
		}
	}
}
