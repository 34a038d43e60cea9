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
		start := i + len(s.prefix)
		end := runEnd(text, start, s.chars)
		if rest := text[start:end]; len(rest) >= s.least && varied(rest) && (!s.mixed || mixedCase(rest)) {
			return runEnd(text, end, base) - i // some go on in base64
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

// runEnd is where bytes of a set that begin at an offset end.
func runEnd(text string, from int, set string) int {
	for from < len(text) && in(text[from], set) {
		from++
	}
	return from
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
		from = until(text, start, " \t\n'\"`/?#")
		if at, n := passwordIn(text[start:from]); n > 0 {
			m.add(start+at, start+at+n)
		}
	}
}

// passwordIn is where in user:password@host the password is, and how long it is.
func passwordIn(authority string) (at, n int) {
	end := strings.LastIndexByte(authority, '@')
	colon := strings.IndexByte(authority, ':')
	switch {
	case end >= 10 && colon < 0 && varied(authority[:end]): // a token in the place of the user's name
	case end < 0 || colon < 0 || colon+1 >= end:
		return 0, 0
	}
	at = colon + 1
	if secret := authority[at:end]; secret[0] == '$' || secret == Mark {
		return 0, 0
	}
	return at, end - at
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
		len(run) >= 40 && slashedPrefix(run) && mixedCase(run),
		len(run) == 31 && strings.HasPrefix(run, "K00") && mixedCase(run),
		len(run) >= 56 && strings.HasSuffix(run, "==") && strings.Contains(run, "AzFu"):
		return true
	}
	return false
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
		chars string
	}{
		{"://hooks.slack.com/services/", 2, 16, ":" + token},
		{"://hooks.slack.com/triggers/", 2, 16, ":" + token},
		{"/api/webhooks/", 1, 16, ":" + token},
		{"://api.telegram.org/bot", 0, 16, ":" + token},
		{"/IncomingWebhook/", 0, 16, "/:" + token},
		{"/bot/v2/hook/", 0, 16, ":" + token},
		{"://hooks.zapier.com/hooks/catch/", 1, 6, ":" + token},
		{"/with/key/", 0, 16, ":" + token},
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
			if end := runEnd(text, at, start.chars); end-at >= start.least {
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
			at := runEnd(text, from, " ")
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
		return runEnd(text, i+1, " ")
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
	from = runEnd(text, from, " ")
	if n := runEnd(text, from, `\`); n > from && n < len(text) && text[n] == '"' {
		from, v.escaped = n, true
	}
	v.start, v.from = from, from
	if v.quoted = from < len(text) && (text[from] == '"' || text[from] == '\''); v.quoted {
		v.from++
		v.end = until(text, v.from, text[from:v.from])
	} else {
		v.random = looksRandom(text[from:runEnd(text, from, "."+base)])
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
			from = runEnd(text, start, c.chars)
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
