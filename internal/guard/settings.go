package guard

import (
	"path"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/mask"
	"longline/internal/paths"
	"longline/internal/tool"
)

// Tells says whether a text holds a password or a token.
func Tells(text string) bool { return mask.Text(text) != text }

// withSecretSettings is the world where git's settings are among the files of secrets if they hold one, and the call is about
// them: it reads them by name, by a pattern of their name, or as part of the directory of the repository. Whoever searches the
// whole project is not after them.
func withSecretSettings(call *tool.Call, invs []*command.Invocation, w *tool.World) *tool.World {
	if w == nil || !namesSettings(call.Script) && !slices.ContainsFunc(call.Effects, func(e tool.Effect) bool { return namesSettings(e.Target) }) {
		return w
	}
	list := command.SecretSettings(w, call.Dir, Tells)
	about := func(e tool.Effect) bool {
		return slices.ContainsFunc(list, func(file string) bool { return isAbout(e, file) })
	}
	if !slices.ContainsFunc(call.Effects, about) && !slices.ContainsFunc(invs, func(inv *command.Invocation) bool {
		return slices.ContainsFunc(inv.Effects, about) || slices.ContainsFunc(inv.Packed, about)
	}) {
		return w
	}
	with := *w
	with.Secrets = append(list, w.Secrets...)
	return &with
}

// namesSettings says whether a text may name a file of git's settings, or its directory.
func namesSettings(text string) bool {
	return slices.ContainsFunc([]string{".git", "conf", "Conf", "CONF"}, func(sign string) bool { return strings.Contains(text, sign) })
}

// isAbout says whether an effect is on a file of settings, and not only on all that there is.
func isAbout(e tool.Effect, file string) bool {
	dir, name := paths.Parent(file), path.Base(file)
	own := func(at string) bool { return strings.HasPrefix(name, "config") && paths.Within(at, dir) } // it lies in a directory of git's own
	switch {
	case e.Reach == tool.Anywhere, !e.Pattern && e.Target == file:
		return e.Target == file
	case e.Pattern:
		base, _ := paths.GlobBase(e.Target)
		all := strings.Replace(e.Target, "/**/", "/", 1) // a search finds what lies where it begins, too
		return (mayMatch(e.Target, file) || mayMatch(all, file)) && (own(paths.GlobRoot(e.Target)) || strings.Trim(base, "*?.") != "" && mayMatch(base, name))
	}
	return (e.Tree || e.Reach != tool.Exact) && e.Target == dir && own(dir)
}

func mayMatch(glob, text string) bool {
	match, sure := paths.Match(glob, text)
	return match || !sure
}
