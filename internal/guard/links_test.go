package guard_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

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
			rest, below := strings.CutPrefix(have, strings.TrimSuffix(dir, "/")+"/")
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
	`find */*/ -name d -exec rm {} +`, `for d in out/*/; do find $d -name d -exec rm -rf {} +; done`, `find out/*/ -name '*d' -print0 | xargs -0 rm -f`, `find out/*/sub -type f -exec rm {} \;`,
	`A=(out/*/); find "${A[@]}" -name d -exec rm {} +`, `for d in out/*; do find "$d/" -name d -exec sed -i s/d/e/ {} +; done`, `find -H out/* -name d -exec rm {} +`,
	`find -L out -type f -delete`, `find -L . -name d -delete`, `rm -rf out/*/d`, `rm -f */*/d`, `for d in out/*/; do rm -rf $d/*; done`,
	`for f in */*; do f=${f%/}; env -C "$f" rm -rf node_modules; done`, `find . -type l -exec env -C {} touch m \;`, `for f in */*; do env -C "${f}" touch m; done`,
	`find . -name '*.pyc' -follow -delete`, `find . -name '*.pyc' -delete -follow`,
	`python3 -c 'import glob,os; [os.remove(f) for f in glob.glob("**/*.pyc", recursive=True)]'`,
	`find -L out/ln -type f | xargs rm -f`, `find -L out/ln -type f -print0 | xargs -0 rm -f`, `find -H out/ln -type f | xargs rm -f`, `find -L out/ln -type f | while read -r f; do rm -f "$f"; done`, `for f in $(find -L out/ln -type f); do rm -f $f; done`, `rm -f $(find -L out/ln -type f)`, `fd -L . out/ln | xargs rm -f`,
	`find -L out/ln -type f -exec rm {} +`, `find out/ln/. -type f -exec rm {} +`, `find out/ln/ -type f | xargs rm -f`, `find out/ln/. -type f | xargs rm -f`, `find * -name ln -exec cp README.md {} \;`, `find ou* -name ln -exec cp README.md {} \;`, `n=$(wc -l < README.md); find "out$n" -name ln -exec cp README.md {} \;`,
}

// behindSlash are scripts that delete what a link leads to, because a slash behind it, or a flag, has it followed.
var behindSlash = []string{
	`rm -rf build/ln/`, `rm -rf build/*/`, `for d in build/*/; do rm -rf "$d"; done`, `for d in build/*; do rm -rf "$d/"; done`, `cd build && rm -rf */`, `x=(build/*/); rm -rf "${x[@]}"`, `rm -rf build/{ln,kk}/`,
	`rm -rf build/ln/.`, `d=build; rm -rf "$d"/ln/`, `ls -d build/*/ | xargs rm -rf`,
	`find build/ln/ -delete`, `find build/*/ -type f -delete`, `find -H build/* -type f -delete`, `for d in build/*/; do find "$d" -type f -delete; done`,
	`mv build/ln/ /tmp/x`, `mv build/*/ /tmp/`, `rsync -a --delete src/ build/ln`, `python3 -c 'import shutil; shutil.rmtree("build/ln/")'`,
	`find build/ln/ -type f -exec rm {} +`, `find build/*/ -type f -exec rm {} +`, `find build/ln/ -type f | xargs rm`,
}

// TestSlashBehindLinks: what a link in a build directory leads to is deleted only where the link is followed.
func TestSlashBehindLinks(t *testing.T) {
	g := builtin(t)
	files := withLinks("../src", "../src")
	files[project+"/build/ln"], files[project+"/build/kk"], files[project+"/build/d/o"], files[project+"/build/o"] = "../../docs", "../src", "", ""
	judge := func(script string, w *tool.World) tool.Decision {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		return v.Decision
	}
	for _, script := range behindSlash {
		if d := judge(script, linked(files)); d < tool.Ask {
			t.Errorf("%s\n\tgot %s", script, d)
		}
	}
	for _, script := range []string{`rm -rf build/ln`, `rm build/ln build/kk`, `rm -rf build/*`, `rm -rf build`, `rm -rf build/`, `rm -rf build/d/`, `find build -delete`, `find build/ -name '*.o' -delete`, `find build -type l -delete`} {
		if d := judge(script, linked(files)); d != tool.Allow {
			t.Errorf("%s\n\tgot %s", script, d)
		}
	}
}

