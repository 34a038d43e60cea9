package content

import (
	"bytes"
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

	long      []int32 // where long words begin that may be encoded text
	escapes   []int32 // where escapes such as \x41, %41 or &#65; begin
	codes     int     // most bare character codes in a row
	apart     []int32 // where rows of single letters begin
	invisible int     // characters that nobody sees
	control   int     // bytes of escape sequences
	turned    [turns]int
}

// hash is FNV-1a, which can be continued letter by letter.
const (
	hashStart uint64 = 14695981039346656037
	hashPrime uint64 = 1099511628211
)

func hashOf(word string) uint64 {
	h := hashStart
	for i := 0; i < len(word); i++ {
		h = (h ^ uint64(word[i])) * hashPrime
	}
	return h
}

// What a byte is to the reader.
const (
	isSpace uint8 = iota
	isLetter
	isDigit
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
}

func (a *letters) fill() {
	for c := range 256 {
		b := byte(c)
		switch {
		case c >= 0x80:
			a.kind[c] = isHigh
		case b >= 'a' && b <= 'z':
			a.kind[c], a.lower[c] = isLetter, b
		case b >= 'A' && b <= 'Z':
			a.kind[c], a.lower[c] = isLetter, b+'a'-'A'
		case b >= '0' && b <= '9':
			a.kind[c], a.lower[c] = isDigit, b
		case b == '\'':
			a.kind[c] = isQuote
		case b == '_' || b == '/' || b == '-':
			a.kind[c] = isJoint
		case b == 0x1b:
			a.kind[c] = isEscape
		case b > ' ' && b < 0x7f:
			a.kind[c] = isPoint
		}
	}
}

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
	*r = reader{tokens: room(r.tokens, len(text)/4+8), hits: room(r.hits, len(text)/4+8), first: r.first[:0], broken: r.broken[:0], last: r.last, long: r.long[:0], escapes: r.escapes[:0], apart: r.apart[:0]}
	c := cutter{reader: r, rules: rules, text: text, open: true}
	if len(text) > 0 {
		c.leader = text[0]
	}
	for c.at < len(text) {
		b := text[c.at]
		switch alphabet.kind[b] {
		case isLetter, isDigit:
			c.word()
		case isHigh:
			c.high()
		case isSpace:
			if b == '\n' {
				c.line()
			}
			c.at++
		case isEscape:
			c.at = c.sequence(c.at)
		case isQuote:
			c.open = true
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
	ended      bool // a sentence ends here
	open       bool
	broken     bool
	colon      bool
	leader     byte // the sign that the line begins with
	codeRun    int
	oneRun     int
	oneStart   int32
	turnedLast [turns][]byte
}

// word reads a word that begins with an ASCII letter or digit.
func (c *cutter) word() {
	text, rules := c.text, c.rules
	start, i := c.at, c.at
	h := hashStart
	var stem uint16
	all, quotes, stems := byte(letterBit), 0, false
	for i < len(text) {
		b := alphabet.lower[text[i]]
		if b == 0 {
			if text[i] == '\'' && i+1 < len(text) && alphabet.kind[text[i+1]] == isLetter && i > start {
				i++
				quotes++
				continue
			}
			break
		}
		all &= b
		h = (h ^ uint64(b)) * hashPrime
		i++
		if i-start-quotes == minStem {
			stems = rules.beginsStem(h)
		}
		if stems && rules.maybeStem(h) {
			if id := rules.stem(h); id != 0 {
				stem = id
			}
		}
	}
	if i < len(text) && (text[i] >= 0x80 || i+1 < len(text) && alphabet.kind[text[i+1]] == isLetter && isLeetSign(text[i])) {
		c.slow()
		return
	}
	letters, digits := i-start-quotes, 0
	if all&letterBit == 0 {
		digits = countDigits(text[start:i])
		letters -= digits
	}
	t := token{start: int32(start), end: int32(i), word: rules.word(h), stem: stem}
	if t.word == 0 && digits > 0 && letters > 0 && i-start <= 24 {
		if id := c.leet(text[start:i]); id != 0 {
			t.word, t.flags = id, leeted
		}
	}
	c.at = i
	c.add(t, digits, letters)
}

// letterBit is in every letter that a word is folded to, and in no digit.
const letterBit = 0x40

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
func (c *cutter) add(t token, digits, letters int) {
	n := int(t.end - t.start)
	switch {
	case n >= longWord:
		c.long = append(c.long, t.start)
		c.codeRun, c.oneRun = 0, 0
	case n == 1 && letters == 1:
		if c.oneRun++; c.oneRun == 1 {
			c.oneStart = t.start
		}
		if c.oneRun == minApart {
			c.apart = append(c.apart, c.oneStart)
		}
	case digits > 0 && isCode(c.text[t.start:t.end]):
		c.codeRun++
		c.codes = max(c.codes, c.codeRun)
		c.oneRun = 0
	case letters == 2 && n == 2 && c.codeRun > 0 && isHex(c.text[t.start:t.end]):
		c.codeRun++
	default:
		c.codeRun, c.oneRun = 0, 0
	}
	if t.word >= c.rules.turnBase {
		c.disguised(int(t.word-c.rules.turnBase), c.text[t.start:t.end])
		t.word = 0
	}
	if c.ended {
		t.flags |= starts
		c.ended = false
	}
	if c.open {
		t.flags |= opens
		c.open = false
	}
	if c.broken {
		t.flags |= breaks
		at := len(c.tokens)
		for len(c.reader.broken) <= at>>6 {
			c.reader.broken = append(c.reader.broken, 0)
		}
		c.reader.broken[at>>6] |= 1 << (at & 63)
		c.broken = false
		if c.colon {
			t.flags |= called
			c.colon = false
		}
	}
	if s := int(t.start); s > 0 {
		switch c.text[s-1] {
		case '_', '/', '-', '.', '\\':
			t.flags |= joined
		}
	}
	if e := int(t.end); e+1 < len(c.text) && alphabet.kind[c.text[e+1]] == isLetter {
		switch c.text[e] {
		case '_', '/', '.':
			t.flags |= joined
		}
	}
	c.tokens = append(c.tokens, t)
}

// disguised counts a word that is one in a disguise. The same again says nothing: it
// may be a name that happens to look so.
func (c *cutter) disguised(kind int, word []byte) {
	if c.turned[kind] == 0 || !bytes.EqualFold(c.turnedLast[kind], word) {
		c.turned[kind]++
		c.turnedLast[kind] = word
	}
}

// minApart is from how many on single letters in a row may be words.
const minApart = 12

// longWord is from which length on a word may be encoded text.
const longWord = 16

// oddWord is the state of reading a word that is not plain ASCII.
type oddWord struct {
	native, latin   uint64 // hashes of the word as it is, and with letters that look like Latin ones folded to them
	stem, latinStem uint16
	plain           []byte // in Latin letters
	runes, looks    int
	ascii, digits   int
	allLatin, odd   bool
}

// slow reads a word that is not plain ASCII. What looks like a Latin letter and
// is none is folded to it where all of the word can be.
func (c *cutter) slow() {
	start, i := c.at, c.at
	w := oddWord{native: hashStart, latin: hashStart, allLatin: true, plain: make([]byte, 0, 24)}
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
		c.add(w.token(c, start, i), w.digits, w.runes-w.digits)
	case i == start:
		c.other()
	default:
		c.at = i
	}
}

