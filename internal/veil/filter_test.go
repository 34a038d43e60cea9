package veil

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

// given are values as a project has them, and some that are hard to tell apart.
func given() *Secrets {
	s := &Secrets{}
	for i, v := range []string{
		"hunter2-correct-horse", "hunter2-correct", "aaaaaaab", "aaaabaaaa", "baaaaXYZ", "XYZ-0123456789", "p@ss w0rd'\"\\$x", "päßwort-17",
		"S3cr3t/+==&<>?", "abcabcabd", "line-one-of-a-value\nline-two-of-a-value", "QmFzZTY0LW9mLWEtdmFsdWU=", strings.Repeat("0f", 20),
	} {
		s.put(fmt.Sprintf("SECRET_%c", 'A'+i), "", v)
	}
	return s
}

// naive says the same as a filter, in the plainest way: at each place every pattern is tried.
func naive(t *table, text string) string {
	f := &Filter{table: t}
	var events []event
	for at := range len(text) {
		best := event{start: at, end: at}
		for _, p := range t.patterns {
			if end := at + naiveMatch(p, text[at:]); end > best.end {
				best.end, best.name = end, p.name
			}
		}
		if best.end > at {
			events = append(events, best)
		}
	}
	found := scanned{}
	f.keys([]byte(text), &found)
	f.tokens([]byte(text), &found, true)
	events = append(events, found.events...)
	slices.SortStableFunc(events, func(a, b event) int { return a.start - b.start })
	var b strings.Builder
	from := 0
	for _, e := range events {
		if e.end <= from {
			continue
		}
		if e.start > from {
			b.WriteString(text[from:e.start])
		}
		b.WriteString(opening + e.name + closing)
		from = e.end
	}
	return b.String() + text[from:]
}

func naiveMatch(p pattern, text string) int {
	if strings.HasPrefix(text, p.text) {
		return len(p.text)
	}
	if !p.broken {
		return 0
	}
	rest, since := text, 0
	for i := range len(p.text) {
		if since >= least && rest != "" && (rest[0] == '\n' || rest[0] == '\r') {
			rest, since = strings.TrimPrefix(strings.TrimPrefix(rest, "\r"), "\n"), 0
			for n := 0; n < 8 && rest != "" && (rest[0] == ' ' || rest[0] == '\t'); n++ {
				rest = rest[1:]
			}
		}
		if rest == "" || rest[0] != p.text[i] {
			return 0
		}
		rest, since = rest[1:], since+1
	}
	return len(text) - len(rest)
}

// filtered is a text that passed a filter in pieces of up to n bytes.
func filtered(tb testing.TB, t *table, text string, n int, r *rand.Rand) string {
	var out bytes.Buffer
	f := newFilter(&out, t, time.Hour)
	for rest := text; rest != ""; {
		size := len(rest)
		if n > 0 {
			size = min(size, 1+r.IntN(n))
		}
		if _, err := f.Write([]byte(rest[:size])); err != nil {
			tb.Fatal(err)
		}
		rest = rest[size:]
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.String()
}

// planted is a text with secrets, parts of them and tokens in it.
func planted(r *rand.Rand, t *table) string {
	var b strings.Builder
	pieces := []string{
		" ", "\n", "a", "aa", "=", "\"", "\r\n", "ordinary words of a text, ", "ghp_0123456789abcdefghijABCDEFGHIJklmnop", "sk-", "eyJ", "-----BEGIN ", "-----BEGIN RSA PRIVATE KEY-----\n",
		"MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF0Jv\n", "-----END RSA PRIVATE KEY-----\n", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijklm", "AKIAABCDEFGHIJKLMN23", "xoxb-1234567890-abcdefghijkl",
	}
	for range 1 + r.IntN(12) {
		switch r.IntN(5) {
		case 0:
			b.WriteString(pieces[r.IntN(len(pieces))])
		case 1:
			p := t.patterns[r.IntN(len(t.patterns))].text
			b.WriteString(p[:r.IntN(len(p)+1)])
		case 2:
			p := t.patterns[r.IntN(len(t.patterns))].text
			b.WriteString(p[r.IntN(len(p)):])
		case 3:
			b.WriteString(t.patterns[r.IntN(len(t.patterns))].text)
		case 4:
			p := t.patterns[r.IntN(len(t.patterns))].text
			for at := 0; at < len(p); { // in lines
				n := min(len(p)-at, 4+r.IntN(16))
				b.WriteString(p[at:at+n] + []string{"\n", "\r\n", "\n  "}[r.IntN(3)])
				at += n
			}
		}
	}
	return b.String()
}

func TestFilterAgreesWithTheNaiveOne(t *testing.T) {
	table := given().table()
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 2_000 {
		text := planted(r, table)
		want := naive(table, text)
		for _, size := range []int{0, 1, 3, 17} {
			if got := filtered(t, table, text, size, r); got != want {
				t.Fatalf("%d: in pieces of %d\n%q\nbecomes\n%q\nnot\n%q", i, size, text, got, want)
			}
		}
	}
}

func FuzzFilter(f *testing.F) {
	table := given().table()
	r := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		f.Add(planted(r, table), uint8(r.IntN(20)), uint64(1))
	}
	f.Fuzz(func(t *testing.T, text string, size uint8, seed uint64) {
		if len(text) > 5_000 {
			return
		}
		r := rand.New(rand.NewPCG(seed, 5))
		if got, want := filtered(t, table, text, int(size), r), naive(table, text); got != want {
			t.Errorf("%q in pieces of %d becomes\n%q, not\n%q", text, size, got, want)
		}
	})
}

