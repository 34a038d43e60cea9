package agent

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"longline/internal/strictjson"
	"longline/internal/tool"
)

var update = flag.Bool("update", false, "write what the goldens say now")

// golden compares text with a file under testdata.
func golden(t *testing.T, file, got string) {
	t.Helper()
	file = filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		var a, b string
		if i < len(g) {
			a = g[i]
		}
		if i < len(w) {
			b = w[i]
		}
		if a != b {
			t.Fatalf("%s:%d:\n got %s\nwant %s", file, i+1, a, b)
		}
	}
}

// machine is the environment the recorded inputs were taken in.
func machine(name string) (string, bool) {
	v, ok := map[string]string{
		"HOME": "/home/dev", "PWD": "/home/dev/project", "CLAUDE_CODE_SESSION_ATTENDED": "1", "AGENT": "amp", "AGENT_TOOL_NAME": "Bash",
	}[name]
	return v, ok
}

var kindNames = [...]string{"other", "before", "permission", "after", "config", "session", "prompt", "instructions", "refused", "added"}

// describeRequest is a request on one line.
func describeRequest(req Request, err error) string {
	c := req.Call
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s dir=%s", kindNames[req.Kind], c.Tool, c.Dir)
	if c.Shell {
		fmt.Fprintf(&b, " script=%q", c.Script)
	}
	for _, e := range c.Effects {
		fmt.Fprintf(&b, " %s:%s", e.Kind, e.Target)
		if e.Tree {
			b.WriteString("/**")
		}
		if e.Reach != tool.Exact {
			fmt.Fprintf(&b, "(%s)", e.Reach)
		}
	}
	if c.Edits {
		b.WriteString(" edits")
	}
	if !c.Attended {
		b.WriteString(" unattended")
	}
	if c.Mode != "" {
		b.WriteString(" mode=" + c.Mode)
	}
	if c.Subagent != "" {
		b.WriteString(" subagent=" + c.Subagent)
	}
	if err != nil {
		fmt.Fprintf(&b, " error=%q", err)
	}
	return b.String()
}

func recorded(t *testing.T, agent string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", agent, "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recorded input of %s: %v", agent, err)
	}
	return files
}

// TestDecode: what real clients sent is understood, all of it.
func TestDecode(t *testing.T) {
	for _, a := range All {
		t.Run(a.Name(), func(t *testing.T) {
			var b strings.Builder
			for _, file := range recorded(t, a.Name()) {
				stdin, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				req, err := a.Decode(stdin, machine)
				if err != nil {
					t.Errorf("%s: %v", file, err)
				}
				if req.Call.Agent != a.Name() {
					t.Errorf("%s: agent = %q", file, req.Call.Agent)
				}
				if req.Document.Raw != strings.TrimSpace(string(stdin)) {
					t.Errorf("%s: what is kept of it is %q", file, req.Document.Raw)
				}
				fmt.Fprintf(&b, "%s: %s\n", strings.TrimSuffix(filepath.Base(file), ".json"), describeRequest(req, err))
			}
			golden(t, "golden/"+a.Name()+".decoded.txt", b.String())
		})
	}
}

