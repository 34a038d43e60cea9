//go:build amd64 || arm64

package wall

import (
	"encoding/binary"
	"net/netip"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Where the network ends at this machine, no name of another one can be found. A resolver that
// is not there looks like one that is slow, and programs ask again and again; so the C library is
// connected to one that knows no names, and says so. Where rules open some machines, it finds their names as the usual resolver
// does, and the addresses that it finds are open from then on.

// toResolver is the address of that resolver, as a socket is told it that the C library connects to
// another one; nil if that is not what it does. Others hold the address against the answer, or
// give up when they cannot connect; where names can be found, what connects is led there all the same.
func (q *question) toResolver(a *address) []byte {
	if q.s.plan.Network || !a.ip.IsValid() || a.port != portDomain {
		return nil
	}
	kind, _ := unix.GetsockoptInt(a.socket, unix.SOL_SOCKET, unix.SO_TYPE)
	domain, _ := unix.GetsockoptInt(a.socket, unix.SOL_SOCKET, unix.SO_DOMAIN)
	level, option := unix.IPPROTO_IP, unix.IP_RECVERR // which the C library wants
	if domain == unix.AF_INET6 {
		level, option = unix.IPPROTO_IPV6, unix.IPV6_RECVERR
	}
	if wants, _ := unix.GetsockoptInt(a.socket, level, option); wants == 0 && len(q.s.plan.Hosts) == 0 {
		return nil
	}
	q.s.resolver.Do(q.s.resolve)
	if kind != unix.SOCK_DGRAM || q.s.resolverPort == 0 {
		return nil
	}
	q.s.mu.Lock()
	q.s.asks = q.program()
	q.s.mu.Unlock()
	raw := make([]byte, 28) // of the longer kind
	binary.NativeEndian.PutUint16(raw, uint16(domain))
	binary.BigEndian.PutUint16(raw[2:], q.s.resolverPort)
	if domain == unix.AF_INET {
		copy(raw[4:], []byte{127, 0, 0, 1})
		return raw[:16]
	}
	copy(raw[18:], []byte{0xff, 0xff, 127, 0, 0, 1})
	return raw
}

// resolve begins to answer those who ask for names.
func (s *supervisor) resolve() {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return
	}
	err = unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}})
	own, _ := unix.Getsockname(fd)
	at, ok := own.(*unix.SockaddrInet4)
	if err != nil || !ok {
		unix.Close(fd)
		return
	}
	s.resolverPort = uint16(at.Port)
	go func() {
		room := make([]byte, 1500)
		for {
			n, from, err := unix.Recvfrom(fd, room, 0)
			if err == unix.EINTR {
				continue
			}
			if err != nil {
				return
			}
			if answer, name, ok := noSuchName(room[:n]); ok && s.plan.opens(name) {
				question := slices.Clone(room[:n])
				go func() { _ = unix.Sendto(fd, s.ask(resolvers(), question, answer), 0, from) }()
			} else if ok {
				s.mu.Lock()
				if r := (Refusal{Program: s.asks, What: "find " + name, Host: true}); len(s.refused) < 64 && !slices.Contains(s.refused, r) {
					s.refused = append(s.refused, r)
				}
				s.mu.Unlock()
				_ = unix.Sendto(fd, answer, 0, from)
			}
		}
	}()
}

// noSuchName answers a question for a name.
func noSuchName(question []byte) (answer []byte, name string, ok bool) {
	const head = 12
	if len(question) < head || question[2]&0x80 != 0 || question[4] != 0 || question[5] != 1 {
		return nil, "", false
	}
	at, labels := head, []string(nil)
	for at < len(question) && question[at] != 0 {
		size := int(question[at])
		if size > 63 || at+1+size > len(question) {
			return nil, "", false
		}
		labels = append(labels, strings.Map(shown, string(question[at+1:at+1+size])))
		at += 1 + size
	}
	if at += 5; at > len(question) {
		return nil, "", false
	}
	answer = slices.Clone(question[:at])
	answer[2] |= 0x80            // an answer
	answer[3] = 0x83             // recursion is available, and there is no such name
	clear(answer[head-6 : head]) // and nothing besides
	return answer, strings.Join(labels, "."), true
}

// resolvers are those that the machine uses.
func resolvers() (list []netip.AddrPort) {
	text, _ := os.ReadFile("/etc/resolv.conf")
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "nameserver" {
			if ip, ok := addressOf(f[1]); ok {
				list = append(list, netip.AddrPortFrom(ip, portDomain))
			}
		}
	}
	return list
}

