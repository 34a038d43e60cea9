package policy

import (
	"longline/internal/record"
	"longline/internal/tool"
)

// formatVersion changes whenever the form changes, so that a cache written by
// another version is refused and made anew.
const formatVersion = 3

// leastRule is what a rule with nothing in it takes: a byte for each field.
const leastRule = 32

// Encode gives the compact form of a file. Its tests are left out.
func Encode(f *File) []byte {
	var w record.Writer
	w.Uint(formatVersion)
	w.Text(f.Name)
	w.Int(int(f.Default))
	w.Byte(byte(f.Safety))
	for _, b := range []bool{f.HasDefault, f.Trusted, f.OnAllowPass, f.NoBuiltin} {
		w.Bool(b)
	}
	w.Text(f.LogPath)
	w.Text(f.Sandbox.Dir)
	w.Bool(f.Sandbox.Block)
	record.List(&w, f.AllowCommands, writeAllowed)
	record.List(&w, f.AllowPaths, writeAllowed)
	record.List(&w, f.Disable, func(w *record.Writer, n Named) { w.Text(n.ID); w.Text(n.Source) })
	w.Uint(uint64(len(f.Rules)))
	for i := range f.Rules {
		writeRule(&w, &f.Rules[i])
	}
	return w.Bytes()
}

// Decode reads what Encode gave. It copies data once and never panics.
func Decode(data []byte) (*File, error) { return decode(string(data)) }

func decode(data string) (*File, error) {
	r := record.NewReader(data)
	if r.Uint() != formatVersion {
		r.Fail()
	}
	f := &File{Name: r.Text(), Default: readDecision(r), Safety: readLevel(r)}
	f.HasDefault, f.Trusted, f.OnAllowPass, f.NoBuiltin = r.Bool(), r.Bool(), r.Bool(), r.Bool()
	f.LogPath = r.Text()
	f.Sandbox = Sandbox{Dir: r.Text(), Block: r.Bool()}
	f.AllowCommands = record.ReadList(r, readAllowed)
	f.AllowPaths = record.ReadList(r, readAllowed)
	f.Disable = record.ReadList(r, func(r *record.Reader) Named { return Named{r.Text(), r.Text()} })
	f.Rules = record.ReadLong(r, leastRule, readRule)
	if err := r.End(); err != nil {
		return nil, err
	}
	return f, nil
}

func writeAllowed(w *record.Writer, a Allowed) {
	w.Text(a.Text)
	w.Text(a.Reason)
	w.Text(a.Source)
}

func readAllowed(r *record.Reader) Allowed {
	return Allowed{Text: r.Text(), Reason: r.Text(), Source: r.Text()}
}

func writeRule(w *record.Writer, r *Rule) {
	w.Text(r.ID)
	w.Byte(byte(r.Level))
	w.Int(int(r.Decision))
	w.Text(r.Reason)
	w.Text(r.Suggest)
	w.Text(r.Source)
	w.Texts(r.Overrides)
	m := &r.Match
	writeCommands(w, m.Commands)
	writeLists(w, m.Flags)
	writeLists(w, m.Args)
	w.Texts(m.Text)
	record.List(w, m.Stages, func(w *record.Writer, s Stage) {
		writeCommands(w, s.Commands)
		writeLists(w, s.Flags)
		writeLists(w, s.Args)
	})
	w.Texts(m.Redirect.Ops)
	w.Texts(m.Redirect.Targets)
	record.List(w, m.Env, func(w *record.Writer, v Variable) { w.Text(v.Name); w.Texts(v.Values) })
	writeEffect(w, &m.Effect)
	w.Uint(uint64(m.In))
	w.Texts(m.Tools)
	w.Byte(byte(m.Edits))
}

func readRule(r *record.Reader) Rule {
	rule := Rule{ID: r.Text(), Level: readLevel(r), Decision: readDecision(r), Reason: r.Text(), Suggest: r.Text(), Source: r.Text(), Overrides: r.Texts()}
	m := &rule.Match
	m.Commands = readCommands(r)
	m.Flags = readLists(r)
	m.Args = readLists(r)
	m.Text = r.Texts()
	m.Stages = record.ReadList(r, func(r *record.Reader) Stage {
		return Stage{Commands: readCommands(r), Flags: readLists(r), Args: readLists(r)}
	})
	m.Redirect = Redirect{Ops: r.Texts(), Targets: r.Texts()}
	m.Env = record.ReadList(r, func(r *record.Reader) Variable { return Variable{r.Text(), r.Texts()} })
	m.Effect = readEffect(r)
	m.In = readZones(r)
	m.Tools = r.Texts()
	m.Edits = readAnswer(r)
	return rule
}

func writeCommands(w *record.Writer, list []Command) {
	record.List(w, list, func(w *record.Writer, c Command) { w.Texts(c) })
}

func readCommands(r *record.Reader) []Command {
	return record.ReadList(r, func(r *record.Reader) Command { return r.Texts() })
}

func writeLists(w *record.Writer, l Lists) {
	w.Texts(l.Any)
	w.Texts(l.All)
	w.Texts(l.None)
}

func readLists(r *record.Reader) Lists { return Lists{Any: r.Texts(), All: r.Texts(), None: r.Texts()} }

func writeEffect(w *record.Writer, e *Effect) {
	w.Uint(uint64(e.Kinds))
	writePlaces(w, &e.Places)
	writePlaces(w, &e.Except)
	w.Byte(byte(e.Tree))
	w.Byte(byte(e.Sweep))
	w.Byte(byte(e.Reach))
	w.Bool(e.With != nil)
	if e.With != nil {
		writeEffect(w, e.With)
	}
}

func readEffect(r *record.Reader) Effect {
	kinds := r.Uint()
	if kinds >= 1<<(tool.Control+1) {
		r.Fail()
	}
	e := Effect{Kinds: KindSet(kinds), Places: readPlaces(r), Except: readPlaces(r), Tree: readAnswer(r), Sweep: readAnswer(r)}
	e.Reach = ReachSet(r.Byte())
	if r.Bool() {
		with := readEffect(r)
		if with.With != nil {
			r.Fail() // one level is all that a rules file can say
		}
		e.With = &with
	}
	return e
}

func writePlaces(w *record.Writer, p *Places) {
	w.Uint(uint64(p.Zones))
	w.Texts(p.Paths)
	w.Texts(p.Hosts)
	w.Texts(p.Names)
}

func readPlaces(r *record.Reader) Places {
	return Places{Zones: readZones(r), Paths: r.Texts(), Hosts: r.Texts(), Names: r.Texts()}
}

func readZones(r *record.Reader) ZoneSet {
	zones := r.Uint()
	if zones >= 1<<zoneCount {
		r.Fail()
		return 0
	}
	return ZoneSet(zones)
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

func readAnswer(r *record.Reader) Answer {
	a := Answer(r.Byte())
	if a > No {
		r.Fail()
	}
	return a
}
