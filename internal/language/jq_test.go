package language

import (
	"strings"
	"testing"
)

func TestJq(t *testing.T) {
	for _, c := range []struct{ filter, want string }{
		{".", "nothing"},
		{".a.env | .environment", "nothing"},
		{`.[] | select(.name == "env") | {name, env, x: .y}`, "nothing"},
		{`{env: 1}`, "nothing"},
		{`def f(g): g | length; f(.a)`, "nothing"},
		{`.a as $x | "\($x | tostring) of \(.n)"`, "nothing"},
		{`to_entries | map("\(.key)=\(.value)") | .[] | @sh`, "nothing"},
		{`# env` + "\n.", "nothing"},
		{`$ENV.HOME`, "nothing"},
		{`env["PATH"]`, "nothing"},
		{`$ENV."HOME"`, "nothing"},
		{`env.["HOME"]`, "nothing"},
		{`$ENV."TO\u004bEN"`, "control env.dump"},
		{`$ENV."TO\("KEN")"`, "control env.dump"},
		{"# \\\n\"\nenv\n#\"", "problem"},
		{`env.API_KEY`, "control env.dump"},
		{`env`, "control env.dump"},
		{`$ENV`, "control env.dump"},
		{`"x\(env)"`, "control env.dump"},
		{`[1, env]`, "control env.dump"},
		{`$ENV | keys`, "control env.dump"},
		{`import "m" as m; m::f`, "execute ?, problem"},
		{`include "m"; .`, "execute ?"},
		{`.a = load("b.yml")`, "read b.yml"},
		{`load_str(.path)`, "read ?"},
		{`.a = strenv(NAME)`, "nothing"},
		{`.a = env(TOKEN)`, "control env.dump"},
		{`.a = env(HOME | tostring)`, "control env.dump"},
		{`.a = env("HOME")`, "control env.dump"},
		{`env["HOME", "PATH"]`, "control env.dump"},
		{`.a |= envsubst`, "control env.dump"},
		{`system("id")`, "execute ?"},
		{`frobnicate`, "problem"},
		{`"abc`, "problem"},
		{`.a)`, "problem"},
		{`.services | keys`, "nothing"},
		{`.a //= "b" | ..|.c? // empty`, "nothing"},
		{`sort_by(.a) | reverse | .[0:3]`, "nothing"},
	} {
		if got := jqDeeds(c.filter).show(); got != c.want {
			t.Errorf("%s\n  does: %s\n  want: %s", c.filter, got, c.want)
		}
	}
}

func FuzzJq(f *testing.F) {
	f.Add(`.a | "\(env)" | {b: $ENV.X}`)
	f.Fuzz(func(t *testing.T, filter string) {
		d := jqDeeds(filter)
		if d.Problem != "" {
			return
		}
		// What is piped on behind a filter is seen whatever stands before it.
		if after := jqDeeds(filter + "\n| env"); after.Problem == "" && len(after.List) <= len(d.List) {
			t.Errorf("%q hides what follows it", filter)
		}
	})
}

// TestQuote: what is shown of a word stays short, and whole letters.
func TestQuote(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "x", 79: strings.Repeat("x", 79), 80: strings.Repeat("x", 80), 81: strings.Repeat("x", 80) + "…", 500: strings.Repeat("x", 80) + "…"} {
		if got := Quote(strings.Repeat("x", n)); got != `"`+want+`"` {
			t.Errorf("%d letters: %s", n, got)
		}
	}
	if got, want := Quote(strings.Repeat("x", 79)+"é"), `"`+strings.Repeat("x", 79)+`…"`; got != want {
		t.Errorf("half a letter: %s", got)
	}
}

func TestHasWord(t *testing.T) {
	const list = "tree aab\nab e"
	for name, want := range map[string]bool{"tree": true, "e": true, "ab": true, "aab": true, "a": false, "b": false, "re": false, "ee": false, "tre": false, "": false} {
		if got := HasWord(list, name); got != want {
			t.Errorf("HasWord(%q) = %v", name, got)
		}
	}
	if HasWord("tree", "e") || HasWord("xee", "e") {
		t.Error("a letter of a word is no word")
	}
}
