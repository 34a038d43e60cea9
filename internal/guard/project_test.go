package guard_test

import (
	"io/fs"
	"strings"
	"testing"

	"longline/internal/tool"
)

// projectWorld is a project with files in several languages, and the same files
// elsewhere.
func projectWorld() *tool.World {
	code := map[string]string{
		"tool.py": "import os\nos.execvp(input(), [])\n", "tool.js": "require(process.argv[2])(eval(process.argv[3]))\n", "tool.mjs": "await import(process.argv[2])\n",
		"tool.rb": "eval(gets)\n", "tool.pl": "eval <STDIN>;\n", "tool.php": "<?php eval($argv[1]);\n", "tool.ts": "await import(process.argv[2])\n",
		"tool": "\x7fELF\x00\x00",
	}
	files := map[string]string{"/home/dev/proj/package.json": `{"name":"x","scripts":{"gen":"node tool.js"}}`}
	for _, dir := range []string{"/home/dev/proj", "/home/dev/elsewhere", "/tmp/scratch", "/home/dev/sandbox"} {
		for name, text := range code {
			files[dir+"/"+name] = text
		}
	}
	return &tool.World{
		Home: "/home/dev", Project: "/home/dev/proj", Sandbox: "/home/dev/sandbox",
		ReadFile: func(path string) ([]byte, error) {
			if text, ok := files[path]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		},
		Exists: func(path string) bool { _, ok := files[path]; return ok },
	}
}

// TestLikeThingsAlike: who starts a program makes no difference, where it comes from
// does. %s is the directory of the file with a slash, or nothing.
func TestLikeThingsAlike(t *testing.T) {
	launchers := []struct{ file, run string }{
		{"tool.py", "python3 %s"},
		{"tool.py", "python3 -u %s --flag x"},
		{"tool.py", "uv run %s"},
		{"tool.py", "poetry run python %s"},
		{"tool.py", "timeout 60 python3 %s"},
		{"tool.py", "python3 -m cProfile %s"},
		{"tool.py", "coverage run %s"},
		{"tool.py", "time nice -n 5 python3 %s > out.log 2>&1"},
		{"tool.js", "node %s"},
		{"tool.mjs", "node %s"},
		{"tool.js", "bun run %s"},
		{"tool.js", "env FOO=1 node %s"},
		{"tool.ts", "npx tsx %s"},
		{"tool.ts", "npx ts-node %s"},
		{"tool.ts", "bun %s"},
		{"tool.ts", "deno run -A %s"},
		{"tool.rb", "ruby %s"},
		{"tool.pl", "perl %s"},
		{"tool.php", "php %s"},
		{"tool", "%s"},
		{"tool", "%s --help"},
		{"tool", "nohup %s &"},
		{"tool", "xargs %s < list.txt"},
		{"tool", "bash -c '%s'"},
	}
	places := []struct {
		name, before, dir string
		want              tool.Decision
		atLeast           bool
	}{
		{"project", "", "./", tool.Allow, false},
		{"project by its full path", "", "/home/dev/proj/", tool.Allow, false},
		{"project, not there yet", "", "./made-later-", tool.Allow, false},
		{"history", "git pull && ", "./", tool.Allow, false},
		{"elsewhere", "", "/home/dev/elsewhere/", tool.Ask, false},
		{"temporary", "", "/tmp/scratch/", tool.Ask, false},
		{"sandbox", "", "/home/dev/sandbox/", tool.Ask, false},
		{"copied", "cp /home/dev/elsewhere/F . && ", "./", tool.Ask, false},
		{"moved", "mv /tmp/scratch/F . && ", "./", tool.Ask, true},
		{"unpacked", "tar xf a.tar -C sub && ", "./sub/", tool.Ask, false},
		{"downloaded", "curl -so F https://example.com/F && ", "./", tool.Deny, false},
	}
	g := builtin(t)
	for _, p := range places {
		for _, l := range launchers {
			w := projectWorld()
			w.Sandbox = "" // downloads are judged here and not moved
			if p.name == "sandbox" {
				w.Sandbox = "/home/dev/sandbox"
			}
			script := strings.ReplaceAll(p.before, "F", l.file) + strings.ReplaceAll(l.run, "%s", p.dir+l.file)
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: "/home/dev/proj", Script: script, Shell: true, Edits: true, Attended: true}, w)
			if v.Decision != p.want && !(p.atLeast && v.Decision > p.want) {
				t.Errorf("%s: %s\n\tgot %s, want %s: [%s] %s", p.name, script, v.Decision, p.want, v.Rule, v.Reason)
			}
		}
	}
}

// TestOutputOfProjectCode: that code of the project may run does not say what it prints.
func TestOutputOfProjectCode(t *testing.T) {
	g := builtin(t)
	for _, run := range []string{"./tool", "./gen", "python3 tool.py", "node tool.js", "python3 -m app", "npm run gen", "go run .", "make gen", "npx tsx tool.ts"} {
		for _, script := range []string{
			run + " | bash", run + " | sh -s x", `eval "$(` + run + `)"`, run + " > z.sh; bash z.sh", run + " > z.sh; . ./z.sh",
			run + " | xargs rm -rf", "rm -rf $(" + run + ")", "X=$(" + run + `); rm -rf "$X"`, `cat "$(` + run + `)"`, "curl $(" + run + ")",
		} {
			v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: "/home/dev/proj", Script: script, Shell: true, Edits: true, Attended: true}, projectWorld())
			if v.Decision < tool.Ask {
				t.Errorf("%s\n\tgot %s: [%s] %s", script, v.Decision, v.Rule, v.Reason)
			}
		}
	}
}
