package rulesfile

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"longline/internal/bench/cpu"
	"longline/internal/command"
	"longline/internal/policy"
	"longline/internal/tool"
)

// bounded runs f and says if it took too long or too much memory. The bounds
// are for the race detector on a busy machine; without any these inputs
// would take hours or all there is.
func bounded(t *testing.T, name string, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := cpu.Used()
	f()
	took := cpu.Used() - start
	runtime.ReadMemStats(&after)
	if took > patience {
		t.Errorf("%s: took %v", name, took)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 2<<30 {
		t.Errorf("%s: used %d MiB", name, used>>20)
	}
}

// Rules files made to be expensive are refused, with a message that can be read.
func TestBombs(t *testing.T) {
	var aliases strings.Builder
	aliases.WriteString("a0: &a0 [x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 30; i++ {
		fmt.Fprintf(&aliases, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 8), ", "))
	}
	rep := strings.Repeat
	for name, text := range map[string]string{
		"aliases":           aliases.String(),
		"alias of itself":   "version: 1\nrules: &r [*r]\n",
		"deep lists":        "version: 1\nrules: " + rep("[", 1_000_000),
		"closed deep lists": "version: 1\nrules: " + rep("[", 60_000) + rep("]", 60_000),
		"deep mappings":     rep("{a: ", 250_000),
		"deep indentation":  indented(1200),
		"deep dashes":       rep("- ", 500_000) + "x",
		"unknown keys":      "{" + rep("k: 1, ", 30_000) + "}",
		"long key":          rep("k", 1_000_000) + ": 1",
		"long word":         "version: 1\ndefault_decision: " + rep("allow", 200_000),
		"one long line":     "{version: 1, rules: [" + rep("{id: a}, ", 25_000) + "]}",
		"braces":            "version: 1\nallowlists: {paths: ['" + rep("{a,b}", 200) + "']}",
		"long glob":         "version: 1\nallowlists: {paths: ['" + rep("{a}", 300_000) + "']}",
		"open braces":       "version: 1\nallowlists: {paths: ['" + rep("{", 4000) + "']}",
		"nested braces":     "version: 1\nallowlists: {paths: ['" + rep("{a,", 1000) + "b" + rep("}", 1000) + "']}",
		"huge number":       "version: " + rep("9", 1_000_000),
		"huge days":         "version: 1\nlog: {keep: " + rep("9", 1_000_000) + "}",
		"too long":          rep(" ", 5<<20),
		"documents":         rep("---\n{}\n", 40_000),
		"includes":          "version: 1\ninclude: [" + rep("x.yaml, ", 100_000) + "]",
		"includes itself":   "version: 1\ninclude: rules.yaml\n",
		"NUL":               "version: 1\n" + rep("\x00", 1_000_000),
		"no UTF-8":          rep("\xff", 1_000_000),
		"carriage returns":  "version: 1\n" + rep("\r", 300_000) + "x",
		"comments":          rep("#\n", 150_000) + "x",
		"tabs":              rep("\t", 1_000_000) + "x: 1",
	} {
		t.Run(name, func(t *testing.T) {
			bounded(t, name, func() {
				_, err := Parse("rules.yaml", []byte(text), func(_, file string) (string, []byte, error) {
					if file == "rules.yaml" {
						return file, []byte(text), nil
					}
					return file, []byte("version: 1\n"), nil
				})
				if err == nil {
					t.Errorf("%s is accepted", name)
				} else if said := err.Error(); len(said) > 64<<10 {
					t.Errorf("%s: %d bytes are said", name, len(said))
				}
			})
		})
	}
}

func indented(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// A chain of includes ends.
func TestIncludeChains(t *testing.T) {
	next := func(from, name string) (string, []byte, error) {
		return name, []byte("version: 1\ninclude: [" + name + "a, " + name + "b]\n"), nil
	}
	bounded(t, "tree", func() {
		if _, err := Parse("r", []byte("version: 1\ninclude: [a, b]\n"), next); err == nil || !strings.Contains(err.Error(), "more than 64 files") {
			t.Errorf("got %v", err)
		}
	})
}

// Expressions and globs made to be expensive are refused, or cost what they should.
func TestPatternBombs(t *testing.T) {
	rep := strings.Repeat
	subject := rep("a", 20_000) + "!"
	for name, pattern := range map[string]string{
		"nested repetition": "^(a+)+$", "alternatives": "^(a|a|aa)+$", "long": rep("a?", 2000) + rep("a", 2000), "repetitions": "a" + rep("*", 8000), "groups": rep("(", 4000) + rep(")", 4000),
		"open groups": rep("(", 8000), "intervals": rep("(", 20) + "a" + rep("){9}", 20), "huge interval": "a{999999999999}", "brackets": rep("[", 8000), "classes": rep("[[:alpha:]]", 700), "too long": rep("a", 1<<20),
		"empty alternatives": rep("|", 8000), "operators": rep("*+?", 2500), "backslashes": rep(`\`, 7999),
	} {
		bounded(t, name, func() {
			text := fmt.Sprintf(`{"PreToolUse":{"Bash":[{"command":"rm","args":%q,"decision":"block","reason":"r"}]}}`, pattern)
			f, err := ParseHooksConfig("hooks.config.json", []byte(text))
			if err != nil {
				checkErrors(t, []byte(text), err)
				return
			}
			set, _, err := policy.Merge(nil, nil, f, nil)
			if err != nil {
				t.Fatal(err)
			}
			if v := set.Judge(&tool.Call{Shell: true}, []*command.Invocation{words("rm "+subject, true)}, nil, fuzzWorld); v.Decision < tool.Ask {
				t.Errorf("%s: %v", name, v.Decision)
			}
		})
	}
	for name, glob := range map[string]string{"stars": rep("*a", 2000), "double stars": rep("**/", 1300) + "x", "questions": rep("?", 4000), "classes": rep("[a-z]", 800), "mixed": rep("*?[!b]", 600) + "b", "choices": rep("{a}", 1300)} {
		bounded(t, name, func() {
			f, err := Parse("r", []byte("version: 1\nrules: [{id: x, decision: deny, match: {command: rm, args: '"+glob+"'}}]\nallowlists: {paths: ['/"+glob+"']}\n"), nil)
			if err != nil {
				t.Fatal(err)
			}
			set, _, err := policy.Merge(nil, nil, f, nil)
			if err != nil {
				t.Fatal(err)
			}
			if v := set.Judge(&tool.Call{Shell: true}, []*command.Invocation{words("rm "+subject, true)}, nil, fuzzWorld); v.Decision < tool.Ask {
				t.Errorf("%s: %v", name, v.Decision)
			}
		})
	}
}
