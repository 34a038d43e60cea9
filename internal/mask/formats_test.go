package mask_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"longline/internal/mask"
)

const mixed = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// characters are the sets that testdata/formats.txt names.
var characters = map[string]string{
	"d": "0123456789", "h": "0123456789abcdef", "H": "0123456789ABCDEF", "a": "abcdefghijklmnopqrstuvwxyz", "l": "0123456789abcdefghijklmnopqrstuvwxyz", "u": "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"m": mixed, "t": mixed + "_-", "b": mixed + "+/", "2": "234567ABCDEFGHIJKLMNOPQRSTUVWXYZ", "5": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
}

var random = regexp.MustCompile(`\{(\d+):(\w)\}`)

// format is a kind of secret, with one that was made up.
type format struct {
	name, text string
	parts      []string // what must not be seen again
}

func formats(t *testing.T) []format {
	t.Helper()
	text, err := os.ReadFile("testdata/formats.txt")
	if err != nil {
		t.Fatal(err)
	}
	source := rand.New(rand.NewPCG(1, 2))
	var list []format
	for _, line := range strings.Split(string(text), "\n") {
		name, template, ok := strings.Cut(line, " ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		f := format{name: name}
		f.text = random.ReplaceAllStringFunc(template, func(part string) string {
			m := random.FindStringSubmatch(part)
			n, err := strconv.Atoi(m[1])
			set := characters[m[2]]
			if err != nil || set == "" {
				t.Fatalf("%s: %s", name, part)
			}
			secret := make([]byte, n)
			for i := range secret {
				secret[i] = set[source.IntN(len(set))]
			}
			if n >= 8 { // real ones have digits and letters
				secret[1], secret[n-2] = set[source.IntN(min(6, len(set)))], set[min(len(set)-1, 10+source.IntN(6))]
				if m[2] == "b" {
					secret[n/2] = '/'
				}
				f.parts = append(f.parts, string(secret))
			}
			return string(secret)
		})
		f.text = strings.ReplaceAll(f.text, `\n`, "\n")
		list = append(list, f)
	}
	return list
}

// lastOnly are formats of which the last part is the secret; those before it say whose
// it is.
var lastOnly = map[string]bool{
	"slack-webhook": true, "slack-trigger": true, "discord-webhook": true, "telegram-bot": true, "telegram-url": true, "zapier-hook": true, "terraform-cloud": true, "teams-webhook": true, "asana": true, "cloudinary-url": true, "sentry-dsn": true,
}

// TestFormats plants a secret of every format in the ways in which secrets come: as a
// word, a variable, the value of a flag, in a header, in a file, in a script that cannot
// be read, and in what longline says about it.
func TestFormats(t *testing.T) {
	list := formats(t)
	if len(list) < 300 {
		t.Errorf("only %d formats", len(list))
	}
	tried := 0
	for _, f := range list {
		quoted := "'" + strings.ReplaceAll(f.text, "'", `'\''`) + "'"
		if lastOnly[f.name] {
			f.parts = f.parts[len(f.parts)-1:]
		}
		seen := func(text string) bool {
			for _, part := range f.parts {
				if strings.Contains(text, part) {
					return true
				}
			}
			return false
		}
		for _, way := range []string{
			"TOOL=X frobnicate", "frobnicate X", "frobnicate --value X y", "frobnicate --value=X", "curl -H X https://example.com/", "echo X > file", "printf '%s' X | frobnicate", "frobnicate X 'half",
			"cat > f <<'EOF'\nRAW\nEOF", "git commit -m X", "bash -c \"frobnicate RAW\"",
		} {
			if strings.Contains(way, "\"") && strings.ContainsAny(f.text, "\"$\\`!;&|<>()\n") {
				continue
			}
			tried++
			line := strings.ReplaceAll(strings.ReplaceAll(way, "RAW", f.text), "X", quoted)
			if strings.Contains(way, "RAW") {
				line = strings.ReplaceAll(way, "RAW", f.text)
			}
			masked, reason := mask.Both(line, "Cannot be judged: longline does not know the program "+strconv.Quote(f.text)+"; Deletes "+filepath.Join("~/proj", f.text)+" in the project", read(line))
			if seen(masked) {
				t.Errorf("%s: %q became %q", f.name, line, masked)
				break
			}
			if seen(reason) {
				t.Errorf("%s: the reason is %q", f.name, reason)
				break
			}
			if shown := mask.Hidden(line, read(line))(line); seen(shown) || len(shown) != len(line) {
				t.Errorf("%s: %q is shown as %q", f.name, line, shown)
				break
			}
		}
		// As it stands in an error or in a file that is quoted.
		for _, text := range []string{f.text, "error: cannot use " + f.text, "line 3: " + strconv.Quote(f.text), `{"value":` + strconv.Quote(f.text) + `}`} {
			tried++
			if got := mask.Text(text); seen(got) {
				t.Errorf("%s: the text %q became %q", f.name, text, got)
				break
			}
		}
	}
	t.Logf("%d formats in %d places", len(list), tried)
}

// TestOrdinary: what looks random and is no secret stays readable.
func TestOrdinary(t *testing.T) {
	for _, line := range lines(t, "ordinary.txt") {
		if got := mask.Text(line); got != line {
			t.Errorf("%s\nbecame %s", line, got)
			continue
		}
		script := "echo '" + strings.ReplaceAll(line, "'", "") + "'"
		if got := mask.Script(script, read(script)); got != script {
			t.Errorf("%s\nbecame %s", script, got)
		}
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
