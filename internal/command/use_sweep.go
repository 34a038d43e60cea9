package command

import (
	"slices"
	"strings"

	"longline/internal/language"
	"longline/internal/tool"
)

// A search that comes across a file of secrets shows a line of it by chance, and chance
// asks nobody: otherwise every search of a project would. It is no chance any more if
// whole files are printed, whatever they are, or if the search is for what secrets look
// like, and there is a file of secrets right where it begins. Models say of both that they
// read "@swept".

// swept adds reads of the files of secrets that lie in directories whose content the
// program shows.
func (r *reader) swept() {
	if r.scope.patterned && !r.seeksSecrets() {
		return
	}
	if r.inv.Stdin.Taint&FromTree != 0 && len(r.inv.Effects) == 0 {
		r.control("secret.print", r.inv.Span)
		return
	}
	roots := r.scope.listed
	for _, e := range r.inv.Effects {
		if e.Kind == tool.Read && e.Tree && e.Reach == tool.Exact && !e.Pattern {
			roots = append(roots, e)
		}
	}
	for _, e := range roots {
		for _, file := range r.secretsIn(e.Target) {
			r.effect(tool.Effect{Kind: tool.Read, Target: file, Reach: tool.Exact, Span: e.Span})
		}
	}
}

// maxSwept bounds the names that are looked at in a directory, and the files of secrets
// that are spoken of.
const maxSwept, maxSpoken = 2000, 3

// secretsIn lists files of secrets that lie in a directory.
func (r *reader) secretsIn(dir string) []string {
	if r.world.Entries == nil || r.world.Secret == nil || r.inv.Remote {
		return nil
	}
	list, _ := r.world.Entries(strings.TrimSuffix(dir, "/") + "/")
	var found []string
	for _, entry := range list[:min(len(list), maxSwept)] {
		file := at(dir, entry.Name)
		if r.isSecret(tool.Effect{Kind: tool.Read, Target: file, Reach: tool.Exact}) {
			if found = append(found, file); len(found) == maxSpoken {
				break
			}
		}
	}
	return found
}

// seeksSecrets says whether what is searched for is what secrets look like, or all there
// is.
func (r *reader) seeksSecrets() bool {
	folds := slices.ContainsFunc(r.given, func(g flagUse) bool {
		return hasWord("-i --ignore-case -y -S --smart-case", g.name)
	})
	turned := slices.ContainsFunc(r.given, func(g flagUse) bool { return hasWord("-v --invert-match", g.name) })
	return turned || slices.ContainsFunc(r.scope.patterns, func(p string) bool { return seeksSecret(p, folds) })
}

// seeksSecret says whether a pattern has the name of a secret in it, as settings write
// them, or no letter or digit that would limit it. The words of code, password or
// tokenize, are looked for every day.
func seeksSecret(pattern string, folds bool) bool {
	limited := false
	for i := 0; i < len(pattern); {
		if !isWordByte(pattern[i]) {
			if pattern[i] == '\\' {
				i++ // \w, \d and their like limit nothing
			}
			i++
			continue
		}
		end := i
		for end < len(pattern) && isWordByte(pattern[end]) {
			end++
		}
		name := pattern[i:end]
		if strings.Trim(name, "_") != "" {
			limited = true
		}
		if folds || name == strings.ToUpper(name) {
			if language.SecretName(name) || strings.EqualFold(name, "key") && (name == pattern || end < len(pattern) && pattern[end] == '=') || strings.HasSuffix(strings.ToUpper(name), "_KEY") {
				return true
			}
		}
		i = end
	}
	return !limited
}
