package command

import (
	"path"
	"slices"
	"strings"

	"longline/internal/tool"
)

// Library holds the models of all known programs. Find returns the model of a
// program, or nil; Variables are those that mean the same to all of them;
// Programs every name that Find knows. A Library is not for concurrent use.
type Library struct {
	Find      func(name string) *Model
	Variables *Variables
	Programs  func() []string
	// Doubt says why a model does not account for all of a program, by its name;
	// "" if it does. It may be nil.
	Doubt func(name string) string

	names map[string]naming  // of variables that have been looked up
	uses  map[string]*useRow // that have been looked up
	idle  *reader            // for the next invocation; nil while one is read

	// Of the script that is read.
	repositories
	rooted rooted
}

// Extended is the library with the models of another one added. For a program that
// both know, the first one counts. If the others are in doubt, for example out of
// date, they count only against a command, not for it.
func (l *Library) Extended(more *Library, doubt string) *Library {
	both := &Library{Variables: l.Variables}
	both.Find = func(name string) *Model {
		if m := l.Find(name); m != nil {
			return m
		}
		return more.Find(name)
	}
	both.Programs = func() []string { return append(l.Programs(), more.Programs()...) }
	if doubt != "" {
		both.Doubt = func(name string) string {
			if l.Find(name) == nil && more.Find(name) != nil {
				return name + ": " + doubt
			}
			return ""
		}
	}
	return both
}

// Has reports whether the library has a model of a program.
func (l *Library) Has(name string) bool { return l.find(name) != nil }

func (l *Library) find(name string) *Model {
	if l == nil || l.Find == nil {
		return nil
	}
	return l.Find(name)
}

// Read works out what an invocation does: it fills the second group of its
// fields from the first. It never fails; what it cannot account for is a gap.
func (l *Library) Read(inv *Invocation, w *tool.World) {
	if inv.Remote && w != nil {
		w = w.Elsewhere()
	}
	r := l.reader()
	*r = reader{
		commandLine: commandLine{levels: r.levels[:0], given: r.given[:0], dashed: -1, piped: !inv.Stdin.None},
		deeds:       deeds{l, surroundings{world: w, dir: inv.Dir}, findings{inv}},
	}
	defer func() {
		inv.Flags = r.appendNames(inv.Flags)
		if l != nil {
			l.idle = r
		}
		if p := recover(); p != nil {
			// A bug in reading one invocation must not hide its neighbours.
			r.gap("internal error while reading this command", inv.Span)
		}
	}()
	inv.Output.At, inv.Aka = 0, nil
	if len(inv.Words) == 0 {
		r.variables()
		return
	}
	level := r.onDevice(inv.Words[0])
	if level == nil {
		model := r.program(inv.Words[0])
		if model == nil {
			r.variables()
			inv.Operands = inv.Words[1:]
			return
		}
		level = &model.Level
		if l.Doubt != nil {
			if why := l.Doubt(inv.Name); why != "" {
				r.gap(why, inv.Words[0].Span)
			}
		}
	}
	r.levels = append(r.levels, level)
	inv.Path = append(inv.steps[:0], inv.Name)
	inv.alsoKnown(level)
	r.scan(inv.Words[1:])
	inv.Acts = r.dir
	r.variables()
	r.cleared()
}

// reader returns one that nobody uses. What outlives the reading of an invocation
// is in the invocation; none of it is in the lists that a reader keeps.
func (l *Library) reader() *reader {
	if l == nil || l.idle == nil {
		return new(reader)
	}
	r := l.idle
	l.idle = nil
	return r
}

func (r *reader) variables() {
	for _, a := range r.inv.Env {
		r.variable(a)
	}
	r.inherited()
}

// onDevice finds a program among those that only the device has.
func (d *deeds) onDevice(w Word) *Level {
	if d.inv.Device == "" || !w.IsKnown() {
		return nil
	}
	level, _ := d.lib.listed(d.inv.Device, w.Text)
	if level != nil {
		d.inv.Name = w.Text
	}
	return level
}

// program finds the model of the program a word names. Where there is none it
// says why.
func (d *deeds) program(w Word) *Model {
	if !w.IsKnown() {
		d.gap("the program is known only at run time", w.Span)
		if w.Glob && strings.HasSuffix(w.Text, ")") { // found by its name, somewhere on the search path
			d.loosening(strings.TrimSuffix(w.Text[strings.LastIndexByte(w.Text, '/')+1:], ")"))
		}
		return nil
	}
	dir, name := path.Split(w.Text)
	d.inv.Name = name
	bare := dir == ""
	dir = strings.TrimSuffix(dir, "/")
	switch {
	case bare || InStandardDir(dir):
		return d.known(name, w.Span)
	case d.usersDir(dir) && d.lib.find(name) != nil:
		return d.known(name, w.Span)
	case inProjectDir(dir):
		d.execute("project:"+name, w.Span)
		return d.known(name, w.Span)
	case d.lib.wrapper(dir, name):
		d.execute("project:"+name, w.Span)
		file := w
		d.inv.Runs = append(d.inv.Runs, Nested{File: &file, Known: true})
		return d.known(name, w.Span)
	}
	d.loosening(name)
	file := w
	d.inv.Runs = append(d.inv.Runs, Nested{File: &file, Args: d.inv.Words, Stdin: d.inv.Stdin, Piped: true})
	d.inv.Path = []string{name}
	return nil
}

// known is the model of a program. Where there is none that is a gap.
func (d *deeds) known(name string, span tool.Span) *Model {
	m := d.lib.find(name)
	if plain := unversioned(name); m == nil && plain != name { // pip3.21
		if m = d.lib.find(plain); m != nil && !slices.ContainsFunc(m.Names, func(n string) bool { return n != plain && unversioned(n) == plain }) {
			m = nil
		}
	}
	if m == nil {
		d.inv.Path = []string{name}
		d.unknownProgram(name, span)
		return nil
	}
	d.inv.versions(m)
	return m
}
