package command

import (
	"strings"

	"longline/internal/tool"
)

// justRecipe reads a recipe of a justfile, and of those that it depends on.
func (r *reader) justRecipe(name string, span tool.Span) {
	text, ok := r.definition("justfile", "Justfile", ".justfile")
	if !ok || strings.Contains(text, "set shell") || strings.Contains(text, "set windows-shell") {
		return
	}
	recipes := readJustfile(text)
	if name == "" && len(recipes) > 0 {
		name = recipes[0].name
	}
	complete := eachTask(name, func(next string) (needs []string) {
		for _, recipe := range recipes {
			if recipe.name != next {
				continue
			}
			needs = append(needs, recipe.needs...)
			if len(recipe.lines) > 0 && strings.HasPrefix(recipe.lines[0], "#!") {
				if strings.Contains(recipe.lines[0], "sh") && !r.rehearses() {
					r.recipe(strings.Join(recipe.lines[1:], "\n"), "bash", span)
				}
				continue
			}
			for _, line := range recipe.lines {
				if !r.rehearses() {
					r.recipe(strings.TrimLeft(line, "@-"), "sh", span)
				}
			}
		}
		return needs
	})
	if !complete {
		r.tooManyTasks(span)
	}
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