// ordinary is a text without secrets: words, numbers, hashes, colours, any bytes.
func ordinary(r *rand.Rand, size int) []byte {
	words := strings.Fields("func return the of and to package main.go internal/veil/filter.go sk key token secret eyJ ghp_ -----BEGIN PUBLIC KEY----- \x1b[31merror\x1b[0m 0x7f3a DEBUG=1 aaaa hunter2 http://localhost:8080/a?b=c sha256: {\"a\":[1,2,3]} é ‹ \x00\xff\xfe")
	var b []byte
	for len(b) < size {
		switch r.IntN(12) {
		case 0:
			b = append(b, '\n')
		case 1:
			b = fmt.Appendf(b, "%x", r.Uint64())
		case 2:
			b = append(b, byte(r.Uint32()))
		default:
			b = append(append(b, words[r.IntN(len(words))]...), ' ')
		}
	}
	return b
}

func TestTextWithoutSecretsIsUnchanged(t *testing.T) {
	table := given().table()
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 10_000 {
		text := string(ordinary(r, r.IntN(3_000)))
		if got := filtered(t, table, text, []int{0, 1, 64}[i%3], r); got != text {
			t.Fatalf("%q\nbecomes\n%q", text, got)
		}
	}
}

// Whatever is recognised is listed here.
func TestForms(t *testing.T) {
	const value = `p@ss w0rd'"\$x/é&1`
	s := &Secrets{}
	s.put("PW", "", value)
	table := s.table()
	long := func(e *base64.Encoding) string { // 76 characters a line, as base64 does it
		return e.EncodeToString([]byte(strings.Repeat("before ", 8) + value + strings.Repeat(" after", 20)))
	}
	lines := func(text string, n int) string {
		var b strings.Builder
		for line := range slices.Chunk([]byte(text), n) {
			b.Write(append(line, '\n'))
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"as is":              value,
		"JSON":               `p@ss w0rd'\"\\$x/é&1`,
		"JSON, slashes":      `p@ss w0rd'\"\\$x\/é&1`,
		"JSON as Go has it":  `p@ss w0rd'\"\\$x/é\u00261`,
		"Python":             `p@ss w0rd\'"\\$x/é&1`,
		"URL":                url.QueryEscape(value),
		"URL path":           url.PathEscape(value),
		"URL, small":         "p%40ss%20w0rd%27%22%5c%24x%2f%c3%a9%261",
		"encodeURIComponent": "p%40ss%20w0rd'%22%5C%24x%2F%C3%A9%261",
		"hex":                hex.EncodeToString([]byte(value)),
		"hex, capitals":      strings.ToUpper(hex.EncodeToString([]byte(value))),
		"hex in lines":       lines(hex.EncodeToString([]byte(value)), 30),
		"reversed":           "1&é/x$\\\"'dr0w ss@p",
		"single quotes":      `p@ss w0rd'\''"\$x/é&1`,
		"double quotes":      "p@ss w0rd'\\\"\\\\\\$x/é&1",
		"backslashes":        `p@ss\ w0rd\'\"\\\$x/é\&1`,
	} {
		if got := filtered(t, table, "["+text+"]", 0, nil); !strings.HasPrefix(got, "[‹hidden:PW›") {
			t.Errorf("%s: %q becomes %q", name, text, got)
		}
	}
	for before := range 3 {
		for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
			text := e.EncodeToString([]byte("xyz"[:before] + value + "tail"))
			if got := filtered(t, table, text, 0, nil); !strings.Contains(got, "‹hidden:PW›") || len(got) > len("xxx‹hidden:PW›xxxxxxxxx=") {
				t.Errorf("base64 after %d: %q becomes %q", before, text, got)
			}
		}
	}
	for n := 10; n < 80; n++ {
		text := lines(long(base64.StdEncoding), n)
		if got := filtered(t, table, text, 7, rand.New(rand.NewPCG(1, 1))); !strings.Contains(got, "‹hidden:PW›") {
			t.Errorf("base64 in lines of %d: %q", n, got)
		}
	}
}

