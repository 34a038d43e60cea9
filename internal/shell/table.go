package shell

import "strings"

// table is a map from names to values that is never changed: to write is to make
// another table, which shares all but a few nodes with the old one. So a state
// forks for nothing, and two states are compared and joined at the cost of what is
// different in them.
//
// It is a treap whose priorities are hashes of the names. Two tables with the same
// names have the same shape, however they came about.
type table[T any] struct{ root *node[T] }

type node[T any] struct {
	name        string
	hash        uint32
	value       *T
	left, right *node[T]
	n           int   // names here and below
	own, all    marks // of this one; of this one and those below
}

// marks are bits that values are found by.
type marks uint16

func hashOf(name string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return mix(h)
}

// mix spreads the bits of a hash: names that count up would otherwise make a deep tree.
func mix(h uint32) uint32 {
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}

func (a *node[T]) above(b *node[T]) bool {
	return a.hash > b.hash || a.hash == b.hash && a.name < b.name
}

func (t table[T]) size() int { return t.root.size() }

func (n *node[T]) size() int {
	if n == nil {
		return 0
	}
	return n.n
}

func (n *node[T]) with(left, right *node[T]) *node[T] {
	c := *n
	c.left, c.right, c.n = left, right, 1+left.size()+right.size()
	c.all = c.own | left.marks() | right.marks()
	return &c
}

func (n *node[T]) marks() marks {
	if n == nil {
		return 0
	}
	return n.all
}

// marks are those of all values.
func (t table[T]) marks() marks { return t.root.marks() }

// get returns the value of a name, which must not be written to, or nil.
func (t table[T]) get(name string) *T {
	if n := t.root.find(name); n != nil {
		return n.value
	}
	return nil
}

func (n *node[T]) find(name string) *node[T] {
	for n != nil && n.name != name {
		if name < n.name {
			n = n.left
		} else {
			n = n.right
		}
	}
	return n
}

// marked says whether a name has a mark.
func (t table[T]) marked(name string, m marks) bool {
	n := t.root.find(name)
	return n != nil && n.own&m != 0
}

// put gives a name a value and returns where it is, to be written to until the
// table is shared. The name keeps its marks and gets others.
func (t *table[T]) put(name string, v T, m marks) *T {
	return t.insert(&node[T]{name: name, value: &v, own: m, all: m}, true)
}

// mark is put for a name that is to be found again by eachMarked.
func (t *table[T]) mark(name string, v T, m marks) *T {
	return t.insert(&node[T]{name: name, value: &v, own: m, all: m}, false)
}

func (t *table[T]) insert(one *node[T], keep bool) *T {
	one.hash, one.n = hashOf(one.name), 1
	var place *T
	t.root, place = insert(t.root, one, keep)
	return place
}

func insert[T any](n, one *node[T], keep bool) (*node[T], *T) {
	switch {
	case n == nil:
		return one, one.value
	case n.name == one.name:
		if keep {
			one.own |= n.own
		}
		one = one.with(n.left, n.right)
		return one, one.value
	case one.above(n):
		l, r := split(n, one.name)
		one = one.with(l, r)
		return one, one.value
	case one.name < n.name:
		l, place := insert(n.left, one, keep)
		return n.with(l, n.right), place
	}
	r, place := insert(n.right, one, keep)
	return n.with(n.left, r), place
}

// split divides by a name, which goes to neither side.
func split[T any](n *node[T], name string) (l, r *node[T]) {
	switch {
	case n == nil:
		return nil, nil
	case n.name == name:
		return n.left, n.right
	case name < n.name:
		l, r = split(n.left, name)
		return l, n.with(r, n.right)
	}
	l, r = split(n.right, name)
	return n.with(n.left, l), r
}

func (t *table[T]) remove(name string) {
	if t.get(name) != nil {
		l, r := split(t.root, name)
		t.root = glue(l, r)
	}
}

func glue[T any](a, b *node[T]) *node[T] {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case a.above(b):
		return a.with(a.left, glue(a.right, b))
	}
	return b.with(glue(a, b.left), b.right)
}

// each calls f for all names in order until it says no.
func (t table[T]) each(f func(name string, v *T) bool) { t.root.each(f) }

func (n *node[T]) each(f func(string, *T) bool) bool {
	return n == nil || n.left.each(f) && f(n.name, n.value) && n.right.each(f)
}

// eachMarked is each for those that have a mark.
func (t table[T]) eachMarked(m marks, f func(name string, v *T) bool) { t.root.eachMarked(m, f) }

func (n *node[T]) eachMarked(m marks, f func(string, *T) bool) bool {
	return n == nil || n.all&m == 0 || n.left.eachMarked(m, f) && (n.own&m == 0 || f(n.name, n.value)) && n.right.eachMarked(m, f)
}

// eachBegun is eachMarked for the names that begin so.
func (t table[T]) eachBegun(start string, m marks, f func(name string, v *T) bool) {
	t.root.eachBegun(start, m, f)
}

// begins says whether there is a name that begins in some way.
func (t table[T]) begins(start string) bool {
	for n := t.root; n != nil; {
		switch {
		case strings.HasPrefix(n.name, start):
			return true
		case n.name < start:
			n = n.right
		default:
			n = n.left
		}
	}
	return false
}

