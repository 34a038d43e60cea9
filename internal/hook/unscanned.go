package hook

import (
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/content"
	"longline/internal/intake"
	"longline/internal/state"
	"longline/internal/tool"
)

// A directory that could not be scanned in time is asked about once: if the call runs
// after the question, a person has agreed to it, and the next call on the same
// directory passes, until something new lands there. What was scanned meanwhile still
// counts. Clients that do not call the hook after a tool are asked each time.

// late says that there was no time to scan all of a directory.
func (g *gate) late(req *agent.Request, v tool.Verdict, dir string) tool.Verdict {
	g.ready()
	if agreed, ok := g.verdicts.Find(agreedKey(dir)); ok && agreed == content.Clean {
		return v
	}
	if req.Call.ToolUse != "" {
		g.new = append(g.new, state.Finding{Key: askedKey(req, dir), Verdict: content.Suspicious})
	}
	return objection(v, tool.Ask, RuleUnscanned, "Not all files in "+g.short(dir)+" have been scanned for prompt injections",
		"Run this first: longline scan "+g.short(dir))
}

// agreed remembers that a call ran that was asked about because of a directory.
func (g *gate) agreed(req *agent.Request) {
	if req.Call.ToolUse == "" || req.Call.Event == "PostToolUseFailure" {
		return
	}
	var invs []*command.Invocation
	if req.Call.Shell {
		_, invs = g.cfg.Judge(req.Call)
	}
	list, _ := readings(&req.Call, invs)
	for _, r := range list {
		path := r.path
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		for _, dir := range [...]string{path, filepath.Dir(path)} {
			g.ready()
			if _, ok := g.verdicts.Find(askedKey(req, dir)); ok {
				g.new = append(g.new, state.Finding{Key: agreedKey(dir), Verdict: content.Clean})
			}
		}
	}
}

// arrived says that something new lies in a directory: what was agreed to is no longer
// all that is there.
func (g *gate) arrived(path string) {
	g.ready()
	for dir := path; dir != "/" && dir != "."; dir = filepath.Dir(dir) {
		if agreed, ok := g.verdicts.Find(agreedKey(dir)); ok && agreed == content.Clean {
			g.new = append(g.new, state.Finding{Key: agreedKey(dir), Verdict: content.Suspicious})
		}
		if !slices.ContainsFunc(g.dirs, func(d string) bool { return config.Within(dir, d) }) {
			return
		}
	}
}

func askedKey(req *agent.Request, dir string) state.Key {
	return keyOf("asked", req.Call.Session, req.Call.ToolUse, dir)
}

func agreedKey(dir string) state.Key { return keyOf("agreed", dir) }

func keyOf(parts ...string) state.Key {
	return state.Key(intake.HashOf([]byte(strings.Join(parts, "\x00"))))
}
