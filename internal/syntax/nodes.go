package syntax

import "strings"

// Node is a part of a tree. It reaches from Pos up to, and not including, End.
type Node interface {
	Pos() Pos
	End() Pos
}

// Command is what a statement runs.
type Command interface {
	Node
	isCommand()
}

// WordPart is a piece of a word.
type WordPart interface {
	Node
	isWordPart()
}

// ArithmExpr is an expression of $(( )), (( )), a subscript, a slice or let.
type ArithmExpr interface {
	Node
	isArithm()
}

// TestExpr is an expression of [[ ]].
type TestExpr interface {
	Node
	isTest()
}

// Loop says over what a for command runs.
type Loop interface {
	Node
	isLoop()
}

// File is a whole script.
type File struct {
	Stmts    []*Stmt
	Comments []Comment // all of them, those inside substitutions too
}

func (f *File) Pos() Pos {
	if len(f.Stmts) == 0 {
		return Pos{}
	}
	return f.Stmts[0].Pos()
}

func (f *File) End() Pos {
	if len(f.Stmts) == 0 {
		return Pos{}
	}
	return f.Stmts[len(f.Stmts)-1].End()
}

// Comment reaches from # to the end of the line.
type Comment struct {
	Hash Pos
	Text string
}

func (c *Comment) Pos() Pos { return c.Hash }
func (c *Comment) End() Pos { return c.Hash.plus(1 + len(c.Text)) }

// Stmt is a command with what belongs to it: !, redirections, and what ends it.
type Stmt struct {
	Cmd        Command // nil if there are redirections only
	Position   Pos
	Semicolon  Pos // of ; or &, if there is one
	Negated    bool
	Background bool
	Redirs     []*Redirect
}

func (s *Stmt) Pos() Pos { return s.Position }

func (s *Stmt) End() Pos {
	if s.Semicolon.IsValid() {
		return s.Semicolon.plus(1)
	}
	end := s.Position
	if s.Negated {
		end = end.plus(1)
	}
	if s.Cmd != nil {
		end = s.Cmd.End()
	}
	if n := len(s.Redirs); n > 0 {
		end = later(end, s.Redirs[n-1].End())
	}
	return end
}

// Redirect is N Op Word.
type Redirect struct {
	OpPos Pos
	Op    RedirOperator
	N     *Lit // a number or {name}
	Word  *Word
	Hdoc  *Word // the text of a here-document, nil if it is empty
}

func (r *Redirect) Pos() Pos {
	if r.N != nil {
		return r.N.Pos()
	}
	return r.OpPos
}

func (r *Redirect) End() Pos {
	if r.Hdoc != nil {
		return r.Hdoc.End()
	}
	return r.Word.End()
}

// Assign is an assignment, or an argument of declare and its like.
type Assign struct {
	Append bool       // +=
	Naked  bool       // there is no =; without a name, Value is any word
	Name   *Lit       // a valid name
	Index  ArithmExpr // name[Index]
	Value  *Word
	Array  *ArrayExpr
}

func (a *Assign) Pos() Pos {
	if a.Name != nil {
		return a.Name.Pos()
	}
	return a.Value.Pos()
}

func (a *Assign) End() Pos {
	switch {
	case a.Value != nil:
		return a.Value.End()
	case a.Array != nil:
		return a.Array.End()
	}
	end, more := a.Name.End(), 0
	if a.Index != nil {
		end, more = a.Index.End(), 1
	}
	if !a.Naked {
		more++
	}
	return end.plus(more)
}

// ArrayExpr is (a b [i]=c).
type ArrayExpr struct {
	Lparen, Rparen Pos
	Elems          []*ArrayElem
}

func (a *ArrayExpr) Pos() Pos { return a.Lparen }
func (a *ArrayExpr) End() Pos { return a.Rparen.plus(1) }

// ArrayElem has an index, a value or both.
type ArrayElem struct {
	Index ArithmExpr
	Value *Word
}

func (a *ArrayElem) Pos() Pos {
	if a.Index != nil {
		return a.Index.Pos()
	}
	return a.Value.Pos()
}

func (a *ArrayElem) End() Pos {
	if a.Value != nil {
		return a.Value.End()
	}
	return a.Index.End().plus(2)
}

// CallExpr is a simple command.
type CallExpr struct {
	Assigns []*Assign
	Args    []*Word
}

func (c *CallExpr) Pos() Pos {
	if len(c.Assigns) > 0 {
		return c.Assigns[0].Pos()
	}
	return c.Args[0].Pos()
}

