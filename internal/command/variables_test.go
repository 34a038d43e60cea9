package command

import (
	"slices"
	"testing"
)

// TestVariables holds the compiled table against a walk through the list it was made of.
func TestVariables(t *testing.T) {
	text, code := []Use{{Name: "text"}}, []Use{{Name: "code"}, {Name: "values", Arg: "a b"}}
	list := []EnvUse{{"B", text}, {"A", code}, {"B", code}, {"X*", text}, {"*Y", code}, {"XZ", code}, {"*", text}}
	table := openVariables(EncodeVariables(list))
	for name, want := range map[string][]Use{
		"A": code, "B": text, "XZ": code, // an exact name stands above a pattern, and the first above the second
		"XY": text, "AY": code, "none": text, "*": text, "": text,
	} {
		if e := table.find(name); e == nil || !slices.Equal(e.Uses, want) {
			t.Errorf("%q is %v, want %v", name, e, want)
		}
	}
	if e := openVariables(EncodeVariables(list[:5])).find("none"); e != nil {
		t.Errorf("a name that nothing matches is %v", e)
	}
	if e := (*Variables)(nil).find("A"); e != nil {
		t.Errorf("no table says %v", e)
	}
	for _, data := range []string{"", "\xff\xff\xff\xff", EncodeVariables(list)[:20]} {
		if e := openVariables(data).find("A"); e != nil {
			t.Errorf("a damaged table says %v", e)
		}
	}
}
