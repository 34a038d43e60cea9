package command

import (
	"slices"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
	"longline/internal/value"
)

// variable judges a variable given to a program, by its name and the shape of
// its value.
func (r *reader) variable(a Assign) {
	if e := r.ownVariable(a.Name); e != nil && e.Uses[0].Name != "option" {
		r.applyEnv(e, a)
		return
	}
	named := r.lib.named(a.Name)
	if named.use != nil {
		r.applyEnv(named.use, a)
		return
	}
	v := a.Value
	if isExactly(v, "") {
		return
	}
	doubt := named.doubt(v)
	switch {
	case doubt != "":
		r.gap("the variable "+quote(a.Name)+" "+doubt, v.Span)
	case r.scope.clears && namesPlace(a.Name):
		r.treeUse(tool.Write, v) // where what is cleared may be
	case namesPlace(a.Name) && looksLikePlace(v):
		r.madeIn(tool.Create, v)
	}
}

// doubt is what a variable that no model lists may do with a value, if that matters.
func (n naming) doubt(v Word) string {
	switch {
	case n.more:
		return "may change what the program does"
	case n.source && (!v.IsKnown() || remote(v.Text)):
		return "may say where packages or programs come from"
	case looksLikeCode(v.Text):
		return "holds what a shell would run"
	}
	return ""
}

// madeIn adds a place that is not said to be one, but looks like it. The directory that a
// program works in anyway, and those above it, are no place of their own.
func (d *deeds) madeIn(kind tool.Kind, w Word) {
	if e, ok := d.makes(kind, w); ok && !paths.Within(d.dir.Text, e.Target) && !paths.Within(d.world.Project, e.Target) {
		d.effect(e)
	}
}

// namesPlace says whether a variable that no model lists has a name of the kind that says
// where a program keeps what it makes.
func namesPlace(name string) bool {
	return nameHas(strings.ToLower(name), "cache dir directory folder store tmp temp output out build dist target log logfile logs report reports results artifacts coverage trace dump history")
}

// harmless says whether a variable that a program sets for itself and for what it
// starts carries nothing but text.
func (r *reader) harmless(name string, v Word, known bool) bool {
	if r.ownVariable(name) != nil {
		return false
	}
	named := r.lib.named(name)
	if named.use != nil {
		return !slices.ContainsFunc(named.use.Uses, func(u Use) bool { return u.Name != "text" && u.Name != "secret" })
	}
	return !named.more && !(known && looksLikeCode(v.Text))
}

// looksLikeCode says whether a value is written for a program that hands it to
// a shell: a substitution, or the body of a function.
func looksLikeCode(value string) bool {
	return strings.Contains(value, "$(") || strings.Contains(value, "`") || strings.Contains(value, "() {")
}

// envUse finds a variable in a list, where names may be globs.
func envUse(list []EnvUse, name string) *EnvUse {
	for i := range list {
		if list[i].Name == name || matchesGlob(list[i].Name, name) {
			return &list[i]
		}
	}
	return nil
}

func (r *reader) applyEnv(e *EnvUse, a Assign) {
	v := a.Value
	if isExactly(v, "") && e.Uses[0].Name != "gap" {
		return // as good as not set
	}
	for _, u := range e.Uses {
		switch u.Name {
		case "text": // a locale or a kind of terminal that there is not is named in messages
			if v.Taint&FromSecret != 0 && !SecretName(a.Name) {
				r.control("env.secret", v.Span)
			}
		case "flags": // [moreFlags] has read them
		case "gap":
			r.gap("the variable "+quote(a.Name)+" may change what the program does", v.Span)
		case "code":
			r.execute("env:"+a.Name, v.Span)
		case "code-path":
			r.codePath(a)
		case "program-path":
			r.programPath(a)
		case "values":
			if !allMatch(v, u.Arg) {
				r.execute("env:"+a.Name, v.Span)
			}
		case "hook":
			r.hook("env:"+a.Name, v)
		default:
			r.use(u, v, false)
		}
	}
}

