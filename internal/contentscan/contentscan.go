// Package contentscan scans files for prompt injections and reports what was found: as
// text, as JSON and as SARIF. It never shows the text itself, since an agent may read it.
package contentscan

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"longline/internal/agent"
	"longline/internal/config"
	"longline/internal/content"
	"longline/internal/guard"
	"longline/internal/intake"
	"longline/internal/screen"
	"longline/internal/tool"
)

// Result is what came of one file.
type Result struct {
	Path   string
	Report content.Report
	Hash   intake.Hash
	Unread string // why it was not scanned
	Err    error
}

// Files scans files on all processors; the results are in the order of the files. progress
// is told how many are done, and how many of these are not clean.
func Files(rules *content.Rules, files []string, progress func(done, found int)) []Result {
	results := make([]Result, len(files))
	var next, done, found int
	var lock sync.Mutex
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), max(len(files), 1)) {
		wait.Go(func() {
			for {
				lock.Lock()
				i := next
				next++
				lock.Unlock()
				if i >= len(files) {
					return
				}
				r := scanFile(rules, files[i])
				lock.Lock()
				results[i] = r
				done++
				if r.Report.Verdict != content.Clean {
					found++
				}
				progress(done, found)
				lock.Unlock()
			}
		})
	}
	wait.Wait()
	return results
}

func scanFile(rules *content.Rules, path string) Result {
	text, err := intake.Open(path)
	switch {
	case errors.Is(err, intake.ErrNotFile):
		return Result{Path: path, Unread: "not a regular file"}
	case err != nil:
		return Result{Path: path, Err: err}
	case text.Unread != "":
		return Result{Path: path, Unread: text.Unread}
	}
	report := rules.Scan(path, text.Bytes)
	hash := intake.HashOf(text.Bytes)
	report.Partial = report.Partial || text.Cut
	return Result{Path: path, Report: report, Hash: hash}
}

// Scan is all that a scan found.
type Scan struct {
	Results  []Result
	Switches []string // what in a checkout would switch the hook off
	Whole    bool
}

// Worst is the worst verdict, and whether something could not be scanned.
func (r *Scan) Worst() (verdict content.Verdict, failed bool) {
	failed = !r.Whole
	for _, s := range r.Results {
		verdict = max(verdict, s.Report.Verdict)
		failed = failed || s.Err != nil
	}
	return verdict, failed
}

// Text is the scan for people; of clean files it tells only if all are wanted.
func (r *Scan) Text(s screen.Style, all bool) string {
	var b strings.Builder
	var c counts
	for i := range r.Results {
		f := &r.Results[i]
		if c.add(f); all || f.Err != nil || f.Unread == "" && f.Report.Verdict != content.Clean {
			b.WriteString(f.text(s))
		}
	}
	for _, line := range r.Switches {
		fmt.Fprintf(&b, "%-10s  %s\n", "switch", screen.Clean(line, ""))
	}
	fmt.Fprintf(&b, "%s: %d clean, %d suspicious, %d injection", screen.Count(len(r.Results), "file"), c.verdicts[0], c.verdicts[1], c.verdicts[2])
	for _, more := range []struct {
		n    int
		what string
	}{{c.unread, "not read"}, {c.partial, "read in part"}, {c.failed, "failed"}} {
		if more.n > 0 {
			fmt.Fprintf(&b, ", %d %s", more.n, more.what)
		}
	}
	if !r.Whole {
		b.WriteString("; there are more files than it scans")
	}
	b.WriteByte('\n')
	return b.String()
}

// counts are how many files were what.
type counts struct {
	verdicts                [3]int
	unread, failed, partial int
}

func (c *counts) add(f *Result) {
	switch {
	case f.Err != nil:
		c.failed++
	case f.Unread != "":
		c.unread++
	default:
		c.verdicts[f.Report.Verdict]++
		if f.Report.Partial {
			c.partial++
		}
	}
}

// text is the line of one file.
func (f *Result) text(s screen.Style) string {
	name := screen.Clean(f.Path, "")
	switch {
	case f.Err != nil:
		return fmt.Sprintf("%-10s  %v\n", "error", f.Err)
	case f.Unread != "":
		return fmt.Sprintf("%-10s  %s  (%s)\n", "not read", name, f.Unread)
	}
	if line := f.Report.Line(); line > 0 {
		name = fmt.Sprintf("%s:%d", name, line)
	}
	v, kinds := f.Report.Verdict, ""
	if v != content.Clean {
		kinds = "  " + s.Dim(strings.Join(f.Report.Kinds(), ", "))
	}
	return s.Decision(AnswerTo(v), fmt.Sprintf("%-10s", v)) + "  " + name + kinds + "\n"
}

// AnswerTo is what the hook answers for a verdict.
func AnswerTo(v content.Verdict) tool.Decision {
	return [...]tool.Decision{content.Clean: tool.Allow, content.Suspicious: tool.Ask, content.Injection: tool.Deny}[v]
}

// SwitchesIn says what in the settings of a checkout would keep longline from being
// asked, for an agent that is started there.
func SwitchesIn(paths []string) []string {
	var list []string
	for _, root := range paths {
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			continue
		}
		for _, name := range [...]string{agent.ClaudeProject, agent.ClaudeLocal} {
			list = append(list, switches(filepath.Join(root, name))...)
		}
	}
	return list
}

// switches says what a settings file sets that keeps longline from being asked.
func switches(path string) []string {
	var list []string
	for _, s := range agent.ClaudeSwitches(config.ReadSettings(path), guard.VariableEffect) {
		list = append(list, path+" sets "+s.Setting+": "+s.Effect)
	}
	return list
}
