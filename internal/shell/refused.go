package shell

import (
	"strings"

	"longline/internal/syntax"
)

// Text that zsh cannot read is not run by it, where bash runs it all.

// zshRefuses says whether statements may hold something that bash can read and zsh cannot.
func zshRefuses(stmts []*syntax.Stmt, text string) (found bool) {
	for _, st := range stmts {
		syntax.Walk(st, func(n syntax.Node) bool {
			found = found || zshRefusesNode(n, text)
			return !found
		})
	}
	return found
}

func zshRefusesNode(n syntax.Node, text string) bool {
	switch n := n.(type) {
	case *syntax.Word:
		return closesNone(n)
	case *syntax.Stmt:
		return n.Background && runsNothing(n) || negatedTwice(n, text)
	case *syntax.CallExpr:
		return len(n.Args) > 0 && zshReserves(n.Args[0].Lit())
	case *syntax.FuncDecl:
		return zshReserves(n.Name.Value) || n.RsrvWord && !n.Parens && !isBraced(n.Body)
	case *syntax.CoprocClause:
		return n.Name != nil
	case *syntax.CaseItem:
		return n.Op == syntax.Resume
	case *syntax.WordIter:
		return !isName(n.Name.Value)
	}
	return false
}

// zshReserves says whether a command or a function has a name that means something else to zsh, or begins as a block does.
func zshReserves(name string) bool {
	switch name {
	case "foreach", "end", "repeat", "nocorrect":
		return true
	}
	return len(name) > 1 && name[0] == '{'
}

// isBraced says whether the body of a function stands in braces or parentheses.
func isBraced(body *syntax.Stmt) bool {
	switch body.Cmd.(type) {
	case *syntax.Block, *syntax.Subshell:
		return true
	}
	return false
}

// runsNothing says whether the last command of a list has no words: assignments or redirections only.
func runsNothing(st *syntax.Stmt) bool {
	for {
		switch c := st.Cmd.(type) {
		case nil:
			return true
		case *syntax.CallExpr:
			return len(c.Args) == 0
		case *syntax.BinaryCmd:
			st = c.Y
		default:
			return false
		}
	}
}

// negatedTwice says whether two exclamation marks stand before a statement.
func negatedTwice(st *syntax.Stmt, text string) bool {
	at := int(st.Pos().Offset())
	if at >= len(text) || text[at] != '!' {
		return false
	}
	rest := strings.TrimLeft(text[at+1:], " \t\\\n")
	return strings.HasPrefix(rest, "!") && (len(rest) == 1 || strings.IndexByte(" \t\n\\;&|)", rest[1]) >= 0)
}

// closesNone says whether a word has more closing braces than it opens.
func closesNone(w *syntax.Word) bool {
	level := 0
	for _, p := range w.Parts {
		l, ok := p.(*syntax.Lit)
		for i := 0; ok && i < len(l.Value); i++ {
			switch l.Value[i] {
			case '\\':
				i++
			case '{':
				level++
			case '}':
				if level--; level < 0 {
					return true
				}
			}
		}
	}
	return false
}
