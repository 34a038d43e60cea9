//go:build unix

package differ

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestWorldsFind gives the checker a guard that allows everything: it must find every script that gets to a
// place, whatever it does there, and no other.
func TestWorldsFind(t *testing.T) {
	w, err := newWorlds(newTestRig(t, true))
	if err != nil {
		t.Fatal(err)
	}
	w.always = true
	m := manner{shell: "bash", lang: "C.UTF-8"}
	for _, test := range []struct{ script, link string }{
		{"x=a; cat build/$x/k", "build/a"},
		{"cat 'build/a b/k'", "build/a b"},
		{"cat build/a/b/k", "build/a/b"},
		{"cat build/k", "build"},
		{"cat k", "k"},
		{". build/aa/k", "build/aa"},
		{"bash build/b/k", "build/b"},
		{"echo new > build/1/k", "build/1"},
		{"sed -i s/e/f/ build/2/k", "build/2"},
		{"true > build/3/k", "build/3"},
		{"rm -f build/4/k", "build/4"},
		{"cd build/5 && rm k", "build/5"},
		{"find build/x/ -name k -delete", "build/x"},
		{"mv build/y/k build/new", "build/y"},
		{"cat build/z/k > build/new", "build/z"},
		{"mv build/c build/new; cat build/new/k", "build/c"},
		{"cp build/a/k build/new", "build/a"},
		{"rm -rf build/a", ""}, // the link
		{"mv build/a build/new", ""},
		{"rm -rf build/a; mv build/b build/a; [ ! -e build/b ] && ls build/a/k", ""},
		{"ls build/*; cat names.txt", ""},
		{"echo new > build/new", ""},
	} {
		f, err := w.try(m, test.script)
		switch {
		case err != nil:
			t.Fatal(err)
		case f == nil && test.link != "":
			t.Errorf("%s: it is not found", test.script)
		case f != nil && f.manner.link != test.link:
			t.Errorf("%s: it is found where %q is a link, want %q", test.script, f.manner.link, test.link)
		}
	}
}

// TestWorldsHold: what changes or shows a file is not allowed where that lies behind a link, however the file
// comes to be named, and is allowed without the link.
func TestWorldsHold(t *testing.T) {
	w, err := newWorlds(newTestRig(t, true))
	if err != nil {
		t.Fatal(err)
	}
	var scripts []string
	for _, nothing := range []string{"", ":", "true", "false", "cat build/0/k", "sed -i s/a/b/ names.txt", "cat build/0/k | grep a"} {
		scripts = append(scripts, nothing+" > build/0/k", nothing+" >| ./build/0/k")
	}
	for _, n := range []string{"$((RANDOM%4))", "$(wc -l < names.txt)", "$(date +%d)", "$#", "[0-9]", "*"} {
		for _, end := range []string{`-exec cat {} \;`, `-type f -exec cat {} +`, `-type f -exec cp ~/proj/names.txt {} \;`, `-exec sed -i s/a/b/ {} +`} {
			scripts = append(scripts, "find build/"+n+" "+end, "cd build && find "+n+" "+end)
		}
	}
	for _, to := range []string{"build/0", "build/0/", "build/[0]", "build/[0]/", "build/0*", "build/$((RANDOM%4))", "build/?"} {
		scripts = append(scripts, "cp k "+to, "cp -t "+to+" k", "install k "+to, "cp k names.txt "+to)
	}
	for _, either := range []string{"x=1; echo 0 | read -r x", "x=$((RANDOM%4))", "x=$(wc -l < names.txt)"} {
		for _, path := range []string{"build/$x/k", "build/$x*/k", "build/*$x/k", `"build/$x"/k`, `"build/$x"/*`} {
			scripts = append(scripts, either+"; cat "+path, either+"; for f in "+path+`; do cat "$f"; done`, either+"; sed -i s/a/b/ "+path)
		}
		scripts = append(scripts, either+`; f=build/$x/k; cat "$f"`, either+`; d=build/$x; cat "$d/k"`)
	}
	for _, script := range scripts {
		for _, link := range []string{"", "build/0/k", "build/0"} {
			if link == "build/0" && !strings.Contains(script, "$x") {
				continue // of others some delete, or replace, the link itself
			}
			if err := w.in(link); err != nil {
				t.Fatal(err)
			}
			if _, allowed := w.reads(script); allowed != (link == "") {
				t.Errorf("%s: allowed with a link %q: %v", script, link, allowed)
			}
		}
	}
}

// TestWorldsAreOrderly changes from world to world: each must be what it is if it is made from nothing.
func TestWorldsAreOrderly(t *testing.T) {
	w, err := newWorlds(newTestRig(t, true))
	if err != nil {
		t.Fatal(err)
	}
	enter := func(link string, anew bool) (list []string) {
		w.used = anew
		if err := w.in(link); err != nil {
			t.Fatal(err)
		}
		_ = filepath.WalkDir(w.home(), func(path string, d fs.DirEntry, err error) error {
			text, _ := os.ReadFile(path)
			to, _ := os.Readlink(path)
			list = append(list, fmt.Sprint(path, err, d.Type(), string(text), to))
			return nil
		})
		return list
	}
	links := []string{"", "build/a", "build/a/k", "build", "k", "build/a/b", "build/k", "build/a b", "build/q", "build/a -> new", "build/q -> proj/ship/keys", "build/a/k -> .ssh/k"}
	for i, from := range links {
		for k, to := range links {
			if (i+k)%6 > 0 && os.Getenv("LONGLINE_SWEEPS") != "all" {
				continue
			}
			want := enter(to, true)
			enter(from, true)
			if got := enter(to, false); !slices.Equal(got, want) {
				t.Errorf("from %q to %q: got %q, want %q", from, to, got, want)
			}
		}
	}
}

// TestRemovesOnlyThere holds rm to the home directory.
func TestRemovesOnlyThere(t *testing.T) {
	r := newTestRig(t, true)
	for script, removes := range map[string]bool{
		"rm a.txt":              true,
		"rm -rf -- build":       true,
		"rm ../docs/*":          true,
		"rm ship/keys/id_rsa":   true,
		"rm -f a.txt ../../log": false,
		"rm -r ..":              false,
		"rm -rf ~":              false,
		"rm -rf -- -x/../../..": false,
		"rm -f /nosuch":         false,
	} {
		did, err := r.run(manner{shell: "bash", lang: "C"}, script+" && echo done")
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(did.shown, "done") != removes {
			t.Errorf("%s: %s", script, did.shown)
		}
	}
}
