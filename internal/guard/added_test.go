package guard_test

import (
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/modelfile"
	"longline/internal/tool"
)

// TestAddedPackages takes every example of a model that adds packages to the project by name, and behind it every example
// that may be had without a question. One that runs the project's code, and with it that of the packages, asks in the same
// call; one that only compiles or looks does not.
func TestAddedPackages(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	g, w := builtin(t), world()
	judge := func(script string) tool.Decision {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		return v.Decision
	}
	var adders, runners, compilers []string
	for _, name := range modelNames(t) {
		for _, e := range examples(t, name) {
			_, adds := effectOf(e.Run, tool.Control, "package.add")
			code, runs := effectOf(e.Run, tool.Execute, "project:")
			if !adds && !runs || judge(e.Run) >= tool.Ask || hasVariables(e.Run) {
				continue
			}
			switch {
			case adds:
				adders = append(adders, e.Run)
			case code == "project:compile":
				compilers = append(compilers, e.Run)
			default:
				runners = append(runners, e.Run)
			}
		}
	}
	if len(adders) < 3 || len(runners) < 500 || len(compilers) < 10 {
		t.Fatalf("%d adders, %d runners, %d compilers", len(adders), len(runners), len(compilers))
	}
	for i, run := range runners {
		if leftOut(i) {
			continue
		}
		if add := adders[i%len(adders)]; judge(add+" && "+run) < tool.Ask && !launches(run) {
			t.Errorf("%s && %s: allowed", add, run)
		}
	}
	for _, add := range adders {
		for _, run := range compilers {
			if strings.HasPrefix(add, "zig ") {
				continue // what its address holds is fetched into the project
			}
			if judge(add+" && "+run) >= tool.Ask {
				t.Errorf("%s && %s: asked about", add, run)
			}
		}
	}
}

// effectOf finds an effect of a command by its kind and the beginning of its target.
func effectOf(run string, kind tool.Kind, begin string) (target string, is bool) {
	for _, e := range invoked(run).Effects {
		if e.Kind == kind && strings.HasPrefix(e.Target, begin) {
			return e.Target, true
		}
	}
	return "", false
}

// launches says whether what a command runs of the project's is a program among its words.
func launches(run string) bool { return invoked(run).Launches }

func hasVariables(run string) bool { return strings.Contains(modelfile.Split(run)[0].Text, "=") }

func invoked(run string) *command.Invocation {
	inv := &command.Invocation{Words: modelfile.Split(run), Dir: command.Known(project, tool.Span{}), Stdin: command.Data{None: true}}
	command.Builtin().Read(inv, &tool.World{Home: home, Project: project})
	return inv
}
