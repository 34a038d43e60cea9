// Package ship sends the audit log to a collector, as OTLP over HTTP in its JSON form,
// for machines that have no collector of their own.
//
// Delivery is at least once: how far a file was sent is noted after the receiver has
// confirmed it, and every line has an id by which a double is known.
package ship

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Options are for one run.
type Options struct {
	To         string          // address of the receiver; /v1/logs is added if it has no path
	Files      func() []string // of the log, the oldest first
	Checkpoint string          // the file that notes how far each of them was sent
	Header     http.Header     // to be sent along
	Resource   map[string]string
	Client     *http.Client
	// Attempts is how often a batch is sent before it is given up for this run.
	Attempts int
	Wait     func(ctx context.Context, d time.Duration) error
}

// Bounds of one request.
const (
	maxLines = 1000
	maxBytes = 1 << 20
	maxLine  = 1 << 20
)

// Sent is what a run has done.
type Sent struct {
	Lines    int
	Requests int
	Skipped  int // lines that are no lines of a log, or too long
	Rejected int // that the receiver did not want
}

// checkpoint says how far files were sent. A file is known by its first line, whatever
// it is called by now.
type checkpoint struct {
	Version int              `json:"version"`
	Offsets map[string]int64 `json:"offsets"`
}

// Run sends what was not sent yet.
func Run(ctx context.Context, o Options) (sent Sent, err error) {
	if err := os.MkdirAll(filepath.Dir(o.Checkpoint), 0o700); err != nil {
		return sent, err
	}
	unlock, err := lockedfile.MutexAt(o.Checkpoint + ".lock").Lock()
	if err != nil {
		return sent, err
	}
	defer unlock()
	s := &shipper{Options: o, sent: &sent}
	if err := s.load(); err != nil {
		return sent, err
	}
	there := map[string]bool{}
	for _, name := range o.Files() {
		id, err := s.file(ctx, name)
		if id != "" {
			there[id] = true
		}
		if err != nil {
			return sent, err
		}
	}
	changed := false
	for id := range s.mark.Offsets {
		if !there[id] { // it was removed, as old files are
			delete(s.mark.Offsets, id)
			changed = true
		}
	}
	if changed {
		err = s.save()
	}
	return sent, err
}

type shipper struct {
	Options
	mark checkpoint
	sent *Sent
}

// identify tells a file by its first line; "" if it has none yet.
func identify(f io.Reader) (string, error) {
	line, err := bufio.NewReaderSize(f, 4096).ReadSlice('\n')
	switch {
	case errors.Is(err, io.EOF):
		return "", nil
	case err != nil && !errors.Is(err, bufio.ErrBufferFull):
		return "", err
	}
	sum := sha256.Sum256(line)
	return hex.EncodeToString(sum[:16]), nil
}

// file sends what is new in a file.
func (s *shipper) file(ctx context.Context, name string) (id string, err error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	if id, err = identify(f); err != nil || id == "" {
		return id, err
	}
	offset := s.mark.Offsets[id]
	if info, err := f.Stat(); err != nil || info.Size() < offset {
		return id, errors.Join(err, fmt.Errorf("%s is shorter than what was already sent from it", name))
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return id, err
	}
	return id, s.rest(ctx, id, offset, bufio.NewReaderSize(f, 64<<10))
}

// rest sends what a file holds from an offset on, and notes how far it got.
func (s *shipper) rest(ctx context.Context, id string, offset int64, in *bufio.Reader) error {
	for {
		lines, read, more, err := s.batch(in)
		if err != nil || read == 0 {
			return err
		}
		if len(lines) > 0 {
			if err := s.deliver(ctx, lines); err != nil {
				return err
			}
		}
		offset += read
		s.mark.Offsets[id] = offset
		if err := s.save(); err != nil || !more {
			return err
		}
	}
}