// ideograph adds a character that is a word of its own.
func (c *cutter) ideograph(at, size int) {
	h := hashStart
	for _, b := range c.text[at : at+size] {
		h = (h ^ uint64(b)) * hashPrime
	}
	c.at = at + size
	c.add(token{start: int32(at), end: int32(at + size), word: c.rules.word(h)}, 0, 2)
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
	w.native = (w.native ^ uint64(low)) * hashPrime
	w.latin = (w.latin ^ uint64(low)) * hashPrime
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
		if r != zwnj && r != zwj || w.looks+w.ascii > 0 && w.allLatin {
			w.odd = true
		}
		c.invisible++
		return size
	case isCombining(r):
		return size
	}
	base, alike, styled := folds.fold(r)
	if base == 0 {
		return 0
	}
	w.odd = w.odd || styled
	var buf [utf8.UTFMax]byte
	for _, b := range buf[:utf8.EncodeRune(buf[:], base)] {
		w.native = (w.native ^ uint64(b)) * hashPrime
	}
	if alike != 0 && base >= utf8.RuneSelf {
		w.looks++
		base = alike
	}
	if base < utf8.RuneSelf {
		w.latin = (w.latin ^ uint64(base)) * hashPrime
		w.plain = append(w.plain, byte(base))
	} else {
		w.allLatin = false
	}
	w.runes++
	return size
}

// stems looks up what the word so far is the stem of.
func (w *oddWord) stems(rules *Rules) {
	if rules.maybeStem(w.native) {
		if id := rules.stem(w.native); id != 0 {
			w.stem = id
		}
	}
	if w.allLatin && w.looks > 0 && rules.maybeStem(w.latin) {
		if id := rules.stem(w.latin); id != 0 {
			w.latinStem = id
		}
	}
}

