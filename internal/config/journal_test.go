package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/rulesfile"
	"longline/internal/state"
	"longline/internal/tool"
)

// TestJournalIsGuarded: what a session is known for is as protected as the rules. No
// agent writes, replaces, removes or clears a journal, by whatever way and spelling.
func TestJournalIsGuarded(t *testing.T) {
	root := tree(t, "home/proj/.git/", "home/proj/x=", "home/.config/")
	home, dir := filepath.Join(root, "home"), filepath.Join(root, "home/proj")
	cfg, err := Load(Options{Parse: rulesfile.ParseNamed, Dir: dir, Env: Env{"HOME=" + home}, managed: filepath.Join(root, "etc"), claudeAdmin: filepath.Join(root, "admin")})
	if err != nil {
		t.Fatal(err)
	}
	store := state.Open(cfg.State)
	if err := store.Remember("claude", "s", []byte("untrusted 1 \"injection\" \"x\" \"\"\n")); err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(cfg.State, "session", store.Journals()[0].Name)
	if _, err := os.Stat(journal); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(filepath.Dir(journal), link); err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(journal)
	spellings := []string{
		journal, "~/.local/state/longline/session/" + name, "~/.local/state/longline/session/*", "link/" + name, "../.local/state/longline/session/" + name,
		"/proc/self/root" + journal, "$HOME/.local/./state//longline/session/" + name, `"$(dirname ~/.local/state/longline/session/x)"/` + name,
	}
	ways := []string{
		"rm -f J", "unlink J", "mv J /tmp/x", "mv x J", "cp x J", ": > J", "echo x >> J", "truncate -s 0 J", "tee J < x", "sed -i d J", "ln -sf x J", "install x J", "dd if=x of=J",
		"python3 -c 'import os; os.remove(\"J\")'", "python3 -c 'open(\"J\", \"w\")'", "bash -c 'rm -f J'", "find J -delete", "chmod 666 J", "shred -u J", "rsync x J", "touch J",
	}
	judge := func(call tool.Call) tool.Decision {
		call.Agent, call.Dir, call.Attended, call.Edits = "claude", dir, true, true
		v, _ := cfg.Judge(call)
		return v.Decision
	}
	tried := 0
	for _, way := range ways {
		for _, at := range spellings {
			if strings.Contains(way, `\"J\"`) || strings.Contains(way, `"J"`) {
				if at != journal {
					continue // a language without tildes
				}
			}
			script := strings.ReplaceAll(way, "J", at)
			tried++
			// zsh leaves a tilde behind an equals sign alone, so that it is not known which file it is.
			vague := strings.ContainsAny(at, "*$") || strings.HasPrefix(at, "/proc") || strings.Contains(script, "=~")
			if d := judge(tool.Call{Tool: "Bash", Script: script, Shell: true}); d < tool.Ask || d != tool.Deny && !vague {
				t.Errorf("%s: %s", script, d)
			}
		}
	}
	for _, script := range []string{
		"rm -rf ~/.local/state/longline", "rm -rf ~/.local/state", "mv ~/.local/state/longline /tmp/", "rm -rf ~/.local/state/longline/session", "rm -rf link/",
		"longline session clear", "longline session clear --all", "longline session --all clear s", "/usr/local/bin/longline session clear s",
		"echo y | script -qc 'longline session clear' /dev/null", "env -u CLAUDECODE longline session clear", "go run ./cmd/longline session clear",
	} {
		if d := judge(tool.Call{Tool: "Bash", Script: script, Shell: true}); d != tool.Deny && !(script == "rm -rf link/" && d >= tool.Ask) {
			t.Errorf("%s: %s", script, d)
		}
	}
	for _, kind := range []tool.Kind{tool.Write, tool.Create, tool.Delete} {
		for _, at := range []string{journal, filepath.Join(link, name), filepath.Join(filepath.Dir(journal), "new")} {
			if d := judge(tool.Call{Tool: "Write", Effects: []tool.Effect{{Kind: kind, Target: at, Reach: tool.Exact}}}); d != tool.Deny {
				t.Errorf("%s %s: %s", kind, at, d)
			}
		}
	}
	// To look is no harm, and the journal has no content.
	if d := judge(tool.Call{Tool: "Bash", Script: "longline session", Shell: true}); d != tool.Allow {
		t.Errorf("longline session: %s", d)
	}
	if d := judge(tool.Call{Tool: "Bash", Script: "cat " + journal, Shell: true}); d != tool.Ask {
		t.Errorf("reading a journal: %s", d)
	}
	if tried < 100 {
		t.Errorf("only %d ways were tried", tried)
	}
}
