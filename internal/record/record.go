// Package record writes and reads the compact form in which rules and models
// are embedded and cached: varints and length-prefixed text, by hand and
// without reflection, so that reading costs little more than the bytes.
//
// A [Reader] never panics and never allocates more than the input justifies:
// the cache it reads may be damaged. After the first error every read returns
// zero values, so callers check [Reader.Err] once at the end.
package record

import (
	"encoding/binary"
	"errors"
	"math"
)

// ErrCorrupt is the error of a [Reader] whose input is not what a [Writer] wrote.
var ErrCorrupt = errors.New("record is damaged")

// Writer collects values. The zero Writer is empty and ready.
type Writer struct{ buf []byte }

// Bytes returns what has been written so far.
func (w *Writer) Bytes() []byte { return w.buf }

// Raw writes bytes that have been written by another Writer.
func (w *Writer) Raw(data []byte) { w.buf = append(w.buf, data...) }

// Uint writes a number; small ones take one byte.
func (w *Writer) Uint(v uint64) { w.buf = binary.AppendUvarint(w.buf, v) }

// Int writes a number that may be negative.
func (w *Writer) Int(v int) { w.buf = binary.AppendVarint(w.buf, int64(v)) }

// Byte writes one byte.
func (w *Writer) Byte(v byte) { w.buf = append(w.buf, v) }

// Bool writes a truth value.
func (w *Writer) Bool(v bool) {
	if v {
		w.Byte(1)
	} else {
		w.Byte(0)
	}
}

// Text writes a string and its length.
func (w *Writer) Text(s string) {
	w.Uint(uint64(len(s)))
	w.buf = append(w.buf, s...)
}

// Texts writes a list of strings.
func (w *Writer) Texts(list []string) {
	w.Uint(uint64(len(list)))
	for _, s := range list {
		w.Text(s)
	}
}

// List writes the length of a list and then each element by the given function.
func List[T any](w *Writer, list []T, element func(*Writer, T)) {
	w.Uint(uint64(len(list)))
	for _, v := range list {
		element(w, v)
	}
}

// Reader reads values in the order in which they were written. Texts it returns
// are parts of the input, not copies.
type Reader struct {
	rest string
	bad  bool
}

// NewReader reads from data.
func NewReader(data string) *Reader { return &Reader{rest: data} }

// Err returns [ErrCorrupt] if something could not be read.
func (r *Reader) Err() error {
	if r.bad {
		return ErrCorrupt
	}
	return nil
}

// End returns the error, or [ErrCorrupt] if something is left over.
func (r *Reader) End() error {
	if r.rest != "" {
		r.Fail()
	}
	return r.Err()
}

// Empty reports whether nothing is left to read; it is so after an error.
func (r *Reader) Empty() bool { return r.rest == "" }

// Left is how many bytes have not been read.
func (r *Reader) Left() int { return len(r.rest) }

// Fail marks the input as damaged: for values that make no sense to the caller.
func (r *Reader) Fail() { r.bad, r.rest = true, "" }

// Uint reads a number.
func (r *Reader) Uint() uint64 {
	if r.rest != "" && r.rest[0] < 0x80 { // as nearly all are
		v := uint64(r.rest[0])
		r.rest = r.rest[1:]
		return v
	}
	return r.longUint()
}

func (r *Reader) longUint() uint64 {
	var v uint64
	for i := 0; i < len(r.rest) && i < binary.MaxVarintLen64; i++ {
		b := r.rest[i]
		if i == binary.MaxVarintLen64-1 && b > 1 {
			break // more than 64 bits
		}
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.rest = r.rest[i+1:]
			return v
		}
	}
	r.Fail()
	return 0
}

// Int reads a number that may be negative.
func (r *Reader) Int() int {
	u := r.Uint()
	v := int64(u >> 1)
	if u&1 != 0 {
		v = ^v
	}
	if v > math.MaxInt || v < math.MinInt {
		r.Fail()
		return 0
	}
	return int(v)
}

// Byte reads one byte.
func (r *Reader) Byte() byte {
	if r.rest == "" {
		r.Fail()
		return 0
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b
}

// Bool reads a truth value.
func (r *Reader) Bool() bool {
	b := r.Byte()
	if b > 1 {
		r.Fail()
	}
	return b == 1
}

// Text reads a string.
func (r *Reader) Text() string {
	n := r.Uint()
	if n > uint64(len(r.rest)) {
		r.Fail()
		return ""
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// Len reads the length of a list. Each element takes at least one byte, so a
// length beyond the input is damage and not a reason to allocate.
func (r *Reader) Len() int {
	n := r.Uint()
	if n > uint64(len(r.rest)) {
		r.Fail()
		return 0
	}
	return int(n)
}

// Texts reads a list of strings; an empty one is nil.
func (r *Reader) Texts() []string {
	return ReadList(r, (*Reader).Text)
}

// ReadList reads a list, each element by the given function; an empty one is nil.
func ReadList[T any](r *Reader, element func(*Reader) T) []T { return ReadLong(r, 1, element) }

// ReadLong is ReadList for elements that each take at least so many bytes. What
// the input justifies is reserved at once: an element is often larger in
// memory than its least form, and a forged length must not reserve many times the input.
func ReadLong[T any](r *Reader, least int, element func(*Reader) T) []T {
	n := r.Len()
	if n == 0 {
		return nil
	}
	if n > len(r.rest)/least {
		r.Fail()
		return nil
	}
	reserve := n
	if least < 16 {
		reserve = min(n, 512)
	}
	list := make([]T, 0, reserve)
	for range n {
		list = append(list, element(r))
		if r.bad {
			return nil
		}
	}
	return list
}
