package language

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// grower makes programs of a language out of constructs that longline follows,
// and puts something at one of the places where an expression can be.
type grower struct {
	rand   *rand.Rand
	leaves int    // expressions made so far
	at     int    // the place to put something, or -1
	plant  string // what to put there
	quoted bool   // inside a string: no quotes
}

func (g *grower) leaf(plain string) string {
	g.leaves++
	if g.leaves-1 == g.at {
		return g.plant
	}
	return plain
}

func (g *grower) pick(n int) int { return g.rand.Intn(n) }

// pyExpr is a Python expression over the names a, b and f.
func (g *grower) pyExpr(depth int) string {
	if depth <= 0 {
		return g.leaf([]string{"1", "a", "b", "2.5"}[g.pick(4)])
	}
	e := func() string { return g.pyExpr(depth - 1) }
	n := 12
	if g.quoted {
		n = 8 // quotes and braces do not go into a string with expressions
	}
	switch g.pick(n) {
	case 0:
		return "(" + e() + " + " + e() + ")"
	case 1:
		return "[" + e() + ", " + e() + "]"
	case 2:
		return "f(" + e() + ")"
	case 3:
		return "len([" + e() + "])"
	case 4:
		return "(" + e() + " if " + e() + " else " + e() + ")"
	case 5:
		return "[x for x in [" + e() + "] if " + e() + "]"
	case 6:
		return "(lambda n, m=" + e() + ": " + e() + ")(1)"
	case 7:
		return "str(" + e() + ").split()"
	case 8:
		return "{'k': " + e() + ", **{'z': " + e() + "}}"
	case 9:
		g.quoted = true
		s := `f"x {` + g.pyExpr(depth-1) + `:>5} y"`
		g.quoted = false
		return s
	case 10:
		return "dict(k=" + e() + ")"
	}
	return "sorted([" + e() + "], key=lambda k: " + e() + ")[0]"
}

func (g *grower) python() string {
	var b strings.Builder
	b.WriteString("import json\na = 1\nb = [2]\ndef f(x, *rest, key=None):\n    return x\n")
	for range 1 + g.pick(4) {
		switch g.pick(6) {
		case 0:
			fmt.Fprintf(&b, "print(%s)\n", g.pyExpr(2))
		case 1:
			fmt.Fprintf(&b, "for i, j in enumerate([%s]):\n    print(i, %s)\n", g.pyExpr(1), g.pyExpr(1))
		case 2:
			fmt.Fprintf(&b, "if %s:\n    c = %s\nelse:\n    pass\n", g.pyExpr(1), g.pyExpr(2))
		case 3:
			fmt.Fprintf(&b, "try:\n    print(json.dumps(%s))\nexcept (ValueError, TypeError) as e:\n    print(e, %s)\n", g.pyExpr(1), g.pyExpr(1))
		case 4:
			fmt.Fprintf(&b, "class K:\n    n = %s\n    def m(self, y=%s):\n        return %s\nprint(K().m())\n", g.pyExpr(1), g.pyExpr(1), g.pyExpr(1))
		case 5:
			fmt.Fprintf(&b, "while %s:\n    d, (h, w) = %s, (1, 2)\n    break\n", g.pyExpr(1), g.pyExpr(1))
		}
	}
	return b.String()
}

// jsExpr is a JavaScript expression over the names a, b and f.
func (g *grower) jsExpr(depth int) string {
	if depth <= 0 {
		return g.leaf([]string{"1", "a", "b", "'s'"}[g.pick(4)])
	}
	e := func() string { return g.jsExpr(depth - 1) }
	switch g.pick(10) {
	case 0:
		return "(" + e() + " / " + e() + ")"
	case 1:
		return "[" + e() + ", ..." + "[" + e() + "]]"
	case 2:
		return "f(" + e() + ")"
	case 3:
		return "String(" + e() + ").split(/[/'\"`]/g)"
	case 4:
		return "(" + e() + " ? " + e() + " : " + e() + ")"
	case 5:
		return "[1].map(x => " + e() + ")"
	case 6:
		return "({k: " + e() + ", 'l': " + e() + "}).k"
	case 7:
		return "`x ${" + e() + "} y`"
	case 8:
		return "(function (n = " + e() + ") { return n })(" + e() + ")"
	}
	return "new Map([[1, " + e() + "]]).get(1)"
}

