package veil

import (
	"encoding/base64"
	"testing"
)

func FuzzBase64(f *testing.F) {
	f.Add("")
	f.Add("a")
	f.Add("docker:s3cret-pass")
	f.Add("\xff\xfe\xfd\x00")
	f.Fuzz(func(t *testing.T, text string) {
		if got, want := base64Of([]byte(text), "-_"), base64.RawURLEncoding.EncodeToString([]byte(text)); got != want {
			t.Errorf("%q in base64 is %q, not %q", text, got, want)
		}
	})
}
