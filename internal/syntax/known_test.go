package syntax_test

import (
	"strings"

	"longline/internal/scan"
	"longline/internal/syntax"
)

// known says in which way the tree of a script may differ from that of mvdan.cc/sh,
// because that one is not what bash makes of it; "" if it must not. The examples in
// TestAsBashDoes show each.
func known(script string, file *syntax.File) string {
	why := ""
	note := func(what string, holds bool) {
		if holds && why == "" {
			why = what
		}
	}
	note("a carriage return is a blank", strings.Contains(script, "\r"))
	note("the column behind a backslash at the end", strings.HasSuffix(script, "\\"))
	note("a comment goes on behind a backslash", commentContinues(file))
	note("quotes count inside the ${x:-word} of a quoted text", scan.Run(script).Apostrophe)
	note("a bash 5.3 substitution ends at any }", strings.Contains(script, "${ ") || strings.Contains(script, "${\t") || strings.Contains(script, "${\n") || strings.Contains(script, "${|"))
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryCmd:
			note("what follows a function belongs to its body", endsInFunction(n.X))
		case *syntax.Stmt:
			_, block := n.Cmd.(*syntax.CallExpr)
			note("redirections before a command", !block && n.Cmd != nil && len(n.Redirs) > 0 && !n.Redirs[0].Pos().After(n.Cmd.Pos()))
		case *syntax.CallExpr:
			note("nameref is a declaration", len(n.Args) > 0 && n.Args[0].Lit() == "nameref")
			note("an option with a bracket is an assignment", len(n.Args) > 0 && optionWithBracket(n.Args[0]))
		case *syntax.LetClause:
			note("let ends where a word of it ends", strings.ContainsAny(script, "&|<>"))
		case *syntax.CoprocClause:
			note("a pipe or redirection behind coproc is part of it", true)
		case *syntax.TimeClause:
			note("time takes no --", strings.Contains(script, "--"))
			note("a comment behind time is lost", n.Stmt == nil && len(file.Comments) > 0)
		case *syntax.UnaryTest:
			note("! in [[ ]] holds for all that follows", n.Op == syntax.TsNot)
		case *syntax.BinaryTest:
			note("|| in [[ ]] binds as && does", n.Op == syntax.OrTest)
		case *syntax.ArrayElem:
			note("[i]= takes the next word", n.Index != nil && n.Value == nil)
		case *syntax.Assign:
			note("# behind an array is a comment", n.Array != nil && strings.Contains(script, ")#"))
			note("the first bracket of a[i]={ ends a literal", n.Index != nil && strings.Contains(script, "={"))
		case *syntax.ExtGlob:
			note("quotes in a pattern do not count", strings.ContainsAny(n.Pattern.Value, "\\'\"$`"))
		case *syntax.Redirect:
			note(">&- goes on with the next word", (n.Op == syntax.DplIn || n.Op == syntax.DplOut) && n.Word.Lit() == "-" && goesOn(script, n.Word))
			note(hereDocument(script, n), n.Op == syntax.Hdoc || n.Op == syntax.DashHdoc)
		case *syntax.CmdSubst:
			note("quotes hide the end of backquotes", n.Backquotes && strings.ContainsAny(script, "'\"#"))
			note("a # behind quotes is a comment in a substitution", hashInWord(n.Stmts))
		case *syntax.ProcSubst:
			note("a # behind quotes is a comment in a substitution", hashInWord(n.Stmts))
		case *syntax.Subshell:
			note("a # behind quotes is a comment in a substitution", hashInWord(n.Stmts))
		case *syntax.CaseItem:
			note("a # behind quotes is a comment in a substitution", hashInWord(n.Stmts))
		}
		return true
	})
	return why
}

func commentContinues(file *syntax.File) bool {
	for _, c := range file.Comments {
		if strings.HasSuffix(c.Text, "\\") {
			return true
		}
	}
	return false
}

// endsInFunction says whether the last command of a statement defines a function.
func endsInFunction(s *syntax.Stmt) bool {
	for {
		switch c := s.Cmd.(type) {
		case *syntax.FuncDecl:
			return true
		case *syntax.BinaryCmd:
			s = c.Y
		case *syntax.TimeClause:
			if c.Stmt == nil {
				return false
			}
			s = c.Stmt
		case *syntax.CoprocClause:
			s = c.Stmt
		default:
			return false
		}
	}
}

// goesOn says whether something stands right behind a word.
func goesOn(script string, w *syntax.Word) bool {
	at := int(w.End().Offset())
	return at < len(script) && !strings.ContainsRune(" \t\n;&|()", rune(script[at]))
}

// optionWithBracket says whether a word is like --x=y[z].
func optionWithBracket(w *syntax.Word) bool {
	if len(w.Parts) < 2 {
		return false
	}
	l, ok := w.Parts[0].(*syntax.Lit)
	next, also := w.Parts[1].(*syntax.Lit)
	return ok && also && strings.Contains(l.Value, "=") && strings.HasPrefix(next.Value, "[")
}

// hereDocument says what is known about one.
func hereDocument(script string, r *syntax.Redirect) string {
	for _, part := range r.Word.Parts {
		if _, plain := part.(*syntax.Lit); !plain && len(r.Word.Parts) > 1 {
			return "only the last part of a delimiter says whether it is quoted"
		}
	}
	if lit := r.Word.Lit(); strings.ContainsAny(lit, "\\") {
		return "backslashes of a delimiter"
	}
	if strings.ContainsAny(script, "`(") {
		return "a here-document around or inside a substitution"
	}
	if r.Hdoc != nil && len(r.Hdoc.Parts) > 1 {
		return "a delimiter behind an expansion ends a here-document"
	}
	return ""
}

// hashInWord says whether a literal in the statements begins with # behind another part.
func hashInWord(stmts []*syntax.Stmt) bool {
	found := false
	for _, s := range stmts {
		syntax.Walk(s, func(n syntax.Node) bool {
			if w, ok := n.(*syntax.Word); ok {
				for i, part := range w.Parts {
					l, ok := part.(*syntax.Lit)
					found = found || ok && i > 0 && strings.HasPrefix(l.Value, "#")
				}
			}
			return true
		})
	}
	return found
}