// verdicts are the answers that every dialect has to find words for.
var verdicts = []struct {
	name string
	v    tool.Verdict
}{
	{"allow", tool.Verdict{Decision: tool.Allow, Rule: "project-read", Reason: "It only reads files of the project."}},
	{"pass", tool.Verdict{Decision: tool.Pass}},
	{"ask", tool.Verdict{Decision: tool.Ask, Rule: "git-push", Reason: "Pushing publishes the branch.", Suggest: "Let the user push.", Parsed: true}},
	{"ask, unheard", tool.Verdict{Decision: tool.Ask, Rule: "startup-files", Reason: "Changes ~/.bashrc.", Suggest: "Let the user do it.", Parsed: true, Unheard: true, Once: "k3v9qa2m"}},
	{"deny", tool.Verdict{Decision: tool.Deny, Rule: "rm-recursive-root", Reason: "It deletes \"everything\" below /.", Suggest: "Delete single files."}},
	{"allow+rewrite", tool.Verdict{Decision: tool.Allow, Rule: "downloads", Reason: "Downloads land in the sandbox.", Rewrite: "curl -o '/sandbox/a b' x"}},
	{"pass+rewrite", tool.Verdict{Decision: tool.Pass, Rewrite: "curl -o /sandbox/a x"}},
	{"ask+rewrite", tool.Verdict{Decision: tool.Ask, Rule: "downloads", Reason: "The host is not known.", Rewrite: "curl -o /sandbox/a x", Parsed: true}},
	{"deny+rewrite", tool.Verdict{Decision: tool.Deny, Rule: "r", Reason: "No.", Rewrite: "true"}},
	{"allow+context", tool.Verdict{Decision: tool.Allow, Rule: "a", Reason: "Fine.", Context: "The sandbox is /sandbox."}},
	{"pass+context+notice", tool.Verdict{Decision: tool.Pass, Context: "Hello.", Notices: []string{"longline is on"}}},
	{"result", tool.Verdict{Decision: tool.Pass, Output: `{"llmContent": [{"type": "text", "text": "A page."}]}`, Context: "longline: a part of it was removed."}},
	{"zero", tool.Verdict{}},
	{"nonsense", tool.Verdict{Decision: 7, Reason: "bad\xff\u2028"}},
}

func printAnswer(b *strings.Builder, name string, a Answer) {
	fmt.Fprintf(b, "%s: status %d\n", name, a.Status)
	if len(a.Stdout) > 0 {
		fmt.Fprintf(b, "  out %s", a.Stdout)
		if a.Stdout[len(a.Stdout)-1] != '\n' {
			b.WriteString("(no newline)\n")
		}
	}
	if len(a.Stderr) > 0 {
		fmt.Fprintf(b, "  err %s\n", strings.ReplaceAll(strings.TrimSuffix(string(a.Stderr), "\n"), "\n", "\n      "))
	}
}

// malformed is input that must end in a question.
var malformed = []string{"", "{", "[]", `"x"`, `{"tool_name":1}`, `{"a":1,"a":2}`, "{}{}"}

// TestEncode: every verdict in every dialect, at every moment there is a
// recorded input for, and for input that could not be read.
func TestEncode(t *testing.T) {
	for _, a := range All {
		t.Run(a.Name(), func(t *testing.T) {
			var b strings.Builder
			seen := map[string]bool{}
			for _, file := range recorded(t, a.Name()) {
				stdin, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				req, _ := a.Decode(stdin, machine)
				// One input per moment, dialect and sort of tool is enough.
				key := fmt.Sprint(req.Kind, req.shape, req.Call.Shell, req.Call.Mode == "plan", req.Input.Get("dangerouslyDisableSandbox").True)
				if seen[key] {
					continue
				}
				seen[key] = true
				fmt.Fprintf(&b, "# %s\n", strings.TrimSuffix(filepath.Base(file), ".json"))
				for _, v := range verdicts {
					printAnswer(&b, v.name, a.Encode(req, v.v))
				}
			}
			req, err := a.Decode([]byte("{"), machine)
			if err == nil {
				t.Error("half a document was accepted")
			}
			b.WriteString("# malformed\n")
			printAnswer(&b, "ask", a.Encode(req, tool.Verdict{Decision: tool.Ask, Rule: "hook-input", Reason: "Unreadable."}))
			golden(t, "golden/"+a.Name()+".txt", b.String())
		})
	}
}

// TestMalformed: whatever cannot be read is an error, and the question about it
// is put in a form the client does not take for consent.
func TestMalformed(t *testing.T) {
	for _, a := range All {
		for _, in := range malformed {
			req, err := a.Decode([]byte(in), machine)
			if err == nil {
				t.Errorf("%s accepts %q", a.Name(), in)
			}
			if req.Kind != BeforeTool {
				t.Errorf("%s takes %q for something other than a tool call", a.Name(), in)
			}
			ask := a.Encode(req, tool.Verdict{Decision: tool.Ask, Reason: "?"})
			allow := a.Encode(req, tool.Verdict{Decision: tool.Allow, Reason: "?"})
			if string(ask.Stdout) == string(allow.Stdout) && ask.Status == allow.Status {
				t.Errorf("%s answers %q as if nothing were wrong", a.Name(), in)
			}
		}
	}
}

