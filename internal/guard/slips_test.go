package guard_test

import (
	"strings"
	"testing"
)

// TestDestinationsThatVanish has a real shell run programs with a word for the destination that turns out to be none, so that another word
// takes its place.
func TestDestinationsThatVanish(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; printf 'build/\n' >.gitignore; mkdir archive; for d in data clean build; do mkdir -p $d; for n in 1 2; do echo $d $n >$d/$n.log; done; done; git add clean; git commit -qm one`)
	for _, script := range []string{
		`d=$(find . -name NAME -type d | head -1); mv DIR/*.log $d`, `d=$(find . -name NAME); mv DIR/1.log DIR/2.log $d`, `cp DIR/*.log $(find . -type d -name NAME)`, `cp DIR/1.log DIR/2.log $(find . -type d -name NAME)`, `mv $(ls DIR/*.log) $(find . -type d -name NAME)`, `install -m 644 DIR/1.log DIR/2.log $(find . -type d -name NAME)`,
		`d=$(ls -d NAME* 2>/dev/null); cp DIR/1.log DIR/2.log $d`, `o=$(find . -name NAME.tgz); tar czf $o DIR/1.log DIR/2.log`, `o=$(find . -name NAME.txt); sort -o $o DIR/1.log DIR/2.log`, `d=$(git ls-files NAME | head -1); cp DIR/* $d`, `for d in "$(find . -name NAME)"; do cp DIR/*.log $d; done`,
	} {
		for _, dir := range []string{"data", "clean", "build"} {
			here := strings.NewReplacer("NAME", "nosuch", "DIR", dir).Replace(script)
			lost := len(l.loses(here)) > 0 && dir != "build"
			if asks, why := l.asks(here); asks != lost {
				t.Errorf("%s: asked: %t (%s), lost: %t", here, asks, why, lost)
			}
		}
		there := strings.NewReplacer("NAME", "archive", "DIR", "data").Replace(script)
		if asks, why := l.asks(there); asks && strings.Contains(there, "-type d") {
			t.Errorf("%s: %s", there, why)
		}
	}
	for _, script := range []string{
		`cp data/1.log "$(find . -name nosuch)"`, `cp data/*.log archive $(find . -name nosuch)`, `mkdir -p old; mv data/*.log old $(find . -name nosuch)`, `cat data/*.log $(find . -name nosuch)`, `sort data/1.log data/2.log $(find . -name nosuch)`, `d=archive; mv data/*.log $d`, `wc -l data/*.log $(git ls-files nosuch)`, `sort -o new.log data/1.log data/2.log $(find . -name nosuch)`, `sort -o data/1.log data/2.log $(find . -name nosuch)`, `cp $(find . -name nosuch) data/1.log archive/`, `tmp=$(mktemp -d); cp data/1.log data/2.log $tmp`,
	} {
		if asks, why := l.asks(script); asks {
			t.Errorf("%s: %s", script, why)
		}
	}
}
