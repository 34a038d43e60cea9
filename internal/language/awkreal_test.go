package language

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// TestAwkReal holds the reader against gawk's own: a program that looks harmless
// must not, when gawk prints it back without running it, turn out to call
// system, to redirect, or to read from elsewhere.
func TestAwkReal(t *testing.T) {
	gawk, err := exec.LookPath("gawk")
	if err != nil {
		t.Skip("gawk is not installed; .ci/tools installs it")
	}
	pieces := []string{
		`system(1)`, `"x"`, `/`, `/re/`, `"`, `#`, "\n", `;`, `{`, `}`, `print `, `$1`, ` > `, `>"f"`, `| "c"`, `getline `, `< "f"`, `if (`, `)`, `a`, `1`, `[`, `]`, `,`, ` in `, `++`,
		"\\\n", `while (`, `BEGIN `, `(`, `a[1]`, `/"/`, `else `, `do `, `&&`, `~ `, `!`, `length `, `? `, `: `, `-`, `printf `, `delete a`, `/[/]/`, `\`, `for (`,
	}
	rng := rand.New(rand.NewPCG(5, 6))
	n := 300
	if testing.Short() {
		n = 30
	}
	for checked := 0; checked < n; {
		var b strings.Builder
		for range 2 + rng.IntN(9) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		program := b.String()
		if d := awkDeeds(program, ""); d.Problem != "" || len(d.List) > 0 || !strings.ContainsAny(program, "s>|<") {
			continue
		}
		checked++
		// A program that begins with a dash would be read as a flag, and a flag may
		// name a file to write.
		cmd := exec.Command(gawk, "-o-", "--", program)
		cmd.Dir = t.TempDir()
		out, err := cmd.Output()
		if err != nil {
			continue // no awk program at all
		}
		code := bare(string(out))
		if strings.Contains(code, "\x00system(") || strings.Contains(code, "|") && !strings.Contains(code, "||") || strings.Contains(code, "getline <") || strings.Contains(code, "getline a <") || redirects(code) {
			t.Errorf("%q looks harmless, but gawk reads it as\n%s", program, out)
		}
	}
}

// redirects says whether a print statement of a program that gawk has printed
// redirects: ">" outside of parentheses.
func redirects(code string) bool {
	for line := range strings.SplitSeq(code, "\n") {
		at := strings.Index(line, "print")
		if at < 0 {
			continue
		}
		depth := 0
		for _, c := range line[at:] {
			switch c {
			case '(', '[':
				depth++
			case ')', ']':
				depth--
			case '>':
				if depth == 0 {
					return true
				}
			}
		}
	}
	return false
}

// bare takes strings, regular expressions and comments out of a program as gawk
// prints it, where an operator has blanks around it. It puts a mark in front of
// each name.
func bare(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		word := i > 0 && isWordByte(text[i-1])
		switch {
		case c == '"' || c == '/' && i+1 < len(text) && text[i+1] != ' ' && text[i+1] != '=' || c == '/' && i > 0 && strings.IndexByte("\t(! ~\n", text[i-1]) >= 0 && !strings.HasPrefix(text[i:], "/ "):
			for i++; i < len(text) && text[i] != c && text[i] != '\n'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case c == '#':
			for i < len(text) && text[i] != '\n' {
				i++
			}
			b.WriteByte('\n')
		default:
			if isLetter(c) && !word {
				b.WriteByte(0)
			}
			b.WriteByte(c)
		}
	}
	return b.String()
}
