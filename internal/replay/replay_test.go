package replay

import (
	"errors"
	"strings"
	"testing"

	"longline/internal/history"
	"longline/internal/mask"
	"longline/internal/screen"
	"longline/internal/tool"
)

func TestReplay(t *testing.T) {
	yes, no := true, false
	judged := map[Call]int{}
	by := Judges{Now: func(c Call) (tool.Verdict, error) {
		judged[c]++
		v := tool.Verdict{Decision: tool.Allow}
		if strings.HasPrefix(c.Command, "rm") {
			v = tool.Verdict{Decision: tool.Deny, Rule: "r", Reason: "no"}
		}
		return v, nil
	}}
	r := New(by)
	for _, rec := range []history.Record{
		{Decision: "allow", Shell: &yes, Cut: &no, Command: "ls", Dir: "/a"},
		{Decision: "allow", Shell: &yes, Cut: &no, Command: "ls", Dir: "/a"},
		{Decision: "ask", Shell: &yes, Cut: &no, Command: "ls", Dir: "/b"},
		{Decision: "ask", Shell: &yes, Cut: &no, Command: "rm x", Dir: "/b"},
		{Decision: "ask", Shell: &yes, Cut: &no, Command: "rm x", Dir: "/b"},
		{Decision: "ask", Shell: &yes, Cut: &no, Command: "curl -H " + mask.Mark, Dir: "/b", Agent: "claude"},
		{Decision: "ask", Shell: &yes, Cut: &yes, Command: "rm"},
		{Decision: "ask", Shell: &no, Cut: &no, Command: "write /x"},
		{Decision: "ask", Shell: &yes, Cut: &no, Permitted: true, Command: "rm"},
		{Event: "pause"},
	} {
		if err := r.Line(&rec); err != nil {
			t.Fatal(err)
		}
	}
	got := r.Result(history.Count{Lines: 11, Corrupt: 1})
	if got.Unchanged != 2 || got.Changed != 4 || got.Cut != 1 || got.NoShell != 1 || got.Other != 2 || got.Corrupt != 1 || len(got.Changes) != 3 || got.People != nil {
		t.Errorf("%+v", got)
	}
	if got.Changes[1] != (Times{Change{"ask", "deny", "r", "/b", "rm x", "no"}, 2}) {
		t.Errorf("%+v", got.Changes[1])
	}
	if n := judged[Call{Dir: "/a", Command: "ls"}]; n != 1 {
		t.Errorf("the same call is judged %d times", n)
	}
	if judged[Call{Dir: "/b", Command: "curl -H SECRET", Agent: "claude"}] != 1 {
		t.Errorf("judged: %v", judged)
	}
	var text strings.Builder
	got.Write(&text, screen.Style{})
	if want := "11 lines: 2 unchanged, 4 changed, 1 not whole, 1 not a shell command, 2 not a call, 1 not readable\n"; !strings.HasSuffix(text.String(), want) || !strings.Contains(text.String(), "ask -> deny  rm x  (2 times)") {
		t.Errorf("got\n%s", text.String())
	}
}

// With rules to compare with, what the log says does not count, and each person's
// share is told.
func TestReplayCompares(t *testing.T) {
	decision := func(d tool.Decision) func(Call) (tool.Verdict, error) {
		return func(c Call) (tool.Verdict, error) {
			if c.Command == "ls" {
				return tool.Verdict{Decision: tool.Allow}, nil
			}
			return tool.Verdict{Decision: d}, nil
		}
	}
	for _, test := range []struct {
		before, now          tool.Decision
		asked, denied, freed int
	}{
		{tool.Allow, tool.Ask, 1, 0, 0},
		{tool.Pass, tool.Deny, 0, 1, 0},
		{tool.Ask, tool.Deny, 0, 1, 0},
		{tool.Deny, tool.Ask, 0, 0, 1},
		{tool.Ask, tool.Allow, 0, 0, 1},
		{tool.Allow, tool.Pass, 0, 0, 0},
	} {
		r := New(Judges{Before: decision(test.before), Now: decision(test.now)})
		for _, rec := range []history.Record{
			{Decision: "deny", Tool: "Bash", Command: "x", Dir: "/home/ann/p"},
			{Decision: "deny", Tool: "Bash", Command: "ls", Dir: "/srv", User: "bob", Host: "h"},
			{Decision: "deny", Tool: "Bash", Command: "ls", Dir: "/srv"},
		} {
			if err := r.Line(&rec); err != nil {
				t.Fatal(err)
			}
		}
		got := r.Result(history.Count{})
		if got.Changed != 1 || len(got.People) != 3 {
			t.Fatalf("%v to %v: %+v", test.before, test.now, got)
		}
		ann, who := Person{}, ""
		for _, p := range got.People {
			if who += p.Who + " "; p.Who == "ann" {
				ann = *p
			}
		}
		if ann != (Person{"ann", 1, test.asked, test.denied, test.freed}) || !strings.Contains(who, "bob@h") || !strings.Contains(who, "somebody") {
			t.Errorf("%v to %v: %+v of %s", test.before, test.now, ann, who)
		}
	}
}

func TestReplayFails(t *testing.T) {
	bad := errors.New("no rules")
	fails := func(Call) (tool.Verdict, error) { return tool.Verdict{}, bad }
	works := func(Call) (tool.Verdict, error) { return tool.Verdict{}, nil }
	for _, by := range []Judges{{Now: fails}, {Before: fails, Now: works}, {Before: works, Now: fails}} {
		if err := New(by).Line(&history.Record{Decision: "ask", Tool: "Bash", Command: "x"}); !errors.Is(err, bad) {
			t.Errorf("got %v", err)
		}
	}
}
