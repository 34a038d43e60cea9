package command

import (
	"strings"

	"longline/internal/tool"
)

// keyKind is what the value of a configuration key of git is.
type keyKind uint8

const (
	keyUnknown keyKind = iota // nothing is known of it: a gap
	keyInert                  // numbers, colours, names: changes what is shown or recorded
	keyScript                 // shell text
	keyPager                  // shell text, or true or false
	keyProgram                // path of a program
	keyRead                   // path of a file that is read as data
	keyAlias                  // a subcommand with arguments, or after "!" shell text
	keyHelper                 // a credential helper: a name, a path, or after "!" shell text
	keyCode                   // code by other ways: hooks, included files
)

// gitKeys says what the value of a key is. The first row that has it decides. What is in no
// row is not known to be inert: git has hundreds of keys, and every release adds some
// that name programs.
var gitKeys = [...]struct {
	sections, names string // names may be "*"
	of              keyScope
	kind            keyKind
}{
	{"advice color column i18n status versionsort stash rerere ssh", "*", anywhere, keyInert},
	{"core", "pager editor sshcommand gitproxy alternaterefscommand", anywhere, keyScript},
	{"core", "fsmonitor", anywhere, keyPager},
	{"core", "askpass", anywhere, keyProgram},
	{"core", "hookspath", anywhere, keyCode},
	{"core", "excludesfile", anywhere, keyRead},
	{"core", "quotepath abbrev autocrlf eol safecrlf filemode ignorecase precomposeunicode longpaths preloadindex commentchar commentstring whitespace untrackedcache compression loosecompression bigfilethreshold checkstat trustctime logallrefupdates warnambiguousrefs fscache packedgitlimit packedgitwindowsize deltabasecachelimit splitindex multipackindex commitgraph checkroundtripencoding filesreflocktimeout packedrefstimeout sparsecheckoutcone createobject fsyncmethod fsync fsyncobjectfiles", anywhere, keyInert},
	{"alias", "*", anywhere, keyAlias},
	{"pager", "*", anywhere, keyPager},
	{"sequence", "*", anywhere, keyScript},
	{"include includeif", "*", anywhere, keyCode},
	{"filter", "required", anywhere, keyInert},
	{"filter", "*", anywhere, keyScript},
	{"credential", "helper", anywhere, keyHelper},
	{"gpg", "program", anywhere, keyProgram},
	{"gpg", "format mintrustlevel", anywhere, keyInert},
	{"gpg", "defaultkeycommand", anywhere, keyScript},
	{"gpg", "allowedsignersfile revocationfile", anywhere, keyRead},
	{"interactive", "difffilter", anywhere, keyScript},
	{"interactive", "*", anywhere, keyInert},
	{"tar trailer man browser difftool mergetool guitool merge diff", "command cmd driver textconv external", anywhere, keyScript},
	{"tar trailer man browser difftool mergetool guitool merge diff", "path", ofOne, keyProgram},
	{"diff", "tool guitool orderfile", anywhere, keyUnknown},
	{"diff trailer", "*", anywhere, keyInert},
	{"merge", "ff conflictstyle renames renamelimit directoryrenames stat log verbosity branchdesc autostash suppressdest verifysignatures name recursive guitool", anywhere, keyInert},
	{"user author committer", "name email signingkey useconfigonly", anywhere, keyInert},
	{"init", "defaultbranch defaultobjectformat", anywhere, keyInert},
	{"init", "*", anywhere, keyCode},
	{"blame", "ignorerevsfile", anywhere, keyRead},
	{"commit", "template", anywhere, keyRead},
	{"showbranch shortlog", "*", ofAll, keyInert},
	{"apply", "ignorewhitespace whitespace", ofAll, keyInert},
	{"blame", "blankboundary coloring date markignoredlines markunblamablelines showemail showroot", ofAll, keyInert},
	{"branch", "autosetupmerge autosetuprebase sort", ofAll, keyInert},
	{"checkout", "defaultremote guess workers thresholdforparallelism", ofAll, keyInert},
	{"commit", "cleanup gpgsign status verbose", ofAll, keyInert},
	{"fetch", "parallel prune output showforcedupdates writecommitgraph negotiationalgorithm fsckobjects unpacklimit", ofAll, keyInert},
	{"format", "pretty signoff subjectprefix numbered coverletter attach thread usewholefilename encodeemailheaders mboxrd noprefix from", ofAll, keyInert},
	{"gc", "auto autodetach autopacklimit writecommitgraph packrefs aggressivedepth aggressivewindow", ofAll, keyInert},
	{"grep", "column extendedregexp fullname linenumber patterntype threads", ofAll, keyInert},
	{"help", "browserless", ofAll, keyInert},
	{"http", "postbuffer lowspeedlimit lowspeedtime maxrequests minsessions version useragent sslverifystatus keepaliveidle keepaliveinterval keepalivecount", ofAll, keyInert},
	{"index", "threads version recordendofindexentries recordoffsettable sparse skiphash", ofAll, keyInert},
	{"log", "abbrevcommit date decorate diffmerges excludedecoration follow graphcolors initialdecorationset mailmap showroot showsignature", ofAll, keyInert},
	{"maintenance", "auto autodetach", ofAll, keyInert},
	{"notes", "displayref mergestrategy", ofAll, keyInert},
	{"pack", "threads window windowmemory depth deltacachesize deltacachelimit compression packsizelimit usesparse usebitmaps writereverseindex allowpackreuse", ofAll, keyInert},
	{"protocol", "version", ofAll, keyInert},
	{"pull", "ff rebase", ofAll, keyInert},
	{"push", "autosetuprremote autosetupremote followtags negotiate usebitmaps default gpgsign useforceifincludes", ofAll, keyInert},
	{"rebase", "abbreviatecommands autosquash autostash backend forkpoint maxlabellength missingcommitscheck rebasemerges reschedulefailedexec stat updaterefs", ofAll, keyInert},
	{"revert", "reference", ofAll, keyInert},
	{"submodule", "fetchjobs", ofAll, keyInert},
	{"tag", "forcesignannotated gpgsign sort", ofAll, keyInert},
	{"transfer", "fsckobjects unpacklimit hiderefs", ofAll, keyInert},
	{"worktree", "guessremote", ofAll, keyInert},
	{"feature", "manyfiles", ofAll, keyInert},
}

