// Package config finds the rules that are in force at a place, and describes
// the machine to the guard.
package config

import (
	"cmp"
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"longline/internal/expression"

	"longline/internal/agent"
	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/mask"
	"longline/internal/policy"
	"longline/internal/tool"
)

// Options says for whom rules are looked up.
type Options struct {
	Path string // rules file named on the command line, instead of the user's
	Dir  string // where the agent works; absolute
	// Project is what the client said at the beginning of the session that the
	// project is; "" if it said nothing.
	Project string
	// Also are directories that a person has added to the session. They belong to the project.
	Also    []string
	Home    string // home directory to pretend; "" is the real one
	Windows bool   // the machine to pretend runs Windows; see [tool.World]
	Env     Env
	// Trusted says whether the user has agreed with a project's file as it is: by
	// the directory of the user's state, the root of the project, the path in there,
	// and what the file says. nil trusts nothing.
	Trusted func(state, root, name, content string) bool
	// Pinned is what the user has confirmed of a file, by the directory of the
	// user's state, the root of the project and the path in there; "" is nothing.
	Pinned func(state, root, name string) string
	// Parse reads the language of rules files. Without it only files that have
	// been compiled can be used; others give [ErrNotCompiled].
	Parse Parser
	// ParseBundle reads a bundle, where Parse reads rules files.
	ParseBundle BundleParser
	// Bundle is judged by instead of the one that is installed, to see what it would
	// change. With NoBundle none counts.
	Bundle   *Bundle
	NoBundle bool
	// Now is the time; nil is the clock's.
	Now func() time.Time
	// Limit bounds each judgement; nil is [Limit].
	Limit func() (stop func() bool)

	// Look is what was seen of the disk before, for the same call. With it the
	// configuration is good for one judgement only: nothing is looked at anew.
	Look *Look

	managed     string // the administrator's directory, for tests
	known       string // the home directory in the password database, for tests
	claudeAdmin string // Claude Code's, for tests
}

func (o *Options) limit() func() func() bool {
	if o.Limit != nil {
		return o.Limit
	}
	return Limit
}

// Parser reads a rules file in the format that its name says. Its errors name
// the file.
type Parser func(path string, text []byte, open Opener) (*policy.File, error)

// Opener finds and reads a file that another one includes.
type Opener = func(from, name string) (full string, text []byte, err error)

// Config is what is in force at a place.
type Config struct {
	Guard guard.Guard
	World *tool.World
	Dir   string
	Log   string // audit log
	// UsualLog is where the log is if the rules file that was named does not count.
	UsualLog string
	// Expression compiles a regular expression; nil where the program that runs cannot.
	Expression func(text string) (expression.Expression, error)
	State      string // directory of what a person has said; "" if there is none
	// Files are the files that were read, the least authority first.
	Files []Layered
	// Project are the project's files among them, as they were found.
	Project []ProjectFile
	// Bundle is the bundle that is in force, or nil.
	Bundle *Bundle
	// Notices are lines for the person who runs longline.
	Notices []string

	// Told are such lines that need to be said once only.
	Told []string

	// Ignored says which variable for a sandbox is not followed, and why.
	Ignored string

	// Settings are Claude Code's own.
	Settings Settings
	// Mods are those that the project brings, and OwnMods finds the others.
	Mods    []Mod
	OwnMods func() []Mod

	trouble string // why every call asks, if it does
	state   string // the directory of what longline remembers
	tried   *WallTried
	others  []string // other projects that the call at hand works in
}

// Layered is a file and the layer it speaks for.
type Layered struct {
	Layer policy.Layer
	File  *policy.File
}

// Judge answers a call under this configuration.
func (c *Config) Judge(call tool.Call) (tool.Verdict, []*command.Invocation) {
	c.others = nil
	call.Dir = Judged(call.Dir)
	c.seenBy(call.Agent)
	v, invs := c.Guard.Judge(call, c.World)
	allowed := c.permitted(&call, v, invs)
	if v.Decision < tool.Ask || allowed.Decision >= tool.Ask { // else the user lets it run as it is
		v, invs = c.walled(&call, v, invs)
		allowed = c.permitted(&call, v, invs)
	}
	v = c.leftAlone(&call, allowed, invs)
	if why := cmp.Or(c.trouble, c.modded(call.Agent)); why != "" && v.Decision < tool.Ask {
		v.Decision, v.Rule, v.Reason, v.Suggest = tool.Ask, "", why, ""
	}
	v.Unheard = c.Unheard(&call, &v, invs)
	v.Notices = append(v.Notices, c.Notices...)
	if v.Decision >= tool.Ask {
		v.Suggest = strings.TrimSpace(c.origin(&v, invs) + " " + v.Suggest)
		hide := mask.Reasons(v.Judged(call.Script), invs)
		v.Reason = hide(v.Reason)
		for i := range v.Findings {
			v.Findings[i].Reason = hide(v.Findings[i].Reason)
		}
	}
	return v, invs
}

