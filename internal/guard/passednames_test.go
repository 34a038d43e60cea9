package guard_test

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPassedNames runs Python programs in which a parameter is called like something else, and holds the answer against what they show.
func TestPassedNames(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed; .ci/tools installs it")
	}
	l := newLossy(t, `git init -q -b main .; mkdir -p src ../.ssh; echo text | tee src/a src/b >/dev/null; git add -A; git commit -qm one; echo KEYTEXT >../.ssh/id_rsa`)
	functions := []string{ // the first show what they are given
		"def f(N):\n    print(open(N).read())", "def f(N): print(open(N).read())", "def f(N):\n    with open(N) as h:\n        print(h.read())", "def f(N):\n    print(f'{N}:')\n    print(open(f'{N}').read())", "def f(N: str):\n    try:\n        print(open(N, encoding='utf8').read())\n    except Exception as e:\n        print(e)",
		"def f(N):\n    N = 'K'\n    print(open(N).read())", "def f(N):\n    for N in ['K']:\n        print(open(N).read())", "def f(N):\n    print([open(N).read() for N in ['K']])", "def f(N):\n    def g(N):\n        print(open(N).read())\n    g('K')", "def f(N):\n    global M\n    M = N\ndef g():\n    print(open(M).read())",
		"def f(N):\n    x = \\\nN\n    print(open(x).read())", "def f(N):\n# for all\n\n    print(open(\nN\n).read())", "def f(N):\n    x = '''\nN\n'''\n    print(open(N).read())", "def f(N):\n\tprint(open(N).read())", "def f(N='K'):\n    print(open(N).read())", "def f(*N):\n    print(open(N[0]).read())", "def f(N) -> str:\n    print(open(N).read())",
		"M = 'src/a'\ndef f(N, M):\n    print(open(M).read())\n    return N\nf('src/a', 'K')", "def f(N):\n    if N:\n        N += ''\n    print(open(N).read())", "class C:\n    def f(self, N):\n        print(open(N).read())\nf = C().f", "f = lambda N: print(open(N).read())", "def g(N):\n    print(open(N).read())\ndef f(N):\n    g(N)", "def f(N):\n    (N) = 'K'\n    print(open(file=N).read())",
		"def f(N):\n    with open('K') as N:\n        print(N.read())", "def f(N):\n    print(open((N := 'K')).read(), N)", "def f(N):\n    return N\nprint(open(f('K')).read())",
	}
	mains := []string{ // the first give it nothing else
		"for N in ['src/a', 'src/b']:\n    f(N)", "N = 'src/a'\nf(N)", "files = ['src/a', 'src/b']\nfor N in files:\n    if f(N):\n        print(N)", "for N in ['src/a']:\n    print(open(N).read())\n    f('src/b')",
		"N = 'src/a'\nf('K')", "N = 'K'\nf('src/a')\nprint(N)", "N = 'K'\nf(N)", "for N in ['K']:\n    f(N)", "for N in ['K']:\n    f('src/a')\nprint(open(N).read())", "N = 'src/a'\nf(N='K')", "N = 'src/a'\nlist(map(f, ['K']))", "N = 'src/a'\n[f(N) for N in ['K']]", "N = 'src/a'\nf('src/b')\nf('K')", "N = 'src/a'\nN = 'K'\nf(N)",
		"N = 'src/a'\ng = f\ng('K')", "N = 'src/a'\nf(*['K'])", "M = 'K'\nN = 'src/a'\nf(M)", "for N in ['src/a', 'K']:\n    f(N)", "N = 'src/a'\nf('src/b')\ng('K')", "N = 'src/a'\nf('src/a')\ng()", "N_2 = 'K'\nN = 'src/a'\nf(N_2)", "M = 'K'\nN = 'src/a'\nf('src/a')",
	}
	var programs []string
	for _, function := range functions {
		for _, main := range mains {
			programs = append(programs, strings.NewReplacer("N", "path", "M", "other", "K", "../.ssh/id_rsa").Replace(function+"\n"+main))
		}
	}
	shown := 0
	for i, prints := range showKeys(t, python, filepath.Join(l.root, "home/proj"), programs) {
		if prints {
			shown++
		}
		asks, why := l.asks("cat > x.py <<'EOF'\n" + programs[i] + "\nEOF\npython3 x.py")
		if prints && !asks {
			t.Errorf("shows a key, and is allowed:\n%s", programs[i])
		}
		if asks && i/len(mains) < 5 && i%len(mains) < 4 {
			t.Errorf("%s:\n%s", why, programs[i])
		}
	}
	if shown < 150 {
		t.Errorf("only %d show it", shown)
	}
}

// showKeys says which of some programs show a key. One process runs them all.
func showKeys(t *testing.T, python, dir string, programs []string) (shown []bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, python, "-c", `
import contextlib, io, sys
for program in sys.stdin.read().split("\0"):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(program, {"__name__": "__main__"})
        except Exception:
            pass
    print(int("KEYTEXT" in out.getvalue()))
`)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(strings.Join(programs, "\x00"))
	out, err := cmd.Output()
	answers := strings.Fields(string(out))
	if err != nil || len(answers) != len(programs) {
		t.Fatal(err, len(answers))
	}
	for _, answer := range answers {
		shown = append(shown, answer == "1")
	}
	return shown
}
