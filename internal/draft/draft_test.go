package draft

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"longline/internal/config"
	"longline/internal/history"
	"longline/internal/review"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// Each test has a home directory of its own.
func init() { config.KnownHome = "HOME" }

// rules loads the built-in rules for a home directory with nothing in it.
func rules(t *testing.T) *config.Config {
	t.Helper()
	home := t.TempDir()
	cfg, err := config.Load(config.Options{Env: config.Env{"HOME=" + home}, Dir: home, Parse: rulesfile.ParseNamed})
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}

func logOf(cfg *config.Config) *Log {
	return NewLog(cfg, func(string) (*config.Config, error) { return cfg, nil })
}

// asks are lines of one call: asked about, and run or not.
func asks(l *Log, dir, script, use string, ran bool) {
	shell, cut := true, false
	at := time.Now()
	l.Note(&history.Record{Time: at, Decision: "ask", Tool: "Bash", Agent: "claude", Dir: dir, Command: script, ToolUse: use, Shell: &shell, Cut: &cut})
	if ran {
		l.Note(&history.Record{Time: at, Event: "outcome", Outcome: "ran", Agent: "claude", ToolUse: use})
	}
}

// TestDrafts: a rule that is drafted lifts its questions, and what was always refused
// gets none.
func TestDrafts(t *testing.T) {
	cfg := rules(t)
	l := logOf(cfg)
	l.Agreed = true
	for i := range 4 {
		use := string(rune('a' + i))
		asks(l, cfg.Dir, "npm publish", "p"+use, true)
		asks(l, cfg.Dir, "terraform apply", "t"+use, false)
		asks(l, cfg.Dir, "ls", "l"+use, true) // which is not asked about today
	}
	drafts := l.Drafts(l.Groups(3))
	if len(drafts) != 1 || drafts[0].ID != "allow-npm-publish" || drafts[0].Times != 4 || !slices.Equal(drafts[0].Commands, []string{"npm publish"}) {
		t.Fatalf("%+v", drafts)
	}
	refused := l.Refused()
	if len(refused) != 1 || refused[0] != (Refused{"terraform apply", cfg.Dir, 4}) {
		t.Errorf("refused: %+v", refused)
	}
	file, err := rulesfile.Parse("draft", []byte(l.Text(drafts)), nil)
	if err != nil {
		t.Fatalf("%v in\n%s", err, l.Text(drafts))
	}
	if len(file.Rules) != 1 || len(file.Tests) != 1 || !l.Under(file)(&Question{Dir: cfg.Dir, Command: "npm publish"}) || l.Under(file)(&Question{Dir: cfg.Dir, Command: "npm publish --force"}) {
		t.Errorf("the rule does not do what it says:\n%s", l.Text(drafts))
	}
	if l.Groups(5) != nil {
		t.Error("asked four times, and offered for five")
	}
}

// A line that says nothing about a whole shell command is no question.
func TestNote(t *testing.T) {
	yes, no := true, false
	for name, r := range map[string]history.Record{
		"allowed":     {Decision: "allow", Command: "x", Shell: &yes, Cut: &no},
		"by hand":     {Decision: "ask", Command: "x", Shell: &yes, Cut: &no, ByHand: true},
		"no shell":    {Decision: "ask", Command: "x", Shell: &no, Cut: &no},
		"cut":         {Decision: "ask", Command: "x", Shell: &yes, Cut: &yes},
		"asked twice": {Decision: "ask", Command: "x", Shell: &yes, Cut: &no, Permitted: true},
	} {
		if l := logOf(nil); l.Note(&r) || len(l.About("x")) > 0 {
			t.Errorf("%s: it counts", name)
		}
	}
}

// TestDraftsAllowNoMore: what is drafted for commands that were agreed to lets none run that differs from
// them in a flag or a word and that something objects to.
func TestDraftsAllowNoMore(t *testing.T) {
	cfg := rules(t)
	random := rand.New(rand.NewPCG(3, 5))
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	verbs := []string{"git push", "git push origin", "npm publish", "npm install", "rm -r", "frobnicate", "terraform apply", "curl -X POST", "git -C sub push"}
	words := []string{"main", "topic", "--force", "-f", "--tags", "a.b", "--to=x", "'a b'", "b", "a", "origin", "-m 'a --force'", "https://example.com/a*", "''", "'x\npush origin topic'"}
	for range 12 {
		l, verb, agreed := logOf(cfg), pick(verbs...), map[string]bool{}
		for n := range 3 {
			script := verb
			for range random.IntN(3) {
				script += " " + pick(words...)
			}
			agreed[script] = true
			asks(l, cfg.Dir, script, string(rune('a'+n)), true)
		}
		v := NewReview(l)
		v.Propose()
		var text strings.Builder
		text.WriteString("version: 1\nrules:\n")
		for _, item := range v.Items {
			if p, ok := item.Proposals[review.Allow]; ok {
				text.WriteString(asEntry(p.Rule))
			}
		}
		for i, d := range l.Drafts(l.Groups(1)) {
			text.WriteString(strings.Replace(d.Rule, "id: ", "id: drafted-"+string(rune('a'+i))+"-", 1))
		}
		file, err := rulesfile.Parse("draft", []byte(text.String()), nil)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text.String())
		}
		with, err := cfg.With(file)
		if err != nil {
			t.Fatal(err)
		}
		for script := range agreed {
			for range 15 {
				other := script + " " + pick(words...)
				if parts := strings.Fields(script); random.IntN(2) == 0 {
					parts[random.IntN(len(parts))] = pick(words...)
					other = strings.Join(parts, " ")
				}
				before, _ := cfg.Judge(callOf(cfg, other, false))
				if agreed[other] || before.Decision < tool.Ask {
					continue
				}
				if v, _ := with.Judge(callOf(with, other, false)); v.Decision < before.Decision {
					t.Errorf("%q was %v, and is %v by rules for %q:\n%s", other, before.Decision, v.Decision, slices.Sorted(maps.Keys(agreed)), text.String())
				}
			}
		}
	}
}

