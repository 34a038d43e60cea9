package content

import (
	"bytes"
	"cmp"
	"math/bits"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// From which score on a text is what.
const (
	injectionAt  = 9.0
	suspiciousAt = 6.0
)

// nearby is how many words apart two findings add up. What is said to an agent is
// said in a few sentences.
const nearby = 60

// found is a finding and what scoring needs to know of it.
type found struct {
	Finding
	firm  bool
	unfit bool // it was hidden or encoded on purpose
	alone bool // it counts by itself and adds to nothing
	view  int
	token int
	value int // which one of a text of names and values
}

// elsewhere is how much of its weight a finding has beside one in another value.
const elsewhere = 0.5

// format is what kind of text a file holds, by its name and its looks.
type format uint8

const (
	prose format = iota
	code
	data // JSON, YAML, CSV: values stand in quotes without being quotations
)

func formatOf(name string, text []byte) format {
	switch strings.ToLower(path.Ext(name)) {
	case ".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".csv", ".tsv", ".toml", ".xml", ".ini", ".ics", ".eml", ".log", ".ipynb", ".lock", ".cfg", ".conf":
		return data
	case ".go", ".py", ".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs", ".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".java", ".kt", ".swift", ".rs", ".rb", ".php", ".pl", ".lua", ".sh", ".bash", ".zsh", ".ps1", ".sql", ".scala", ".dart", ".ex", ".exs", ".clj", ".hs", ".ml", ".yar", ".yara", ".vue", ".svelte", ".r", ".jl", ".zig", ".m", ".css", ".scss":
		return code
	}
	head := bytes.TrimSpace(text[:min(len(text), 512)])
	if len(head) > 0 && (head[0] == '{' || head[0] == '[' && !bytes.HasPrefix(head, []byte("[INST"))) && bytes.Contains(head, []byte(`"`)) {
		return data
	}
	return prose
}

// isKeyed says whether data has a name before each value, as messages and tables do not.
func isKeyed(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".csv", ".tsv", ".ics", ".eml", ".log":
		return false
	}
	return true
}

// add keeps a finding.
func (s *scan) add(f found) {
	if len(s.found) < 20*maxFindings {
		s.found = append(s.found, f)
	}
}

// view scans one view and what is hidden in it.
func (s *scan) view(text []byte, v view) {
	// A long text is read in pieces, each with a bit of the one before it, so that
	// memory stays small.
	for base := v.start; len(text) > pieceSize+overlap; {
		end := pieceSize
		if i := bytes.LastIndexByte(text[end-overlap:end], '\n'); i >= 0 {
			end += i - overlap + 1
		}
		piece := v
		if v.depth == 0 {
			piece.start, piece.end = base, base+end
		}
		s.piece(text[:end], piece)
		text = text[end-overlap:]
		base += end - overlap
		s.views++
		if v.depth == 0 {
			v.start = base
		}
	}
	s.piece(text, v)
}

// A piece is as much as is read at once.
const (
	pieceSize = 128 << 10
	overlap   = 2 << 10
)

func (s *scan) piece(text []byte, v view) {
	if len(text) < 3 {
		return
	}
	r := &s.read
	r.keyed = v.depth == 0 && s.format == data && isKeyed(s.name)
	r.cut(s.rules, text)
	r.lookup(s.rules)
	first := len(s.found)
	s.match(text, &v)
	invisible := r.invisible
	if len(s.found) > first {
		s.weigh(text, &v, s.found[first:])
	}
	if v.depth == 0 {
		s.personal(text, r)
	}
	s.decode(text, v, r)
	if invisible > 0 {
		s.covert(text, v)
		s.bidi(text, v)
	}
}

// match runs all rules over a view, sentence by sentence.
func (s *scan) match(text []byte, v *view) {
	r, rules := &s.read, s.rules
	r.last = append(r.last[:0], make([]int32, len(rules.rules))...)
	about := rules.special[classAbout]
	var there [maxClasses / 64]uint64
	present := there[:rules.width]
	for at, limit := 0, 0; at < len(r.tokens); at = limit {
		for limit = at + 1; limit < len(r.tokens) && r.tokens[limit].flags&starts == 0; {
			limit++
		}
		hits := r.hits[r.first[at]:r.first[limit]]
		if len(hits) == 0 {
			continue
		}
		rules.union(present, hits)
		present[0] |= 1 // class 0 stands for what is not needed
		if v.depth == 0 && presence(present, about) != 0 {
			s.about += r.count(rules, about, hits)
		}
		s.patterns(text, v, at, limit, present)
	}
}

