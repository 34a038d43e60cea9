package audit

import (
	"bufio"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"longline/internal/mask"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// Record is one line of the log, read back.
type Record struct {
	Time     time.Time
	Tool     string
	Dir      string
	Command  string
	Decision tool.Decision
	Rules    []string
	Reason   string
	Parsed   bool
	Session  string
	Agent    string
	Duration time.Duration
	DryRun   bool
	Shell    bool
	Line     string // as it is written, without the newline
}

// Whole says whether Command is all that was judged: not cut, nothing masked.
func (r *Record) Whole() bool {
	return utf8.RuneCountInString(r.Command) < maxText && !strings.Contains(r.Command, mask.Mark)
}

// ErrCorrupt is the error of a line that is no record.
var ErrCorrupt = errors.New("not a line of the audit log")

// ParseRecord reads one line.
func ParseRecord(line string) (Record, error) {
	v, err := strictjson.Parse([]byte(line))
	if err != nil {
		return Record{}, errors.Join(ErrCorrupt, err)
	}
	at, err := time.Parse(time.RFC3339Nano, v.Get("ts").Text)
	decision, known := tool.ParseDecision(v.Get("decision").Text)
	if err != nil || !known {
		return Record{}, ErrCorrupt
	}
	micros, _ := strconv.ParseInt(v.Get("duration_us").Text, 10, 64)
	r := Record{
		Time: at, Tool: v.Get("tool").Text, Dir: v.Get("cwd").Text, Command: v.Get("command").Text, Decision: decision,
		Reason: v.Get("reason").Text, Parsed: v.Get("parse_ok").True, Session: v.Get("session_id").Text, Agent: v.Get("agent").Text,
		Duration: time.Duration(micros) * time.Microsecond, DryRun: v.Get("dry_run").True, Shell: v.Get("shell").True, Line: line,
	}
	for _, rule := range v.Get("matched_rules").Items {
		r.Rules = append(r.Rules, rule.Text)
	}
	return r, nil
}

// maxLine bounds a line of the log; no line that longline writes comes near it.
const maxLine = 1 << 20

// Scan hands each record of a log to do, until that returns an error. Lines
// that are no records are counted: a log may have been cut or edited.
func Scan(log io.Reader, do func(Record) error) (corrupt int, err error) {
	lines := bufio.NewReaderSize(log, 64<<10)
	for {
		line, err := readLine(lines)
		if line != "" {
			if r, wrong := ParseRecord(line); wrong != nil {
				corrupt++
			} else if err := do(r); err != nil {
				return corrupt, err
			}
		}
		if errors.Is(err, io.EOF) {
			return corrupt, nil
		}
		if err != nil {
			return corrupt, err
		}
	}
}

// readLine returns the next line. Of one that is too long it returns the
// beginning, which is no record.
func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line) < maxLine {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return strings.TrimSuffix(string(line), "\n"), err
		}
	}
}
