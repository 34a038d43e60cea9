//go:build (linux && (amd64 || arm64)) || darwin

package wall

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Where nothing can lie over the user's caches, tools are told of another place for them. What they need not fetch again
// is there as links.

// placed are the variables that tell them, and what of the place each names.
var placed = []struct{ name, at string }{
	{"XDG_CACHE_HOME", ""},
	{"GOCACHE", "/go-build"},
	{"GOMODCACHE", "/go-mod"},
	{"CARGO_HOME", "/cargo"},
	{"GRADLE_USER_HOME", "/gradle"},
	{"NUGET_PACKAGES", "/nuget"},
	{"npm_config_cache", "/npm"},
	{"YARN_GLOBAL_FOLDER", "/yarn"},
	{"YARN_CACHE_FOLDER", "/yarn-cache"},
	{"PIP_CACHE_DIR", "/pip"},
	{"DENO_DIR", "/deno"},
}

// plain is a directory for caches where nothing can lie over the user's, "" if there is none.
func (o *Overlay) plain() string {
	dir := o.part + "/plain"
	if o.part == "" || os.MkdirAll(dir, 0o700) != nil {
		return ""
	}
	return dir
}

// environ is the environment of a program that is told.
func (p *Plan) environ() []string {
	own := p.Overlay.plain()
	if own == "" {
		return p.Env
	}
	set := map[string]string{}
	for _, v := range placed {
		set[v.name] = own + v.at
	}
	mods := cmp.Or(valueOf(p.Env, "GOMODCACHE"), cmp.Or(valueOf(p.Env, "GOPATH"), p.Home+"/go")+"/pkg/mod")
	linked(mods+"/cache/download", own+"/go-mod/cache/download")
	set["GRADLE_RO_DEP_CACHE"] = cmp.Or(valueOf(p.Env, "GRADLE_USER_HOME"), p.Home+"/.gradle") + "/caches"
	set["MAVEN_OPTS"] = strings.TrimSpace(valueOf(p.Env, "MAVEN_OPTS") + " -Dmaven.repo.local=" + own + "/m2")
	cargo := cmp.Or(valueOf(p.Env, "CARGO_HOME"), p.Home+"/.cargo")
	for _, name := range []string{"config", "config.toml", "bin", "env", "registry/index", "registry/cache", "git/db"} {
		linked(cargo+"/"+name, own+"/cargo/"+name)
	}
	linked(p.Home+"/.m2/repository", own+"/m2")
	var env []string
	for _, line := range p.Env {
		if name, _, _ := strings.Cut(line, "="); set[name] == "" {
			env = append(env, line)
		}
	}
	for name, value := range set {
		env = append(env, name+"="+value)
	}
	return env
}

// linked makes a directory that has links to the files of another one, or a link to a file, once.
func linked(from, to string) {
	if _, err := os.Lstat(to); err == nil || os.MkdirAll(filepath.Dir(to), 0o700) != nil {
		return
	}
	_ = filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		at := to + strings.TrimPrefix(path, from)
		switch {
		case err != nil:
			return fs.SkipDir
		case d.IsDir():
			_ = os.Mkdir(at, 0o700)
		case strings.HasSuffix(at, ".lock") || d.Name() == "list": // which are written again
		default:
			_ = os.Symlink(path, at)
		}
		return nil
	})
}