// TestAnswersAreOneDocument: standard output is empty or exactly one JSON object.
func TestAnswersAreOneDocument(t *testing.T) {
	for _, a := range All {
		for _, file := range recorded(t, a.Name()) {
			stdin, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			req, _ := a.Decode(stdin, machine)
			for _, v := range verdicts {
				out := a.Encode(req, v.v).Stdout
				if len(out) == 0 {
					continue
				}
				if doc, err := strictjson.Parse(out); err != nil || doc.Kind != strictjson.Object {
					t.Errorf("%s, %s, %s: %s: %v", a.Name(), file, v.name, out, err)
				}
			}
		}
	}
}

// TestNeverLooser: what the client is told is at least as strict as the verdict
// says, for every dialect, moment and decision.
func TestNeverLooser(t *testing.T) {
	for i := range Capabilities() {
		c := &Capabilities()[i]
		if c.Kind != BeforeTool {
			continue
		}
		// An allow may become silence; nothing may become more than it was.
		if c.Allow < tool.Allow || c.Pass < tool.Pass || c.Ask < tool.Ask {
			t.Errorf("%s: an answer becomes looser", c.Agent)
		}
	}
}

// TestRefuse: a broken configuration stops every client, the deaf one too.
func TestRefuse(t *testing.T) {
	for _, a := range All {
		req, _ := a.Decode([]byte("{"), machine)
		answer := Refuse(a, req, "rules.yaml:1:1: broken")
		if answer.Status != 2 || string(answer.Stderr) != "rules.yaml:1:1: broken\n" {
			t.Errorf("%s: %+v", a.Name(), answer)
		}
		if deaf := a.Name() == "cline"; deaf != (len(answer.Stdout) > 0) {
			t.Errorf("%s: says %q", a.Name(), answer.Stdout)
		}
	}
}

// FuzzDecode: whatever is sent, no dialect panics, every answer is one document
// or none, a refusal never looks like consent, and nothing but an object is taken.
func FuzzDecode(f *testing.F) {
	for i, a := range All {
		files, _ := filepath.Glob(filepath.Join("testdata", a.Name(), "*.json"))
		for _, file := range files {
			if stdin, err := os.ReadFile(file); err == nil {
				f.Add(stdin, i)
			}
		}
	}
	f.Fuzz(func(t *testing.T, stdin []byte, which int) {
		if which < 0 || which >= len(All) {
			return
		}
		a := All[which]
		req, err := a.Decode(stdin, machine)
		if v, wrong := strictjson.Parse(stdin); (wrong != nil || v.Kind != strictjson.Object) && err == nil {
			t.Fatalf("%s accepts %q", a.Name(), stdin)
		}
		if err != nil && req.Kind != BeforeTool && req.Kind != Permission {
			t.Fatalf("%s: %q is in error (%v) at a moment that is not judged", a.Name(), stdin, err)
		}
		var answers [4]Answer
		for d := tool.Allow; d <= tool.Deny; d++ {
			answer := a.Encode(req, tool.Verdict{Decision: d, Reason: "r", Rewrite: "true"})
			answers[d-tool.Allow] = answer
			if len(answer.Stdout) == 0 {
				continue
			}
			if doc, err := strictjson.Parse(answer.Stdout); err != nil || doc.Kind != strictjson.Object {
				t.Fatalf("%s answers %q with %q: %v", a.Name(), stdin, answer.Stdout, err)
			}
		}
		allow, deny := answers[0], answers[3]
		if req.Kind == BeforeTool && string(allow.Stdout) == string(deny.Stdout) && allow.Status == deny.Status && !strings.Contains(string(allow.Stdout), "Run this instead") && !strings.Contains(string(allow.Stderr), "Run this instead") {
			t.Fatalf("%s says the same for allow and for deny to %q: %q", a.Name(), stdin, deny.Stdout)
		}
	})
}
