package guard

import (
	"strings"

	"longline/internal/command"
	"longline/internal/tool"
)

// maxVendored bounds the directories that are looked at in one that is emptied.
const maxVendored = 2000

// empty adds the loss of files in directories that programs empty to fill them again, if git does not have them and the program has not put
// them there.
func empty(invs []*command.Invocation, w *tool.World) {
	if w == nil || w.Entries == nil || w.Exists == nil || w.ReadFile == nil {
		return
	}
	var seen *contents
	for i, inv := range invs {
		if inv.Remote {
			continue
		}
		for _, e := range deletions(inv, w.Project) {
			if e.Manner != tool.Emptied || e.Pattern {
				continue
			}
			list, _ := w.ReadFile(e.Target + "/" + vendorList)
			seen = seen.in(w)
			v := vendored{overlay{contents: seen, before: invs[:i], left: maxVendored}, string(list)}
			if lost := v.foreign(e.Target, ""); lost != "" {
				inv.Effects = append(inv.Effects, tool.Effect{Kind: tool.Delete, Target: lost, Reach: tool.Exact, Span: e.Span})
			}
		}
	}
}

// vendorList has a line "# MODULE VERSION" for what was put beside it, vendorMark lies in each directory that was.
const vendorList, vendorMark = "modules.txt", ".cargo-checksum.json"

// vendored is what lies in a directory of copies of modules.
type vendored struct {
	overlay
	list string
}

// foreign is a file in a directory, of a name in the one that is emptied, that would be lost; "" if there is none.
func (v *vendored) foreign(dir, name string) string {
	list, all := v.w.Entries(dir)
	if v.left--; v.left < 0 || !all && v.w.Exists(dir) {
		return dir // for all that is known
	}
	for _, e := range list {
		at, named := dir+"/"+e.Name, name+e.Name
		switch {
		case !e.Dir:
			if !e.Link && named != vendorList && v.loses(at) {
				return at
			}
		case e.Name == ".git" || strings.Contains(v.list, "# "+named+" ") || v.w.Exists(at+"/"+vendorMark):
		default:
			if lost := v.foreign(at, named+"/"); lost != "" {
				return lost
			}
		}
	}
	return ""
}