func (c *CallExpr) End() Pos {
	if len(c.Args) > 0 {
		return c.Args[len(c.Args)-1].End()
	}
	return c.Assigns[len(c.Assigns)-1].End()
}

// DeclClause is declare, export, local, readonly or typeset.
type DeclClause struct {
	Variant *Lit
	Args    []*Assign
}

func (d *DeclClause) Pos() Pos { return d.Variant.Pos() }

func (d *DeclClause) End() Pos {
	if n := len(d.Args); n > 0 {
		return d.Args[n-1].End()
	}
	return d.Variant.End()
}

// LetClause is let.
type LetClause struct {
	Let   Pos
	Exprs []ArithmExpr
}

func (l *LetClause) Pos() Pos { return l.Let }
func (l *LetClause) End() Pos { return l.Exprs[len(l.Exprs)-1].End() }

// BinaryCmd joins two statements by &&, ||, | or |&. Lists lean to the left.
type BinaryCmd struct {
	OpPos Pos
	Op    BinCmdOperator
	X, Y  *Stmt
}

func (b *BinaryCmd) Pos() Pos { return b.X.Pos() }
func (b *BinaryCmd) End() Pos { return b.Y.End() }

// Subshell is ( ).
type Subshell struct {
	Lparen, Rparen Pos
	Stmts          []*Stmt
}

func (s *Subshell) Pos() Pos { return s.Lparen }
func (s *Subshell) End() Pos { return s.Rparen.plus(1) }

// Block is { }.
type Block struct {
	Lbrace, Rbrace Pos
	Stmts          []*Stmt
}

func (b *Block) Pos() Pos { return b.Lbrace }
func (b *Block) End() Pos { return b.Rbrace.plus(1) }

// IfClause is if, or the elif or else of another one.
type IfClause struct {
	Position Pos
	ThenPos  Pos // not valid for else
	FiPos    Pos // the same one for all parts
	Cond     []*Stmt
	Then     []*Stmt
	Else     *IfClause
}

func (c *IfClause) Pos() Pos { return c.Position }
func (c *IfClause) End() Pos { return c.FiPos.plus(2) }

// WhileClause is while or until.
type WhileClause struct {
	WhilePos, DoPos, DonePos Pos
	Until                    bool
	Cond, Do                 []*Stmt
}

func (w *WhileClause) Pos() Pos { return w.WhilePos }
func (w *WhileClause) End() Pos { return w.DonePos.plus(4) }

// ForClause is for or select.
type ForClause struct {
	ForPos, DoPos, DonePos Pos
	Select                 bool
	Braces                 bool // { } instead of do and done
	Loop                   Loop
	Do                     []*Stmt
}

func (f *ForClause) Pos() Pos { return f.ForPos }

func (f *ForClause) End() Pos {
	if f.Braces {
		return f.DonePos.plus(1)
	}
	return f.DonePos.plus(4)
}

// WordIter is name in words. InPos is not valid if the words are the parameters.
type WordIter struct {
	Name  *Lit
	InPos Pos
	Items []*Word
}

func (w *WordIter) Pos() Pos { return w.Name.Pos() }

func (w *WordIter) End() Pos {
	if n := len(w.Items); n > 0 {
		return w.Items[n-1].End()
	}
	return later(w.Name.End(), w.InPos.plus(2))
}

// CStyleLoop is ((Init; Cond; Post)), each of which may be missing.
type CStyleLoop struct {
	Lparen, Rparen   Pos
	Init, Cond, Post ArithmExpr
}

func (c *CStyleLoop) Pos() Pos { return c.Lparen }
func (c *CStyleLoop) End() Pos { return c.Rparen.plus(2) }

// CaseClause is case Word in Items esac.
type CaseClause struct {
	Case, In, Esac Pos
	Word           *Word
	Items          []*CaseItem
}

func (c *CaseClause) Pos() Pos { return c.Case }
func (c *CaseClause) End() Pos { return c.Esac.plus(4) }

// CaseItem is one arm. OpPos is not valid if esac ends it.
type CaseItem struct {
	Op       CaseOperator
	OpPos    Pos
	Patterns []*Word
	Stmts    []*Stmt
}

func (c *CaseItem) Pos() Pos { return c.Patterns[0].Pos() }

func (c *CaseItem) End() Pos {
	if c.OpPos.IsValid() {
		return c.OpPos.plus(len(c.Op.String()))
	}
	if n := len(c.Stmts); n > 0 {
		return c.Stmts[n-1].End()
	}
	return Pos{}
}

// FuncDecl defines a function. Its body is a compound command and its redirections.
type FuncDecl struct {
	Position Pos
	RsrvWord bool // function name
	Parens   bool // name()
	Name     *Lit
	Body     *Stmt
}

