package guard_test

import (
	"strings"
	"testing"
)

// TestWhatTheScriptHasBrought has real shells put files into a directory and take them on from there by patterns, lists and with the directory,
// to where others of their names are, and where none are.
func TestWhatTheScriptHasBrought(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; mkdir from data clean edited other none; for n in 1 2; do for d in from data clean edited; do echo $d $n >$d/$n.csv; done; echo other >other/$n.md; done; mkdir from/sub; echo sub >from/sub/1.csv
git add clean edited; git commit -qm one; echo more >>edited/1.csv`)
	bringing := []string{
		"mkdir s && cp from/*.csv s/", "mkdir s && cp from/1.csv from/2.csv s/", "mkdir s && cp from/1.csv s", "mkdir s && mv from/*.csv s", "mkdir s && for n in 1 2; do echo x > s/$n.csv; done", `mkdir s && for f in from/*.csv; do sort "$f" > "s/${f##*/}"; done`, "mkdir s && echo x > s/1.csv", "mkdir s && find from -maxdepth 1 -type f -exec cp {} s/ \\;", "cp -r from s", "mv from s", "ln -s from s", "mkdir s; echo x | tee s/2.csv", "mkdir s; install -m 644 from/1.csv s/", "mkdir s; cp from/1.csv s/2.csv",
	}
	taking := []string{"cp s/* DIR/", "mv s/*.csv DIR", "cp -r s/. DIR/", "cp -r s/* DIR", `for f in s/*; do mv "$f" DIR/; done`, "find s/ -type f -exec cp {} DIR/ \\;", "cd s && cp *.csv ../DIR", "cp s/?.csv DIR"}
	shells, n := bothShells(), 0
	for _, bring := range bringing {
		for _, take := range taking {
			for _, dir := range []string{"data", "clean", "edited", "other", "none"} {
				if n++; n%7 != 0 && sampled() || n%3 != 0 && dir != "data" {
					continue
				}
				l.shell = shells[n%len(shells)]
				script := bring + "; " + strings.ReplaceAll(take, "DIR", dir)
				lost := len(l.loses(script)) > 0
				if asks, why := l.asks(script); asks != lost {
					t.Errorf("%s: %s: asked: %t (%s), lost: %t", l.shell, script, asks, why, lost)
				}
			}
		}
	}
	for _, script := range []string{
		"t=$(mktemp -d) && cp from/*.csv $t && cp $t/* data/; rm -r $t", `t=$(mktemp -d) && cp -r from/. "$t" && cp -r "$t"/. data/; rm -r "$t"`, `t=$(mktemp -d) && cp data/* "$t" && sed -i s/d/e/ "$t"/* && cp "$t"/* from/; rm -r "$t"`, "cp -r from s && echo x > s/9.csv && cp other/1.md data/9.csv; cp s/* clean/", "mkdir -p s/x && cp -r from s/x && cp -r s/x/from/* data/", "mkdir s && cp -r from s/ && find s -name '*.csv' -exec mv {} data/ \\;", "mkdir -p s/data && echo x > s/data/1.csv && cp -r s/data .", "mkdir -p s/data && echo x > s/data/1.csv && cp -r s/* .", "cp -r from s && cp -r s t && cp t/*.csv data/", "ln -s data l && cp from/*.csv l", "cd from && cp --parents *.csv ../data", "cp --parents from/*.csv data", "cd from && cp --parents *.csv ../clean", "ln -s data l && cp -r from/. l/",
		"cp -r data s && sed -i s/d/e/ data/* && cp s/* data/", "mkdir s && cp data/* s/ && cp s/* data/", `t=$(mktemp -d) && cp data/* "$t" && sed -i s/d/e/ data/1.csv; cp "$t"/* data/; rm -r "$t"`, `t=$(mktemp -d) && cp data/1.csv "$t" && mv "$t"/* none/; rm -r "$t"`, "cp -r from s && cp s/*.md data/", `t=$(mktemp -d) && cp -r data "$t" && cp -r "$t"/* . ; rm -r "$t"`, "ln -s other l && cp from/*.csv l", "mkdir s && cp from/*.csv s && mkdir t && mv s/* t/", "mkdir s && echo x > s/3.csv && mv s/* data/", "mkdir old && mv data/* old/ && cp -r from s && mv s/*.csv data/",
	} {
		for _, shell := range bothShells() {
			l.shell = shell
			lost := len(l.loses(script)) > 0
			if asks, why := l.asks(script); asks != lost {
				t.Errorf("%s: %s: asked: %t (%s), lost: %t", shell, script, asks, why, lost)
			}
		}
	}
}
