package veil

import (
	"bytes"
	"cmp"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"longline/internal/mask"
)

// idle is how long a filter waits for the rest of what may become a secret.
const idle = 50 * time.Millisecond

// Filter writes what is written to it to another writer, with the name of each secret in its
// place. A byte is held back only while it may belong to a secret that is not whole yet: after a
// pause it is let go, unless half of a secret is there. What was let go is remembered, so that the
// rest of a secret that follows a pause is hidden still.
type Filter struct {
	mu     sync.Mutex
	out    io.Writer
	table  *table
	wait   time.Duration
	timer  *time.Timer
	buf    []byte // what is undecided, with what was let go of it
	done   int    // how much of buf has been written, as it is or as a mask
	last   []byte // what came before buf, as far as it matters
	runs   []run  // tokens and keys whose end has not come
	token  int    // offset in buf before which no token begins
	key    int    // the same for keys
	closed bool
	err    error
	hidden map[string]int
}

// run is a token or a key that goes on.
type run struct {
	At     int // offset in buf of what comes next
	Name   string
	GoesOn string // characters of a token; empty for a key
	Body   keyBody
	Shown  bool // its mask has been written
}

// event is a secret in a text.
type event struct {
	start, end int
	name       string
	run        *run // if it may go on behind the end of the text
}

// Filter returns a filter to a writer.
func (s *Secrets) Filter(out io.Writer) *Filter { return newFilter(out, s.table(), idle) }

func newFilter(out io.Writer, t *table, wait time.Duration) *Filter {
	f := &Filter{out: out, table: t, wait: wait, hidden: map[string]int{}}
	f.timer = time.AfterFunc(wait, func() { _ = f.Flush() })
	f.timer.Stop()
	return f
}

// know has the filter look for other secrets from now on.
func (f *Filter) know(t *table) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.table = t
}

// Write never fails for what is in the text, only if the writer behind it does.
func (f *Filter) Write(text []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.err != nil {
		return 0, cmp.Or(f.err, io.ErrClosedPipe)
	}
	if len(f.buf) == 0 {
		f.take(text, false)
	} else {
		f.take(append(f.buf, text...), false)
	}
	if f.done < len(f.buf) {
		f.timer.Reset(f.wait)
	} else {
		f.timer.Stop()
	}
	if f.err != nil {
		return 0, f.err
	}
	return len(text), nil
}

// Flush writes what is held back, unless half of a secret has been seen.
func (f *Filter) Flush() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.err != nil || f.done == len(f.buf) {
		return f.err
	}
	all := f.scan(f.buf, true)
	until := len(f.buf)
	for _, h := range all.halves {
		until = min(until, h)
	}
	f.key, f.token = max(f.key, reach(all.keys, until)), max(f.token, reach(all.tokens, until))
	var out []byte
	f.done = max(f.done, f.show(&out, f.buf, f.done, until, all.events))
	f.write(out)
	return f.err
}

// Close writes what is left. It does not close the writer behind.
func (f *Filter) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.timer.Stop()
	if !f.closed && f.err == nil {
		f.take(f.buf, true)
	}
	f.closed = true
	return f.err
}

// Hidden counts the secrets that were hidden, by name.
func (f *Filter) Hidden() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.hidden)
}

// take writes what is decided of a text that begins with buf, and keeps the rest.
func (f *Filter) take(text []byte, final bool) {
	out := f.goOn(text)
	found := f.scan(text, final)
	from := f.done
	if len(out) == 0 && len(found.events) == 0 {
		if found.hold > from {
			f.write(text[from:found.hold]) // as nearly always
			from = found.hold
		}
	} else {
		from = f.show(&out, text, from, found.hold, found.events)
		f.write(out)
	}
	if before := text[max(0, found.hold-mask.LookBack):found.hold]; len(before) == mask.LookBack {
		f.last = append(f.last[:0], before...)
	} else if len(before) > 0 {
		f.last = append(f.last, before...)
		f.last = f.last[max(0, len(f.last)-mask.LookBack):]
	}
	f.done = from - found.hold
	f.key = max(0, max(f.key, reach(found.keys, found.hold))-found.hold)
	f.token = max(0, max(f.token, reach(found.tokens, found.hold))-found.hold)
	for i := range f.runs {
		f.runs[i].At -= found.hold
	}
	f.buf = append(f.buf[:0], text[found.hold:]...)
}

// show appends what is between two offsets, with masks, and returns up to where the text is done:
// a secret may reach further. Secrets that overlap are named one after the other.
func (f *Filter) show(out *[]byte, text []byte, from, until int, events []event) int {
	for _, e := range events {
		if e.start >= until {
			break
		}
		if e.end <= from {
			continue
		}
		if e.start > from {
			*out = append(*out, text[from:e.start]...)
		}
		f.mask(out, e.name)
		if from = e.end; e.run != nil {
			e.run.Shown = true
		}
	}
	for _, e := range events {
		if e.run != nil && e.start < until {
			f.runs = append(f.runs, *e.run)
		}
	}
	if until > from {
		*out = append(*out, text[from:until]...)
		from = until
	}
	return from
}

// goOn follows the tokens and keys that have begun into new text.
func (f *Filter) goOn(text []byte) (out []byte) {
	open := f.runs[:0]
	for _, r := range f.runs {
		at, goesOn := r.follow(text, r.At)
		if at > f.done {
			if !r.Shown {
				f.mask(&out, r.Name)
				r.Shown = true
			}
			f.done = at
		}
		if r.At = at; r.GoesOn == "" {
			f.key = at
		} else {
			f.token = at
		}
		if goesOn {
			open = append(open, r)
		}
	}
	f.runs = open
	return out
}

