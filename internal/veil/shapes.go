package veil

import "strings"

// Sets of characters, written as in regular expressions.
const (
	alnum = "0-9A-Za-z"
	token = "0-9A-Za-z_-"
	// dotted begins with the dot: between two others a dash makes a range.
	dotted    = "." + token
	upper     = "0-9A-Z"
	hexes     = "0-9a-f"
	hexdash   = "0-9a-f-"
	hexdots   = "0-9a-f."
	upperline = "0-9A-Z_"
	further   = "0-9A-Za-z+/=_-" // a token may go on in base64
)

// shape is how tokens of some issuers begin, and what follows.
type shape struct {
	least    int // length of the rest, at least
	chars    string
	mixed    bool   // the rest has digits, capital and small letters: words begin like this too
	prefixes string // divided by blanks
}

// shapes are formats that their issuers document. A token is known as soon as it has the least
// length, and goes on while its characters do.
var shapes = [...]shape{
	{14, alnum, false, "rzp_live_ rzp_test_"},
	{16, alnum, false, "rk_live_ rk_test_ sk_live_ sk_test_ LTAI"},
	{20, alnum, false, "LS0tLS1CRUdJTiBFTkNSWVBURUQgUFJJVkFURSBLRVk LS0tLS1CRUdJTiBPUEVOU1NIIFBSSVZBVEUgS0VZ LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVk LS0tLS1CRUdJTiBFQyBQUklWQVRFIEtFWS LS0tLS1CRUdJTiBQUklWQVRFIEtFWS retool_01 esecret_ pk_live_ NRAK- NRRA- vca_ vci_ vck_ vcp_ vcr_"},
	{24, alnum, false, "shptka_ shpat_ shpca_ shppa_ shprt_ shpss_ shpua_ re_"},
	{26, alnum, false, "ucat_"},
	{28, alnum, false, "ATBB rnd_"},
	{30, alnum, false, "shippo_live_ shippo_test_ apify_api_ lin_oauth_ dp.audit. api_org_ clojars_ dp.scim. ek_live_ lin_api_ doo_v1_ dop_v1_ dor_v1_ kaggle_ dp.ct. dp.pt. dp.sa. ngrok_ KGAT_ bkua_ jina_ akv_ dapi ddo_ ddp_ ddw_ gho_ ghp_ ghr_ ghs_ ghu_ nfb_ nfc_ nfo_ nfp_ nfu_ npm_ ntn_ phc_ phs_ phx_ pnb_ pnu_ rpa_ sbp_ sqa_ sqp_ squ_ tfp_ xau_ hf_ r8_"},
	{32, alnum, false, "rubygems_ pul-"},
	{35, alnum, false, "sess-"},
	{40, alnum, false, "AGE-SECRET-KEY-1 IQoJb3JpZ2luX2Vj cmVmdGtuOj CLOJARS_ sntryu_ hcaik_ hcbik_ hcxik_ sec-c- dG9rO mlsn. napi_ pplx- rdme_ AKCp csk- gsk_ xai-"},
	{43, alnum, false, "secret_ oy2"},
	{50, alnum, false, "suiprivkey1 nsec1"},
	{54, alnum, false, "EZAK EZTK"},
	{60, alnum, false, "aivenv1 ABSK ATTA"},
	{90, alnum, false, "tprv xprv yprv zprv"},
	{22, alnum, true, "fpk_ ak- as- fw_"},
	{32, alnum, true, "AKID cio"},
	{50, alnum, true, "cflt edsk"},
	{60, alnum, true, "EAA"},
	{16, dotted, false, "glpat- xoxe."},
	{20, dotted, false, "WPL_AP1. ory_at_ ya29."},
	{24, dotted, false, "pscale_oauth_ pscale_tkn_ pscale_pw_"},
	{30, dotted, false, "amzn1.oa2- amzn.mws. n8n_api_ dt0c01. dp.st. snyk_ dt0s SG."},
	{40, dotted, false, "t1.9eu"},
	{50, dotted, false, "5Aep861"},
	{60, dotted, false, "sl.u."},
	{80, dotted, false, "st."},
	{50, dotted, true, "pat. sat."},
	{60, dotted, true, "secret_"},
	{100, dotted, true, "sl."},
	{19, hexes, false, "NRJS-"},
	{24, hexes, false, "EXO"},
	{30, hexes, false, "vntg_tkn_ sgd_ slk_"},
	{32, hexes, false, "dkea dose key- cu_ fc- SK"},
	{35, hexes, false, "live_ test_"},
	{40, hexes, false, "hl_sk_ crsr_ e2b_ sk_"},
	{36, hexdash, false, "access-development- access-production- access-sandbox- RGAPI- xaat- xapt- api- sdk-"},
	{100, hexdash, false, "v1.0-"},
	{60, hexdots, false, "1000."},
	{16, token, false, "GR1348941 glagent- glffct- glsoat- glcbt- glimt- gloas- glptt- glrtr- whsec_ gldt- glft- glrt- glwt- xapp- xoxa- xoxb- xoxc- xoxd- xoxe- xoxp- xoxr- xoxs- xwfp-"},
	{20, token, false, "github_pat_ sandbox-sq0 sk-svcacct- infisical_ mdb_sa_sk_ sb_secret_ dckr_oat_ dckr_pat_ sk-admin- sk-or-v1- bb_live_ ory_pat_ sk-proj- GOCSPX- ory_st_ sk-ant- sq0atp- sq0csp- sq0idp- tskey- NRII- NRIQ- hvb. hvr. hvs."},
	{24, token, false, "tvly-"},
	{30, token, false, "bedrock-api-key- FLWSECK_TEST- duffel_live_ duffel_test_ secret-live- secret-test- pdl_ntfset_ polar_oat_ polar_pat_ FLWSECK- atlasv1. pat-eu1- pat-na1- CCIPAT_ CCIPRJ_ censys_ ops_eyJ sktsec_ ATATT3 ATCTT3 ATSTT3 CFPAT- HRKU- PMAK- bkaj_ bkct_ bkpt_ cfat_ cfut_ cpln_ dbtc_ dbts_ dbtu_ figd_ fm1a_ fm1r_ glsa_ jsrd_ jsrp_ y0_Ag AIza cfk_ cld_ fm2_ fo1_ glc_ p8e- sgp_"},
	{32, token, false, "lsv2_ sk-"},
	{35, token, false, "tgp_v1_"},
	{36, token, false, "waka_"},
	{40, token, false, "pdl_live_apikey_ pdl_sdbx_apikey_ AGE-PLUGIN- wandb_v1_ xsmtpsib- xkeysib- sntrys_ CCDB1_ nvapi- pcsk_ pypi-"},
	{60, token, false, "k8s-aws-v1. dls_"},
	{100, token, false, "APA91b"},
	{18, token, true, "YCAJE"},
	{30, token, true, "AQVN re_"},
	{35, token, true, "fnA"},
	{40, token, true, "pina_ pa-"},
	{55, token, true, "EAAA"},
	{60, token, true, "A21AA IGQV"},
	{16, upper, false, "ABIA ACCA AKIA ASIA"},
	{17, upper, false, "SCW"},
	{20, upper, false, "PMAT-"},
	{26, upper, false, "API-"},
	{50, upper, false, "GOOG1E"},
	{40, upperline, false, "pk_"},
}

