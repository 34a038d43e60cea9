package guard_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnpackingLoses has real programs unpack archives over directories of several kinds, and holds the answer against what is lost.
func TestUnpackingLoses(t *testing.T) {
	runsPrograms(t)
	for _, program := range []string{"tar", "zip", "unzip", "xz", "python3"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	// In a are files of the same names as in each directory; in b others; in in the same files are below a directory; same is what is in
	// the directory data.
	l := newLossy(t, `git init -q -b main .; mkdir clean edited data sub empty build some other link; for d in clean edited data sub build link; do mkdir -p $d/x; echo $d 1 >$d/1.csv; echo $d 2 >$d/x/2.csv; done
echo other >other/9.csv; echo .log >.gitignore; echo one >some/1.csv; ln -s ../other link/l; git add clean edited; git commit -qm one; echo edited >>edited/1.csv; echo edited >>edited/x/2.csv; touch empty/1.csv
mkdir -p ../w/a/x ../w/b ../w/in ../w/dir/1.csv; cd ../w; echo new1 >a/1.csv; echo new2 >a/x/2.csv; echo b >b/b.csv; cp -r a in/top; echo d >dir/1.csv/f
w=$PWD; pack() { (cd $1; tar cf $w/$2.tar *; tar czf $w/$2.tgz *; tar cJf $w/$2.txz *; tar -H pax -cf $w/$2.pax *; tar -H v7 -cf $w/$2.old *; zip -qr $w/$2.zip *); }
pack a a; pack b b; pack in in; pack dir dir; pack ../proj/data same; cp a.zip ../proj/data/z.zip; cp b.txz ../proj/data/; ln -s ../x a/l; tar cf links.tar -C a l; rm -r a/l; tar cf up.tar -P --transform 's,^,q/../,' -C a 1.csv; cat a.tar same.tar >two.tar; head -c 700 a.tar >cut.tar`)
	const unsure = true
	ways := map[string]bool{ // whether one cannot know what comes out of an archive
		"tar xf ~/w/AR.tar -C DIR": false, "tar xzf ~/w/AR.tgz -C DIR": false, "tar -xf ~/w/AR.pax --directory=DIR": false, "cd DIR && tar xf ~/w/AR.tar": false, "cat ~/w/AR.tgz | tar xz -C DIR": false, "tar x -C DIR < ~/w/AR.tar": false,
		"gunzip -c ~/w/AR.tgz | tar xf - -C DIR": false, "unzip -o ~/w/AR.zip -d DIR": false, "unzip -qqo ~/w/AR -d DIR": false, "(cd DIR && unzip -o ~/w/AR.zip)": false, "yes | unzip ~/w/AR.zip -d DIR": false, "tar -U -xf ~/w/AR.tar -C DIR": false,
		"unzip -uo ~/w/AR.zip -d DIR": unsure, "python3 -m zipfile -e ~/w/AR.zip DIR": false, "python3 -m tarfile -e ~/w/AR.tgz DIR": false, "echo x; tar xf ~/w/AR.tar -C DIR 1.csv b.csv 2>/dev/null": false, "unzip -o ~/w/AR.zip '*.csv' -d DIR": false,
		"tar xf ~/w/AR.txz -C DIR": unsure, "tar xf ~/w/AR.old -C DIR": unsure, "xz -dc ~/w/AR.txz | tar x -C DIR": unsure, "tar xf ~/w/AR.tar -C DIR --transform s,a,a,": unsure, "cp ~/w/AR.tar y.tar && tar xf y.tar -C DIR": unsure,
		// These replace nothing.
		"tar xkf ~/w/AR.tar -C DIR": false, "tar xf ~/w/AR.tar -C DIR --skip-old-files": false, "unzip -no ~/w/AR.zip -d DIR": false, "unzip ~/w/AR.zip -d DIR </dev/null": false, "tar xOf ~/w/AR.tar 1.csv": false,
		"tar xf ~/w/AR.tar -C new": false, "mv DIR DIR.bak && mkdir DIR && tar xf ~/w/AR.tar -C DIR": false,
	}
	saved, err := l.run(filepath.Join(l.root, "home"), "git show HEAD:clean/1.csv HEAD:clean/x/2.csv; cat build/1.csv build/x/2.csv") // the latter are made by builds
	if err != nil {
		t.Fatal(err)
	}
	before, losing := contents(filepath.Join(l.root, "home")), 0
	try := func(script string, unknown bool) {
		t.Helper()
		home := t.TempDir()
		if out, err := exec.Command("cp", "-a", filepath.Join(l.root, "home")+"/.", home).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		_, _ = l.run(home, script) // it may well fail
		after := contents(home)
		os.RemoveAll(home)
		var lost []string
		for content := range before {
			if !after[content] && content != "" && !strings.Contains(string(saved), content) {
				lost = append(lost, content)
			}
		}
		if len(lost) > 0 {
			losing++
		}
		if asks, why := l.asks(script); len(lost) > 0 && !asks || asks && len(lost) == 0 && !unknown {
			t.Errorf("%s: asked: %v (%s), lost: %q", script, asks, why, lost)
		}
	}
	for way, unknown := range ways {
		places := []string{"data a", "data same", "edited a", "some in", "clean a"}
		if way == "tar xf ~/w/AR.tar -C DIR" || way == "unzip -o ~/w/AR.zip -d DIR" || way == "tar xf ~/w/AR.txz -C DIR" {
			places = append(places, "data b", "data dir", "other a", "build a", "empty a", "missing a")
		}
		for _, at := range places {
			dir, archive, _ := strings.Cut(at, " ")
			safe := dir == "clean" || dir == "build" || dir == "empty" || dir == "missing"
			try(strings.NewReplacer("AR", archive, "DIR", dir).Replace(way), unknown && !safe || archive == "dir") // some programs keep a file where a directory should be
		}
	}
	for script, unknown := range map[string]bool{
		"tar xf ~/w/in.tar -C data --strip-components=1": false, "tar xf ~/w/in.tar -C data --strip-components=2": unsure, "tar xf ~/w/in.tar -C other --strip-components=1": false, "unzip -jo ~/w/in.zip -d data": false, "unzip -jo ~/w/in.zip -d other": false,
		"tar xf ~/w/up.tar -C data": unsure, "tar xf ~/w/up.tar -C other": false, "tar xif ~/w/two.tar -C data": unsure, "tar xf ~/w/cut.tar -C data": false, "tar xf ~/w/cut.tar -C other": unsure, "tar xf ~/w/links.tar -C link": false,
		"tar xf ~/w/a.tar -C data x": false, "tar xf ~/w/a.tar -C some x": false, "tar xf ~/w/a.tar -C some x/2.csv": false, "unzip -o ~/w/a.zip x/2.csv -d some": false, "unzip -o ~/w/a.zip 1.csv -d some": false,
		`python3 -c 'import zipfile; zipfile.ZipFile("data/z.zip").extractall("data")'`: false,
		"cd data && unzip -o z.zip": false, "cd data; tar xf b.txz": unsure, "tar c -C clean . | tar x -C other": false, "tar cf y.tar clean && tar xf y.tar -C other": false, "git archive HEAD | tar x -C other": unsure, "rm -rf build; mkdir build; tar xf ~/w/a.tar -C build": false,
		"tar xf ~/w/dir.tar -C data --recursive-unlink": false, "for f in ~/w/a.tar ~/w/b.tar; do tar xf $f -C data; done": false, "for f in ~/w/b.tar; do tar xf $f -C data; done": false, "for d in data some; do unzip -o ~/w/a.zip -d $d; done": false,
	} {
		try(script, unknown)
	}
	for _, copied := range []string{ // archives that the script makes itself: it is known what comes out of them
		"tar -C SRC -cf - . | tar -C DIR -xf -", "tar cf - -C SRC . | (cd DIR && tar xf -)", "(cd SRC && tar cf - *) | tar xf - -C DIR", "tar -C SRC -cf y.tar . && tar xf y.tar -C DIR", "tar czf - -C SRC 1.csv | tar xz -C DIR", "(cd SRC && zip -qr ../y.zip .); unzip -oq y.zip -d DIR",
		"cd other && tar cf - -C ../SRC . | tar xf - -C ../DIR", "(cd SRC && find . | cpio -pdu --quiet ../DIR)", "tar cf - SRC | tar xf - -C DIR --strip-components=1", "tar -C SRC -cf - x | tar -C DIR -xf -",
	} {
		for _, at := range []string{"clean data", "clean edited", "data clean", "data new", "other data", "data edited", "data data", "clean some"} {
			from, dir, _ := strings.Cut(at, " ")
			script := strings.NewReplacer("SRC", from, "DIR", dir).Replace(copied)
			if dir == "new" {
				script = "mkdir -p new; " + script
			}
			try(script, strings.Contains(copied, "strip") || from == "other" && !strings.Contains(copied, " . ") && !strings.Contains(copied, " * ")) // there is nothing of that name
		}
	}
	if losing < 50 {
		t.Errorf("only %d lose something", losing)
	}
}

// TestPrintedArchives has real programs print archives with a file of secrets in them, and without.
func TestPrintedArchives(t *testing.T) {
	runsPrograms(t)
	for _, program := range []string{"tar", "zip", "unzip"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	l := newLossy(t, `git init -q -b main .; mkdir -p app/config; echo API_KEY=hidden >app/config/.env; echo text >app/notes.txt; zip -qr s.zip app; tar czf s.tgz app; tar cf s.tar app; rm app/config/.env; zip -qr p.zip app; tar czf p.tgz app; tar cf p.tar app`)
	for _, way := range []string{
		"unzip -p AR.zip", "unzip -c AR.zip", "unzip -p AR", "unzip -p AR.zip '*env'", "unzip -p AR.zip 'app/*'", "unzip -qp AR.zip | head", "unzip -p AR.zip '*.txt'", "unzip -p AR.zip app/notes.txt", "tar xzOf AR.tgz", "tar xOf AR.tar app", "tar -xOf AR.tar app/config", "tar xzOf AR.tgz app/notes.txt", "tar xzf AR.tgz -O | grep KEY", "cat AR.tgz | tar xzOf -", "tar xOf - < AR.tar", "gunzip -c AR.tgz | tar xOf -", "tar xOf AR.tar app/notes.txt app/config", "tar xOf AR.tar --wildcards '*.txt'", "tar xOf AR.tar --wildcards '*v'", "cd app; tar xzOf ../AR.tgz", "unzip -l AR.zip", "tar tzf AR.tgz",
	} {
		for _, archive := range []string{"s", "p"} {
			script := strings.ReplaceAll(way, "AR", archive)
			out, _ := l.run(filepath.Join(l.root, "home"), script)
			shown := strings.Contains(string(out), "hidden")
			piped := strings.Contains(script, "- ") || strings.HasSuffix(script, "-") // which is asked about anyway
			if asks, why := l.asks(script); asks != shown && !(piped && asks) {
				t.Errorf("%s: asked: %t (%s), shown: %t", script, asks, why, shown)
			}
		}
	}
}
