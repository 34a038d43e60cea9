package wall

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"longline/internal/command"
	"longline/internal/gitstore"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/tool"
)

// Settings is what rules say about walls.
type Settings struct {
	Write   []string // more places that can be written
	Sockets []string // unix sockets of others
	Hosts   []string // other machines
	Keep    []string // variables that stay although they are named like secrets
	Network bool
	Keeps   bool   // it only keeps what configures agents and longline: git brings files, and does all else as without a wall
	Hides   bool   // it hides the secrets of the project too
	Private string // a directory of the project's own for what tools keep in caches; "" for none
	State   string // what longline itself remembers, "" for nothing
}

// protecting are the zones that stay as they are inside the project.
var protecting = policy.ZoneSet(0).With(policy.ZoneAgent).With(policy.ZoneGuard).With(policy.ZoneStartup).With(policy.ZoneInstructions)

var (
	secrets   = policy.ZoneSet(0).With(policy.ZoneSecrets)
	agentOnly = policy.ZoneSet(0).With(policy.ZoneAgent).With(policy.ZoneGuard)
	building  = policy.ZoneSet(0).With(policy.ZoneBuild)
)

// temporary are the directories for temporary files. They are fixed: a variable such
// as TMPDIR is in the hands of the project.
var temporary = []string{"/tmp", "/var/tmp"}

// For plans a wall for programs that run in dir.
func For(set *policy.Set, w *tool.World, dir string, env []string, s Settings) *Plan {
	g := set.Ground(w)
	p := &Plan{Dir: dir, Home: real(w.Home), Projects: g.Projects(), Network: s.Network || s.Keeps, Keeps: s.Keeps, Hides: s.Hides, Hosts: s.Hosts}
	p.rules(g)
	for _, tmp := range temporary {
		p.open(real(tmp))
	}
	project := ""
	if len(p.Projects) > 0 {
		project = real(p.Projects[len(p.Projects)-1])
	}
	for _, home := range g.Homes() {
		p.keep(real(home)) // also one among temporary files
	}
	p.open(project)
	if p.Keeps {
		p.open(p.Home)
	}
	p.openNamed(s, w.Home, project)
	for _, own := range w.Guard {
		if own = real(own); own != project {
			p.keep(own)
		}
	}
	if project != "" {
		p.protectFrom(g, project, real(dir))
	}
	p.coverOne(s.State)
	if p.Keeps {
		p.Env = env
		return p
	}
	if project != "" {
		p.overlay(project, s.Private, env)
	}
	p.hide(g, project)
	p.environment(env, s.Keep)
	return p
}

// openNamed opens what the settings name.
func (p *Plan) openNamed(s Settings, home, project string) {
	for _, path := range s.Write {
		if path = real(expand(path, home, project)); path != "/" && path != p.Home {
			p.open(path)
		}
	}
	for _, path := range s.Sockets {
		p.Sockets = append(p.Sockets, expand(path, home, project))
	}
}

// open opens a path that is there.
func (p *Plan) open(path string) {
	if path != "" {
		p.add(path, Open)
	}
}

// keep closes a path that is there and would be open.
func (p *Plan) keep(path string) {
	if path != "" && p.kindOf(path) == Open {
		p.add(path, Closed)
	}
}

// protectFrom closes what must stay as it is in the project and in the directories on the
// way to the one that the program runs in.
func (p *Plan) protectFrom(g *policy.Ground, project, dir string) {
	p.protect(g, project, 0)
	if paths.Within(dir, project) {
		for ; dir != project; dir = filepath.Dir(dir) {
			p.protect(g, dir, 0)
		}
	}
}

// toolCaches are where tools keep what they have fetched and made, in the home directory. Settings, and
// programs that a shell finds, are not among them.
var toolCaches = strings.Fields(".cache .android .bun/install/cache .bundle/cache .cabal/packages .cabal/store .cargo/git .cargo/registry .composer/cache " +
	".config/configstore .cpan .dotnet .elm .gem .gradle .hex .ipython .ivy2/cache .jupyter .julia .konan .local/share .local/state/* .m2/repository .matplotlib .mix " +
	".node-gyp .npm .nuget/packages .nv .pnpm-store .pub-cache .sbt .stack .swiftpm .terraform.d/plugin-cache .yarn go/pkg")

