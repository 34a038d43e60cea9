package host

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"
)

func TestCanonical(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"example.com", "example.com"},
		{"Example.COM.", "example.com"},
		{"e%78ample.com", "example.com"},
		{"ｅxample。com", "example.com"},
		{"127.1", "127.0.0.1"},
		{"127.0.1", "127.0.0.1"},
		{"0x7f.1", "127.0.0.1"},
		{"2130706433", "127.0.0.1"},
		{"2852039166", "169.254.169.254"},
		{"0xA9FEA9FE", "169.254.169.254"},
		{"0251.0376.0251.0376", "169.254.169.254"},
		{"025177524776", "169.254.169.254"},
		{"169.254.43518", "169.254.169.254"},
		{"0xa9.0xfe.169.254", "169.254.169.254"},
		{"①⑥⑨.254.169.254", "169.254.169.254"},
		{"[::ffff:169.254.169.254]", "169.254.169.254"},
		{"::FFFF:a9fe:a9fe", "169.254.169.254"},
		{"0:0:0:0:0:ffff:a9fe:a9fe", "169.254.169.254"},
		{"64:ff9b::a9fe:a9fe", "169.254.169.254"},
		{"fd00:0ec2:0:0::0254", "fd00:ec2::254"},
		{"fd00:ec2::254%eth0", "fd00:ec2::254"},
		{"0:0:0:0:0:0:0:1", "::1"},
		{"0::1", "::1"},
		{"1:0:0:2:0:0:0:3", "1:0:0:2::3"},
		{"::", "::"},
		{"@registry", "@registry"},
		{strings.Repeat("a", maxName), strings.Repeat("a", maxName)},
		{"%41.com", "a.com"},
		{"a%F0%9D%9F%8E.com", "a0.com"},
		{"1:%3a2", "1::2"},
		{"[fe80::1%eth0]", "fe80::1"},
		{"0x", "0.0.0.0"},
		{"127.0x.0x.1", "127.0.0.1"},
		{"1.2.3.00000000000000000000000000000000000000004", "1.2.3.4"},
		{"::1.2.3.4", "1.2.3.4"},
		{"1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"},
		{"1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"},
		// What is not ok: nothing, or two readings.
		{"", ""},
		{".", ""},
		{"a..b", ""},
		{"a b", ""},
		{"10.0.0.08", ""},
		{"127.0.0.010", ""}, // 127.0.0.8 or 127.0.0.10
		{"1.2.3.4.5", ""},
		{"256.1.1.1.", ""},
		{"4294967296", ""},
		{"[::1", ""},
		{"1::2::3", ""},
		{"1:2:3", ""},
		{"a%zz", ""},
		{"a%2fb", ""},
		{"a%40b", ""},
		{"{a,b}.com", ""},
		{"a\xffb", ""},
		{"a%25b", ""},
		{"a%", ""},
		{"a%4", ""},
		{"a%4z.com", ""},
		{"a%z1%80%80%80", ""},
		{"a%6@.com", ""},
		{"a%6`.com", ""},
		{"a%6:.com", ""},
		{"a%6g.com", ""},
		{"a%6G.com", ""},
		{"g::1", ""},
		{"1::g", ""},
		{"00001::1", ""},
		{"1:2:3:4:5:6:7:8:9", ""},
		{"1:2:3:4::5:6:7:8", ""},
		{"1:2:3:4:5:6:7:1.2.3.4", ""},
		{"::1.2.3.4:5", ""},
		{"1.2.3.4::5", ""},
		{"::ffff:1..2.3", ""},
		{"::ffff:1.2.3", ""},
		{"::ffff:1.2.3.256", ""},
		{"::ffff:1.2.3.010", ""}, // as above
		{strings.Repeat("a", maxName+1), ""},
		{strings.Repeat("a", 2000), ""},
	} {
		got, ok := Canonical(test.text)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("Canonical(%q) = %q, %v; want %q", test.text, got, ok, test.want)
		}
	}
}

func TestOf(t *testing.T) {
	for text, want := range map[string]string{
		"example.com:80":          "example.com",
		"user@example.com":        "example.com",
		"user:pass@Example.com:1": "example.com",
		"a@b@localhost":           "localhost",
		"[::1]:8080":              "::1",
		"[::1]x":                  "",
		"@example.com":            "example.com",
		"::1":                     "::1",
		"2852039166:80":           "169.254.169.254",
		"user@":                   "",
		`good.test\@evil.test`:    "",
		"":                        "",
		":80":                     "",
	} {
		if got, ok := Of(text); got != want || ok != (want != "") {
			t.Errorf("Of(%q) = %q, %v; want %q", text, got, ok, want)
		}
	}
}

