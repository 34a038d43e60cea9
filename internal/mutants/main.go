// Mutants changes one thing at a time in the packages that decide, and says which
// changes no test notices. The sources stay as they are: the compiler is given files
// that hold all the changes, and a number says which of them is in force.
//
//	go run ./internal/mutants -n 20 policy value
//
// Survivors that cannot be told from the original, or only by what they cost, are
// listed with the reason in known.txt, and are not counted.
package main

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

//go:embed known.txt
var known string

func main() {
	n := flag.Int("n", 25, "how many mutants of each part to try; 0 is all")
	seed := flag.Uint64("seed", 1, "which of them")
	each := flag.Duration("each", 5*time.Minute, "the time that one may take")
	total := flag.Duration("total", 30*time.Minute, "the time that all may take")
	only := flag.String("only", "", "try only those whose name contains this")
	list := flag.Bool("list", false, "only list them")
	flag.Parse()
	r := run{n: *n, seed: *seed, each: *each, end: time.Now().Add(*total), list: *list, only: *only, explained: explanations(known)}
	survived := false
	for i := range targets {
		t := &targets[i]
		if flag.NArg() > 0 && !slices.Contains(flag.Args(), t.name) {
			continue
		}
		count, err := r.target(t)
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutants:", err)
			os.Exit(1)
		}
		survived = survived || count > 0
	}
	if survived {
		os.Exit(1)
	}
}

// run is one run over some parts.
type run struct {
	n         int
	seed      uint64
	each      time.Duration
	end       time.Time
	list      bool
	only      string
	explained map[string]string
}

// target tries the mutants of one part, and returns how many survived.
func (r *run) target(t *target) (survived int, err error) {
	if r.list {
		list, _, err := t.load()
		for _, i := range r.sample(list) {
			fmt.Println(list[i])
		}
		return 0, err
	}
	dir, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	b, list, err := newBench(t, dir, r.each)
	if err != nil {
		return 0, err
	}
	tried, excused, fates := 0, 0, map[fate]int{}
	for _, i := range r.sample(list) {
		if time.Now().After(r.end) {
			fmt.Printf("%s: the time is over\n", t.name)
			break
		}
		tried++
		f, err := b.try(i + 1)
		if err != nil {
			return 0, err
		}
		if (f == unreached || f == unnoticed) && r.explained[list[i].String()] != "" {
			excused++
			continue
		}
		fates[f]++
		switch f {
		case unreached:
			fmt.Printf("survived, no test comes by line %d: %s\n", list[i].line, list[i])
		case unnoticed:
			fmt.Printf("survived in line %d: %s\n", list[i].line, list[i])
		}
	}
	survived = fates[unreached] + fates[unnoticed]
	fmt.Printf("%s: %d mutants, %d tried: %d killed, %d out of time, %d explained, %d survived (no test comes by %d)\n",
		t.name, len(list), tried, fates[killed], fates[outOfTime], excused, survived, fates[unreached])
	return survived, nil
}

// sample picks mutants, by their places in the list.
func (r *run) sample(list []mutant) []int {
	var places []int
	for i, m := range list {
		if strings.Contains(m.String(), r.only) {
			places = append(places, i)
		}
	}
	slices.SortStableFunc(places, func(i, j int) int { return cmp.Compare(r.lot(list[i]), r.lot(list[j])) })
	if r.n > 0 && len(places) > r.n {
		places = places[:r.n]
	}
	return places
}

// lot is what a mutant draws: the seed and its name decide, so that one seed means the
// same mutants after other code was changed.
func (r *run) lot(m mutant) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", r.seed, m))
	return binary.BigEndian.Uint64(sum[:])
}

// explanations reads known.txt: a mutant and a reason on each line, with a tab between
// them.
func explanations(text string) map[string]string {
	list := map[string]string{}
	for line := range strings.Lines(text) {
		if key, why, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok && !strings.HasPrefix(line, "#") {
			list[key] = why
		}
	}
	return list
}
