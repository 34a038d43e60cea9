package packaging_test

import (
	"encoding/xml"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What the packages bring for a timer starts the subcommand as it is, and is in a form
// that the system reads.
func TestTimers(t *testing.T) {
	files, err := filepath.Glob("sync/*")
	if err != nil || len(files) != 4 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		switch filepath.Ext(name) {
		case ".plist":
			d := xml.NewDecoder(strings.NewReader(string(text)))
			var words []string
			for {
				token, err := d.Token()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				if c, ok := token.(xml.CharData); ok {
					words = append(words, strings.Fields(string(c))...)
				}
			}
			if line := strings.Join(words, " "); !strings.Contains(line, "/usr/local/bin/longline sync --jitter 10m") {
				t.Errorf("%s runs %s", name, line)
			}
		case ".cron":
			if !strings.Contains(string(text), "root") || !strings.Contains(string(text), "/usr/bin/longline sync --jitter 10m\n") {
				t.Errorf("%s: %s", name, text)
			}
		case ".service":
			if !strings.Contains(string(text), "\nExecStart=/usr/bin/longline sync\n") {
				t.Errorf("%s: %s", name, text)
			}
		}
	}
	program, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Log("systemd-analyze is not here; the units were not read by systemd")
		return
	}
	dir := t.TempDir()
	var units []string
	for _, name := range []string{"longline-sync.service", "longline-sync.timer"} {
		text, err := os.ReadFile("sync/" + name)
		if err != nil {
			t.Fatal(err)
		}
		// The program is not installed here.
		text = []byte(strings.ReplaceAll(string(text), "/usr/bin/longline", "/bin/true"))
		units = append(units, filepath.Join(dir, name))
		if err := os.WriteFile(units[len(units)-1], text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(program, append([]string{"verify", "--man=no"}, units...)...).CombinedOutput(); err != nil {
		t.Errorf("systemd does not take the units: %v: %s", err, out)
	}
}
