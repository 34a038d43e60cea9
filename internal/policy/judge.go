package policy

import (
	"longline/internal/command"
	"longline/internal/tool"
)

// Set is the rules of all layers, ready to judge by.
type Set struct {
	LogPath string
}

// Judge answers a call whose script has been read into invocations. The gaps
// are those of the script as a whole; invocations have their own.
func (s *Set) Judge(call *tool.Call, invs []*command.Invocation, gaps []command.Gap, w *tool.World) tool.Verdict {
	return tool.Verdict{Reason: "nothing is known yet"}
}
