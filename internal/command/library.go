package command

import "longline/internal/tool"

// Library holds the models of all known programs.
type Library struct{}

// Read works out what an invocation does: it fills the second group of its
// fields from the first. It never fails; what it cannot account for is a gap.
func (l *Library) Read(inv *Invocation, w *tool.World) {}
