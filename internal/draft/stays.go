package draft

import (
	"fmt"

	"longline/internal/command"
	"longline/internal/config"
	"longline/internal/mask"
	"longline/internal/policy"
	"longline/internal/screen"
	"longline/internal/tool"
)

// Stays says why a question is not lifted by a rule; "" if one may lift it.
func Stays(cfg *config.Config, e *Judged) string {
	switch v := &e.Verdict; {
	case !v.Parsed || v.Rule == "":
		return "no rule lifts this: " + screen.Clean(v.Reason, "")
	case mask.Script(e.Call.Script, e.Invs) != e.Call.Script:
		return "the command contains a secret, which a rule would write down"
	}
	for _, f := range e.Verdict.Findings {
		if f.Decision < tool.Ask {
			continue
		}
		if why := f.Stays(); why != "" {
			return fmt.Sprintf("[%s] stays: %s", f.Rule, screen.Clean(why, ""))
		}
		if f.Invocation < 0 || f.Invocation >= len(e.Invs) {
			continue
		}
		if target, zone := protected(cfg, e.Invs[f.Invocation]); target != "" {
			return fmt.Sprintf("[%s] stays: %s is in the zone %s", f.Rule, screen.Clean(target, ""), zone)
		}
	}
	return ""
}

// protected is what an invocation touches in a zone that only a person lets an agent
// into, case by case.
func protected(cfg *config.Config, inv *command.Invocation) (string, policy.Zone) {
	for _, effect := range inv.Effects {
		in, _ := cfg.Guard.Policy.Zones(effect, cfg.World)
		for _, zone := range []policy.Zone{policy.ZoneSecrets, policy.ZoneGuard, policy.ZoneAgent, policy.ZoneInstructions} {
			if in.Has(zone) {
				return effect.Target, zone
			}
		}
	}
	return "", 0
}
