// Package reader reads a script without running it and lists the programs that it
// would run, with their words as far as they are known.
//
// It goes through the text once, in one state. A value is a short list of what it may
// be; where ways meet, it is what it was on any of them; what does not fit into that is
// unknown. Every command in the text is judged, whether or not it seems to be run, and
// what cannot be followed is a gap.
package reader

import (
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/scan"
	"longline/internal/syntax"
	"longline/internal/tool"
)

// Result is what a script would run.
type Result struct {
	Invocations []*command.Invocation // in the order of the text
	Gaps        []command.Gap         // what could not be followed
	Parsed      bool
	Problem     string // where and why it does not parse
}

// Bounds on the work of one call. What runs out is a gap, and what is left of the script is judged
// command by command.
const (
	maxSteps   = 12000
	maxLevels  = 24 // functions, scripts and substitutions inside each other
	maxGaps    = 50
	maxNesting = 12 // programs that run programs
	maxReading = 6  // scripts that run scripts
)

// reader is the reading of one script.
type reader struct {
	disk
	lib   *command.Library
	start string // the directory that the script begins in
	whole string // that was given
	// dialect is the language that it is written in; see [ReadIn].
	dialect string

	invocations []*command.Invocation
	gaps        []command.Gap
	parsed      bool
	problem     string

	steps, room int
	bytes       int             // of text that may still be read
	spent       bool            // of a bound
	late        bool            // the time is over
	granted     map[string]bool // texts on the disk that have got steps of their own
	left        []remainder     // what was not judged by then
	skims       *skims          // not nil while commands are judged one by one

	s   *state  // what the shell knows now
	src *source // the text that is being read
	site
	shell

	choice  *choice
	extra   int // further combinations of values that may be judged
	printed map[*syntax.CmdSubst]command.Data
	levels  int
	async   int // what runs beside others, around the command being read
	pipes   int
	reading []scriptFile
	calls   []*syntax.Stmt // functions being run
	procs   map[string]command.Data

	traces
}

// shell is what belongs to one running shell; a script that another runs begins a new one.
type shell struct {
	texts []text
	traps []command.Word
	since map[string]variable // what variables have been since there are traps: one may come whenever the shell ends
	early bool                // a trap is judged before what comes behind it
	pipe  int
	stage int

	depth    int  // functions around the command
	loops    int  // and loops
	sourcing int  // and files that are sourced
	inner    bool // it is not the shell that the agent has started
	posix    bool // it may know nothing beyond the standard
	zsh      bool // it may be zsh
	returns  *place
	breaks   *place
}

// site is where commands run, and on whose behalf.
type site struct {
	remote  bool   // on another machine: its files are not ours
	alters  string // what a change there amounts to, if programs may look around
	code    string // what running the project's code there amounts to
	device  string
	project bool // the project's definition of a task is being read
	via     []string
	without []command.Word // variables that were taken out of the environment
}

type scriptFile struct{ path, text string }

// text is one that is run in the shell at hand.
type text struct {
	src   *source
	stmts []*syntax.Stmt
}

// Read reads a script that starts in dir.
func Read(script, dir string, w *tool.World, lib *command.Library) Result {
	return begin(script, dir, w, lib).read()
}

// ReadIn is [Read] for the language of another shell, if it is named.
func ReadIn(dialect, script, dir string, w *tool.World, lib *command.Library) Result {
	r := begin(script, dir, w, lib)
	if r.dialect = dialect; dialect != "" {
		r.zsh = false
	}
	return r.read()
}

// begin is a reader of a script.
func begin(script, dir string, w *tool.World, lib *command.Library) *reader {
	if w == nil {
		w = &tool.World{}
	}
	r := &reader{disk: disk{world: w}, lib: lib, whole: script, start: dir, parsed: true, extra: 64 + len(script)/64}
	r.room, r.bytes = roomFor(script), 16<<10+6*len(script)
	r.zsh = w.Zsh
	r.s = r.first(dir)
	return r
}

// read reads the whole script.
func (r *reader) read() Result {
	all := tool.Span{End: len(r.whole)}
	r.guarded(func() {
		r.script(r.whole, &source{at: 1, whole: all, dialect: r.dialect})
		r.finish()
	}, all)
	r.skim()
	return Result{Invocations: r.invocations, Gaps: r.gaps, Parsed: r.parsed, Problem: r.problem}
}

