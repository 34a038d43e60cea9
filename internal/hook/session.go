package hook

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"longline/internal/agent"
	"longline/internal/audit"
	"longline/internal/config"
	"longline/internal/guard"
	"longline/internal/state"
	"longline/internal/tool"
	"longline/internal/undo"
)

// greet says at the start of a session that longline is on, and what in the
// project's settings would switch it off.
func (h *Hook) greet(req agent.Request, cfg *config.Config) reply {
	v := tool.Verdict{Decision: tool.Pass, Parsed: true}
	if agent.Watched(h.agent.Name()) {
		on := "longline is on (safety level " + cfg.Guard.Policy.Safety.String() + ")"
		if h.dryRun {
			on = "longline only observes: it judges and logs, but never asks or denies"
		}
		v.Notices = append([]string{on}, cfg.Notices...)
		if !h.dryRun && !h.hand && cfg.World.Undo != nil {
			if s := h.snapshot(cfg, undo.Meta{Session: req.Call.Session, Moment: undo.Start}, startWithin); s.problem != "" {
				v.Notices = append(v.Notices, "longline: no snapshot of the project yet: "+s.problem+"; what cannot be brought back is asked about")
			}
		}
		for _, told := range cfg.Told {
			v.Notices = append(v.Notices, "longline: "+told)
		}
		if waiting := cfg.Settings.Waiting(); len(waiting) > 0 {
			v.Notices = append(v.Notices, "longline: "+strconv.Itoa(len(waiting))+" permissions in "+config.LocalSettings+" do not count yet; \"longline trust\" in a terminal shows them and asks")
		}
		for _, path := range cfg.Settings.Project {
			for _, s := range agent.ClaudeSwitches(config.ReadSettings(path), guard.VariableEffect) {
				v.Notices = append(v.Notices, "longline: warning: "+path+" sets "+s.Setting+": "+s.Effect+"; remove it, or install with --scope managed")
			}
		}
		for _, m := range append(cfg.OwnMods(), cfg.Mods...) {
			v.Notices = append(v.Notices, "longline: warning: "+m.Words())
		}
	}
	a := h.agent.Encode(req, v)
	return reply{out: a.Stdout, err: a.Stderr, status: a.Status}
}

// keep refuses a change of the settings after which longline would not be asked
// any more. The file has been changed already; refused, the running session
// goes on with what it had.
func (h *Hook) keep(req agent.Request, cfg *config.Config) reply {
	v := tool.Verdict{Decision: tool.Pass, Parsed: true}
	path := req.Document.Get("file_path").Text
	if why := h.loses(path, &cfg.Settings); why != "" && agent.Watched(h.agent.Name()) && !h.dryRun {
		v.Decision = tool.Deny
		v.Reason = why + " This session keeps the settings it started with; a change that you made on purpose takes effect in the next one."
	}
	a := h.agent.Encode(req, v)
	r := reply{out: a.Stdout, err: a.Stderr, status: a.Status}
	if v.Decision != tool.Deny {
		return r
	}
	return h.log(r, cfg, audit.Act{Time: h.start, What: "settings-change-refused", Dir: req.Call.Dir, Subject: path})
}

// loses says how longline is lost by the file that was changed, if it is.
func (h *Hook) loses(path string, s *config.Settings) string {
	if slices.Contains(s.Managed, path) {
		return "" // the administrator's choice
	}
	for _, s := range agent.ClaudeSwitches(config.ReadSettings(path), guard.VariableEffect) {
		if s.Off {
			return path + " sets " + s.Setting + ", so longline would no longer be called."
		}
	}
	if root, ok := h.Env.Get("CLAUDE_PLUGIN_ROOT"); ok && root != "" {
		return "" // it came by the plugin, which no settings file holds
	}
	for _, file := range s.All() {
		if agent.ClaudeStarts(config.ReadSettings(file)) {
			return ""
		}
	}
	// Skills and the like are reported as well.
	if !strings.HasPrefix(filepath.Base(path), "settings") {
		return ""
	}
	return "After the change of " + path + " no settings contain longline's hook any more."
}

// refused notes that the client's own judge refused a call that longline did not stop.
func (h *Hook) refused(req agent.Request, cfg *config.Config) reply {
	return h.log(h.word(req, tool.Verdict{Decision: tool.Pass, Parsed: true}), cfg, audit.Outcome{
		Time: h.start, Call: &req.Call, What: "refused", Reason: req.Document.Get("reason").Text, Content: cfg.Guard.Policy.LogContent,
	})
}

// added remembers a directory that a person has added to the session by a command of the
// client. It belongs to the project from then on. What a program adds does not count, nor
// what a command line says.
func (h *Hook) added(req agent.Request, cfg *config.Config) reply {
	dir := req.Document.Get("directory").Text
	r := h.word(req, tool.Verdict{Decision: tool.Pass, Parsed: true})
	if req.Document.Get("source").Text != "slash_command" || !filepath.IsAbs(dir) || req.Call.Session == "" || h.dryRun || h.hand {
		return r
	}
	if err := state.Open(cfg.State).AddDir(req.Call.Agent, req.Call.Session, filepath.Clean(dir), h.start); err != nil {
		r.err = fmt.Appendf(r.err, "longline: warning: %s does not count as part of the project: %v\n", dir, err)
		return r
	}
	return h.log(r, cfg, audit.Act{Time: h.start, What: "directory-added", Dir: req.Call.Dir, Subject: dir})
}

// addedDirs are the directories that were added to the session of a call.
func (h *Hook) addedDirs(req *agent.Request) []string {
	if req.Call.Session == "" || !agent.Watched(h.agent.Name()) {
		return nil
	}
	roots, _ := h.look.Where(h.Env, req.Call.Dir, "")
	return state.Open(roots.State).AddedDirs(req.Call.Agent, req.Call.Session)
}
