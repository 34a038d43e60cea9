package command

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"longline/internal/gitstore"
	"longline/internal/language"
	"longline/internal/paths"
	"longline/internal/tool"
)

// A package that an earlier call of the session has put into a manifest is as new as one on the command line: it is asked about when it is
// installed, once. What the manifest listed before the session, what was chosen for the lockfile before and what is installed is not new.

// usesPrefix begins the targets of effects in models of what fetches missing packages of a kind by itself, and runs their code.
const usesPrefix = "package.uses:"

// packageKinds are the files that list packages of a kind, by name or ending, and those that say what was chosen. Where resolves is set, a
// command that installs nothing may add to the latter, so they count as they were committed. Packages are installed in a directory;
// places are settings that say where packages come from.
var packageKinds = [...]struct {
	kind, lists, locks string
	resolves           bool
	installed, places  string
}{
	{"npm", "package.json", "package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock", false, "node_modules", ""},
	{"python", "pyproject.toml Pipfile", "uv.lock poetry.lock pdm.lock Pipfile.lock", true, "site-packages", ""},
	{"requirements", "", "", true, "site-packages", ""},
	{"ruby", "Gemfile .gemspec", "Gemfile.lock", false, "", ""},
	{"php", "composer.json", "composer.lock", false, "vendor", ""},
	{"pubspec", "pubspec.yaml", "pubspec.lock", false, "", ""},
	{"rust", "Cargo.toml", "Cargo.lock", true, "", "Cargo.toml .cargo/config.toml .cargo/config"},
	{"module", "go.mod", "go.sum", true, "", ""},
}

// maxManifests bounds the manifests that are looked at.
const maxManifests = 16

// usesPackages is what builds or runs code of packages that a manifest lists. Places that the manifest or settings beside it name count
// if they are not committed: what is, comes in with every build.
func usesPackages(r *reader, kind string) {
	addsPackages(r, kind)
	look := newLook(&r.deeds, kind)
	if look == nil || look.places == "" || r.dir.Reach != tool.Exact {
		return
	}
	for _, dir := range look.above(r.dir.Text) {
		for name := range strings.FieldsSeq(look.places) {
			look.addresses(dir + "/" + name)
		}
	}
	look.say()
}

// addsPackages asks about packages of a kind that the session has put into manifests of the project.
func addsPackages(r *reader, kind string) {
	look := newLook(&r.deeds, kind)
	if look == nil || look.past == nil {
		return
	}
	look.files(look.lists, r.dir)
	look.say()
}

// addsRequired asks about packages that the session has put into a list of requirements, or one that it includes.
func addsRequired(d *deeds, file, text string) {
	look := newLook(d, "requirements")
	if look == nil || look.past == nil {
		return
	}
	files := []string{file}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 2 || words[0] != "-r" && words[0] != "--requirement" {
			continue
		}
		if files = append(files, paths.Clean(paths.Parent(file), words[1])); len(files) > maxManifests {
			look.found = append(look.found, look.unread()...)
			break
		}
	}
	for _, f := range files {
		if look.past.WrittenMore || slices.Contains(look.past.Written, f) {
			look.packages(f)
		}
	}
	look.say()
}

// packageLook is a look at the packages of a kind.
type packageLook struct {
	d                               *deeds
	past                            *tool.Past
	kind, lists, locks, dir, places string
	resolves                        bool
	found                           []string
}

// newLook begins one; nil if there is nothing to look at.
func newLook(d *deeds, kind string) *packageLook {
	if w := d.world; w.ReadFile == nil || w.Project == "" || d.inv.Remote || !d.seesRepositories() {
		return nil
	}
	for _, k := range &packageKinds {
		if k.kind == kind {
			return &packageLook{d: d, past: d.world.Past, kind: kind, lists: k.lists, locks: k.locks, dir: k.installed, places: k.places, resolves: k.resolves}
		}
	}
	return nil
}

