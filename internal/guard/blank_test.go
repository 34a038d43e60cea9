package guard_test

import (
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestBlankSources puts a file that the script has just made in the place of another one, in a real shell: where nothing was written to it,
// the script is not allowed, and where the other one was, it is.
func TestBlankSources(t *testing.T) {
	runsPrograms(t)
	makes := []string{"t=$(mktemp)", "t=`mktemp`", "t=$(mktemp) || exit 1", "t=\"$(mktemp)\"; u=$(mktemp)", "touch e; t=e", ": > e; t=e", "> e\nt=e"}
	fills := []string{
		":", "sleep 0", "ls > /dev/null", "cat log > /dev/null", "x=1",
		"sort keep > $t", "cat keep >> \"$t\"", "tee $t < keep > /dev/null", "cp keep $t", "{ cat keep; } > $t", "exec 3> $t; cat keep >&3", "w() { cat keep > \"$1\"; }; w $t", "export t; bash -c 'cat keep > \"$t\"'", "while read -r l; do echo \"$l\" >> $t; done < keep", "for x in keep; do cat $x >> $t; done", "trap 'rm -f \"$t\"' EXIT; sort keep > $t",
		"cat keep | cat > $t", "u=$(mktemp); sort keep > $t", "if [ -f keep ]; then cat keep > $t; fi", "(cat keep > $t)", "cat keep > $t & wait", "sed p keep > $t && test -s $t", "[ -f log ] && cat keep > $t", "python3 -c 'import sys; open(sys.argv[1], \"w\").write(open(\"keep\").read())' $t", "sort -o $t keep", "dd if=keep of=$t", "install keep $t", "set -e; cat keep > ${t}",
	}
	puts := []string{"mv $t keep", "mv -f \"$t\" keep", "cp $t keep", "cat $t > keep", "install $t keep", "sort $t -o keep", "dd if=$t of=keep", "sort $t > keep"}
	root, temporary := t.TempDir(), t.TempDir()
	g := builtin(t)
	w := realDisk(g, filepath.Dir(root), root)
	losing, quiet := 0, 0
	for i, made := range makes {
		for k, fill := range fills {
			for l, put := range puts {
				if (i+2*k+3*l)%7 != 0 {
					continue
				}
				script := strings.Join([]string{made, fill, put}, "\n")
				furnish(t, root)
				v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: root, Script: script, Shell: true, Edits: true, Attended: true}, w)
				left := leftIn(t, root, "export TMPDIR="+temporary+"\n"+script)
				switch lost, asks := len(left) < 4, v.Decision >= tool.Ask; {
				case lost && !asks:
					t.Errorf("%s: %s, and leaves %v", script, v.Decision, left)
				case lost:
					losing++
				case !asks:
					quiet++
				case strings.Contains(v.Reason, "/keep)"):
					t.Errorf("%s: %s", script, v.Reason)
				}
			}
		}
	}
	if losing < 20 || quiet < 90 {
		t.Errorf("%d lose something, %d are allowed", losing, quiet)
	}
}
