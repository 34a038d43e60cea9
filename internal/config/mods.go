package config

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"longline/internal/agent"
	"longline/internal/policy"
	"longline/internal/strictjson"
)

// Mod is a plugin of Claude Code that names a module, or may: code that runs inside the
// client and has the last word over what hooks answer.
type Mod struct {
	ID      string // plugin@marketplace; "" for settings that cannot be read
	From    string // what turns it on: a settings file, or the directory that it lies in
	Unknown string // why it is not known what it holds; "" if it names a module
	Content string // all of its files, which a person agrees with; "" if nobody can
	Project bool   // it is the project's; otherwise the user's or the administrator's
	Trusted bool   // a person has agreed with it
}

// Name is what a mod is remembered by when a person agrees with it.
func (m *Mod) Name() string { return "mod " + cmp.Or(m.ID, filepath.Base(m.From)) }

// Words say what a mod is, what it can do, and what is done about it.
func (m *Mod) Words() string {
	says := policy.Visible(m.From)
	if m.ID != "" {
		says = policy.Visible("the plugin " + m.ID[:min(len(m.ID), 100)] + " (" + m.From + ")")
	}
	if m.Unknown != "" {
		says += " " + m.Unknown + ", so it counts as"
	} else {
		says += " is"
	}
	says += " a mod: code inside Claude Code that can overrule longline unnoticed"
	if m.Project && !m.Trusted {
		says += `; every call asks until you agree, by "longline trust" in a terminal`
	}
	return says
}

// The bounds of what a person can agree with, and of what is read with every call.
const (
	maxModFiles = 500
	maxModText  = 1 << 20
)

// modded is why every call of an agent asks because of a project's mods, if it does.
func (c *Config) modded(name string) string {
	for i := range c.Mods {
		if m := &c.Mods[i]; !m.Trusted && agent.Permissions(name) {
			return m.Words()
		}
	}
	return ""
}

// plugins is where Claude Code finds what it loads as plugins.
type plugins struct {
	*Settings
	env     Env
	project string   // its root
	base    string   // where the client reads the project's settings, and from where relative paths count
	files   []string // of settings, first the one that decides
}

func (p *places) plugins(env Env, s *Settings) *plugins {
	f := &plugins{Settings: s, env: env, project: p.site.Project, files: slices.Clone(s.Managed)}
	for _, root := range p.clientRoots() {
		f.base = root
	}
	if f.base != "" { // settings above it turn nothing off
		f.files = append(f.files, below(f.base, LocalSettings), below(f.base, agent.ClaudeProject))
	}
	f.files = append(f.files, s.User)
	return f
}

// installed is a file in the client's own directory of plugins.
func (f *plugins) installed(name string) (v strictjson.Value, ok bool) {
	dir := f.env.path(agent.ClaudePluginCache)
	if dir == "" && f.User != "" {
		dir = below(filepath.Dir(f.User), "plugins")
	}
	return readJSON(filepath.Join(dir, name))
}

// mods lists the mods that the project brings. Most projects have no settings for Claude
// Code, or none that name a plugin.
func (p *places) mods(env Env, s *Settings) (list []Mod) {
	f := p.plugins(env, s)
	if f.project == "" || f.without() {
		return nil
	}
	for _, path := range s.Project {
		if t := s.read(path); t.err != nil || t.text == nil && p.look.exists(path) {
			list = append(list, Mod{From: path, Unknown: "cannot be read", Content: string(t.text)})
		}
		for _, id := range named(s.root(path)) {
			list = append(list, f.mod(id, path)...)
		}
	}
	user := f.root(s.User)
	for _, id := range named(user) {
		if _, market, _ := strings.Cut(id, "@"); Within(declared(user, market), f.project) {
			list = append(list, f.mod(id, s.User)...) // the user's own, but the project can change it
		}
	}
	for _, root := range p.clientRoots() {
		skills := below(root, agent.ClaudeSkills)
		if p.look.at(skills).kind == nothing {
			continue
		}
		dirs, whole := skillsIn(skills)
		if !whole {
			list = append(list, Mod{From: skills, Unknown: "cannot be read"})
		}
		for _, dir := range dirs {
			list = append(list, f.skill(dir)...)
		}
	}
	for _, dir := range f.given() {
		if Within(dir, f.project) {
			list = append(list, f.skill(dir)...)
		}
	}
	for i := range list {
		m := &list[i]
		m.Project = true
		m.Trusted = m.Content != "" && p.trusted != nil && p.trusted(p.State, f.project, m.Name(), m.Content)
	}
	return list
}

