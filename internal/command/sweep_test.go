package command

import "testing"

func TestSeeksSecret(t *testing.T) {
	for pattern, want := range map[string]bool{
		"PASSWORD": true, "API_KEY=": true, "KEY=": true, "KEY": true, "DB_PASSWORD|API_TOKEN": true, "^AWS_SECRET": true, `\bSTRIPE_KEY\b`: true,
		"": true, ".": true, ".*": true, "^": true, "=": true, `\w`: true, "://": true,
		"TODO": false, "password": false, "tokenize": false, "secret": false, "KEYBOARD": false, "HTTP": false, "func main": false,
		"PRIMARY KEY": false, "MAX_TOKENS": false, `foo\(`: false,
	} {
		if got := seeksSecret(pattern, false); got != want {
			t.Errorf("seeksSecret(%q) = %v", pattern, got)
		}
	}
	for pattern, want := range map[string]bool{"password": true, "api_key": true, "todo": false, "keyboard": false} {
		if got := seeksSecret(pattern, true); got != want {
			t.Errorf("seeksSecret(%q) in any case = %v", pattern, got)
		}
	}
}
