package command

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// told reads words by a model of the program p.
func told(m *Model, words ...string) *Invocation {
	lib := &Library{
		Find: func(name string) *Model {
			if name == "p" {
				return m
			}
			return nil
		},
		Programs: func() []string { return []string{"p"} },
	}
	inv := &Invocation{Dir: Known("/home/dev/proj", tool.Span{}), Stdin: Data{None: true}}
	at := 0
	for _, w := range append([]string{"p"}, words...) {
		inv.Words = append(inv.Words, Known(w, tool.Span{Start: at, End: at + len(w)}))
		at += len(w) + 1
	}
	inv.Span = tool.Span{End: at}
	lib.Read(inv, &tool.World{Home: "/home/dev", Project: "/home/dev/proj"})
	return inv
}

// TestAsksBriefly: one of the short flags for help or version leaves no gap if it is all
// that a known program is given; with anything beside it, it may mean anything.
func TestAsksBriefly(t *testing.T) {
	m := &Model{Names: []string{"p"}, Level: Level{Abbrev: true, Permute: true, Effects: []Spec{{"control", "git.push"}}, Operands: []Item{{Uses: []Use{{Name: "read"}}, Many: true}}}}
	m.Flags = FlagsOf([]Flag{{Name: "--all"}})
	for _, flag := range strings.Fields("-h -? -help -v -V -version") {
		inv := told(m, flag)
		if flag == "-help" || flag == "-version" {
			continue // letters to this program; see the next test
		}
		if len(inv.Gaps) != 0 {
			t.Errorf("p %s: %v", flag, inv.Gaps)
		}
		if len(inv.Effects) != 1 {
			t.Errorf("p %s: it still does what it does without: %v", flag, inv.Effects)
		}
	}
	for _, words := range []string{"-z", "-H", "-h -v", "-h --all", "--all -h", "-h a.txt", "a.txt -h", "-h --", "-- -h x", "-hv", "--frob", "--all --frob"} {
		if inv := told(m, strings.Fields(words)...); len(inv.Gaps) == 0 && words != "-- -h x" {
			t.Errorf("p %s: no gap", words)
		}
	}
	if inv := told(m, "--", "-h"); len(inv.Effects) != 2 {
		t.Errorf("p -- -h: a file of that name is read: %v", inv.Effects)
	}
	long := &Model{Names: []string{"p"}, Level: Level{Grammar: Long, Permute: true, Operands: []Item{{Uses: []Use{{Name: "read"}}}}}}
	for _, flag := range []string{"-help", "-version"} {
		if inv := told(long, flag); len(inv.Gaps) != 0 {
			t.Errorf("p %s: %v", flag, inv.Gaps)
		}
	}
	// A gap that something else has left stays.
	beside, flag := Gap{Why: "another", Span: tool.Span{Start: 9, End: 10}}, tool.Span{Start: 2, End: 4}
	r := &reader{
		deeds:       deeds{findings: findings{&Invocation{Gaps: []Gap{beside, {Why: "unknown flag", Span: flag}}}}},
		commandLine: commandLine{given: []flagUse{{name: "-h", span: flag}}, dashed: -1},
	}
	if r.asksBriefly(); len(r.inv.Gaps) != 1 || r.inv.Gaps[0] != beside {
		t.Errorf("gaps: %v", r.inv.Gaps)
	}
	// Without it the operand would be missing, which is a gap of its own.
	if inv := told(long); len(inv.Gaps) != 1 {
		t.Errorf("p: %v", inv.Gaps)
	}
	listed := &Model{Names: []string{"p"}, Level: Level{Permute: true, Operands: []Item{{Uses: []Use{{Name: "read"}}}}}}
	listed.Flags = FlagsOf([]Flag{{Name: "-h", Values: [][]Use{{{Name: "text"}}}}})
	if inv := told(listed, "-h"); len(inv.Gaps) == 0 {
		t.Error("p -h: the flag is listed and needs a value")
	}
}

// TestAbbreviatedAlike: a prefix of two flags stands for either only if both take the
// same values for the same uses; of two switches nobody can say which is meant.
func TestAbbreviatedAlike(t *testing.T) {
	text, read := Use{Name: "text"}, Use{Name: "read"}
	one := func(uses ...Use) [][]Use { return [][]Use{uses} }
	for _, test := range []struct {
		what string
		a, b Flag
		same bool
	}{
		{"the same use", Flag{Values: one(read)}, Flag{Values: one(read)}, true},
		{"the same uses", Flag{Values: one(read, text)}, Flag{Values: one(read, text)}, true},
		{"the same argument", Flag{Values: one(Use{"control", "a"})}, Flag{Values: one(Use{"control", "a"})}, true},
		{"both optional", Flag{Values: one(text), Optional: true}, Flag{Values: one(text), Optional: true}, true},
		{"another use", Flag{Values: one(text)}, Flag{Values: one(read)}, false},
		{"another argument", Flag{Values: one(Use{"control", "a"})}, Flag{Values: one(Use{"control", "b"})}, false},
		{"one more use", Flag{Values: one(text)}, Flag{Values: one(text, read)}, false},
		{"another second use", Flag{Values: one(text, text)}, Flag{Values: one(text, read)}, false},
		{"one more value", Flag{Values: one(text)}, Flag{Values: [][]Use{{text}, {text}}}, false},
		{"another second value", Flag{Values: [][]Use{{text}, {text}}}, Flag{Values: [][]Use{{text}, {read}}}, false},
		{"optional", Flag{Values: one(text)}, Flag{Values: one(text), Optional: true}, false},
		{"a switch", Flag{Values: one(text)}, Flag{}, false},
		{"switches", Flag{}, Flag{}, false},
	} {
		a, b := test.a, test.b
		a.Name, b.Name = "--alpha", "--alpine"
		if got := sameUses(&a, &b); got != test.same {
			t.Errorf("%s: %v", test.what, got)
		}
		if got := sameUses(&b, &a); got != test.same {
			t.Errorf("%s, the other way round: %v", test.what, got)
		}
		m := &Model{Names: []string{"p"}, Level: Level{Abbrev: true, Permute: true}}
		m.Flags = FlagsOf([]Flag{a, b})
		inv := told(m, "--alp=x", "y")
		ambiguous := false
		for _, g := range inv.Gaps {
			ambiguous = ambiguous || strings.HasPrefix(g.Why, "ambiguous flag")
		}
		if ambiguous == test.same {
			t.Errorf("%s: ambiguous is %v", test.what, ambiguous)
		}
	}
}