// ownMods lists the mods that the user and the administrator have turned on. What cannot
// be found is left out: the client does not load it either.
func (p *places) ownMods(env Env, s *Settings) (list []Mod) {
	f := p.plugins(env, s)
	if s.User == "" || f.without() {
		return nil
	}
	for _, path := range append(slices.Clone(s.Managed), s.User) {
		for _, id := range named(f.root(path)) {
			list = append(list, f.mod(id, path)...)
		}
	}
	dirs, _ := skillsIn(below(filepath.Dir(s.User), "skills"))
	for _, dir := range append(dirs, f.given()...) {
		if f.project == "" || !Within(dir, f.project) {
			list = append(list, f.skill(dir)...)
		}
	}
	return slices.DeleteFunc(list, func(m Mod) bool { return m.Unknown != "" })
}

// without says whether the administrator keeps the client from loading other mods.
func (f *plugins) without() bool {
	return slices.ContainsFunc(f.Managed, func(path string) bool {
		return member(f.root(path), agent.ClaudeManagedModsOnly[:]...).True
	})
}

// named lists the plugins that a settings file turns on.
func named(root strictjson.Value) (ids []string) {
	for _, m := range member(root, agent.ClaudePlugins).Members {
		if m.Value.True {
			ids = append(ids, m.Key)
		}
	}
	return ids
}

// on says whether a plugin is on, as the first file that speaks of it says; one that lies
// among skills is on if none does.
func (f *plugins) on(id string) bool {
	for _, path := range f.files {
		if v := member(f.root(path), agent.ClaudePlugins, id); v.Kind == strictjson.Bool {
			return v.True
		}
	}
	return true
}

// skillsIn are the directories of a folder of skills that are plugins, too.
func skillsIn(skills string) (dirs []string, whole bool) {
	list, whole := entries(skills)
	for _, e := range list {
		if dir := below(skills, e.Name); exists(below(dir, agent.ClaudePluginDir)) {
			dirs = append(dirs, dir)
		}
	}
	return dirs, whole
}

// given are the plugins that a variable names.
func (f *plugins) given() (dirs []string) {
	value, _ := f.env.Get(agent.ClaudePluginDirs)
	for _, dir := range filepath.SplitList(value) {
		dirs = append(dirs, from(f.base, dir))
	}
	return dirs
}

// skill is the mod in a directory that no settings name, if there is one.
func (f *plugins) skill(dir string) []Mod {
	manifest, ok := readJSON(below(dir, agent.ClaudeManifest))
	id := cmp.Or(member(manifest, "name").Text, filepath.Base(dir)) + "@" + agent.ClaudeSkillsMarket
	if ok && !f.on(id) {
		return nil
	}
	return modIn(id, dir, []string{dir}, ok)
}

// declared is the directory in which settings say that a marketplace is, or "".
func declared(root strictjson.Value, market string) string {
	source := member(root, agent.ClaudeMarkets, market, "source")
	switch path := member(source, "path").Text; member(source, "source").Text {
	case "directory":
		return path
	case "file":
		return filepath.Dir(filepath.Dir(path))
	}
	return ""
}

