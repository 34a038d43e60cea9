package shell

import (
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/tool"

	"mvdan.cc/sh/v3/syntax"
)

// maxNesting bounds programs that run programs and scripts that run scripts.
const maxNesting = 12

// nested runs a command that another command was given to run.
func (r *reader) nested(st *syntax.Stmt, outer *command.Invocation, s *state, n *command.Nested) command.Data {
	if len(outer.Via) >= maxNesting || r.spend() {
		outer.Gaps = append(outer.Gaps, command.Gap{Why: "commands that run commands, nested too deeply", Span: outer.Span})
		return command.Data{At: -1}
	}
	c := s.fork()
	c.out = command.Data{Reach: tool.Exact, At: -1}
	c.dir = outer.Dir
	if n.Dir != nil {
		c.dir = enter(outer.Dir, *n.Dir)
	}
	c.stdin = outer.Stdin
	if n.Piped {
		c.stdin = n.Stdin
	}
	name := outer.Name
	if name == "" && len(outer.Words) > 0 {
		name = outer.Words[0].Text
	}
	remote, via, project, device, alters := r.remote, r.via, r.project, r.device, r.alters
	r.remote, r.project = remote || n.Remote, project || n.Project
	if n.Remote {
		r.device, r.alters = n.Device, n.Alters
	}
	r.via = append(outer.Via[:len(outer.Via):len(outer.Via)], name)
	defer func() { r.remote, r.via, r.project, r.device, r.alters = remote, via, project, device, alters }()

	var env []command.Assign
	if !n.Clear {
		env = append(env, outer.Env...)
	}
	env = append(env, n.Env...)
	if n.Script != nil {
		r.childShell(outer, c, n, env)
		r.adopt(s, []*state{c})
		return c.out
	}
	if n.File != nil {
		r.runFileOf(outer, c, n)
		r.adopt(s, []*state{c})
		return c.out
	}
	words := n.Words
	if n.More {
		words = append(words[:len(words):len(words)], more(n.Input, outer)...)
	}
	if len(words) == 0 {
		return c.out
	}
	inv := &command.Invocation{
		Words: words, Dir: c.dir, Env: env, Stdin: c.stdin, Span: outer.Span,
		Pipeline: outer.Pipeline, Stage: outer.Stage, Via: r.via, Device: r.device, Remote: r.remote,
	}
	if !words[0].IsKnown() {
		inv.Gaps = append(inv.Gaps, command.Gap{Why: "which program this runs is not known", Span: words[0].Span})
	}
	r.external(nil, inv, c, redirection{})
	r.adopt(s, []*state{c})
	return c.out
}

// more are the words that stand for arguments that arrive at run time.
func more(d command.Data, outer *command.Invocation) []command.Word {
	w := command.Word{Taint: d.Taint, Span: outer.Span, At: -1, Plain: d.Plain, Of: d.Of}
	divided := false // flags that decide how the input is dealt out
	for _, f := range outer.Flags {
		switch strings.TrimLeft(f, "-") {
		case "n", "L", "l", "I", "i", "J", "d", "0", "null", "max-args", "max-lines", "replace", "delimiter":
			divided = true
		}
	}
	switch {
	case d.None:
		return nil
	case d.Reach == tool.Under:
		return []command.Word{d.Line(outer.Span)}
	case d.Reach == tool.Exact && !divided && len(d.Text) < 4<<10 && !strings.ContainsAny(d.Text, "'\"\\\x00"):
		var words []command.Word
		for _, text := range strings.Fields(d.Text) {
			w.Text, w.Reach = text, tool.Exact
			words = append(words, w)
		}
		return words
	}
	return []command.Word{w}
}

// childShell reads a script that another shell runs.
func (r *reader) childShell(outer *command.Invocation, c *state, n *command.Nested, env []command.Assign) {
	switch n.Shell {
	case "", "sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "busybox":
	default:
		outer.Gaps = append(outer.Gaps, command.Gap{Why: "a script in the language of " + n.Shell, Span: outer.Span})
		return
	}
	script := *n.Script
	if !script.IsKnown() {
		r.opaque(outer, "a script that is not known", script.Taint, script.Span)
		return
	}
	c.own()
	c.inherit(env)
	c.zero = command.Known("bash", tool.Span{})
	c.params, c.many, c.loose = nil, false, 0
	if len(n.Args) > 0 {
		c.zero, c.params = n.Args[0], n.Args[1:]
	}
	if n.More {
		c.many = true
		if len(n.Args) == 0 {
			c.zero = command.Word{At: -1}
		}
	}
	c.opts = posix(n.Shell)
	r.run(script.Text, &source{at: script.At, whole: script.Span}, c)
}

