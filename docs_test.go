package longline_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"longline/internal/behind"
	"longline/internal/cli"
	"longline/internal/config"
)

var update = flag.Bool("update", false, "write the output of the examples into the documents, unless a decision has changed")

// TestMain puts a "longline" on the PATH that is this very test binary, so that
// the tests run again whenever the program changes.
func TestMain(m *testing.M) {
	config.KnownHome = "HOME" // each document has one of its own
	testscript.Main(m, map[string]func(){
		"longline": func() { os.Exit(cli.Main(os.Args, os.Environ(), os.Stdin, os.Stdout, os.Stderr)) },
		"longline-wall": func() {
			if len(os.Args) > 1 && os.Args[1] == "tried" { // and this came of it: nothing here depends on the machine
				if cfg, err := config.Load(config.Options{Dir: os.Getenv("HOME"), Env: os.Environ()}); err == nil {
					cfg.SayTried(config.WallTried{Kind: strings.Join(os.Args[2:], " ")})
				}
				return
			}
			os.Exit(behind.Main(os.Args, os.Environ(), os.Stdout, os.Stderr))
		},
	})
}

// TestDocumentation runs every example of the documents: in a block marked
// "console", each line "$ longline ..." with the output that follows it. A
// block of another language whose first line is "# file: NAME" (in JSON "// file: NAME",
// which is left out) is written below the home directory first, so that examples can use it. The repository is at
// ~/longline.
func TestDocumentation(t *testing.T) {
	files, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for _, name := range append(files, "README.md", "SECURITY.md", "CONTRIBUTING.md") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		d := document{t: t, name: name, home: t.TempDir()}
		if err := os.MkdirAll(filepath.Join(d.home, "project", ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		// Where a reader has the repository.
		here, err := os.Getwd()
		if err == nil {
			err = os.Symlink(here, filepath.Join(d.home, "longline"))
		}
		if err != nil {
			t.Fatal(err)
		}
		d.walls(map[string]string{"docs/how-it-decides.md": "namespaces", "docs/walls.md": "namespaces"}[filepath.ToSlash(name)])
		renewed := d.run(strings.Split(string(text), "\n"))
		examples += d.examples
		if *update && !t.Failed() && strings.Join(renewed, "\n") != string(text) {
			if err := os.WriteFile(name, []byte(strings.Join(renewed, "\n")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if examples == 0 {
		t.Error("the documents have no examples")
	}
}

// document is a text whose examples are being run.
type document struct {
	t        *testing.T
	name     string
	home     string
	examples int
}

// walls says which walls hold; no example depends on the machine.
func (d *document) walls(kind string) {
	cmd := exec.Command("longline-wall", "tried", kind)
	cmd.Env = []string{"HOME=" + d.home}
	if err := cmd.Run(); err != nil {
		d.t.Fatal(err)
	}
}

// run goes through the lines and returns them with the output of examples as
// it is now.
func (d *document) run(lines []string) []string {
	var out []string
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		language, isFence := strings.CutPrefix(lines[i], "```")
		if !isFence {
			continue
		}
		end := i + 1
		for end < len(lines) && lines[end] != "```" {
			end++
		}
		block := lines[i+1 : min(end, len(lines))]
		if language == "console" {
			block = d.console(i+2, block)
		} else {
			d.file(block)
		}
		out = append(out, block...)
		if i = end; i < len(lines) {
			out = append(out, lines[i])
		}
	}
	return out
}

func (d *document) file(block []string) {
	if len(block) == 0 {
		return
	}
	name, ok := strings.CutPrefix(block[0], "# file: ~/")
	if !ok {
		// JSON has no comments, so that the line is left out.
		if name, ok = strings.CutPrefix(block[0], "// file: ~/"); !ok {
			return
		}
		block = block[1:]
	}
	path := filepath.Join(d.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Join(block, "\n")+"\n"), 0o644); err != nil {
		d.t.Fatal(err)
	}
}

// console runs the commands of a block that begins in the given line.
func (d *document) console(line int, block []string) []string {
	var out []string
	for i := 0; i < len(block); {
		command, ok := strings.CutPrefix(block[i], "$ ")
		if !ok {
			d.t.Errorf("%s:%d: output without a command", d.name, line+i)
			return block
		}
		end := i + 1
		for end < len(block) && !strings.HasPrefix(block[end], "$ ") {
			end++
		}
		want, got := block[i+1:end], d.output(command)
		same := lineless(want) == lineless(got)
		changed := len(want) > 0 && (len(got) == 0 || firstWord(want[0]) != firstWord(got[0]))
		if !same && (!*update || changed) {
			d.t.Errorf("%s:%d: $ %s\ngot:\n%s\n\ndocumented:\n%s", d.name, line+i, command, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		d.examples++
		if same {
			got = want
		}
		out = append(append(out, block[i]), got...)
		i = end
	}
	return out
}

// output runs one command line. An exit status is part of what longline says,
// not a failure.
func (d *document) output(command string) []string {
	cmd := exec.Command("bash", "-c", command)
	cmd.Dir = filepath.Join(d.home, "project")
	cmd.Env = []string{"HOME=" + d.home, "PATH=" + os.Getenv("PATH"), "NO_COLOR=1", "LC_ALL=C.UTF-8"}
	text, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		d.t.Fatalf("%s: %v", command, err)
	}
	shown := strings.TrimRight(strings.ReplaceAll(string(text), d.home, "~"), "\n")
	if shown == "" {
		return nil
	}
	return strings.Split(shown, "\n")
}

// lineless leaves out in which line a built-in rule stands; rules move when
// others are written.
func lineless(output []string) string {
	return regexp.MustCompile(`(builtin,? +[a-z]+\.yaml):[0-9]+`).ReplaceAllString(strings.Join(output, "\n"), "$1")
}

func firstWord(line string) string {
	word, _, _ := strings.Cut(line, " ")
	return word
}