// files looks at the manifests of the project that the session has written: which of them a program takes together, only it knows.
func (l *packageLook) files(lists string, dir Word) {
	named := func(file string) bool {
		for name := range strings.FieldsSeq(lists) {
			if strings.HasSuffix(file, "/"+name) || name[0] == '.' && strings.HasSuffix(file, name) {
				return true
			}
		}
		return false
	}
	count := 0
	for _, file := range l.past.Written {
		if !named(file) || !paths.Within(file, l.d.world.Project) {
			continue
		}
		if count++; count > maxManifests {
			l.found = append(l.found, l.unread()...)
			break
		}
		l.packages(file)
	}
	if l.past.WrittenMore && dir.Reach == tool.Exact {
		for _, at := range l.above(dir.Text) {
			for name := range strings.FieldsSeq(lists) {
				l.packages(at + "/" + name)
			}
		}
	}
}

// above are a directory of the project and those above it, up to the root.
func (l *packageLook) above(dir string) (list []string) {
	root := l.d.world.Project
	for ; paths.Within(dir, root) && len(list) < maxManifests; dir = paths.Parent(dir) {
		list = append(list, dir)
		if dir == root {
			break
		}
	}
	return list
}

// packages finds the packages of a manifest that are new.
func (l *packageLook) packages(file string) {
	known := &l.d.lib.repositories
	repo := l.d.lib.repository(l.d.world, paths.Parent(file)) // begins anew for another script
	key := l.kind + " " + file
	fresh, seen := known.added[key]
	if !seen || !l.d.world.Still() {
		fresh = l.newIn(file, repo)
		if known.added == nil {
			known.added = map[string][]string{}
		}
		known.added[key] = fresh
	}
	l.found = append(l.found, fresh...)
}

func (l *packageLook) newIn(file string, repo *repository) (fresh []string) {
	data, err := l.d.world.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // nothing can be installed from it
	case err != nil:
		return l.unread()
	}
	names := slices.DeleteFunc(language.Dependencies(file, string(data)), func(name string) bool { return l.agreed(name) })
	if len(names) == 0 {
		return nil
	}
	before, recorded := l.commit(repo)
	listed := map[string]bool{}
	for _, name := range language.Dependencies(file, before(file)) {
		listed[name] = true
	}
	dirs := l.above(paths.Parent(file))
	for _, dir := range dirs {
		for name := range strings.FieldsSeq(l.locks) {
			lock := dir + "/" + name
			if text := before(lock); text != "" {
				lockedNames(l.plain(text), listed)
			}
			if text, err := l.d.world.ReadFile(lock); err == nil && !l.resolves && !slices.Contains(l.past.Written, lock) {
				lockedNames(l.plain(string(text)), listed)
				recorded = true
			}
		}
	}
	installed, any := l.installed(dirs)
	if !recorded && !any {
		return nil // nothing says what was there before
	}
	for _, name := range names {
		if !listed[name] && !installed(name) {
			fresh = append(fresh, l.kind+" "+name)
		}
	}
	return fresh
}

// unread is what stands for packages that are not looked at, if they were not asked about before.
func (l *packageLook) unread() []string {
	if l.agreed(language.Unread) {
		return nil
	}
	return []string{l.kind + " " + language.Unread}
}

// agreed says whether a package or a place was asked about before in the session.
func (l *packageLook) agreed(name string) bool {
	return l.past != nil && slices.Contains(l.past.Added, l.kind+" "+name)
}

// commit returns what reads a file as it was committed before the session, and says whether something was.
func (l *packageLook) commit(repo *repository) (text func(file string) string, is bool) {
	none := func(string) string { return "" }
	if repo == nil {
		return none, false
	}
	id, err := repo.store.Resolve("HEAD")
	if err == nil && l.past != nil {
		id, err = repo.store.Before(id, l.past.Since)
	}
	if err != nil {
		return none, false
	}
	return func(file string) string {
		name, ok := strings.CutPrefix(file, repo.root+"/")
		if !ok {
			return ""
		}
		return committedText(repo.store, id, name)
	}, true
}