// seenBy makes the world that of an agent. It stays at its address as long as the agent
// does: what the policy finds out about the places in it it finds out once.
func (c *Config) seenBy(name string) {
	if own := agent.Own(name); !slices.Equal(c.World.Own, own) {
		w := *c.World
		w.Own = own
		c.World = &w
	}
	if c.World.Masked != nil && agent.FactsOf(name).Results != agent.Replaced {
		w := *c.World
		w.Masked = nil
		c.World = &w
	}
}

// errUnreadable is why a script is not read: its words would turn up in reasons.
var errUnreadable = errors.New("the rules do not let this file be read")

// Load reads every rules file that applies in o.Dir. A user's file that cannot
// be read or understood is an error: what it forbids is not known. A broken
// managed or project file makes every call ask instead; the one must not lift
// the protection, the other must not lock the user out.
func Load(o Options) (*Config, error) {
	p := placesOf(o)
	c, err := inForce(&p, &o)
	if err != nil {
		return nil, err
	}
	env := o.Env
	if o.Home != "" { // it is asked what a command would do there, whoever asks
		env = slices.DeleteFunc(slices.Clone(env), func(line string) bool { return strings.HasPrefix(line, "HOME=") })
	}
	c.hold()
	c.World.Inherited = p.inherited(env, &c.Settings)
	c.Mods = p.mods(o.Env, &c.Settings)
	c.OwnMods = func() []Mod { return p.ownMods(o.Env, &c.Settings) }
	if p.State != "" && !c.Guard.Policy.Undo.Off {
		c.UseMeans(tool.Undo)
	}
	c.Guard.Library = command.Builtin()
	if b := c.Bundle; b != nil && b.Models != "" {
		c.Guard.Library = c.Guard.Library.Extended(command.Open(b.Models), b.doubt())
	}
	c.Guard.Limit = o.limit()
	c.Guard.Client = c.forbidden
	return c, nil
}

// Rules is [Load] for who reads no commands, and so needs no models of them.
func Rules(o Options) (*Config, error) {
	p := placesOf(o)
	return inForce(&p, &o)
}

func inForce(p *places, o *Options) (*Config, error) {
	site := p.site
	seen := cmp.Or(p.Home, o.Env.path("HOME"))
	if o.Home != "" {
		seen = filepath.Clean(o.Home)
		site = p.look.siteOf(o.Dir, o.Project, seen)
	}
	c := &Config{Dir: o.Dir, World: World(o.Env, site, seen)}
	if o.Windows {
		c.World.Windows, c.World.FoldCase, c.World.Zsh = true, true, false
	}
	if p.once {
		c.World.Readlink, c.World.Exists = p.look.readlink, p.look.exists
		if onWindows {
			judgedLinks(c.World)
		}
	}
	f, err := c.layers(p, o)
	if err != nil {
		return nil, err
	}
	set, err := c.merge(f.packs, f.project, Joined(f.user), f.above())
	if err != nil {
		return nil, err
	}
	if b := c.Bundle; b != nil && b.Lost != "" {
		c.Notices = append(c.Notices, "what the bundle "+b.Title()+" allows does not count: "+b.Lost+`; "longline sync" fetches a newer one`)
	}
	c.add(policy.Project, f.project)
	c.add(policy.User, f.user)
	if c.Bundle != nil {
		c.add(policy.Bundle, []*policy.File{c.Bundle.File})
	}
	c.add(policy.Managed, f.managed)
	c.sandbox(o.Env, set.Sandbox)
	c.Log = p.log(set.LogPath)
	if c.UsualLog = c.Log; p.path != "" {
		c.UsualLog = p.log("")
	}
	c.tells()
	c.surround(p, o, site)
	c.wallsOn()
	c.Told, c.State = p.Told, p.State
	if c.Ignored != "" {
		c.Told = append(c.Told[:len(c.Told):len(c.Told)], c.Ignored)
	}
	for _, f := range c.Files {
		c.Told = append(c.Told[:len(c.Told):len(c.Told)], f.File.Remarks...)
	}
	return c, nil
}

// files are the rules files that apply, by their layer.
type files struct {
	packs                  *policy.File
	project, user, managed []*policy.File
	bundle                 *Bundle
}

// above are the files of the layers above the user.
func (f *files) above() []*policy.File {
	if f.bundle == nil {
		return f.managed
	}
	return append([]*policy.File{f.bundle.File}, f.managed...)
}

