package guard_test

import (
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/tool"
)

// Whoever shows what a pattern matches, or a search finds by a pattern, shows the files of secrets among it:
// by name, in loops, in arrays, through other programs and at every level. A pattern that matches none is
// quiet.
func TestSecretsByPattern(t *testing.T) {
	set, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	files := []string{
		"README.md", "src/app.yml", "src/deep/x.json", "config/app.yml", "config/secrets.yml", "keys/id_rsa", "deploy/prod/credentials.json", "server.key",
	}
	w := world()
	w.Entries = func(dir string) (list []tool.Entry, whole bool) {
		dir = strings.TrimSuffix(dir, "/") + "/"
		have := map[string]bool{}
		for _, file := range files {
			if rest, ok := strings.CutPrefix(project+"/"+file, dir); ok {
				name, _, isDir := strings.Cut(rest, "/")
				if whole = true; !have[name] {
					list = append(list, tool.Entry{Name: name, Dir: isDir})
				}
				have[name] = true
			}
		}
		return list, whole
	}
	w.Exists = func(at string) bool {
		list, whole := w.Entries(at)
		return whole || len(list) > 0 || strings.Contains(" "+strings.Join(files, " ")+" ", " "+strings.TrimPrefix(at, project+"/")+" ")
	}
	g := guard.Guard{Library: command.Builtin(), Policy: set}
	patterns := []struct {
		text   string
		secret bool
	}{
		{"config/*", true},
		{"config/*.yml", true},
		{"*/*.yml", true},
		{"k*/*", true},
		{"./*/*", true},
		{"deploy/*/*", true},
		{"*.*", true},
		{"[a-z]*.k*", true},
		{"src/*", false},
		{"src/*.yml", false},
		{"*.md", false},
		{"s*/*.yml", false},
		{"*/deep/*", false},
		{"src/d*/*", false},
		{"*/*.json", false},
	}
	ways := []string{
		"cat %", "head -n 3 -- %", "for f in %; do cat \"$f\"; done", "for i in 1 2; do sort %; done", "for f in %; do [ -f \"$f\" ] && echo \"$f\" && tail -3 $f; done",
		"a=(%); cat \"${a[@]}\"", "set -- %; cat \"$@\"", "cat < %", "ls % | xargs cat", "cat $(ls %)", "realpath % | xargs cat",
		"while read -r l; do cat %; done < README.md", "if true; then awk 1 %; fi", "x=$(cat %); echo \"$x\"", "cp % /tmp/x/",
		// The shell reads itself.
		"for f in %; do echo \"$(<\"$f\")\"; done", "for f in %; do read -r l < $f; echo $l; done", "for f in %; do while read -r l; do echo $l; done < \"$f\"; done",
		"for f in %; do mapfile -t l < $f; echo \"${l[@]}\"; done", "for f in %; do exec 3< $f; cat <&3; done", "for f in %; do { cat; } < $f; done", "f() { cat; }; for x in %; do f < $x; done",
	}
	judge := func(script string) tool.Verdict {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true}, w)
		return v
	}
	hold := func(script string, secret bool) {
		t.Helper()
		switch v := judge(script); {
		case secret && v.Decision != tool.Ask:
			t.Errorf("%s\n\t%s (%s), want ask", script, v.Decision, v.Reason)
		case !secret && v.Rule == "secrets-read":
			t.Errorf("%s\n\t%s (%s), want no secret", script, v.Decision, v.Reason)
		}
	}
	for _, p := range patterns {
		for _, way := range ways {
			hold(strings.ReplaceAll(way, "%", p.text), p.secret)
		}
	}
	// Names that a search finds.
	for _, way := range []string{
		"find . -name '%' -exec cat {} +", "find . -name '%' | xargs sort", "cat $(find . -name '%')", "for f in $(find . -name '%'); do cat $f; done",
		"find . \\( -name '*.md' -o -name '%' \\) | xargs cat", "find . -type f -name '%' -print0 | xargs -0 sed -n 1,5p",
	} {
		for name, secret := range map[string]bool{"*.yml": true, "*.json": true, "s*": true, "app.*": false, "x.*": false, "*.md": false} {
			hold(strings.ReplaceAll(way, "%", name), secret)
		}
	}
	// All that is visible in a directory.
	for _, way := range []string{"cd % && ls | xargs cat", "cd % && cat $(ls)", "cd % && for f in $(ls); do cat $f; done", "cd % && ls | head -3 | xargs cat"} {
		for dir, secret := range map[string]bool{"config": true, ".": true, "src": false} {
			hold(strings.ReplaceAll(way, "%", dir), secret)
		}
	}
	// Who searches them, counts or checks them does not show them.
	for _, way := range []string{"find . -name '*.yml' | xargs grep -n TODO", "find . -name '*.yml' | xargs wc -l", "find . -name '*.yml' | xargs yamllint", "for f in config/*; do echo $f; done", "ls config/*"} {
		if v := judge(way); v.Decision != tool.Allow {
			t.Errorf("%s\n\t%s (%s), want allow", way, v.Decision, v.Reason)
		}
	}
}

