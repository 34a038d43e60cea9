package guard_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/tool"
)

// TestFilesReadAndReplaced has a real shell change a file by commands that read it and write it, and holds the answer against what is left:
// what leaves nothing of it is a deletion, and what leaves the lines that were there is none.
func TestFilesReadAndReplaced(t *testing.T) {
	runsPrograms(t)
	reads := []string{"cat f", "sort f", "sed s/a/b/ f", "grep a f", "head -n 9 f", "sort < f", "{ cat f; }", "cat f | sort", "(cat f; echo)", "while read -r l; do printf '%s\\n' \"$l\"; done < f", "awk 1 f"}
	writes := []string{
		"%s > f", "%s >| f", "%s &> f", "{ %s; } > f", "(%s) > f", "for i in 1; do %s; done > f", "if :; then %s; fi > f", "x() { %s; }; x > f", "%s | cat > f", "%s | sort | cat > f", "%s | tee f", "%s | tee f > /dev/null", "%s | { cat; } > f", "%s | dd of=f", "exec > f; %s", "(exec > f; %s)", "exec 3> f; { %s; } >&3", "exec 3> f; { %s; } >&3; exec 3>&-", "x() { exec > f; }; x; %s", "exec {d}> f; x=$( %s ); echo \"$x\" >&$d", "exec {d}> g; { %s; } >&$d; exec {d}>&-; cat g > f",
		"bash <<'E' > f\n%s\nE", "x=$( %s ); exec > f; echo \"$x\"", "exec 3> g; { %s; } >&3; exec 3>&-; cat g > f", "(exec > g; %s); cat g > f", "exec >> f; %s",
		"%s > n && mv n f", "x=$( %s ); echo \"$x\" > f", "echo \"$( %s )\" > f", "%s | sort -o f", "%s > g", "%s | tee g", "cp f g; { %s; } > g",
	}
	edits := []string{
		"sed -i s/a/b/ f", "sed -n -i /a/p f", "sed -n -i s/a/b/ f", "sed -i d f", "sed -i /./d f", "sed -i /a/d g", "perl -ni -e 'print if /a/' f", "perl -ni -e 's/a/b/' f", "perl -i -ne 1 f", "perl -pi -e 's/a/b/' f", "perl -i -ne 'printf \"%s\", $_' f", "perl -i.bak -ne 1 f",
		"sed -i 's/.*//' f", "sed -i 's/^.*$//g' f", "sed -i 's/.*/x/' g", "sed -i '1s/.*//' g", "sed -i 's/q.*//' f", "perl -pi -e 's/.*//' f", "perl -pi -e 's/.*//s;' f", "perl -pi -e '$_ = \"\"' f", "perl -pi -e 'undef $_' f", "perl -pi -e 's/q//' f", "perl -pi -e '$_ = $_' f", "ruby -i -pe '$_ = \"\"' f", "gawk -i inplace 0 f", "gawk -i inplace 1 f",
		": > f", "echo > f", "echo '' > f", "printf '\\n' > f", "printf '' > f", "head -n 0 g > f", "head -c 0 f > f", "seq 9 | head -n 0 > f", "truncate -s 0 f", "truncate -s 99 f", ": > g", "cp g f", "echo >> f", "printf '\\n' >> f", "echo > g", "echo > h",
		"ruby -i -ne 'puts $_' f", "ruby -i -ne '$_.upcase' f", "ruby -i -pe '$_.upcase' f", "gawk -i inplace 1 f", "gawk -i inplace '/a/' f", "gawk -i inplace '{n++}' f", "gawk -i inplace '{n++} 1' f", "gawk -i inplace '{n++} END {print n}' f", "gawk -i inplace -e '{n = 1}' f", "gawk -i inplace -e '{print}' f", "gawk -i inplace '/a/ {print; next}' f", "gawk -i inplace '/a/,/b/' f",
		"cat > f <<E\nheader\n$(cat f)\nE", "cat <<E > f\nheader\n$(cat f)\nE", "cat > f <<< \"$(cat f)\"", "cat <<< \"$(cat f)\" > f", "cat > f < <(cat f)", "cat > g <<E\n$(cat f)\nE", "while read -r l; do echo \"$l\"; done > f <<< \"$(cat f)\"",
		"cat < <(cat f) > f", "while read -r l; do echo \"$l\"; done < <(cat f) > f", "sort <(cat f) > f", "paste <(cut -c1- f) > f", "comm -23 <(sort f) <(sort g) > f", "sort <(sort <(cat f)) > f", "{ sort <(cat f); } > f", "x() { sort \"$1\"; }; x <(cat f) > f", "for n in g f; do sort <(cat f) > $n; done", "exec 3< <(cat f); cat <&3 > f", "exec 3< <(cat f); while read -r -u 3 l; do echo \"$l\"; done > f", "tee >(sort > f) < f", "cat f > >(sort > f)", "cat f | tee >(sort > f)",
		"mapfile -t a < <(cat f); printf '%s\n' \"${a[@]}\" > f", "comm -23 <(sort f) <(sort g) > h", "sort <(cat f) > h && mv h f", "for n in f g; do sort <(cat $n) > $n.bak; done", "sort <(cat f) >> f", "sort -o f <(cat f)", "while read -r l; do echo \"$l\"; done < <(cat f) > h; cat h > f", "cat f | tee >(sort > h)",
		"wait > f", "{ :; } > f", "(:) > f", "(true; :) > f", "x() { :; }; x > f", "eval '' > f", "set -e > f", "cd . > f", "shopt -s nullglob > f", "unset x > f", "let i=1 > f", "[[ -f f ]] > f", "((1)) > f", "for i in 1 2; do :; done > f", "while read -r l; do x=$l; done < g > f", "case x in x) ;; esac > f", "{ echo x >&2; } > f", "{ sleep 0; echo; } > f", "read -r x < g > f", "mapfile -t a < g > f", "if :; then :; fi > f", "{ x=1; } > f",
		"{ :; } >> f", "{ :; } > h", "wait > g", "x() { :; }; x > h", "{ cat f; } > h", "wait 2> f.bak", "{ :; } 2> h",
		"dd if=f of=f", "dd if=f of=f conv=notrunc", "tee f < f", "sort -o f f", "sort -u f -o f", "dd of=f < f",
		"eval 'cat f' > f", "eval cat f > f", "eval 'cat f > f'", "eval 'cat f > g'", "while read -r l; do echo \"$l\" > f; done < f", "x() { cat > f; }; x < f", "{ cat; } < f > f", "exec 3< f; cat <&3 > f", "exec 3< f > f; cat <&3", "exec 3<> f; cat <&3", "exec > f; while read -r l; do echo \"$l\"; done < f",
		"find . -name '[f]' -exec cat {} + > f", "find . -name '[fg]' -exec cat {} \\; > f", "find . -name '[fg]' | xargs cat > f", "find . -type f -name 'f*' -print0 | xargs -0 sort > f", "find . -name '[fg]' | sort | xargs cat > f", "cat $(find . -name '[fg]') > f", "for n in $(find . -name '[fg]'); do cat $n; done > f", "find . -name '[fg]' | while read -r n; do cat \"$n\"; done > f", "for n in [fg]; do cat $n; done > f", "cat **/[fg] > f", "cat [fg] > f",
		"find . -name '[fg]' -exec cat {} + > h", "find . -name '[fg]' | xargs cat > h", "cat [fg] > h", "find . -name '[fg]' -exec cat {} + > h; mv h f",
		"diff f g > f", "git diff --no-index g f > f", "git diff --no-index g f > h", "tar cf f f", "tar czf f g f", "tar cf h f", "tar cf f -C . f", "tar cf h.tar f g; mv h.tar h", "python3 -m zipfile -c f f", "python3 -m tarfile -c f f", "python3 -m tarfile -c h f", "xxd f f", "xxd f h", "gzip -c f > f",
		"echo | tee f", "printf '\\n\\n' | dd of=f", "echo | tee -a f", "echo | tee g", "ls f > f", "wc -l f > f", "stat f > f", "file f > f", "du f > f", "sh f > f", "env sh f > f", "timeout 5 sh ./f > f", "chmod +x f; ./f > f", "awk -f f > f", "sed -f f g > f", "jq -n -f f > f", "bash f | cat > f", "openssl dgst -sha256 -out f f", "openssl dgst -sha256 -out h f", "openssl sha256 -out f f", "openssl mac -digest sha256 -macopt key:x -in f -out f hmac", "lz4 -qf f f", "lz4 -qf f h", "gpg --batch --yes -c --passphrase x -o f f", "gpg --batch --yes -c --passphrase x -o h f", "gpg --batch --yes --enarmor -o f f", "touch f > h", "test -f f > h",
		"sed -n 'w f' f", "sed -n 'w g' f", "awk '{a = a $0} END {print a > \"f\"}' f",
		"for n in [f]; do sort \"$n\" > \"$n\"; done", "for n in [f]; do sort \"$n\" > \"$n.bak\"; done", "for n in [f]; do sort \"$n\" > n; mv n \"$n\"; done", "for n in [f]; do { cat \"$n\"; echo; } > \"$n\"; done", "for n in $(ls [f]); do sort \"$n\" > \"$n\"; done",
		"find . -name '[f]' -exec sh -c 'sort \"$1\" > \"$1\"' _ {} \\;", "find . -name '[f]' -exec sh -c 'sort \"$1\" > \"$1.bak\"' _ {} \\;", "while read -r n; do sort \"$n\" > \"$n\"; done < <(find . -name '[f]')", "for n in [f]; do x=$(sort \"$n\"); echo \"$x\" > \"$n\"; done",
	}
	scripts := edits
	for _, read := range reads {
		for _, write := range writes {
			scripts = append(scripts, sprintf(write, read))
		}
	}
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, root, filepath.Join(root, "proj"))
	if err := os.MkdirAll(w.Project, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(w.Project, "f")
	for n, script := range scripts {
		if leftOut(n) {
			continue
		}
		if _, err := exec.LookPath(firstWord(script)); err != nil && script[0] >= 'a' && !strings.Contains(" x() for if while eval exec ", " "+firstWord(script)+" ") {
			continue // not here
		}
		lost := 0
		v := tool.Verdict{}
		for range 3 { // where commands run at the same time, one is first by chance
			for name, text := range map[string]string{"f": "a\nb\na c\n", "g": ""} {
				if err := os.WriteFile(filepath.Join(w.Project, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			v, _ = g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			cmd := exec.CommandContext(ctx, "/bin/bash", "-c", "ulimit -f 100; "+script)
			cmd.Dir = w.Project
			_ = cmd.Run()
			cancel()
			if text, err := os.ReadFile(file); err == nil && !strings.Contains(string(text), " c") {
				lost++
			}
			for _, made := range []string{"f.bak", "h", "n"} {
				_ = os.Remove(filepath.Join(w.Project, made))
			}
		}
		if asks := v.Decision >= tool.Ask; lost == 3 && !asks && script != "perl -i.bak -ne 1 f" || asks && lost == 0 && !mayRace(script) {
			t.Errorf("%s: %s (%s), and its lines were lost %d of 3 times", script, v.Decision, v.Reason, lost)
		}
	}
}

// mayRace says whether one command of a pipeline, or of a process substitution, reads what another one empties: it may be done before.
func mayRace(script string) bool {
	return strings.Contains(script, "|") || strings.Contains(script, "<(") || strings.Contains(script, ">(")
}

func firstWord(script string) string { word, _, _ := strings.Cut(script, " "); return word }

func sprintf(format, read string) string {
	return strings.ReplaceAll(strings.ReplaceAll(format, "%%", "%"), "%s", read)
}
