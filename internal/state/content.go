package state

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"longline/internal/content"
	"longline/internal/paths"
)

// Key names a content, or a file as it lies on the disk at a moment.
type Key [32]byte

// Stamp names the rules that a verdict was given by.
type Stamp [7]byte

// Verdicts are what contents were found to be, by their keys. The file they are
// kept in has records of one length and grows at its end, so that many processes can
// add to it at once; what is old is left out when it becomes too long.
type Verdicts struct {
	path  string
	stamp Stamp
	kept  []byte
	index map[Key]content.Verdict // made when many keys are asked for
}

const (
	recordSize  = 40
	maxVerdicts = 1 << 16
)

// Verdicts opens what was found by the rules of that stamp.
func (s Store) Verdicts(stamp Stamp) *Verdicts {
	v := &Verdicts{stamp: stamp}
	if s.dir == "" {
		return v
	}
	v.path = filepath.Join(s.dir, "verdicts")
	if text, err := s.read("", "verdicts"); err == nil {
		v.kept = text[:len(text)/recordSize*recordSize]
	}
	return v
}

// Find returns the verdict on a key, if there is one by these rules.
func (v *Verdicts) Find(key Key) (content.Verdict, bool) {
	if v.index != nil {
		verdict, ok := v.index[key]
		return verdict, ok
	}
	for at := len(v.kept) - recordSize; at >= 0; at -= recordSize {
		if r := v.kept[at : at+recordSize]; bytes.Equal(r[:32], key[:]) && bytes.Equal(r[33:], v.stamp[:]) {
			return content.Verdict(min(r[32], byte(content.Injection))), true
		}
	}
	return 0, false
}

// Index makes looking for many keys quick.
func (v *Verdicts) Index() {
	v.index = make(map[Key]content.Verdict, len(v.kept)/recordSize)
	for at := 0; at < len(v.kept); at += recordSize {
		if r := v.kept[at : at+recordSize]; bytes.Equal(r[33:], v.stamp[:]) {
			v.index[Key(r[:32])] = content.Verdict(min(r[32], byte(content.Injection)))
		}
	}
}

// Finding is a key and what it was found to be.
type Finding struct {
	Key     Key
	Verdict content.Verdict
}

// Add keeps verdicts.
func (v *Verdicts) Add(list []Finding) error {
	if v.path == "" {
		return errNowhere
	}
	if len(list) == 0 {
		return nil
	}
	buf := make([]byte, 0, len(list)*recordSize)
	for _, f := range list {
		buf = append(append(append(buf, f.Key[:]...), byte(f.Verdict)), v.stamp[:]...)
		if v.index != nil {
			v.index[f.Key] = f.Verdict
		}
	}
	v.kept = append(v.kept, buf...)
	if err := os.MkdirAll(filepath.Dir(v.path), 0o700); err != nil {
		return err
	}
	if len(v.kept) > maxVerdicts*recordSize {
		v.kept = v.kept[len(v.kept)-maxVerdicts/2*recordSize:]
		return Store{filepath.Dir(v.path)}.write("", "verdicts", v.kept)
	}
	f, err := os.OpenFile(v.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY|noFollow, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(buf)
	return errors.Join(err, f.Close())
}

// Review is a content that is not clean, and what a person has said about it.
type Review struct {
	Hash    string // of the content, in hexadecimal digits
	Verdict content.Verdict
	Path    string // where it was found
	Line    int
	Kinds   string // what rules found
	Since   time.Time
	// Decision is "allow" or "reject" once a person has decided, and "" before.
	Decision, Reason, By string
	Decided              time.Time
}

const (
	reviewForm = "longline content 1"
	maxReviews = 2000
)

// Quarantine keeps a content that is not clean, unless it is kept already.
func (s Store) Quarantine(r Review) error {
	if _, ok := s.Quarantined(r.Hash); ok {
		return nil
	}
	if len(s.names("content")) >= maxReviews {
		return errors.New("too many contents are kept for review")
	}
	return s.write("content", r.Hash, r.record())
}

// Decide keeps what a person has said about a content.
func (s Store) Decide(r Review) error { return s.write("content", r.Hash, r.record()) }

// Quarantined returns what is known of a content, by its hash.
func (s Store) Quarantined(hash string) (Review, bool) {
	if hash == "" || strings.ContainsAny(hash, "/.") {
		return Review{}, false
	}
	record, err := s.read("content", hash)
	if err != nil {
		return Review{}, false
	}
	f, rest, ok := cutFields(record, 10)
	if !ok || rest != "" || f[0] != reviewForm {
		return Review{}, false
	}
	r := Review{Hash: hash, Path: f[2], Kinds: f[4], Decision: f[6], Reason: f[7], By: f[8]}
	r.Verdict, _ = content.ParseVerdict(f[1])
	r.Line, _ = strconv.Atoi(f[3])
	r.Since, _ = time.Parse(time.RFC3339, f[5])
	r.Decided, _ = time.Parse(time.RFC3339, f[9])
	return r, true
}

// Reviews lists the contents that are not clean.
func (s Store) Reviews() (list []Review) {
	for _, name := range s.names("content") {
		if r, ok := s.Quarantined(name); ok {
			list = append(list, r)
		}
	}
	return list
}

func (r Review) record() []byte {
	return fields(reviewForm, r.Verdict.String(), r.Path, strconv.Itoa(r.Line), r.Kinds, r.Since.UTC().Format(time.RFC3339),
		r.Decision, r.Reason, r.By, r.Decided.UTC().Format(time.RFC3339))
}

// maxDownloads bounds how many places of downloads are remembered.
const maxDownloads = 500

// Downloaded remembers that a file or directory was downloaded or unpacked.
func (s Store) Downloaded(path string) error {
	list := s.Downloads()
	for _, have := range list {
		if paths.Within(path, have) {
			return nil
		}
	}
	list = append(list, path)
	return s.write("", "downloads", fields(list[max(0, len(list)-maxDownloads):]...))
}

// Downloads lists what was downloaded or unpacked.
func (s Store) Downloads() (list []string) {
	text, err := s.read("", "downloads")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		if path, err := strconv.Unquote(strings.TrimSuffix(line, "\n")); err == nil {
			list = append(list, path)
		}
	}
	return list
}
