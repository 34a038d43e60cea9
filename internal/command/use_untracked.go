package command

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// A program that takes in what nobody has named takes in a file of secrets as well, unless git ignores it. Whether it
// does is looked at only if there is such a file; where that is not sure, it is taken to be ignored, as nearly all are.

// untracked adds reads of the files of secrets in the project that git does not ignore, or not any more.
func (r *reader) untracked() {
	list := r.inv.Ignores
	if list == nil {
		leftUnignored(r)
		return
	}
	if r.stagesFew() {
		return
	}
	for _, file := range r.secretsIn(r.world.Project, taken{}) {
		if list.Reach != tool.Exact || !ignores(list.Text, file[strings.LastIndexByte(file, '/')+1:]) {
			r.effect(tool.Effect{Kind: tool.Read, Target: file, Reach: tool.Exact, Span: r.inv.Span})
		}
	}
}

// leftUnignored adds reads of those that nobody has told git to ignore, nor to keep, where all that lies in the
// project is staged or searched for secrets.
func leftUnignored(r *reader) {
	if r.world.Project == "" || !r.seesRepositories() || !takesAll(r) {
		return
	}
	var repo *repository
	for _, file := range r.secretsIn(r.world.Project, taken{}) {
		if repo == nil {
			if repo = r.lib.repository(r.world, r.world.Project); repo == nil || repo.root != r.world.Project {
				return
			}
		}
		if !repo.keeps(file) && !repo.mayIgnore(r.world, file) {
			r.effect(tool.Effect{Kind: tool.Read, Target: file, Reach: tool.Exact, Span: r.inv.Span})
		}
	}
}

// takesAll says whether a program stages all that lies in the project, or searches it for secrets.
func takesAll(r *reader) bool {
	if r.scope.patterned {
		return len(r.oper) == 1 && r.seeksSecrets()
	}
	if !r.stages() || r.anyGiven(false, "-u", "--update", "-p", "--patch", "-i", "--interactive", "-e", "--edit", "-n", "--dry-run", "--refresh") {
		return false
	}
	return len(r.oper) == 0 && r.anyGiven(false, "-A", "--all") || slices.ContainsFunc(r.oper, func(w Word) bool {
		e := r.path(tool.Read, w)
		return isCertain(e) && paths.Within(r.world.Project, e.Target)
	})
}

// stages says whether git takes files in.
func (d *deeds) stages() bool {
	return slices.ContainsFunc(d.inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Control && e.Target == "git.stage" })
}

// stagesFew says whether all that git takes in are files that are named.
func (r *reader) stagesFew() bool {
	return r.stages() && len(r.oper) > 0 && !slices.ContainsFunc(r.oper, r.mayBeMany)
}

// mayBeMany says whether a word may stand for more than one file.
func (s *surroundings) mayBeMany(w Word) bool {
	return !w.IsKnown() || w.Glob || s.isDirectory(w) || strings.HasPrefix(w.Text, ":") || paths.Wild(w.Text)
}

// ignores says whether a list of what git ignores has a line for a name, and none that takes lines back.
func ignores(list, name string) (found bool) {
	for line := range strings.Lines(list) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "!") {
			return false
		}
		match, sure := paths.Match(strings.TrimPrefix(line, "/"), name)
		found = found || match && sure
	}
	return found
}
