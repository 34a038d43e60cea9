package language

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
)

// show writes deeds in one line for tables.
func (d Deeds) show() string {
	var parts []string
	for _, x := range d.List {
		target := x.Target
		if x.Open {
			target += "?"
		}
		if x.Home {
			target = "~/" + target
		}
		if x.Words != nil {
			var words []string
			for _, w := range x.Words {
				if !w.Known {
					w.Text = "?"
				}
				words = append(words, w.Text)
			}
			target = "[" + strings.Join(words, " ") + "]"
		}
		if x.Dir != "" {
			target += " in " + x.Dir
		}
		kind := x.Kind.String()
		if x.Tree {
			kind += "-tree"
		}
		parts = append(parts, kind+" "+target)
	}
	for _, a := range d.Sets {
		parts = append(parts, "sets "+a[0]+"="+a[1])
	}
	for _, a := range d.Paths {
		parts = append(parts, "searches "+a.Text)
	}
	if d.Loads {
		parts = append(parts, "loads")
	}
	for _, n := range d.Needs {
		if strings.ContainsAny(n, "./") || len(d.Calls) > 0 && !d.Loads {
			parts = append(parts, "needs "+n)
		}
	}
	if len(d.Calls) > 0 {
		parts = append(parts, "calls "+strings.Join(d.Calls, " "))
	}
	if d.Problem != "" {
		parts = append(parts, "problem")
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

func TestSed(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"s/a/b/g", "nothing"},
		{"s/a/b/gI;s|x|y|2p", "nothing"},
		{"1,5p", "nothing"},
		{"$!N;P;D", "nothing"},
		{"/a/,/b/{/c/d;s/x/y/}", "nothing"},
		{":a;N;$!ba;s/\\n/ /g", "nothing"},
		{":a;$!{N;ba};s/[^/]*$//", "nothing"},
		{"0~3d", "nothing"},
		{"\\,/etc,d", "nothing"},
		{"/x/a w /etc/passwd", "nothing"},
		{"i\\\ntext\\\nw more", "nothing"},
		{"y/abc/xyz/", "nothing"},
		{"# w file\np", "nothing"},
		{"s/[]/]/x/", "nothing"},
		{"s/[[:space:]]*$//", "nothing"},
		{"2q", "nothing"},
		{"w out.txt", "write out.txt"},
		{"/x/w out;p", "write out;p"},
		{"s/a/b/w /etc/x", "write /etc/x"},
		{"s/a/b/gpw out", "write out"},
		{"s/a/b/ w out", "write out"},
		{"r /etc/shadow", "read /etc/shadow"},
		{"R list\nW out", "read list, write out"},
		{"1e rm -rf x", "execute rm -rf x"},
		{"e", "execute ?"},
		{"s/a/b/e", "execute ?"},
		{"s/x/id/ep", "execute ?"},
		{"s/a;b/c/\nw f", "write f"},
		{"a foo\nw f", "write f"},
		{":x w f", "write f"},
		{"bx;w f", "write f"},
		{"$!{p}\ne id", "execute id"},
		{"{p", "problem"},
		{"p}", "problem"},
		{"s/a/b", "problem"},
		{"k", "problem"},
		{"s/[\\]/]/x/", "problem"},
		{".bak", "problem"},
		{"p x", "problem"},
		{"p; ;p", "nothing"},
		{"", "nothing"},
		{"  ", "nothing"},
		{" \tp", "nothing"},
		{"\n \n", "nothing"},
	} {
		if got := sedDeeds(c.script, "").show(); got != c.want {
			t.Errorf("%q\n  does: %s\n  want: %s", c.script, got, c.want)
		}
	}
}

// What puts lines in is told from what changes some.
func TestSedInserts(t *testing.T) {
	for script, want := range map[string]bool{"a foo": true, "1i\\\nfoo": true, "/x/c foo": true, "s/a/b/": false, "y/a/b/": false, "p": false} {
		if got := sedDeeds(script, "").Inserts; got != want {
			t.Errorf("%q: %v", script, got)
		}
	}
}

// TestSedSandbox holds the reader against the real thing: a script that GNU sed
// refuses in its sandbox mode because it reads, writes or executes must never
// look harmless. The sandbox keeps sed from doing any of it.
func TestSedSandbox(t *testing.T) {
	sed, err := exec.LookPath("sed")
	if err != nil {
		t.Skip("sed is not installed; install the package sed")
	}
	refused := func(script string) bool {
		cmd := exec.Command(sed, "--sandbox", "-n", "-e", script)
		out, _ := cmd.CombinedOutput()
		return strings.Contains(string(out), "sandbox mode")
	}
	if !refused("w x") {
		t.Skip("sed has no sandbox mode")
	}
	pieces := []string{
		"s/a/b/", "s,x,y,", "/", "\\", "[", "]", "[/]", "[^/]", "w f", "e id", "r f", "p", ";", "\n", "{", "}", "a text", "a\\\n", "i\\",
		":x", "bx", " ", "!", "$", "1", ",", "+2", "~3", "y/a/b/", "e", "w", "#", "I", "g", "q", "\\n", "c", "[[:alpha:]]", "&", "s", "-", "}w f", ";e",
	}
	rng := rand.New(rand.NewPCG(1, 2))
	n := 400
	if testing.Short() {
		n = 50
	}
	for range n {
		var b strings.Builder
		for range 1 + rng.IntN(7) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		script := b.String()
		if d := sedDeeds(script, ""); len(d.List) == 0 && d.Problem == "" && refused(script) {
			t.Errorf("%q looks harmless, but sed refuses it in its sandbox", script)
		}
	}
}

func FuzzSed(f *testing.F) {
	f.Add("s/a/b/w x")
	f.Add("/[a/]/{a\\\nb\ne")
	f.Fuzz(func(t *testing.T, script string) {
		d := sedDeeds(script, "")
		// A command on a line of its own after a script that was followed to
		// its end is seen, unless the script's last line takes it in.
		if d.Problem == "" && !strings.HasSuffix(script, "\\") {
			if after := sedDeeds(script+"\nw out", ""); after.Problem == "" && len(after.List) != len(d.List)+1 {
				t.Errorf("%q hides a command that follows it", script)
			}
		}
	})
}
