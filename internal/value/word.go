// Package value holds the values that flow through a script: words, streams, and
// what is known of them. A value stands for a set of texts; [Word.Leq] is the
// order of these sets, [Word.Join] stands for all that either of two stands for.
// Where a value was written is its place, which is apart from what it is.
//
// [Word.Concat] is monotone in what values stand for: what it makes of a wider value
// stands for all that it makes of a narrower one, and for each text that they can make.
// It is not monotone in Leq, which compares what is written down of them, and cannot be:
// a pattern, a directory, a beginning and a form of numbers each keep another part of what
// is known when something is put behind them, so a narrower value of one kind may come
// out as a vaguer one than a wider value of another kind. A pattern with an unknown word behind it
// is anything, the directory that the pattern is in is still a beginning. Nothing depends
// on more: a loop ends when what it makes is within what it was given, and after a few
// rounds in any case.
package value

import (
	"strings"

	"longline/internal/tool"
)

// Word is one argument after expansion.
type Word struct {
	Text  string     // the value, as far as it is known
	Reach tool.Reach // how much of it Text is
	// Glob says that Text is a pattern in which quoting has been kept as
	// backslashes; the value is any name it matches, or Text itself.
	Glob bool
	// Plain says that the unknown part of a value is one plain word: no slash,
	// no blank, no leading dash or dot. A number, a date, a commit.
	Plain bool
	// Split says that it stands without quotes, so that the unknown part may be
	// several words, flags among them.
	Split bool
	Taint Taint // where an unknown or computed part comes from
	// Tame says that no word of the value begins with a dash.
	Tame bool
	// Bare says that the value is a name without a directory.
	Bare bool
	// Visible says that no hidden name is meant: the list it was taken from has none.
	Visible bool
	// Found says that a file is meant in which a search has found what it looked for.
	Found bool
	// Mixed says that it is one of several words of a list that may stand in any order.
	Mixed bool
	// Hollow says that the unknown part may be nothing at all, as a variable is
	// that nobody set; IfEmpty is the value then.
	Hollow  bool
	IfEmpty string
	// Seen is where a path from a list is seen from.
	Seen Vantage
	// Tail is how the value ends, behind all that is not known of it.
	Tail string
	// Of says what a number or a line that is not known was looked up by: the name
	// of a process, or [Own].
	Of string
	// Made is the text that the value is made from at run time, if it is.
	Made *Made

	// The place: where the word stands in the script.

	Span tool.Span
	// At is where the first byte of Text stands when Text stands in the script
	// verbatim, so that places inside it can be pointed at.
	At Place
	// Lead is what stands before Text in the same word of the script, as
	// "--output=" does.
	Lead string
}

// Made is a text in which something takes the place of a mark.
type Made struct {
	Text, Mark string
	By         Word
}

// Numeral and Numerals are the marks of a text that is made of constant parts and
// numbers: of one number, which may be missing; of any number of them, one to a line.
const (
	Numeral  = "\x01"
	Numerals = "\x02"
)

// Number and Numbers are what [Word.Made] says of a value that is such a number.
var (
	Number  = &Made{Text: Numeral, Mark: Numeral, By: Word{Plain: true}}
	Numbers = &Made{Text: Numerals, Mark: Numeral, By: Word{Plain: true}}
)

// Inherited is the mark of the search path that the script was started with, in a text
// that is made of it and of constant parts; SearchPath is that path alone.
const Inherited = "\x03"

var SearchPath = &Made{Text: Inherited, Mark: Inherited}

// Scratch is what stands for a file or directory that a program makes below /tmp, with a name of its own. It is also the mark of such a
// path, in which no character means anything to a shell, in a text that is made of some and of constant parts; ScratchPath is one alone.
const Scratch = "/tmp/tmp.XXXXXXXXXX"

var ScratchPath = &Made{Text: Scratch, Mark: Scratch}

// maxForm bounds the text that a value of constant parts and numbers is remembered by.
const maxForm = 1 << 10

// Form is the text of a value in which numbers that are not known are marked, if
// nothing else in it is unknown.
func (w Word) Form() (string, bool) { return w.marked(Numeral) }

// Search is the text of a value that is made of the search path that was inherited, which
// is marked, and of constant parts.
func (w Word) Search() (string, bool) { return w.marked(Inherited) }

// Script is the text of a value that is made of paths of temporary files, which are marked, and of constant parts: what a shell reads
// in it is the same whatever the paths are.
func (w Word) Script() (string, bool) {
	if m := w.Made; m == nil || m.Mark != Scratch || !strings.HasPrefix(w.Text, m.Text[:strings.Index(m.Text, Scratch)+len(Scratch)]) {
		return "", false
	}
	return w.Made.Text, true
}

func (w Word) marked(mark string) (string, bool) {
	switch {
	case w.IsKnown(), mark == Inherited && w.Reach == tool.Exact && !w.Glob: // which nothing in it makes worse
		return w.Text, !strings.ContainsAny(w.Text, Numeral+Numerals+Inherited) && (mark != Scratch || !strings.Contains(w.Text, mark))
	case w.Made != nil && w.Made.Mark == mark:
		return w.Made.Text, true
	}
	return "", false
}

