package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"longline/internal/history"
	"longline/internal/screen"
)

func statuslineCommand() subcommand {
	return subcommand{
		name: "statusline", purpose: forSeeWhatHappened, example: "statusline", flags: true,
		short: "one line for the status line of an agent: what longline did today",
		help: `It counts the decisions of today and names the last question. In the settings of
Claude Code:

  "statusLine": {"type": "command", "command": "longline statusline"}

It reads at most the last 4 MB of the log, so that it takes a few milliseconds.`,
		run: runStatusline,
	}
}

// maxStatus is how much of the log a status line looks at.
const maxStatus = 4 << 20

func runStatusline(p *process, args []string) int {
	flags := p.flagSet("statusline")
	if status, done := p.parseAlone(flags, args); done {
		return status
	}
	cfg, err := p.load(place{})
	if err != nil {
		// What the agent says is blocked, and a status line is one line.
		fmt.Fprintln(p.out, "longline: the rules are broken: everything is blocked; run longline doctor")
		return exitOK
	}
	day, err := today(cfg.Log, time.Now())
	if err != nil {
		fmt.Fprintln(p.out, "longline: the log cannot be read; run longline doctor")
		return exitOK
	}
	fmt.Fprintln(p.out, day)
	return exitOK
}

// day is what a status line says of a day.
type day struct {
	allowed, contained, asked, denied int
	undo                              int // calls with a snapshot before them
	last                              string
}

// today counts the lines of a log since midnight.
func today(path string, now time.Time) (d day, err error) {
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return d, nil
	}
	if err != nil {
		return d, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxStatus {
		if _, err := f.Seek(-maxStatus, io.SeekEnd); err != nil {
			return d, err
		}
	}
	year, month, date := now.Date()
	midnight := time.Date(year, month, date, 0, 0, 0, 0, now.Location())
	var count history.Count // the first line may be half a one
	return d, count.Read(path, f, func(r *history.Record, _ []byte) error {
		if !r.Time.Before(midnight) && !r.Permitted && !r.ByHand && !r.DryRun {
			d.add(r)
		}
		return nil
	})
}

func (d *day) add(r *history.Record) {
	switch r.Decision {
	case "allow":
		d.allowed++
		if len(r.Means) > 0 {
			d.contained++
		}
	case "ask":
		d.asked++
		d.last = "asked " + r.Time.Local().Format("15:04") + " " + r.DecidedBy()
	case "deny":
		d.denied++
		d.last = "denied " + r.Time.Local().Format("15:04") + " " + r.DecidedBy()
	}
	for _, means := range r.Means {
		if means == "undo" {
			d.undo++
		}
	}
}

func (d day) String() string {
	parts := []string{fmt.Sprintf("longline: %d allowed", d.allowed)}
	if d.contained > 0 {
		parts[0] += fmt.Sprintf(" (%d contained)", d.contained)
	}
	parts = append(parts, fmt.Sprintf("%d asked", d.asked), fmt.Sprintf("%d denied", d.denied))
	if d.undo > 0 {
		parts = append(parts, screen.Count(d.undo, "call")+" with undo")
	}
	if d.last != "" {
		parts = append(parts, d.last)
	}
	return strings.Join(parts, " · ")
}
