package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"longline/internal/content"
	"longline/internal/intake"
	"longline/internal/screen"
	"longline/internal/tool"
)

func scanCommand() subcommand {
	return subcommand{
		name: "scan", usage: "[PATH...] [--json | --sarif | --jsonl]", flags: true,
		purpose: forTryIt, example: "scan ~/sandbox/repo",
		short: "scan files for prompt injections",
		help: `Without PATH it scans the current directory. It prints the file, line and kind of
each finding, never the text, since an agent may read the output. --jsonl reads
lines {"path": ..., "text": ...} and answers each with one line.

The exit status is 20 for an injection, 10 for something suspicious, 0 if all files
are clean, and 1 or 2 after an error.

  longline scan ~/sandbox/repo
  longline scan --sarif . >scan.sarif`,
		run: runScan,
	}
}

// scanOptions is what scan was asked for.
type scanOptions struct{ json, sarif, jsonl, all bool }

func runScan(p *process, args []string) int {
	var o scanOptions
	flags := p.flagSet("scan")
	flags.BoolVar(&o.json, "json", false, "print one JSON object")
	flags.BoolVar(&o.sarif, "sarif", false, "print a SARIF 2.1.0 log, for code scanning")
	flags.BoolVar(&o.jsonl, "jsonl", false, "read texts as JSON lines from standard input")
	flags.BoolVar(&o.all, "all", false, "list clean files as well")
	rest, status, done := p.parse(flags, args)
	if done {
		return status
	}
	if n := btoi(o.json) + btoi(o.sarif) + btoi(o.jsonl); n > 1 {
		return p.usageError("scan", "--json, --sarif and --jsonl exclude each other")
	}
	if o.jsonl {
		if len(rest) > 0 {
			return p.usageError("scan", "--jsonl reads standard input and takes no paths")
		}
		return p.scanLines()
	}
	if len(rest) == 0 {
		rest = []string{"."}
	}
	files, whole, err := intake.Files(rest)
	if err != nil {
		p.errorf("scan: %v", err)
		return exitFailed
	}
	results := p.scanFiles(files)
	p.keepVerdicts(results)
	r := scanned{results: results, switches: switchesIn(rest), whole: whole}
	switch {
	case o.json:
		err = screen.WriteJSON(p.out, true, r.json(o.all))
	case o.sarif:
		err = screen.WriteJSON(p.out, true, r.sarif())
	default:
		err = writeText(p, r.text(p.style(), o.all))
	}
	if err != nil {
		return p.ended(err, exitOK)
	}
	return r.status()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// scanResult is what came of one file.
type scanResult struct {
	path   string
	report content.Report
	hash   intake.Hash
	unread string // why it was not scanned
	err    error
}

// scanFiles scans files on all processors, in the order given.
func (p *process) scanFiles(files []string) []scanResult {
	rules := p.contentRules()
	results := make([]scanResult, len(files))
	bar := p.progress(len(files))
	bar.what = "not clean"
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
				if r.report.Verdict != content.Clean {
					found++
				}
				bar.at(done, found)
				lock.Unlock()
			}
		})
	}
	wait.Wait()
	bar.end()
	return results
}

func scanFile(rules *content.Rules, path string) scanResult {
	text, err := intake.Open(path)
	switch {
	case errors.Is(err, intake.ErrNotFile):
		return scanResult{path: path, unread: "not a regular file"}
	case err != nil:
		return scanResult{path: path, err: err}
	case text.Unread != "":
		return scanResult{path: path, unread: text.Unread}
	}
	report := rules.Scan(path, text.Bytes)
	hash := intake.HashOf(text.Bytes)
	report.Partial = report.Partial || text.Cut
	return scanResult{path: path, report: report, hash: hash}
}

// scanned is all that a scan found.
type scanned struct {
	results  []scanResult
	switches []string // what in a checkout would switch the hook off
	whole    bool
}

func (r *scanned) status() int {
	worst, failed := content.Clean, !r.whole
	for _, s := range r.results {
		worst = max(worst, s.report.Verdict)
		failed = failed || s.err != nil
	}
	switch {
	case worst == content.Injection:
		return exitDeny
	case worst == content.Suspicious || len(r.switches) > 0:
		return exitAsk
	case failed:
		return exitFailed
	}
	return exitOK
}

func (r *scanned) text(s screen.Style, all bool) string {
	var b strings.Builder
	var counts [3]int
	unread, failed, partial := 0, 0, 0
	for _, f := range r.results {
		name := screen.Clean(f.path, "")
		switch {
		case f.err != nil:
			failed++
			fmt.Fprintf(&b, "%-10s  %v\n", "error", f.err)
		case f.unread != "":
			unread++
			if all {
				fmt.Fprintf(&b, "%-10s  %s  (%s)\n", "not read", name, f.unread)
			}
		default:
			v := f.report.Verdict
			counts[v]++
			partial += btoi(f.report.Partial)
			if v == content.Clean && !all {
				continue
			}
			place := name
			if line := f.report.Line(); line > 0 {
				place = fmt.Sprintf("%s:%d", name, line)
			}
			fmt.Fprintf(&b, "%s  %s", s.Decision(answerTo(v), fmt.Sprintf("%-10s", v)), place)
			if v != content.Clean {
				fmt.Fprintf(&b, "  %s", s.Dim(strings.Join(f.report.Kinds(), ", ")))
			}
			b.WriteByte('\n')
		}
	}
	for _, line := range r.switches {
		fmt.Fprintf(&b, "%-10s  %s\n", "switch", screen.Clean(line, ""))
	}
	fmt.Fprintf(&b, "%s: %d clean, %d suspicious, %d injection", screen.Count(len(r.results), "file"), counts[0], counts[1], counts[2])
	for _, more := range []struct {
		n    int
		what string
	}{{unread, "not read"}, {partial, "read in part"}, {failed, "failed"}} {
		if more.n > 0 {
			fmt.Fprintf(&b, ", %d %s", more.n, more.what)
		}
	}
	if !r.whole {
		b.WriteString("; there are more files than it scans")
	}
	b.WriteByte('\n')
	return b.String()
}

