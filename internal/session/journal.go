// Package session remembers a session in a journal with one line per event,
// without content. It says what later calls are judged by, and what a call adds.
// It does not read or write files.
package session

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"longline/internal/tool"
)

// Kind is what a line of the journal is about.
type Kind string

// The kinds of lines, with the texts that each has.
const (
	Begun     Kind = "begun"     // agent, session, directory
	Untrusted Kind = "untrusted" // verdict, where it was met, what was found
	Secret    Kind = "secret"    // read or print, what
	Denied    Kind = "denied"    // rule, layer, suggestion, kind, target, flags, with, operands, call
	Lifted    Kind = "lifted"    // key of a denial, who lifted it
	Fetched   Kind = "fetched"   // path, host, "tree" or ""
	Remote    Kind = "remote"    // directory of a repository, name of a remote that was added there, "pulled" once commits of it were taken, or ""
	Ran       Kind = "ran"       // directory that was fetched, and whose code has run
	Written   Kind = "written"   // path
	Added     Kind = "added"     // kind of manifest, name of a package that was new in it and has been installed
	Agreed    Kind = "agreed"    // digest of a call that was asked about, and has run
	Full      Kind = "full"      // kind of which there were too many
)

// texts is how many texts a line has; 0 is a line that nobody knows.
func texts(k Kind) int {
	switch k {
	case Written, Ran, Agreed, Full:
		return 1
	case Secret, Lifted, Added:
		return 2
	case Begun, Untrusted, Fetched, Remote:
		return 3
	case Denied:
		return 9
	}
	return 0
}

// most is how many lines of a kind are kept; 0 is any number. Beyond that one line
// says that there were more.
func most(k Kind) int {
	switch k {
	case Untrusted, Secret, Remote:
		return 32
	case Denied, Lifted:
		return 96
	case Fetched, Ran, Agreed:
		return 128
	case Written, Added:
		return 256
	}
	return 0
}

const (
	// MaxSize bounds a journal. A longer one was not written by longline.
	MaxSize = 1 << 20
	maxText = 1024
	// Damaged is the verdict on a journal that could not be read.
	Damaged = "damaged"
)

// Entry is one line.
type Entry struct {
	Kind  Kind
	When  int64 // seconds since 1970
	Texts []string
}

// Line encodes an entry, newline included.
func (e Entry) Line(buf []byte) []byte {
	buf = strconv.AppendInt(append(append(buf, e.Kind...), ' '), e.When, 10)
	for _, t := range e.Texts {
		buf = strconv.AppendQuote(append(buf, ' '), t)
	}
	return append(buf, '\n')
}

func (e Entry) same(other Entry) bool {
	return e.Kind == other.Kind && slices.Equal(e.Texts, other.Texts)
}

// Journal is what is remembered of a session.
type Journal struct {
	Entries []Entry
	// Damaged says that not all of it could be read. Such a session counts as one that
	// has met an injection.
	Damaged bool
}

// Parse reads a journal. It takes any bytes: lines that are not whole are left out,
// and make it a damaged one.
func Parse(text []byte) *Journal {
	j := new(Journal)
	if len(text) > MaxSize {
		text, j.Damaged = text[:MaxSize], true
	}
	rest := string(text)
	for rest != "" {
		line, after, whole := strings.Cut(rest, "\n")
		rest = after
		if e, ok := parseLine(line); ok && whole {
			j.Entries = append(j.Entries, e)
		} else {
			j.Damaged = true
		}
	}
	return j
}

func parseLine(line string) (e Entry, ok bool) {
	kind, rest, _ := strings.Cut(line, " ")
	count := texts(Kind(kind))
	when, rest, _ := strings.Cut(rest, " ")
	at, err := strconv.ParseInt(when, 10, 64)
	if count == 0 || err != nil {
		return e, false
	}
	e = Entry{Kind: Kind(kind), When: at, Texts: make([]string, 0, count)}
	for rest != "" && len(e.Texts) < count {
		text, n, ok := unquote(rest)
		if !ok {
			return e, false
		}
		e.Texts = append(e.Texts, text)
		rest = rest[n:]
		if rest != "" && rest[0] != ' ' {
			return e, false
		}
		rest = strings.TrimPrefix(rest, " ")
	}
	return e, rest == "" && len(e.Texts) == count
}

// unquote reads a quoted text and says how long it is with its quotes.
func unquote(text string) (plain string, n int, ok bool) {
	if end := strings.IndexByte(text[1:], '"') + 1; text[0] == '"' && end > 0 && strings.IndexByte(text[:end], '\\') < 0 {
		return text[1:end], end + 1, true // as nearly all are
	}
	quoted, err := strconv.QuotedPrefix(text)
	if err != nil {
		return "", 0, false
	}
	plain, err = strconv.Unquote(quoted)
	return plain, len(quoted), err == nil
}

// has says whether a line is there already.
func (j *Journal) has(e Entry) bool { return slices.ContainsFunc(j.Entries, e.same) }

func (j *Journal) count(k Kind) (n int) {
	for i := range j.Entries {
		if j.Entries[i].Kind == k {
			n++
		}
	}
	return n
}

