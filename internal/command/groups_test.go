package command

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestGroups holds which words lead on to a subcommand: a verb nobody listed must
// never be taken for a group whose subcommand is its operand.
func TestGroups(t *testing.T) {
	leaf := func(name string) *Level {
		return &Level{Unlisted: true, Operands: []Item{{Uses: []Use{{Name: "text"}}, Many: true}}, Effects: []Spec{{Kind: "control", Target: name}}}
	}
	subs := []Sub{
		{Names: []string{"list", "version"}, Level: leaf("read")},
		{Names: []string{"delete"}, Level: leaf("delete")},
		{Names: []string{"get-*", "*-key"}, Level: leaf("read")},
		{Names: []string{"secrets"}, Level: &Level{Subs: subsOf(Sub{Names: []string{"list"}, Level: leaf("names")})}},
	}
	models := map[string]*Model{
		"named": {Level: Level{Subs: subsOf(subs...), Groups: []string{"vm", "ssh-key", "*s"}}},
		"any":   {Level: Level{Subs: subsOf(subs...), Groups: []string{AnyGroup, "version"}}},
		"none":  {Level: Level{Subs: subsOf(subs...)}},
	}
	lib := &Library{Find: func(name string) *Model { return models[name] }}
	for _, c := range []struct{ line, want string }{
		{"none list", "read"},
		{"none vm list", "gap"},
		{"named vm list", "read"},
		{"named vm disks delete x", "delete"},
		{"named vm frob list", "gap"},
		{"named frob list", "gap"},
		{"named vm", "gap"},
		{"named vm get-x list", "read"}, // an operand of that name
		{"named ssh-key delete x", "delete"},
		{"named secrets list", "names"},
		{"named secrets delete", "gap"},
		{"named vm version delete", "read"}, // an operand of that name
		{"any vm list", "read"},
		{"any vm frob list", "read"}, // there are no operands, so it is a group
		{"any vm frob", "gap"},
		{"any vm version", "read"},
		{"any vm version delete", "delete"},
		{"any vm version frob", "gap"},
		{"any vm get-x frob", "gap"}, // what only a glob lists may be a group
		{"any vm get-x", "read"},
		{"any vm list x1", "read"},
		{"any vm list delete", "delete"},
		{"any vm list --flag delete", "read"},
	} {
		inv := &Invocation{Dir: given("/p"), Stdin: Data{None: true}}
		for _, w := range strings.Fields(c.line) {
			inv.Words = append(inv.Words, given(w))
		}
		lib.Read(inv, &tool.World{})
		got := "nothing"
		if len(inv.Effects) > 0 {
			got = inv.Effects[0].Target
		}
		if len(inv.Gaps) > 0 {
			got = "gap"
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.line, got, c.want)
		}
	}
}

func subsOf(list ...Sub) (s Subs) {
	s.Add(list...)
	return s
}