// presence is 1 if a sentence has a class.
func presence(present []uint64, class uint16) uint64 { return present[class>>6] >> (class & 63) & 1 }

// patterns tries the patterns of which a sentence has the rarest step.
func (s *scan) patterns(text []byte, v *view, at, limit int, present []uint64) {
	rules := s.rules
	for i, word := range present[:rules.filers] {
		for word &= rules.filing[i]; word != 0; word &= word - 1 {
			class := i<<6 + bits.TrailingZeros64(word)
			list := rules.filed[rules.byClass[class]:rules.byClass[class+1]]
			for j := range list {
				f := &list[j]
				if presence(present, f.others[0])&presence(present, f.others[1])&presence(present, f.others[2]) == 0 {
					continue
				}
				if p := &rules.patterns[f.pattern]; !p.more || rules.possible(p, present) {
					s.try(p, text, v, at, limit)
				}
			}
		}
	}
}

// try looks for one pattern in one sentence.
func (s *scan) try(p *pattern, text []byte, v *view, at, limit int) {
	r, rules := &s.read, s.rules
	rule := &rules.rules[p.rule]
	if rule.Hidden && (v.channel != encoded || v.data) {
		return
	}
	first := &rules.elements[p.first]
	tried := -1
	for _, h := range r.hits[r.first[at]:r.first[limit]] {
		t := int(h.at)
		if t == tried || r.tokens[t].flags&first.flags != first.flags || !rules.takes(first.of, h.set) {
			continue
		}
		tried = t
		end, ok := r.match(rules, p, t, limit)
		if !ok || r.has(rules, rule.unless, max(t-4, at), t) || r.has(rules, rule.unlessAfter, t+1, min(end+2, limit)) {
			continue
		}
		if r.isNew(p.rule, t) {
			s.add(s.finding(rule, text, v, t, end))
		}
	}
}

// isNew says whether a rule was not found close before a token, and notes that it is found there.
func (r *reader) isNew(rule uint16, t int) bool {
	was := int(r.last[rule])
	if was > 0 && t+1-was < 3 && t+1 >= was {
		return false
	}
	r.last[rule] = int32(t + 1)
	return true
}

// finding is what a rule has found in the words from t to end.
func (s *scan) finding(rule *Rule, text []byte, v *view, t, end int) found {
	r := &s.read
	from, to := int(r.tokens[t].start), int(r.tokens[end-1].end)
	start, stop := v.place(from, to)
	f := found{
		Finding: Finding{Rule: rule.ID, Category: rule.Category, Reason: rule.Reason, Start: start, End: stop, Points: rule.Points, Via: v.via},
		firm:    rule.Firm, token: t, view: s.views, value: r.valueOf(t),
	}
	if v.depth > 0 {
		f.Decoded = clip(string(text[from:to]))
		return f
	}
	joints := s.joints(t, end)
	f.Points *= joints * s.reported(t)
	f.unfit = joints > 1
	if isPart(text, r.tokens[t]) {
		f.Points *= 0.3 // the name of a variable
	}
	if r.keyed && isName(text, r.tokens[t]) {
		f.Points *= 0.25 // the name of a value
	}
	return f
}

// isPart says whether a word is a part of a name such as CURL_CA_BUNDLE.
func isPart(text []byte, t token) bool {
	return t.start > 0 && text[t.start-1] == '_' || int(t.end) < len(text) && text[t.end] == '_'
}

// isName says whether a word is the name of a value in data.
func isName(text []byte, t token) bool {
	before := bytes.TrimRight(text[max(int(t.start)-40, 0):t.start], " \t\"'-")
	after := bytes.TrimLeft(text[t.end:min(int(t.end)+2, len(text))], "\"'")
	return len(after) > 0 && after[0] == ':' && (len(before) == 0 || bytes.IndexByte([]byte("\n{,"), before[len(before)-1]) >= 0)
}

