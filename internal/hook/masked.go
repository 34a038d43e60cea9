package hook

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/audit"
	"longline/internal/config"
	"longline/internal/policy"
	"longline/internal/state"
	"longline/internal/strictjson"
	"longline/internal/tool"
	"longline/internal/veil"
)

// masked refuses a call that takes a mask for the value that it stands for. Written into a file it would destroy the value, and a program that
// gets it fails in ways that nobody understands.
func masked(req *agent.Request, input []byte, v tool.Verdict) tool.Verdict {
	name := maskIn(strings.ReplaceAll(strings.ReplaceAll(string(input), `\u2039`, "‹"), `\u203a`, "›"))
	if req.Kind != agent.BeforeTool || name == "" || v.Decision == tool.Deny {
		return v
	}
	f := tool.Finding{
		Rule: "masked", Decision: tool.Deny, Level: "critical", Layer: "builtin", Source: "mask", Invocation: -1,
		Reason:  "‹hidden:" + name + "› is a mask, not a value: longline does not write it into a command or a file",
		Suggest: "Use the variable after loading it, as in . ./.env && command \"$NAME\", edit the lines around it, or ask the user for the value",
	}
	v.Findings = append(v.Findings, f)
	v.Decision, v.Rule, v.Reason, v.Suggest, v.Rewrite, v.Walled, v.Means = f.Decision, f.Rule, f.Reason, f.Suggest, "", nil, 0
	return v
}

// maskIn is the name in the first mask of a text, "" if there is none.
func maskIn(text string) string {
	for {
		_, after, found := strings.Cut(text, "‹hidden:")
		if !found {
			return ""
		}
		name, _, closed := strings.Cut(after, "›")
		if closed && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.:#/-") == "" {
			return name
		}
		text = after
	}
}

// seesResults is the mark that a client has shown longline a result: until then nobody knows that it does.
const seesResults = "results are seen of "

// cover is a tool's result in the same shape with names in place of the values of secrets, "" if it shows none. What a person has
// agreed to is shown as it is. Where the client takes no other result, that it showed something is only noted.
func (h *Hook) cover(req *agent.Request, cfg *config.Config, result strictjson.Value, agreed bool) (output string, said *audit.Act) {
	if !h.dryRun && !h.hand && agent.Replaces(req) {
		state.Open(cfg.State).Say(seesResults+req.Call.Agent, h.start)
	}
	if agreed || h.dryRun || len(result.Raw) < veil.Least {
		return "", nil
	}
	ground := cfg.Guard.Policy.Ground(cfg.World)
	secrets := veil.Near(ground, cfg.World, h.Env, isShown(cfg))
	eachText(result, func(text string) {
		secrets.Printed(text, func(name string) bool {
			return ground.In(path.Join(cfg.World.Project, filepath.ToSlash(name)), policy.ZoneSet(0).With(policy.ZoneSecrets))
		})
		if req.Call.Shell {
			secrets.Assigned(text)
		}
	})
	hide := secrets.Hider()
	output = rebuild(result, func(text string) (string, bool) {
		shown := hide.Text(text)
		return shown, shown != text
	})
	if len(hide.Hidden) == 0 {
		return "", nil
	}
	act := audit.Act{Time: h.start, What: "masked", Dir: req.Call.Dir, Subject: strings.Join(slices.Sorted(maps.Keys(hide.Hidden)), ", ")}
	if !agent.Replaces(req) {
		act.What, output = "shown", ""
	}
	return output, &act
}

// eachText calls f with the texts in a value.
func eachText(v strictjson.Value, f func(text string)) {
	rebuild(v, func(text string) (string, bool) {
		f(text)
		return "", false
	})
}

// isShown says whether rules of the user let agents read a file without a question.
func isShown(cfg *config.Config) func(path string) bool {
	return func(path string) bool {
		v, _ := cfg.Guard.Judge(tool.Call{Tool: "Read", Dir: cfg.World.Project, Effects: []tool.Effect{{Kind: tool.Read, Target: path}}}, cfg.World)
		return v.Decision < tool.Ask && v.Means&tool.Mask == 0 && slices.ContainsFunc(v.Findings, func(f tool.Finding) bool { return f.Decision < tool.Ask && f.Layer != policy.Builtin.String() })
	}
}
