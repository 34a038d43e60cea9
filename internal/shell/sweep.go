package shell

import (
	"strings"

	"longline/internal/command"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// simple says whether a statement is a command that holds no others, but for those in
// its words.
func simple(st *syntax.Stmt) bool {
	switch st.Cmd.(type) {
	case nil, *syntax.CallExpr, *syntax.DeclClause:
		return true
	}
	return false
}

// spot is an offset that belongs to a statement alone: a list begins where its first
// command does.
func spot(st *syntax.Stmt) int {
	if b, ok := st.Cmd.(*syntax.BinaryCmd); ok {
		return int(b.OpPos.Offset())
	}
	return int(st.Pos().Offset())
}

// visit notes that a statement has been run.
func (s *source) visit(st *syntax.Stmt) {
	at := spot(st)
	if s.seen == nil {
		s.seen = make([]uint64, len(s.text)/64+1)
	}
	if at/64 < len(s.seen) {
		s.seen[at/64] |= 1 << (at % 64)
	}
}

// forget notes that a statement has not been run, or not to its end.
func (s *source) forget(st *syntax.Stmt) {
	if at := spot(st); at/64 < len(s.seen) {
		s.seen[at/64] &^= 1 << (at % 64)
	}
}

// visited says whether a statement has been run.
func (s *source) visited(st *syntax.Stmt) bool {
	at := spot(st)
	return s.seen != nil && (at/64 >= len(s.seen) || s.seen[at/64]&(1<<(at%64)) != 0)
}

// lines runs the statements of a text. An error in an expansion makes bash give up
// on the line that it is running and go on with the next, so what may have been
// left half done goes on there. In the end everything has been judged.
func (r *reader) lines(stmts []*syntax.Stmt, states []*state) []*state {
	whole := text{r.src, stmts}
	if r.skimmed != nil {
		r.texts = append(r.texts, whole)
		return states
	}
	plain := flat(stmts, r.src.text)
	if !plain {
		r.texts = append(r.texts, whole)
	}
	outer, aborted, was := r.stranded, r.aborted, r.held
	r.stranded, r.aborted, r.held = pile{}, pile{}, held{}
	refused := r.world.Zsh && r.inlined > 0 && zshRefuses(stmts, r.src.text)
	if refused {
		r.aborted = r.heap(r.aborted, snapshot(states)...) // zsh runs nothing of it
	}
	var gone pile
	for len(stmts) > 0 && !r.spent {
		n := 1
		for n < len(stmts) && stmts[n].Pos().Line() <= stmts[n-1].End().Line() {
			n++
		}
		r.src.last = n == len(stmts)
		if refused && zshRefuses(stmts[:n], r.src.text) {
			r.aborted = r.heap(r.aborted, snapshot(states)...) // or what stands before it, of a file
		}
		if n == 1 {
			emptyAhead(r, stmts, states)
		}
		ended := r.list(stmts[:n], states)
		stmts = stmts[n:]
		if stranded := r.stranded.all(); len(stranded) > 0 {
			ended = r.settle(append(ended, stranded...))
			r.stranded = pile{}
		}
		var left []*state
		if states, left = apart(ended); len(left) > 0 {
			gone = r.heap(gone, left...)
		}
		if len(states) == 0 && len(stmts) > 0 {
			r.judge(stmts, revived(ended))
			break
		}
	}
	states = append(r.aborted.all(), states...)
	r.stranded, r.aborted, r.held = outer, aborted, was
	if plain && r.spent {
		r.texts = append(r.texts, whole)
	}
	return r.settle(append(gone.all(), states...))
}

// flat says whether statements hold no others.
func flat(stmts []*syntax.Stmt, text string) bool {
	for _, st := range stmts {
		if _, ok := st.Cmd.(*syntax.CallExpr); !ok {
			return false
		}
	}
	return !hasAny(text, opening)
}

// opening are the characters one of which a command in a word begins with.
const opening = "$`("

// hasAny is strings.ContainsAny for few characters that most texts have none of.
func hasAny(text, few string) bool {
	for i := range len(few) {
		if strings.IndexByte(text, few[i]) >= 0 {
			return true
		}
	}
	return false
}

// text is one that is run in the shell at hand.
type text struct {
	src   *source
	stmts []*syntax.Stmt
}

// revived are states as if they had not left.
func revived(states []*state) []*state {
	list := snapshot(states)
	for _, s := range list {
		s.jump, s.levels = none, 0
	}
	return list
}

// finish judges what is left to judge when a shell has come to its end.
func (r *reader) finish(ended []*state) {
	if r.skimmed == nil {
		r.atExit()
		r.sweep(ended)
	}
	if (r.spent || r.skimmed != nil) && !r.late && len(r.texts) > 0 {
		r.left = append(r.left, remainder{r.texts, r.anywhere(ended), r.site})
	}
}

// maxSweeps bounds the rounds in which what has not been run is looked for.
const maxSweeps = 20

// sweep judges what no way through the script has led to: the bodies of functions
// that nobody calls, and whatever else was left out. It may run at any point, with
// any parameters. In a file, a function that nothing in sight can call is left
// alone: libraries are full of them.
func (r *reader) sweep(ended []*state) {
	var base *state
	for range maxSweeps {
		found := false
		for i := 0; i < len(r.texts) && !r.spent; i++ {
			for _, st := range r.texts[i].left() {
				if found = true; base == nil {
					base = r.anywhere(ended)
				}
				outer, at := r.src, r.frame
				r.src, r.frame = r.texts[i].src, frame{depth: at.depth + 1, loops: 1}
				r.src.visit(st)
				outlived(r, r.stmt(st, []*state{base.fork()}))
				r.src, r.frame = outer, at
			}
		}
		if !found || r.spent {
			return
		}
	}
	r.gap("it cannot be followed to its end", tool.Span{})
}

// anywhere is what the script may be like when something runs that nobody is seen to
// run.
func (led *ledger) anywhere(ended []*state) *state {
	if past := led.ever(); past != nil {
		past.running = nil
		return past
	}
	base := &state{world: led.world, toil: &led.toil}
	for i, s := range ended {
		if i == 0 {
			base = s.fork()
		} else {
			base.join(s)
		}
	}
	base.forgetAll()
	base.jump, base.levels, base.params, base.many, base.loose, base.running = none, 0, nil, true, 0, nil
	base.stdin = command.Data{None: true}
	return base
}

// left are the outermost statements of a text that have not been run.
func (t text) left() (list []*syntax.Stmt) {
	inWords := hasAny(t.src.text, opening)
	for _, st := range t.stmts {
		syntax.Walk(st, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.Word:
				return inWords
			case *syntax.FuncDecl:
				return t.follows(n)
			case *syntax.Stmt:
				if !t.src.visited(n) {
					list = append(list, n)
					return false
				}
			}
			return true
		})
	}
	return list
}

// follows says whether the body of a function is looked at though nobody is seen to
// call it.
func (t text) follows(f *syntax.FuncDecl) bool {
	return !t.src.disk || f.Name != nil && isHook(f.Name.Value)
}
