package language

import (
	"context"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// show writes deeds in one line for tables.
func (d Deeds) show() string {
	var parts []string
	for _, x := range d.List {
		if x.Emptied {
			continue // depends on what is on the disk
		}
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
		if x.Perhaps {
			kind = "perhaps " + kind
		}
		parts = append(parts, kind+" "+target)
	}
	for _, a := range d.Sets {
		if !a.Known {
			a.Text = "?"
		}
		parts = append(parts, "sets "+a.Name+"="+a.Text)
	}
	for _, a := range d.Paths {
		parts = append(parts, "searches "+a.Text)
	}
	if d.Broken {
		parts = append(parts, "broken")
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

// What prints nothing is told from what may print something, and the real thing agrees.
func TestSedErases(t *testing.T) {
	for script, want := range map[string]string{
		"d": "erases", "1,$d": "erases", "1,$ d": "erases", "/.*/d": "erases", "/^/d": "erases", "{d}": "erases", "s/a/b/;d": "erases", "d;p": "erases", " d # all": "erases", "Q": "erases",
		"1d": "silent", "$d": "silent", "2,$d": "silent", "1!d": "silent", "/x/d": "silent", "1{d}": "silent", "n;d": "silent", "$!N;d": "silent", "b;d": "silent", "": "silent", "s/a/b/": "silent", "/./!d": "silent",
		"p;d": "", "=;d": "", "s/a/b/p;d": "", "a x": "", "i\\\nx\nd": "", "1p": "", "s/a/b/pg": "", "w /dev/stdout\nd": "", "c x": "", "l;d": "",
	} {
		d, got := sedDeeds(script, ""), ""
		if d.Silent {
			got = "silent"
		}
		if d.Erases {
			got = "erases"
		}
		if got != want {
			t.Errorf("%q: %q", script, got)
		}
	}
	sed, err := exec.LookPath("sed")
	if err != nil {
		t.Skip("sed is not installed; install the package sed")
	}
	pieces := []string{
		"d", "p", "1", "$", ",", "!", ";", "\n", "{", "}", "s/a/b/", "s/a/b/p", "/a/", "/.*/", "/^/", "n", "N", "q", "Q", "D", "G", "H", "x", "z", "P", "b", "ta", ":a", "=", "i x", "y/a/b/", "#", " ", "1~1", "0~1", "l",
	}
	rng, erasing := rand.New(rand.NewPCG(3, 4)), 0
	for range 4000 {
		var b strings.Builder
		for range 1 + rng.IntN(6) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		d := sedDeeds(b.String(), "")
		if !d.Erases && (!d.Silent || rng.IntN(8) > 0) {
			continue
		}
		args := []string{"--sandbox", "-e", b.String()}
		if !d.Erases {
			args = append(args, "-n")
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second) // for one that goes round and round
		cmd := exec.CommandContext(ctx, sed, args...)
		cmd.Stdin = strings.NewReader("a\nb\n\nca\n")
		out, _ := cmd.Output()
		cancel()
		if erasing++; len(out) > 0 {
			t.Errorf("%q prints %q", b.String(), out)
		}
	}
	if erasing < 100 {
		t.Errorf("only %d scripts print nothing", erasing)
	}
}

// What leaves nothing of any line, and prints a text of its own, is told from what may leave something, and the real thing agrees.
func TestSedReplaces(t *testing.T) {
	for script, want := range map[string]bool{
		"c x": true, "c\\\nx": true, "1,$c x": true, "/.*/c x": true, "s/.*/x/": true, "s/^.*$/x/g": true, "s|.*|x|": true, "y/a/b/;c x": true,
		"1c x": false, "/k/c x": false, "1!c x": false, "p;c x": false, "s/.*/x&/": false, "s/\\(.*\\)/\\1/": false, "s/.*/x/p": false, "1s/.*/x/": false, "s/k.*/x/": false, "n;c x": false, "b;c x": false, "h;s/.*/x/;G": false,
	} {
		if got := sedDeeds(script, "").Replaces; got != want {
			t.Errorf("%q: %v", script, got)
		}
	}
	sed, err := exec.LookPath("sed")
	if err != nil {
		t.Skip("sed is not installed; install the package sed")
	}
	pieces := []string{"c x\n", "c x\n", "s/.*/x/", "p", "1", "$", ",", "!", ";", "\n", "{", "}", "s/k/b/", "/k/", "/.*/", "/^/", "n", "N", "q", "D", "G", "H", "h", "x", "P", "b", ":a", "=", "i x\n", "1~1", "d"}
	rng, replacing := rand.New(rand.NewPCG(5, 6)), 0
	for range 6000 {
		var b strings.Builder
		for range 1 + rng.IntN(5) {
			b.WriteString(pieces[rng.IntN(len(pieces))])
		}
		if !sedDeeds(b.String(), "").Replaces {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		cmd := exec.CommandContext(ctx, sed, "--sandbox", "-e", b.String())
		cmd.Stdin = strings.NewReader("kk\nmk\n\nmm\n")
		out, _ := cmd.Output()
		cancel()
		if replacing++; strings.ContainsAny(string(out), "km") {
			t.Errorf("%q prints %q", b.String(), out)
		}
	}
	if replacing < 100 {
		t.Errorf("only %d scripts replace all lines", replacing)
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
