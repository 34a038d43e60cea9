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
	// dotted begins with the dot: between two others a dash makes a range.
	dotted = "." + token
	base   = "0-9A-Za-z+/=_-"
	upper  = "0-9A-Z"
	hex    = "0-9a-f"
)

// shapes are token formats that their issuers document, longest prefixes first.
var shapes = [...]shape{
	{"AGE-SECRET-KEY-1", 40, alnum},
	{"pscale_oauth_", 24, dotted},
	{"duffel_live_", 30, token},
	{"shippo_live_", 30, alnum},
	{"shippo_test_", 30, alnum},
	{"github_pat_", 20, token},
	{"pscale_tkn_", 24, dotted},
	{"sandbox-sq0", 20, token},
	{"sk-svcacct-", 20, token},
	{"amzn1.oa2-", 30, dotted},
	{"apify_api_", 30, alnum},
	{"infisical_", 20, token},
	{"lin_oauth_", 30, alnum},
	{"mdb_sa_sk_", 20, token},
	{"pscale_pw_", 24, dotted},
	{"sb_secret_", 20, token},
	{"GR1348941", 16, token},
	{"amzn.mws.", 30, dotted},
	{"dckr_oat_", 20, token},
	{"dckr_pat_", 20, token},
	{"rubygems_", 32, alnum},
	{"sk-or-v1-", 20, token},
	{"CLOJARS_", 40, alnum},
	{"atlasv1.", 30, token},
	{"bb_live_", 20, token},
	{"clojars_", 30, alnum},
	{"glagent-", 16, token},
	{"lin_api_", 30, alnum},
	{"ory_pat_", 20, token},
	{"pat-eu1-", 30, token},
	{"pat-na1-", 30, token},
	{"pk_live_", 20, alnum},
	{"rk_live_", 16, alnum},
	{"rk_test_", 16, alnum},
	{"sk-proj-", 20, token},
	{"sk_live_", 16, alnum},
	{"sk_test_", 16, alnum},
	{"xkeysib-", 40, token},
	{"CCIPAT_", 30, token},
	{"CCIPRJ_", 30, token},
	{"GOCSPX-", 20, token},
	{"doo_v1_", 30, alnum},
	{"dop_v1_", 30, alnum},
	{"dor_v1_", 30, alnum},
	{"dt0c01.", 30, dotted},
	{"dt0s01.", 30, dotted},
	{"glffct-", 16, token},
	{"glsoat-", 16, token},
	{"kaggle_", 30, alnum},
	{"ops_eyJ", 30, token},
	{"ory_at_", 20, dotted},
	{"ory_st_", 20, token},
	{"secret_", 43, alnum},
	{"shptka_", 24, alnum},
	{"sk-ant-", 20, token},
	{"sntrys_", 40, token},
	{"sntryu_", 40, alnum},
	{"sq0atp-", 20, token},
	{"sq0csp-", 20, token},
	{"sq0idp-", 20, token},
	{"ATATT3", 30, token},
	{"ATCTT3", 30, token},
	{"ATSTT3", 30, token},
	{"dp.ct.", 30, alnum},
	{"dp.pt.", 30, alnum},
	{"dp.sa.", 30, alnum},
	{"dp.st.", 30, dotted},
	{"glcbt-", 16, token},
	{"glimt-", 16, token},
	{"gloas-", 16, token},
	{"glpat-", 16, token},
	{"glptt-", 16, token},
	{"ngrok_", 30, alnum},
	{"nvapi-", 40, token},
	{"shpat_", 24, alnum},
	{"shpca_", 24, alnum},
	{"shppa_", 24, alnum},
	{"shpss_", 24, alnum},
	{"tskey-", 20, token},
	{"whsec_", 16, token},
	{"HRKU-", 30, token},
	{"KGAT_", 30, alnum},
	{"NRAK-", 20, alnum},
	{"NRII-", 20, token},
	{"NRIQ-", 20, token},
	{"NRJS-", 19, hex},
	{"NRRA-", 20, alnum},
	{"PMAK-", 30, token},
	{"bkua_", 30, alnum},
	{"cfut_", 30, token},
	{"cpln_", 30, token},
	{"figd_", 30, token},
	{"fm1a_", 30, token},
	{"fm1r_", 30, token},
	{"gldt-", 16, token},
	{"glft-", 16, token},
	{"glrt-", 16, token},
	{"glsa_", 30, token},
	{"jina_", 30, alnum},
	{"lsv2_", 32, token},
	{"mlsn.", 40, alnum},
	{"pplx-", 40, alnum},
	{"pypi-", 40, token},
	{"rdme_", 40, alnum},
	{"snyk_", 30, token},
	{"tvly-", 24, token},
	{"waka_", 36, token},
	{"xapp-", 16, token},
	{"xoxa-", 16, token},
	{"xoxb-", 16, token},
	{"xoxc-", 16, token},
	{"xoxd-", 16, token},
	{"xoxe-", 16, token},
	{"xoxe.", 16, dotted},
	{"xoxp-", 16, token},
	{"xoxr-", 16, token},
	{"xoxs-", 16, token},
	{"xwfp-", 16, token},
	{"ya29.", 20, token},
	{"ABIA", 16, upper},
	{"ACCA", 16, upper},
	{"AIza", 30, token},
	{"AKCp", 40, alnum},
	{"AKIA", 16, upper},
	{"ASIA", 16, upper},
	{"ATBB", 28, alnum},
	{"EZAK", 54, alnum},
	{"EZTK", 54, alnum},
	{"LTAI", 16, alnum},
	{"akv_", 30, alnum},
	{"cld_", 30, token},
	{"dapi", 30, alnum},
	{"fm2_", 30, token},
	{"fo1_", 30, token},
	{"gho_", 30, alnum},
	{"ghp_", 30, alnum},
	{"ghr_", 30, alnum},
	{"ghs_", 30, alnum},
	{"ghu_", 30, alnum},
	{"glc_", 30, token},
	{"gsk_", 40, alnum},
	{"hvb.", 20, token},
	{"hvr.", 20, token},
	{"hvs.", 20, token},
	{"key-", 32, hex},
	{"nfp_", 30, alnum},
	{"npm_", 30, alnum},
	{"ntn_", 30, alnum},
	{"p8e-", 30, token},
	{"phc_", 30, alnum},
	{"phx_", 30, alnum},
	{"pnu_", 30, alnum},
	{"pul-", 32, alnum},
	{"rpa_", 30, alnum},
	{"sbp_", 30, alnum},
	{"sgp_", 30, token},
	{"sqa_", 30, alnum},
	{"sqp_", 30, alnum},
	{"squ_", 30, alnum},
	{"tfp_", 30, alnum},
	{"vcp_", 20, alnum},
	{"xai-", 40, alnum},
	{"SG.", 30, dotted},
	{"eyJ", 30, dotted},
	{"hf_", 30, alnum},
	{"r8_", 30, alnum},
	{"re_", 24, alnum},
	{"sk-", 32, token},
}

