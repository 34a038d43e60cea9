package guard_test

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// linked is a machine with some files and links: by their paths where they lead, "" for a file.
func linked(files map[string]string) *tool.World {
	w := world()
	readlink := func(name string) (string, error) {
		switch to, there := files[name]; {
		case to != "":
			return to, nil
		case there || slices.ContainsFunc(keys(files), func(have string) bool { return strings.HasPrefix(have, name+"/") }):
			return "", tool.ErrNotLink
		}
		return "", fs.ErrNotExist
	}
	w.Readlink = readlink
	w.Exists = func(name string) bool {
		_, err := readlink(tool.Follow(name, false, readlink))
		return err == nil || err == tool.ErrNotLink
	}
	w.Entries = func(dir string) (list []tool.Entry, whole bool) {
		dir = tool.Follow(path.Clean(dir), true, readlink)
		for _, have := range keys(files) {
			rest, below := strings.CutPrefix(have, dir+"/")
			name, _, deep := strings.Cut(rest, "/")
			if below && !slices.ContainsFunc(list, func(e tool.Entry) bool { return e.Name == name }) {
				list = append(list, tool.Entry{Name: name, Dir: deep, Link: !deep && files[have] != ""})
			}
		}
		return list, len(list) > 0
	}
	return w
}

func keys(files map[string]string) (list []string) {
	for name := range files {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

// withLinks is a project with a directory out that holds two links.
func withLinks(ln, kk string) map[string]string {
	return map[string]string{
		home + "/docs/d": "", home + "/.ssh/id_rsa": "", home + "/docs/sub/e": "",
		project + "/README.md": "", project + "/src/a.c": "", project + "/src/sub/b.c": "", project + "/tree/m": "", project + "/a.tar": "", project + "/a.zip": "",
		project + "/out/ln": ln, project + "/out/kk": kk, project + "/out/f": "",
	}
}

// throughLinks are scripts that write or read what lies behind links in the directory out, though they name none of
// them.
var throughLinks = []string{
	`for d in out/*; do touch $d/m; done`,
	`for d in out/*/; do touch ${d}m; done`,
	`for d in out/*; do cp README.md $d; done`,
	`for i in 1 2; do for d in out/*; do touch $d/m$i; done; done`,
	`cd out; for d in *; do touch $d/m; done`,
	`cd out; for d in */; do (cd $d && touch m); done`,
	`cd out/l* && touch m`, `cd out && cd l? && touch m`, `pushd out/l*; touch m`,
	`set -- out/*; touch "$1/m"`, `ds=(out/*); touch "${ds[1]}/m"`,
	`d=$(ls -d out/* | head -1); touch $d/m`, `d=$(find out -type l | head -1); touch "$d/m"`,
	`ls out | xargs -I{} touch out/{}/m`, `cd out; ls | xargs -I{} touch {}/m`, `find out | xargs -I{} touch {}/m`,
	`find out -mindepth 1 -maxdepth 1 -exec cp README.md {} \;`, `find out -mindepth 1 | xargs -n1 cp README.md`,
	`find . -type l | while read -r l; do touch "$l/m"; done`,
	`find -L out -type f -exec sed -i s/d/e/ {} +`, `find -L . -name d | xargs sed -i s/d/e/`, `find . -follow -name d | xargs sed -i s/d/e/`,
	`for f in $(find -L out -type f); do echo x >> $f; done`, `fd -L . out -x touch`,
	`sed -i s/d/e/ */*/*`, `sed -i s/d/e/ */*/d`, `for d in */*/; do touch $d/m; done`, `tee */*/m < README.md`, `touch */l*/sub/x`,
	`shopt -s globstar; for f in out/**; do cp README.md $f; done`, `shopt -s globstar; touch out/**/m`,
	`tar xf a.tar -C out`, `cd out && tar xf ../a.tar`, `tar xf a.tar`, `unzip -qo a.zip -d out`, `python3 -m zipfile -e a.zip out`, `rsync -aK tree/ out/`,
	`chmod -R -L 700 out`, `chown -RL dev .`,
	`python3 -c 'import glob
for f in glob.glob("out/*/*"): open(f,"w").write("x")'`,
	`python3 -c 'import shutil; shutil.copytree("tree","out",dirs_exist_ok=True)'`, `node -e 'require("fs").cpSync("tree","out",{recursive:true})'`,
	`find -L out -type f -delete`, `find -L . -name d -delete`, `rm -rf out/*/d`, `rm -f */*/d`, `for d in out/*/; do rm -rf $d/*; done`,
}

// showThrough are scripts that show what lies behind a link to secrets.
var showThrough = []string{
	`cat */*/*`, `head -5 out/*/*`, `for f in */*/*; do cat $f; done`, `shopt -s globstar; cat out/**/*`,
	`cp -rL out /tmp/o; cat /tmp/o/kk/*`, `cp -r --dereference out /tmp/o`, `rsync -rL out/ /tmp/o/`, `tar chf /tmp/a.tar out`, `zip -qr /tmp/a.zip out`,
	`grep -R KEY .`, `grep -RI KEY out`, `rg -L KEY out`, `diff -r out src`, `find -L out -type f | xargs cat`, `find -L . -type f -exec cat {} +`,
	`cd out/k* && cat *`, `python3 -c 'import shutil; shutil.copytree("out","/tmp/o")'`,
}

// TestLinksOnDisk judges scripts that reach links which lie on the disk, in a repository that ships them, by
// patterns, lists and whole trees.
func TestLinksOnDisk(t *testing.T) {
	g := builtin(t)
	judge := func(script string, w *tool.World) tool.Decision {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		return v.Decision
	}
	hostile, tame := withLinks("../../docs", "../../.ssh"), withLinks("../src", "../tree")
	for _, script := range slices.Concat(throughLinks, showThrough) {
		if d := judge(script, linked(hostile)); d < tool.Ask {
			t.Errorf("%s\n\tgot %s through links that lead out of the project", script, d)
		}
		if with, without := judge(script, linked(tame)), judge(script, world()); with > without {
			t.Errorf("%s\n\tgot %s through links that stay in the project, and %s without", script, with, without)
		}
	}
	for _, script := range []string{
		`find . -name '*.c' | xargs sed -i s/a/b/`, `find . -name '*.md' -exec sed -i s/a/b/ {} +`, `find src -type f | xargs sed -i s/a/b/`,
		`for f in src/*; do sed -i s/a/b/ $f; done`, `for d in src/ tree/; do (cd $d && touch m); done`, `cd sr* && touch m`, `cat */*.c`, `cat src/*`,
		`grep -rn hello .`, `grep -rl hello . --include='*.md' | xargs sed -i s/h/H/`, `ls src | xargs -I{} touch src/{}.x`,
		`git ls-files '*.c' | xargs sed -i s/a/b/`, `for f in $(git ls-files '*.c'); do sed -i s/x/y/ $f; done`, `for d in $(find src -type d); do (cd $d && ls); done`,
		`find . -name '*.c' | while read -r f; do sed -i s/x/y/ "$f"; done`, `tar xf a.tar -C src`, `cp -r src /tmp/x && cat /tmp/x/*`, `cp src/*.c tree/`,
		`find . -type f -name '*.c' -exec grep -l main {} +`, `cp -rL src /tmp/x`, `zip -r /tmp/x.zip src`, `touch src/*/x`,
	} {
		if with, without := judge(script, linked(hostile)), judge(script, linked(tame)); with > without || with >= tool.Ask {
			t.Errorf("%s\n\tgot %s beside links that it does not reach, and %s without", script, with, without)
		}
	}
}
