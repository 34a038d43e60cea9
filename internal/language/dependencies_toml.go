package language

import "strings"

// tomlDependencies are the packages that tables of dependencies have as keys, and lists of them as texts.
func tomlDependencies(text string) (list []string) {
	var t tomlPackages
	table := ""
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		switch {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '[':
			name, _, _ := strings.Cut(line, "#")
			table = strings.Trim(strings.TrimSpace(name), "[] ")
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		begin := i + 1
		for open := brackets(value); open > 0 && i+1 < len(lines); open += brackets(lines[i]) {
			i++
		}
		value = strings.Join(append([]string{value}, lines[begin:i+1]...), "\n")
		t.entry(table, strings.TrimSpace(key), strings.TrimSpace(value))
	}
	for _, p := range t.keys {
		if p.name != "python" && !p.local {
			list = append(list, Normal(p.name))
		}
	}
	return append(list, t.listed...)
}

// tomlPackages are what was found.
type tomlPackages struct {
	keys   []tomlPackage
	listed []string
}

type tomlPackage struct {
	table, key, name string
	local            bool
}

// entry is a key of a table with its value.
func (t *tomlPackages) entry(table, key, value string) {
	above, last := cutLast(table)
	key, attribute, _ := strings.Cut(key, ".")
	key = strings.Trim(key, `"' `)
	switch {
	case isPackageTable(table):
		if texts := textsIn(value); strings.HasPrefix(value, "[") && (len(texts) > 0 || !strings.Contains(value, "{")) {
			t.requirements(texts)
			return
		}
		t.add(table, key, strings.TrimSpace(attribute), value)
	case isPackageTable(above):
		t.add(above, last, key, value)
	case attribute != "" && isPackageTable(key):
		name, said, _ := strings.Cut(attribute, ".")
		t.add(key, strings.Trim(name, `"' `), strings.TrimSpace(said), value)
	case strings.HasPrefix(value, "{") && (isPackageTable(key) || strings.Contains(value, "dependencies")):
		t.listed = append(t.listed, Unread)
	case strings.HasPrefix(value, "[") && (strings.HasSuffix(key, "dependencies") || key == "requires" || table == "dependency-groups"):
		t.requirements(textsIn(value))
	}
}

func (t *tomlPackages) requirements(texts []string) {
	for _, text := range texts {
		if name := requirement(text); name != "" {
			t.listed = append(t.listed, name)
		}
	}
}

// add adds what is said of a package: by a value, or by a key of its own.
func (t *tomlPackages) add(table, key, attribute, value string) {
	i := len(t.keys) - 1
	if i < 0 || t.keys[i].key != key || t.keys[i].table != table {
		t.keys = append(t.keys, tomlPackage{table, key, key, false})
		i++
	}
	p := &t.keys[i]
	if attribute != "" {
		p.say(attribute, value)
		return
	}
	for pair := range strings.SplitSeq(strings.Trim(value, "{} "), ",") {
		if k, v, ok := strings.Cut(pair, "="); ok && strings.HasPrefix(value, "{") {
			p.say(strings.TrimSpace(k), strings.TrimSpace(v))
		}
	}
}

// say is one thing that is said of a package.
func (p *tomlPackage) say(key, value string) {
	switch key {
	case "path":
		p.local = true
	case "workspace":
		p.local = p.local || value == "true"
	case "package":
		p.name = strings.Trim(value, `"' `)
	}
}

// isPackageTable says whether the keys of a table are packages, or groups of them.
func isPackageTable(table string) bool {
	above, last := cutLast(table)
	return strings.HasSuffix(last, "dependencies") || last == "packages" || last == "dev-packages" || above == "patch"
}

// cutLast parts the last name of a table from those before it.
func cutLast(table string) (above, last string) {
	i := strings.LastIndexByte(table, '.')
	return strings.Trim(table[:max(i, 0)], `"' `), strings.Trim(table[i+1:], `"' `)
}

// brackets is how many brackets a line of a value leaves open, outside of texts.
func brackets(line string) (open int) {
	quote := byte(0)
	for i := range len(line) {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '#':
			return open
		case c == '[' || c == '{':
			open++
		case c == ']' || c == '}':
			open--
		}
	}
	return open
}

// textsIn are the texts in a list that are not in a table in it.
func textsIn(value string) (texts []string) {
	depth := 0
	for line := range strings.SplitSeq(value, "\n") {
		for i := 0; i < len(line); i++ {
			switch c := line[i]; c {
			case '#':
				i = len(line)
			case '{':
				depth++
			case '}':
				depth--
			case '"', '\'':
				text, _, _ := strings.Cut(line[i+1:], line[i:i+1])
				if i += len(text) + 1; depth == 0 {
					texts = append(texts, text)
				}
			}
		}
	}
	return texts
}
