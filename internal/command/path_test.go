package command

import (
	"errors"
	"testing"

	"longline/internal/tool"
)

func TestAscend(t *testing.T) {
	links := map[string]string{"/p/docs": "/etc/ssh", "/p/up": "../q/r", "/p/loop": "loop", "/etc": "private/etc"}
	w := &tool.World{Readlink: func(path string) (string, error) {
		if to, ok := links[path]; ok {
			return to, nil
		}
		return "", errors.New("not a link")
	}}
	for _, c := range [][2]string{
		{"/p/a/../b", "/p/b"},
		{"/p/docs/../shadow", "/private/etc/shadow"},
		{"/p/docs/./../../x", "/private/x"},
		{"/p/docs/x", "/p/docs/x"}, // links without dots behind them are followed where rules are
		{"/p/up/../x", "/q/x"},
		{"/p/up/../../x", "/x"},
		{"/p/loop/../x", "/p/x"},
		{"/../..", "/"},
		{"/p//a/./../", "/p"},
	} {
		if got := ascend(c[0], w); got != c[1] {
			t.Errorf("ascend(%q) is %q, want %q", c[0], got, c[1])
		}
		if got := ascend(c[0], &tool.World{}); got != clean(c[0]) {
			t.Errorf("without links ascend(%q) is %q, want %q", c[0], got, clean(c[0]))
		}
	}
	if _, reach := join(Known("/p", tool.Span{}), "*/../x", true, w); reach != tool.Anywhere {
		t.Error("what */.. leads to counts as known")
	}
}
