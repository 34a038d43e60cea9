package agent

import (
	"encoding/json"
	"strings"
	"testing"

	"longline/internal/tool"
)

// personReads is where a client shows a question to a person.
var personReads = map[string][]string{
	"claude": {"hookSpecificOutput", "permissionDecisionReason"},
	"vscode": {"hookSpecificOutput", "permissionDecisionReason"},
	"gemini": {"systemMessage"},
	"cursor": {"user_message"},
}

// TestQuestionIsForThePerson: where a client has two places, the person reads what would
// happen and how to stop the question, and the model alone what to do instead. A denial,
// and a question that reaches nobody, says all of it to the model.
func TestQuestionIsForThePerson(t *testing.T) {
	const what, instead = "Overwrites commits that others may have", "Push to a new branch"
	v := tool.Verdict{Decision: tool.Ask, Rule: "r", Reason: what, Suggest: instead, Parsed: true, Once: "k3v9qa2m"}
	v.Findings = []tool.Finding{{Rule: "r", Decision: tool.Ask, Layer: "builtin"}}
	asides := 0
	for i := range Capabilities() {
		c := &Capabilities()[i]
		if c.Kind != BeforeTool || c.Ask != tool.Ask {
			if c.Aside {
				t.Errorf("%s cannot ask and has a place aside", c.Agent)
			}
			continue
		}
		req := Request{Kind: BeforeTool, Call: tool.Call{Agent: c.Agent, Shell: true, Attended: true}}
		answer := Find(c.Agent).Encode(req, v)
		text := string(answer.Stdout) + string(answer.Stderr)
		if !strings.Contains(text, what) || !strings.Contains(text, instead) {
			t.Errorf("%s: something is lost: %s", c.Agent, text)
		}
		if !c.Aside {
			continue
		}
		asides++
		var doc any
		if err := json.Unmarshal(answer.Stdout, &doc); err != nil {
			t.Fatal(err)
		}
		for _, key := range personReads[c.Agent] {
			doc = doc.(map[string]any)[key]
		}
		person, _ := doc.(string)
		if !strings.Contains(person, what) || strings.Contains(person, instead) || !strings.HasSuffix(person, "longline allow k3v9qa2m") || strings.Contains(person, "allow-once") {
			t.Errorf("%s: the person reads %q", c.Agent, person)
		}
		for _, other := range []struct {
			d        tool.Decision
			attended bool
		}{{tool.Deny, true}, {tool.Ask, false}} {
			w := v
			w.Decision, req.Call.Attended = other.d, other.attended
			if got := settle(c, &req, w); !strings.Contains(got.Reason, instead) || got.Suggest != "" {
				t.Errorf("%s: %s, attended %v: %q", c.Agent, other.d, other.attended, got.Reason)
			}
		}
	}
	if asides != len(personReads) {
		t.Errorf("%d clients have two places, %d are listed", asides, len(personReads))
	}
}
