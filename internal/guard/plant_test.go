package guard_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"longline/internal/differ/grammar"
	"longline/internal/rulesfile"
	"longline/internal/tool"
)

// hides matches what may keep a planted command from being what it looks like, or
// from being on this machine. Then a question is enough.
var hides = regexp.MustCompile(`\balias\b|\b(rm|head)\s*\(\)|function (rm|head)|\bhash\b|\benable\b|PATH=|\bset -n\b|\bset -\w*n|noexec|\bmodule\b|command_not_found`)

// planted are commands that are put into scripts, by the strictest answer to each. No script
// makes functions of their names: then they would be harmless.
var planted = []string{"rm -rf /home/dev", "head /home/dev/.ssh/id_rsa"}

// scripts are those of the decisions, of the documents and, last, generated ones.
func scripts(t *testing.T, generated int) []string {
	var list []string
	for _, tests := range read(t, "testdata/decisions/*.yaml", rulesfile.ParseTests) {
		for _, test := range tests {
			list = append(list, test.Command)
		}
	}
	documents, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range documents {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, span := range regexp.MustCompile("`[^`\n]+`").FindAllString(string(text), -1) {
			list = append(list, strings.Trim(span, "`"))
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	g, err := grammar.New()
	if err != nil {
		t.Fatal(err)
	}
	for seed := range generated {
		list = append(list, strings.Join(g.Statements(rand.New(rand.NewPCG(uint64(seed), 2))), "\n"))
	}
	return list
}

// tiring takes all the steps that a script has.
const tiring = "tire() { tire; tire; }; tire\n"

// TestPlanted puts a command that is denied, and one that reads a secret, into every
// command position of every script there is. Nothing in a script takes an objection
// away, whether or not the reader thinks that the place is reached, and whether or not it
// is tired.
func TestPlanted(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	g := builtin(t)
	judge := func(script string) tool.Verdict {
		v, _ := g.Judge(attended(script), world())
		return v
	}
	every, generated := 31, 200
	if os.Getenv("LONGLINE_PLANT") == "all" {
		every, generated = 1, 2000
	}
	for _, harm := range planted {
		alone := judge(harm).Decision
		if alone < tool.Ask {
			t.Fatalf("%s alone is %s", harm, alone)
		}
		tried, missed, n := 0, 0, 0
		for _, script := range scripts(t, generated) {
			for _, at := range grammar.Positions(script) {
				if n++; n%every != 0 {
					continue
				}
				tried++
				with := script[:at] + harm + "; " + script[at:]
				if n%(5*every) == 0 {
					with = tiring + with
				}
				v := judge(with)
				if v.Decision >= alone || v.Decision == tool.Ask && (!v.Parsed || hides.MatchString(script)) {
					continue
				}
				if missed++; missed <= 20 {
					t.Errorf("%s\n\tis %s [%s] %s", with, v.Decision, v.Rule, v.Reason)
				}
			}
		}
		t.Logf("%s: %d places, %d missed", harm, tried, missed)
		if tried < 6000/every {
			t.Errorf("only %d places", tried)
		}
	}
}

// TestPlantedAsData puts the same text where nobody runs it: as an argument of
// echo, as a comment, as a here-document for cat. The answer stays what it is.
func TestPlantedAsData(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	g := builtin(t)
	judge := func(script string) tool.Decision {
		v, _ := g.Judge(attended(script), world())
		return v.Decision
	}
	tried := 0
	for i, script := range scripts(t, 0) {
		if i%31 != 0 && os.Getenv("LONGLINE_PLANT") != "all" || len(grammar.Positions(script)) == 0 || hides.MatchString(script) {
			continue
		}
		bare := judge(script)
		for _, with := range []string{
			"echo '" + planted[0] + "'\n" + script,
			"# " + planted[0] + "\n" + script,
			"cat <<'END_OF_DATA'\n" + planted[0] + "\nEND_OF_DATA\n" + script,
			"grep -c '" + planted[0] + "' README.md\n" + script,
		} {
			tried++
			if got := judge(with); got != bare && !(bare == tool.Deny && got == tool.Deny) {
				t.Errorf("%s\n\tis %s, and %s without the text", with, got, bare)
			}
		}
	}
	if tried < 200 {
		t.Errorf("only %d texts", tried)
	}
}
