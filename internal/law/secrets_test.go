//go:build linux

package law

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// canary is a secret that nobody may see.
type canary struct {
	kind, value string
}

const (
	home    = "/home/dev"
	project = home + "/proj"
)

// pem is a private key that opens nothing.
const pem = `-----BEGIN PRIVATE KEY-----
MIIEvgIBADANBgkqhkiG9w0BAQEFAASCBKgwggSkAgEAAoIBAQC7VJTUt9Us8cKj
MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu
-----END PRIVATE KEY-----
`

const sshKey = `-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZWQy
NTUxOQAAACCqTrh0q8kYcZ1mDxWv7uR2nQpLsE5yHfB3gKjT9aVwXgAAAJg0UvYzNFL2MwAA
-----END OPENSSH PRIVATE KEY-----
`

// canaries are the secrets by where they lie: in a file, a variable of the environment, or the history of the project.
var canaries = []canary{
	{".env", "Xk29vPqm7RtLw4Zd"},
	{".env url", "pg-s3cr3t+Horse/9"},
	{".env.local", "sk-live-9f8e7d6c5b4a39281706f5e4d3c2b1a0"},
	{".env.production", "correct horse 'battery' staple"},
	{".envrc", "hV7bNq2sYe81TcKu"},
	{"key.pem", "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVMvDuictGeurT8jNbvJZHtCSuYEvu"},
	{"cookies.txt", "s%3AqW8zR4tYbN6mK2jH5gF7"},
	{"credentials.json", "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"},
	{"config/secrets.yaml", "Tr0ub4dor&3-xyzzy"},
	{"terraform.tfvars", "tf-Vault-Pw-83hdQ"},
	{"terraform.tfstate", "stateful-PW-kd93jJ2"},
	{".netrc", "netrc-Pa55-wJx82k"},
	{".aws/credentials", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzCANARYK"},
	{".ssh/id_ed25519", "NTUxOQAAACCqTrh0q8kYcZ1mDxWv7uR2nQpLsE5yHfB3gKjT9aVwXgAAAJg0UvYzNFL2MwAA"},
	{".npmrc", "npm_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"},
	{".docker/config.json", "ZGV2OmRvY2tlci1zM2NyZXQtcGFzcw=="},
	{".docker/config.json decoded", "docker-s3cret-pass"},
	{".kube/config", "kube-tok-Zx81mNpQ4rS7tUv2"},
	{".config/gh/hosts.yml", "gho_16C7e42F292c6912E7710c838347Ae178B4a"},
	{".pgpass", "pgpass-Secr3t-7Hq"},
	{".git-credentials", "git-cred-T0ken-55aXw"},
	{".gnupg", "gpgprivkeymaterial0011223344556677"},
	{"another project's .env", "other-Pr0ject-pw-42zz"},
	{"old .env in the history", "h1storic-Passw0rd-kk7"},
	{".env on a branch", "branch-0nly-Secret-9ws"},
	{"stashed .env", "st4shed-Secret-value-3e"},
	{"password of a remote in .git/config", "rem0te-Url-Passw0rd-8d"},
	{"$GITHUB_TOKEN", "ghp_R8x2Kp5nQ7wE1tY4uI6oA3sD9fG0hJ2kL5zX"},
	{"$DB_PASSWORD", "env-Db-Pa55word-71Lq"},
	{"$REDIS_URL", "r3dis-Url-Pw-6tGv"},
	{"$AWS_SECRET_ACCESS_KEY", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7b"},
}

func value(kind string) string {
	i := slices.IndexFunc(canaries, func(c canary) bool { return c.kind == kind })
	return canaries[i].value
}

// environment is what the client hands to its commands.
func environment() []string {
	return []string{
		"HOME=" + home, "USER=dev", "LOGNAME=dev", "PATH=/usr/local/bin:/usr/bin:/bin", "SHELL=/bin/bash", "LANG=C.UTF-8", "TERM=dumb", "PWD=" + project,
		"CLAUDECODE=1", "CLAUDE_PROJECT_DIR=" + project, "GIT_EDITOR=true", "CLAUDE_CODE_SESSION_ATTENDED=1",
		"GITHUB_TOKEN=" + value("$GITHUB_TOKEN"), "DB_PASSWORD=" + value("$DB_PASSWORD"), "REDIS_URL=redis://:" + value("$REDIS_URL") + "@cache:6379/0",
		"AWS_SECRET_ACCESS_KEY=" + value("$AWS_SECRET_ACCESS_KEY"), "NODE_ENV=development", "PORT=3000",
	}
}

// secretFiles are the files in which they lie, by their paths from the home directory.
func secretFiles() map[string]string {
	return map[string]string{
		"proj/.env":                "# settings\nPORT=3000\nDB_PASSWORD=" + value(".env") + "\nDATABASE_URL=postgres://app:" + url.QueryEscape(value(".env url")) + "@db:5432/app\nRAW_URL_PASSWORD='" + value(".env url") + "'\n",
		"proj/.env.local":          "OPENAI_API_KEY=" + value(".env.local") + "\n",
		"proj/.env.production":     "PASSPHRASE=\"" + value(".env.production") + "\"\n",
		"proj/.envrc":              "export SESSION_SECRET=" + value(".envrc") + "\n",
		"proj/deploy/key.pem":      pem,
		"proj/cookies.txt":         "# Netscape HTTP Cookie File\nexample.com\tFALSE\t/\tTRUE\t1999999999\tconnect.sid\t" + value("cookies.txt") + "\n",
		"proj/credentials.json":    `{"type": "service_account", "client_secret": "` + value("credentials.json") + `", "private_key": ` + strings.ReplaceAll(`"`+pem+`"`, "\n", `\n`) + "}\n",
		"proj/config/secrets.yaml": "database:\n  user: app\n  password: \"" + value("config/secrets.yaml") + "\"\n",
		"proj/terraform.tfvars":    "region      = \"eu\"\ndb_password = \"" + value("terraform.tfvars") + "\"\n",
		"proj/terraform.tfstate":   `{"resources": [{"instances": [{"attributes": {"password": "` + value("terraform.tfstate") + `"}}]}]}` + "\n",
		".netrc":                   "machine api.example.com login dev password " + value(".netrc") + "\n",
		".aws/credentials":         "[default]\naws_access_key_id = AKIAIOSFODNN7CANARY1\naws_secret_access_key = " + value(".aws/credentials") + "\n",
		".ssh/id_ed25519":          sshKey,
		".npmrc":                   "//registry.npmjs.org/:_authToken=" + value(".npmrc") + "\n",
		".docker/config.json":      `{"auths": {"registry.example.com": {"auth": "` + value(".docker/config.json") + `"}}}` + "\n",
		".kube/config":             "apiVersion: v1\nusers:\n- name: dev\n  user:\n    token: " + value(".kube/config") + "\n",
		".config/gh/hosts.yml":     "github.com:\n    oauth_token: " + value(".config/gh/hosts.yml") + "\n    user: dev\n",
		".pgpass":                  "db:5432:app:app:" + value(".pgpass") + "\n",
		".git-credentials":         "https://dev:" + value(".git-credentials") + "@git.example.com\n",
		".gnupg/private-keys-v1.d/0123456789ABCDEF0123456789ABCDEF01234567.key": "Key: (private-key (rsa (d #" + value(".gnupg") + "#)))\n",
		"other/.env": "ADMIN_PASSWORD=" + value("another project's .env") + "\n",
	}
}

// forms are the ways in which a value is recognised; see docs/secrets.md.
func forms(v string) (list []string) {
	list = []string{v, url.QueryEscape(v), url.PathEscape(v), strings.ReplaceAll(v, `/`, `\/`), strings.ReplaceAll(v, `'`, `'\''`), strings.ReplaceAll(v, "&", `\u0026`)}
	runes := []rune(v)
	slices.Reverse(runes)
	list = append(list, string(runes), hex.EncodeToString([]byte(v)), strings.ToUpper(hex.EncodeToString([]byte(v))))
	for before := range 3 {
		padded := append(make([]byte, before), v...)
		from, to := (before*8+5)/6, len(padded)*8/6
		for _, e := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			list = append(list, e.EncodeToString(padded)[from:to])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

var allForms = sync.OnceValue(func() (all [][]string) {
	for _, c := range canaries {
		all = append(all, forms(c.value))
	}
	return all
})

// seen lists which secrets a text shows in a form that is recognised.
func seen(text string) (kinds []string) {
	if text == "" {
		return nil
	}
	lines := strings.NewReplacer("\n", "", "\r", "").Replace(text) // what is broken into lines
	for i, c := range canaries {
		if slices.ContainsFunc(allForms()[i], func(form string) bool { return strings.Contains(text, form) || strings.Contains(lines, form) }) {
			kinds = append(kinds, c.kind)
		}
	}
	return kinds
}
