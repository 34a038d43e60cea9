package gitstore

import (
	"bufio"
	"hash/adler32"
	"io"
	"math/bits"
)

// inflate unpacks what git keeps: a zlib stream (RFC 1950) of deflated blocks (RFC 1951).
// Go's compress/flate sets up its compressor whenever a program starts, which takes
// longer than most of what a hook does.
func inflate(from io.Reader) ([]byte, error) {
	z := inflater{in: bufio.NewReader(from), limit: maxObject}
	if !isDeflated(z.bits(8)<<8 | z.bits(8)) {
		return nil, errFormat
	}
	z.blocks()
	z.align()
	sum := z.bits(8)<<24 | z.bits(8)<<16 | z.bits(8)<<8 | z.bits(8)
	if z.err == nil && adler32.Checksum(z.out) != sum {
		z.fail()
	}
	return z.out, z.err
}

// Inflate unpacks deflated blocks, as far as they can be read, and at most so much.
func Inflate(from io.Reader, limit int) []byte {
	z := inflater{in: bufio.NewReader(from), limit: limit}
	z.blocks()
	return z.out
}

// blocks unpacks blocks to the last.
func (z *inflater) blocks() {
	for last := false; !last && z.err == nil; {
		last = z.bits(1) == 1
		switch z.bits(2) {
		case 0:
			z.stored()
		case 1:
			letters, far := fixed()
			z.block(&letters, &far)
		case 2:
			z.dynamic()
		default:
			z.fail()
		}
	}
}

// isDeflated says whether a stream with these two bytes in front is one that git writes:
// deflated, with a window of at most 32 KB and no dictionary.
func isDeflated(head uint32) bool {
	return head%31 == 0 && head>>8&15 == 8 && head>>12 <= 7 && head&0x20 == 0
}

type inflater struct {
	in    *bufio.Reader
	held  uint32 // bits that were read and not used, the next one lowest
	count uint   // how many they are
	out   []byte
	limit int
	err   error
}

// fail ends the work; what is read afterwards is zeros.
func (z *inflater) fail() {
	if z.err == nil {
		z.err = errFormat
	}
}

// hold reads ahead, so that there are at least 16 bits unless the stream ends.
func (z *inflater) hold() {
	for z.count < 16 {
		b, err := z.in.ReadByte()
		if err != nil {
			return
		}
		z.held |= uint32(b) << z.count
		z.count += 8
	}
}

// bits returns the next n bits, at most 16.
func (z *inflater) bits(n uint) uint32 {
	if z.hold(); z.count < n {
		z.fail()
		return 0
	}
	v := z.held & (1<<n - 1)
	z.held >>= n
	z.count -= n
	return v
}

// align skips what is left of a byte.
func (z *inflater) align() { z.bits(z.count % 8) }

// put adds to what is unpacked.
func (z *inflater) put(b byte) {
	if len(z.out) == z.limit {
		z.err = ErrTooMuch
		return
	}
	z.out = append(z.out, b)
}

// stored copies a block that is not packed.
func (z *inflater) stored() {
	z.align()
	size, check := z.bits(16), z.bits(16)
	if size != ^check&0xffff {
		z.fail()
	}
	for ; size > 0 && z.err == nil; size-- {
		z.put(byte(z.bits(8)))
	}
}

// code is a Huffman code: how many symbols have each length, and all symbols in order.
type code struct {
	counts  [16]uint16
	symbols [288]uint16
	// short has the symbols by the next bits, each with its length in the lowest four;
	// 0 is one that is longer.
	short [1 << shortBits]uint16
}

const shortBits = 9

// newCode makes the code with these lengths. It must be complete, or have one symbol.
func newCode(lengths []byte) (c code, ok bool) {
	for _, n := range lengths {
		c.counts[n]++
	}
	used := len(lengths) - int(c.counts[0])
	c.counts[0] = 0
	left := 1
	var at [16]uint16
	for n := 1; n < 16; n++ {
		left = left<<1 - int(c.counts[n])
		if left < 0 {
			return c, false
		}
		at[n] = at[n-1] + c.counts[n-1]
	}
	next := c.firstValues()
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		c.symbols[at[n]] = uint16(symbol)
		at[n]++
		if n <= shortBits {
			for i := int(bits.Reverse16(next[n]) >> (16 - n)); i < len(c.short); i += 1 << n {
				c.short[i] = uint16(symbol)<<4 | uint16(n)
			}
		}
		next[n]++
	}
	return c, left == 0 || used == 1 && c.counts[1] == 1
}

