package command

import (
	"path"
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/strictjson"
	"longline/internal/tool"
)

// Installing what the project's own manifest or lockfile lists brings nothing that
// building and testing it would not bring: package.restore. A manifest that names
// a registry, an index or an address of its own can bring anything, and a package
// that is named on the command line is a new one: package.install.

// restorePrefix begins the targets of effects in models that restore packages; the
// kind of manifest follows.
const restorePrefix = "package.restore:"

// manifests are the files that say where packages of a kind come from. They lie where the first of those is which are
// looked for in the directories above as well.
var manifests = [...]struct{ kind, roots, files string }{
	{"npm", "package.json", "package.json .npmrc .yarnrc .yarnrc.yml bunfig.toml pnpm-workspace.yaml"},
	{"python", "pyproject.toml Pipfile", "pyproject.toml uv.toml poetry.toml Pipfile pip.conf"},
	{"ruby", "Gemfile", "Gemfile"},
	{"php", "composer.json", "composer.json"},
	{"pubspec", "pubspec.yaml", "pubspec.yaml"},
	{"other", "", ""},
}

// packagesOf adds the effects of installing or using what a manifest lists, or of steps that it has for something, if a target
// says that.
func packagesOf(r *reader, target string) bool {
	kind, restores := strings.CutPrefix(target, restorePrefix)
	used, uses := strings.CutPrefix(target, usesPrefix)
	steps, does := strings.CutPrefix(target, "steps:")
	switch {
	case does:
		stepsOf(r, strings.Split(steps, "+"))
	case restores:
		r.restore(kind)
	case uses:
		usesPackages(r, used)
	}
	return restores || uses || does
}

// restore is the installation of what the manifest of a kind lists, in the
// directory that the program works in.
func (r *reader) restore(kind string) {
	how, own := strings.CutPrefix(kind, "locked:")
	own = own && ownProviders(r, how)
	before := r.dir
	defer func() { r.dir = before }()
	for _, m := range manifests {
		if m.kind != kind {
			continue
		}
		toRoot(r, m.roots)
		for name := range strings.FieldsSeq(m.files) {
			if text, ok := r.manifestText(Known(name, r.inv.Span)); ok {
				own = own || ownAddress(name, text)
			}
		}
	}
	r.restored(own)
	addsPackages(r, kind)
	if kind == "npm" {
		installSteps(r)
	}
}

// toRoot goes to the nearest directory of the project above that has one of some files.
func toRoot(r *reader, names string) {
	here := r.path(tool.Read, Known(".", r.inv.Span))
	if !isCertain(here) {
		return
	}
	dir := here.Target
	for range maxAbove {
		for name := range strings.FieldsSeq(names) {
			if !r.exists(at(dir, name)) {
				continue
			}
			if dir != here.Target {
				r.chdir(Known(dir, r.inv.Span))
			}
			return
		}
		if dir = paths.Parent(Follow(dir, r.world)); !paths.Within(dir, r.world.Project) {
			return
		}
	}
}

// installSteps are the project's own steps of an installation, in all of its packages.
func installSteps(r *reader) {
	steps := []string{"install", "prepublish", "prepare", "dependencies"}
	packageSteps(r, steps, r.inv.Span)
	if root, globs := listsPackages(r); len(globs) > 0 {
		inPackages(r, append(workspacesIn(r.world, root, globs), root), func() { packageSteps(r, steps, r.inv.Span) })
	}
}

// stepsOf are steps of the package in which something is done, and of the one that lists it with others: dependencies of both
// are kept there.
func stepsOf(r *reader, steps []string) {
	eachPackage(r, func() { packageSteps(r, steps, r.inv.Span) })
	if root, globs := listsPackages(r); len(globs) > 0 && slices.Contains(steps, "dependencies") {
		inPackages(r, []string{root}, func() { packageSteps(r, []string{"dependencies"}, r.inv.Span) })
	}
}

// listsPackages is the directory that lists the packages of the project, and what it lists, if it can be looked at.
func listsPackages(r *reader) (root string, globs []string) {
	if r.dir.Reach != tool.Exact || r.world.ReadFile == nil || r.world.Entries == nil {
		return "", nil
	}
	return workspaceGlobs(r.world, r.dir.Text)
}

func (f *findings) restored(own bool) {
	if own {
		f.controlOnce("package.install", f.inv.Span)
	} else {
		f.controlOnce("package.restore", f.inv.Span)
	}
}

// manifestText reads a file of the project. One that this very script writes is
// not what is on the disk.
func (d *deeds) manifestText(w Word) (text string, ok bool) {
	e := d.path(tool.Read, w)
	if !isCertain(e) || d.world.ReadFile == nil {
		return "", false
	}
	file := w
	file.Text = e.Target
	d.inv.Runs = append(d.inv.Runs, Nested{File: &file, Known: true})
	data, err := d.world.ReadFile(e.Target)
	return string(data), err == nil
}

