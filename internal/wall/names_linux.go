//go:build amd64 || arm64

package wall

import (
	"encoding/binary"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// Where the network ends at this machine, no name of another one can be found. A resolver that
// is not there looks like one that is slow, and programs ask again and again; so the C library is
// connected to one that knows no names, and says so.

// toResolver is the address of that resolver, as a socket is told it that the C library connects to
// another one; nil if that is not what it does. Others hold the address against the answer, or
// give up when they cannot connect.
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
	if wants, _ := unix.GetsockoptInt(a.socket, level, option); wants == 0 {
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
			if answer, name, ok := noSuchName(room[:n]); ok {
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

// shown is a letter of a name as it is shown.
func shown(r rune) rune {
	if r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
		return r
	}
	return '?'
}
