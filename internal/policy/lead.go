package policy

// A zone has hundreds of members and a path has to do with hardly any of them.
// Most can be told apart by how a name begins, so members are held against a path
// only if one of its names begins like the member's first.

// lead is how a name begins: its first byte in lower case, or of a name with a
// dot the second and leadDot. 0 is a name that may begin in any way.
type lead uint8

const leadDot = 0x80

// run is a part of a list of members, one after the other, that begin alike.
type run struct {
	lead lead
	name bool // the members may stand anywhere
	end  int  // where the next run begins
}

// memberLead is how the first name of a zone's member begins.
func memberLead(member string) lead {
	switch {
	case member[0] == '/':
		return leadOf(member[1:])
	case member[0] == '~' && len(member) > 1 && member[1] == '/':
		return leadOf(member[2:])
	case isName(member):
		return leadOf(member)
	}
	return 0
}

func leadOf(name string) lead {
	if name == "" {
		return 0
	}
	c, dot := name[0], lead(0)
	if c == '.' && len(name) > 1 {
		c, dot = name[1], leadDot
	}
	switch {
	case c == '*' || c == '?' || c == '[' || c == '\\' || c == '/' || c == '.' || c >= leadDot:
		return 0
	case 'A' <= c && c <= 'Z':
		c += 'a' - 'A'
	}
	return lead(c) | dot
}

// leads is a set of them. That of a path holds how each of its names begins.
type leads [4]uint64

// anyLead is the set of all.
var anyLead = leads{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}

func (s *leads) has(l lead) bool { return s[l>>6]&(1<<(l&63)) != 0 }

// leadsOf is what a known path has. Beyond ASCII letters have cases that begin
// with other bytes, and the root is above everything.
func leadsOf(path string) (s leads) {
	s[0] = 1 // members that may begin in any way
	for i := range len(path) {
		if path[i] >= leadDot || path == "/" {
			return anyLead
		}
		if path[i] == '/' {
			l := leadOf(path[i+1:])
			s[l>>6] |= 1 << (l & 63)
		}
	}
	return s
}
