package mask_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"longline/internal/mask"
)

// formats are beginnings of tokens with a length and the characters that follow, as
// issuers document them or as they are seen.
var formats = []struct {
	prefix, chars string
	length        int
}{
	{"AGE-SECRET-KEY-1", mixed, 46},
	{"pscale_oauth_", mixed, 30},
	{"duffel_live_", mixed, 36},
	{"shippo_live_", mixed, 36},
	{"shippo_test_", mixed, 36},
	{"github_pat_", mixed, 26},
	{"pscale_tkn_", mixed, 30},
	{"sandbox-sq0", mixed, 26},
	{"sk-svcacct-", mixed, 26},
	{"amzn1.oa2-", mixed, 36},
	{"apify_api_", mixed, 36},
	{"infisical_", mixed, 26},
	{"lin_oauth_", mixed, 36},
	{"mdb_sa_sk_", mixed, 26},
	{"pscale_pw_", mixed, 30},
	{"sb_secret_", mixed, 26},
	{"GR1348941", mixed, 22},
	{"amzn.mws.", mixed, 36},
	{"dckr_oat_", mixed, 26},
	{"dckr_pat_", mixed, 26},
	{"rubygems_", mixed, 38},
	{"sk-or-v1-", mixed, 26},
	{"CLOJARS_", mixed, 46},
	{"atlasv1.", mixed, 36},
	{"bb_live_", mixed, 26},
	{"clojars_", mixed, 36},
	{"glagent-", mixed, 22},
	{"lin_api_", mixed, 36},
	{"ory_pat_", mixed, 26},
	{"pat-eu1-", mixed, 36},
	{"pat-na1-", mixed, 36},
	{"pk_live_", mixed, 26},
	{"rk_live_", mixed, 22},
	{"rk_test_", mixed, 22},
	{"sk-proj-", mixed, 26},
	{"sk_live_", mixed, 22},
	{"sk_test_", mixed, 22},
	{"xkeysib-", mixed, 46},
	{"CCIPAT_", mixed, 36},
	{"CCIPRJ_", mixed, 36},
	{"GOCSPX-", mixed, 26},
	{"doo_v1_", mixed, 36},
	{"dop_v1_", mixed, 36},
	{"dor_v1_", mixed, 36},
	{"dt0c01.", mixed, 36},
	{"dt0s01.", mixed, 36},
	{"glffct-", mixed, 22},
	{"glsoat-", mixed, 22},
	{"kaggle_", mixed, 36},
	{"ops_eyJ", mixed, 36},
	{"ory_at_", mixed, 26},
	{"ory_st_", mixed, 26},
	{"secret_", mixed, 49},
	{"shptka_", mixed, 30},
	{"sk-ant-", mixed, 26},
	{"sntrys_", mixed, 46},
	{"sntryu_", mixed, 46},
	{"sq0atp-", mixed, 26},
	{"sq0csp-", mixed, 26},
	{"sq0idp-", mixed, 26},
	{"ATATT3", mixed, 36},
	{"ATCTT3", mixed, 36},
	{"ATSTT3", mixed, 36},
	{"dp.ct.", mixed, 36},
	{"dp.pt.", mixed, 36},
	{"dp.sa.", mixed, 36},
	{"dp.st.", mixed, 36},
	{"glcbt-", mixed, 22},
	{"glimt-", mixed, 22},
	{"gloas-", mixed, 22},
	{"glpat-", mixed, 22},
	{"glptt-", mixed, 22},
	{"ngrok_", mixed, 36},
	{"nvapi-", mixed, 46},
	{"shpat_", mixed, 30},
	{"shpca_", mixed, 30},
	{"shppa_", mixed, 30},
	{"shpss_", mixed, 30},
	{"tskey-", mixed, 26},
	{"whsec_", mixed, 22},
	{"HRKU-", mixed, 36},
	{"KGAT_", mixed, 36},
	{"NRAK-", mixed, 26},
	{"NRII-", mixed, 26},
	{"NRIQ-", mixed, 26},
	{"NRJS-", low, 25},
	{"NRRA-", mixed, 26},
	{"PMAK-", mixed, 36},
	{"bkua_", mixed, 36},
	{"cfut_", mixed, 36},
	{"cpln_", mixed, 36},
	{"figd_", mixed, 36},
	{"fm1a_", mixed, 36},
	{"fm1r_", mixed, 36},
	{"gldt-", mixed, 22},
	{"glft-", mixed, 22},
	{"glrt-", mixed, 22},
	{"glsa_", mixed, 36},
	{"jina_", mixed, 36},
	{"lsv2_", mixed, 38},
	{"mlsn.", mixed, 46},
	{"pplx-", mixed, 46},
	{"pypi-", mixed, 46},
	{"rdme_", mixed, 46},
	{"snyk_", mixed, 36},
	{"tvly-", mixed, 30},
	{"waka_", mixed, 42},
	{"xapp-", mixed, 22},
	{"xoxa-", mixed, 22},
	{"xoxb-", mixed, 22},
	{"xoxc-", mixed, 22},
	{"xoxd-", mixed, 22},
	{"xoxe-", mixed, 22},
	{"xoxe.", mixed, 22},
	{"xoxp-", mixed, 22},
	{"xoxr-", mixed, 22},
	{"xoxs-", mixed, 22},
	{"xwfp-", mixed, 22},
	{"ya29.", mixed, 26},
	{"ABIA", caps, 22},
	{"ACCA", caps, 22},
	{"AIza", mixed, 36},
	{"AKCp", mixed, 46},
	{"AKIA", caps, 22},
	{"ASIA", caps, 22},
	{"ATBB", mixed, 34},
	{"EZAK", mixed, 60},
	{"EZTK", mixed, 60},
	{"LTAI", mixed, 22},
	{"akv_", mixed, 36},
	{"cld_", mixed, 36},
	{"dapi", mixed, 36},
	{"fm2_", mixed, 36},
	{"fo1_", mixed, 36},
	{"gho_", mixed, 36},
	{"ghp_", mixed, 36},
	{"ghr_", mixed, 36},
	{"ghs_", mixed, 36},
	{"ghu_", mixed, 36},
	{"glc_", mixed, 36},
	{"gsk_", mixed, 46},
	{"hvb.", mixed, 26},
	{"hvr.", mixed, 26},
	{"hvs.", mixed, 26},
	{"key-", low, 38},
	{"nfp_", mixed, 36},
	{"npm_", mixed, 36},
	{"ntn_", mixed, 36},
	{"p8e-", mixed, 36},
	{"phc_", mixed, 36},
	{"phx_", mixed, 36},
	{"pnu_", mixed, 36},
	{"pul-", mixed, 38},
	{"rpa_", mixed, 36},
	{"sbp_", mixed, 36},
	{"sgp_", mixed, 36},
	{"sqa_", mixed, 36},
	{"sqp_", mixed, 36},
	{"squ_", mixed, 36},
	{"tfp_", mixed, 36},
	{"vcp_", mixed, 26},
	{"xai-", mixed, 46},
	{"SG.", mixed, 36},
	{"eyJ", mixed, 36},
	{"hf_", mixed, 36},
	{"r8_", mixed, 36},
	{"re_", mixed, 30},
	{"sk-", mixed, 38},
}

