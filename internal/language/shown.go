package language

import "strings"

// What an expression shows of settings follows from the names that lead to it. Settings as a whole hold what is secret among the rest, and
// so does a part that says how to log in somewhere (DATABASES). One value of another name (DEBUG) shows nothing.

const (
	// wholeWords are words of names under which all of something is meant: get_settings, app, config.default, settings.model_dump.
	wholeWords = `a all app application apps as base build copy core create current default defaults dev devel development dict dump env export flask get global index init instance items json lazy live load
local main make model my new object our prod production project read resolved root runtime safe self serialize server shared site src staging test testing the to util utils value values web
asdict todict tojson toobject`
	// ownerWords are words of names of what has settings: create_app.
	ownerWords = `app application apps create current flask get main make project server service site the web`
	// loginWords are words of names of parts that say how to log in somewhere.
	loginWords = `auth aws backend broker brokers cache caches celery connection connections database databases datasource datasources db dbs mail mailer mongo mongodb mysql oauth openai postgres postgresql providers redis s3
sendgrid sentry smtp stripe supabase twilio`
	// switchWords begin names of what is only true or false.
	switchWords = `use enable enabled disable disabled is has with allow`
	// placeWords are values of such parts that hold a password.
	placeWords = `url uri dsn location options`
)

// settingsView is what of settings an expression has got to.
type settingsView struct {
	in     bool   // it is in settings
	owner  bool   // it is an application, whose config are settings
	login  bool   // it is in a part that says how to log in somewhere
	called bool   // the part is a function that is called
	part   string // the part that is shown; "" for all
}

// enter follows a name: a part of the path of a module, or a member of something.
func (v *settingsView) enter(name string, member bool) {
	words := nameWords(name)
	whole, owner, settings := len(words) > 0, len(words) > 0, false
	for _, w := range words {
		is := HasWord(settingsWords, w)
		settings, owner = settings || is, owner && HasWord(ownerWords, w)
		whole = whole && (is || HasWord(wholeWords, w) || strings.Trim(w, "0123456789") == "")
	}
	switch {
	case !v.in:
		v.in = settings && whole && (!member || v.owner)
		v.owner = owner
	case !whole:
		v.login = v.login || holdsLogins(nameWords(v.part))
		v.part, v.called = name, false
	}
}

// enterModule follows the path of a module of JavaScript. A file of data is what it says, and NAME.config.js holds the settings of a program.
func (v *settingsView) enterModule(spec string) {
	for part := range strings.SplitSeq(spec, "/") {
		stem := part
		if at := strings.LastIndexByte(part, '.'); at > 0 && HasWord("js cjs mjs jsx ts cts mts tsx json", part[at+1:]) {
			if stem = part[:at]; part[at+1:] == "json" {
				*v = settingsView{}
				return
			}
		}
		if before, _, ok := strings.Cut(strings.TrimLeft(stem, "."), "."); ok && !HasWord(wholeWords, before) {
			*v = settingsView{}
			return
		}
		if strings.Trim(stem, ".") != "" {
			v.enter(stem, false)
		}
	}
}

// shows says whether there may be a secret in what it has got to.
func (v *settingsView) shows() bool {
	words := nameWords(v.part)
	switch {
	case !v.in:
		return false
	case v.part == "":
		return true
	case v.called:
		return false
	}
	if v.login && HasWord("db database", v.part) {
		return false // which one
	}
	return SecretName(v.part) || holdsLogins(words) || v.login && len(words) > 0 && HasWord(placeWords, words[len(words)-1])
}

// holdsLogins says whether a part of settings with a name of these words says how to log in somewhere: DATABASES, dbConfig.
func holdsLogins(words []string) bool {
	if len(words) == 0 || HasWord(switchWords, words[0]) {
		return false
	}
	last := words[len(words)-1]
	if HasWord("auth backend", last) {
		return len(words) == 1 && last == "auth" || words[0] == "result" || len(words) > 1 && words[len(words)-2] == "result"
	}
	if HasWord(loginWords, last) {
		return true
	}
	for _, w := range words[:len(words)-1] {
		if HasWord(loginWords, w) && (HasWord(settingsWords, last) || HasWord("options params parameters", last)) {
			return true
		}
	}
	return false
}

// follow goes on with the members, keys and calls that begin at i, and returns the index after them.
func (v *settingsView) follow(tokens []token, i int, closing func(int) int) int {
	for {
		t, next := tokenAt(tokens, i), tokenAt(tokens, i+1)
		switch {
		case t.isOne(".", "?.") && next.isName("get") && looks(tokens, i+2, "( TEXT"):
			v.enterKey(tokens[i+3].text)
			i = closing(i+2) + 1
		case t.isOne(".", "?.") && next.kind == tokName:
			v.enter(next.text, true)
			i += 2
		case looks(tokens, i, "[ TEXT ]"):
			v.enterKey(next.text)
			i += 3
		case t.is("["):
			i = closing(i) + 1
		case t.is("("):
			end := closing(i)
			for k := i + 1; k < end && k < len(tokens); k++ {
				if tokens[k].isText() && strings.ContainsAny(tokens[k].text, "./") {
					*v = settingsView{} // they are those of a file that is named
				}
			}
			if v.part == "" && looks(tokens, i, "( TEXT") && v.in {
				v.enterKey(next.text) // config("DEBUG")
			} else {
				v.called = v.part != ""
			}
			i = end + 1
		default:
			return i
		}
	}
}

// enterKey follows a key, of which the parts may be given at once: db.password.
func (v *settingsView) enterKey(key string) {
	for part := range strings.SplitSeq(key, ".") {
		v.enter(part, true)
	}
}

