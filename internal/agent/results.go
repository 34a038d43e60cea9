package agent

import (
	"strings"

	"longline/internal/strictjson"
	"longline/internal/tool"
)

// Results is what a client does with what longline says about the result of a tool.
type Results uint8

const (
	Unseen    Results = iota // it does not show results to hooks, or longline has no hook there
	Commented                // the model reads the result, and what longline says about it
	Replaced                 // the model reads what longline puts in its place
)

func (r Results) String() string {
	return [...]string{"not seen", "commented on", "replaced"}[r%3]
}

// Redirects reports whether the client can be given another file than the one a
// tool names, as Claude Code's Read can.
func Redirects(req Request) bool {
	return req.Call.Agent == "claude" && req.Call.Tool == "Read" && req.Kind == BeforeTool
}

// Replaces reports whether the client puts what it is told in place of a result.
func Replaces(req *Request) bool {
	return FactsOf(req.Call.Agent).Results == Replaced && req.Call.Event != "PostToolUseFailure"
}

// Response is what a tool has returned, as the client wrote it; for a call that
// failed it is the error.
func Response(req *Request) (strictjson.Value, bool) {
	doc := req.Document
	for _, v := range [...]strictjson.Value{
		doc.Get("tool_response"), doc.Get("toolResult"), doc.Get("tool_result").Get("output"), doc.Get("output").Get("output"), doc.Get("error"),
	} {
		if v.Raw != "" {
			return v, true
		}
	}
	return strictjson.Value{}, false
}

// instead is a result as text without what was taken out of it, and what longline says about
// it, for clients that put the reason of a refusal in its place.
func instead(v *tool.Verdict) string {
	result, err := strictjson.Parse([]byte(v.Output))
	if err != nil {
		return v.Context
	}
	if content := result.Get("llmContent"); content.Kind != strictjson.Absent {
		result = content
	}
	return strings.TrimSpace(strings.Join(texts(result, nil), "\n") + "\n\n" + v.Context)
}

// texts lists the texts in a result, without what only names their kind.
func texts(v strictjson.Value, list []string) []string {
	// others: they are no text.
	switch v.Kind {
	case strictjson.String:
		list = append(list, v.Text)
	case strictjson.Array:
		for _, item := range v.Items {
			list = texts(item, list)
		}
	case strictjson.Object:
		for _, m := range v.Members {
			if m.Key != "type" {
				list = texts(m.Value, list)
			}
		}
	}
	return list
}

// afterwards answers about a tool that has run. A client that puts the reason of a refusal
// in place of the result is refused it with the given word; others are given a comment.
func afterwards(req *Request, v *tool.Verdict, refuse string) Answer {
	var top object
	switch {
	case v.Output != "" && refuse != "":
		top.text("decision", refuse)
		top.text("reason", instead(v))
	case v.Context != "":
		var hook object
		hook.text("additionalContext", v.Context)
		top.named("hookSpecificOutput", req.event(), &hook)
	}
	return top.spoken(v)
}
