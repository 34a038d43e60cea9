package language

import (
	"context"
	"math/rand"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

// assembled puts pieces together at random, or into programs that are followed, and
// keeps what looks harmless although one of the pieces is code in a text.
func assembled(pieces []string, n int, read func(string) Deeds, grow func(*grower) string) []string {
	rng := rand.New(rand.NewSource(5))
	var harmless []string
	for k := range n {
		code := ""
		if k%2 > 0 {
			code = grow(&grower{rand: rng, at: -1})
		}
		for range 2 + rng.Intn(7) {
			at := len(code)
			if k%2 > 0 {
				at = rng.Intn(len(code) + 1)
			}
			code = code[:at] + pieces[rng.Intn(len(pieces))] + code[at:]
		}
		if d := read(code); strings.Contains(code, "mark()") && d.Problem == "" && len(d.List) == 0 {
			harmless = append(harmless, code)
		}
	}
	return harmless
}

// TestRealInterpreters holds the readers against the real thing: programs that look
// harmless are run, and none of them may come to run the text "mark()", which is code
// only if something evaluates it.
func TestRealInterpreters(t *testing.T) {
	n := 2_000
	if os.Getenv("LONGLINE_SWEEPS") == "all" {
		n = 20_000
	}
	for _, c := range []struct {
		name, program, flag, run string
		read                     func(string) Deeds
		grow                     func(*grower) string
		pieces                   []string
	}{
		{
			"node", "node", "-e", `
process.on("unhandledRejection", () => {});
const vm = require("vm"), programs = require("fs").readFileSync(0, "utf8").split("\0");
for (const p of programs) {
	const found = [];
	const sandbox = {mark: () => found.push(1), console: {log() {}}, setTimeout() {}};
	for (const text of [p, "async function main() {" + p + "\n}; main()"])
		try { vm.runInNewContext(text, sandbox, {timeout: 20}) } catch (e) {}
	if (found.length) process.stdout.write(p + "\0");
}`, nodeDeeds, (*grower).javascript,
			[]string{
				`eval("mark()")`, `eval`, `("mark()")`, `"mark()"`, `Function("mark()")()`, `constructor`, `"constructor"`, `[i][i]("mark()")()`, `.constructor("mark()")()`, `{constructor: c}`, `c("mark()")()`, `let i = 0;`, `i`, ` = `, ` ||= `, ` += `, `(i)`, `[i]`, `[`, `]`, `(`, `)`, `{`, `}`, `;`, "\n", `,`,
				` / `, `/`, `/x/`, `'`, `"`, "`", "${", `/*`, `*/`, `//`, ` => `, `x`, `a`, `const a = [1];`, `function f(x) {`, `class A {`, `get `, `static `, `async `, ` of `, `for (`, `for (const x of [1])`, `if (1) `, `else `, `return `, `...`, `?.`, ` ? `, ` : `, `:`, `.map`, `[].map`, `() => {}`, `f`, `f()`, `new `, `typeof `, ` in `, `!`, ` + `, `++`, `1`, `await `, `yield `,
				` < `, `<`, `>`, ` as any`, `: any`, `<any>`, `this`, `const `, `var {a: c} = `, `try {`, `} catch (e) {`, `e`, `switch (1) {`, `case 1: `, `do `, `while (0)`, `\`, `<!--`, `-->`, `label: `, `{}`, `[]`, `({})`, `=`, `type A = `, `interface B {`, `enum C {`,
			},
		},
		{
			"python", "python3", "-c", `
import sys, builtins, io
programs = sys.stdin.read().split("\0")
found = []
builtins.mark = lambda: found.append(1)
real = sys.stdout
for p in programs:
    del found[:]
    sys.stdout = io.StringIO()
    try: exec(compile(p, "p", "exec"), {"__name__": "p"})
    except BaseException: pass
    sys.stdout = real
    if found: real.write(p + "\0")
`, func(s string) Deeds { return pythonDeeds(s, nil) }, (*grower).python,
			[]string{
				`eval("mark()")`, `eval`, `("mark()")`, `"mark()"`, `exec("mark()")`, `getattr`, `__import__`, `.__class__`, `(lambda: 0)`, `print`, `print(`, ` = `, ` := `, `(`, `)`, `[`, `]`, `{`, `}`, `;`, "\n", "\n  ", `,`, `:`, ` : `, `'`, `"`, `'''`, `"""`, `f"`, `f'`, `r"`, `b'`, `{x}`, `{`, `}`, `#`, `\`, "\\\n", `x`, `x = 1` + "\n", `a`, `f`, `def f(x=`, `): `, `return `, `class A:`,
				`lambda x: `, `for x in [1]: `, ` for x in [1]`, ` if 1 else `, `if 1: `, `else: `, `while 0: `, `try: `, `except Exception as e: `, `finally: `, `with `, ` as x`, `import json` + "\n", `json.loads`, `from `, `import `, `match x:` + "\n ", `case `, `@`, `*`, `**`, `1`, `.`, `.x`, `.format`, `%`, ` + `, ` and `, ` or `, `not `, `await `, `async `, `yield `, `global x` + "\n", `del `, `assert `, `!r`, `:>5`, `str`, `map(`, `list(`, `sorted(`, `key=`, `type(`, `print(f"{`, `}")`,
			},
		},
	} {
		program, err := exec.LookPath(c.program)
		if err != nil {
			t.Logf("no %s", c.program)
			continue
		}
		harmless := assembled(c.pieces, n, c.read, c.grow)
		t.Logf("%s: %d programs look harmless", c.name, len(harmless))
		for batch := range slices.Chunk(harmless, 200) {
			// One that never ends spoils its batch only.
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			cmd := exec.CommandContext(ctx, program, c.flag, c.run)
			const shows = `eval("mark()")` // that the test sees it
			cmd.Stdin = strings.NewReader(shows + "\x00" + strings.Join(batch, "\x00"))
			out, err := cmd.Output()
			cancel()
			if err != nil {
				t.Logf("%s: %v", c.name, err)
			} else if !strings.Contains(string(out), shows+"\x00") {
				t.Errorf("%s: what runs a text is not found", c.name)
			}
			for code := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
				if code != "" && code != shows {
					t.Errorf("%s: %q looks harmless, but runs a text", c.name, code)
				}
			}
		}
	}
}
