package command

import (
	"path"

	"longline/internal/paths"
	"longline/internal/tool"
)

// Links are symbolic links that come to the disk with other files: out of a repository or an archive.
type Links []Link

// maxBrought bounds the links that are remembered of what comes to the disk, maxInside those among
// them that lead to other files that come with them.
const maxBrought, maxInside = 1000, 32

// Full says whether there are more than are remembered.
func (l Links) Full() bool { return len(l) >= maxBrought }

// Add adds a link at a path with the text that it holds.
func (l *Links) Add(from, text string) {
	if text != "" {
		*l = append(*l, Link{From: from, To: at(path.Dir(from), text)})
	}
}

// LeadOut returns the links, if some of them lead out of a directory and the project, or to secrets; none otherwise:
// what is done through the others is done to files that came with them, or that rules look at.
func (l Links) LeadOut(w *tool.World, dir string) (list []Link) {
	var inside []Link
	for _, link := range l {
		if leadsOut(w, link.To, dir) {
			list = append(list, link)
		} else if len(inside) < maxInside {
			inside = append(inside, link)
		}
	}
	if len(list) == 0 {
		return nil
	}
	return append(list, inside...)
}

// leadsOut says whether a path leads out of a directory and the project, or to secrets.
func leadsOut(w *tool.World, to, dir string) bool {
	real := Follow(to, w)
	if !paths.Within(real, dir) && (w.Project == "" || !paths.Within(real, w.Project)) {
		return true
	}
	return w.Secret != nil && w.Secret(tool.Effect{Kind: tool.Read, Target: real, Reach: tool.Exact})
}
