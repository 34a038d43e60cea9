package command

import (
	"errors"
	"io/fs"
	"strings"

	"longline/internal/paths"
	"longline/internal/tool"
)

// A file of settings in the project may say what a program deletes or sends, and where: it comes with the repository, and whoever
// runs the program has not read it.

// settingPrefix begins the targets of effects on what a setting names: its key and the files that may have it follow.
const settingPrefix = "@setting:"

// settled adds the effects on what a setting names, as far as that leads out of the project: what lies in there is the project's affair.
// With "+" in front of the key it counts as well, unless a tag says that it can be made again.
func settled(r *reader, kind tool.Kind, setting string) {
	key, files, _ := strings.Cut(setting, ":")
	key, here := strings.CutPrefix(key, "+")
	for file := range strings.SplitSeq(files, "|") {
		text, ok := r.manifestText(Known(file, r.inv.Span))
		if !ok {
			continue
		}
		for _, value := range settingValues(text, key) {
			if rest, ok := strings.CutPrefix(value, "~/"); ok && r.world.Home != "" {
				value = r.world.Home + "/" + rest
			}
			if e := r.path(kind, Known(value, r.inv.Span)); value != "" && isCertain(e) &&
				(!paths.Within(e.Target, r.world.Project) || here && r.exists(e.Target) && !r.exists(e.Target+"/CACHEDIR.TAG")) {
				e.Tree = true
				r.effect(e)
			}
		}
	}
}

// settingValues are the values of a key in lines "KEY = VALUE" or "KEY: VALUE", in quotes or not, alone or in a list.
func settingValues(text, key string) (list []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		at := strings.Index(line, key)
		if at < 0 || beginsWith("# ;", line) || at > 0 && strings.IndexByte(" {.\"'", line[at-1]) < 0 {
			continue
		}
		rest := strings.TrimLeft(line[at+len(key):], "\"' ")
		if rest == "" || rest[0] != '=' && rest[0] != ':' {
			continue
		}
		for value := range strings.SplitSeq(strings.Trim(rest[1:], "[]{} "), ",") {
			value, _, _ = strings.Cut(value, " #")
			list = append(list, strings.Trim(value, "\"'[]{} "))
		}
	}
	return list
}

// registrySettings are files that may name a registry, and variables whose values it gets with each request.
const registrySettings = ".npmrc .yarnrc.yml bunfig.toml"

// tellsRegistry adds what a registry gets that settings of the project name, besides the request.
func tellsRegistry(r *reader) {
	if r.world.ReadFile == nil || r.inv.Remote || r.world.Project == "" {
		return
	}
	dir := r.path(tool.Read, worksIn(r))
	for _, level := range r.levels {
		for _, name := range level.Loads {
			if !hasWord(registrySettings, name) || !isCertain(dir) || !paths.Within(dir.Target, r.world.Project) {
				continue
			}
			text, err := r.world.ReadFile(dir.Target + "/" + name)
			if err != nil {
				text, err = r.world.ReadFile(r.world.Project + "/" + name)
			}
			if host := toldRegistry(string(text), func(name string) bool { return isSet(&r.deeds, name) }); err == nil && host != "" {
				r.effect(tool.Effect{Kind: tool.Send, Target: host, Reach: tool.Exact, Span: r.inv.Span})
			}
		}
	}
}

// isSet says whether a variable may have a value.
func isSet(d *deeds, name string) bool {
	if d.world.Getenv == nil || d.inv.sets(name) {
		return true
	}
	value, ok := d.world.Getenv(name)
	return ok && value != ""
}

// toldRegistry is the host of a registry, if the settings name one, that gets the value of a variable that is set; "" if there is none.
func toldRegistry(text string, set func(name string) bool) (host string) {
	told := map[string]bool{}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		key, address, found := strings.Cut(line, "://")
		if key = strings.ToLower(key); beginsWith("# ;", line) {
			continue
		}
		if found && holdsOne(key, "registry", "url") && !strings.HasPrefix(key, "@") {
			host = hostOf(address)
		}
		if !holdsOne(strings.ToLower(line), "registry", "token", "auth", "password") || !namesVariable(line, set) {
			continue
		}
		to := "" // any
		if rest, ok := strings.CutPrefix(line, "//"); ok {
			to = hostOf(rest)
		}
		told[to] = true
	}
	if !told[host] && !told[""] {
		return ""
	}
	return host
}

// hostOf is the host that an address begins with, behind its scheme.
func hostOf(address string) string {
	if end := strings.IndexAny(address, "/:\"' "); end >= 0 {
		return address[:end]
	}
	return address
}

// namesVariable says whether a text names a variable of which a function says so, as $NAME or ${NAME}.
func namesVariable(text string, which func(name string) bool) bool {
	for {
		_, rest, ok := strings.Cut(text, "$")
		if !ok {
			return false
		}
		text = strings.TrimPrefix(rest, "{")
		end := 0
		for end < len(text) && isWordByte(text[end]) {
			end++
		}
		if end > 0 && which(text[:end]) {
			return true
		}
	}
}

// loginPrefix begins the targets of effects on settings that a program shows: the files that they
// are in follow, and the variables, each behind a dollar sign.
const loginPrefix = "@logins:"

// showsLogins notes that a login is among the settings that a program shows.
func showsLogins(r *reader, places string) {
	for place := range strings.SplitSeq(places, "|") {
		if name, ok := strings.CutPrefix(place, "$"); ok && mayHoldLogin(r, name) || !ok && fileHoldsLogin(r, place) {
			r.control("secret.print", r.inv.Span)
			return
		}
	}
}

// mayHoldLogin says whether a variable may hold a login.
func mayHoldLogin(r *reader, name string) bool {
	if r.world.Getenv == nil || r.inv.sets(name) {
		return true
	}
	text, _ := r.world.Getenv(name)
	return holdsLogin(text)
}

// fileHoldsLogin says whether a file holds a login, or cannot be looked into.
func fileHoldsLogin(r *reader, file string) bool {
	if rest, ok := strings.CutPrefix(file, "~/"); ok {
		if r.world.Home == "" {
			return true
		}
		file = r.world.Home + "/" + rest
	}
	e := r.path(tool.Read, Known(file, r.inv.Span))
	if e.Reach != tool.Exact || r.world.ReadSecret == nil {
		return true
	}
	data, err := r.world.ReadSecret(e.Target)
	return err == nil && holdsLogin(string(data)) || err != nil && !errors.Is(err, fs.ErrNotExist)
}

// holdsLogin says whether settings hold an address with a name or a token in it, or a value that is
// named like a secret.
func holdsLogin(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if beginsWith("# ;", line) || line == "" {
			continue
		}
		for rest, more := line, true; more; {
			if _, rest, more = strings.Cut(rest, "://"); more {
				host := rest
				if at := strings.IndexAny(rest, "/ \t\"',"); at >= 0 {
					host = rest[:at]
				}
				if strings.Contains(host, "@") || strings.Contains(rest, "/t/") {
					return true
				}
			}
		}
		if at := strings.IndexAny(line, "=:"); at > 0 && SecretName(line[:at]) && strings.Trim(line[at+1:], " \t\"'") != "" {
			return true
		}
	}
	return false
}
