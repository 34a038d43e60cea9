package policy

import (
	"longline/internal/expression"
	"longline/internal/record"
	"longline/internal/tool"
)

// formatVersion changes whenever the form changes, so that a cache written by
// another version is refused and made anew.
const formatVersion = 16

// Encode gives the compact form of a file. Its tests are left out.
func Encode(f *File) []byte {
	var w record.Writer
	w.Uint(formatVersion)
	w.Text(f.Name)
	w.Int(int(f.Default))
	w.Byte(byte(f.Safety))
	for _, b := range []bool{f.HasDefault, f.Trusted, f.Bundled, f.Expired, f.OnAllowPass, f.NoBuiltin} {
		w.Bool(b)
	}
	w.Text(f.LogPath)
	w.Text(f.Sandbox.Dir)
	w.Bool(f.Sandbox.Block)
	w.Bool(f.Content.Given)
	w.Texts(f.Content.Scan)
	w.Bool(f.Content.Redact)
	w.Texts(f.Content.Off)
	w.Text(f.Content.Rules)
	w.Byte(byte(f.LogContent))
	w.Int(f.LogKeep)
	w.Bool(f.Walls.Said)
	w.Bool(f.Walls.On)
	for _, list := range [][]string{f.Walls.Write, f.Walls.Sockets, f.Walls.Hosts, f.Walls.Env} {
		w.Texts(list)
	}
	w.Bool(f.Undo.Given)
	w.Bool(f.Undo.Off)
	w.Int(f.Undo.Days)
	w.Int(f.Undo.Size)
	w.Texts(f.Undo.Exclude)
	w.Texts(f.Undo.Include)
	w.Texts(f.Remarks)
	record.List(&w, f.Disable, func(w *record.Writer, n Named) { w.Text(n.ID); w.Text(n.Source) })
	w.Text(string(encodeBook(f.allRules())))
	return w.Bytes()
}

// Open reads what Encode gave, except for the rules: each is read when it is
// first needed. It never panics.
func Open(data string) (*File, error) {
	r := record.NewReader(data)
	if r.Uint() != formatVersion {
		r.Fail()
	}
	f := &File{Name: r.Text(), Default: readDecision(r), Safety: readLevel(r)}
	f.HasDefault, f.Trusted, f.Bundled, f.Expired, f.OnAllowPass, f.NoBuiltin = r.Bool(), r.Bool(), r.Bool(), r.Bool(), r.Bool(), r.Bool()
	f.LogPath = r.Text()
	f.Sandbox = Sandbox{Dir: r.Text(), Block: r.Bool()}
	f.Content = Content{Given: r.Bool(), Scan: r.Texts(), Redact: r.Bool(), Off: r.Texts(), Rules: r.Text()}
	f.LogContent, f.LogKeep = LogContent(r.Byte()), r.Int()
	f.Walls = Walls{Said: r.Bool(), On: r.Bool(), Write: r.Texts(), Sockets: r.Texts(), Hosts: r.Texts(), Env: r.Texts()}
	f.Undo = Undo{Given: r.Bool(), Off: r.Bool(), Days: r.Int(), Size: r.Int(), Exclude: r.Texts(), Include: r.Texts()}
	f.Remarks = r.Texts()
	f.Disable = record.ReadList(r, func(r *record.Reader) Named { return Named{r.Text(), r.Text()} })
	rules := r.Text()
	if err := r.End(); err != nil {
		return nil, err
	}
	b, err := openBook(rules)
	if err != nil {
		return nil, err
	}
	if b.len() > 0 {
		f.books = []book{b}
	}
	return f, nil
}

// Decode is Open with all rules read.
func Decode(data []byte) (*File, error) {
	f, err := Open(string(data))
	if err != nil {
		return nil, err
	}
	for i := range f.books {
		for n := range f.books[i].len() {
			r, err := f.books[i].read(n)
			switch {
			case err != nil:
				return nil, err
			case !r.Listed:
				f.Rules = append(f.Rules, *r)
			default:
				f.list(r)
			}
		}
	}
	f.books = nil
	return f, nil
}

