package command

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// A project of several packages has a package.json for each, and one that lists them. A flag, or a word in front, says in which of
// them a script runs; the one of the root is not run then.

// maxWorkspaces bounds the packages that are looked at. What the others run counts as the project's code that is not read.
const maxWorkspaces = 64

// chosenWorkspaces are the directories of the packages that a package manager is told to run something in, and whether it is told so.
func chosenWorkspaces(r *reader) (dirs []string, told bool) {
	names, all := namedWorkspaces(r)
	if len(names) == 0 && !all || r.dir.Reach != tool.Exact || r.world.ReadFile == nil || r.world.Entries == nil {
		return nil, false
	}
	root, globs := workspaceGlobs(r.world, r.dir.Text)
	for _, dir := range workspacesIn(r.world, root, globs) {
		if all || slices.ContainsFunc(names, func(w Word) bool { return isWorkspace(r, w, root, dir) }) {
			dirs = append(dirs, dir)
		}
	}
	if len(globs) == 0 { // a path needs no list
		for _, w := range names {
			if e := r.path(tool.Read, w); isCertain(e) && w.IsKnown() && r.world.Exists != nil && r.world.Exists(e.Target+"/package.json") {
				dirs = append(dirs, e.Target)
			}
		}
	}
	if r.anyGiven(false, "--include-workspace-root", "-iwr") {
		dirs = append(dirs, root)
	}
	return dirs, len(dirs) > 0
}

// namedWorkspaces are the words that say in which packages something runs, or that it runs in all.
func namedWorkspaces(r *reader) (names []Word, all bool) {
	recursive := false
	for i := range r.given {
		switch g := &r.given[i]; {
		case hasWord("-w --workspace -F --filter --filter-prod --scope", g.name):
			names = append(names, g.values...)
		case hasWord("--workspaces -ws", g.name):
			all = true
		case hasWord("-r --recursive", g.name) && len(g.values) == 0:
			recursive = true // in those that are named, if some are
		}
	}
	for i, step := range r.inv.Path[min(1, len(r.inv.Path)):] {
		switch {
		case step == "workspace" && i+2 < len(r.inv.Path):
			names = append(names, Known(r.inv.Path[i+2], r.inv.Span))
		case step == "workspace" && len(r.oper) > 0:
			names = append(names, r.oper[0])
		case hasWord("workspaces recursive multi m", step):
			all = true
		}
	}
	return names, all || recursive && len(names) == 0
}

// isWorkspace says whether a word may mean the package in a directory: by its name, its path, or in a way that is not looked into.
func isWorkspace(r *reader, w Word, root, dir string) bool {
	if !w.IsKnown() || strings.ContainsAny(w.Text, "*[]{}!^.") && !strings.HasPrefix(w.Text, "./") || paths.Wild(w.Text) {
		return true
	}
	if paths.Within(dir, paths.Clean(root, w.Text)) || paths.Within(dir, paths.Clean(r.dir.Text, w.Text)) {
		return true
	}
	name := packageAt(r.world, dir).Get("name").Text
	_, short, _ := strings.Cut(name, "/")
	return name == w.Text || short == w.Text
}

// packageAt is the package.json in a directory.
func packageAt(w *tool.World, dir string) strictjson.Value {
	text, err := w.ReadFile(dir + "/package.json")
	if err != nil {
		return strictjson.Value{}
	}
	doc, _ := strictjson.Parse(text)
	return doc
}