// firstValues are the first values of each length that stand for symbols.
func (c *code) firstValues() (next [16]uint16) {
	value := uint16(0)
	for n := 1; n < 16; n++ {
		value = (value + c.counts[n-1]) << 1
		next[n] = value
	}
	return next
}

// symbol reads the next symbol of a code.
func (z *inflater) symbol(c *code) int {
	z.hold()
	if s := c.short[z.held%(1<<shortBits)]; s != 0 && uint(s&15) <= z.count {
		z.bits(uint(s & 15))
		return int(s >> 4)
	}
	value, first, index := 0, 0, 0
	for n := 1; n < 16; n++ {
		value |= int(z.bits(1))
		count := int(c.counts[n])
		if value < first+count {
			return int(c.symbols[index+value-first])
		}
		index += count
		first = (first + count) << 1
		value <<= 1
	}
	z.fail()
	return 0
}

// number is what a symbol stands for. The first ones, twice as many as a step has,
// stand for themselves; then each step has one bit more, which is read.
func (z *inflater) number(symbol, step int) int {
	if symbol < 2*step {
		return symbol
	}
	more := symbol/step - 1
	return (step+symbol%step)<<more + int(z.bits(uint(more)))
}

// fixed makes the codes of blocks that bring none.
func fixed() (letters, distances code) {
	var list [288]byte
	for i := range list {
		switch {
		case i < 144:
			list[i] = 8
		case i < 256:
			list[i] = 9
		case i < 280:
			list[i] = 7
		default:
			list[i] = 8
		}
	}
	letters, _ = newCode(list[:])
	for i := range 32 {
		list[i] = 5
	}
	distances, _ = newCode(list[:32])
	return letters, distances
}

// block unpacks a block of bytes and copies of what came before.
func (z *inflater) block(letters, far *code) {
	for z.err == nil {
		symbol := z.symbol(letters)
		switch {
		case z.err != nil || symbol == 256:
			return
		case symbol < 256:
			z.put(byte(symbol))
		case symbol == 285:
			z.copy(258, far)
		case symbol < 285:
			z.copy(3+z.number(symbol-257, 4), far)
		default:
			z.fail()
		}
	}
}

// copy repeats n bytes from a distance that is read.
func (z *inflater) copy(n int, far *code) {
	symbol := z.symbol(far)
	from := len(z.out) - 1 - z.number(symbol, 2)
	if symbol >= 30 || from < 0 {
		z.fail()
	}
	for ; n > 0 && z.err == nil; n-- {
		z.put(z.out[from]) // which may be one that was just put
		from++
	}
}

// order is the order in which the lengths of the code for lengths come.
const order = "\x10\x11\x12\x00\x08\x07\x09\x06\x0a\x05\x0b\x04\x0c\x03\x0d\x02\x0e\x01\x0f"

// dynamic unpacks a block that begins with its codes.
func (z *inflater) dynamic() {
	letters, far, n := int(z.bits(5))+257, int(z.bits(5))+1, int(z.bits(4))+4
	var list [19]byte
	for i := range n {
		list[order[i]] = byte(z.bits(3))
	}
	c, ok := newCode(list[:])
	if !ok || letters > 286 || far > 30 {
		z.fail()
		return
	}
	all := z.codeLengths(&c, letters+far)
	if z.err != nil || all[256] == 0 {
		z.fail()
		return
	}
	first, ok := newCode(all[:letters])
	second, ok2 := newCode(all[letters:])
	if !ok || !ok2 && second.counts != [16]uint16{} {
		z.fail()
		return
	}
	z.block(&first, &second)
}

// codeLengths reads n lengths, in which repetitions are packed.
func (z *inflater) codeLengths(c *code, n int) []byte {
	all := make([]byte, 0, n)
	for len(all) < n && z.err == nil {
		symbol, times, value := z.symbol(c), uint32(1), byte(0)
		switch {
		case symbol < 16:
			value = byte(symbol)
		case symbol == 16 && len(all) > 0:
			value, times = all[len(all)-1], 3+z.bits(2)
		case symbol == 17:
			times = 3 + z.bits(3)
		case symbol == 18:
			times = 11 + z.bits(7)
		default:
			z.fail()
		}
		for ; times > 0; times-- {
			all = append(all, value)
		}
	}
	if len(all) > n {
		z.fail()
	}
	return all
}
