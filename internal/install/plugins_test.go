package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/agent"
	"longline/internal/strictjson"
)

// The plugins in the repository are what the installation's own table says.
func TestPlugins(t *testing.T) {
	for _, p := range Plugins() {
		path := filepath.Join("../..", p.Path)
		if os.Getenv("UPDATE") != "" {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(p.Text), os.FileMode(p.Mode)); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(path)
		if err != nil || string(text) != p.Text {
			t.Errorf("%s is not up to date; UPDATE=1 go test writes it (%v)", p.Path, err)
		}
		info, err := os.Stat(path)
		if err == nil && info.Mode()&0o100 != os.FileMode(p.Mode)&0o100 {
			t.Errorf("%s has the mode %v", p.Path, info.Mode())
		}
		if strings.HasSuffix(p.Path, ".json") {
			if _, err := strictjson.Parse([]byte(p.Text)); err != nil {
				t.Errorf("%s: %v", p.Path, err)
			}
		}
		if p.Path == "plugins/claude/hooks/hooks.json" && !agent.ClaudeStarts([]byte(p.Text)) {
			t.Errorf("%s does not start longline", p.Path)
		}
	}
}

// The script finds longline where programs are, not on the PATH, and refuses
// where there is none.
func TestLauncher(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no /bin/sh")
	}
	for _, dir := range []string{"/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"} {
		if _, err := os.Stat(filepath.Join(dir, "longline")); err == nil {
			t.Skip("longline is installed on this machine")
		}
	}
	home := t.TempDir()
	run := func() (string, int) {
		cmd := exec.Command("/bin/sh", "launcher.sh", "claude")
		cmd.Env = []string{"HOME=" + home, "PATH=" + filepath.Join(home, "evil")}
		out, _ := cmd.CombinedOutput()
		return string(out), cmd.ProcessState.ExitCode()
	}
	put := func(name, text string) {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("#!/bin/sh\necho "+text+" \"$@\"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	put("evil/longline", "evil")
	if out, status := run(); status != 2 || !strings.Contains(out, "not installed") {
		t.Errorf("without longline: %d %s", status, out)
	}
	put("go/bin/longline", "big")
	if out, _ := run(); out != "big hook claude\n" {
		t.Errorf("got %q", out)
	}
	put(".local/bin/longline", "big")
	put(".local/bin/longline-hook", "small")
	if out, _ := run(); out != "small claude\n" {
		t.Errorf("got %q", out)
	}
}
