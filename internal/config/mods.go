package config

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
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
	ID      string       // plugin@marketplace; "" for settings that cannot be read
	From    string       // what turns it on: a settings file, or the directory that it lies in
	Layer   policy.Layer // whose it is: Managed, User or Project
	Unknown string       // why it is not known what it holds; "" if it names a module
	Content string       // all of its files, which a person agrees with; "" if nobody can
	Trusted bool
}

// Name is what a mod is remembered by when a person agrees with it.
func (m *Mod) Name() string { return "mod " + cmp.Or(m.ID, filepath.Base(m.From)) }

// Words say what a mod is and what it can do.
func (m *Mod) Words() string {
	const is = "a mod: code inside Claude Code that can overrule longline unnoticed"
	says := policy.Visible(m.From)
	if m.ID != "" {
		says = policy.Visible("the plugin " + m.ID + " (" + m.From + ")")
	}
	if m.Unknown != "" {
		return says + " " + m.Unknown + ", so it counts as " + is
	}
	return says + " is " + is
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
			return m.Words() + `; "longline trust" in a terminal shows it and asks`
		}
	}
	return ""
}

// plugins is where Claude Code finds what it loads as plugins.
type plugins struct {
	*Settings
	env     Env
	project string   // from where relative paths count
	files   []string // of settings, first the one that decides
}

func (p *places) plugins(env Env, s *Settings) *plugins {
	local := slices.Clone(s.Project)
	slices.Reverse(local)
	return &plugins{Settings: s, env: env, project: p.site.Project, files: slices.Concat(s.Managed, local, []string{s.User})}
}

// installed is a file in the client's own directory of plugins.
func (f *plugins) installed(name string) (strictjson.Value, error) {
	dir := f.env.path(agent.ClaudePluginCache)
	if dir == "" && f.User != "" {
		dir = below(filepath.Dir(f.User), "plugins")
	}
	return readJSON(filepath.Join(dir, name))
}

// root is what a settings file says; nothing if it cannot be read.
func (f *plugins) root(path string) strictjson.Value {
	root, _ := strictjson.Parse(f.text(path))
	return root
}

