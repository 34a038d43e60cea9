package veil

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestWhatCounts(t *testing.T) {
	dir := t.TempDir()
	for value, want := range map[string]bool{
		// Short ones, common ones, and those that somebody has yet to fill in.
		"": false, "abc12": false, "abcdef": false, "abc123": true, "ab-cde": false, "1234567": false, "abcdefg": false, "abcdefgh": false, "aaaaaaaaaa": false,
		"true": false, "localhost": false, "development": false, "Password": false, "postgres": false, "changeme": false, "change-me-please": false, "your-api-key-here": false,
		"<your token>": false, "xxxxxxxxxxxx": false, "********": false, "TODO: fill in": false, "placeholder-token": false, "example-secret": false, "not-an-exampl3-of-it": true,
		// Numbers, dates, versions, machines.
		"300000": false, "20240131": false, "84629305": true, "4111111111111111": true, "2024-01-31": false, "2024-01-31T10:00:00Z": false, "1.2.3-rc.1": false, "v10.20.30": false, "127.0.0.1:5432": false,
		"10.0.0.0/8": false, "12:30:45": false, "3f2b8c1d-9e4a-4b7c-8d6e-5f1a2b3c4d5e": true,
		// What an agent works with.
		"$DB_PASSWORD": false, "${DB_PASSWORD}": false, "$(pass show db)": false, "{{ .Values.password }}": false, "op://vault/item/field": false, "me@example.com": false, "p@ssw0rd!": true,
		"https://example.com/path": false, "postgres://app@db/app": false, dir: false, filepath.Join(dir, "not-there-1"): true, "~/.ssh/id_rsa": false, "s3cr3t/with/slashes": true, "db.internal.example.com": false, "db:5432": false,
		// Plain words.
		"my-app-production": false, "My Application": false, "correct horse battery staple": false, "Zm9vYmFyYmF6": true, "averyveryverylongword": true, "hunter2-hunter2": true, "wJalrXUtnFEMI": true,
	} {
		if got := counts(value, false); got != want {
			t.Errorf("%q: %v", value, got)
		}
	}
	for _, value := range []string{"abcdefgh", "correct horse battery staple", "my-app-production", "averyveryverylongword"} {
		if !counts(value, true) {
			t.Errorf("%q does not count although its name says so", value)
		}
	}
	for _, value := range []string{"password", "changeme", "true", "300000", "https://example.com", "${X}", dir, "secret"} {
		if counts(value, true) {
			t.Errorf("%q counts because of its name", value)
		}
	}
}

func names(s *Secrets) (list []string) {
	for _, v := range s.values {
		list = append(list, v.name+"="+v.text)
	}
	slices.Sort(list)
	return list
}

func TestEnvironment(t *testing.T) {
	s := &Secrets{}
	s.Environment([]string{
		"PATH=/usr/bin:/opt/thing-1/bin", "API_KEY=key-Value-1", "MAX_TOKENS=100000000", "SSH_AUTH_SOCK=/tmp/ssh-XYZ12/agent.1", "GITHUB_TOKEN=changeme", "HTTPS_PROXY=http://me:proxy-Pass-2@proxy:3128",
		"DATABASE_URL=postgres://u:db-Pass%213@h/d?sslmode=off", "SLACK_WEBHOOK_URL=https://hooks.slack.com/services/T000/B000/abcDEF123456", "COPY=key-Value-1", "OTHER_KEY=key-Value-1", "EMPTY_TOKEN=", "odd",
	})
	want := []string{"API_KEY=key-Value-1", "DATABASE_URL#2=db-Pass!3", "DATABASE_URL=db-Pass%213", "HTTPS_PROXY=proxy-Pass-2", "SLACK_WEBHOOK_URL=T000/B000/abcDEF123456"}
	if got := names(s); !slices.Equal(got, want) {
		t.Errorf("%q\nnot\n%q", got, want)
	}
}

