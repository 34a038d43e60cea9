package language

import "testing"

func TestSimh(t *testing.T) {
	for _, c := range []struct{ code, want string }{
		{"deposit 1000 0107\nexamine 1000-1100\ngo 1000\nquit\n", "nothing"},
		{"; a note\nset cpu 11/70\nset tti enabled\nload -o /tmp/a.bin 0\nrun", "read /tmp/a.bin"},
		{"attach ptr Tape.bin\nboot ptr\n", "read Tape.bin, write Tape.bin"},
		{"! rm x", "problem"},
		{"spawn rm x", "problem"},
		{"do other.ini", "problem"},
		{"examine @out 0", "problem"},
		{"set console log=x", "problem"},
		{"set log x", "problem"},
		{"set env A=b", "problem"},
		{"set on x", "problem"},
		{"dump x", "problem"},
		{"save x", "problem"},
		{"attach xq eth0", "problem"},
		{"quit\n!rm x", "problem"},
		{"echo %PATH%", "problem"},
	} {
		if got := simhDeeds(c.code).show(); got != c.want {
			t.Errorf("%q does %s, want %s", c.code, got, c.want)
		}
	}
}