// answerTo is what the hook answers for a verdict.
func answerTo(v content.Verdict) tool.Decision {
	return [...]tool.Decision{content.Clean: tool.Allow, content.Suspicious: tool.Ask, content.Injection: tool.Deny}[v]
}

type scanJSON struct {
	Schema   string         `json:"schema"`
	Verdict  string         `json:"verdict"`
	Files    int            `json:"files"`
	Whole    bool           `json:"whole"`
	Switches []string       `json:"switches"`
	Results  []scanFileJSON `json:"results"`
}

type scanFileJSON struct {
	Path       string            `json:"path"`
	Verdict    string            `json:"verdict,omitempty"`
	Score      float64           `json:"score,omitempty"`
	Confidence float64           `json:"confidence,omitempty"`
	Partial    bool              `json:"partial,omitempty"`
	Unread     string            `json:"unread,omitempty"`
	Error      string            `json:"error,omitempty"`
	Findings   []scanFindingJSON `json:"findings,omitempty"`
}

type scanFindingJSON struct {
	Rule     string   `json:"rule"`
	Category string   `json:"category"`
	Severity string   `json:"severity"`
	Reason   string   `json:"reason"`
	Line     int      `json:"line"`
	Start    int      `json:"start"`
	End      int      `json:"end"`
	Points   float64  `json:"points"`
	Via      []string `json:"via,omitempty"`
	Decides  bool     `json:"decides"`
}

func findingsJSON(r *content.Report) []scanFindingJSON {
	var list []scanFindingJSON
	for _, f := range r.Findings {
		list = append(list, scanFindingJSON{f.Rule, f.Category, f.Severity(), f.Reason, f.Line, f.Start, f.End, rounded(f.Points), f.Via, f.Counts})
	}
	return list
}

func rounded(f float64) float64 { return float64(int(f*100+0.5)) / 100 }

func (r *scanned) json(all bool) scanJSON {
	worst := content.Clean
	j := scanJSON{Schema: "longline.scan/v1", Files: len(r.results), Whole: r.whole, Switches: append([]string{}, r.switches...), Results: []scanFileJSON{}}
	for _, f := range r.results {
		worst = max(worst, f.report.Verdict)
		if !all && f.err == nil && f.report.Verdict == content.Clean {
			continue
		}
		o := scanFileJSON{Path: f.path, Unread: f.unread}
		switch {
		case f.err != nil:
			o.Error = f.err.Error()
		case f.unread == "":
			o.Verdict, o.Score, o.Confidence, o.Partial = f.report.Verdict.String(), rounded(f.report.Score), rounded(f.report.Confidence), f.report.Partial
			o.Findings = findingsJSON(&f.report)
		}
		j.Results = append(j.Results, o)
	}
	j.Verdict = worst.String()
	return j
}

// scanLines answers each line of standard input with one line.
func (p *process) scanLines() int {
	p.collectLess()
	rules := p.contentRules()
	in := bufio.NewReaderSize(p.in, 64<<10)
	out := bufio.NewWriterSize(p.out, 32<<10)
	status := exitOK
	for number := 1; ; number++ {
		line, err := readLine(in)
		if errors.Is(err, io.EOF) && line == "" {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			out.Flush()
			return p.ended(fmt.Errorf("line %d: %w", number, err), status)
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		var q struct {
			Path string  `json:"path"`
			Text *string `json:"text"`
		}
		answer := struct {
			Path       string            `json:"path"`
			Verdict    string            `json:"verdict"`
			Score      float64           `json:"score"`
			Confidence float64           `json:"confidence"`
			Partial    bool              `json:"partial,omitempty"`
			Error      string            `json:"error,omitempty"`
			Findings   []scanFindingJSON `json:"findings"`
		}{Findings: []scanFindingJSON{}}
		switch err := json.Unmarshal([]byte(line), &q); {
		case err != nil || q.Text == nil:
			// What cannot be read is nothing to rely on.
			answer.Path, answer.Verdict, answer.Error = q.Path, content.Suspicious.String(), fmt.Sprintf(`line %d: want {"path": ..., "text": ...}`, number)
			status = max(status, exitAsk)
		default:
			r := rules.Scan(q.Path, []byte(*q.Text))
			answer.Path, answer.Verdict, answer.Score, answer.Confidence, answer.Partial = q.Path, r.Verdict.String(), rounded(r.Score), rounded(r.Confidence), r.Partial
			answer.Findings = append(answer.Findings, findingsJSON(&r)...)
			status = max(status, int(r.Verdict)*exitAsk)
		}
		if err := screen.WriteJSON(out, false, answer); err != nil {
			return p.ended(err, status)
		}
		if in.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return p.ended(err, status)
			}
		}
	}
	return p.ended(out.Flush(), status)
}

// switchesIn says what in the settings of a checkout would keep longline from being
// asked, for an agent that is started there.
func switchesIn(paths []string) []string {
	var list []string
	for _, root := range paths {
		if info, err := os.Stat(root); err != nil || !info.IsDir() {
			continue
		}
		for _, name := range [...]string{".claude/settings.json", ".claude/settings.local.json"} {
			list = append(list, switches(filepath.Join(root, name))...)
		}
	}
	return list
}
