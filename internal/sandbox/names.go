package sandbox

import (
	"path"
	"strings"

	"longline/internal/tool"
)

// place chooses a name in the sandbox that nothing else in the script has and where nothing is yet: a
// second download would overwrite the first, and a second clone would fail.
func (p *planner) place(base, from string) string {
	if isDots(base) || strings.Contains(base, "/") {
		base = "download"
	}
	for i := 1; ; i++ {
		name := base
		if i > 1 {
			name += "-" + number(i)
		}
		to := path.Join(p.world.Sandbox, name)
		if other, ok := p.taken[to]; ok && other != from || i < 10000 && (p.isLink(to) || p.world.Exists != nil && p.world.Exists(to)) {
			continue
		}
		p.taken[to] = from
		return to
	}
}

// isLink reports whether a path is a symbolic link, as far as that can be seen.
func (p *planner) isLink(name string) bool {
	if p.world.Readlink == nil {
		return false
	}
	_, err := p.world.Readlink(name)
	return err == nil
}

func number(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return number(i/10) + number(i%10)
}

func isStream(name string) bool {
	return name == "-" || strings.HasPrefix(name, "/dev/")
}

func (p *planner) edit(span tool.Span, lead, to string) {
	p.Edits = append(p.Edits, Edit{span, lead + p.quote(to, lead)})
}

// quote writes a path as one shell word. Below the home directory it is written
// with a tilde, which needs to stand at the beginning of the word.
func (p *planner) quote(name, lead string) string {
	rest, atHome := strings.CutPrefix(name, p.world.Home+"/")
	atHome = atHome && p.world.Home != "" && lead == ""
	switch {
	case plain(name) && atHome:
		return "~/" + rest
	case plain(name):
		return name
	case p.nested && !strings.ContainsAny(name, "'\"$`\\\n"):
		// A backslash means the same inside the quotes around the script.
		if atHome {
			return "~/" + escape(rest)
		}
		return escape(name)
	}
	return doubleQuoted(name)
}

// doubleQuoted puts a path into double quotes, so that it can also stand in a script that is
// itself in single quotes.
func doubleQuoted(name string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(name) {
		if strings.IndexByte("\"$`\\", name[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	b.WriteByte('"')
	return b.String()
}

// escape puts a backslash before each character that the shell may take for
// something else.
func escape(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if !plain(name[i:i+1]) && name[i] < 0x80 {
			b.WriteByte('\\')
		}
		b.WriteByte(name[i])
	}
	return b.String()
}

// plain says whether a path needs no quoting.
func plain(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("/._-+,@%:", c) >= 0) {
			return false
		}
	}
	return name != ""
}
