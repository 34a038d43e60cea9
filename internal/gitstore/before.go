package gitstore

import (
	"cmp"
	"strconv"
	"strings"
)

// commitDate is when a commit was made, in seconds; 0 if that is not written.
func commitDate(head string) int64 {
	_, line, _ := strings.Cut(head, "\ncommitter ")
	line, _, _ = strings.Cut(line, "\n")
	_, when, _ := strings.Cut(line, "> ")
	n, _ := strconv.ParseInt(first(when), 10, 64)
	return n
}

// maxBefore bounds the commits that are gone back over.
const maxBefore = 64

// Before is the first commit from one on, going back by first parents, that was made before a time, or the last of so many.
func (s *Store) Before(id ID, when int64) (ID, error) {
	for range maxBefore {
		at, head, err := s.head(id)
		if err != nil || commitDate(head) < when {
			return at, err
		}
		_, parents, err := commitHead(head)
		if err != nil || len(parents) == 0 {
			return ID{}, cmp.Or(err, ErrNone)
		}
		id = parents[0]
	}
	return id, nil
}
