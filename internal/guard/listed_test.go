package guard_test

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestSecretsThatComeUp holds lists and searches that leave files out against what the real programs print: files of secrets lie at
// random in a project, kept by git, ignored or neither, and whoever shows one of them is asked about it.
func TestSecretsThatComeUp(t *testing.T) {
	scripts := []string{
		"git ls-files | xargs cat", "git ls-files -z | xargs -0 head -3", "cat $(git ls-files)", "for f in $(git ls-files config); do cat \"$f\"; done", "git ls-files | xargs tail -n +1", "git ls-files '*.yaml' | xargs cat", "git ls-files src | xargs cat",
		"git ls-files -o --exclude-standard | xargs -r cat", "git ls-files -co --exclude-standard | xargs cat", "git ls-files | xargs wc -l",
		"git grep ''", "git grep -n .", "git grep -e . -- config", "git grep -h '' -- '*.yaml'", "git grep -v zzz", "git grep -c .", "git grep -n TODO", "git grep -l .", "git grep -l K3Y | xargs cat", "git grep -lz . | xargs -0 cat", "git grep -L zzz | xargs cat", "cat $(git grep -l K3Y -- config)", "git grep -l . src | xargs cat", "cd config && git grep .", "git ls-tree -r --name-only HEAD | xargs cat",
		"rg '' .", "rg . config ./", "rg -n -v zzz .", "rg --passthru zzz .", "rg -e '' .", "rg --no-ignore . .", "rg -uu . .", "rg . src", "rg -c . .", "rg TODO .", "rg . . -g '!config' -g '!*.pem' -g '!id_rsa' -g '!credentials.json'", "rg -g '*.yaml' '' .", "rg -t yaml '' .", "rg -tyaml . config", "rg -t c '' .", "rg -t json . .", "rg -g '*' . .", "rg -g '*.json' . .", "rg '' .hidden", "rg --files .hidden | xargs cat", "fdfind . .hidden -t f -x cat",
		"rg --files | xargs cat", "rg --files config | xargs cat", "head -n 5 $(rg --files)", "rg --files --no-ignore | xargs cat", "rg --files | xargs wc -l", "rg --files -g '*.c' | xargs cat", "rg -l main . | xargs cat", "rg --files -g '*' | xargs cat", "rg --files --hidden | xargs cat", "rg -l K3Y . | xargs cat",
		"fdfind -t f -x cat", "fdfind . config -t f -x cat", "fdfind -t f . | xargs cat", "fdfind -e yaml -x cat", "fdfind -e c -x cat", "fdfind -I -t f -X cat", "fdfind -t f . src -x cat",
		"ag --unrestricted TODO .", "ag TODO .", "fdfind -u -t f -x cat",
		"grep -r '' .", "grep -rl K3Y . | xargs cat", "find . -type f | xargs head", "find src -type f | xargs cat",
		"git grep -l main '*.yaml' | xargs cat", "rg --files-without-match zzz . | xargs cat", "rg --files -g '*.json' | xargs cat", "rg -g '*.json' -g '!credentials*' . .", "ag . .", "fdfind -H -t f -x cat", "fdfind -H -t f . config -x cat",
		"echo '!.env' > .ignore; rg . .; rm .ignore", "cp .gitignore g; echo '!.env' >> .gitignore; rg --files | xargs cat; mv g .gitignore", "cp .gitignore g; : > .gitignore; fdfind -t f -x cat; mv g .gitignore",
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed; .ci/tools installs it")
	}
	for _, program := range []string{"rg", "fdfind", "ag"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Log(program + " is not installed; .ci/tools installs it")
			scripts = slices.DeleteFunc(scripts, func(script string) bool { return strings.Contains(" "+script, " "+program+" ") })
		}
	}
	names := []string{"config/secrets.yaml", "id_rsa", ".env", "packages/a/credentials.json", ".hidden/credentials.json", "deep/a/b/server.pem"}
	ignored := []string{"secrets.yaml", "/id_rsa", ".env*", "/packages/*/credentials.json", ".hidden/", "*.pem"}
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 0))
		root := t.TempDir()
		g := builtin(t)
		w := realDisk(g, root, filepath.Join(root, "proj"))
		w.Secret = g.Policy.Secrets(&tool.Call{}, w)
		w.ReadSecret = w.ReadFile
		run := func(script string) string {
			cmd := exec.Command("/bin/bash", "-c", script)
			cmd.Dir = w.Project
			cmd.Env = []string{"HOME=" + root, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b"}
			out, _ := cmd.CombinedOutput() // a search that finds nothing fails
			return string(out)
		}
		if err := os.MkdirAll(w.Project, 0o755); err != nil {
			t.Fatal(err)
		}
		setting := "git init -q -b main .; mkdir -p config src packages/a .hidden deep/a/b; echo main > src/a.c; echo main > config/a.yaml; echo main > packages/a/a.c\n"
		for i, name := range names {
			switch random.IntN(6) {
			case 0:
				setting += "echo K3Y > " + name + "; git add -f " + name + "\n"
			case 1:
				setting += "echo K3Y > " + name + "\n"
			case 2:
				setting += "echo K3Y > " + name + "; echo '" + ignored[i] + "' >> .gitignore\n"
			case 3:
				setting += "echo K3Y > " + name + "; echo '" + ignored[i] + "' >> .gitignore; echo '!" + ignored[i] + "' >> .gitignore\n"
			case 4: // which shows hidden ones that nothing has hidden otherwise
				setting += "echo K3Y > " + name + "; echo '!" + ignored[i] + "' >> " + []string{".gitignore", ".git/info/exclude", "../.ignore"}[random.IntN(3)] + "\n"
			}
		}
		setting += "touch .gitignore; git add .gitignore src config/a.yaml packages/a/a.c; git commit -qm one"
		if out := run(setting); out != "" {
			t.Fatal(out)
		}
		for _, script := range scripts {
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: w.Project, Script: script, Shell: true, Edits: true, Attended: true}, w)
			out := run(script)
			if strings.Contains(out, "K3Y") && v.Decision < tool.Ask {
				t.Errorf("%s\nafter %s\n%s (%s), but it prints\n%s", script, setting, v.Decision, v.Reason, out)
			}
		}
	}
}