// keyScope says whether a key has a part between section and name, as in remote.origin.url.
type keyScope uint8

const (
	anywhere keyScope = iota
	ofAll             // only without it
	ofOne             // only with it
)

// gitKey classifies a key.
func gitKey(key string) keyKind {
	first, last := strings.IndexByte(key, '.'), strings.LastIndexByte(key, '.')
	if first <= 0 || last == len(key)-1 {
		return keyUnknown
	}
	section, name := strings.ToLower(key[:first]), strings.ToLower(key[last+1:])
	scope := ofAll
	if first != last {
		scope = ofOne
	}
	for i := range gitKeys {
		k := &gitKeys[i]
		if (k.of == anywhere || k.of == scope) && hasWord(k.sections, section) && (k.names == "*" || hasWord(k.names, name)) {
			return k.kind
		}
	}
	return keyUnknown
}

// gitConfig is NAME=VALUE for one run, as "-c" takes it. Without "=" the value
// is true.
func (r *reader) gitConfig(w Word) {
	key, text, valued := strings.Cut(w.Text, "=")
	if w.Reach != tool.Exact && !(w.Reach == tool.Prefix && valued) {
		r.gap("the configuration key is known only at run time", w.Span)
		return
	}
	v := w
	v.Text, v.At, v.Glob = text, w.At.Shift(len(key)+1), false
	if !valued {
		v.Text, v.At = "true", 0
	}
	r.gitSetting(key, v)
}

// gitSetting judges one key with its value by what git does with it.
func (r *reader) gitSetting(key string, v Word) {
	kind := gitKey(key)
	if isExactly(v, "") && kind.switchesOff() {
		return
	}
	setting := "config:" + strings.ToLower(key)
	switch kind {
	case keyInert: // who commits stands in the history
		r.scope.mayShow(v)
	case keyRead:
		r.pathUse(tool.Read, v, false)
	case keyPager:
		if !isSwitch(v) {
			r.hook(setting, v)
		}
	case keyScript, keyProgram:
		r.hook(setting, v)
	case keyAlias:
		r.gitAlias(setting, v)
	case keyHelper, keyCode:
		r.gitCode(kind, setting, v)
	default:
		r.gap("longline does not know the configuration key "+quote(key), v.Span)
	}
}

// switchesOff says whether an empty value switches off what other files configure.
func (k keyKind) switchesOff() bool { return k != keyUnknown && k != keyAlias }

// isSwitch says whether a value switches something on or off.
func isSwitch(v Word) bool { return v.IsKnown() && isBool(strings.ToLower(v.Text)) }

