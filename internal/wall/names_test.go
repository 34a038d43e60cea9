//go:build linux && (amd64 || arm64)

package wall

import (
	"net"
	"net/netip"
	"testing"
)

// TestHosts: of other machines those are open that rules name, at the addresses that a resolver has for them.
func TestHosts(t *testing.T) {
	p := &Plan{Hosts: []string{"one.example", "*.two.example"}}
	for name, want := range map[string]bool{
		"one.example": true, "ONE.example.": true, "x.two.example": true, "a.b.two.example": true,
		"two.example": false, "xtwo.example": false, "one.example.org": false, "x.one.example": false, "": false,
	} {
		if p.opens(name) != want {
			t.Errorf("%q is open: %v", name, !want)
		}
	}
	resolver, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer resolver.Close()
	question := []byte("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x03one\x07example\x00\x00\x01\x00\x01")
	answer := append([]byte("\x12\x34\x81\x80\x00\x01\x00\x04\x00\x00\x00\x00"), question[12:]...)
	for _, record := range []string{ // another name for it, an address, one of this machine, one of the newer kind
		"\xc0\x0c\x00\x05\x00\x01\x00\x00\x00\x3c\x00\x04\x01x\xc0\x10", "\x01x\xc0\x10\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\xc0\x00\x02\x07",
		"\xc0\x0c\x00\x01\x00\x01\x00\x00\x00\x3c\x00\x04\x7f\x00\x00\x05", "\xc0\x0c\x00\x1c\x00\x01\x00\x00\x00\x3c\x00\x10\x20\x01\x0d\xb8\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x09",
	} {
		answer = append(answer, record...)
	}
	go func() {
		room := make([]byte, 512)
		for {
			n, from, err := resolver.ReadFrom(room)
			if err != nil {
				return
			}
			if string(room[:n]) == string(question) {
				_, _ = resolver.WriteTo(answer, from)
			}
		}
	}()
	s := &supervisor{plan: p, found: map[[16]byte]bool{}}
	if got := s.ask([]netip.AddrPort{resolver.LocalAddr().(*net.UDPAddr).AddrPort()}, question, nil); string(got) != string(answer) {
		t.Errorf("the answer is %q", got)
	}
	for ip, want := range map[string]bool{"192.0.2.7": true, "2001:db8::9": true, "127.0.0.5": false, "192.0.2.8": false} {
		if s.isFound(netip.MustParseAddr(ip)) != want {
			t.Errorf("%s is open: %v", ip, !want)
		}
	}
	for _, text := range []string{"192.0.2.7", "2001:db8::9", "::1", "fe80::", "1:2:3:4:5:6:7:8", "1.2.3", "1.2.3.400", "1:2", "x::y", "", "1:2:3:4:5:6:7:8:9"} {
		want, err := netip.ParseAddr(text)
		if got, ok := addressOf(text); ok != (err == nil) || got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
	for n := range answer { // cut off anywhere, it does no harm
		addresses(append(make([]byte, 0, 12), answer[:max(n, 12)]...))
	}
}
