package userfiles

import "testing"

func TestWallsOn(t *testing.T) {
	for _, test := range []struct {
		text, want string
		ok         bool
	}{
		{"version: 1\n", "version: 1\nwalls: on\n", true},
		{"version: 1", "version: 1\nwalls: on\n", true},
		{"# mine\nversion: 1\nrules: []\n", "# mine\nversion: 1\nwalls: on\nrules: []\n", true},
		{"version: 1\nwalls: off\nrules: []\n", "version: 1\nwalls: on\nrules: []\n", true},
		{"version: 1\nwalls: false\n", "version: 1\nwalls: on\n", true},
		{"version: 1\nwalls: on\n", "version: 1\nwalls: on\n", true},
		{"version: 1\nwalls: {network: open}\n", "version: 1\nwalls: {network: open}\n", true},
		// A remark switches nothing on.
		{"# to try: walls: on\nversion: 1\n", "# to try: walls: on\nversion: 1\nwalls: on\n", true},
		{"rules: []\n", "rules: []\n", false},
	} {
		if got, ok := wallsOn(test.text); got != test.want || ok != test.ok {
			t.Errorf("%q became %q, %v, want %q, %v", test.text, got, ok, test.want, test.ok)
		}
	}
}