// askFor is how long a resolver is waited for.
const askFor = 3 * time.Second

// ask asks resolvers, and opens the addresses that one answers with; if none does, the answer is another one.
func (s *supervisor) ask(resolvers []netip.AddrPort, question, otherwise []byte) []byte {
	for _, at := range resolvers {
		family, to := unix.AF_INET, unix.Sockaddr(&unix.SockaddrInet4{Port: int(at.Port())})
		if at.Addr().Is4() {
			to.(*unix.SockaddrInet4).Addr = at.Addr().As4()
		} else {
			family, to = unix.AF_INET6, &unix.SockaddrInet6{Port: int(at.Port()), Addr: at.Addr().As16()}
		}
		fd, err := unix.Socket(family, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			continue
		}
		limit := unix.NsecToTimeval(int64(askFor))
		room, n := make([]byte, 4096), 0
		if err = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &limit); err == nil {
			if err = unix.Connect(fd, to); err == nil {
				if _, err = unix.Write(fd, question); err == nil {
					n, err = unix.Read(fd, room)
				}
			}
		}
		unix.Close(fd)
		if err == nil && n >= 12 && [2]byte(room) == [2]byte(question) {
			s.open(addresses(room[:n]))
			return room[:n]
		}
	}
	return otherwise
}

// open opens addresses; there are not more than anybody needs.
func (s *supervisor) open(list []netip.Addr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ip := range list {
		if len(s.found) < 4096 && !ip.IsLoopback() && !ip.IsUnspecified() && !ip.IsLinkLocalUnicast() {
			s.found[ip.As16()] = true
		}
	}
}

func (s *supervisor) isFound(ip netip.Addr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.found[ip.As16()]
}

// wellKnown opens the machines that can be reached and whose addresses the machine has in a file. Its user has put them there, at
// home as well.
func (s *supervisor) wellKnown() {
	if len(s.plan.Hosts) == 0 {
		return
	}
	text, _ := os.ReadFile("/etc/hosts")
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		f := strings.Fields(line)
		if len(f) < 2 || !slices.ContainsFunc(f[1:], s.plan.opens) {
			continue
		}
		if ip, ok := addressOf(f[0]); ok {
			s.found[ip.As16()] = true
		}
	}
}

// addressOf reads an address. Package netip would bring the names of interfaces along.
func addressOf(text string) (ip netip.Addr, ok bool) {
	var b [16]byte
	if parts := strings.Split(text, "."); len(parts) == 4 {
		for i, part := range parts {
			n, err := strconv.ParseUint(part, 10, 8)
			if err != nil {
				return ip, false
			}
			b[i] = byte(n)
		}
		return netip.AddrFrom4([4]byte(b[:])), true
	}
	before, after, gap := strings.Cut(text, "::")
	first := strings.FieldsFunc(before, func(r rune) bool { return r == ':' })
	last := strings.FieldsFunc(after, func(r rune) bool { return r == ':' })
	if n := len(first) + len(last); n > 8 || n < 8 && !gap {
		return ip, false
	}
	for i, part := range append(first, last...) {
		n, err := strconv.ParseUint(part, 16, 16)
		if err != nil {
			return ip, false
		}
		if i >= len(first) {
			i += 8 - len(first) - len(last)
		}
		binary.BigEndian.PutUint16(b[2*i:], uint16(n))
	}
	return netip.AddrFrom16(b), true
}

// addresses are those in the answer of a resolver.
func addresses(b []byte) (list []netip.Addr) {
	at := 12
	skipName := func() bool {
		for at < len(b) && b[at] != 0 {
			if b[at] >= 0xc0 { // it goes on elsewhere
				at++
				break
			}
			at += 1 + int(b[at])
		}
		at++
		return at <= len(b)
	}
	for range binary.BigEndian.Uint16(b[4:]) {
		if !skipName() {
			return list
		}
		at += 4
	}
	for range binary.BigEndian.Uint16(b[6:]) {
		if !skipName() || at+10 > len(b) {
			return list
		}
		kind, size := binary.BigEndian.Uint16(b[at:]), int(binary.BigEndian.Uint16(b[at+8:]))
		if at += 10; at+size > len(b) {
			return list
		}
		if ip, ok := netip.AddrFromSlice(b[at : at+size]); ok && (kind == 1 && size == 4 || kind == 28 && size == 16) {
			list = append(list, ip.Unmap())
		}
		at += size
	}
	return list
}

// shown is a letter of a name as it is shown.
func shown(r rune) rune {
	if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
		return r
	}
	return '?'
}
