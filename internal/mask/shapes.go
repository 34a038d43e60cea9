package mask

import (
	"strings"

	"longline/internal/command"
)

// Text masks well-known shapes in any text: tokens, passwords in addresses,
// private keys.
func Text(text string) string {
	if isDull(text) {
		return text
	}
	return search(text)
}

// search is [Text] for a text that may hold something.
func search(text string) string {
	text = keys(text)
	text = addresses(text)
	text = statements(text)
	text = elements(text)
	text = named(text)
	text = bearers(text)
	text = tokens(text)
	text = runs(text)
	return slashed(text)
}

// tokens masks what has one of the shapes of tokens.
func tokens(text string) string {
	m := masker{text: text}
	Shapes().In([]byte(text), 0, nil, true, func(t Token) { m.add(t.Start, t.End) }, nil)
	return m.apply()
}

// runStart is where bytes of a set that end at an offset begin.
func runStart(text string, end int, set string) int {
	for end > 0 && in(text[end-1], set) {
		end--
	}
	return end
}

// until is where the first of some ASCII characters stands from an offset on, or the end.
func until(text string, from int, chars string) int {
	if i := strings.IndexAny(text[from:], chars); i >= 0 {
		return from + i
	}
	return len(text)
}

// isBehind says whether an offset is behind one of some ASCII characters.
func isBehind(text string, at int, chars string) bool {
	return at > 0 && strings.IndexByte(chars, text[at-1]) >= 0
}

// addresses masks the secrets of addresses.
func addresses(text string) string {
	m := masker{text: text}
	Addresses(text, func(start, end int) {
		if isGiven(text[start:end]) {
			m.add(start, end)
		}
	})
	return m.apply()
}

// addressSecrets lists the secrets of addresses that are long enough to be looked for elsewhere.
func addressSecrets(text string) (list []string) {
	Addresses(text, func(start, end int) {
		if secret := text[start:end]; len(secret) > 3 && isGiven(secret) {
			list = append(list, secret)
		}
	})
	return list
}

// isGiven says whether a secret stands there itself.
func isGiven(secret string) bool { return secret[0] != '$' && secret != Mark }

// Addresses calls each for where in the addresses of a text secrets stand: passwords, tokens in the
// place of a user's name, and what lets in whoever knows the address.
func Addresses(text string, each func(start, end int)) {
	for from := 0; ; {
		i := strings.Index(text[from:], "://")
		if i < 0 {
			return
		}
		from += i + len("://")
		address := text[from:until(text, from, " \t\r\n\"'`<>?#")]
		if start, end := login(address); start < end {
			each(from+start, from+end)
		}
		for hook := range strings.FieldsSeq(webhooks) {
			at := strings.Index(address, hook)
			if at < 0 {
				continue
			}
			at += len(hook)
			end := RunEnd(address, at, "/:"+token)
			if end = at + len(strings.TrimRight(address[at:end], "/")); end-at >= 16 && varied(address[at:end]) {
				each(from+at, from+end)
			}
		}
	}
}

// webhooks are what stands in addresses before that by which they let in.
const webhooks = "hooks.slack.com/services/ hooks.slack.com/triggers/ /api/webhooks/ api.telegram.org/bot /IncomingWebhook/ outlook.office.com/webhook/ /bot/v2/hook/ hooks.zapier.com/hooks/catch/ /with/key/"

// login is where the password in user:password@host is, or a token in the place of the user's name.
// A password may have slashes in it, unless they follow a port.
func login(address string) (start, end int) {
	end = strings.LastIndexByte(address, '@')
	if slash := strings.IndexByte(address, '/'); slash >= 0 && slash < end {
		host := address[:slash]
		if end = strings.LastIndexByte(host, '@'); end < 0 {
			colon := strings.LastIndexByte(host, ':')
			if colon < 0 || isDigits(host[colon+1:]) {
				return 0, 0
			}
			end = strings.LastIndexByte(address, '@')
		}
	}
	if end < 0 {
		return 0, 0
	}
	user, password, _ := strings.Cut(address[:end], ":")
	switch {
	case password != "" && password != "x-oauth-basic":
		return len(user) + 1, end
	case len(user) >= 10 && varied(user):
		return 0, len(user)
	}
	return 0, 0
}