// shortest is how long the shortest token is that has one of the shapes.
const shortest = 20

// Text masks well-known shapes in any text: tokens, passwords in addresses,
// private keys.
func Text(text string) string {
	text = keys(text)
	text = addresses(text)
	text = webhooks(text)
	text = statements(text)
	text = named(text)
	text = bearers(text)
	text = slashed(text)
	var b strings.Builder
	at, end := 0, 0
	for i := 0; i < len(text); {
		if i >= end { // a token has no other characters, and most words are too short for one
			for end = i; end < len(text) && in(text[end], dotted); {
				end++
			}
			if end-i < shortest {
				i = end + 1
				continue
			}
		}
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
			for i+n < len(text) && in(text[i+n], base) { // some go on in base64
				n++
			}
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
	m := masker{text: text}
	from := 0
	for {
		i := strings.Index(text[from:], "://")
		if i < 0 {
			return m.apply()
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
		m.add(start+colon+1, start+at)
	}
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
		google := strings.HasPrefix(run, "1//0") && len(run) > 30
		if j := strings.IndexByte(run, '='); j > 0 && strings.Trim(run[j:], "=") != "" {
			// name=value: the value may be one.
			start, run = start+j+1, run[j+1:]
			google = strings.HasPrefix(run, "1//0") && len(run) > 30
		}
		if google || isKey(run) {
			m.add(start, i)
		}
	}
	return m.apply()
}

// isKey says whether a text is as long as a key, in base64 with its padding or as AWS
// writes its own, and does not look like a path or a checksum with its name.
func isKey(s string) bool {
	body := strings.TrimRight(s, "=")
	if strings.ContainsAny(body, "_-=") || !varied(body) || strings.ToLower(body) == body || strings.ToUpper(body) == body || !strings.ContainsAny(body, "0123456789") {
		return false
	}
	padded := len(body) < len(s) && len(s)%4 == 0 && len(body) >= 42
	return padded || len(body) == 40 && strings.ContainsAny(body, "+/") && longest(body) >= 8 && !strings.HasPrefix(body, "/")
}

// longest is the longest part between slashes.
func longest(s string) int {
	most := 0
	for part := range strings.SplitSeq(s, "/") {
		most = max(most, len(part))
	}
	return most
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
	m := masker{text: text}
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
			m.add(at+1, at+1+end)
			from = at + 1 + end
		}
	}
	return m.apply()
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
	m := masker{text: text}
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
		m.add(from, end)
		i = end - 1
	}
	return m.apply()
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
	m := masker{text: text}
	for _, word := range [...]string{"bearer ", "basic ", "password "} {
		for from := 0; ; {
			i := indexFold(text[from:], word)
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
			m.add(start, end)
		}
	}
	return m.apply()
}
