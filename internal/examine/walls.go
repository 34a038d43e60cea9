package examine

import (
	"strings"

	"longline/internal/config"
	"longline/internal/wall"
)

// walls has walls tried and says what they are made of and what they do not hold, or what is lost without them.
func (d *doctor) walls() {
	said := d.cfg.Guard.Policy.Walls
	off := said.Said && !said.On
	const lost = "code of the project, code that an agent has written and unknown programs ask instead of running contained"
	if !config.WallSystem {
		d.say("note", "longline", "there are no walls on this system: "+lost, "see longline docs walls")
		return
	}
	d.cfg.TryWalls(true)
	t, known := d.cfg.Tried()
	if !known { // nobody can keep it, or walls are off
		e := wall.Probe(nil)
		t = config.WallTried{Kind: e.Name, Why: e.Why, Open: e.Open}
	}
	why := ""
	if t.Why != "" {
		why = " (" + t.Why + ")"
	}
	switch {
	case t.Kind == "":
		level := "note"
		if said.On {
			level = "warn"
		}
		d.say(level, "longline", "walls do not hold here: "+t.Why+"; "+lost, "see longline docs walls")
	case off:
		d.say("note", "longline", "walls would be made of "+t.Kind+why+", but the rules switch them off: "+lost, "longline init --walls")
	case !d.cfg.Guard.Policy.Walls.On:
		d.say("note", "longline", "walls could be made of "+t.Kind+why+", but were not tried: "+lost, "see longline docs walls")
	case t.Kind != "namespaces":
		d.say("warn", "longline", "walls are made of "+t.Kind+why+"; they do not stop "+strings.Join(t.Open, ", "), "")
	default:
		d.say("ok", "longline", "walls are made of "+t.Kind+why+"; they do not stop "+strings.Join(t.Open, ", "), "")
	}
}
