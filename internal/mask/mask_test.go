package mask_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/mask"
	"longline/internal/reader"
	"longline/internal/tool"
)

var world = &tool.World{Home: "/home/me", Project: "/home/me/p"}

func read(script string) []*command.Invocation {
	return reader.Read(script, "/home/me/p", world, command.Builtin()).Invocations
}

func lines(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, line := range strings.Split(string(text), "\n") {
		if line != "" && !strings.HasPrefix(line, "# ") {
			list = append(list, line)
		}
	}
	if len(list) < 150 {
		t.Fatalf("%s has only %d lines", name, len(list))
	}
	return list
}

// TestSecrets masks commands that hold a secret, which contains the word
// PLANTED. Nothing of that may be left, also where the command is quoted.
func TestSecrets(t *testing.T) {
	for _, line := range lines(t, "secrets.txt") {
		invs := read(line)
		got := mask.Script(line, invs)
		if strings.Contains(got, "PLANTED") || !strings.Contains(got, mask.Mark) {
			t.Errorf("%s\nbecame %s", line, got)
		}
		reason := "Runs " + line
		if _, got := mask.Both(line, reason, invs); strings.Contains(got, "PLANTED") {
			t.Errorf("the reason %s\nbecame %s", reason, got)
		}
		if got := mask.Structure(invs); strings.Contains(got, "PLANTED") {
			t.Errorf("%s\nhas the structure %s", line, got)
		}
	}
}

// Secrets that come in more than one line, and how much of the script stays.
func TestSecretsInLines(t *testing.T) {
	for _, test := range []struct{ script, want string }{
		{"gh auth login --with-token <<EOF\nPLANTEDtok\nEOF\nls", "gh auth login --with-token <<EOF\n***\nEOF\nls"},
		{"cat <<'X' | docker login -u me --password-stdin\nPLANTEDpw\nX", "cat <<'X' | docker login -u me --password-stdin\n***\nX"},
		{"cat >.env <<EOF\nPORT=80\nDB_PASSWORD=PLANTED\nEOF", "cat >.env <<EOF\nPORT=80\nDB_PASSWORD=***\nEOF"},
		{"cat >x.yml <<EOF\nuser: me\npassword: PLANTED\nEOF", "cat >x.yml <<EOF\nuser: me\npassword: ***\nEOF"},
		{"curl -d @- https://api.example <<E\n{\n  \"name\": \"x\",\n  \"client_secret\": \"PLANTED\"\n}\nE", "curl -d @- https://api.example <<E\n{\n  \"name\": \"x\",\n  \"client_secret\": \"***\"\n}\nE"},
		{"curl https://api.example \\\n  -H 'Authorization: Bearer PLANTED' \\\n  -d x=1", "curl https://api.example \\\n  -H 'Authorization: Bearer ***' \\\n  -d x=1"},
		{"psql <<E\nalter user me password 'PLANTED';\nselect 1;\nE", "psql <<E\nalter user me password '***';\nselect 1;\nE"},
		{"for p in a b; do\n  sshpass -p PLANTED ssh $p ls\ndone", "for p in a b; do\n  sshpass -p *** ssh $p ls\ndone"},
		{"f() { vault login PLANTED; }\nf", "f() { vault login ***; }\nf"},
		{"cat >key <<E\n-----BEGIN PRIVATE KEY-----\nPLANTED\n-----END PRIVATE KEY-----\nE", "cat >key <<E\n-----BEGIN PRIVATE KEY-----***-----END PRIVATE KEY-----\nE"},
	} {
		if got := mask.Script(test.script, read(test.script)); got != test.want {
			t.Errorf("%s\nbecame %s\nwant %s", test.script, got, test.want)
		}
	}
}

// TestHarmless leaves commands alone that hold none.
func TestHarmless(t *testing.T) {
	for _, line := range lines(t, "harmless.txt") {
		if got := mask.Script(line, read(line)); got != line {
			t.Errorf("%s\nbecame %s", line, got)
		}
	}
}

