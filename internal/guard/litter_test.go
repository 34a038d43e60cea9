package guard_test

import (
	"context"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/tool"
)

// TestLitter runs random scripts that make files and delete some, if they are allowed: whatever was there before the script and is
// there without its deletions is there with them.
func TestLitter(t *testing.T) {
	runsPrograms(t)
	steps := []string{
		"mkdir -p d", "mkdir -p new", "mkdir -p new/a", "cd d", "cd new", "cd ..", "test -f keep", "false", "echo 1 > f", "echo 1 > d/f", "echo 1 > new/f", "echo 1 >> log", "cp keep f", "cp keep d/g", "cp -r d new", "mv keep f", "mv keep new",
		"mv d new", "mv d/keep new/f", "ln -s d l", "ln -s keep f", "ln keep f", "echo 1 > l/g", "touch g", "zip -qr f.zip d", "split -l 1 keep part_", "tar cf f.tar d", "for i in 1 2; do echo $i > f$i; done", "mv keep f1", "mv d/keep d/f",
		"ln -s d/sub l", "ln -s ../keep d/f", "ln -sf d f", "cd l", "mv keep l", "ln d/keep l", "ln -s keep d",
	}
	removals := []string{"rm f", "rm -f f", "rm d/f", "rm -r new", "rm -rf new", "rm new/f", "rm f*", "rm d/f*", "rm part_*", "rm f.zip", "rm -rf l", "rm l/g", "rm l/keep", "rm g", "rm -r d", "rm k*", "rm d/*", "rm new/*", "rm l", "rm -r l/", "rm -rf ./l", "unlink l", "rm ../keep", "rm -rf d/f"}
	random := rand.New(rand.NewPCG(3, 4))
	g := builtin(t)
	allowed := 0
	for n := range 1500 {
		if leftOut(n) {
			continue
		}
		var with, without []string
		for range 1 + random.IntN(4) {
			step := steps[random.IntN(len(steps))]
			with, without = append(with, step), append(without, step)
			if random.IntN(2) == 0 {
				with, without = append(with, removals[random.IntN(len(removals))]), append(without, ":")
			}
		}
		with, without = append(with, removals[random.IntN(len(removals))]), append(without, ":")
		script, other := with[0], without[0]
		for i := range with[1:] {
			sign := []string{"; ", " && ", " && ", "\n"}[random.IntN(4)]
			script, other = script+sign+with[i+1], other+sign+without[i+1]
		}
		root := t.TempDir()
		furnish(t, root)
		w := realDisk(g, filepath.Dir(root), root)
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: root, Script: script, Shell: true, Edits: true, Attended: true}, w)
		if v.Decision != tool.Allow {
			continue
		}
		allowed++
		have := leftIn(t, root, script)
		furnish(t, root)
		for text := range leftIn(t, root, other) {
			if !have[text] {
				t.Errorf("%q loses %q", script, text)
			}
		}
	}
	if allowed < 40 && !sampled() {
		t.Errorf("only %d scripts are allowed", allowed)
	}
}

