package mask

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// TestApply: parts are masked in their order, whoever found them first, and where they
// overlap once.
func TestApply(t *testing.T) {
	m := masker{text: "abcdefgh"}
	for _, s := range [][2]int{{6, 7}, {1, 3}, {2, 4}, {2, 3}, {5, 5}, {-1, 2}, {7, 9}} {
		m.add(s[0], s[1])
	}
	if got, want := m.apply(), "a"+Mark+Mark+"ef"+Mark+"h"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAfter: of a word's text what follows some of it is masked, and nothing if nothing
// follows.
func TestAfter(t *testing.T) {
	const text = `curl user:hunter2 x`
	word := command.Known("user:hunter2", tool.Span{Start: 5, End: 17})
	for n, want := range map[int]string{5: "curl user:" + Mark + " x", 0: "curl " + Mark + " x", 12: text, 13: text} {
		m := masker{text: text}
		m.after(word, n)
		if got := m.apply(); got != want {
			t.Errorf("after %d: %q, want %q", n, got, want)
		}
	}
}

// What follows a known text may be a variable, which says nothing.
func TestAfterNothing(t *testing.T) {
	const text = "curl user:$PASS x"
	m := masker{text: text}
	m.after(command.Word{Text: "user:", Reach: tool.Prefix, Span: tool.Span{Start: 5, End: 15}}, 5)
	if got := m.apply(); got != text {
		t.Errorf("%q", got)
	}
}

// Where the text does not stand as it is, its beginning is looked for, and then an equals
// sign.
func TestAfterQuotes(t *testing.T) {
	for _, test := range []struct {
		written, text string
		n             int
		want          string
	}{
		{`user:hun'ter'2`, "user:hunter2", 5, "user:" + Mark},
		{`'user':hunter2`, "user:hunter2", 5, Mark},
		{`'user:'hunter2`, "user:hunter2", 5, `'user:` + Mark},
		{`--x"="hunter2`, "--x=hunter2", 4, `--x"=` + Mark},
		{`=hun'ter'2`, "hunter2", 0, "=" + Mark},
	} {
		m := masker{text: "a " + test.written + " b"}
		m.after(command.Word{Text: test.text, Reach: tool.Exact, Span: tool.Span{Start: 2, End: 2 + len(test.written)}}, test.n)
		if got, want := m.apply(), "a "+test.want+" b"; got != want {
			t.Errorf("%s: %q, want %q", test.written, got, want)
		}
	}
}

// TestAnywhere: a text is masked wherever it stands, the beginning included; one that is
// short is not looked for.
func TestAnywhere(t *testing.T) {
	for secret, want := range map[string]string{"hunter22": Mark + " x " + Mark, "x": "hunter22 x hunter22", "nothing": "hunter22 x hunter22"} {
		m := masker{text: "hunter22 x hunter22"}
		m.anywhere(secret)
		if got := m.apply(); got != want {
			t.Errorf("%s: %q, want %q", secret, got, want)
		}
	}
}

// TestAssignments: before a command the value of a variable with a secret's name is masked,
// and nothing else is.
func TestAssignments(t *testing.T) {
	for _, test := range []struct {
		name   string
		prefix bool
		want   string
	}{{"API_TOKEN", true, "X=" + Mark + " ls"}, {"API_TOKEN", false, "X=abcd1234 ls"}, {"LANG", true, "X=abcd1234 ls"}} {
		m := masker{text: "X=abcd1234 ls"}
		m.invocation(&command.Invocation{Name: "ls", Env: []command.Assign{{Name: test.name, Value: command.Known("abcd1234", tool.Span{Start: 2, End: 10}), Prefix: test.prefix}}})
		if got := m.apply(); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

// TestHidden: what is a secret by its place is hidden wherever else it is quoted.
func TestHidden(t *testing.T) {
	script, inv := "mysql -u root -p hunter22", &command.Invocation{Name: "mysql"}
	for i, at := range []int{0, 6, 9, 14, 17} {
		word := strings.Fields(script)[i]
		inv.Words = append(inv.Words, command.Known(word, tool.Span{Start: at, End: at + len(word)}))
	}
	if got, want := Hidden(script, []*command.Invocation{inv})("it says hunter22 and not mysql"), "it says ******** and not mysql"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestHiddenLines: of a secret of several lines each is hidden that is long enough to be
// looked for.
func TestHiddenLines(t *testing.T) {
	script, inv := "mysql -u root -p 'abcd\nxyz\nqrstu'", &command.Invocation{Name: "mysql"}
	for i, at := range []int{0, 6, 9, 14, 17} {
		word := strings.SplitN(script, " ", 5)[i]
		inv.Words = append(inv.Words, command.Known(strings.Trim(word, "'"), tool.Span{Start: at, End: at + len(word)}))
	}
	if got, want := Hidden(script, []*command.Invocation{inv})("abcd xyz qrstu"), "**** xyz *****"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLogins: the password of a login is masked, the user and what is only numbers are
// not.
func TestLogins(t *testing.T) {
	for _, test := range []struct{ flag, text, want string }{
		{"-u", "alice:hunter22", "alice:" + Mark},
		{"-u", "alice:", "alice:"},
		{"-u", "1000:1000", "1000:1000"},
		{"-u", "sk9Xq27hTzR4:", Mark},
		{"-u", "sk9Xq27hTz:", Mark},
		{"-u", "sk9Xq27hT:", "sk9Xq27hT:"}, // as long as a user's name may be
		{"x", "--user=alice:hunter22", "--user=alice:" + Mark},
		{"x", "--user=1000:1000", "--user=1000:1000"},
		{"x", "--user=sk9Xq27hTzR4:", "--user=" + Mark},
		{"x", "-ualice:hunter22", "-ualice:" + Mark},
		{"x", "-u1000:1000", "-u1000:1000"},
		{"x", "--name=alice:hunter22", "--name=alice:hunter22"},
	} {
		m := masker{text: test.text}
		m.user(test.flag, command.Known(test.text, tool.Span{End: len(test.text)}))
		if got := m.apply(); got != test.want {
			t.Errorf("%s %s: %q, want %q", test.flag, test.text, got, test.want)
		}
	}
}

// A secret that stands nowhere as it is, such as one of a stream, is masked wherever its
// text is.
func TestSecretsWithoutAPlace(t *testing.T) {
	m := masker{text: "echo hunter22 | login; echo hunter22"}
	m.invocation(&command.Invocation{Name: "login", Secrets: []command.Word{{Text: "hunter22", Reach: tool.Exact}}})
	if got := m.apply(); strings.Contains(got, "hunter22") || strings.Count(got, Mark) != 2 {
		t.Errorf("%q", got)
	}
	m = masker{text: "mysql -u root -p"}
	inv := &command.Invocation{Name: "mysql"}
	for _, w := range strings.Fields(m.text) {
		inv.Words = append(inv.Words, command.Known(w, tool.Span{}))
	}
	if m.invocations([]*command.Invocation{inv}); m.apply() != "mysql -u root -p" {
		t.Errorf("a flag without a value: %q", m.apply())
	}
}

func TestShaped(t *testing.T) {
	const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	for text, want := range map[string][]string{
		token + " and more":          {token},
		"before " + token:            {token},
		"a " + token + " b " + token: {token, token},
		"nothing at all":             nil,
		"https://ann:abcdefg@host/":  nil, // too short to look for elsewhere
		"https://ann:abcdefgh@host/": {"abcdefgh"},
	} {
		if got := shaped(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q (masked: %q)", text, got, want, Text(text))
		}
	}
}

func TestAmounts(t *testing.T) {
	for _, test := range []struct {
		name, value string
		want        bool
	}{{"max_tokens", "1234567", true}, {"max_tokens", "12345678", false}, {"MaxTokens", "32k", true}, {"max_tokens", "12a", false}, {"password", "123", false}} {
		if got := isAmount(test.name, test.value); got != test.want {
			t.Errorf("%s %s: %v", test.name, test.value, got)
		}
	}
}

// What is no name of a subcommand is left out of the structure, and leaves its place.
func TestStructureLeavesOut(t *testing.T) {
	inv := &command.Invocation{Name: "git", Path: []string{"git", "stash", "My Secret", "pop"}, Flags: []string{"-q"}}
	if got, want := Structure([]*command.Invocation{inv}), "git stash _ pop -q"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
