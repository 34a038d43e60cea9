package cli

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"longline/internal/agent"
	"longline/internal/content"
	"longline/internal/session"
	"longline/internal/tool"
)

// request is one line of check --jsonl. Fields it does not know are for
// whoever made the list.
type request struct {
	Command *string `json:"command"`
	// Tool is called with Input, in place of a command; Source says who brought its server.
	Tool    string          `json:"tool"`
	Input   json.RawMessage `json:"input"`
	Source  string          `json:"source"`
	Cwd     string          `json:"cwd"`
	Home    string          `json:"home"`
	Project string          `json:"project"`
	// Session names the session that the command belongs to: it is judged by what the
	// lines before it have made known, and adds to that.
	Session string `json:"session"`
	// Content is the content filter's verdict on what the command has brought in.
	Content string `json:"content_verdict"`
}

// lines answers each input line with one output line, in the same order. What
// is wrong with a line is the answer to that line, so that the two stay in step.
// Lines that arrive together are judged by one look at the disk.
func (c *checker) lines(in io.Reader) int {
	c.p.collectLess()
	c.forget = map[place]func(){}
	for pl, cfg := range c.configs {
		c.forget[pl] = cfg.AtOnce()
	}
	status := exitOK
	out := bufio.NewWriterSize(c.p.out, 32<<10)
	reader := bufio.NewReaderSize(arrivals{in, c.lookAgain}, 64<<10)
	for number := 1; ; number++ {
		line, err := readLine(reader)
		if errors.Is(err, io.EOF) && line == "" {
			break
		}
		if err != nil && !errors.Is(err, io.EOF) {
			out.Flush()
			return c.p.ended(fmt.Errorf("line %d: %w", number, err), status)
		}
		if strings.TrimSpace(line) == "" {
			continue
		}
		r := c.answer(number, line)
		d, _ := tool.ParseDecision(r.Decision)
		status = max(status, statusOf(d))
		if err := writeResult(out, &r); err != nil {
			return c.p.ended(err, status)
		}
		// Whoever waits for each answer before asking the next question must
		// get it; whoever pours in a file wants few writes.
		if reader.Buffered() == 0 {
			if err := out.Flush(); err != nil {
				return c.p.ended(err, status)
			}
		}
	}
	return c.p.ended(out.Flush(), status)
}

// arrivals calls a function whenever something arrives.
type arrivals struct {
	in  io.Reader
	met func()
}

func (a arrivals) Read(room []byte) (int, error) {
	n, err := a.in.Read(room)
	a.met()
	return n, err
}

func (c *checker) answer(number int, line string) result {
	q, err := readRequest(line)
	switch {
	case err == nil && q.Command == nil && q.Tool == "":
		err = errors.New(`"command" is missing, and so is "tool"`)
	case err == nil && len(q.Input) > 0 && q.Tool != "":
		if q.Command == nil {
			words := agent.InWords(q.Tool, q.Input)
			q.Command = &words
		}
	case err == nil && q.Command == nil:
		err = errors.New(`"command" is missing, and so is "input"`)
	default: // a line of a log names both
		c.as.tool, q.Tool = q.Tool, ""
	}
	if err != nil {
		return result{Decision: tool.Ask.String(), Reason: fmt.Sprintf("line %d: %v", number, err), Rules: []string{}}
	}
	if _, known := content.ParseVerdict(q.Content); q.Content != "" && !known {
		return result{Command: *q.Command, Decision: tool.Ask.String(), Reason: fmt.Sprintf("line %d: unknown content_verdict %q; expected one of clean, suspicious, injection", number, q.Content), Rules: []string{}}
	}
	v, err := c.judgeIn(&q, c.place.within(q.Cwd, q.Home, q.Project))
	if err != nil {
		return result{Command: *q.Command, Decision: tool.Ask.String(), Reason: fmt.Sprintf("line %d: %v", number, err), Rules: []string{}}
	}
	return resultOf(*q.Command, v)
}

// judgeIn judges a command as a call of its session, if it has one. What is asked about
// counts as having run.
func (c *checker) judgeIn(q *request, pl place) (tool.Verdict, error) {
	if q.Session == "" && q.Tool == "" {
		v, _, err := c.judge(*q.Command, pl)
		return v, err
	}
	cfg, err := c.at(pl)
	if err != nil {
		return tool.Verdict{}, err
	}
	call := c.as.call("check", cfg.Dir, *q.Command)
	if q.Tool != "" {
		if err := c.as.describe(&call, q.Tool, q.Input, q.Source, cfg.World.Home); err != nil {
			return tool.Verdict{}, err
		}
	}
	if q.Session == "" {
		v, _ := cfg.Judge(call)
		return v, nil
	}
	journal := c.sessions[q.Session]
	if journal == nil {
		if c.sessions == nil {
			c.sessions = map[string]*session.Journal{}
		}
		journal = new(session.Journal)
		c.sessions[q.Session] = journal
	}
	call.Past, call.Agreed = journal.Past(), journal.Agreed(&call)
	v, invs := cfg.Judge(call)
	runs := v.Decision < tool.Deny
	if q.Content != "" && q.Content != content.Clean.String() && runs {
		journal.Met(q.Content, cmp.Or(*q.Command, "a command"), "", 0)
	}
	journal.Learn(session.Seen{
		Call: &call, Verdict: &v, Invs: invs, Runs: runs, Home: cfg.World.Home, Project: cfg.World.Project,
	}, 0)
	return v, nil
}

// readLine reads up to and without the next newline, at most maxInput bytes.
func readLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if err == nil && line == nil { // as nearly always
			return string(part[:len(part)-1]), nil
		}
		line = append(line, part...)
		if len(line) > maxInput {
			return "", fmt.Errorf("longer than %d bytes", maxInput)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		return strings.TrimSuffix(string(line), "\n"), err
	}
}
