package command

import (
	"path"
	"strings"

	"longline/internal/syntax"
)

// isScriptWith says whether a text is a script of the shell in which a known program is given what only a command has: keywords, an
// escaped name, a variable or a redirection may stand in front of it.
func isScriptWith(r *reader, text string) (found bool) {
	file, err := syntax.Parse(text)
	if err != nil {
		return false
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CallExpr:
			found = found || isCall(r, n.Args)
		case *syntax.CmdSubst:
			return !n.Backquotes && !found // in prose they quote
		}
		return !found
	})
	return found
}

// isCall says whether words of a script call a known program with options or paths, or with nothing but the names of its commands.
func isCall(r *reader, args []*syntax.Word) bool {
	var b strings.Builder
	for _, w := range args {
		b.WriteString(" " + roughly(w.Parts))
	}
	list := strings.Fields(b.String())
	for len(list) > 0 && (list[0][0] == '$' || hasWord("exec command builtin", list[0])) {
		list = list[1:]
	}
	if len(list) < 2 || !r.lib.Has(path.Base(list[0])) {
		return false
	}
	rest := strings.Join(list[1:], " ")
	return !compares(rest) && isCommandLine(r, rest) || onlyNames(r, list)
}

// roughly is the text of a word, in which a dollar stands for what is not known and a blank for the variable that is one.
func roughly(parts []syntax.WordPart) string {
	var b strings.Builder
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
		case *syntax.SglQuoted:
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			b.WriteString(roughly(p.Parts))
		case *syntax.ParamExp:
			if p.Param.Value == "IFS" {
				b.WriteByte(' ')
			} else {
				b.WriteByte('$')
			}
		default:
			b.WriteByte('$')
		}
	}
	return b.String()
}

// onlyNames says whether all words behind a known program are names of its commands, as in "git stash drop".
func onlyNames(r *reader, list []string) bool {
	m := r.lib.find(path.Base(list[0]))
	if m == nil || len(list) < 2 {
		return false
	}
	level := &m.Level
	for _, name := range list[1:] {
		found, _, exact := level.Subs.find(name)
		if !exact {
			return false
		}
		level = found
	}
	return true
}
