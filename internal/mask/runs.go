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
		kind := kindOf(s[i])
		if kind == 0 {
			continue
		}
		if last != 0 && kind != last {
			turns++
		}
		last = kind
	}
	return turns >= 4
}

// kindOf says what a byte is: a digit, a small or a capital letter, each by its first, or 0.
func kindOf(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return '0'
	case 'a' <= c && c <= 'z':
		return 'a'
	case 'A' <= c && c <= 'Z':
		return 'A'
	}
	return 0
}

// elements masks the text of XML elements that are named like secrets, and values that
// an attribute names.
func elements(text string) string {
	m := masker{text: text}
	Elements(text, func(from, end, to int) {
		m.attribute(from, end)
		if name := strings.TrimSpace(text[from:end]); end+1 < to && !strings.ContainsAny(name, " \"'=/") && command.SecretName(name) && text[end+1] != '$' {
			m.add(end+1, to)
		}
	})
	return m.apply()
}

// Elements calls each for the tags of XML in a text that begin something: where what is in them begins and
// ends, and up to where text follows.
func Elements(text string, each func(from, end, to int)) {
	for from := 0; ; {
		i := strings.IndexByte(text[from:], '<')
		if i < 0 {
			return
		}
		from += i + 1
		end := strings.IndexByte(text[from:], '>')
		if end < 0 {
			return
		}
		end += from
		to := strings.IndexByte(text[end:], '<')
		each(from, end, end+1+max(to-1, 0))
		from = end
	}
}

// attribute masks the value in a tag whose key is named like a secret.
func (m *masker) attribute(from, end int) {
	tag := m.text[from:end]
	unescaped := strings.ReplaceAll(tag, `\"`, `"`)
	_, key, ok := strings.Cut(unescaped, `key="`)
	if !ok {
		return
	}
	name, _, _ := strings.Cut(key, `"`)
	_, value, _ := strings.Cut(unescaped, `value="`)
	if value, _, ok := strings.Cut(value, `"`); ok && value != "" && command.SecretName(name) {
		at := from + strings.LastIndex(tag, value)
		m.add(at, at+len(value))
	}
}

// joined are beginnings of secrets behind which there are characters that tokens do not
// have otherwise.
var joined = [...]struct {
	prefix string
	least  int
	chars  string
}{
	{"eyJ", 30, dotted},                 // also without its second part: the filter over output would take pictures and source maps for one
	{"AAAAAAAAAAAAAAAAAAAA", 50, alnum}, // Twitter's: programs in base64 have many such lines
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
	m.joined()
	for i := 0; i < len(text); {
		end := RunEnd(text, i, ".~:!*"+base)
		if run := text[i:end]; len(run) >= 24 {
			if at, n := partOf(run); n > 0 {
				m.add(i+at, i+at+n)
			}
		}
		i = max(end, i+1)
	}
	return m.apply()
}

// joined masks what begins in one of the ways of its list.
func (m *masker) joined() {
	for k := range joined {
		j := &joined[k]
		for from := 0; ; {
			i := strings.Index(m.text[from:], j.prefix)
			if i < 0 {
				break
			}
			start := from + i
			from = start + len(j.prefix)
			end := RunEnd(m.text, from, j.chars)
			if end-from >= j.least && varied(m.text[from:end]) && (start == 0 || !in(m.text[start-1], alnum)) {
				m.add(start, end)
				from = end
			}
		}
	}
}