// gitCode is code that git runs: the name of a helper, or its text after "!".
func (d *deeds) gitCode(kind keyKind, setting string, v Word) {
	if script, ok := strings.CutPrefix(v.Text, "!"); ok && kind == keyHelper && v.IsKnown() {
		v.Text, v.At = script, v.At.Shift(1)
		d.hook(setting, v)
		return
	}
	d.execute(setting, v.Span)
}

// gitProgram is shell text that git runs, with words of its own added and fed
// with what it has to show.
func (d *deeds) gitProgram(v Word) {
	d.inv.Runs = append(d.inv.Runs, Nested{Script: &v, Shell: "sh", Dir: &d.dir, Stdin: Data{Taint: FromFile}, Piped: true, Among: true})
}

// gitAlias is the text of an alias: shell text after "!", otherwise arguments of
// this very program.
func (d *deeds) gitAlias(setting string, v Word) {
	if !v.IsKnown() {
		d.execute(setting, v.Span)
		return
	}
	if script, ok := strings.CutPrefix(v.Text, "!"); ok {
		v.Text, v.At = script, v.At.Shift(1)
		d.hook(setting, v)
		return
	}
	v.Text, v.At = d.inv.Name+" "+v.Text, 0
	d.gitProgram(v)
}

// gitConfigEnv is NAME=VARIABLE: the value comes from the environment, so that
// only keys whose every value is harmless are.
func (d *deeds) gitConfigEnv(w Word) {
	key, _, ok := strings.Cut(w.Text, "=")
	if i := strings.LastIndexByte(w.Text, '='); ok && i >= 0 {
		key = w.Text[:i] // a part of a key may hold "="
	}
	if !ok || w.Reach == tool.Anywhere || w.Reach == tool.Under || gitKey(key) != keyInert {
		d.execute("config:"+strings.ToLower(key), w.Span)
	}
}

// gitConfigName is a key that is shown. Some hold what should not be.
func gitConfigName(r *reader, w Word) {
	if isSecretKey(strings.ToLower(w.Text)) {
		r.control("secret.print", w.Span)
		return
	}
	if !w.IsKnown() && !w.Plain {
		r.gap("the configuration key is known only at run time", w.Span)
	}
	showsNamed(r, w)
}

// gitConfigSet is the value that a key is set to, for good; the key is the
// operand in front of it. Whatever the key, that is a change which outlives the
// command, in a file that flags choose.
func (r *reader) gitConfigSet(w Word) {
	noted := r.at > 0 && r.oper[r.at-1].IsKnown() && notedKey(r.oper[r.at-1].Text)
	if noted {
		r.controlOnce("git.note", w.Span)
		r.scope.mayShow(w)
		before := len(r.inv.Effects)
		if r.gitConfigFile(w); len(r.inv.Effects) > before {
			r.controlOnce("git.config", w.Span) // of more than this repository
		}
		return
	}
	r.controlOnce("git.config", w.Span)
	if r.at > 0 {
		if key := r.oper[r.at-1]; key.IsKnown() {
			r.gitSetting(key.Text, w)
		} else {
			r.gap("the configuration key is known only at run time", key.Span)
		}
	}
	r.gitConfigFile(w)
}

// notedKey says whether a setting only says who commits, or how git shows and merges:
// whatever its value, nothing is run, sent, trusted or left unchecked by it.
func notedKey(key string) bool {
	return hasWord("user.name user.email author.name author.email committer.name committer.email pull.rebase pull.ff init.defaultbranch push.autosetupremote push.default "+
		"core.autocrlf core.filemode core.eol core.ignorecase core.longpaths core.quotepath fetch.prune merge.conflictstyle merge.ff rebase.autostash rebase.autosquash rerere.enabled "+
		"color.ui column.ui diff.renames diff.algorithm log.date branch.sort tag.sort", strings.ToLower(key))
}

// gitConfigFile is the write to the file that holds the setting, where it is
// not the repository's own.
func (r *reader) gitConfigFile(w Word) {
	for i := range r.given {
		switch g := &r.given[i]; g.name {
		case "--global":
			r.effect(r.path(tool.Write, r.ownPath("~/.gitconfig")))
		case "--system":
			r.effect(r.path(tool.Write, r.ownPath("/etc/gitconfig")))
		case "-f", "--file":
			if len(g.values) > 0 {
				r.pathUse(tool.Write, g.values[0], false)
			}
		}
	}
}
