package language

import "strings"

// pyScope is what the names of a Python program stand for.
type pyScope struct {
	bound   map[string]string // names of modules, and of what was taken from them
	names   map[string]int    // how often the program binds a name
	members map[string]bool   // methods and attributes that the program defines
	values  map[string][]int  // where the values begin that are assigned to a name
	passed  map[string]bool   // names of parameters, whose values are arguments
}

func newPyScope() pyScope {
	return pyScope{bound: map[string]string{}, names: map[string]int{}, members: map[string]bool{}, values: map[string][]int{}, passed: map[string]bool{}}
}

// builtin says whether a name means to the program what it means to Python.
func (p *pyScope) builtin(name string) bool { return p.names[name] == 0 && p.bound[name] == "" }

// once says whether the program binds a name in one place, which is no import.
func (p *pyScope) once(name string) bool { return p.names[name] == 1 && p.bound[name] == "" }

// only is where the value begins that is all that is ever assigned to a name.
func (p *pyScope) only(name string) (at int, ok bool) {
	if list := p.values[name]; len(list) == 1 && p.names[name] == 1 {
		return list[0], true
	}
	return 0, false
}

// several says whether a name has more than one value, all of which are assigned to it.
func (p *pyScope) several(name string) bool {
	n := p.names[name]
	return p.bound[name] == "" && n > 1 && n <= 8 && n == len(p.values[name])
}

// uses says whether one of several modules is imported.
func (p *pyScope) uses(modules string) bool {
	for _, what := range p.bound {
		if head, _, _ := strings.Cut(what, "."); HasWord(modules, head) {
			return true
		}
	}
	return false
}

func (p *pyScope) hasPaths() bool {
	for _, what := range p.bound {
		if strings.HasPrefix(what, "pathlib") {
			return true
		}
	}
	return false
}
