package guard_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/tool"
)

// TestNoRoom runs scripts in a real shell in which no temporary directory can be made and nothing is deleted: where something that is
// there would be, the script must not be allowed.
func TestNoRoom(t *testing.T) {
	makers := []string{
		`d=$(mktemp -d); %s`, `d="$(mktemp -d)"; %s`, "d=`mktemp -d`; %s", `d=$(mktemp -d 2>/dev/null); %s`, `d=$(mktemp -d -t x.XXXXXX); %s`, `d=$(mktemp -d || true); %s`, `readonly d=$(mktemp -d) && %s`, `export d=$(mktemp -d) && { %s; }`,
		`d=$(mktemp -d) && { %s; }`, `d=$(mktemp -d) && %s`, `d=$(mktemp -d 2>/dev/null) && { %s; }`, `if d=$(mktemp -d); then %s; fi`, `d=$(mktemp -d) || exit 1; %s`, `d=$(mktemp -d); [ -n "$d" ] || exit 1; %s`, `d=$(mktemp -d); [ -d "$d" ] && { %s; }`, `! d=$(mktemp -d) || { %s; }`,
		`mk() { mktemp -d; echo made >&2; }; d=$(mk) || exit 1; %s`, `mk() { local t; t=$(mktemp -d); echo "$t"; }; d=$(mk) || exit 1; %s`, `mk() { mktemp -d || true; }; d=$(mk) && { %s; }`, `t=$(mktemp -d); d=$(echo "$t") || exit 1; %s`, `d=$(echo "$(mktemp -d)") || exit 1; %s`, `d=$(eval "mktemp -d; true") || exit 1; %s`,
		`mktemp_() { mktemp "$@"; return 0; }; alias mktemp=mktemp_; d=$(mktemp_ -d) || exit 1; %s`,
	}
	uses := []string{
		`rm -rf "$d"/*`, `rm -rf $d/*`, `rm -rf "$d"/bin`, `cd "$d" && rm -rf *`, `cd $d && rm -rf *`, `cd "$d" && touch a && rm -rf ./*`, `cd "$d" && rm -rf src`, `(cd "$d" && rm -r src)`, `pushd "$d" >/dev/null && rm -rf src`, `cd "$d"; rm -rf src`,
		`rm -rf "$d"`, `rm -rf $d`, `trap 'rm -rf "$d"' EXIT`, `trap 'rm -rf $d' EXIT; cp src/f "$d"`, `cd "$d" && rm -rf none`, `cd "$d" && rm -rf node_modules`, `rm -rf "$d/none"`, `mkdir "$d/none"; rm -rf "$d/none"`, `cp src/f "$d"; rm -rf "$d"`, `touch "$d/none"; ls "$d"`,
	}
	root := t.TempDir()
	project := filepath.Join(root, "proj")
	for _, name := range []string{"src/f", "node_modules/m"} {
		if err := os.MkdirAll(filepath.Join(project, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(project, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const stubs = `mktemp() { return 1; }; touch() { :; }; mkdir() { :; }; cp() { :; }
rm() { for a; do case $a in -*|*node_modules) ;; *) if [ -e "$a" ]; then echo LOST; fi ;; esac; done; }; `
	g := builtin(t)
	w := realDisk(g, root, project)
	losing, quiet := 0, 0
	for _, maker := range makers {
		for _, use := range uses {
			script := sprintf(maker, use)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			cmd := exec.CommandContext(ctx, "/bin/bash", "-c", stubs+script)
			cmd.Dir, cmd.Env = project, []string{"HOME=" + project, "PATH=/usr/bin:/bin"}
			out, _ := cmd.CombinedOutput()
			cancel()
			lost := strings.Contains(string(out), "LOST")
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
			switch asks := v.Decision >= tool.Ask; {
			case lost && !asks:
				t.Errorf("%s: deletes something if there is no room, and is allowed", script)
			case lost:
				losing++
			case !asks:
				quiet++
			case strings.Contains(v.Reason, "temporary file can be made") && !strings.Contains(maker, "mktemp -d || true"):
				t.Errorf("%s: %s", script, v.Reason)
			}
		}
	}
	if losing < 40 || quiet < 100 {
		t.Errorf("%d delete something, %d are allowed", losing, quiet)
	}
}

// TestNoRoomStrict is TestNoRoom for shells that end where a command fails, or would if nothing looked at how it ends. The scripts run as
// clients run them.
func TestNoRoomStrict(t *testing.T) {
	runsPrograms(t)
	contexts := []string{
		`set -e; %s`, `set -eu; %s`, `set -o errexit; %s`, `set -e; { %s; }`, `set -e; if true; then %s; fi`, `set -e; f() { %s; }; f`, `set -e; (%s)`, `set -e; true && { %s; }`, `set -e; for i in 1; do %s; done`, `(set -e; %s)`, `set -e; case a in a) %s;; esac`, `f() { set -e; %s; }; f`, `trap : EXIT; set -e; %s`,
		`%s`, `set -e; set +e; %s`, `(set -e; true); %s`, `set -e | cat; %s`, `set -e; if { %s; }; then :; fi`, `set -e; { %s; } || true`, `set -e; { %s; } && true`, `set -e; ! { %s; }`, `set -e; f() { %s; }; f || true`, `set -e; f() { %s; }; if f; then :; fi`, `set -e; f() { %s; }; ! f`, `set -e; f() { %s; }; f && true || true`,
		`set -e; (%s) || true`, `set -e; while { %s; }; do break; done`, `set -e; until { %s; }; do break; done`, `set -e; { %s; } | cat`, `set -e; true | { %s; }`, `set -e; x=$(%s); echo "$x"`, `set -e; echo "$(%s)"`, `set -e; { %s; } & wait`, `f() { local -; set -e; }; f; %s`, `f() (set -e); f; %s`, `set -e +e; %s`, `false && set -e; %s`,
		`set -e; eval '%s'`, `set -e; eval '%s' || true`, `set -e; trap 'set +e' ERR; %s`, `set -e; f() { (%s); }; f || true`, `set -e; true && { %s; } || true`, `set -e; f() { if true; then %s; fi; }; g() { f; }; g || true`, `set +e; %s`, `set -e; x=1 && { %s; }`, `set -e; time { %s; }`,
		`f() { set -e; }; f; %s`, `f() { set +e; }; set -e; f; %s`, `set -e; f() { set +e; %s; }; f`, `if true; then set -e; fi; %s`, `if test -f none; then set -e; fi; %s`, `test -f none || set +e; %s`, `set -e; test -f none || set +e; %s`, `trap 'rm -rf "$d"/*' EXIT; set -e; %s`,
	}
	makers := []string{`d=$(mktemp -d)`, `d="$(mktemp -d)"`, `d=$(mktemp -d) || true`, `export d=$(mktemp -d)`, `readonly d=$(mktemp -d)`, `d=$(mktemp -d) e=$(true)`, `d=$(mktemp -d; true)`, `! d=$(mktemp -d)`, `d=$(mktemp -d) && true`, `d=$(mktemp -d | cat)`, `d=none; cd "$d" 2>/dev/null`, `mk() { local t; t=$(mktemp -d); echo "$t"; }; d=$(mk)`, `d=$(sh -c "mktemp -d; true")`, `d=$(mktemp -d || true); [ -n "$d" ]`}
	uses := []string{`rm -rf "$d"/*`, `rm -rf $d/bin`, `cd "$d"; rm -rf src`, `rm -rf "$d"`, `rm -rf src`}
	root := t.TempDir()
	project, stubs := filepath.Join(root, "proj"), filepath.Join(root, "stubs")
	for name, text := range map[string]string{
		"proj/src/f": "f", "stubs/mktemp": "#!/bin/sh\nexit 1\n",
		"stubs/rm": "#!/bin/sh\nfor a; do case $a in -*) ;; *) if [ -e \"$a\" ]; then echo LOST >&2; fi ;; esac; done\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	g := builtin(t)
	w := realDisk(g, root, project)
	quote := func(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
	losing, quiet := 0, 0
	for k, shell := range []string{"", "bash -c", "bash -ec", "sh -c", "zsh -c"} {
		if _, err := exec.LookPath(strings.Fields(shell + " sh")[0]); err != nil {
			continue
		}
		for i, context := range contexts {
			var scripts []string
			var simple []bool // a failure of the first command ends the shell
			for j := range len(makers) * len(uses) {
				maker, use := makers[j/len(uses)], uses[j%len(uses)]
				if (i+j+k)%11 == 0 && !leftOut(i+j) { // one of eleven, another one in each shell
					if script := sprintf(context, maker+"; "+use); shell == "" {
						scripts = append(scripts, script)
					} else {
						scripts = append(scripts, shell+" "+quote(script))
					}
					simple = append(simple, j/len(uses) < 2 && j%len(uses) < 4)
				}
			}
			lost := losers(t, project, stubs, scripts)
			for j, script := range scripts {
				v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
				switch asks := v.Decision >= tool.Ask; {
				case lost[j] && !asks:
					t.Errorf("%s: deletes something if there is no room, and is allowed", script)
				case lost[j]:
					losing++
				case !asks:
					quiet++
				case i < 13 && strings.HasPrefix(shell, "bash") && simple[j]:
					t.Errorf("%s: %s", script, v.Reason)
				}
			}
		}
	}
	if (losing < 300 || quiet < 150) && !sampled() {
		t.Errorf("%d delete something, %d are allowed", losing, quiet)
	}
}

// losers says which of some scripts delete something that is there. One process runs them all, each as a client would.
func losers(t *testing.T, dir, stubs string, scripts []string) []bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/bash", append([]string{"-c", `for s; do bash -c 'eval "$0" && pwd' "$s" 2>&1 </dev/null | grep -q LOST && echo 1 || echo 0; done`, "all"}, scripts...)...)
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + dir, "PATH=" + stubs + ":/usr/bin:/bin"}
	out, err := cmd.Output()
	answers := strings.Fields(string(out))
	if err != nil || len(answers) != len(scripts) {
		t.Fatal(err, len(answers))
	}
	lost := make([]bool, len(scripts))
	for i, answer := range answers {
		lost[i] = answer == "1"
	}
	return lost
}