// requirement is a word that names a package to install: a directory of the
// project, or one by its name or address.
func (r *reader) requirement(w Word) {
	text, _, _ := strings.Cut(w.Text, "[") // extras
	if dir := w; w.Reach == tool.Exact && isPathText(text) && !strings.HasSuffix(text, ".whl") && !strings.HasSuffix(text, ".gz") {
		dir.Text, dir.Glob = text, false
		if e := r.path(tool.Read, dir); r.inProject(e) {
			r.effect(e)
			r.execute("project:python", w.Span)
			r.restore("python")
			return
		}
	}
	r.controlOnce("package.install", w.Span)
}

// requirements is a file that lists packages to install.
func (d *deeds) requirements(w Word) {
	d.config(w, true)
	if e := d.path(tool.Read, w); !d.inProject(e) || e.Reach != tool.Exact {
		d.controlOnce("package.install", w.Span)
		return
	}
	text, _ := d.manifestText(w)
	d.restored(ownAddress("requirements.txt", text))
	addsRequired(d, d.path(tool.Read, w).Target, text)
}

// ownAddressList says it of a list of requirements.
func ownAddressList(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.Contains(line, "://"), strings.Contains(line, "git+"), strings.HasPrefix(line, "../"), strings.HasPrefix(line, "/"):
			return true
		case strings.HasPrefix(line, "-") && !strings.HasPrefix(line, "--hash") && !plainOption(line):
			return true
		}
	}
	return false
}

// ownAddress says whether a manifest names a place to get packages from.
func ownAddress(name, text string) bool {
	switch path.Ext(name) {
	case ".json":
		return ownAddressJSON(text)
	case ".txt":
		return ownAddressList(text)
	}
	switch name {
	case "Gemfile":
		return ownAddressRuby(text)
	case "pubspec.yaml":
		return ownAddressDart(text)
	}
	return ownAddressSettings(text)
}

// ownAddressSettings looks for places in a file of settings, which are lines "KEY = VALUE"
// or "KEY: VALUE" in sections.
func ownAddressSettings(text string) bool { return len(addressLines(text, ownAddressLine)) > 0 }

// addressLines are the lines of a file of settings that name a place, as a function says of a line in a section.
func addressLines(text string, names func(section, line string) bool) (list []string) {
	section := ""
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case beginsWith("# ;", line):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			section = strings.ToLower(line)
		case strings.Contains(section, "urls"):
		case names(section, line):
			list = append(list, line)
		}
	}
	return list
}

// ownAddressLine says whether a line of settings names a place to get packages from.
func ownAddressLine(section, line string) bool {
	key := line
	if i := strings.IndexAny(line, "=:"); i >= 0 {
		key = line[:i]
	}
	key = strings.ToLower(strings.Trim(key, `"' `))
	switch address := holdsOne(line, "://", "git@", "git+"); {
	case address && strings.HasPrefix(key, "@"): // where the packages of a scope come from
		return true
	case holdsOne(key, "registry", "index", "find-links") || holdsOne(line, "{ git", "{git"):
		return true
	case !address:
		return false
	}
	return holdsOne(line, "git+", " @ ") || strings.Contains(key, "git") || holdsOne(section, "index", "dependencies") ||
		strings.Contains(section, "source") && section != "[[source]]"
}

// holdsOne says whether one of some parts is in a text.
func holdsOne(text string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// plainOption says whether a line of a list of requirements is an option that names
// no place outside the project.
func plainOption(line string) bool {
	for _, o := range [...]string{"-r ", "-c ", "--requirement ", "--constraint ", "-e .", "--editable .", "--no-binary", "--only-binary", "--prefer-binary", "--pre", "--require-hashes"} {
		if rest, ok := strings.CutPrefix(line, o); ok && !strings.Contains(line, "..") && !strings.HasPrefix(rest, "/") {
			return true
		}
	}
	return false
}

// ownAddressJSON looks for dependencies by address and for repositories of packages.
func ownAddressJSON(text string) bool {
	doc, err := strictjson.Parse([]byte(text))
	if err != nil {
		return true
	}
	if doc.Get("repositories").Kind != strictjson.Absent {
		return true
	}
	for _, table := range [...]string{"dependencies", "devDependencies", "optionalDependencies", "peerDependencies", "overrides", "resolutions"} {
		for _, m := range doc.Get(table).Members {
			if isAddressOf(m.Value.Text) {
				return true
			}
		}
	}
	return false
}

// isAddressOf says whether the version of a dependency is an address, and not a number or a
// place in the project.
func isAddressOf(version string) bool {
	return strings.Contains(version, "://") || beginsWith("git bitbucket:", version) ||
		strings.Contains(version, "/") && !beginsWith("file:./ npm: workspace: link:./ patch:", version)
}

// ownAddressDart looks for repositories and for other places that packages come from.
func ownAddressDart(text string) bool {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "git:") || strings.HasPrefix(line, "hosted:") || strings.Contains(line, "{") {
			return true
		}
	}
	return false
}

// ownAddressRuby looks for a second source and for repositories.
func ownAddressRuby(text string) bool {
	sources := 0
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "source"):
			if sources++; sources > 1 {
				return true
			}
		case strings.Contains(line, "git:"), strings.Contains(line, "github:"), strings.Contains(line, ":git"), strings.Contains(line, "source:"), strings.Contains(line, "://"):
			return true
		}
	}
	return false
}
