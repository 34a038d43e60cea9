package command

import (
	"strings"

	"longline/internal/tool"
)

// reader reads one invocation by its model. Its parts have methods of their own: what
// needs no more than the words, the place or what was found is not a method of all of it.
type reader struct {
	commandLine
	deeds
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
	piped  bool      // standard input is connected to something
	asking int       // the level whose modes are being looked at
}

// level is the last level entered, which the words that follow belong to.
func (l *commandLine) level() *Level { return l.levels[len(l.levels)-1] }

// surroundings is where an invocation runs.
type surroundings struct {
	world *tool.World
	dir   Word   // where paths start; changed by uses such as chdir
	dirs  string // if dir is unknown: the pattern of the directories that it is one of, or ""
}

// findings is what an invocation does, as far as it has been read.
type findings struct{ inv *Invocation }

// deeds is what an invocation does in the place where it runs, and by which models.
type deeds struct {
	lib *Library
	surroundings
	findings
}

// flagUse is one flag as it was given.
type flagUse struct {
	flag   *Flag // nil if it is not listed
	name   string
	values []Word
	level  int
	span   tool.Span
	off    bool // a switch that is switched off: --dry-run=false

	perhaps bool // a variable may stand for it
}

func (f *findings) gap(why string, span tool.Span) {
	f.inv.Gaps = append(f.inv.Gaps, Gap{Why: why, Span: span})
}

// missing is gap for a word that the program needs and is not given.
func (f *findings) missing(why string, span tool.Span) {
	f.inv.Gaps = append(f.inv.Gaps, Gap{Why: why, Span: span, Missing: true})
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

// scan takes the words apart.
func (r *reader) scan(words []Word) {
	level := r.level()
	words = r.respond(level, words)
	i, options := r.bareBundle(level, words), true
	for i < len(words) {
		w := words[i]
		switch {
		case !options || !r.isFlag(level, w):
			if more := gitAliased(r, level, w, words[i+1:]); more != nil {
				words, i, w = more, 0, more[0]
			}
			if sub := r.sub(level, w, words[i+1:]); sub != nil {
				r.enter(sub, w, words[i+1:])
				return
			}
			if options {
				r.mayBeFlags(w)
			}
			r.oper = append(r.oper, w)
			i++
			options = options && level.Permute
		case r.isDashes(w):
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
			options = !r.flagsEnded()
		}
	}
	r.finish()
}

// isFlag says whether a word is written as a flag.
func (l *commandLine) isFlag(level *Level, w Word) bool {
	return looksLikeFlag(level, w) || l.isSign(level, w)
}

// isDashes says whether a word is the "--" behind which there are no flags.
func (l *commandLine) isDashes(w Word) bool {
	return w.Text == "--" && w.Reach == tool.Exact && l.lookup("--") == nil
}

// flagsEnded says whether the last flag is one behind which all words are operands.
func (l *commandLine) flagsEnded() bool {
	n := len(l.given)
	return n > 0 && l.given[n-1].flag != nil && l.given[n-1].flag.has("ends-flags")
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
	if len(l.oper) > 0 || level.Subs.Empty() {
		return nil
	}
	if found, name, exact := level.Subs.find("--"); exact && name == "--" {
		return found
	}
	return nil
}

// isSign says whether a word is a flag without a dash: the brackets and
// exclamation marks of an expression, and slashes where the model lists them.
func (l *commandLine) isSign(level *Level, w Word) bool {
	if strings.HasPrefix(w.Text, "/") && w.Reach == tool.Exact {
		return l.colon(level, w.Text) > 0 || len(w.Text) > 1 && w.IsKnown() && l.lookup(w.Text) != nil
	}
	return level.Grammar == Long && w.IsKnown() && len(w.Text) == 1 && !isWordByte(w.Text[0]) && l.lookup(w.Text) != nil
}
