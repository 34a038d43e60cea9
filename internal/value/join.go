package value

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// Join returns a word that stands for either of two.
func (w Word) Join(o Word) Word {
	if w.Mixed != o.Mixed {
		w.Mixed, o.Mixed = true, true
	}
	if w.Same(o) {
		return w
	}
	j := Word{
		Taint: w.Taint | o.Taint, Span: w.Span, Of: joinOf(w.Of, o.Of), Made: joinNumbers(w.numbers(), o.numbers()),
		Split: w.Split || o.Split, Tame: w.tame() && o.tame(), Mixed: w.Mixed,
	}
	j.Hollow, j.IfEmpty = joinHollow(w, o)
	if w.IsPlain() && o.IsPlain() {
		j.Plain = true
	} else if dir, ok := commonDir(w, o); ok {
		if j.Seen, ok = w.Seen.join(o.Seen); ok {
			j.Text, j.Reach = dir, tool.Under
			j.Taint |= w.through() | o.through()
		}
	}
	if j.Reach == tool.Anywhere && !j.Plain {
		j.Taint &^= Followed // which goes without saying
	}
	return j
}

// through says of a path that directories on the way to it may be links, unlike those of a search. What is one of
// several paths is remembered by the directory that they lie below.
func (w Word) through() Taint {
	if (w.Reach == tool.Exact || w.Reach == tool.Prefix) && strings.IndexByte(w.Text, '/') >= 0 {
		return Followed
	}
	return 0
}

// joinNumbers is what is known of the form of a value that is one of two, which hold so many
// numbers.
func joinNumbers(n, m int) *Made {
	switch {
	case n == 0 || m == 0:
		return nil
	case n > 1 || m > 1:
		return Numbers
	}
	return Number
}

// tame says whether no word of the value begins with a dash.
func (w Word) tame() bool {
	return w.Tame || w.IsPlain() || w.IsKnown() && !strings.ContainsAny(w.Text, "- \t\n")
}

// joinHollow keeps the worst value that either word may have when nothing is
// where its unknown part was: the shortest absolute path.
func joinHollow(a, b Word) (bool, string) {
	a.Hollow, b.Hollow = a.Hollow || a.isNothing(), b.Hollow || b.isNothing()
	switch {
	case !a.Hollow:
		return b.Hollow, b.IfEmpty
	case !b.Hollow || worse(a.IfEmpty, b.IfEmpty):
		return true, a.IfEmpty
	}
	return true, b.IfEmpty
}

// isNothing says whether a word is the empty one.
func (w Word) isNothing() bool { return w.Reach == tool.Exact && w.Text == "" }

func worse(a, b string) bool {
	if x, y := strings.HasPrefix(a, "/"), strings.HasPrefix(b, "/"); x != y {
		return x
	}
	return len(a) < len(b) || len(a) == len(b) && a < b
}

// joinOf is what is left of two names that something was looked up by. A process
// of the script's own takes nothing away from the other.
func joinOf(a, b string) string {
	switch {
	case a == b || b == Own:
		return a
	case a == Own:
		return b
	case a == "" || b == "":
		return ""
	}
	names := append(strings.Fields(a), strings.Fields(b)...)
	slices.Sort(names)
	return strings.Join(slices.Compact(names), " ")
}

// JoinDirs returns a directory that stands for either of two that a script may be
// in. That it is somewhere below the root says nothing.
func JoinDirs(a, b Word) Word {
	if a.Same(b) {
		return a
	}
	w := Word{Taint: a.Taint | b.Taint}
	if a.Text == "" || b.Text == "" || a.Reach < tool.Under || b.Reach < tool.Under {
		return w
	}
	x := a.Text
	for !paths.Within(b.Text, x) {
		x = paths.Parent(x)
	}
	if x == "/" {
		return w
	}
	w.Text, w.Reach = x, tool.Under
	return w
}

// Join returns a stream that stands for either of two.
func (d Data) Join(o Data) Data {
	if d.Same(o) {
		return d
	}
	if d.sameText(o) {
		d.Hollow, d.Rest = true, d.Rest || o.Rest
		return d
	}
	j := Data{Taint: d.Taint | o.Taint, Endless: d.Endless || o.Endless, Of: joinOf(d.Of, o.Of), Path: samePath(d.Path, o.Path)}
	j.Plain = d.plain() && o.plain()
	if d.Lines == o.Lines {
		j.Lines = d.Lines
	}
	j.Full = d.full() && o.full()
	j.Tame = d.Tame && o.Tame
	if d.Reach == tool.Under && o.Reach == tool.Under {
		j = j.listed(d, o)
	}
	return j
}

// sameText says whether two streams are one text, of which one may be nothing.
func (d Data) sameText(o Data) bool {
	if d.Hollow == o.Hollow || d.Reach != tool.Exact || o.Reach != tool.Exact {
		return false
	}
	d.Hollow = o.Hollow
	return d.Same(o)
}

// samePath is the file that two streams are read from, or nil if they are not read from one.
func samePath(a, b *Word) *Word {
	if a != nil && b != nil && a.Same(*b) {
		return a
	}
	return nil
}

