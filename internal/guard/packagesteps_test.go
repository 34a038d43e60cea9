package guard_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// packageSteps are scripts of a package, of which its manager runs some by itself.
var packageSteps = strings.Fields("zap prezap postzap test pretest posttest start prestart stop poststop restart postrestart preversion version postversion preinstall install postinstall prepublish preprepare prepare postprepare prepublishOnly prepack pack postpack publish postpublish dependencies")

// TestPackageSteps has npm run scripts of a package, asked for or by itself, from its own directory, from those below and from
// elsewhere. Whatever it runs must be asked about if it takes away what nothing else has.
func TestPackageSteps(t *testing.T) {
	runsPrograms(t)
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip(err)
	}
	l := newLossy(t, `git init -q -b main .; printf 'node_modules\nbuild\n' >.gitignore; mkdir -p src/deep own with/node_modules data packages/a/src
printf '{"name":"own","version":"1.0.0","scripts":{"zap":"echo own"}}' >own/package.json; printf '{"name":"a","version":"1.0.0"}' >packages/a/package.json; echo x >src/x; git add -A; git commit -qm one; echo mine >data/x.csv; ln -s src/deep link`)
	file := filepath.Join(l.root, "home/proj/package.json")
	define := func(scripts map[string]string) {
		text := fmt.Sprintf(`{"name":"p","version":"1.0.0","license":"MIT","workspaces":["packages/*"],"scripts":{%s}}`, strings.Join(jsonMembers(scripts), ","))
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	telling := map[string]string{}
	for _, step := range packageSteps {
		telling[step] = "echo " + step + " >> $HOME/told"
	}
	ran := 0
	for _, run := range []string{
		"npm run zap", "npm t", "npm test", "npm start", "npm stop", "npm restart", "npm version patch --no-git-tag-version", "npm --no-git-tag-version version 2.0.0", "npm install", "npm i", "npm ci", "npm install --ignore-scripts", "npm install --dry-run", "npm pack", "npm pack .", "npm pack --dry-run",
		"npm rebuild", "npm prune", "npm publish --dry-run", "npm publish . --dry-run", "npm it", "npm link", "npm uninstall y", "npm dedupe", "npm update", "npm audit fix", "npm run zap --if-present", "npm run zap --ignore-scripts", "npm version", "npm ls", "npm run", "npm -w a run zap", "npm install ./own", "npm exec -c 'echo x'", "npm cache add .",
	} {
		if sampled() && run != "npm test" {
			continue
		}
		for _, at := range []string{"%", "cd src && %", "cd src/deep; %", "cd link; %", "(cd src && %)", "mkdir -p x/y && cd x/y && %", "env -C src %", "bash -c 'cd src && %'", "pushd src >/dev/null && %", "cd own && %", "cd with && %", "cd packages/a && %", "cd packages/a/src && %", "cd none && %", "(sleep .1; cd late && %) & mkdir -p late; wait"} {
			if sampled() && at != "%" && at != "cd src && %" || strings.Contains(at, "'") && strings.Contains(run, "'") {
				continue
			}
			script := strings.ReplaceAll(at, "%", run)
			define(telling)
			told := l.tells("export npm_config_cache=$HOME/cache npm_config_prefix=$HOME/global npm_config_offline=true npm_config_audit=false npm_config_update_notifier=false; " + script)
			for _, step := range packageSteps {
				define(map[string]string{step: "rm -rf data"})
				asks, why := l.asks(script)
				switch is := slices.Contains(told, step); {
				case is && !asks:
					t.Errorf("%s: runs %s: %s", script, step, why)
				case is:
					ran++
				case asks && !sampled():
					t.Logf("%s: asked for %s, which does not run: %s", script, step, why)
				}
			}
		}
	}
	if ran == 0 {
		t.Error("nothing was run by any of these")
	}
}

// jsonMembers are the members of an object of texts without special letters.
func jsonMembers(object map[string]string) (list []string) {
	for name, text := range object {
		list = append(list, fmt.Sprintf("%q:%q", name, text))
	}
	slices.Sort(list)
	return list
}

// tells runs a script in a copy of the repository, and returns the words that it has put into a file of its home.
func (l *lossy) tells(script string) []string {
	l.t.Helper()
	home := l.t.TempDir()
	if out, err := exec.Command("cp", "-a", filepath.Join(l.root, "home")+"/.", home).CombinedOutput(); err != nil {
		l.t.Fatalf("%v: %s", err, out)
	}
	cmd := exec.Command("bash", "-c", script)
	cmd.Dir = filepath.Join(home, "proj")
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
	_ = cmd.Run() // it may well fail
	text, _ := os.ReadFile(filepath.Join(home, "told"))
	return strings.Fields(string(text))
}