// TestLinksInside: links that stay in the project lead to what git and agents keep, and out of build directories to sources.
func TestLinksInside(t *testing.T) {
	g := builtin(t)
	files := map[string]string{
		project + "/src/a.py": "", project + "/src/sub/b": "", project + "/.claude/settings.json": "", project + "/.git/HEAD": "", project + "/f": "", project + "/alt/settings.json": "",
		project + "/pkg/c": "../.claude", project + "/pkg/g": "../.git", project + "/pkg/t": "..", project + "/build/c": "../.claude", project + "/build/g": "../.git", project + "/build/s": "../src", project + "/build/o": "",
	}
	judge := func(script string) tool.Decision {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, linked(files))
		return v.Decision
	}
	for _, script := range []string{
		`for d in pkg/*/; do cp f "$d"; done`, `for d in pkg/*; do echo '{}' > "$d/settings.json"; done`, `echo '{}' | tee pkg/*/settings.json`, `sed -i 's/a/b/' pkg/*/*.json`, `cp f pkg/[c]/`, `cp -r alt/. pkg/*/`,
		`find pkg -type l -exec cp f {} \;`, `find pkg -type l | while read -r d; do cp f "$d/"; done`, `ls -d pkg/* | xargs -n1 cp f`, `for d in pkg/*; do cp f "$d/hooks/pre-commit"; done`,
		`for d in build/*/; do (cd "$d" && rm -rf ./*); done`, `cd build/[s] && rm -rf ./*`, `rm -rf build/*/settings.json`, `rm -rf build/*/HEAD`, `rm -rf build/*/*.py`, `rm -rf build/*/sub`, `for d in build/*; do rm -rf "$d"/sub; done`, `rm -rf build/[s]/*`, `cd build && rm -rf */sub`,
		`find -L build -name settings.json -delete`, `find -L build -type f -delete`, `cp -a pkg/c src/; echo '{}' > src/c/settings.json`, `cp -a pkg/. src/; echo '{}' > src/c/settings.json`,
	} {
		if d := judge(script); d < tool.Ask {
			t.Errorf("%s\n\tgot %s", script, d)
		}
	}
	for _, script := range []string{`rm -rf build`, `rm -rf build/*`, `rm build/s`, `for d in src/*/; do touch "$d/x"; done`, `ls build/*`, `cat build/*/a.py`, `find build -type l -delete`, `cp f src/`} {
		if d := judge(script); d != tool.Allow {
			t.Errorf("%s\n\tgot %s", script, d)
		}
	}
}

// throughCopies are scripts that copy such a link, or the directory that holds it, and go through the copy.
var throughCopies = []string{
	`cp -a out/ln build/; rm -rf build/ln/*`, `cp -r out/ln build/; rm -rf build/ln/`, `cp -a out/ln build/; cd build/ln && rm -rf ./*`, `cp -a out/ln build/; echo x > build/ln/new`,
	`cp -a out/{ln,kk} build/; touch build/ln/m`, `cp -P out/ln build/; touch build/ln/m`, `rsync -a out/ln tree/; touch tree/ln/m`, `cp -a out/ln build/; mv build/ln build/v; touch build/v/m`,
	`cp -a out/l? build/; touch build/ln/m`, `cp -a o*/ln build/; touch build/ln/m`, `find out -type l -exec cp -P {} build/ \;; touch build/ln/m`, `find out -type l -print0 | xargs -0 cp -Pt build; touch build/ln/m`,
	`x=$(find out -name ln); cp -a "$x" build/; touch build/ln/m`, `for f in out/*; do cp -a "$f" build/; done; touch build/ln/m`,
	`tar c -C out ln | tar x -C build; touch build/ln/m`, `tar c -C out . | tar x -C build; rm -rf build/ln/*`, `cp -a out/ln build/; cp -a build/ln dist/; touch dist/ln/m`,
}

// showThrough are scripts that show what lies behind a link to secrets.
var showThrough = []string{
	`cat */*/*`, `head -5 out/*/*`, `for f in */*/*; do cat $f; done`, `shopt -s globstar; cat out/**/*`,
	`cp -rL out /tmp/o; cat /tmp/o/kk/*`, `cp -r --dereference out /tmp/o`, `rsync -rL out/ /tmp/o/`, `tar chf /tmp/a.tar out`, `zip -qr /tmp/a.zip out`,
	`grep -R KEY .`, `grep -RI KEY out`, `rg -L KEY out`, `diff -r out src`, `find -L out -type f | xargs cat`, `find -L . -type f -exec cat {} +`,
	`cd out/k* && cat *`, `python3 -c 'import shutil; shutil.copytree("out","/tmp/o")'`,
}

