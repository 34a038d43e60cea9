package shell

import (
	"os"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/scan"
	"longline/internal/tool"
)

// FuzzBash holds the reader against real bash on generated scripts.
func FuzzBash(f *testing.F) {
	for i := range 32 {
		seed := make([]byte, 64)
		for j := range seed {
			seed[j] = byte(i*31 + j*j*7 + j*i)
		}
		f.Add(seed)
	}
	rig := newBashRig(f)
	lib := testLibrary(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 512 {
			return
		}
		if strings.IndexByte(string(data), 0) > 400 {
			return
		}
		confirm(t, rig, lib, generate(data))
	})
}

// confirm fails if bash runs something that the reader does not see.
func confirm(t testing.TB, rig *bashRig, lib *command.Library, script string) bool {
	dir := rig.dir(t)
	r := newReader(rig.world(dir), lib)
	res := r.resolve(script, dir)
	if hasGap(res) {
		return true // nothing to confirm
	}
	for _, inv := range res.Invocations {
		for _, e := range inv.Effects {
			if e.Kind == tool.Execute {
				return true // a file that was written, with what may not be known
			}
		}
	}
	missed := hidden(res, rig.run(t, script, dir))
	for _, c := range missed {
		t.Errorf("%s\n---\n%q\nbash ran %q in %s, which is not in\n%s", script, script, c.argv, c.dir, listing(res))
	}
	return len(missed) == 0
}

// FuzzResolve: no text makes the reader panic or exceed its budget, every place
// it points at lies in the script, and what stands in front of a text that ends
// in a newline is seen whatever follows.
func FuzzResolve(f *testing.F) {
	text, err := os.ReadFile("testdata/confirm.txt")
	must(f, err)
	for i, line := range strings.Split(string(text), "\n") {
		if i%7 == 0 {
			f.Add(strings.NewReplacer("⏎", "\n", "⇥", "\t", "~", "").Replace(line))
		}
	}
	lib := testLibrary(f)
	f.Fuzz(func(t *testing.T, script string) {
		if len(script) > 8<<10 {
			return
		}
		for _, zsh := range []bool{false, true} {
			w := testWorld()
			w.Zsh = zsh
			r := newReader(w, lib)
			res := r.resolve(script, "/home/dev/proj")
			if r.steps > maxSteps+1000 || len(res.Invocations) > maxSteps {
				t.Fatalf("%d steps, %d invocations", r.steps, len(res.Invocations))
			}
			for _, inv := range res.Invocations {
				checkSpan(t, script, inv.Span)
				for _, w := range inv.Words {
					checkSpan(t, script, w.Span)
					if at, ok := w.At.Offset(); ok && (at+len(w.Text) > len(script) || script[at:at+len(w.Text)] != w.Text) {
						t.Fatalf("%q does not stand at %d of %q", w.Text, at, script)
					}
				}
			}
			for _, g := range res.Gaps {
				checkSpan(t, script, g.Span)
			}
			if !res.Parsed && len(res.Gaps) == 0 {
				t.Fatal("a script that does not parse must be a gap")
			}
		}
		r := newReader(testWorld(), lib)
		if res := r.resolve("rm -rf /first\n"+script, "/"); !covered(res, []string{"rm", "-rf", "/first"}) {
			t.Fatalf("what comes before %q is lost", script)
		}
	})
}

func checkSpan(t *testing.T, script string, s tool.Span) {
	if s.Start < 0 || s.End < s.Start || s.End > len(script) {
		t.Fatalf("span %v of a script of %d bytes", s, len(script))
	}
}

