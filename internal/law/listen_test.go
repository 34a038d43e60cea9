//go:build linux

package law

import (
	"encoding/binary"
	"net"
	"strings"
	"sync"
	"time"
)

// listeners are the other end of every connection, and keep what they are told.
type listeners struct {
	mu   sync.Mutex
	said map[string]*strings.Builder // by where it was said
}

func (l *listeners) keep(where string, data []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.said == nil {
		l.said = map[string]*strings.Builder{}
	}
	if l.said[where] == nil {
		l.said[where] = &strings.Builder{}
	}
	if l.said[where].Len() < 1<<20 {
		l.said[where].Write(data)
	}
}

// since is what was said since the last time.
func (l *listeners) since() map[string]string {
	l.mu.Lock()
	defer l.mu.Unlock()
	said := map[string]string{}
	for where, b := range l.said {
		said[where] = b.String()
	}
	l.said = nil
	return said
}

// here is where something was said that has not left the machine.
const here = "this machine"

// near listens on this machine.
func (l *listeners) near() error { return l.tcp("127.0.0.1:"+loopback, here) }

// far listens everywhere else: it is called where every address is this machine's.
func (l *listeners) far() error {
	for _, port := range []string{"22", "25", "80", "443", "1337", "4444", "8080", "8000", "9418"} {
		if err := l.tcp("0.0.0.0:"+port, "port "+port+" elsewhere"); err != nil {
			return err
		}
	}
	for _, port := range []string{":53", ":123", ":514", ":9999"} {
		c, err := net.ListenPacket("udp4", "0.0.0.0"+port)
		if err != nil {
			return err
		}
		go func() {
			b := make([]byte, 64<<10)
			for {
				n, from, err := c.ReadFrom(b)
				if err != nil {
					return
				}
				if port != ":53" {
					l.keep("udp"+port, b[:n])
				} else if name, answer := resolve(b[:n]); answer != nil {
					l.keep("names", []byte(name+"\n"))
					_, _ = c.WriteTo(answer, from)
				}
			}
		}()
	}
	return nil
}

func (l *listeners) tcp(address, where string) error {
	listener, err := net.Listen("tcp4", address)
	if err != nil {
		return err
	}
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			l.keep(where, nil)
			go func() {
				defer c.Close()
				_ = c.SetDeadline(time.Now().Add(time.Second))
				b := make([]byte, 64<<10)
				for answered := false; ; answered = true {
					n, err := c.Read(b)
					l.keep(where, b[:n])
					if err != nil {
						return
					}
					if !answered && strings.Contains(string(b[:n]), " HTTP/1") {
						_, _ = c.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nok\n"))
						_ = c.SetDeadline(time.Now().Add(100 * time.Millisecond))
					}
				}
			}()
		}
	}()
	return nil
}

// resolve answers a question for a name: every name has one address.
func resolve(q []byte) (name string, answer []byte) {
	if len(q) < 17 {
		return "", nil
	}
	at := 12
	var labels []string
	for at < len(q) && q[at] != 0 {
		n := int(q[at])
		if at+1+n > len(q) {
			return "", nil
		}
		labels = append(labels, string(q[at+1:at+1+n]))
		at += 1 + n
	}
	end := at + 5
	if end > len(q) {
		return "", nil
	}
	answer = append(answer, q[:end]...)
	answer[2], answer[3] = 0x81, 0x80
	copy(answer[4:12], []byte{0, 1, 0, 0, 0, 0, 0, 0})
	if binary.BigEndian.Uint16(q[at+1:]) == 1 {
		answer[7] = 1
		answer = append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 203, 0, 113, 7)
	}
	return strings.Join(labels, "."), answer
}