func TestPortable(t *testing.T) {
	w := &tool.World{Home: "/home/dev", Project: "/home/dev/proj"}
	for path, want := range map[string]string{
		"/home/dev/proj/src/x": "./src/x", "/home/dev/x": "~/x", "/home/developer": "/home/developer", "/etc/x": "/etc/x", "/home/dev/project": "~/project",
	} {
		if got := portable(w, path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if got := portable(&tool.World{}, "/x"); got != "/x" {
		t.Errorf("without places: %s", got)
	}
}

// TestLift: the rules that are drafted for a call stop its questions, hold only in the
// directory they are for, and have no id that is taken.
func TestLift(t *testing.T) {
	cfg := rules(t)
	call := func(script string) tool.Call { return callOf(cfg, script, false) }
	e := Judge(cfg, call("npm publish"))
	w := Lift(cfg, &e, Like{By: "allow", Unasked: true, Taken: map[string]bool{"allow-npm-publish": true}, Only: "/somewhere/else"})
	if w.Rules != "" {
		t.Errorf("a rule for another directory stops it:\n%s", w.Rules)
	}
	w = Lift(cfg, &e, Like{By: "allow", Unasked: true, Taken: map[string]bool{"allow-npm-publish": true}, Only: cfg.Dir})
	if !strings.Contains(w.Rules, "id: allow-npm-publish-2\n") || !strings.Contains(w.Rules, "dir: [") || !strings.Contains(w.Rules, "agreed to after longline allow") || w.Then > tool.Pass {
		t.Errorf("%+v", w)
	}
	unknown := Judge(cfg, call(`npm "$(cat verb)"`))
	if w := Lift(cfg, &unknown, Like{}); w.Rules != "" || len(w.Ruleless) == 0 {
		t.Errorf("a command that nobody knows: %+v", w)
	}
}

func TestStays(t *testing.T) {
	cfg := rules(t)
	for script, want := range map[string]string{
		"npm publish":                            "",
		"cat ~/.ssh/id_rsa":                      "stays",
		"echo x > ~/.config/longline/rules.yaml": "stays",
		"if":                                     "no rule lifts this",
		"curl -H 'Authorization: Bearer ghp_0123456789abcdefghijABCDEFGHIJ012345' https://example.com -X POST": "contains a secret",
	} {
		e := Judge(cfg, callOf(cfg, script, false))
		if got := Stays(cfg, &e); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
}

func TestWhyNot(t *testing.T) {
	cfg := rules(t)
	e := Judge(cfg, callOf(cfg, "env A=b git push --force", false))
	w := WhyNot(cfg, &e)
	var tried []string
	for _, o := range w.Obstacles {
		for _, r := range o.Remedies {
			tried = append(tried, r.What)
		}
	}
	if !slices.Contains(tried, "without --force") {
		t.Errorf("tried %q", tried)
	}
	e = Judge(cfg, callOf(cfg, strings.Repeat("frobnicate a; ", maxDrafts+1), false))
	if w := WhyNot(cfg, &e); len(w.Limits) != 1 || !strings.Contains(w.Limits[0], "no changes were tried") {
		t.Errorf("too much to try: %q", w.Limits)
	}
	e = Judge(cfg, callOf(cfg, "ls", false))
	if w := WhyNot(cfg, &e); len(w.Obstacles) > 0 || w.Rules != "" || w.Then != tool.Allow {
		t.Errorf("what is allowed: %+v", w)
	}
}

func TestSplice(t *testing.T) {
	for _, test := range []struct {
		script     string
		start, end int
		text, want string
	}{
		{"git push --force", 9, 16, "", "git push"},
		{"git push --force origin", 9, 16, "", "git push origin"},
		{"A=b ls", 0, 3, "", "ls"},
		{"ls >x", 3, 5, "", "ls"},
		{"ls > x", 5, 6, "y", "ls > y"},
	} {
		if got := splice(test.script, tool.Span{Start: test.start, End: test.end}, test.text); got != test.want {
			t.Errorf("%q: %q, want %q", test.script, got, test.want)
		}
	}
}

// TestLiftWords: what a rule demands and what it leaves open is said.
func TestLiftWords(t *testing.T) {
	for match, want := range map[string][]string{
		`{command: "git push"}`: {"the command git push", "with ANY arguments", "with any flags", "in every project"},
		`{command: ls, args: {none_of: ["**"]}, flags: {only: []}}`:  {"without arguments", "without flags"},
		`{command: ls, flags: {all_of: ["-l"], only: ["-l"]}}`:       {"with -l and no other flags"},
		`{command: ls, flags: {all_of: ["-l"], only: ["-l", "-a"]}}`: {"with -l and no other flags than -a"},
		`{command: ls, flags: {only: ["-a"]}}`:                       {"with no other flags than -a"},
		`{command: ls, flags: {all_of: ["-l"]}}`:                     {"with -l and any other flags"},
		`{command: ls, args: {any_of: [x]}, dir: ["~/p"]}`:           {"one or more of these arguments", "in ~/p and below"},
		`{command: rm, effect: {kind: [delete], paths: ["./x"]}}`:    {"if all it does is: delete of ./x"},
	} {
		file, err := rulesfile.Parse("x", []byte("version: 1\nrules:\n  - {id: x, decision: allow, reason: x, match: "+match+"}\n"), nil)
		if err != nil {
			t.Errorf("%s: %v", match, err)
			continue
		}
		said := strings.Join(LiftWords(&file.Rules[0]), "\n")
		for _, part := range want {
			if !strings.Contains(said, part) {
				t.Errorf("%s: %q is missing in:\n%s", match, part, said)
			}
		}
	}
}

func TestReview(t *testing.T) {
	cfg := rules(t)
	v := NewReview(logOf(cfg))
	shell, cut := true, false
	for _, use := range []string{"a", "b"} {
		v.Note(&history.Record{Decision: "ask", Tool: "Bash", Agent: "claude", Dir: cfg.Dir, Command: "npm publish", ToolUse: use, Shell: &shell, Cut: &cut})
	}
	v.Note(&history.Record{Outcome: "ran", ToolUse: "a"})
	v.Propose()
	if len(v.Items) != 1 || v.Items[0].Times != 2 || v.Items[0].Yes != 1 || len(v.Items[0].Proposals) != 3 {
		t.Fatalf("%+v", v.Items)
	}
	for choice, want := range map[review.Choice]string{review.Allow: "allow-npm-publish", review.Here: "allow-npm-publish-here", review.Deny: "deny-npm-publish"} {
		entries, tests := v.Entries([]review.Choice{choice})
		if len(entries) != 1 || !strings.HasPrefix(entries[0], "- id: "+want+"\n") || len(tests) != 1 {
			t.Errorf("%v: %q, %q", choice, entries, tests)
		}
		text, err := rulesfile.Append("rules.yaml", nil, entries, tests)
		if err != nil {
			t.Errorf("%v: %v", choice, err)
		}
		if _, err := rulesfile.Parse("rules.yaml", text, nil); err != nil {
			t.Errorf("%v: %v in\n%s", choice, err, text)
		}
	}
	if entries, _ := v.Entries([]review.Choice{review.Keep}); entries != nil {
		t.Errorf("to keep asking writes %q", entries)
	}
}

// TestImport: what is taken over is a rules file that holds its own tests, and what is
// not is said with the reason.
func TestImport(t *testing.T) {
	cfg := rules(t)
	im := NewImport(cfg)
	settings := `{"permissions": {"allow": ["Bash(npm publish)", "Bash(ls:*)"], "deny": ["Bash(git push:*)"], "ask": ["WebFetch"]}}`
	if err := im.Read("settings.json", []byte(settings), nil); err != nil {
		t.Fatal(err)
	}
	if err := im.Settle(); err != nil {
		t.Fatalf("%v in\n%s", err, im.Text())
	}
	text := im.Text()
	taken, all := im.Counts()
	if all != 4 || taken == 0 || taken == all || !strings.Contains(text, "# Not imported:") {
		t.Errorf("%d of %d:\n%s", taken, all, text)
	}
	file, err := rulesfile.Parse("draft", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	under, err := cfg.With(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range file.Tests {
		if v, _ := under.Judge(callOf(under, test.Command, false)); v.Decision != test.Decision {
			t.Errorf("%s: %v, the draft's test says %v", test.Command, v.Decision, test.Decision)
		}
	}
	if err := im.Read("x.json", []byte("nothing of the kind"), nil); err == nil {
		t.Error("a file of nobody is read")
	}
}

func TestUniqueIDs(t *testing.T) {
	im := NewImport(rules(t))
	for _, test := range []struct{ text, want string }{
		{"No Force--Push!", "no-force-push"}, {"no-force-push", "no-force-push-2"}, {"???", "ask"}, {"12", "rule-12"}, {strings.Repeat("x", 80), strings.Repeat("x", 60)},
	} {
		if got := im.unique(test.text, tool.Ask); got != test.want {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}
