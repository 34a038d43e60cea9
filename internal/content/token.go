package content

import (
	"bytes"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// token is one word of a view, or one mark: a sign or an address that rules
// speak of.
type token struct {
	start, end int32
	word, stem uint16 // what the rules know it as; 0 if they do not
	flags      uint8
}

const (
	opens  uint8 = 1 << iota // a sentence or a clause begins with it
	joined                   // part of a name such as ignore_previous or a/b
	folded                   // written with look-alike, invisible or leet characters
	leeted                   // written with digits for letters
	breaks                   // a comma, a colon or a bracket stands before it
	called                   // a colon stands before it
	starts                   // it is the first of its sentence
)

// reader cuts views into tokens. Its memory is used again for the next view.
type reader struct {
	tokens []token
	hits   []hit
	first  []int32  // for each token the first of its hits
	broken []uint64 // a bit for each token that a comma, a colon or a bracket stands before

	last []int32 // for each rule the token after the one at which it was last found

	keyed     bool    // the text is data with a name before each value
	values    []int32 // the first token of each value
	private   []int32 // tokens that may be personal data
	long      []int32 // where long words begin that may be encoded text
	escapes   []int32 // where escapes such as \x41, %41 or &#65; begin
	codes     int     // most bare character codes in a row
	apart     []int32 // where rows of single letters begin
	invisible int     // characters that nobody sees
	control   int     // bytes of escape sequences
	turned    [turns]int

	native, plain []byte // the word that is read letter by letter
}

// What a byte is to the reader.
const (
	isLetter uint8 = iota
	isDigit
	isSpace
	isQuote // an apostrophe, which is dropped inside a word
	isPoint // a sign that may end a sentence or begin a mark
	isJoint // a sign that joins the parts of a name
	isEscape
	isHigh
)

// letters says what each byte is, and what a letter or digit is folded to.
type letters struct {
	kind  [256]uint8
	lower [256]uint8 // 0 if it is not part of a word
	joint [256]uint8 // what it says of the words beside it; see joinsAfter
	odd   [256]uint8 // 1 if a word that it ends may go on, and is read letter by letter
	blank [256]uint8 // 1 if it only parts words

	// What a sign means for the next word: the flags that it leaves, and those it gives; 1 if
	// it depends on what is beside it; and the flags if it follows a full stop.
	leaves, gives, depends, stopped [256]uint8
}

// What a byte says of the words beside it.
const (
	joinsAfter  = joined      // the word after it is part of a name
	joinsBefore = joined << 1 // the word before it is, if a letter follows
	aLetter     = joined << 2
)

// room is an empty list with room for n. Memory that was not used before is not
// touched, other than by [slices.Grow].
func room[T any](list []T, n int) []T {
	if cap(list) >= n {
		return list[:0]
	}
	return make([]T, 0, n)
}

// cut reads a view into tokens.
func (r *reader) cut(rules *Rules, text []byte) {
	broken := r.broken
	*r = reader{tokens: room(r.tokens, len(text)/4+8), hits: room(r.hits, len(text)/4+8), first: r.first[:0], last: r.last, keyed: r.keyed, values: r.values[:0], private: r.private[:0], long: r.long[:0], escapes: r.escapes[:0], apart: r.apart[:0], native: r.native, plain: r.plain}
	r.broken = append(broken[:0], make([]uint64, cap(r.tokens)/64+1)...)
	c := cutter{reader: r, rules: rules, text: text, next: opens}
	if len(text) > 0 {
		c.leader = text[0]
	}
	for c.at < len(text) {
		b := text[c.at]
		kind := alphabet.kind[b]
		if kind <= isDigit {
			c.word()
			continue
		}
		switch kind {
		case isSpace:
			if b == '\n' {
				c.line()
			}
			c.at++
		case isHigh:
			c.slow()
		case isEscape:
			c.at = c.sequence(c.at)
		case isQuote:
			c.next |= opens
			c.at++
		default:
			c.sign(b)
		}
	}
}

// cutter is the state of cutting one view.
type cutter struct {
	*reader
	rules      *Rules
	text       []byte
	at         int
	next       uint8 // flags of the word that follows
	leader     byte  // the sign that the line begins with
	codeRun    int
	oneRun     int
	oneStart   int32
	turnedLast [turns][]byte
}

// word reads a word that begins with an ASCII letter or digit, eight letters at a time.
func (c *cutter) word() {
	text, start := c.text, c.at
	x := newOctet(load(text, start))
	n := x.words()
	head := x.low & firstBytes(n)
	h, i := mix(0, head), start+n
	digits := bits.OnesCount64(x.digits & firstBytes(n))
	if n == 8 {
		var more int
		h, n, more = rest(h, text[i:])
		i += n
		digits += more
	}
	if i < len(text) && alphabet.odd[text[i]] != 0 && c.goesOn(i) {
		return
	}
	word, stem, flags := c.rules.word(h), uint16(0), uint8(0)
	if c.rules.beginsStem(head) {
		stem = c.rules.stemOf(text[start:i])
	}
	if (digits > 0 || hasBit(c.rules.turnedBits, uint32(h))) && word == 0 {
		word, flags = c.unknown(h, text[start:i], digits)
	}
	c.at = i
	if i < len(text) {
		c.at += int(alphabet.blank[text[i]])
	}
	c.add(start, i, word, stem, flags, digits, i-start-digits)
}

// unknown looks at whether a word that is not known as it stands is one in disguise.
func (c *cutter) unknown(h uint64, text []byte, digits int) (word uint16, flags uint8) {
	if kind := c.rules.disguise(h); kind >= 0 {
		c.disguised(kind, text)
	} else if digits > 0 && len(text) > digits && len(text) <= 24 {
		if word = c.leet(text); word != 0 {
			flags = leeted
		}
	}
	return word, flags
}

// goesOn reads the word at hand letter by letter if it goes on at i, after letters and
// digits of ASCII: behind an apostrophe, a sign that stands for a letter, or with other
// letters.
func (c *cutter) goesOn(i int) bool {
	b, text := c.text[i], c.text
	letter := i+1 < len(text) && alphabet.kind[text[i+1]] == isLetter
	switch {
	case b >= utf8.RuneSelf, letter && b != '\'':
		c.slow()
	case letter:
		c.quoted()
	default:
		return false
	}
	return true
}

// quoted reads a word with an apostrophe in it, which is left out.
func (c *cutter) quoted() {
	text, i := c.text, c.at
	word := c.plain[:0]
	for ; i < len(text); i++ {
		if low := alphabet.lower[text[i]]; low != 0 {
			word = append(word, low)
		} else if !isApostrophe(text[i:]) {
			break
		}
	}
	c.plain = word
	if i < len(text) && alphabet.odd[text[i]] != 0 && text[i] != '\'' && c.goesOn(i) {
		return
	}
	digits := countDigits(word)
	start, h := c.at, hashOf(word)
	id := c.rules.word(h)
	if kind := c.rules.disguise(h); id == 0 && kind >= 0 {
		c.disguised(kind, word)
	}
	c.at = i
	c.add(start, i, id, c.rules.stemOf(word), 0, digits, len(word)-digits)
}

// isApostrophe says whether a text begins with one and a letter.
func isApostrophe(text []byte) bool {
	return text[0] == '\'' && len(text) > 1 && alphabet.kind[text[1]] == isLetter
}

func countDigits(word []byte) (n int) {
	for _, b := range word {
		if b >= '0' && b <= '9' {
			n++
		}
	}
	return n
}

// isLeetSign says whether a sign may stand for a letter.
func isLeetSign(b byte) bool { return b == '@' || b == '$' || b == '!' || b == '|' }

// add appends a word and looks at what it may be the beginning of.
func (c *cutter) add(start, end int, word, stem uint16, flags uint8, digits, letters int) {
	// All at once, since none of it can be predicted: there are digits, or the word is of
	// one letter, or long.
	if n := end - start; digits|c.codeRun|n/longWord|(n-2)>>63 != 0 {
		c.rows(start, end, digits, letters)
	} else {
		c.oneRun = 0
	}
	flags |= c.next
	if start > 0 {
		flags |= alphabet.joint[c.text[start-1]] & joinsAfter
	}
	if end+1 < len(c.text) {
		before, letter := alphabet.joint[c.text[end]]&joinsBefore, alphabet.joint[c.text[end+1]]&aLetter
		flags |= before >> 1 & (letter >> 2)
	}
	n := len(c.tokens)
	if n == cap(c.tokens) {
		c.grow()
	}
	c.broken[n>>6] |= uint64(c.next/breaks&1) << (n & 63)
	c.next = 0
	// Field by field: a token that is put together elsewhere would be copied.
	c.tokens = c.tokens[:n+1]
	t := &c.tokens[n]
	t.start, t.end, t.word, t.stem, t.flags = int32(start), int32(end), word, stem, flags
}

// rows looks at whether a word goes on a row of codes or single letters, is long, or
// may be personal data.
func (c *cutter) rows(start, end, digits, letters int) {
	n := end - start
	if n >= longWord || n >= 4 && c.text[start] <= '9' {
		c.private = append(c.private, int32(len(c.tokens)))
	}
	switch {
	case n >= longWord:
		c.long = append(c.long, int32(start))
		c.codeRun, c.oneRun = 0, 0
	case n == 1 && letters == 1:
		if c.oneRun++; c.oneRun == 1 {
			c.oneStart = int32(start)
		}
		if c.oneRun == minApart {
			c.apart = append(c.apart, c.oneStart)
		}
	case digits > 0 && isCode(c.text[start:end]):
		c.codeRun++
		c.codes = max(c.codes, c.codeRun)
		c.oneRun = 0
	case letters == 2 && n == 2 && c.codeRun > 0 && isHex(c.text[start:end]):
		c.codeRun++
	default:
		c.codeRun, c.oneRun = 0, 0
	}
}

// grow makes room for more tokens.
func (r *reader) grow() {
	r.tokens = slices.Grow(r.tokens, len(r.tokens)/2+64)
	r.broken = append(r.broken, make([]uint64, cap(r.tokens)/64+1-len(r.broken))...)
}

// disguised counts a word that is one in a disguise. The same again says nothing: it
// may be a name that happens to look so.
func (c *cutter) disguised(kind int, word []byte) {
	if c.turned[kind] == 0 || !bytes.EqualFold(c.turnedLast[kind], word) {
		c.turned[kind]++
		c.turnedLast[kind] = append(c.turnedLast[kind][:0], word...)
	}
}

// minApart is from how many on single letters in a row may be words.
const minApart = 12

// longWord is from which length on a word may be encoded text.
const longWord = 16

// oddWord is the state of reading a word that is not plain ASCII.
type oddWord struct {
	native          []byte // the word as it is, folded
	plain           []byte // with letters that look like Latin ones folded to them
	stem, latinStem uint16
	runes, looks    int
	ascii, digits   int
	allLatin, odd   bool
}

// slow reads a word that is not plain ASCII. What looks like a Latin letter and
// is none is folded to it where all of the word can be.
func (c *cutter) slow() {
	start, i := c.at, c.at
	w := oddWord{native: c.native[:0], plain: c.plain[:0], allLatin: true}
	defer func() { c.native, c.plain = w.native, w.plain }()
	for i < len(c.text) {
		if r, size := utf8.DecodeRune(c.text[i:]); size > 1 && isIdeograph(r) {
			if w.runes == 0 {
				c.ideograph(i, size)
				return
			}
			break
		}
		n := c.letter(&w, i, i == start)
		if n == 0 {
			break
		}
		i += n
		if w.runes >= 2 && (w.runes >= minStem || i-start > w.runes) {
			w.stems(c.rules)
		}
	}
	switch {
	case w.runes > 0:
		c.at = i
		word, stem, flags := w.known(c)
		c.add(start, i, word, stem, flags, w.digits, w.runes-w.digits)
	case i == start:
		c.other()
	default:
		c.at = i
	}
}

// ideograph adds a character that is a word of its own.
func (c *cutter) ideograph(at, size int) {
	c.at = at + size
	c.add(at, at+size, c.rules.word(hashOf(c.text[at:at+size])), 0, 0, 0, 2)
}

// letter reads the character at i into a word and says how long it is; 0 if the word
// ends before it.
func (c *cutter) letter(w *oddWord, i int, first bool) int {
	text := c.text
	b := text[i]
	if b >= utf8.RuneSelf {
		return c.foreign(w, i)
	}
	low := alphabet.lower[b]
	switch next := i+1 < len(text); {
	case low != 0:
		w.ascii++
		if low <= '9' {
			w.digits++
		}
	case first || !next:
		return 0
	case b == '\'' && alphabet.lower[text[i+1]] != 0:
		return 1
	case isLeetSign(b) && alphabet.kind[text[i+1]] == isLetter && !isAddress(text, i):
		low = b
		w.digits++
	default:
		return 0
	}
	w.native = append(w.native, low)
	w.plain = append(w.plain, low)
	w.runes++
	return 1
}

// foreign is letter for a character beyond ASCII.
func (c *cutter) foreign(w *oddWord, i int) int {
	r, size := utf8.DecodeRune(c.text[i:])
	switch {
	case r == utf8.RuneError && size <= 1:
		return 0
	case isInvisible(r):
		c.invisible++
		w.odd = w.odd || w.disguisedBy(r)
		return size
	case isCombining(r):
		return size
	}
	base, alike, styled := folds.fold(r)
	if base == 0 {
		return 0
	}
	w.odd = w.odd || styled
	w.put(base, alike)
	return size
}

// disguisedBy says whether an invisible character disguises the word: those that join letters
// stand in many scripts.
func (w *oddWord) disguisedBy(r rune) bool {
	return r != zwnj && r != zwj || w.looks+w.ascii > 0 && w.allLatin
}

// put adds a letter, which may look like a Latin one.
func (w *oddWord) put(base, alike rune) {
	w.native = utf8.AppendRune(w.native, base)
	if alike != 0 && base >= utf8.RuneSelf {
		w.looks++
		base = alike
	}
	if base < utf8.RuneSelf {
		w.plain = append(w.plain, byte(base))
	} else {
		w.allLatin = false
	}
	w.runes++
}

// stems looks up what the word so far is the stem of.
func (w *oddWord) stems(rules *Rules) {
	if id := rules.stem(w.native); id != 0 {
		w.stem = id
	}
	if w.allLatin && w.looks > 0 {
		if id := rules.stem(w.plain); id != 0 {
			w.latinStem = id
		}
	}
}

// known is the word as rules know it.
func (w *oddWord) known(c *cutter) (word, stem uint16, flags uint8) {
	h := hashOf(w.native)
	word, stem = c.rules.word(h), w.stem
	if kind := c.rules.disguise(h); word == 0 && kind >= 0 {
		c.disguised(kind, w.native)
	}
	if word == 0 && stem == 0 && w.allLatin {
		word, stem, flags = w.asLatin(c)
	}
	if w.odd {
		flags |= folded
	}
	return word, stem, flags
}

// asLatin is the word as rules know it by what it looks like.
func (w *oddWord) asLatin(c *cutter) (word, stem uint16, flags uint8) {
	if w.looks > 0 {
		word, stem = c.rules.word(hashOf(w.plain)), w.latinStem
		w.odd = w.odd || word != 0 || stem != 0
	}
	if word == 0 && w.digits > 0 && len(w.plain) <= 24 {
		if word = c.leet(w.plain); word != 0 {
			flags = leeted
		}
	}
	return word, stem, flags
}

// leet looks a word up in which signs stand for letters. The sign for i may
// stand for l too.
func (c *cutter) leet(word []byte) uint16 {
	var first, other [24]byte
	for i, b := range word {
		if low := alphabet.lower[b]; low != 0 {
			b = low
		}
		first[i], other[i] = leetLetter(b)
	}
	if id := c.rules.word(hashOf(first[:len(word)])); id != 0 {
		return id
	}
	return c.rules.word(hashOf(other[:len(word)]))
}

// leetLetter is the letter that a sign or a digit stands for, and the other one that it may
// stand for.
func leetLetter(b byte) (letter, other byte) {
	switch b {
	case '0':
		return 'o', 'o'
	case '3':
		return 'e', 'e'
	case '4', '@':
		return 'a', 'a'
	case '5', '$':
		return 's', 's'
	case '7':
		return 't', 't'
	case '8':
		return 'b', 'b'
	case '9', '6':
		return 'g', 'g'
	case '1', '!', '|':
		return 'i', 'l'
	}
	return b, b
}

// other passes over a character beyond ASCII that belongs to no word.
func (c *cutter) other() {
	r, size := utf8.DecodeRune(c.text[c.at:])
	switch r {
	case '：':
		c.next |= opens | breaks | called
	case '，', '、', '（':
		c.next |= breaks
	case '。', '！', '？', '｡', '।', '۔', '؟', '…':
		c.next |= starts | opens
	case '“', '”', '„', '«', '»', '—', '–', '•', '「', '」', '『', '\u2028', '\u2029', '→':
		c.next |= opens
	}
	c.at += max(size, 1)
}

// line looks at the line that follows, to see whether a sentence goes on there.
func (c *cutter) line() {
	i := pass(c.text, c.at+1, func(b byte) bool { return b == ' ' || b == '\t' || b == '\r' })
	before := c.leader
	c.leader = 0
	if i >= len(c.text) {
		return
	}
	if c.keyed && isKey(c.text[i:]) {
		c.value()
	}
	switch b := c.text[i]; b {
	case '#', '*', '>', '/', ';', '%':
		c.leader = b
		if b != before {
			c.next |= starts
		}
		c.next |= opens
	case '\n', '-', '+', '|', '<', '{', '}', '[':
		c.next |= starts | opens
	default:
		c.next |= beginsLine(c.text[i:])
	}
}

// beginsLine says what a capital letter or a number at the beginning of a line means for its
// first word.
func beginsLine(line []byte) uint8 {
	if line[0] >= 'A' && line[0] <= 'Z' {
		return opens
	}
	n := 0
	for n < len(line) && line[n] >= '0' && line[n] <= '9' {
		n++
	}
	if n > 0 && n < len(line) && bytes.IndexByte([]byte(".)-:"), line[n]) >= 0 {
		return starts | opens
	}
	return 0
}

// value notes that a value of its own begins: what stands in others is another sentence.
func (c *cutter) value() {
	c.next |= starts | opens
	c.values = append(c.values, int32(len(c.tokens)))
}

// isKey says whether a line of data begins with a name and a colon or an equals sign.
func isKey(line []byte) bool {
	i := 0
	for i < len(line) && i < 64 && (alphabet.lower[line[i]] != 0 || bytes.IndexByte([]byte("\"'_.- "), line[i]) >= 0) {
		i++
	}
	return i > 0 && i < len(line) && (line[i] == ':' && i+1 < len(line) && line[i+1] <= ' ' || line[i] == '=')
}

// sequence passes over an escape sequence of a terminal.
func (c *cutter) sequence(i int) int {
	end := escapeEnd(c.text, i)
	c.control += end - i
	c.next |= opens
	return end
}

// escapeEnd is where the escape sequence at i ends.
func escapeEnd(text []byte, i int) int {
	if i+1 >= len(text) {
		return i + 1
	}
	n := 0
	switch text[i+1] {
	case '[':
		n = controlEnd(text[i+2 : min(len(text), i+64)])
	case ']', 'P', '_', '^':
		n = stringEnd(text[i+2:])
	}
	return i + 2 + n
}

// controlEnd is how long the rest of a control sequence is, or 0 if it does not end.
func controlEnd(text []byte) int {
	for j, b := range text {
		if b >= 0x40 && b <= 0x7e {
			return j + 1
		}
	}
	return 0
}

// stringEnd is how long the rest of a control string is, or 0 if it does not end soon.
func stringEnd(text []byte) int {
	for j, b := range text[:min(len(text), 510)] {
		if b == 7 {
			return j + 1
		}
		if b == 0x1b && j+1 < len(text) && text[j+1] == '\\' {
			return j + 2
		}
	}
	return 0
}

// sign reads a sign: it may be a mark, end a sentence, or open a clause.
func (c *cutter) sign(b byte) {
	text, i := c.text, c.at
	if i+2 >= len(text) || hasBit(c.rules.markHeads, markHead(b, text[i+1], text[i+2])) {
		if id, n := c.rules.mark(text[i:]); n > 0 {
			c.at += n
			c.add(i, i+n, id, 0, 0, 0, 2)
			c.tokens[len(c.tokens)-1].flags &^= joined
			c.next |= opens
			return
		}
	}
	c.next = c.next&alphabet.leaves[b] | alphabet.gives[b]
	if alphabet.depends[b] == 0 || !c.beside(b) {
		c.at++
	}
}

// beside reads a sign that means something else beside others. It says whether it has
// passed over it.
func (c *cutter) beside(b byte) bool {
	next := byte(' ')
	if c.at+1 < len(c.text) {
		next = c.text[c.at+1]
	}
	switch b {
	case '.', '!', '?':
		c.next |= alphabet.stopped[next]
	case '"':
		c.quotationMark(next)
	case '<':
		c.bracket(next)
	case ':':
		return c.colon()
	case '@':
		return c.email()
	case '\\':
		return c.backslash(next)
	case '%', '&':
		c.percent(b, next)
	case '_', '/', '-':
		c.joint()
	}
	return false
}

// bracket reads one: in XML a tag that closes ends a value.
func (c *cutter) bracket(next byte) {
	if next == '/' && c.keyed {
		c.value()
	}
}

// colon reads a colon, or the address that it is a part of.
func (c *cutter) colon() bool {
	if bytes.HasPrefix(c.text[c.at:], []byte("://")) && c.url() {
		return true
	}
	c.next |= opens
	return false
}

// percent reads a sign that may begin an escape.
func (c *cutter) percent(b, next byte) {
	if b == '%' && digit(next) >= 0 || b == '&' && next == '#' {
		c.escape()
	}
}

// joint reads a sign that joins the parts of a name, where it stands behind one.
func (c *cutter) joint() {
	if c.at == 0 || c.text[c.at-1] <= ' ' {
		c.next |= opens
	}
}

// quotationMark reads one: in JSON it ends a value, or a key.
func (c *cutter) quotationMark(next byte) {
	if next == ',' || next == ':' || next == '}' || next == ']' {
		c.next |= starts
	}
	if next == ':' && c.keyed {
		c.value()
	}
}

// backslash reads a backslash; it says whether it has read what follows as well: the end
// of a line inside a string.
func (c *cutter) backslash(next byte) bool {
	if next == 'x' || next == 'u' || isOctal(next) {
		c.escape()
	}
	switch next {
	case 'n', 'r', 't', '"':
	default:
		return false
	}
	c.next |= opens
	if next == 'n' && bytes.HasPrefix(c.text[c.at+2:], []byte(`\n`)) {
		c.next |= starts
	}
	c.at += 2
	return true
}

// escape notes where escapes begin; those close together once.
func (c *cutter) escape() {
	if n := len(c.escapes); n > 0 && c.at-int(c.escapes[n-1]) < 12 {
		return
	}
	c.escapes = append(c.escapes, int32(c.at))
}

// url makes one token of an address whose scheme was the last word.
func (c *cutter) url() bool {
	n := len(c.tokens)
	if n == 0 || int(c.tokens[n-1].end) != c.at {
		return false
	}
	t := &c.tokens[n-1]
	switch string(bytes.ToLower(c.text[t.start:t.end])) {
	case "http", "https", "ftp", "ws", "wss":
	default:
		return false
	}
	end := urlEnd(c.text, c.at)
	t.word, t.stem = c.rules.urlWord, 0
	if hasSlot(c.text[c.at:end]) {
		t.word = c.rules.slotWord
	}
	if j := bytes.IndexByte(c.text[c.at:end], '%'); j >= 0 {
		c.escapes = append(c.escapes, int32(c.at+j))
	}
	t.end = int32(end)
	c.at = end
	return true
}

// urlEnd is where an address ends. A placeholder may stand in it.
func urlEnd(text []byte, i int) int {
	for i < len(text) && text[i] > ' ' && bytes.IndexByte([]byte("\"'`<>)|"), text[i]) < 0 {
		i++
	}
	if i < len(text) && (text[i] == '<' || text[i] == '|') {
		if j := bytes.IndexAny(text[i:min(i+80, len(text))], ">\n"); j > 0 && text[i+j] == '>' {
			i += j + 1
		}
	}
	return i
}

// hasSlot says whether an address has a place for something to be filled in.
func hasSlot(url []byte) bool {
	query := url[max(bytes.IndexByte(url, '?'), 0):]
	for i, b := range query {
		switch b {
		case '{', '<', '[', '$':
			return true
		case '=':
			if isSlot(query[i+1:]) {
				return true
			}
		}
	}
	return false
}

// isSlot says whether a value at the beginning of a text is to be filled in: it is nothing, or a
// name in capitals.
func isSlot(text []byte) bool {
	if len(text) == 0 {
		return true
	}
	n := pass(text, 0, func(b byte) bool { return b >= 'A' && b <= 'Z' || b == '_' })
	return n >= 4 && (n == len(text) || text[n] == '&')
}

// email makes one token of an address of which the last word is a part.
func (c *cutter) email() bool {
	n := len(c.tokens)
	if n == 0 || int(c.tokens[n-1].end) != c.at || !isAddress(c.text, c.at) {
		return false
	}
	t := &c.tokens[n-1]
	i := hostEnd(c.text, c.at+1)
	t.word, t.stem, t.end = c.rules.emailWord, 0, int32(i)
	t.flags &^= joined
	c.at = i
	if k := len(c.private); k == 0 || int(c.private[k-1]) != n-1 {
		c.private = append(c.private, int32(n-1))
	}
	return true
}

// hostEnd is where the name of a host ends.
func hostEnd(text []byte, i int) int {
	for i < len(text) && (alphabet.lower[text[i]] != 0 || text[i] == '.' || text[i] == '-') {
		i++
	}
	for i > 0 && (text[i-1] == '.' || text[i-1] == '-') {
		i--
	}
	return i
}

// isAddress says whether the @ at i belongs to a mail address: a name with a dot
// follows.
func isAddress(text []byte, i int) bool {
	if text[i] != '@' {
		return false
	}
	name := text[i+1 : min(len(text), i+64)]
	n := pass(name, 0, func(b byte) bool { return b == '-' || alphabet.lower[b] != 0 })
	return n < len(name) && name[n] == '.' && i+n+2 < len(text) && isASCIILetter(text[i+n+2])
}

// isCode says whether a word is the code of a character: two hexadecimal digits,
// two or three decimal ones, or eight binary ones.
func isCode(word []byte) bool {
	switch len(word) {
	case 2:
		return isHex(word)
	case 3:
		return word[0] == '1' && word[1] <= '2' && isHex(word)
	case 4:
		return word[0] == '0' && word[1]|0x20 == 'x' && isHex(word[2:])
	case 8:
		return isBinary(word)
	}
	return false
}

// isBinary says whether a word has no other digits than 0 and 1.
func isBinary(word []byte) bool {
	for _, b := range word {
		if b != '0' && b != '1' {
			return false
		}
	}
	return true
}

func isHex(word []byte) bool {
	for _, b := range word {
		if !(b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'f') {
			return false
		}
	}
	return true
}
