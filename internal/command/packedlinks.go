package command

import (
	"path"

	"longline/internal/paths"
	"longline/internal/tool"
)

// Unpacking is how a program unpacks an archive over what is there.
type Unpacking uint8

const (
	Replaces Unpacking = 1 << iota // what is there is replaced
	Stripped                       // directories in front of names may be left out
	Renamed                        // files may get any names, or others may be deleted
	Asks                           // what is there is replaced if somebody says so
	Whole                          // all is unpacked, whatever the operands say
	Prints                         // it is printed, and goes nowhere else
	Patches                        // it is no archive, but a patch, which changes the files that it names
)

// unpacking is how programs unpack an archive in a mode.
func (m *Mode) unpacking() (how Unpacking) {
	for i := range m.Items {
		for _, u := range m.Items[i].Uses {
			switch {
			case u.Name != "unpacks":
			case u.Arg == "stripped":
				how |= Stripped
			case u.Arg == "renamed":
				how |= Renamed
			case u.Arg == "patch":
				how |= Patches
			case u.Arg == "asks":
				how |= Asks
			case u.Arg == "all":
				how |= Replaces | Whole
			default:
				how |= Replaces
			}
		}
	}
	return how
}

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
