package guard_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/guard"
	"longline/internal/tool"
)

// TestSettingsOfGit shows git's settings where they hold a password or a token, and where they do not: what prints one is asked
// about, and nothing is where there is none, or no setting is shown that can hold one.
func TestSettingsOfGit(t *testing.T) {
	runsPrograms(t)
	const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	scripts := []string{
		"git config --list", "git config -l", "git config -l --show-origin", "git config --list --name-only", "git config --local -l", "git config --global -l", "git config --global --list", "git config --get remote.origin.url",
		"git config remote.origin.url", "git config --get-all remote.origin.url", "git config --get-regexp url", "git config --get-regexp '^remote\\..*'", "git config --get-regexp 'user'", "git config --get user.name", "git config user.email",
		"git config --get remote.backup.url", "git config --get-regexp alias", "git remote", "git remote -v", "git remote --verbose", "git remote get-url origin", "git remote get-url --push origin", "git remote get-url --all origin",
		"git -C . remote -v", "git -C sub remote -v", "cd sub && git remote -v", "git --git-dir=.git config -l", "(git remote -v)", "git remote -v | head -1", "git ls-remote --get-url", "git ls-remote --get-url origin", "git var -l", "git remote show -n origin",
		"cat .git/config", "head -20 .git/config", "cat ./.git/config", "grep url .git/config", "cd .git && cat config", "cat .git/con*", "sed -n 1,20p .git/config", "git config -f .git/config -l", "git config --file .git/config --get remote.origin.url",
		"cat ../.gitconfig", "cat ~/.gitconfig", "cat ~/.config/git/config", "ls .git", "cat .git/HEAD", "git request-pull HEAD origin", "git request-pull HEAD https://example.com/x", "git ls-remote",
	}
	for _, dir := range []string{".git", ".git/", "./.git", "$PWD/.git", "sub/../.git"} {
		for _, form := range []string{
			"grep -r url %s", "grep -rn git %s", "grep -rh '' %s", "find %s -maxdepth 1 -type f | xargs head -20", "find %s -maxdepth 1 -type f -exec cat {} +",
			"find %s -name config | xargs grep url", "cd %s && grep -r url .", "cd %s && grep url *", "(cd %s; cat c*)",
		} {
			scripts = append(scripts, strings.ReplaceAll(form, "%s", dir))
		}
	}
	for _, form := range []string{"find . %s | xargs cat", "find . %s -exec cat {} +", "cat $(find . %s)", "find . %s | while read -r f; do head \"$f\"; done"} {
		for _, filter := range []string{"-name config", "-iname CONFIG -type f", "-maxdepth 2 -name config", "-name config -not -path './node_modules/*'"} {
			scripts = append(scripts, strings.ReplaceAll(form, "%s", filter))
		}
	}
	var vague []string
	// However the name comes about, and whatever reads it.
	for _, name := range []string{
		".git/config", ".g*/co*", ".gi?/config", ".[g]it/[c]onfig", ".g*/*fig", "{.git,x}/config", ".git/{HEAD,config}", "$(echo .git)/config", "${d}it/co*", "\"$PWD\"/.git/./config", "~/proj/.g*/c*", "sub/../.g*/config", "~/.gitc*", "~/.[g]itconfig", "~/.conf*/g*/c*",
	} {
		for _, form := range []string{"d=.g; cat %s", "d=.g; head -50 %s | sort", "d=.g; for f in %s; do cat \"$f\"; done", "d=.g; eval cat %s", "d=.g; cat <(cat %s)", "d=.g; grep -h '' %s", "d=.g; awk 1 %s"} {
			vague = append(vague, strings.ReplaceAll(form, "%s", name))
		}
	}
	vague = append(vague, "cat < .git/config", "echo \"$(<.git/config)\"", "while read -r l; do echo \"$l\"; done < .git/config", "mapfile a < .git/config; echo \"${a[@]}\"", "echo .git/config | xargs cat", "xargs cat <<< .git/config", "cd .g* && cat config", "cd .g*; cat c*", "pushd .git >/dev/null; cat config",
		"cat \"$(git rev-parse --git-dir)/config\"", "cat $(git rev-parse --git-path config)", "eval 'cat .g*/config'", "python3 -c \"print(open('.git/config').read())\"", "git diff --no-index /dev/null .git/config", "cat .g*/*", "head -50 .g*/*", "git config --get-urlmatch http https://github.com/a",
		"GIT_TRACE=1 git fetch 2>&1", "GIT_TRACE2=1 git fetch 2>&1", "GIT_TRACE2_EVENT=1 git fetch 2>&1", "export GIT_TRACE=1; git fetch 2>&1", "GIT_TRACE=1 git remote update 2>&1", "GIT_TRACE=0 git fetch 2>&1", "GIT_TRACE_CURL=1 git fetch 2>&1")
	others := []string{
		"cat s*/*", "cat *.md", "ls -la .g*", "cat .gitattributes", "head sub/*",
		"git status", "git log -1", "git branch -vv", "git config user.name me", "git config --get core.bare", "git config core.bare", "git remote", "git config --get user.name", "git config user.email", "git config --get remote.backup.url",
		"git config --get-regexp alias", "git config --get-regexp '^user\\.'", "ls .git", "cat .git/HEAD", "cat .gitignore", "git config --get branch.main.remote", "git diff", "cat sub/a",
		"grep -rn nothing .", "grep -rn nothing --exclude-dir=.git .", "find . -name '*.md' | xargs cat", "find . -type f -not -path './.git/*' | xargs grep nothing", "find . -name config.py | xargs cat", "find sub -name config | xargs cat",
		"cat .git/logs/HEAD", "cat */config", "du -s .git", "ls -R .git", "git ls-remote -q .", "find . -path ./.git -prune -o -type f -print | xargs grep nothing",
	}
	vague = append(vague, "find .git -type f -name 'c*' -exec cat {} \\;", "tar c .git | tar xO", "find . -name 'conf*' | xargs cat", "find . -name 'conf*' -exec cat {} +") // asked about for other reasons, too
	for name, setting := range map[string]string{
		"none":     "git remote add origin https://github.com/a/b.git",
		"ssh":      "git remote add origin git@github.com:a/b.git; git config user.signingkey 3AA5C34371567BD2",
		"user":     "git remote add origin https://someone@dev.azure.com/a/b",
		"password": "git remote add origin https://me:" + token + "@github.com/a/b.git",
		"token":    "git remote add origin https://" + token + "@github.com/a/b.git",
		"push":     "git remote add origin https://github.com/a/b.git; git remote set-url --push origin https://x-access-token:" + token + "@github.com/a/b.git",
		"header":   "git remote add origin https://github.com/a/b.git; git config http.https://github.com/.extraheader 'AUTHORIZATION: basic " + token + "'",
		"instead":  "git remote add origin https://github.com/a/b.git; git config --global url.https://me:" + token + "@github.com/.insteadOf https://github.com/",
		"global":   "git remote add origin https://github.com/a/b.git; git config --global github.token " + token,
		"xdg":      "git remote add origin https://github.com/a/b.git; mkdir -p ../.config/git; printf '[http]\n\textraHeader = Authorization: Bearer " + token + "\n' >../.config/git/config",
		"included": "git remote add origin https://github.com/a/b.git; git config --global include.path ~/.gitwork; printf '[remote \"origin\"]\n\tpushurl = https://me:" + token + "@github.com/a\n' >../.gitwork",
	} {
		l := newLossy(t, "git init -q -b main .; mkdir sub; echo a >sub/a; git add -A; git commit -qm one; git remote add backup https://example.com/b.git; git config alias.st status; git config user.name me; git config http.proxy http://127.0.0.1:9; "+setting)
		printed := 0
		safe := name == "none" || name == "ssh" || name == "user"
		for i, script := range slices.Concat(scripts, others, vague) {
			if leftOut(i + len(name)) {
				continue
			}
			out, _ := l.run(filepath.Join(l.root, "home"), script)
			prints := strings.Contains(string(out), token)
			if prints {
				printed++
			}
			if asks, why := l.asks(script); asks != prints && (prints || safe && !slices.Contains(vague, script) || slices.Contains(others, script)) {
				t.Errorf("%s: %s: asked: %v (%s), printed: %v", name, script, asks, why, prints)
			}
		}
		if (printed == 0) != safe {
			t.Errorf("%s: %d scripts print it", name, printed)
		}
		g := builtin(t)
		w := realDisk(g, filepath.Join(l.root, "home"), filepath.Join(l.root, "home/proj"))
		config := filepath.Join(w.Project, ".git/config")
		v, _ := g.Judge(tool.Call{Tool: "Read", Dir: w.Project, Effects: []tool.Effect{{Kind: tool.Read, Target: config, Reach: tool.Exact}}}, w)
		if out, _ := l.run(filepath.Join(l.root, "home"), "cat .git/config"); (v.Decision >= tool.Ask) != strings.Contains(string(out), token) {
			t.Errorf("%s: reading %s: %s", name, config, v.Decision)
		}
	}
}

