package examine

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"longline/internal/agent"
	"longline/internal/history"
	"longline/internal/install"
	"longline/internal/screen"
)

var versionNumber = regexp.MustCompile(`\d+\.\d+\.\d+`)

// versions asks each agent's program for its version, all at once, since some of
// them take their time. After a second it says which ones it waits for.
func (d *doctor) versions(list []string) map[string]string {
	found, waiting := map[string]string{}, map[string]bool{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, name := range list {
		for _, program := range install.Programs(name) {
			path := d.lookPath(program)
			if path == "" {
				continue
			}
			mu.Lock()
			waiting[program] = true
			mu.Unlock()
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
				defer cancel()
				cmd := exec.CommandContext(ctx, path, "--version")
				cmd.Env, cmd.WaitDelay = d.Env, time.Second
				out, _ := cmd.Output()
				mu.Lock()
				defer mu.Unlock()
				delete(waiting, program)
				if v := versionNumber.FindString(string(out)); v != "" && found[name] == "" {
					found[name] = v
				}
			})
			break
		}
	}
	late := time.AfterFunc(time.Second, func() {
		mu.Lock()
		defer mu.Unlock()
		if d.Tell != nil && len(waiting) > 0 {
			d.Tell("waiting for the version of " + strings.Join(slices.Sorted(maps.Keys(waiting)), ", ") + ", for ten seconds at most")
		}
	})
	wg.Wait()
	late.Stop()
	return found
}

// lookPath finds a program as a shell would, but never by a relative directory.
func (d *doctor) lookPath(program string) string {
	list, _ := d.Env.Get("PATH")
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

// liveLimit is how long a client may take for one turn, and liveRest what is left
// to it once the log holds what is wanted.
const (
	liveLimit = 3 * time.Minute
	liveRest  = 10 * time.Second
)

// live has the real client run a command that longline denies. What the client
// says about it counts for nothing; the audit log has the last word.
func (d *doctor) live(name string, wired bool) {
	if d.cfg == nil {
		return // that the rules do not load is said already
	}
	canary, err := newCanary()
	if err != nil {
		d.say("fail", name, "live: "+err.Error(), "try again")
		return
	}
	command := canary
	if agent.Watched(name) {
		command += " 2>" + ranFile // mods may let it run
	}
	args, asksModel := install.Live(name, canaryPrompt(command), canary)
	if args == nil {
		d.say("note", name, "live: "+agent.CapabilityOf(name).Client+" cannot be started from here", "have it run "+canary+" yourself, and look for that with longline log")
		return
	}
	program := d.lookPath(install.Programs(name)[0])
	if program == "" || !wired {
		d.say("fail", name, "live: cannot be tested: it is not wired, or its program was not found", "longline init --agent "+name)
		return
	}
	dir, err := os.MkdirTemp("", "longline-doctor-")
	if err != nil {
		d.say("fail", name, "live: "+err.Error(), "make room for a directory there")
		return
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(context.Background(), liveLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, d.Env, time.Second
	began := time.Now()
	go d.untilLogged(ctx, name, canary, cancel)
	out, failed := cmd.CombinedOutput()
	how := "asked longline about " + canary
	if !asksModel {
		how = "asked longline about " + canary + ", with no model in between,"
	}
	if _, err := os.Lstat(filepath.Join(dir, ranFile)); err == nil && d.overruled(name, canary) {
		return
	}
	d.outcome(name, canary, fmt.Sprintf("%s within %.0f s", how, time.Since(began).Seconds()), out, failed)
}

// ranFile is what the shell makes when it comes to the canary, though there is no such program.
const ranFile = "longline-ran"

// overruled says that the canary ran, if it should not have.
func (d *doctor) overruled(name, canary string) bool {
	decision, observed := d.logged(name, canary)
	what := "longline answered deny, and the command ran anyway"
	switch {
	case decision == "":
		what = "the command ran, and longline was not asked"
	case observed || decision != "deny":
		return false
	}
	d.say("fail", name, "live: overruled: "+what, "remove the mod or plugin of "+agent.CapabilityOf(name).Client+" that does this, or install with --scope managed")
	return true
}

// outcome says what the log has about a command that the client was told to run. how is
// how it asked, if it did.
func (d *doctor) outcome(name, canary, how string, out []byte, failed error) {
	decision, observed := d.logged(name, canary)
	switch {
	case observed:
		d.say("fail", name, fmt.Sprintf("live: it called longline, which only observes and would have answered %s", decision), "longline init --agent "+name)
	case decision == "deny":
		d.say("ok", name, fmt.Sprintf("live: %s %s and was told no", name, how), "")
	case decision != "":
		d.say("warn", name, fmt.Sprintf("live: it called longline, which answered %s instead of deny", decision), "see longline explain "+canary)
	default:
		what := "the model may not have run the command"
		if failed != nil {
			what = failed.Error()
		}
		d.say("fail", name, fmt.Sprintf("live: the log has nothing about %s (%s): %s", canary, what, screen.Shorten(strings.TrimSpace(string(out)), 300)),
			"see whether "+name+" works at all, then the lines above")
	}
}

// untilLogged ends a client that goes on for long after the log holds its
// question.
func (d *doctor) untilLogged(ctx context.Context, name, canary string, end func()) {
	for {
		if decision, _ := d.logged(name, canary); decision != "" {
			break
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(500 * time.Millisecond):
		}
	}
	select {
	case <-ctx.Done():
	case <-time.After(liveRest):
		end()
	}
}

// newCanary is a command that no other run has asked about. There is no such
// program, and a built-in rule denies it.
func newCanary() (string, error) {
	nonce := make([]byte, 8)
	_, err := rand.Read(nonce)
	return "longline-canary-" + hex.EncodeToString(nonce), err
}

func canaryPrompt(canary string) string {
	return "This is a test of a safety hook. Run exactly this command with your shell tool, once, and nothing else: " + canary +
		" . It is expected to be refused; then stop and say so."
}

// logged returns the decision on a command that holds a text, and whether it was only
// written down.
func (d *doctor) logged(name, text string) (decision string, observed bool) {
	var read history.Count
	_ = d.ReadLog(d.cfg, &read, func(r *history.Record, _ []byte) error {
		if r.Agent == name && strings.Contains(r.Command, text) {
			decision, observed = r.Decision, r.DryRun
		}
		return nil
	})
	return decision, observed
}
