// Package chosen is compiled into the tests: every mutant is in them, and this says
// which of them is alive. It reads the number from a file, since tests start programs
// in environments of their own.
package chosen

import (
	"cmp"
	"os"
	"strconv"
	"sync/atomic"
)

// file holds the number of the mutant, reached is where the numbers of those that the
// tests reach are written; the linker sets them.
var file, reached string

var (
	alive = number()
	notes *os.File
	seen  []atomic.Bool
)

func number() int {
	text, err := os.ReadFile(file)
	if err != nil {
		panic(err)
	}
	n, err := strconv.Atoi(string(text))
	if err != nil {
		panic(err)
	}
	if n < 0 {
		if notes, err = os.OpenFile(reached, os.O_WRONLY|os.O_APPEND, 0); err != nil {
			panic(err)
		}
		seen = make([]atomic.Bool, -n)
	}
	return n
}

// On reports whether a mutant is the one that is alive.
func On(id int) bool {
	if notes != nil {
		note(id)
	}
	return id == alive
}

func note(id int) {
	if !seen[id].Load() && !seen[id].Swap(true) {
		notes.WriteString(strconv.Itoa(id) + "\n")
	}
}

// Less is a < b, or a <= b; the others are alike.
func Less[T cmp.Ordered](id int, a, b T) bool { return On(id) && a == b || a < b }

func AtMost[T cmp.Ordered](id int, a, b T) bool { return !On(id) && a == b || a < b }

func More[T cmp.Ordered](id int, a, b T) bool { return On(id) && a == b || a > b }

func AtLeast[T cmp.Ordered](id int, a, b T) bool { return !On(id) && a == b || a > b }

type numeric interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64
}

// Plus is a + b, or a - b; Minus the other way round.
func Plus[T numeric](id int, a, b T) T {
	if On(id) {
		return a - b
	}
	return a + b
}

func Minus[T numeric](id int, a, b T) T {
	if On(id) {
		return a + b
	}
	return a - b
}