// TestOwnLitter puts scripts that clear away what they have made beside those that take something else with it.
func TestOwnLitter(t *testing.T) {
	root := t.TempDir()
	furnish(t, root)
	g := builtin(t)
	w := realDisk(g, filepath.Dir(root), root)
	for script, want := range map[string]tool.Decision{
		"mkdir -p d && echo 'print(1)' > d/fix.py; cat d/fix.py; rm d/fix.py": tool.Allow,
		"mkdir -p new && echo 'print(1)' > new/fix.py; rm new/fix.py":         tool.Allow,
		"mkdir -p new && cp keep new/ && ls new; rm -rf new":                  tool.Allow,
		"cd d && echo 1 > f && rm f":                                          tool.Allow,
		"zip -qr f.zip d && unzip -l f.zip && rm f.zip":                       tool.Allow,
		"npm pack && rm app-1.2.3.tgz":                                        tool.Allow,
		"git format-patch -1 && rm 0001-*.patch":                              tool.Allow,
		"split -l 1 keep part_ && rm part_*":                                  tool.Allow,
		"for i in 1 2 3; do echo $i > f$i.txt; done; rm f*.txt":               tool.Allow,
		"go build -o app ./cmd/x && ./app --help; rm app":                     tool.Allow,
		"mkdir -p d && echo 1 > d/f; rm d/keep":                               tool.Ask,
		"mkdir -p d && echo 1 > d/f; rm -r d":                                 tool.Ask,
		"mkdir -p d && echo 1 >> d/keep; rm d/keep":                           tool.Ask,
		"false && echo 1 > keep; rm keep":                                     tool.Ask,
		"mkdir -p new && mv keep new/ && rm -rf new":                          tool.Ask,
		"mv keep f && echo 1 > f2; rm f*":                                     tool.Ask,
		"cd d && echo 1 > f; rm keep":                                         tool.Ask,
		"for i in 1 2 3; do echo $i > k$i; done; rm k*":                       tool.Ask,
		"for i in 1 2 3; do echo $i > f$i; done; rm -r *":                     tool.Ask,
		"ln -s d l && echo 1 > l/f; rm l/keep":                                tool.Ask,
		"zip -qr f.zip d && rm -r d":                                          tool.Ask,
		"npm pack && rm keep":                                                 tool.Ask,
		"ln -s d l; rm l":                                                     tool.Allow,
		"ln -s d l && ls l && rm -rf l":                                       tool.Allow,
		"ln -s ../keep d/l && cat d/l; unlink d/l":                            tool.Allow,
		"ln keep f; rm f":                                                     tool.Allow,
		"ln -s d l1; ln -s keep l2; rm l1 l2":                                 tool.Allow,
		"ln -s d l; rm -r l/":                                                 tool.Ask,
		"ln -s d l; rm -rf l/.":                                               tool.Ask,
		"ln -s d l; rm l/*":                                                   tool.Ask,
		"ln -s d l; cd l; rm keep":                                            tool.Ask,
		"ln -s d/sub l; cd l; rm ../keep":                                     tool.Ask,
		"ln -s d/sub l; cd l; rm ../f":                                        tool.Ask,
		"ln keep f; rm keep":                                                  tool.Ask,
		"ln -s d keep; rm keep":                                               tool.Ask,
		"ln -s keep d; rm -r d":                                               tool.Ask,
		"ln -s d l; mv keep l/f; rm d/f":                                      tool.Ask,
		"ln -s d l; mv keep f; rm f":                                          tool.Ask,
		"ln -s d l; find -L l -delete":                                        tool.Ask,
	} {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: root, Script: script, Shell: true, Edits: true, Attended: true}, w)
		if v.Decision != want {
			t.Errorf("%s\n\tgot %s, want %s: [%s] %s", script, v.Decision, want, v.Rule, v.Reason)
		}
	}
}

// TestPackedAndDeleted packs files by programs that take them away, or leave them, deletes something, and unpacks what is left: where a
// line is gone, the script is not allowed, and where it only cleared away what it made itself, it is.
func TestPackedAndDeleted(t *testing.T) {
	runsPrograms(t)
	packs := []string{"P keep", "P -k keep", "P -c keep > keep.E", "P < keep > new.E", "P keep d/keep", "P d/*", "P -9 keep", "P *", "for f in d/*; do P \"$f\"; done", "bash -c 'P keep'", "P keep; P -d keep.E", "cp keep new; P new", "P keep; echo 1 > new", "find d -type f -exec P {} +", "ls keep | xargs P"}
	removals := []string{"rm keep.E", "rm -f d/*.E", "rm new.E", "rm d/keep.E keep.E", "rm new", ":", "for f in d/*; do rm \"$f.E\"; done", "rm keep", ": > keep.E", "> d/keep.E", "cp /dev/null keep.E", "mv log keep.E", "tee keep.E < /dev/null", "echo 1 > new.E"}
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, filepath.Dir(root), root)
	losing, quiet := 0, 0
	for program, ending := range map[string]string{"gzip": "gz", "xz": "xz", "bzip2": "bz2", "zstd --rm": "zst"} {
		if _, err := exec.LookPath(firstWord(program)); err != nil {
			continue
		}
		for i, pack := range packs {
			for k, remove := range removals {
				if k > 7 && (i+k)%2 != 0 || leftOut(i+k/2) {
					continue
				}
				script := strings.NewReplacer("P ", program+" ", "P;", program+";", ".E", "."+ending).Replace(pack + "; " + remove)
				furnish(t, root)
				v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: root, Script: script, Shell: true, Edits: true, Attended: true}, w)
				left := leftIn(t, root, script+"\ncd; find . -name '*."+ending+"' -exec sh -c '"+firstWord(program)+" -dcf \"$1\" > \"$1.out\"' _ {} \\;")
				switch lost := len(left) < 4; {
				case lost && v.Decision < tool.Ask && strings.Contains(pack, "xargs") && strings.HasPrefix(remove, "mv"): // which files it was given is not known
				case lost && v.Decision < tool.Ask:
					t.Errorf("%s: %s, and leaves %v", script, v.Decision, left)
				case lost:
					losing++
				case v.Decision < tool.Ask:
					quiet++
				case len(ending) == 3 && ending != "bz2": // what --rm takes away depends on the version
				case pack == "P -k keep" && remove == "rm keep.E", pack == "P keep; echo 1 > new" && remove == "rm new", remove == ":" && pack != "P *" && !strings.HasPrefix(pack, "find"):
					t.Errorf("%s: %s", script, v.Reason)
				}
			}
		}
	}
	t.Logf("%d lose something, %d are allowed", losing, quiet)
}