func TestFiles(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{
			".env", "PORT=3000\nNODE_ENV=production-2\n# OLD_KEY=old-Value-1\n# see https://example.com/a?b=c1\nexport A_KEY='v\"alue-1' # note\nLOG_LEVEL=debug-12\nVITE_API_KEY=public-Val-1\nOPAQUE=Qx7-9zz_1\nEMPTY=\nAPP_NAME=\"My App 12\"\n",
			"A_KEY=v\"alue-1 OLD_KEY=old-Value-1 OPAQUE=Qx7-9zz_1",
		},
		{"app/.env.local", "A=one-Value-1=\r\nB=\"two\\nLines-of-one-value-2\"\r\n", "A=one-Value-1= B=Lines-of-one-value-2 B=two\nLines-of-one-value-2"},
		{".env.example", "A_KEY=not-Secret-1\n", ""},
		{"a.json", `{"user":"name-1234","auth":{"apiKey":"k-1234567","token":null,"n":[1,2]},"password" : "two\u0021-words"}`, "apiKey=k-1234567 password=two!-words"},
		{"a.yml", "a: {password: 'inline-1', other: b-1234567}\nlist:\n  - token: item-Token-2\nsecret: >-\n  folded-Secret-3\nnext: no-Secret-4\n", "password=inline-1 token=item-Token-2 secret=folded-Secret-3"},
		{"x.ini", "[db]\nuser = app-12345\npassword = ini-Pass-1 ; \nurl = mysql://a:url-Pass-2@h\n", "password=ini-Pass-1 x.ini:4=url-Pass-2"},
		{".npmrc", "//r.example.com/:_authToken=tok-1234567\nregistry=https://r.example.com\n", "_authToken=tok-1234567"},
		{".netrc", "machine a login b password c-12345678 machine d\nlogin e\npassword\nf-12345678", ".netrc:1=c-12345678 .netrc:4=f-12345678"},
		{"cookies.sqlite.txt", "# Netscape HTTP Cookie File\n#HttpOnly_.a.com\tTRUE\t/\tTRUE\t0\tsid\tcookie-1234\n", "sid=cookie-1234"},
		{"db_password", "bare-Pass-12\n", "db_password=bare-Pass-12"},
		{"notes.txt", "the key is ghp_abcdefghijklmnopqrstuvwxyz0123456789\n", "notes.txt:1=ghp_abcdefghijklmnopqrstuvwxyz0123456789"},
		{"cert.pem", "-----BEGIN CERTIFICATE-----\nMIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn\n-----END CERTIFICATE-----\n", ""},
		{"auth", "{\"auth\": \"" + "dXNlcjpkb2NrZXItUGFzc3cwcmQtMTk=" + "\"}", "auth=dXNlcjpkb2NrZXItUGFzc3cwcmQtMTk= auth:auth=docker-Passw0rd-19 auth:auth#2=user:docker-Passw0rd-19"},
		{"k.pem", "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtLYX5\n-----END EC PRIVATE KEY-----\n", "k.pem=MHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtLYX5 k.pem=-----BEGIN_EC_PRIVATE_KEY-----\nMHcCAQEEIIrYSSNQFaA2Hwf1duRSxKtLYX5\n-----END_EC_PRIVATE_KEY-----"},
	} {
		s := &Secrets{}
		s.File(test.name, []byte(test.text))
		want := []string{}
		for _, w := range strings.Split(test.want, " ") {
			if w != "" {
				want = append(want, w)
			}
		}
		slices.Sort(want)
		got := names(s)
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], " ", "_")
		}
		if !slices.Equal(got, want) && len(got)+len(want) > 0 {
			t.Errorf("%s:\n%q\nnot\n%q", test.name, got, want)
		}
	}
}

// A name stands for one value, and a value has one name.
func TestNames(t *testing.T) {
	s := &Secrets{}
	s.File("a/.env", []byte("X_KEY=value-One-1\nY_KEY=value-One-1\n"))
	s.File("b/.env.test", []byte("X_KEY=value-Two-2\n"))
	s.File("c/.env.test", []byte("X_KEY=value-Three-3\n"))
	if got := strings.Join(names(s), " "); got != ".env.test:X_KEY#2=value-Three-3 .env.test:X_KEY=value-Two-2 X_KEY=value-One-1" {
		t.Error(got)
	}
}

// Whatever a file holds, it is read without a panic and in little time.
func FuzzFile(f *testing.F) {
	for _, text := range []string{"A='b", "a: |\n  b", "{\"key\":\"\\", "<a>b</a>", "x://a:b@c", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", "password = \"a\nb\"", "eyJ.ghp_"} {
		f.Add(".env", text)
		f.Add("x", text)
		f.Add(".netrc", text)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		s := &Secrets{}
		s.File(name, []byte(text))
		s.table()
	})
}
