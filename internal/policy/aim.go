package policy

// A pattern aims by its own letters. That *_test.go could match id_rsa_test.go is
// chance, as it is for *.go; .env*, id_* and *.pem say what they are after.

// aims says whether a pattern of names is after what a member names. It is if it
// spells the member out (backup.pem*, .env.local*), or if it says nothing that the member
// does not say and begins or ends as the member does (.e*, id_*, *nv, *secret*,
// server.p*). A letter that the member leaves open never makes it so. The ending behind the last dot counts
// only where the member has nothing else: *.json is a kind of file, *.pem is not.
func (g *ground) aims(name []token, member string, folding bool) bool {
	last := lastName(member)
	found, ok := g.lastLeg(last)
	if !ok {
		return true
	}
	m := found.name
	g.compared += len(m)
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
	rows, columns := len(a.p)+1, len(a.m)+1
	var usual [256]uint64 // room for what is not longer than usual
	seen := usual[:]
	if rows*columns > len(seen) {
		seen = make([]uint64, rows*columns)
	}
	type at struct {
		i, j int
		s    aimed
	}
	var room [64]at
	todo := append(room[:0], at{})
	found := false
	visit := func(i, j int, s aimed) {
		if i >= rows || j >= columns || found {
			return
		}
		if bit := uint64(1) << s; seen[i*columns+j]&bit == 0 {
			seen[i*columns+j] |= bit
			todo = append(todo, at{i, j, s})
		}
	}
	for len(todo) > 0 && !found {
		here := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i, j, s := here.i, here.j, here.s
		if i == len(a.p) && j == len(a.m) {
			found = a.is(s)
			continue
		}
		if i < len(a.p) {
			step(a.p[i], i, func(next int) { visit(next, j, s) })
		}
		if j < len(a.m) {
			step(a.m[j], j, func(next int) { visit(i, next, s) })
		}
		if i < len(a.p) && j < len(a.m) && meets(a.p[i], a.m[j], a.folding) {
			ni, nj := i+1, j+1
			if a.p[i].repeats() {
				ni = i
			}
			if a.m[j].repeats() {
				nj = j
			}
			visit(ni, nj, a.meet(s, i, j))
		}
	}
	return found
}

// meet notes that one character is a token of the pattern and one of the member.
func (a *aiming) meet(s aimed, i, j int) aimed {
	own, members := a.p[i].op == literal, a.m[j].op == literal
	counts := j < a.memberEnd
	switch {
	case own && members:
		s = s.with(counts && (isLetter(a.m[j].r) || i == 0 && j == 0), said)
		s = s.with(s&begins == 0 && j <= a.firstLetter, begun)
		s = s.with(i == a.ownEnd-1 && j == a.lastLetter, ended)
	case own && j < a.firstLiteral:
		return s // how *.pem begins is open to all of them
	case own:
		s |= strayed
	case members:
		s = s.with(counts && isLetter(a.m[j].r), unspelled)
	}
	return s.with(own, begins)
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
