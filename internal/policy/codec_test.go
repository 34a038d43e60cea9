package policy_test

import (
	"bytes"
	"reflect"
	"testing"

	"longline/internal/command"
	"longline/internal/expression"
	"longline/internal/policy"
	"longline/internal/tool"
)

// Every field of a file and of a rule is kept, also those that are added later.
func TestEverythingIsCompiled(t *testing.T) {
	var f policy.File
	fill(reflect.ValueOf(&f).Elem(), 1)
	f.Default, f.Safety, f.Tests = 1, policy.High, nil
	f.AllowCommands[0].Text = "git status"
	r := &f.Rules[0]
	r.Level, r.Decision, r.Layer, r.Listed, r.Match.Effect.With.With = policy.High, 1, policy.Builtin, false, nil
	var err error
	r.Match.Text[0], err = expression.New("[ab]", []expression.Op{{Kind: expression.Rune, Next: 1, Runes: []rune{'a', 'b'}}, {Kind: expression.Match}})
	if err != nil {
		t.Fatal(err)
	}
	f.Rules, f.AllowCommands, f.AllowPaths = f.Rules[:1], f.AllowCommands[:1], f.AllowPaths[:1]
	got, err := policy.Decode(policy.Encode(&f))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, &f) {
		t.Errorf("got\n%+v\nwant\n%+v", got, &f)
	}
}

// TestDecisionsOutOfRange: a compiled rule whose decision is none is damaged.
func TestDecisionsOutOfRange(t *testing.T) {
	for d := tool.Allow - 2; d <= tool.Deny+2; d++ {
		f := &policy.File{Rules: []policy.Rule{{ID: "x", Decision: d}}}
		g := &policy.File{HasDefault: true, Default: d}
		for _, f := range []*policy.File{f, g} {
			if _, err := policy.Decode(policy.Encode(f)); (err == nil) != (tool.Allow <= d && d <= tool.Deny) {
				t.Errorf("decision %d: %v", d, err)
			}
		}
	}
}

// fill gives every exported field a value that is not its zero value.
func fill(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8:
		v.SetInt(1)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		v.SetUint(1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), depth)
	case reflect.Pointer:
		if depth < 3 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), depth)
			}
		}
	default:
		panic("no value for " + v.Type().String())
	}
}

// What is read from damaged bytes is refused, or is something that can be
// written and merged like any other file.
func FuzzDecode(f *testing.F) {
	packs, err := policy.Decode(policy.Encode(builtin(f)))
	if err != nil {
		f.Fatal(err)
	}
	packs.Rules = packs.Rules[:3]
	f.Add(policy.Encode(packs))
	f.Add(policy.Encode(parse(f, "version: 1\nallowlists: {commands: [a b], paths: [/x]}\ndisable: [x]\nrules: [{id: x, decision: deny, match: {effect: {kind: read, with: {kind: send}}}}]")))
	calls := []*command.Invocation{invocation("a b", effects(f, "read /x, send example.com"))}
	f.Fuzz(func(t *testing.T, data []byte) {
		// Single rules may be damaged in a file that opens; judging asks then.
		if opened, err := policy.Open(string(data)); err == nil {
			if set, _, err := policy.Merge(nil, nil, opened, nil); err == nil {
				if v := judge(set, tool.Call{}, calls...); len(v.Findings) == 0 {
					t.Errorf("the answer %v rests on nothing", v.Decision)
				}
			}
		}
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