// layers reads the files of all layers. A broken one above or below the user's is noted,
// and makes every call ask.
func (c *Config) layers(p *places, o *Options) (f files, err error) {
	if f.user, err = p.user(); err != nil {
		return f, err
	}
	f.managed, err = p.managed()
	if err = c.doubt("the administrator's rules are broken", err); err != nil {
		return f, err
	}
	f.bundle, err = p.bundle(o)
	if err = c.doubt("the bundle is broken", err); err != nil {
		return f, err
	}
	c.Project, err = p.projects()
	if err = c.doubt("the project's rules are broken", err); err != nil {
		return f, err
	}
	for _, file := range c.Project {
		f.project = append(f.project, file.File)
	}
	c.Bundle = f.bundle
	f.packs, err = policy.BuiltinFile()
	return f, err
}

// surround says what is around the call: what is guarded, the client's settings, and what
// of them was confirmed.
func (c *Config) surround(p *places, o *Options, site Site) {
	c.Settings = p.settings(cmp.Or(o.claudeAdmin, agent.ClaudeAdmin(runtime.GOOS)))
	c.state = p.State
	c.World.Guard, c.World.Log = allJudged(p.guarded()), Judged(c.Log)
	if p.State != "" && p.State != below(p.Home, ".local/state/longline") {
		c.World.Secrets = []string{Judged(p.State)} // which the built-in rules do not know
	}
	c.World.Settings = allJudged(append(p.movedSettings(o.Env), c.Settings.User))
	c.World.Hooks = allJudged(p.runByClient(&c.Settings, site.Project))
	isThere := func(path string) bool {
		return strings.HasSuffix(filepath.ToSlash(path), "/"+LocalSettings) && c.Settings.text(path) != nil
	}
	if o.Pinned != nil && p.State != "" && slices.ContainsFunc(c.Settings.Project, isThere) {
		for line := range strings.Lines(o.Pinned(p.State, p.site.Project, LocalSettings)) {
			c.Settings.confirmed = append(c.Settings.confirmed, strings.TrimSuffix(line, "\n"))
		}
	}
	c.World.Also = append(c.World.Also, allJudged(append(c.Settings.directories(p.Home, site.Project), o.Also...))...)
}

// merge makes one policy of all files. What does not fit loses its say, but for what it
// forbids.
func (c *Config) merge(packs *policy.File, project []*policy.File, user *policy.File, above []*policy.File) (*policy.Set, error) {
	set, notices, err := policy.Merge(packs, project, user, above)
	if err != nil && distrusted(project) {
		// A trusted file may speak of a rule that is gone.
		c.distrust("the rules contradict each other", err)
		set, notices, err = policy.Merge(packs, project, user, above)
	}
	if b := c.Bundle; err != nil && b != nil && !b.File.Expired {
		// So may a bundle that was made for another longline.
		b.File.Expired, b.Lost = true, "this longline does not support it: "+err.Error()
		set, notices, err = policy.Merge(packs, project, user, above)
	}
	c.Guard.Policy, c.Notices = set, brief(notices)
	return set, err
}

// tells says how it is found out whether secrets stand in a file.
func (c *Config) tells() {
	c.World.ReadSecret, c.World.Tells = c.World.ReadFile, guard.Tells
}

// hold has the rules say which files are protected and may be read.
func (c *Config) hold() {
	w := c.World
	w.Protected = func(path string) bool { return c.Guard.Policy.Protected(c.World, path) }
	read := w.ReadSecret
	w.ReadFile = func(path string) ([]byte, error) {
		text, err := read(path)
		if err != nil {
			return nil, err // nearly always it is not there, or a directory
		}
		if !c.Guard.Policy.Readable(c.World, path) {
			return nil, errUnreadable
		}
		return text, nil
	}
}

// Reading is the configuration for calls that only read while a rules file is
// broken: the built-in rules and nothing else.
func Reading(o Options) (*Config, error) {
	p := placesOf(o)
	c := &Config{Dir: o.Dir, World: World(o.Env, p.site, cmp.Or(p.Home, o.Env.path("HOME")))}
	c.Guard.Library = command.Builtin()
	packs, err := policy.BuiltinFile()
	if err != nil {
		return nil, err
	}
	c.Guard.Policy, _, err = policy.Merge(packs, nil, nil, nil)
	c.World.Guard = allJudged(p.guarded())
	c.tells()
	c.hold()
	return c, err
}

