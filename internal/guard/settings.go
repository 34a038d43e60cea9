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

// Tells says whether a text holds a password or a token, or cookies.
func Tells(text string) bool {
	return mask.Text(text) != text || tellsPassword(text) || tellsCookies(text)
}

// tellsPassword says whether a setting that is called a password has a value that somebody has thought up: password: and Password= with
// letters and digits. Words are what examples have, and what begins with a sign is filled in later.
func tellsPassword(text string) bool {
	for at := strings.IndexAny(text, ":="); at >= 0; at = strings.IndexAny(text, ":=") {
		name := strings.TrimRight(text[:at], " \t\"'")
		text = strings.TrimLeft(text[at+1:], "= \t\"'>")
		start := len(name)
		for start > 0 && isNameByte(name[start-1]) {
			start--
		}
		words := strings.FieldsFunc(strings.ToLower(name[start:]), func(c rune) bool { return c == '_' || c == '-' || c == '.' })
		if len(words) == 0 || !slices.Contains([]string{"password", "passwd", "pwd", "passphrase"}, words[len(words)-1]) {
			continue
		}
		end := strings.IndexAny(text, " \t\r\n\"';,<")
		if end < 0 {
			end = len(text)
		}
		if isThoughtUp(text[:end]) {
			return true
		}
	}
	return false
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '.'
}

// isThoughtUp says whether a value has letters and digits as passwords have them, and nothing that a program fills in.
func isThoughtUp(value string) bool {
	lower := strings.ToLower(value)
	for _, word := range []string{"password", "passwd", "secret", "change", "example", "your", "test", "xxx", "1234", "postgres", "mysql", "root", "admin", "dummy", "env"} {
		if strings.Contains(lower, word) {
			return false
		}
	}
	return len(value) >= 8 && !strings.ContainsAny(value, "${}<>%()[]*") && strings.ContainsAny(value, "0123456789") && strings.ContainsAny(lower, "abcdefghijklmnopqrstuvwxyz")
}

// tellsCookies says whether a text holds cookies of another host than this one: in lines of seven fields, as programs keep them, or in
// JSON, as browsers hand them out.
func tellsCookies(text string) bool {
	const domain = `"domain"`
	if at := strings.Index(text, domain); at >= 0 && strings.Contains(text, `"value"`) && (strings.Contains(text, `"sameSite"`) || strings.Contains(text, `"httpOnly"`)) {
		return !isHere(strings.TrimLeft(text[at+len(domain):], ": \t\""))
	}
	if strings.Count(text, "\t") < 6 {
		return false
	}
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(line, "#HttpOnly_")
		if fields := strings.Split(strings.TrimRight(line, "\r\n"), "\t"); len(fields) == 7 && len(fields[6]) > 7 && hasSwitch(fields[1]) && hasSwitch(fields[3]) && !isHere(fields[0]) {
			return true
		}
	}
	return false
}

func hasSwitch(field string) bool { return field == "TRUE" || field == "FALSE" }

// isHere says whether a domain is this machine.
func isHere(domain string) bool {
	domain = strings.TrimLeft(domain, ".")
	return strings.HasPrefix(domain, "localhost") || strings.HasPrefix(domain, "127.")
}

// withSecretSettings is the world where git's settings are among the files of secrets if they hold one, and the call is about
// them: it reads them by name, by a pattern of their name, or as part of the directory of the repository. Whoever searches the
// whole project is not after them. They are looked at only if something is read that may be one of them by its path.
func withSecretSettings(call *tool.Call, invs []*command.Invocation, w *tool.World) *tool.World {
	any := func(is func(tool.Effect) bool) bool {
		return slices.ContainsFunc(call.Effects, is) || slices.ContainsFunc(invs, func(inv *command.Invocation) bool {
			return slices.ContainsFunc(inv.Effects, is) || slices.ContainsFunc(inv.Packed, is)
		})
	}
	if w == nil || !any(mayBeSettings) {
		return w
	}
	list := command.SecretSettings(w, call.Dir, Tells)
	if !any(func(e tool.Effect) bool {
		return slices.ContainsFunc(list, func(file string) bool { return isAbout(e, file) })
	}) {
		return w
	}
	with := *w
	with.Secrets = append(list, w.Secrets...)
	return &with
}

// mayBeSettings says whether an effect may be on a file of git's settings, or on its directory, by the names in its path: those of git's
// files, and of what lies in its directories, since settings may include others.
func mayBeSettings(e tool.Effect) bool {
	if e.Kind != tool.Read {
		return false
	}
	dir, rest := "", e.Target
	for {
		name, after, more := strings.Cut(rest, "/")
		if isStore(name) {
			return true
		}
		if !more {
			return mayBeFile(e.Pattern, dir, name)
		}
		dir, rest = name, after
	}
}

// isStore says whether a name is that of a directory of git, or a pattern of more than wildcards that matches one.
func isStore(name string) bool {
	return strings.HasSuffix(name, ".git") || isNamed(name, ".git") || isNamed(name, "git")
}

// mayBeFile says whether a name, or a pattern, in a directory is that of a file of settings.
func mayBeFile(pattern bool, dir, name string) bool {
	for _, file := range [...]string{".gitconfig", "gitconfig", "config", "config.worktree"} {
		if isNamed(name, file) && (!pattern || dir == "**" || strings.Contains(file, "git")) {
			return true
		}
	}
	return strings.HasPrefix(name, ".git") || strings.Contains(name, "gitconfig")
}

// isNamed says whether a pattern, of more than wildcards, may match a name, in whatever case.
func isNamed(pattern, name string) bool {
	return strings.EqualFold(pattern, name) || strings.Trim(pattern, "*?.") != "" && mayMatch(pattern, name)
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
		return (mayMatch(e.Target, file) || mayMatch(all, file)) &&
			(own(paths.GlobRoot(e.Target)) || strings.Trim(base, "*?.") != "" && mayMatch(base, name) || namesStore(e.Target))
	}
	return (e.Tree || e.Reach != tool.Exact) && e.Target == dir && own(dir)
}

// namesStore says whether one of the names in a pattern is that of a directory of git, or a pattern that is made for it.
func namesStore(pattern string) bool {
	return slices.ContainsFunc(strings.Split(pattern, "/"), isStore)
}

func mayMatch(glob, text string) bool {
	match, sure := paths.Match(glob, text)
	return match || !sure
}
