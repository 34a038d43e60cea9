package command

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestEndings(t *testing.T) {
	for expression, want := range map[string][]string{
		`\.pyc$`: {".pyc"}, `\.(pyc|pyo)$`: {".pyc", ".pyo"}, `\.(?:a|b)$`: {".a", ".b"}, `^tmp.*~$`: {"~"}, `[a-z]+_old$`: {"_old"},
		`\.pyc`: nil, `\.pyc?$`: nil, `x|\.pyc$`: nil, `(a|b)|\.pyc$`: nil, `(a|)$`: nil, `$`: nil, ``: nil, `\.(py[co])$`: nil, `\d$`: nil,
		`a\\.b$`: {"b"}, `(a|b\.c)$`: {"a", "b.c"}, `x(a$|b)$`: nil, `a\$`: nil, `a|(b|c)$`: nil, `(x|y)*\.o$`: nil,
	} {
		if got, _ := endings(expression); !slices.Equal(got, want) {
			t.Errorf("endings(%q) = %q, want %q", expression, got, want)
		}
	}
}

// Whatever an expression matches ends with one of its endings.
func FuzzEndings(f *testing.F) {
	f.Add(`\.(pyc|pyo)$`, "a.pyc")
	f.Add(`a|b\\.c$`, "a")
	f.Add(`(?i)\.c$`, "a.C")
	f.Fuzz(func(t *testing.T, expression, text string) {
		list, whole := endings(expression)
		re, err := regexp.Compile(expression)
		if len(list) == 0 || err != nil || !re.MatchString(text) || strings.Contains(expression, "(?") {
			return
		}
		if !slices.ContainsFunc(list, func(end string) bool { return text == end || !whole && strings.HasSuffix(text, end) }) {
			t.Errorf("%q matches %q, which ends with none of %q", expression, text, list)
		}
	})
}
