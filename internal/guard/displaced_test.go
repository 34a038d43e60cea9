package guard_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestFilesOfTheNameThere has a real shell move and copy files into a directory where others of their names are.
func TestFilesOfTheNameThere(t *testing.T) {
	l := newLossy(t, `git init -q -b main .; printf 'build/\n' >.gitignore; mkdir -p data/sub clean/sub build/sub same/sub other/sub new/er
for d in data clean build same other; do for n in 1 2; do echo $d $n >$d/$n.csv; echo $d sub $n >$d/sub/$n.csv; done; done; cp same/*.csv same/sub; rm other/1.csv other/2.csv; echo 1 >build/sub/1.csv; git add clean; git commit -qm one`)
	losing := []string{
		"mv DIR/sub/*.csv DIR/", "mv DIR/sub/*.csv DIR/ && rmdir DIR/sub", "mv DIR/*.csv DIR/sub", "find DIR -mindepth 2 -type f -exec mv {} DIR/ \\;", "find DIR/sub -type f -exec mv -t DIR {} +", "cd DIR/sub && mv * ..", "cp DIR/sub/* DIR", "cp -f DIR/sub/* DIR/", `for f in DIR/*/*; do cp "$f" DIR/; done`, `for f in DIR/sub/*; do mv "$f" DIR; done`,
		"find DIR/sub -type f -exec cp {} DIR \\;", "find DIR/sub -name '*.csv' | xargs -I{} cp {} DIR/", "cp -r DIR/sub/* DIR/", `ls DIR/sub/*.csv | while read -r f; do mv "$f" DIR/; done`, "install -m 644 DIR/sub/*.csv DIR", "cd DIR; mv sub/* .", "cp -t DIR DIR/sub/*", "ln -sf $PWD/DIR/sub/* DIR/", "cp -u DIR/sub/[12].csv DIR/", "cp DIR/sub/?.csv DIR/", "mkdir -p DIR; cp DIR/sub/* DIR/",
	}
	for _, script := range losing {
		here := strings.ReplaceAll(script, "DIR", "data")
		if len(l.loses("touch data/sub/*; "+here)) == 0 {
			t.Errorf("%s: nothing is lost", here)
		}
		if asks, why := l.asks(here); !asks || !strings.Contains(why, "Deletes") {
			t.Errorf("%s: nobody is asked: %s", here, why)
		}
		for _, dir := range []string{"clean", "build", "same", "other"} { // git has it, builds make it, it is the same, nothing is there
			here := strings.ReplaceAll(script, "DIR", dir)
			if asks, why := l.asks(here); asks && strings.Contains(why, "Deletes") && !(dir == "other" && strings.Contains(script, "mv DIR/*.csv DIR/sub")) && !(dir == "clean" && strings.HasPrefix(script, "ln ")) {
				t.Errorf("%s: %s", here, why)
			}
		}
	}
	for _, dir := range []string{"data", "clean", "new/er"} { // that the new files can be made again says nothing about the old ones
		for _, script := range []string{"cp build/sub/* ", "cp -r build/. ", "cp -r build/* ", "mv build/sub/* ", "cd build && cp -r * ../", "find build/sub -type f -print0 | xargs -0 cp -t ", "install -m 644 build/sub/* "} {
			lost := len(l.loses(script+dir)) > 0
			if asks, why := l.asks(script + dir); asks != lost {
				t.Errorf("%s: asked: %t (%s), lost: %t", script+dir, asks, why, lost)
			}
		}
	}
	for _, script := range []string{
		"cp -n data/sub/* data/", "mv -n data/sub/* data/", "cp -b data/sub/* data/", "cp --backup=numbered data/sub/* data/", "cp data/sub/*.txt data/", "mkdir -p archive; mv data/*.csv archive/", "cp data/*.csv new/", "cp -r data new/", "mv data/*.csv new/er", "ln -s $PWD/data/sub/* data/", "cp data/sub/* build/", "mkdir old; mv data/*.csv old/; mv data/sub/*.csv data/", "git mv clean/sub/*.csv clean/",
		"cp data/sub/1.csv data/", "mv data/sub/1.csv data/", "cp data/sub/1.csv data/sub/2.csv data", "for n in 1 2; do cp data/sub/$n.csv data/; done", "install -b data/sub/* data/",
	} {
		if asks, why := l.asks(script); asks {
			t.Errorf("%s: %s", script, why)
		}
	}
}

