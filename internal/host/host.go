// Package host gives every spelling of a host one canonical form for
// comparison: an address written as one number, in octal or as an IPv4 address
// inside IPv6 is the same address to every program that connects to it.
package host

import (
	"strings"
	"unicode/utf8"
)

// maxName bounds what is taken for a host. Names in the DNS have 253 bytes.
const maxName = 1024

// Canonical returns the one form of a host without user, port and brackets:
// lower case without a dot at its end; an IPv4 address as four numbers, an IPv6
// address as short as it gets. Canonical of its own result is that result. It is
// not ok if two programs could take the text for different hosts.
func Canonical(text string) (name string, ok bool) {
	if text == "" || text[0] == '@' {
		return text, text != "" // a party that models name
	}
	if name, ok = folded(text); !ok {
		return "", false
	}
	if rest, found := strings.CutPrefix(name, "["); found {
		if name, found = strings.CutSuffix(rest, "]"); !found {
			return "", false
		}
	}
	if strings.IndexByte(name, ':') >= 0 {
		return version6(name)
	}
	if !isName(name) {
		return "", false
	}
	if numeric(name) {
		return version4(name)
	}
	return name, true
}

// folded is a host in lower case, without escapes, other forms of its letters and a dot at
// its end.
func folded(text string) (name string, ok bool) {
	if len(text) > maxName {
		return "", false
	}
	name, ok = unescape(text)
	if !ok || !utf8.ValidString(name) {
		return "", false
	}
	name = strings.TrimSuffix(strings.ToLower(plain(name)), ".")
	return name, len(name) <= maxName // some letters are longer in lower case
}

// isName says whether a text can be the name of a host, and every program takes all of it
// for that.
func isName(text string) bool {
	if text == "" || strings.HasPrefix(text, ".") || strings.HasSuffix(text, ".") || strings.Contains(text, "..") {
		return false
	}
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c == 0x7f || strings.IndexByte("%/\\?#@\"<>^|{}[]*$`", c) >= 0 {
			return false
		}
	}
	return true
}

// Of returns the canonical host of the part of an address before its path:
// user@host:port.
func Of(authority string) (name string, ok bool) {
	if strings.ContainsAny(authority, "\\ \t\r\n") {
		return "", false // where the host begins is read in more than one way
	}
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		if authority = authority[i+1:]; authority == "" {
			return "", false
		}
	}
	if strings.HasPrefix(authority, "[") {
		return bracketed(authority[1:])
	}
	if i := strings.IndexByte(authority, ':'); i >= 0 && strings.IndexByte(authority[i+1:], ':') < 0 {
		authority = authority[:i]
	}
	return Canonical(authority)
}

// bracketed returns the canonical form of an address in brackets, of which the first has been
// read; a port may follow.
func bracketed(text string) (name string, ok bool) {
	inner, port, found := strings.Cut(text, "]")
	if !found || port != "" && port[0] != ':' {
		return "", false
	}
	return Canonical("[" + inner + "]")
}

// Loopback reports whether a canonical host is certainly this machine.
func Loopback(name string) bool {
	switch name {
	case "localhost", "::1", "0.0.0.0", "::":
		return true
	}
	return strings.HasPrefix(name, "127.") && numeric(name)
}

// Here reports whether a canonical host may be this machine, whose own name is own.
func Here(name, own string) bool {
	if Loopback(name) || strings.HasSuffix(name, ".localhost") {
		return true
	}
	switch name {
	case "localhost.localdomain", "localhost4", "localhost6", "localhost4.localdomain4", "localhost6.localdomain6", "ip6-localhost", "ip6-loopback", "loopback":
		return true
	}
	own = strings.TrimSuffix(strings.ToLower(own), ".")
	if own == "" || name == "" {
		return false
	}
	short, _, _ := strings.Cut(own, ".")
	first, domain, _ := strings.Cut(name, ".")
	return name == own || first == short && isNearby(domain)
}

// isNearby says whether a domain is one in which every machine of a network may be.
func isNearby(domain string) bool {
	switch domain {
	case "", "local", "localdomain", "lan":
		return true
	}
	return false
}

// unescape decodes the %41 of addresses, which some programs do in a host.
// The name of an interface behind an IPv6 address goes.
func unescape(text string) (string, bool) {
	i := strings.IndexByte(text, '%')
	if i < 0 {
		return text, true
	}
	if strings.Count(text[:i], ":") > 1 {
		end := ""
		if strings.HasSuffix(text, "]") {
			end = "]"
		}
		return text[:i] + end, true
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b = append(b, text[i])
			continue
		}
		if i+2 >= len(text) {
			return "", false
		}
		high, low := digit(text[i+1]), digit(text[i+2])
		if high > 15 || low > 15 {
			return "", false
		}
		b = append(b, high<<4|low)
		i += 2
	}
	return string(b), true
}

// plain replaces the wide, raised and circled forms of ASCII characters by those,
// as programs do before they look a name up.
func plain(text string) string {
	ascii := true
	for i := range len(text) {
		ascii = ascii && text[i] < utf8.RuneSelf
	}
	if ascii {
		return text
	}
	return strings.Map(plainRune, text)
}

// plainRune is the character that another one stands for; -1 if it stands for nothing.
func plainRune(r rune) rune {
	for _, f := range forms {
		if f.first <= r && r <= f.last {
			return f.as + (r-f.first)%f.every
		}
	}
	switch r {
	case 0xad, 0x200b, 0x2060, 0xfeff:
		return -1 // nothing of these is left in a name
	}
	return r
}

// forms are characters that stand for others: the first one for as, the next for what
// follows that, and from the beginning again after so many.
var forms = [...]struct{ first, last, as, every rune }{
	{0xff01, 0xff5e, '!', 94}, // wide
	{0x3002, 0x3002, '.', 1},
	{0xff61, 0xff61, '.', 1},
	{0x1d7ce, 0x1d7ff, '0', 10}, // mathematical
	{0xb9, 0xb9, '1', 1},
	{0xb2, 0xb3, '2', 2},
	{0x2070, 0x2070, '0', 1},
	{0x2074, 0x2079, '4', 6},  // raised
	{0x2080, 0x2089, '0', 10}, // lowered
	{0x2460, 0x2468, '1', 9},
	{0x24ea, 0x24ea, '0', 1},
	{0x24b6, 0x24cf, 'a', 26},
	{0x24d0, 0x24e9, 'a', 26}, // circled
}

// digit is the value of a hexadecimal digit; more than 15 if it is not one.
func digit(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return c - '0'
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10
	}
	return 0xff
}
