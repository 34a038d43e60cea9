//go:build linux || darwin

package veil

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// This very test binary is the program that runs others behind a filter: with --run, the secrets
// of its environment and of the files in VEIL_FILES.
func TestMain(m *testing.M) {
	Resume(signal.Ignore)
	if len(os.Args) > 2 && os.Args[1] == "--run" {
		s := &Secrets{}
		s.Environment(os.Environ())
		for name := range strings.FieldsSeq(os.Getenv("VEIL_FILES")) {
			text, err := os.ReadFile(name)
			if err != nil {
				panic(err)
			}
			s.File(name, text)
		}
		os.Exit(covered(s, os.Args[2:]))
	}
	os.Exit(m.Run())
}

// covered runs a program with what it prints filtered.
func covered(s *Secrets, argv []string) int {
	c, err := Put(s, os.Stdout, os.Stderr)
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Stdin = os.Stdin
	cmd.Stdout, cmd.Stderr = c.Inner()
	if err := cmd.Start(); err != nil {
		println(err.Error())
		return 127
	}
	c.Begin()
	err = cmd.Wait()
	hidden := c.End()
	if report := os.Getenv("VEIL_REPORT"); report != "" {
		text, _ := json.Marshal(hidden)
		_ = os.WriteFile(report, text, 0o600)
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		panic(err)
	}
	if ws := cmd.ProcessState.Sys().(syscall.WaitStatus); ws.Signaled() {
		_ = unix.Kill(os.Getpid(), ws.Signal())
		time.Sleep(50 * time.Millisecond)
	}
	return cmd.ProcessState.ExitCode()
}

func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not here", p)
		}
	}
}

// behind is a command that runs behind a filter.
func behind(dir, files string, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, append([]string{"--run"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "VEIL_FILES="+files)
	return cmd
}

const (
	pem = `-----BEGIN RSA PRIVATE KEY-----
MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF0JvqPNlAhxTcTkZQWLwNZkVqfXA
9ac0mDxW8pWsv8J2vXzjoSlw5vG5nKWFWsQOqJ7sKzsQYOZPZzCmh3SAAhMkL0fG
XJ3tVbq1N1bVYBpQ7Ah3oGgZxIpJUY3MqyJ2r6yvF7wqHzv2J3Q0hN0c2p4=
-----END RSA PRIVATE KEY-----
`
	unknownPEM = `-----BEGIN OPENSSH PRIVATE KEY-----
b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW
QyNTUxOQAAACDfd2Qq0fZ0mX1K8bqUQ3v2oY0hJ1c5b6D4u7w8x9y0zAAAAJi1a2b3c4d5
-----END OPENSSH PRIVATE KEY-----
`
)

// places are files with secrets of more than twenty kinds, and the secrets.
func places(t *testing.T) (dir, files string, secrets, shaped []string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		".env":                 "export DB_PASSWORD=\"s3cr3t-Pass/w0rd+x\"\nSTRIPE='it''s'\nDATABASE_URL=postgres://app:pg-Passw0rd-77@db.internal:5432/app\nPORT=3000\nSIGNING=Zm9vYmFyYmF6cXV4MTIz # a comment\nCERT=\"first-line-of-a-value-1\nsecond-line-of-a-value-2\"\n",
		"id_rsa":               pem,
		".netrc":               "machine api.example.com\n  login bot\n  password netrc-Passw0rd-5\n",
		".npmrc":               "//registry.npmjs.org/:_authToken=npm-plain-token-0042\n",
		".pypirc":              "[pypi]\nusername = __token__\npassword = pypirc-Passw0rd-6\n",
		"credentials.json":     "{\"client_id\": \"app\", \"client_secret\": \"json-\\\"Secret\\\"-8\", \"port\": 80}\n",
		"secrets.yaml":         "db:\n  password: yaml-Passw0rd-9 # not this\n  name: app\ntoken: |\n  block-Token-line-10\n",
		"config.toml":          "[auth]\napi_key = \"toml-Key-11-x\"\n",
		"credentials":          "[default]\naws_access_key_id = AKIAQWERTYUIOP123456\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYKEY12345678\n",
		"cookies.txt":          "# Netscape HTTP Cookie File\n.example.com\tTRUE\t/\tTRUE\t0\tsession\tcookie-Value-13-abc\n",
		"kubeconfig":           "users:\n- name: me\n  user:\n    token: kube-Token-14-abcdef\n",
		".pgpass":              "localhost:5432:*:app:pgpass-Word-15\n",
		".git-credentials":     "https://me:git-Passw0rd-16%21@example.com\n",
		"settings.xml":         "<server><id>x</id><password>maven-Passw0rd-17</password></server>\n",
		"token":                "bare-Token-18-abcdef\n",
		"docker.json":          "{\"auths\": {\"r.example.com\": {\"auth\": \"dXNlcjpkb2NrZXItUGFzc3cwcmQtMTk=\"}}}\n",
		"service-account.json": "{\"private_key\": \"" + strings.ReplaceAll(strings.ReplaceAll(pem, "9ac0mDxW", "9bd1mDxW"), "\n", `\n`) + "\"}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files += " " + name
	}
	secrets = []string{
		"s3cr3t-Pass/w0rd+x", "pg-Passw0rd-77", "Zm9vYmFyYmF6cXV4MTIz", "first-line-of-a-value-1", "second-line-of-a-value-2", "MIIEpAIBAAKCAQEA0Z3VS5JJcds3xfn/ygWyF0JvqPNlAhxTcTkZQWLwNZkVqfXA",
		"9ac0mDxW8pWsv8J2vXzjoSlw5vG5nKWFWsQOqJ7sKzsQYOZPZzCmh3SAAhMkL0fG", "netrc-Passw0rd-5", "npm-plain-token-0042", "pypirc-Passw0rd-6", `json-"Secret"-8`, "yaml-Passw0rd-9", "block-Token-line-10",
		"toml-Key-11-x", "AKIAQWERTYUIOP123456", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYKEY12345678", "cookie-Value-13-abc", "kube-Token-14-abcdef", "pgpass-Word-15", "git-Passw0rd-16%21", "git-Passw0rd-16!", "maven-Passw0rd-17",
		"bare-Token-18-abcdef", "dXNlcjpkb2NrZXItUGFzc3cwcmQtMTk=", "docker-Passw0rd-19", "9bd1mDxW8pWsv8J2vXzjoSlw5vG5nKWFWsQOqJ7sKzsQYOZPZzCmh3SAAhMkL0fG",
	}
	// Of these only the shape is known, and so only as they are.
	shaped = []string{
		"ghp_abcdefghijklmnopqrstuvwxyz0123456789", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N", "QyNTUxOQAAACDfd2Qq0fZ0mX1K8bqUQ3v2oY0hJ1c5b6D4u7w8x9y0zAAAAJi1a2b3c4d5",
	}
	return dir, files, secrets, shaped
}

