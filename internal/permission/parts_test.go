package permission

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// TestSegments: which parts of a script a permission may speak of, and with which
// programs each begins. What may do more than its words say makes all of it unknown.
// TestTrimmed: of blanks nothing is left, and no less than that.
func TestTrimmed(t *testing.T) {
	for _, test := range [][4]int{{0, 5, 0, 5}, {1, 4, 4, 4}, {1, 5, 4, 5}, {0, 4, 0, 1}, {2, 2, 2, 2}} {
		if from, to := trimmed("a   b", test[0], test[1]); from != test[2] || to != test[3] {
			t.Errorf("%v: %d, %d", test, from, to)
		}
	}
}

func TestSegments(t *testing.T) {
	for script, want := range map[string]string{
		"ls":                          "ls [ls]",
		"ls | wc":                     "ls [ls]; wc [wc]",
		"ls || wc && id; df\nps":      "ls [ls]; wc [wc]; id [id]; df [df]; ps [ps]",
		"timeout 5 npm test":          "npm test [timeout npm]",
		"time /usr/bin/make x 2>&1":   "/usr/bin/make x [time make]",
		"ls &>/dev/null":              "ls [ls]",
		"if ls; then id; fi":          "ls [if ls]; id [then id]",
		"echo 'a; b' \"c | d\" e\\;f": "echo 'a; b' \"c | d\" e\\;f [echo]",
		"ls;":                         "ls [ls]",
		"  ls\t ; \t id ":             "ls [ls]; id [id]",
		"a=":                          "unknown", "=a b": "=a b [=a]", "a-b=c d": "a-b=c d [a-b=c]",
		"ls 2>&1 >/dev/null <in":  "ls [ls]",
		"ls <in x":                "ls <in x [ls]",
		"while ls; do id; done":   "ls [while ls]; id [do id]",
		"while ls; do id; done x": "unknown",
		"if ls; then id; fi > x":  "unknown",
		"! nohup ls":              "ls [! nohup ls]",
		"timeout 1.5m ls":         "ls [timeout ls]",
		"timeout  5  ls":          "ls [timeout ls]",
		"timeout":                 "unknown",
		"timeout -k 5 ls":         "unknown",
		"ls 'a b":                 "unknown",
		"ls \"a\\\"b\" c":         "ls \"a\\\"b\" c [ls]",
		"ls \"`id`\"":             "unknown",
		"ls \"$a\"":               "unknown",
		"ls ''":                   "ls '' [ls]",
		"ls <<x":                  "unknown",
		"ls <>x":                  "unknown",
		"ls # x":                  "unknown",
		"ls {a,b}":                "unknown",
		"ls |& wc":                "unknown",
		"A=b; ls":                 "unknown",
		"ls; A=b":                 "unknown",
		"A=b || ls":               "unknown",
		"timeout x npm test":      "unknown",
		"ls $(id)":                "unknown",
		"ls &":                    "unknown",
		"ls > file":               "unknown",
		"echo \"open":             "unknown",
		"echo 'open":              "unknown",
		"echo \"open\\":           "unknown",
	} {
		list, ok := segments(script)
		var parts []string
		for _, s := range list {
			parts = append(parts, s.text+" ["+strings.Join(s.programs, " ")+"]")
		}
		got := strings.Join(parts, "; ")
		if !ok {
			got = "unknown"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", script, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for _, test := range []struct {
		e    Entry
		want string
	}{
		{Entry{"directory", "/srv"}, "files in /srv can be written"},
		{Entry{"allow", "Bash(npm test:*)"}, "commands that begin with: npm test"},
		{Entry{"allow", "Bash(npm * test)"}, "commands of the form: npm * test"},
		{Entry{"allow", "Bash(npm test)"}, "the command: npm test"},
		{Entry{"allow", "Read(./src/**)"}, "for the client only"},
		{Entry{"allow", "Bash"}, "for the client only"},
		{Entry{"allow", "WebFetch(x)"}, "for the client only"},
	} {
		if got := test.e.Words(); !strings.Contains(got, test.want) {
			t.Errorf("%+v: %q, want %q", test.e, got, test.want)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]bool{
		"Bash": true, "Bash(ls)": true, "Bash(*)": true, " Bash ( ls ) ": true,
		"": false, "(ls)": false, "Bash(ls": false, "mcp__*": false, "B?sh": false,
	} {
		if _, ok := parse(text, tool.Allow); ok != want {
			t.Errorf("%q: %v", text, ok)
		}
	}
	// What forbids may speak of many tools.
	if _, ok := parse("mcp__*", tool.Deny); !ok {
		t.Error("a deny of many tools is left out")
	}
}

// TestRuns: a permission covers findings about the program that its part of the script
// runs, not about what the part's words carry, or what another part runs.
func TestRuns(t *testing.T) {
	whole := tool.Span{Start: 10, End: 30}
	c := &cover{segment: segment{span: whole, own: whole, programs: []string{"timeout", "npm"}}}
	word := func(text string, start, end int) command.Word {
		return command.Known(text, tool.Span{Start: start, End: end})
	}
	for _, test := range []struct {
		name string
		span tool.Span
		inv  command.Invocation
		want bool
	}{
		{"the program", whole, command.Invocation{Name: "npm", Span: whole}, true},
		{"a wrapper", whole, command.Invocation{Name: "timeout", Span: whole}, true},
		{"another program", whole, command.Invocation{Name: "rm", Span: whole}, false},
		{"by its first word", whole, command.Invocation{Words: []command.Word{word("/usr/bin/npm", 10, 22)}, Span: whole}, true},
		{"without a name", whole, command.Invocation{Span: whole}, false},
		{"no place", tool.Span{}, command.Invocation{Name: "npm"}, false},
		{"before it", tool.Span{Start: 9, End: 30}, command.Invocation{Name: "npm"}, false},
		{"beyond it", tool.Span{Start: 10, End: 31}, command.Invocation{Name: "npm"}, false},
		{"what its definitions run", whole, command.Invocation{Name: "rm", Via: []string{"npm"}, Span: whole}, true},
		{"what its words carry", whole, command.Invocation{Name: "rm", Via: []string{"npm"}, Span: tool.Span{Start: 14, End: 30}}, false},
		{"what a word of its carries", whole, command.Invocation{Name: "rm", Via: []string{"npm"}, Words: []command.Word{word("rm", 14, 16)}, Span: whole}, false},
		{"a word without a place", whole, command.Invocation{Name: "rm", Via: []string{"npm"}, Words: []command.Word{command.Known("rm", tool.Span{})}, Span: whole}, true},
	} {
		if got := c.runs(&tool.Finding{Span: test.span}, []*command.Invocation{&test.inv}); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
	for _, index := range []int{-1, 1} {
		if c.runs(&tool.Finding{Span: whole, Invocation: index}, []*command.Invocation{{Name: "npm", Span: whole}}) {
			t.Errorf("invocation %d", index)
		}
	}
}

// TestEntries: what loosens is listed in its order; what is not a text is nothing.
func TestEntries(t *testing.T) {
	root, _ := strictjson.Parse([]byte(`{"permissions": {"allow": ["Bash(ls)", 1, {"x": "y"}, "Read(x)"], "deny": ["Bash(rm)"], "additionalDirectories": ["/a", null]}}`))
	got := Entries(root)
	if want := []Entry{{"allow", "Bash(ls)"}, {"allow", "Read(x)"}, {"directory", "/a"}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := Entries(strictjson.Value{}); got != nil {
		t.Errorf("of a broken file: %v", got)
	}
}

// TestAllowsDoNotObject: a rule that allows adds nothing to what is said against a call,
// and a question about a script that was not read is not taken away.
func TestAllowsDoNotObject(t *testing.T) {
	var s Set
	if err := s.Add(Source{Layer: "user"}, []byte(`{"permissions": {"allow": ["Bash(ls)"]}}`)); err != nil {
		t.Fatal(err)
	}
	call := &tool.Call{Tool: "Bash", Dir: "/p", Script: "ls", Shell: true}
	span := tool.Span{End: 2}
	invs := []*command.Invocation{{Name: "ls", Words: []command.Word{command.Known("ls", span)}, Span: span}}
	asked := tool.Verdict{Decision: tool.Ask, Parsed: true, Rule: "uncovered", Findings: []tool.Finding{{Rule: "uncovered", Decision: tool.Ask, Span: span}}}
	w := &tool.World{Home: "/h", Project: "/p"}
	if v := s.Object(call, asked, invs, w); len(v.Findings) != 1 || v.Decision != tool.Ask {
		t.Errorf("%+v", v)
	}
	if v := s.Apply(call, asked, invs, w); v.Decision != tool.Allow {
		t.Errorf("the question stays: %+v", v)
	}
	unread := asked
	unread.Parsed = false
	if v := s.Apply(call, unread, invs, w); v.Decision != tool.Ask {
		t.Errorf("a script that was not read is allowed: %+v", v)
	}
	denied := asked
	denied.Decision = tool.Deny
	if v := s.Apply(call, denied, invs, w); v.Decision != tool.Deny {
		t.Errorf("a denial is lifted: %+v", v)
	}
}
