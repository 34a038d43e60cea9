package command

import (
	"slices"

	"longline/internal/tool"
)

// inherited judges the variables that a program gets without anybody having
// written them in front of it. [tool.World.Inherited] holds those that may matter.
func (r *reader) inherited() {
	if r.world == nil || r.inv.Remote {
		return
	}
	for _, v := range r.world.Inherited {
		if r.inv.sets(v.Name) {
			continue
		}
		before := r.tally()
		if meant := r.inherit(v); meant || r.tally() != before {
			r.inv.Inherited = append(r.inv.Inherited, v.Name)
		}
	}
}

// inherit judges one of them, and says whether the program itself reads it.
func (r *reader) inherit(v tool.Variable) (meant bool) {
	a := Assign{Name: v.Name, Value: Known(v.Value, tool.Span{}), Prefix: true}
	switch v.Counts {
	case tool.Always:
		r.variable(a)
	case tool.IfMeant: // by the program itself: to others it is nothing
		if e := r.ownVariable(v.Name); e != nil {
			r.applyEnv(e, a)
			return true
		}
	case tool.IfCode:
		if e := r.listedVariable(v.Name); e != nil && e.carries() {
			r.applyEnv(e, a)
		}
	}
	return false
}

// sets says whether a variable of a name is given to the invocation.
func (inv *Invocation) sets(name string) bool {
	return slices.ContainsFunc(inv.Env, func(a Assign) bool { return a.Name == name })
}

// tally counts what is found, to see whether something adds to it.
func (f *findings) tally() [3]int {
	return [3]int{len(f.inv.Effects), len(f.inv.Gaps), len(f.inv.Runs)}
}

// ownVariable is what the model of the program says of a variable, or nil.
func (l *commandLine) ownVariable(name string) *EnvUse {
	for i := len(l.levels) - 1; i >= 0; i-- {
		if e := l.levels[i].Env.find(name); e != nil {
			return e
		}
	}
	return nil
}

// listedVariable is what the models say of a variable, or nil.
func (r *reader) listedVariable(name string) *EnvUse {
	if e := r.ownVariable(name); e != nil {
		return e
	}
	return r.lib.named(name).use
}

// has says whether a variable has a use.
func (e *EnvUse) has(use string) bool {
	return slices.ContainsFunc(e.Uses, func(u Use) bool { return u.Name == use })
}

// carries says whether a variable decides which code runs, other than by naming a
// place that is the project's.
func (e *EnvUse) carries() bool {
	return slices.ContainsFunc(e.Uses, func(u Use) bool {
		switch u.Name {
		case "code", "values", "hook", "config", "script", "script-before", "run":
			return true
		}
		return false
	})
}

// Matters reports whether a variable does more than control how a program
// prints, counts or talks.
func (e *EnvUse) Matters() bool {
	return slices.ContainsFunc(e.Uses, func(u Use) bool { return u.Name != "text" && u.Name != "recorded" })
}

// Matters reports whether setting a variable can change what programs do, by
// the table of variables or else by its name.
func (l *Library) Matters(name string) bool {
	if e := l.named(name).use; e != nil {
		return e.Matters()
	}
	return carriesMore(name)
}