// takesAway says whether a script deletes or moves what a copy of a link leads to: files of the project, if it stays there.
func takesAway(script string) bool {
	return slices.Contains(throughCopies, script) && (strings.Contains(script, "rm -rf") || strings.Contains(script, "mv "))
}

// TestLinksOnDisk judges scripts that reach links which lie on the disk, in a repository that ships them, by
// patterns, lists and whole trees.
// emptiedThrough are scripts that empty a file behind a link: by a redirection alone, of what prints nothing, or of what
// reads the file itself.
func emptiedThrough() (list []string) {
	for _, way := range []string{"> %s", ": > %s", "true > %s", "true >| %s", "{ :; } > %s", "exec > %s", "(: > %s)", "sort %[1]s > %[1]s", "cat %[1]s | sort > %[1]s", "f() { :; }; f > %s", "cp /dev/null %s", "tee %s < /dev/null", "truncate -s 0 %s"} {
		for _, file := range []string{"out/ln/d", `"$PWD/out/ln/d"`, "out/kk/id_rsa"} {
			list = append(list, fmt.Sprintf(way, file), "cd out && "+fmt.Sprintf(way, strings.Replace(file, "out/", "", 1)))
		}
	}
	return append(list, "ln -s ../../docs/d tree/l; : > tree/l", "ln -s ~/docs/d tree/l && > tree/l")
}

// enteredFromBelow are scripts that go through a link from a directory of which is only known below which one it lies.
func enteredFromBelow() (list []string) {
	for _, lost := range []string{"true | { cd nosuch; }", "ls src | while read -r f; do cd src; done", `find src -type d | while read -r d; do cd "$d"; ls; done`} {
		for _, move := range []string{"cd out/ln", "pushd out/ln", "cd out && cd ln", `cd "out/ln/"`, "cd out/./ln", "CDPATH=out cd ln", "CDPATH=.:out/ pushd ln"} {
			list = append(list, lost+"; "+move+"; echo hi > d", lost+"; "+move+" && sed -i s/a/b/ d")
		}
	}
	return list
}

func TestLinksOnDisk(t *testing.T) {
	g := builtin(t)
	judge := func(script string, w *tool.World) tool.Decision {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		return v.Decision
	}
	hostile, tame := withLinks("../../docs", "../../.ssh"), withLinks("../src", "../tree")
	for _, script := range slices.Concat(throughLinks, throughCopies, showThrough, emptiedThrough(), enteredFromBelow()) {
		if d := judge(script, linked(hostile)); d < tool.Ask {
			t.Errorf("%s\n\tgot %s through links that lead out of the project", script, d)
		}
		within := linked(tame)
		if with, without := judge(script, within), judge(script, world()); with > without && !takesAway(script) {
			t.Errorf("%s\n\tgot %s through links that stay in the project, and %s without", script, with, without)
		}
	}
	for _, script := range []string{
		`find . -name '*.c' | xargs sed -i s/a/b/`, `find . -name '*.md' -exec sed -i s/a/b/ {} +`, `find src -type f | xargs sed -i s/a/b/`,
		`for f in src/*; do sed -i s/a/b/ $f; done`, `for d in src/ tree/; do (cd $d && touch m); done`, `cat */*.c`, `cat src/*`,
		`grep -rn hello .`, `grep -rl hello . --include='*.md' | xargs sed -i s/h/H/`, `ls src | xargs -I{} touch src/{}.x`,
		`git ls-files '*.c' | xargs sed -i s/a/b/`, `for f in $(git ls-files '*.c'); do sed -i s/x/y/ $f; done`, `for d in $(find src -type d); do (cd $d && ls); done`,
		`find . -name '*.c' | while read -r f; do sed -i s/x/y/ "$f"; done`, `tar xf a.tar -C src`, `cp -r src /tmp/x && cat /tmp/x/*`, `cp src/*.c tree/`,
		`find . -type f -name '*.c' -exec grep -l main {} +`, `cp -rL src /tmp/x`, `zip -r /tmp/x.zip src`, `touch src/*/x`,
		`cat */*/nosuch.json`, `for f in src/*; do env -C tree touch m; done`, `find . -name '*.pyc' -delete`,
	} {
		beside, without := linked(hostile), linked(tame)
		if with, without := judge(script, beside), judge(script, without); with > without || with >= tool.Ask {
			t.Errorf("%s\n\tgot %s beside links that it does not reach, and %s without", script, with, without)
		}
	}
}