// token is the word as rules know it.
func (w *oddWord) token(c *cutter, start, end int) token {
	t := token{start: int32(start), end: int32(end), word: c.rules.word(w.native), stem: w.stem}
	if t.word == 0 && t.stem == 0 && w.allLatin {
		if w.looks > 0 {
			t.word, t.stem = c.rules.word(w.latin), w.latinStem
			w.odd = w.odd || t.word != 0 || t.stem != 0
		}
		if t.word == 0 && w.digits > 0 && len(w.plain) <= 24 {
			if t.word = c.leet(w.plain); t.word != 0 {
				t.flags |= leeted
			}
		}
	}
	if w.odd {
		t.flags |= folded
	}
	return t
}

// leet looks a word up in which signs stand for letters. The sign for i may
// stand for l too.
func (c *cutter) leet(word []byte) uint16 {
	h, other := hashStart, hashStart
	for _, b := range word {
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		alt := byte(0)
		switch b {
		case '0':
			b = 'o'
		case '1':
			b, alt = 'i', 'l'
		case '3':
			b = 'e'
		case '4', '@':
			b = 'a'
		case '5', '$':
			b = 's'
		case '7':
			b = 't'
		case '8':
			b = 'b'
		case '9', '6':
			b = 'g'
		case '!', '|':
			b, alt = 'i', 'l'
		}
		if alt == 0 {
			alt = b
		}
		h, other = (h^uint64(b))*hashPrime, (other^uint64(alt))*hashPrime
	}
	if id := c.rules.word(h); id != 0 {
		return id
	}
	return c.rules.word(other)
}

// high reads what begins with a byte beyond ASCII.
func (c *cutter) high() { c.slow() }

// other passes over a character beyond ASCII that belongs to no word.
func (c *cutter) other() {
	r, size := utf8.DecodeRune(c.text[c.at:])
	switch r {
	case '：':
		c.open, c.broken, c.colon = true, true, true
	case '，', '、', '（':
		c.broken = true
	case '。', '！', '？', '｡', '।', '۔', '؟', '…':
		c.ended = true
		c.open = true
	case '“', '”', '„', '«', '»', '—', '–', '•', '「', '」', '『', '\u2028', '\u2029', '→':
		c.open = true
	}
	c.at += max(size, 1)
}

// line looks at the line that follows, to see whether a sentence goes on there.
func (c *cutter) line() {
	i := c.at + 1
	for i < len(c.text) && (c.text[i] == ' ' || c.text[i] == '\t' || c.text[i] == '\r') {
		i++
	}
	before := c.leader
	c.leader = 0
	if i >= len(c.text) {
		return
	}
	b := c.text[i]
	switch b {
	case '\n':
		c.ended = true
		c.open = true
		return
	case '#', '*', '>', '/', ';', '%':
		c.leader = b
		if b != before {
			c.ended = true
		}
		c.open = true
	case '-', '+', '|', '<', '{', '}', '[':
		c.ended = true
		c.open = true
	default:
		if b >= 'A' && b <= 'Z' {
			c.open = true
		}
		if b >= '0' && b <= '9' {
			for i < len(c.text) && c.text[i] >= '0' && c.text[i] <= '9' {
				i++
			}
			if i < len(c.text) && (c.text[i] == '.' || c.text[i] == ')' || c.text[i] == '-' || c.text[i] == ':') {
				c.ended = true
				c.open = true
			}
		}
	}
}

// sequence passes over an escape sequence of a terminal.
func (c *cutter) sequence(i int) int {
	end := escapeEnd(c.text, i)
	c.control += end - i
	c.open = true
	return end
}

// escapeEnd is where the escape sequence at i ends.
func escapeEnd(text []byte, i int) int {
	if i+1 >= len(text) {
		return i + 1
	}
	switch text[i+1] {
	case '[':
		for j := i + 2; j < len(text) && j < i+64; j++ {
			if text[j] >= 0x40 && text[j] <= 0x7e {
				return j + 1
			}
		}
		return i + 2
	case ']', 'P', '_', '^':
		for j := i + 2; j < len(text) && j < i+512; j++ {
			if text[j] == 7 {
				return j + 1
			}
			if text[j] == 0x1b && j+1 < len(text) && text[j+1] == '\\' {
				return j + 2
			}
		}
		return i + 2
	}
	return i + 2
}