// posix is the option of shells that know nothing beyond the standard.
func posix(shell string) options {
	switch shell {
	case "sh", "dash", "ash", "busybox":
		return optPosix
	}
	return 0
}

// inherit leaves a state only what a child process gets.
func (s *state) inherit(env []command.Assign) {
	s.vars = nil
	for _, a := range env {
		w := a.Value
		if a.Append {
			w = command.Word{At: -1, Taint: w.Taint}
		}
		v := s.variable(a.Name)
		v.words, v.unset, v.attrs = []command.Word{w}, false, exported
	}
	kept := s.funcs[:0:0]
	for _, f := range s.funcs {
		if f.exp {
			kept = append(kept, f)
		}
	}
	s.funcs, s.aliases, s.opts, s.jump, s.status = kept, nil, 0, none, unknown
	s.levels, s.stack = 0, nil
}

// run reads a script in a shell of its own and leaves in c what remains of it.
func (r *reader) run(text string, src *source, c *state) {
	if r.nests++; r.nests > maxNesting {
		r.gap("scripts that run scripts, nested too deeply", src.whole)
		r.nests--
		return
	}
	loops, conds, depth, calls, pipe, stage := r.loops, r.conds, r.depth, r.calls, r.pipe, r.stage
	r.conds, r.pipe, r.stage = 0, 0, 0
	d := r.adopt(c, r.script(text, src, []*state{c.fork()}))
	c.out = d
	r.loops, r.conds, r.depth, r.calls, r.pipe, r.stage = loops, conds, depth, calls, pipe, stage
	r.nests--
}

// runFileOf runs a file that an invocation executes. Those the script has written
// are told apart, and those that hold shell commands are read.
func (r *reader) runFileOf(outer *command.Invocation, c *state, n *command.Nested) {
	w := *n.File
	opaque := func(target string, reach tool.Reach) {
		outer.Effects = append(outer.Effects, tool.Effect{Kind: tool.Execute, Target: target, Reach: reach, Span: w.Span})
	}
	if w.IsKnown() && harmless(w.Text) {
		d := c.stdin
		if fd, ok := strings.CutPrefix(w.Text, "/dev/fd/"); ok {
			d = r.descriptor(c, fd, w.Text)
		}
		switch {
		case d.Taint&command.FromNet != 0:
			opaque("fetched:"+n.Shell, tool.Exact)
		case d.Reach == tool.Exact && !d.None && n.Shell != "":
			script := command.Word{Text: d.Text, Reach: tool.Exact, Taint: d.Taint, Span: w.Span, At: d.At}
			n.Script = &script
			r.childShell(outer, c, n, outer.Env)
		default:
			opaque("stdin:"+n.Shell, tool.Exact)
		}
		return
	}
	e := outer.PathEffect(tool.Read, w, r.world)
	if e.Reach != tool.Exact || e.Pattern || r.remote {
		f := c.wrote(vagueFile(e))
		switch {
		case w.Taint&command.FromNet != 0 || f != nil && f.data.Taint&command.FromNet != 0:
			opaque("fetched:"+n.Shell, tool.Exact)
		case e.Reach == tool.Anywhere:
			opaque("file:?", tool.Exact) // which one is not known
		case f != nil:
			opaque("written:"+vaguely(e), tool.Exact)
		default:
			opaque("file:"+vaguely(e), tool.Exact)
		}
		return
	}
	path := e.Target
	for _, l := range c.links {
		if l.from == path {
			path = l.to
		}
	}
	f := c.wrote(path)
	if n.Known && n.Shell != "" && f == nil {
		f = c.mayHaveWritten(path)
	}
	if n.Known && f == nil && path == e.Target {
		return
	}
	if n.Known && n.Project && f != nil && f.data.Taint&command.FromNet == 0 {
		return // the project's own, edited by the way
	}
	text, ok := r.readScript(c, path, f)
	if name := interpreter(text); ok && n.Shell == "" && !n.Known && f == nil && path == e.Target && !isShell(text) && r.lib.Has(name) {
		words := []command.Word{command.Known(name, w.Span), w}
		if len(n.Args) > 1 {
			words = append(words, n.Args[1:]...)
		}
		r.nested(nil, outer, c, &command.Nested{Words: words, More: n.More, Input: n.Input, Stdin: n.Stdin, Piped: n.Piped, Dir: n.Dir})
		return
	}
	whole := ok && (shellName(n.Shell) || n.Shell == "" && isShell(text)) && !(n.Known && f == nil) && r.runFile(outer, c, n, path, text)
	switch {
	case f != nil && f.data.Taint&command.FromNet != 0:
		opaque("fetched:"+path, tool.Exact)
	case f != nil || n.Known: // a link that the script has made
		opaque("written:"+path, tool.Exact)
	case !whole:
		opaque("file:"+path, tool.Exact)
	}
}