// guarded runs a part of the reading. A panic in it is a bug here: what was found before it is kept, and it is a gap.
func (r *reader) guarded(run func(), at tool.Span) {
	texts := r.texts
	defer func() {
		if recover() == nil {
			return
		}
		r.parsed, r.spent = false, true
		if r.problem == "" {
			r.problem = "the script could not be followed to its end"
		}
		r.gap("the script could not be followed to its end", at)
		if r.skims == nil {
			r.leave(append(texts[:len(texts):len(texts)], r.texts...))
		}
	}()
	run()
}

// first is the state that a script starts in.
func (r *reader) first(dir string) *state {
	s := newState()
	s.shown = true
	s.dirs = []command.Word{{}}
	if strings.HasPrefix(dir, "/") {
		s.dirs = []command.Word{{Text: paths.Clean("/", dir), Reach: tool.Exact}}
	}
	for _, path := range r.world.Brought {
		s.files.put(path, file{data: command.Data{Taint: command.FromNet}, times: 1})
		if paths.Within(path, r.world.Project) {
			r.plants = append(r.plants, path)
		}
	}
	return s
}

// gap notes something that could not be followed.
func (r *reader) gap(why string, span tool.Span) {
	for _, g := range r.gaps {
		if g.Why == why && g.Span == span {
			return
		}
	}
	if len(r.gaps) < maxGaps {
		r.gaps = append(r.gaps, command.Gap{Why: why, Span: span})
	}
}

func gapIn(inv *command.Invocation, why string) {
	for _, g := range inv.Gaps {
		if g.Why == why {
			return
		}
	}
	inv.Gaps = append(inv.Gaps, command.Gap{Why: why, Span: inv.Span})
}

// roomFor is how many steps a script may take.
func roomFor(script string) int {
	return min(maxSteps, 500+len(script)/4)
}

// grant gives a text that was found on the disk steps of its own, however often it is run.
func (r *reader) grant(text string) {
	if r.granted[text] || r.skims != nil {
		return
	}
	note(&r.granted, text)
	r.room = min(maxSteps, r.room+roomFor(text))
	r.bytes += 2 * len(text)
}

// spend takes steps; it says whether there are none left.
func (r *reader) spend(n int) bool {
	if r.spent {
		return true
	}
	before := r.steps
	if r.steps += n; r.steps <= r.room && !r.late {
		if r.world.Stop == nil || before/32 == r.steps/32 || !r.world.Stop() {
			return false
		}
		r.late = true
	}
	r.spent = true
	r.gap("too much to follow", tool.Span{})
	return true
}

// nested counts what lies inside each other; done must be called if it is not too deep.
func (r *reader) enter() bool {
	if r.levels >= maxLevels+scan.MaxDepth {
		r.gap("nested too deeply", tool.Span{})
		return false
	}
	r.levels++
	return true
}

// otherParams notes that a trap may come while the shell, or one of its functions, has other parameters.
func (s *shell) otherParams() {
	if len(s.traps) > 0 {
		s.sinceThen("@", variable{})
	}
}

// sinceThen notes that a trap may find a value in a variable.
func (s *shell) sinceThen(name string, v variable) {
	if s.since == nil {
		s.since = map[string]variable{}
	}
	s.since[name] = v
}

// finish judges what is left to judge when a shell has come to its end: traps, which run in its last state or in one that it had before,
// and functions that nobody calls with whatever words.
func (r *reader) finish() {
	if r.skims == nil {
		for name, v := range r.since {
			if name == "@" {
				r.s.params, r.s.many, r.s.loose = []command.Word{lost(r.s.params...)}, true, 1
				continue
			}
			r.s.vars.put(name, v.join(r.variable(name)))
		}
		for _, t := range r.traps {
			r.emit(r.spring(t).out)
		}
		r.uncalled()
	}
	if r.spent && r.skims == nil && len(r.texts) > 0 {
		r.leave(r.texts)
	}
}