func (f *FuncDecl) Pos() Pos { return f.Position }
func (f *FuncDecl) End() Pos { return f.Body.End() }

// ArithmCmd is (( )).
type ArithmCmd struct {
	Left, Right Pos
	X           ArithmExpr
}

func (a *ArithmCmd) Pos() Pos { return a.Left }
func (a *ArithmCmd) End() Pos { return a.Right.plus(2) }

// TestClause is [[ ]].
type TestClause struct {
	Left, Right Pos
	X           TestExpr
}

func (t *TestClause) Pos() Pos { return t.Left }
func (t *TestClause) End() Pos { return t.Right.plus(2) }

// TimeClause is time. Stmt is nil if nothing is timed.
type TimeClause struct {
	Time        Pos
	PosixFormat bool
	Stmt        *Stmt
}

func (c *TimeClause) Pos() Pos { return c.Time }

func (c *TimeClause) End() Pos {
	if c.Stmt == nil {
		return c.Time.plus(4)
	}
	return c.Stmt.End()
}

// CoprocClause is coproc. Only a compound command can have a name.
type CoprocClause struct {
	Coproc Pos
	Name   *Word
	Stmt   *Stmt
}

func (c *CoprocClause) Pos() Pos { return c.Coproc }
func (c *CoprocClause) End() Pos { return c.Stmt.End() }

// Word is one or more parts without anything between them.
type Word struct {
	Parts []WordPart
}

func (w *Word) Pos() Pos { return w.Parts[0].Pos() }
func (w *Word) End() Pos { return w.Parts[len(w.Parts)-1].End() }

// Lit is the text of a word without quotes and expansions, "" for others.
func (w *Word) Lit() string {
	if len(w.Parts) == 1 {
		if l, ok := w.Parts[0].(*Lit); ok {
			return l.Value
		}
		return ""
	}
	var b strings.Builder
	for _, part := range w.Parts {
		l, ok := part.(*Lit)
		if !ok {
			return ""
		}
		b.WriteString(l.Value)
	}
	return b.String()
}

// Lit is text as it stands, with its backslashes and without continuations.
type Lit struct {
	ValuePos, ValueEnd Pos
	Value              string
}

func (l *Lit) Pos() Pos { return l.ValuePos }
func (l *Lit) End() Pos { return l.ValueEnd }

// SglQuoted is '...' or $'...'; Value is what stands between.
type SglQuoted struct {
	Left, Right Pos
	Dollar      bool
	Value       string
}

func (q *SglQuoted) Pos() Pos { return q.Left }
func (q *SglQuoted) End() Pos { return q.Right.plus(1) }

// DblQuoted is "..." or $"...".
type DblQuoted struct {
	Left, Right Pos
	Dollar      bool
	Parts       []WordPart
}

func (q *DblQuoted) Pos() Pos { return q.Left }
func (q *DblQuoted) End() Pos { return q.Right.plus(1) }

// CmdSubst is $(...), `...`, ${ ...;} (TempFile) or ${|...;} (ReplyVar).
type CmdSubst struct {
	Left, Right Pos
	Stmts       []*Stmt
	Backquotes  bool
	TempFile    bool
	ReplyVar    bool
}

func (c *CmdSubst) Pos() Pos { return c.Left }
func (c *CmdSubst) End() Pos { return c.Right.plus(1) }

// ProcSubst is <(...) or >(...).
type ProcSubst struct {
	OpPos, Rparen Pos
	Op            ProcOperator
	Stmts         []*Stmt
}

func (s *ProcSubst) Pos() Pos { return s.OpPos }
func (s *ProcSubst) End() Pos { return s.Rparen.plus(1) }

// ArithmExp is $((...)) or $[...] (Bracket).
type ArithmExp struct {
	Left, Right Pos
	Bracket     bool
	X           ArithmExpr
}

func (a *ArithmExp) Pos() Pos { return a.Left }

func (a *ArithmExp) End() Pos {
	if a.Bracket {
		return a.Right.plus(1)
	}
	return a.Right.plus(2)
}

// ExtGlob is one of ?( *( +( @( !( with its pattern as it stands.
type ExtGlob struct {
	OpPos   Pos
	Op      GlobOperator
	Pattern *Lit
}

func (e *ExtGlob) Pos() Pos { return e.OpPos }
func (e *ExtGlob) End() Pos { return e.Pattern.End().plus(1) }

