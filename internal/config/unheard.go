package config

import (
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/tool"
)

// Unheard reports whether a question would reach nobody. A client that answers questions
// about files it guards itself takes a hook's question about the same call for answered,
// whatever else the call does; so every change that the call makes counts, not only what
// is asked about.
func (c *Config) Unheard(call *tool.Call, v *tool.Verdict, invs []*command.Invocation) bool {
	if !call.Answers || v.Decision != tool.Ask {
		return false
	}
	changes := func(e tool.Effect) bool { return c.guardedByClient(call.Agent, e) }
	return slices.ContainsFunc(call.Effects, changes) || slices.ContainsFunc(invs, func(inv *command.Invocation) bool {
		return slices.ContainsFunc(inv.Effects, changes)
	})
}

// guardedByClient says whether an effect changes a file that a client guards itself:
// a hidden one, one that it names, or one that configures something.
func (c *Config) guardedByClient(name string, e tool.Effect) bool {
	if e.Kind < tool.Create || e.Kind > tool.Delete {
		return false
	}
	path := e.Target
	for _, above := range []string{c.World.Project, c.World.Home} {
		if rest, below := strings.CutPrefix(path, above+"/"); below && above != "" {
			path = "/" + rest
			break
		}
	}
	if strings.Contains(path, "/.") || slices.Contains(agent.GuardedNames(name), strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])) {
		return true
	}
	in, reached := c.Guard.Policy.Zones(e, c.World)
	return slices.ContainsFunc([]policy.Zone{policy.ZoneAgent, policy.ZoneGuard, policy.ZoneGit, policy.ZoneStartup}, (in | reached).Has)
}