// follow is up to where a token or a key goes on, and whether it may go on behind the text.
func (r *run) follow(text []byte, at int) (end int, goesOn bool) {
	if r.GoesOn == "" {
		return r.Body.follow(text, at)
	}
	end = mask.RunEnd(text, at, r.GoesOn)
	return end, end == len(text)
}

func (f *Filter) mask(out *[]byte, name string) {
	*out = append(append(append(*out, opening...), name...), closing...)
	f.hidden[name]++
}

func (f *Filter) write(text []byte) {
	if len(text) > 0 && f.err == nil {
		_, f.err = f.out.Write(text)
	}
}

// scanned is what was found in a text.
type scanned struct {
	events []event // by their beginning
	hold   int     // from here on it is undecided
	halves []int   // beginnings of secrets of which half is there

	keys, tokens []event
}

func (s *scanned) undecided(at int, half bool) {
	s.hold = min(s.hold, at)
	if half {
		s.halves = append(s.halves, at)
	}
}

// scan finds the secrets in a text up to where it is undecided, or all of them if it is final.
func (f *Filter) scan(text []byte, final bool) scanned {
	s := scanned{hold: len(text)}
	f.table.values(text, &s)
	f.keys(text, &s)
	f.tokens(text, &s, final)
	if final {
		s.hold = len(text)
	} else {
		s.events = slices.DeleteFunc(s.events, func(e event) bool { return e.start >= s.hold })
	}
	// Of those that begin at one place values come first, and the longest of them alone counts.
	slices.SortStableFunc(s.events, func(a, b event) int { return cmp.Compare(a.start, b.start) })
	return s
}

// tokens finds tokens by their shapes.
func (f *Filter) tokens(text []byte, s *scanned, final bool) {
	mask.Shapes().In(text, f.token, f.last, final, func(t mask.Token) {
		e := event{start: t.Start, end: t.End, name: t.Name}
		if t.GoesOn != "" {
			e.run = &run{At: t.End, Name: t.Name, GoesOn: t.GoesOn}
		}
		s.events, s.tokens = append(s.events, e), append(s.tokens, e)
	}, s.undecided)
}

// reach is up to where those reach that begin before an offset.
func reach(events []event, before int) (to int) {
	for _, e := range events {
		if e.start < before {
			to = max(to, e.end)
		}
	}
	return to
}

// keys finds private keys by their first line.
func (f *Filter) keys(text []byte, s *scanned) {
	for at := f.key; ; {
		next := bytes.Index(text[at:], []byte(keyOpening))
		if next < 0 {
			for n := min(len(keyOpening)-1, len(text)-at); n > 0; n-- {
				if bytes.HasSuffix(text, []byte(keyOpening[:n])) {
					s.undecided(len(text)-n, n > len(keyOpening)/2)
					break
				}
			}
			return
		}
		at += next
		body, more := keyAt(text[at:])
		if more {
			s.undecided(at, true)
		}
		if body == 0 {
			at += len(keyOpening)
			continue
		}
		r := &run{Name: "private-key"}
		e := event{start: at, name: r.Name}
		var goesOn bool
		if e.end, goesOn = r.follow(text, at+body); goesOn {
			r.At, e.run = e.end, r
		}
		s.events, s.keys = append(s.events, e), append(s.keys, e)
		at = e.end
	}
}

// keyOpening begins a key, and a certificate too.
const keyOpening = "-----BEGIN"

// keyAt is the length of the first line of a private key, if something like one follows.
func keyAt(text []byte) (body int, more bool) {
	const label = 60
	head := text[len(keyOpening):min(len(text), len(keyOpening)+label)]
	end := bytes.Index(head, []byte("-----"))
	if end < 0 {
		return 0, len(head) < label && len(bytes.Trim(head, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -%+")) == 0
	}
	_, after, ok := bytes.Cut(head[:end], []byte("PRIVATE"))
	if !ok || !bytes.HasPrefix(bytes.TrimLeft(after, " +%20"), []byte("KEY")) { // as in URLs, too
		return 0, false
	}
	body = len(keyOpening) + end + len("-----")
	// Whoever prints lines may put something before each.
	run := 0
	follows := text[body:min(len(text), body+80)]
	for i, c := range follows {
		if !inKey(c) {
			return 0, false
		}
		if run++; !isAlnum(c) && strings.IndexByte("+/=%", c) < 0 {
			run = 0
		}
		if run == 24 || c == ':' && (bytes.HasSuffix(follows[:i], []byte("Proc-Type")) || bytes.HasSuffix(follows[:i], []byte("Version")) || bytes.HasSuffix(follows[:i], []byte("Comment"))) {
			return body, false
		}
	}
	return 0, len(follows) < 80
}

// inKey says whether a byte may stand in a key, or in what is before its lines.
func inKey(c byte) bool {
	return isAlnum(c) || bytes.IndexByte([]byte("+/= \t\r\n\\\"',:.()-_@<>|#*%;[\x1b"), c) >= 0
}

// keyBody is where the body of a key is: dashes in a row, and how many fives of them there were.
type keyBody struct{ Dashes, Fives, Length int }

// follow goes to the end of the last line of a key, or to what no key has in it.
func (k *keyBody) follow(text []byte, at int) (end int, goesOn bool) {
	for ; at < len(text); at++ {
		c := text[at]
		if k.Length++; k.Fives == 2 || k.Length > 32<<10 || !inKey(c) {
			return at, false
		}
		if c != '-' {
			k.Dashes = 0
		} else if k.Dashes++; k.Dashes == 5 {
			k.Fives++
		}
	}
	return at, k.Fives < 2
}
