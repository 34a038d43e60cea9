package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/config"
	"longline/internal/tool"
)

// TestScratchInTexts runs scripts whose text is made of the path of a temporary file, in a real shell in which nothing is deleted. Where
// something else would be, whatever TMPDIR is and whether a file can be made or not, the script must not be allowed.
func TestScratchInTexts(t *testing.T) {
	runsPrograms(t)
	makers := []string{`d=$(mktemp -d) && `, `d=$(mktemp -d); `, `d=$(mktemp) || exit 1; `, `d="$(mktemp -d -t x.XXXXXX)"; `, `d=$(mktemp -d /tmp/xyz.XXXXXX); `, `d=$(mktemp -d -t 'a b.XXXXXX'); `, `d=$(mktemp -d -t 'a;b.XXXXXX') && `, `d=$(mktemp -d; mktemp -d); `, `d=$(mktemp -d)/x; `, `d=$(mktemp -d)" src"; `, `d=$(mktemp -d)'/$(rm src)'; `, `d=/tmp/tmp.XXXXXXXXXX; `, `d=$(mktemp -d | sed 's,$, src,'); `, `d=$(mktemp -d); d=${d#/tmp}; `, `d=$(mktemp -d); d=${d%/*}; `, `d=$(echo "$(mktemp -d)" src); `}
	texts := []string{`rm -rf $d`, `rm -rf '$d'`, `rm -rf \"$d\"`, `rm -f $d; rm -f ${d}.bak`, `rm -rf $d/*`, `rm -rf '$d'/*`, `cd $d; rm -rf src`, `cd '$d' && rm -rf src`, `rm -rf $d src`, `rm -rf src$d`, `rm -rf $d/../src ../proj/src`, `rm -rf .$d`, `rm -rf {src,$d}`, `[ -d $d ] && rm -rf $d || true`, `test -n '$d' && rm -rf '$d'`, `cp -r src $d; rm -rf $d`}
	ways := []string{`trap "%s" EXIT`, `trap "%s" EXIT INT TERM; true`, `bash -c "%s"`, `sh -c "%s"`}
	root := t.TempDir()
	project, stubs := filepath.Join(root, "proj"), filepath.Join(root, "stubs")
	for name, text := range map[string]string{
		"proj/src/f": "f", "stubs/cp": "#!/bin/sh\n", "a b/f": "", "x;y/f": "", "a/f": "", "plain/f": "",
		"stubs/mktemp": "#!/bin/sh\np=$(/usr/bin/mktemp \"$@\" 2>/dev/null || /bin/mktemp \"$@\") || exit\nprintf '%s\\n' \"$p\" >> '" + root + "/made'\nprintf '%s\\n' \"$p\"\n",
		"stubs/rm":     "#!/bin/sh\nfor a; do case $a in -*|/tmp/tmp.*|/tmp/x.*|/tmp/xyz.*|/tmp/a?b.*|*/plain/*) ;; *) if [ -e \"$a\" ]; then echo LOST >&2; fi ;; esac; done\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		made, _ := os.ReadFile(filepath.Join(root, "made"))
		for path := range strings.Lines(string(made)) {
			_ = os.RemoveAll(strings.TrimSpace(path))
		}
	})
	var scripts []string
	for _, maker := range makers {
		for _, text := range texts {
			for _, way := range ways {
				scripts = append(scripts, maker+sprintf(way, text))
			}
		}
	}
	g := builtin(t)
	losing, quiet := 0, 0
	for k, dir := range []string{"", root + "/plain", root + "/a b", root + "/x;y", root + "/none"} {
		env := config.Env{"SHELL=/bin/bash"}
		if dir != "" {
			env = append(env, "TMPDIR="+dir)
		}
		w := config.World(env, config.Site{Project: project}, root)
		var some []string
		for i, script := range scripts {
			if sampled() && (i+k)%5 != 0 {
				continue
			}
			if (i+k)%3 == 0 || dir == "" {
				some = append(some, script)
			}
		}
		for i, lost := range losersWith(t, project, append(env, "HOME="+root, "PATH="+stubs+":/usr/bin:/bin"), some) {
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: some[i], Shell: true, Edits: true, Attended: true}, w)
			switch asks := v.Decision >= tool.Ask; {
			case lost && !asks:
				t.Errorf("%s deletes something with TMPDIR=%q, and is allowed", some[i], dir)
			case lost:
				losing++
			case !asks:
				quiet++
			case dir == "" && strings.HasPrefix(some[i], makers[0]) && strings.Contains(v.Reason, "at run time") && !strings.Contains(some[i], "src$d") && !strings.Contains(some[i], ".$d"):
				t.Errorf("%s: %s", some[i], v.Reason)
			}
		}
	}
	if (losing < 300 || quiet < 300) && !sampled() {
		t.Errorf("%d delete something, %d are allowed", losing, quiet)
	}
}

// losersWith says which of some scripts say that they delete something, each run in a shell of its own.
func losersWith(t *testing.T, dir string, env, scripts []string) []bool {
	t.Helper()
	lost := make([]bool, len(scripts))
	for i, script := range scripts {
		cmd := exec.CommandContext(t.Context(), "/bin/bash", "-c", script)
		cmd.Dir, cmd.Env = dir, env
		out, _ := cmd.CombinedOutput()
		lost[i] = strings.Contains(string(out), "LOST")
	}
	return lost
}