func writeRule(w *record.Writer, r *Rule) {
	w.Text(r.ID)
	w.Byte(byte(r.Level))
	w.Int(int(r.Decision))
	w.Bool(r.Listed)
	p := partsWriter{}
	p.text(r.Reason)
	p.text(r.Suggest)
	p.text(r.Source)
	p.texts(r.Overrides)
	m := &r.Match
	if p.has(len(m.Commands) > 0) {
		writeCommands(&p.body, m.Commands)
	}
	p.lists(m.Flags)
	p.lists(m.Args)
	if p.has(len(m.Text) > 0) {
		record.List(&p.body, m.Text, expression.Write)
	}
	if p.has(len(m.Stages) > 0) {
		record.List(&p.body, m.Stages, writeStage)
	}
	p.texts(m.Redirect.Ops)
	p.texts(m.Redirect.Targets)
	if p.has(len(m.Env) > 0) {
		record.List(&p.body, m.Env, writeVariable)
	}
	if p.has(m.Effect.Kinds != 0) {
		writeEffect(&p.body, &m.Effect)
	}
	p.number(uint64(m.In))
	p.texts(m.Tools)
	p.number(uint64(m.Edits))
	p.number(boolean(r.Final))
	p.number(boolean(r.Walled))
	p.number(uint64(r.Wall))
	p.texts(m.Dirs)
	p.number(boolean(r.Defer))
	p.number(boolean(r.Contain))
	p.number(uint64(m.Session.Has))
	p.number(uint64(m.Session.Lacks))
	if p.has(len(m.Given) > 0) {
		record.List(&p.body, m.Given, writeVariable)
	}
	p.end(w)
}

func writeVariable(w *record.Writer, v Variable) { w.Text(v.Name); w.Texts(v.Values) }

func readVariable(r *record.Reader) Variable { return Variable{r.Text(), r.Texts()} }

func readRule(r *record.Reader) *Rule {
	rule := &Rule{ID: r.Text(), Level: readLevel(r), Decision: readDecision(r), Listed: r.Bool()}
	p := parts(r)
	rule.Reason, rule.Suggest, rule.Source, rule.Overrides = p.text(), p.text(), p.text(), p.texts()
	m := &rule.Match
	if p.has() {
		m.Commands = readCommands(r)
	}
	m.Flags = p.lists()
	m.Args = p.lists()
	if p.has() {
		m.Text = record.ReadList(r, expression.Read)
	}
	if p.has() {
		m.Stages = record.ReadList(r, readStage)
	}
	m.Redirect = Redirect{Ops: p.texts(), Targets: p.texts()}
	if p.has() {
		m.Env = record.ReadList(r, readVariable)
	}
	if p.has() {
		m.Effect = readEffect(r)
	}
	m.In = ZoneSet(p.number(1 << zoneCount))
	m.Tools = p.texts()
	m.Edits = Answer(p.number(uint64(No) + 1))
	rule.Final = p.number(2) == 1
	rule.Walled = p.number(2) == 1
	rule.Wall = Wall(p.number(uint64(WallAlways) + 1))
	m.Dirs = p.texts()
	rule.Defer = p.number(2) == 1
	rule.Contain = p.number(2) == 1
	m.Session = Session{Has: SessionSet(p.number(uint64(sessionEnd))), Lacks: SessionSet(p.number(uint64(sessionEnd)))}
	if p.has() {
		m.Given = record.ReadList(r, readVariable)
	}
	return rule
}

func boolean(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func writeStage(w *record.Writer, s Stage) {
	writeCommands(w, s.Commands)
	p := partsWriter{}
	p.lists(s.Flags)
	p.lists(s.Args)
	p.end(w)
}

func readStage(r *record.Reader) Stage {
	s := Stage{Commands: readCommands(r)}
	p := parts(r)
	s.Flags, s.Args = p.lists(), p.lists()
	return s
}

func writeCommands(w *record.Writer, list []Command) {
	record.List(w, list, func(w *record.Writer, c Command) { w.Texts(c) })
}

func readCommands(r *record.Reader) []Command {
	return record.ReadList(r, func(r *record.Reader) Command { return r.Texts() })
}

func writeEffect(w *record.Writer, e *Effect) {
	p := partsWriter{}
	p.number(uint64(e.Kinds))
	p.places(&e.Places)
	p.places(&e.Except)
	p.number(uint64(e.Tree))
	p.number(uint64(e.Sweep))
	p.number(uint64(e.Reach))
	if p.has(e.With != nil) {
		writeEffect(&p.body, e.With)
	}
	p.end(w)
}

func readEffect(r *record.Reader) Effect {
	p := parts(r)
	e := Effect{Kinds: KindSet(p.number(1 << (tool.Control + 1))), Places: p.places(), Except: p.places()}
	e.Tree, e.Sweep = Answer(p.number(uint64(No)+1)), Answer(p.number(uint64(No)+1))
	e.Reach = ReachSet(p.number(1 << 8))
	if p.has() {
		with := readEffect(r)
		if with.With != nil {
			r.Fail() // one level is all that a rules file can say
		}
		e.With = &with
	}
	return e
}

func readDecision(r *record.Reader) tool.Decision {
	d := r.Int()
	if d < int(tool.Allow) || d > int(tool.Deny) {
		r.Fail()
		return tool.Deny
	}
	return tool.Decision(d)
}

func readLevel(r *record.Reader) Level {
	l := Level(r.Byte())
	if l > Strict {
		r.Fail()
	}
	return l
}