// joints says how much a finding weighs by the way it is written: the name of a
// variable is no sentence.
func (s *scan) joints(from, to int) float64 {
	n, disguised, digits := 0, 0, 0
	for _, t := range s.read.tokens[from:to] {
		if t.flags&leeted != 0 {
			digits++
		}
		if t.flags&joined != 0 {
			n++
		}
		if t.flags&folded != 0 {
			disguised++
		}
	}
	switch {
	case disguised > 0 || digits >= 2:
		return 1.6
	case digits == 1:
		return 0.3 // more likely a name
	case to-from > 1 && n >= to-from-1:
		return 0.3
	}
	return 1
}

// reported says how much less something weighs because the same sentence says
// before it that somebody else says so.
func (s *scan) reported(at int) float64 {
	r := &s.read
	from := at
	for from > 0 && at-from < 10 && r.tokens[from].flags&starts == 0 {
		from--
	}
	if r.has(s.rules, s.rules.special[classMeta:classMeta+1], from, at) {
		return 0.55
	}
	return 1
}

// weigh takes into account where in a view findings stand.
func (s *scan) weigh(text []byte, v *view, list []found) {
	hidden := regions(text)
	var c comments
	for i := range list {
		f := &list[i]
		if f.alone {
			continue
		}
		if v.depth > 0 {
			if v.channel == encoded {
				f.Points *= 1.8
				f.unfit = true
			}
			continue
		}
		start, end := f.Start-v.start, f.End-v.start
		switch at(hidden, start, end) {
		case unseen:
			// Menus and dialogues that open later are hidden as well, and tell
			// people what to do.
			if addresses(f.Category) {
				f.Points *= 1.6
			}
			f.Via, f.unfit = []string{channelNames[unseen]}, true
		case aside:
			if addresses(f.Category) {
				f.Points *= 1.2
			}
			f.Via = []string{channelNames[aside]}
		default:
			if !f.firm {
				f.Points *= min(s.quotation(text, start, end, f.Category), s.quotation(text, max(start, end-2), end, f.Category))
			}
			f.Points *= s.program(text, start, end, &c)
		}
	}
}

// addresses says whether what is found is said to an agent rather than to anybody.
func addresses(category string) bool {
	switch category {
	case "order", "demand", "trigger", "bend":
		return false
	}
	return true
}

// quotation says how much less something weighs because it is mentioned, not said:
// in quotes inside prose, in a string of a program, in a regular expression. A command
// stands in backticks without being mentioned only.
func (s *scan) quotation(text []byte, start, end int, category string) float64 {
	line := text[max(start-240, 0):start]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	after := text[end:min(end+240, len(text))]
	after = after[:until(after, "\n")]
	for _, part := range [...][]byte{line, text[start:min(end, len(text))], after} {
		if isExpression(part) {
			return 0.2
		}
	}
	open := openQuote(line)
	if open < 0 || !closes(line[open:], after) {
		return 1
	}
	quote := line[open:]
	switch s.format {
	case code:
		if isThreefold(quote) {
			return 1
		}
		return 0.3
	case data:
		return 1
	}
	if quote[0] == '`' && category == "order" {
		return 1
	}
	return quotedAfter(line[:open])
}

// quotedAfter says how much something in quotes weighs in prose by what stands before them.
func quotedAfter(line []byte) float64 {
	before := bytes.TrimRight(line, " (")
	switch {
	case len(before) == 0:
		return 0.7
	case bytes.HasSuffix(before, []byte("=")), bytes.HasSuffix(line, []byte(":")):
		return 1 // a value, not a quotation
	}
	return 0.45
}

// program says how much less something weighs because it is part of a program, not of
// its comments.
func (s *scan) program(text []byte, start, end int, c *comments) float64 {
	switch {
	case isPacked(text[max(start-60, 0):min(end+60, len(text))]):
		return 0.2
	case s.format == code && !c.covers(text, start):
		return 0.4
	}
	return 1
}

// isPacked says whether a part of a text is a program without blanks.
func isPacked(part []byte) bool {
	blanks, signs := 0, 0
	for _, b := range part {
		kind := packing[b]
		blanks += int(kind & 1)
		signs += int(kind >> 1)
	}
	return len(part) > 60 && signs*8 > len(part) && blanks*14 < len(part)
}