// slashed masks tokens that have slashes in them, which would be paths otherwise:
// Google's refresh tokens, and keys that are written in base64 to their end.
func slashed(text string) string {
	m := masker{text: text}
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && in(text[i], "0-9A-Za-z+/=_-") {
			i++
		}
		run := text[start:i]
		if i == start {
			i++
			continue
		}
		google := isSlashed(run)
		if j := strings.IndexByte(run, '='); j > 0 && strings.Trim(run[j:], "=") != "" {
			// name=value: the value may be one.
			start, run = start+j+1, run[j+1:]
			google = isSlashed(run)
		}
		if google || isKey(run) && !strings.HasSuffix(text[:start], "h1:") { // go.sum
			m.add(start, i)
		}
	}
	return m.apply()
}

// isSlashed says whether a text is a token that may have slashes in it: a refresh token
// of Google's, an application key of Backblaze's, what Bitbucket, Fly and Portainer give
// out.
func isSlashed(run string) bool {
	switch {
	case strings.HasPrefix(run, "1//0") && len(run) > 30,
		len(run) >= 40 && hasPrefixOf(run, "BBDC- ptr_ fm1a_ fm1r_ fm2_") && mixedCase(run),
		len(run) == 31 && strings.HasPrefix(run, "K00") && mixedCase(run),
		len(run) >= 56 && strings.HasSuffix(run, "==") && strings.Contains(run, "AzFu"):
		return true
	}
	return false
}

// isKey says whether a text is as long as a key, in base64 with its padding or as AWS
// writes its own, and does not look like a path or a checksum with its name.
func isKey(s string) bool {
	body := strings.TrimRight(s, "=")
	if strings.ContainsAny(body, "_-=") || !mixedCase(body) {
		return false
	}
	padded := len(body) < len(s) && len(s)%4 == 0 && len(body) >= 42
	return padded || len(body) == 40 && !strings.HasPrefix(body, "/") && isNoPath(body)
}

// isNoPath says whether a text is no path, as keys of AWS's are: its parts are long, or it has no
// parts and digits all over.
func isNoPath(s string) bool {
	if strings.ContainsAny(s, "+/") {
		return longest(s) >= 8
	}
	return digitRuns(s) >= 5
}

// digitRuns is how many times digits begin in a text.
func digitRuns(s string) int {
	return len(strings.FieldsFunc(s, func(c rune) bool { return c < '0' || c > '9' }))
}

// longest is the longest part between slashes.
func longest(s string) int {
	most := 0
	for part := range strings.SplitSeq(s, "/") {
		most = max(most, len(part))
	}
	return most
}

// statements masks passwords that SQL sets: PASSWORD 'x', IDENTIFIED BY 'x'.
func statements(text string) string {
	m := masker{text: text}
	for _, word := range [...]string{"password", "set password", "identified by"} {
		for from := 0; ; {
			i := indexFold(text[from:], word)
			if i < 0 {
				break
			}
			from += i + len(word)
			at := RunEnd(text, from, " ")
			if word == "set password" {
				at = setTo(text, from, at)
			}
			if at == from || at == len(text) || text[at] != '\'' {
				continue
			}
			end := strings.IndexByte(text[at+1:], '\'')
			if end <= 0 {
				continue
			}
			m.add(at+1, at+1+end)
			from = at + 1 + end
		}
	}
	return m.apply()
}

