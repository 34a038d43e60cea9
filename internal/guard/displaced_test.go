package guard_test

import (
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
	for _, script := range []string{
		"cp -n data/sub/* data/", "mv -n data/sub/* data/", "cp -b data/sub/* data/", "cp --backup=numbered data/sub/* data/", "cp data/sub/*.txt data/", "mkdir -p archive; mv data/*.csv archive/", "cp data/*.csv new/", "cp -r data new/", "mv data/*.csv new/er", "cp build/sub/* data/", "ln -s $PWD/data/sub/* data/", "cp data/sub/* build/", "mkdir old; mv data/*.csv old/; mv data/sub/*.csv data/", "git mv clean/sub/*.csv clean/",
		"cp data/sub/1.csv data/", "mv data/sub/1.csv data/", "cp data/sub/1.csv data/sub/2.csv data", "for n in 1 2; do cp data/sub/$n.csv data/; done", "install -b data/sub/* data/",
	} {
		if asks, why := l.asks(script); asks {
			t.Errorf("%s: %s", script, why)
		}
	}
}
