package grammar

import (
	"slices"

	"longline/internal/syntax"
)

// Positions are the offsets of a script at which a command may be put, followed by
// a semicolon: before every statement of every list, either side of && and ||, every
// part of a pipeline, in substitutions, functions, arms and conditions, and in the
// text that eval or a shell is given in single quotes.
func Positions(script string) []int {
	file, err := syntax.Parse(script)
	if err != nil {
		return nil
	}
	var found []int
	syntax.Walk(file, func(n syntax.Node) bool {
		for _, s := range heldBy(n, script) {
			found = append(found, int(s.Pos().Offset()))
		}
		if call, ok := n.(*syntax.CallExpr); ok {
			found = append(found, quotedPositions(script, call)...)
		}
		return true
	})
	slices.Sort(found)
	return slices.Compact(found)
}

// heldBy are the statements that a node holds, before which a command may be put.
func heldBy(n syntax.Node, script string) []*syntax.Stmt {
	switch n := n.(type) {
	case *syntax.File:
		return n.Stmts
	case *syntax.CmdSubst:
		if n.Left.Offset() != n.Right.Offset() && script[n.Left.Offset()] == '$' && !n.TempFile && !n.ReplyVar {
			return n.Stmts
		}
	case *syntax.ProcSubst:
		return n.Stmts
	case *syntax.CaseItem:
		return n.Stmts
	case syntax.Command:
		return heldByCommand(n)
	}
	return nil
}

// heldByCommand is heldBy for a command.
func heldByCommand(c syntax.Command) []*syntax.Stmt {
	switch c := c.(type) {
	case *syntax.Block:
		return c.Stmts
	case *syntax.Subshell:
		return c.Stmts
	case *syntax.IfClause:
		return slices.Concat(c.Cond, c.Then)
	case *syntax.WhileClause:
		return slices.Concat(c.Cond, c.Do)
	case *syntax.ForClause:
		return c.Do
	case *syntax.BinaryCmd:
		return []*syntax.Stmt{c.Y}
	}
	return nil
}

// quotedPositions finds the places in the text of eval '...' and bash -c '...'.
func quotedPositions(script string, call *syntax.CallExpr) []int {
	code := codeOf(call.Args)
	if code == nil || len(code.Parts) != 1 {
		return nil
	}
	q, ok := code.Parts[0].(*syntax.SglQuoted)
	if !ok || q.Dollar {
		return nil
	}
	var found []int
	for _, at := range Positions(q.Value) {
		found = append(found, int(q.Left.Offset())+1+at)
	}
	return found
}

// codeOf is the word of eval, or of a shell with -c, that is run.
func codeOf(words []*syntax.Word) *syntax.Word {
	switch {
	case len(words) == 2 && words[0].Lit() == "eval":
		return words[1]
	case len(words) >= 3 && (words[0].Lit() == "bash" || words[0].Lit() == "sh") && words[1].Lit() == "-c":
		return words[2]
	}
	return nil
}