func (n *node[T]) eachBegun(start string, m marks, f func(string, *T) bool) bool {
	switch {
	case n == nil || n.all&m == 0:
		return true
	case strings.HasPrefix(n.name, start):
		return n.left.eachBegun(start, m, f) && (n.own&m == 0 || f(n.name, n.value)) && n.right.eachBegun(start, m, f)
	case n.name < start:
		return n.right.eachBegun(start, m, f)
	}
	return n.left.eachBegun(start, m, f)
}

// same says whether two tables hold the same names with the same values.
func (t table[T]) same(o table[T], equal func(a, b *T) bool) bool {
	return sameNodes(t.root, o.root, equal)
}

func sameNodes[T any](a, b *node[T], equal func(a, b *T) bool) bool {
	if a == b {
		return true
	}
	return a != nil && b != nil && a.n == b.n && a.name == b.name && equal(a.value, b.value) &&
		sameNodes(a.left, b.left, equal) && sameNodes(a.right, b.right, equal)
}

// law is what a table is joined by: when two values are the same, and what becomes of
// two, of which one may be missing. Of two that are the same that is the same again.
type law[T any] struct {
	same func(a, b *T) bool
	join func(a, b *T) T
	// vague says that a value is what it is if the other is missing; it may be nil.
	vague func(*T) bool
	// fading are the marks of those that are changed where the other is missing, if they
	// are marked. They lose them by that.
	fading marks
	toil   *toil
}

// toil is work beside the steps of a script: names that are joined, and text that is
// copied. It takes steps too, so that no script makes much of it.
type toil int

const (
	joinsPerStep   = 4
	bytesPerStep   = 512
	wordsPerStep   = 8
	linksPerStep   = 16
	matchedPerByte = 8 // letters that are held against a pattern, in the time that it takes to copy one
)

// joined counts a name that is joined.
func (t *toil) joined() {
	if t != nil {
		*t++
	}
}

// compared counts two states of which one may stand for the other.
func (t *toil) compared() {
	if t != nil {
		*t += joinsPerStep
	}
}

// copied counts text that an expansion makes; what is short costs nothing.
func (t *toil) copied(length int) {
	if t != nil && length > 1024 {
		*t += toil(length / (bytesPerStep / joinsPerStep))
	}
}

// listed counts the words of a command that another one runs; those of a short one cost nothing.
func (t *toil) listed(words int) { *t += toil(words / (wordsPerStep / joinsPerStep)) }

// looked counts links on the disk that were held against a pattern.
func (t *toil) looked(links int) { *t += toil(links / (linksPerStep / joinsPerStep)) }

// steps is how many steps the work counts for.
func (t toil) steps() int { return int(t) / joinsPerStep }

// merge joins two tables. What is no different from one of them stays shared with it.
func (t table[T]) merge(o table[T], l law[T], work *toil) table[T] {
	l.toil = work
	return table[T]{l.merge(t.root, o.root)}
}

func (l law[T]) merge(a, b *node[T]) *node[T] {
	switch {
	case a == b:
		return a
	case a == nil:
		return l.alone(b)
	case b == nil:
		return l.alone(a)
	case a.name == b.name:
		left, right, own := l.merge(a.left, b.left), l.merge(a.right, b.right), a.own|b.own
		if b.has(own, left, right) && !a.has(own, left, right) && l.same(a.value, b.value) {
			return b
		}
		return l.node(a, a.value, b.value, own, left, right)
	case a.above(b):
		less, more := split(b, a.name)
		return l.node(a, a.value, nil, a.own, l.merge(a.left, less), l.merge(a.right, more))
	}
	less, more := split(a, b.name)
	return l.node(b, nil, b.value, b.own, l.merge(less, b.left), l.merge(more, b.right))
}

// has says whether a node has these marks and these nodes below it.
func (n *node[T]) has(own marks, left, right *node[T]) bool {
	return own == n.own && left == n.left && right == n.right
}

// alone joins names that the other table does not hold.
func (l law[T]) alone(n *node[T]) *node[T] {
	if n == nil || l.fading != 0 && n.all&l.fading == 0 {
		return n
	}
	return l.node(n, n.value, nil, n.own, l.alone(n.left), l.alone(n.right))
}

// node is n with what becomes of two values; n itself if that is no different.
func (l law[T]) node(n *node[T], a, b *T, own marks, left, right *node[T]) *node[T] {
	l.toil.joined()
	same := false
	if a == nil || b == nil {
		same = l.stays(n.value, own)
		own &^= l.fading
	} else {
		same = l.same(a, b)
	}
	alike := n.has(own, left, right)
	if same && alike {
		return n
	}
	c := n.with(left, right)
	if !same {
		v := l.join(a, b)
		if alike && l.same(n.value, &v) {
			return n
		}
		c.value = &v
	}
	c.own, c.all = own, own|left.marks()|right.marks()
	return c
}

// stays says whether a value is what it is where the other is missing.
func (l law[T]) stays(v *T, own marks) bool {
	return l.fading != 0 && own&l.fading == 0 || l.vague != nil && l.vague(v)
}
