package cli

import (
	"bufio"
	"encoding/json"
	"slices"
	"strings"

	"longline/internal/screen"
	"longline/internal/strictjson"
)

// Reading and writing the lines of check --jsonl with encoding/json takes a sixth
// of the time of a batch. What is usual about a line is done here, to the same
// effect; what is not is left to encoding/json.

func readRequest(line string) (q request, err error) {
	if q, ok := usualRequest(line); ok {
		return q, nil
	}
	err = json.Unmarshal([]byte(line), &q)
	return q, err
}

func usualRequest(line string) (q request, ok bool) {
	if !strings.HasPrefix(line, "{") {
		return q, false
	}
	v, err := strictjson.ParseText(line)
	if err != nil {
		return q, false
	}
	for i := range v.Members {
		m := &v.Members[i]
		switch field := q.field(m.Key); {
		case field != nil && m.Value.Kind == strictjson.String:
			*field = m.Value.Text
		case field != nil || slices.ContainsFunc(requestKeys[:], func(key string) bool { return strings.EqualFold(m.Key, key) }):
			return request{}, false // encoding/json refuses it, or takes it for the same key
		}
	}
	return q, q.Command != nil // else it is about a tool, or wrong
}

// field is the place for the text of a key; nil if the key means nothing.
func (q *request) field(key string) *string {
	switch key {
	case "command":
		q.Command = new(string)
		return q.Command
	case "cwd":
		return &q.Cwd
	case "home":
		return &q.Home
	case "project":
		return &q.Project
	case "session":
		return &q.Session
	case "content_verdict":
		return &q.Content
	}
	return nil
}

var requestKeys = [...]string{"command", "cwd", "home", "project", "session", "content_verdict"}

func writeResult(out *bufio.Writer, r *result) error {
	if r.Rewritten != nil || r.Rules == nil || !usualText(r.Command) || !usualText(r.Reason) || !usualText(r.Suggest) {
		return screen.WriteJSON(out, false, r)
	}
	line := out.AvailableBuffer()
	line = strictjson.AppendString(append(line, `{"command":`...), r.Command)
	line = strictjson.AppendString(append(line, `,"decision":`...), r.Decision)
	line = strictjson.AppendString(append(line, `,"reason":`...), r.Reason)
	line = append(line, `,"rules":[`...)
	for i, id := range r.Rules {
		if !usualText(id) {
			return screen.WriteJSON(out, false, r)
		}
		if i > 0 {
			line = append(line, ',')
		}
		line = strictjson.AppendString(line, id)
	}
	line = append(line, `],"rewritten":null`...)
	if r.Suggest != "" {
		line = strictjson.AppendString(append(line, `,"suggest":`...), r.Suggest)
	}
	for i, name := range r.Means {
		line = append(line, []string{`,"means":["`, `","`}[min(i, 1)]...)
		line = append(line, name...)
	}
	if len(r.Means) > 0 {
		line = append(line, `"]`...)
	}
	_, err := out.Write(append(line, "}\n"...))
	return err
}

// usualText says whether there is but one way to write a text.
func usualText(text string) bool {
	for i := range len(text) {
		if c := text[i]; c-' ' >= 0x7f-' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
