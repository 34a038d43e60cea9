package config

import (
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/paths"
	"longline/internal/tool"
)

// inherited are the variables of the agent's environment that count as if they were
// written in front of every command:
//
//   - those that the project's settings for the agent set, whatever they say;
//   - those that move the work out of the project;
//   - HOME, if it is not the home directory that counts;
//   - those that name code in the project, if a model says that they carry code.
//
// All others are the user's own: a pager, the options of a compiler, an activated
// environment.
func (p *places) inherited(env Env, settings *Settings) []tool.Variable {
	list := p.setByProject(settings)
	for i := range env {
		name, value, _ := strings.Cut(env[i], "=")
		counts, ok := p.counts(name, value)
		if !ok {
			continue
		}
		if last, _ := env.Get(name); last != value || slices.ContainsFunc(list, func(v tool.Variable) bool { return v.Name == name }) {
			continue
		}
		if name == "HOME" && value == "" {
			value = "/" // ~/etc is /etc
		}
		list = append(list, tool.Variable{Name: name, Value: value, Counts: counts})
	}
	return list
}

// setByProject are the variables that the project's settings for the agent set.
func (p *places) setByProject(settings *Settings) (list []tool.Variable) {
	for _, path := range settings.Project {
		for _, v := range agent.ClaudeEnv(settings.root(path)) {
			list = slices.DeleteFunc(list, func(old tool.Variable) bool { return old.Name == v.Name })
			list = append(list, tool.Variable{Name: v.Name, Value: v.Value, Counts: tool.Always, From: strings.TrimPrefix(path, p.site.Project+"/")})
		}
	}
	return list
}

// counts says how a variable of the agent's environment counts, if it does.
func (p *places) counts(name, value string) (tool.Counts, bool) {
	if name == "HOME" {
		none := p.Home == "" && value == "/" // what a container gives a user whom it does not know
		return tool.Always, !none && (!filepath.IsAbs(value) || followed(filepath.Clean(value)) != followed(p.Home))
	}
	if slices.Contains(guard.Moving[:], name) {
		return tool.IfMeant, !p.staysInside(name, value)
	}
	return tool.IfCode, namesCode(value, p.site.Project)
}

// origin says where the variables come from that a command was judged with though they
// do not stand in it, or "" if there are none: whoever is asked sees only the command.
func (c *Config) origin(v *tool.Verdict, invs []*command.Invocation) string {
	if len(c.World.Inherited) == 0 {
		return ""
	}
	meant := make([]bool, len(invs))
	for _, f := range v.Findings {
		if f.Rule == v.Rule && f.Reason == v.Reason && 0 <= f.Invocation && f.Invocation < len(invs) {
			meant[f.Invocation] = true
		}
	}
	var list []string
	moved := false
	for i, inv := range invs {
		if moved = moved || inv.Name == "cd" || inv.Name == "pushd"; !meant[i] {
			continue
		}
		for _, known := range c.World.Inherited {
			if !(moved && known.Name == "CDPATH") && !slices.Contains(inv.Inherited, known.Name) {
				continue
			}
			if said := whence(&known); !slices.Contains(list, said) {
				list = append(list, said)
			}
		}
	}
	return strings.Join(list, " ")
}

// whence says where a variable comes from.
func whence(v *tool.Variable) string {
	from := "the agent was started with it"
	if v.From != "" {
		from = v.From + " of the project sets it"
	}
	return "The variable " + v.Name + " counts as if it were part of the command: " + from + "."
}

// staysInside says whether all that a moving variable names is the project's own:
// its working tree, or the data of its repository.
func (p *places) staysInside(name, value string) bool {
	root := p.site.Project
	for _, part := range filepath.SplitList(value) {
		if root == "" {
			return false
		}
		if !filepath.IsAbs(part) {
			part = filepath.Join(p.dir, part)
		}
		part = followed(filepath.Clean(part))
		data := followed(below(root, ".git"))
		tree := name == "CDPATH" || name == "GIT_WORK_TREE"
		if tree && !Within(part, followed(root)) || !tree && !Within(part, data) && part != Repository(root) {
			return false
		}
	}
	return true
}

// environments are the directories in which a project's tools are installed: to
// have one of them activated is no news.
var environments = [...]string{"node_modules/.bin", ".venv", "venv", ".direnv", ".devenv", ".tox", ".nox", "vendor/bin"}

// namesCode says whether a value names a file in the project that is not one of its
// installed tools. It is asked of every variable with every call.
func namesCode(value, root string) bool {
	if root == "" || strings.IndexByte(value, '/') < 0 {
		return false
	}
	for rest := value; rest != ""; {
		word := rest
		if n := strings.IndexAny(rest, " \t\n:=,|;\"'"); n >= 0 {
			word, rest = rest[:n], rest[n+1:]
		} else {
			rest = ""
		}
		if wordNamesCode(word, root) {
			return true
		}
	}
	return false
}

// wordNamesCode is namesCode for one word of a value.
func wordNamesCode(word, root string) bool {
	below, ok := strings.CutPrefix(word, root+"/")
	if !ok {
		below, ok = strings.CutPrefix(word, "./")
	}
	if !ok {
		return strings.HasPrefix(word, "../")
	}
	return below != "" && !slices.ContainsFunc(environments[:], func(dir string) bool { return paths.Within(below, dir) })
}