// firstCaches are those that the first use of a program makes. A new home directory has none, and what is not there cannot be
// covered; so they are made, with nothing in them, where there is such a program.
var firstCaches = []struct{ program, caches string }{
	{"", ".cache .local/share"},
	{"go", "go/pkg"},
	{"cargo", ".cargo/git .cargo/registry"},
	{"mvn", ".m2/repository"},
	{"npm", ".npm"},
	{"gradle", ".gradle"},
	{"dotnet", ".dotnet .nuget/packages"},
	{"bundle", ".bundle/cache"},
	{"composer", ".composer/cache"},
}

// makeCaches makes the first caches of programs that are there.
func (p *Plan) makeCaches(path string) {
	for _, f := range firstCaches {
		for cache := range strings.FieldsSeq(f.caches) {
			at := p.Home + "/" + cache
			if _, err := os.Lstat(at); !os.IsNotExist(err) || p.kindOf(at) != Closed || f.program != "" && !isThere(f.program, path) {
				continue
			}
			_ = os.MkdirAll(at, 0o755) // without it the program fails, and says so
		}
	}
}

// cacheVariables say where a tool keeps them instead, and what of that is a cache. What is in a cache behind a wall is the project's
// own in any case, so that it may say so.
var cacheVariables = strings.Fields("XDG_CACHE_HOME GOCACHE GOMODCACHE GOPATH/pkg CARGO_HOME/git CARGO_HOME/registry npm_config_cache PIP_CACHE_DIR UV_CACHE_DIR " +
	"GRADLE_USER_HOME NUGET_PACKAGES COMPOSER_CACHE_DIR PLAYWRIGHT_BROWSERS_PATH")

// ownCaches are the places that variables name.
func ownCaches(env []string) (list []string) {
	for _, cache := range cacheVariables {
		name, below, _ := strings.Cut(cache, "/")
		at := valueOf(env, name)
		if first, _, several := strings.Cut(at, ":"); several {
			at = first
		}
		if at = filepath.Join(at, below); filepath.IsAbs(at) && !slices.ContainsFunc([]string{"/dev", "/proc", "/sys", "/run"}, func(dir string) bool { return paths.Within(at, dir) }) {
			list = append(list, at)
		}
	}
	return list
}

// valueOf is the value of a variable.
func valueOf(env []string, name string) string {
	for _, line := range env {
		if value, ok := strings.CutPrefix(line, name+"="); ok {
			return value
		}
	}
	return ""
}

// isThere says whether there is a program of a name on a search path.
func isThere(name, path string) bool {
	return slices.ContainsFunc(filepath.SplitList(path), func(dir string) bool {
		info, err := os.Stat(dir + "/" + name)
		return err == nil && info.Mode().IsRegular()
	})
}

// maxCaches is how many caches there can be: the jumps of the list of steps are short.
const maxCaches = 64

// overlay puts the project's own caches over the user's.
func (p *Plan) overlay(project, own string, env []string) {
	if p.Home == "" || own == "" {
		return
	}
	if runtime.GOOS == "darwin" { // nothing can lie over a directory there
		if private(own) {
			p.Overlay.Private = real(own)
			p.add(p.Overlay.Private, Open)
		}
		return
	}
	p.makeCaches(valueOf(env, "PATH"))
	add := func(path string) {
		path = real(path)
		if info, err := os.Stat(path); err != nil || !info.IsDir() || p.kindOf(path) != Closed || paths.Within(project, path) || paths.Within(own, path) || p.Overlay.apart(path) || len(p.Overlay.Paths) >= maxCaches {
			return
		}
		p.Overlay.Paths = append(p.Overlay.Paths, path)
	}
	for _, cache := range toolCaches {
		path := p.Home + "/" + cache
		if path, all := strings.CutSuffix(path, "/*"); all {
			for _, name := range p.names(path) {
				add(path + "/" + name)
			}
			continue
		}
		add(path)
	}
	for _, path := range ownCaches(env) {
		add(path)
	}
	switch {
	case p.Overlay.Paths == nil:
	case !private(own):
		p.Overlay.Paths = nil
	default:
		p.Overlay.Private = real(own)
		p.add(p.Overlay.Private, Open)
		if !mountedBelow(p.Home) {
			p.Overlay.whole = p.Home
		}
	}
}

// mountedBelow says whether something is mounted below a directory: of such a one no overlay can be made.
func mountedBelow(dir string) bool {
	text, err := os.ReadFile("/proc/self/mountinfo")
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) < 5 || f[4] != dir && paths.Within(f[4], dir) {
			return true
		}
	}
	return err != nil
}

// private makes the directory that holds what is written to an overlay.
func private(dir string) bool {
	if os.MkdirAll(dir, 0o700) != nil {
		return false
	}
	// When it was last used says how long it is kept.
	if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > time.Hour {
		now := time.Now()
		_ = os.Chtimes(dir, now, now)
	}
	return true
}

