// Package policytest runs the tests of a policy: commands with the decision that each
// should get. It reports as text, as JSON and as JUnit XML.
package policytest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"longline/internal/config"
	"longline/internal/explain"
	"longline/internal/hook"
	"longline/internal/policy"
	"longline/internal/rulesfile"
	"longline/internal/screen"
	"longline/internal/tool"
)

// In reads the tests of the files, or those of the active rules if it is
// not the packs that are to be tested.
func In(cfg *config.Config, files []string, builtin bool) ([]policy.Test, error) {
	var tests []policy.Test
	if len(files) == 0 && !builtin {
		for _, f := range cfg.Files {
			tests = append(tests, f.File.Tests...)
		}
		return tests, nil
	}
	for _, name := range goldenFiles(files) {
		found, err := golden(cfg, name)
		if err != nil {
			found = []policy.Test{{ID: filepath.Base(name), Source: name, Wrong: err.Error()}}
		}
		tests = append(tests, found...)
	}
	return tests, nil
}

// goldenFiles are files, and the YAML files with tests below directories.
func goldenFiles(names []string) (list []string) {
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			list = append(list, name)
			continue
		}
		filepath.WalkDir(name, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".yaml") && !strings.HasSuffix(path, ".yml") {
				return nil
			}
			if text, err := os.ReadFile(path); err != nil || strings.Contains("\n"+string(text), "\ntests:") {
				list = append(list, path)
			}
			return nil
		})
	}
	return list
}

// golden reads the tests of one file. Their directories are relative to it.
func golden(cfg *config.Config, name string) ([]policy.Test, error) {
	if err := cfg.Readable(name); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	tests, err := rulesfile.ParseTests(name, text)
	if err != nil {
		return nil, err
	}
	at, err := filepath.Abs(filepath.Dir(name))
	for i := range tests {
		if dir := &tests[i].Dir; *dir != "" && !filepath.IsAbs(*dir) && !strings.HasPrefix(*dir, "~/") {
			*dir = filepath.Join(at, *dir)
		}
	}
	return tests, err
}

// Elsewhere is the same policy on a machine with nothing on it: what the packs
// promise must not depend on where their tests are run.
func Elsewhere(cfg *config.Config) *config.Config {
	const home, project = "/home/dev", "/home/dev/proj"
	there := *cfg
	there.Dir = project
	there.World = &tool.World{
		Home: home, Project: project, User: "dev",
		Guard:    []string{home + "/.config/longline", "/etc/longline", "/usr/local/bin/longline"},
		Log:      home + "/" + config.UsualLog,
		Getenv:   func(name string) (string, bool) { return home, name == "HOME" },
		ReadFile: func(string) ([]byte, error) { return nil, fs.ErrNotExist },
		Readlink: func(string) (string, error) { return "", fs.ErrNotExist },
		// Beside the project there is something that can be lost.
		Exists: func(path string) bool { return path == home+"/other" },
	}
	return &there
}

// Run is a test to be run under a configuration.
type Run struct {
	cfg  *config.Config
	test policy.Test
}

// Runs are tests to be run under one configuration.
func Runs(cfg *config.Config, tests []policy.Test) (list []Run) {
	for _, t := range tests {
		list = append(list, Run{cfg, t})
	}
	return list
}

// Try judges a test's command as the test says: in its directory, at its safety
// level, with edits accepted or not.
func (r Run) Try() Outcome {
	cfg, t := r.cfg, r.test
	if t.Wrong != "" {
		return Outcome{Run: r, Explanation: &explain.Explanation{}}
	}
	dir := t.Dir
	if rest, ok := strings.CutPrefix(dir, "~/"); ok {
		dir = filepath.Join(cfg.World.Home, rest)
	} else if !filepath.IsAbs(dir) {
		dir = filepath.Join(cfg.Dir, dir)
	}
	if t.Safety != 0 && t.Safety != cfg.Guard.Policy.Safety {
		at := *cfg
		at.Guard.Policy = cfg.Guard.Policy.At(t.Safety)
		cfg = &at
		r.cfg = cfg
	}
	with, set := *cfg, *cfg.Guard.Policy
	set.Walls.On = set.Walls.On && t.Means&tool.Wall != 0 // what a test says does not depend on the machine
	with.Guard.Policy = &set
	with.UseMeans(t.Means)
	cfg = &with
	r.cfg = cfg
	start := time.Now()
	call := tool.Call{Agent: "test", Tool: "Bash", Dir: dir, Script: t.Command, Shell: true, Edits: t.Edits, Attended: true}
	call.Past = cfg.Guard.PastOf(t.Session, call, cfg.World)
	e := explain.Printer{Config: cfg}.Explain(call)
	return Outcome{r, e, time.Since(start)}
}

// Outcome is a test and what came of it.
type Outcome struct {
	Run
	*explain.Explanation
	took time.Duration
}

// OK says whether the decision is the wanted one. A rule is as wanted when it
// spoke with the deciding voice, be it alone or with others.
func (o Outcome) OK() bool {
	if o.test.Wrong != "" || o.Verdict.Decision != o.test.Decision {
		return false
	}
	if o.test.Rule == "" || o.test.Rule == o.Verdict.Rule {
		return true
	}
	for _, f := range o.Verdict.Findings {
		if f.Rule == o.test.Rule && f.Decision == o.Verdict.Decision {
			return true
		}
	}
	return false
}

func (o Outcome) wanted() string { return decided(o.test.Decision, o.test.Rule) }

func (o Outcome) got() string { return decided(o.Verdict.Decision, o.Verdict.Rule) }

