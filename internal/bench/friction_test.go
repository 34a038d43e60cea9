//go:build unix

package bench

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sort"
	"strings"
)

// given is a line of a file of commands that agents gave: what it takes to judge it, and the repository it was given in.
type given struct {
	Command string `json:"command"`
	Cwd     string `json:"cwd,omitempty"`
	Home    string `json:"home,omitempty"`
	Repo    string `json:"repo,omitempty"`
	Shell   string `json:"shell,omitempty"`
}

// friction prints how many of the commands in a file make a question: at each level, with each means, in default and auto mode.
func (w *work) friction(file string) {
	text, err := os.ReadFile(file)
	check(err)
	var rows []given
	for line := range bytes.Lines(text) {
		var row given
		check(json.Unmarshal(line, &row))
		rows = append(rows, row)
	}
	fmt.Printf("\n%d commands of %s: questions in 100\n\n%-9s %-8s %-10s %6s %6s %7s %6s %10s  rules that ask most\n",
		len(rows), filepath.Base(file), "level", "mode", "means", "all", "mean", "median", "worst", "contained")
	for _, row := range []struct{ level, mode, means string }{
		{"high", "", "undo,wall"}, {"high", "auto", "undo,wall"}, {"high", "", "undo"}, {"high", "", "none"}, {"critical", "", "undo,wall"}, {"strict", "", "undo,wall"},
	} {
		rules := filepath.Join(w.dir, row.level+".yaml")
		check(os.WriteFile(rules, []byte("version: 1\nsafety_level: "+row.level+"\n"), 0o644))
		args := []string{"check", "--jsonl", "--config", rules, "--means", row.means}
		if row.mode != "" {
			args = append(args, "--agent", "claude", "--mode", row.mode)
		}
		c := w.count(rows, args, row.mode == "")
		fmt.Printf("%-9s %-8s %-10s %6.1f %6.1f %7.1f %6.1f %10.1f  %s\n", row.level, row.mode, row.means, c.all, c.mean, c.median, c.worst, c.contained, strings.Join(c.rules, ", "))
	}
}

// counts are questions in 100 commands: of all, and of the repositories with 25 or more.
type counts struct {
	all, mean, median, worst, contained float64
	rules                               []string
}

// count judges commands. Where nobody else asks, a pass is a question of the client.
func (w *work) count(rows []given, args []string, passAsks bool) (c counts) {
	var in bytes.Buffer
	for _, row := range rows {
		line := map[string]any{"command": row.Command, "cwd": row.Cwd, "home": row.Home}
		if row.Shell == "powershell" {
			line["tool"], line["input"] = "PowerShell", map[string]string{"command": row.Command}
		}
		check(json.NewEncoder(&in).Encode(line))
	}
	cmd := exec.Command(filepath.Join(w.bin, "longline"), args...)
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, _ := cmd.Output() // its status is the strictest decision
	type of struct{ asked, all int }
	repos, rules := map[string]of{}, map[string]int{}
	var asked, contained, n int
	for lines := bufio.NewScanner(bytes.NewReader(out)); n < len(rows) && lines.Scan(); n++ {
		var v struct {
			Decision     string
			Rules, Means []string
		}
		check(json.Unmarshal(lines.Bytes(), &v))
		repo := repos[rows[n].Repo]
		repo.all++
		switch {
		case v.Decision == "ask" || v.Decision == "deny" || v.Decision == "pass" && passAsks:
			asked++
			repo.asked++
			if len(v.Rules) > 0 {
				rules[v.Rules[0]]++
			}
		case len(v.Means) > 0:
			contained++
		}
		repos[rows[n].Repo] = repo
	}
	if n != len(rows) || n == 0 {
		check(fmt.Errorf("%d answers for %d commands", n, len(rows)))
	}
	var rates []float64
	for _, r := range repos {
		if r.all >= 25 {
			rates = append(rates, 100*float64(r.asked)/float64(r.all))
		}
	}
	if slices.Sort(rates); len(rates) > 0 {
		for _, r := range rates {
			c.mean += r / float64(len(rates))
		}
		c.median, c.worst = (rates[(len(rates)-1)/2]+rates[len(rates)/2])/2, rates[len(rates)-1]
	}
	for name := range rules {
		c.rules = append(c.rules, name)
	}
	sort.Slice(c.rules, func(i, k int) bool {
		a, b := c.rules[i], c.rules[k]
		return rules[a] > rules[b] || rules[a] == rules[b] && a < b
	})
	for i, name := range c.rules {
		c.rules[i] = fmt.Sprintf("%s %d", name, rules[name])
	}
	c.rules = c.rules[:min(4, len(c.rules))]
	c.all, c.contained = 100*float64(asked)/float64(n), 100*float64(contained)/float64(n)
	return c
}
