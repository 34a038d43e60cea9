package policy

import "strings"

// A pattern aims by its own letters. That *_test.go could match id_rsa_test.go is
// chance, as it is for *.go; .env*, id_* and *.pem say what they are after.

// aims says whether a pattern of names is after what a member names. It is if it
// spells the member out (backup.pem*, .env.local*), or if it says nothing that the member
// does not say and begins or ends as the member does (.e*, id_*, *nv, *secret*,
// server.p*). A letter that the member leaves open never makes it so. The ending behind the last dot counts
// only where the member has nothing else: *.json is a kind of file, *.pem is not.
func (g *ground) aims(name []token, member string, folding bool) bool {
	last := lastName(member)
	m, ok := g.lastName(last)
	if !ok {
		return true
	}
	g.shared.compared += len(m)
	if len(name)*len(m) > maxProduct {
		return true
	}
	a := aiming{p: name, m: m, ownEnd: stem(name), memberEnd: stem(m), folding: folding}
	a.firstLetter, a.lastLetter = letters(m[:a.memberEnd])
	for a.firstLiteral < len(m) && m[a.firstLiteral].op != literal {
		a.firstLiteral++
	}
	return a.walk()
}

// letterSet is a set of characters in whatever case, of which some that are no letters share a bit.
type letterSet uint64

// letterBit is the set of one character of ASCII in lower case, or of others.
func letterBit(r rune) letterSet {
	switch {
	case 'a' <= r && r <= 'z':
		return 1 << (r - 'a')
	case '0' <= r && r <= '9':
		return 1 << (26 + r - '0')
	}
	return 1 << (36 + r%28)
}

// onlyLetters are the letters and digits of ASCII.
const onlyLetters letterSet = 1<<36 - 1

// spells are the characters that a pattern spells out.
func spells(name []token) (s letterSet) {
	for i := range name {
		if name[i].op == literal {
			s |= letterBit(fold(name[i].r))
		}
	}
	return s
}

// spelling is what a pattern of a name without classes and escapes spells out, and whether that is all of it.
func spelling(name string) (s letterSet, all bool) {
	all = true
	for i := range len(name) {
		if c := name[i]; c == '*' || c == '?' {
			all = false
		} else {
			s |= letterBit(rune(lower(c)))
		}
	}
	return s, all
}

// mayAim says whether a pattern may be after what a member names: it would have all letters of the member, or the member
// all that it has. It is cheap, and never wrong to say yes.
func (s *spot) mayAim(member string) bool {
	last := lastName(strings.TrimSuffix(member, "/"))
	if patterned(last) || hasUpperUnicode(last) || len(s.name)*len(last) > maxProduct {
		return true
	}
	if !s.spelled {
		s.spells, s.spelled = spells(s.name), true
	}
	all, _ := spelling(last)
	switch open := last[0] == '*' || last[0] == '?'; {
	case open && all&s.spells&onlyLetters == 0 || all&s.spells == 0:
		return false // nothing that counts is one of both
	case open || s.spells&^all == 0:
		return true
	}
	stem := last
	if at := strings.LastIndexByte(last, '.'); at > 0 && strings.ContainsFunc(last[:at], isLetter) {
		stem = last[:at]
	}
	own, _ := spelling(stem)
	own &= onlyLetters
	return own != 0 && own&^s.spells == 0
}

// aiming is the comparison of a pattern with a member, letter by letter.
type aiming struct {
	p, m              []token
	ownEnd, memberEnd int // where what counts of each ends: before .json
	// Where the member's first and last letters are, or -1, and what else it says first.
	firstLetter, lastLetter, firstLiteral int
	folding                               bool
}

// aimed is what is known of the letters so far.
type aimed uint8

const (
	strayed   aimed = 1 << iota // a letter of the pattern is open in the member
	unspelled                   // a letter of the member is open in the pattern
	said                        // a letter that counts is one of both
	begun                       // the first letter of the pattern is the member's first
	ended                       // the last letter of the pattern is the member's last
	begins                      // a letter of the pattern has been met
)

