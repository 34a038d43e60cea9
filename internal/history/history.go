// Package history reads the audit log back. It reads as a stream, whatever the
// log's size, and counts and skips lines that it cannot read: a full disk or an
// editor's slip must not hide everything logged before.
package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"time"
	"unicode/utf8"
)

// Record is one line of the log. Lines about outcomes and about what a person
// told longline have an event and no decision.
type Record struct {
	Time      time.Time `json:"ts"`
	Event     string    `json:"event"`
	Tool      string    `json:"tool"`
	Dir       string    `json:"cwd"`
	Command   string    `json:"command"`
	Decision  string    `json:"decision"`
	Rules     []string  `json:"matched_rules"`
	Reason    string    `json:"reason"`
	Session   string    `json:"session_id"`
	Agent     string    `json:"agent"`
	Subagent  string    `json:"agent_type"`
	ToolUse   string    `json:"tool_use_id"`
	Duration  int64     `json:"duration_us"`
	DryRun    bool      `json:"dry_run"`
	Rule      string    `json:"rule"`
	Shell     *bool     `json:"shell"`
	Edits     bool      `json:"edits"`
	Cut       *bool     `json:"cut"`
	Outcome   string    `json:"outcome"`
	Subject   string    `json:"subject"`
	Answered  string    `json:"answered"`
	Rewritten string    `json:"rewritten"`
	Means     []string  `json:"means"` // that the answer rests on
	Because   string    `json:"because"`
	ID        string    `json:"id"`
	ByHand    bool      `json:"by_hand"`
	Host      string    `json:"host"` // of lines that were collected from several machines
	User      string    `json:"user"`
	Version   int       `json:"v"`
	Permitted bool      `json:"-"` // it is the agent's own question about a call that was judged before
}

// IsShell reports whether the command is shell text. For old lines without that
// field, the tool decides.
func (r *Record) IsShell() bool {
	if r.Shell != nil {
		return *r.Shell
	}
	return r.Tool == "Bash" || r.Tool == "Monitor"
}

// IsCut reports whether the line does not hold the whole command.
func (r *Record) IsCut() bool {
	if r.Cut != nil {
		return *r.Cut
	}
	return utf8.RuneCountInString(r.Command) >= 1024
}

// DecidedBy is the id of the rule that decided; for lines that do not say, the
// first that matched.
func (r *Record) DecidedBy() string {
	if r.Rule == "" && len(r.Rules) > 0 {
		return r.Rules[0]
	}
	return r.Rule
}

// Count is how many lines were read.
type Count struct {
	Lines   int
	Corrupt int // could not be understood
	First   string
}

// MaxDistinct bounds how many different commands, days or rules of a log are
// remembered, so that memory does not grow with it.
const MaxDistinct = 50_000

// maxLine bounds a line; what is longer was not written by longline.
const maxLine = 1 << 20

// Read hands every record of a stream to do, with the line as it is written.
// The name is for messages.
func (c *Count) Read(name string, in io.Reader, do func(r *Record, line []byte) error) error {
	lines := bufio.NewReaderSize(in, 256<<10)
	for number := 1; ; number++ {
		line, whole, err := next(lines)
		if len(line) > 0 || !whole {
			c.Lines++
			var r Record
			if !whole || !r.parse(line) {
				if c.Corrupt++; c.First == "" {
					c.First = name + ":" + strconv.Itoa(number)
				}
			} else if err := do(&r, line); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (r *Record) parse(line []byte) bool {
	if json.Unmarshal(line, r) != nil || r.Time.IsZero() {
		return false
	}
	switch r.Event {
	case "PermissionRequest", "permissionRequest":
		r.Permitted = true
	}
	return r.Decision != "" || r.Event != ""
}

// next returns the next line without its end, and whether it is all of it.
func next(in *bufio.Reader) (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) <= maxLine {
			line = append(line, part...)
		} else {
			line, whole = nil, false
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSpace(line), whole, err
		}
	}
}