// TestSettingsOfGitAreLeftAlone: whoever only mentions settings, or reads others, does not have git's read.
func TestSettingsOfGitAreLeftAlone(t *testing.T) {
	g := builtin(t)
	reads := func(script string) (n int) {
		w := world()
		read := w.ReadFile
		w.ReadFile = func(name string) ([]byte, error) {
			if strings.HasSuffix(name, "/.gitconfig") {
				n++
			}
			return read(name)
		}
		g.Judge(attended(script), w)
		return n
	}
	for _, script := range []string{
		"cat app.conf", "cat src/config.py", "grep -rn config src", "ls -la", "cat *.md", "wc -l src/*.go", "echo config .git", "cat .github/workflows/ci.yml", "find . -name '*.go' | xargs wc -l", "npm run config", "ls .git", "cat README.md tsconfig.json", "grep -rn --include='*.go' x .",
		"cat src/*/config.go", "head -5 src/co*.ts",
	} {
		if n := reads(script); n > 0 {
			t.Errorf("%s: %d times", script, n)
		}
	}
	for _, script := range []string{"cat .git/config", "cat .g*/co*", "cat ~/.gitconfig", "grep -r url .git"} {
		if reads(script) == 0 {
			t.Errorf("%s: not at all", script)
		}
	}
}

// TestCookiesTell: cookies of other hosts are secrets, those of this machine are part of everyday work.
func TestCookiesTell(t *testing.T) {
	line := func(domain, value string) string {
		return "# Netscape HTTP Cookie File\n\n" + domain + "\tTRUE\t/\tFALSE\t1893456000\tsession\t" + value + "\n"
	}
	object := func(domain string) string {
		return `[{"domain": "` + domain + `", "name": "session", "value": "a1b2c3d4", "httpOnly": true}]`
	}
	for text, want := range map[string]bool{
		line(".example.com", "a1b2c3d4e5"): true, line("#HttpOnly_shop.example", "a1b2c3d4e5"): true, line("localhost", "a1b2c3d4e5"): false, line("#HttpOnly_localhost", "a1b2c3d4e5"): false, line("127.0.0.1", "a1b2c3d4e5"): false, line(".example.com", "en"): false,
		object(".example.com"): true, object("localhost"): false, `{"domain": "example.com"}`: false, "a\tb\tc\td\te\tf\tg\n": false, "": false,
	} {
		if guard.Tells(text) != want {
			t.Errorf("%q: want %v", text, want)
		}
	}
}
