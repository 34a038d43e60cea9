package paths

import (
	"strings"
	"unicode/utf8"
)

// A glob is a pattern of names: * is any text, ? one character, [a-z] one of a set, and a
// backslash takes the meaning from the next character. Shells add {a,b} and @(a|b). Which
// of them a glob may have depends on who reads it; what has none of them is a plain text to
// everybody.

// special are the characters that mean something in some glob.
const special = `*?[]{}\`

// Literal reports whether a glob matches nothing but its own text.
func Literal(glob string) bool {
	for i := range len(glob) {
		switch glob[i] {
		case '*', '?', '[', '\\':
			return false
		}
	}
	return true
}

// Wild reports whether a text has a wildcard: a star, a question mark or a set, whether or
// not a backslash stands before it.
func Wild(text string) bool {
	for i := range len(text) {
		switch text[i] {
		case '*', '?':
			return true
		case '[':
			if strings.IndexByte(text[i+1:], ']') >= 0 {
				return true
			}
		}
	}
	return false
}

// SlashInSet reports whether a slash stands between the brackets of a set.
func SlashInSet(glob string) bool {
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '\\':
			i++
		case '[':
			end := setEnd(glob, i)
			if end < 0 { // then no set that begins later ends either
				return false
			}
			if strings.IndexByte(glob[i:end], '/') >= 0 {
				return true
			}
			i = end
		}
	}
	return false
}

// setEnd is where the set ends that begins at a bracket, or -1.
func setEnd(glob string, from int) int {
	for i := from + 1; i < len(glob); i++ {
		switch {
		case glob[i] == '\\':
			i++
		case glob[i] == ']' && i > from+1:
			return i
		}
	}
	return -1
}

// Escape is the glob that only a text itself matches.
func Escape(text string) string {
	if !strings.ContainsAny(text, special) {
		return text
	}
	var b strings.Builder
	for i := range len(text) {
		if strings.IndexByte(special, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// Unescape is the text that a glob without wildcards matches.
func Unescape(glob string) string {
	if strings.IndexByte(glob, '\\') < 0 {
		return glob
	}
	var b strings.Builder
	for i := 0; i < len(glob); i++ {
		if glob[i] == '\\' && i+1 < len(glob) {
			i++
		}
		b.WriteByte(glob[i])
	}
	return b.String()
}

// Fixed is what all that a glob matches begins with: its text before the first character
// that may not mean itself. It is the whole glob only if that matches nothing else.
func Fixed(glob string) string {
	for i := range len(glob) {
		switch glob[i] {
		case '*', '?', '[', '{', '\\':
			return glob[:i]
		case '(':
			if i > 0 && strings.IndexByte("+@!", glob[i-1]) >= 0 {
				return glob[:i-1]
			}
		}
	}
	return glob
}

// FixedEnd is the end of a glob behind its last wildcard or escape.
func FixedEnd(glob string) string { return glob[strings.LastIndexAny(glob, `*?[]\`)+1:] }

// GlobDir is the directory in which, or below which, all lies that a glob matches.
func GlobDir(glob string) string {
	fixed := Fixed(glob)
	return Parent(fixed[:strings.LastIndexByte(fixed, '/')+1] + "x")
}

// GlobRoot is what a glob names if it matches nothing else, or its [GlobDir].
func GlobRoot(glob string) string {
	if Fixed(glob) == glob {
		return glob
	}
	return GlobDir(glob)
}

// CanBeParent reports whether the glob of a name can match "..", as .* does in dash, and in
// bash before 5.2. What begins with a wildcard matches no name that begins with a dot.
func CanBeParent(name string) bool {
	if name == "" || name[0] != '.' || Fixed(name) == name {
		return false
	}
	match, sure := Match(name, "..")
	return match || !sure
}

// GlobClimbs reports whether a glob may lead through a parent directory.
func GlobClimbs(glob string) bool {
	for more := true; more; {
		var name string
		if name, glob, more = CutGlob(glob); climbs(name) {
			return true
		}
	}
	return false
}

// climbs says whether a name of a glob, as [CutGlob] cuts it off, may be the parent directory, or lead through it.
func climbs(name string) bool {
	if list, ok := Alternatives(name); ok {
		for _, one := range list {
			if GlobClimbs(one) {
				return true
			}
		}
		return false
	}
	return name == ".." || CanBeParent(name) || opensGroup(name, 0) && strings.IndexByte(name, '.') >= 0 && strings.Trim(name[strings.LastIndexByte(name, ')')+1:], ".*?") == ""
}

// opensGroup says whether alternatives begin at an offset of a glob.
func opensGroup(glob string, at int) bool {
	return at+1 < len(glob) && glob[at+1] == '(' && strings.IndexByte("?*+@!", glob[at]) >= 0
}

// CutGlob cuts a glob at its first slash. One among alternatives does not count: it takes the glob apart in some of them only.
func CutGlob(glob string) (name, rest string, more bool) {
	deep := 0
	for i := 0; i < len(glob); i++ {
		switch {
		case glob[i] == '\\':
			i++
		case opensGroup(glob, i) || deep > 0 && glob[i] == '(':
			deep++
			if glob[i] != '(' {
				i++
			}
		case glob[i] == ')' && deep > 0:
			deep--
		case glob[i] == '/' && deep == 0:
			return glob[:i], glob[i+1:], true
		}
	}
	return glob, "", false
}

// Alternatives takes a glob apart that is nothing but alternatives, as @(a|b) is.
func Alternatives(glob string) (list []string, ok bool) {
	if len(glob) < 3 || glob[:2] != "@(" || glob[len(glob)-1] != ')' {
		return nil, false
	}
	start := 2
	for i := start; i < len(glob); i++ {
		switch glob[i] {
		case '(':
			return nil, false // within each other
		case ')', '|':
			if list = append(list, glob[start:i]); glob[i] == ')' {
				return list, i == len(glob)-1
			}
			start = i + 1
		case '\\':
			i++
		}
	}
	return nil, false
}

// GlobBase is a glob of the last names of all that a glob matches. It is not sure where a slash is in a set, or among
// alternatives that are only a part of a name.
func GlobBase(glob string) (name string, sure bool) {
	rest := strings.TrimRight(glob, "/")
	for more := true; more; {
		name, rest, more = CutGlob(rest)
		if more && strings.LastIndexByte(name, '[') > strings.LastIndexByte(name, ']') {
			return "", false
		}
	}
	if strings.IndexByte(name, '/') < 0 {
		return name, true
	}
	list, sure := Alternatives(name)
	for i := range list {
		base, known := GlobBase(list[i])
		list[i], sure = base, sure && known
	}
	return "@(" + strings.Join(list, "|") + ")", sure
}

// Match reports whether a text matches a glob with stars, question marks and sets; a star
// matches slashes too. It is not sure about what else shells know.
func Match(glob, text string) (match, sure bool) {
	if isBeyond(glob) {
		return false, false
	}
	if match, sure = matchEnds(glob, text); sure {
		return match, true
	}
	p, t := 0, 0
	star, mark := -1, 0
	for steps := 0; steps <= 1<<16; steps++ {
		if p < len(glob) {
			if glob[p] == '*' {
				star, mark = p, t
				p++
				continue
			}
			if t < len(text) {
				if pn, tn, ok := matchOne(glob[p:], text[t:]); ok {
					p, t = p+pn, t+tn
					continue
				}
			}
		} else if t == len(text) {
			return true, true
		}
		if star < 0 || mark >= len(text) {
			return false, true
		}
		_, n := utf8.DecodeRuneInString(text[mark:])
		mark += n
		p, t = star+1, mark
	}
	return false, false
}

// matchEnds is [Match] for what its ends decide: most globs have one star, and most texts end otherwise.
func matchEnds(glob, text string) (match, sure bool) {
	last := strings.LastIndexByte(glob, '*')
	if last < 0 || strings.ContainsAny(glob, `?[\`) {
		return false, false
	}
	first := strings.IndexByte(glob, '*')
	if len(text) < first+len(glob)-last-1 || !strings.HasPrefix(text, glob[:first]) || !strings.HasSuffix(text, glob[last+1:]) {
		return false, true
	}
	return true, first == last && (last+1 == len(glob) || utf8.RuneStart(glob[last+1]))
}

// MatchPath says whether a glob surely matches a path, name by name; and one of trees a directory that the path is in, or the path itself
// if the last name may be any. Where names do not match, only what the last "**" takes can help: more for one before leaves less for the rest.
func MatchPath(glob, path string, tree bool) bool {
	behind, from := "", "" // of the last "**"
	for {
		name, rest, more := CutGlob(glob)
		if name == "**" && more {
			glob, behind, from = rest, rest, path
			continue
		}
		first, below, deep := strings.Cut(path, "/")
		is := matchesName(name, first)
		switch {
		case is && !more && (deep == tree || tree && name == "*"):
			return true
		case is && more && deep:
			glob, path = rest, below
		default:
			if _, from, deep = strings.Cut(from, "/"); !deep {
				return false
			}
			glob, path = behind, from
		}
	}
}

// matchesName says whether a glob surely matches a name. That of a hidden file begins with a dot in the glob as well.
func matchesName(glob, name string) bool {
	is, sure := Match(glob, name)
	return is && sure && (!strings.HasPrefix(name, ".") || strings.HasPrefix(glob, "."))
}

// isBeyond says whether a glob may have what only shells know: alternatives, or classes of
// characters in a set as in [[:alpha:]].
func isBeyond(glob string) bool {
	return HasGroups(glob) || strings.Contains(glob, "[:") || strings.Contains(glob, "[.") || strings.Contains(glob, "[=")
}

// matchOne matches one element of a glob other than * against the beginning of a text and
// says how much of both it takes.
func matchOne(glob, text string) (pn, tn int, ok bool) {
	r, n := utf8.DecodeRuneInString(text)
	switch glob[0] {
	case '?':
		return 1, n, true
	case '[':
		if end, in := matchSet(glob, r); end > 0 {
			return end, n, in
		}
	case '\\':
		if len(glob) > 1 {
			return 2, 1, glob[1] == text[0]
		}
	}
	return 1, 1, glob[0] == text[0]
}

// matchSet reads a set and returns its length, 0 if it is none.
func matchSet(glob string, r rune) (int, bool) {
	i, not, in := 1, false, false
	if i < len(glob) && (glob[i] == '!' || glob[i] == '^') {
		not = true
		i++
	}
	for first := true; i < len(glob); first = false {
		if glob[i] == ']' && !first {
			return i + 1, in != not
		}
		lo, hi, n := setRange(glob[i:])
		i += n
		if lo <= r && r <= hi {
			in = true
		}
	}
	return 0, false
}

// setRange reads a character of a set, or a range of them, and returns its length.
func setRange(s string) (lo, hi rune, n int) {
	lo, n = setRune(s)
	if rest := s[n:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
		hi, more := setRune(rest[1:])
		return lo, hi, n + 1 + more
	}
	return lo, lo, n
}

func setRune(s string) (rune, int) {
	if s[0] == '\\' && len(s) > 1 {
		r, n := utf8.DecodeRuneInString(s[1:])
		return r, n + 1
	}
	return utf8.DecodeRuneInString(s)
}

// HasGroups reports whether a glob has alternatives as shells write them: @(a|b).
func HasGroups(glob string) bool {
	for i := range len(glob) {
		if opensGroup(glob, i) {
			return true
		}
	}
	return false
}

// Stars reports whether a text matches a pattern in which only * means something: any text.
// A star behind a backslash is a star.
func Stars(pattern, text string) bool { return stars(pattern, text, false, false) }

// Wildcards is [Stars] for a pattern in which ? means any byte. With folding, ASCII letters
// match in either case.
func Wildcards(pattern, text string, folding bool) bool {
	return stars(pattern, text, true, folding)
}

// oneStar finds the star of a pattern that has no other wildcard.
func oneStar(pattern string) (at int, ok bool) {
	at = strings.IndexByte(pattern, '*')
	return at, at >= 0 && strings.LastIndexByte(pattern, '*') == at && strings.IndexByte(pattern, '?') < 0 && (at == 0 || pattern[at-1] != '\\')
}

// stars is [Stars], with the meanings that [Wildcards] adds: the usual greedy walk, on a
// mismatch the last star takes one byte more.
func stars(pattern, text string, marks, folding bool) bool {
	if at, ok := oneStar(pattern); ok && !folding { // as most are
		return len(text) >= len(pattern)-1 && strings.HasPrefix(text, pattern[:at]) && strings.HasSuffix(text, pattern[at+1:])
	}
	p, t, star, mark := 0, 0, -1, 0
	for t < len(text) {
		if p < len(pattern) && pattern[p] == '*' {
			star, mark = p, t
			p++
		} else if n := takes(pattern[p:], text[t], marks, folding); n > 0 {
			p, t = p+n, t+1
		} else if star >= 0 {
			mark++
			p, t = star+1, mark
		} else {
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// takes is how much of a pattern is for one byte at its beginning, or 0 if it is another one.
func takes(pattern string, c byte, marks, folding bool) int {
	switch {
	case pattern == "":
		return 0
	case strings.HasPrefix(pattern, `\*`):
		if c == '*' {
			return 2
		}
		return 0
	case marks && pattern[0] == '?' || pattern[0] == c || folding && lower(pattern[0]) == lower(c):
		return 1
	}
	return 0
}

// lower is an ASCII letter in lower case, and any other byte as it is.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// Ending is what all that a glob matches ends with: its text behind the last character that
// may not mean itself.
func Ending(glob string) string {
	return glob[strings.LastIndexAny(glob, special+"()")+1:]
}

// Nameable reports whether a path can stand in a rule as it is.
func Nameable(path string) bool {
	return !strings.ContainsAny(path, special+"\n")
}