// batch reads whole lines for one request. Half a line is somebody's who is still writing.
func (s *shipper) batch(in *bufio.Reader) (lines []line, read int64, more bool, err error) {
	size := 0
	for len(lines) < maxLines && size < maxBytes {
		text, n, err := next(in)
		if err == io.EOF {
			return lines, read, false, nil
		}
		if err != nil {
			return nil, 0, false, err
		}
		read += n
		l, ok := parse(text)
		if !ok {
			if len(bytes.TrimSpace(text)) > 0 || n > maxLine {
				s.sent.Skipped++
			}
			continue
		}
		lines, size = append(lines, l), size+len(text)
	}
	return lines, read, true, nil
}

// next reads a line with its end; of one that is too long it gives nothing but the length.
func next(in *bufio.Reader) (text []byte, n int64, err error) {
	for {
		part, err := in.ReadSlice('\n')
		n += int64(len(part))
		if n <= maxLine {
			text = append(text, part...)
		} else {
			text = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, n, err
		}
	}
}

// deliver sends lines until they are confirmed.
func (s *shipper) deliver(ctx context.Context, lines []line) error {
	var err error
	for i := range max(s.Attempts, 1) {
		var later time.Duration
		if later, err = s.post(ctx, lines); err == nil {
			s.sent.Lines += len(lines)
			return nil
		}
		var refused *refusal
		if errors.As(err, &refused) {
			if refused.status == http.StatusRequestEntityTooLarge && len(lines) > 1 {
				half := len(lines) / 2
				if err := s.deliver(ctx, lines[:half]); err != nil {
					return err
				}
				return s.deliver(ctx, lines[half:])
			}
			if !refused.passing() {
				return err
			}
		}
		if i == s.Attempts-1 {
			break
		}
		if wrong := s.Wait(ctx, max(later, time.Second<<min(i, 6)/2+rand.N(time.Second<<min(i, 6)/2))); wrong != nil {
			return err
		}
	}
	return err
}

// refusal is an answer that is not a confirmation.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

// passing says whether it may be otherwise the next time.
func (r *refusal) passing() bool {
	switch r.status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

func (s *shipper) post(ctx context.Context, lines []line) (later time.Duration, err error) {
	var body bytes.Buffer
	zip := gzip.NewWriter(&body)
	err = json.NewEncoder(zip).Encode(request(s.Resource, lines))
	if err = errors.Join(err, zip.Close()); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.To, &body)
	if err != nil {
		return 0, err
	}
	for name, values := range s.Header {
		req.Header[name] = values
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Content-Encoding", "gzip")
	req.Header.Set("User-Agent", "longline-ship")
	s.sent.Requests++
	resp, err := s.Client.Do(req)
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	if resp.StatusCode/100 != 2 {
		if seconds, wrong := strconv.Atoi(resp.Header.Get("Retry-After")); wrong == nil {
			later = time.Duration(min(max(seconds, 0), 3600)) * time.Second
		}
		return later, &refusal{resp.StatusCode, fmt.Sprintf("%s answers %s: %s", s.To, resp.Status, strings.TrimSpace(string(answer[:min(len(answer), 200)])))}
	}
	var partial struct {
		PartialSuccess struct {
			RejectedLogRecords json.Number `json:"rejectedLogRecords"`
		} `json:"partialSuccess"`
	}
	if json.Unmarshal(answer, &partial) == nil {
		n, _ := partial.PartialSuccess.RejectedLogRecords.Int64()
		s.sent.Rejected += int(n)
	}
	return 0, nil
}

func (s *shipper) load() error {
	text, err := os.ReadFile(s.Checkpoint)
	s.mark = checkpoint{Version: 1, Offsets: map[string]int64{}}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(text, &s.mark)
	}
	if err == nil && s.mark.Version != 1 {
		err = fmt.Errorf("unknown version %d", s.mark.Version)
	}
	if err != nil {
		return fmt.Errorf("%s: %w; without the file everything is sent again", s.Checkpoint, err)
	}
	if s.mark.Offsets == nil {
		s.mark.Offsets = map[string]int64{}
	}
	return nil
}

func (s *shipper) save() error {
	text, err := json.Marshal(s.mark)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(s.Checkpoint), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), s.Checkpoint)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