// dirs are the directories that a plugin may be loaded from: where its marketplaces say
// that it is, and what is installed. It is not ok if something could not be read.
func (f *plugins) dirs(id string) (dirs []string, ok bool) {
	name, market, _ := strings.Cut(id, "@")
	var markets []string
	for _, path := range f.All() {
		if dir := declared(f.root(path), market); dir != "" {
			markets = append(markets, from(f.base, dir))
		}
	}
	known, ok := f.installed("known_marketplaces.json")
	if dir := member(known, market, "installLocation").Text; dir != "" {
		markets = append(markets, dir)
	}
	for _, at := range markets {
		catalogue, good := readJSON(below(at, agent.ClaudePluginDir+"/marketplace.json"))
		ok = ok && good
		for _, entry := range member(catalogue, "plugins").Items {
			if source := member(entry, "source").Text; member(entry, "name").Text == name && source != "" {
				dirs = append(dirs, filepath.Join(at, source), filepath.Join(at, member(catalogue, "metadata", "pluginRoot").Text, source))
			}
		}
	}
	installed, good := f.installed("installed_plugins.json")
	for _, entry := range member(installed, "plugins", id).Items {
		dirs = append(dirs, member(entry, "installPath").Text)
	}
	dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !filepath.IsAbs(dir) || !exists(dir) })
	slices.Sort(dirs)
	return slices.Compact(dirs), ok && good
}

// mod is the mod that a plugin is, if it is on, and is one or nobody can tell.
func (f *plugins) mod(id, turnedOn string) []Mod {
	if !f.on(id) {
		return nil
	}
	dirs, ok := f.dirs(id)
	return modIn(id, turnedOn, dirs, ok)
}

func modIn(id, turnedOn string, dirs []string, ok bool) []Mod {
	m := Mod{ID: id, From: turnedOn, Content: id + "\n"}
	any := false
	for _, dir := range dirs {
		names, good := namesModule(dir)
		if ok = ok && good; !names && ok {
			continue
		}
		any = true
		if text, whole := allOf(dir); whole && m.Content != "" {
			m.Content += text
		} else {
			m.Content = ""
		}
	}
	switch {
	case len(dirs) == 0:
		m.Unknown = "cannot be found"
	case !ok:
		m.Unknown = "cannot be read"
	case !any:
		return nil
	}
	return []Mod{m}
}

// namesModule says whether a plugin names a module, in its file of hooks or in one that
// its manifest names.
func namesModule(dir string) (names, ok bool) {
	manifest, ok := readJSON(below(dir, agent.ClaudeManifest))
	files, named := []string{"hooks/hooks.json"}, member(manifest, "hooks")
	for _, v := range append(named.Items, named) {
		if v.Kind == strictjson.String {
			files = append(files, v.Text)
		}
	}
	for _, name := range files {
		hooks, good := readJSON(filepath.Join(dir, name))
		modules := member(hooks, "modules")
		names = names || modules.Kind != strictjson.Absent && modules.Raw != "[]"
		ok = ok && good
	}
	return names, ok
}

// member is what a value has below some keys.
//
//go:noinline
func member(v strictjson.Value, keys ...string) strictjson.Value {
	for _, key := range keys {
		v = v.Get(key)
	}
	return v
}

// readJSON reads a file; one that is not there has nothing in it.
func readJSON(path string) (v strictjson.Value, ok bool) {
	text, err := readFile(path, maxFile)
	if missing(err) {
		return v, true
	}
	if err == nil {
		v, err = strictjson.Parse(text)
	}
	return v, err == nil
}

// allOf is what all files of a plugin say, by their names: its module may use each of them.
// Nobody can tell if something else than files is among them, or too much.
func allOf(dir string) (text string, ok bool) {
	var b strings.Builder
	left := maxModFiles
	ok = addAll(&b, followed(dir), "", &left)
	return b.String(), ok
}

func addAll(b *strings.Builder, dir, below string, left *int) bool {
	list, whole := entries(filepath.Join(dir, below))
	var names []string
	for _, e := range list {
		if e.Link {
			return false
		}
		name := e.Name
		if e.Dir {
			name += "/"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		*left--
		sub, isDir := strings.CutSuffix(name, "/")
		sub = filepath.Join(below, sub)
		if *left < 0 || isDir && name != ".git/" && !addAll(b, dir, sub, left) {
			return false
		}
		if isDir {
			continue
		}
		text, err := readFile(filepath.Join(dir, sub), maxModText)
		if err != nil || b.Len()+len(text) > maxModText {
			return false
		}
		b.WriteString("# " + strconv.Quote(sub) + ", " + strconv.Itoa(len(text)) + " bytes\n" + string(text) + "\n")
	}
	return whole
}
