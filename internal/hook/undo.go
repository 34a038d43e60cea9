package hook

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/undo"
)

// How long snapshots may take. The first one of a project takes longest; what one does not
// finish the next goes on with, so that a large project is covered after a few calls.
const (
	startWithin  = 4 * time.Second // less than [Deadline]
	beforeWithin = 1500 * time.Millisecond
	lostWithin   = time.Second
)

// undoOf is how snapshots of a directory are kept.
func undoOf(cfg *config.Config, root string) undo.Options {
	p := cfg.Guard.Policy
	return undo.Settings(cfg.State, config.Native(root), p.Undo, p.Made(new(tool.Call), cfg.World))
}

// snapshots is what a call was preceded by.
type snapshots struct {
	taken   []*undo.Snapshot
	absent  []string // directories that are not there: nothing in them is lost
	problem string   // why there is none; "" if there is one
	missing string   // what of what the call loses they do not hold, once that was asked
}

// snapshot takes snapshots of the project and what belongs to it.
func (h *Hook) snapshot(cfg *config.Config, m undo.Meta, within time.Duration) (s snapshots) {
	for _, root := range cfg.UndoRoots() {
		if _, err := os.Lstat(config.Native(root)); errors.Is(err, fs.ErrNotExist) {
			s.absent = append(s.absent, root)
			continue
		}
		store, err := undo.Open(undoOf(cfg, root))
		var n *undo.Snapshot
		if err == nil {
			n, err = store.Snapshot(m, within)
		}
		if err != nil {
			s.problem = err.Error()
			return s
		}
		s.taken = append(s.taken, n)
	}
	return s
}

// covers says whether a path and what is below it is held.
func (s *snapshots) covers(path string) bool {
	if slices.ContainsFunc(s.absent, func(root string) bool { return paths.Within(path, root) }) {
		return true
	}
	path = filepath.ToSlash(config.Native(path))
	for _, n := range s.taken {
		held, why := n.Covers(path)
		if held {
			return true
		}
		if paths.Within(path, n.Roots[0].Path) {
			s.missing = why
		}
	}
	return false
}

// secure takes a snapshot before a call that may change something. If there is none, or it does not
// hold what the call loses, the call is judged again without: it keeps its question, which says why.
func (h *Hook) secure(req *agent.Request, cfg *config.Config, past *memory, v tool.Verdict, invs []*command.Invocation) (tool.Verdict, []*command.Invocation) {
	if h.dryRun || !v.Changes || v.Decision == tool.Deny || cfg.World.Undo == nil || h.hand && v.Means == 0 {
		return v, invs
	}
	call := &req.Call
	if h.hand { // it keeps nothing, and who it is whose answer this is nobody knows
		cfg.Covered(nil)
		return past.judge(cfg, *call)
	}
	s := h.snapshot(cfg, undo.Meta{Session: call.Session, Use: call.ToolUse, Moment: undo.Before, Command: inWords(call)}, beforeWithin)
	if v.Means&tool.Undo == 0 {
		return v, invs
	}
	if cfg.Covered(s.covers); s.problem != "" {
		cfg.Covered(nil)
	}
	v, invs = past.judge(cfg, *call)
	if v.Decision < tool.Ask {
		return v, invs
	}
	why := s.missing
	if s.problem != "" {
		why = s.problem
	}
	if why != "" {
		v.Reason += " (longline undo could not bring it back: " + why + ")"
	}
	return v, invs
}

// inWords is what a person reads of a call in the list of what can be undone.
func inWords(call *tool.Call) string {
	if call.Shell || len(call.Effects) == 0 {
		return call.Script
	}
	return call.Tool + " " + call.Effects[0].Target
}

// lost says what a call has taken away, and how it comes back; "" if nothing is to be said.
func (h *Hook) lost(req *agent.Request, cfg *config.Config) string {
	if h.dryRun || h.hand || req.Call.ToolUse == "" || cfg.World.Undo == nil {
		return ""
	}
	var gone []string
	id := 0
	for _, root := range cfg.UndoRoots() {
		store, err := undo.Open(undoOf(cfg, root))
		if err != nil {
			continue
		}
		_, before, err := store.Ends()
		if err != nil || before == nil || before.Moment != undo.Before || before.Use != req.Call.ToolUse {
			continue // the call changes nothing, or another one has begun meanwhile
		}
		after, err := store.Snapshot(undo.Meta{Session: req.Call.Session, Use: req.Call.ToolUse, Moment: undo.After}, lostWithin)
		if err != nil {
			continue // the next one stands for it
		}
		changes, err := store.Changes(before, after)
		if err != nil {
			continue
		}
		for _, c := range changes {
			if c.After.Kind == undo.None && c.Before.Kind != undo.Dir && !c.Git {
				gone, id = append(gone, strings.TrimPrefix(c.Path, c.Root+"/")), before.Number
			}
		}
	}
	switch len(gone) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("longline: this removed %s; longline undo %d brings it back", gone[0], id)
	}
	return fmt.Sprintf("longline: this removed %d files (%s, …); longline undo %d brings them back", len(gone), gone[0], id)
}