// full says whether a stream is not nothing.
func (d Data) full() bool {
	return d.Full || d.Reach == tool.Prefix || d.Reach == tool.Exact && !d.Hollow && !d.IsEmpty()
}

// Perhaps is what a stream is that nobody may write, because what prints it may fail.
func (d Data) Perhaps() Data {
	switch d.Full = false; d.Reach {
	case tool.Exact:
		d.Hollow = d.Hollow || strings.Trim(d.Text, "\n") != ""
	case tool.Prefix:
		d = d.Unread()
	case tool.Under, tool.Anywhere: // these may be nothing unless they are full
	}
	return d
}

// Unread is a stream of which no text is known, but where it comes from.
func (d Data) Unread() Data {
	if d.Reach == tool.Exact && d.Text != "" || d.Reach == tool.Prefix {
		return Data{Taint: d.Taint, Endless: d.Endless, Of: d.Of}
	}
	return d
}

func (d Data) plain() bool {
	return !d.None && Word{Text: strings.TrimRight(d.Text, "\n"), Reach: d.Reach, Plain: d.Plain}.IsPlain()
}

// MaxText bounds the length of a value, MaxData that of a stream.
const (
	MaxText = 64 << 10
	MaxData = 256 << 10
)

// Then is what a stream holds when another is written behind it.
func (d Data) Then(o Data) Data {
	switch {
	case d.Endless || o.IsEmpty() && o.Taint == 0:
		return d
	case d.IsEmpty():
		o.Taint |= d.Taint
		return o
	}
	j := Data{Taint: d.Taint | o.Taint, Endless: o.Endless, Of: joinOf(d.Of, o.Of)}
	switch {
	case len(d.Text)+len(o.Text) > MaxData, d.Hollow:
	case d.Reach == tool.Exact || d.Reach == tool.Prefix:
		j.Text, j.Reach = d.continued(o)
	case d.Reach == tool.Under && o.Reach == tool.Under:
		j = j.listed(d, o)
	}
	return j
}

// continued is the text of a stream of which the beginning is known, with another behind it.
func (d Data) continued(o Data) (string, tool.Reach) {
	switch {
	case d.Reach == tool.Exact && o.Reach == tool.Exact && !o.Hollow:
		return d.Text + o.Text, tool.Exact
	case d.Reach == tool.Exact && o.Reach == tool.Prefix:
		return d.Text + o.Text, tool.Prefix
	}
	return d.Text, tool.Prefix
}

// listed is the list of files that holds the lines of two.
func (d Data) listed(a, b Data) Data {
	seen, ok := a.Seen.join(b.Seen)
	if !ok {
		return d
	}
	d.Text, d.Reach, d.Visible, d.Found, d.Seen = a.Text, tool.Under, a.Visible && b.Visible, a.Found && b.Found, seen
	switch {
	case a.Text == b.Text:
		d.Bare = a.Bare && b.Bare
		return d.both(a, b)
	case a.Text[0] == '/' && b.Text[0] == '/':
		for !paths.Within(b.Text, d.Text) {
			d.Text = paths.Parent(d.Text)
		}
	default:
		d.Text, d.Reach, d.Seen = "", tool.Anywhere, ""
	}
	return d
}

// Concat appends one value to another.
func (w Word) Concat(b Word) Word {
	a := w
	a.Taint |= b.Taint
	a.At, a.Of, a.Made, a.Tail, a.Bare, a.Visible, a.Found = 0, "", w.form(b), "", false, false, false
	a.Split, a.Tame = a.Split || b.Split, a.Tame && b.tame()
	a.Hollow, a.IfEmpty = w.emptied(b)
	if len(a.Text)+len(b.Text) > MaxText {
		return Word{Taint: a.Taint, Span: a.Span, Split: a.Split}
	}
	if b.Reach == tool.Exact && b.Text == "" {
		a.Of, a.Made, a.Tail, a.Bare, a.Visible, a.Found = w.Of, w.Made, w.Tail, w.Bare, w.Visible, w.Found
		return a
	}
	if w.Text != "" && a.Taint&Several != 0 { // only the first of them has what stands in front, only the last what stands behind
		a.Taint &^= Several
		return w.beginning(a)
	}
	if w.Hollow && w.Reach == tool.Exact && w.Text != "" && !(b.Reach == tool.Exact || b.Hollow) { // what is not known may stand alone
		return Word{Taint: a.Taint, Span: a.Span, Split: a.Split, Made: a.Made}
	}
	switch {
	case a.Reach == tool.Exact:
		return a.continued(b)
	case a.Reach == tool.Under:
		return a.deeper(b)
	case a.Plain:
		return a.extended(b)
	case a.Reach == tool.Anywhere:
		a.Text = ""
	}
	return a
}

// beginning is what is known of a value with several others behind it, or which is several.
func (w Word) beginning(a Word) Word {
	b := Word{Taint: a.Taint, Span: a.Span, Split: a.Split, Hollow: a.Hollow, IfEmpty: a.IfEmpty}
	if w.isAbsolute() && w.IsKnown() {
		b.Text, b.Reach = w.Text, tool.Prefix
	}
	return b
}

