package guard_test

import "testing"

// TestNothingIsCopied puts nothing in the place of files by ways of several steps: by an empty file made elsewhere, by a program that
// finds nothing to read, through hard links, and by directories that make room.
func TestNothingIsCopied(t *testing.T) {
	runsPrograms(t)
	const unsure = true
	l := newLossy(t, `git init -q -b main .; printf 'build\n' >.gitignore; mkdir data build; echo clean >clean.py; echo was >edited.py; git add -A; git commit -qm one; echo edited >edited.py
echo new >new.py; echo list >list.txt; echo mine >data/x.csv; tar cf ../a.tar data; echo ours >data/y.csv; : >build/o`)
	l.check(map[string]bool{
		"cp /dev/null ../n; cp ../n new.py":                                                     false,
		"cp /dev/null build/n; mv build/n edited.py":                                            false,
		"touch ../n; mv ../n new.py":                                                            false,
		"touch build/n && cat build/n > new.py":                                                 false,
		"install -m 644 /dev/null build/n; cp build/n new.py":                                   false,
		"dd if=/dev/null of=build/n; mv build/n fresh.py":                                       false,
		"touch build/n; echo x > build/n; cp list.txt build/n; cat build/n":                     false,
		"touch build/n; cp build/n fresh.py":                                                    false,
		"touch list.txt; cp list.txt fresh.py":                                                  false,
		`t=$(mktemp); sed s/x/y/ nofile > "$t"; mv "$t" new.py`:                                 false,
		`t=$(mktemp); sed s/x/y/ clean.py > "$t" && mv "$t" clean.py`:                           false,
		`t=$(mktemp); sed s/x/y/ new.py > "$t" && mv "$t" fresh.py`:                             false,
		"cat nofile > new.py":                                                                   false,
		"sort nofile > edited.py":                                                               false,
		"grep x nofile > fresh.py":                                                              false,
		"cat nofile list.txt > clean.py":                                                        false,
		"cp list.txt nofile; cat nofile > clean.py":                                             false,
		"cp -al data build/d; for f in build/d/*; do : > $f; done":                              false,
		"cp -al data build; : > build/data/x.csv":                                               false,
		"cp -l data/x.csv build/x; : > build/x":                                                 false,
		"cp -as $PWD/data build/d; for f in build/d/*; do : > $f; done":                         false,
		"cp -al data build/d; rm -rf build/d":                                                   false,
		"cp -al data build/d; rm -rf build/d/*":                                                 unsure, // as if the directory were one
		"cp -a data build/d; : > build/d/x.csv":                                                 false,
		"mkdir out; tar -cf ../b.tar -C build . && tar -xf ../b.tar --recursive-unlink -C data": false,
		"tar -xf ../a.tar --recursive-unlink":                                                   unsure,
		"mkdir out; tar -xf ../a.tar -C out":                                                    false,
	})
}