func (s aimed) with(on bool, bit aimed) aimed {
	if on {
		return s | bit
	}
	return s
}

// walk goes through all the ways in which one name can be meant by both.
func (a *aiming) walk() bool {
	var usual [256]uint64 // room for what is not longer than usual
	seen := reached{rows: len(a.p) + 1, columns: len(a.m) + 1, states: usual[:]}
	if n := seen.rows * seen.columns; n > len(usual) {
		seen.states = make([]uint64, n)
	}
	var room [64]aimingAt
	todo := append(room[:0], aimingAt{})
	visit := func(i, j int, s aimed) {
		if seen.first(i, j, s) {
			todo = append(todo, aimingAt{i, j, s})
		}
	}
	for len(todo) > 0 {
		i, j, s := todo[len(todo)-1].i, todo[len(todo)-1].j, todo[len(todo)-1].s
		todo = todo[:len(todo)-1]
		if a.endsAt(i, j, s) {
			return true
		}
		if i < len(a.p) {
			step(a.p[i], i, func(next int) { visit(next, j, s) })
		}
		if j < len(a.m) {
			step(a.m[j], j, func(next int) { visit(i, next, s) })
		}
		if i < len(a.p) && j < len(a.m) && meets(a.p[i], a.m[j], a.folding) {
			visit(a.p[i].after(i), a.m[j].after(j), a.meet(s, i, j))
		}
	}
	return false
}

// endsAt says whether both are at their end, and the pattern aims.
func (a *aiming) endsAt(i, j int, s aimed) bool { return i == len(a.p) && j == len(a.m) && a.is(s) }

// aimingAt is a pair of places, and what is known of the letters there.
type aimingAt struct {
	i, j int
	s    aimed
}

// reached notes the states in which pairs of places were reached: one bit for each.
type reached struct {
	rows, columns int
	states        []uint64
}

// first says whether a pair of places is reached in a state for the first time, and notes it.
func (r *reached) first(i, j int, s aimed) bool {
	if i >= r.rows || j >= r.columns {
		return false
	}
	at, bit := i*r.columns+j, uint64(1)<<s
	if r.states[at]&bit != 0 {
		return false
	}
	r.states[at] |= bit
	return true
}

// meet notes that one character is a token of the pattern and one of the member.
func (a *aiming) meet(s aimed, i, j int) aimed {
	own, members := a.p[i].op == literal, a.m[j].op == literal
	switch {
	case own && members:
		s = a.meetLetter(s, i, j)
	case own && j < a.firstLiteral:
		return s // how *.pem begins is open to all of them
	case own:
		s |= strayed
	case members:
		s = s.with(j < a.memberEnd && isLetter(a.m[j].r), unspelled)
	}
	return s.with(own, begins)
}

// meetLetter notes that both spell the same character out.
func (a *aiming) meetLetter(s aimed, i, j int) aimed {
	s = s.with(j < a.memberEnd && (isLetter(a.m[j].r) || i == 0 && j == 0), said)
	s = s.with(s&begins == 0 && j <= a.firstLetter, begun)
	return s.with(i == a.ownEnd-1 && j == a.lastLetter, ended)
}

func (a *aiming) is(s aimed) bool {
	if s&unspelled == 0 && a.firstLetter >= 0 {
		return true
	}
	return s&strayed == 0 && s&said != 0 && s&(begun|ended) != 0
}

// stem is where what counts of a name ends: before its last dot, if there is a letter
// in front of that.
func stem(name []token) int {
	for k := len(name) - 1; k > 0; k-- {
		if name[k].op == literal && name[k].r == '.' {
			if first, _ := letters(name[:k]); first >= 0 {
				return k
			}
			break
		}
	}
	return len(name)
}

// letters is where the first and the last letter of a name are; -1 if it has none.
func letters(name []token) (first, last int) {
	first, last = -1, -1
	for i, t := range name {
		if t.op == literal && isLetter(t.r) {
			if last = i; first < 0 {
				first = i
			}
		}
	}
	return first, last
}

func isLetter(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r >= 0x80
}
