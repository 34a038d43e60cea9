package language

import (
	"path"
	"strings"

	"longline/internal/strictjson"
)

// maxDependencies bounds the packages that are read out of a manifest.
const maxDependencies = 4096

// Unread stands for packages of a manifest that cannot be read, or has too many.
const Unread = "(packages that longline cannot read)"

// Dependencies are the packages that a manifest lists, as their registry calls them: under another name, that of the package
// itself. What is a place in the project, or is listed by the workspace that it belongs to, is not among them.
func Dependencies(file, text string) []string {
	name := path.Base(file)
	var list []string
	switch {
	case strings.HasSuffix(name, ".json"):
		list = jsonDependencies(text)
	case strings.HasSuffix(name, ".toml"), name == "Pipfile":
		list = tomlDependencies(text)
	case strings.HasSuffix(name, ".yaml"):
		list = yamlDependencies(text)
	case strings.HasSuffix(name, ".mod"):
		list = moduleDependencies(text)
	case name == "Gemfile", strings.HasSuffix(name, ".gemspec"):
		list = rubyDependencies(text)
	default:
		list = requirementLines(text)
	}
	if len(list) > maxDependencies {
		list = append(list[:maxDependencies], Unread)
	}
	return list
}

// jsonDependencies are the names in the tables of dependencies, and those that another name stands for.
func jsonDependencies(text string) (list []string) {
	doc, err := strictjson.ParseText(text)
	switch {
	case text == "":
		return nil
	case err != nil: // a program that installs from it may be less strict
		return []string{Unread}
	}
	for _, m := range doc.Members {
		switch m.Key {
		case "dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "require", "require-dev":
			for _, d := range m.Value.Members {
				list = appendPackage(list, d.Key, d.Value.Text)
			}
		case "overrides", "resolutions":
			for _, d := range m.Value.Members {
				if alias, ok := strings.CutPrefix(d.Value.Text, "npm:"); ok {
					list = append(list, withoutVersion(alias))
				}
			}
		}
	}
	return list
}

// appendPackage adds a package by its name and version.
func appendPackage(list []string, name, version string) []string {
	alias, renamed := strings.CutPrefix(version, "npm:")
	local := false
	for _, begin := range [...]string{"file:", "link:", "portal:", "workspace:"} {
		local = local || strings.HasPrefix(version, begin)
	}
	switch {
	case local, name == "php", strings.HasPrefix(name, "ext-"):
		return list
	case renamed:
		return append(list, withoutVersion(alias))
	}
	return append(list, name)
}

// withoutVersion is the name in front of an @ that does not begin it.
func withoutVersion(name string) string {
	if i := strings.LastIndexByte(name, '@'); i > 0 {
		return name[:i]
	}
	return name
}

// requirementLines are the packages of a list with one on each line.
func requirementLines(text string) (list []string) {
	for line := range strings.Lines(text) {
		if name := requirement(line); name != "" {
			list = append(list, name)
		}
	}
	return list
}

// requirement is the package of a text such as "name[extra] >= 1.0; condition", or "".
func requirement(text string) string {
	text = strings.TrimSpace(text)
	end := strings.IndexFunc(text, func(c rune) bool { return !isPackageLetter(c) })
	if end < 0 {
		end = len(text)
	}
	if rest := strings.TrimSpace(text[end:]); end == 0 || text[0] == '-' || text[0] == '.' || rest != "" && !strings.ContainsAny(rest[:1], "<>=!~;[@(,#\\") || strings.HasPrefix(rest, "@ file:") {
		return ""
	}
	return Normal(text[:end])
}

func isPackageLetter(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.'
}

// Normal is a name without what makes no difference to a registry.
func Normal(name string) string {
	return strings.NewReplacer("_", "-", ".", "-").Replace(strings.ToLower(name))
}

// yamlDependencies are the keys one level below those for dependencies.
func yamlDependencies(text string) (list []string) {
	in, depth := false, 0
	last := -1 // the place of the last name, which may turn out to be in the project
	for line := range strings.Lines(text) {
		bare := strings.TrimLeft(line, " ")
		key, value, ok := strings.Cut(strings.TrimRight(bare, " \r\n"), ":")
		indent := len(line) - len(bare)
		switch {
		case !ok || strings.HasPrefix(bare, "#"):
		case indent == 0:
			in, depth, last = strings.HasSuffix(key, "dependencies") || key == "dependency_overrides", 0, -1
		case in && (depth == 0 || indent <= depth):
			depth, last = indent, len(list)
			list = append(list, strings.Trim(key, `"'`))
		case in && HasWord("path sdk", key) && last >= 0 && last < len(list):
			list, last = list[:last], -1
		}
		if in && last >= 0 && strings.Contains(value, "path:") {
			list, last = list[:last], -1
		}
	}
	return list
}

// moduleDependencies are the modules that are required, and those that take the place of others. Those that come along with others
// are listed as such.
func moduleDependencies(text string) (list []string) {
	block := ""
	for line := range strings.Lines(text) {
		line, note, _ := strings.Cut(line, "//")
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			continue
		case words[0] == ")":
			block = ""
			continue
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		case block != "":
			words = append([]string{block}, words...)
		}
		switch {
		case len(words) > 1 && (words[0] == "require" || words[0] == "tool") && strings.TrimSpace(note) != "indirect":
			list = append(list, words[1])
		case words[0] == "replace" && len(words) > 2 && words[len(words)-3] == "=>":
			list = append(list, words[len(words)-2])
		}
	}
	return list
}

// rubyDependencies are the first texts behind what adds a package.
func rubyDependencies(text string) (list []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		word, rest, _ := strings.Cut(strings.Replace(line, "(", " ", 1), " ")
		word = word[strings.LastIndexByte(word, '.')+1:]
		rest = strings.TrimSpace(rest)
		if !HasWord("gem add_dependency add_runtime_dependency add_development_dependency", word) || len(rest) < 2 || strings.Contains(rest, "path:") {
			continue
		}
		if name, _, ok := strings.Cut(rest[1:], rest[:1]); ok && (rest[0] == '"' || rest[0] == '\'') {
			list = append(list, name)
		}
	}
	return list
}