// More links are copied than are remembered: any file below what was written may be one.
func TestManyCopiedLinks(t *testing.T) {
	g := builtin(t)
	root := t.TempDir()
	w := realDisk(g, filepath.Join(root, "home"), filepath.Join(root, "home/proj"))
	for _, dir := range []string{"docs", "proj/many", "proj/dest"} {
		if err := os.MkdirAll(filepath.Join(w.Home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3000 {
		if err := os.Symlink(filepath.Join(w.Home, "docs"), filepath.Join(w.Project, "many", fmt.Sprint("l", 1000+i))); err != nil {
			t.Fatal(err)
		}
	}
	for _, script := range []string{
		`cp -a many/* dest/; touch dest/l3999/m`, `cp -a many dest; touch dest/many/l3999/m`, `rsync -a many/ dest; echo x > dest/l3999/new`,
		`ls many | xargs -I{} cp -a many/{} dest/; touch dest/l3999/m`, `cp -a m*y/l[0-9]* dest/; touch dest/l3999/m`, `find many -type l -exec cp -a {} dest/ \;; touch dest/l3999/m`,
	} {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		if v.Decision < tool.Ask {
			t.Errorf("%s\n\tgot %s", script, v.Decision)
		}
	}
}

// archives are a tar and a zip archive that hold links, and a file.
func archives(t *testing.T, links map[string]string) (tarred, zipped []byte) {
	t.Helper()
	var a, b bytes.Buffer
	tw, zw := tar.NewWriter(&a), zip.NewWriter(&b)
	for _, name := range keys(links) {
		if err := tw.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: name, Linkname: links[name]}); err != nil {
			t.Fatal(err)
		}
		h := &zip.FileHeader{Name: name}
		h.SetMode(fs.ModeSymlink | 0o777)
		f, err := zw.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, links[name])
	}
	tw.Close()
	zw.Close()
	return a.Bytes(), b.Bytes()
}

// gzipped is a text in the form of gzip.
func gzipped(text []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(text)
	w.Close()
	return b.Bytes()
}

