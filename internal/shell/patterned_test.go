package shell

import (
	"regexp"
	"testing"
)

// What a regular expression finds in a text, mayContain says of it.
func TestMayContain(t *testing.T) {
	texts := []string{"K=1", "DB_HOST=localhost\nPORT=80", "abc", "", "a[b]c", "TOKEN: x", "aab"}
	for _, expression := range []string{"K=", "^K", "DB_[A-Z]*=", "[]A-Z]+", "a?b", "xa?", "zz*b", "(x)?K", "(a", "a{2}b", "z{0}K", `\bK\b`, `a\[b`, "*", "?", "{", "[", `\`, ")(", "TOKEN.*x", "TODO", "host", "[^K]bc", "a{", "[[:upper:]]"} {
		find, err := regexp.Compile(expression)
		for _, text := range texts {
			if may := mayContain(text, expression); err == nil && find.MatchString(text) && !may {
				t.Errorf("%q is found in %q", expression, text)
			}
		}
	}
	if mayContain("K=1", "TODO") || mayContain("abc", "foo.*bar") || mayContain("abc", `abc\.def`) {
		t.Error("found what is not there")
	}
}

// What a search is told by its flags counts, and what only one kind of expression knows is not believed.
func TestFlagsFind(t *testing.T) {
	const text = "K=1\nDB_HOST=x"
	for flag, finds := range map[string]bool{
		"-rl": false, "-rlE": false, "-e": false, "-rle": false, "-eK=": true, "-rleK=": true, "-eTODO": false, "-f": true, "-rlf": true, "-rL": true, "-rlv": true,
		"--regexp=K": true, "--file=p": true, "--files-without-match": true, "--files-with-matches": false, "--include=*.md": false, "--invert-match": true, "--": false,
	} {
		if flagFinds(flag, text) != finds {
			t.Errorf("%s: finds is not %v", flag, finds)
		}
	}
	for expression, may := range map[string]bool{
		`KZ\?=`: true, `K=\{0,1\}`: true, `\(zz\)*K`: true, `\x4b=`: true, `\113`: true, "zz\u00e9?K": true,
		`TODO\|FIXME`: false, `TODO\|K=`: true, "TODO|FIXME": false, `\bTODO\b`: false,
	} {
		if mayMatch(text, expression) != may {
			t.Errorf("%s: may match is not %v", expression, may)
		}
	}
}
