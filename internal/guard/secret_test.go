package guard_test

import (
	"io/fs"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/tool"
)

// TestSourcedSecrets: a file of secrets may be sourced for the programs that need what
// it sets; what it sets may not come to light, whatever the variables are called.
func TestSourcedSecrets(t *testing.T) {
	set, err := shipped()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		".env":        "DB_PASSWORD=pw-5312\nexport DATABASE_URL=postgres://u:pw-5312@h/db\nGREETING='hello there'\nPORT=3000 # of the server\nDEBUG=true\n",
		".env.runs":   "A=1\nB=$(date)\n",
		".env.other":  "A=1\necho $A\n",
		".env.broken": "A='\n",
		".env.path":   "PATH=bin:$PATH\n",
		".env.hook":   "PROMPT_COMMAND='ls'\n",
	}
	w := world()
	w.ReadSecret = func(path string) ([]byte, error) {
		for name, text := range files {
			if path == project+"/"+name {
				return []byte(text), nil
			}
		}
		return nil, fs.ErrNotExist
	}
	g := guard.Guard{Library: command.Builtin(), Policy: set}
	for _, test := range []struct {
		script string
		want   tool.Decision
	}{
		{"set -a; . ./.env; npm test", tool.Allow},
		{"source .env && npm test", tool.Allow},
		{"set -a; source .env; set +a; npm test", tool.Allow},
		{`. ./.env; psql "$DATABASE_URL" -c 'select 1'`, tool.Allow},
		{`. ./.env; [ -n "$DB_PASSWORD" ] && echo set`, tool.Allow},
		{`. ./.env; if [ -z "${GREETING:-}" ]; then echo none; fi`, tool.Allow},
		{`. ./.env; : "${GREETING:?must be set}"`, tool.Allow},
		{`. ./.env; [ "$GREETING" = hello ] || echo other`, tool.Allow},
		{`. ./.env; export X="$GREETING"; npm test`, tool.Allow},
		{`. ./.env; case $GREETING in h*) echo h;; esac`, tool.Allow},
		{`. ./.env; echo ${#GREETING} ${GREETING:+set}`, tool.Allow},
		{`. ./.env; echo "on port $PORT"; echo $((PORT + 1)); [ $PORT -gt 1024 ]`, tool.Allow}, // too small to be secret
		{`. ./.env; GREETING=x; echo $GREETING`, tool.Allow},
		{"set -x; npm test", tool.Allow},
		{`(. ./.env); printenv GREETING`, tool.Allow},

		// Printed.
		{". ./.env; echo $GREETING", tool.Ask},
		{". ./.env; x=$GREETING; printf '%s' \"$x\"", tool.Ask},
		{". ./.env; cat <<< $GREETING", tool.Ask},
		{". ./.env; [[ $GREETING =~ (.*) ]]; echo ${BASH_REMATCH[1]}", tool.Ask},
		{". ./.env; declare -A m; m[$GREETING]=1; echo ${!m[@]}", tool.Ask},
		{". ./.env; declare -p GREETING", tool.Ask},
		{". ./.env; set", tool.Ask},
		{". ./.env; export -p", tool.Ask},
		// Traced.
		{"set -x; . ./.env", tool.Ask},
		{"set -v; source .env", tool.Ask},
		{"set -o xtrace; . ./.env", tool.Ask},
		{"set -o verbose; . ./.env", tool.Ask},
		{"set -T; trap 'echo $BASH_COMMAND' DEBUG; . ./.env", tool.Ask},
		{"[ -n \"$CI\" ] && set -x; . ./.env", tool.Ask},
		{"f() { set -x; }; f; . ./.env", tool.Ask},
		{"bash -x -c '. ./.env'", tool.Ask},
		{"bash -vc 'source .env'", tool.Ask},
		{"sh -o xtrace -c '. ./.env'", tool.Ask},
		{"zsh -xc '. ./.env'", tool.Ask},
		{"bash -x .env", tool.Ask},
		{". ./.env; set -x; : $GREETING", tool.Ask},
		{". ./.env; set -x; x=$GREETING", tool.Ask},
		// In a complaint.
		{". ./.env; [ $GREETING -eq 1 ]", tool.Ask},
		{". ./.env; : ${nope?$GREETING}", tool.Ask},
		{". ./.env; : $((GREETING))", tool.Ask},
		{". ./.env; [[ $GREETING -gt 1 ]]", tool.Ask},
		{". ./.env; exit $GREETING", tool.Ask},
		{". ./.env; shift $GREETING", tool.Ask},
		{". ./.env; wait $GREETING", tool.Ask},
		{". ./.env; sleep $GREETING", tool.Ask},
		{". ./.env; head -n \"$GREETING\" a.txt", tool.Ask},
		{". ./.env; $GREETING", tool.Ask},
		{". ./.env; unset \"$GREETING\"", tool.Ask},
		// In a name.
		{". ./.env; touch build/$DB_PASSWORD", tool.Ask},
		{". ./.env; echo hi > build/$DB_PASSWORD", tool.Ask},
		{". ./.env; git tag \"$DB_PASSWORD\"", tool.Ask},
		{". ./.env; git checkout -b \"$DB_PASSWORD\"", tool.Ask},
		{". ./.env; select x in $GREETING; do break; done", tool.Ask},
		// Through the environment.
		{"set -a; . ./.env; printenv GREETING", tool.Ask},
		{"set -a; . ./.env; bash -c 'echo $GREETING'", tool.Ask},
		{"set -a; . ./.env; jq -n env.GREETING", tool.Ask},
		{"set -a; . ./.env; awk 'BEGIN { print ENVIRON[\"GREETING\"] }'", tool.Ask},
		{"set -a; . ./.env; python3 -c 'import os; print(os.environ[\"GREETING\"])'", tool.Ask},
		{". ./.env; X=$GREETING printenv X", tool.Ask},
		// Files that do more than set variables, or set those that count.
		{". ./.env.runs", tool.Ask},
		{". ./.env.other", tool.Ask},
		{". ./.env.broken", tool.Ask},
		{". ./.env.path; ls", tool.Ask},
		{". ./.env.hook; ls", tool.Ask},
		{". ./.env.missing", tool.Ask},
	} {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: test.script, Shell: true, Edits: true, Attended: true}, w)
		if v.Decision != test.want {
			t.Errorf("%s: %s (%s), want %s", test.script, v.Decision, v.Reason, test.want)
		}
		told := v.Reason + v.Suggest
		for _, f := range v.Findings {
			told += f.Reason + f.Suggest
		}
		for _, secret := range []string{"pw-5312", "hello there"} {
			if strings.Contains(told, secret) {
				t.Errorf("%s: the answer tells the secret: %s", test.script, told)
			}
		}
	}
}
