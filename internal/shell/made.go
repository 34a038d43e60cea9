package shell

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// unseen is the taint of what an invocation prints or writes, if that is text that nobody has seen: a program has
// made it of data, or of its own words. What the project's own code makes, what is left of the project's code
// or changed in it, and a version of a file that git has, are none.
func (here *site) unseen(s *state, inv *command.Invocation) command.Taint {
	if here.makesOwn(s, inv) || here.selectsCode(inv) || here.showsVersion(s, inv) {
		return 0
	}
	return command.Unseen
}

// printsUnseen is unseen for what an invocation prints itself.
func (here *site) printsUnseen(s *state, inv *command.Invocation) command.Taint {
	if d := inv.Output; d.Reach == tool.Exact || d.Reach == tool.Under || d.Plain || d.Taint&command.FromFile == 0 {
		return 0 // known, or names of files, or nothing that could pass for something found in the project
	}
	return here.unseen(s, inv)
}

// writesUnseen is unseen for the files that an invocation writes. What it copies, or takes from its input, has the taint of that.
func (here *site) writesUnseen(s *state, inv *command.Invocation) command.Taint {
	if !slices.ContainsFunc(inv.Effects, mayBeUnseen) {
		return 0
	}
	switch inv.Name {
	case "cp", "mv", "install", "rsync", "patch", "touch", "mkdir", "truncate":
		return 0
	case "git":
		if !slices.Contains(inv.Flags, "--output") {
			return 0
		}
	case "sed":
		if slices.Contains(inv.Flags, "-i") {
			return 0
		}
	}
	if !inv.Stdin.None && writesInput(inv) {
		return 0
	}
	if here.readsCode(inv) && slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Read }) {
		return 0 // a generator or a compiler
	}
	return here.unseen(s, inv)
}

// mayBeUnseen says whether an effect makes a file of which the content may be text that nobody has seen.
func mayBeUnseen(e tool.Effect) bool {
	return e.Kind == tool.Write && !e.Tree && e.Manner != tool.Moved
}

// makesOwn says whether what an invocation prints or writes is the work of the project's code, and not of code
// among its words.
func (here *site) makesOwn(s *state, inv *command.Invocation) bool {
	if interprets(inv) || slices.ContainsFunc(inv.Flags, givesCode) {
		return false
	}
	return slices.ContainsFunc(inv.Effects, here.ownCode) || here.runsOwnFile(s, inv) || inv.Package
}

// givesCode says whether a flag of an interpreter is followed by code, or by a file that is loaded along with that.
func givesCode(flag string) bool {
	switch flag {
	case "-e", "-E", "-p", "-pe", "-c", "-n", "-r", "--eval", "--print", "--exec", "--require", "--import":
		return true
	}
	return false
}

// runsOwnFile says whether an invocation runs a file of the project that the script has not written.
func (here *site) runsOwnFile(s *state, inv *command.Invocation) bool {
	return inv.Code != nil && slices.ContainsFunc(inv.Code.Files, func(file string) bool {
		return paths.Within(file, here.world.Project) && s.files.perhaps(file) == nil
	})
}

// selectsCode says whether an invocation prints lines of the project's code, or of what is piped in, perhaps changed.
func (here *site) selectsCode(inv *command.Invocation) bool {
	return (inv.Selects || inv.Name == "sed") && !inv.Inserts && here.readsCode(inv)
}

// readsCode says whether all the files that an invocation reads are code of the project.
func (here *site) readsCode(inv *command.Invocation) bool {
	return !slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool {
		return e.Kind == tool.Read && !(e.Reach != tool.Anywhere && paths.Within(e.Target, here.world.Project) && isCode(e.Target))
	})
}

// isCode says whether a file, or a template of it, is code by its name.
func isCode(file string) bool {
	for {
		ending := path.Ext(file)
		switch ending {
		case ".in", ".tmpl", ".template", ".tpl", ".j2", ".orig", ".bak":
			file = strings.TrimSuffix(file, ending)
		case ".l", ".ll", ".y", ".yy", ".g4", ".pyx": // what compilers of languages read
			return true
		case ".md", ".mdx", ".rst", ".adoc", ".tex", ".ipynb", ".sum", "":
			return false
		default:
			return compiled(file) || command.IsSource(path.Base(file))
		}
	}
}

// showsVersion says whether an invocation prints files as git has them in the repository of the project, by names that
// stand for what they stood for before the script.
func (here *site) showsVersion(s *state, inv *command.Invocation) bool {
	if len(inv.Path) != 2 || inv.Path[0] != "git" || len(inv.Operands) == 0 || s.wrote(movedRefs) != nil || s.wrote(madeRefs) != nil {
		return false
	}
	if inv.Path[1] != "show" && inv.Path[1] != "cat-file" || inv.Dir.Reach != tool.Exact || !paths.Within(inv.Dir.Text, here.world.Project) {
		return false
	}
	if slices.ContainsFunc(inv.Flags, func(f string) bool { return f != "-p" }) || slices.ContainsFunc(inv.Env, func(a command.Assign) bool { return strings.HasPrefix(a.Name, "GIT_") }) {
		return false
	}
	return !slices.ContainsFunc(inv.Operands, func(w command.Word) bool {
		name, file, ok := strings.Cut(w.Text, ":")
		return !w.IsKnown() || w.Text != "blob" && !(ok && !strings.HasPrefix(name, "FETCH_HEAD") && isCode(file))
	})
}

// isUnseen says whether a file may hold text that nobody has seen.
func (f *file) isUnseen() bool { return f.data.Taint&command.Unseen != 0 }

// isUnseenCode says whether it does and a tool may take it for code, as far as its name says.
func (f *file) isUnseenCode() bool {
	switch path.Ext(f.path) {
	case "", ".json", ".jsonl", ".yaml", ".yml", ".toml", ".xml", ".tsv", ".css", ".files", ".list", ".lst":
		return false
	}
	return f.isUnseen() && !isRecord(f.path)
}
