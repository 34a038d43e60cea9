package mask

import (
	"strings"

	"longline/internal/command"
)

// looksRandom says whether a text can hardly be words, a number or a time: it is long, has
// digits, and goes back and forth between them and small and capital letters. Beside a
// name like token: that is enough.
func looksRandom(s string) bool {
	if len(s) < 16 || !strings.ContainsAny(s, "0123456789") {
		return false
	}
	turns, last := 0, byte(0)
	for i := range len(s) {
		kind := byte('-')
		switch c := s[i]; {
		case '0' <= c && c <= '9':
			kind = '0'
		case 'a' <= c && c <= 'z':
			kind = 'a'
		case 'A' <= c && c <= 'Z':
			kind = 'A'
		}
		if kind != '-' {
			if last != 0 && kind != last {
				turns++
			}
			last = kind
		}
	}
	return turns >= 4
}

// elements masks the text of XML elements that are named like secrets, and values that
// an attribute names.
func elements(text string) string {
	m := masker{text: text}
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '<')
		if i < 0 {
			return m.apply()
		}
		from += i + 1
		end := strings.IndexByte(text[from:], '>')
		if end < 0 {
			return m.apply()
		}
		tag := text[from : from+end]
		if name := strings.TrimSpace(tag); name != "" && name[0] != '/' && !strings.ContainsAny(name, " \"'=/") && command.SecretName(name) {
			start := from + end + 1
			if n := strings.IndexByte(text[start:], '<'); n > 0 && !strings.HasPrefix(text[start:], "$") {
				m.add(start, start+n)
			}
		}
		unescaped := strings.ReplaceAll(tag, `\"`, `"`)
		if _, key, ok := strings.Cut(unescaped, `key="`); ok {
			name, _, _ := strings.Cut(key, `"`)
			_, value, _ := strings.Cut(unescaped, `value="`)
			if value, _, ok := strings.Cut(value, `"`); ok && value != "" && command.SecretName(name) {
				at := from + strings.LastIndex(tag, value)
				m.add(at, at+len(value))
			}
		}
		from += end
	}
}

// joined are beginnings of secrets behind which there are characters that tokens do not
// have otherwise.
var joined = [...]struct {
	prefix string
	least  int
	chars  string
}{
	{"perm:", 40, "." + base},
	{"perm-", 40, "." + base},
	{"access_token$", 40, "$" + alnum},
	{"oauth:", 30, "0-9a-z"},
	{"$2a$", 50, "./$" + alnum},
	{"$2b$", 50, "./$" + alnum},
	{"$2y$", 50, "./$" + alnum},
	{"$5$", 40, "./$=" + alnum},
	{"$6$", 60, "./$=" + alnum},
	{"$y$", 40, "./$" + alnum},
	{"$apr1$", 20, "./$" + alnum},
	{"$argon2", 60, "./$=,+" + alnum},
}

// runs masks secrets that are known by their parts and not by how they begin.
func runs(text string) string {
	m := masker{text: text}
	for k := range joined {
		j := &joined[k]
		for from := 0; ; {
			i := strings.Index(text[from:], j.prefix)
			if i < 0 {
				break
			}
			start := from + i
			from = start + len(j.prefix)
			end := from
			for end < len(text) && in(text[end], j.chars) {
				end++
			}
			if end-from >= j.least && varied(text[from:end]) && (start == 0 || !in(text[start-1], alnum)) {
				m.add(start, end)
				from = end
			}
		}
	}
	const chars = ".~:!*" + base
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && in(text[i], chars) {
			i++
		}
		if run := text[start:i]; len(run) >= 24 {
			if at, n := partOf(run); n > 0 {
				m.add(start+at, start+at+n)
			}
		}
		if i == start {
			i++
		}
	}
	return m.apply()
}

