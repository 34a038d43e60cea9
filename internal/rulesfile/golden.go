package rulesfile

import (
	"longline/internal/policy"
	"longline/internal/source"
)

// ParseTests reads the tests of a golden file, which holds nothing else, or
// those of a rules file.
func ParseTests(name string, text []byte) ([]policy.Test, error) {
	src, docs := source.Parse(name, text)
	if len(docs) == 1 && docs[0].IsMap() {
		if pairs := docs[0].Pairs(); len(pairs) == 1 && pairs[0].Name() == "tests" {
			var tests []policy.Test
			for _, n := range pairs[0].Value.List() {
				tests = append(tests, test(n))
			}
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