// continued is a value that is known, with another behind it.
func (w Word) continued(b Word) Word {
	switch {
	case b.Reach == tool.Exact:
		if w.Glob != b.Glob { // one is a pattern, and so both are
			w.Text, b.Text, w.Glob = patternOf(w), patternOf(b), true
		}
		if w.Text == "" {
			w.Seen = b.Seen
		}
		w.Text += b.Text
	case w.Text == "":
		w.Text, w.Reach, w.Plain, w.Glob, w.Of, w.Tame, w.Bare, w.Visible, w.Found = b.Text, b.Reach, b.Plain, false, b.Of, b.Tame, b.Bare, b.Visible, b.Found
		w.Seen = b.Seen
	case w.Glob && (!b.Plain || b.Reach == tool.Under || paths.Fixed(w.Text) != w.Text):
		return vague(w, b)
	case w.Glob: // there are no wildcards in it so far
		w.Glob = false
		return w.continued(b)
	case b.Reach == tool.Under && b.isAbsolute(), b.Reach == tool.Prefix:
		w.Text, w.Reach, w.Plain = w.Text+b.Text, tool.Prefix, b.Plain && b.Reach == tool.Prefix
	default:
		w.Reach, w.Plain = tool.Prefix, b.Plain
	}
	return w
}

// deeper is a value below a directory, with another behind it.
func (w Word) deeper(b Word) Word {
	switch {
	case b.Reach == tool.Exact && w.isScratch(): // also beside it, where nothing is either
		w.Taint |= b.through()
		return w
	case b.Reach == tool.Exact && !paths.Climbs(b.Text) && (b.Text[0] != '.' || len(b.Text) > 1 && b.Text[1] != '.' && b.Text[1] != '/'): // nor the second dot of two
		if b.Text[0] != '/' {
			w.Text = paths.Parent(w.Text)
		}
		w.Taint |= b.through()
		return w
	case b.Plain && b.Reach == tool.Anywhere:
		w.Text = paths.Parent(w.Text)
		return w
	}
	return vague(w, b)
}

// isScratch says whether a value is the path of a temporary file, with something behind it that leads nowhere else.
func (w Word) isScratch() bool {
	if w.Made == nil || w.Made.Mark != Scratch {
		return false
	}
	behind, ok := strings.CutPrefix(w.Made.Text, Scratch)
	return ok && !paths.Climbs(behind)
}

// extended is a value that ends in a plain word, with another behind it.
func (w Word) extended(b Word) Word {
	switch {
	case b.isPlainPart():
		return w
	case b.Reach == tool.Exact && (b.Glob || strings.IndexByte(b.Text, '/') >= 0) && !paths.GlobClimbs(patternOf(b)) && pathLike(w.Text):
		if w.Reach != tool.Prefix {
			// What printed the plain word may have failed: "$x/y" is then /y.
			return Word{Taint: w.Taint, Span: w.Span, Split: w.Split}
		}
		w.Text, w.Reach, w.Plain, w.Taint = paths.Parent(w.Text), tool.Under, false, w.Taint|Followed
		return w
	}
	if w.Plain = false; w.Reach == tool.Anywhere {
		w.Text = ""
	}
	return w
}

// isPlainPart says whether a value behind a plain word makes a longer plain word.
func (w Word) isPlainPart() bool {
	return (w.IsKnown() || w.Plain && w.Reach != tool.Under) && PlainPart(w.Text)
}

// patternOf is the pattern that stands for an exact value.
func patternOf(w Word) string {
	if w.Glob {
		return w.Text
	}
	return paths.Escape(w.Text)
}

// emptied is the value of two words if what may be nothing in them is nothing.
func (w Word) emptied(b Word) (bool, string) {
	if !w.Hollow && w.Reach != tool.Exact || !b.Hollow && b.Reach != tool.Exact || !w.Hollow && !b.Hollow {
		return false, ""
	}
	x, y := w.Text, b.Text
	if w.Hollow {
		x = w.IfEmpty
	}
	if b.Hollow {
		y = b.IfEmpty
	}
	return true, x + y
}

// vague keeps of a what can still be said when an unknown b follows it.
func vague(a, b Word) Word {
	w := Word{Taint: a.Taint | b.Taint, Span: a.Span, Split: a.Split || b.Split}
	if a.Glob {
		if b.Plain && !paths.Climbs(a.Text) && !paths.Climbs(b.Text) {
			w.Text, w.Reach, w.Taint = paths.GlobDir(a.Text), tool.Under, w.Taint|a.through()
		}
		return w
	}
	if a.isAbsolute() {
		w.Text, w.Reach = a.Text, tool.Prefix
	}
	return w
}

// isAbsolute says whether a path begins with a slash, and is not one that only leads to such a path from where it is seen.
func (w Word) isAbsolute() bool { return w.Seen == "" && strings.HasPrefix(w.Text, "/") }

// pathLike says whether a text can only be the beginning of a path, not of a
// flag or an address.
func pathLike(s string) bool {
	return s == "" || s[0] != '-' && s[0] != '~' && strings.IndexByte(s, '=') < 0 && strings.IndexByte(s, ':') < 0 && !paths.Climbs(s)
}
