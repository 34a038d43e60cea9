package syntax

// Walk calls f for a node and, where f says so, for all that are below it. The
// comments of a file come last.
func Walk(n Node, f func(Node) bool) {
	if !f(n) {
		return
	}
	switch n := n.(type) {
	case *File:
		each(n.Stmts, f)
		for i := range n.Comments {
			f(&n.Comments[i])
		}
	case *Stmt:
		walk(n.Cmd, f)
		each(n.Redirs, f)
	case *Redirect:
		maybe(n.N, f)
		Walk(n.Word, f)
		maybe(n.Hdoc, f)
	case Command:
		walkCommand(n, f)
	case WordPart:
		walkPart(n, f)
	case *Word:
		each(n.Parts, f)
	default:
		walkClause(n, f)
	}
}

// walkClause walks what stands only in commands of some kinds.
func walkClause(n Node, f func(Node) bool) {
	switch n := n.(type) {
	case *Assign:
		maybe(n.Name, f)
		maybe(n.Value, f)
		walk(n.Index, f)
		maybe(n.Array, f)
	case *ArrayExpr:
		each(n.Elems, f)
	case *ArrayElem:
		walk(n.Index, f)
		maybe(n.Value, f)
	case *WordIter:
		Walk(n.Name, f)
		each(n.Items, f)
	case *CStyleLoop:
		walk(n.Init, f)
		walk(n.Cond, f)
		walk(n.Post, f)
	case *CaseItem:
		each(n.Patterns, f)
		each(n.Stmts, f)
	default:
		walkExpr(n, f)
	}
}

func walkCommand(c Command, f func(Node) bool) {
	switch c := c.(type) {
	case *CallExpr:
		each(c.Assigns, f)
		each(c.Args, f)
	case *DeclClause:
		each(c.Args, f)
	case *LetClause:
		each(c.Exprs, f)
	case *BinaryCmd:
		Walk(c.X, f)
		Walk(c.Y, f)
	case *FuncDecl:
		Walk(c.Name, f)
		Walk(c.Body, f)
	case *ArithmCmd:
		Walk(c.X, f)
	case *TestClause:
		Walk(c.X, f)
	case *TimeClause:
		maybe(c.Stmt, f)
	case *CoprocClause:
		maybe(c.Name, f)
		Walk(c.Stmt, f)
	default:
		walkCompound(c, f)
	}
}

func walkCompound(c Command, f func(Node) bool) {
	switch c := c.(type) {
	case *Subshell:
		each(c.Stmts, f)
	case *Block:
		each(c.Stmts, f)
	case *IfClause:
		each(c.Cond, f)
		each(c.Then, f)
		maybe(c.Else, f)
	case *WhileClause:
		each(c.Cond, f)
		each(c.Do, f)
	case *ForClause:
		Walk(c.Loop, f)
		each(c.Do, f)
	case *CaseClause:
		Walk(c.Word, f)
		each(c.Items, f)
	}
}

func walkPart(part WordPart, f func(Node) bool) {
	switch w := part.(type) {
	case *DblQuoted:
		each(w.Parts, f)
	case *CmdSubst:
		each(w.Stmts, f)
	case *ProcSubst:
		each(w.Stmts, f)
	case *ArithmExp:
		Walk(w.X, f)
	case *ExtGlob:
		Walk(w.Pattern, f)
	case *ParamExp:
		walkParam(w, f)
	}
}

func walkParam(p *ParamExp, f func(Node) bool) {
	maybe(p.Param, f)
	walk(p.Index, f)
	if p.Slice != nil {
		walk(p.Slice.Offset, f)
		walk(p.Slice.Length, f)
	}
	if p.Repl != nil {
		maybe(p.Repl.Orig, f)
		maybe(p.Repl.With, f)
	}
	if p.Exp != nil {
		maybe(p.Exp.Word, f)
	}
}

func walkExpr(n Node, f func(Node) bool) {
	switch n := n.(type) {
	case *BinaryArithm:
		Walk(n.X, f)
		Walk(n.Y, f)
	case *UnaryArithm:
		Walk(n.X, f)
	case *ParenArithm:
		Walk(n.X, f)
	case *BinaryTest:
		Walk(n.X, f)
		Walk(n.Y, f)
	case *UnaryTest:
		Walk(n.X, f)
	case *ParenTest:
		Walk(n.X, f)
	}
}

// walk walks a field of an interface type.
func walk(n Node, f func(Node) bool) {
	if n != nil {
		Walk(n, f)
	}
}

// maybe walks a field of a pointer type.
func maybe[T interface {
	Node
	comparable
}](n T, f func(Node) bool) {
	var none T
	if n != none {
		Walk(n, f)
	}
}

func each[T Node](list []T, f func(Node) bool) {
	for _, n := range list {
		Walk(n, f)
	}
}
