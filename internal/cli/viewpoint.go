package cli

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/config"
	"longline/internal/tool"
)

// viewpoint is the part of the command line that says as whose call a command is
// judged. The zero viewpoint is nobody's.
type viewpoint struct {
	agent, mode string
	edits       bool   // whatever the mode
	means       string // that are taken to be there: "" for those of this machine
	tool        string // that gets the commands
}

func (v *viewpoint) register(flags *flag.FlagSet) {
	choose(flags, &v.agent, "agent", "judge as for `AGENT`, with the permissions in its settings", agent.Names()...)
	flags.StringVar(&v.means, "means", "", "judge with no other `MEANS` than these: undo, wall or none; default: those of this machine")
	choose(flags, &v.mode, "mode", "judge as in the agent's permission `MODE`, such as acceptEdits", modes...)
}

// modes are Claude Code's permission modes. Only those that accept edits and the
// one in which the client judges by itself change a judgement.
var modes = []string{"default", "plan", "acceptEdits", "auto", "dontAsk", "bypassPermissions"}

// problem says what is wrong with the flags.
func (v *viewpoint) problem() string {
	switch {
	case v.mode != "" && !slices.Contains(modes, v.mode):
		return fmt.Sprintf("unknown mode %q; expected one of %s", v.mode, strings.Join(modes, ", "))
	case v.agent != "" && agent.Find(v.agent) == nil:
		return fmt.Sprintf("unknown agent %q; expected one of %s", v.agent, strings.Join(agent.Names(), ", "))
	}
	for name := range strings.SplitSeq(v.means, ",") {
		if name != "" && name != "none" && tool.ParseMeans(name) == 0 {
			return fmt.Sprintf("unknown means %q; expected one of %s, none", name, strings.Join(tool.AllMeans.Names(), ", "))
		}
	}
	return ""
}

// use has a configuration judge with the means that the command line names.
func (v *viewpoint) use(cfg *config.Config) {
	if v.means == "" {
		cfg.TryWalls(false)
		return
	}
	var set tool.Means
	for name := range strings.SplitSeq(v.means, ",") {
		set |= tool.ParseMeans(name)
	}
	cfg.UseMeans(set)
	if set&tool.Wall == 0 {
		cfg.Guard.Policy.Walls.On = false
	} else if walls := &cfg.Guard.Policy.Walls; !walls.Said {
		walls.On, cfg.Guard.Policy.WallsAnswer = true, true
	}
}

// call is the call by which the command is judged; by says who asks if no agent
// does.
func (v *viewpoint) call(by, dir, script string) tool.Call {
	call := tool.Call{Agent: v.agent, Tool: "Bash", Dir: dir, Script: script, Shell: true, Edits: v.edits, Attended: true}
	if strings.EqualFold(v.tool, tool.PowerShell) {
		call.Tool, call.Dialect = "PowerShell", tool.PowerShell
	}
	if v.agent == "" {
		call.Agent = by
	}
	switch v.mode {
	case "acceptEdits", "bypassPermissions", "auto":
		call.Edits = true
	}
	call.Judges = v.mode == "auto"
	call.Answers = agent.Answers(v.agent, v.mode)
	return call
}

// leftOut is what a hook knows of a call and this does not; session says that the session is known.
func (v *viewpoint) leftOut(session bool) []string {
	list := []string{"content of files"}
	if !session {
		list = append(list, "session")
	}
	if v.agent == "" {
		list = append(list, "permissions of an agent")
	}
	return list
}

// describe makes a call one of a tool with an input, as the agent tells of it. source says who brought the server
// that the tool is of.
func (v *viewpoint) describe(call *tool.Call, name string, input []byte, source, home string) error {
	if strings.EqualFold(name, tool.PowerShell) && !strings.HasPrefix(strings.TrimSpace(string(input)), "{") {
		call.Tool, call.Dialect = "PowerShell", tool.PowerShell // its text, not its input
		return nil
	}
	req, err := agent.Describe(v.agent, name, input, source, call.Dir, home)
	if err != nil {
		return err
	}
	call.Tool, call.Script, call.Shell, call.Runs, call.Apart, call.Effects = req.Call.Tool, req.Call.Script, req.Call.Shell, req.Call.Runs, req.Call.Apart, req.Call.Effects
	call.Given, call.Dialect = req.Call.Given, req.Call.Dialect
	if call.Dir == "" || req.Call.Shell {
		call.Dir = req.Call.Dir
	}
	return nil
}