// FuzzQuoting: how a word is quoted does not change it.
func FuzzQuoting(f *testing.F) {
	for _, s := range []string{"a", "a b", "$x", "`b`", "a'b", `a"b`, "*", "~", "{a,b}", "#", `\`, "a\nb", "=x", "é", "!", "x=~"} {
		f.Add(s)
	}
	lib := testLibrary(f)
	f.Fuzz(func(t *testing.T, text string) {
		if why, _ := scan.Unreadable(text); why != "" || len(text) > 1<<10 {
			return
		}
		var escaped strings.Builder
		for i, c := range text {
			switch {
			case c == '\n':
				escaped.WriteString("$'\\n'")
			case c < 0x80 && !scan.IsNameByte(byte(c)) || i == 0:
				escaped.WriteByte('\\')
				escaped.WriteRune(c)
			default:
				escaped.WriteRune(c)
			}
		}
		if text == "" {
			escaped.WriteString(`""`)
		}
		double := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "$", `\$`, "`", "\\`").Replace(text)
		ansi := strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`, "\t", `\t`).Replace(text)
		single := strings.ReplaceAll(text, "'", `'\''`)
		for _, script := range []string{
			"x '" + single + "'", `x "` + double + `"`, "x $'" + ansi + "'", "x " + escaped.String(),
			"v='" + single + `'; x "$v"`, "set -- '" + single + `'; x "$1"`, "v=('" + single + `'); x "${v[@]}"`,
			"f() { x \"$1\"; }; f '" + single + "'", "bash -c 'x \"$1\"' _ '" + single + "'", "printf -v v %s '" + single + "'; x \"$v\"",
		} {
			r := newReader(testWorld(), lib)
			if res := r.resolve(script, "/"); !hasGap(res) && !covered(res, []string{"x", text}) {
				t.Fatalf("%s\nis not x %q but\n%s", script, text, listing(res))
			} else if hasGap(res) && !strings.ContainsAny(text, "$`\\") {
				t.Fatalf("%s\nis a gap: %v", script, res.Gaps)
			}
		}
	})
}

// FuzzWrapping: putting a script into something that runs it loses nothing.
func FuzzWrapping(f *testing.F) {
	for i := range 32 {
		seed := make([]byte, 48)
		for j := range seed {
			seed[j] = byte(i*17 + j*j*5 + j*i*3)
		}
		f.Add(seed)
	}
	lib := testLibrary(f)
	read := func(script string) (Result, bool) {
		r := newReader(testWorld(), lib)
		res := r.resolve(script, "/home/dev/proj")
		return res, hasGap(res)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 256 {
			return
		}
		script := generate(data)
		for _, word := range []string{"return", "local", "exec", "trap", "exit", "$?", "<<", "fd/", "set -e", "set -f", "declare", "typeset", "f()", "$0", "FUNCNAME"} {
			if strings.Contains(script, word) {
				return // means something else inside
			}
		}
		if strings.HasSuffix(strings.TrimRight(script, " \n"), "\\") {
			return // would join what is put behind it
		}
		want, gap := read(script)
		if gap {
			return
		}
		quoted := "'" + strings.ReplaceAll(script, "'", `'\''`) + "'"
		for _, wrapped := range []string{
			"( " + script + "\n)", "{ " + script + "\n}", "h() { " + script + "\n}; h", "eval " + quoted, "bash -c " + quoted,
			"if true; then " + script + "\nfi", "for once in 1; do " + script + "\ndone", "env bash -c " + quoted,
			"case x in x) " + script + "\nesac", "echo $( " + script + "\n)", "y | { " + script + "\n}",
		} {
			got, gap := read(wrapped)
			if gap {
				continue
			}
			// Past the bound on states words and directories are less well known,
			// which is wider and loses nothing.
			for _, inv := range want.Invocations {
				if argv, known := argv(inv); known && !covered(got, argv) {
					t.Fatalf("%s\nloses %q of\n%s\nand has\n%s", wrapped, argv, script, listing(got))
				}
			}
		}
	})
}

// argv is the argument vector of an invocation, if all of it is known.
func argv(inv *command.Invocation) ([]string, bool) {
	var argv []string
	for _, w := range inv.Words {
		if !w.IsKnown() {
			return nil, false
		}
		argv = append(argv, w.Text)
	}
	return argv, len(argv) > 0
}
