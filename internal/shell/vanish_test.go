package shell

import (
	"strings"
	"testing"
)

// What a substitution, a line that is read or a parameter is that turns out to be nothing: programs that find nothing to
// print, by all ways that lead to a command which is something else then.
func TestNothingAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	var list []string
	for i, by := range nothingBy {
		for j, way := range nothingWays {
			for k, end := range nothingEnds {
				if (i*5+j*3+k)%nothingEvery != 0 {
					continue
				}
				list = append(list, strings.ReplaceAll(strings.ReplaceAll(way, "END", end), "NOTHING", by))
			}
		}
	}
	agree(t, list, true, "bash", "zsh")
}

// nothingEvery is which part of all combinations is tried.
const nothingEvery = 11

var nothingBy = []string{
	"find build -name none", "find build -mindepth 5 -type d", "ls -d build/q*/", "grep -rl none build", "realpath -e none", "readlink -f build/x/y", "mktemp -d -t foo",
	"git ls-files none", "cat build/none", "ls build/a", "find build -name none | head -1", "find build -name none | sort -u", "true", "basename ''", "dirname", "ls build/a | tail -n 1",
	"find build -type f -print -quit", "command -v none",
	"ls -d build/*/", "find build -mindepth 1 -maxdepth 1", "echo src", // these print something
}

var nothingWays = []string{
	"d=$(NOTHING); END", `read -r d < <(NOTHING); END`, `read -r d <<< "$(NOTHING)"; END`, "NOTHING | { read -r d; END; }", "NOTHING | while read -r d; do END; done",
	`while read -r d; do END; done <<< "$(NOTHING)"`, "while IFS= read -r d; do END; done < <(NOTHING)", `echo "$(NOTHING)" | while read -r d; do END; done`,
	`x=$(NOTHING); printf '%s\n' "$x" | while read -r d; do END; done`, `sort -u <<< "$(NOTHING)" | while read -r d; do END; done`, `for d in "$(NOTHING)"; do END; done`,
	"for d in $(NOTHING); do END; done; END", `f() { d=$1; END; }; f "$(NOTHING)"`, "f() { d=$1; END; }; f $(NOTHING)", "set -- $(NOTHING); d=$1; END", "a=($(NOTHING)); d=${a[0]}; END",
	`a=("$(NOTHING)"); d=${a[@]}; END`, "mapfile -t a < <(NOTHING); d=${a[0]}; END", "NOTHING > list; d=$(cat list); END", "NOTHING > list; while read -r d; do END; done < list; END",
	"d=x; read -r d < <(NOTHING) || { END; }", "if read -r d < <(NOTHING); then END; else END; fi", "{ read -r e; read -r d; } < <(NOTHING); END", `d="$(NOTHING)"; d=${d%/}; END`,
	`echo "$(NOTHING)" > list; while read -r d; do END; done < list`, `IFS=: read -r d e <<< "$(NOTHING)"; END`, "d=$(NOTHING | sed 's|/$||'); END", "d=$(NOTHING) || true; END", "d=$(NOTHING); e=$d; d=$e; END",
	`while read -r d; do :; done < <(NOTHING); END`, "NOTHING | while read -r -n 1 d; do END; done", "NOTHING | while read -r -d / d; do END; done", "NOTHING | while read -r -N 2 d; do END; done", "NOTHING | while read -re d; do END; done", "NOTHING | { read -r -t 0 d; END; }", "cat <<E | while read -r d; do END; done\n$(NOTHING)\nE", `d=src; d=$(NOTHING)$d; END`,
}

var nothingEnds = []string{
	`rm "$d"/x`, "rm $d/x", `rm "$d"`, "rm $d", `rm -- "$d$HOME"`, `cd "$d" && rm x`, `(cd "$d"; rm x)`, "cd $d && rm x", `pushd "$d" && rm x`, "pushd $d && rm x", `rm "${d:-.}/x"`, `rm "${d%/*}/x"`,
	`[ -n "$d" ] && rm "$d/x"`, `rm "$(dirname "$d")/x"`, `cd -- "$d/.." && rm x`, `[ -z "$d" ] || rm "$d"/x`, `case $d in '') rm e;; *) rm "$d";; esac`, `cd "$d" || exit; rm x`, `cd "$d"/ && rm x`, `rm x "$d"/../x`,
	`[ -d "$d" ] && rm "$d"/x || rm "n$d"`, `[[ -n $d ]] && rm "$d"/x`, `test -z "$d" && rm "e$d/x"`, `[ "$d" ] || rm "$d"/x`, `if [[ ! -z "$d" ]]; then rm "$d"/x; else rm "e$d/x"; fi`, `! [ -n "$d" ] || rm "$d"/x`,
	`[ -n $d ] && rm "$d"/x`, `[ -n "$d" ]; rm "$d"/x`, `rm "${d:?}/x"`, `g() { [ -n "$1" ] || return; rm "$1"/x; }; g "$d"`, `[ -e "$d" ] || rm "$d"/x`,
	"rm ${d:+q} z", `rm "${d:+q}/z"`, "rm ${d:+$d/}z",
}
