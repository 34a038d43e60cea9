package shell

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// TestShellsAgree holds what the reader believes of a value against what every shell that may run the script
// makes of it. Where they differ, the value must stand for all of theirs.
func TestShellsAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("runs shells")
	}
	var list []string
	for _, setup := range agreeSetups {
		for _, word := range agreeWords {
			list = append(list, setup+"\nrm "+word)
		}
	}
	list = append(list, agreeScripts...)
	agree(t, list, true, "bash", "zsh")
	agree(t, list, false, "bash", "dash")
}

// agree has shells run scripts, each in a subshell, and looks whether the reader has seen what they run.
func agree(t *testing.T, list []string, zsh bool, shells ...string) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	for _, d := range []string{"src", "build/a"} {
		must(t, os.MkdirAll(filepath.Join(dir, d), 0o755))
	}
	w := &tool.World{Home: filepath.Dir(dir), Project: dir, Zsh: zsh, ReadFile: os.ReadFile, Readlink: os.Readlink}
	lib := testLibrary(t)
	for _, name := range shells {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		for i, calls := range ranBy(t, path, dir, list) {
			script := list[i]
			if !zsh {
				script = "sh -c '" + strings.ReplaceAll(script, "'", `'\''`) + "'"
			}
			res := Resolve(script, dir, w, lib)
			for _, c := range calls {
				if !hasGap(res) && !seen(res, c) {
					t.Errorf("%s runs %q for %q, believed%s", name, c.argv, list[i], believed(res))
				}
			}
		}
	}
}

func believed(res Result) string {
	var b strings.Builder
	for _, inv := range res.Invocations {
		if len(inv.Words) > 0 && inv.Words[0].Text == "rm" {
			for _, w := range inv.Words {
				fmt.Fprintf(&b, " %q/%d", w.Text, w.Reach)
			}
			b.WriteString(" in " + inv.Dir.Text + ";")
		}
	}
	return b.String()
}

// seen says whether an invocation is the one that a shell has run.
func seen(res Result, c call) bool {
	for _, inv := range res.Invocations {
		if len(inv.Words) > 0 && inv.Words[0].Text == "rm" && fitsDir(inv.Dir, c.dir) && agrees(inv.Words[1:], c.argv, inv.Loose > 0) {
			return true
		}
	}
	return false
}

// agrees is fits for values of which some may be nothing.
func agrees(words []command.Word, argv []string, loose bool) bool {
	if loose || fits(words, argv) {
		return true
	}
	if len(words) != len(argv) {
		return false
	}
	for i, w := range words {
		if !fitsOne(w, argv[i]) && !(w.Hollow && argv[i] == w.IfEmpty) && !(w.Glob && globFits(w, argv[i])) {
			return false
		}
	}
	return true
}

// ranBy has a shell run scripts and returns what each of them gave to rm.
func ranBy(t *testing.T, shell, dir string, list []string) [][]call {
	var b strings.Builder
	b.WriteString(`rm() { printf '%s\0' "$(($#+1))" "$PWD" "$@"; } 2>/dev/null` + "\n")
	for _, s := range list {
		b.WriteString("(eval '" + strings.ReplaceAll(s, "'", `'\''`) + "') 2>/dev/null </dev/null\n" + `printf 'end\0'` + "\n")
	}
	file := filepath.Join(dir, "..", "all.sh")
	must(t, os.WriteFile(file, []byte(b.String()), 0o644))
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Second)
	defer cancel()
	args := []string{file}
	if strings.HasSuffix(shell, "zsh") {
		args = []string{"-f", file}
	}
	cmd := exec.CommandContext(ctx, shell, args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + filepath.Dir(dir), "LC_ALL=C.UTF-8", "PWD=" + dir}
	out, err := cmd.Output()
	must(t, err)
	all := make([][]call, 0, len(list))
	var calls []call
	fields := bytes.Split(out, []byte{0})
	for len(fields) > 1 {
		head := string(fields[0])
		if head == "end" {
			all, calls, fields = append(all, calls), nil, fields[1:]
			continue
		}
		n, err := strconv.Atoi(head)
		if err != nil || n+1 > len(fields) {
			t.Fatalf("%s: damaged output %q", shell, fields)
		}
		c := call{dir: paths.Clean("/", string(fields[1]))}
		for _, f := range fields[2 : n+1] {
			c.argv = append(c.argv, string(f))
		}
		calls, fields = append(calls, c), fields[n+1:]
	}
	if len(all) != len(list) {
		t.Fatalf("%s: %d of %d scripts", shell, len(all), len(list))
	}
	return all
}

var agreeSetups = []string{
	"x=a/b/c", "x=", "unset x", "x='1 2'", "x='a*'", "x=aXb", "x=010",
}

var agreeWords = []string{
	"$x", `"$x"`, "${x////-}", "${x///-}", "${x//\\//-}", "${x/\\//-}", "${x////}", "${x///}", "${x/////-}", `"${x////-}"`,
	"${x/#/p}", "${x/%/p}", "${x/#a/p}", "${x/%c/p}", "${x//#a/p}", "${x/*/p}", "${x//*/p}", "${x//?/p}", `"${x/'/'/-}"`, `"${x/a/\q}"`, "${x/a/\\q}", `"${x//"/"/-}"`,
	"${x#<->}", "${x%%<1-3>}", "${x#*/}", "${x##*/}", "${x%/*}", "${x%%/*}", "${x#a}", "${x#\"a\"}", "${x#'a'}", `"${x#'a'}"`, "${x#[a-c]}", "${x#[!a]}", "${x#[^a]}", "${x%(b|c)}", "${x#a|b}", "${x#^a}", "${x#~a}",
	"${x:-d}", "${x-d}", "${x:+d}", "${x+d}", "${x:=d}", "${x:-{p,q}}", `"${x:-{p,q}}"`, "${x:-'d e'}", `"${x:-'d'}"`, "${x:-~}", `"${x:-~}"`, "${x:-\\~}", "${x:-a b}", `${x:-"a b"}`,
	"${x:0}", "${x:1}", "${x:1:2}", "${x: -1}", "${x:0:-1}", "${x:0:0}", "${x:$((1+1))}", "${x:7}", "${#x}", "${x^^}", "${x,,}", "${x^}", "${x@Q}", "${x@U}",
	"$((x))", "$((1+x))", "$((010))", "$((1<<1+1))", "$((6&3==3))", "$((1|2==2))", "$((2**3))", "$((7/2))", "$((-7/2))", "$((-7%3))", "$((5?1:2))", "$((1,2))", "$((10#08))", "$((0x1F))", "$((2#101))", "$((!0))", "$((~0))", "$((-2**2))", "$((2**3**2))", "$((1<2<3))", "$((1^3))", "$((3^1&1))", "$((1||0&&0))",
}

var agreeScripts = []string{}