// partOf is where in a run of characters a secret is, and how long it is.
func partOf(run string) (at, n int) {
	whole := len(run)
	if name, value, ok := strings.Cut(run, "="); ok && value != "" && value[0] != '=' && !strings.ContainsAny(name, ":/~!") { // NAME=VALUE
		at, n = partOf(value)
		return at + len(name) + 1, n
	}
	if i := strings.Index(run, "Q~"); i >= 4 && len(run)-i >= 33 && '0' <= run[i-1] && run[i-1] <= '9' { // a client secret of Azure's
		return i - 4, whole - i + 4
	}
	if !strings.ContainsAny(run, ":/~!*=+") {
		if isDotted(run) {
			return 0, whole
		}
		return 0, 0
	}
	if before, after, ok := strings.Cut(run, "!"); ok && strings.HasPrefix(before, "00D") && len(after) >= 40 {
		return 0, whole // a session of Salesforce's
	}
	return behindColon(run)
}

// isDotted says whether a run is a secret of letters, digits and dots.
func isDotted(run string) bool {
	parts := strings.Split(run, ".")
	switch len(parts) {
	case 1:
		if len(run) >= 80 && len(run) <= 88 && strings.Contains(run, "AZDO") {
			return true // Azure DevOps
		}
	case 2:
		if len(parts[0]) == 17 && len(parts[1]) == 64 && strings.HasPrefix(run, "pat") && isHex(parts[1]) {
			return true // Airtable
		}
	case 3: // a bot of Discord's
		if strings.IndexByte("MNO", run[0]) >= 0 && sized(parts[0], 23, 28) && sized(parts[1], 6, 7) && sized(parts[2], 27, 45) && mixedCase(parts[0]+parts[2]) {
			return true
		}
	}
	head, zone, ok := strings.Cut(run, "-us") // Mailchimp
	return ok && len(head) == 32 && isHex(head) && len(zone) <= 2
}

// sized says whether a text has from least to most bytes.
func sized(text string, least, most int) bool { return least <= len(text) && len(text) <= most }

// behindColon finds a secret that stands behind a colon.
func behindColon(run string) (at, n int) {
	parts := strings.Split(run, ":")
	last := parts[len(parts)-1]
	at, n = len(run)-len(last), len(last)
	first := parts[0]
	switch {
	case len(parts) == 5:
		if isPassLine(parts) {
			return at, n
		}
	case len(parts) != 2:
	case sized(first, 8, 10) && isDigits(first) && sized(last, 33, 40) && mixedCase(last) && !strings.ContainsAny(last, "./+="):
		return 0, len(run) // a bot of Telegram's
	case strings.HasPrefix(first, "token-") && len(first) <= 12 && n >= 50 && varied(last):
		return at, n // Rancher
	case isAsana(first) && n == 32 && isHex(last):
		return at, n
	case len(first) > 40 && strings.HasPrefix(first, "0.") && strings.Count(first, "-") == 4 && n >= 20:
		return 2, len(run) - 2 // Bitwarden
	case len(first) == 13 && first[6] == '.' && n >= 40 && mixedCase(last):
		return 0, len(run) // Ably
	}
	return 0, 0
}

// isAsana says whether a run is the number in front of a token of Asana's.
func isAsana(run string) bool {
	return len(run) >= 10 && strings.IndexByte("012", run[0]) >= 0 && run[1] == '/' && isDigits(run[2:])
}

// isPassLine says whether parts are host:port:database:user:password.
func isPassLine(parts []string) bool {
	host, port, password := parts[0], parts[1], parts[4]
	isHost := strings.Contains(host, ".") || host == "localhost" || host == "*"
	isPort := port == "*" || len(port) >= 2 && isDigits(port)
	return isHost && !strings.Contains(host, "/") && isPort && len(password) >= 8 && varied(password) && !isDigits(parts[2]) && !isDigits(parts[3])
}

func isHex(s string) bool    { return strings.Trim(s, "0123456789abcdef") == "" }
func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
