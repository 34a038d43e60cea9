package guard

import (
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// loading finds what the commands of a call load, or take for their definitions, of the files
// that earlier calls have fetched: a conftest.py of the tests, a Dockerfile of an image.
type loading struct {
	call   *tool.Call
	world  *tool.World
	guard  *Guard
	before map[string]bool // what the call runs by itself
	code   map[string]bool // whether a file is one that tools take for code
}

func (g *Guard) loading(call *tool.Call, invs []*command.Invocation, w *tool.World) *loading {
	l := &loading{call: call, world: w, guard: g, before: map[string]bool{}, code: map[string]bool{}}
	for _, inv := range invs {
		for _, e := range inv.Effects {
			if e.Kind == tool.Execute {
				l.before[e.Target] = true
			}
		}
	}
	return l
}

// loads says which of the files a command loads, as the script was read with them.
func (l *loading) loads(inv *command.Invocation) (file string, ok bool) {
	for _, e := range inv.Effects {
		if e.Kind != tool.Execute || l.before[e.Target] {
			continue
		}
		switch kind, file, _ := strings.Cut(e.Target, ":"); {
		case kind == "written", kind == "planted" && l.isCode(file):
			return file, true
		}
	}
	return "", false
}

// isCode says whether a file of the project is one that tools take for code, or for definitions: they would be
// asked about if the call itself wrote it. One that was deleted since is not loaded.
func (l *loading) isCode(file string) bool {
	is, known := l.code[file]
	if !known {
		is = !l.isGone(file) && l.guard.asks(l.call, tool.Effect{Kind: tool.Execute, Target: "planted:" + file, Reach: tool.Exact}, l.world)
		l.code[file] = is
	}
	return is
}

// isGone says whether a file is surely not there. Where not even its directory is, nobody has fetched anything:
// sessions are also replayed.
func (l *loading) isGone(file string) bool {
	exists := l.world.Exists
	return exists != nil && exists(paths.Parent(file)) && !exists(file)
}

// asks says whether the policy asks about an effect, whoever has it.
func (g *Guard) asks(call *tool.Call, e tool.Effect, w *tool.World) bool {
	inv := &command.Invocation{Effects: []tool.Effect{e}}
	return g.Policy.Judge(&tool.Call{Dir: call.Dir, Attended: true}, []*command.Invocation{inv}, nil, w).Decision >= tool.Ask
}