// TestLinksThatCome judges scripts in which one command brings links to the disk that lead out of the project, and
// another one uses what lies behind them.
func TestLinksThatCome(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, filepath.Join(root, "home"), filepath.Join(root, "home/proj"))
	write := func(name string, data []byte) {
		t.Helper()
		name = filepath.Join(w.Home, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tarred, zipped := archives(t, map[string]string{"lnk": "../../docs", "sshl": "../../.ssh"})
	tame, _ := archives(t, map[string]string{"lnk": "."})
	for name, data := range map[string][]byte{
		"docs/d": nil, ".ssh/id_rsa": nil, "proj/src/a.c": nil, "proj/README.md": nil, "proj/a.tar": tarred, "proj/a.zip": zipped, "proj/tame.tar": tame, "proj/z.tar.gz": gzipped(tarred),
	} {
		write(name, data)
	}
	cmd := exec.Command("/bin/sh", "-ec", `git init -q -b main .; git add -A; git commit -qm one
git switch -qc feat; ln -s ../docs lnk; ln -s ../.ssh sshl; git add -A; git commit -qm two; git switch -q main
git switch -qc plain; ln -s src lnk; git add -A; git commit -qm three; git switch -q main; git diff main feat > l.patch
mkdir ../other; ln -s ../docs ../other/lnk; ln -s ../.ssh ../other/sshl`)
	cmd.Dir = w.Project
	cmd.Env = []string{"HOME=" + root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	judge := func(script string) tool.Decision {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		return v.Decision
	}
	comes := []string{
		"git checkout -q feat", "git switch feat", "git merge feat -m x", "git cherry-pick feat", "git checkout feat -- lnk sshl", "git apply l.patch",
		"tar xf a.tar -C src; cd src", "unzip -q a.zip -d src; cd src", "cp a.tar b.tar; tar xf b.tar -C src; cd src", "cd src; tar xf ../a.tar",
		"cp -a ../other/. .", "rsync -a ../other/ ./",
		"gzip -k a.tar; tar xzf a.tar.gz -C src; cd src", "gzip a.tar; tar xf a.tar.gz -C src; cd src", "gzip -c a.tar > b.tgz; tar xf b.tgz -C src; cd src", "gzip < a.tar > b.tgz; tar xf b.tgz -C src; cd src",
		"gunzip z.tar.gz; tar xf z.tar -C src; cd src", "gzip -dk z.tar.gz; tar xf z.tar -C src; cd src", "gzip -dc z.tar.gz > y.tar; tar xf y.tar -C src; cd src",
		"cat a.tar | tar x -C src; cd src", "tar x -C src < a.tar; cd src", "tar xf - -C src < a.tar; cd src", "cd src; tar x < ../a.tar", "zcat z.tar.gz | tar xf - -C src; cd src", "gzip -dc z.tar.gz | tar x -C src; cd src", "gunzip < z.tar.gz | tar x -C src; cd src",
		"cat a.tar > b.tar; tar xf b.tar -C src; cd src", "dd if=a.tar | tar x -C src; cd src", "tee b.tar < a.tar | tar x -C src; cd src", "xz -k a.tar; tar xf a.tar.xz -C src; cd src", "bzip2 -k a.tar; tar xf a.tar.bz2 -C src; cd src",
		"bsdtar xf a.tar -C src; cd src", "mv a.tar c.tar; tar xf c.tar -C src; cd src", "cpio -id < a.tar", "7z x a.tar", "(cd src; tar x) < a.tar; cd src",
	}
	uses := []string{
		"touch lnk/m", "echo hi > lnk/m", "cp README.md lnk", "cp README.md lnk/", "mkdir -p lnk/m", "cd lnk && touch m", "cd l* && touch m", "rm -rf lnk/d",
		"for d in l*; do touch $d/m; done", "touch */m", "ls | xargs -I{} touch {}/m", "find . -type l | xargs -I{} touch {}/m", "touch lnk/../m",
		"cat sshl/*", "cat s*/id*", "grep -r KEY sshl/", "grep -R KEY .", "cp -rL . /tmp/o", "find -L . -type f | xargs cat", "tar xf ../tame.tar",
	}
	for _, come := range comes {
		for _, use := range uses {
			if d := judge(come + "; " + use); d < tool.Ask {
				t.Errorf("%s; %s\n\tgot %s", come, use, d)
			}
		}
	}
	for _, come := range []string{
		"git checkout -q plain", "tar xf tame.tar -C src; cd src", "cp -a src s2",
		"cat tame.tar | tar x -C src; cd src", "gzip -k tame.tar; tar xzf tame.tar.gz -C src; cd src", "mv tame.tar t.tar; tar xf t.tar -C src; cd src", "head -c 9 a.tar; tar xf tame.tar -C src; cd src",
	} {
		for _, use := range []string{"touch src/x", "cat README.md", "ls", "cd src && touch m", "grep -rn x src", "touch lnk/m", "cat lnk/a.c", "cd lnk && cat a.c"} {
			if d := judge(come + "; " + use); d >= tool.Ask {
				t.Errorf("%s; %s\n\tgot %s", come, use, d)
			}
		}
	}
}

// The root has no directories in front of its name that a copy could keep.
func TestCopyOfTheRootEnds(t *testing.T) {
	g := builtin(t)
	for _, script := range []string{"rsync --files-from=x / /tmp/b", "rsync -a / /tmp/b", "cp -r / /tmp/b", "cp -r // /tmp/b", "cp -r --parents / /tmp/b"} {
		done := make(chan tool.Decision, 1)
		go func() {
			v, _ := g.Judge(attended(script), linked(map[string]string{"/bin": "usr/bin", "/usr/bin/ls": ""}))
			done <- v.Decision
		}()
		select {
		case got := <-done:
			if got < tool.Ask {
				t.Errorf("%s\n\tgot %s", script, got)
			}
		case <-time.After(20 * time.Second):
			t.Fatal(script, ": no answer")
		}
	}
}

// Of all the archives that a script unpacks only so much is read, and of each once.
func TestArchivesAreReadOnce(t *testing.T) {
	g := builtin(t)
	w := world()
	tarred, _ := archives(t, map[string]string{"l": "/etc"})
	var zipped bytes.Buffer
	zw := gzip.NewWriter(&zipped)
	zw.Write(tarred[:512])
	io.CopyN(zw, rand.NewChaCha8([32]byte{}), 1<<20)
	zw.Close()
	text, read := zipped.Bytes(), 0
	w.Entries = func(string) ([]tool.Entry, bool) { return nil, true }
	w.Exists = func(string) bool { return true }
	w.ReadAt = func(path string, offset int64, room []byte) (int, error) {
		n := 0
		if offset < int64(len(text)) {
			n = copy(room, text[offset:])
		}
		read += n
		return n, nil
	}
	var b strings.Builder
	for i := range 32 {
		fmt.Fprintf(&b, "cat f%d.tgz > /dev/null; ", i)
	}
	b.WriteString(strings.Repeat("cat x | tar xz -C o; tar xzf f1.tgz -C o; ", 50))
	g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: b.String(), Shell: true}, w)
	if read == 0 || read > 16<<20 {
		t.Errorf("%d bytes of archives were read", read)
	}
}
