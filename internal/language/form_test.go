package language

import (
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestForms: a program of which all is known but some numbers does what the same program
// does with any numbers in their places: with none, with several on lines of their own,
// with a negative one. Scripts for sed are held against the real one as well, which
// refuses in its sandbox what reads, writes or executes.
func TestForms(t *testing.T) {
	const mark = "\x01"
	sed, err := exec.LookPath("sed")
	refused := func(script string) bool {
		out, _ := exec.Command(sed, "--sandbox", "-n", "-e", script).CombinedOutput()
		return strings.Contains(string(out), "sandbox mode")
	}
	real := err == nil && refused("w x")
	pieces := map[string][]string{
		"sed": {
			mark, mark, mark + ",", "," + mark, "+" + mark, mark + "p", "p", "d", "q", "q" + mark, "=", ";", "\n", "{", "}", "!", "$", " ", "s/a/b/", "s", "y", "/", "e id", "w f", "r f",
			"a text", "i\\", "#", "-", "\\", "g", "1", "~" + mark, "s/a/b/" + mark, "l" + mark,
		},
		"awk": {
			mark, mark, "NR>=" + mark, "NR<=" + mark, " && ", " || ", "{print}", "{print $" + mark + "}", "{", "}", "print ", ";", "\n", "#", `"`, "/", "a", ".", "(", ")", "$", ">", "> " + mark,
			"system(" + mark + ")", `system("id")`, `| "id"`, "getline < " + mark, "1", "e", "x=" + mark, "-", "[" + mark + "]",
		},
	}
	rng := rand.New(rand.NewPCG(7, 8))
	read := 0
	for _, lang := range []string{"awk", "sed"} {
		list := pieces[lang]
		for range 60_000 {
			var b strings.Builder
			for range 1 + rng.IntN(6) {
				b.WriteString(list[rng.IntN(len(list))])
			}
			form := b.String()
			d, ok := ReadForm(lang, form, mark)
			if !ok || !strings.Contains(form, mark) {
				continue
			}
			read++
			for _, number := range []string{"", "7", "7\n8", "-3", "12"} {
				program := strings.ReplaceAll(form, mark, number)
				got, _ := Read(lang, program, nil)
				for _, deed := range got.List {
					if got.Problem == "" && !slices.ContainsFunc(d.List, func(x Deed) bool { return x.Kind == deed.Kind && (x.Open || x.Target == deed.Target && !deed.Open) }) {
						t.Errorf("%s: %q does %s, but %q does %s", lang, form, d.show(), program, got.show())
					}
				}
				if lang == "sed" && real && len(d.List) == 0 && read%97 == 0 && refused(program) {
					t.Errorf("%q looks harmless, but sed refuses %q in its sandbox", form, program)
				}
			}
		}
	}
	if read < 5000 {
		t.Errorf("only %d programs could be read", read)
	}
}
