package mask

import (
	"strings"

	"longline/internal/command"
)

// shape is how tokens of one kind begin, and what they consist of.
type shape struct {
	prefix string
	least  int // length of the rest, at least
	chars  string
}

const (
	alnum = "0-9A-Za-z"
	token = "0-9A-Za-z_-"
	base  = "0-9A-Za-z+/=_-"
)

// shapes are token formats that their issuers document, longest prefixes first.
var shapes = [...]shape{
	{"github_pat_", 20, token},
	{"glpat-", 16, token},
	{"gldt-", 16, token},
	{"ghp_", 30, alnum},
	{"gho_", 30, alnum},
	{"ghu_", 30, alnum},
	{"ghs_", 30, alnum},
	{"ghr_", 30, alnum},
	{"npm_", 30, alnum},
	{"pypi-", 40, token},
	{"sk-ant-", 20, token},
	{"sk-proj-", 20, token},
	{"sk_live_", 16, alnum},
	{"sk_test_", 16, alnum},
	{"rk_live_", 16, alnum},
	{"whsec_", 16, alnum},
	{"sk-", 32, token},
	{"xoxb-", 16, token},
	{"xoxp-", 16, token},
	{"xoxa-", 16, token},
	{"xoxs-", 16, token},
	{"xapp-", 16, token},
	{"AKIA", 16, "0-9A-Z"},
	{"ASIA", 16, "0-9A-Z"},
	{"AIza", 30, token},
	{"ya29.", 20, token},
	{"SG.", 30, token + "."},
	{"hvs.", 20, token},
	{"dop_v1_", 30, alnum},
	{"shpat_", 24, alnum},
	{"hf_", 30, alnum},
	{"eyJ", 30, token + "."},
	{"AGE-SECRET-KEY-1", 40, alnum},
}

// Text masks well-known shapes in any text: tokens, passwords in addresses,
// private keys.
func Text(text string) string {
	text = keys(text)
	text = addresses(text)
	text = webhooks(text)
	text = statements(text)
	text = named(text)
	text = bearers(text)
	var b strings.Builder
	at := 0
	for i := 0; i < len(text); {
		n := tokenAt(text, i)
		if n == 0 {
			i++
			continue
		}
		b.WriteString(text[at:i])
		b.WriteString(Mark)
		i += n
		at = i
	}
	if at == 0 {
		return text
	}
	b.WriteString(text[at:])
	return b.String()
}

// tokenAt is the length of the token that begins at i, or 0.
func tokenAt(text string, i int) int {
	if i > 0 && in(text[i-1], alnum) {
		return 0
	}
	for k := range shapes {
		s := &shapes[k]
		if text[i] != s.prefix[0] || !strings.HasPrefix(text[i:], s.prefix) {
			continue
		}
		n := len(s.prefix)
		for i+n < len(text) && in(text[i+n], s.chars) {
			n++
		}
		if n-len(s.prefix) >= s.least && varied(text[i+len(s.prefix):i+n]) {
			return n
		}
	}
	return 0
}

// varied says whether a text looks random rather than spelled: it holds a digit
// or both cases.
func varied(s string) bool {
	digit := strings.ContainsAny(s, "0123456789")
	return digit || strings.ToLower(s) != s && strings.ToUpper(s) != s
}

// in says whether a byte is in a set written as in a regular expression.
func in(c byte, set string) bool {
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			if set[i] <= c && c <= set[i+2] {
				return true
			}
			i += 2
			continue
		}
		if set[i] == c {
			return true
		}
	}
	return false
}

// addresses masks the password in scheme://user:password@host.
func addresses(text string) string {
	from := 0
	for {
		i := strings.Index(text[from:], "://")
		if i < 0 {
			return text
		}
		start := from + i + len("://")
		end := start
		for end < len(text) && !strings.ContainsRune(" \t\n'\"`/?#", rune(text[end])) {
			end++
		}
		from = end
		at := strings.LastIndexByte(text[start:end], '@')
		colon := strings.IndexByte(text[start:end], ':')
		if at >= 10 && colon < 0 && varied(text[start:start+at]) && !strings.HasPrefix(text[start:], "$") {
			colon = -1 // a token in the place of the user's name
		} else if at < 0 || colon < 0 || colon+1 >= at {
			continue
		}
		if secret := text[start+colon+1 : start+at]; strings.HasPrefix(secret, "$") || secret == Mark {
			continue
		}
		text = text[:start+colon+1] + Mark + text[start+at:]
		from = start + colon + 1 + len(Mark)
	}
}

// webhooks masks what follows the beginnings of addresses that let in whoever
// knows them.
func webhooks(text string) string {
	for _, start := range [...]struct {
		text string
		skip int // names of the path that are no secret
	}{{"://hooks.slack.com/services/", 2}, {"/api/webhooks/", 1}, {"://api.telegram.org/bot", 0}} {
		for from := 0; ; {
			i := strings.Index(text[from:], start.text)
			if i < 0 {
				break
			}
			from += i + len(start.text)
			at := from
			for range start.skip {
				if next := strings.IndexByte(text[at:], '/'); next >= 0 {
					at += next + 1
				}
			}
			end := at
			for end < len(text) && in(text[end], ":"+token) {
				end++
			}
			if end-at >= 16 {
				text = text[:at] + Mark + text[end:]
			}
		}
	}
	return text
}

