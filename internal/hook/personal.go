package hook

import (
	"time"

	"longline/internal/agent"
	"longline/internal/audit"
	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/state"
	"longline/internal/tool"
)

// Store is what the user has told longline, as seen from a directory.
func Store(env config.Env, dir, project string) state.Store {
	roots, _ := config.Where(env, dir, project)
	return state.Open(roots.State)
}

// Options is how the rules for a directory are looked up. The project is what the
// client named, if it did.
func Options(env config.Env, path, dir, project string) config.Options {
	return config.Options{Path: path, Dir: dir, Project: project, Env: env, Trusted: func(dir, root, name, content string) bool {
		return state.Open(dir).Trusts(config.Repository(root), name, content)
	}, Pinned: func(dir, root, name string) string {
		pin, _ := state.Open(dir).Pinned(config.Repository(root), name)
		return pin.Content
	}}
}

// project is what the client says the project is, at the session's beginning:
// by its own word, else by the directory of the first call that was seen.
func (h *Hook) project(req *agent.Request) string {
	if root := agent.Root(req, h.Env.Get); root != "" {
		return config.AsOnDisk(root)
	}
	dir := config.AsOnDisk(agent.Cwd(req))
	if dir == "" || req.Call.Session == "" || h.dryRun || h.hand {
		return ""
	}
	roots, _ := h.look.Where(h.Env, dir, "")
	return state.Open(roots.State).Began(req.Call.Agent, req.Call.Session, dir, h.start)
}

// LogOf is the log that a configuration names.
func LogOf(cfg *config.Config) audit.Log {
	return audit.Log{Path: cfg.Log, Keep: cfg.Guard.Policy.LogKeep}
}

// held is a call as it is remembered between asking a person and running it.
func held(req *agent.Request) state.Held {
	call := &req.Call
	h := state.Held{Tool: call.Tool, Dir: call.Dir, Subject: call.Script, ToolUse: call.ToolUse}
	if !call.Shell {
		h.Subject, h.Content = audit.Does(call), req.Input.Raw
	}
	return h
}

// Standing is what a person said earlier that changes the answer to a call.
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
func Foresee(cfg *config.Config, call *tool.Call, v tool.Verdict, now time.Time) (s Standing, id string) {
	store := state.Open(cfg.State)
	id, allowed := store.About(call.Script, call.Dir, now)
	return standing(v, store, now, func() bool { return allowed }), id
}

// heed answers a call that would be asked about or denied as a person has said
// before, or tells how a person can allow it.
func (h *Hook) heed(req agent.Request, cfg *config.Config, v tool.Verdict, entry *audit.Entry) tool.Verdict {
	store, call := state.Open(cfg.State), held(&req)
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
		Rewrite: v.Rewrite, Walled: v.Walled, Changed: v.Changed, Dirs: v.Dirs, Moved: v.Moved, Context: v.Context,
	}
}

// fixed says whether not even a person at this machine can let a call through
// for once: the administrator or a bundle denies it, or it is about longline or the settings
// of agents, which are what every other answer rests on.
func fixed(v tool.Verdict) bool {
	for _, f := range v.Findings {
		if f.Decision != tool.Deny {
			continue
		}
		if f.AboveUser() || f.Final {
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
		if f.Decision == tool.Ask && (f.AboveUser() || f.Session) {
			return false
		}
	}
	return v.Rule != "" && v.Parsed
}

// agreed says whether a call that has run was held back before: its user said yes.
func (h *Hook) agreed(req *agent.Request, cfg *config.Config) bool {
	return agent.TellsAfter(req.Call.Agent) && !h.dryRun && !h.hand && state.Open(cfg.State).Ran(held(req))
}

// ran notes that a call which was held back has run: its user said yes. What it has
// done, and what it has brought in that is not clean, the session remembers.
func (h *Hook) ran(req agent.Request, cfg *config.Config, r reply, met []tool.Text, held bool) reply {
	if held || len(met) > 0 {
		v, invs := tool.Verdict{}, []*command.Invocation(nil)
		m := h.recall(&req, cfg)
		if held && m != nil {
			v, invs = m.judge(cfg, req.Call)
			v.Denied, v.Decision = nil, tool.Ask // it has run, whatever is thought of it now
		}
		v.Met = met
		r = h.note(r, m, cfg, &v, invs, held, false)
	}
	if !held {
		return r
	}
	return h.log(r, cfg, audit.Outcome{Time: h.start, Call: &req.Call, What: "ran"})
}