// codePath is a list of places that code is taken from.
func (d *deeds) codePath(a Assign) {
	whose := "env:"
	if d.listInProject(a.Value) {
		whose = "project:"
	}
	d.execute(whose+a.Name, a.Value.Span)
}

// programPath is where programs are looked for: besides the places that it was before,
// those in which the system's and the user's own programs are add nothing, and those in
// which package managers put a project's programs make them the project's. What is
// elsewhere can be anything.
func (d *deeds) programPath(a Assign) {
	text, ok := a.Value.Search()
	project := false
	for dir := range strings.SplitSeq(text, ":") {
		if dir == value.Inherited || d.hasPrograms(dir) {
			continue
		}
		if d.hasProjectPrograms(dir, a.Value.Span) {
			project = true
		} else {
			ok = false
		}
	}
	switch {
	case !ok:
		d.execute("env:"+a.Name, a.Value.Span)
	case project:
		d.execute("project:"+a.Name, a.Value.Span)
	}
}

// isPlainDir says whether a directory of a search path is written as an absolute path and
// nothing else.
func isPlainDir(dir string) bool {
	return strings.HasPrefix(dir, "/") && !paths.Climbs(dir) && !strings.Contains(dir, value.Inherited)
}

// hasPrograms says whether the programs in a directory are the system's or the user's own.
func (s *surroundings) hasPrograms(dir string) bool {
	bare := strings.TrimRight(dir, "/")
	return isPlainDir(dir) && (InStandardDir(bare) || s.usersDir(bare) || dir == "/usr/local/go/bin")
}

// hasProjectPrograms says whether a package manager puts the project's programs into a
// directory.
func (s *surroundings) hasProjectPrograms(dir string, span tool.Span) bool {
	return isPlainDir(dir) && inProjectDir(dir) && s.inProject(s.path(tool.Read, Known(dir, span)))
}

// listInProject says whether every part of a list of places to take code from
// lies in the project, which is whose code runs anyway.
func (s *surroundings) listInProject(v Word) bool {
	if !v.IsKnown() {
		return false
	}
	for part := range strings.SplitSeq(v.Text, ":") {
		if !s.inProject(s.path(tool.Read, Known(part, v.Span))) {
			return false
		}
	}
	return true
}

// allMatch says whether every word of a known value is allowed by the patterns,
// which are separated by bars. The first that matches decides; "!" refuses.
func allMatch(v Word, patterns string) bool {
	text, ok := v.Form() // a mark for a number is like nothing but a star
	if !ok {
		return false
	}
	for word := range strings.FieldsSeq(text) {
		ok := false
		for p := range strings.SplitSeq(patterns, "|") {
			p, refuse := strings.CutPrefix(p, "!")
			if paths.Stars(p, word) {
				ok = !refuse
				break
			}
		}
		if !ok {
			return false
		}
	}
	return true
}