// setTo is where the value of "set password for somebody = 'x'" begins; otherwise where it was
// looked for.
func setTo(text string, from, otherwise int) int {
	if i := until(text, from, "=;"); i < len(text) && text[i] == '=' {
		return RunEnd(text, i+1, " ")
	}
	return otherwise
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

// keyHeads are the ends of the lines above private keys.
var keyHeads = [...]string{"PRIVATE KEY-----", "PRIVATE KEY BLOCK-----", "PRIVATE KEY ----", "Static key V1-----"}

// keys masks the body of private keys.
func keys(text string) string {
	for _, head := range keyHeads {
		for from := 0; ; {
			i := strings.Index(text[from:], head)
			if i < 0 {
				break
			}
			start := from + i + len(head)
			end := strings.Index(text[start:], "---- END")
			if five := strings.Index(text[start:], "-----END"); five >= 0 && (end < 0 || five < end) {
				end = five
			}
			if end < 0 {
				end = len(text) - start
			}
			text = text[:start] + Mark + text[start+end:]
			from = min(start+len(Mark)+len("-----END"), len(text))
			if j := strings.Index(text[from:], "----"); j >= 0 {
				from += j + len("----")
			}
		}
	}
	return text
}

// named masks values that stand beside a name like password=, "token": or, at
// the beginning of a line or text, secret:.
func named(text string) string {
	m := masker{text: text}
	for i := 0; i < len(text); i++ {
		if text[i] != '=' && text[i] != ':' {
			continue
		}
		n := nameBefore(text, runStart(text, i, " "))
		parameter := isParameter(text, n.before-len(n.name), n.name)
		if !parameter && !command.SecretName(strings.TrimLeft(n.name, "-")) && !isShortName(text, n.before-len(n.name), n.name) {
			continue
		}
		v := valueAt(text, i+1)
		if !v.belongs(text, i, &n) {
			continue
		}
		if isHarmless(n.name, text[v.from:v.end], parameter) {
			i = max(i, v.end-1)
			continue
		}
		m.add(v.from, v.end)
		i = v.end - 1
	}
	return m.apply()
}

// isHarmless says whether a value beside the name of a secret, or of a parameter that may be
// one, is none.
func isHarmless(name, value string, parameter bool) bool {
	return isNoSecret(value) || isAmount(name, value) || parameter && (len(value) < 8 || !varied(value))
}

// isNoSecret says whether a value is none or stands for one that is elsewhere.
func isNoSecret(value string) bool {
	return value == "" || !isGiven(value) || isReference(value)
}

// besideName is a value that stands beside a name.
type besideName struct {
	from, end int  // without its quotes
	start     int  // with them
	quoted    bool // it is in quotes
	escaped   bool // which are in quotes themselves
	random    bool // it looks like a secret whatever stands around it
}

// valueAt finds the value that follows a name.
func valueAt(text string, from int) (v besideName) {
	from = RunEnd(text, from, " ")
	if n := RunEnd(text, from, `\`); n > from && n < len(text) && text[n] == '"' {
		from, v.escaped = n, true
	}
	v.start, v.from = from, from
	if v.quoted = from < len(text) && (text[from] == '"' || text[from] == '\''); v.quoted {
		v.from++
		v.end = until(text, v.from, text[from:v.from])
	} else {
		v.random = looksRandom(text[from:RunEnd(text, from, "."+base)])
		v.end = until(text, from, " \t\n'\"&;|,})<>`")
	}
	for v.escaped && v.end > v.from && text[v.end-1] == '\\' {
		v.end--
	}
	return v
}

// nameBeside is a name that stands before a value.
type nameBeside struct {
	name   string
	before int  // where it ends, with what closes it
	first  bool // it begins a line or a quoted text
	keyed  bool // it is a quoted key as in JSON
}

// belongs says whether a value belongs to the name that ends before the sign at i.
func (v besideName) belongs(text string, i int, n *nameBeside) bool {
	blanks := n.before < i
	switch {
	case v.random:
		return true // whatever stands around it
	case text[i] == '=' && !v.quoted && (v.start > i+1 || blanks):
		return false // only other languages have blanks around it
	case text[i] == ':' && !n.keyed && (blanks || v.isSpoken(text, n.first)):
		return false
	}
	return !v.closes(text, n)
}

// isSpoken says whether a value belongs to a sentence that speaks of passwords.
func (v besideName) isSpoken(text string, first bool) bool {
	return !v.quoted && (!first || v.end < len(text) && text[v.end] == ' ')
}

// closes says whether the quote before a value ends what the name begins.
func (v besideName) closes(text string, n *nameBeside) bool {
	return v.quoted && !n.keyed && n.first && !v.escaped && n.before > len(n.name) && text[n.before-len(n.name)-1] == text[v.start]
}

// isShortName says whether a name that begins at an offset is that of a password or a
// key where it stands, and would say little elsewhere: Pwd in a list of settings with
// semicolons, _auth in the settings of a package manager.
func isShortName(text string, start int, name string) bool {
	switch strings.ToLower(name) {
	case "pwd":
		return start > 0 && text[start-1] == ';'
	case "_auth":
		return true
	}
	return false
}

// isParameter says whether a name that begins at an offset is a parameter of an
// address that often carries a key. Alone such names say little.
func isParameter(text string, start int, name string) bool {
	if start < 1 || text[start-1] != '?' && text[start-1] != '&' {
		return false
	}
	return IsParameter(name)
}

// IsParameter says whether a name is that of a parameter of an address that often carries a key.
func IsParameter(name string) bool {
	switch strings.ToLower(name) {
	case "key", "sig", "signature", "auth", "code", "x-amz-signature", "x-goog-signature", "x-amz-security-token":
		return true
	}
	return false
}

// nameBefore returns the name that ends before an offset.
func nameBefore(text string, end int) nameBeside {
	n := nameBeside{before: end}
	if isBehind(text, end, "]") {
		end-- // environ["NAME"] =
	}
	quote := isBehind(text, end, `"'`)
	if quote {
		end--
	}
	if quote && isBehind(text, end, `\`) {
		end = runStart(text, end, `\`) // a quote in quotes
		start := runStart(text, end, alnum+"_.-")
		n.name, n.keyed = text[start:end], isBehind(text, start, `"`)
		return n
	}
	start := runStart(text, end, alnum+"_.-")
	if isBehind(text, start, `\`) && start < end {
		start++ // the n of a newline as printf writes it
	}
	n.name = text[start:end]
	n.first = start == 0 || isBehind(text, start, "\n'\"{,")
	n.keyed = quote && start > 0 && text[start-1] == text[end]
	return n
}

// credential is a word that introduces a secret.
type credential struct {
	word   string
	chars  string // that the secret may have
	behind string // what it follows there
	login  bool   // only where somebody logs in, as in a .netrc
	random bool   // only if it looks like one
}

var credentials = [...]credential{
	{word: "bearer ", chars: ".~" + base},
	{word: "basic ", chars: ".~" + base},
	{word: "password ", chars: ".~" + base, login: true},
	{word: "ssws ", chars: ".~" + base, random: true},
	{word: "splunk ", chars: ".~" + base, random: true},
	{word: "token token=", chars: "@!.~" + base, random: true},
	{word: "pveapitoken=", chars: "@!.~" + base, random: true},
	{word: "cookie: ", chars: ";:%.~" + base, behind: "="},
	{word: " -u ", chars: ";:%.~" + base, behind: ":", random: true},
}

// bearers masks what follows the words that introduce credentials.
func bearers(text string) string {
	m := masker{text: text}
	for k := range credentials {
		c := &credentials[k]
		for from := 0; ; {
			i := indexFold(text[from:], c.word)
			if i < 0 {
				break
			}
			start := from + i + len(c.word)
			from = RunEnd(text, start, c.chars)
			if c.login && !strings.Contains(text[:start], "login ") {
				continue
			}
			value := text[start:from]
			if c.behind != "" {
				_, value, _ = strings.Cut(value, c.behind)
			}
			if c.isOne(value) {
				m.add(from-len(value), from)
			}
		}
	}
	return m.apply()
}

// isOne says whether a value can be a secret.
func (c *credential) isOne(value string) bool {
	return len(value) >= 6 && varied(value) && (!c.random || looksRandom(value))
}
