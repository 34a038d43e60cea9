package rulesfile

import (
	"longline/internal/policy"
	"longline/internal/source"
)

// ParseTests reads the tests of a golden file, which holds nothing else, or
// those of a rules file. An error in one test of a golden file is that test's.
func ParseTests(name string, text []byte) ([]policy.Test, error) {
	src, docs := source.Parse(name, text)
	if len(docs) == 1 && docs[0].IsMap() {
		if pairs := docs[0].Pairs(); len(pairs) == 1 && pairs[0].Name() == "tests" {
			tests := ReadTests(pairs[0].Value)
			return tests, src.Err()
		}
	}
	// What the file includes has tests of its own, which are not asked for.
	f, err := Parse(name, text, func(_, included string) (string, []byte, error) { return included, []byte("version: 1\n"), nil })
	if err != nil {
		return nil, err
	}
	return f.Tests, nil
}

// ReadTests reads a list of tests. What is wrong with one is noted in it.
func ReadTests(n source.Node) (tests []policy.Test) {
	for _, n := range n.List() {
		var t policy.Test
		if wrong := n.Attempt(func() { t = test(n) }); len(wrong) > 0 {
			t.Source, t.Wrong = n.Pos(), wrong.Error()
		}
		tests = append(tests, t)
	}
	return tests
}
