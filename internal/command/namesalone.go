package command

import (
	"slices"
	"strings"

	"longline/internal/scan"
	"longline/internal/tool"
)

// Which variables a file of settings sets is no secret, only their values are. A program that prints what stands before the first equals
// sign of each line shows no value, if every line has a name and a sign: one that goes on with the value of another would be shown.

// namesAlone takes away the reads of files of which a program shows nothing but names of variables.
func namesAlone(r *reader, role string) {
	if r.world.ReadSecret == nil || !printsNames(r, role) {
		return
	}
	r.inv.Effects = slices.DeleteFunc(r.inv.Effects, func(e tool.Effect) bool {
		if e.Kind != tool.Read || !isCertain(e) || e.Tree || !r.isSecret(e) {
			return false
		}
		text, err := r.world.ReadSecret(e.Target)
		return err == nil && hasNames(string(text), r.world.Tells)
	})
}

// printsNames says whether a program prints nothing of a line behind its first equals sign.
func printsNames(r *reader, role string) bool {
	only := func(names string) bool {
		return !slices.ContainsFunc(r.given, func(g flagUse) bool { return !hasWord(names, g.name) })
	}
	switch {
	case role == "first-field":
		return only("-d -f -s --delimiter --fields") && (r.flagGiven("-d==", true) || r.flagGiven("--delimiter==", true)) && (r.flagGiven("-f=1", true) || r.flagGiven("--fields=1", true))
	case r.scope.first:
		return only("-F") && r.flagGiven("-F==", true) && !slices.ContainsFunc(r.oper[min(1, len(r.oper)):], mayAssign)
	case r.scope.names:
		return only("-E -r -u")
	}
	return r.scope.patterned && len(r.scope.patterns) == 1 && isNamePattern(r.scope.patterns[0]) && only("-o --only-matching -E --extended-regexp -h -P") && r.anyGiven(true, "-o", "--only-matching")
}

// isNamePattern says whether a pattern matches nothing but the beginning of a line, of letters that names have or up to the sign: ^[A-Z_]*.
func isNamePattern(pattern string) bool {
	rest, ok := strings.CutPrefix(pattern, "^[")
	class, rest, closed := strings.Cut(rest, "]")
	return ok && closed && (class == "^=" || class != "" && strings.Trim(class, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-") == "") &&
		hasWord(`* + \+ *= += \+=`, rest)
}

// hasNames says whether each line of a text gives a value to a name, and the whole of it; or is a remark in which nothing is told.
func hasNames(text string, tells func(text string) bool) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' && tells != nil && !tells(line) {
			continue
		}
		name, value, ok := strings.Cut(strings.TrimPrefix(line, "export "), "=")
		if !ok || name == "" || strings.ContainsFunc(name, func(c rune) bool { return c >= 0x80 || c != '.' && !scan.IsNameByte(byte(c)) }) ||
			strings.HasSuffix(value, `\`) || strings.Count(value, `"`)%2 == 1 || strings.Count(value, "'")%2 == 1 || strings.Count(value, "`")%2 == 1 {
			return false
		}
	}
	return true
}
