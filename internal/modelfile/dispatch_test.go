package modelfile

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// TestDispatchersAgree holds programs that look for further ones by name, as "git lfs" runs
// git-lfs, to say no less of them than is said of these: whatever "git-lfs ARGS" does or
// leaves open, "git lfs ARGS" does or leaves open too.
func TestDispatchersAgree(t *testing.T) {
	lib, _ := load(t)
	pairs := 0
	for _, name := range lib.Programs() {
		program, sub, ok := strings.Cut(name, "-")
		if !ok || !slices.Contains([]string{"git", "cargo", "dotnet", "kubectl", "docker", "gh", "helm"}, program) {
			continue
		}
		pairs++
		for _, args := range []string{"", "x", "-- rm -rf x", "-x y", "--output=/srv/x z", "eval x", "run rm x"} {
			alone, through := tell(lib, name+" "+args), tell(lib, program+" "+sub+" "+args)
			if (len(alone.Gaps) > 0 || len(alone.Effects)+len(alone.Runs) > 0) && len(through.Gaps)+len(through.Effects)+len(through.Runs) == 0 {
				t.Errorf("%s %s does nothing, %s %s has %d effects and %d gaps", program+" "+sub, args, name, args, len(alone.Effects), len(alone.Gaps))
			}
			if len(alone.Gaps) > 0 && len(through.Gaps) == 0 && len(through.Runs) == 0 {
				t.Errorf("%s %s is accounted for, %s %s is not: %s", program+" "+sub, args, name, args, alone.Gaps[0].Why)
			}
		}
	}
	if pairs < 20 {
		t.Errorf("only %d pairs were compared", pairs)
	}
}

func tell(lib *command.Library, line string) *command.Invocation {
	inv := &command.Invocation{Dir: command.Known("/home/dev/proj", tool.Span{}), Stdin: command.Data{None: true}}
	for i, w := range strings.Fields(line) {
		inv.Words = append(inv.Words, command.Known(w, tool.Span{Start: i, End: i + 1}))
	}
	lib.Read(inv, &tool.World{Home: "/home/dev", Project: "/home/dev/proj"})
	return inv
}