// shortest is how long the shortest token is that has one of the shapes.
const shortest = 20

// form is one beginning of tokens.
type form struct {
	prefix, chars string
	least         int
	mixed         bool
}

// forms are the shapes by their first byte, and what pairs of bytes they begin with.
type forms struct {
	by     [256][]form
	begins bitset
	chars  [256]bool // of which tokens consist, as far as their least length goes
}

func newForms() *forms {
	f := &forms{}
	for c := range f.chars {
		f.chars[c] = in(byte(c), dotted)
	}
	add := func(one form) {
		f.by[one.prefix[0]] = append(f.by[one.prefix[0]], one)
		f.begins.add(prefixOf(one.prefix[:2]))
	}
	for _, s := range shapes {
		for prefix := range strings.FieldsSeq(s.prefixes) {
			add(form{prefix, s.chars, s.least, s.mixed})
		}
	}
	add(form{"eyJ", token, 0, false}) // see jwt
	return f
}

// may says whether a token may begin a text.
func (f *forms) may(text []byte) bool {
	return len(f.by[text[0]]) > 0 && (len(text) == 1 || f.begins.has(prefixOf(text[:2]))&1 != 0)
}

// at says whether a token of this form begins a text: which characters it goes on with, or that
// more of the text has to be seen.
func (f *form) at(text []byte) (goesOn string, more bool) {
	n := min(len(text), len(f.prefix))
	if string(text[:n]) != f.prefix[:n] {
		return "", false
	}
	if n < len(f.prefix) {
		return "", true
	}
	if f.least == 0 {
		return jwt(text)
	}
	rest := text[n:min(len(text), n+f.least)]
	for _, c := range rest {
		if !in(c, f.chars) {
			return "", false
		}
	}
	if len(rest) < f.least {
		return "", true
	}
	if !isVaried(rest, f.mixed) {
		return "", false
	}
	if strings.HasPrefix(f.chars, ".") {
		return "." + further, false
	}
	return further, false
}

// jwt says whether a text begins with a JSON web token: two parts in base64 at least, while the data
// of pictures and of source maps, which begins alike, has no dots.
func jwt(text []byte) (goesOn string, more bool) {
	parts, length := 0, 0
	for _, c := range text[:min(len(text), 2048)] {
		switch {
		case c == '.' && length >= 10:
			parts, length = parts+1, 0
		case in(c, token):
			length++
		default:
			return "", false
		}
		if parts > 0 && length >= 10 {
			return "." + further, false
		}
	}
	return "", len(text) < 2048
}

// isVaried says whether a text looks random rather than spelled: it has a digit or both cases, or
// all three if it is mixed.
func isVaried(text []byte, mixed bool) bool {
	digit, small, capital := false, false, false
	for _, c := range text {
		digit = digit || isDigit(c)
		small = small || c >= 'a' && c <= 'z'
		capital = capital || c >= 'A' && c <= 'Z'
	}
	if mixed {
		return digit && small && capital
	}
	return digit || small && capital
}

// in says whether a byte is in a set.
func in(c byte, set string) bool {
	for i := 0; i < len(set); i++ {
		if i+2 < len(set) && set[i+1] == '-' {
			if set[i] <= c && c <= set[i+2] {
				return true
			}
			i += 2
		} else if set[i] == c {
			return true
		}
	}
	return false
}

// shapeName is what a token is called of which only its shape is known.
func shapeName(prefix string) string {
	switch {
	case prefix == "eyJ":
		return "jwt"
	case strings.HasPrefix(prefix, "LS0t"):
		return "private-key"
	}
	return strings.Trim(prefix, "-_.") + "-token"
}