// circumstances are what a test says beside its command.
func (o Outcome) circumstances() string {
	var parts []string
	if o.test.Dir != "" {
		parts = append(parts, "cwd "+o.test.Dir)
	}
	if o.test.Edits {
		parts = append(parts, "edits accepted")
	}
	if o.test.Safety != 0 {
		parts = append(parts, "safety_level "+o.test.Safety.String())
	}
	if s := o.test.Session; s != nil {
		for _, fact := range []struct {
			is   bool
			what string
		}{
			{s.Untrusted, "it read untrusted text"},
			{s.Injection, "it read a suspected prompt injection"},
			{s.Secret, "it read a secret"},
			{len(s.Fetched) > 0, "fetched: " + strings.Join(s.Fetched, " ")},
			{len(s.Written) > 0, "written: " + strings.Join(s.Written, " ")},
			{len(s.Denied) > 0, "denied: " + strings.Join(s.Denied, "; ")},
		} {
			if fact.is {
				parts = append(parts, fact.what)
			}
		}
	}
	return strings.Join(parts, ", ")
}

func decided(d tool.Decision, rule string) string {
	if rule == "" {
		return d.String()
	}
	return d.String() + " by " + rule
}

// Text is what came of tests for people: those that failed with the explanation, and the
// others if they are wanted.
func Text(s screen.Style, outcomes []Outcome, failed int, verbose bool) string {
	var b strings.Builder
	errors := 0
	for _, o := range outcomes {
		x := explain.Printer{Style: s, Config: o.cfg, All: true}
		switch {
		case o.test.Wrong != "":
			errors++
			fmt.Fprintf(&b, "%s %s\n", x.Decision(tool.Deny, "ERROR"), screen.Clean(o.test.Wrong, "\n\t"))
		case !o.OK():
			fmt.Fprintf(&b, "%s %s  %s\n", x.Decision(tool.Deny, "FAIL"), o.test.ID, x.Dim(o.test.Source))
			fmt.Fprintf(&b, "  wanted: %s\n", o.wanted())
			fmt.Fprintf(&b, "  got:    %s\n", o.got())
			if given := o.circumstances(); given != "" {
				fmt.Fprintf(&b, "  given:  %s\n", screen.Clean(given, ""))
			}
			for line := range strings.Lines(x.Text(o.Explanation)) {
				b.WriteString(strings.TrimRight("  | "+line, " \n") + "\n")
			}
		case verbose:
			fmt.Fprintf(&b, "%s %s\n", x.Decision(tool.Allow, "ok  "), o.test.ID)
		}
	}
	fmt.Fprintf(&b, "%s, %d failed", screen.Count(len(outcomes), "test"), failed-errors)
	if errors > 0 {
		fmt.Fprintf(&b, ", %d could not be read", errors)
	}
	b.WriteString("\n")
	return b.String()
}

type testJSON struct {
	ID      string `json:"id"`
	Source  string `json:"source"`
	Command string `json:"command"`
	OK      bool   `json:"ok"`
	Wanted  string `json:"wanted"`
	Got     string `json:"got"`
	Rule    string `json:"rule"`
	Reason  string `json:"reason"`
	Error   string `json:"error,omitempty"` // why it could not be read
}

type testsJSON struct {
	Schema  string     `json:"schema"`
	Tests   int        `json:"tests"`
	Failed  int        `json:"failed"`
	Results []testJSON `json:"results"`
	Errors  int        `json:"errors,omitempty"` // of those that failed, how many could not be read
}

// JSON is what came of tests for programs, to be encoded.
func JSON(outcomes []Outcome, failed int) any {
	j := testsJSON{Schema: "longline.test/v1", Tests: len(outcomes), Failed: failed}
	for _, o := range outcomes {
		if o.test.Wrong != "" {
			j.Errors++
			j.Results = append(j.Results, testJSON{ID: o.test.ID, Source: o.test.Source, Command: o.test.Command, Error: o.test.Wrong})
			continue
		}
		j.Results = append(j.Results, testJSON{
			ID: o.test.ID, Source: o.test.Source, Command: o.test.Command, OK: o.OK(), Wanted: o.wanted(),
			Got: o.Verdict.Decision.String(), Rule: o.Verdict.Rule, Reason: o.Verdict.Reason,
		})
	}
	return j
}

// JUnit is what build servers read.
func JUnit(outcomes []Outcome, failed int) string {
	var b strings.Builder
	b.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
	errors := 0
	for _, o := range outcomes {
		errors += min(len(o.test.Wrong), 1)
	}
	fmt.Fprintf(&b, "<testsuite name=\"longline\" tests=\"%d\" failures=\"%d\" errors=\"%d\">\n", len(outcomes), failed-errors, errors)
	for _, o := range outcomes {
		file, _, _ := strings.Cut(o.test.Source, ":")
		fmt.Fprintf(&b, "  <testcase classname=\"%s\" name=\"%s\" time=\"%.6f\"", xmlText(file), xmlText(o.test.ID), o.took.Seconds())
		if o.OK() {
			b.WriteString("/>\n")
			continue
		}
		if o.test.Wrong != "" {
			fmt.Fprintf(&b, ">\n    <error>%s</error>\n  </testcase>\n", xmlText(o.test.Wrong))
			continue
		}
		fmt.Fprintf(&b, ">\n    <failure message=\"wanted %s, got %s\">%s: %s\n%s</failure>\n  </testcase>\n",
			xmlText(o.wanted()), xmlText(o.got()), xmlText(o.test.Source), xmlText(o.test.Command), xmlText(hook.Sentence(o.Verdict)))
	}
	b.WriteString("</testsuite>\n")
	return b.String()
}

// xmlText escapes text for XML, which cannot hold most control characters at all.
func xmlText(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(screen.Clean(text, "\n\t"))
}
