package cli

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

const ownModel = "internal/command/models/longline.yaml"

// TestOwnModel holds longline's model of itself against its own table of
// subcommands: each of them and each flag is listed, with what it reads, writes or
// loosens, and the model lists nothing that is not there.
func TestOwnModel(t *testing.T) {
	model := command.Builtin().Find("longline")
	var modelled []string
	for _, s := range model.Level.Subs.All() {
		modelled = append(modelled, s.Names...)
	}
	var names []string
	for _, c := range subcommands() {
		names = append(names, c.name)
		if !slices.Contains(modelled, c.name) {
			t.Errorf("the subcommand %q is not modelled, so that agents are denied it: add it to %s with its flags, saying what each reads or writes (read, write, text, ...), and \"effects: control guard.off\" if only a person may say it", c.name, ownModel)
			continue
		}
		for _, f := range new(process).flagsOf(&c) {
			words := []string{"longline", c.name, f.name}
			if f.kind != "" {
				words = append(words, "value")
			}
			inv := reading(words)
			for _, g := range inv.Gaps {
				if strings.Contains(g.Why, "unknown flag") || strings.Contains(g.Why, "needs a value") {
					t.Errorf("%s: %s; add the flag to %s: under switches, or under flags with what its value is for (read, write, text, ...)", strings.Join(words, " "), g.Why, ownModel)
				}
			}
			if len(words) == 4 && slices.ContainsFunc(inv.Operands, func(w command.Word) bool { return w.Text == "value" }) {
				t.Errorf("%s: the model takes the value for an operand: list the flag under flags in %s", strings.Join(words, " "), ownModel)
			}
		}
	}
	for _, name := range modelled {
		if name != "*" && !slices.Contains(names, name) {
			t.Errorf("%s lists the subcommand %q, which does not exist", ownModel, name)
		}
	}
	if inv := reading([]string{"longline", "nosuch"}); !loosens(inv) {
		t.Error("a subcommand that nobody knows is not taken for one that loosens")
	}
	for _, name := range []string{"init", "uninstall", "trust", "allow", "allow-once", "pause"} {
		if !loosens(reading([]string{"longline", name})) {
			t.Errorf("longline %s is for a person, and the model does not say so", name)
		}
	}
}

func reading(words []string) *command.Invocation {
	inv := &command.Invocation{Dir: command.Known("/p", tool.Span{})}
	for _, w := range words {
		inv.Words = append(inv.Words, command.Known(w, tool.Span{}))
	}
	command.Builtin().Read(inv, &tool.World{Home: "/h", Project: "/p"})
	return inv
}

func loosens(inv *command.Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && e.Target == "guard.off" })
}