type pieces chan string

func (p pieces) Write(text []byte) (int, error) { p <- string(text); return len(text), nil }

// What cannot be a secret is written at once, and what may be one soon, unless half of it is there.
func TestWhatIsHeldBack(t *testing.T) {
	s := &Secrets{}
	s.put("PW", "", "Password-of-the-house")
	out := make(pieces, 100)
	const pause = 300 * time.Millisecond
	f := newFilter(out, s.table(), pause)
	next := func(within time.Duration) string {
		for end := time.Now().Add(within); ; time.Sleep(time.Millisecond) {
			select {
			case text := <-out:
				return text
			default:
				if !time.Now().Before(end) {
					return ""
				}
			}
		}
	}
	write := func(text string) { _, _ = f.Write([]byte(text)) }
	write("Continue? [y/N] ")
	if got := next(0); got != "Continue? [y/N] " {
		t.Errorf("a prompt is held back: %q", got)
	}
	write("Passw")
	if got := next(0); got != "" {
		t.Errorf("the beginning of a secret is written at once: %q", got)
	}
	if got := next(time.Second); got != "Passw" {
		t.Errorf("after a pause %q is written", got)
	}
	write("ord-of-the-house\n")
	if got := next(time.Second); got != "‹hidden:PW›\n" {
		t.Errorf("the rest of a secret becomes %q", got)
	}
	write("Password-of-t")
	if got := next(2 * pause); got != "" {
		t.Errorf("of a secret that is half there %q is written", got)
	}
	write("ime\n")
	if got := next(time.Second); got != "Password-of-time\n" {
		t.Errorf("what was no secret becomes %q", got)
	}
	_ = f.Close()
	if got := f.Hidden(); len(got) != 1 || got["PW"] != 1 {
		t.Errorf("hidden: %v", got)
	}
}

// Pauses anywhere may show the first half of a secret, and never the second.
func TestPauses(t *testing.T) {
	s := given()
	table := s.table()
	r := rand.New(rand.NewPCG(7, 8))
	for range 3_000 {
		v := s.values[r.IntN(len(s.values)-1)].text // the last repeats itself
		var out bytes.Buffer
		f := newFilter(&out, table, time.Hour)
		for _, c := range []byte("x " + v + " y") {
			_, _ = f.Write([]byte{c})
			if r.IntN(3) == 0 {
				_ = f.Flush()
			}
		}
		_ = f.Close()
		if strings.Contains(out.String(), v[len(v)/2:]) {
			t.Fatalf("of %q is shown %q", v, out.String())
		}
	}
}

// A token is hidden to its end, also if its beginning has characters that the rest has not, and
// whatever pieces it comes in.
func TestTokensToTheirEnds(t *testing.T) {
	table := (&Secrets{}).table()
	rest := strings.Repeat("aB3dE5gH7jK9mN", 4)
	for prefix, name := range map[string]string{"hvs.": "hvs", "dp.pt.": "dp.pt", "mlsn.": "mlsn", "AGE-SECRET-KEY-1": "AGE-SECRET-KEY-1", "ghp_": "ghp"} {
		for size := range 4 {
			want := "a ‹hidden:" + name + "-token›\nb"
			if got := filtered(t, table, "a "+prefix+rest+"\nb", size, rand.New(rand.NewPCG(1, 2))); got != want {
				t.Errorf("%s in pieces of %d: %q, not %q", prefix, size, got, want)
			}
		}
	}
}
