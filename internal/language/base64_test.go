package language

import (
	"encoding/base64"
	"testing"
)

// FuzzBase64: it reads what the standard library reads, except for line breaks,
// which are taken out before.
func FuzzBase64(f *testing.F) {
	for _, seed := range []string{"", "cm0gLXJmIC8=", "Zm9v", "Zg==", "Zg=", "Z===", "====", "Zm9v====", "Zm9v+/8=", "Zh==", "Zm9\xff", "Zg==Zg=="} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want, wantErr := base64.StdEncoding.DecodeString(text)
		for i := range len(text) {
			if text[i] == '\n' || text[i] == '\r' {
				return
			}
		}
		got, err := Base64(text)
		if (err == nil) != (wantErr == nil) || err == nil && string(got) != string(want) {
			t.Errorf("%q: got %q, %v; want %q, %v", text, got, err, want, wantErr)
		}
	})
}
