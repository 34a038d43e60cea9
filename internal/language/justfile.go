package language

import (
	"path"
	"slices"
	"strings"
)

// justfile is what longline reads of one, with those that it imports.
type justfile struct {
	recipes    []justRecipe
	names      []string          // of variables, in their order
	vars       map[string]string // expressions
	values     map[string]string // what they stand for, as far as that is known
	exported   map[string]bool
	aliases    map[string]string
	shell      string // that runs lines; "" for a program that is none
	positional bool   // recipes get their arguments as $1, $2 and so on
	export     bool   // all variables are exported
	dry        bool
	mods       map[string]string // where modules are, if that is said
	load       func(file string) (string, bool)
	files      int
	plan       *Plan
}

type justRecipe struct {
	name   string
	attrs  string
	params []justParam
	needs  [][]string // names of recipes, with expressions for their arguments
	lines  []string
}

type justParam struct {
	name, value      string // the expression that is its default
	optional, export bool
	many             bool
}

// Just is what just runs for the words of a command line: recipes with arguments; the first
// recipe if there are none.
func Just(text string, q Request) (p Plan) {
	j := &justfile{
		vars: map[string]string{}, values: map[string]string{}, exported: map[string]bool{}, aliases: map[string]string{}, mods: map[string]string{},
		shell: "sh", dry: q.Dry, load: q.Load, plan: &p,
	}
	j.read(text)
	j.give(q.Given)
	for _, name := range j.names {
		if _, given := j.values[name]; !given {
			j.values[name] = j.value(j.vars[name], nil)
			j.commands(j.vars[name], nil)
		}
	}
	if len(q.Args) == 0 && len(j.recipes) > 0 {
		q.Args = []Argument{{Text: j.recipes[0].name, Known: true}}
	}
	seen := map[string]bool{}
	for args := q.Args; len(args) > 0; {
		r, ok := j.find(args[0].Text)
		if !ok {
			j.module(args, q)
			break
		}
		p.Tasks = append(p.Tasks, r.name)
		n := min(r.takes(), len(args)-1)
		var words []string
		for _, a := range args[1 : n+1] {
			if words = append(words, a.Text); !a.Known {
				words[len(words)-1] = unknownValue
			}
		}
		j.visit(r, words, seen)
		args = args[n+1:]
	}
	return p
}

// module adds what the recipes of a module run that words name: "MODULE RECIPE" or "MODULE::RECIPE". They run where its file is.
func (j *justfile) module(args []Argument, q Request) {
	name, inner, joined := strings.Cut(args[0].Text, "::")
	where, is := j.mods[name]
	if !is || j.files >= MaxTasks {
		return
	}
	if q.Args = args[1:]; joined {
		q.Args = append([]Argument{{Text: inner, Known: args[0].Known}}, q.Args...)
	}
	files := []string{name + ".just", name + "/mod.just", name + "/justfile", name + "/Justfile", name + "/.justfile"}
	if where != "" {
		files = []string{where, where + "/mod.just", where + "/justfile", where + "/Justfile", where + "/.justfile"}
	}
	for _, file := range files {
		text, ok := "", false
		if j.load != nil {
			text, ok = j.load(file)
		}
		if !ok {
			continue
		}
		dir := path.Dir(file)
		q.Load = func(file string) (string, bool) { return j.load(path.Join(dir, file)) }
		q.depth++
		if q.depth > maxModules {
			break
		}
		p := Just(text, q)
		for _, line := range p.Lines {
			if !path.IsAbs(line.Dir) {
				line.Dir = path.Join(dir, line.Dir)
			}
			j.plan.Lines = append(j.plan.Lines, line)
		}
		j.plan.Tasks = append(j.plan.Tasks, p.Tasks...)
		j.plan.Incomplete, j.plan.Problem = j.plan.Incomplete || p.Incomplete, max(j.plan.Problem, p.Problem)
		return
	}
	j.plan.Problem = "a module that cannot be read"
}

// maxModules bounds how deep modules are in each other.
const maxModules = 5

// Argument is a word of a command line that a task runner gets.
type Argument struct {
	Text  string
	Known bool
}

func (j *justfile) give(given []Variable) {
	for _, v := range given {
		if v.Environment {
			continue
		}
		if j.values[v.Name] = v.Value; !v.Known {
			j.values[v.Name] = unknownValue
		}
	}
}

