package policy

import "testing"

func TestSplitPattern(t *testing.T) {
	for pattern, want := range map[string][2]string{
		"/a/b/*.go":   {"/a/b", "*.go"},
		"/a/b*/c":     {"/a", "b*/c"},
		"/a/b":        {"/a/b", ""},
		`/a/b\*/c?`:   {"/a/b*", "c?"},
		"/a/(b)/c*":   {"/a/(b)", "c*"},
		"/a/x(b)/c*":  {"/a/x(b)", "c*"},
		"/a/@(b|c)/d": {"/a", "@(b|c)/d"},
		"(a)/b*":      {"(a)", "b*"},
		`/a/b\`:       {"/a/b", ""},
		"/a/[bc]":     {"/a", "[bc]"},
	} {
		if dir, rest := splitPattern(pattern); dir != want[0] || rest != want[1] {
			t.Errorf("%s: %q and %q, want %q", pattern, dir, rest, want)
		}
	}
}

// A rule that allows covers a call as a whole if it speaks of the command as such, or of
// all that it does; of a command that does nothing it says nothing by its effects.
func TestCovers(t *testing.T) {
	for _, test := range []struct {
		p      permit
		effect int
		want   bool
	}{
		{permit{}, -1, false},
		{permit{whole: true}, -1, true},
		{permit{covered: []bool{true, true}}, -1, true},
		{permit{covered: []bool{true, false}}, -1, false},
		{permit{whole: true, covered: []bool{true, false}}, -1, false},
		{permit{covered: []bool{true, false}}, 0, true},
		{permit{covered: []bool{true, false}}, 1, false},
	} {
		if got := test.p.covers(test.effect); got != test.want {
			t.Errorf("%+v, %d: %v", test.p, test.effect, got)
		}
	}
}