const (
	mixed = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	low   = "0123456789abcdef"
	caps  = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// TestFormats plants a token of every format in the ways in which tokens come.
func TestFormats(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	tried := 0
	for _, f := range formats {
		var b strings.Builder
		b.WriteString(f.prefix)
		for range f.length - 2 {
			b.WriteByte(f.chars[random.IntN(len(f.chars))])
		}
		b.WriteString(map[string]string{mixed: "a7", low: "a7", caps: "A7"}[f.chars])
		token := b.String()
		for _, way := range []string{
			"TOOL=X frobnicate", "frobnicate X", "frobnicate --value X y", "frobnicate --value=X", "curl -H 'X-Thing: X' https://example.com/",
			"echo X > file", "echo '{\"thing\":\"X\"}'", "frobnicate 'half X",
		} {
			tried++
			line := strings.ReplaceAll(way, "X-Thing", "Thing")
			line = strings.ReplaceAll(line, "X", token)
			if got := mask.Script(line, read(line)); strings.Contains(got, token) {
				t.Errorf("%s stays as it is", line)
				break
			}
		}
	}
	if len(formats) < 150 || tried < 300 {
		t.Errorf("only %d formats in %d ways", len(formats), tried)
	}
}

// TestUnusualPlaces: passwords that neither a name nor a shape gives away.
func TestUnusualPlaces(t *testing.T) {
	for _, line := range []string{
		"curl --cert client.pem:PLANTED https://x/", "curl -E client.pem:PLANTED https://x/", "curl --cert=c.pem:PLANTED https://x/",
		"lftp -u me,PLANTED ftp.example.com", "lftp --user me,PLANTED h",
		"rclone config create mine s3 provider AWS access_key_id AKIAX secret_access_key PLANTEDPLANTED", "rclone config update mine pass PLANTEDPLANTED",
		"read -s x <<< PLANTED", "read PASSWORD <<< PLANTED",
		"mysql --password=PLANTED 'unclosed", "sshpass -p PLANTED ssh 'unclosed", "curl -u me:PLANTED 'unclosed",
		"git clone https://x:PLANTED9@example.com/r 'unclosed",
		"echo 1//0gPLANTEDPLANTEDPLANTEDPLANTED12345678901234567890", "TOKEN_FILE=x echo mPLANTEDwJalrXUtnFEMIK7MDENGbPxRfiCYEX7abcd=",
	} {
		if got := mask.Script(line, read(line)); strings.Contains(got, "PLANTED") {
			t.Errorf("%s\nbecame %s", line, got)
		}
	}
	script := "curl ftp://me:PLANTED9@example.com/x"
	if got := mask.Reasons(script, read(script))("Talks to me:PLANTED9@example.com"); strings.Contains(got, "PLANTED") {
		t.Errorf("the reason is %s", got)
	}
}
