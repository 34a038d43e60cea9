package guard_test

import (
	"strings"
	"testing"
)

// TestOneTextLoses has a real shell put one text into all files that a pattern or a search finds, in each of several ways, where git has
// these files as they are and where it has not.
func TestOneTextLoses(t *testing.T) {
	each := []string{ // what runs a command, written as CMD, with "$f" for each file of a directory
		`for f in DIR/*; do CMD; done`, `for f in DIR/*.csv DIR/none*; do [ -f "$f" ] && CMD; done`, `find DIR -type f -exec sh -c 'f=$1; CMD' _ {} \;`, `find DIR -name '*.csv' -exec sh -c 'for f; do CMD; done' _ {} +`,
		`for f in $(find DIR -type f); do CMD; done`, `ls DIR/*.csv | xargs -n 1 sh -c 'f=$1; CMD' _`, `cd DIR; for f in *; do CMD; done`, `x() { f=$1; CMD; }; for g in DIR/*; do x "$g"; done`,
	}
	writes := map[string]bool{ // and whether nothing is left of the file
		`echo x > "$f"`: true, `echo x >| "$f"`: true, `echo x | tee "$f"`: true, `cat ~/tmpl > "$f"`: true, `cp ~/tmpl "$f"`: true, `{ echo x; echo y; } > "$f"`: true, `printf "%s\n" a b > "$f"`: true, `date > "$f"`: true,
		`tee "$f" < ~/tmpl`: true, `dd if=$HOME/tmpl of="$f"`: true, `install -m 644 ~/tmpl "$f"`: true, `wc -l "$f"; echo x > "$f"`: true, `sort "$f"; cp ~/tmpl "$f"`: true,
		`sed -i "c x" "$f"`: true, `sed -i "s/.*/x/" "$f"`: true, `perl -pi -e "s/^.*/x/" "$f"`: true, `sed -i.bak "c x" "$f"`: false, `sed -i "\$s/.*/&/" "$f"`: false, `sed -i "/none/c x" "$f"`: false,
		`echo x >> "$f.out"`: false, `sort "$f" > ~/s; cp ~/s "$f"`: false, `y=$(cat "$f"); echo "$y" > "$f"`: false, `sort -o "$f" "$f"`: false, `cat "$f" > "$f.out"`: false, `echo x > "$f.out"`: false, `echo "$f" > "$f.out"`: false,
		`sort "$f" | tee "$f.out"`: false, `printf "%s\n" "$(cat "$f")" > "$f"`: false, `touch "$f"`: false, `chmod 600 "$f"`: false, `wc -l "$f"`: false,
	}
	l := newLossy(t, `git init -q -b main .; mkdir clean data; for d in clean data; do for n in 1 2; do echo $d $n >$d/$n.csv; done; done; echo tmpl >../tmpl; git add clean; git commit -qm one`)
	losing := 0
	for _, run := range each {
		for write, loses := range writes {
			script := strings.NewReplacer("CMD", write, "DIR", "data").Replace(run)
			lost := len(l.loses(script)) > 0
			if lost {
				losing++
			}
			asks, why := l.asks(script)
			switch {
			case lost != loses:
				t.Errorf("%s: lost: %v", script, lost)
			case lost && !asks:
				t.Errorf("%s: nobody is asked", script)
			case !lost && asks && strings.Contains(why, "Deletes"):
				t.Errorf("%s: %s", script, why)
			}
			script = strings.ReplaceAll(script, "data", "clean")
			if asks, why := l.asks(script); asks && strings.Contains(why, "Deletes") {
				t.Errorf("%s: %s", script, why)
			}
		}
	}
	// What git is told of other files saves none of these.
	for _, before := range []string{"git add clean", "git commit -qm x clean", "git commit --allow-empty -qm x"} {
		script := before + `; for f in data/*; do echo x > "$f"; done`
		if asks, why := l.asks(script); !asks || !strings.Contains(why, "Deletes") {
			t.Errorf("%s: nobody is asked about the loss: %s", script, why)
		}
	}
	if losing < 50 {
		t.Errorf("only %d lose something", losing)
	}
}
