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
		if names = appendMeant(names, like); len(names) > maxNames {
			return names[:maxNames]
		}
	}
	return names
}

// appendMeant adds the names that are meant by one alternative of an expression.
func appendMeant(names []string, like string) []string {
	like, ends := strings.CutSuffix(like, "\x00")
	like, begins := strings.CutPrefix(like, "\x00")
	if i := strings.LastIndexByte(like, '/'); i >= 0 {
		like, begins = like[i+1:], true
	}
	like = strings.ReplaceAll(like, "\x00", "")
	if !saysSomething(like) {
		return names
	}
	switch c := like[0]; {
	case like == "." && !ends:
		return append(names, ".*")
	case begins:
	case c == '.':
		return appendSettings(append(names, like), "*"+like, ends)
	case !isWildcard(c):
		names = append(names, "."+like)
	}
	return appendSettings(names, like, ends)
}

// isWildcard says whether a character can begin something that matches others.
func isWildcard(c byte) bool { return c == '*' || c == '?' || c == '[' }

// appendSettings adds a name and, where it need not end, that of files of settings.
func appendSettings(names []string, name string, ends bool) []string {
	names = append(names, name)
	if ends || strings.HasSuffix(name, "*") || name[0] == '.' {
		return names
	}
	return append(names, name+".json", name+".toml", name+".yaml", name+".yml")
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
		if p.ends(depth) {
			break
		}
		atoms := p.atom(depth)
		if p.repeated() {
			atoms = []string{"*"}
		}
		all = followedBy(all, atoms)
	}
	return all
}

// ends says whether an alternative, or the group that it is in, ends here.
func (p *likeness) ends(depth int) bool {
	rest := p.text[p.at:]
	if rest[0] == '|' || rest[0] == '\n' || strings.HasPrefix(rest, `\|`) {
		return true
	}
	return depth > 0 && (rest[0] == ')' || strings.HasPrefix(rest, `\)`))
}

// followedBy is each of some texts with each of others behind it, as far as there are not
// too many.
func followedBy(heads, tails []string) (all []string) {
	for _, head := range heads {
		for _, tail := range tails {
			if len(all) < maxLike && len(head)+len(tail) < 256 {
				all = append(all, head+tail)
			}
		}
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
		return p.escaped(depth)
	}
	return []string{paths.Escape(string([]byte{c}))}
}

// escaped reads what stands behind a backslash.
func (p *likeness) escaped(depth int) []string {
	if p.at == len(p.text) {
		return []string{""}
	}
	c := p.text[p.at]
	p.at++
	switch c {
	case '(':
		return p.group(depth)
	case ')', 'b', 'B', '<', '>', 'Q', 'E':
		return []string{""}
	case 'd', 'D', 'w', 'W', 's', 'S':
		return []string{"?"}
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