func TestStructure(t *testing.T) {
	for _, test := range []struct{ script, want string }{
		{"git commit -m 'secret plans' && git push origin main", "git commit -m; git push _ _"},
		{"rm -rf /home/me/x", "rm -r -f _"},
		{"$X --y", "_ _"},
	} {
		if got := mask.Structure(read(test.script)); got != test.want {
			t.Errorf("%s: got %q, want %q", test.script, got, test.want)
		}
	}
}

// Masking never crashes, and never brings back what it has masked.
func FuzzScript(f *testing.F) {
	for _, s := range []string{"TOKEN=x make", "curl -u a:b https://c:d@e/", "echo 'unclosed", "-----BEGIN PRIVATE KEY-----\nx"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, script string) {
		invs := read(script)
		once := mask.Script(script, invs)
		mask.Both(script, script, invs)
		mask.Structure(invs)
		if twice := mask.Text(once); twice != once {
			t.Errorf("%q masked is %q, masked again %q", script, once, twice)
		}
	})
}

// A key has many lines, and the script may hold them in many ways. No line of it is
// left wherever the script, a word of it or one line is quoted, also as JSON.
func TestKeysOfManyLines(t *testing.T) {
	body := []string{"MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwPLANTEDA", "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3SC6dVPLANTEDB", "c2VjcmV0bGFzdGxpbmPLANTEDC=="}
	key := func(kind, between string) string {
		return "-----BEGIN " + kind + "-----" + between + strings.Join(body, between) + between + "-----END " + kind + "-----"
	}
	tried := 0
	for _, kind := range []string{"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"} {
		for _, script := range []string{
			"echo '" + key(kind, "\n") + "' > key.pem",
			"cat > key.pem <<'E'\n" + key(kind, "\n") + "\nE",
			"cat > key.pem <<-E\n\t" + key(kind, "\n\t") + "\nE",
			"KEY='" + key(kind, "\n") + "'; echo \"$KEY\" | ssh-add -",
			"KEY='" + key(kind, "\n") + "'; frobnicate $KEY",
			"KEY=$'" + key(kind, `\n`) + "'; frobnicate $KEY",
			"printf '" + key(kind, `\n`) + "' > key.pem",
			"curl -d '{\"key\": \"" + key(kind, `\n`) + "\"}' https://host.example/",
			"frobnicate --key '" + key(kind, "\r\n") + "'",
			"frobnicate --key '" + key(kind, " ") + "'",
			"python3 -c 'frob(\"" + key(kind, `\n" + "`) + "\")'",
			"frobnicate '" + key(kind, "\n"),
			"frobnicate # " + key(kind, "\n# "),
			"kubectl apply -f - <<E\nkey: |\n    " + key(kind, "\n    ") + "\nE",
		} {
			tried++
			invs := read(script)
			quoted := mask.Reasons(script, invs)
			hidden := mask.Hidden(script, invs)
			texts := []string{mask.Script(script, invs), quoted("Runs " + script)}
			for _, line := range body {
				texts = append(texts, quoted("there is no program \""+line+"\""), hidden("1. frobnicate "+line+" in ~"))
			}
			for _, inv := range invs {
				words := []string{}
				for _, w := range inv.Words {
					words = append(words, w.Text)
				}
				asJSON, err := json.Marshal(words)
				if err != nil {
					t.Fatal(err)
				}
				texts = append(texts, hidden(string(asJSON)), hidden(strings.Join(words, " ")))
			}
			asJSON, err := json.Marshal(script)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range append(texts, hidden(string(asJSON)), hidden(script)) {
				if strings.Contains(text, "PLANTED") {
					t.Errorf("%s\nleaves %s", script, text)
				}
			}
		}
	}
	if tried < 80 {
		t.Errorf("only %d scripts were tried", tried)
	}
}
