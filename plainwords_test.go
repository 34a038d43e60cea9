package longline_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// oddWords are words that a person trips over, with what to write instead.
var oddWords = map[string]string{
	`known are`:                           "expected one of",
	`stands? for`:                         "means, replaces",
	`stands? in\b`:                        "is in",
	`speaks? of`:                          "mentions, is about",
	`says of`:                             "shows, tells about",
	`(is|are) not there`:                  "does not exist",
	`all the same`:                        "anyway",
	`by hand`:                             "yourself",
	`anew`:                                "again",
	`has brought`:                         "brought",
	`goes? on (in|with|to)`:               "continues",
	`h[eo]ld back`:                        "blocked, delayed",
	`taken (for|to be)`:                   "read as, treated as",
	`lies? (in|below|outside|beside)`:     "is",
	`nobody (knows|has said|has checked)`: "unknown",
	`names (no|none)`:                     "does not name",
	`is fed`:                              "reads",
	`hands? on`:                           "passes",
	`surely`:                              "certainly, or nothing",
	`unread`:                              "unreadable",
	`namesake`:                            "of the same name",
	`deeds?`:                              "effects",
	`wants? (a|no) wall`:                  "needs",
	`as far as`:                           "if",
	`(this|that|it|which|value|what) is no [a-z]+`: "is not a",
	`leads? (out|elsewhere|nowhere)`:               "is outside",
	`(is|are) not known`:                           "unknown, known only at run time",
	`see through`:                                  "read",
	`one by one`:                                   "each, separately",
	`beside (it|them|the|a|what)`:                  "next to",
	`mends?`:                                       "fix",
	`heed`:                                         "ignore",
	`wherever|whence|thereby|amid|affair`:          "a plain word",
}

// TestPlainWords: no odd word is in the documents, the reasons of rules, or what programs print.
func TestPlainWords(t *testing.T) {
	var all []string
	for word := range oddWords {
		all = append(all, word)
	}
	odd := regexp.MustCompile(`(?i)\b(` + strings.Join(all, "|") + `)\b`)
	check := func(place, text string) {
		if word := odd.FindString(text); word != "" {
			t.Errorf("%s: %q is odd; see oddWords: %.120s", place, word, text)
		}
	}
	files, _ := filepath.Glob("docs/*.md")
	packs, _ := filepath.Glob("internal/policy/packs/*.yaml")
	for _, name := range append(append(files, "README.md", "CONTRIBUTING.md", "SECURITY.md"), packs...) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if !strings.HasSuffix(name, ".yaml") || strings.Contains(line, "reason: ") || strings.Contains(line, "suggest: ") {
				check(name+":"+strconv.Itoa(i+1), line)
			}
		}
	}
	texts := 0
	err := filepath.WalkDir("internal", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || regexp.MustCompile(`/(differ|law|bench|content)/`).MatchString(path) {
			return err // what tests print, and texts to compare with
		}
		code, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		var s scanner.Scanner
		s.Init(set.AddFile(path, -1, len(code)), code, nil, 0)
		for {
			at, kind, literal := s.Scan()
			if kind == token.EOF {
				return nil
			}
			if kind == token.STRING && strings.Contains(literal, " ") {
				texts++
				check(set.Position(at).String(), literal)
			}
		}
	})
	if err != nil || texts < 1000 {
		t.Errorf("%d texts found, %v", texts, err)
	}
}