// inside reports whether a path is in one of the projects.
func (p *Plan) inside(path string) bool {
	return slices.ContainsFunc(p.Projects, func(project string) bool { return paths.Within(path, project) })
}

// maxSlow is how many names are not worth to be told quickly.
const maxSlow = 200

// rules puts the zones into functions of names.
func (p *Plan) rules(g *policy.Ground) {
	p.members = g.Members
	// Where many names are asked about, most are told quickly.
	asked, quickly := 0, (func(string) bool)(nil)
	special := func(path string) bool {
		if asked++; asked < maxSlow {
			return true
		}
		if quickly == nil {
			quickly = p.special(g)
		}
		return quickly(path)
	}
	kept := protecting
	if p.Keeps {
		kept = agentOnly
	}
	p.Guarded = func(path string) bool {
		if !special(path) || !p.inside(path) || !g.In(path, kept) {
			return false
		}
		// What a build makes may look like anything, but no agent and no git
		// shall be led by it.
		return g.In(path, agentOnly) || !g.In(path, building) || strings.Contains(path, "/.git/")
	}
	p.Leading = func(path string) bool {
		return special(path) && p.inside(path) && g.Leads(path, kept)
	}
	p.Loose = func(path string) bool {
		return !p.inside(path) || g.In(path, building)
	}
	p.Secret = func(path string) bool {
		return !p.Keeps && (p.hidesOwn() || !p.inside(path)) && g.In(path, secrets)
	}
}

// maxEntries bounds how much of a directory is looked at.
var maxEntries = 1 << 16

// protect closes what is there in a directory and must stay as it is.
func (p *Plan) protect(g *policy.Ground, dir string, depth int) {
	for _, name := range p.whole(dir) {
		path := dir + "/" + name
		switch {
		case p.Guarded(path):
			if to := real(path); to == path || to != "" && p.kindOf(to) == Open {
				p.add(to, Closed) // a link cannot be covered, what it leads to can
			}
		case depth < 4 && p.Leading(path):
			p.protectLeading(g, path, depth)
		}
	}
}

// protectLeading keeps in its place what leads to something that must stay as it is.
func (p *Plan) protectLeading(g *policy.Ground, path string, depth int) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
	case info.IsDir():
		p.add(path, Fixed)
		p.protect(g, path, depth+1)
	case info.Mode().IsRegular():
		p.add(path, Closed) // .git of a worktree
	}
}

// names lists a directory, sorted. Each is read once.
func (p *Plan) names(dir string) []string {
	if list, ok := p.listed[dir]; ok {
		return list
	}
	list := readNames(dir)
	slices.Sort(list)
	if p.listed == nil {
		p.listed = map[string][]string{}
	}
	p.listed[dir] = list
	return list
}

// whole lists a directory of which all must be seen: there is no wall if it has more than is looked at.
func (p *Plan) whole(dir string) []string {
	list := p.names(dir)
	if len(list) >= maxEntries {
		p.unseen = dir
	}
	return list
}

func (p *Plan) has(dir, name string) bool {
	_, found := slices.BinarySearch(p.whole(dir), name)
	return found
}

// hide covers the secrets that are there.
func (p *Plan) hide(g *policy.Ground, project string) {
	homes := []string{p.Home}
	if os.Getuid() == 0 {
		homes = append(homes, p.otherHomes()...) // which root can read as well
	}
	for _, member := range g.Members(policy.ZoneSecrets) {
		p.hideMember(member, homes)
	}
	// Names that are secret wherever they stand are looked for where they usually
	// do: in the home directory, and in what lies beside the project.
	secret := paths.NamesOf(g.Members(policy.ZoneSecrets))
	for _, dir := range p.around(project) {
		for _, name := range p.names(dir) {
			if path := dir + "/" + name; (secret.May(name) || g.Called(name)) && p.Secret(path) && !paths.Within(project, path) {
				p.coverOne(path)
			}
		}
	}
	if p.hidesOwn() && project != "" {
		p.hideUntracked(project)
	}
}

// hideMember covers what a member of the zone stands for, unless it may stand anywhere.
func (p *Plan) hideMember(member string, homes []string) {
	switch {
	case strings.HasPrefix(member, "/proc/"): // the kernel keeps these from other namespaces
	case member[0] == '/':
		p.cover("", member[1:])
	case member[0] == '~':
		for _, home := range homes {
			if home != "" {
				p.cover(home, strings.TrimPrefix(member[1:], "/"))
			}
		}
	}
}

