package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"longline/internal/agent"
	"longline/internal/config"
	"longline/internal/history"
	"longline/internal/install"
	"longline/internal/strictjson"
)

// blocksFrom is the first Claude Code that refuses a call whose hook fails.
var blocksFrom = [3]int{2, 1, 295}

// claude looks at what in Claude Code's settings keeps hooks from running.
func (d *doctor) claude(version string) {
	if v, ok := parseVersion(version); ok && less(v, blocksFrom) {
		d.say("warn", "claude", version+` knows no "onFailure": if longline crashes or is late, the command runs`, "update Claude Code to 2.1.295 or later (needs Node 22, or the native installer)")
	}
	for _, name := range []string{"CLAUDE_CODE_SIMPLE"} {
		if value, _ := d.p.env.Get(name); value != "" && value != "0" {
			d.say("fail", "claude", "the variable "+name+" is set: Claude Code runs without hooks", "unset "+name)
		}
	}
	if d.cfg == nil {
		return
	}
	for _, path := range d.cfg.Settings.All() {
		d.claudeFile(path)
	}
}

func (d *doctor) claudeFile(path string) {
	text := config.ReadSettings(path)
	if text == nil {
		return
	}
	root, err := strictjson.Parse(text)
	if err != nil {
		d.say("fail", "claude", fmt.Sprintf("Claude Code ignores the whole of %s, hooks and permissions: %v", path, err), "it must be plain JSON: no comments, no trailing commas")
		return
	}
	managed := strings.HasPrefix(path, "/etc/claude-code/")
	for _, s := range agent.ClaudeSwitches(text) {
		level := "warn"
		if s.Off {
			level = "fail"
		}
		d.say(level, "claude", path+" sets "+s.Setting+": "+s.Effect, "take it out, or install with longline init --agent claude --scope managed")
	}
	if managed && root.Get("allowManagedHooksOnly").True && !agent.ClaudeStarts(text) {
		d.say("fail", "claude", path+" sets allowManagedHooksOnly: hooks in your own settings do not run", "longline init --agent claude --scope managed")
	}
	for _, group := range root.Get("hooks").Get("PreToolUse").Items {
		for _, h := range group.Get("hooks").Items {
			if agent.Starts(h) {
				d.program(h.Get("command").Text)
			} else {
				what := h.Get("command").Text + h.Get("url").Text + h.Get("prompt").Text + h.Get("tool").Text
				d.say("note", "claude", fmt.Sprintf("%s has another hook before tools (%s); one that changes commands can have something run that longline never saw", path, shorten(what, 60)),
					"see that it only answers and does not change commands")
			}
		}
	}
}

// program looks at the program that a settings file names.
func (d *doctor) program(path string) {
	info, err := os.Stat(path)
	switch {
	case !filepath.IsAbs(path):
		d.say("fail", "claude", fmt.Sprintf("the hook starts %q, which a project can replace by its own program", path), "longline init --agent claude")
	case err != nil:
		d.say("fail", "claude", "the hook's program is gone: "+err.Error(), "longline init --agent claude")
	case info.Mode()&0o111 == 0 || !info.Mode().IsRegular():
		d.say("fail", "claude", path+" cannot be run", "longline init --agent claude")
	case info.Mode()&0o022 != 0:
		d.say("warn", "claude", path+" can be changed by others", "chmod go-w "+path)
	}
}

var versionNumber = regexp.MustCompile(`\d+\.\d+\.\d+`)

// versions asks each agent's program for its version, all at once, since some of
// them take their time.
func (d *doctor) versions(list []string) map[string]string {
	found := map[string]string{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, name := range list {
		for _, program := range install.Programs(name) {
			path := d.lookPath(program)
			if path == "" {
				continue
			}
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
				defer cancel()
				cmd := exec.CommandContext(ctx, path, "--version")
				cmd.Env, cmd.WaitDelay = d.p.env, time.Second
				out, _ := cmd.Output()
				mu.Lock()
				defer mu.Unlock()
				if v := versionNumber.FindString(string(out)); v != "" && found[name] == "" {
					found[name] = v
				}
			})
			break
		}
	}
	wg.Wait()
	return found
}

// lookPath finds a program as a shell would, but never by a relative directory.
func (d *doctor) lookPath(program string) string {
	list, _ := d.p.env.Get("PATH")
	for _, dir := range filepath.SplitList(list) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, program)); err == nil {
			return path
		}
	}
	return ""
}

func parseVersion(text string) (v [3]int, ok bool) {
	parts := strings.Split(text, ".")
	if len(parts) != 3 {
		return v, false
	}
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil {
			return v, false
		}
		v[i] = n
	}
	return v, true
}

func less(a, b [3]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// liveLimit is how long a client may take for one turn.
const liveLimit = 2 * time.Minute

// live has the real client run a command that longline denies. What the client
// says about it counts for nothing; the audit log has the last word.
func (d *doctor) live(name string, wired bool) {
	argv := map[string][]string{
		"claude": {"claude", "-p"}, "codex": {"codex", "exec", "--skip-git-repo-check"}, "gemini": {"gemini", "-p"},
		"opencode": {"opencode", "run"}, "qwen": {"qwen", "-p"},
	}[name]
	if argv == nil || d.cfg == nil {
		d.say("note", name, "longline does not know how to try it live", "have it run longline-canary-x, and look for that in longline log")
		return
	}
	program := d.lookPath(argv[0])
	if program == "" || !wired {
		d.say("fail", name, "it cannot be tried live: it is not wired, or its program was not found", "longline init --agent "+name)
		return
	}
	nonce := make([]byte, 8)
	if _, err := rand.Read(nonce); err != nil {
		d.say("fail", name, err.Error(), "")
		return
	}
	canary := "longline-canary-" + hex.EncodeToString(nonce)
	dir, err := os.MkdirTemp("", "longline-doctor-")
	if err != nil {
		d.say("fail", name, err.Error(), "")
		return
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), liveLimit)
	defer cancel()
	prompt := "This is a test of a safety hook. Run exactly this command with your shell tool, once, and nothing else: " + canary + " . It is expected to be refused; then stop and say so."
	cmd := exec.CommandContext(ctx, program, append(argv[1:], prompt)...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, d.p.env, time.Second
	began := time.Now()
	out, failed := cmd.CombinedOutput()
	decision := d.logged(name, canary)
	switch {
	case decision == "deny":
		d.say("ok", name, fmt.Sprintf("live: %s asked longline about %s within %.0f s and was told no", name, canary, time.Since(began).Seconds()), "")
	case decision != "":
		d.say("warn", name, fmt.Sprintf("live: it asked, and longline answered %s instead of deny", decision), "see longline explain "+canary)
	default:
		what := "the model may not have run the command"
		if failed != nil {
			what = failed.Error()
		}
		d.say("fail", name, fmt.Sprintf("live: the log holds nothing about %s (%s): %s", canary, what, shorten(strings.TrimSpace(string(out)), 300)),
			"see whether "+name+" works at all, then the lines above")
	}
}

// logged returns the decision on a command that holds a text.
func (d *doctor) logged(name, text string) (decision string) {
	var read history.Count
	_ = readLog(d.cfg, &read, func(r *history.Record, _ []byte) error {
		if r.Agent == name && strings.Contains(r.Command, text) {
			decision = r.Decision
		}
		return nil
	})
	return decision
}
