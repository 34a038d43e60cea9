package guard_test

import (
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/tool"
)

// A search may come across a file of secrets; one that is after secrets, or a command
// that prints whatever there is, reads it.
func TestSweeps(t *testing.T) {
	set, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{
		project:           {".env", ".git", "README.md", "main.go", "src"},
		project + "/src":  {"app.py", "password.py"},
		project + "/conf": {"app.yml", "id_rsa"},
	}
	w := world()
	w.ReadSecret = func(string) ([]byte, error) { return []byte("API_TOKEN=x\n"), nil }
	w.Entries = func(dir string) (list []tool.Entry, whole bool) {
		for _, name := range names[strings.TrimSuffix(dir, "/")] {
			list = append(list, tool.Entry{Name: name})
		}
		return list, true
	}
	w.Exists = func(path string) bool {
		path = strings.TrimSuffix(path, "/.")
		for dir, list := range names {
			for _, name := range list {
				if path == dir || path == dir+"/"+name {
					return true
				}
			}
		}
		return false
	}
	g := guard.Guard{Library: command.Builtin(), Policy: set}
	judge := func(script string) tool.Verdict {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true}, w)
		return v
	}
	for _, script := range []string{
		"grep -rn PASSWORD .", "grep -r 'API_KEY=' .", "grep -ri secret", "egrep -r 'TOKEN|SECRET' .", "grep -r '' .", "grep -r . .", "grep -rv foo .", "rgrep API_TOKEN .",
		"rg -uu PASSWORD", "rg --hidden --no-ignore 'SECRET_KEY'", "rg -uuu .", "ag --hidden PASSWORD", "git grep --no-index --no-exclude-standard API_KEY",
		"git grep --no-index -e API_KEY=", "git grep --no-index -n -e TOKEN .", "git grep --no-index --no-exclude-standard -e TOKEN", "ack foo --or API_TOKEN",
		"find . -type f | xargs cat", "find . -type f -exec cat {} +", "find . -type f -print0 | xargs -0 head -5", "ls -A | xargs cat", "cat $(ls -A)", "fd -H -t f -X cat",
		"git ls-files -o | xargs cat", "find . -maxdepth 1 -type f | xargs base64", "grep -rlE . . | xargs cat", "cat .*", "tar cf - . | tar xOf -",
		"tar c . | strings", "tar cf - . | base64", "tar czf - . | base64", "tar c . | cat", "rg -uu -g '!*.py' .", "grep -r --exclude='*.py' PASSWORD .", "git diff --no-index /dev/null .",
		"zip -r - . | strings", "zip -qr - .", "find . | cpio -o | strings", "pax -w . | strings", "tar c .", "tar cf /dev/stdout .", "tar c . | grep -a KEY", "tar cz . | zcat",
		"grep -rh TOKEN . --exclude=.gitignore", "grep -rh TOKEN . --exclude='.git*'", "grep -rh TOKEN . --exclude=environment.txt", "grep -rh TOKEN . --exclude='*.env.sample'",
		"grep -rh TOKEN . --include='*'", "grep -rh TOKEN . --exclude='*.py' --include='*.go'", "grep -rh TOKEN . --include='{*,x}'", "grep -hd recurse TOKEN", "grep -h --directories rec TOKEN",
		"grep -rL zzz . | xargs cat", "rg -uu TOKEN -g '*'", "rg -uu TOKEN -g '!.git'", "rg --hidden TOKEN -g '!.git/*'", "rg -uu --type-add 'x:*' -t x TOKEN", "ack TOKEN",
		"tar c --exclude=.git . | strings", "tar c --exclude=.env --anchored . | strings", "diff -r -x .git . /tmp/other", "find . -type f -not -name '.git*' -exec cat {} +",
		"tar cf /tmp/a.tar .; strings /tmp/a.tar", "tar cf /tmp/a.tar .; tar xOf /tmp/a.tar", "tar czf a.tgz . && zcat a.tgz", "zip -qr /tmp/a.zip . ; unzip -p /tmp/a.zip",
		"zip -qr /tmp/a.zip . ; unzip -c /tmp/a.zip", "zip -qr /tmp/a.zip . -x '*.git*'; unzip -p /tmp/a.zip", "7z a /tmp/a.7z . ; 7z x -so /tmp/a.7z", "jar cf a.jar . ; unzip -p a.jar",
		"cp -r . /tmp/x; grep -rh TOKEN /tmp/x", "cp -a . /tmp/x && cd /tmp/x && grep -rh TOKEN .",
		"cp -a . /tmp/x; find /tmp/x -type f | xargs cat", "cp -a . /tmp/x; find /tmp/x -type f -exec cat {} +", "cp -a . /tmp/x; mv /tmp/x /tmp/y; find /tmp/y -type f | xargs cat",
		"cp -a . /tmp/x; for f in $(find /tmp/x -type f); do cat $f; done", "python3 -c 'import shutil; shutil.copytree(\".\", \"/tmp/x\")'; find /tmp/x -type f | xargs cat",
		"rm .gitignore; git stash -u", "mv .gitignore /tmp/i; git ls-files -o --exclude-standard | xargs cat",
		"cp -r conf /tmp/c && cat /tmp/c/*", "cp -r conf /tmp/; cd /tmp/conf; cat *", "cp -r conf /tmp/z; find /tmp/z -type f -exec cat {} +", "rsync -a conf/ /tmp/d; head /tmp/d/*",
		"rsync -a --include='*.md' conf/ /tmp/d; head /tmp/d/*", "tar cf /tmp/k.tar conf; tar xf /tmp/k.tar -C /tmp/k; cat /tmp/k/conf/*", "cp -r . /tmp/x; cat /tmp/x/.e*", "cp -r conf /tmp/c; cat /tmp/*/*",
		"zip -qr /tmp/k.zip conf; unzip -q /tmp/k.zip -d /tmp/k; base64 /tmp/k/conf/*", "python3 -m tarfile -c /tmp/c.tar conf; tar xOf /tmp/c.tar", "cp -r conf /tmp/c; for f in /tmp/c/*; do cat $f; done",
		"kubectl create configmap x --from-file=conf --dry-run=client -o yaml", "kubectl create secret generic x --from-file=k=conf --dry-run=client -o yaml", "kubectl label -f conf --local a=b -o yaml --dry-run=client",
		"git stash -a; git show 'stash@{0}^3'", "git stash push --all", "cd src && git stash -a", "git add -f .", "git add -Af", "git add -f . && git diff --cached",
		"git ls-files -o | git update-index --add --stdin", "find . -maxdepth 1 -type f | git hash-object -w --stdin-paths", "find . -maxdepth 1 -type f | xargs git hash-object -w",
		"find . -maxdepth 1 -type f -exec git add -f {} +", "ls -d .*v | git hash-object -w --stdin-paths", "printf '.env\\n' | git update-index --add --stdin",
		"ls -d .*v | xargs cat", "find .*v | xargs cat", "cat $(find .e*)", "git ls-files -o .e* | xargs cat", "realpath .e* | xargs cat", "find src .e* | xargs cat",
		"gzip -rc . | zcat", "x=$(tar c . | base64); echo \"$x\"", "diff -rN . /tmp/empty", "diff -r . /tmp/other", "icdiff -r . /tmp/other",
	} {
		if v := judge(script); v.Decision != tool.Ask {
			t.Errorf("%s\n\t%s (%s), want ask", script, v.Decision, v.Reason)
		}
	}
	// Which files a search or an archive leaves out is not followed: a wall answers for it, and where there is none a person.
	for _, script := range []string{
		"grep -rh TOKEN . --exclude='.env*'", "grep -rh TOKEN . --exclude=.env --exclude-dir=node_modules", "grep -rh TOKEN . --include='*.go' --exclude='*.py'", "grep -rn --include='*.{ts,tsx}' PASSWORD .", "rg -uu TOKEN -g '!.env'", "rg -uu TOKEN -g '*.py'", "tar c --exclude=.env . | strings", "diff -r -x .env . /tmp/other",
		"zip -qr /tmp/a.zip . -x .env; unzip -p /tmp/a.zip", "git ls-files -m | git update-index --stdin", "grep -rn --include='*.py' PASSWORD .", "rg PASSWORD", "rg -g '*.py' PASSWORD --hidden", "git grep PASSWORD", "grep -r --exclude='.env*' PASSWORD .",
	} {
		if v := judge(script); v.Decision != tool.Ask {
			t.Errorf("%s\n\t%s (%s), want ask", script, v.Decision, v.Reason)
		}
	}
	for _, script := range []string{
		"echo node_modules >> .gitignore; git add -A; git commit -m x", "printf 'node_modules\n.env\n' > .gitignore; git add -A", "echo x > .gitignore; git add new.md",
	} {
		if v := judge(script); v.Decision > tool.Pass {
			t.Errorf("%s\n\t%s (%s), want pass", script, v.Decision, v.Reason)
		}
	}
	for _, script := range []string{
		"grep -rL TODO .", "grep -rL zzz src | xargs cat", "rg --hidden TODO -g '!.git'",
		"tar c . > /tmp/a.tar; sha256sum /tmp/a.tar", "tar czf /tmp/a.tgz . && tar tzf /tmp/a.tgz | head",
		"tar czf /tmp/a.tgz . && ls -l /tmp/a.tgz", "zip -qr /tmp/a.zip . ; unzip -l /tmp/a.zip", "tar czf /tmp/a.tgz src && tar xzOf /tmp/a.tgz",
		"cp -r . /tmp/x; cat /tmp/x/README.md", "cp -r . /tmp/x && ls /tmp/x", "cp -r src /tmp/x; grep -rh TOKEN /tmp/x",
		"cp -r src /tmp/x; find /tmp/x -type f | xargs cat", "cp -a . /tmp/x; find /tmp/x -type f | wc -l", "cp -a . /tmp/x; find src -type f | xargs cat",
		"cp -r conf /tmp/c && cat /tmp/c/*.yml", "cp -r src /tmp/c && cat /tmp/c/*", "cp -r . /tmp/x; cat /tmp/x/*.md", "cp -r . /tmp/x; cat /tmp/x/src/*", "cp -r conf /tmp/c; wc -l /tmp/c/*",
		"cp -r conf /tmp/c; grep -n TODO /tmp/c/*", "rsync -a src/ /tmp/d; cat /tmp/d/*",
		"kubectl create configmap x --from-file=src --dry-run=client -o yaml", "kubectl create configmap x --from-file=conf --dry-run=client", "kubectl apply -f src --dry-run=client -o yaml",
		"git ls-files -o | git update-index --assume-unchanged --stdin", "find . -type f | git hash-object --stdin-paths",
		"find . -name '*.py' | git hash-object -w --stdin-paths", "find . -type f -exec git add {} +", "find src *.md | xargs cat", "ls -d src *.md | xargs ls",
		"git stash -u", "git stash", "git add -f src", "git add -f dist", "git add .", "git add -A",
		"grep -rn TODO .", "grep -rn password .", "grep -rl PASSWORD .", "grep -rc PASSWORD .", "grep -rn PASSWORD src", "grep -rn tokenize .",
		"rg --hidden TODO", "rg --files | xargs cat", "git ls-files | xargs cat", "fd -e py -X cat", "fd -t f -X cat",
		"find src -type f | xargs cat", "find . -name '*.py' | xargs cat", "find . -type f | xargs wc -l", "find . -type f | xargs grep -n TODO", "ls | xargs cat",
		"git diff --name-only | xargs cat", "find . -type f | head -20", "find . -type f | sort",
		"tar c src | strings", "tar czf - . | wc -c", "rg --hidden -g '!.git' TODO", "git diff --no-index src src",
		"zip -qr - . > /tmp/x.zip", "find . | cpio -o > /tmp/x.cpio", "find src | cpio -o | strings", "tar c src", "tar c . > /tmp/x.tar", "tar c . | grep -a TODO", "tar c . | gzip > /tmp/x.tgz",
		"tar c . | tar t", "tar c . | (cd /tmp/x && tar x)", "tar c . | sha256sum", "tar c . | tee /tmp/x.tar > /dev/null", "diff -rq . /tmp/other", "diff -r src /tmp/other",
	} {
		if v := judge(script); v.Decision != tool.Allow {
			t.Errorf("%s\n\t%s (%s), want allow", script, v.Decision, v.Reason)
		}
	}
	// What prints files is asked about however it prints them and whoever lists them; what only
	// counts, compares or names them is not.
	lists := []string{
		"find . -type f | xargs -n1 %", "find . -type f -print0 | xargs -0 -n1 %", "find . -maxdepth 1 -type f -exec % {} +", "find . -type f -exec % {} \\;",
		"for f in $(find . -type f); do % $f; done", "find . -type f | while read -r f; do % \"$f\"; done", "grep -rl = . | xargs -n1 %",
	}
	for _, list := range lists {
		for _, program := range []string{
			"cat", "sort", "sort -u", "awk 1", "awk '{print $2}'", "cut -d= -f2", "sed -n p", "sed -n 1,5p", "paste", "uniq", "uniq -c", "column", "column -t", "fmt", "fold", "rev", "tac", "nl",
			"shuf", "unexpand", "iconv -f utf8", "xxd", "base32", "base64", "strings", "diff README.md", "sdiff README.md", "cmp -l README.md", "comm README.md", "join README.md", "grep -n =",
			"grep -H TOKEN", "grep -v TODO", "grep ''", "less", "bat", "perl -pe s/a/b/", "cpp", "gcc -E", "tar cf -", "shellcheck", "shellcheck -f tty", "shellcheck -S error",
		} {
			if script := strings.ReplaceAll(list, "%", program); judge(script).Decision != tool.Ask {
				t.Errorf("%s\n\t%s, want ask", script, judge(script).Decision)
			}
		}
		for _, program := range []string{
			"wc", "wc -l", "wc -L", "ls -l", "stat", "file", "du -h", "sha256sum", "md5sum", "cksum", "rhash", "cmp README.md", "cmp -s README.md", "diff -q README.md", "cloc", "basename",
			"shellcheck -f gcc", "shellcheck --format=quiet", "codespell", "yamllint", "gofmt -l", "shfmt -l", "nm", "exiftool", "flake8",
			"grep -n TODO", "grep TODO", "grep -l TOKEN", "grep -L TOKEN", "grep -c TOKEN", "grep -Hc TOKEN", "grep -q TOKEN", "rg -c TOKEN", "awk 'END{print NR}'",
		} {
			if script := strings.ReplaceAll(list, "%", program); judge(script).Decision != tool.Allow {
				t.Errorf("%s\n\t%s (%s), want allow", script, judge(script).Decision, judge(script).Reason)
			}
		}
	}
	for _, list := range []string{"find src -type f", "find . -name '*.py'", "git ls-files", "ls", "rg --files"} {
		for _, program := range []string{"sort", "awk 1", "cut -d= -f2", "sed -n p", "paste", "fmt", "grep -n =", "shellcheck"} {
			if script := list + " | xargs " + program; judge(script).Decision != tool.Allow {
				t.Errorf("%s\n\t%s (%s), want allow", script, judge(script).Decision, judge(script).Reason)
			}
		}
	}
	// Whatever an archive goes through, its content is shown in the end.
	ways := []string{"cat", "gzip", "tee /tmp/x", "base64", "sort", "{ cat; }", "(cat)", "while read -r l; do echo \"$l\"; done", "tr a b", "zstd", "dd", "pv"}
	for _, archive := range []string{"tar c .", "zip -r - .", "find . | cpio -o"} {
		for _, first := range ways {
			for _, second := range ways {
				if v := judge(archive + " | " + first + " | " + second); v.Decision != tool.Ask {
					t.Errorf("%s | %s | %s\n\t%s (%s), want ask", archive, first, second, v.Decision, v.Reason)
				}
				if v := judge(archive + " | " + first + " | " + second + " > /tmp/y"); v.Decision != tool.Allow {
					t.Errorf("%s | %s | %s > /tmp/y\n\t%s (%s), want allow", archive, first, second, v.Decision, v.Reason)
				}
			}
		}
	}
	names[project] = names[project][1:] // without the file, nobody is asked
	for _, script := range []string{"grep -rn PASSWORD .", "find . -type f | xargs cat", "rg -uuu ."} {
		if v := judge(script); v.Decision != tool.Allow {
			t.Errorf("%s where there is no such file\n\t%s (%s), want allow", script, v.Decision, v.Reason)
		}
	}
}
