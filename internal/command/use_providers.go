package command

import (
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// A directory of definitions names providers, which are programs, and modules, which are definitions in turn. A lock file beside it lists the
// providers with the hashes of what they are. What it lists is the project's, as long as it comes from the usual places and no module from an
// address of its own.

// maxModuleDirs bounds the directories of modules that are looked at.
const maxModuleDirs = 32

// ownProviders says whether the definitions of a directory may bring anything: "LOCKFILE=HOST|…" is the lock file and the usual places.
func ownProviders(r *reader, how string) bool {
	file, hosts, _ := strings.Cut(how, "=")
	lock, ok := r.manifestText(Known(file, r.inv.Span))
	if !ok || r.dir.Reach != tool.Exact || r.world.Entries == nil {
		return true
	}
	listed := 0
	for line := range strings.Lines(lock) {
		if name, is := strings.CutPrefix(line, `provider "`); is {
			host, _, _ := strings.Cut(name, "/")
			if listed++; !hasWord(strings.ReplaceAll(hosts, "|", " "), host) {
				return true
			}
		}
	}
	dirs := []string{r.dir.Text}
	for i := 0; i < len(dirs); i++ {
		more, ok := modulesIn(r, dirs[i])
		if !ok || len(dirs)+len(more) > maxModuleDirs {
			return true
		}
		dirs = append(dirs, more...)
	}
	return listed == 0
}

// modulesIn are the directories of the project that the definitions in one name as modules. It is not ok if one comes from elsewhere.
func modulesIn(r *reader, dir string) (dirs []string, ok bool) {
	list, whole := r.world.Entries(dir + "/")
	if !whole {
		return nil, false
	}
	for _, e := range list {
		switch {
		case strings.HasSuffix(e.Name, ".json") && strings.Contains(e.Name, ".t"):
			return nil, false
		case !strings.HasSuffix(e.Name, ".tf") && !strings.HasSuffix(e.Name, ".tofu"):
			continue
		}
		text, ok := r.manifestText(Known(dir+"/"+e.Name, r.inv.Span))
		if !ok {
			return nil, false
		}
		for _, source := range moduleSources(text) {
			at := paths.Clean(dir, source)
			switch local := beginsWith("./ ../", source); {
			case local && paths.Within(at, r.world.Project):
				dirs = append(dirs, at)
			case local || strings.ContainsAny(source, ".:@$%\\") || strings.HasPrefix(source, "/"):
				return nil, false
			}
		}
	}
	return dirs, true
}

// moduleSources are the texts that definitions name as sources in blocks of modules.
func moduleSources(text string) (list []string) {
	for {
		_, rest, more := strings.Cut(text, "module")
		if !more {
			return list
		}
		text = rest
		if rest == "" || !isBlank(rest[0]) {
			continue
		}
		block, _, _ := strings.Cut(rest, "\n}")
		for {
			_, after, more := strings.Cut(block, "source")
			if !more {
				break
			}
			block = after
			if value, is := strings.CutPrefix(strings.TrimLeft(after, " \t"), "="); is {
				value = strings.TrimLeft(value, " \t")
				source, _, closed := strings.Cut(strings.TrimPrefix(value, `"`), `"`)
				if !closed || !strings.HasPrefix(value, `"`) {
					source = "$" // it is worked out
				}
				list = append(list, source)
			}
		}
	}
}