// committedText is a file of a commit; "" if there is none.
func committedText(store *gitstore.Store, commit gitstore.ID, name string) string {
	e, err := store.At(commit, name)
	if err != nil || e.Tree {
		return ""
	}
	text, err := store.Blob(e.ID)
	if err != nil {
		return ""
	}
	return string(text)
}

// plain is the text of a lockfile, in which names are as a manifest's are read.
func (l *packageLook) plain(text string) string {
	if l.resolves && l.kind != "module" {
		return language.Normal(text)
	}
	return text
}

// lockedNames adds the words of a lockfile that may be names of packages.
func lockedNames(text string, found map[string]bool) {
	for word := range strings.FieldsFuncSeq(text, func(c rune) bool { return strings.ContainsRune("\"' \r\n:(,", c) }) {
		if i := strings.LastIndex(word, "node_modules/"); i >= 0 {
			word = word[i+len("node_modules/"):]
		}
		if i := strings.LastIndexByte(word, '@'); i > 0 {
			word = word[:i]
		}
		found[strings.TrimPrefix(word, "/")] = true
	}
}

// installed returns what says whether a package is installed in the project, and whether any is.
func (l *packageLook) installed(dirs []string) (is func(name string) bool, any bool) {
	w := l.d.world
	var places []string
	distributions := map[string]bool{}
	for _, dir := range dirs {
		switch {
		case l.dir == "site-packages":
			any = l.distributions(dir, distributions) || any
		case l.dir != "" && w.Exists(dir+"/"+l.dir):
			places, any = append(places, dir+"/"+l.dir), true
		}
	}
	return func(name string) bool {
		return distributions[name] || slices.ContainsFunc(places, func(place string) bool { return w.Exists(place + "/" + name) })
	}, any
}

// distributions notes what is installed in the environments of a directory: NAME-VERSION.dist-info in their libraries.
func (l *packageLook) distributions(dir string, found map[string]bool) (any bool) {
	for _, env := range [...]string{".venv", "venv", "env"} {
		versions, _ := l.d.world.Entries(dir + "/" + env + "/lib")
		for _, v := range versions[:min(len(versions), 8)] {
			list, _ := l.d.world.Entries(dir + "/" + env + "/lib/" + v.Name + "/" + l.dir)
			for _, e := range list {
				if name, ok := strings.CutSuffix(e.Name, ".dist-info"); ok {
					name, _, _ = strings.Cut(name, "-")
					found[language.Normal(name)], any = true, true
				}
			}
		}
	}
	return any
}

// addresses finds the places of packages in a file of settings that were not committed.
func (l *packageLook) addresses(file string) {
	data, err := l.d.world.ReadFile(file)
	if err != nil {
		return
	}
	list := addressLines(string(data), func(section, line string) bool {
		return ownAddressLine(section, line) || holdsOne(section, "dependencies", "patch") && holdsOne(line, "git =", "git=", "registry")
	})
	if len(list) == 0 {
		return
	}
	before, _ := l.commit(l.d.lib.repository(l.d.world, paths.Parent(file)))
	committed := map[string]bool{}
	for line := range strings.Lines(before(file)) {
		committed[strings.TrimSpace(line)] = true
	}
	for _, line := range list {
		if !committed[line] && !l.agreed(line) {
			l.found = append(l.found, l.kind+" "+line)
		}
	}
}

// say asks about what was found.
func (l *packageLook) say() {
	if len(l.found) == 0 {
		return
	}
	l.d.controlOnce("package.install", l.d.inv.Span)
	l.d.inv.adds(l.found...)
}

// adds notes what later calls have to know.
func (inv *Invocation) adds(list ...string) {
	if inv.Code == nil {
		inv.Code = new(Code)
	}
	inv.Code.Adds = append(inv.Code.Adds, list...)
}