// uncalled judges the bodies of functions that nothing has called. In a file, such a function is left alone: libraries
// are full of them.
func (r *reader) uncalled() {
	for i := 0; i < len(r.texts) && !r.spent; i++ {
		for k := 0; k < len(r.texts[i].src.functions); k++ { // which grow meanwhile
			f := r.texts[i].src.functions[k]
			if r.spent || f.called || r.texts[i].src.disk && !isHook(f.decl.Name.Value) {
				continue
			}
			f.called = true
			base, src, depth := r.s, r.src, r.depth
			r.s, r.src, r.depth = base.child(false), f.src, depth+1
			r.s.forgetAll()
			r.s.params, r.s.many, r.s.loose = []command.Word{{}}, true, 1
			r.s.stdin, r.s.out, r.s.shown = command.Data{None: true}, command.Data{}, true
			r.stmt(f.decl.Body)
			r.s, r.src, r.depth = base, src, depth
		}
	}
}

// isHook says whether a shell runs a function of that name without being told to.
func isHook(name string) bool {
	switch name {
	case "chpwd", "periodic", "precmd", "preexec", "zshaddhistory", "zshexit", "command_not_found_handler", "command_not_found_handle":
		return true
	}
	return strings.HasPrefix(name, "TRAP")
}

// skims is the judging of single commands, once the steps are taken: in a state of which nothing is known, so that a command that is denied
// for its own words is denied wherever it stands.
type skims struct {
	done map[string]bool
	room int // bytes of texts that are found inside others
	deep int // substitutions around the command
}

// remainder is what a shell had left when the steps were taken.
type remainder struct {
	texts []text
	site  site
	inner shell
}

// leafSteps are what a command may take by itself, beside some for its length.
const leafSteps = 60

// leave notes what is to be judged command by command.
func (r *reader) leave(texts []text) {
	r.left = append(r.left, remainder{texts, r.site, shell{inner: r.inner, posix: r.posix, zsh: r.zsh}})
}

// skim judges what is left of a script.
func (r *reader) skim() {
	if len(r.left) == 0 {
		return
	}
	r.skims = &skims{done: map[string]bool{}, room: 2*len(r.whole) + 4096}
	for i := 0; i < len(r.left) && !r.late; i++ { // which grows meanwhile
		rest := r.left[i]
		for _, t := range rest.texts {
			r.shell, r.site = rest.inner, rest.site
			t.each(func(st *syntax.Stmt) { r.leaf(t.src, st) })
		}
	}
	r.spent = true
}

// each calls f for the commands and pipelines of a text.
func (t text) each(f func(*syntax.Stmt)) {
	for _, st := range t.stmts {
		syntax.Walk(st, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.FuncDecl:
				return !t.src.disk || n.Name != nil && isHook(n.Name.Value)
			case *syntax.Stmt:
				if !t.src.seen[n] {
					f(n)
				}
			}
			return true
		})
	}
}

// leaf judges one command. The same text is the same command.
func (r *reader) leaf(src *source, st *syntax.Stmt) {
	switch b := st.Cmd.(type) {
	case nil, *syntax.CallExpr, *syntax.DeclClause:
	case *syntax.BinaryCmd:
		if b.Op != syntax.Pipe && b.Op != syntax.PipeAll || int(b.End().Offset()-b.Pos().Offset()) > 400 {
			return // whose commands are judged by themselves
		}
	default:
		if len(st.Redirs) == 0 {
			return
		}
	}
	start, end := int(st.Pos().Offset()), min(int(st.End().Offset()), len(src.text))
	if r.late || start > end || r.skims.done[src.text[start:end]] {
		return
	}
	r.skims.done[src.text[start:end]] = true
	r.src, r.s = src, newState()
	r.s.dirs, r.s.shown, r.s.stdin = []command.Word{{}}, true, command.Data{}
	r.s.forgetAll()
	r.depth, r.loops, r.levels, r.calls, r.choice, r.printed = 1, 1, 0, nil, nil, nil
	r.pipe, r.stage, r.async = 0, 0, 0
	r.skims.deep = 0
	r.spent, r.extra, r.room = false, 0, r.steps+leafSteps+(end-start)/8
	gaps := r.gaps
	r.guarded(func() { r.stmt(st) }, src.span(start, end))
	r.gaps = gaps
	r.pipe = 0
}
