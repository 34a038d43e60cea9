package cli

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"longline/internal/content"
	"longline/internal/contentscan"
	"longline/internal/intake"
	"longline/internal/screen"
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
	if problem := o.problem(len(rest)); problem != "" {
		return p.usageError("scan", "%s", problem)
	}
	if o.jsonl {
		return p.scanLines()
	}
	if len(rest) == 0 {
		rest = []string{"."}
	}
	files, whole, err := intake.Files(rest)
	if err != nil {
		return p.failed("scan", err)
	}
	results := p.scanFiles(files)
	p.keepVerdicts(results)
	r := contentscan.Scan{Results: results, Switches: contentscan.SwitchesIn(rest), Whole: whole}
	return p.ended(o.write(p, &r), scanStatus(&r))
}

// problem says what is wrong with the flags and arguments.
func (o *scanOptions) problem(paths int) string {
	switch {
	case o.json && o.sarif || o.json && o.jsonl || o.sarif && o.jsonl:
		return "--json, --sarif and --jsonl exclude each other"
	case o.jsonl && paths > 0:
		return "--jsonl reads standard input and takes no paths"
	}
	return ""
}

// write prints what was found in the form that was asked for.
func (o *scanOptions) write(p *process, r *contentscan.Scan) error {
	switch {
	case o.json:
		return screen.WriteJSON(p.out, true, r.JSON(o.all))
	case o.sarif:
		return screen.WriteJSON(p.out, true, r.SARIF(versionLine()))
	}
	return writeText(p, r.Text(p.style(), o.all))
}

// scanStatus is the exit status of the worst that was found.
func scanStatus(r *contentscan.Scan) int {
	switch worst, failed := r.Worst(); {
	case worst == content.Injection:
		return exitDeny
	case worst == content.Suspicious || len(r.Switches) > 0:
		return exitAsk
	case failed:
		return exitFailed
	}
	return exitOK
}

// scanFiles scans files, and shows somebody who waits how far it is.
func (p *process) scanFiles(files []string) []contentscan.Result {
	bar := p.progress(len(files))
	bar.what = "not clean"
	defer bar.end()
	return contentscan.Files(p.contentRules(), files, bar.at)
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
		answer, found := scanLine(rules, number, line)
		status = max(status, found)
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

// scanAnswer is what is said about one text.
type scanAnswer struct {
	Path       string                    `json:"path"`
	Verdict    string                    `json:"verdict"`
	Score      float64                   `json:"score"`
	Confidence float64                   `json:"confidence"`
	Partial    bool                      `json:"partial,omitempty"`
	Error      string                    `json:"error,omitempty"`
	Findings   []contentscan.FindingJSON `json:"findings"`
}

// scanLine scans the text in a line, and says which exit status it deserves.
func scanLine(rules *content.Rules, number int, line string) (scanAnswer, int) {
	var q struct {
		Path string  `json:"path"`
		Text *string `json:"text"`
	}
	if err := json.Unmarshal([]byte(line), &q); err != nil || q.Text == nil {
		// What cannot be read is nothing to rely on.
		problem := fmt.Sprintf(`line %d: want {"path": ..., "text": ...}`, number)
		return scanAnswer{Path: q.Path, Verdict: content.Suspicious.String(), Error: problem, Findings: []contentscan.FindingJSON{}}, exitAsk
	}
	r := rules.Scan(q.Path, []byte(*q.Text))
	return scanAnswer{
		Path: q.Path, Verdict: r.Verdict.String(), Score: contentscan.Rounded(r.Score), Confidence: contentscan.Rounded(r.Confidence), Partial: r.Partial,
		Findings: append([]contentscan.FindingJSON{}, contentscan.FindingsJSON(&r)...),
	}, int(r.Verdict) * exitAsk
}
