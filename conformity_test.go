package longline_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
)

// seed is a document that longline follows, sentence by sentence.
type seed struct {
	Name, Title, About string
	Files              map[string]string // below the home directory
	Sentences          []sentence
}

// sentence is what a document says, in our words, and what shows that it holds.
type sentence struct {
	Says string
	// Hook is a command as Claude Code hands it over, in the project; Run a line for bash. Want is an expression on the answer.
	Hook, Run, Want string
	Test            string // a test that holds it: package and name
	Differs, Do     string // why it is different here, and what to do instead
}

// TestConformity holds longline against the documents it comes from, and writes docs/conformity.md with -update.
func TestConformity(t *testing.T) {
	text, err := os.ReadFile("testdata/conformity.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var seeds []seed
	if err := yaml.Unmarshal(text, &seeds); err != nil {
		t.Fatal(err)
	}
	var page strings.Builder
	page.WriteString(conformityHead)
	all, differ := 0, 0
	for _, s := range seeds {
		home := t.TempDir()
		d := document{t: t, name: s.Name, home: home}
		if err := os.MkdirAll(filepath.Join(home, "project", ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range s.Files {
			d.file(append([]string{"# file: ~/" + name}, strings.Split(strings.TrimSuffix(text, "\n"), "\n")...))
		}
		d.walls("")
		fmt.Fprintf(&page, "\n## %s\n\n%s\n\n| It says | Here | Instead |\n| --- | --- | --- |\n", s.Title, s.About)
		for i, line := range s.Sentences {
			all++
			shown := line.Test != "" || line.Hook != "" || line.Run != ""
			if line.Differs != "" {
				differ++
				shown = true
				fmt.Fprintf(&page, "| %s | %s | %s |\n", line.Says, line.Differs, line.Do)
				if line.Do == "" {
					t.Errorf("%s %d: what does a user do instead?", s.Name, i+1)
				}
			}
			if line.Test != "" {
				testIsThere(t, line.Test)
			}
			if line.Hook != "" || line.Run != "" {
				got := d.answer(&line)
				if ok, err := regexp.MatchString("(?s)"+line.Want, got); !ok || err != nil || line.Want == "" {
					t.Errorf("%s %d: %s\n%s%s\ngot:  %s\nwant: %s", s.Name, i+1, line.Says, line.Hook, line.Run, got, line.Want)
				}
			}
			if !shown {
				t.Errorf("%s %d: nothing shows that it holds", s.Name, i+1)
			}
		}
	}
	written := strings.Replace(page.String(), "COUNTS", fmt.Sprintf("Of %d sentences, %d hold and these %d differ:", all, all-differ, differ), 1)
	old, _ := os.ReadFile("docs/conformity.md")
	if string(old) == written || t.Failed() {
		return
	}
	if !*update {
		t.Fatal("docs/conformity.md is not what the table says; run go test . -run Conformity -update")
	}
	if err := os.WriteFile("docs/conformity.md", []byte(written), 0o644); err != nil {
		t.Fatal(err)
	}
}

const conformityHead = `# Differences from earlier guards

longline follows three documents: the design of an older longline in Rust, the plan of a sandbox for downloads, and the specification of claude-hooks.
testdata/conformity.yaml lists their sentences in our words, and TestConformity checks each. COUNTS
`

// answer runs what a sentence is shown by, and returns all that is printed.
func (d *document) answer(s *sentence) string {
	line := s.Run
	if s.Hook != "" {
		call, err := json.Marshal(map[string]any{
			"session_id": "s1", "cwd": d.home + "/project", "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "t1",
			"tool_input": map[string]string{"command": s.Hook, "description": "d"},
		})
		if err != nil {
			d.t.Fatal(err)
		}
		line = "longline hook claude <<'END'\n" + string(call) + "\nEND"
	}
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir = filepath.Join(d.home, "project")
	cmd.Env = []string{"HOME=" + d.home, "PATH=" + os.Getenv("PATH"), "NO_COLOR=1", "LC_ALL=C.UTF-8"}
	out, _ := cmd.CombinedOutput()
	return strings.ReplaceAll(string(out), d.home, "~") + fmt.Sprintf("[exit %d]", cmd.ProcessState.ExitCode())
}

// testIsThere looks for a test that a sentence names.
func testIsThere(t *testing.T, name string) {
	pkg, test, _ := strings.Cut(name, " ")
	files, _ := filepath.Glob(filepath.Join(pkg, "*_test.go"))
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), "func "+test+"(") {
			return
		}
	}
	t.Errorf("there is no test %s", name)
}
