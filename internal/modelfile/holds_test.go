package modelfile

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// changesOutput matches the names of flags that say what is printed.
var changesOutput = regexp.MustCompile(`format|printf|label|separator|delimiter|template|prefix|relative-(to|base)|^--(pretty|tree|stat)$`)

// keepsOutput are flags of such names that do not, of a program or of one of its subcommands, and why.
var keepsOutput = map[string]string{
	"sort --field-separator":        "of the input",
	"cut --delimiter":               "of the input, from which it is taken over",
	"gh --label":                    "of an issue that is looked for",
	"git write-tree --prefix":       "what of the index becomes a tree",
	"git archive --format":          "the same files, packed in another way",
	"git archive --prefix":          "the same files, under other names",
	"fd --strip-cwd-prefix":         "a leading ./ is left out",
	"grep --no-group-separator":     "nothing is printed between groups",
	"rgrep --no-group-separator":    "nothing is printed between groups",
	"pcregrep --no-group-separator": "nothing is printed between groups",
	"rg --no-context-separator":     "nothing is printed between groups",
}

// TestOutputHoldsWithKnownFlags fails for a flag with which a model says that its output
// holds, if there is no such flag, or if its name says that it changes what is printed.
func TestOutputHoldsWithKnownFlags(t *testing.T) {
	_, parsed := load(t)
	for _, f := range parsed {
		for _, m := range f.Models {
			taken := map[string]bool{} // groups give flags to levels that do not have all of them
			eachPath(m.Names[0], &m.Level, nil, func(path string, levels []*command.Level) {
				for name := range strings.FieldsSeq(levels[len(levels)-1].Holds) {
					id := path + " " + name
					if changesOutput.MatchString(name) && keepsOutput[id] == "" && keepsOutput[m.Names[0]+" "+name] == "" {
						t.Errorf("%s changes what is printed", id)
					}
					taken[name] = taken[name] || name == "-#" || takesFlag(levels, name)
				}
			})
			for name, ok := range taken {
				if !ok {
					t.Errorf("%s %s: there is no such flag", m.Names[0], name)
				}
			}
		}
	}
}

// eachPath calls do for a level and each one below it, with the words that lead there.
func eachPath(path string, l *command.Level, above []*command.Level, do func(path string, levels []*command.Level)) {
	levels := append(slices.Clone(above), l)
	do(path, levels)
	for _, sub := range l.Subs.All() {
		eachPath(path+" "+sub.Names[0], sub.Level, levels, do)
	}
}

// takesFlag says whether the last of some levels takes a flag.
func takesFlag(levels []*command.Level, name string) bool {
	isIt := func(f command.Flag) bool { return f.Name == name }
	last := levels[len(levels)-1]
	if last.Unlisted || slices.ContainsFunc(last.Flags.All(), isIt) {
		return true
	}
	return slices.ContainsFunc(levels, func(l *command.Level) bool { return slices.ContainsFunc(l.Global.All(), isIt) })
}

// TestOtherFlagsMakeOutputAnything adds each flag that a program has and that its model does not
// list as harmless to its output: then nothing is known of what it prints.
func TestOtherFlagsMakeOutputAnything(t *testing.T) {
	lib, parsed := load(t)
	known := func(text string) command.Word { return command.Known(text, tool.Span{}) }
	tried := 0
	for _, f := range parsed {
		for _, m := range f.Models {
			if m.Output == "" || m.Output == "nothing" || !m.Subs.Empty() || strings.HasPrefix(m.Names[0], "list/") {
				continue
			}
			for _, flag := range m.Flags.All() {
				if len(flag.Values) != 1 || flag.Optional || !isText(&flag) || slices.Contains(strings.Fields(m.Holds), flag.Name) {
					continue
				}
				inv := &command.Invocation{Words: []command.Word{known(m.Names[0]), known(flag.Name), known("../x")}, Name: m.Names[0], Dir: known("/home/dev/proj")}
				lib.Read(inv, &tool.World{Home: "/home/dev", Project: "/home/dev/proj"})
				tried++
				if d := inv.Output; d.Plain || d.Lines != 0 || d.Reach != tool.Anywhere {
					t.Errorf("%s %s ../x: the output is taken for %q", m.Names[0], flag.Name, m.Output)
				}
			}
		}
	}
	if tried < 5 {
		t.Errorf("only %d flags were tried", tried)
	}
	t.Logf("%d flags", tried)
}
