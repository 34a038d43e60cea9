package guard_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"longline/internal/guard"
	"longline/internal/tool"
)

// A search begins at whatever its operand may name, and finds all that lies below, behind links where the program follows
// them. The scripts here are made of roots, programs and what is done to what they find. Each is judged in several worlds, of
// which most hold a link that leads out of the project or a file of secrets, and what is allowed is run there.

// searchWorlds are what lies in the directory build of a project, in which git ignores it.
var searchWorlds = []struct{ name, make string }{
	{"a link as root", `ln -s ../../.ssh build/3`},
	{"a link below", `mkdir build/3; ln -s ../../../.ssh build/3/s`},
	{"a link to a file", `mkdir build/3; ln -s ../../../.ssh/k build/3/k`},
	{"secrets below", `mkdir build/3; echo SECRET >build/3/id_rsa; echo TOKEN=SECRET >build/3/.env`},
	{"secrets further below", `mkdir -p build/3/in; echo SECRET >build/3/in/id_rsa`},
}

// tameWorld holds links that stay where they are, and one beside what is searched that leads out.
const tameWorld = `mkdir build/3 lib; echo text >build/3/k; echo text >build/3/t.txt; ln -s k build/3/l; ln -s ../../docs lib/bz`

// searchRoots are operands of a search that name the directory build/3, with what stands before the search.
var searchRoots = []struct{ before, root string }{
	{"", "build/3"},
	{"", "build/*"},
	{"", "build/[0-9]"},
	{"", "build/3*"},
	{"n=$(wc -l < src/three); ", "build/$n"},
	{`n=$((RANDOM%1+3)); `, `"$PWD/build/$n"`},
	{"cd build; ", "3"},
	{"cd build; n=$(wc -l < ../src/three); ", "$n"},
	{"cd build; ", "*"},
	{"for d in build/*; do ", `"$d"`},
	{"ln -s build/3 cur; ", "cur"},
	{"ln -sfn 3 build/q; ", "build/q"},
}

// searchEnds are what is done to a file.
var searchEnds = []string{"cat", "rm -f", "truncate -s0", "cp $R", "sed -i s/S/x/", "chmod 777", "tee -a", "head -5"}

// search is a script, and the same one with the plain name of the directory.
type search struct{ script, plain string }

// searches are all scripts that are made of these.
func searches() (list []search) {
	for _, root := range searchRoots {
		after, readme := "", "README.md"
		if strings.HasPrefix(root.before, "for") {
			after = "; done"
		}
		if strings.Contains(root.before, "cd ") {
			readme = "../README.md"
		}
		for _, tail := range []string{"", "/", "/."} {
			for _, format := range searchFormats() {
				list = append(list, search{
					strings.ReplaceAll(root.before+strings.ReplaceAll(format, "@", root.root+tail)+after, "$R", readme),
					strings.ReplaceAll(strings.ReplaceAll(format, "@", "build/3"), "$R", "README.md"),
				})
			}
		}
	}
	return list
}

// searchFormats are searches at @ and what becomes of what they find.
func searchFormats() (list []string) {
	for _, find := range []string{"find @", "find -L @", "find -H @", "find @ -follow", "fdfind -u . @", "fdfind -L . @", "fdfind . @"} {
		isFind := strings.HasPrefix(find, "find")
		typed, named := find+" -type f", find+" -name k"
		if !isFind {
			typed, named = find+" -t f", find+" -e pem"
		} else {
			list = append(list, typed+" -delete", named+" -delete")
		}
		for _, end := range searchEnds {
			for _, f := range []string{typed, named, find} {
				if isFind {
					list = append(list, f+" -exec "+end+` {} \;`, f+" -execdir "+strings.ReplaceAll(end, "$R", "~/proj/README.md")+` {} \;`)
				} else {
					list = append(list, f+" -x "+end)
				}
			}
			list = append(list, typed+" | xargs -n1 "+end, named+" | xargs -n1 "+end,
				typed+" | while read -r f; do "+end+` "$f"; done`, "for f in $("+typed+"); do "+end+" $f; done", end+" $("+typed+")")
		}
	}
	list = append(list, "rg . @", "rg -uu . @", "rg -L . @", "grep -r . @", "grep -R . @", "grep -rh SECRET @", "git grep --no-index . -- @", "git grep --no-index SECRET @")
	for _, names := range []string{"rg --files @", "rg -l . @", "rg -L -l . @", "grep -rl . @", "grep -Rl S @"} {
		list = append(list, names+" | xargs -n1 cat", names+" | xargs -n1 rm -f")
	}
	return list
}

// found are searches of the kinds that were once allowed though they did harm.
var found = []search{
	{`n=$(wc -l < src/three); find "build/$n" -type f -exec cat {} +`, "find build/3 -type f -exec cat {} +"},
	{`for d in build/*/; do find -L "$d" -type f -delete; done`, "find -L build/3 -type f -delete"},
	{`find build/[3-3] -maxdepth 1 -type f -execdir cat {} \;`, `find build/3 -maxdepth 1 -type f -execdir cat {} \;`},
	{`find build/* -name k -exec cp README.md {} \;`, `find build/3 -name k -exec cp README.md {} \;`},
	{`cat "$(find "build/$(wc -l < src/three)/." -name k)"`, `cat "$(find build/3 -name k)"`},
	{"rg --files build/* | xargs cat", "rg --files build/3 | xargs cat"},
	{"git grep --no-index . -- 'build/*'", "git grep --no-index . -- build/3"},
	{"find -L build/3 -type f | xargs rm -f", "find -L build/3 -type f | xargs rm -f"},
	{"find build/3/. -type f -exec rm {} +", "find build/3/. -type f -exec rm {} +"},
	{"ln -sfn 3 build/current; grep -R . build/current", "grep -R . build/3"},
	{"ln -s build/3 cur; rg . cur", "rg . build/3"},
	{"mv build/3 build/q; rg . build/q", "rg . build/3"},
	{`find -L build -execdir touch m \;`, `find -L build/3 -execdir touch m \;`},
}

