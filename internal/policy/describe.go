package policy

import (
	"slices"
	"strings"
	"unicode"

	"longline/internal/command"
	"longline/internal/tool"
)

// describe says what an effect does, as the end of a sentence that begins with "it".
func (g *ground) describe(e tool.Effect) string {
	what := g.show(e)
	switch e.Kind {
	case tool.Read:
		return "reads " + what
	case tool.Create:
		return "creates " + what
	case tool.Write:
		return "writes " + what
	case tool.Delete:
		return "deletes " + what
	case tool.Fetch:
		return "fetches from " + what
	case tool.Send:
		return "sends data to " + what
	case tool.Execute:
		return "runs code that longline cannot see (" + what + ")"
	case tool.Control:
		return "changes something outside the files (" + what + ")"
	}
	return "does something unknown"
}

// show names the target of an effect for a person.
func (g *ground) show(e tool.Effect) string {
	if list := alternatives(e.Target, nil); e.Pattern && e.Kind.IsPath() && len(list) > 1 {
		if text := g.showTwo(e, list); text != "" {
			return text
		}
		e.Target = list[len(list)-1]
	}
	name := g.nameOf(e)
	switch {
	case e.Reach == tool.Anywhere || name == "":
		return unknownOf(e.Kind)
	case e.Reach == tool.Prefix:
		return name + "…"
	case e.Reach == tool.Under:
		return "something in " + name
	}
	return name
}

// showTwo names the first two things that a pattern can be and that say something.
func (g *ground) showTwo(e tool.Effect, list []string) string {
	var shown []string
	for _, one := range list {
		if e.Target = one; !strings.HasSuffix(one, "/**") && len(shown) < 2 {
			shown = append(shown, g.show(e))
		}
	}
	return strings.Join(shown, " or ")
}

// nameOf is the target of an effect in the words of a person, as far as it is known.
func (g *ground) nameOf(e tool.Effect) string {
	name := printable(e.Target)
	if e.Kind.IsPath() {
		return g.fromHome(name)
	}
	// others: paths.
	switch e.Kind {
	case tool.Execute:
		// file:/x/y.sh, inline:python, package:x: what kind of code it is, the
		// rule says.
		kind, rest, ok := strings.Cut(name, ":")
		if !ok || rest == "" {
			return name
		}
		if kind != "inline" && rest[0] == '/' {
			return g.fromHome(rest)
		}
		return rest
	case tool.Control:
		return state(name)
	case tool.Fetch, tool.Send:
		return party(name)
	}
	return name
}

// unknownOf names the target of an effect of which nothing is known.
func unknownOf(k tool.Kind) string {
	switch {
	case k.IsHost():
		return "a host known only at run time"
	case k.IsPath():
		return "a path known only at run time"
	}
	return "something known only at run time"
}

// fromHome writes a path with a tilde where it lies in the home directory.
func (g *ground) fromHome(path string) string {
	for _, home := range g.homes {
		if rest, ok := strings.CutPrefix(path, home); ok && home != "/" && (rest == "" || rest[0] == '/') {
			return "~" + rest
		}
	}
	return path
}

// named is a command by its program, subcommands and operands, as a sentence names it. Only what the call itself says is shown.
func (j *judging) named(inv *command.Invocation) string {
	if len(inv.Path) == 0 {
		return printable(j.call.Tool)
	}
	words := slices.Clone(inv.Path)
	for _, w := range inv.Operands {
		if w.Reach == tool.Exact && w.Text != "" && strings.Contains(j.call.Script, w.Text) && len(strings.Join(words, " "))+len(w.Text) < 60 {
			words = append(words, w.Text)
		} else if words[len(words)-1] != "…" {
			words = append(words, "…")
		}
	}
	return printable(strings.Join(words, " "))
}

// does is what an effect does to its target, as the beginning of a reason.
func does(e tool.Effect) string {
	switch e.Manner {
	case tool.Marked:
		return "Changes permissions, owner or attributes of"
	case tool.Linked:
		return "Makes a link to"
	case tool.Moved:
		if e.Kind != tool.Read {
			return "Moves away"
		}
	}
	// others: what they do is more than a word.
	switch e.Kind {
	case tool.Read:
		return "Reads"
	case tool.Create:
		return "Creates"
	case tool.Delete:
		return "Deletes"
	}
	return "Changes"
}

// state names what a control effect changes.
func state(name string) string {
	switch name {
	case "git.config":
		return "configuration"
	case "git.hooks":
		return "hooks"
	case "git.remote":
		return "remotes"
	case "git.submodule":
		return "submodules"
	case "system.clock":
		return "clock or host name"
	case "system.log":
		return "logs"
	case "system.kernel", "system.network", "system.settings":
		return strings.TrimPrefix(name, "system.")
	case "system.mount":
		return "mounts or swap"
	case "system.user":
		return "users, groups or passwords"
	}
	return strings.ReplaceAll(name, ".", " ")
}

// party names a host that models know only by what it is for.
func party(host string) string {
	switch host {
	case "@registry":
		return "a package registry"
	case "@cloud":
		return "a cloud service"
	case "@cluster":
		return "a cluster"
	case "@database":
		return "a database"
	case "@forge":
		return "the service that hosts the repository"
	case "@remote", "@repository":
		return "the repository's remote"
	case "@server":
		return "a server"
	case "@local", "@daemon":
		return "this machine"
	}
	return host
}

// Visible makes text fit for one line of a message: control characters, and what
// turns the direction of writing, show as question marks.
func Visible(text string) string { return shown(text, len(text)) }

// printable is that for text without end.
func printable(text string) string { return shown(text, 160) }

func shown(text string, most int) string {
	plain := true
	for i := range len(text) {
		if text[i] < ' ' || text[i] >= 0x7f {
			plain = false
		}
	}
	if plain && len(text) <= most {
		return text
	}
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n++; n > most {
			b.WriteString("…")
			break
		}
		if !unicode.IsPrint(r) {
			r = '?'
		}
		b.WriteRune(r)
	}
	return b.String()
}
