package agent

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/tool"
)

// reads lists what a call of Claude Code would read, patterns with a star before them.
func readsOf(t *testing.T, name, input string) []string {
	t.Helper()
	req, err := claude{}.Decode([]byte(`{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/p","tool_name":"`+name+`","tool_input":`+input+`}`), nowhere)
	if err != nil {
		t.Fatalf("%s %s: %v", name, input, err)
	}
	var list []string
	for _, e := range req.Call.Effects {
		if e.Kind == tool.Read {
			list = append(list, strings.Repeat("*", btoi(e.Pattern))+e.Target)
		}
	}
	return list
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestFilters: what limits a search names files wherever they are; what is excluded from
// it does not.
func TestFilters(t *testing.T) {
	for _, test := range []struct {
		name, input, want string
		is                bool
	}{
		{"Grep", `{"pattern":"x","glob":"*.pem"}`, "*/p/**/*.pem", true},
		{"Grep", `{"pattern":"x","path":"src","glob":"*.pem"}`, "*/p/src/**/*.pem", true},
		{"Grep", `{"pattern":"x","glob":"keys/*.pem"}`, "*/p/keys/*.pem", true},
		{"Grep", `{"pattern":"x","glob":"!*.pem"}`, "*/p/**/!*.pem", false},
		{"Grep", `{"pattern":"x","glob":"!*.pem"}`, "*/p/**/*.pem", false},
		{"Grep", `{"pattern":"x","path":"*.env"}`, "*/p/*.env", true},
		{"Grep", `{"pattern":"x","path":"*.env"}`, "*/p/**/*.env", false},
		{"mcp__files__search_files", `{"pattern":"x","glob":"*.pem"}`, "*/p/**/*.pem", true},
	} {
		if got := readsOf(t, test.name, test.input); slices.Contains(got, test.want) != test.is {
			t.Errorf("%s %s: %q, want %q: %v", test.name, test.input, got, test.want, test.is)
		}
	}
	// A pattern with too many forms may match anything.
	if got := readsOf(t, "Grep", `{"pattern":"x","glob":"`+strings.Repeat("{a,b}", 8)+`"}`); !slices.Contains(got, "") {
		t.Errorf("too many forms: %q", got)
	}
}

// TestSettle: what a client cannot be told becomes what it can, with words for it where
// the verdict has none.
func TestSettle(t *testing.T) {
	can := Capability{Agent: "claude", Allow: tool.Allow, Pass: tool.Pass, Ask: tool.Ask, Rewrite: Always}
	told := func(c Capability, v tool.Verdict) tool.Verdict {
		return settle(&c, &Request{Kind: BeforeTool, Call: tool.Call{Shell: true}}, v)
	}

	moved := tool.Verdict{Decision: tool.Allow, Rewrite: "x", Moved: []string{"moved"}, Notices: []string{"first"}, Context: "where"}
	if v := told(can, moved); !slices.Equal(v.Notices, []string{"first", "moved"}) || v.Context != "where" {
		t.Errorf("moved: %+v", v)
	}
	never := can
	never.Rewrite = Never
	if v := told(never, moved); v.Decision != tool.Deny || v.Rewrite != "" || v.Context != "" || !slices.Equal(v.Notices, []string{"first"}) || !strings.Contains(v.Reason, "Run this instead:\nx") || !strings.Contains(v.Reason, "may run only in the form below") {
		t.Errorf("moved, and the client runs nothing that was changed: %+v", v)
	}

	const none = "No rule allows or forbids this."
	asks := can
	asks.Pass = tool.Ask
	if v := told(asks, tool.Verdict{Decision: tool.Pass}); v.Decision != tool.Ask || !strings.HasPrefix(v.Reason, none) {
		t.Errorf("no opinion, where there must be one: %+v", v)
	}
	if v := told(asks, tool.Verdict{Decision: tool.Pass, Reason: "because"}); strings.Contains(v.Reason, none) || !strings.Contains(v.Reason, "because") {
		t.Errorf("no opinion, with a reason: %+v", v)
	}
	if v := told(can, tool.Verdict{Decision: tool.Pass}); v.Decision != tool.Pass || strings.Contains(v.Reason, none) {
		t.Errorf("no opinion: %+v", v)
	}
	if v := told(can, tool.Verdict{Decision: tool.Ask, Unheard: true}); v.Decision != tool.Deny {
		t.Errorf("a question that nobody hears: %+v", v)
	}
}
