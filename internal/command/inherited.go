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
		if slices.ContainsFunc(r.inv.Env, func(a Assign) bool { return a.Name == v.Name }) {
			continue
		}
		a := Assign{Name: v.Name, Value: Known(v.Value, tool.Span{}), Prefix: true}
		effects, gaps, runs, meant := len(r.inv.Effects), len(r.inv.Gaps), len(r.inv.Runs), false
		switch v.Counts {
		case tool.Always:
			r.variable(a)
		case tool.IfMeant: // by the program itself: to others it is nothing
			for i := len(r.levels) - 1; i >= 0; i-- {
				if e := envUse(r.levels[i].Env, v.Name); e != nil {
					r.applyEnv(e, a)
					meant = true
					break
				}
			}
		case tool.IfCode:
			if e := r.listedVariable(v.Name); e != nil && e.carries() {
				r.applyEnv(e, a)
			}
		}
		if len(r.inv.Effects) > effects || len(r.inv.Gaps) > gaps || len(r.inv.Runs) > runs || meant {
			r.inv.Inherited = append(r.inv.Inherited, v.Name)
		}
	}
}

// listedVariable is what the models say of a variable, or nil.
func (r *reader) listedVariable(name string) *EnvUse {
	for i := len(r.levels) - 1; i >= 0; i-- {
		if e := envUse(r.levels[i].Env, name); e != nil {
			return e
		}
	}
	return r.lib.named(name).use
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
	return slices.ContainsFunc(e.Uses, func(u Use) bool { return u.Name != "text" })
}

// Matters reports whether setting a variable can change what programs do, by
// the table of variables or else by its name.
func (l *Library) Matters(name string) bool {
	if e := l.named(name).use; e != nil {
		return e.Matters()
	}
	return carriesMore(name)
}
