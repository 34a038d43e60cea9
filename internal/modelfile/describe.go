package modelfile

import (
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// Describe puts what an invocation does into one line, as examples write it:
//
//	read a.txt, write build/**, fetch example.com, control git.push, run rm -r x, gap
//
// Paths below dir are relative to it, those below home begin with "~". A
// trailing "/**" means all below it, "/..." somewhere below it, "?" anywhere.
// Commands that it runs in turn are "run WORDS", "script TEXT" or "file PATH".
func Describe(inv *command.Invocation, dir, home string) string {
	var parts []string
	for _, e := range inv.Effects {
		parts = append(parts, describeEffect(e, dir, home))
	}
	for _, n := range inv.Runs {
		switch {
		case n.Script != nil:
			parts = append(parts, "script "+word(*n.Script))
		case n.File != nil && n.Known:
		case n.File != nil:
			parts = append(parts, "file "+word(*n.File))
		default:
			words := make([]string, len(n.Words))
			for i, w := range n.Words {
				words[i] = word(w)
			}
			if n.More {
				words = append(words, "...")
			}
			verb := "run "
			if n.Remote {
				verb = "run remotely "
			}
			parts = append(parts, verb+strings.Join(words, " "))
		}
	}
	if len(inv.Gaps) > 0 {
		parts = append(parts, "gap")
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}

func describeEffect(e tool.Effect, dir, home string) string {
	target := e.Target
	if e.Reach == tool.Anywhere {
		target = "?"
	} else if e.Kind.IsPath() {
		target = relative(target, dir, home)
		switch {
		case e.Reach == tool.Under:
			target += "/..."
		case e.Tree:
			target += "/**"
		}
	} else if name, path, ok := strings.Cut(target, ":"); ok && strings.HasPrefix(path, "/") {
		target = name + ":" + relative(path, dir, home)
	}
	return e.Kind.String() + " " + target
}

func relative(path, dir, home string) string {
	if path == dir {
		return "."
	}
	if rest, ok := strings.CutPrefix(path, dir+"/"); ok {
		return rest
	}
	if path == home {
		return "~"
	}
	if rest, ok := strings.CutPrefix(path, home+"/"); ok {
		return "~/" + rest
	}
	return path
}

func word(w command.Word) string {
	// others: exactly this.
	switch w.Reach {
	case tool.Anywhere:
		return "?"
	case tool.Under:
		return w.Text + "/..."
	case tool.Prefix:
		return w.Text + "?"
	}
	return w.Text
}

// Split takes an example's command line apart: quotes, backslashes, unquoted
// wildcards, and $NAME for a word that is not known. It is not a shell; examples
// need no more.
func Split(line string) []command.Word {
	var words []command.Word
	var text strings.Builder
	w, begun := command.Word{Reach: tool.Exact}, false
	flush := func(end int) {
		if begun {
			w.Text = text.String()
			if !w.Glob {
				w.Text = paths.Unescape(w.Text)
			}
			w.Span.End = end
			words = append(words, w)
		}
		text.Reset()
		w, begun = command.Word{Reach: tool.Exact}, false
	}
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		if !begun && (c != ' ' || quote != 0) {
			begun, w.Span.Start = true, i
		}
		switch {
		case quote == 0 && c == ' ':
			flush(i)
		case quote == 0 && (c == '\'' || c == '"'):
			quote = c
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(line):
			i++
			text.WriteString(paths.Escape(line[i : i+1]))
		case c == '$' && quote != '\'':
			i++
			i += len(line[i:]) - len(strings.TrimLeftFunc(line[i:], func(r rune) bool { return !strings.ContainsRune(` "/`, r) })) - 1
			if w.Reach = tool.Prefix; text.Len() == 0 {
				w.Reach = tool.Anywhere
			}
		case quote != 0:
			text.WriteString(paths.Escape(line[i : i+1]))
		default:
			text.WriteByte(c)
			w.Glob = w.Glob || !paths.Literal(line[i:i+1])
		}
	}
	flush(len(line))
	return words
}
