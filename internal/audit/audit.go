// Package audit writes the log: one line of JSON for every call that was judged.
//
// The encoder is written by hand because it runs on every tool call, where
// encoding/json would cost more than judging does.
package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"longline/internal/command"
	"longline/internal/mask"
	"longline/internal/tool"
)

// Version of the line format. It changes when a field changes its meaning or
// goes away, not when one is added.
const Version = 1

// maxText is how many characters of a command or rewrite a line keeps.
const maxText = 1024

// Entry is what one line says.
type Entry struct {
	Time     time.Time
	Call     *tool.Call
	Verdict  *tool.Verdict
	Duration time.Duration
	DryRun   bool // judged, but answered with "no opinion"
	// Invocations is how the script was read. Secrets are told by what the
	// words of a command are for.
	Invocations []*command.Invocation
}

// Line encodes an entry, newline included.
func (e Entry) Line() []byte {
	o := object{buf: make([]byte, 0, 512)}
	o.text("ts", e.Time.UTC().Format("2006-01-02T15:04:05.000Z"))
	o.text("tool", e.Call.Tool)
	o.text("cwd", e.Call.Dir)
	o.text("command", cut(e.subject(), maxText))
	o.text("decision", e.Verdict.Decision.String())
	rules, layers := matched(e.Verdict.Findings)
	o.texts("matched_rules", rules)
	o.textOrNull("reason", mask.Text(e.Verdict.Reason))
	o.flag("parse_ok", e.Verdict.Parsed)
	o.text("session_id", e.Call.Session)

	o.text("agent", e.Call.Agent)
	o.textOrNull("tool_use_id", e.Call.ToolUse)
	o.texts("layers", layers)
	o.textOrNull("rewritten", cut(mask.Text(e.Verdict.Rewrite), maxText))
	o.number("duration_us", e.Duration.Microseconds())
	o.flag("dry_run", e.DryRun)
	o.number("v", Version)
	o.flag("shell", e.Call.Shell)
	return append(o.buf, "}\n"...)
}

// Append adds the entry to the file at path, which it creates if need be. The
// line goes out in one write to a file opened for appending, so lines of
// processes that log at the same time never mix.
func Append(path string, e Entry) error {
	if path == "" {
		return errors.New("there is no home directory to keep a log in; name a file with log.path")
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	// Opening a pipe that nobody reads would wait for ever without O_NONBLOCK.
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) != 0 {
		f.Close()
		return fmt.Errorf("%s: the log must be a file", path)
	}
	_, err = f.Write(e.Line())
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// subject is what a call is about, without secrets: its script, or what a tool
// without one does.
func (e Entry) subject() string {
	if e.Call.Shell {
		return mask.Script(e.Call.Script, e.Invocations)
	}
	parts := make([]string, len(e.Call.Effects))
	for i, effect := range e.Call.Effects {
		parts[i] = effect.Kind.String() + " " + effect.Target
	}
	return mask.Text(strings.Join(parts, ", "))
}

// allowlist is the name under which entries of allowlists speak. They are no
// rules, so the line does not list them.
const allowlist = "allowlist"

// matched lists the rules that spoke, each once, and beside each its layer.
func matched(findings []tool.Finding) (rules, layers []string) {
next:
	for _, f := range findings {
		if f.Rule == "" || f.Rule == allowlist {
			continue
		}
		for i, r := range rules {
			if r == f.Rule && layers[i] == f.Layer {
				continue next
			}
		}
		rules, layers = append(rules, f.Rule), append(layers, f.Layer)
	}
	return rules, layers
}

// cut shortens a text to n characters, never splitting one.
func cut(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}
