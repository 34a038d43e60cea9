package shell

import (
	"sort"
	"strconv"
	"strings"

	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
	"longline/internal/value"
)

// source says where the text of a node stands in the script that was given.
type source struct {
	text  string // as parsed, without continuations
	cuts  []scan.Cut
	given string      // the text before anything was cut
	disk  bool        // it is a file's
	fed   bool        // the shell reads it from standard input
	last  bool        // and has come to its last line
	seen  []uint64    // the offsets of the statements that have been run
	at    value.Place // where the text begins in the script, if it stands there
	whole tool.Span   // what to point at if it does not
	// scratch says that it is made of paths of temporary files, which are marked: see [value.Scratch].
	scratch bool
}

// span maps offsets in the parsed text to the script.
func (s *source) span(start, end int) tool.Span {
	if s == nil {
		return tool.Span{}
	}
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
	if len(s.cuts) == 0 {
		return s.at.Shift(at)
	}
	start, end := scan.Original(s.cuts, at), scan.Original(s.cuts, at+len(text))
	if end-start != len(text) {
		return 0
	}
	return s.at.Shift(start)
}

// follows says whether a stands at an offset, or b and a letter.
func (s *source) follows(at int, a, b byte) bool {
	return at+1 < len(s.text) && (s.text[at] == a || s.text[at] == b && isLetter(s.text[at+1]))
}

// script reads a text as commands and runs them.
func (r *reader) script(text string, src *source, states []*state) []*state {
	outer := r.src
	r.src = src
	defer func() { r.src = outer }()

	if r.skimmed != nil && !r.skimmed.takes(text) {
		return states
	}
	src.given = text
	if src.disk {
		r.grant(text)
	}
	if len(text) > scan.MaxScript {
		n := strings.LastIndexByte(text[:scan.MaxScript], '\n')
		r.gap("the script is too long to read completely", src.span(max(n, 0), len(text)))
		text = text[:n+1]
	}
	if why, at := scan.Unreadable(text); why != "" {
		r.gap(why, src.span(at, at+1))
	}
	sc := scan.Run(text)
	if sc.Unclosed != "" {
		// The end of the script ends it too, with a warning.
		text += "\n" + sc.Unclosed + "\n"
		sc = scan.Run(text)
	}
	if sc.Refused != "" {
		r.fail("the script cannot be read: "+sc.Refused, src.span(0, len(text)))
		return r.readable(text, states)
	}
	for _, o := range sc.Odd {
		r.gap(o.Why, src.span(o.At, o.At+1))
	}
	src.text, src.cuts = sc.Text, sc.Cuts
	r.zsh(src, &sc)
	stmts, ok := r.parse(src, &sc)
	if !ok {
		r.parsed = false
	}
	return r.lines(stmts, states)
}

// zsh notes text that zsh reads in another way than bash. Its own words are
// looked at where they are run.
func (n *notes) zsh(src *source, sc *scan.Result) {
	if sc.Apostrophe {
		n.gap("zsh pairs these quotes differently", src.span(0, len(src.text)))
	}
	for i := 0; i+1 < len(src.text); i++ {
		next := strings.IndexByte(src.text[i:len(src.text)-1], '$')
		if next < 0 {
			return
		}
		i += next
		switch src.text[i+1] {
		case '=', '~', '^', '+':
			n.gap("zsh expands this differently", src.span(i, i+2))
			return
		}
	}
}

func (n *notes) fail(problem string, span tool.Span) {
	n.parsed = false
	if n.problem == "" {
		n.problem = problem
	}
	n.gap(problem, span)
}

// readable reads what it can of a script that must not be parsed as a whole: the
// lines before the one that goes too deep.
func (r *reader) readable(text string, states []*state) []*state {
	n := strings.IndexByte(text, '\n')
	if n < 0 {
		return states
	}
	// The longest beginning that can be read, of those that end with a line.
	var ends []int
	for at := n; at >= 0 && at <= 8<<10; {
		ends = append(ends, at)
		next := strings.IndexByte(text[at+1:], '\n')
		if next < 0 {
			break
		}
		at += 1 + next
	}
	if i := sort.Search(len(ends), func(i int) bool { return scan.Run(text[:ends[i]]).Refused != "" }); i > 0 {
		n = ends[i-1]
	}
	sc := scan.Run(text[:n])
	if sc.Refused != "" {
		return states
	}
	r.src.text, r.src.cuts = sc.Text, sc.Cuts
	stmts, _ := r.parse(r.src, &sc)
	return r.lines(stmts, states)
}

// parse turns the text of a source into statements. If it does not parse, the
// statements before the error are returned: bash runs line by line.
func (n *notes) parse(src *source, sc *scan.Result) ([]*syntax.Stmt, bool) {
	file, err := syntax.Parse(src.text)
	if err == nil {
		n.compare(file, src, sc)
		return file.Stmts, true
	}
	problem, at := describe(err, src)
	n.fail(problem, src.span(at, min(at+1, len(src.text))))
	// Those in the same line count too. Bash does not run them, but they are evidence of
	// what the script is about.
	leading := file.Stmts
	// The error may be reported far behind the line that bash stops at, never
	// before it, so each try leaves out more lines.
	text := src.text[:min(at, len(src.text))]
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
	return leading, false
}

func describe(err error, src *source) (string, int) {
	at := 0
	if e, ok := err.(*syntax.Error); ok {
		at = int(e.Pos.Offset())
	}
	line, column := place(src, at)
	return strconv.Itoa(line) + ":" + strconv.Itoa(column) + ": " + err.Error(), at
}

// place returns the line and column of an offset in the parsed text, counted in
// what was given.
func place(src *source, at int) (line, column int) {
	before := src.given[:min(scan.Original(src.cuts, at), len(src.given))]
	return 1 + strings.Count(before, "\n"), len(before) - strings.LastIndexByte(before, '\n')
}

// compare holds the tree against the scan: both must see the same expansions,
// here-documents and comments at the same places.
func (n *notes) compare(file *syntax.File, src *source, sc *scan.Result) {
	if !hasAny(src.text, "$`(#<") {
		return // there is nothing of the kind
	}
	have := census(file)
	if what := difference(&have, &sc.Census); what != "" {
		n.gap("it can be read in more than one way: "+what, src.span(0, len(src.text)))
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
			countHeredoc(&have, n)
		case *syntax.Comment:
			have.Comments.Add(int(n.Hash.Offset()))
		}
		return true
	})
	return have
}

// countHeredoc counts a redirection if it is one from a here-document.
func countHeredoc(have *scan.Census, rd *syntax.Redirect) {
	if rd.Op != syntax.Hdoc && rd.Op != syntax.DashHdoc {
		return
	}
	have.Heredocs.Add(int(rd.OpPos.Offset()))
	if rd.Hdoc != nil {
		have.Bodies.Add(int(rd.Hdoc.End().Offset()))
	}
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
