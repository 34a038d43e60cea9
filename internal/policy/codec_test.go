package policy_test

import (
	"bytes"
	"testing"

	"longline/internal/policy"
)

// What is read from damaged bytes is refused, or is something that can be
// written and merged like any other file.
func FuzzDecode(f *testing.F) {
	packs, err := policy.BuiltinFile()
	if err != nil {
		f.Fatal(err)
	}
	packs.Rules = packs.Rules[:3]
	f.Add(policy.Encode(packs))
	f.Add(policy.Encode(parse(f, "version: 1\nallowlists: {commands: [a b], paths: [/x]}\ndisable: [x]\nrules: [{id: x, decision: deny, match: {effect: {kind: read, with: {kind: send}}}}]")))
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := policy.Decode(data)
		if err != nil {
			return
		}
		again, err := policy.Decode(policy.Encode(file))
		if err != nil || !bytes.Equal(policy.Encode(again), policy.Encode(file)) {
			t.Errorf("what was read cannot be written: %v", err)
		}
		policy.Merge(nil, []*policy.File{file}, nil, nil)
	})
}