func TestNoSecretIsShown(t *testing.T) {
	dir, files, secrets, shaped := places(t)
	secrets = append(secrets, "env-Secret-20-abc")
	all := strings.Join(secrets, "\n") + "\n"
	unknown := "GH=ghp_abcdefghijklmnopqrstuvwxyz0123456789\nJ=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N\n" + unknownPEM
	if err := os.WriteFile(filepath.Join(dir, "all"), []byte(all+unknown), 0o600); err != nil {
		t.Fatal(err)
	}
	needs(t, "git", "bash")
	for _, args := range []string{"init -q", "add -A", "-c user.name=x -c user.email=x@example.com commit -qm x", "rm -q --cached all .env", "-c user.name=x -c user.email=x@example.com commit -qm y"} {
		cmd := exec.Command("git", strings.Fields(args)...)
		if cmd.Dir = dir; cmd.Run() != nil {
			t.Fatal(args)
		}
	}
	for _, script := range []string{
		"cat all .env* id_rsa *.json *.yaml *.toml credentials cookies.txt .netrc .npmrc .git-credentials settings.xml", "env", "printenv", "bash -c 'set'", "git show HEAD~1", "git log -p", "git show HEAD~1:all", "git grep . $(git rev-list --all)",
		"grep -rn . .", "sed -n p all", "sed 's/^/> /' all", "sed 's/^/\x1b[31m/' all", "grep --color=always GH= all .env id_rsa", "cat -A .env", "head -50 all >&2", "bash -x -c '. ./.env; echo $DB_PASSWORD; false'", "LC_ALL=$API_SECRET bash -c :", "exec -a \"$API_SECRET\" ls nosuch", "tac all", "sort all", "rev all", "xxd -p all", "base64 all", "base64 -w0 all", "base64 -w 40 all",
		"od -An -v -tx1 all | tr -d ' \\n'", "printf %q \"$(cat all)\"", "while IFS= read -r l; do for ((i=0; i<${#l}; i++)); do printf %s \"${l:i:1}\"; done; echo; done < all",
		"python3 -c 'print(open(\"all\").read())'", "python3 -c 'import json;print(json.dumps(open(\"all\").read()))'", "python3 -c 'print(repr(open(\"all\").read()))'", "python3 -c 'import urllib.parse as u;print(u.quote(open(\"all\").read()), u.quote_plus(open(\"all\").read()))'",
		"python3 -c 'import base64;[print(base64.b64encode(b\"xy\"[:n]+l)) for l in open(\"all\",\"rb\").read().split() for n in (0,1,2)]'", "python3 -c 'print(open(\"all\",\"rb\").read().hex())'", "python3 -c 'print(open(\"all\").read()[::-1])'",
		"node -e 'console.log(process.env)'", "node -e 'console.log(JSON.stringify(fs.readFileSync(\"all\",\"utf8\")), encodeURIComponent(fs.readFileSync(\"all\",\"utf8\")))'", "openssl base64 -in all",
	} {
		name, _, _ := strings.Cut(script, " ")
		if _, err := exec.LookPath(name); err != nil && name != "exec" && name != "while" && !strings.Contains(name, "=") {
			continue
		}
		cmd := behind(dir, files, "bash", "-c", script)
		cmd.Env = append(cmd.Env, "API_SECRET=env-Secret-20-abc", "UNKNOWN=ghp_abcdefghijklmnopqrstuvwxyz0123456789")
		out, _ := cmd.CombinedOutput()
		if strings.Count(string(out), opening) == 0 {
			t.Errorf("%s: nothing is hidden in %.200q", script, out)
		}
		for _, secret := range secrets {
			for form, text := range map[string]string{"as it is": secret, "in hex": hexOf(secret), "reversed": reverse(secret)} {
				if strings.Contains(string(out), text) {
					t.Errorf("%s shows %q %s", script, secret, form)
				}
			}
		}
		for i, secret := range shaped {
			// Without its first line a key is no key.
			if strings.Contains(string(out), secret) && (i < 2 || !strings.HasPrefix(script, "tac ") && !strings.HasPrefix(script, "sort ")) {
				t.Errorf("%s shows %q", script, secret)
			}
		}
	}
}

