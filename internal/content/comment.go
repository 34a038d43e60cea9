package content

import (
	"bytes"
	"slices"
)

// comments knows where in a program its comments and long texts may begin and end. It
// finds out when it is first asked.
type comments struct {
	known                 bool
	opens, closes         []int // /* and */
	doubles, singles, raw []int // """, ''' and `
}

// commentWithin is how far away a comment or a text of several lines may begin.
const commentWithin = 4 << 10

// covers says whether a place is in a comment, or in a text that may have several lines.
func (c *comments) covers(text []byte, at int) bool {
	from := max(at-commentWithin, 0)
	line := text[from:at]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	if trimmed := bytes.TrimLeft(line, " \t"); len(trimmed) > 0 && bytes.IndexByte([]byte("#*%;"), trimmed[0]) >= 0 {
		return true
	}
	for _, sign := range [...]string{"//", "/*", "--", " #", "\t#", "<!--"} {
		if bytes.Contains(line, []byte(sign)) {
			return true
		}
	}
	if !c.known {
		*c = comments{true, places(text, "/*"), places(text, "*/"), places(text, `"""`), places(text, "'''"), places(text, "`")}
	}
	if open := last(c.opens, from, at-1); open >= 0 && open > last(c.closes, from, at-1) {
		return true
	}
	return within(c.doubles, from, at-2)%2 == 1 || within(c.singles, from, at-2)%2 == 1 || within(c.raw, from, at)%2 == 1
}

// places lists where a sign is in a text.
func places(text []byte, sign string) (list []int) {
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(sign))
		if i < 0 {
			return list
		}
		list = append(list, at+i)
		at += i + len(sign)
	}
}

// within is how many of the places are from one on and before another.
func within(list []int, from, before int) int {
	first, _ := slices.BinarySearch(list, from)
	end, _ := slices.BinarySearch(list, before)
	return max(end-first, 0)
}

// last is the last of the places there, or -1.
func last(list []int, from, before int) int {
	if within(list, from, before) == 0 {
		return -1
	}
	end, _ := slices.BinarySearch(list, before)
	return list[end-1]
}