func (j *justfile) find(name string) (r justRecipe, ok bool) {
	if to, alias := j.aliases[name]; alias {
		name = to
	}
	for _, r := range j.recipes {
		if r.name == name {
			return r, true
		}
	}
	return r, false
}

// takes is how many words behind its name can be arguments of a recipe.
func (r justRecipe) takes() int {
	if n := len(r.params); n == 0 || !r.params[n-1].many {
		return n
	}
	return 1 << 20
}

// visit adds what a recipe runs with some arguments, and before and behind it the recipes that
// it needs.
func (j *justfile) visit(r justRecipe, args []string, seen map[string]bool) {
	key := r.name + "\x00" + strings.Join(args, "\x00")
	if seen[key] {
		return
	}
	if seen[key] = true; len(seen) > MaxTasks {
		j.plan.Incomplete = true
		return
	}
	scope := j.bind(r, args)
	for _, need := range r.needs {
		var words []string
		for _, expr := range need[1:] {
			j.commands(expr, scope)
			words = append(words, j.value(expr, scope))
		}
		if next, ok := j.find(need[0]); ok {
			j.visit(next, words, seen)
		}
	}
	j.run(r, args, scope)
}

// bind gives the parameters of a recipe their values.
func (j *justfile) bind(r justRecipe, args []string) map[string]string {
	scope := map[string]string{}
	for i, p := range r.params {
		switch {
		case i < len(args) && p.many:
			scope[p.name] = strings.Join(args[i:], " ")
		case i < len(args):
			scope[p.name] = args[i]
		case p.value != "":
			j.commands(p.value, scope)
			scope[p.name] = j.value(p.value, scope)
		case p.optional:
			scope[p.name] = ""
		default:
			scope[p.name] = unknownValue
		}
	}
	return scope
}