func TestHere(t *testing.T) {
	for name, want := range map[string][2]bool{ // certainly, perhaps
		"localhost":           {true, true},
		"127.0.0.1":           {true, true},
		"127.9.9.9":           {true, true},
		"::1":                 {true, true},
		"0.0.0.0":             {true, true},
		"127.0.0.1.nip.io":    {false, false},
		"app.localhost":       {false, true},
		"ip6-localhost":       {false, true},
		"box":                 {false, true},
		"box.example.net":     {false, true},
		"box.local":           {false, true},
		"other":               {false, false},
		"box.example.org":     {false, false},
		"localhost.evil.test": {false, false},
	} {
		if got := [2]bool{Loopback(name), Here(name, "Box.example.net")}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	if Here("other", "") || Here("", "") || Here(".local", "") || Here("", "box") {
		t.Error("a machine without a name is every machine")
	}
}

// Every letter and digit of a name can be escaped, with digits of either case.
func TestEscapes(t *testing.T) {
	for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789-_" {
		for _, form := range []string{"x%%%02x.com", "x%%%02X.com"} {
			text, want := fmt.Sprintf(form, c), "x"+string(c)+".com"
			if got, ok := Canonical(text); !ok || got != want {
				t.Errorf("Canonical(%q) = %q, %v; want %q", text, got, ok, want)
			}
		}
	}
}

// Every spelling of an address is that address; the oracle is net/netip.
func TestSpellings(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		n := random.Uint32()
		if random.IntN(4) == 0 {
			n &= 0xff0000ff
		}
		a, b, c, d := n>>24, n>>16&0xff, n>>8&0xff, n&0xff
		want := netip.AddrFrom4([4]byte{byte(a), byte(b), byte(c), byte(d)})
		for _, text := range []string{
			fmt.Sprintf("%d.%d.%d.%d", a, b, c, d),
			fmt.Sprintf("%d", n),
			fmt.Sprintf("0x%x", n),
			fmt.Sprintf("0X%X.", n),
			fmt.Sprintf("%d.%d.%d", a, b, n&0xffff),
			fmt.Sprintf("%d.%d", a, n&0xffffff),
			fmt.Sprintf("0x%x.%d.0x%x.%d", a, b, c, d),
			fmt.Sprintf("::ffff:%d.%d.%d.%d", a, b, c, d),
			fmt.Sprintf("[::ffff:%x:%x]", n>>16, n&0xffff),
			fmt.Sprintf("0:0:0:0:0:ffff:%04x:%04X", n>>16, n&0xffff),
		} {
			if got, ok := Canonical(text); !ok || got != want.String() {
				t.Fatalf("Canonical(%q) = %q, %v; want %s", text, got, ok, want)
			}
		}
		// Octal is that address, or nobody's where it can be read in two ways.
		text := fmt.Sprintf("0%o.0%o.0%o.0%o", a, b, c, d)
		if got, ok := Canonical(text); ok && got != want.String() {
			t.Fatalf("Canonical(%q) = %q; want %s or nothing", text, got, want)
		}
	}
	for range 20000 {
		var bytes [16]byte
		for i := range bytes {
			if random.IntN(2) == 0 {
				bytes[i] = byte(random.Uint32())
			}
		}
		bytes[0] = 0x20
		want := netip.AddrFrom16(bytes)
		for _, text := range []string{want.String(), want.StringExpanded(), strings.ToUpper(want.StringExpanded())} {
			if got, ok := Canonical(text); !ok || got != want.String() {
				t.Fatalf("Canonical(%q) = %q, %v; want %s", text, got, ok, want)
			}
		}
	}
}

// The canonical form is its own, is what other readers of addresses read, and
// does not depend on case, brackets or a dot at the end.
func FuzzCanonical(f *testing.F) {
	for _, text := range []string{"example.com.", "0x7f.1", "[::ffff:1.2.3.4]", "a%2eb", "１.2.3.4", "::1%lo", "1.2.3", "xn--80ak6aa92e.com", strings.Repeat("\x9e", 400), strings.Repeat("Ⱥ", 500)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		name, ok := Canonical(text)
		if !ok {
			if name != "" {
				t.Fatalf("Canonical(%q) is not ok and %q", text, name)
			}
			return
		}
		if again, ok := Canonical(name); !ok || again != name {
			t.Fatalf("Canonical(%q) = %q, and of that %q, %v", text, name, again, ok)
		}
		if again, ok := Canonical(strings.ToUpper(name)); name[0] != '@' && (!ok || again != name) && strings.ToUpper(name) == strings.Map(upperASCII, name) {
			t.Fatalf("%q in upper case is %q, %v", name, again, ok)
		}
		if address, err := netip.ParseAddr(text); err == nil && address.Zone() == "" {
			if address = address.Unmap(); address.Is4() && address.String() != name {
				t.Fatalf("Canonical(%q) = %q; it is %s", text, name, address)
			}
		}
		if numericName := name[0] != '@' && numeric(name); numericName && strings.IndexByte(name, ':') < 0 {
			if address, err := netip.ParseAddr(name); err != nil || !address.Is4() {
				t.Fatalf("Canonical(%q) = %q, which is not an address", text, name)
			}
		}
	})
}

func upperASCII(r rune) rune {
	if 'a' <= r && r <= 'z' {
		r -= 'a' - 'A'
	}
	return r
}
