package scan

import "testing"

func TestAnsi(t *testing.T) {
	for text, want := range map[string]string{
		`a\nb\t\\\'\"\?\e`: "a\nb\t\\'\"?\x1b",
		`\101\x42\x{43}`:   "ABC",
		`\x{44z`:           "Dz",
		`\u20ac\U1F600`:    "€😀",
		`\cA\c?\c\\`:       "\x01\x7f\x1c",
		`a\0b`:             "a",
		`a\x00b`:           "a",
		`a\x{}b`:           "a",
		`\xz\uz\q\`:        `\xz\uz\q\`,
		`\777`:             "\xff",
		`\c`:               `\c`,
	} {
		if got := Ansi(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
