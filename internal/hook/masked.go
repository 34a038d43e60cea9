package hook

import (
	"strings"

	"longline/internal/agent"
	"longline/internal/tool"
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
		Reason:  "‹hidden:" + name + "› is no value: longline hides the value behind it, and puts no mask into a command or a file",
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