// pySettings is what of settings the expression shows whose first name stands at i, and the index after it.
func pySettings(p *pyReader, i, depth int) (v settingsView, end int) {
	name := p.at(i).text
	if what, ok := p.bound[name]; ok {
		if pyKnown(what) {
			return v, i + 1
		}
		for part := range strings.SplitSeq(what, ".") {
			v.enter(part, false)
		}
	} else {
		for _, at := range p.values[name] {
			if depth < 3 && p.isName(at) && p.spend(maxValue) && !v.in {
				v, _ = pySettings(p, at, depth+1)
			}
		}
		if !v.in && !v.owner {
			v = pyIterated(p, i, depth)
		}
		if !v.in && !v.owner {
			v.enter(name, true)
			v.in = false // what a variable is called says only whose members they are
		}
	}
	return v, v.follow(p.tokens, i+1, p.closing)
}

// pyIterated is what of settings a variable holds that a loop over their values binds at another place than i: for k, v in x.items().
func pyIterated(p *pyReader, i, depth int) (v settingsView) {
	name := p.at(i).text
	for k := 1; k+1 < len(p.tokens) && depth < 3 && p.spend(1); k++ {
		if !p.tokens[k].isName("in") || !p.isName(k+1) || !p.at(k-1).isName(name) || !p.at(k-2).isOne(",") && !p.at(k-2).isName("for") {
			continue
		}
		w, end := pySettings(p, k+1, depth+1)
		if w.shows() && looks(p.tokens, end-2, "( )") && p.at(end-3).named("items values") {
			return w
		}
	}
	return v
}

// pyShows says whether the name at i begins an expression that shows settings in which there may be a secret, and more of it than their
// names, whether they are set or how many there are.
func pyShows(p *pyReader, i int) bool {
	if !p.isName(i) || p.at(i-1).is(".") || p.at(i+1).is("=") {
		return false
	}
	v, end := pySettings(p, i, 0)
	if !v.shows() || p.condition(i, end) {
		return false
	}
	if p.at(i - 1).isName("in") {
		return p.at(end - 3).named("items values")
	}
	return !pyMeasured(p, i)
}

// pyMeasured says whether what stands at i is handed to a function that tells something about it, and not all of it: len, type.
func pyMeasured(p *pyReader, i int) bool {
	return p.at(i-1).is("(") && p.at(i-2).kind == tokName &&
		!p.at(i-2).named("print pprint pp write dict str repr dumps dump pformat list sorted tuple format asdict vars iter next reversed filter map zip enumerate if in not and or")
}

// jsSettings is what of settings the expression shows whose first name stands at i, and the index after it.
func jsSettings(j *jsReader, i, depth int) (v settingsView, end int) {
	name := j.at(i).text
	end = i + 1
	at, known := j.values[name]
	if from, ok := j.views[name]; ok {
		v = from
	} else if looks(j.tokens, i+1, "( TEXT )") && HasWord("require import", name) {
		v.enterModule(j.at(i + 2).text)
		end = i + 4
		if j.at(i-1).isName("await") && j.at(i-2).is("(") && j.at(end).is(")") {
			end++
		}
	} else if known && depth < 3 && j.spend(maxValue) {
		for j.at(at).isName("await") || j.at(at).is("(") {
			at++
		}
		if j.at(at).kind == tokName && at != i {
			v, _ = jsSettings(j, at, depth+1)
		}
	}
	if !v.in && !v.owner {
		v.enter(name, true)
		v.in = false
	}
	return v, v.follow(j.tokens, end, func(i int) int { return j.match[i] })
}

// jsShows is the expression that begins at i, and whether there may be a secret in what it shows of settings.
func jsShows(j *jsReader, i int) (part secretPart, shows bool) {
	if j.at(i).kind != tokName || j.member(i) || j.key(i) {
		return part, false
	}
	v, end := jsSettings(j, i, 0)
	return secretPart{start: i, end: end}, v.shows()
}

// jsViews finds the variables that hold parts of settings: by a pattern, or as what a module that is loaded hands on.
func jsViews(j *jsReader) {
	for i := 1; i < len(j.tokens) && j.spend(1); i++ {
		switch t := j.at(i); {
		case t.is("=") && j.at(i-1).is("}"):
			at := i + 1
			for j.at(at).isName("await") || j.at(at).is("(") {
				at++
			}
			if v, _ := jsSettings(j, at, 0); v.in && j.at(at).kind == tokName {
				jsUnpacks(j, j.match[i-1], v)
			}
		case t.isName("import") && looks(j.tokens, i+1, "( TEXT ) . then ("):
			v, _ := jsSettings(j, i, 0)
			v.part, v.called = "", false
			at := i + 7
			if j.at(at).is("(") {
				at++
			}
			if j.at(at).is("{") {
				jsUnpacks(j, at, v)
			} else if j.at(at).kind == tokName && v.in {
				j.keepView(j.at(at).text, v)
			}
		}
	}
}

// jsUnpacks takes in the variables of the pattern that opens at i, which takes something apart.
func jsUnpacks(j *jsReader, i int, v settingsView) {
	for k := i + 1; v.in && k < min(j.match[i], len(j.tokens)) && j.spend(1); k++ {
		t := j.at(k)
		if t.kind != tokName && !t.isText() || !j.at(k-1).isOne("{", ",") {
			continue
		}
		part := v
		part.enter(t.text, true)
		if j.at(k + 1).is(":") {
			k += 2
		}
		if j.at(k).is("{") {
			jsUnpacks(j, k, part)
			k = min(j.match[k], len(j.tokens))
		} else {
			j.keepView(j.at(k).text, part)
		}
	}
}

func (j *jsReader) keepView(name string, v settingsView) {
	if j.views == nil {
		j.views = map[string]settingsView{}
	}
	j.views[name] = v
}
