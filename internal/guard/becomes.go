package guard

import (
	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/tool"
)

// becomes is a file that is lost because another one gets its name, which the script makes; "" if none is. Where that name is not known, it
// may be the one of any file that is there.
func (d *displaced) becomes(inv *command.Invocation, l command.Link) string {
	if !l.Pattern {
		if !paths.Within(l.To, d.world.Project) {
			return ""
		}
		if d.isLost(inv, l.From, l.To) {
			return l.To
		}
		return d.merged(inv, l.From, l.To)
	}
	dir := paths.Fixed(paths.GlobDir(l.To))
	if !paths.Within(dir, d.world.Project) && !paths.Within(d.world.Project, dir) || d.made(dir) {
		return ""
	}
	files, all := d.namesOf(tool.Effect{Kind: tool.Write, Target: l.To, Reach: tool.Exact, Pattern: true}, false)
	for _, file := range files {
		if paths.Within(file, d.world.Project) && d.isLost(inv, "", file) {
			return file
		}
	}
	if !all {
		return dir
	}
	return ""
}
