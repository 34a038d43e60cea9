package value

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// Data is what is known of a stream: of a pipe, a here-document, a redirected
// file or the output of a substitution.
type Data struct {
	Text string
	// Match is, with Under, a pattern of what the paths are below Text; "" if that
	// can be anything. Several are written as @(A|B).
	Match string
	// Reach says how Text relates to the stream. Exact: it is the whole
	// stream. Prefix: it begins so. Under: every line is the path of a file at
	// or below the directory Text. Anywhere: nothing is known.
	Reach tool.Reach
	Plain bool // as in [Word]
	Taint Taint
	None  bool // there is no stream: nothing was connected
	Bare  bool // as in [Word], of each line
	// Seen is, with Under, where the paths are seen from.
	Seen Vantage
	// Visible says that no name in the list is hidden.
	Visible bool
	Found   bool // as in [Word], of each line
	Tame    bool // as in [Word]
	// Hollow says that a stream whose text is known may be nothing at all, because
	// what prints it may fail. One that is not known may be nothing unless it is Full.
	Hollow, Full bool
	// Lines says what every line is, if that is known.
	Lines Lines
	// Single says that there is one line at most.
	Single bool
	// Endless says that the stream does not end by itself.
	Endless bool
	// Rest says that something may stand before Text, which has been read. Whoever opens the stream by a name, as /dev/stdin,
	// may have it from its beginning.
	Rest bool
	Of   string // as in [Word]
	Path *Word  // the file it is read from, if it is one
	At   Place  // as in [Word]
}

// Lines is what the lines of a stream are.
type Lines uint8

const (
	AnyLines  Lines = iota
	AsScratch       // a path as [ScratchPath] is one
	Numbered        // a number, a colon and something behind it, as the lines that grep -n finds
	Counted         // a number, perhaps behind blanks, a blank and a name, as wc prints for a file
	AsNumbers       // a number
)

// Same reports whether two streams are the same value, wherever they are written.
func (d Data) Same(o Data) bool {
	if d.Path != o.Path && d.Path != nil && o.Path != nil && d.Path.Same(*o.Path) {
		d.Path = o.Path
	}
	d.At, o.At = 0, 0
	return d == o
}

// IsEmpty reports whether the stream is known to hold nothing.
func (d Data) IsEmpty() bool { return d.None || d.Reach == tool.Exact && d.Text == "" }

// Line is a line of a list of files, as the word that it becomes.
func (d Data) Line(span tool.Span) Word {
	w := Word{Taint: d.Taint &^ (WithBlank | Several), Span: span, Of: d.Of, Bare: d.Bare, Visible: d.Visible, Found: d.Found, Hollow: d.Taint&WithBlank != 0}
	if d.Reach == tool.Under {
		w.Text, w.Reach, w.Seen = d.Text, tool.Under, d.Seen
		if d.Match != "" {
			w.Text, w.Reach, w.Glob = paths.Escape(strings.TrimSuffix(d.Text, "/"))+"/"+d.Match, tool.Exact, true
		}
	}
	return w
}

// Ended is a stream that is a value with the end of a line behind it: if the value may be nothing, the line may be
// empty.
func (d Data) Ended(hollow bool) Data {
	if hollow {
		d.Taint |= WithBlank
	}
	if d.Reach == tool.Exact {
		d.Text += "\n"
	}
	return d
}

// Joined is the stream for whoever drops each NUL in it: names that end with one become one name,
// of which nothing is known.
func (d Data) Joined() Data {
	if d.Taint&WithNul == 0 {
		return d
	}
	return Data{Taint: d.Taint &^ WithNul, Endless: d.Endless}
}

// Parted is the stream for whoever takes each NUL in it for the end of a name.
func (d Data) Parted() Data {
	d.Taint &^= WithNul
	return d
}

// both is a list of files that holds the lines of two, which are below the same
// directory.
func (d Data) both(a, b Data) Data {
	if d.Match = a.Match; a.Match != b.Match {
		d.Match = AnyOf(append(Alternatives(a.Match), Alternatives(b.Match)...))
	}
	return d
}

// maxNames bounds the patterns that a list of files is remembered by.
const maxNames = 24

// Everything is the pattern of everything below a directory.
const Everything = "**"

// Alternatives takes a pattern of [Data.Match] apart.
func Alternatives(match string) []string {
	if match == "" {
		return []string{Everything}
	}
	if list, ok := paths.Alternatives(match); ok {
		return list
	}
	return []string{match}
}

// AnyOf is the pattern of what one of several matches; "" if that is everything.
func AnyOf(patterns []string) string {
	var list []string
	for _, p := range patterns {
		if !slices.Contains(list, p) && len(list) <= maxNames { // one more than there may be is enough to know
			list = append(list, p)
		}
	}
	if len(list) > maxNames {
		list = append(list[:maxNames:maxNames], Everything)
	}
	switch {
	case len(list) == 0 || slices.Contains(list, Everything) && len(list) == 1:
		return ""
	case len(list) == 1:
		return list[0]
	}
	return "@(" + strings.Join(list, "|") + ")"
}
