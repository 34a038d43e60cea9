package config

import (
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// TestAnotherHome: who asks what a command would do for somebody at home elsewhere is told
// just that, whatever HOME says here.
func TestAnotherHome(t *testing.T) {
	root := tree(t, "home/p/.git/", "other/")
	for home, want := range map[string]tool.Decision{"": tool.Ask, filepath.Join(root, "other"): tool.Allow} {
		c, err := Load(Options{Dir: filepath.Join(root, "home/p"), known: filepath.Join(root, "home"), Home: home, Env: Env{"HOME=" + filepath.Join(root, "other")}})
		if err != nil {
			t.Fatal(err)
		}
		if v, _ := c.Judge(tool.Call{Tool: "Bash", Dir: c.Dir, Script: "git status", Shell: true, Attended: true}); v.Decision != want {
			t.Errorf("at home in %q: %s: %s", home, v.Decision, v.Reason)
		}
	}
}
