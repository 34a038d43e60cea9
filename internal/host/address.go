package host

import (
	"strconv"
	"strings"
)

// numeric says whether a name can only be an IPv4 address: its last part is a
// number, which no name in the DNS has there.
func numeric(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return last != "" && strings.Trim(last, "0123456789") == ""
}

// version4 reads an address as inet_aton does: one to four numbers, decimal, octal
// or hexadecimal, of which the last fills the bytes that are left. Some programs take
// a leading zero for nothing; where that is another address, it is not ok.
func version4(text string) (string, bool) {
	address, ok := sure4(text)
	if !ok {
		return "", false
	}
	return dotted(address), true
}

func sure4(text string) (address uint32, ok bool) {
	address, ok = read4(text, true)
	if other, valid := read4(text, false); valid && other != address {
		return 0, false
	}
	return address, ok
}

func read4(text string, octal bool) (uint32, bool) {
	parts := strings.Split(text, ".")
	if len(parts) > 4 {
		return 0, false
	}
	var address uint64
	for i, part := range parts {
		value, ok := number(part, octal)
		bits := 8
		if i == len(parts)-1 {
			bits = 8 * (5 - len(parts))
		}
		if !ok || value >= 1<<bits {
			return 0, false
		}
		address = address<<bits | value
	}
	return uint32(address), true
}

// number reads one part of an address.
func number(part string, octal bool) (uint64, bool) {
	base := 10
	if hex, ok := strings.CutPrefix(part, "0x"); ok {
		if part, base = hex, 16; part == "" {
			return 0, true // as the C library reads it
		}
	} else if octal && len(part) > 1 && part[0] == '0' {
		base = 8
	}
	value, err := strconv.ParseUint(part, base, 32)
	return value, err == nil
}

func dotted(address uint32) string {
	b := make([]byte, 0, 15)
	for shift := 24; shift >= 0; shift -= 8 {
		if shift < 24 {
			b = append(b, '.')
		}
		b = strconv.AppendUint(b, uint64(address>>shift&0xff), 10)
	}
	return string(b)
}

// version6 reads an IPv6 address. One that stands for an IPv4 address is that.
func version6(text string) (string, bool) {
	var groups [8]uint16
	head, tail, short := strings.Cut(text, "::")
	n, ok := read6(groups[:], head)
	if !ok || short && strings.Contains(head, ".") {
		return "", false
	}
	if short {
		var rest [8]uint16
		m, ok := read6(rest[:], tail)
		if !ok || n+m > 7 {
			return "", false
		}
		copy(groups[8-m:], rest[:m])
	} else if n != 8 {
		return "", false
	}
	low := uint32(groups[6])<<16 | uint32(groups[7])
	switch [6]uint16(groups[:6]) {
	case [6]uint16{5: 0xffff}, [6]uint16{0x64, 0xff9b}: // mapped; through a translator
		return dotted(low), true
	case [6]uint16{}:
		if low > 1 { // the old way of mapping
			return dotted(low), true
		}
	}
	return written6(&groups), true
}

// read6 reads groups of digits with colons between, of which the last may be an
// IPv4 address.
func read6(groups []uint16, text string) (n int, ok bool) {
	if text == "" {
		return 0, true
	}
	for part := range strings.SplitSeq(text, ":") {
		if strings.IndexByte(part, '.') >= 0 {
			if !strings.HasSuffix(text, part) || !end6(groups[n:], part) {
				return 0, false
			}
			return n + 2, true
		}
		if n == len(groups) || part == "" || len(part) > 4 {
			return 0, false
		}
		value, err := strconv.ParseUint(part, 16, 16)
		if err != nil {
			return 0, false
		}
		groups[n] = uint16(value)
		n++
	}
	return n, true
}

// end6 reads an IPv4 address at the end into two groups.
func end6(groups []uint16, text string) bool {
	address, ok := sure4(text)
	if !ok || len(groups) < 2 || strings.Count(text, ".") != 3 {
		return false
	}
	groups[0], groups[1] = uint16(address>>16), uint16(address)
	return true
}

// written6 writes an address with the longest run of zeros left out.
func written6(groups *[8]uint16) string {
	at, length := -1, 1
	for i := 0; i < 8; i++ {
		k := i
		for k < 8 && groups[k] == 0 {
			k++
		}
		if k-i > length {
			at, length = i, k-i
		}
		i = max(i, k-1)
	}
	var b []byte
	for i := 0; i < 8; i++ {
		if i == at {
			b = append(b, "::"...)
			i += length - 1
			continue
		}
		if len(b) > 0 && b[len(b)-1] != ':' {
			b = append(b, ':')
		}
		b = strconv.AppendUint(b, uint64(groups[i]), 16)
	}
	return string(b)
}
