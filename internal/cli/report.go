package cli

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"longline/internal/config"
	"longline/internal/draft"
	"longline/internal/history"
	"longline/internal/mask"
	"longline/internal/report"
	"longline/internal/screen"
	"longline/internal/tool"
)

func reportCommand() subcommand {
	return subcommand{
		name: "report", usage: "[--since WHEN] [--out FILE]", flags: true,
		purpose: forSeeWhatHappened, example: "report --since 7d --out report.html",
		short: "write an HTML report about what was judged, asked and denied",
		help: `The page is one self-contained HTML file. Secrets are masked as in the log. Without
--out it goes to a temporary file, and on a desktop into your browser.

  longline report --since 7d --out report.html`,
		run: runReport,
	}
}

func runReport(p *process, args []string) int {
	var pl place
	filter := logFilter{since: sinceFlag(time.Now().AddDate(0, 0, -7))}
	flags := p.flagSet("report")
	flags.StringVar(&pl.config, "config", "", "use the rules in `FILE` instead of yours")
	flags.Var(&filter.since, "since", "report what was judged since `WHEN`: 90m, 7d or 2026-11-15; default 7d")
	out := flags.String("out", "", "write the page to `FILE`; - is standard output; default: a temporary file, which is opened")
	file := flags.String("file", "", "read `FILE` instead of the active log")
	status, done := p.parseAlone(flags, args)
	if done {
		return status
	}
	cfg, err := p.load(pl)
	if err != nil {
		return p.configError(err)
	}
	files, err := openLog(cfg, *file)
	if err != nil {
		return p.failed("report", err)
	}
	defer files.Close()
	l := logReader{p: p, filter: filter, files: files}
	rep, err := l.report(cfg)
	if err != nil {
		return p.failed("report", err)
	}
	if *out == "-" {
		return p.ended(rep.Write(p.out, time.Now()), exitOK)
	}
	path, err := writePage(rep, *out)
	if err != nil {
		return p.failed("report", err)
	}
	if rep.Total.Calls == 0 {
		fmt.Fprintln(p.err, "longline: the log has no calls in this period; check the setup with \"longline doctor\"")
	}
	fmt.Fprintf(p.out, "%s: %s, %d asked, %d denied\n", path, screen.Count(rep.Total.Calls, "call"), rep.Total.Asked, rep.Total.Denied)
	if opener := p.opener(runtime.GOOS); *out == "" && opener != "" && screen.IsTerminal(p.out) && screen.IsTerminal(p.in) {
		if err := exec.Command(opener, path).Start(); err != nil {
			p.hintf("open it in a browser: %v", err)
		}
	}
	return exitOK
}

// opener is the program that shows a page on a desktop, or "" where there is no desktop.
func (p *process) opener(system string) string {
	x, _ := p.env.Get("DISPLAY")
	wayland, _ := p.env.Get("WAYLAND_DISPLAY")
	switch {
	case system == "darwin":
		return "/usr/bin/open"
	case x+wayland != "":
		return "xdg-open"
	}
	return ""
}

// report reads the log once, and judges what is shown once more: where the answer is
// still the same, the part that it is about can be marked, and a rule that would lift
// the question can be drafted.
func (l *logReader) report(cfg *config.Config) (*report.Report, error) {
	c := report.NewCollector()
	s := l.p.questions(cfg)
	err := l.each(func(r *history.Record, _ []byte) error {
		c.Add(r)
		s.Note(r)
		return nil
	})
	if err != nil {
		return nil, err
	}
	rep := c.Report()
	rep.Corrupt, rep.FirstBad = l.count.Corrupt, filepath.Base(l.count.First)
	for _, e := range rep.Entries {
		markEntry(s, e)
	}
	var groups []*draft.Group
	for _, row := range rep.Rules {
		if !row.Vain {
			continue
		}
		if groups == nil {
			groups = s.Groups(1)
		}
		var mine []*draft.Group
		for _, g := range groups {
			if slices.Contains(g.Rules, row.Name) {
				mine = append(mine, g)
			}
		}
		if drafts := s.Drafts(mine[:min(len(mine), 10)]); len(drafts) > 0 {
			row.Draft = s.Text(drafts)
		}
	}
	return rep, nil
}

// markEntry finds the part of an entry's command that its rule speaks of.
func markEntry(s *draft.Log, e *report.Entry) {
	if !markable(e) {
		return
	}
	v, _, err := s.Judge(e.Command, e.Dir, false)
	if err != nil || v.Decision.String() != e.Decision {
		return
	}
	for _, f := range v.Findings {
		if f.Rule == cmp.Or(e.Rule, v.Rule) && f.Decision == v.Decision && placed(f.Span, e.Command) {
			e.Spans = append(e.Spans, [2]int{f.Span.Start, f.Span.End})
		}
	}
	slices.SortFunc(e.Spans, func(a, b [2]int) int { return a[0] - b[0] })
}

// markable reports whether an entry is a shell command that was objected to, as it was.
func markable(e *report.Entry) bool {
	objected := e.Decision == "ask" || e.Decision == "deny"
	return e.Shell && objected && !strings.Contains(e.Command, mask.Mark)
}

// placed reports whether a span is a part of a command.
func placed(s tool.Span, command string) bool { return s != (tool.Span{}) && s.End <= len(command) }

// writePage writes the page beside its place and then moves it there, so that a
// browser never sees half of it; without a place it stays in a temporary file. Only its owner may read it, as the log.
func writePage(rep *report.Report, path string) (where string, err error) {
	dir, name := os.TempDir(), "longline-report-*.html"
	if path != "" {
		dir, name = filepath.Dir(path), ".longline-report-*"
	}
	f, err := os.CreateTemp(dir, name)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	w := bufio.NewWriter(f)
	err = rep.Write(w, time.Now())
	if flushed := w.Flush(); err == nil {
		err = flushed
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil || path == "" {
		return f.Name(), err
	}
	return path, os.Rename(f.Name(), path)
}