// readScript returns the text of a file, as the script or the disk has it.
func (r *reader) readScript(s *state, path string, f *file) (string, bool) {
	if f != nil {
		return f.data.Text, f.data.Reach == tool.Exact
	}
	if r.world.ReadFile == nil || r.remote {
		return "", false
	}
	b, err := r.world.ReadFile(path)
	if err != nil || len(b) > maxScript {
		return "", false
	}
	return string(b), true
}

// isShell says whether a file holds shell commands: its first line says so.
func isShell(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(line, "#!") {
		// Without that line the shell runs it itself, unless it is a program.
		return strings.IndexByte(text, 0) < 0
	}
	for i, word := range strings.Fields(line[2:]) {
		slash := strings.LastIndexByte(word, '/') + 1
		if i == 0 && !usualPlace(word[:slash]) || i > 0 && slash > 0 {
			return false
		}
		switch word[slash:] {
		case "sh", "bash", "dash", "ksh", "zsh":
			return true
		case "env", "-S":
		default:
			return false
		}
	}
	return false
}

// usualPlace says whether programs of a directory are what their names say.
func usualPlace(dir string) bool {
	switch dir {
	case "/bin/", "/usr/bin/", "/usr/local/bin/", "/opt/homebrew/bin/", "/opt/local/bin/", "/usr/pkg/bin/", "/run/current-system/sw/bin/", "/data/data/com.termux/files/usr/bin/":
		return true
	}
	return false
}

// shellName says whether a language of scripts is one of a shell.
func shellName(lang string) bool {
	switch lang {
	case "sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "fish", "busybox":
		return true
	}
	return false
}

// interpreter is the program that the first line of a file names to be run with,
// if it gives it no flags.
func interpreter(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if !strings.HasPrefix(line, "#!") || strings.HasSuffix(line, "\r") {
		return ""
	}
	words := strings.Fields(line[2:])
	if len(words) == 0 || !usualPlace(words[0][:strings.LastIndexByte(words[0], '/')+1]) || len(words) > 1 && strings.Contains(words[1], "/") {
		return ""
	}
	name, flags := command.Shebang(line)
	if flags != "" {
		return ""
	}
	return name
}

// runFile reads a script file in a child shell; it says whether all of it could
// be read.
func (r *reader) runFile(outer *command.Invocation, c *state, n *command.Nested, path, text string) bool {
	for _, f := range r.reading {
		if f.path == path && f.text == text {
			return true // it is being read already
		}
	}
	if len(r.reading) >= 6 {
		r.gap("scripts that run scripts, nested too deeply", outer.Span)
		return false
	}
	parsed, problem := r.parsed, r.problem
	r.reading = append(r.reading, scriptFile{path, text})
	c.own()
	c.inherit(outer.Env)
	c.zero, c.params, c.many, c.loose = command.Known(path, tool.Span{}), nil, n.More, 0
	if len(n.Args) > 1 {
		c.params = n.Args[1:]
	}
	r.parsed = true
	c.opts = posix(n.Shell)
	if line, _, _ := strings.Cut(text, "\n"); n.Shell == "" && strings.HasPrefix(line, "#!") && strings.HasSuffix(line, "/sh") {
		c.opts = optPosix
	}
	r.run(text, &source{at: -1, whole: outer.Span}, c)
	whole := r.parsed && !r.spent
	r.parsed, r.problem = parsed, problem // of the script that was given
	r.reading = r.reading[:len(r.reading)-1]
	return whole
}

