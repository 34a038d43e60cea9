package policy

import (
	"strings"

	"longline/internal/record"
)

// A zone has hundreds of members and a path has to do with hardly any of them.
// Most can be told apart by how a name begins or ends, so members are held against
// a path only if one of its names begins or ends like the member's first.

// lead stands for the first two letters of a name or, if it begins with a
// wildcard, for the last two. 0 is a name of which nothing is known.
type lead uint16

const (
	leadEnd lead = 0x100 // they are the last two
	leadMax lead = 0x200
)

// run is a part of a list of members, one after the other, that have one lead.
type run struct {
	lead lead
	name bool     // the members may stand anywhere
	in   []string // the members
	raw  string   // or their compiled form, which is read when they are needed: few are
}

// each yields the members, as long as that says to go on.
func (r *run) each(yield func(string) bool) bool { return r.among(&everyName, yield) }

// among yields the members that a path with these names may have to do with.
func (r *run) among(names *names, yield func(string) bool) bool {
	for _, member := range r.in {
		if !yield(member) {
			return false
		}
	}
	for text := record.NewReader(r.raw); !text.Empty(); {
		first, second := mark(text.Byte()), mark(text.Byte())
		if member := text.Text(); names.lead(first, second) && !yield(member) {
			return false
		}
	}
	return true
}

func encodeRun(w *record.Writer, r run) {
	w.Uint(uint64(r.lead))
	w.Bool(r.name)
	var in record.Writer
	for _, member := range r.in {
		first, second := memberMarks(member)
		in.Byte(byte(first))
		in.Byte(byte(second))
		in.Text(member)
	}
	w.Text(string(in.Bytes()))
}

func decodeRun(r *record.Reader) run {
	return run{lead: lead(r.Uint()), name: r.Bool(), raw: r.Text()}
}

// memberLead is the lead of the first name of a zone's member.
func memberLead(member string) lead {
	name, _ := cut(memberNames(member))
	switch {
	case name == "":
		return 0
	case name[0] == '*' && !strings.Contains(name, `\`):
		return endOf(name)
	}
	return beginOf(name)
}

// memberNames is what a member has behind the directory that it is in, "" if that is not one of its names alone.
func memberNames(member string) string {
	switch {
	case member[0] == '/':
		return member[1:]
	case member[0] == '~' && len(member) > 1 && member[1] == '/':
		return member[2:]
	case !isName(member):
		return ""
	}
	return member
}

func beginOf(name string) lead {
	if len(name) == 1 {
		return leadOf(name[0], 0, 0)
	}
	return leadOf(name[0], name[1], 0)
}

func endOf(name string) lead {
	n := len(name)
	if n == 1 {
		return leadOf(0, name[0], leadEnd)
	}
	return leadOf(name[n-2], name[n-1], leadEnd)
}

// leadOf is 0 for what has a meaning in patterns. That different letters may have
// the same lead does no harm.
func leadOf(a, b byte, kind lead) lead {
	if special(a) || special(b) {
		return 0
	}
	return kind | lead(lower(a)*37+lower(b))
}

func special(c byte) bool {
	return c == '*' || c == '?' || c == '[' || c == ']' || c == '\\' || c >= 0x80
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// leads is a set of them. That of a path holds how each of its names begins and
// ends.
type leads [leadMax / 64]uint64

func (s *leads) has(l lead) bool { return s[l/64]&(1<<(l%64)) != 0 }

func (s *leads) add(l lead) { s[l/64] |= 1 << (l % 64) }

func (s *leads) addAll() {
	for i := range s {
		s[i] = ^uint64(0)
	}
}

func (s *leads) join(other *leads) {
	for i := range s {
		s[i] |= other[i]
	}
}

// leadsOf is what a known path has. Letters beyond ASCII have no lead, but for two that
// are ASCII in another case; and the root is above everything.
func leadsOf(path string) (s leads) {
	if path == "/" || foldsToASCII(path) {
		s.addAll()
		return s
	}
	s.add(0)
	for path != "" {
		var name string
		if name, path = cut(path); name != "" {
			s.add(beginOf(name))
			s.add(endOf(name))
		}
	}
	return s
}

// Many names begin alike: .config, .cargo and .claude. So of those that have no wildcards there is a mark of all letters.

// mark stands for a name, in whatever case. 0 is one that may be any.
type mark uint8

func markOf(name string) mark {
	if name == "" {
		return 0
	}
	sum := uint32(0)
	for i := range len(name) {
		if special(name[i]) {
			return 0
		}
		sum = sum*31 + uint32(lower(name[i]))
	}
	return mark(1 + sum%255)
}

// memberMarks are those of the first two names of a zone's member.
func memberMarks(member string) (first, second mark) {
	name, rest := cut(memberNames(member))
	if first = markOf(name); first == 0 {
		return 0, 0
	}
	name, _ = cut(rest)
	return first, markOf(name)
}

// names are the marks of the names of a path.
type names struct {
	set  [256 / 64]uint64
	last mark
}

// everyName are those of a path that may have any.
var everyName = names{set: [...]uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}}

func (n *names) has(m mark) bool { return n.set[m/64]&(1<<(m%64)) != 0 }

func (n *names) add(m mark) { n.set[m/64] |= 1 << (m % 64) }

// lead says whether a path with these names may be that of a member with these first two, lie below it or lead to it.
func (n *names) lead(first, second mark) bool {
	return n.has(first) && (n.has(second) || n.last == first)
}

// namesOf is what a known path has, as leadsOf.
func namesOf(path string) (n names) {
	if path == "/" || foldsToASCII(path) {
		return everyName
	}
	n.add(0)
	for path != "" {
		var name string
		if name, path = cut(path); name != "" {
			n.last = markOf(name)
			n.add(n.last)
		}
	}
	return n
}