// Who shows or copies all files of a list at every level shows the files of secrets in it, and in one of what a search has
// found those that it finds.
func TestSecretsInLists(t *testing.T) {
	g := builtin(t)
	w := linked(map[string]string{
		project + "/README.md": "", project + "/src/a.c": "", project + "/packages/app/.env": "", project + "/packages/app/main.c": "", project + "/packages/lib/x.c": "", project + "/config/deep/secrets.yml": "",
	})
	w.ReadSecret = func(path string) ([]byte, error) { return []byte("K=1234567890\nDB_HOST=x\n"), nil }
	judge := func(script string) tool.Verdict {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true}, w)
		return v
	}
	for _, list := range []string{"find . -type f", "find packages -type f", "find . -type f -not -path './.git/*'", "find config -type f", "grep -rl K= packages", "grep -rlE 'foo|DB_[A-Z]*=' .", "grep -rli k= config", "grep -rl '^K' .", "grep -rl \"$x\" .", "rg --files", "rg --files config", "fd -t f", "fd . config", "rg -l K= .", "rg -l DB_HOST config"} {
		for _, way := range []string{
			"% | xargs cat", "cat $(%)", "for f in $(%); do head -3 $f; done", "% | while read -r f; do sort \"$f\"; done", "% | xargs -I{} cp {} /tmp/x; cat /tmp/x",
			"for f in $(%); do cp $f /tmp/x; cat /tmp/x; done", "% | xargs -I{} cp {} /tmp/d/; cat /tmp/d/* /tmp/d/.*", "for f in $(%); do mv $f /tmp/x; base64 /tmp/x; done",
		} {
			if script := strings.ReplaceAll(way, "%", list); judge(script).Decision < tool.Ask {
				t.Errorf("%s\n\t%s, want ask", script, judge(script).Decision)
			}
		}
	}
	for _, script := range []string{
		"find . -type f -exec cp {} /tmp/x \\; -exec cat /tmp/x \\;", "find . -type f -exec sh -c 'cp \"$1\" /tmp/x; cat /tmp/x' _ {} \\;", "find . -type f -exec install {} /tmp/x \\; -exec head /tmp/x \\;",
		"find . -type f -exec cat {} +", "find . -type f -exec cp {} /tmp/d \\; ; grep -rh = /tmp/d",
		// A pattern behind the names of a list.
		"find packages -type d | while read -r d; do cat \"$d\"/.e*; done", "find config -type d | while read -r d; do cat \"$d\"/*; done", "for d in $(find . -type d); do head -2 \"$d\"/*.yml; done",
		// A slash among alternatives takes the pattern apart in some of them only.
		"shopt -s extglob; cat */*/@(x/y|secrets.yml)", "shopt -s extglob; cat @(x/../y|config)/deep/*", "shopt -s extglob; ls -d @(config|x)/*/* | xargs cat", "shopt -s extglob; find @(config|x) -type f | xargs cat",
		"ls -d config/deep/* *.md | while read -r f; do cp \"$f\" /tmp/o; done; cat /tmp/o/s*", "find . -name '*.yml' -o -name '*.md' | while read -r f; do cp \"$f\" /tmp/o; done; cat /tmp/o/*",
		// Directories that a pattern or a list names: secrets lie right in them.
		"for f in packages/*; do grep -r . \"$f\"; done", "grep -rh = packages/*", "tar cf - packages/* | strings", "for f in packages/*; do tar cf - \"$f\" | strings; done", "find packages -maxdepth 1 -type d | xargs grep -r =",
		"ls packages | xargs -I{} grep -r = packages/{}", "find . -type d -name app | xargs grep -rh =", "find packages -maxdepth 1 -type d -exec grep -r = {} \\;", "a=(packages/*); grep -rh = \"${a[0]}\"", "rg -uu = */app",
		"cp -r packages/* /tmp/o/; grep -rh = /tmp/o/app", "for d in packages/*; do diff -r $d /tmp/x; done", "f=$(ls -t config | tail -1); (cd \"config/$f\" && cat *)", "f=$(ls -dt config/* | tail -1); (cd \"$f\" && cat *)", "f=$(ls -dt config/* | tail -1); cat \"$f\"/*",
		"ls config | while read -r d; do (cd \"config/$d\" && cat *); done", "for d in config/*; do env -C \"$d\" sh -c 'cat *'; done",
		// All there is, at every level.
		"rg .", "rg '' config", "rg -v TODO config", "ag . config", "fd -t f -x cat", "fd . config -X head", "grep -r . packages", "for f in packages; do grep -rh '' \"$f\"; done", "grep -rv '^#' config", "rg -uu . packages", "for d in packages/*/; do git add -f \"$d\"; done", "find packages -type d | xargs git add -f",
		"diff -r src packages", "diff -ruN src packages", "diff -r -x .git src packages", "diff -rN src .", "git diff --no-index src packages", "git diff --no-index --stat -p src packages", "icdiff -r src packages", "difft src packages",
		"delta src packages", "rclone cat packages", "rclone cat .", "tar c packages | strings", "tar cf - . | base64", "gzip -rc packages | zcat", "zip -qr - config | strings", "git add -f packages", "git add -f .", "cp -r packages /tmp/p; diff -r src /tmp/p", "for d in packages config; do diff -r src $d; done",
		"grep -r '' --exclude='*.lock' packages", "grep -r '' --exclude-dir=node_modules packages", "rg -uu . packages -g '!x'", "rg -uu --passthru zzz packages", "git grep --no-index -e '' packages", "git grep --no-index --no-exclude-standard -e .", "git grep --no-index --not -e zzz packages",
		// Copies of copies, and one fixed name for each.
		"cp -r . build/all; cat build/all/config/deep/*", "rsync -a --exclude node_modules . /tmp/c; cat /tmp/c/config/deep/*", "cp -a config /tmp/bk; tar cf /tmp/b.tar -C /tmp bk; tar xOf /tmp/b.tar", "cp -r config /tmp/a; mv /tmp/a /tmp/b; cat /tmp/b/deep/*",
		"tar c . | tar x -C d && cat d/config/deep/*", "mkdir -p build/s && tar cf - --exclude=build . | tar xf - -C build/s && cat build/s/config/deep/*", "tar c config | (cd /tmp/d && tar x); cat /tmp/d/config/deep/*", "(cd config && tar c .) | tar x -C /tmp/d; cat /tmp/d/deep/*",
		"tar cf /tmp/k.tar config; tar xf /tmp/k.tar -C /tmp/k; cat /tmp/k/config/deep/*", "tar c . | gzip > /tmp/k.tgz; tar xzf /tmp/k.tgz -C /tmp/k; head /tmp/k/config/deep/*", "tar cz . > k.tgz; cat k.tgz | tar xz -C /tmp/k; cat /tmp/k/config/deep/*", "tar cz . > k.tgz; tar xz -C /tmp/k < k.tgz; cat /tmp/k/config/deep/*",
		"tar c . | tee /tmp/x.tar > /dev/null; tar xf /tmp/x.tar -C /tmp/e; cat /tmp/e/config/deep/*", "tar c . | tar x -C /tmp/d; cp /tmp/d/config/deep/* /tmp/e; cat /tmp/e/*", "tar c . | tar x -C /tmp/d; grep -rh : /tmp/d/config/deep", "tar c . | tar x -C /tmp/d; find /tmp/d/config -type f | xargs cat",
		"find . | cpio -pdm /tmp/d; cat /tmp/d/config/deep/*", "find . -depth -print0 | cpio -0pdm /tmp/d; cat /tmp/d/config/deep/*", "rsync -a config /tmp/d/; cat /tmp/d/config/deep/*", "rsync -a ./ /tmp/d; cat /tmp/d/config/deep/*", "pax -rw config /tmp/d; cat /tmp/d/config/deep/*",
		"zip -qr - config > z.zip; unzip -q z.zip -d /tmp/d; cat /tmp/d/config/deep/*", "find . -type f -print0 | tar c --null -T - | tar x -C /tmp/d; cat /tmp/d/config/deep/*", "cp -r . /tmp/x; cd /tmp/x/config/deep; grep -rh : .",
		// Seen from above the copy, in directories of copies, and moved on.
		"tar c config | tar x -C /tmp/t; cat /tmp/t/*/*/*", "zip -qr a.zip config; unzip -q a.zip -d /tmp/t; cat /tmp/t/*/*/*", "cp -r packages /tmp/t; for f in /tmp/t/*; do grep -r . \"$f\"; done", "cp -r packages /tmp/m; mv /tmp/m /tmp/t/; find /tmp/t -type f | xargs cat",
		"cp -r config /tmp/m; mv /tmp/m /tmp/t/; grep -r . /tmp/t", "find config -type f | xargs cp -t /tmp/t; mv /tmp/t /tmp/q; cat /tmp/q/*", "for f in $(find config -type f); do i=$((i+1)); cp \"$f\" /tmp/t/$i; done; mv /tmp/t /tmp/q; cat /tmp/q/*",
		"find config -type f -print0 | xargs -0 cp --parents -t /tmp/t; cp -r /tmp/t /tmp/q; cat /tmp/q/*/*/*",
		"n=$(wc -l < README.md); find \"config/$n\" -type f -exec cat {} +", "m=$(date +%m); d=$((10#$m-8)); find config/$d -type f -exec cat {} +", "ln -s config/deep cur; grep -r . cur", "ln -sfn deep config/current; grep -R . config/current", "ln -s config/deep cur; rg -uu . cur",
		"mv config/d* q; cat q/*", "mv config/* /tmp/t/; cat /tmp/t/deep/*", "n=$(wc -l < README.md); mv config/d$n q; cat q/*", "for d in config/d*; do mv \"$d\" q; done; grep -r . q", "mv config/deep q/; cat q/*", "mv config/d* q; cd q; cat secrets.yml",
		// Under other names.
		"for f in $(ls -d config/deep/*); do split \"$f\" /tmp/sp; cat /tmp/spaa; done", "f=$(ls -d config/deep/* | head -1); split \"$f\" /tmp/sp; cat /tmp/sp*", "find config -type f -exec split {} /tmp/sp \\; ; cat /tmp/sp*", "f=$(ls -d config/deep/* | head -1); csplit -s -f /tmp/sp \"$f\" 1; cat /tmp/sp00",
		"for f in $(ls -d config/deep/*); do cp \"$f\" /tmp/o; done; cat /tmp/o*", "for f in $(ls -d config/deep/*); do i=$((i+1)); cp \"$f\" /tmp/g$i; done; cat /tmp/g1", "for f in $(ls -d config/deep/*); do cp \"$f\" \"$f.bak\"; done; cat config/deep/*.bak",
		"for f in $(ls -d config/deep/*); do sed -i.bak s/a/b/ \"$f\"; cat \"$f.bak\"; done", "f=$(ls -d config/deep/* | head -1); gzip -k \"$f\"; zcat \"$f.gz\"", "f=$(ls -d config/deep/* | head -1); dd if=$f of=/tmp/o; cat /tmp/o", "f=$(ls -d config/deep/* | head -1); base64 \"$f\" > /tmp/g; base64 -d /tmp/g",
		"f=$(ls -d config/deep/* | head -1); iconv -f utf8 -t latin1 -o /tmp/g \"$f\"; cat /tmp/g", "t=$(mktemp -d); for f in $(ls -d config/deep/*); do cp \"$f\" $t; done; cat $t/*", "ls -d config/deep/* | while read -r f; do git hash-object -w \"$f\" | xargs git cat-file -p; done",
		"for f in $(ls -d config/deep/*); do cp \"$f\" /tmp/o; cat /tmp/o*; done", "find config -type f -exec cp {} {}.txt \\; ; cat config/deep/*.txt",
		"for f in $(ls -d config/deep/*); do cp \"$f\" /tmp/o; cat /tmp/o; done", "f=$(ls -d config/deep/* | head -1); zip -q /tmp/z.zip \"$f\"; unzip -p /tmp/z.zip", "for f in $(find . -type f); do echo \"$(<$f)\"; done",
	} {
		if v := judge(script); v.Decision < tool.Ask {
			t.Errorf("%s\n\t%s, want ask", script, v.Decision)
		}
	}
	// Which files a search or an archive leaves out is not followed: a wall answers for it, and where there is none a person.
	for _, script := range []string{
		"diff -r -x app src packages", "diff -r -x .env src packages", "tar c --exclude=app packages | strings", "git grep -e foo --and --not -e bar", "grep -r '' --include='*.c' packages", "rg . packages",
		"rg . -g '*.c'", "find . -maxdepth 1 -type f | xargs cat", "tar cf - packages/l* | strings", "grep -rh . --include='*.c' packages", "grep -rh = packages/l*",
	} {
		if v := judge(script); v.Rule != "secrets-read" || v.Decision != tool.Ask {
			t.Errorf("%s\n\t%s (%s), want ask", script, v.Decision, v.Reason)
		}
	}
	for _, script := range []string{
		"diff -rq src packages", "diff -r src packages/lib", "git diff --no-index src packages/lib", "git diff --no-index --stat src packages", "tar c packages/lib | strings", "tar czf /tmp/a.tgz .", "tar c packages | wc -c",
		"git add -f src", "rclone cat src", "git grep --no-index -e TODO packages", "diff -r src /tmp/x",
		"find src -type f | xargs cat", "cat $(find src -type f)", "rg . src", "rg --files packages | xargs cat", "rg --files | xargs wc -l", "fd -e c -x cat", "fd . packages | xargs cat", "rg DB_HOST", "ls | rg .",
		"find . -type f | xargs wc -l", "find . -type f -exec cp {} /tmp/x \\;", "find . -type f -exec cp {} /tmp/d \\; ; ls /tmp/d", "find src -type f -exec cp {} /tmp/x \\; -exec cat /tmp/x \\;",
		"find . -name '*.c' -exec cp {} /tmp/x \\; -exec cat /tmp/x \\;", "find . -type f | xargs sed -i s/a/b/; cat README.md", "git ls-files | xargs cat",
		"find src -type d | while read -r d; do cat \"$d\"/*; done", "find . -type d | while read -r d; do cat \"$d\"/*.md; done",
		"shopt -s extglob; cat */@(x/y|a.c)", "find . -name '*.c' -o -name '*.md' | while read -r f; do cp \"$f\" /tmp/o; done; cat /tmp/o/*", "ls -d src/* *.md | while read -r f; do cp \"$f\" /tmp/o/; done; cat /tmp/o/a.c",
		"for f in packages/*; do grep -rn TODO \"$f\"; done", "grep -rh = src/*", "tar czf /tmp/a.tgz packages/*", "for d in packages/*; do (cd $d && ls); done", "for d in packages/*; do cp -r $d /tmp/o; done; ls /tmp/o",
		"ls src | xargs -I{} grep -r = src/{}", "find packages -name main.c | xargs cat", "f=$(ls -dt packages/l* | tail -1); (cd \"$f\" && cat *)",
		"tar c . | tar x -C /tmp/d; cat /tmp/d/src/*", "tar c . | tar x -C /tmp/d; ls /tmp/d/config", "tar c src | tar x -C /tmp/d; cat /tmp/d/src/*", "tar c . | tar x -C /tmp/d; grep -rn TODO /tmp/d/config/deep", "git archive HEAD | tar x -C /tmp/d; cat /tmp/d/src/*",
		"tar c src | gzip > /tmp/a.tgz; tar xzOf /tmp/a.tgz", "cp -r src /tmp/d; cat /tmp/d/a.c | tee /tmp/x; cat /tmp/x", "find src | cpio -pdm /tmp/d; cat /tmp/d/src/*", "rsync -a ./ /tmp/d; cat /tmp/d/src/*", "cp -r . /tmp/x; grep -rh : /tmp/x/src",

		"ls -d src/* | while read -r f; do git hash-object -w \"$f\"; done", "ls -d config/deep/* | while read -r f; do git hash-object \"$f\"; done", "t=$(mktemp -d); for f in $(ls -d src/*); do cp \"$f\" $t; done; cat $t/*",
		"n=$(wc -l < README.md); find \"src/$n\" -type f -exec cat {} +", "ln -s src cur; grep -r . cur", "ln -s src cur; rg . cur",
		"grep -r . src", "grep -rc . packages", "grep -rl . packages", "grep -rn TODO packages", "git add -f src/*", "git add packages/*",
		"cp -r . build/all; cat *.md", "tar c config | tar x -C /tmp/t; cat /tmp/t/*.md", "cp -r src /tmp/t; for f in /tmp/t/*; do grep -r . \"$f\"; done", "find src -type f | xargs cp -t /tmp/t; mv /tmp/t /tmp/q; cat /tmp/q/*",
		"cp -r . build/all; cat build/all/src/*", "cp -r src /tmp/a; mv /tmp/a /tmp/b; cat /tmp/b/*", "zip -qr /tmp/a.zip src; unzip -p /tmp/a.zip", "for f in $(ls -d src/*); do cp $f /tmp/o; cat /tmp/o; done",
	} {
		if v := judge(script); v.Rule == "secrets-read" || v.Decision == tool.Ask && !strings.Contains(script, "sed -i") {
			t.Errorf("%s\n\t%s (%s), want allow", script, v.Decision, v.Reason)
		}
	}
}
