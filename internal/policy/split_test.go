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