func reverse(text string) string {
	b := []byte(text)
	for i := range len(b) / 2 {
		b[i], b[len(b)-1-i] = b[len(b)-1-i], b[i]
	}
	return string(b)
}

func TestOrdinaryProgramsAreUnchanged(t *testing.T) {
	needs(t, "bash", "git")
	dir, files, _, _ := places(t)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range []string{
		"ls -la /usr/bin", "cat filter.go table.go run_unix.go", "head -c 300000 /proc/self/exe 2>/dev/null || cat filter.go", "seq 100000", "printf '\\x00\\xff\\r\\n\\x1b[1m'", "git log --stat -3", "git diff --color=always --stat HEAD~1 -- .", "wc *.go",
		"echo out; echo err >&2; echo out", "md5sum *.go; exit 3", "date +%Y", "grep -n func *.go", "base64 filter.go", "true", "printf 'no newline? '", "kill -TERM $$",
	} {
		plain := exec.Command("bash", "-c", script)
		plain.Dir = here
		veiled := behind(here, "", "bash", "-c", script)
		veiled.Env = append(veiled.Env, "VEIL_FILES=")
		for name := range strings.FieldsSeq(files) {
			veiled.Env[len(veiled.Env)-1] += " " + filepath.Join(dir, name)
		}
		want, err1 := plain.CombinedOutput()
		got, err2 := veiled.CombinedOutput()
		if !bytes.Equal(want, got) {
			t.Errorf("%s prints\n%.300q, not\n%.300q", script, got, want)
		}
		if plain.ProcessState.Sys().(syscall.WaitStatus) != veiled.ProcessState.Sys().(syscall.WaitStatus) {
			t.Errorf("%s ends with %v, not %v", script, err2, err1)
		}
	}
}

// The order of what goes to one place stays, and what goes to two stays apart.
func TestOrder(t *testing.T) {
	needs(t, "bash")
	script := "for i in 1 2 3 4 5 6 7 8 9; do echo o$i; echo e$i >&2; done"
	var want strings.Builder
	for _, n := range "123456789" {
		want.WriteString("o" + string(n) + "\ne" + string(n) + "\n")
	}
	if out, err := behind("", "", "bash", "-c", script).CombinedOutput(); err != nil || string(out) != want.String() {
		t.Errorf("%v: %s", err, out)
	}
	cmd := behind("", "", "bash", "-c", script)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if out, err := cmd.Output(); err != nil || strings.Contains(string(out), "e") || strings.Contains(stderr.String(), "o") {
		t.Errorf("%v: %s, %s", err, out, stderr.String())
	}
}

// A job in the background does not hold the exit status back, and is filtered all the same.
func TestBackground(t *testing.T) {
	needs(t, "bash")
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd := behind("", "", "bash", "-c", "(sleep 3; echo 56789 late $API_TOKEN; echo $API_TOKEN >&2) & echo early $API_TOKEN; printf 'early- ghp_abcdefghijklmnopqrstuvwxyz01234'; exit 4")
	cmd.Env = append(cmd.Env, "API_TOKEN=early-late-Token-1")
	cmd.Stdout, cmd.Stderr = out, out
	began := time.Now()
	err = cmd.Run()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 4 {
		t.Errorf("it ends with %v", err)
	}
	if d := time.Since(began); d > 2500*time.Millisecond {
		t.Errorf("the exit status took %v", d)
	}
	want := "early ‹hidden:API_TOKEN›\nearly- ‹hidden:ghp-token› late ‹hidden:API_TOKEN›\n‹hidden:API_TOKEN›\n"
	var text []byte
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end) && len(text) < len(want); time.Sleep(20 * time.Millisecond) {
		text, _ = os.ReadFile(out.Name())
	}
	if string(text) != want {
		t.Errorf("%q, not %q", text, want)
	}
}

func TestReport(t *testing.T) {
	needs(t, "bash")
	report := filepath.Join(t.TempDir(), "report")
	cmd := behind("", "", "bash", "-c", "echo $API_TOKEN $API_TOKEN; echo $API_TOKEN >&2")
	cmd.Env = append(cmd.Env, "API_TOKEN=a-Token-1-abc", "VEIL_REPORT="+report)
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(report); string(text) != `{"API_TOKEN":3}` {
		t.Errorf("%s", text)
	}
}
