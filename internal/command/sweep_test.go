package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// soughtPatterns says of expressions whether a search for them is one for secrets, or for all there is.
var soughtPatterns = []struct {
	secret   bool
	patterns []string
}{
	{true, []string{
		"PASSWORD", "API_KEY=", "KEY=", "KEY", "DB_PASSWORD|API_TOKEN", "^AWS_SECRET", `\bSTRIPE_KEY\b`, "", ".", ".*", "^", "=", `\w`, "://", `\d`, "(?i)password",
		"^[A-Z_]+=", "^(export )?[A-Z_]+=", `^\(export \)\?[A-Z_]*=`, "[A-Z0-9_]{3,}=\\S+", `[A-Z0-9_]\{3,\}=`, "[A-Z_]*KEY", "[A-Z_]+KEY=", ".*KEY.*", "KEY[=:]", "(API|APP)_?KEY", "(TODO|[A-Z_]+=)",
		"[a-z]", "[[:upper:]_]+=", "[A-Z][A-Z]*", `^\s*[A-Za-z_]\w*=`, "[A-Za-z0-9+/]{32,}", "[a-f0-9]{40}", `"[^"]*"`, "^[^#]", "[^=]*=.+", "PASS(WORD)?", "[K]EY", "://[^:]+:[^@]+@", "(([A-Z]+_)+[A-Z]+)=",
		"^[A-Z]+(_[A-Z]+)*=", "TODO\n^[A-Z_]*=", "(?:[A-Z]+_)?TOKEN", "^[^ ]*$", "^(?!#).*", "x*",
	}},
	{false, []string{
		"TODO", "password", "tokenize", "secret", "KEYBOARD", "HTTP", "func main", "PRIMARY KEY", "MAX_TOKENS", `foo\(`, `def [a-z_]+\(`, "[Tt]odo", "[tT][oO][dD][oO]", "TODO|FIXME", `TODO\|FIXME`,
		`[^\x00-\x7F]`, `[\x80-\xFF]`, `[[:space:]]+$`, `[[:space:]]\+$`, `\s+$`, "^[[:space:]]*$", "[0-9]+\\.[0-9]+\\.[0-9]+", "[0-9]{4}-[0-9]{2}-[0-9]{2}", `\$[A-Z_]+`, `\$\{[A-Z_]+\}`, "<[A-Z][a-z]+", `#[0-9a-fA-F]{6}`,
		"[a-z]*(", `[a-z]+\(`, "api[_-]?key", "passw(or)?d", `process\.env\.[A-Z_]+`, "^import [a-z]+", "class [A-Z]", "v[0-9]+", "^=======$", "^[0-9]+", "[A-Z]+_ID", `\p{Han}`, "[—–]", "^[<>=]{7}", "=>", "port [0-9]+",
		"export (const|function) [A-Z]", `^## `, "@[a-z]+/[a-z]+", "()(", "[a",
	}},
}

func TestSeeksSecret(t *testing.T) {
	for _, c := range soughtPatterns {
		for _, pattern := range c.patterns {
			if got := seeksSecret(pattern, false); got != c.secret {
				t.Errorf("seeksSecret(%q) = %v", pattern, got)
			}
		}
	}
	for pattern, want := range map[string]bool{
		"password": true, "api_key": true, "todo": false, "keyboard": false, "api[_-]?key": true, `api[_-]?key\s*[=:]\s*\S+`: true, "passw(or)?d": true, "(access|auth)[_-]?token": true, `api\(_\|-\)key`: true,
		"^[a-z_]+=": true, "todo|fixme": false, "event.key": false, "[a-z]+board": false, "api[_-]?version": false,
	} {
		if got := seeksSecret(pattern, true); got != want {
			t.Errorf("seeksSecret(%q) in any case = %v", pattern, got)
		}
	}
}

// What a search for an expression really finds in a file of settings is never taken to be limited, unless a letter in the
// expression is in the name or value by chance.
func TestSoughtAsGrepFinds(t *testing.T) {
	grep, err := exec.LookPath("grep")
	if err != nil {
		t.Skip("there is no grep")
	}
	file := filepath.Join(t.TempDir(), "settings")
	var all string
	for _, line := range settingLines {
		if len(line) > 63 {
			t.Errorf("%q has more characters than a number has bits", line)
		}
		all += line + "\n"
	}
	if err := os.WriteFile(file, []byte(all), 0o600); err != nil {
		t.Fatal(err)
	}
	finds := func(kind, pattern string) bool {
		return exec.Command(grep, "-q", kind, "-e", pattern, file).Run() == nil
	}
	atoms := []string{"[A-Z]", "[A-Z_]", "[^a-z]", "[[:alpha:]]", "[]=]", `\w`, ".", "=", "[0-9]", `"`, "[^=]", "[_-]", "[-_]"}
	times := map[string][]string{"-E": {"", "*", "+", "?", "{2}", "{3,}", "{1,2}"}, "-G": {"", "*", `\+`, `\?`, `\{2\}`, `\{3,\}`, `\{1,2\}`}}
	frames := map[string][]string{"-E": {"%", "^%", "%$", "^%=", "(%)", "(%|TODO)", "^(export )?%=", "(TODO|%)=", "^(%)+="}, "-G": {"%", "^%", "%$", "^%=", `\(%\)`, `\(%\|TODO\)`, `^\(export \)\?%=`, `\(TODO\|%\)=`, `^\(%\)*=`}}
	checked := 0
	for kind, list := range times {
		for _, atom := range atoms {
			for _, n := range list {
				for _, frame := range frames[kind] {
					before, after := cutFrame(frame)
					pattern := before + atom + n + after
					want := finds(kind, pattern)
					got := false
					for _, way := range sought(pattern, kind == "-E") {
						got = got || findsSettings(way, false)
					}
					if checked++; want && !got {
						t.Errorf("grep %s %q finds settings, but is taken to be limited", kind, pattern)
					}
				}
			}
		}
	}
	t.Log(checked, "expressions")
}

func cutFrame(frame string) (before, after string) {
	for i := range frame {
		if frame[i] == '%' {
			return frame[:i], frame[i+1:]
		}
	}
	return frame, ""
}