// ParamExp is $name (Short), ${...}, or name[i] inside an arithmetic expression,
// which has no dollar.
type ParamExp struct {
	Dollar, Rbrace Pos
	Short          bool
	Excl           bool // ${!a}
	Length         bool // ${#a}
	Param          *Lit
	Index          ArithmExpr
	Slice          *Slice
	Repl           *Replace
	Names          ParNamesOperator // ${!a*} and ${!a@}
	Exp            *Expansion
}

func (p *ParamExp) Pos() Pos {
	if p.Dollar.IsValid() {
		return p.Dollar
	}
	return p.Param.Pos()
}

func (p *ParamExp) End() Pos {
	switch {
	case !p.Short:
		return p.Rbrace.plus(1)
	case p.Index != nil:
		return p.Index.End().plus(1)
	}
	return p.Param.End()
}

// Slice is :Offset:Length.
type Slice struct {
	Offset, Length ArithmExpr
}

// Replace is /Orig/With, or //Orig/With (All).
type Replace struct {
	All        bool
	Orig, With *Word
}

// Expansion is any other operator of a parameter expansion and its word.
type Expansion struct {
	Op   ParExpOperator
	Word *Word
}

// BinaryArithm joins two expressions. Those of a ? b : c are a and another one, of b
// and c.
type BinaryArithm struct {
	OpPos Pos
	Op    BinAritOperator
	X, Y  ArithmExpr
}

func (b *BinaryArithm) Pos() Pos { return b.X.Pos() }
func (b *BinaryArithm) End() Pos { return b.Y.End() }

// UnaryArithm has its operator before or after (Post) the expression.
type UnaryArithm struct {
	OpPos Pos
	Op    UnAritOperator
	Post  bool
	X     ArithmExpr
}

func (u *UnaryArithm) Pos() Pos {
	if u.Post {
		return u.X.Pos()
	}
	return u.OpPos
}

func (u *UnaryArithm) End() Pos {
	if u.Post {
		return u.OpPos.plus(2)
	}
	return u.X.End()
}

// ParenArithm is (X).
type ParenArithm struct {
	Lparen, Rparen Pos
	X              ArithmExpr
}

func (p *ParenArithm) Pos() Pos { return p.Lparen }
func (p *ParenArithm) End() Pos { return p.Rparen.plus(1) }

// BinaryTest joins two tests or two words.
type BinaryTest struct {
	OpPos Pos
	Op    BinTestOperator
	X, Y  TestExpr
}

func (b *BinaryTest) Pos() Pos { return b.X.Pos() }
func (b *BinaryTest) End() Pos { return b.Y.End() }

// UnaryTest is -f X and its like, or ! X.
type UnaryTest struct {
	OpPos Pos
	Op    UnTestOperator
	X     TestExpr
}

func (u *UnaryTest) Pos() Pos { return u.OpPos }
func (u *UnaryTest) End() Pos { return u.X.End() }

// ParenTest is (X).
type ParenTest struct {
	Lparen, Rparen Pos
	X              TestExpr
}

func (p *ParenTest) Pos() Pos { return p.Lparen }
func (p *ParenTest) End() Pos { return p.Rparen.plus(1) }

func (*CallExpr) isCommand()     {}
func (*DeclClause) isCommand()   {}
func (*LetClause) isCommand()    {}
func (*BinaryCmd) isCommand()    {}
func (*Subshell) isCommand()     {}
func (*Block) isCommand()        {}
func (*IfClause) isCommand()     {}
func (*WhileClause) isCommand()  {}
func (*ForClause) isCommand()    {}
func (*CaseClause) isCommand()   {}
func (*FuncDecl) isCommand()     {}
func (*ArithmCmd) isCommand()    {}
func (*TestClause) isCommand()   {}
func (*TimeClause) isCommand()   {}
func (*CoprocClause) isCommand() {}

func (*WordIter) isLoop()   {}
func (*CStyleLoop) isLoop() {}

func (*Lit) isWordPart()       {}
func (*SglQuoted) isWordPart() {}
func (*DblQuoted) isWordPart() {}
func (*CmdSubst) isWordPart()  {}
func (*ProcSubst) isWordPart() {}
func (*ArithmExp) isWordPart() {}
func (*ExtGlob) isWordPart()   {}
func (*ParamExp) isWordPart()  {}

func (*Word) isArithm()         {}
func (*BinaryArithm) isArithm() {}
func (*UnaryArithm) isArithm()  {}
func (*ParenArithm) isArithm()  {}

func (*Word) isTest()       {}
func (*BinaryTest) isTest() {}
func (*UnaryTest) isTest()  {}
func (*ParenTest) isTest()  {}
