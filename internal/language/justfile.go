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
			if recipe.name != next {
				continue
			}
			needs = append(needs, recipe.needs...)
			if len(recipe.lines) > 0 && strings.HasPrefix(recipe.lines[0], "#!") {
				if strings.Contains(recipe.lines[0], "sh") {
					p.Lines = append(p.Lines, Line{Text: strings.Join(recipe.lines[1:], "\n"), Shell: "bash"})
				}
				continue
			}
			for _, line := range recipe.lines {
				p.Lines = append(p.Lines, Line{Text: strings.TrimLeft(line, "@-"), Shell: "sh"})
			}
		}
		return needs
	})
	return p
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
			head, tail, ok := strings.Cut(line, ":")
			if open = ok && !strings.HasPrefix(tail, "="); !open {
				continue
			}
			fields := strings.Fields(strings.TrimPrefix(head, "@"))
			if len(fields) == 0 {
				open = false
				continue
			}
			recipe := justRecipe{name: fields[0]}
			if at := strings.IndexByte(tail, '#'); at >= 0 {
				tail = tail[:at]
			}
			for _, n := range strings.Fields(tail) {
				if n = strings.Trim(n, "()&"); n != "" {
					recipe.needs = append(recipe.needs, n)
				}
			}
			recipes = append(recipes, recipe)
		}
	}
	return recipes
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
		b.WriteString("${longline_unknown}")
		line = rest
	}
}
