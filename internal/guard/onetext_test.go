package guard_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestOneTextLoses has a real shell put one text into all files that a pattern or a search finds, in each of several ways, where git has
// these files as they are and where it has not.
func TestOneTextLoses(t *testing.T) {
	runsPrograms(t)
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
	for i, run := range each {
		k := i
		for write, loses := range writes {
			if k++; leftOut(k) {
				continue
			}
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
	if losing < 50 && !sampled() {
		t.Errorf("only %d lose something", losing)
	}
}

// TestTextOfNames has a real shell overwrite all files of a directory with what does not come from them: a file that the script made before,
// a date, their names. Where something of what they hold goes into it, they are edited.
func TestTextOfNames(t *testing.T) {
	l := newLossy(t, `git init -q -b main .; printf 'build/\n' >.gitignore; mkdir -p data/sub clean build src; for d in clean data data/sub build; do for n in 1 2; do echo $d $n >$d/$n.csv; done; done; echo 'print(1)' >src/main.py; echo one >one.txt; git add clean src; git commit -qm one`)
	losing := []string{
		`echo hdr > t.txt; for f in DIR/*.csv; do cp t.txt "$f"; done`, `printf 'a\n' > t; for f in DIR/*.csv; do cat t > "$f"; done`, `tmp=$(mktemp); echo header > "$tmp"; for f in DIR/*.csv; do cp "$tmp" "$f"; done`, `find DIR -type f -exec cp src/main.py {} \; ; cp one.txt src/main.py`, "cat > t.txt <<'E'\nx\nE\nfor f in DIR/*.csv; do cp t.txt \"$f\"; done",
		`for f in DIR/*.csv; do echo x > t; mv t "$f"; done`, `x=$(date); for f in DIR/*.csv; do echo "$x" > "$f"; done`, `x=$(cat one.txt); for f in DIR/*.csv; do printf '%s\n' "$x" > "$f"; done`, `x=$(git rev-parse HEAD); for f in DIR/*.csv; do echo "$x" > "$f"; done`, `find DIR -type f -exec sh -c 'echo "$(date)" > "$1"' _ {} \;`, `for f in DIR/*.csv; do echo $$ > "$f"; done`,
		`for f in DIR/*.csv; do echo "# $(basename "$f" .csv)" > "$f"; done`, `for f in DIR/*.csv; do n=$(basename "$f" .csv); echo "# $n" > "$f"; done`, `for f in DIR/*.csv; do n=${f%.csv}; echo "# $n" > "$f"; done`, `for f in DIR/*.csv; do echo "file: $f" > "$f"; done`, `find DIR -name '*.csv' -exec sh -c 'echo "# $1" > "$1"' _ {} \;`, `for d in DIR/; do for f in "$d"*.csv; do echo "$d" > "$f"; done; done`,
		`for f in DIR/*.csv; do python3 src/main.py > "$f"; done`, `grep -rn TODO src; for f in DIR/*.csv; do date > "$f"; done`, `for f in DIR/*.csv; do wc -l "$f"; date > "$f"; done`, `for f in DIR/*.csv; do grep -q DIR "$f" && date > "$f"; done`, `ls DIR/*.csv | xargs -n1 cp one.txt`,
	}
	editing := []string{
		`for f in DIR/*.csv; do sed s/q/r/ "$f" > t && mv t "$f"; done`, `for f in DIR/*.csv; do grep -v q "$f" > t; mv t "$f"; done`, `for f in DIR/*.csv; do tmp=$(mktemp); sed s/q/r/ "$f" > "$tmp" && mv "$tmp" "$f"; done`, `t=$(mktemp); for f in DIR/*.csv; do sort "$f" > "$t"; cat "$t" > "$f"; done`, `for f in DIR/*.csv; do cp "$f" t; sed -i s/q/r/ t; cat t > "$f"; done`,
		`for f in DIR/*.csv; do (echo hdr; cat "$f") > t; mv t "$f"; done`, `for f in DIR/*.csv; do { echo "# $f"; cat "$f"; } > t && mv t "$f"; done`, `for f in DIR/*.csv; do echo "$(cat one.txt; cat "$f")" > "$f"; done`, `for f in DIR/*.csv; do x=$(sort "$f"); { echo hdr; echo "$x"; } > "$f"; done`, `for f in DIR/*.csv; do { sort; } < "$f" > t; cp t "$f"; done`, `for f in DIR/*.csv; do IFS= read -r c < "$f"; echo "$c" > "$f"; done`,
		`for f in DIR/*.csv; do sort "$f" > "$f.tmp" && mv "$f.tmp" "$f"; done`, `find DIR -name '*.csv' -exec sh -c 'sed s/q/r/ "$1" > t && mv t "$1"' _ {} \;`, `find DIR -name '*.csv' -exec sh -c 'x=$(sed s/q/r/ "$1"); printf "%s\n" "$x" > "$1"' _ {} \;`, `ls DIR/*.csv | while read -r f; do sed s/q/r/ "$f" > t; mv t "$f"; done`,
		`for f in DIR/*.csv; do echo "$f" > "$f.meta"; done`, `for f in DIR/*.csv; do wc -c "$f" > "$f.size"; done`, `for f in DIR/*.csv; do echo "# $f" >> "$f"; done`, `mkdir -p gen/DIR; for f in DIR/*.csv; do echo "$f" > "gen/$f"; done`, `x=$(date); echo "$x" > one.md`, `date > "DIR/run-$(date +%s).log"`, `for f in DIR/*.csv; do python3 src/main.py "$f" > "$f.out"; done`,
	}
	for _, script := range append(losing, editing...) {
		loses := slices.Contains(losing, script)
		here := strings.ReplaceAll(script, "DIR", "data")
		if loses && len(l.loses(here)) == 0 { // what is edited is another text as well
			t.Errorf("%s: nothing is lost", here)
		}
		if asks, why := l.asks(here); asks != loses || loses && !strings.Contains(why, "Deletes") {
			t.Errorf("%s: asks: %v: %s", here, asks, why)
		}
		for _, dir := range []string{"clean", "build"} { // git has it, or a build makes it
			here := strings.ReplaceAll(script, "DIR", dir)
			if asks, why := l.asks(here); asks {
				t.Errorf("%s: %s", here, why)
			}
		}
	}
}

// TestOneTextThroughLinks has a real shell write through links that a pattern or a search meets.
func TestOneTextThroughLinks(t *testing.T) {
	l := newLossy(t, `git init -q -b main .; printf 'build/\n' >.gitignore; mkdir -p clean data build to/data to/clean to/build one; for d in clean data build; do echo $d >$d/a.csv; for n in a b; do ln -s ../../$d/a.csv to/$d/$n.csv; done; ln -s ../../$d to/$d/dir; done; echo one >one.txt; ln -s none one/dangling; ln -s .. one/up; git add clean one.txt; git commit -qm one`)
	for script, loses := range map[string]bool{
		`for f in to/DIR/*.csv; do echo x > "$f"; done`: true, `for f in to/DIR/*/*; do echo x > "$f"; done`: true, `for f in to/*/dir/*.csv; do case $f in *DIR*) echo x > "$f";; esac; done`: true, `for d in to/DIR/*/; do cp one.txt "$d/a.csv"; done`: true, `find -L to/DIR -name '*.csv' -exec cp one.txt {} \;`: true, `find -L to/DIR -type f -exec cp one.txt {} \;`: true,
		`find to/DIR/dir/ -type f -exec cp one.txt {} \;`: true, `find DIR/ -type f -exec cp one.txt {} \;`: true, `find to/DIR -name '*.csv' -exec cp one.txt {} \;`: true, `tee to/DIR/*.csv < one.txt`: true, `for f in one/*; do echo x > "$f"; done`: false, `find to/DIR -name '*.csv' -exec sed -i s/q/r/ {} +`: false,
	} {
		here := strings.ReplaceAll(script, "DIR", "data")
		if lost := len(l.loses(here)) > 0; lost != loses {
			t.Errorf("%s: lost: %v", here, lost)
		}
		if asks, why := l.asks(here); loses && !(asks && strings.Contains(why, "Deletes")) || asks && !loses {
			t.Errorf("%s: asks: %v: %s", here, asks, why)
		}
		for _, dir := range []string{"clean", "build"} {
			here := strings.ReplaceAll(script, "DIR", dir)
			if asks, why := l.asks(here); asks && !strings.Contains(script, "to/*/") {
				t.Errorf("%s: %s", here, why)
			}
		}
	}
}

// TestOneTextByCode has Python put one text into all files that a pattern stands for, or edit them.
func TestOneTextByCode(t *testing.T) {
	runsPrograms(t)
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed; .ci/tools installs it")
	}
	l := newLossy(t, `git init -q -b main .; printf 'build/\n' >.gitignore; mkdir -p clean data build; for d in clean data build; do for n in 1 2; do echo "[\"$d $n\"]" >$d/$n.json; done; done; echo one >one.txt; git add clean one.txt; git commit -qm one`)
	for code, loses := range map[string]bool{
		"for p in Path('DIR').glob('*.json'): p.write_text('x')": true, "for p in glob.glob('DIR/*.json'): open(p, 'w').write('x')": true, "for p in glob.glob('DIR/*.json'):\n  with open(p, 'w') as f: f.write('x')": true, "for p in glob.glob('DIR/*.json'): shutil.copy('one.txt', p)": true, "for p in glob.glob('DIR/*.json'):\n  with open(p, 'w') as f: json.dump([], f)": true, "s = open('one.txt').read()\nfor p in Path('DIR').glob('*.json'): p.write_text(s)": true,
		"for p in Path('DIR').glob('*.json'): p.write_text(p.read_text() + 'x')": false, "for p in glob.glob('DIR/*.json'):\n  s = open(p).read()\n  open(p, 'w').write(s)": false, "for p in glob.glob('DIR/*.json'):\n  with open(p) as f: d = json.load(f)\n  with open(p, 'w') as f: json.dump(d, f)": false, "for p in glob.glob('DIR/*.json'): open(p, 'a').write('x')": false, "for p in glob.glob('DIR/*.json'): open(p, 'r+').write('[')": false, "for p in glob.glob('DIR/*.none'): open(p, 'w').write('x')": false, "for p in glob.glob('DIR/*.json'): print(open(p).read())": false,
		"open('one.txt', 'w').write('x')": false, "for n in ('a', 'b'): open(f'DIR/{n}.md', 'w').write('x')": false,
	} {
		for _, run := range []string{"python3 - <<'E'\n%s\nE", `python3 -c "%s"`} {
			script := sprintf(run, "import glob, json, shutil\nfrom pathlib import Path\n"+code)
			here := strings.ReplaceAll(script, "DIR", "data")
			if lost := len(l.loses(here)) > 0; lost != loses && loses {
				t.Errorf("%s: nothing is lost", here)
			}
			if asks, why := l.asks(here); asks != loses {
				t.Errorf("%s: asks: %v: %s", here, asks, why)
			}
			for _, dir := range []string{"clean", "build"} {
				here := strings.ReplaceAll(script, "DIR", dir)
				if asks, why := l.asks(here); asks {
					t.Errorf("%s: %s", here, why)
				}
			}
		}
	}
}