// form is what is known of the form of two values, one behind the other.
func (w Word) form(b Word) *Made {
	m := w.Made
	if m == nil {
		m = b.Made
	}
	if m == nil || m.Mark != Numeral && m.Mark != Inherited && m.Mark != Scratch {
		return nil
	}
	x, ok := w.marked(m.Mark)
	y, all := b.marked(m.Mark)
	if !ok || !all || len(x)+len(y) > maxForm {
		return nil
	}
	return &Made{Text: x + y, Mark: m.Mark, By: m.By}
}

// numbers says how many numbers a value is and nothing else: 0 if it may be more than
// that, 1 for one, 2 for any number of them.
func (w Word) numbers() int {
	switch {
	case w.IsKnown() && w.Text != "" && strings.Trim(w.Text, "0123456789") == "":
		return 1
	case w.Made == nil || w.Made.Mark != Numeral:
		return 0
	}
	return 1 + strings.Index(Numeral+Numerals, w.Made.Text)
}

// Own is what [Word.Of] says of processes that the script has started itself.
const Own = "$!"

// Branch is what it says of the name of the branch that is checked out.
const Branch = "HEAD"

// Place is an offset in the script. Its zero value is nowhere.
type Place int

// Offset returns the offset, and whether it is anywhere.
func (p Place) Offset() (int, bool) { return int(p) - 1, p > 0 }

// Shift is the place a number of bytes further on.
func (p Place) Shift(by int) Place {
	if p <= 0 {
		return 0
	}
	return p + Place(by)
}

// Taint says where data has been. It is a set.
type Taint uint32

const (
	FromNet       Taint = 1 << iota // fetched from another host
	FromFile                        // content of a file
	FromSecret                      // content of something secret
	FromScript                      // written by this very script
	FromOutside                     // content of a file outside the project
	FromKeys                        // content of a file of secrets, or the whole environment
	Typed                           // by somebody, so that what is known of it is a guess
	FromTree                        // all files of a directory that has a file of secrets among them
	FromGit                         // of a list of files that may hold those of .git
	FromHidden                      // of one that may hold those of other hidden directories
	FromTracked                     // of one that may hold all files at every level that git keeps
	FromUntracked                   // those that git neither keeps nor ignores
	FromIgnored                     // those that git ignores
	WithNul                         // of one whose names may end with a NUL, which only some programs take for an end, or with nothing
	Followed                        // of one that was made through links
	RestOfScript                    // the lines of a script that the shell which reads them has not come to
	Unseen                          // made by a program of data, or of its own words: text that nobody has seen
	WithBlank                       // of a stream that is a value and the end of a line, so that a line is empty if the value is
	WithSettings                    // of a stream that holds variables that somebody has set, among much else
	Sifted                          // of a list of files that some are left out of, by other than their names
	Several                         // of a value that may be several names of such a list, with something between them
	FromVersion                     // files as git has them in a commit, and of no others
)

// Known returns a word with the given value.
func Known(text string, span tool.Span) Word {
	return Word{Text: text, Reach: tool.Exact, Span: span}
}

// IsKnown reports whether the value is exactly w.Text, or nothing at all if the word is hollow.
// One that is something else if a part of it is nothing is not known.
func (w Word) IsKnown() bool {
	return w.Reach == tool.Exact && !w.Glob && (!w.Hollow || w.IfEmpty == "")
}

// From is the part of a word that begins at an offset of its text.
func (w Word) From(n int) Word {
	n = min(n, len(w.Text))
	if m := w.Made; m != nil && (m.Mark == Numeral || m.Mark == Scratch) {
		w.Made = nil
		if strings.HasPrefix(m.Text, w.Text[:n]) && (m.Mark == Numeral || n <= strings.Index(m.Text, Scratch)) {
			w.Made = &Made{Text: m.Text[n:], Mark: m.Mark, By: m.By}
		}
	}
	w.IfEmpty = strings.TrimPrefix(w.IfEmpty, w.Text[:n])
	w.Lead, w.Text, w.At = w.Lead+w.Text[:n], w.Text[n:], w.At.Shift(n)
	return w
}

// placeless is the value without its place.
func (w Word) placeless() Word {
	w.Span, w.At, w.Lead = tool.Span{}, 0, ""
	return w
}

// Same reports whether two words are the same value, wherever they are written.
func (w Word) Same(o Word) bool {
	if w.Made != o.Made && w.Made != nil && o.Made != nil && w.Made.Text == o.Made.Text && w.Made.Mark == o.Made.Mark && w.Made.By.Same(o.Made.By) {
		w.Made = o.Made
	}
	return w.placeless() == o.placeless()
}

// IsPlain reports whether a word's value is one plain word, as [Word.Plain] has it.
func (w Word) IsPlain() bool {
	switch {
	case w.Glob, w.Reach == tool.Under:
		return false
	case w.Reach == tool.Exact:
		return PlainText(w.Text)
	case w.Reach == tool.Prefix:
		return w.Plain && PlainText(w.Text)
	}
	return w.Plain
}

// Lost is the word of which nothing is known but where its parts come from.
func Lost(from ...Word) Word {
	var w Word
	for i := range from {
		w.Taint |= from[i].Taint
	}
	return w
}
