package policy

import "strings"

// A zone has hundreds of members and a path has to do with hardly any of them.
// Most can be told apart by how a name begins or ends, so members are held against
// a path only if one of its names begins or ends like the member's first.

// lead is how a name begins: its first byte in lower case, or leadDot and its
// second if the first is a dot. Of a name that begins with a wildcard it is
// leadEnd and the last byte. 0 is a name of which nothing is known.
type lead uint16

const (
	leadDot lead = 0x080
	leadEnd lead = 0x100
	leadMax lead = 0x180
)

// run is a part of a list of members, one after the other, that begin alike.
type run struct {
	lead lead
	name bool // the members may stand anywhere
	end  int  // where the next run begins
}

// memberLead is the lead of the first name of a zone's member.
func memberLead(member string) lead {
	switch {
	case member[0] == '/':
		member = member[1:]
	case member[0] == '~' && len(member) > 1 && member[1] == '/':
		member = member[2:]
	case !isName(member):
		return 0
	}
	name, _ := cut(member)
	if strings.HasPrefix(name, "*") && strings.IndexByte(name, '\\') < 0 {
		return endOf(name)
	}
	return beginOf(name)
}

func beginOf(name string) lead {
	if len(name) > 1 && name[0] == '.' {
		return leadByte(name[1], leadDot)
	}
	if name == "" {
		return 0
	}
	return leadByte(name[0], 0)
}

func endOf(name string) lead { return leadByte(name[len(name)-1], leadEnd) }

// leadByte is 0 for what has a meaning in patterns, and beyond ASCII.
func leadByte(c byte, kind lead) lead {
	switch {
	case c == '*' || c == '?' || c == '[' || c == ']' || c == '\\' || c == '.' || c >= 0x80:
		return 0
	case 'A' <= c && c <= 'Z':
		c += 'a' - 'A'
	}
	return lead(c) | kind
}

// leads is a set of them. That of a path holds how each of its names begins and
// ends.
type leads [leadMax / 64]uint64

// anyLead is the set of all.
var anyLead = leads{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

func (s *leads) has(l lead) bool { return s[l/64]&(1<<(l%64)) != 0 }

func (s *leads) add(l lead) { s[l/64] |= 1 << (l % 64) }

// leadsOf is what a known path has. Beyond ASCII letters have cases that begin
// with other bytes, and the root is above everything.
func leadsOf(path string) (s leads) {
	if path == "/" || hasUpperUnicode(path) {
		return anyLead
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
