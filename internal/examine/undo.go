package examine

import (
	"fmt"
	"time"

	"longline/internal/config"

	"longline/internal/screen"
	"longline/internal/tool"
	"longline/internal/undo"
)

// undo says how much is kept of this project and since when, and what is not covered.
func (d *doctor) undo() {
	said := d.cfg.Guard.Policy.Undo
	if said.Off {
		d.say("note", "longline", "undo is off: what a call destroys is not kept", `remove "undo: off" from the rules`)
		return
	}
	state := d.Store(d.cfg.Dir).Dir()
	if state == "" || d.cfg.World.Project == "" {
		return
	}
	s, err := undo.Open(undo.Settings(state, config.Native(d.cfg.World.Project), said, d.cfg.Guard.Policy.Made(&tool.Call{}, d.cfg.World)))
	var first, last *undo.Snapshot
	if err == nil {
		first, last, err = s.Ends()
	}
	switch {
	case err != nil:
		d.say("warn", "longline", "what undo keeps of this project cannot be read: "+err.Error(), "")
		return
	case last == nil:
		d.say("note", "longline", "undo keeps nothing of this project yet", "")
		return
	}
	d.say("ok", "longline", fmt.Sprintf("undo keeps %d MB of this project; the oldest snapshot was taken %s, the newest %s",
		(s.Size()+1<<20-1)>>20, screen.Ago(time.Since(first.Time)), screen.Ago(time.Since(last.Time))), "")
	for i, u := range last.Uncovered {
		if i == 10 {
			d.say("note", "longline", fmt.Sprintf("undo does not cover %d more", len(last.Uncovered)-i+last.More), "")
			break
		}
		d.say("note", "longline", "undo does not cover "+u.Path+": "+u.Why, "")
	}
}
