package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinesSeeTheDiskAsTheyArrive: lines that arrive together are judged by one look at the disk, and a line
// that comes later by another: whoever waits for an answer may change something before the next question.
func TestLinesSeeTheDiskAsTheyArrive(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "proj")
	script := filepath.Join(dir, "x.sh")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	put := func(text string) {
		if err := os.WriteFile(script, []byte(text), 0o644); err != nil {
			t.Error(err)
		}
	}
	put("ls\n")
	line := `{"command":"bash x.sh","cwd":"` + dir + `"}` + "\n"
	var out bytes.Buffer
	in := &turns{text: []string{line + line, line, line}, before: func(turn int) {
		switch turn {
		case 1:
			put("rm -rf /\n")
		case 2:
			put("ls -la\n")
		}
	}}
	Main([]string{"longline", "check", "--jsonl"}, []string{"HOME=" + home}, in, &out, io.Discard)
	var got []string
	for answer := range strings.Lines(out.String()) {
		_, rest, _ := strings.Cut(answer, `"decision":"`)
		decision, _, _ := strings.Cut(rest, `"`)
		got = append(got, decision)
	}
	if strings.Join(got, " ") != "allow allow deny allow" {
		t.Errorf("%v\n%s", got, out.String())
	}
}

// turns gives one text with each read.
type turns struct {
	text   []string
	turn   int
	before func(turn int)
}

func (r *turns) Read(room []byte) (int, error) {
	if r.turn == len(r.text) {
		return 0, io.EOF
	}
	r.before(r.turn)
	r.turn++
	return copy(room, r.text[r.turn-1]), nil
}