// mods lists the mods that the project brings. Most projects have no settings for Claude
// Code, or none that name a plugin.
func (p *places) mods(env Env, s *Settings) (list []Mod) {
	f := p.plugins(env, s)
	if f.project == "" || f.without() {
		return nil
	}
	add := func(m Mod, ok bool) {
		if m.Layer = policy.Project; ok {
			m.Trusted = m.Content != "" && p.trusted != nil && p.trusted(p.State, f.project, m.Name(), m.Content)
			list = append(list, m)
		}
	}
	for _, path := range s.Project {
		text := s.text(path)
		root, err := strictjson.Parse(text)
		switch {
		case text == nil && !p.look.exists(path), text != nil && strings.TrimSpace(string(text)) == "":
		case err != nil:
			add(Mod{From: path, Unknown: "cannot be read", Content: string(text)}, true)
		default:
			for _, id := range f.named(root) {
				add(f.mod(id, path))
			}
		}
	}
	user := f.root(s.User)
	for _, id := range f.named(user) {
		if _, market, _ := strings.Cut(id, "@"); Within(declared(user, market), f.project) {
			add(f.mod(id, s.User)) // the user's own, but the project can change it
		}
	}
	skills := below(f.project, agent.ClaudeSkills)
	if p.look.at(skills).kind == nothing {
		skills = ""
	}
	for _, dir := range f.besides(skills) {
		if Within(dir, f.project) {
			add(f.skill(dir))
		}
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
	add := func(layer policy.Layer, m Mod, ok bool) {
		if m.Layer = layer; ok && m.Unknown == "" {
			list = append(list, m)
		}
	}
	for i, path := range append(slices.Clone(s.Managed), s.User) {
		layer := policy.User
		if i < len(s.Managed) {
			layer = policy.Managed
		}
		for _, id := range f.named(f.root(path)) {
			m, ok := f.mod(id, path)
			add(layer, m, ok)
		}
	}
	for _, dir := range f.besides(below(filepath.Dir(s.User), "skills")) {
		if f.project == "" || !Within(dir, f.project) {
			m, ok := f.skill(dir)
			add(policy.User, m, ok)
		}
	}
	return list
}

// without says whether the administrator keeps the client from loading other mods.
func (f *plugins) without() bool {
	return slices.ContainsFunc(f.Managed, func(path string) bool {
		v := f.root(path)
		for _, key := range agent.ClaudeManagedModsOnly {
			v = v.Get(key)
		}
		return v.True
	})
}

// named lists the plugins that a settings file turns on and none before it turns off.
func (f *plugins) named(root strictjson.Value) (ids []string) {
	for _, m := range root.Get(agent.ClaudePlugins).Members {
		if m.Value.True && f.on(m.Key) {
			ids = append(ids, m.Key)
		}
	}
	return ids
}

// on says whether a plugin is on, as the first file that speaks of it says; one that lies
// among skills is on if none does.
func (f *plugins) on(id string) bool {
	for _, path := range f.files {
		if v := f.root(path).Get(agent.ClaudePlugins).Get(id); v.Kind == strictjson.Bool {
			return v.True
		}
	}
	return true
}

// besides are directories that the client loads as plugins though no settings name them:
// those of a folder of skills that have a manifest, and those of a variable.
func (f *plugins) besides(skills string) (dirs []string) {
	if entries, err := os.ReadDir(skills); err == nil {
		for _, e := range entries {
			if dir := below(skills, e.Name()); exists(below(dir, agent.ClaudePluginDir)) {
				dirs = append(dirs, dir)
			}
		}
	}
	value, _ := f.env.Get(agent.ClaudePluginDirs)
	for _, dir := range filepath.SplitList(value) {
		dirs = append(dirs, from(f.project, dir))
	}
	return dirs
}

// skill is the mod in a directory that no settings name.
func (f *plugins) skill(dir string) (Mod, bool) {
	manifest, _ := readJSON(below(dir, agent.ClaudeManifest))
	id := cmp.Or(manifest.Get("name").Text, filepath.Base(dir)) + "@" + agent.ClaudeSkillsMarket
	if !f.on(id) {
		return Mod{}, false
	}
	return modIn(id, dir, []string{dir}, nil)
}

// declared is the directory in which settings say that a marketplace is, or "".
func declared(root strictjson.Value, market string) string {
	source := root.Get(agent.ClaudeMarkets).Get(market).Get("source")
	switch path := source.Get("path").Text; source.Get("source").Text {
	case "directory":
		return path
	case "file":
		return filepath.Dir(filepath.Dir(path))
	}
	return ""
}

// dirs are the directories that a plugin may be loaded from: where its marketplaces say
// that it is, and what is installed.
func (f *plugins) dirs(id string) (dirs []string, err error) {
	name, market, _ := strings.Cut(id, "@")
	var markets []string
	for _, path := range f.files {
		if dir := declared(f.root(path), market); dir != "" {
			markets = append(markets, from(f.project, dir))
		}
	}
	known, wrong := f.installed("known_marketplaces.json")
	if dir := known.Get(market).Get("installLocation").Text; dir != "" {
		markets = append(markets, dir)
	}
	for _, at := range markets {
		catalogue, bad := readJSON(below(at, agent.ClaudePluginDir+"/marketplace.json"))
		wrong = cmp.Or(wrong, bad)
		for _, entry := range catalogue.Get("plugins").Items {
			if source := entry.Get("source").Text; entry.Get("name").Text == name && source != "" {
				dirs = append(dirs, filepath.Join(at, source), filepath.Join(at, catalogue.Get("metadata").Get("pluginRoot").Text, source))
			}
		}
	}
	installed, bad := f.installed("installed_plugins.json")
	for _, entry := range installed.Get("plugins").Get(id).Items {
		dirs = append(dirs, entry.Get("installPath").Text)
	}
	dirs = slices.DeleteFunc(dirs, func(dir string) bool { return !filepath.IsAbs(dir) || !exists(dir) })
	slices.Sort(dirs)
	return slices.Compact(dirs), cmp.Or(wrong, bad)
}

// mod is the mod that a plugin is, if it is one or nobody can tell.
func (f *plugins) mod(id, turnedOn string) (Mod, bool) {
	dirs, err := f.dirs(id)
	return modIn(id, turnedOn, dirs, err)
}

func modIn(id, turnedOn string, dirs []string, wrong error) (Mod, bool) {
	m := Mod{ID: id, From: turnedOn, Content: id + "\n"}
	if len(dirs) == 0 {
		m.Unknown = "cannot be found"
		return m, true
	}
	any := wrong != nil
	for _, dir := range dirs {
		names, err := namesModule(dir)
		if wrong = cmp.Or(wrong, err); !names && wrong == nil {
			continue
		}
		any = true
		text, err := allOf(dir)
		if err != nil || m.Content == "" {
			m.Content = ""
			continue
		}
		m.Content += text
	}
	if wrong != nil {
		m.Unknown = "cannot be read"
	}
	return m, any
}

// namesModule says whether a plugin names a module, in its file of hooks or in one that
// its manifest names.
func namesModule(dir string) (bool, error) {
	manifest, err := readJSON(below(dir, agent.ClaudeManifest))
	if err != nil {
		return false, err
	}
	files := []string{"hooks/hooks.json"}
	for _, v := range append([]strictjson.Value{manifest.Get("hooks")}, manifest.Get("hooks").Items...) {
		if v.Kind == strictjson.String {
			files = append(files, v.Text)
		}
	}
	for _, name := range files {
		hooks, err := readJSON(filepath.Join(dir, name))
		if modules := hooks.Get("modules"); err != nil || modules.Kind != strictjson.Absent && modules.Raw != "[]" {
			return err == nil, err
		}
	}
	return false, nil
}

// readJSON reads a file; one that is not there has nothing in it.
func readJSON(path string) (strictjson.Value, error) {
	text, err := readFile(path, maxFile)
	if err == nil {
		return strictjson.Parse(text)
	}
	if missing(err) {
		err = nil
	}
	return strictjson.Value{}, err
}

var errTooMuch = errors.New("there is too much in it")

// allOf is what all files of a plugin say, by their names: its module may use each of them.
// There is no such text if something else than files is among them, or too much.
func allOf(dir string) (string, error) {
	var b strings.Builder
	dir, files := followed(dir), 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		text, err := readFile(path, maxModText)
		if files++; err != nil || !d.Type().IsRegular() || files > maxModFiles || b.Len()+len(text) > maxModText {
			return errTooMuch
		}
		b.WriteString("# " + strconv.Quote(strings.TrimPrefix(path, dir+"/")) + ", " + strconv.Itoa(len(text)) + " bytes\n" + string(text) + "\n")
		return nil
	})
	return b.String(), err
}
