package command

import (
	"strings"

	"longline/internal/paths"
)

// aim notes what a search is after without being limited to it for certain: names
// whatever their case, the end of a path, a regular expression.
func (s *scope) aim(how string, w Word) {
	if !w.IsKnown() {
		return
	}
	switch how {
	case "name", "path":
		if name := w.Text[strings.LastIndexByte(w.Text, '/')+1:]; saysSomething(name) {
			s.aims = append(s.aims, name)
		}
	case "regexp":
		s.aims = append(s.aims, namesLike(w.Text)...)
	}
}

// saysSomething says whether a pattern holds more than wildcards, which limit nothing:
// at least the dot of hidden files.
func saysSomething(pattern string) bool {
	return strings.HasPrefix(pattern, ".") || strings.IndexFunc(pattern, func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c > 0x7f
	}) >= 0
}

// namesLike is patterns of the names that somebody has in mind who looks for a regular
// expression in paths. It is not all that would match: "env" is a part of many
// names, and none of them is meant. Where a name need not end, what files of settings
// end with may follow.
func namesLike(expression string) []string {
	if strings.HasPrefix(expression, "*") {
		return nil // it is none
	}
	p := &likeness{text: expression}
	var names []string
	for _, like := range p.either(0) {
		like, ends := strings.CutSuffix(like, "\x00")
		like, begins := strings.CutPrefix(like, "\x00")
		if i := strings.LastIndexByte(like, '/'); i >= 0 {
			like, begins = like[i+1:], true
		}
		like = strings.ReplaceAll(like, "\x00", "")
		if !saysSomething(like) {
			continue
		}
		list := []string{like}
		switch c := like[0]; {
		case like == "." && !ends:
			list = []string{".*"}
		case begins:
		case c == '.':
			list = append(list, "*"+like)
		case c != '*' && c != '?' && c != '[':
			names = append(names, "."+like)
		}
		for _, name := range list {
			switch names = append(names, name); {
			case ends || strings.HasSuffix(name, "*") || name[0] == '.':
			default:
				for _, ext := range [...]string{".json", ".toml", ".yaml", ".yml"} {
					names = append(names, name+ext)
				}
			}
		}
		if len(names) > maxNames {
			return names[:maxNames]
		}
	}
	return names
}

// likeness reads a regular expression, basic or extended, into patterns. A NUL
// stands where a name must begin or end.
type likeness struct {
	text string
	at   int
}

const maxLike = 16

// either reads alternatives up to the end of a group.
func (p *likeness) either(depth int) []string {
	var all []string
	for {
		all = append(all, p.sequence(depth)...)
		if len(all) > maxLike {
			all = all[:maxLike]
		}
		if !p.take("|") && !p.take(`\|`) && !p.take("\n") {
			return all
		}
	}
}

func (p *likeness) take(s string) bool {
	if !strings.HasPrefix(p.text[p.at:], s) {
		return false
	}
	p.at += len(s)
	return true
}

// sequence reads what stands side by side.
func (p *likeness) sequence(depth int) []string {
	all := []string{""}
	for p.at < len(p.text) {
		rest := p.text[p.at:]
		if rest[0] == '|' || rest[0] == '\n' || strings.HasPrefix(rest, `\|`) {
			break
		}
		if depth > 0 && (rest[0] == ')' || strings.HasPrefix(rest, `\)`)) {
			break
		}
		atoms := p.atom(depth)
		if p.repeated() {
			atoms = []string{"*"}
		}
		var next []string
		for _, head := range all {
			for _, a := range atoms {
				if len(next) < maxLike && len(head)+len(a) < 256 {
					next = append(next, head+a)
				}
			}
		}
		all = next
	}
	return all
}

// repeated says whether the last atom may be there any number of times, or not.
func (p *likeness) repeated() bool {
	found := false
	for p.at < len(p.text) {
		switch {
		case p.take("*"), p.take("+"), p.take("?"), p.take(`\+`), p.take(`\?`):
			found = true
		case p.take("{"), p.take(`\{`):
			found = true
			if i := strings.IndexByte(p.text[p.at:], '}'); i >= 0 {
				p.at += i + 1
			}
		default:
			return found
		}
	}
	return found
}

// atom reads one character, class or group.
func (p *likeness) atom(depth int) []string {
	c := p.text[p.at]
	p.at++
	switch c {
	case '^', '$':
		return []string{"\x00"}
	case '.':
		return []string{"?"}
	case '(':
		return p.group(depth)
	case ')':
		return []string{""}
	case '[':
		return p.class()
	case '\\':
		if p.at == len(p.text) {
			return []string{""}
		}
		c = p.text[p.at]
		p.at++
		switch c {
		case '(':
			return p.group(depth)
		case ')', 'b', 'B', '<', '>', 'Q', 'E':
			return []string{""}
		case 'd', 'D', 'w', 'W', 's', 'S':
			return []string{"?"}
		}
	}
	return []string{paths.Escape(string([]byte{c}))}
}

func (p *likeness) group(depth int) []string {
	if i := strings.IndexAny(p.text[p.at:], ":"); i >= 0 && strings.HasPrefix(p.text[p.at:], "?") && i < 4 {
		p.at += i + 1 // (?:...) and (?i:...)
	}
	if depth > 8 {
		return []string{"*"}
	}
	all := p.either(depth + 1)
	if !p.take(")") {
		p.take(`\)`)
	}
	return all
}

// class reads a bracket expression. One of a single character is that character.
func (p *likeness) class() []string {
	rest := p.text[p.at:]
	end := strings.IndexByte(rest[min(1, len(rest)):], ']') + 1
	if end < 1 {
		return []string{`\[`}
	}
	inner := rest[:end]
	p.at += end + 1
	switch {
	case len(inner) == 1 && inner != "^":
		return []string{paths.Escape(inner)}
	case strings.HasPrefix(inner, "^"):
		return []string{"[!" + inner[1:] + "]"}
	}
	return []string{"[" + inner + "]"}
}
