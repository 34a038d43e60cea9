package shell

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
)

// TestTable holds tables against maps, with forks that must not see each other.
func TestTable(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	type pair struct {
		t table[int]
		m map[string]int
	}
	all := []pair{{m: map[string]int{}}}
	check := func(p pair) {
		got := map[string]int{}
		last := ""
		p.t.each(func(name string, v *int) bool {
			if name <= last && last != "" {
				t.Fatalf("%s after %s", name, last)
			}
			last, got[name] = name, *v
			return true
		})
		if !maps.Equal(got, p.m) || p.t.size() != len(p.m) {
			t.Fatalf("%v (%d), want %v", got, p.t.size(), p.m)
		}
	}
	for range 20000 {
		i := r.IntN(len(all))
		name := fmt.Sprint("v", r.IntN(40))
		switch r.IntN(6) {
		case 0:
			if len(all) < 30 {
				all = append(all, pair{all[i].t, maps.Clone(all[i].m)})
			} else {
				all = all[:len(all)-1]
				i = 0
			}
		case 1:
			all[i].t.remove(name)
			delete(all[i].m, name)
		case 2:
			a, b := all[i], all[r.IntN(len(all))]
			m := a.t.merge(b.t, law[int]{same: func(x, y *int) bool { return *x == *y }, join: func(x, y *int) int {
				switch {
				case x == nil:
					return *y
				case y == nil:
					return *x
				}
				return max(*x, *y)
			}}, nil)
			want := maps.Clone(a.m)
			for k, v := range b.m {
				want[k] = max(v, want[k])
			}
			check(pair{m, want})
			same := a.t.same(b.t, func(x, y *int) bool { return *x == *y })
			if same != maps.Equal(a.m, b.m) {
				t.Fatalf("%v and %v: same is %v", a.m, b.m, same)
			}
		default:
			n := r.IntN(1000)
			*all[i].t.put(name, 0, 0) = n
			all[i].m[name] = n
		}
		check(all[i])
		if v := all[i].t.get(name); (v == nil) != func() bool { _, ok := all[i].m[name]; return !ok }() {
			t.Fatalf("%s is %v", name, v)
		}
	}
}

// TestTableMarks: what is marked is found, and nothing else; and a join that changes
// nothing is the table itself.
func TestTableMarks(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	larger := law[int]{same: func(x, y *int) bool { return *x == *y }, join: func(x, y *int) int {
		switch {
		case x == nil:
			return *y
		case y == nil:
			return *x
		}
		return max(*x, *y)
	}}
	for range 2000 {
		var a, b table[int]
		want := map[string]marks{}
		for range r.IntN(30) {
			name, m := fmt.Sprint("v", r.IntN(40)), marks(r.IntN(4))
			switch r.IntN(4) {
			case 0:
				a.put(name, r.IntN(9), 0)
				if _, ok := want[name]; !ok {
					want[name] = 0
				}
			case 1:
				a.remove(name)
				delete(want, name)
			default:
				a.mark(name, r.IntN(9), m)
				want[name] = m
			}
			if r.IntN(3) == 0 {
				b = a
			}
		}
		var all marks
		for _, m := range want {
			all |= m
		}
		for _, m := range []marks{1, 2, 3} {
			found := 0
			a.eachMarked(m, func(name string, _ *int) bool {
				if want[name]&m == 0 {
					t.Fatalf("%s has no mark of %d", name, m)
				}
				found++
				return true
			})
			for _, have := range want {
				if have&m != 0 {
					found--
				}
			}
			if found != 0 || a.marks() != all {
				t.Fatalf("mark %d: %d too many; all are %d, want %d", m, found, a.marks(), all)
			}
		}
		both := a.merge(b, larger, nil)
		if again := both.merge(a, larger, nil); again != both {
			t.Fatal("a join with a part of it is another table")
		}
	}
}
