package replay

import (
	"cmp"
	"slices"
	"strings"

	"longline/internal/history"
	"longline/internal/tool"
)

// Person is what a bundle would change for somebody.
type Person struct {
	Who    string `json:"who"`
	Calls  int    `json:"calls"`
	Asked  int    `json:"more_asked"`  // that were not held back before
	Denied int    `json:"more_denied"` // that were not denied before
	Freed  int    `json:"no_longer"`   // that were held back before, and less now
}

// whoIs says whose line it is: the user and the machine, if the line was collected with
// them, or whose home directory it is about.
func whoIs(rec *history.Record) string {
	if rec.User != "" || rec.Host != "" {
		return strings.Trim(rec.User+"@"+rec.Host, "@")
	}
	for _, homes := range []string{"/home/", "/Users/"} {
		if rest, ok := strings.CutPrefix(rec.Dir, homes); ok {
			name, _, _ := strings.Cut(rest, "/")
			return name
		}
	}
	return "somebody"
}

// person counts a call for whoever made it.
func (r *Replay) person(rec *history.Record, was, now tool.Decision) {
	who := whoIs(rec)
	p := r.people[who]
	if p == nil {
		if len(r.people) >= history.MaxDistinct {
			who = "others"
		}
		if p = r.people[who]; p == nil {
			p = &Person{Who: who}
			r.people[who] = p
		}
	}
	p.Calls++
	switch {
	case now == was:
	case now == tool.Deny:
		p.Denied++
	case now == tool.Ask && was < tool.Ask:
		p.Asked++
	case was >= tool.Ask:
		p.Freed++
	}
}

// everybody lists those for whom something was counted, the most concerned first.
func (r *Replay) everybody() []*Person {
	var list []*Person
	for _, p := range r.people {
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b *Person) int {
		return cmp.Or(cmp.Compare(b.Asked+b.Denied+b.Freed, a.Asked+a.Denied+a.Freed), strings.Compare(a.Who, b.Who))
	})
	return list
}