// around are the home directory, the one that the project is in, and what lies in them. Programs
// keep their settings one level further down in ~/.config.
func (p *Plan) around(project string) (list []string) {
	var roots []string
	if p.Home != "" {
		roots = append(roots, p.Home, p.Home+"/.config", p.Home+"/.local/share")
	}
	// A directory that many things lie in says nothing about the project.
	if beside := filepath.Dir(project); project != "" && !slices.Contains(append([]string{p.Home, "/"}, temporary...), beside) {
		roots = append(roots, beside)
	}
	for _, dir := range roots {
		list = append(list, dir)
		for _, name := range p.whole(dir) {
			if path := dir + "/" + name; path != project && !slices.Contains(roots, path) {
				list = append(list, path)
			}
		}
	}
	return list
}

// special says quickly of most paths that they neither are in one of the protecting zones nor lead there: a path that
// does has one of the names that a member begins with, or of those that a path of the machine has behind the project.
func (p *Plan) special(g *policy.Ground) func(path string) bool {
	n := &paths.Names{}
	for z := range policy.Zone(32) {
		if !protecting.Has(z) {
			continue
		}
		for _, m := range g.Members(z) {
			switch {
			case strings.HasPrefix(m, "./"):
				first, _, _ := strings.Cut(m[2:], "/")
				n.Add(strings.ToLower(first))
			case m[0] != '/' && m[0] != '~':
				first, _, _ := strings.Cut(m, "/")
				n.Add(strings.ToLower(first))
			default:
				p.behind(m, g.Homes(), func(names []string) {
					n.All = n.All || len(names) == 0
					for _, name := range names {
						n.Add(strings.ToLower(name))
					}
				})
			}
		}
	}
	for _, project := range p.Projects {
		if n.AnyOf(project) { // what is meant may begin above the project
			n.All = true
		}
	}
	return n.AnyOf
}

// behind yields the names that a member of a zone which stands for a path of the machine, or of a home directory, has behind
// the project, if it may lie there. One that may hold the project has none.
func (p *Plan) behind(member string, homes []string, yield func(names []string)) {
	names := strings.Split(strings.Trim(member, "~/"), "/")
	from := func(base, project string) {
		way := strings.FieldsFunc(project[len(base):], func(r rune) bool { return r == '/' })
		for i := range min(len(names), len(way)) {
			if ok, sure := paths.Match(strings.ToLower(names[i]), strings.ToLower(way[i])); sure && !ok {
				return
			}
		}
		yield(names[min(len(names), len(way)):])
	}
	for _, project := range p.Projects {
		if member[0] == '/' {
			from("", project)
			continue
		}
		bases := append([]string{"/root"}, homes...)
		if parts := strings.SplitN(project, "/", 4); len(parts) == 4 && (parts[1] == "home" || parts[1] == "Users") {
			bases = append(bases, strings.TrimSuffix(project, "/"+parts[3]))
		}
		for _, base := range bases {
			if paths.Within(project, base) {
				from(base, project)
			}
		}
	}
}

// hideUntracked covers secrets inside the project, for when the network is open. What git tracks is
// in every clone of it, and tests need it.
func (p *Plan) hideUntracked(project string) {
	found := map[string]bool{}
	p.secretsWithin(project, 0, found)
	if len(found) == 0 {
		return
	}
	tracked := map[string]bool{}
	raw, _ := os.ReadFile(gitDir(project) + "/index")
	_ = gitstore.EachIndexed(raw, func(e gitstore.Indexed) {
		path := project + "/" + e.Name
		for at := path; len(at) > len(project); at = filepath.Dir(at) {
			if found[at] {
				for ; path != at; path = filepath.Dir(path) {
					tracked[path] = true
				}
				tracked[at] = true
			}
		}
	})
	for path := range found {
		p.coverUntracked(path, tracked)
	}
}

// secretsWithin finds what is called like a secret.
func (p *Plan) secretsWithin(dir string, depth int, found map[string]bool) {
	for _, name := range p.whole(dir) {
		path := dir + "/" + name
		if p.Secret(path) {
			found[path] = true
		} else if info, err := os.Lstat(path); err == nil && info.IsDir() && depth < 4 && name != "node_modules" && name != ".git" {
			p.secretsWithin(path, depth+1, found)
		}
	}
}

