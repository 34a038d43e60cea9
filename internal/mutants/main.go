// Mutants changes one thing at a time in the packages that decide, and says which
// changes no test notices. The sources stay as they are: the changed file is given to
// the compiler in place of the real one.
//
//	go run ./internal/mutants -n 20 policy value
//
// Survivors that cannot be told from the original, or only by what they cost, are
// listed with the reason in known.txt, and are not counted.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// target is a part of the program with the tests that speak for it.
type target struct {
	name  string
	files []string // of internal
	funcs []string // if they are not all meant
	tests [][]string
}

var targets = []target{
	{name: "policy", files: []string{"policy/judge.go", "policy/merge.go", "policy/match.go", "policy/places.go", "policy/target.go"}, tests: [][]string{
		{"./internal/policy"},
		{"./internal/guard", "-run", "Packs|Matchers|Decisions"},
	}},
	{name: "value", files: []string{"value/join.go", "value/order.go", "value/word.go", "value/data.go", "value/path.go"}, tests: [][]string{{"./internal/value"}, {"./internal/shell", "-short", "-run", "Resolve|Values|Join"}}},
	{name: "trust", files: []string{"config/roots.go", "config/permissions.go", "state/trust.go", "state/once.go", "state/pause.go"}, tests: [][]string{
		{"./internal/state"},
		{"./internal/config", "-run", "Home|Variables|Record|Permission|Lift|Settings|Movable"},
		{"./internal/cli", "-run", "Scripts/(trust|allow-once|pause|trust-permissions|trust-shows)"},
	}},
	{name: "permission", files: []string{"permission/permission.go", "permission/apply.go", "permission/segments.go", "permission/liftable.go"}, tests: [][]string{{"./internal/permission"}, {"./internal/config", "-run", "Permission|Lift|Settings"}}},
	{name: "audit", files: []string{"audit/append.go", "audit/audit.go", "audit/json.go", "history/files.go", "history/follow.go", "history/history.go"}, tests: [][]string{{"./internal/audit", "./internal/history"}}},
	{name: "agent", files: []string{"agent/agent.go", "agent/claude.go", "agent/codex.go", "agent/gemini.go", "agent/cursor.go", "agent/copilot.go", "agent/tools.go", "agent/arguments.go"}, tests: [][]string{{"./internal/agent"}}},
	{name: "git", files: []string{"command/use_bring.go", "command/use_bisect.go", "gitstore/gitstore.go", "gitstore/diff.go"}, tests: [][]string{{"./internal/gitstore"}, {"./internal/guard", "-run", "WhatGitBrings"}}},
	{name: "mask", files: []string{"mask/mask.go"}, tests: [][]string{{"./internal/mask"}}},
	{name: "flags", files: []string{"command/effects.go", "command/given.go"}, funcs: []string{"asksBriefly", "sameUses"}, tests: [][]string{
		{"./internal/command"},
		{"./internal/modelfile", "-run", "Examples|Brief|SameUses"},
		{"./internal/guard", "-run", "Decisions"},
	}},
	{name: "ruby", files: []string{"language/ruby.go"}, tests: [][]string{{"./internal/language", "-run", "Ruby"}, {"./internal/guard", "-run", "Decisions"}}},
}

//go:embed known.txt
var known string

func main() {
	n := flag.Int("n", 25, "how many mutants of each part to try; 0 is all")
	seed := flag.Uint64("seed", 1, "which of them")
	each := flag.Duration("each", 2*time.Minute, "the time that one may take")
	total := flag.Duration("total", 30*time.Minute, "the time that all may take")
	list := flag.Bool("list", false, "only list them")
	flag.Parse()
	r := run{n: *n, seed: *seed, each: *each, end: time.Now().Add(*total), list: *list, explained: explanations(known)}
	for i := range targets {
		t := &targets[i]
		if flag.NArg() > 0 && !slices.Contains(flag.Args(), t.name) {
			continue
		}
		if err := r.target(t); err != nil {
			fmt.Fprintln(os.Stderr, "mutants:", err)
			os.Exit(1)
		}
	}
	if !*list {
		fmt.Printf("%d killed, %d survived, %d explained\n", r.killed, r.survived, r.excused)
	}
	if r.survived > 0 {
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
	explained map[string]string

	killed, survived, excused int
}

// target tries the mutants of one part.
func (r *run) target(t *target) error {
	mutants, err := t.mutants()
	if err != nil {
		return err
	}
	all := len(mutants)
	rand.New(rand.NewPCG(r.seed, 0)).Shuffle(all, func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
	if r.n > 0 && all > r.n {
		mutants = mutants[:r.n]
	}
	if r.list {
		for _, m := range mutants {
			fmt.Println(m)
		}
		return nil
	}
	before, tried := r.killed, 0
	for _, m := range mutants {
		if time.Now().After(r.end) {
			fmt.Printf("%s: the time is over\n", t.name)
			break
		}
		tried++
		if err := r.try(t, m); err != nil {
			return err
		}
	}
	fmt.Printf("%s: %d of %d tried, %d killed\n", t.name, tried, all, r.killed-before)
	return nil
}

// try tries one mutant.
func (r *run) try(t *target, m mutant) error {
	dead, err := t.kills(m, r.each)
	switch {
	case err != nil:
		return err
	case dead:
		r.killed++
	case r.explained[m.key()] != "":
		r.excused++
	default:
		r.survived++
		fmt.Println("survived:", m)
	}
	return nil
}

// explanations reads known.txt: a key and a reason on each line, with a tab between
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

// mutants lists the changes to all files of a part.
func (t *target) mutants() ([]mutant, error) {
	var list []mutant
	for _, name := range t.files {
		path := filepath.Join("internal", filepath.FromSlash(name))
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		found, err := mutate(path, text, t.funcs)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("there is nothing to change in %s", t.name)
	}
	return list, nil
}

// kills runs the tests with a mutant. One that does not compile, or makes a test take
// too long, is dead too.
func (t *target) kills(m mutant, each time.Duration) (bool, error) {
	dir, err := os.MkdirTemp("", "mutant")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, filepath.Base(m.path)), filepath.Join(dir, "overlay.json")
	real, err := filepath.Abs(m.path)
	if err != nil {
		return false, err
	}
	text, err := json.Marshal(map[string]map[string]string{"Replace": {real: changed}})
	if err != nil {
		return false, err
	}
	if err := os.WriteFile(changed, m.text(), 0o600); err != nil {
		return false, err
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		return false, err
	}
	for _, test := range t.tests {
		if dead, err := fails(overlay, test, each); dead || err != nil {
			return dead, err
		}
	}
	return false, nil
}

// fails reports whether a test fails with files replaced.
func fails(overlay string, test []string, each time.Duration) (bool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), each)
	defer cancel()
	args := append([]string{"test", "-failfast", "-vet=off", "-overlay", overlay, "-timeout", each.String()}, test...)
	cmd := exec.CommandContext(ctx, "go", args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	if cmd.Run() == nil {
		return false, nil
	}
	text := out.String()
	if strings.Contains(text, "no test files") || strings.Contains(text, "no such file or directory") && !strings.Contains(text, "FAIL") {
		return false, fmt.Errorf("go %s: %s", strings.Join(args, " "), text)
	}
	return true, nil
}
