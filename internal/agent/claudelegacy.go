package agent

import (
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// claudeLegacy is the dialect that hooks of Claude Code spoke first: approve,
// block, or nothing. It has no word for ask, so an ask blocks.
type claudeLegacy struct{}

func (claudeLegacy) Name() string { return "claude-legacy" }

var claudeLegacyFacts = Facts{
	Name: "claude-legacy", Client: "An older hook of Claude Code",
	RootVariable: "CLAUDE_PROJECT_DIR",
	Capabilities: []Capability{
		{
			Agent: "claude-legacy", Client: "An older hook of Claude Code", Version: "2.1.328", Proof: Observed, Event: "PreToolUse", Kind: BeforeTool,
			Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Deny, Rewrite: Never, Told: true,
			Crash: tool.Pass, Timeout: tool.Pass,
			Note: "the older dialect cannot ask or change a command",
		},
	},
}

func (claudeLegacy) Facts() *Facts { return &claudeLegacyFacts }

// Decode also takes input that is nothing but a tool_input with a command.
func (claudeLegacy) Decode(stdin []byte, env func(string) (string, bool)) (Request, error) {
	req, err := claude{}.Decode(stdin, env)
	req.Call.Agent = "claude-legacy"
	if err == nil && req.Call.Tool == "" {
		req.Call.Tool = "Bash"
	}
	return req, err
}

func (claudeLegacy) Encode(req Request, v tool.Verdict) Answer {
	if req.Kind != BeforeTool {
		return new(object).answer()
	}
	v.Rule, v.Part = "", "" // reasons in this dialect are the rule's own words
	v = settle(capability("claude-legacy", BeforeTool), &req, v)
	// others: blocked.
	switch v.Decision {
	case tool.Allow:
		return legacy("approve", v.Reason)
	case tool.Pass:
		return new(object).answer()
	}
	return legacy("block", v.Reason)
}

// legacy is spaced as the first hooks printed it, so that scripts which compare
// text keep working.
func legacy(decision, reason string) Answer {
	return Answer{Stdout: []byte(`{"decision": "` + decision + `", "reason": ` + strictjson.Quote(reason) + "}\n")}
}
