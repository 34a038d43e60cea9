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
	mixed  bool // the rest has digits, capital and small letters: words begin like this too
}

const (
	alnum = "0-9A-Za-z"
	token = "0-9A-Za-z_-"
	// dotted begins with the dot: between two others a dash makes a range.
	dotted = "." + token
	base   = "0-9A-Za-z+/=_-"
	upper  = "0-9A-Z"
	hex    = "0-9a-f"

	hexdash   = "0-9a-f-"
	hexdots   = "0-9a-f."
	upperline = "0-9A-Z_"
)

// shapes are token formats that their issuers document, longest prefixes first.
var shapes = [...]shape{
	{"LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURSBLRVk", 20, alnum, false},
	{"LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZ", 20, alnum, false},
	{"LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVk", 20, alnum, false},
	{"LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS", 20, alnum, false},
	{"LS0tLS1CRUdJTiBQUklWQVRFIEtFWS", 20, alnum, false},
	{"AAAAAAAAAAAAAAAAAAAA", 50, alnum, true},
	{"access-development-", 36, hexdash, false},
	{"access-production-", 36, hexdash, false},
	{"AGE-SECRET-KEY-1", 40, alnum, false},
	{"IQoJb3JpZ2luX2Vj", 40, alnum, false},
	{"bedrock-api-key-", 30, token, false},
	{"pdl_live_apikey_", 40, token, false},
	{"pdl_sdbx_apikey_", 40, token, false},
	{"access-sandbox-", 36, hexdash, false},
	{"FLWSECK_TEST-", 30, token, false},
	{"pscale_oauth_", 24, dotted, false},
	{"duffel_live_", 30, token, false},
	{"duffel_test_", 30, token, false},
	{"secret-live-", 30, token, false},
	{"secret-test-", 30, token, false},
	{"shippo_live_", 30, alnum, false},
	{"shippo_test_", 30, alnum, false},
	{"AGE-PLUGIN-", 40, token, false},
	{"github_pat_", 20, token, false},
	{"k8s-aws-v1.", 60, token, false},
	{"pdl_ntfset_", 30, token, false},
	{"pscale_tkn_", 24, dotted, false},
	{"sandbox-sq0", 20, token, false},
	{"sk-svcacct-", 20, token, false},
	{"suiprivkey1", 50, alnum, false},
	{"amzn1.oa2-", 30, dotted, false},
	{"apify_api_", 30, alnum, false},
	{"cmVmdGtuOj", 40, alnum, false},
	{"infisical_", 20, token, false},
	{"lin_oauth_", 30, alnum, false},
	{"mdb_sa_sk_", 20, token, false},
	{"polar_oat_", 30, token, false},
	{"polar_pat_", 30, token, false},
	{"pscale_pw_", 24, dotted, false},
	{"sb_secret_", 20, token, false},
	{"GR1348941", 16, token, false},
	{"amzn.mws.", 30, dotted, false},
	{"dckr_oat_", 20, token, false},
	{"dckr_pat_", 20, token, false},
	{"dp.audit.", 30, alnum, false},
	{"retool_01", 20, alnum, false},
	{"rubygems_", 32, alnum, false},
	{"rzp_live_", 14, alnum, false},
	{"rzp_test_", 14, alnum, false},
	{"sk-admin-", 20, token, false},
	{"sk-or-v1-", 20, token, false},
	{"vntg_tkn_", 30, hex, false},
	{"wandb_v1_", 40, token, false},
	{"xsmtpsib-", 40, token, false},
	{"CLOJARS_", 40, alnum, false},
	{"FLWSECK-", 30, token, false},
	{"WPL_AP1.", 20, dotted, false},
	{"api_org_", 30, alnum, false},
	{"atlasv1.", 30, token, false},
	{"bb_live_", 20, token, false},
	{"clojars_", 30, alnum, false},
	{"dp.scim.", 30, alnum, false},
	{"ek_live_", 30, alnum, false},
	{"esecret_", 20, alnum, false},
	{"glagent-", 16, token, false},
	{"lin_api_", 30, alnum, false},
	{"n8n_api_", 30, dotted, false},
	{"ory_pat_", 20, token, false},
	{"pat-eu1-", 30, token, false},
	{"pat-na1-", 30, token, false},
	{"pk_live_", 20, alnum, false},
	{"rk_live_", 16, alnum, false},
	{"rk_test_", 16, alnum, false},
	{"sk-proj-", 20, token, false},
	{"sk_live_", 16, alnum, false},
	{"sk_test_", 16, alnum, false},
	{"xkeysib-", 40, token, false},
	{"5Aep861", 50, dotted, false},
	{"CCIPAT_", 30, token, false},
	{"CCIPRJ_", 30, token, false},
	{"GOCSPX-", 20, token, false},
	{"aivenv1", 60, alnum, false},
	{"censys_", 30, token, false},
	{"doo_v1_", 30, alnum, false},
	{"dop_v1_", 30, alnum, false},
	{"dor_v1_", 30, alnum, false},
	{"dt0c01.", 30, dotted, false},
	{"glffct-", 16, token, false},
	{"glsoat-", 16, token, false},
	{"kaggle_", 30, alnum, false},
	{"ops_eyJ", 30, token, false},
	{"ory_at_", 20, dotted, false},
	{"ory_st_", 20, token, false},
	{"secret_", 43, alnum, false},
	{"secret_", 60, dotted, true},
	{"shptka_", 24, alnum, false},
	{"sk-ant-", 20, token, false},
	{"sktsec_", 30, token, false},
	{"sntrys_", 40, token, false},
	{"sntryu_", 40, alnum, false},
	{"sq0atp-", 20, token, false},
	{"sq0csp-", 20, token, false},
	{"sq0idp-", 20, token, false},
	{"tgp_v1_", 35, token, false},
	{"APA91b", 100, token, false},
	{"ATATT3", 30, token, false},
	{"ATCTT3", 30, token, false},
	{"ATSTT3", 30, token, false},
	{"CCDB1_", 40, token, false},
	{"CFPAT-", 30, token, false},
	{"GOOG1E", 50, upper, false},
	{"RGAPI-", 36, hexdash, false},
	{"dp.ct.", 30, alnum, false},
	{"dp.pt.", 30, alnum, false},
	{"dp.sa.", 30, alnum, false},
	{"dp.st.", 30, dotted, false},
	{"glcbt-", 16, token, false},
	{"glimt-", 16, token, false},
	{"gloas-", 16, token, false},
	{"glpat-", 16, dotted, false},
	{"glptt-", 16, token, false},
	{"glrtr-", 16, token, false},
	{"hcaik_", 40, alnum, false},
	{"hcbik_", 40, alnum, false},
	{"hcxik_", 40, alnum, false},
	{"hl_sk_", 40, hex, false},
	{"ngrok_", 30, alnum, false},
	{"nvapi-", 40, token, false},
	{"sec-c-", 40, alnum, false},
	{"shpat_", 24, alnum, false},
	{"shpca_", 24, alnum, false},
	{"shppa_", 24, alnum, false},
	{"shprt_", 24, alnum, false},
	{"shpss_", 24, alnum, false},
	{"shpua_", 24, alnum, false},
	{"t1.9eu", 40, dotted, false},
	{"tskey-", 20, token, false},
	{"whsec_", 16, token, false},
	{"1000.", 60, hexdots, false},
	{"A21AA", 60, token, true},
	{"HRKU-", 30, token, false},
	{"KGAT_", 30, alnum, false},
	{"NRAK-", 20, alnum, false},
	{"NRII-", 20, token, false},
	{"NRIQ-", 20, token, false},
	{"NRJS-", 19, hex, false},
	{"NRRA-", 20, alnum, false},
	{"PMAK-", 30, token, false},
	{"PMAT-", 20, upper, false},
	{"YCAJE", 18, token, true},
	{"bkaj_", 30, token, false},
	{"bkct_", 30, token, false},
	{"bkpt_", 30, token, false},
	{"bkua_", 30, alnum, false},
	{"cfat_", 30, token, false},
	{"cfut_", 30, token, false},
	{"cpln_", 30, token, false},
	{"crsr_", 40, hex, false},
	{"dG9rO", 40, alnum, false},
	{"dbtc_", 30, token, false},
	{"dbts_", 30, token, false},
	{"dbtu_", 30, token, false},
	{"figd_", 30, token, false},
	{"fm1a_", 30, token, false},
	{"fm1r_", 30, token, false},
	{"gldt-", 16, token, false},
	{"glft-", 16, token, false},
	{"glrt-", 16, token, false},
	{"glsa_", 30, token, false},
	{"glwt-", 16, token, false},
	{"jina_", 30, alnum, false},
	{"jsrd_", 30, token, false},
	{"jsrp_", 30, token, false},
	{"live_", 35, hex, false},
	{"lsv2_", 32, token, false},
	{"mlsn.", 40, alnum, false},
	{"napi_", 40, alnum, false},
	{"nsec1", 50, alnum, false},
	{"pcsk_", 40, token, false},
	{"pina_", 40, token, true},
	{"pplx-", 40, alnum, false},
	{"pypi-", 40, token, false},
	{"rdme_", 40, alnum, false},
	{"sess-", 35, alnum, false},
	{"sl.u.", 60, dotted, false},
	{"snyk_", 30, dotted, false},
	{"test_", 35, hex, false},
	{"tvly-", 24, token, false},
	{"ucat_", 26, alnum, false},
	{"v1.0-", 100, hexdash, false},
	{"waka_", 36, token, false},
	{"xaat-", 36, hexdash, false},
	{"xapp-", 16, token, false},
	{"xapt-", 36, hexdash, false},
	{"xoxa-", 16, token, false},
	{"xoxb-", 16, token, false},
	{"xoxc-", 16, token, false},
	{"xoxd-", 16, token, false},
	{"xoxe-", 16, token, false},
	{"xoxe.", 16, dotted, false},
	{"xoxp-", 16, token, false},
	{"xoxr-", 16, token, false},
	{"xoxs-", 16, token, false},
	{"xwfp-", 16, token, false},
	{"y0_Ag", 30, token, false},
	{"ya29.", 20, dotted, false},
	{"ABIA", 16, upper, false},
	{"ABSK", 60, alnum, false},
	{"ACCA", 16, upper, false},
	{"AIza", 30, token, false},
	{"AKCp", 40, alnum, false},
	{"AKIA", 16, upper, false},
	{"AKID", 32, alnum, true},
	{"API-", 26, upper, false},
	{"AQVN", 30, token, true},
	{"ASIA", 16, upper, false},
	{"ATBB", 28, alnum, false},
	{"ATTA", 60, alnum, false},
	{"EAAA", 55, token, true},
	{"EZAK", 54, alnum, false},
	{"EZTK", 54, alnum, false},
	{"IGQV", 60, token, true},
	{"LTAI", 16, alnum, false},
	{"akv_", 30, alnum, false},
	{"api-", 36, hexdash, false},
	{"cfk_", 30, token, false},
	{"cflt", 50, alnum, true},
	{"cld_", 30, token, false},
	{"csk-", 40, alnum, false},
	{"dapi", 30, alnum, false},
	{"ddo_", 30, alnum, false},
	{"ddp_", 30, alnum, false},
	{"ddw_", 30, alnum, false},
	{"dkea", 32, hex, false},
	{"dls_", 60, token, false},
	{"dose", 32, hex, false},
	{"dt0s", 30, dotted, false},
	{"e2b_", 40, hex, false},
	{"edsk", 50, alnum, true},
	{"fm2_", 30, token, false},
	{"fo1_", 30, token, false},
	{"fpk_", 22, alnum, true},
	{"gho_", 30, alnum, false},
	{"ghp_", 30, alnum, false},
	{"ghr_", 30, alnum, false},
	{"ghs_", 30, alnum, false},
	{"ghu_", 30, alnum, false},
	{"glc_", 30, token, false},
	{"gsk_", 40, alnum, false},
	{"hvb.", 20, token, false},
	{"hvr.", 20, token, false},
	{"hvs.", 20, token, false},
	{"key-", 32, hex, false},
	{"nfb_", 30, alnum, false},
	{"nfc_", 30, alnum, false},
	{"nfo_", 30, alnum, false},
	{"nfp_", 30, alnum, false},
	{"nfu_", 30, alnum, false},
	{"npm_", 30, alnum, false},
	{"ntn_", 30, alnum, false},
	{"p8e-", 30, token, false},
	{"pat.", 50, dotted, true},
	{"phc_", 30, alnum, false},
	{"phs_", 30, alnum, false},
	{"phx_", 30, alnum, false},
	{"pnb_", 30, alnum, false},
	{"pnu_", 30, alnum, false},
	{"pul-", 32, alnum, false},
	{"rnd_", 28, alnum, false},
	{"rpa_", 30, alnum, false},
	{"sat.", 50, dotted, true},
	{"sbp_", 30, alnum, false},
	{"sdk-", 36, hexdash, false},
	{"sgd_", 30, hex, false},
	{"sgp_", 30, token, false},
	{"slk_", 30, hex, false},
	{"sqa_", 30, alnum, false},
	{"sqp_", 30, alnum, false},
	{"squ_", 30, alnum, false},
	{"tfp_", 30, alnum, false},
	{"tprv", 90, alnum, false},
	{"vca_", 20, alnum, false},
	{"vci_", 20, alnum, false},
	{"vck_", 20, alnum, false},
	{"vcp_", 20, alnum, false},
	{"vcr_", 20, alnum, false},
	{"xai-", 40, alnum, false},
	{"xau_", 30, alnum, false},
	{"xprv", 90, alnum, false},
	{"yprv", 90, alnum, false},
	{"zprv", 90, alnum, false},
	{"EAA", 60, alnum, true},
	{"EXO", 24, hex, false},
	{"SCW", 17, upper, false},
	{"SG.", 30, dotted, false},
	{"ak-", 22, alnum, true},
	{"as-", 22, alnum, true},
	{"cio", 32, alnum, true},
	{"cu_", 32, hex, false},
	{"eyJ", 30, dotted, false},
	{"fc-", 32, hex, false},
	{"fnA", 35, token, true},
	{"fw_", 22, alnum, true},
	{"hf_", 30, alnum, false},
	{"oy2", 43, alnum, false},
	{"pa-", 40, token, true},
	{"pk_", 40, upperline, false},
	{"r8_", 30, alnum, false},
	{"re_", 24, alnum, false},
	{"re_", 30, token, true},
	{"sk-", 32, token, false},
	{"sk_", 40, hex, false},
	{"sl.", 100, dotted, true},
	{"st.", 80, dotted, false},
	{"SK", 32, hex, false},
}