// TestMovedAndEmptied moves files, and empties, replaces or deletes something: where a line is gone, the script is not allowed, and where
// that was a file that the script has just made, it is.
func TestMovedAndEmptied(t *testing.T) {
	runsPrograms(t)
	moves := []string{"mv keep n", "mv keep n; mv n m", "mv keep d/n", "mkdir e; mv keep e", "mkdir e && mv keep log e/", "mv d/keep log d/sub/n", "mv d e", "for f in keep log; do mv $f $f.old; done", "for f in *; do mv \"$f\" \"$f.old\"; done", "mv log d/sub", "bash -c 'mv keep n'", "mv -t d/sub log", "mv l* d/sub", "echo 1 > a; mv a n", "cp keep n", "printf '1\\n' > n; mv n m"}
	empties := []string{": > X", "> X", "cp /dev/null X", "truncate -s 0 X", "tee X < /dev/null", "rm -f X", "sed -i d X", "dd if=/dev/null of=X", "python3 -c 'open(\"X\",\"w\").close()'", "export A=1 > X", "sort X > X", "mv d/sub/keep X"}
	places := []string{"n", "m", "d/n", "e/keep", "e/log", "keep.old", "d/sub/log", "new"}
	root := t.TempDir()
	g := builtin(t)
	w := realDisk(g, filepath.Dir(root), root)
	losing, quiet := 0, 0
	for i, move := range moves {
		for k, empty := range empties {
			for l, place := range places {
				if (i+k+l)%3 != 0 {
					continue
				}
				script := move + "; " + strings.ReplaceAll(empty, "X", place)
				furnish(t, root)
				v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: root, Script: script, Shell: true, Edits: true, Attended: true}, w)
				left := leftIn(t, root, script)
				switch lost := len(left) < 4; {
				case lost && v.Decision < tool.Ask:
					t.Errorf("%s: %s, and leaves %v", script, v.Decision, left)
				case lost:
					losing++
				case v.Decision < tool.Ask:
					quiet++
				case k < 2 && (place == "new" && i < 7 || i > 12 && place == "n"):
					t.Errorf("%s: %s", script, v.Reason)
				}
			}
		}
	}
	if losing < 30 || quiet < 60 {
		t.Errorf("%d lose something, %d are allowed", losing, quiet)
	}
}

// furnish puts files into an empty directory, each with a text of its own.
func furnish(t *testing.T, root string) {
	t.Helper()
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"keep", "log", "d/keep", "d/sub/keep"} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("mine: "+name+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// leftIn are the lines of the user that are left in a directory after a script.
func leftIn(t *testing.T, root, script string) map[string]bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/bash", "-c", script)
	cmd.Dir, cmd.Env = root, []string{"HOME=" + root, "PATH=" + os.Getenv("PATH")}
	_ = cmd.Run() // a step may fail
	lines := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		for line := range strings.Lines(string(data)) {
			if strings.HasPrefix(line, "mine: ") {
				lines[line] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}