// partOf is where in a run of characters a secret is, and how long it is.
func partOf(run string) (at, n int) {
	whole := len(run)
	if name, value, ok := assignment(run); ok {
		at, n = partOf(value)
		return at + len(name) + 1, n
	}
	if i := strings.Index(run, "Q~"); i >= 4 && len(run)-i >= 33 && isDigits(run[i-1:i]) { // a client secret of Azure's
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

// assignment takes NAME=VALUE apart.
func assignment(run string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(run, "=")
	return name, value, ok && value != "" && value[0] != '=' && !strings.ContainsAny(name, ":/~!")
}

// isDotted says whether a run is a secret of letters, digits and dots.
func isDotted(run string) bool {
	is := false
	switch parts := strings.Split(run, "."); len(parts) {
	case 1:
		is = sized(run, 80, 88) && strings.Contains(run, "AZDO") // Azure DevOps
	case 2:
		is = isAirtable(parts[0], parts[1])
	case 3:
		is = isDiscord(parts[0], parts[1], parts[2])
	}
	return is || isMailchimp(run)
}

// isMailchimp says whether a text is a key of Mailchimp's.
func isMailchimp(run string) bool {
	head, zone, ok := strings.Cut(run, "-us")
	return ok && len(head) == 32 && isHex(head) && len(zone) <= 2
}

// isAirtable says whether two parts are a token of Airtable's.
func isAirtable(id, secret string) bool {
	return len(id) == 17 && len(secret) == 64 && strings.HasPrefix(id, "pat") && isHex(secret)
}

// isDiscord says whether three parts are the token of a bot of Discord's.
func isDiscord(id, time, secret string) bool {
	return sized(id, 23, 28) && strings.IndexByte("MNO", id[0]) >= 0 && sized(time, 6, 7) && sized(secret, 27, 45) && mixedCase(id+secret)
}

// sized says whether a text has from least to most bytes.
func sized(text string, least, most int) bool { return least <= len(text) && len(text) <= most }

// behindColon finds a secret that stands behind a colon.
func behindColon(run string) (at, n int) {
	parts := strings.Split(run, ":")
	first, last := parts[0], parts[len(parts)-1]
	at, n = len(run)-len(last), len(last)
	switch {
	case len(parts) == 5:
		if isPassLine(parts) {
			return at, n
		}
	case len(parts) != 2:
	case isTelegram(first, last), isAbly(first, last):
		return 0, len(run)
	case isRancher(first, last), isAsana(first, last):
		return at, n
	case isBitwarden(first, last):
		return 2, len(run) - 2
	}
	return 0, 0
}

// isTelegram says whether two parts are the token of a bot of Telegram's.
func isTelegram(id, secret string) bool {
	return sized(id, 8, 10) && isDigits(id) && sized(secret, 33, 40) && mixedCase(secret) && !strings.ContainsAny(secret, "./+=")
}

// isAbly says whether two parts are a key of Ably's.
func isAbly(name, secret string) bool {
	return len(name) == 13 && name[6] == '.' && len(secret) >= 40 && mixedCase(secret)
}

// isRancher says whether the second of two parts is a secret of Rancher's.
func isRancher(name, secret string) bool {
	return strings.HasPrefix(name, "token-") && len(name) <= 12 && len(secret) >= 50 && varied(secret)
}

// isAsana says whether the second of two parts is a secret of Asana's, behind its number.
func isAsana(id, secret string) bool {
	return len(id) >= 10 && strings.IndexByte("012", id[0]) >= 0 && id[1] == '/' && isDigits(id[2:]) && len(secret) == 32 && isHex(secret)
}

// isBitwarden says whether two parts are a token of Bitwarden's.
func isBitwarden(id, secret string) bool {
	return len(id) > 40 && strings.HasPrefix(id, "0.") && strings.Count(id, "-") == 4 && len(secret) >= 20
}

// isPassLine says whether parts are host:port:database:user:password.
func isPassLine(parts []string) bool {
	host, port, password := parts[0], parts[1], parts[4]
	isPort := port == "*" || len(port) >= 2 && isDigits(port)
	return isHost(host) && isPort && len(password) >= 8 && varied(password) && !isDigits(parts[2]) && !isDigits(parts[3])
}

// isHost says whether a text is what stands for a host in a file of passwords.
func isHost(text string) bool {
	return (strings.Contains(text, ".") || text == "localhost" || text == "*") && !strings.Contains(text, "/")
}

func isHex(s string) bool    { return strings.Trim(s, "0123456789abcdef") == "" }
func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
