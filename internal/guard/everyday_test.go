package guard_test

import (
	"testing"

	"longline/internal/tool"
)

// TestNeighbours: everyday commands are allowed, and what is like them but does harm is not.
func TestNeighbours(t *testing.T) {
	s := &searched{t: t, g: builtin(t), make: `mkdir -p src/deep .venv/bin; touch Thumbs.db src/Thumbs.db; echo n >notes.db; touch build.ninja app; cp /dev/null core; echo {} >a.json; echo {} >b.json; mkdir lib; echo x >lib/a.js; ln -s ../../.ssh lib/away; tar cf a.tar a.json; echo 'VIRTUAL_ENV=x' >.venv/bin/activate`}
	s.renew()
	for _, group := range []struct {
		why       string
		fine, not []string
	}{
		{
			"a server at an address of this machine alone",
			[]string{"http-server -a localhost", "http-server -a 127.0.0.1 -p 8080 .", "npx http-server -a localhost", "serve -l tcp://localhost:3000", "serve --listen 127.0.0.1:3000 src", "ng serve --host localhost", "webpack serve --host 127.0.0.1", "jupyter lab --no-browser --ip=127.0.0.1", "live-server --host=localhost --no-browser src"},
			[]string{"http-server", "http-server -p 8080", "http-server -a 0.0.0.0", "http-server -a localhost -a 0.0.0.0", `http-server -a "$H"`, "http-server -l localhost", "serve", "serve -l 3000", "serve -l tcp://0.0.0.0:3000", "serve -l tcp://localhost:3000 -p 4000", "serve -l tcp://localhost:3000 -l 4000", "serve -l unix:/var/run/x", "ng serve --host 0.0.0.0", "webpack serve --host 0.0.0.0", "jupyter lab --ip=0.0.0.0", "live-server --no-browser"},
		},
		{
			"a port without a host is one of this machine",
			[]string{"curl :3000", "curl -s :3000/health", "curl http://:3000/x", "curl -X POST -d a=b :3000/x"},
			[]string{"curl -d a=b :3000@example.com", "curl -d a=b http://:x@example.com/", "curl -d a=b :3000.example.com", "curl -d a=b $H:3000", "curl -d @.env :3000"},
		},
		{
			"a lock file is made of the project's manifest",
			[]string{"poetry lock", "poetry lock --no-update", "poetry lock --regenerate", "pdm lock", "bundle lock", "bundle lock --update", "bundle lock --add-platform x86_64-linux"},
			[]string{"poetry add x", "poetry update", "pdm add x", "bundle add x", "bundle update", "cd /srv/x && poetry lock", "bundle lock --lockfile ~/.bashrc", "bundle lock --gemfile /srv/x/Gemfile"},
		},
		{
			"a build is undone by its own definition",
			[]string{"ninja -t clean", "ninja -C . -t clean", "ninja -t cleandead"},
			[]string{"ninja -t browse", "ninja -C /srv/x -t clean", "ninja -f /srv/x/build.ninja -t clean"},
		},
		{
			"what file managers leave",
			[]string{"rm Thumbs.db", "find . -name Thumbs.db -delete", "find . -name .DS_Store -delete"},
			[]string{"rm notes.db", "find . -name '*.db' -delete", "rm ~/Thumbs.db"},
		},
		{
			"a file that the script has just made takes the place of one of a pattern",
			[]string{`for f in *.json; do t=$(mktemp); jq . "$f" > "$t" && mv "$t" "$f"; done`, `for f in *.json; do jq . "$f" > /tmp/x.json && mv /tmp/x.json "$f"; done`, `for f in src/*.js; do t=$(mktemp); sed s/a/b/ "$f" > "$t" && mv "$t" "$f"; done`},
			[]string{
				`for f in lib/*; do t=$(mktemp); sed s/a/b/ "$f" > "$t" && mv "$t" "$f"; done`, `for f in *.json; do mv "$1" "$f"; done; touch *`, `t=$(mktemp -d); tar xf a.tar -C "$t"; mv "$t"/* .; touch *`,
				`t=$(mktemp -d); tar xf a.tar -C "$t"; mv "$t" x; cd x && touch *`, `for f in ~/*.json; do t=$(mktemp); jq . "$f" > "$t" && mv "$t" "$f"; done`,
			},
		},
		{
			"a Python environment is left",
			[]string{"deactivate", ". .venv/bin/activate && python -V; deactivate"},
			[]string{"_OLD_VIRTUAL_PATH=./src; deactivate; ls", "export _OLD_VIRTUAL_PATH=./src; deactivate; ls", "deactivate() { rm -rf src; }; deactivate", "_OLD_VIRTUAL_PATH=./src deactivate; ls"},
		},
	} {
		for _, script := range group.fine {
			if v := s.judge(script); v.Decision >= tool.Ask {
				t.Errorf("%s: %s\n\t%s: %s", group.why, script, v.Decision, v.Reason)
			}
		}
		for _, script := range group.not {
			if v := s.judge(script); v.Decision < tool.Ask {
				t.Errorf("not %s: %s\n\tis allowed", group.why, script)
			}
		}
	}
}
