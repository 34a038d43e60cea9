// Package content looks for instructions to an AI agent in text that the agent
// is about to read: a page, a file of a stranger, the output of a command. It is
// pure: bytes and a name come in, findings go out.
//
// A text is read in views: as it stands, and as everything that it hides or
// encodes reads when it is taken apart (see decode.go and covert.go). Each view is
// folded and cut into words (token.go), rules find short patterns of words in it
// (match.go), and what they find close together adds up to a score (score.go).
// No single word decides, and no pattern can take more than linear time.
package content

import (
	"slices"
	"sync"
)

// Verdict says what a text is taken for. Greater is worse.
type Verdict uint8

const (
	Clean      Verdict = iota
	Suspicious         // a person should look before an agent does
	Injection          // it tells an agent what to do
)

var verdictNames = [...]string{"clean", "suspicious", "injection"}

func (v Verdict) String() string { return verdictNames[min(v, Injection)] }

// ParseVerdict is the inverse of [Verdict.String].
func ParseVerdict(name string) (Verdict, bool) {
	i := slices.Index(verdictNames[:], name)
	return Verdict(max(i, 0)), i >= 0
}

// Finding is one thing that a rule found.
type Finding struct {
	Rule     string
	Category string
	Reason   string
	Start    int // where in the text, in bytes
	End      int
	Line     int     // counted from 1
	Points   float64 // what it adds to the score, its surroundings taken into account
	// Via is how the text was hidden or encoded, outermost first; nil if it was not.
	Via []string
	// Decoded is the text that was found there, if Via says that it was encoded.
	Decoded string
	// Counts says that the finding is part of what decided.
	Counts bool
}

// Severity is how much a finding weighs by itself.
func (f *Finding) Severity() string {
	switch {
	case f.Points >= injectionAt:
		return "high"
	case f.Points >= suspiciousAt/2:
		return "medium"
	}
	return "low"
}

// Report is what a scan found.
type Report struct {
	Verdict    Verdict
	Score      float64 // 9 and more is an injection
	Findings   []Finding
	Confidence float64 // of the verdict, from 0 to 1
	// Partial says that the text was larger than what is read, or that a bound
	// of decoding was reached. It does not change the verdict by itself.
	Partial bool
}

// Kind is the category of the weightiest finding that decided, or "".
func (r *Report) Kind() string {
	best := r.best()
	if best == nil {
		return ""
	}
	return best.Category
}

// Kinds lists the rules that decided, of each category the weightiest.
func (r *Report) Kinds() []string {
	var best []*Finding
	for i := range r.Findings {
		f := &r.Findings[i]
		if !f.Counts {
			continue
		}
		at := slices.IndexFunc(best, func(b *Finding) bool { return b.Category == f.Category })
		switch {
		case at < 0:
			best = append(best, f)
		case f.Points > best[at].Points:
			best[at] = f
		}
	}
	var list []string
	for _, f := range best {
		list = append(list, f.Rule)
	}
	return list
}

// Line is where the weightiest finding that decided is, or 0.
func (r *Report) Line() int {
	best := r.best()
	if best == nil {
		return 0
	}
	return best.Line
}

func (r *Report) best() (best *Finding) {
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Counts && (best == nil || f.Points > best.Points) {
			best = f
		}
	}
	return best
}

// MaxText is how much of a text is read. A longer one is reported as partial.
const MaxText = 32 << 20

// Bounds of decoding. What is beyond them is not read, and the report says so.
const (
	maxDepth    = 4       // encodings inside encodings
	maxViews    = 2000    // pieces taken apart in one text
	maxDecoded  = 4 << 20 // bytes of all of them together, beside what the text justifies
	maxFindings = 200     // in one report
)

// Scan looks at a text. The name is that of the file or address it comes from; its
// ending tells code from prose, and nothing in it makes a text harmless.
func (rules *Rules) Scan(name string, text []byte) Report {
	s := scan{rules: rules, name: name, budget: maxDecoded + len(text)}
	if kept, ok := readers.Get().(*reader); ok {
		s.read = *kept
	}
	defer func() { readers.Put(&s.read) }()
	if len(text) > MaxText {
		text, s.partial = text[:MaxText], true
	}
	text = asUTF8(text, &s)
	s.whole = text
	s.format = formatOf(name, text)
	s.view(text, view{channel: plain, end: len(text)})
	return s.report()
}

// readers keeps the memory of scans that have ended.
var readers sync.Pool

// scan is the work on one text.
type scan struct {
	rules   *Rules
	name    string
	whole   []byte
	format  format
	budget  int // bytes that may still be decoded
	views   int
	partial bool
	found   []found
	about   int // words of somebody who writes about injections
	read    reader
}

// view is one way to read a part of the text.
type view struct {
	channel    channel
	start, end int // the part of the text that it comes from
	depth      int
	via        []string
	data       bool // it is no prose: JSON, XML, a message of HTTP
}

// asUTF8 reads UTF-16 with a byte order mark; anything else stays as it is.
func asUTF8(text []byte, s *scan) []byte {
	if len(text) < 4 || !(text[0] == 0xff && text[1] == 0xfe || text[0] == 0xfe && text[1] == 0xff) {
		return text
	}
	return fromUTF16(text)
}
