package command

import (
	"strings"

	"longline/internal/tool"
)

// reader reads one invocation by its model. Its parts have methods of their own: what
// needs no more than the words, the place or what was found is not a method of all of it.
type reader struct {
	lib *Library
	commandLine
	surroundings
	findings
	scope // facts that flags establish and other uses need

	ended     bool // a flag took all further words
	at        int  // index of the operand that a use is applied to
	loading   int  // how deep in files that programs load
	shellDone bool // operands that form one script have been read
}

// commandLine is the words of an invocation, taken apart.
type commandLine struct {
	levels []*Level  // the program and the subcommands entered
	given  []flagUse // flags of all levels, in order
	oper   []Word    // operands of the last level
	dashed int       // how many operands stood before "--"; -1 if there was none
	asking int       // the level whose modes are being looked at
}

// surroundings is where an invocation runs.
type surroundings struct {
	world *tool.World
	dir   Word // where paths start; changed by uses such as chdir
}

// findings is what an invocation does, as far as it has been read.
type findings struct{ inv *Invocation }

// flagUse is one flag as it was given.
type flagUse struct {
	flag   *Flag // nil if it is not listed
	name   string
	values []Word
	level  int
	span   tool.Span
	off    bool // a switch that is switched off: --dry-run=false
}

func (f *findings) gap(why string, span tool.Span) {
	f.inv.Gaps = append(f.inv.Gaps, Gap{Why: why, Span: span})
}

func (f *findings) unknownProgram(name string, span tool.Span) {
	words := f.inv.Words
	asked := len(words) == 2 && words[1].IsKnown() && hasWord("--help --version -h -V help version", words[1].Text)
	f.inv.Gaps = append(f.inv.Gaps, Gap{Why: "longline does not know the program " + quote(name), Span: span, Program: true, Asked: asked})
}

func (f *findings) unknownFlag(flag string, span tool.Span) {
	of := f.inv.Name
	if len(f.inv.Path) > 1 {
		of += " " + strings.Join(f.inv.Path[1:], " ")
	}
	f.gap("unknown flag "+quote(flag)+" of "+of, span)
}

// scan takes the words apart. It returns false when a word left the meaning of
// the following ones open.
func (r *reader) scan(words []Word) {
	level := r.levels[len(r.levels)-1]
	if level.Response {
		words = r.respond(words)
	}
	i, options := 0, true
	if level.Grammar == Bundle && len(words) > 0 && words[0].IsKnown() && words[0].Text != "" && words[0].Text[0] != '-' {
		i = r.bundle(level, words, 0, "-"+words[0].Text, true)
	}
	for i < len(words) {
		w := words[i]
		switch {
		case !options || !looksLikeFlag(level, w) && !r.isSign(level, w):
			if sub := r.sub(level, w, words[i+1:]); sub != nil {
				r.enter(sub, w, words[i+1:])
				return
			}
			if options {
				r.mayBeFlags(level, w)
			}
			r.oper = append(r.oper, w)
			i++
			if !level.Permute {
				options = false
			}
		case w.Text == "--" && w.Reach == tool.Exact && r.lookup("--") == nil:
			if sub := r.dashes(level); sub != nil {
				r.levels = append(r.levels, sub)
				r.scan(words[i+1:])
				return
			}
			options, r.dashed = false, len(r.oper)
			i++
		default:
			if i = r.flag(level, words, i); r.ended {
				return
			}
			if n := len(r.given); n > 0 && r.given[n-1].flag != nil && r.given[n-1].flag.has("ends-flags") {
				options = false
			}
		}
	}
	r.finish()
}

func looksLikeFlag(level *Level, w Word) bool {
	if w.Reach == tool.Anywhere || w.Reach == tool.Under || len(w.Text) < 2 {
		return false
	}
	// others: a dash begins a flag.
	switch level.Grammar {
	case Plain:
		return false
	case KeyVal:
		return strings.IndexByte(w.Text, '=') > 0 || w.Text[0] == '-'
	}
	return w.Text[0] == '-' || w.Text[0] == '+' && level.Plus
}

// dashes finds the level of the words after "--", for a program that hands them
// on to another as its flags.
func (l *commandLine) dashes(level *Level) *Level {
	for i := range level.Subs {
		if len(l.oper) == 0 && level.Subs[i].Names[0] == "--" {
			return level.Subs[i].level()
		}
	}
	return nil
}

// isSign says whether a word is a flag without a dash: the brackets and
// exclamation marks of an expression, and slashes where the model lists them.
func (l *commandLine) isSign(level *Level, w Word) bool {
	if w.Text != "" && w.Text[0] == '/' && w.Reach == tool.Exact {
		return l.colon(level, w.Text) > 0 || len(w.Text) > 1 && w.IsKnown() && l.lookup(w.Text) != nil
	}
	return level.Grammar == Long && w.IsKnown() && len(w.Text) == 1 && !isWordByte(w.Text[0]) && l.lookup(w.Text) != nil
}