// packing is 1 for blanks and 2 for signs that programs have many of.
var packing = [256]uint8{
	' ': 1, '\n': 1,
	'(': 2, ')': 2, '{': 2, '}': 2, ';': 2, '=': 2, '[': 2, ']': 2, '&': 2, '|': 2, '!': 2, '+': 2, ',': 2,
}

// isExpression says whether a part of a line is written as a regular expression.
func isExpression(part []byte) bool {
	if !hasAny(part, &expressive) {
		return false
	}
	for _, s := range [...]string{`\s+`, `\s*`, `\b(`, `\w`, `(?i`, `(?:`, `.*`, `.{0`, `[^`, `)?\`, `\s`} {
		if bytes.Contains(part, []byte(s)) {
			return true
		}
	}
	return false
}

// expressive is the signs of which a regular expression has one.
var expressive = [256]uint8{'\\': 1, '?': 1, '*': 1, '{': 1, '^': 1}

func hasAny(part []byte, of *[256]uint8) bool {
	any := uint8(0)
	for _, b := range part {
		any |= of[b]
	}
	return any != 0
}

// openQuote is where on a line the quotation begins that is still open at its end,
// or -1.
func openQuote(line []byte) int {
	at, mark := -1, rune(0)
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRune(line[i:])
		switch {
		case mark != 0:
			if r == mark && !(i > 0 && line[i-1] == '\\') {
				at, mark = -1, 0
			}
		case isThreefold(line[i:]):
			// A text of several lines, which may end on this one.
			end := bytes.Index(line[i+3:], line[i:i+3])
			if end < 0 {
				return i
			}
			size = 6 + end
		default:
			if mark = closingMark(r, line[:i]); mark != 0 {
				at = i
			}
		}
		i += size
	}
	return at
}

// isThreefold says whether a text begins with a quotation mark three times.
func isThreefold(text []byte) bool {
	return bytes.HasPrefix(text, []byte(`"""`)) || bytes.HasPrefix(text, []byte("'''"))
}

// closingMark is what ends a quotation that a character begins behind a text, or 0 if it begins
// none. An apostrophe does not.
func closingMark(r rune, before []byte) rune {
	switch r {
	case '"', '`':
		return r
	case '“', '„':
		return '”'
	case '«':
		return '»'
	}
	if n := len(before); n > 0 && bytes.IndexByte([]byte(" ([=,"), before[n-1]) < 0 {
		return 0
	}
	switch r {
	case '\'':
		return r
	case '‘':
		return '’'
	}
	return 0
}

func closes(quote, after []byte) bool {
	r, _ := utf8.DecodeRune(quote)
	switch r {
	case '“', '„':
		return bytes.ContainsAny(after, "”“\"")
	case '«':
		return bytes.ContainsRune(after, '»')
	case '‘':
		return bytes.ContainsRune(after, '’')
	}
	return bytes.ContainsRune(after, r)
}

// report adds up what was found.
func (s *scan) report() Report {
	s.weighMentions()
	list := s.found
	slices.SortStableFunc(list, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.view, b.view), cmp.Compare(a.token, b.token))
	})
	rep := Report{Partial: s.partial}
	bestFrom, bestTo := 0, 0
	for i := range list {
		score, to := list[i].Points, i+1
		if !list[i].alone {
			score, to = sum(s.rules, list, i)
		}
		if score > rep.Score {
			rep.Score, bestFrom, bestTo = score, i, to
		}
	}
	rep.Verdict, rep.Confidence = verdictOf(rep.Score)
	if rep.Verdict != Clean {
		for i := bestFrom; i < bestTo; i++ {
			list[i].Counts = true
		}
	}
	slices.SortStableFunc(list, func(a, b found) int {
		return cmp.Or(compareBool(b.Counts, a.Counts), cmp.Compare(a.Start, b.Start))
	})
	for i := range list[:min(len(list), maxFindings)] {
		rep.Findings = append(rep.Findings, list[i].Finding)
	}
	s.number(rep.Findings)
	return rep
}

// weighMentions takes into account that a text may be about injections.
func (s *scan) weighMentions() {
	for i := range s.found {
		f := &s.found[i]
		if !f.firm && !f.alone && len(f.Via) == 0 {
			f.Points *= s.mention()
		}
	}
}

// verdictOf is what a score means, and how sure that is.
func verdictOf(score float64) (Verdict, float64) {
	switch {
	case score >= injectionAt:
		return Injection, min(0.99, 0.6+(score-injectionAt)/25)
	case score >= suspiciousAt:
		return Suspicious, 0.3 + (score-suspiciousAt)/15
	}
	return Clean, 1 - score/20
}

// compareBool puts what is not so before what is.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// number says on which lines findings are.
func (s *scan) number(list []Finding) {
	order := make([]*Finding, len(list))
	for i := range list {
		order[i] = &list[i]
	}
	slices.SortFunc(order, func(a, b *Finding) int { return cmp.Compare(a.Start, b.Start) })
	line, at := 1, 0
	for _, f := range order {
		to := min(max(f.Start, at), len(s.whole))
		line += bytes.Count(s.whole[at:to], []byte("\n"))
		at, f.Line = to, line
	}
}

// sum adds the weightiest finding of each category among those that are near the
// one at i, which comes first.
func sum(rules *Rules, list []found, i int) (score float64, to int) {
	var k weights
	for to = i; to < len(list); to++ {
		f := &list[to]
		if f.view != list[i].view || f.token-list[i].token > nearby {
			break
		}
		if f.alone {
			continue
		}
		points := f.Points
		if f.value != list[i].value {
			points *= elsewhere
		}
		k.add(f.Category, points, f.unfit)
	}
	k.ordinary()
	for _, w := range k.all() {
		score += w.points
	}
	for i := range rules.pairs {
		score += k.together(&rules.pairs[i])
	}
	if !k.unfit && !slices.ContainsFunc(k.all(), func(w weight) bool { return addressed(w.category, w.points) }) {
		score *= unaddressed
	}
	return score, to
}

// weights is the weightiest finding of each category.
type weights struct {
	list  [24]weight
	n     int
	unfit bool // one is written in a way that only hides
}

type weight struct {
	category string
	points   float64
}

func (k *weights) all() []weight { return k.list[:k.n] }

// add adds a finding. One of a category for which there is no room is left out.
func (k *weights) add(category string, points float64, unfit bool) {
	j := 0
	for j < k.n && k.list[j].category != category {
		j++
	}
	if j == k.n {
		if k.n == len(k.list) {
			return
		}
		k.n++
		k.list[j].category = category
	}
	k.unfit = k.unfit || unfit
	k.list[j].points = max(k.list[j].points, points)
}

// ordinary leaves out orders where nothing is said to an agent: manuals tell people to run
// commands all the time.
func (k *weights) ordinary() {
	list := k.all()
	if slices.ContainsFunc(list, func(w weight) bool { return speaks(w.category, w.points) }) {
		return
	}
	for j := range list {
		if list[j].category == "order" && list[j].points < ordinaryOrder {
			list[j].points = 0
		}
	}
}

// together is what two categories weigh more if both are there: no more than the weaker of them
// is worth.
func (k *weights) together(p *pair) (more float64) {
	least := -1.0
	for _, w := range k.all() {
		if w.category != p.a && w.category != p.b {
			continue
		}
		if least < 0 {
			least = w.points
		} else {
			more += min(p.points, w.points, least)
		}
	}
	return more
}

// unaddressed is how much less things weigh that could be said to anybody.
const unaddressed = 0.75

// addressed says whether a finding shows that its text is meant for an agent.
func addressed(category string, points float64) bool {
	switch category {
	case "address", "duty", "template", "turns", "leak", "role", "decode", "permission", "task", "pretext":
		return true
	case "override", "order", "bend":
		return points >= 7
	case "memory", "conceal":
		return points >= 4
	}
	return false
}

// ordinaryOrder is below what an order weighs that anybody could give to anybody.
const ordinaryOrder = 3

// speaks says whether what is found is said to an agent and would hardly be said to a person.
func speaks(category string, points float64) bool {
	switch category {
	case "address", "override", "template", "turns", "role", "wild", "obey", "leak", "task", "decode", "standing", "pretext", "permission":
		return true
	case "conceal", "memory", "bend":
		return points >= 5
	}
	return false
}

// mention says how much less things weigh in a text that is about injections.
func (s *scan) mention() float64 {
	switch {
	case s.about >= 8:
		return 0.5
	case s.about >= 4:
		return 0.65
	case s.about >= 2:
		return 0.85
	}
	return 1
}

func clip(text string) string {
	const most = 400
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
