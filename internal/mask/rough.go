package mask

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// rough reads a script that could not be read: words between blanks, commands
// between separators. It is no reading to judge by, but passwords stand where they
// stand in any other.
func rough(script string) []*command.Invocation {
	lib := command.Builtin()
	var list []*command.Invocation
	var words []command.Word
	end := func() {
		if len(words) > 0 {
			inv := &command.Invocation{Words: words}
			lib.Read(inv, &tool.World{})
			list, words = append(list, inv), nil
		}
	}
	const most = 4096
	for i := 0; i < len(script) && len(list) < most; {
		c := script[i]
		switch {
		case strings.IndexByte("|;&\n(){}", c) >= 0:
			end()
			i++
			continue
		case strings.IndexByte(" \t\r'\"`", c) >= 0:
			i++
			continue
		}
		start := i
		for i < len(script) && strings.IndexByte("|;&\n(){} \t\r'\"`", script[i]) < 0 {
			i++
		}
		words = append(words, command.Known(script[start:i], tool.Span{Start: start, End: i}))
	}
	end()
	return list
}
