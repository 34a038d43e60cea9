package shell

import (
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// TestPrinted holds what is believed of what echo, printf and filters print against the shells
// and programs themselves: of many random words, all that is known of the output must be so in
// every shell.
func TestPrinted(t *testing.T) {
	lib := testLibrary(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	var scripts []string
	words, inputs := 400, 60
	if sampled() {
		words, inputs = 40, 6
	}
	for range words {
		scripts = append(scripts, randomPrintf(rnd), randomEcho(rnd), randomPart(rnd))
	}
	for _, f := range filters {
		for range inputs {
			scripts = append(scripts, randomFilter(rnd, f))
		}
	}
	for _, sh := range []string{"bash", "zsh", "dash"} {
		t.Run(sh, func(t *testing.T) {
			if _, err := exec.LookPath(sh); err != nil {
				t.Skip(sh + " is not installed; .ci/tools installs it")
			}
			known := 0
			for i, got := range shellPrints(t, sh, scripts) {
				d := streamBelieved(lib, sh, scripts[i])
				if d.Reach == tool.Exact && d.Text != "" {
					known++
				}
				if !mayBe(d, got) {
					t.Errorf("%s prints %q, believed: %v %q", scripts[i], got, d.Reach, d.Text)
				}
			}
			if known < len(scripts)/10 {
				t.Errorf("only %d of %d outputs are known", known, len(scripts))
			}
		})
	}
}

// filters are programs that compute something of their input, with the tokens that it is made of.
var filters = []struct {
	needs, command string
	tokens         []string
}{
	{"base64", "base64 -d", []string{"YS8u", "Li4=", "YQ==", "Lg", " ", "\n", "=", "Y", "-_", "/+8=", "AGEA", "YR=="}},
	{"base64", "base64 -di", []string{"YS8u", "Li4=", "-", "\n"}},
	{"xxd", "xxd -r -p", []string{"61", "2f2e", "2E", "6", " ", "\n", "zz", "0x61", "00", "616263646566676869"}},
	{"xxd", "xxd -r", []string{"\n0: 61", "\n2 2f2e", "\n3: 6162"}},
	{"xxd", "xxd -p -r -s 1", []string{"61", "2f2e"}},
	{"rev", "rev", []string{"a", "b/", "..", "\n", "é", " ", "\t", "\r"}},
	{"rev", "rev -0", []string{"a", "b/", "\n"}},
	{"cat", "cat", []string{"a", "\n", "../"}},
}

var (
	formats = []string{
		"a", "/", ".", "..", "%s", "%s", "%s", "%d", "%b", "%b", "%%", "%", "%c", "%5s", "%-5s", "%.1s", "%5.3s", "%q", "%i", "%x", "%u",
		"%o", "%(%Y)T", "%z", "%5%", "%1$s", `\n`, `\t`, `\\`, `\x2f`, `\x2e`, `\x2`, `\x`, `\x25`, `\x00`, `\057`, `\0057`, `\0`, `\c`, `\e`,
		`\u002f`, `\U0000002f`, `\"`, `\z`, `\`, "-", " ", "é",
	}
	printfWords = []string{
		"", "a", "..", "/", "7", "0", "007", "-3", "+3", "0x1f", "1a", "1 ", "'a", `a\tb`, `a\x2fb`, `\x2e`, `a\cb`, `\0057`, `\57`, `\`, `\z`,
		"%s", "-n", "--", "-", "a b", "é", "999999999999999999", "9999999999999999999",
	}
	echoWords = []string{"-n", "-e", "-E", "-ne", "-en", "-x", "-nx", "-", "--", "a", "..", "", `a\tb`, `\x2f`, `\0057`, `\c`, `\\`, `\`, "é", "b c"}
	pathParts = []string{"a", "b.c", ".c", "/", "//", "..", ".", "./", "-"}
)

func randomPrintf(r *rand.Rand) string {
	words := []string{"printf", some(r, formats, 5)}
	if r.IntN(6) == 0 {
		words = []string{"printf", "--", words[1]}
	}
	for range r.IntN(4) {
		words = append(words, pick(r, printfWords))
	}
	return quoted(words)
}

func randomEcho(r *rand.Rand) string {
	words := []string{"echo"}
	for range r.IntN(5) {
		words = append(words, pick(r, echoWords))
	}
	return quoted(words)
}

func randomPart(r *rand.Rand) string {
	words := []string{pick(r, []string{"dirname", "basename"}), some(r, pathParts, 6)}
	if r.IntN(3) == 0 {
		words = append(words, pick(r, []string{".c", "a", "/", ""}))
	}
	return quoted(words)
}

func randomFilter(r *rand.Rand, f struct {
	needs, command string
	tokens         []string
},
) string {
	if _, err := exec.LookPath(f.needs); err != nil {
		return "echo a"
	}
	return "printf %s " + quote(some(r, f.tokens, 6)) + " | " + f.command
}

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

func some(r *rand.Rand, list []string, most int) string {
	var b strings.Builder
	for range 1 + r.IntN(most) {
		b.WriteString(pick(r, list))
	}
	return b.String()
}

// quoted is a command of some words.
func quoted(words []string) string {
	list := words[:1:1]
	for _, w := range words[1:] {
		list = append(list, quote(w))
	}
	return strings.Join(list, " ")
}

func quote(w string) string { return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'" }

// shellPrints is what a shell prints for each of some scripts.
func shellPrints(t *testing.T, sh string, scripts []string) []string {
	t.Helper()
	const mark = "<<next>>"
	var b strings.Builder
	for _, s := range scripts {
		b.WriteString("(" + s + ") 2>/dev/null\nprintf %s '" + mark + "'\n")
	}
	args := map[string][]string{"zsh": {"-f"}}[sh]
	c := exec.Command(sh, args...)
	c.Dir, c.Env = t.TempDir(), append(c.Environ(), "LC_ALL=C.UTF-8")
	c.Stdin = strings.NewReader(b.String())
	pipe, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	out, err := io.ReadAll(io.LimitReader(pipe, 1<<20))
	must(t, err)
	_ = c.Process.Kill() // it has ended, or prints without end
	_ = c.Wait()
	list := strings.Split(string(out), mark)
	if len(list) != len(scripts)+1 {
		t.Fatalf("%s did not come to the end of: %s", sh, scripts[len(list)-1])
	}
	return list[:len(scripts)]
}

// believed is what is known of what a script prints.
func streamBelieved(lib *command.Library, sh, script string) command.Data {
	w := testWorld()
	if w.Zsh = sh == "zsh"; sh == "dash" {
		script = "sh -c " + quote(script)
	}
	list := Resolve(script, "/home/dev/proj", w, lib).Invocations
	if len(list) == 0 {
		return command.Data{}
	}
	return list[len(list)-1].Output
}

// mayBe says whether a text is one of those that a stream may hold.
func mayBe(d command.Data, text string) bool {
	// others: nothing is known.
	switch d.Reach {
	case tool.Exact:
		return text == d.Text || text == "" && d.Hollow
	case tool.Prefix:
		return strings.HasPrefix(text, d.Text)
	}
	return true
}
