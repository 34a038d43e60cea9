// Differ compares longline with real shells. It writes scripts from a grammar of
// statements, expansions and control flow, has bash and zsh run those that longline
// would allow, confined to a throw-away directory, and asks the shell for the values
// that came out. Then it adds an end to the script that deletes something precious
// if, and only if, such a value is what the shell made of it. A finding is a script
// that longline allows and that would have deleted it. The rm that is run only notes
// its arguments. Other scripts hold such a command in constructs of which pieces are missing
// or exchanged, to find out where a shell runs what longline takes for text.
//
//	go run ./internal/differ -n 5000 -seed 1
package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"longline/internal/differ/grammar"
)

func main() {
	n := flag.Int("n", 2000, "number of scripts")
	seed := flag.Uint64("seed", 1, "seed of the first script; the next has the next seed")
	limit := flag.Duration("time", time.Hour, "stop after this time")
	shells := flag.String("shells", "bash,zsh", "shells to run the scripts with")
	workers := flag.Int("workers", 2, "scripts at work at the same time")
	flag.Parse()
	found, err := differ(*n, *seed, *limit, strings.Split(*shells, ","), *workers, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "differ:", err)
		os.Exit(2)
	}
	if found > 0 {
		os.Exit(1)
	}
}

// differ tries n scripts and prints what it finds. It returns the number of findings.
func differ(n int, seed uint64, limit time.Duration, shells []string, workers int, out *os.File) (int, error) {
	g, err := grammar.New()
	if err != nil {
		return 0, err
	}
	a, err := grammar.NewAims()
	if err != nil {
		return 0, err
	}
	t, err := grammar.NewTokens()
	if err != nil {
		return 0, err
	}
	root, err := tempRoot()
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(root)
	var mu sync.Mutex
	var wg sync.WaitGroup
	var failed []error
	next, scripts, quiet, runs, findings := uint64(0), 0, 0, 0, 0
	start := time.Now()
	for w := range workers {
		r, err := newRig(filepath.Join(root, fmt.Sprint(w)), shells)
		if err != nil {
			return 0, err
		}
		c, err := newChecker(r)
		if err != nil {
			return 0, err
		}
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= uint64(n) || time.Since(start) > limit {
					break
				}
				f, err := c.one(g, a, t, seed+i, shells)
				mu.Lock()
				if err != nil {
					failed = append(failed, err)
				}
				if f != nil {
					findings++
					fmt.Fprintf(out, "--- seed %d, %s\n%s\n", seed+i, f.manner, f.script)
				}
				mu.Unlock()
				if err != nil {
					break
				}
			}
			mu.Lock()
			scripts, quiet, runs = scripts+c.count.scripts, quiet+c.count.quiet, runs+c.count.runs
			mu.Unlock()
		})
	}
	wg.Wait()
	fmt.Fprintf(out, "%d scripts, %d of them allowed before an end was added, %d runs of a shell, %d findings, %.0fs\n", scripts, quiet, runs, findings, time.Since(start).Seconds())
	return findings, errors.Join(failed...)
}

// one tries the script of a seed: two of five are about a value that may do harm, two are
// held against the values that the shell makes, and one is at the borders of the syntax.
func (c *checker) one(g *grammar.Grammar, a *grammar.Aims, t *grammar.Tokens, seed uint64, shells []string) (*finding, error) {
	r := rand.New(rand.NewPCG(seed, 1))
	try, list := c.check, []string(nil)
	switch r.IntN(5) {
	case 0, 1:
		list = g.Statements(r)
	case 2, 3:
		try, list = c.aimed, a.Statements(r)
	default:
		try, list = c.bordering, t.Pieces(r)
	}
	m := manner{shell: shells[r.IntN(len(shells))], eval: r.IntN(3) == 0, lang: []string{"C.UTF-8", "C.UTF-8", "C"}[r.IntN(3)], plain: r.IntN(2) == 0}
	f, err := try(m, list)
	if f == nil || err != nil {
		return nil, err
	}
	return shrink(f, list, try)
}
