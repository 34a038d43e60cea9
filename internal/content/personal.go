package content

import "bytes"

// personal finds keys and personal data. They say something about a file and
// nothing about whether it is an attack, so they weigh nothing.
func (s *scan) personal(text []byte, r *reader) {
	count := 0
	note := func(rule, reason string, start, end int) {
		if count++; count <= 20 {
			s.add(found{Finding: Finding{Rule: rule, Category: "personal", Reason: reason, Start: start, End: end}, alone: true})
		}
	}
	digits, last := 0, int32(-1)
	for _, i := range r.private {
		t := &r.tokens[i]
		if i != last+1 {
			digits = 0
		}
		last = i
		word := text[t.start:t.end]
		if t.word == s.rules.emailWord {
			note("personal-email", "Contains an email address", int(t.start), int(t.end))
		}
		if len(word) == 4 && isDigits(word) {
			digits++
		} else {
			digits = 0
		}
		switch {
		case digits == 4 && luhn(text[r.tokens[i-3].start:t.end]):
			note("personal-card", "Contains what may be a payment card number", int(r.tokens[i-3].start), int(t.end))
		case len(word) >= 13 && len(word) <= 19 && isDigits(word) && luhn(word):
			note("personal-card", "Contains what may be a payment card number", int(t.start), int(t.end))
		case len(word) >= longWord:
			if start := keyStart(text, int(t.start)); start >= 0 {
				note("personal-key", "Contains what looks like an access key", start, int(t.end))
			}
		}
	}
	if at := bytes.Index(text, []byte("PRIVATE KEY-----")); at >= 0 {
		note("personal-key", "Contains a private key", at, at+11)
	}
}

// keyStart is where a key begins whose long part is at i, or -1.
func keyStart(text []byte, i int) int {
	if bytes.HasPrefix(text[i:], []byte("AKIA")) {
		return i
	}
	for _, prefix := range [...]string{"ghp_", "gho_", "ghs_", "github_pat_", "sk-", "sk-ant-api03-", "sk-proj-", "xoxb-", "hf_", "gsk_", "r8_", "glpat-"} {
		if i >= len(prefix) && bytes.HasPrefix(text[i-len(prefix):], []byte(prefix)) {
			return i - len(prefix)
		}
	}
	return -1
}

func isDigits(word []byte) bool {
	for _, b := range word {
		if b < '0' || b > '9' {
			return false
		}
	}
	return true
}

// luhn checks the last digit of a card number; blanks and dashes do not count.
func luhn(text []byte) bool {
	sum, n := 0, 0
	for i := len(text) - 1; i >= 0; i-- {
		b := text[i]
		if b < '0' || b > '9' {
			if b != ' ' && b != '-' {
				return false
			}
			continue
		}
		d := int(b - '0')
		if n%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
		n++
	}
	return n >= 13 && n <= 19 && sum%10 == 0 && sum > 0
}
