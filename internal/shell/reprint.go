package shell

import (
	"slices"
	"strings"

	"longline/internal/syntax"
)

// bash 5.2 does not run the text of a substitution but writes its commands down anew, and loses
// separators behind a here-document: in
//
//	$(cat <<E
//	text
//	E
//	rm -rf build; echo ../docs)
//
// it runs one rm with four words. It gets right what is on lines of its own.

// reprinted notes a substitution that bash may run as something else than what is written.
func (led *ledger) reprinted(n syntax.Node, list []*syntax.Stmt) {
	start, end := int(n.Pos().Offset()), int(n.End().Offset())
	if end > len(led.src.text) || start > end || !strings.Contains(led.src.text[start:end], "<<") {
		return
	}
	first := slices.IndexFunc(list, holdsDocument)
	if first < 0 {
		return
	}
	last := len(list) - 1
	for i, st := range list[first:] {
		if st.Background || st.Semicolon.IsValid() && first+i < last || !isFlat(st.Cmd) && (i > 0 || !onlyOn(st)) {
			led.gap("a here-document in $(...) that some versions of bash read wrongly; put each command behind it on a line of its own", led.src.nodeSpan(n))
			return
		}
	}
}

// holdsDocument says whether there is a here-document in a statement, apart from those in
// substitutions of its own.
func holdsDocument(st *syntax.Stmt) (found bool) {
	syntax.Walk(st, func(n syntax.Node) bool {
		if rd, ok := n.(*syntax.Redirect); ok && isDocument(rd) {
			found = true
		}
		_, word := n.(*syntax.Word)
		return !found && !word
	})
	return found
}

func isDocument(rd *syntax.Redirect) bool {
	return rd.Op == syntax.Hdoc || rd.Op == syntax.DashHdoc
}

// isFlat says whether a command is a simple one, or some that are joined by |, && and ||.
func isFlat(c syntax.Command) bool {
	switch c := c.(type) {
	case nil, *syntax.CallExpr, *syntax.DeclClause:
		return true
	case *syntax.BinaryCmd:
		return isFlat(c.X.Cmd) && isFlat(c.Y.Cmd)
	}
	return false
}

// onlyOn says whether the here-documents of a compound command are its own input.
func onlyOn(st *syntax.Stmt) bool {
	inside := *st
	inside.Redirs = nil
	return !holdsDocument(&inside)
}
