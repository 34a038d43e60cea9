package mask_test

import (
	"os"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/mask"
	"longline/internal/shell"
	"longline/internal/tool"
)

var world = &tool.World{Home: "/home/me", Project: "/home/me/p"}

func read(script string) []*command.Invocation {
	return shell.Resolve(script, "/home/me/p", world, command.Builtin()).Invocations
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
		if got := mask.Reason(reason, line, invs); strings.Contains(got, "PLANTED") {
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
		mask.Reason(script, script, invs)
		mask.Structure(invs)
		if twice := mask.Text(once); twice != once {
			t.Errorf("%q masked is %q, masked again %q", script, once, twice)
		}
	})
}