// coverUntracked covers what is not tracked of a file or a directory. Nothing is made to look
// empty: a test would take that for what it is to work with.
func (p *Plan) coverUntracked(path string, tracked map[string]bool) {
	if !tracked[path] {
		if to := real(path); to != "" && !p.needs(to) {
			p.add(to, Hidden)
		}
		return
	}
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		for _, name := range p.whole(path) {
			p.coverUntracked(path+"/"+name, tracked)
		}
	}
}

// gitDir is where git keeps what belongs to a project or a worktree.
func gitDir(project string) string {
	text, err := os.ReadFile(project + "/.git")
	to, is := strings.CutPrefix(string(text), "gitdir: ")
	if to = strings.TrimSpace(to); err != nil || !is {
		return project + "/.git"
	}
	if !filepath.IsAbs(to) {
		to = project + "/" + to
	}
	return to
}

// otherHomes are the home directories of others.
func (p *Plan) otherHomes() (list []string) {
	for _, name := range append([]string{"../root"}, p.names("/home")...) {
		if path := filepath.Join("/home", name); path != p.Home {
			list = append(list, path)
		}
	}
	return list
}

// cover hides what a member stands for below a directory, as far as it is there. It
// asks for nothing that a directory which was read does not list.
func (p *Plan) cover(dir, rest string) {
	name, rest, more := strings.Cut(rest, "/")
	next := func(name string) {
		if more {
			p.cover(dir+"/"+name, rest)
		} else {
			p.coverOne(dir + "/" + name)
		}
	}
	if paths.Literal(name) {
		if p.has(cmp.Or(dir, "/"), name) {
			next(name)
		}
		return
	}
	for _, have := range p.whole(cmp.Or(dir, "/")) {
		if ok, sure := paths.Match(name, have); ok || !sure {
			next(have)
		}
	}
}

func (p *Plan) coverOne(path string) {
	if path = real(path); path == "" || path == "/" {
		return
	}
	if k := p.kindOf(path); k == Hidden || k == Empty || p.needs(path) {
		return
	}
	kind := Hidden
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && emptied(filepath.Base(path)) {
		kind = Empty
	}
	p.add(path, kind)
}

// needs reports whether nothing would work if a path were hidden. A wall in which nothing
// works protects nobody.
func (p *Plan) needs(path string) bool {
	return slices.ContainsFunc(append([]string{p.Home, p.Dir}, p.Projects...), func(keep string) bool {
		return keep != "" && paths.Within(keep, path)
	})
}

// emptied says whether a file of this name configures a program that would not run
// if it could not read it: npm without .npmrc. Such a file looks empty.
func emptied(name string) bool {
	for _, end := range []string{"rc", ".conf", ".cfg", ".cnf", ".properties", ".toml", ".yml", ".yaml", "config"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// environment takes secrets out.
func (p *Plan) environment(env, keep []string) {
	for _, line := range env {
		name, value, _ := strings.Cut(line, "=")
		if value != "" && command.SecretName(name) && !slices.Contains(keep, name) || isAgentSocket(name) {
			p.Dropped = append(p.Dropped, name)
			continue
		}
		p.Env = append(p.Env, line)
	}
	if !p.reaches() {
		for _, line := range patience {
			name, _, _ := strings.Cut(line, "=")
			if !slices.ContainsFunc(p.Env, func(have string) bool { return strings.HasPrefix(have, name+"=") }) {
				p.Env = append(p.Env, line)
			}
		}
	}
	slices.Sort(p.Dropped)
	p.Dropped = slices.Compact(p.Dropped)
}

// patience has tools give up at once that would ask for another machine again and again.
var patience = strings.Fields("npm_config_fetch_retries=0 PIP_RETRIES=0 CARGO_NET_RETRY=0 UV_HTTP_RETRIES=0")

// isAgentSocket says whether a variable leads to somebody who uses keys for the one
// who asks. The socket is closed; a program that knows of none says so plainly.
func isAgentSocket(name string) bool {
	return name == "SSH_AUTH_SOCK" || name == "GPG_AGENT_INFO"
}

// real returns where a path that is there leads to, or "".
func real(path string) string {
	if path == "" {
		return ""
	}
	// Most paths that are asked for are not there.
	if _, err := os.Lstat(path); err != nil {
		return ""
	}
	to, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	return to
}

// expand reads a path of a rules file.
func expand(path, home, project string) string {
	switch {
	case path == "~":
		return home
	case strings.HasPrefix(path, "~/"):
		return home + path[1:]
	case strings.HasPrefix(path, "./"):
		return cmp.Or(project, "/nonexistent") + path[1:]
	}
	return path
}
