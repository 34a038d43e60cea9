package reader

import (
	"sort"
	"strconv"
	"strings"

	"longline/internal/powershell"
	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// source says where the text of a node stands in the script that was given.
type source struct {
	text  string // as parsed, without continuations
	cuts  []scan.Cut
	given string // the text before anything was cut
	disk  bool   // it is a file's
	last  bool   // it is at its last line
	fed   bool   // the shell reads it from its standard input
	// dialect is the language of a shell of Windows that it is written in.
	dialect string
	at      value.Place // where the text begins in the script, if it stands there
	whole   tool.Span   // what to point at if it does not

	seen      map[*syntax.Stmt]bool // commands that have been judged
	functions []*definition         // that it defines
}

// span maps offsets in the parsed text to the script.
func (s *source) span(start, end int) tool.Span {
	at, ok := s.at.Offset()
	if !ok {
		return s.whole
	}
	start, end = scan.Original(s.cuts, start), scan.Original(s.cuts, end)
	end = min(end, len(s.given))
	return tool.Span{Start: at + min(start, end), End: at + end}
}

// where returns the offset in the script of a text that stands there verbatim.
func (s *source) where(at int, text string) value.Place {
	if s.at <= 0 || at+len(text) > len(s.text) || s.text[at:at+len(text)] != text {
		return 0
	}
	start, end := scan.Original(s.cuts, at), scan.Original(s.cuts, at+len(text))
	if end-start != len(text) {
		return 0
	}
	return s.at.Shift(start)
}

func (s *source) nodeSpan(n syntax.Node) tool.Span {
	return s.span(int(n.Pos().Offset()), int(n.End().Offset()))
}

// behind is the byte behind a node, 0 at the end.
func (s *source) behind(n syntax.Node) byte {
	if at := int(n.End().Offset()); at < len(s.text) {
		return s.text[at]
	}
	return 0
}

// judged notes that a command has been judged.
func (s *source) judged(st *syntax.Stmt) {
	if s.seen == nil {
		s.seen = map[*syntax.Stmt]bool{}
	}
	s.seen[st] = true
}

// script reads a text as commands and runs them.
func (r *reader) script(text string, src *source) {
	outer := r.src
	r.src = src
	defer func() { r.src = outer }()
	src.given = text
	if r.skims != nil {
		if len(text) > r.skims.room {
			return
		}
		r.skims.room -= len(text)
	} else {
		if src.disk {
			r.grant(text)
		}
		if r.bytes -= len(text); r.bytes < 0 {
			r.spend(maxSteps)
			r.bytes = 0
		}
	}
	if len(text) > scan.MaxScript {
		n := strings.LastIndexByte(text[:scan.MaxScript], '\n')
		r.gap("the script is too long to read completely", src.span(max(n, 0), len(text)))
		text = text[:n+1]
	}
	if src.dialect != "" {
		r.foreign(text, src)
		return
	}
	if why, at := scan.Unreadable(text); why != "" {
		r.gap(why, src.span(at, at+1))
	}
	sc := scan.Run(text)
	if sc.Unclosed != "" { // the end of the script ends it too, with a warning
		text += "\n" + sc.Unclosed + "\n"
		sc = scan.Run(text)
	}
	if sc.Refused != "" {
		r.fail("the script cannot be read: "+sc.Refused, src.span(0, len(text)))
		_, sc = readable(text)
	}
	for _, o := range sc.Odd {
		r.gap(o.Why, src.span(o.At, o.At+1))
	}
	src.text, src.cuts = sc.Text, sc.Cuts
	r.differsInZsh(&sc)
	r.lines(r.parse(&sc))
}

// foreign reads a text in the language of another shell.
func (r *reader) foreign(text string, src *source) {
	if src.dialect == "powershell-encoded" {
		decoded, ok := powershell.Decode(text)
		if !ok {
			r.fail("the script cannot be decoded", src.span(0, len(text)))
			return
		}
		text, src.at = decoded, 0
	}
	read := powershell.Parse
	if src.dialect == "cmd" {
		read = powershell.ParseCmd
	}
	file, problems := read(text, r.world.Windows)
	src.text, src.given = text, text
	for _, p := range problems {
		r.gap(p.Why, src.span(p.Start, p.End))
	}
	r.lines(file.Stmts)
}

// lines runs the statements of a text.
func (r *reader) lines(stmts []*syntax.Stmt) {
	r.texts = append(r.texts, text{r.src, stmts})
	if r.skims != nil {
		r.leave(r.texts[len(r.texts)-1:])
		return
	}
	next := 0
	for i, st := range stmts {
		if r.spent {
			return
		}
		r.src.last = stmts[len(stmts)-1].Pos().Line() <= st.End().Line()
		n := i + 1
		for n < len(stmts) && stmts[n].Pos().Line() <= stmts[n-1].End().Line() {
			n++
		}
		if i < next {
			continue
		}
		next = n
		r.line(stmts[i:n], n == len(stmts))
	}
}

// line runs the statements of one line. A shell that gives up on it goes on with the next, or behind the text.
func (r *reader) line(stmts []*syntax.Stmt, last bool) {
	s := r.s
	if last && r.evals == 0 && len(r.traps) == 0 { // nobody sees what is left of it
		r.list(stmts)
		return
	}
	h := s.child(true)
	h.shaken = false
	r.s = h
	r.list(stmts)
	if r.s = s; !h.shaken && !((r.zsh || r.posix) && r.evals > 0) {
		h.shaken = s.shaken
		s.take(h)
		return
	}
	at, missed, gone := s.place.join(h.place).join(h.failed()), h.missed, h.gone
	r.perhaps(s, h)
	s.place, s.missed, s.gone = at, missed, gone
}

// readable is what can be read of a script that must not be parsed as a whole: the lines before the one that goes too deep.
func readable(text string) (string, scan.Result) {
	var ends []int
	for at := range min(len(text), 8<<10) {
		if text[at] == '\n' {
			ends = append(ends, at)
		}
	}
	i := sort.Search(len(ends), func(i int) bool { return scan.Run(text[:ends[i]]).Refused != "" })
	if i == 0 {
		return "", scan.Result{}
	}
	return text[:ends[i-1]], scan.Run(text[:ends[i-1]])
}

// differsInZsh notes text that zsh reads in another way than bash.
func (r *reader) differsInZsh(sc *scan.Result) {
	if sc.Apostrophe {
		r.gap("zsh pairs these quotes differently", r.src.span(0, len(r.src.text)))
	}
	for i := 0; i+1 < len(r.src.text); i++ {
		next := strings.IndexByte(r.src.text[i:len(r.src.text)-1], '$')
		if next < 0 {
			return
		}
		i += next
		if r.zsh && r.src.text[i+1] >= 0x80 {
			r.gap("zsh reads a name", r.src.span(i, i+2))
		}
		switch r.src.text[i+1] {
		case '=', '~', '^', '+':
			r.gap("zsh expands this differently", r.src.span(i, i+2))
			return
		}
	}
}

func (r *reader) fail(problem string, span tool.Span) {
	r.parsed = false
	if r.problem == "" {
		r.problem = problem
	}
	r.gap(problem, span)
}

// parse turns the text of a source into statements. If it does not parse, the statements before the error are returned: bash
// runs line by line.
func (r *reader) parse(sc *scan.Result) []*syntax.Stmt {
	src := r.src
	file, err := syntax.Parse(src.text)
	if err == nil {
		r.compare(file, sc)
		return file.Stmts
	}
	at := 0
	if e, ok := err.(*syntax.Error); ok {
		at = int(e.Pos.Offset())
	}
	before := src.given[:min(scan.Original(src.cuts, at), len(src.given))]
	line, column := 1+strings.Count(before, "\n"), len(before)-strings.LastIndexByte(before, '\n')
	r.fail(strconv.Itoa(line)+":"+strconv.Itoa(column)+": "+err.Error(), src.span(at, min(at+1, len(src.text))))
	// Those in the same line count too: bash does not run them, but they are evidence of what the script is about. The error may be reported
	// far behind the line that bash stops at, never before it, so each try leaves out more lines.
	leading, text := file.Stmts, src.text[:min(at, len(src.text))]
	for range 20 {
		n := strings.LastIndexByte(text, '\n')
		if n < 0 {
			break
		}
		text = text[:n]
		if file, err := syntax.Parse(text); err == nil {
			if len(file.Stmts) > len(leading) {
				leading = file.Stmts
			}
			break
		}
	}
	return leading
}

// compare holds the tree against the scan: both must see the same expansions, here-documents and comments at the same places.
func (r *reader) compare(file *syntax.File, sc *scan.Result) {
	if !strings.ContainsAny(r.src.text, "$`(#<") {
		return
	}
	have := census(file)
	if what := difference(&have, &sc.Census); what != "" {
		r.gap("it can be read in more than one way: "+what, r.src.span(0, len(r.src.text)))
	}
}

// census counts what a tree holds, as the scan does.
func census(file *syntax.File) (have scan.Census) {
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			if n.Backquotes {
				have.Backquotes.Add(0) // one inside another is at a place of its own
			} else {
				have.Substitutions.Add(int(n.Left.Offset()))
			}
		case *syntax.ArithmExp:
			if !n.Bracket {
				have.Substitutions.Add(int(n.Left.Offset()))
			}
		case *syntax.ParamExp:
			if !n.Short {
				have.Parameters.Add(int(n.Dollar.Offset()))
			}
		case *syntax.ProcSubst:
			have.Processes.Add(int(n.OpPos.Offset()))
		case *syntax.Redirect:
			if n.Op == syntax.Hdoc || n.Op == syntax.DashHdoc {
				have.Heredocs.Add(int(n.OpPos.Offset()))
				if n.Hdoc != nil {
					have.Bodies.Add(int(n.Hdoc.End().Offset()))
				}
			}
		case *syntax.Comment:
			have.Comments.Add(int(n.Hash.Offset()))
		}
		return true
	})
	return have
}

// difference is the first thing of which two counts are not the same; "" if there is none.
func difference(a, b *scan.Census) string {
	switch {
	case a.Substitutions != b.Substitutions:
		return "command substitutions"
	case a.Backquotes != b.Backquotes:
		return "backquotes"
	case a.Parameters != b.Parameters:
		return "parameter expansions"
	case a.Processes != b.Processes:
		return "process substitutions"
	case a.Heredocs != b.Heredocs:
		return "here-documents"
	case a.Bodies != b.Bodies:
		return "the ends of here-documents"
	case a.Comments != b.Comments:
		return "comments"
	}
	return ""
}