// Evaluating is the configuration with one rules file and nothing else: what the
// file does not mention passes.
func Evaluating(o Options, file *policy.File) (*Config, error) {
	c, err := Reading(o)
	if err != nil {
		return nil, err
	}
	alone := *file
	alone.Default, alone.HasDefault = tool.Pass, true
	c.Guard.Limit = o.limit()
	c.Guard.Policy, _, err = policy.Merge(nil, nil, &alone, nil)
	return c, err
}

// With is the same configuration with one more rules file of the user, to see
// what it would change.
func (c *Config) With(file *policy.File) (*Config, error) {
	return c.of(append(slices.Clone(c.Files), Layered{policy.User, file}))
}

// Without is the same configuration without some of its files.
func (c *Config) Without(names ...string) (*Config, error) {
	return c.of(slices.DeleteFunc(slices.Clone(c.Files), func(f Layered) bool { return slices.Contains(names, f.File.Name) }))
}

// of is the same configuration with other files.
func (c *Config) of(files []Layered) (*Config, error) {
	layers := map[policy.Layer][]*policy.File{}
	for _, f := range files {
		layers[f.Layer] = append(layers[f.Layer], f.File)
	}
	packs, err := policy.BuiltinFile()
	if err != nil {
		return nil, err
	}
	more, w := *c, *c.World
	more.World, more.Files = &w, files
	more.hold() // by its own rules
	more.Guard.Policy, more.Notices, err = policy.Merge(packs, layers[policy.Project], Joined(layers[policy.User]), append(layers[policy.Bundle], layers[policy.Managed]...))
	if err == nil {
		more.wallsOn()
	}
	return &more, err
}

// distrusted takes the trust from a project's files, and says whether there was
// any: without it they cannot be the reason why nothing works.
func distrusted(project []*policy.File) bool {
	any := false
	for _, f := range project {
		any, f.Trusted = any || f.Trusted, false
	}
	return any
}

// brief makes one line of what is said about a project that is not trusted: it
// comes with every question, and "longline trust" shows the whole.
func brief(notices []string) []string {
	var list []string
	first, more := "", 0
	for _, n := range notices {
		n = policy.Visible(n) // it names files, whose names a project has chosen
		what, ignored := strings.CutSuffix(n, policy.Untrusted)
		switch {
		case !ignored:
			list = append(list, n)
		case first == "":
			first = what
		default:
			more++
		}
	}
	if first != "" {
		if more > 0 {
			first += " (and " + strconv.Itoa(more) + " more)"
		}
		list = append(list, first+policy.Untrusted+`; "longline trust" shows all of it`)
	}
	return list
}

// Trouble is why every call asks, if it does: a file that is broken.
func (c *Config) Trouble() string { return c.trouble }

func (c *Config) add(layer policy.Layer, files []*policy.File) {
	for _, f := range files {
		c.Files = append(c.Files, Layered{layer, f})
	}
}

func (c *Config) distrust(what string, err error) {
	if err != nil {
		c.trouble = strings.TrimPrefix(c.trouble+"; "+what+": "+err.Error(), "; ")
	}
}

// doubt is distrust, but for rules that only have to be compiled first: that is an error.
func (c *Config) doubt(what string, err error) error {
	if errors.Is(err, ErrNotCompiled) {
		return err
	}
	c.distrust(what, err)
	return nil
}

// Joined makes one file of the user's files: rules are appended in order, and
// the last value of a setting counts.
func Joined(files []*policy.File) *policy.File {
	if len(files) == 0 {
		return nil
	}
	all := *files[0]
	for _, f := range files[1:] {
		if f.HasDefault {
			all.Default, all.HasDefault = f.Default, true
		}
		all.Safety = max(all.Safety, f.Safety)
		all.OnAllowPass = all.OnAllowPass || f.OnAllowPass
		all.NoBuiltin = all.NoBuiltin || f.NoBuiltin
		if f.LogPath != "" {
			all.LogPath = f.LogPath
		}
		if f.Sandbox.Dir != "" {
			all.Sandbox = f.Sandbox
		}
		if f.Content.Given {
			all.Content = f.Content
		}
		if f.Undo.Given {
			all.Undo = f.Undo
		}
		all.LogContent = max(all.LogContent, f.LogContent)
		all.LogKeep = cmp.Or(f.LogKeep, all.LogKeep)
		if f.Walls.Said {
			all.Walls.Said, all.Walls.On = true, f.Walls.On
		}
		all.Walls.Write = append(all.Walls.Write, f.Walls.Write...)
		all.Walls.Sockets = append(all.Walls.Sockets, f.Walls.Sockets...)
		all.Walls.Hosts = append(all.Walls.Hosts, f.Walls.Hosts...)
		all.Walls.Env = append(all.Walls.Env, f.Walls.Env...)
		all.Append(f)
	}
	return &all
}