// run adds the lines of a recipe: each alone, or all of them as a script if an attribute says
// so or the first names a shell.
func (j *justfile) run(r justRecipe, args []string, scope map[string]string) {
	for _, line := range r.lines {
		for _, expr := range interpolations(line) {
			j.commands(expr, scope)
		}
	}
	if j.dry {
		return
	}
	head := j.environment(r, args, scope)
	if script := strings.Contains(r.attrs, "[script"); script || len(r.lines) > 0 && strings.HasPrefix(r.lines[0], "#!") {
		if script && (!strings.Contains(r.attrs, "[script(") || strings.Contains(r.attrs, "sh")) || !script && strings.Contains(r.lines[0], "sh") {
			j.add(head+j.filled(strings.Join(r.lines, "\n"), scope), "bash")
		}
		return
	}
	if j.shell == "" {
		return
	}
	for i := 0; i < len(r.lines); i++ {
		line := r.lines[i]
		for strings.HasSuffix(line, `\`) && i+1 < len(r.lines) {
			i++
			line += "\n" + r.lines[i]
		}
		j.add(head+strings.TrimLeft(j.filled(line, scope), "@-"), j.shell)
	}
}

func (j *justfile) add(text, shell string) {
	if len(j.plan.Lines) > MaxTasks {
		j.plan.Incomplete = true
		return
	}
	j.plan.Lines = append(j.plan.Lines, Line{Text: text, Shell: shell})
}

// environment are commands that set what a recipe finds set: arguments and exported variables.
func (j *justfile) environment(r justRecipe, args []string, scope map[string]string) string {
	body := strings.Join(r.lines, "\n")
	var b strings.Builder
	set := func(name, value string) {
		if strings.Contains(body, "$"+name) || strings.Contains(body, "${"+name) {
			b.WriteString("export " + name + "=" + shellText(value) + "\n")
		}
	}
	for _, name := range j.names {
		if j.export || j.exported[name] {
			set(name, j.values[name])
		}
	}
	for _, p := range r.params {
		if j.export || p.export {
			set(p.name, scope[p.name])
		}
	}
	if (j.positional || strings.Contains(r.attrs, "positional-arguments")) && strings.Contains(body, "$") {
		b.WriteString("set --")
		for i := range max(len(r.params), len(args)) {
			switch {
			case i < len(args):
				b.WriteString(" " + shellText(args[i]))
			case r.params[i].value != "":
				b.WriteString(" " + shellText(scope[r.params[i].name]))
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// shellText is a text as one word for a shell; what is not known stays so.
func shellText(text string) string {
	if strings.Contains(text, unknownValue) {
		return `"` + unknownValue + `"`
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// read takes in the text of a file.
func (j *justfile) read(text string) {
	if j.files++; j.files > MaxTasks {
		return
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	open, attrs := false, ""
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case line[0] == ' ' || line[0] == '\t':
			if open {
				last := &j.recipes[len(j.recipes)-1]
				last.lines = append(last.lines, strings.TrimSpace(line))
			}
			continue
		case line[0] == '#':
			continue
		case line[0] == '[':
			attrs += line
			continue
		}
		for _, fence := range [...]string{"```", `"""`, "'''"} {
			for strings.Count(line, fence)%2 == 1 && i+1 < len(lines) {
				i++
				line += "\n" + lines[i]
			}
		}
		open = j.statement(line, attrs)
		attrs = ""
	}
}

// statement reads a setting, a variable or the head of a recipe; it says whether it was that.
func (j *justfile) statement(line, attrs string) (recipe bool) {
	words := justWords(line)
	if len(words) == 0 {
		return false
	}
	colon := slices.Index(words, ":")
	switch {
	case words[0] == "set" && colon < 0:
		j.setting(words[1:])
	case words[0] == "alias" && len(words) == 4:
		j.aliases[words[1]] = words[3]
	case strings.TrimSuffix(words[0], "?") == "mod" && colon < 0 && len(words) > 1:
		j.mods[words[1]] = ""
		if file, ok := justLiteral(words[len(words)-1]); ok {
			j.mods[words[1]] = file
		}
	case (words[0] == "import" || words[0] == "import?") && colon < 0:
		if file, ok := justLiteral(words[len(words)-1]); ok && j.load != nil {
			if text, ok := j.load(file); ok {
				j.read(text)
			}
		}
	case slices.Contains(words, ":="):
		at := slices.Index(words, ":=")
		if at > 0 {
			name := words[at-1]
			_, j.vars[name], _ = strings.Cut(line, ":=")
			j.names = append(j.names, name)
			j.exported[name] = words[0] == "export"
		}
	case colon > 0:
		j.recipes = append(j.recipes, justHead(words, colon, attrs))
		return true
	}
	return false
}

// setting reads NAME, or NAME := VALUE.
func (j *justfile) setting(words []string) {
	if len(words) == 0 {
		return
	}
	on := len(words) == 1 || words[len(words)-1] != "false"
	switch words[0] {
	case "positional-arguments":
		j.positional = on
	case "export":
		j.export = on
	case "shell":
		list := strings.TrimLeft(strings.Join(words[1:], " "), ":=[ ")
		program, _ := justLiteral(strings.TrimSpace(arguments(strings.TrimRight(list, "] "))[0]))
		if j.shell = program[strings.LastIndexByte(program, '/')+1:]; !HasWord("sh bash dash zsh ksh", j.shell) {
			j.shell = ""
		}
	}
}

// justHead is the recipe that the words of a line begin, with what it needs.
func justHead(words []string, colon int, attrs string) (r justRecipe) {
	r = justRecipe{name: strings.TrimPrefix(words[0], "@"), attrs: attrs}
	for i := 1; i < colon; i++ {
		name, value, _ := strings.Cut(words[i], "=")
		p := justParam{name: strings.TrimLeft(name, "+*$"), value: value}
		p.many, p.export = strings.ContainsAny(name, "+*"), strings.Contains(name, "$")
		p.optional = strings.Contains(name, "*")
		r.params = append(r.params, p)
	}
	for _, n := range words[colon+1:] {
		if inner, ok := strings.CutPrefix(n, "("); ok {
			if need := justWords(strings.TrimSuffix(inner, ")")); len(need) > 0 {
				r.needs = append(r.needs, need)
			}
		} else if n != "&&" && n != "" {
			r.needs = append(r.needs, []string{n})
		}
	}
	return r
}

// justWords are the words of a line: quoted texts, commands in backticks and what stands
// in brackets are not split, a comment ends it.
func justWords(line string) (words []string) {
	from := -1
	end := func(i int) {
		if from >= 0 {
			words = append(words, line[from:i])
		}
		from = -1
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c <= ' ':
			end(i)
		case c == '#' && from < 0:
			return words
		case c == ':' && !strings.HasPrefix(line[i:], "::"):
			end(i)
			n := 1
			if strings.HasPrefix(line[i:], ":=") {
				n = 2
			}
			words = append(words, line[i:i+n])
			i += n - 1
		default:
			if from < 0 {
				from = i
			}
			if strings.HasPrefix(line[i:], "::") {
				i++
			}
			i = max(i, justEnd(line, i)-1)
		}
	}
	end(len(line))
	return words
}

// justEnd is where a quoted text, a command in backticks or a pair of brackets at i ends;
// i if there is none of them.
func justEnd(text string, i int) int {
	c := text[i]
	switch c {
	case '\'', '"', '`':
		fence := text[i : i+1]
		if three := strings.Repeat(fence, 3); strings.HasPrefix(text[i:], three) {
			fence = three
		}
		for k := i + len(fence); k < len(text); k++ {
			switch {
			case c == '"' && text[k] == '\\':
				k++
			case strings.HasPrefix(text[k:], fence):
				return k + len(fence)
			}
		}
		return len(text)
	case '(':
		for k := i + 1; k < len(text); k++ {
			if text[k] == ')' {
				return k + 1
			}
			k = max(k, justEnd(text, k)-1)
		}
		return len(text)
	}
	return i
}

// justLiteral is the text that stands in quotes.
func justLiteral(expr string) (string, bool) {
	expr = strings.TrimPrefix(expr, "x")
	if len(expr) < 2 || expr[0] != '\'' && expr[0] != '"' || justEnd(expr, 0) != len(expr) {
		return "", false
	}
	n := 1
	if len(expr) >= 6 && expr[1] == expr[0] && expr[2] == expr[0] {
		n = 3
	}
	text := expr[n : len(expr)-n]
	if expr[0] == '"' {
		text = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\\`, `\`, "\\\n", "").Replace(text)
	}
	return text, true
}

// value is what an expression stands for: texts in quotes and variables, joined.
func (j *justfile) value(expr string, scope map[string]string) string {
	var b strings.Builder
	for _, w := range justOperands(expr) {
		text, ok := justLiteral(w)
		if !ok {
			text, ok = scope[w]
		}
		if !ok {
			text, ok = j.values[w]
		}
		switch {
		case w == "/":
			text, ok = "/", true
		case w == "+":
			text, ok = "", true
		}
		if !ok || b.Len() > 50_000 {
			return unknownValue
		}
		b.WriteString(text)
	}
	return b.String()
}

// justOperands are the operands of an expression and the signs between them.
func justOperands(expr string) (parts []string) {
	expr = strings.TrimSpace(expr)
	for expr != "" {
		i := 0
		for i < len(expr) && expr[i] != '+' && expr[i] != '/' {
			i = max(i+1, justEnd(expr, i))
		}
		if part := strings.TrimSpace(expr[:i]); part != "" {
			parts = append(parts, part)
		}
		if i < len(expr) {
			parts = append(parts, expr[i:i+1])
			i++
		}
		expr = strings.TrimSpace(expr[i:])
	}
	return parts
}

// commands adds the commands that an expression runs: those in backticks, not in a
// rehearsal, and those that the function shell gets.
func (j *justfile) commands(expr string, scope map[string]string) {
	for i := 0; i < len(expr); i++ {
		switch c := expr[i]; {
		case c == '`':
			end := justEnd(expr, i)
			if text := strings.Trim(expr[i:end], "`"); !j.dry {
				j.add(j.filled(text, scope), "sh")
			}
			i = end - 1
		case c == '\'' || c == '"':
			i = justEnd(expr, i) - 1
		case strings.HasPrefix(expr[i:], "shell(") && (i == 0 || !isWordByte(expr[i-1])):
			inner := strings.TrimSuffix(expr[i+len("shell("):justEnd(expr, i+len("shell"))], ")")
			args := arguments(inner)
			j.add(j.value(args[0], scope), "sh")
			i += len("shell(") - 1
		}
	}
}

// interpolations are the expressions that stand in a line.
func interpolations(line string) (exprs []string) {
	for {
		_, rest, ok := strings.Cut(line, "{{")
		if !ok {
			return exprs
		}
		if rest, ok = strings.CutPrefix(rest, "{{"); ok {
			line = rest
			continue
		}
		expr, tail, _ := strings.Cut(rest, "}}")
		exprs = append(exprs, expr)
		line = tail
	}
}

// filled is a line with what its expressions stand for.
func (j *justfile) filled(line string, scope map[string]string) string {
	var b strings.Builder
	for {
		head, rest, ok := strings.Cut(line, "{{")
		b.WriteString(head)
		if !ok {
			return b.String()
		}
		if rest, ok = strings.CutPrefix(rest, "{{"); ok {
			b.WriteString("{{")
			line = rest
			continue
		}
		expr, tail, _ := strings.Cut(rest, "}}")
		b.WriteString(j.value(expr, scope))
		line = tail
	}
}
