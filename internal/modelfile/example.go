package modelfile

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// Run reads one example by a library.
func Run(lib *command.Library, e Example) string {
	return Describe(read(lib, Split(e.Run), e.Stdin), "/home/dev/proj", "/home/dev")
}

func read(lib *command.Library, words []command.Word, stdin string) *command.Invocation {
	const home, dir = "/home/dev", "/home/dev/proj"
	inv := &command.Invocation{Words: words, Dir: command.Known(dir, tool.Span{}), Stdin: command.Data{None: true}}
	for len(inv.Words) > 1 && strings.Contains(inv.Words[0].Text, "=") {
		name, value, _ := strings.Cut(inv.Words[0].Text, "=")
		v := inv.Words[0]
		v.Text = value
		inv.Env = append(inv.Env, command.Assign{Name: name, Value: v, Prefix: true})
		inv.Words = inv.Words[1:]
	}
	if stdin != "" {
		inv.Stdin = command.Data{Text: stdin, Reach: tool.Exact}
	}
	lib.Read(inv, &tool.World{Home: home, Project: dir})
	return inv
}