// carriesMore says whether a variable that no model lists has a name of the
// kind that carries code, options, programs, or places to take them from.
func carriesMore(name string) bool {
	for _, part := range [...]string{"PRELOAD", "PATH", "OPTIONS", "OPTS", "FLAGS", "COMMAND", "_CMD", "PAGER", "EDITOR", "SHELL", "WRAPPER", "ASKPASS", "CONFIG", "PROXY", "STARTUP", "_ENV_FILE", "BROWSER", "HOOK", "EXEC", "_HOME", "_ROOT", "LIBRARY", "PLUGIN", "RUNNER", "LAUNCHER", "COMPILER", "BASH_", "PROMPT", "GIT_", "LD_", "DYLD_", "INIT"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return name == "ENV" || name == "IFS" || name == "PS4" || strings.HasPrefix(name, "LONGLINE")
}

// namesSource says whether a variable that no model lists has a name of the kind that
// says where a program fetches packages or other programs.
func namesSource(name string) bool {
	name = strings.ToUpper(name)
	for _, part := range [...]string{"REGISTR", "MIRROR", "INDEX", "REPO", "CDN", "DIST", "DOWNLOAD", "INSTALL", "BINARY", "STORAGE_BASE", "HOSTED", "SUBSTITUTER"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// remote says whether a value is an address on another machine.
func remote(text string) bool {
	_, rest, ok := strings.Cut(text, "://")
	at, _, _ := strings.Cut(rest, "/")
	return ok && !loopback(at)
}

// naming is what the name of a variable says, whichever program gets it.
type naming struct {
	use    *EnvUse // nil if no model lists it
	more   bool    // as of [carriesMore]
	source bool    // as of [namesSource]
}

// maxNamings bounds the names of variables that are kept. A command gets fewer.
const maxNamings = 256

// named looks at the name of a variable. Every command of a script gets those that
// were exported before it, so what was found is kept.
func (l *Library) named(name string) naming {
	n, ok := l.names[name]
	if ok {
		return n
	}
	if n.use = l.Variables.find(name); n.use == nil {
		n.more, n.source = carriesMore(name), namesSource(name)
	}
	if l.names == nil || len(l.names) >= maxNamings {
		l.names = map[string]naming{}
	}
	l.names[name] = n
	return n
}

// InStandardDir reports whether an absolute path to a program in a directory is
// the program of that name. Those of macOS are scattered below /System/Library,
// which is sealed; /System/Volumes, beside it, is not.
func InStandardDir(dir string) bool {
	switch dir {
	case "/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin", "/opt/local/bin", "/snap/bin",
		"/usr/pkg/bin", "/run/current-system/sw/bin", "/data/data/com.termux/files/usr/bin":
		return true
	case "/usr/libexec", "/usr/libexec/ApplicationFirewall", "/Library/Developer/CommandLineTools/usr/bin",
		"/Applications/Xcode.app/Contents/Developer/usr/bin",
		"/Applications/Xcode.app/Contents/Developer/Toolchains/XcodeDefault.xctoolchain/usr/bin":
		return true
	}
	return strings.HasPrefix(dir, "/System/Library/") && !strings.Contains(dir, "/..")
}

// usersDir says whether a directory is one in which the programs of this user are: as a
// rule the search path begins with it, so that a program there is the one that its name
// alone would find. Only the user puts something there.
func (s *surroundings) usersDir(dir string) bool {
	if rest, ok := strings.CutPrefix(dir, "/opt/conda/"); ok {
		return rest == "bin" || paths.Stars("envs/*/bin", rest) && strings.Count(rest, "/") == 2
	}
	rest, ok := strings.CutPrefix(dir, s.world.Home+"/")
	if s.world.Home == "" || !ok || paths.Within(dir, s.world.Project) {
		return false
	}
	switch rest {
	case "bin", ".local/bin", "go/bin", ".cargo/bin", ".bun/bin", ".deno/bin", ".volta/bin", ".pyenv/shims", ".rbenv/shims", ".asdf/shims", ".local/share/mise/shims",
		".npm-global/bin", ".krew/bin", ".dotnet", ".dotnet/tools", "miniconda3/bin", "anaconda3/bin", "miniforge3/bin", ".nix-profile/bin", ".linkerd2/bin", ".composer/vendor/bin":
		return true
	}
	return paths.Stars(".nvm/versions/node/*/bin", rest) && strings.Count(rest, "/") == 4
}

// projectDirs are where package managers put a project's own copies of
// programs: their code comes from the project's dependencies.
func inProjectDir(dir string) bool {
	for _, d := range [...]string{"node_modules/.bin", ".venv/bin", "venv/bin", "vendor/bin"} {
		if dir == d || strings.HasSuffix(dir, "/"+d) {
			return true
		}
	}
	return false
}