// below is a machine on which all lies in a directory of the real disk.
func below(g *guard.Guard, root string) *tool.World {
	real := realDisk(g, root+home, root+project)
	w := world()
	w.Readlink = func(path string) (string, error) { return real.Readlink(root + path) }
	w.Exists = func(path string) bool { return real.Exists(root + path) }
	w.Entries = func(path string) ([]tool.Entry, bool) { return real.Entries(root + path) }
	w.ReadFile = func(path string) ([]byte, error) { return real.ReadFile(root + path) }
	w.ReadAt = func(path string, at int64, room []byte) (int, error) { return real.ReadAt(root+path, at, room) }
	w.Protected = func(path string) bool { return g.Policy.Protected(w, path) }
	return w
}

// searched is a directory in which scripts are judged and run.
type searched struct {
	t    *testing.T
	g    *guard.Guard
	root string
	make string
}

func (s *searched) sh(script string) string {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-c", script)
	cmd.Dir = s.root + project
	cmd.Env = []string{"HOME=" + s.root + home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"}
	out, _ := cmd.CombinedOutput() // it may well fail
	return string(out)
}

// renew makes the directory as it was.
func (s *searched) renew() {
	s.t.Helper()
	if s.root != "" {
		os.RemoveAll(s.root)
	}
	s.root = s.t.TempDir()
	for _, dir := range []string{home + "/.ssh", project + "/src", project + "/build"} {
		if err := os.MkdirAll(s.root+dir, 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
	s.sh(`git init -q; mkdir -p build ~/docs; echo build/ >.gitignore; echo hello >README.md; printf '1\n2\n3\n' >src/three; echo SECRET >~/.ssh/k; echo SECRET >~/.ssh/k.pem; git add -A; ` + s.make)
}

// outside is what lies outside of the project.
func (s *searched) outside() string {
	var b strings.Builder
	filepath.WalkDir(s.root+home+"/.ssh", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		info, _ := d.Info()
		text, _ := os.ReadFile(path)
		fmt.Fprintln(&b, d.Name(), info.Mode(), string(text))
		return nil
	})
	return b.String()
}

func (s *searched) judge(script string) tool.Verdict {
	v, _ := s.g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, below(s.g, s.root))
	return v
}

// harms says whether a script changed or showed what it should not have.
func (s *searched) harms(script, was string) (shown, lost bool) {
	out := s.sh(script)
	return strings.Contains(out, "SECRET"), s.outside() != was
}

// TestSearchRoots: where a search is allowed it neither shows secrets nor changes what lies outside of the project, whatever its
// root is called. What a search comes upon by chance is not asked about; then it is not by another name of its root either.
func TestSearchRoots(t *testing.T) {
	for _, program := range []string{"bash", "find", "fdfind", "rg", "grep", "git", "truncate"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	g, all, random := builtin(t), searches(), rand.New(rand.NewPCG(15, 7))
	for _, world := range searchWorlds {
		s := &searched{t: t, g: g, make: world.make}
		s.renew()
		was, ran, asked := s.outside(), 0, 0
		scripts := slices.Clone(found)
		for range 150 {
			scripts = append(scripts, all[random.IntN(len(all))])
		}
		for _, one := range scripts {
			if s.judge(one.script).Decision >= tool.Ask {
				asked++
				continue
			}
			ran++
			shown, lost := s.harms(one.script, was)
			if lost || shown && (strings.Contains(world.name, "link") || s.judge(one.plain).Decision >= tool.Ask) {
				t.Errorf("%s: %s\n\tis allowed; secrets shown: %v, files lost: %v", world.name, one.script, shown, lost)
			}
			s.renew()
		}
		if ran == 0 || asked == 0 {
			t.Errorf("%s: %d were run and %d asked about", world.name, ran, asked)
		}
	}
}

// TestSearchRootsTame: where nothing leads out and no secrets lie, searches of all kinds of roots are allowed.
func TestSearchRootsTame(t *testing.T) {
	s := &searched{t: t, g: builtin(t), make: tameWorld}
	s.renew()
	for _, root := range []string{"build/3", "build/*", "build/[0-9]", "build/$n", "build/3/", "build/3/.", "lib", "src", "src/"} {
		for _, format := range []string{
			"find @ -name '*.o' -exec rm {} +", "find @ -name '*.o' -delete", "find @ -name '*.txt' -exec sed -i s/a/b/ {} +", "find @ -name '*.txt' | xargs cat", `find @ -name '*.txt' -execdir touch m \;`,
			"fdfind -e txt . @ -x sed -i s/a/b/", "rg -l foo @ | xargs head -3", "grep -rl foo @ | xargs sed -i s/a/b/", "rg TODO @", "rg . @", "grep -r . @", "git grep --no-index TODO -- @",
		} {
			if root == "lib" && (strings.Contains(format, "grep") && strings.Contains(format, "sed") || strings.Contains(format, "execdir")) {
				continue // the link itself may be in the list, or on the way, for all that is known
			}
			script := "n=$((RANDOM%1+3)); " + strings.ReplaceAll(format, "@", root)
			if v := s.judge(script); v.Decision >= tool.Ask {
				t.Errorf("%s\n\t%s: %s", script, v.Decision, v.Reason)
			}
		}
	}
}
