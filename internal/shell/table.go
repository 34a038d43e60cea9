package shell

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
	value       T
	left, right *node[T]
	n           int  // names here and below
	mark        bool // this one is marked
	marked      bool // this one is, or one below
}

func hashOf(name string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h ^ h>>15
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
	c.marked = c.mark || left != nil && left.marked || right != nil && right.marked
	return &c
}

// get returns the value of a name, which must not be written to, or nil.
func (t table[T]) get(name string) *T {
	for n := t.root; n != nil; {
		switch {
		case name == n.name:
			return &n.value
		case name < n.name:
			n = n.left
		default:
			n = n.right
		}
	}
	return nil
}

// put gives a name a value and returns where it is, to be written to until the
// table is shared.
func (t *table[T]) put(name string, v T) *T {
	return t.insert(&node[T]{name: name, hash: hashOf(name), value: v, n: 1})
}

// mark is put for a name that is to be found again by eachMarked.
func (t *table[T]) mark(name string, v T) *T {
	return t.insert(&node[T]{name: name, hash: hashOf(name), value: v, n: 1, mark: true, marked: true})
}

func (t *table[T]) insert(one *node[T]) *T {
	var place *T
	t.root, place = insert(t.root, one)
	return place
}

func insert[T any](n, one *node[T]) (*node[T], *T) {
	switch {
	case n == nil:
		return one, &one.value
	case n.name == one.name:
		one.mark = one.mark || n.mark
		one = one.with(n.left, n.right)
		return one, &one.value
	case one.above(n):
		l, r := split(n, one.name)
		one = one.with(l, r)
		return one, &one.value
	case one.name < n.name:
		l, place := insert(n.left, one)
		return n.with(l, n.right), place
	}
	r, place := insert(n.right, one)
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
	return n == nil || n.left.each(f) && f(n.name, &n.value) && n.right.each(f)
}

// eachMarked is each for those that are marked.
func (t table[T]) eachMarked(f func(name string, v *T) bool) { t.root.eachMarked(f) }

func (n *node[T]) eachMarked(f func(string, *T) bool) bool {
	return n == nil || !n.marked || n.left.eachMarked(f) && (!n.mark || f(n.name, &n.value)) && n.right.eachMarked(f)
}

// same says whether two tables hold the same names with the same values.
func (t table[T]) same(o table[T], equal func(a, b *T) bool) bool {
	return sameNodes(t.root, o.root, equal)
}

func sameNodes[T any](a, b *node[T], equal func(a, b *T) bool) bool {
	if a == b {
		return true
	}
	return a != nil && b != nil && a.n == b.n && a.name == b.name && equal(&a.value, &b.value) &&
		sameNodes(a.left, b.left, equal) && sameNodes(a.right, b.right, equal)
}

// merge joins two tables: for each name that differs f says what becomes of it; of
// its values one may be nil.
func (t table[T]) merge(o table[T], f func(name string, a, b *T) T) table[T] {
	return table[T]{mergeNodes(t.root, o.root, f)}
}

func mergeNodes[T any](a, b *node[T], f func(string, *T, *T) T) *node[T] {
	switch {
	case a == b:
		return a
	case a == nil:
		c := b.with(mergeNodes(nil, b.left, f), mergeNodes(nil, b.right, f))
		c.value = f(b.name, nil, &b.value)
		return c
	case b == nil:
		c := a.with(mergeNodes(a.left, nil, f), mergeNodes(a.right, nil, f))
		c.value = f(a.name, &a.value, nil)
		return c
	case a.name == b.name:
		one := *a
		one.mark = a.mark || b.mark
		c := one.with(mergeNodes(a.left, b.left, f), mergeNodes(a.right, b.right, f))
		c.value = f(a.name, &a.value, &b.value)
		return c
	case a.above(b):
		l, r := split(b, a.name)
		c := a.with(mergeNodes(a.left, l, f), mergeNodes(a.right, r, f))
		c.value = f(a.name, &a.value, nil)
		return c
	}
	l, r := split(a, b.name)
	c := b.with(mergeNodes(l, b.left, f), mergeNodes(r, b.right, f))
	c.value = f(b.name, nil, &b.value)
	return c
}
