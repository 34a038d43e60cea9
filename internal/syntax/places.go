package syntax

import "sort"

// Places finds the places of offsets in a text, for trees that are made of another language.
type Places struct{ starts []int }

// PlacesOf is for the offsets of a text.
func PlacesOf(text string) Places {
	starts := []int{0}
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, i+1)
		}
	}
	return Places{starts}
}

// At is the place of an offset.
func (p *Places) At(at int) Pos {
	line := sort.Search(len(p.starts), func(i int) bool { return p.starts[i] > at })
	number, col := uint32(min(line, maxLine)), uint32(min(at-p.starts[line-1]+1, maxColumn))
	return Pos{offset: uint32(at), place: number<<columnBits | col}
}
