package content

import (
	"encoding/binary"
	"math/bits"
)

// Words are known by a hash that takes in eight letters at a time: a scan spends most of
// its time on cutting words, and few have more.

const hashFactor uint64 = 0x9e3779b97f4a7c15

// mix adds up to eight letters to a hash.
func mix(h, part uint64) uint64 {
	high, low := bits.Mul64(h^part^hashFactor, hashFactor>>1|1)
	return high ^ low
}

func hashOf[T string | []byte](word T) (h uint64) {
	for ; len(word) > 0; word = word[min(8, len(word)):] {
		h = mix(h, first8(word))
	}
	return h
}

// first8 is the first eight bytes, the first of them lowest; zeros where there are fewer.
func first8[T string | []byte](text T) uint64 {
	var part [8]byte
	copy(part[:], text)
	return binary.LittleEndian.Uint64(part[:])
}

const (
	everyByte = 0x0101010101010101
	topBits   = 0x80 * everyByte
	caseBits  = 0x20 * everyByte
)

// octet is eight bytes of a text that are looked at together, since where words end
// cannot be predicted.
type octet struct {
	low             uint64 // with letters in small
	letters, digits uint64 // the top bit of each that is one
}

// load is the eight bytes from i on, the first of them lowest; zeros where there are fewer.
func load(text []byte, i int) uint64 {
	if i+8 <= len(text) {
		return binary.LittleEndian.Uint64(text[i:])
	}
	return first8(text[i:])
}

func newOctet(x uint64) octet {
	return octet{x | caseBits, between(x|caseBits, 'a', 'z'), between(x, '0', '9')}
}

// words is how many letters and digits come first.
func (x octet) words() int {
	return bits.TrailingZeros64(^(x.letters|x.digits)&topBits) >> 3
}

// firstBytes has all bits of the first n bytes.
func firstBytes(n int) uint64 { return uint64(1)<<(8*uint(n)) - 1 }

// rest goes on with a word behind its first eight letters: its hash, how much longer it
// is, and how many digits it has.
func rest(h uint64, text []byte) (hash uint64, length, digits int) {
	for {
		x := newOctet(load(text, length))
		n := x.words()
		if n > 0 {
			h = mix(h, x.low&firstBytes(n))
			digits += bits.OnesCount64(x.digits & firstBytes(n))
			length += n
		}
		if n < 8 {
			return h, length, digits
		}
	}
}

// between sets the top bit of each byte that is from first to last, and of no other.
func between(x, first, last uint64) uint64 {
	ascii := x &^ topBits
	return (ascii + (0x80-first)*everyByte) &^ (ascii + (0x7f-last)*everyByte) &^ x & topBits
}
