package command

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestHandedOn holds that words which a runner hands to commands that are not read count where they say that something
// is written or emptied, however the runner takes them, and that usual words do not.
func TestHandedOn(t *testing.T) {
	there := "/home /home/dev /home/dev/proj/src /home/dev/proj/src/. /home/dev/proj/dist/. /home/dev/proj/src/a.py /home/dev/proj /home/dev/proj/. /etc"
	w := tool.World{Home: "/home/dev", Project: "/home/dev/proj", Exists: func(path string) bool { return hasWord(there, path) }}
	runners := []string{
		"tox --", "tox -e py312 --", "tox run -e py --", "nox --", "nox -s tests --", "turbo run build --", "turbo build --filter=web --", "nx build app --", "nx run app:build --",
		"nx run-many -t build --", "lerna run build --", "npm-run-all build --", "mise run test", "mise run test --", "mise tasks run test --", "mise watch test --", "poe test", "node --run test --",
		"deno task test", "hatch run test", "hatch run dev:test", "hatch run +py=3.12 test", "hatch test --", "devbox run test", "devbox run test --", "lage build --", "pdm run test", "rye run test", "rye test --", "pipenv run test", "pixi run test", "moon run app:test --",
		"pants test x --", "invoke test", "cargo make test", "npm run test --", "npm test --", "composer test --", "rushx test", "uv run poe test", "yarn run test",
	}
	for _, runner := range runners {
		for _, c := range []struct{ args, want string }{
			{"--basetemp=/home/dev/x", "/home/dev/x"},
			{"--basetemp /home/dev/x", "/home/dev/x"},
			{"--basetemp=../x", "/home/dev/x"},
			{"--basetemp=src", "/home/dev/proj/src"},
			{"--basetemp=.", "/home/dev/proj"},
			{"--junitxml=/etc/x", "/etc/x"},
			{"-k foo", ""},
			{"tests/unit -x", ""},
			{"--basetemp=.tmp", ""},
			{"--maxfail=2 --tb=short", ""},
		} {
			got, harm := "", ""
			for _, inv := range readAll(t, runner+" "+c.args, &w) {
				for _, e := range inv.Effects {
					if e.Kind == tool.Delete || (e.Kind == tool.Write || e.Kind == tool.Create) && !hasPrefixDir(e.Target, w.Project) || e.Kind == tool.Execute && e.Target == "config:"+c.want {
						got = e.Target
						if c.want != "" && (e.Target == c.want || e.Target == "config:"+c.want) {
							harm = c.want
						}
					}
				}
				if len(inv.Gaps) > 0 && c.want == "" {
					got = inv.Gaps[0].Why
				}
			}
			if harm != c.want || c.want == "" && got != "" {
				t.Errorf("%s %s: %q, want %q", runner, c.args, got, c.want)
			}
		}
	}
}

func hasPrefixDir(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

// readAll reads a command line of plain words, and what it runs in turn.
func readAll(t *testing.T, line string, w *tool.World) (list []Invocation) {
	t.Helper()
	var words []Word
	for i, s := range strings.Fields(line) {
		words = append(words, Known(s, tool.Span{Start: i * 100, End: i*100 + len(s)}))
	}
	inv := Invocation{Words: words, Dir: Known(w.Project, tool.Span{}), Stdin: Data{None: true}}
	Builtin().Read(&inv, w)
	list = append(list, inv)
	for _, n := range inv.Runs {
		var inner []string
		for _, x := range n.Words {
			inner = append(inner, x.Text)
		}
		if len(inner) > 0 {
			list = append(list, readAll(t, strings.Join(inner, " "), w)...)
		}
	}
	return list
}
