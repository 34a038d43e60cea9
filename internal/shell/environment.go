package shell

import (
	"path"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
)

// activates says whether a file is what a virtual environment brings to be sourced:
// it sets the variables of the environment that it lies in and does nothing else.
func activates(file, text string) bool {
	env, own := path.Dir(path.Dir(file)), false
	if !switchesTo(file) {
		return false
	}
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if !settles(line) {
			return false
		}
		key, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		if ok && key == "VIRTUAL_ENV" && !strings.Contains(value, "$") {
			if strings.Trim(value, `"'`) != env {
				return false // another environment's
			}
			own = true
		}
	}
	return own
}

// switchesTo says whether a file has the name of one that is sourced to switch to a
// virtual environment.
func switchesTo(file string) bool {
	dir, name := path.Split(file)
	place := path.Base(path.Clean(dir))
	return name == "activate" && (place == "bin" || place == "Scripts")
}

// settles says whether a line of such a file can only set or forget variables of
// the environment.
func settles(line string) bool {
	if !isCalm(line) {
		return false
	}
	first := line
	if i := strings.IndexAny(line, " =("); i > 0 {
		first = line[:i]
	}
	switch first {
	case "if", "elif", "else", "fi", "then", "case", "esac", "{", "}", ";;", "*)", "unset", "export", "hash", "deactivate", "return", "[":
		return first != "hash" || strings.HasPrefix(line, "hash -r")
	case "PATH", "PS1", "PYTHONHOME", "VIRTUAL_ENV", "VIRTUAL_ENV_PROMPT", "TCL_LIBRARY", "TK_LIBRARY", "PKG_CONFIG_PATH":
		return true
	}
	return strings.HasPrefix(first, "_OLD_") || strings.HasSuffix(line, "*)")
}

// isCalm says whether no sign in a line runs, joins or redirects anything but what such files
// are known to.
func isCalm(line string) bool {
	for rest := line; ; {
		i := strings.IndexAny(rest, "`&<>|;$")
		if i < 0 {
			return true
		}
		at := rest[i:]
		switch {
		case at == ";;":
			return true
		case !isKnownSign(at, line):
			return false
		case strings.HasPrefix(at, "|| "), strings.HasPrefix(at, "&& "):
			rest = at[2:]
		default:
			rest = at[1:]
		}
	}
}

// knownSigns are the beginnings of what may stand in a file that is sourced to switch to a
// virtual environment.
var knownSigns = [...]string{"$(uname)", "$(cygpath ", "$(basename ", "; then", "> /dev/null", "|| [ ", "&& [ "}

// isKnownSign says whether the sign that a part of a line begins with is harmless.
func isKnownSign(at, line string) bool {
	for _, sign := range knownSigns {
		if strings.HasPrefix(at, sign) {
			return true
		}
	}
	switch at[0] {
	case '$':
		return !strings.HasPrefix(at, "$(")
	case '|':
		return strings.HasSuffix(line, "*)") // patterns of a case
	}
	return false
}

// setsUp says whether a file is one with which the user sets up every shell, or in which
// a version manager or an installer has put that: it has run already when an agent
// starts, and only the user changes it. It is long, and full of what cannot be followed.
func (here *site) setsUp(file string) bool {
	switch file {
	case "/etc/profile", "/etc/bash.bashrc", "/etc/bashrc":
		return true
	}
	rest, ok := strings.CutPrefix(file, here.world.Home+"/")
	if here.world.Home == "" || !ok || paths.Within(file, here.world.Project) {
		return false
	}
	if here.world.Readlink != nil && command.Follow(file, here.world) != file && paths.Within(command.Follow(file, here.world), here.world.Project) {
		return false
	}
	switch rest {
	case ".bashrc", ".bash_profile", ".bash_login", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".bash_aliases",
		".nvm/nvm.sh", ".cargo/env", ".asdf/asdf.sh", ".sdkman/bin/sdkman-init.sh", ".rvm/scripts/rvm", ".ghcup/env", ".local/bin/env", ".deno/env", ".opam/opam-init/init.sh",
		"miniconda3/etc/profile.d/conda.sh", "anaconda3/etc/profile.d/conda.sh", "miniforge3/etc/profile.d/conda.sh", ".nix-profile/etc/profile.d/nix.sh", ".fzf.bash", ".fzf.zsh":
		return true
	}
	return false
}
