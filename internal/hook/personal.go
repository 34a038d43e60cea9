package hook

import (
	"strings"
	"time"

	"longline/internal/agent"
	"longline/internal/audit"
	"longline/internal/config"
	"longline/internal/state"
	"longline/internal/tool"
)

// Store is what the user has told longline, as seen from a directory.
func Store(env config.Env, dir string) state.Store {
	home, _ := env.Get("HOME")
	xdg, _ := env.Get("XDG_STATE_HOME")
	if xdg == "" {
		return state.Open(home, "")
	}
	named, _ := env.Get("CLAUDE_PROJECT_DIR")
	return state.Open(home, xdg, dir, config.ProjectRoot(dir, named, home))
}

// Options is how the rules for a directory are looked up.
func Options(env config.Env, path, dir string) config.Options {
	return config.Options{Path: path, Dir: dir, Env: env, Trusted: func(project, name, content string) bool {
		return Store(env, dir).Trusts(state.Repository(project), name, content)
	}}
}

// LogOf is the log that a configuration names.
func LogOf(cfg *config.Config) audit.Log {
	return audit.Log{Path: cfg.Log, Keep: cfg.Guard.Policy.LogKeep}
}

// held is a call as it is remembered between asking a person and running it.
func held(call *tool.Call) state.Held {
	h := state.Held{Tool: call.Tool, Dir: call.Dir, Subject: call.Script, ToolUse: call.ToolUse}
	if !call.Shell {
		h.Subject = audit.Does(call)
	}
	return h
}

// Standing is what a person has said before that changes the answer to a call.
type Standing struct {
	Answer tool.Decision
	Why    string // "once" or "pause"; "" if the verdict is the answer
	Says   string // the reason that is given then
}

// standing tells how a call is answered. Whether a person has allowed it once is
// asked only where that counts, because the hook uses the permission up.
func standing(v tool.Verdict, store state.Store, now time.Time, allowed func() bool) Standing {
	if v.Decision >= tool.Ask && !fixed(v) && allowed() {
		return Standing{tool.Allow, "once", "A person has allowed this command once."}
	}
	if v.Decision == tool.Ask && ordinary(v) {
		if until, ok := store.Paused(now); ok {
			return Standing{tool.Pass, "pause", "longline is paused until " + until.Local().Format("15:04") + "."}
		}
	}
	return Standing{Answer: v.Decision}
}

// Foresee tells how the hook would answer a shell command now, and under which
// id the command is held, if it is. Nothing is used up by it.
func Foresee(env config.Env, call *tool.Call, v tool.Verdict, now time.Time) (s Standing, id string) {
	store := Store(env, call.Dir)
	id, allowed := store.About(call.Script, call.Dir, now)
	return standing(v, store, now, func() bool { return allowed }), id
}

// heed answers a call that would be asked about or denied as a person has said
// before, or tells how a person can allow it.
func (h *Hook) heed(req agent.Request, v tool.Verdict, entry *audit.Entry) tool.Verdict {
	store, call := Store(h.Env, req.Call.Dir), held(&req.Call)
	s := standing(v, store, h.start, func() bool {
		return req.Kind == agent.BeforeTool && store.Use(call, h.start) || req.Kind == agent.Permission && store.Used(call, h.start)
	})
	if entry.Answer, entry.Why = s.Answer, s.Why; s.Why != "" {
		return moved(v, s.Answer, s.Says)
	}
	if fixed(v) || req.Kind != agent.BeforeTool {
		return v
	}
	if id, err := store.Hold(call, h.start); err == nil {
		entry.ID, v.Once = id, id
	}
	return v
}

// moved is what is said instead of a verdict. Where downloads belong is no
// question, so that the change to the command stays.
func moved(v tool.Verdict, d tool.Decision, reason string) tool.Verdict {
	return tool.Verdict{
		Decision: d, Reason: reason, Parsed: v.Parsed,
		Rewrite: v.Rewrite, Changed: v.Changed, Dirs: v.Dirs, Moved: v.Moved, Context: v.Context,
	}
}

// fixed says whether not even a person at this machine can let a call through
// for once: the administrator denies it, or it is about longline or the settings
// of agents, which are what every other answer rests on.
func fixed(v tool.Verdict) bool {
	for _, f := range v.Findings {
		if f.Decision != tool.Deny {
			continue
		}
		pack, _, _ := strings.Cut(f.Source, ":")
		if f.Layer == "managed" || f.Layer == "builtin" && (pack == "guard.yaml" || pack == "agents.yaml") {
			return true
		}
	}
	return false
}

// ordinary says whether a question is one that a pause puts off: a rule's, and
// not the administrator's. What asks without a rule is trouble: a script or a
// rules file that cannot be read.
func ordinary(v tool.Verdict) bool {
	for _, f := range v.Findings {
		if f.Decision == tool.Ask && f.Layer == "managed" {
			return false
		}
	}
	return v.Rule != "" && v.Parsed
}

// ran notes that a call which was held back has run: its user said yes.
func (h *Hook) ran(req agent.Request, cfg *config.Config) reply {
	r := h.word(req, tool.Verdict{Decision: tool.Pass, Parsed: true})
	if h.dryRun || !Store(h.Env, req.Call.Dir).Ran(held(&req.Call)) {
		return r
	}
	return h.log(r, cfg, audit.Outcome{Time: h.start, Call: &req.Call, What: "ran"})
}