// wrote remembers the files that an invocation has written, and its links.
func (r *reader) wrote(s *state, inv *command.Invocation, red redirection) {
	taint := command.FromScript | inv.Stdin.Taint
	copied, edited := false, false // from a file whose text stands in the script, or that it has edited
	for _, e := range inv.Effects {
		switch {
		case inv.Brings(e):
			taint |= command.FromNet
		case e.Kind == tool.Read && e.Reach == tool.Exact && len(s.files) > 0:
			if f := s.wrote(e.Target); f != nil {
				taint |= f.data.Taint
				copied, edited = copied || f.authored, edited || f.edited
			}
		}
	}
	if r.replaces(inv) {
		s.own()
		s.files = append(s.files, file{path: "?" + r.world.Project, data: command.Data{Taint: command.FromScript, At: -1}})
	}
	foreign := r.bringsIn(inv)
	own := runsProject(inv)
	typed := (authored(inv.Stdin) || inv.Composes) && writesInput(inv) || copied && !own
	if foreign && r.intoRepository(inv) {
		s.own()
		s.files = append(s.files, file{path: "?" + r.world.Project, data: command.Data{Taint: taint, At: -1}, foreign: true})
	}
	for _, e := range inv.Effects {
		if e.Kind != tool.Write && e.Kind != tool.Create || e.Target == red.file {
			continue
		}
		path := e.Target
		if e.Reach != tool.Exact || e.Pattern {
			path = vagueFile(e)
		}
		s.own()
		inPlace := !own && slices.ContainsFunc(inv.Effects, func(x tool.Effect) bool {
			return x.Kind == tool.Read && x.Target == e.Target && x.Reach == e.Reach
		})
		f := s.wrote(path)
		if f == nil {
			s.files = append(s.files, file{path: path})
			f = &s.files[len(s.files)-1]
		}
		f.data = command.Data{Taint: f.data.Taint | taint, At: -1}
		f.foreign, f.authored = f.foreign || foreign, f.authored || typed || inPlace && inv.Inserts
		f.edited = f.edited || inPlace || edited && !own
	}
	if len(inv.Words) > 2 && inv.Words[0].IsKnown() && strings.HasSuffix(inv.Words[0].Text, "ln") {
		r.linked(s, inv)
	}
}

// authored says whether a stream is what the script itself says, or comes from
// elsewhere, and not what a program found in the project.
func authored(d command.Data) bool {
	switch {
	case d.None || d.Plain:
		return false
	case d.Reach == tool.Exact:
		return strings.TrimSpace(d.Text) != ""
	case d.Reach == tool.Prefix && strings.TrimSpace(d.Text) != "":
		return true
	}
	return d.Reach != tool.Under && (d.Taint&(command.FromFile|command.FromNet) == 0 || d.Taint&command.FromOutside != 0)
}

// writesInput says whether what an invocation writes can only be what it gets on its
// standard input, as of tee, dd and patch, or makes up by itself.
func writesInput(inv *command.Invocation) bool {
	for _, e := range inv.Effects {
		if e.Kind == tool.Execute || e.Kind == tool.Read {
			return false
		}
	}
	return true
}

// intoRepository says whether what an invocation brings goes into the repository
// of the project and so into its files.
func (r *reader) intoRepository(inv *command.Invocation) bool {
	for _, e := range inv.Effects {
		if e.Kind == tool.Control && (e.Target == "git.merge" || e.Target == "git.update" || e.Target == "git.foreign") {
			return r.world.Project != "" && inv.Dir.Reach == tool.Exact && within(inv.Dir.Text, r.world.Project)
		}
	}
	return false
}

// replaces says whether an invocation puts other versions of the project's files
// in place of those on the disk.
func (r *reader) replaces(inv *command.Invocation) bool {
	for _, e := range inv.Effects {
		if e.Kind != tool.Control {
			continue
		}
		switch e.Target {
		case "git.branch", "git.merge", "git.foreign", "git.stash", "git.discard", "git.rewrite":
			return r.world.Project != ""
		}
	}
	return false
}

