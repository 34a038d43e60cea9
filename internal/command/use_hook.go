package command

import (
	"strings"

	"longline/internal/strictjson"
	"longline/internal/tool"
)

// hook is a program that a setting names to be run on some occasion: a pager, an
// editor, a filter. It is read as a command, for what that shows; and unless it is
// listed as usual in such places it is code that comes in by a side door.
func (d *deeds) hook(setting string, w Word) {
	if w.IsKnown() && strings.TrimSpace(w.Text) == "" {
		return
	}
	if !w.IsKnown() || !d.lib.usualHook(w.Text) {
		d.execute(setting, w.Span)
	}
	if w.IsKnown() {
		// It sees the variable that names it too, which must not be judged again.
		d.inv.Runs = append(d.inv.Runs, Nested{Script: &w, Shell: "sh", Dir: &d.dir, Stdin: Data{Taint: FromFile}, Piped: true, Clear: true, Among: true})
	}
}

// sideDoor adds that a flag names the program which some other one runs. To run a
// file of the project is one thing, to have a tool run it on the way another: who
// reads the command sees the tool.
func (r *reader) sideDoor(w Word) {
	program, _, _ := strings.Cut(strings.TrimSpace(w.Text), " ")
	if slash := strings.LastIndexByte(program, '/'); !w.IsKnown() || slash >= 0 && InStandardDir(program[:slash]) {
		return
	}
	if strings.Contains(program, "/") || !r.lib.Has(program) {
		r.execute("config:"+r.flagOf(w), w.Span)
	}
}

// filterProgram is a program that gets what this one makes, with the arguments that other flags give it.
func filterProgram(r *reader, w Word) {
	r.sideDoor(w)
	words := []Word{w}
	for i := range r.given {
		if g := &r.given[i]; g.flag != nil && g.flag.has("filter-word") {
			words = append(words, g.values...)
		}
	}
	r.inv.Runs = append(r.inv.Runs, Nested{Words: words, Dir: &r.dir, Stdin: Data{Taint: FromFile}, Piped: true, Among: true})
}

// usualHook says whether a command line is a listed program with plain flags.
func (l *Library) usualHook(line string) bool {
	words := strings.Fields(line)
	if strings.ContainsAny(line, "\"'`$\\;&|<>(){}*?[]!#~\n") {
		return false
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") && !strings.HasPrefix(w, "+") {
			return false
		}
	}
	level, _ := l.listed("hooks", words[0])
	return level != nil
}

// flagOf is the flag that a word is the value of.
func (l *commandLine) flagOf(w Word) string {
	for i := range l.given {
		for _, v := range l.given[i].values {
			if v.Span == w.Span && v.Text == w.Text {
				return l.given[i].name
			}
		}
	}
	return ""
}

// agentSettings is settings for one run of an agent, or the file that they are in. Those
// that switch off hooks switch off whoever is called by them.
func (d *deeds) agentSettings(w Word) {
	d.control("agent.config", w.Span)
	doc, err := strictjson.Parse([]byte(w.Text))
	if w.IsKnown() && err == nil {
		if off := doc.Get("disableAllHooks"); off.Kind == strictjson.Bool && off.True || doc.Get("hooks").Kind == strictjson.Object {
			d.control("guard.off", w.Span)
		}
		return
	}
	if e := d.path(tool.Read, w); e.Reach == tool.Exact && !e.Pattern {
		d.effect(e)
	}
}