// TestTreesOverTrees has real programs copy a directory over another one that has files of the same names at some level.
func TestTreesOverTrees(t *testing.T) {
	runsPrograms(t)
	_, missing := exec.LookPath("rsync")
	l := newLossy(t, `git init -q -b main .; printf 'build/\n' >.gitignore; for d in data clean edited build same other; do mkdir -p $d/x/y $d/z from/$d/x/y; echo $d 1 >$d/1.csv; echo $d 2 >$d/x/y/2.csv; echo new $d 1 >from/$d/1.csv; echo new $d 2 >from/$d/x/y/2.csv; done
rm -r from/same other; mkdir -p other/x/y; echo other >other/x/y/3.csv; cp -r same from/; git add clean edited; git commit -qm one; echo edited >>edited/x/y/2.csv`)
	for n, script := range []string{
		"cp -r from/DIR/. DIR/", "cp -r from/DIR .", "cp -R from/DIR/* DIR", "cp -a from/* .", "cp -rT from/DIR DIR", "cp -rt . from/DIR", "cd from && cp -r DIR ..", "cd from/DIR && cp -r . ../../DIR", `cp -r "$PWD/from/DIR/." DIR`, "cp -r from/DIR/x DIR/", "cp -r from/DIR/[x-z] DIR/", "for d in from/DIR; do cp -r $d .; done", `for d in from/*/; do cp -r "$d" .; done`, "cp -rf from/DIR DIR/x from/DIR/x DIR",
		"rsync -a from/DIR/ DIR/", "rsync -a from/DIR/x DIR", "rsync -r --exclude 1.csv from/DIR/ DIR", "rsync -av from/DIR/* DIR/", "rsync -a --delete-after from/DIR/x/ DIR/x", "rsync -r --include '*.csv' from/DIR/ DIR", "rsync -r --include='*/' --include='*.csv' --exclude='*' from/DIR/ DIR", "rsync -au --exclude=/z/ from/DIR/ DIR",
	} {
		for i, dir := range []string{"data", "edited", "clean", "build", "same", "other"} {
			if leftOut(n + i) {
				continue
			}
			here := strings.ReplaceAll(script, "DIR", dir)
			lost := dir == "data" || dir == "edited"
			if missing == nil || !strings.HasPrefix(script, "rsync") {
				lost = len(l.loses("find from -exec touch {} +; "+here)) > 0 && (dir != "build" || strings.Contains(script, "from/*"))
			}
			if asks, why := l.asks(here); asks != lost && !strings.Contains(script, "--delete") || lost && !strings.Contains(why, "Deletes") && !strings.Contains(why, "Discards") {
				t.Errorf("%s: asked: %t (%s), lost: %t", here, asks, why, lost)
			}
		}
	}
	for _, script := range []string{
		"cp -rn from/data/. data/", "cp -r --backup=numbered from/data/. data/", "cp -r from/data new", "cp -r from/data from/clean new/", "cp -r data data.bak", "rsync -a from/data/ new/", "rsync -a --ignore-existing from/data/ data/", "rsync -ab from/data/ data/", "rsync -an from/data/ data/", "rsync -a from/data/ data/ --exclude '*.csv'", "rsync -a from/data data", "rsync -a --backup-dir=$PWD/old from/data/ data/",
		"cp from/data/1.csv data/1.csv", "rsync from/data/1.csv data/", "mv data data.old; cp -r from/data .", "cp -r clean from/data",
	} {
		if asks, why := l.asks(script); asks {
			t.Errorf("%s: %s", script, why)
		}
	}
}
