package shell

import (
	"longline/internal/command"
	"longline/internal/syntax"
)

// A script that takes all its steps is not followed further: that is a gap, and it
// asks. What it would run is judged all the same, so that a command that is denied for
// its own words is denied wherever it stands. For that nothing is followed: every
// simple command, and every pipeline of such, is judged once and by itself, in a state of which
// nothing is known. The cost is linear in the length of the script.

// remainder is what a shell had left to judge when the steps were taken.
type remainder struct {
	texts []text
	base  *state // what the shell was like
	site  site
}

// skimmed bounds the texts that are found inside others while those are skimmed, as
// arguments of eval or bash -c.
type skimmed struct {
	texts map[string]bool
	room  int // bytes
}

// takes says whether a text is one to look at.
func (k *skimmed) takes(text string) bool {
	if k.texts[text] || len(text) > k.room {
		return false
	}
	k.texts[text] = true
	k.room -= len(text)
	return true
}

// leafSteps are what a command may take by itself, beside one for each byte of it.
const leafSteps = 100

// skim judges what is left of a script of that length.
func (r *reader) skim(length int) {
	if len(r.left) == 0 {
		return
	}
	r.skimmed = &skimmed{texts: map[string]bool{}, room: 4*length + 4096}
	done, forgotten := map[string]bool{}, map[*node[file]]*node[file]{}
	for i := 0; i < len(r.left) && !r.late; i++ { // which grows meanwhile
		rest := r.left[i]
		r.process, r.site = process{texts: rest.texts}, rest.site
		rest.base.dir, rest.base.aliases = command.Word{}, nil
		rest.base.files.forget(forgotten)
		for j := 0; j < len(r.texts) && !r.late; j++ { // and this too
			r.src = r.texts[j].src
			r.texts[j].each(func(st *syntax.Stmt) { r.leaf(st, rest.base.fork(), done) })
		}
	}
	r.spent = true
}

// each calls f for the statements of a text that have not been run.
func (t text) each(f func(*syntax.Stmt)) {
	for _, st := range t.stmts {
		syntax.Walk(st, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.FuncDecl:
				return t.follows(n)
			case *syntax.Stmt:
				if !t.src.visited(n) {
					f(n)
				}
			}
			return true
		})
	}
}

// leaf judges one command. The same text is the same command.
func (r *reader) leaf(st *syntax.Stmt, s *state, done map[string]bool) {
	pipe := false
	if b, ok := st.Cmd.(*syntax.BinaryCmd); ok {
		pipe = b.Op == syntax.Pipe || b.Op == syntax.PipeAll
	}
	start, end := int(st.Pos().Offset()), min(int(st.End().Offset()), len(r.src.text))
	if start > end || !pipe && !simple(st) && len(st.Redirs) == 0 {
		return
	}
	if text := r.src.text[start:end]; done[text] {
		return
	} else {
		done[text] = true
	}
	r.frame = frame{depth: 1, loops: 1}
	r.levels, r.spent, r.room = 0, false, r.steps+r.toil.steps()+leafSteps+end-start
	r.plain(st, one(s))
}

// holdsOthers says whether a command holds statements that are judged by themselves.
func holdsOthers(cmd syntax.Command) bool {
	switch c := cmd.(type) {
	case *syntax.BinaryCmd:
		return c.Op != syntax.Pipe && c.Op != syntax.PipeAll
	case *syntax.ArithmCmd, *syntax.TestClause, *syntax.LetClause, *syntax.TimeClause, *syntax.CoprocClause:
		return false
	}
	return true
}
