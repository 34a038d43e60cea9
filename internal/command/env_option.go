package command

import (
	"strings"
)

// fromEnvironment adds the flags that variables stand for. By custom PROGRAM_OPTION is the option of that name to the
// program of that name; a model says which others are. Not every program follows the custom, so that such a flag can
// add effects, but makes nothing a rehearsal or harmless.
func fromEnvironment(r *reader) {
	for _, a := range r.inv.Env {
		flag, v := flagNamed(r, a)
		if flag == nil || isExactly(v, "") {
			continue
		}
		var values []Word
		if len(flag.Values) == 1 {
			values = []Word{v}
		} else if len(flag.Values) > 1 || v.IsKnown() && hasWord("0 false no off", strings.ToLower(v.Text)) {
			continue
		}
		r.note(flag, flag.Name, values, v.Span)
		r.given[len(r.given)-1].perhaps = true
	}
}

// flagNamed is the flag that a variable stands for, or nil, with its value.
func flagNamed(r *reader, a Assign) (*Flag, Word) {
	if e := r.ownVariable(a.Name); e != nil {
		if u := e.Uses[0]; u.Name != "option" {
			return nil, a.Value
		} else if name, named := strings.CutSuffix(u.Arg, "="); named { // the value begins with the rest of the name
			v := a.Value
			v.Text = strings.TrimPrefix(a.Name, strings.TrimSuffix(e.Name, "*")) + "=" + v.Text
			return r.lookup(name), v
		} else if name != "" {
			return r.lookup(name), a.Value
		} else {
			return alike(r, strings.TrimPrefix(a.Name, strings.TrimSuffix(e.Name, "*"))), a.Value
		}
	}
	n := len(r.inv.Name)
	if len(a.Name) <= n+1 || a.Name[n] != '_' || !strings.EqualFold(strings.ReplaceAll(r.inv.Name, "-", "_"), a.Name[:n]) {
		return nil, a.Value
	}
	if r.lib.named(a.Name).use != nil {
		return nil, a.Value // the table says what it is
	}
	return alike(r, a.Name[n+1:]), a.Value
}

// alike finds the flag that a part of a variable's name stands for: WORK_DIR is --work-dir, --workdir or --workDir.
func alike(r *reader, name string) *Flag {
	name = letterRow(name)
	search := func(flags []Flag) *Flag {
		for i := range flags {
			if len(flags[i].Name) > 2 && letterRow(flags[i].Name) == name {
				return &flags[i]
			}
		}
		return nil
	}
	if f := search(r.level().Flags.All()); f != nil {
		return f
	}
	for _, level := range r.levels {
		if f := search(level.Global.All()); f != nil {
			return f
		}
	}
	return nil
}

// letterRow is a name without what joins its words, in small letters.
func letterRow(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
}