// shortest is how long the shortest token is that has one of the shapes.
const shortest = 20

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
	text = webhooks(text)
	text = statements(text)
	text = elements(text)
	text = named(text)
	text = bearers(text)
	text = runs(text)
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
		if rest := text[i+len(s.prefix) : i+n]; len(rest) >= s.least && varied(rest) && (!s.mixed || mixedCase(rest)) {
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

// mixedCase says whether a text holds digits, capital and small letters.
func mixedCase(s string) bool {
	return strings.ContainsAny(s, "0123456789") && strings.ToLower(s) != s && strings.ToUpper(s) != s
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
	return strings.HasPrefix(run, "1//0") && len(run) > 30 || len(run) >= 40 && slashedPrefix(run) && mixedCase(run) || len(run) == 31 && strings.HasPrefix(run, "K00") && mixedCase(run) ||
		len(run) >= 56 && strings.HasSuffix(run, "==") && strings.Contains(run, "AzFu")
}

func slashedPrefix(run string) bool {
	for _, prefix := range [...]string{"BBDC-", "ptr_", "fm1a_", "fm1r_", "fm2_"} {
		if strings.HasPrefix(run, prefix) {
			return true
		}
	}
	return false
}

// isKey says whether a text is as long as a key, in base64 with its padding or as AWS
// writes its own, and does not look like a path or a checksum with its name.
func isKey(s string) bool {
	body := strings.TrimRight(s, "=")
	if strings.ContainsAny(body, "_-=") || !varied(body) || strings.ToLower(body) == body || strings.ToUpper(body) == body || !strings.ContainsAny(body, "0123456789") {
		return false
	}
	padded := len(body) < len(s) && len(s)%4 == 0 && len(body) >= 42
	aws := strings.ContainsAny(body, "+/") && longest(body) >= 8 || digitRuns(body) >= 5 && !strings.ContainsAny(body, "+/")
	return padded || len(body) == 40 && aws && !strings.HasPrefix(body, "/")
}

// digitRuns is how many times digits begin in a text.
func digitRuns(s string) int {
	n, in := 0, false
	for i := range len(s) {
		digit := '0' <= s[i] && s[i] <= '9'
		if digit && !in {
			n++
		}
		in = digit
	}
	return n
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
		text  string
		skip  int // names of the path that are no secret
		least int
	}{
		{"://hooks.slack.com/services/", 2, 16},
		{"://hooks.slack.com/triggers/", 2, 16},
		{"/api/webhooks/", 1, 16},
		{"://api.telegram.org/bot", 0, 16},
		{"/IncomingWebhook/", 0, 16},
		{"/bot/v2/hook/", 0, 16},
		{"://hooks.zapier.com/hooks/catch/", 1, 6},
		{"/with/key/", 0, 16},
	} {
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
			for end < len(text) && (in(text[end], ":"+token) || text[end] == '/' && start.text == "/IncomingWebhook/") {
				end++
			}
			if end-at >= start.least {
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
		before := i
		for before > 0 && text[before-1] == ' ' {
			before--
		}
		name, first, keyed := nameBefore(text, before)
		parameter := isParameter(text, before-len(name), name)
		if !parameter && !command.SecretName(strings.TrimLeft(name, "-")) && !isShortName(text, before-len(name), name) {
			continue
		}
		v := valueAt(text, i+1)
		if !v.belongs(text, i, before, name, first, keyed) {
			continue
		}
		if value := text[v.from:v.end]; isNoSecret(value) || isAmount(name, value) || parameter && (len(value) < 8 || !varied(value)) {
			i = max(i, v.end-1)
			continue
		}
		m.add(v.from, v.end)
		i = v.end - 1
	}
	return m.apply()
}

// isNoSecret says whether a value is none or stands for one that is elsewhere.
func isNoSecret(value string) bool {
	return value == "" || value[0] == '$' || value == Mark || isReference(value)
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
	for from < len(text) && text[from] == ' ' {
		from++
	}
	if n := from + len(text[from:]) - len(strings.TrimLeft(text[from:], `\`)); n > from && n < len(text) && text[n] == '"' {
		from, v.escaped = n, true
	}
	v.start, v.from, v.end = from, from, from
	if v.quoted = from < len(text) && (text[from] == '"' || text[from] == '\''); v.quoted {
		v.from++
		for v.end = v.from; v.end < len(text) && text[v.end] != text[from]; {
			v.end++
		}
	} else {
		n := from
		for n < len(text) && in(text[n], "."+base) {
			n++
		}
		v.random = looksRandom(text[from:n])
		for v.end < len(text) && strings.IndexByte(" \t\n'\"&;|,})<>`", text[v.end]) < 0 {
			v.end++
		}
	}
	for v.escaped && v.end > v.from && text[v.end-1] == '\\' {
		v.end--
	}
	return v
}

// belongs says whether a value belongs to the name that ends before the sign at i.
func (v besideName) belongs(text string, i, before int, name string, first, keyed bool) bool {
	blanks := before < i
	switch {
	case v.random:
		return true // whatever stands around it
	case text[i] == '=' && (v.start > i+1 || blanks) && !v.quoted:
		return false // only other languages have blanks around it
	case text[i] == ':' && !keyed && (blanks || !first && !v.quoted):
		return false // a sentence that speaks of passwords
	case text[i] == ':' && !keyed && !v.quoted && v.end < len(text) && text[v.end] == ' ':
		return false // the same
	case v.quoted && !keyed && first && !v.escaped && before > len(name) && text[before-len(name)-1] == text[v.start]:
		return false // it ends what the name begins
	}
	return true
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
	switch strings.ToLower(name) {
	case "key", "sig", "signature", "auth", "code", "x-amz-signature", "x-goog-signature", "x-amz-security-token":
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
		if end > 0 && text[end-1] == '\\' {
			end = len(strings.TrimRight(text[:end], `\`)) // a quote in quotes
			start := end
			for start > 0 && in(text[start-1], alnum+"_.-") {
				start--
			}
			return text[start:end], false, start > 0 && text[start-1] == '"'
		}
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
	for _, word := range [...]string{"bearer ", "basic ", "password ", "ssws ", "splunk ", "token token=", "pveapitoken=", "cookie: ", " -u "} {
		for from := 0; ; {
			i := indexFold(text[from:], word)
			if i < 0 {
				break
			}
			start := from + i + len(word)
			end := start
			for end < len(text) && (in(text[end], ".~"+base) || len(word) > 9 && strings.IndexByte("@!", text[end]) >= 0 || strings.IndexByte(";:%", text[end]) >= 0 && (word == "cookie: " || word == " -u ")) {
				end++
			}
			from = end
			value := text[start:end]
			switch word {
			case "bearer ", "basic ":
			case "password ": // introduces one only in the form of a .netrc
				if !strings.Contains(text[:start], "login ") {
					continue
				}
			case "cookie: ":
				_, value, _ = strings.Cut(value, "=")
				start = end - len(value)
			case " -u ":
				_, value, _ = strings.Cut(value, ":")
				start = end - len(value)
				fallthrough
			default:
				if !looksRandom(value) {
					continue
				}
			}
			if len(value) < 6 || !varied(value) {
				continue
			}
			m.add(start, end)
		}
	}
	return m.apply()
}
