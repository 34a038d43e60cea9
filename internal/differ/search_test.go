//go:build unix

// Package differ is a test: it compares longline with real shells. It writes scripts from a grammar of
// statements, expansions and control flow, has bash and zsh run those that longline
// would allow, confined to a throw-away directory, and asks the shell for the values
// that came out. Then it adds an end to the script that deletes something precious
// if, and only if, such a value is what the shell made of it. A finding is a script
// that longline allows and that would have deleted it. The rm that is run only notes
// its arguments. Other scripts hold such a command in constructs of which pieces are missing
// or exchanged, to find out where a shell runs what longline takes for text.
//
// In all of them what longline believed is held against what happened: rm and a few harmless programs
// note where and with which words they are called, and calls of one that does nothing stand at random
// places. A call that no call covers which longline believed possible, in number, words and directory,
// is a finding by itself. It is printed with what was believed.
//
// Further scripts are judged in two worlds that differ in one link; see [worlds].
package differ

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"longline/internal/differ/grammar"
)

// search is the work on a number of scripts, which several checkers share.
type search struct {
	grammar *grammar.Grammar
	aims    *grammar.Aims
	tokens  *grammar.Tokens
	places  *grammar.Places
	n, seed uint64
	linked  uint64 // how many scripts with places there are besides
	until   time.Time
	shells  []string
	out     io.Writer

	mu       sync.Mutex
	next     uint64
	count    count // of those without places
	placed   count
	findings int
	failed   []error
}

// differ tries n scripts, and further ones with and without a link, and prints what it finds. It returns the
// number of findings.
func differ(n, linked int, seed uint64, limit time.Duration, shells []string, workers int, out io.Writer) (int, error) {
	g, err1 := grammar.New()
	a, err2 := grammar.NewAims()
	t, err3 := grammar.NewTokens()
	p, err4 := grammar.NewPlaces()
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return 0, err
	}
	root, err := tempRoot()
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(root)
	start := time.Now()
	s := &search{grammar: g, aims: a, tokens: t, places: p, n: uint64(n), linked: uint64(linked), seed: seed, until: start.Add(limit), shells: shells, out: out}
	var wg sync.WaitGroup
	for w := range workers {
		r, err1 := newRig(filepath.Join(root, fmt.Sprint(w)), shells, false)
		l, err2 := newRig(filepath.Join(root, fmt.Sprint(w), "worlds"), shells, true)
		if err := errors.Join(err1, err2); err != nil {
			return 0, err
		}
		c, err1 := newChecker(r)
		d, err2 := newWorlds(l)
		if err := errors.Join(err1, err2); err != nil {
			return 0, err
		}
		wg.Go(func() { s.work(c, d) })
	}
	wg.Wait()
	fmt.Fprintf(out, "%d scripts, %d of them allowed before an end was added, %d runs of a shell\n", s.count.scripts, s.count.quiet, s.count.runs)
	fmt.Fprintf(out, "%d scripts with places, %d of them allowed without a link, of which %d got to a place, %d runs of a shell\n", s.placed.scripts, s.placed.quiet, s.placed.reached, s.placed.runs)
	fmt.Fprintf(out, "%d findings, %.0fs\n", s.findings, time.Since(start).Seconds())
	return s.findings, errors.Join(s.failed...)
}

// work tries scripts until there are none left, or something fails.
func (s *search) work(c *checker, w *worlds) {
	for i, more := s.take(); more; i, more = s.take() {
		var f *finding
		var err error
		all := s.n + s.linked
		placed := i * s.linked / all // how many before it are with places; they are spread evenly
		seed := s.seed + i - placed
		if (i+1)*s.linked/all > placed {
			seed = s.seed + placed
			f, err = w.one(s.places, seed, s.shells)
		} else {
			f, err = c.one(s.grammar, s.aims, s.tokens, seed, s.shells)
		}
		if s.note(seed, f, err); err != nil {
			break
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count.add(c.count)
	s.placed.add(w.count)
}

// take is the number of the next script, if there is one and time for it.
func (s *search) take() (uint64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.next
	s.next++
	return i, i < s.n+s.linked && time.Now().Before(s.until)
}

// note keeps what came of a script, and prints a finding.
func (s *search) note(seed uint64, f *finding, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.failed = append(s.failed, err)
	}
	if f != nil {
		s.findings++
		fmt.Fprintf(s.out, "--- seed %d, %s\n%s\n", seed, f.manner, f.script)
		if f.unforeseen != nil {
			fmt.Fprint(s.out, f.unforeseen)
		}
	}
}

// pieces are the parts of a script that a finding may do without.
var pieces = regexp.MustCompile(`\w+|\s|.`)

// one tries the script of a seed: of twelve, five are about a value that may do harm, four are held against
// the values that the shell makes, two are at the borders of the syntax, and one has got hold of a secret. What
// is not at the borders is tried again with calls at random places that are noted.
func (c *checker) one(g *grammar.Grammar, a *grammar.Aims, t *grammar.Tokens, seed uint64, shells []string) (*finding, error) {
	r := rand.New(rand.NewPCG(seed, 1))
	try, list, bordering := c.check, []string(nil), false
	switch r.IntN(12) {
	case 0, 1, 2, 3:
		list = g.Statements(r)
	case 4, 5, 6, 7, 8:
		try, list = c.aimed, a.Statements(r)
	case 9:
		try, list = c.aimed, append([]string{"x=$" + secretVariable}, g.Statements(r)...)
	default:
		try, list, bordering = c.bordering, t.Pieces(r), true
	}
	m := someManner(r, shells)
	f, err := try(m, list)
	if f == nil && err == nil && !bordering {
		try, list = c.aimed, g.Noted(r, list)
		f, err = try(m, list)
	}
	if f == nil || err != nil {
		return nil, err
	}
	if f, err = shrink(f, list, try); err != nil || f.unforeseen == nil {
		return f, err
	}
	return shrink(f, pieces.FindAllString(f.script, -1), c.bordering)
}