func (g *grower) javascript() string {
	var b strings.Builder
	b.WriteString("const a = 1, b = [2];\nfunction f(x) { return x }\n")
	for range 1 + g.pick(4) {
		switch g.pick(5) {
		case 0:
			fmt.Fprintf(&b, "console.log(%s);\n", g.jsExpr(2))
		case 1:
			fmt.Fprintf(&b, "for (const [i, j] of Object.entries(%s)) { console.log(i, %s) }\n", g.jsExpr(1), g.jsExpr(1))
		case 2:
			fmt.Fprintf(&b, "if (%s) { let c = %s; console.log(c) } else { console.log(%s) }\n", g.jsExpr(1), g.jsExpr(1), g.jsExpr(1))
		case 3:
			fmt.Fprintf(&b, "try { JSON.parse(%s) } catch (e) { console.log(%s) }\n", g.jsExpr(1), g.jsExpr(1))
		case 4:
			fmt.Fprintf(&b, "const h = (p) => %s;\nh(%s);\n", g.jsExpr(1), g.jsExpr(1))
			return b.String()
		}
	}
	return b.String()
}

// expr makes an expression of one of several forms; each E in it is another expression.
func (g *grower) expr(depth int, leaves, forms []string) string {
	if depth <= 0 {
		return g.leaf(leaves[g.pick(len(leaves))])
	}
	return g.fill(forms[g.pick(len(forms))], depth-1, leaves, forms)
}

// fill puts an expression in the place of each E of a form.
func (g *grower) fill(form string, depth int, leaves, forms []string) string {
	var b strings.Builder
	for i, part := range strings.Split(form, "E") {
		if i > 0 {
			b.WriteString(g.expr(depth, leaves, forms))
		}
		b.WriteString(part)
	}
	return b.String()
}

// program makes a program of several statements.
func (g *grower) program(head string, statements, leaves, forms []string) string {
	b := head
	for range 1 + g.pick(4) {
		b += g.fill(statements[g.pick(len(statements))], 1, leaves, forms) + "\n"
	}
	return b
}

func (g *grower) awk() string {
	return g.program("BEGIN {a = 1; b[1] = 2}\n",
		[]string{"{print E}", "E {print}", "END {print E, E}", "{if (E) c = E; else print E}", "{for (k in b) print k, E}", "{while (E) break}", "{b[E] = E}", "{printf \"%s\", E}", "/x/ {a += E}", "BEGIN {do a = E; while (0)}", "$1 == E {next}"},
		[]string{"1", "a", "$1", "NR"},
		[]string{"(E + E)", "length(E)", "substr(E, E)", "(E ? E : E)", "b[E]", "(E E)", "toupper(E)", "(E ~ /x/)", "$(E)", "!(E)", "(E / E)"})
}

func (g *grower) jq() string {
	return g.program(". as $a | [1] as $b |\n",
		[]string{"map(E) |", "select(E) |", "{k: E, l: E} |", "[.[]? | E] |", "if E then E else E end |", "reduce E as $x (E; E) |", "def f(g): E; f(E) |", "try E catch E |", "\"x \\(E) y\" |"},
		[]string{"1", "$a", "$b", ".x"},
		[]string{"(E + E)", "[E, E]", "{k: E}", "(E | length)", "(E // E)", "first(E)", "[E][0]", "(if E then E else E end)", "\"a\\(E)b\"", "([E] | map(E))"}) + "."
}

