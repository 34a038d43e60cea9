package language

import "strings"

// Just is what just runs for a recipe; "" is the first one.
func Just(text, name string) (p Plan) {
	if strings.Contains(text, "set shell") || strings.Contains(text, "set windows-shell") {
		return p
	}
	recipes := readJustfile(text)
	if name == "" && len(recipes) > 0 {
		name = recipes[0].name
	}
	p.Incomplete = !eachTask(name, func(next string) (needs []string) {
		for _, recipe := range recipes {
			if recipe.name == next {
				needs = append(needs, recipe.needs...)
				p.Lines = recipe.run(p.Lines)
			}
		}
		return needs
	})
	return p
}

// run adds what a recipe runs: each of its lines, or all of them as a script if the first
// names a shell.
func (r justRecipe) run(lines []Line) []Line {
	if len(r.lines) > 0 && strings.HasPrefix(r.lines[0], "#!") {
		if strings.Contains(r.lines[0], "sh") {
			lines = append(lines, Line{Text: strings.Join(r.lines[1:], "\n"), Shell: "bash"})
		}
		return lines
	}
	for _, line := range r.lines {
		lines = append(lines, Line{Text: strings.TrimLeft(line, "@-"), Shell: "sh"})
	}
	return lines
}

type justRecipe struct {
	name  string
	needs []string
	lines []string
}

func readJustfile(text string) []justRecipe {
	var recipes []justRecipe
	open := false
	for line := range strings.SplitSeq(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
		switch {
		case strings.TrimSpace(line) == "":
		case line[0] == ' ' || line[0] == '\t':
			if open {
				last := &recipes[len(recipes)-1]
				last.lines = append(last.lines, unknownBraces(strings.TrimSpace(line)))
			}
		case line[0] == '#' || line[0] == '[':
		default:
			var recipe justRecipe
			if recipe, open = justHead(line); open {
				recipes = append(recipes, recipe)
			}
		}
	}
	return recipes
}

// justHead is the recipe that a line begins, with what it needs.
func justHead(line string) (r justRecipe, ok bool) {
	head, tail, ok := strings.Cut(line, ":")
	fields := strings.Fields(strings.TrimPrefix(head, "@"))
	if !ok || strings.HasPrefix(tail, "=") || len(fields) == 0 {
		return r, false
	}
	r.name = fields[0]
	tail, _, _ = strings.Cut(tail, "#")
	for _, n := range strings.Fields(tail) {
		if n = strings.Trim(n, "()&"); n != "" {
			r.needs = append(r.needs, n)
		}
	}
	return r, true
}

// unknownBraces replaces what a justfile computes by a shell variable that has
// no value.
func unknownBraces(line string) string {
	var b strings.Builder
	for {
		head, rest, ok := strings.Cut(line, "{{")
		b.WriteString(head)
		if !ok {
			return b.String()
		}
		_, rest, _ = strings.Cut(rest, "}}")
		b.WriteString(unknownValue)
		line = rest
	}
}
