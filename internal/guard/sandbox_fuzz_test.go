package guard

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/sandbox"
	"longline/internal/tool"
)

// parts are what the fuzzer puts scripts together from. "%" stands for a
// further part.
var parts = []string{
	"git clone https://example.com/o/repo", "git clone https://example.com/o/repo ", "curl -o ", "curl -O https://example.com/f", "curl https://example.com/f > ",
	"wget https://example.com/f", "wget -P ", "curl https://example.com/f | tee ", "curl https://example.com/f | tar x -C ", "scp host:x ", "aria2c https://example.com/f -o ",
	"; ", " && ", " || ", " | ", " &\n", "\n", "(%)", "{ %; }", "$(%)", "<(%)", "bash -c '%'", `bash -c "%"`, `eval "%"`, "for i in a b; do %; done", "if %; then %; fi", "f() { %; }; f", "bash <<'E'\n%\nE\n",
	"x", "sub/x", "../x", "/etc/x", "'a b'", `"$D"`, `"$HOME/x"`, "~/x", "~/work/sandbox/x", "~/work/sandbox/../y", "$i", `a\ b`, "\"it's\"", "*.x", "repo", "f",
	" https://example.com/f", "cd ", "ls ", "cat ", "rm -rf ", "mkdir -p ", "cp x ", "D=x; ", "> ", "2>&1 ", "< ", " ", "'", `"`, "make -C ", "[ -d repo ] || ",
}

// assemble makes a script: each byte chooses a part.
func assemble(data []byte) string {
	var b strings.Builder
	var more func(depth int)
	more = func(depth int) {
		if len(data) == 0 {
			b.WriteString(":")
			return
		}
		part := parts[int(data[0])%len(parts)]
		data = data[1:]
		for i, text := range strings.Split(part, "%") {
			if i > 0 && depth < 4 {
				more(depth + 1)
				if len(data) > 0 && data[0]&1 == 0 {
					more(depth + 1)
				}
			}
			b.WriteString(text)
		}
	}
	for len(data) > 0 && b.Len() < 600 {
		more(0)
	}
	return b.String()
}

// FuzzSandbox holds what a script becomes against what it was.
func FuzzSandbox(f *testing.F) {
	for i := range parts {
		f.Add([]byte{byte(i), 28, 11, 0, 12, byte(i), 28, 44})
		f.Add([]byte{21, byte(i), 28, 44, 12, 46, 28})
	}
	g := sandboxGuard(f)
	f.Fuzz(func(t *testing.T, data []byte) { holds(t, g, assemble(data)) })
}

func holds(t *testing.T, g *Guard, script string) {
	t.Helper()
	w := sandboxWorld()
	call := tool.Call{Shell: true, Script: script, Dir: "/home/dev/proj"}
	v, after := g.Judge(call, w)
	if v.Rewrite == "" {
		return
	}
	before, _, _, _ := g.read(&call, w)
	plan := sandbox.For(script, before, w)
	if plan.Apply(script) != v.Rewrite {
		t.Fatalf("%q\nbecomes   %q\nthe plan: %q", script, v.Rewrite, plan.Apply(script))
	}
	for _, e := range plan.Edits {
		if !strings.Contains(e.New, "work/sandbox") {
			t.Errorf("%q\nbecomes %q: %q is no place in the sandbox", script, v.Rewrite, e.New)
		}
		if old := script[e.Span.Start:e.Span.End]; !strings.ContainsAny(old, "'\"\\$<`") && strings.ContainsAny(old, " ;|&()\n") {
			t.Errorf("%q\nbecomes %q: %q is no word", script, v.Rewrite, old)
		}
	}
	if !v.Parsed {
		t.Errorf("%q\nbecomes %q, which cannot be read", script, v.Rewrite)
	}
	known := written(before, w)
	for _, e := range written(after, w) {
		if !slices.ContainsFunc(known, func(b tool.Effect) bool { return b.Target == e.Target && b.Reach == e.Reach }) {
			t.Errorf("%q\nbecomes %q, which writes %s", script, v.Rewrite, e.Target)
		}
	}
	call.Script = v.Rewrite
	if again, _ := g.Judge(call, w); again.Rewrite != "" || again.Decision != v.Decision {
		t.Errorf("%q\nbecomes %q (%s)\nand then  %q (%s: %s)", script, v.Rewrite, v.Decision, again.Rewrite, again.Decision, again.Reason)
	}
}

// written are the effects that put something outside the sandbox.
func written(invs []*command.Invocation, w *tool.World) []tool.Effect {
	var list []tool.Effect
	for _, inv := range invs {
		for _, e := range inv.Effects {
			if (e.Kind == tool.Write || e.Kind == tool.Create || e.Kind == tool.Delete) && e.Target != w.Sandbox && !strings.HasPrefix(e.Target, w.Sandbox+"/") {
				list = append(list, e)
			}
		}
	}
	return list
}
