package examine

import (
	"fmt"
	"path/filepath"
	"time"

	"longline/internal/config"
	"longline/internal/screen"
	"longline/internal/sync"
)

// bundle looks at the bundle: whether it is the one that was published, counts still,
// and newer ones are looked for.
func (d *doctor) bundle() {
	settings, dir, err := d.Sync()
	if err != nil {
		d.say("fail", "bundle", "cannot read the sync settings: "+err.Error(), "fix the file")
		return
	}
	if d.cfg != nil && d.cfg.Bundle != nil {
		d.inForce(d.cfg.Bundle, settings != nil)
	}
	if settings == nil {
		return
	}
	state, err := sync.ReadState(dir)
	switch {
	case err != nil:
		d.say("fail", "bundle", err.Error(), "remove the file, and run longline sync")
		return
	case state.Installed == nil:
		d.say("fail", "bundle", settings.Path+" names the bundle "+settings.Name+", and it was never installed", "longline sync")
	default:
		if err := sync.CheckInstalled(dir, state, settings); err != nil {
			d.say("fail", "bundle", "the installed bundle cannot be trusted: "+err.Error(), "longline sync --now")
		} else {
			d.say("ok", "bundle", "signed with key "+state.Installed.Key+": "+state.Installed.Comment, "")
		}
	}
	d.fetched(&state)
}

// inForce looks at the bundle that counts.
func (d *doctor) inForce(b *config.Bundle, settings bool) {
	switch left := time.Until(b.Until); {
	case b.Lost != "":
		d.say("fail", "bundle", "what "+b.Title()+" allows does not count: "+b.Lost+"; what it forbids does", "longline sync; if there is no newer one, publish one")
	case left < 7*24*time.Hour:
		d.say("warn", "bundle", b.Title()+" is in force, and expires on "+b.Until.UTC().Format(time.DateOnly), "publish a newer one")
	default:
		d.say("ok", "bundle", b.Title()+" is in force until "+b.Until.UTC().Format(time.DateOnly), "")
	}
	if !settings {
		d.say("fail", "bundle", "there is a bundle in "+filepath.Dir(b.Path)+" and no "+config.SyncFile+" with the keys that count", "write one, or remove the bundle")
	}
}

// fetched looks at how fetching goes.
func (d *doctor) fetched(state *sync.State) {
	switch {
	case state.Refused != "":
		d.say("fail", "bundle", state.Refused+"; the last good one stays", "publish another")
	case state.Problem != "":
		d.say("warn", "bundle", fmt.Sprintf("the last %s to fetch one failed: %s", screen.Count(state.Failures, "attempt"), state.Problem), "longline sync --now")
	}
	if !state.Tried.IsZero() && time.Since(state.Reached) > 3*24*time.Hour {
		d.say("warn", "bundle", "the source was last reached "+screen.Ago(time.Since(state.Reached)), "check the timer: systemctl status longline-sync.timer")
	} else if !state.Reached.IsZero() {
		d.say("ok", "bundle", "channel "+state.Channel+", last fetched from "+state.Source+" "+screen.Ago(time.Since(state.Reached)), "")
	}
}
