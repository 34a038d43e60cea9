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
	put := func(stmts ...*syntax.Stmt) {
		for _, s := range stmts {
			found = append(found, int(s.Pos().Offset()))
		}
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.File:
			put(n.Stmts...)
		case *syntax.Block:
			put(n.Stmts...)
		case *syntax.Subshell:
			put(n.Stmts...)
		case *syntax.CmdSubst:
			if n.Left.Offset() != n.Right.Offset() && script[n.Left.Offset()] == '$' && !n.TempFile && !n.ReplyVar {
				put(n.Stmts...)
			}
		case *syntax.ProcSubst:
			put(n.Stmts...)
		case *syntax.IfClause:
			put(n.Cond...)
			put(n.Then...)
		case *syntax.WhileClause:
			put(n.Cond...)
			put(n.Do...)
		case *syntax.ForClause:
			put(n.Do...)
		case *syntax.CaseItem:
			put(n.Stmts...)
		case *syntax.BinaryCmd:
			put(n.Y)
		case *syntax.CallExpr:
			found = append(found, quotedPositions(script, n)...)
		}
		return true
	})
	slices.Sort(found)
	return slices.Compact(found)
}

// quotedPositions finds the places in the text of eval '...' and bash -c '...'.
func quotedPositions(script string, call *syntax.CallExpr) []int {
	var code *syntax.Word
	switch name := call.Args; {
	case len(name) == 2 && name[0].Lit() == "eval":
		code = name[1]
	case len(name) >= 3 && (name[0].Lit() == "bash" || name[0].Lit() == "sh") && name[1].Lit() == "-c":
		code = name[2]
	default:
		return nil
	}
	if len(code.Parts) != 1 {
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