// workspaceGlobs finds the directory that lists packages, at another one or above it in the project, and what it lists.
func workspaceGlobs(w *tool.World, from string) (root string, globs []string) {
	for root = from; ; root = paths.Parent(root) {
		list := packageAt(w, root).Get("workspaces")
		if list.Kind == strictjson.Object {
			list = list.Get("packages")
		}
		if text, err := w.ReadFile(root + "/lerna.json"); err == nil && len(list.Items) == 0 {
			doc, _ := strictjson.Parse(text)
			list = doc.Get("packages")
		}
		for _, item := range list.Items {
			globs = append(globs, item.Text)
		}
		if text, err := w.ReadFile(root + "/pnpm-workspace.yaml"); err == nil {
			globs = append(globs, yamlList(string(text), "packages")...)
		}
		if len(globs) > 0 {
			return root, globs
		}
		if root == w.Project || root == "/" || !paths.Within(root, w.Project) {
			return from, nil
		}
	}
}

// yamlList is a list of plain texts in a YAML file, one in a line, below a key.
func yamlList(text, key string) (list []string) {
	in := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		switch item, isItem := strings.CutPrefix(trimmed, "- "); {
		case trimmed == "" || trimmed[0] == '#':
		case isItem && in:
			item, _, _ = strings.Cut(item, " #")
			list = append(list, strings.Trim(strings.TrimSpace(item), `'"`))
		default:
			in = trimmed == key+":" && line[0] != ' '
		}
	}
	return list
}

// workspacesIn are the directories with packages that globs match.
func workspacesIn(w *tool.World, root string, globs []string) (dirs []string) {
	looks := 0
	var walk func(dir, glob string, depth int)
	walk = func(dir, glob string, depth int) {
		if looks++; len(dirs) >= maxWorkspaces || looks > 16*maxWorkspaces || depth > maxAbove {
			return
		}
		if glob == "" {
			if _, err := w.ReadFile(dir + "/package.json"); err == nil && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
			return
		}
		name, rest, _ := paths.CutGlob(glob)
		if name == "." || name == "" {
			walk(dir, rest, depth+1)
			return
		}
		if !paths.Wild(name) {
			walk(dir+"/"+name, rest, depth+1)
			return
		}
		if name == "**" {
			walk(dir, rest, depth+1)
		}
		list, _ := w.Entries(dir)
		for _, e := range list {
			if !e.Dir || strings.HasPrefix(e.Name, ".") || e.Name == "node_modules" {
				continue
			}
			if name == "**" {
				walk(dir+"/"+e.Name, glob, depth+1)
			} else if is, sure := paths.Match(name, e.Name); is || !sure {
				walk(dir+"/"+e.Name, rest, depth+1)
			}
		}
	}
	for _, glob := range globs {
		if !strings.HasPrefix(glob, "!") {
			walk(root, glob, 0)
		}
	}
	return dirs
}

// eachPackage calls f in the directory of each package that a script runs in.
func eachPackage(r *reader, f func()) {
	dirs, told := chosenWorkspaces(r)
	if !told {
		f()
		return
	}
	inPackages(r, dirs, f)
}

// inPackages calls f in some directories.
func inPackages(r *reader, dirs []string, f func()) {
	before := r.dir
	defer func() { r.dir = before }()
	for _, dir := range dirs {
		r.dir = Known(dir, before.Span)
		f()
	}
}

// everywhereTask is a task of a runner that runs the scripts of that name in all packages, or in those that are chosen.
func everywhereTask(r *reader, name string, span tool.Span) {
	if r.dir.Reach != tool.Exact || r.world.ReadFile == nil || r.world.Entries == nil {
		return
	}
	dirs, told := chosenWorkspaces(r)
	if !told {
		root, globs := workspaceGlobs(r.world, r.dir.Text)
		dirs = workspacesIn(r.world, root, globs)
	}
	if at := strings.LastIndexAny(name, "#:"); at >= 0 && !strings.Contains(name, "//") {
		chosen := slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool { return !isWorkspace(r, Known(name[:at], span), r.dir.Text, dir) })
		if len(chosen) > 0 {
			dirs, name = chosen, name[at+1:]
		}
	}
	_, args := r.aroundDashes() // in front of that are further tasks
	inPackages(r, dirs, func() { packageTaskHere(r, name, args, span) })
}