// sign reads a sign: it may be a mark, end a sentence, or open a clause.
func (c *cutter) sign(b byte) {
	text, i := c.text, c.at
	if c.rules.marked[b] != c.rules.marked[int(b)+1] {
		if id, n := c.rules.mark(text[i:]); n > 0 {
			c.at += n
			c.add(token{start: int32(i), end: int32(i + n), word: id}, 0, 2)
			c.tokens[len(c.tokens)-1].flags &^= joined
			c.open = true
			return
		}
	}
	next := byte(' ')
	if i+1 < len(text) {
		next = text[i+1]
	}
	switch b {
	case ',', ';', ':', '(', ')', '{', '}', '|', '=', '[':
		c.broken, c.colon = true, b == ':'
	}
	switch b {
	case '.', '!', '?':
		if endsSentence(next) {
			c.ended = true
			c.open = true
		}
	case '"':
		c.open = true
		c.ended = c.ended || next == ',' || next == ':' || next == '}' || next == ']'
	case ':':
		if next == '/' && i+2 < len(text) && text[i+2] == '/' && c.url() {
			return
		}
		c.open = true
	case '@':
		if c.email() {
			return
		}
	case '\\':
		if c.backslash(next) {
			return
		}
	case '%', '&':
		if b == '%' && digit(next) >= 0 || b == '&' && next == '#' {
			c.escape()
		}
	case '_', '/', '-':
		c.open = c.open || i == 0 || text[i-1] <= ' '
	default:
		c.open = true
	}
	c.at++
}

// endsSentence says whether a sentence ends where this follows its full stop.
func endsSentence(next byte) bool {
	return next <= ' ' || next >= 0x80 || bytes.IndexByte([]byte("\"')<*\\"), next) >= 0
}

// backslash reads a backslash; it says whether it has read what follows as well: the end
// of a line inside a string.
func (c *cutter) backslash(next byte) bool {
	if next == 'x' || next == 'u' || next >= '0' && next <= '7' {
		c.escape()
	}
	if next != 'n' && next != 'r' && next != 't' && next != '"' {
		return false
	}
	c.open = true
	c.ended = c.ended || next == 'n' && bytes.HasPrefix(c.text[c.at+2:], []byte(`\n`))
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
	i := c.at
	for i < len(c.text) && c.text[i] > ' ' && !bytes.ContainsRune([]byte("\"'`<>)|"), rune(c.text[i])) {
		i++
	}
	if i < len(c.text) && c.text[i] == '<' || i < len(c.text) && c.text[i] == '|' {
		// a placeholder may stand in the address
		if j := bytes.IndexAny(c.text[i:min(i+80, len(c.text))], ">\n"); j > 0 && c.text[i+j] == '>' {
			i += j + 1
		}
	}
	t.word, t.stem = c.rules.urlWord, 0
	if hasSlot(c.text[c.at:i]) {
		t.word = c.rules.slotWord
	}
	if j := bytes.IndexByte(c.text[c.at:i], '%'); j >= 0 {
		c.escapes = append(c.escapes, int32(c.at+j))
	}
	t.end = int32(i)
	c.at = i
	return true
}

// hasSlot says whether an address has a place for something to be filled in.
func hasSlot(url []byte) bool {
	at := bytes.IndexByte(url, '?')
	if at < 0 {
		at = 0
	}
	query := url[at:]
	for i, b := range query {
		switch b {
		case '{', '<', '[', '$':
			return true
		case '=':
			rest := query[i+1:]
			if len(rest) == 0 {
				return true
			}
			caps := 0
			for caps < len(rest) && (rest[caps] >= 'A' && rest[caps] <= 'Z' || rest[caps] == '_') {
				caps++
			}
			if caps >= 4 && (caps == len(rest) || rest[caps] == '&') {
				return true
			}
		}
	}
	return false
}

// email makes one token of an address of which the last word is a part.
func (c *cutter) email() bool {
	n := len(c.tokens)
	if n == 0 || int(c.tokens[n-1].end) != c.at || !isAddress(c.text, c.at) {
		return false
	}
	t := &c.tokens[n-1]
	i := c.at + 1
	for i < len(c.text) && (alphabet.lower[c.text[i]] != 0 || c.text[i] == '.' || c.text[i] == '-') {
		i++
	}
	for i > 0 && (c.text[i-1] == '.' || c.text[i-1] == '-') {
		i--
	}
	t.word, t.stem, t.end = c.rules.emailWord, 0, int32(i)
	t.flags &^= joined
	c.at = i
	return true
}

// isAddress says whether the @ at i belongs to a mail address: a name with a dot
// follows.
func isAddress(text []byte, i int) bool {
	if text[i] != '@' {
		return false
	}
	for j := i + 1; j < len(text) && j < i+64; j++ {
		b := text[j]
		switch {
		case b == '.':
			return j+1 < len(text) && (text[j+1]|0x20 >= 'a' && text[j+1]|0x20 <= 'z')
		case b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'z' || b == '-':
		default:
			return false
		}
	}
	return false
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
		for _, b := range word {
			if b != '0' && b != '1' {
				return false
			}
		}
		return true
	}
	return false
}

func isHex(word []byte) bool {
	for _, b := range word {
		if !(b >= '0' && b <= '9' || b|0x20 >= 'a' && b|0x20 <= 'f') {
			return false
		}
	}
	return true
}
