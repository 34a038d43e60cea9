package examine

import (
	"os"
	"strings"

	"longline/internal/config"
	"longline/internal/wall"
)

// walls builds a wall once and says what it is made of and what it does not hold.
func (d *doctor) walls() {
	on := d.cfg.Guard.Policy.Walls.On
	if !config.WallSystem && !on {
		return
	}
	engine := wall.Probe()
	switch {
	case engine.Name == "" && on:
		d.say("warn", "longline", "walls are on but cannot be built here, so commands that need one ask: "+engine.Why, "see longline docs walls")
		return
	case engine.Name == "":
		d.say("note", "longline", "walls cannot be built here: "+engine.Why, "")
		return
	}
	// Somebody has looked, so an earlier failure is forgotten.
	if path := d.cfg.WallRefusedPath(); path != "" {
		_ = os.Remove(path)
	}
	text := "walls are made of " + engine.Name
	if engine.Why != "" {
		text += " (" + engine.Why + ")"
	}
	if !on {
		d.say("note", "longline", text+"; they are off", "longline init --walls")
		return
	}
	level := "ok"
	if engine.Name != "namespaces" {
		level = "warn"
	}
	d.say(level, "longline", text+"; they do not stop "+strings.Join(engine.Open, ", "), "")
}
