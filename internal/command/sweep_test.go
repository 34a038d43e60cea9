package command

import "testing"

// soughtPatterns says of expressions whether a search for them is one for secrets, or for all there is.
var soughtPatterns = []struct {
	secret   bool
	patterns []string
}{
	{true, []string{
		"PASSWORD", "API_KEY=", "KEY=", "KEY", "DB_PASSWORD|API_TOKEN", "^AWS_SECRET", `\bSTRIPE_KEY\b`, "", ".", ".*", "^", "=", `\w`, "://", `\d`, "(?i)password",
		"^[A-Z_]+=", "^(export )?[A-Z_]+=", `^\(export \)\?[A-Z_]*=`, "[A-Z0-9_]{3,}=\\S+", `[A-Z0-9_]\{3,\}=`, "[A-Z_]*KEY", "[A-Z_]+KEY=", ".*KEY.*", "KEY[=:]", "(API|APP)_?KEY", "(TODO|[A-Z_]+=)",
		"[a-z]", "[[:upper:]_]+=", "[A-Z][A-Z]*", `^\s*[A-Za-z_]\w*=`, "[A-Za-z0-9+/]{32,}", "[a-f0-9]{40}", `"[^"]*"`, "^[^#]", "[^=]*=.+", "PASS(WORD)?", "[K]EY", "://[^:]+:[^@]+@", "(([A-Z]+_)+[A-Z]+)=",
		"^[A-Z]+(_[A-Z]+)*=", "TODO\n^[A-Z_]*=", "(?:[A-Z]+_)?TOKEN", "^[^ ]*$", `\s+$`, `\$[A-Z_]+`, "^=======$", "@[a-z]+/[a-z]+", "[[:space:]]+$", "^[0-9]+", `[a-z]+\(`, "()(", "[a", "^(?!#).*", "x*",
	}},
	{false, []string{
		"TODO", "password", "tokenize", "secret", "KEYBOARD", "HTTP", "func main", "PRIMARY KEY", "MAX_TOKENS", `foo\(`, `def [a-z_]+\(`, "[Tt]odo", "[tT][oO][dD][oO]", "TODO|FIXME", `TODO\|FIXME`,
		"[0-9]{4}-[0-9]{2}-[0-9]{2}", "<[A-Z][a-z]+", `#[0-9a-fA-F]{6}`,
		"api[_-]?key", "passw(or)?d", `process\.env\.[A-Z_]+`, "^import [a-z]+", "class [A-Z]", "v[0-9]+", "[A-Z]+_ID", "=>", "port [0-9]+",
		"export (const|function) [A-Z]", `^## `,
	}},
}

func TestSeeksSecret(t *testing.T) {
	for _, c := range soughtPatterns {
		for _, pattern := range c.patterns {
			if got := (seeksSecret(pattern, false) || !limits(pattern)); got != c.secret {
				t.Errorf("seeksSecret(%q) = %v", pattern, got)
			}
		}
	}
	for pattern, want := range map[string]bool{
		"password": true, "api_key": true, "todo": false, "keyboard": false, "api[_-]?key": true, `api[_-]?key\s*[=:]\s*\S+`: true, "passw(or)?d": true, "(access|auth)[_-]?token": true, `api\(_\|-\)key`: true,
		"^[a-z_]+=": true, "todo|fixme": false, "event.key": false, "[a-z]+board": false, "api[_-]?version": false,
	} {
		if got := (seeksSecret(pattern, true) || !limits(pattern)); got != want {
			t.Errorf("seeksSecret(%q) in any case = %v", pattern, got)
		}
	}
}
