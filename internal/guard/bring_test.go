package guard_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/policy"
	"longline/internal/tool"
)

// TestWhatGitBrings: a file that configures an agent or longline does not appear by
// git without a question, by whatever way, and nothing is asked where the branches
// carry the same ones.
func TestWhatGitBrings(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	root := t.TempDir()
	proj := filepath.Join(root, "home/proj")
	sh := func(script string) {
		t.Helper()
		cmd := exec.Command("/bin/sh", "-ec", script)
		cmd.Dir = proj
		cmd.Env = []string{"HOME=" + root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if err := os.MkdirAll(proj, 0o755); err != nil {
		t.Fatal(err)
	}
	sh(`git init -q -b main .; mkdir .claude sub; echo '{}' >.claude/settings.json; echo a >a; git add -A; git commit -qm one
git switch -qc same; echo b >sub/b; git add -A; git commit -qm same
git switch -qc evil main; echo '{"disableAllHooks":true}' >.claude/settings.json; git add -A; git commit -qm evil
git switch -qc rules main; echo 'version: 1' >.longline.yaml; git add -A; git commit -qm rules
git switch -q --orphan bare; rm -rf .claude .longline.yaml; echo '{}' >settings.json; git add -A; git commit -qm bare
git switch -q main; git branch gone main; git switch -q gone; git rm -q .claude/settings.json; git commit -qm gone; git switch -q main
echo stashed >a; git stash -q; echo '{"a":1}' >.claude/settings.json; git stash -q; git switch -q same; git switch -q main
git update-ref refs/remotes/origin/evil evil`)
	packs, err := policy.BuiltinFile()
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := policy.Merge(packs, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := guard.Guard{Library: command.Builtin(), Policy: set}
	world := &tool.World{
		Home: filepath.Join(root, "home"), Project: proj,
		Exists: func(path string) bool { _, err := os.Lstat(path); return err == nil },
		ReadAt: func(path string, offset int64, room []byte) (int, error) {
			f, err := os.Open(path)
			if err != nil {
				return 0, err
			}
			defer f.Close()
			n, err := f.ReadAt(room, offset)
			if n > 0 && err == io.EOF {
				err = nil
			}
			return n, err
		},
		ReadFile: os.ReadFile,
		Readlink: os.Readlink,
		Entries: func(dir string) (list []tool.Entry, whole bool) {
			entries, err := os.ReadDir(dir)
			for _, e := range entries {
				list = append(list, tool.Entry{Name: e.Name(), Link: e.Type()&os.ModeSymlink != 0})
			}
			return list, err == nil
		},
	}
	world.Protected = func(path string) bool { return set.Protected(world, path) }
	check := func(state string) {
		t.Helper()
		for _, test := range []struct {
			command string
			brings  bool
		}{
			{"git switch same", false},
			{"git checkout same", false},
			{"git switch -", false},
			{"git checkout -b new", false},
			{"git switch -c new same", false},
			{"git switch nosuch", false},
			{"git merge same", false},
			{"git cherry-pick same", false},
			{"git worktree add ../other same", false},
			{"git checkout a", false},
			{"git merge origin/evil", false}, // the upstream's, see the threat model
			{"git stash apply stash@{1}", false},

			{"git switch evil", true},
			{"git checkout evil", true},
			{"git switch -c new evil", true},
			{"git checkout --detach evil", true},
			{"git switch rules", true},
			{"git switch gone", true},
			{"git merge evil", true},
			{"git rebase evil", true},
			{"git cherry-pick evil", true},
			{"git reset --hard evil", true},
			{"git stash pop", true},
			{"git stash apply stash@{0}", true},
			{"git checkout evil -- .", true},
			{"git restore --source=evil .", true},
			{"git worktree add ../other evil", true},
			{"git worktree add .claude bare", true},
			{"git worktree add .claude/x/../../.claude bare", true},
			{"git read-tree --prefix=.claude/ bare", true},
			{"git update-index --add --cacheinfo 100644,8baef1b4abc478178b004d62031cf7fe6db6f903,.claude/settings.json", true},
			{`git switch "$BRANCH"`, true},
		} {
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: proj, Script: test.command, Shell: true, Edits: true, Attended: true}, world)
			brought := false
			for _, f := range v.Findings {
				brought = brought || strings.Contains(f.Reason, "configures an agent") || strings.Contains(f.Reason, "nobody has looked at") || strings.Contains(f.Reason, "state of the repository")
			}
			if brought != test.brings || test.brings && v.Decision < tool.Ask {
				t.Errorf("%s: %s is %s: %s", state, test.command, v.Decision, v.Reason)
			}
		}
	}
	check("loose")
	sh("git gc -q --prune=now")
	check("packed")
	sh(`git update-index --cacheinfo 100644,$(git rev-parse evil:.claude/settings.json),.claude/settings.json`)
	for _, command := range []string{"git checkout-index -a -f", "git checkout -- .", "git restore ."} {
		if v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: proj, Script: command, Shell: true, Attended: true}, world); v.Decision < tool.Ask {
			t.Errorf("%s is %s", command, v.Decision)
		}
	}
}
