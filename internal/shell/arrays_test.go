package shell

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestKeysAgree writes and reads elements of associative arrays with keys that are quoted in different ways, or have blanks beside them, and
// holds what the reader takes them for against what shells do.
func TestKeysAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	keys := []string{"k", `"k"`, "'k'", "$x", `"$x"`, `"${x}"`, `k""`, `"k"''`, " k ", "k ", " k", `\k`, "$'k'", `"$(echo k)"`, "$(echo k)", `"a b"`, `"$y"`, "$y", `"${x:-j}"`, `""`, "j"}
	var list []string
	for i, write := range keys {
		for j, read := range keys {
			list = append(list,
				"x=k y='a b'; declare -A m; m["+write+"]=v; rm \"${m["+read+"]}\" ${m["+read+"]:-none}",
				"x=k y='a b'; declare -A m=(["+write+"]=v [z]=w); rm \"${m["+read+"]}\"")
			switch (i + j) % 5 {
			case 0:
				list = append(list, "x=k y='a b'; declare -A m=([k]=u); m["+write+"]=v; m["+read+"]+=w; rm \"${m[k]}\" \"${#m[@]}\"")
			case 1:
				list = append(list, "x=k y='a b'; declare -A m=([k]=1); ((m["+write+"]++)); ((m["+read+"]+=2)); rm \"${m["+read+"]}\" \"${m[k]}\"")
			case 2:
				list = append(list, "x=k y='a b'; declare -A m=([k]=u); m["+write+"]=v; m+=(["+read+"]=w); rm \"${m[k]}\" \"${m["+read+"]}\"")
			case 3:
				list = append(list, "x=k y='a b'; declare -A m=([k]=u); m["+write+"]=v; unset 'm["+strings.ReplaceAll(read, "'", `'\''`)+"]'; rm \"${m[k]}\" \"${m["+write+"]}\"")
			case 4:
				list = append(list, "x=k y='a b'; declare -A m; m["+write+"]=v; [[ -n ${m["+read+"]} ]] && rm yes; [[ -v m["+read+"] ]] && rm set; rm \"$((m["+read+"]+1))\"")
			}
		}
	}
	agree(t, list, true, "bash", "zsh")
	agreeInBash(t, every(2, list))
	agree(t, every(7, list), false, "bash", "dash")
	t.Logf("%d scripts", len(list))
}

// agreeInBash is agree for scripts that only bash is to run.
func agreeInBash(t *testing.T, list []string) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, d := range []string{"src", "build/a"} {
		must(t, os.MkdirAll(filepath.Join(dir, d), 0o755))
	}
	w := &tool.World{Home: filepath.Dir(dir), Project: dir, ReadFile: os.ReadFile, Readlink: os.Readlink}
	lib := testLibrary(t)
	for i, calls := range ranBy(t, bash, nil, dir, list) {
		res := Resolve(list[i], dir, w, lib)
		for _, c := range calls {
			if !hasGap(res) && !seen(res, c) {
				t.Errorf("bash runs %.300q for %q, believed%s", c.argv, list[i], believed(res))
			}
		}
	}
}
