package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/tool"
)

// The second time asks. A command that has failed behind a wall, after it was refused something there, and that is called once more with
// nothing changed in between, cannot do without: its user is asked, and a yes runs it without the wall. A file holds what the last call
// was that ran behind walls, and below it what was refused to its commands; a call that changes something takes it away.

func (c *Config) refusedPath() string {
	if c.state == "" {
		return ""
	}
	return filepath.Join(c.state, "refused")
}

// callLine is by what a call is known there.
func callLine(call *tool.Call) string { return hashed(call.Dir + "\x00" + call.Script) }

// Contained notes that a call runs now, and whether behind walls: what was refused to the one before it is over.
func (c *Config) Contained(call *tool.Call, v *tool.Verdict) {
	path := c.refusedPath()
	switch {
	case path == "":
	case len(v.Walled) > 0 && v.Decision < tool.Ask:
		_ = os.WriteFile(path, []byte(callLine(call)+"\n"), 0o600)
	case v.Changes && v.Decision < tool.Ask:
		_ = os.Remove(path)
	}
}

// SayRefused keeps what was refused to a command that failed.
func (c *Config) SayRefused(argv []string, what string) {
	f, err := os.OpenFile(c.refusedPath(), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return // no call is known
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() < maxRefused/2 && len(argv) > 0 {
		_, _ = f.WriteString(inLine(strings.Join(argv, "\x00")) + "\x02" + shown(what) + "\n")
	}
}

// inLine writes a text in one line.
func inLine(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\x01"), "\x02", "\x01")
}

// shown is a text, that a program has a part in, as a person is shown it.
func shown(text string) string {
	const most = 200
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

const maxRefused = 64 << 10

// refusedBefore says what was refused to a command of a call when the call ran the last time, and which command that is.
func (c *Config) refusedBefore(call *tool.Call, v *tool.Verdict, invs []*command.Invocation) (what string, at int, ok bool) {
	text, err := readFile(c.refusedPath(), maxRefused)
	lines := strings.Split(string(text), "\n")
	if err != nil || len(lines) < 3 || lines[0] != callLine(call) {
		return "", 0, false
	}
	for _, line := range lines[1:] {
		name, what, _ := strings.Cut(line, "\x02")
		argv := strings.Split(name, "\x00")
		at := slices.IndexFunc(invs, func(inv *command.Invocation) bool { return inv.Walled && len(inv.Via) == 0 && fits(inv, argv) })
		if whole := slices.Contains(v.Walled, call.Script) && argv[len(argv)-1] == inLine(call.Script); at < 0 && whole {
			at = 0
		}
		if at >= 0 {
			return what, at, true
		}
	}
	return "", 0, false
}

// fits says whether an invocation may have run with these words: as far as they are known.
func fits(inv *command.Invocation, argv []string) bool {
	for i, w := range inv.Words {
		if !w.IsKnown() {
			return true
		}
		if i >= len(argv) || argv[i] != inLine(w.Text) {
			return false
		}
	}
	return len(argv) == len(inv.Words)
}

// again asks about a contained call that was refused something before.
func (c *Config) again(call *tool.Call, v tool.Verdict, invs []*command.Invocation) tool.Verdict {
	what, at, ok := c.refusedBefore(call, &v, invs)
	if !ok || v.Decision >= tool.Ask || !agent.TakesChanged(call.Agent, tool.Allow) {
		return v
	}
	f := tool.Finding{
		Rule: policy.WallID, Decision: tool.Ask, Span: invs[at].Span, Invocation: at, Layer: policy.Builtin.String(), Level: policy.Critical.String(),
		Reason:  fmt.Sprintf("Was refused something by its wall the last time (%s); a yes runs it without one", what),
		Suggest: "Do without it if you can",
	}
	v.Findings = append(v.Findings, f)
	v.Decision, v.Rule, v.Reason, v.Suggest, v.Rewrite, v.Walled, v.Changed, v.Means = f.Decision, f.Rule, f.Reason, f.Suggest, "", nil, nil, v.Means&^tool.Wall
	return v
}
