package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestCountedNames has a real shell move files to names that it counts: where two get one name, the script is not allowed, and where it
// only adds to a counter, it is.
func TestCountedNames(t *testing.T) {
	runsPrograms(t)
	names := []string{"$i", "$((i))", "$((i+1))", "$((i*2))", "$((100-i*2))", "$((b+i))", "$((i%2))", "$((i/2))", "$((i*0))", "$((i-i))", "$((i>1))", "$(((i+1)/2))", "$((i&1))", "$n", "$m", "${i}", "${#f}", "$$", "${?}", "${LINENO}", "$SECONDS"}
	steps := []string{"i=$((i+1))", "i=$(( i + 2 ))", "i=$((i-1))", "((i++))", "((i+=3))", "let i++", ": $((++i))", "i=$(( (i+1)%2 ))", "((i=(i+1)%3))", "((i%=2, i++))", "i=$((i/2))", "i=$((i+1)); [ $i -gt 1 ] && i=0"}
	forms := []string{"b=7; i=0; for f in d/*; do n=$((i%2)); m=$((i+5)); mv \"$f\" \"NAME\"; STEP; done", "b=7\ni=0\nfor f in d/*; do\n  n=$((i%2)); m=$((i+5))\n  mv \"$f\" \"NAME\"\n  STEP\ndone", "b=7; i=0; ls d/* | while read -r f; do n=$((i/2)); m=$((i+5)); mv \"$f\" \"NAME\"; STEP; done"}
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, filepath.Dir(root), root)
	losing, quiet := 0, 0
	for k, name := range names {
		for l, step := range steps {
			for m, form := range forms {
				if (k+l+m)%2 == 0 && k != l || leftOut(k+l+m/2) {
					continue
				}
				place := []string{"e/NAME", "e/xNAME.png", "fresh/NAME"}[(k+l)%3]
				if place[0] == 'f' {
					form = "mkdir -p fresh; " + form
				}
				script := strings.NewReplacer("NAME", strings.Replace(place, "NAME", name, 1), "STEP", step).Replace(form)
				furnish(t, root)
				if err := os.Mkdir(filepath.Join(root, "e"), 0o755); err != nil {
					t.Fatal(err)
				}
				for _, more := range []string{"a", "b", "c"} {
					if err := os.WriteFile(filepath.Join(root, "d", more), []byte("mine: "+more+"\n"), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: root, Script: script, Shell: true, Edits: true, Attended: true}, w)
				left := leftIn(t, root, script)
				switch lost := len(left) < 7; {
				case lost && v.Decision < tool.Ask:
					t.Errorf("%s: %s, and leaves %v", script, v.Decision, left)
				case lost:
					losing++
				case v.Decision < tool.Ask:
					quiet++
				case (k < 6 || k > 13 && k < 17) && l < 7 && l != 2 && m < 2: // a number that gets smaller may begin with a sign
					t.Errorf("%s: %s", script, v.Reason)
				}
			}
		}
	}
	if (losing < 50 || quiet < 20) && !sampled() {
		t.Errorf("%d lose something, %d are allowed", losing, quiet)
	}
}

// TestCountedTwice counts in two loops that move files into one directory: where the second one begins again, files are lost.
func TestCountedTwice(t *testing.T) {
	runsPrograms(t)
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, filepath.Dir(root), root)
	losing, quiet := 0, 0
	for _, place := range []string{"e/$i", "e/$i.png", "e/x$((i+1))", "fresh/$i", "fresh/$i.png", "fresh/a$((i*2)).x"} {
		for _, again := range []string{"i=0; ", "", "i=1\n", "let i=0; ", "((i=0)); "} {
			for k, step := range []string{"i=$((i+1))", "((i++))", "let i+=1"} {
				for l, second := range []string{"keep log", "[kl]*"} {
					script := "mkdir -p fresh; i=0; for f in d/?; do mv \"$f\" \"" + place + "\"; " + step + "; done; " + again + "for f in " + second + "; do mv \"$f\" \"" + place + "\"; " + step + "; done"
					furnish(t, root)
					if err := os.Mkdir(filepath.Join(root, "e"), 0o755); err != nil {
						t.Fatal(err)
					}
					for _, name := range []string{"d/a", "d/b"} {
						if err := os.WriteFile(filepath.Join(root, name), []byte("mine: "+name+"\n"), 0o644); err != nil {
							t.Fatal(err)
						}
					}
					v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: root, Script: script, Shell: true, Edits: true, Attended: true}, w)
					left := leftIn(t, root, script)
					switch lost := len(left) < 6; {
					case lost && v.Decision < tool.Ask:
						t.Errorf("%s: %s, and leaves %v", script, v.Decision, left)
					case lost:
						losing++
					case v.Decision < tool.Ask:
						quiet++
					case k == 0 && l == 0:
						t.Errorf("%s: %s", script, v.Reason)
					}
				}
			}
		}
	}
	if losing < 100 || quiet < 30 {
		t.Errorf("%d lose something, %d are allowed", losing, quiet)
	}
}
