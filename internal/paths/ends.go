package paths

import "slices"

// part is what stands between two stars of a glob. Each of its elements takes one byte of a text, which
// so is ASCII if there are question marks or sets.
type part struct {
	glob  string
	width int // of its elements
}

// partsOf takes a glob apart at its stars: there is one part more than stars.
func partsOf(glob string) (list []part) {
	start, width := 0, 0
	for i := 0; i < len(glob); {
		if glob[i] == '*' {
			list = append(list, part{glob[start:i], width})
			i++
			start, width = i, 0
			continue
		}
		n, _, _ := matchOne(glob[i:], "a")
		i += n
		width++
	}
	return append(list, part{glob[start:], width})
}

// begins says whether a text begins with what a part takes.
func (p part) begins(text string) bool {
	if len(text) < p.width {
		return false
	}
	for glob, i := p.glob, 0; i < p.width; i++ {
		n, _, ok := matchOne(glob, text[i:])
		if !ok {
			return false
		}
		glob = glob[n:]
	}
	return true
}

// first is where in a text a part is found first, -1 if it is not.
func (p part) first(text string) int {
	for i := 0; i+p.width <= len(text); i++ {
		if p.begins(text[i:]) {
			return i
		}
	}
	return -1
}

// last is where in a text a part is found last, -1 if it is not.
func (p part) last(text string) int {
	for i := len(text) - p.width; i >= 0; i-- {
		if p.begins(text[i:]) {
			return i
		}
	}
	return -1
}

// inTurn is where the last of some parts ends if each is found as early as it can be, -1 if one is not.
func inTurn(list []part, text string) int {
	at := 0
	for _, p := range list {
		i := p.first(text[at:])
		if i < 0 {
			return -1
		}
		at += i + p.width
	}
	return at
}

// MatchBeginning is the length of the longest or shortest beginning of a text that a glob matches, as [Match]
// does; -1 if there is none.
func MatchBeginning(glob, text string, longest bool) (n int, sure bool) {
	if isBeyond(glob) {
		return -1, false
	}
	list := partsOf(glob)
	if !list[0].begins(text) {
		return -1, true
	}
	return endOf(list, text, 0, longest), true
}

// endOf is where the longest or shortest match ends of which the first part is found at a place.
func endOf(list []part, text string, start int, longest bool) int {
	at, rest := start+list[0].width, list[1:]
	if len(rest) == 0 {
		return at
	}
	n := inTurn(rest[:len(rest)-1], text[at:])
	if n < 0 {
		return -1
	}
	at += n
	tail := rest[len(rest)-1]
	find := tail.first
	if longest {
		find = tail.last
	}
	if n = find(text[at:]); n < 0 {
		return -1
	}
	return at + n + tail.width
}

// MatchEnding is the length of the longest or shortest end of a text that a glob matches, as [Match] does; -1
// if there is none.
func MatchEnding(glob, text string, longest bool) (n int, sure bool) {
	if isBeyond(glob) {
		return -1, false
	}
	list := partsOf(glob)
	tail, before := list[len(list)-1], list[:len(list)-1]
	end := len(text) - tail.width
	switch {
	case end < 0 || !tail.begins(text[end:]):
		return -1, true
	case len(before) == 0:
		return tail.width, true
	case longest: // what the first part is found at first leaves most room for the others
		start := before[0].first(text[:end])
		if start < 0 || inTurn(before[1:], text[start+before[0].width:end]) < 0 {
			return -1, true
		}
		return len(text) - start, true
	}
	for _, p := range slices.Backward(before) {
		if end = p.last(text[:end]); end < 0 {
			return -1, true
		}
	}
	return len(text) - end, true
}
