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
		if n.File == nil || !n.Known {
			parts = append(parts, describeRun(n))
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

// describeRun puts a command that is run in turn into words.
func describeRun(n command.Nested) string {
	switch {
	case n.Script != nil:
		return "script " + word(*n.Script)
	case n.File != nil:
		return "file " + word(*n.File)
	}
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
	return verb + strings.Join(words, " ")
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
	s := splitter{line: line, word: command.Word{Reach: tool.Exact}}
	for s.at < len(line) {
		s.next()
	}
	s.end()
	return s.words
}

// splitter takes a line apart.
type splitter struct {
	line  string
	at    int
	words []command.Word
	word  command.Word // as far as it has been read
	text  strings.Builder
	begun bool
	quote byte // the one that is open; 0 if none is
}

// end ends the word that has begun, if there is one.
func (s *splitter) end() {
	if s.begun {
		s.word.Text = s.text.String()
		if !s.word.Glob {
			s.word.Text = paths.Unescape(s.word.Text)
		}
		s.word.Span.End = s.at
		s.words = append(s.words, s.word)
	}
	s.text.Reset()
	s.word, s.begun = command.Word{Reach: tool.Exact}, false
}

// next reads one character, with what belongs to it.
func (s *splitter) next() {
	c, text := s.line[s.at], s.line[s.at:s.at+1]
	if c == ' ' && s.quote == 0 {
		s.end()
		s.at++
		return
	}
	if !s.begun {
		s.begun, s.word.Span.Start = true, s.at
	}
	s.at++
	switch {
	case s.quote == 0 && (c == '\'' || c == '"'):
		s.quote = c
	case s.quote != 0 && c == s.quote:
		s.quote = 0
	case s.quote == '\'':
		s.text.WriteString(paths.Escape(text))
	default:
		s.unquoted(text)
	}
}

// unquoted reads what stands outside of single quotes.
func (s *splitter) unquoted(text string) {
	switch {
	case text == `\` && s.at < len(s.line):
		s.text.WriteString(paths.Escape(s.line[s.at : s.at+1]))
		s.at++
	case text == "$":
		s.variable()
	case s.quote != 0:
		s.text.WriteString(paths.Escape(text))
	default:
		s.text.WriteString(text)
		s.word.Glob = s.word.Glob || !paths.Literal(text)
	}
}

// variable reads the name of a variable: what follows in the word is not known.
func (s *splitter) variable() {
	for s.at < len(s.line) && strings.IndexByte(` "/`, s.line[s.at]) < 0 {
		s.at++
	}
	if s.word.Reach = tool.Prefix; s.text.Len() == 0 {
		s.word.Reach = tool.Anywhere
	}
}