// Past is what calls are judged by; nil if there is nothing.
func (j *Journal) Past() *tool.Past {
	if j == nil {
		return nil
	}
	p := &tool.Past{Untrusted: j.Damaged, Injection: j.Damaged}
	if len(j.Entries) > 0 {
		p.Since = j.Entries[0].When
	}
	for i := range j.Entries {
		recall(p, &j.Entries[i])
	}
	if !p.Known() {
		return nil
	}
	return p
}

// Agreed says whether a person has agreed to this very call.
func (j *Journal) Agreed(call *tool.Call) bool {
	return j != nil && j.count(Agreed) > 0 && j.has(Entry{Kind: Agreed, Texts: []string{digest(call)}})
}

// digest tells a call of the shell, with where it runs, from every other, and nothing of what it says.
func digest(call *tool.Call) string {
	sum := sha256.Sum256([]byte(call.Tool + "\x00" + call.Dir + "\x00" + call.Script))
	return hex.EncodeToString(sum[:16])
}

// recall adds an entry to what calls are judged by.
func recall(p *tool.Past, e *Entry) {
	t := e.Texts
	switch e.Kind {
	case Untrusted:
		p.Untrusted = true
		p.Injection = p.Injection || t[0] != "suspicious"
	case Secret:
		p.Secret = true
	case Fetched:
		p.Fetched = slices.DeleteFunc(p.Fetched, func(b tool.Brought) bool { return b.Ran && b.Path == t[0] }) // it was fetched anew
		p.Fetched = append(p.Fetched, tool.Brought{Path: t[0], Host: t[1], Tree: t[2] == "tree"})
	case Written:
		p.Written = append(p.Written, t[0])
	case Added:
		p.Added = append(p.Added, t[0]+" "+t[1])
	case Full:
		recallFull(p, Kind(t[0]))
	case Denied:
		if d, ok := denialOf(*e); ok {
			p.Denied = append(p.Denied, d)
		}
	case Remote:
		recallRemote(p, tool.Remote{Dir: t[0], Name: t[1]}, t[2] == "pulled")
	case Ran:
		recallRan(p, t[0])
	case Lifted:
		p.Denied = slices.DeleteFunc(p.Denied, func(d tool.Denial) bool { return key(d) == t[0] })
	}
}

// recallRemote adds that a remote was added, or that commits of it were taken with a person's consent.
func recallRemote(p *tool.Past, r tool.Remote, pulled bool) {
	p.Remotes = slices.DeleteFunc(p.Remotes, func(x tool.Remote) bool { return x == r })
	if !pulled {
		p.Remotes = append(p.Remotes, r)
	}
}

// recallRan adds that code of a directory that was fetched has run.
func recallRan(p *tool.Past, dir string) {
	for i := range p.Fetched {
		if b := &p.Fetched[i]; b.Tree && b.Path == dir {
			b.Ran = true
		}
	}
}

// recallFull adds that there was more of a kind than is remembered.
func recallFull(p *tool.Past, k Kind) {
	p.More = p.More || k == Fetched
	p.WrittenMore = p.WrittenMore || k == Written
	p.Untrusted = p.Untrusted || k == Denied // so much is denied to nobody who means well
}

// key names a denial: the same rule on the same thing.
func key(d tool.Denial) string {
	return strconv.FormatUint(tool.Mark(d.Rule, d.Effect.Kind.String(), d.Effect.Target, d.With), 36)
}

func denialEntry(d tool.Denial, now int64) Entry {
	flags := ""
	if d.Effect.Tree {
		flags += "t"
	}
	if d.Effect.Pattern {
		flags += "p"
	}
	var words []string
	for _, w := range d.Words {
		words = append(words, strconv.FormatUint(uint64(w), 36))
	}
	kind := ""
	if d.Effect.Kind != 0 {
		kind = d.Effect.Kind.String()
	}
	return Entry{Denied, now, []string{
		d.Rule, d.Layer, short(d.Suggest), kind, d.Effect.Target, flags, d.With, strings.Join(words, " "), strconv.FormatUint(d.Call, 36),
	}}
}

func denialOf(e Entry) (d tool.Denial, ok bool) {
	t := e.Texts
	d = tool.Denial{Rule: t[0], Layer: t[1], Suggest: t[2], With: t[6]}
	if t[3] != "" {
		d.Effect = tool.Effect{Kind: tool.ParseKind(t[3]), Target: t[4], Reach: tool.Exact, Tree: strings.Contains(t[5], "t"), Pattern: strings.Contains(t[5], "p")}
	}
	for word := range strings.FieldsSeq(t[7]) {
		mark, err := strconv.ParseUint(word, 36, 32)
		if err != nil {
			return d, false
		}
		d.Words = append(d.Words, uint32(mark))
	}
	var err error
	d.Call, err = strconv.ParseUint(t[8], 36, 64)
	return d, err == nil && (d.Effect.Kind != 0 || t[3] == "")
}

// short cuts a text that is there to be read.
func short(text string) string {
	if len(text) > 200 {
		return strings.ToValidUTF8(text[:200], "")
	}
	return text
}
