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
	groups, last := 0, int32(-1)
	for _, i := range r.private {
		t := &r.tokens[i]
		word, end := text[t.start:t.end], int(t.end)
		if t.word == s.rules.emailWord {
			note("personal-email", "Contains an email address", int(t.start), end)
		}
		groups, last = groupsOf(word, groups, i == last+1), i
		if start := r.cardStart(text, int(i), groups); start >= 0 {
			note("personal-card", "Contains what may be a payment card number", start, end)
		} else if len(word) >= longWord {
			if start := keyStart(text, int(t.start)); start >= 0 {
				note("personal-key", "Contains what looks like an access key", start, end)
			}
		}
	}
	if at := bytes.Index(text, []byte("PRIVATE KEY-----")); at >= 0 {
		note("personal-key", "Contains a private key", at, at+11)
	}
}

// groupsOf is how many groups of four digits there are up to a word, which may follow the last.
func groupsOf(word []byte, before int, follows bool) int {
	switch {
	case len(word) != 4 || !isDigits(word):
		return 0
	case !follows:
		return 1
	}
	return before + 1
}

// cardStart is where the number of a card begins that ends with a token, which is the last of so
// many groups; -1 if there is none.
func (r *reader) cardStart(text []byte, i, groups int) int {
	start, end := int(r.tokens[i].start), int(r.tokens[i].end)
	if groups == 4 {
		start = int(r.tokens[i-3].start)
	} else if !isDigits(text[start:end]) {
		return -1
	}
	if !luhn(text[start:end]) {
		return -1
	}
	return start
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
		switch b := text[i]; {
		case b == ' ' || b == '-':
		case b < '0' || b > '9':
			return false
		default:
			sum += luhnDigit(int(b-'0'), n)
			n++
		}
	}
	return n >= 13 && n <= 19 && sum%10 == 0 && sum > 0
}

// luhnDigit is what a digit counts with so many behind it: every second counts twice, the
// digits of that added up.
func luhnDigit(d, behind int) int {
	if behind%2 == 1 {
		d *= 2
	}
	if d > 9 {
		d -= 9
	}
	return d
}
