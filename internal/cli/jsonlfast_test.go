package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"longline/internal/screen"
)

// What is read without encoding/json is what it would have read.
func FuzzUsualRequest(f *testing.F) {
	for _, line := range []string{
		`{"command":"ls -la","cwd":"/srv","home":"/home/x","id":1}`, `{"command":"a\nb\u00e9 \ud83d\ude00 \"q\""}`, `{"cwd":"/"}`, `{}`, `{"command":null}`, `{"command":1}`, `{"Command":"ls"}`,
		`{"command":"ls","COMMAND":"rm"}`, `{"command":"ls","command":"rm"}`, "\ufeff" + `{"command":"ls"}`, `{"command":"\ud800"}`, "{\"command\":\"\xff\"}", `{"command":"ls"} x`, ` {"command":"ls"}`, `[]`, `{"command":"ls","cwd":null}`,
		`{"command":"ls","\u017Fx":{},"home":["x"]}`, `{"command":"ls","x":{"command":"rm"}}`, `{"command":"ls","cwd":"/","hoMe":"/"}`,
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		got, ok := usualRequest(line)
		if !ok {
			return
		}
		var want request
		if err := json.Unmarshal([]byte(line), &want); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %+v, want %+v, %v", line, got, want, err)
		}
	})
}

// What is written without encoding/json is what it would have written.
func FuzzWriteResult(f *testing.F) {
	f.Add("ls -la", "A reason.", "rule", "", "")
	f.Add("a\n\t\r\"\\b", "<&>", "", "Do it", "x")
	f.Add("\x00\x7f\b\f", "é\u2028\xff", "é", "\x1b", "")
	f.Fuzz(func(t *testing.T, command, reason, rule, suggest, rewritten string) {
		r := result{Command: command, Decision: "ask", Reason: reason, Rules: []string{}, Suggest: suggest}
		if rule != "" {
			r.Rules = append(r.Rules, rule, "second")
		}
		if rewritten != "" {
			r.Rewritten = &rewritten
		}
		var got, want bytes.Buffer
		out := bufio.NewWriter(&got)
		if err := writeResult(out, &r); err != nil {
			t.Fatal(err)
		}
		if err := out.Flush(); err != nil {
			t.Fatal(err)
		}
		if err := screen.WriteJSON(&want, false, &r); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Errorf("got %s, want %s", got.String(), want.String())
		}
	})
}