// statements masks passwords that SQL sets: PASSWORD 'x', IDENTIFIED BY 'x'.
func statements(text string) string {
	for _, word := range [...]string{"password", "set password", "identified by"} {
		for from := 0; ; {
			i := indexFold(text[from:], word)
			if i < 0 {
				break
			}
			from += i + len(word)
			at := from
			for at < len(text) && text[at] == ' ' {
				at++
			}
			if word == "set password" { // for somebody = 'x'
				if i := strings.IndexAny(text[from:], "=;"); i >= 0 && text[from+i] == '=' {
					at = from + i + 1 + len(text[from+i+1:]) - len(strings.TrimLeft(text[from+i+1:], " "))
				}
			}
			if at == from || at == len(text) || text[at] != '\'' {
				continue
			}
			end := strings.IndexByte(text[at+1:], '\'')
			if end <= 0 {
				continue
			}
			text = text[:at+1] + Mark + text[at+1+end:]
			from = at + 1 + len(Mark)
		}
	}
	return text
}

// indexFold finds an ASCII word in lower case, whatever the case of the text.
func indexFold(text, word string) int {
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0] && strings.EqualFold(text[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}

// keys masks the body of private keys.
func keys(text string) string {
	for from := 0; ; {
		i := strings.Index(text[from:], "PRIVATE KEY-----")
		if i < 0 {
			return text
		}
		start := from + i + len("PRIVATE KEY-----")
		end := strings.Index(text[start:], "-----END")
		if end < 0 {
			end = len(text) - start
		}
		text = text[:start] + Mark + text[start+end:]
		from = min(start+len(Mark)+len("-----END"), len(text))
		if j := strings.Index(text[from:], "-----"); j >= 0 {
			from += j + len("-----")
		}
	}
}

// named masks values that stand beside a name like password=, "token": or, at
// the beginning of a line or text, secret:.
func named(text string) string {
	for i := 0; i < len(text); i++ {
		if text[i] != '=' && text[i] != ':' {
			continue
		}
		before := i
		for before > 0 && text[before-1] == ' ' {
			before--
		}
		name, first, keyed := nameBefore(text, before)
		parameter := isParameter(text, before-len(name), name)
		if !parameter && !command.SecretName(strings.TrimLeft(name, "-")) {
			continue
		}
		from := i + 1
		for from < len(text) && text[from] == ' ' {
			from++
		}
		quoted := from < len(text) && (text[from] == '"' || text[from] == '\'')
		switch {
		case text[i] == '=' && (from > i+1 || before < i) && !quoted:
			continue // only other languages have blanks around it
		case text[i] == ':' && !keyed && (before < i || !first && !quoted):
			continue // a sentence that speaks of passwords
		case quoted && !keyed && first && before > len(name) && text[before-len(name)-1] == text[from]:
			continue // it ends what the name begins
		}
		end := from
		if quoted {
			from++
			for end = from; end < len(text) && text[end] != text[from-1]; {
				end++
			}
		} else {
			for end < len(text) && strings.IndexByte(" \t\n'\"&;|,})<>`", text[end]) < 0 {
				end++
			}
		}
		value := text[from:end]
		if text[i] == ':' && !keyed && !quoted && end < len(text) && text[end] == ' ' {
			continue // the same
		}
		if value == "" || value[0] == '$' || value == Mark || isReference(value) || isAmount(name, value) || parameter && (len(value) < 8 || !varied(value)) {
			i = max(i, end-1)
			continue
		}
		text = text[:from] + Mark + text[end:]
		i = from + len(Mark) - 1
	}
	return text
}

// isParameter says whether a name that begins at an offset is a parameter of an
// address that often carries a key. Alone such names say little.
func isParameter(text string, start int, name string) bool {
	if start < 1 || text[start-1] != '?' && text[start-1] != '&' {
		return false
	}
	switch strings.ToLower(name) {
	case "key", "sig", "signature", "auth", "code", "x-amz-signature":
		return true
	}
	return false
}

// nameBefore returns the name that ends before an offset, whether it begins a
// line or a quoted text, and whether it is a quoted key as in JSON.
func nameBefore(text string, end int) (name string, first, keyed bool) {
	if end > 0 && text[end-1] == ']' {
		end-- // environ["NAME"] =
	}
	quote := end > 0 && (text[end-1] == '"' || text[end-1] == '\'')
	if quote {
		end--
	}
	start := end
	for start > 0 && in(text[start-1], alnum+"_.-") {
		start--
	}
	if start > 0 && text[start-1] == '\\' && start < end {
		start++ // the n of a newline as printf writes it
	}
	first = start == 0 || strings.IndexByte("\n'\"{,", text[start-1]) >= 0
	return text[start:end], first, quote && start > 0 && text[start-1] == text[end]
}

// bearers masks what follows the words that introduce credentials.
func bearers(text string) string {
	for _, word := range [...]string{"bearer ", "basic ", "password "} {
		for from := 0; ; {
			i := strings.Index(strings.ToLower(text[from:]), word)
			if i < 0 {
				break
			}
			start := from + i + len(word)
			end := start
			for end < len(text) && in(text[end], base+".~") {
				end++
			}
			from = end
			// "password " introduces one only in the form of a .netrc.
			if word == "password " && !strings.Contains(text[:start], "login ") || end-start < 6 || !varied(text[start:end]) {
				continue
			}
			text = text[:start] + Mark + text[end:]
			from = start + len(Mark)
		}
	}
	return text
}