// bringsIn says whether an invocation takes what it writes from outside the
// project: cp, tar and git clone do. What the project's own tools make of what
// they read, and what its own remote holds, is the project's.
func (r *reader) bringsIn(inv *command.Invocation) bool {
	outside := false
	for _, e := range inv.Effects {
		switch e.Kind {
		case tool.Execute:
			if strings.HasPrefix(e.Target, "project:") {
				return false
			}
		case tool.Fetch:
			outside = outside || inv.Brings(e) && e.Target != "@remote"
		case tool.Read, tool.Delete:
			outside = outside || e.Reach != tool.Anywhere && e.Target != "" && !within(e.Target, r.world.Project)
		}
	}
	return outside
}

// planted adds what a tool that runs the project's code may run of what this very
// script has put into the project, from elsewhere or out of its own text: a Makefile,
// a conftest.py, or a whole tree with a directory to work in.
func (r *reader) planted(s *state, inv *command.Invocation) {
	if len(s.files) == 0 && len(s.links) == 0 || r.world.Project == "" {
		return
	}
	if !runsProject(inv) {
		return
	}
	project := r.world.Project
	for _, f := range s.files {
		path := strings.TrimPrefix(f.path, "?")
		if !within(path, project) && !worksIn(inv, path) {
			continue
		}
		switch {
		case f.foreign || f.data.Taint&command.FromNet != 0:
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "written:" + path, Reach: tool.Exact, Span: inv.Span})
			return
		case f.authored:
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "planted:" + path, Reach: tool.Exact, Span: inv.Span})
		case f.edited:
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "edited:" + path, Reach: tool.Exact, Span: inv.Span})
		}
	}
	for _, l := range s.links {
		if within(l.from, project) && !within(l.to, project) {
			inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Execute, Target: "written:" + l.from, Reach: tool.Exact, Span: inv.Span})
			return
		}
	}
}

// worksIn says whether a tool was told to work at or below a place that is none of
// the project's.
func worksIn(inv *command.Invocation, place string) bool {
	for _, e := range inv.Effects {
		if dir, ok := strings.CutPrefix(e.Target, "config:"); ok && e.Kind == tool.Execute && within(dir, place) {
			return true
		}
	}
	return false
}

func runsProject(inv *command.Invocation) bool {
	for _, e := range inv.Effects {
		if e.Kind == tool.Execute && strings.HasPrefix(e.Target, "project:") {
			return true
		}
	}
	return false
}

// vaguely names a file of which only something is known.
func vaguely(e tool.Effect) string {
	if e.Reach == tool.Under {
		return e.Target + "/**"
	}
	return e.Target
}

// vagueFile stands for a file of which only the effect that names it is known, as
// of one that mktemp has made. No path has this name.
func vagueFile(e tool.Effect) string { return "?" + e.Target }

// linked remembers the links that ln makes.
func (r *reader) linked(s *state, inv *command.Invocation) {
	name := inv.Words[0].Text
	if name[strings.LastIndexByte(name, '/')+1:] != "ln" || inv.Dir.Reach != tool.Exact {
		return
	}
	var operands []string
	for _, w := range inv.Words[1:] {
		switch {
		case !w.IsKnown():
			return
		case strings.HasPrefix(w.Text, "-"):
		default:
			operands = append(operands, w.Text)
		}
	}
	if len(operands) == 1 {
		operands = append(operands, operands[0][strings.LastIndexByte(operands[0], '/')+1:])
	}
	if len(operands) != 2 {
		return
	}
	from := clean(inv.Dir.Text, operands[1])
	to := clean(parent(from), operands[0])
	s.own()
	s.links = append(s.links, link{from, to})
	// If the second is a directory, the link lies in it.
	base := operands[0][strings.LastIndexByte(operands[0], '/')+1:]
	if base != "" && base != "." && base != ".." {
		s.links = append(s.links, link{clean(from, base), clean(from, operands[0])})
	}
}

// throughLinks repeats effects on links, made by this script, on what they
// point at.
func (r *reader) throughLinks(s *state, inv *command.Invocation) {
	if len(s.links) == 0 {
		return
	}
	for i := 0; i < len(inv.Effects) && i < 64; i++ {
		e := inv.Effects[i]
		if !e.Kind.IsPath() || e.Reach == tool.Anywhere {
			continue
		}
		for _, l := range s.links {
			if e.Target == l.to || !within(e.Target, l.from) {
				continue
			}
			e2 := e
			e2.Target = clean("/", l.to+e.Target[len(l.from):])
			inv.Effects = append(inv.Effects, e2)
		}
	}
}