// TestPlants puts dangerous expressions at every place of programs that are
// followed: none of them is found harmless. In a text or a comment they change
// nothing.
func TestPlants(t *testing.T) {
	for _, c := range []struct {
		name   string
		read   func(string) Deeds
		grow   func(*grower) string
		plants []string
		text   func(string) string // the same in a text
		remark func(string) string // and in a comment
	}{
		{
			"python", func(s string) Deeds { return pythonDeeds(s, nil) }, (*grower).python,
			[]string{"eval(1)", "__import__(a)", "open(a)", "(x for x in b).gi_frame", "f.__globals__", "getattr(a, b)", "json.codecs", "str.format(a)", "b.unlink()", "type(a).__subclasses__()"},
			func(s string) string { return `"` + s + `"` },
			func(s string) string { return "# " + s },
		},
		{
			"node", nodeDeeds, (*grower).javascript,
			[]string{"eval(1)", "nobodyknows(a)", "require(a)", "a.constructor(b)", "a[b](1)", "this.x", "process.env", "require('fs').rmSync(a)", "import(a)", "new Function(a)", "globalThis.x", "f.call.constructor"},
			func(s string) string { return `"` + s + `"` },
			func(s string) string { return "// " + s },
		},
		{
			"awk", func(s string) Deeds { return awkDeeds(s, "") }, (*grower).awk,
			[]string{"system(1)", "system(\"id\")", "(\"id\" | getline)", "(getline x < \"f\")", "(getline < a)", "ENVIRON[a]", "ENVIRON[\"API_KEY\"]", "@a()", "extension(1)"},
			func(s string) string { return `"` + strings.ReplaceAll(s, `"`, "") + `"` },
			func(s string) string { return "# " + s },
		},
		{
			"jq", jqDeeds, (*grower).jq,
			[]string{"env", "$ENV", "env.API_KEY", "$ENV[$a]", "nobodyknows", "load(1)", "system(1)", "$ENV.\"A\\u0050I_KEY\"", "([env] | first)", "modulemeta", "{k: env}"},
			func(s string) string { return `"` + strings.NewReplacer(`"`, "", `\`, "").Replace(s) + `"` },
			func(s string) string { return "# " + strings.ReplaceAll(s, `\`, "") },
		},
	} {
		harmless := 0
		const programs = 150
		for seed := range int64(programs) {
			base := grower{rand: rand.New(rand.NewSource(seed)), at: -1}
			program := c.grow(&base)
			before := c.read(program)
			if before.Problem != "" {
				t.Logf("%s: %s\n%s", c.name, before.Problem, program)
				continue
			}
			harmless++
			if len(before.List) > 0 {
				t.Errorf("%s does something: %s\n%s", c.name, before.show(), program)
			}
			for at := range base.leaves {
				plant := c.plants[(int(seed)+at)%len(c.plants)]
				g := grower{rand: rand.New(rand.NewSource(seed)), at: at, plant: plant}
				if planted := c.grow(&g); c.read(planted).show() == before.show() {
					t.Errorf("%s: %s is not seen in\n%s", c.name, plant, planted)
				}
			}
			plant := c.plants[int(seed)%len(c.plants)]
			lines := strings.SplitAfter(program, "\n")
			k := int(seed) % len(lines)
			line := strings.TrimRight(lines[k], "\n")
			if strings.TrimSpace(line) == "" || strings.ContainsAny(line, "`\\") {
				continue
			}
			lines[k] = line + " " + c.remark(strings.NewReplacer("*/", "").Replace(plant)) + "\n"
			if after := c.read(strings.Join(lines, "")); after.show() != before.show() {
				t.Errorf("%s: a comment with %s changes it: %s (%s)\n%s", c.name, plant, after.show(), after.Problem, strings.Join(lines, ""))
			}
			if base.leaves > 0 && c.name != "python" { // its strings may stand in strings
				g := grower{rand: rand.New(rand.NewSource(seed)), at: int(seed) % base.leaves, plant: c.text(plant)}
				if text := c.grow(&g); c.read(text).show() != before.show() {
					t.Errorf("%s: a text with %s changes it: %s (%s)\n%s", c.name, plant, c.read(text).show(), c.read(text).Problem, text)
				}
			}
		}
		if harmless < programs*9/10 {
			t.Errorf("%s: only %d of %d programs are followed", c.name, harmless, programs)
		}
	}
}
