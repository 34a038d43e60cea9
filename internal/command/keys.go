package command

import (
	"path"
	"slices"
	"strings"

	"longline/internal/tool"
)

// isSecret says whether an effect is on a file that holds secrets.
func (s *surroundings) isSecret(e tool.Effect) bool {
	if s.world.Secret == nil || e.Kind != tool.Read {
		return false
	}
	if e.Reach == tool.Exact && IsSource(path.Base(e.Target)) && !strings.Contains(e.Target, "/.") {
		return false // most of what is read, and no secret's name
	}
	return s.world.Secret(e)
}

// sentFile is a file whose content is sent.
func (r *reader) sentFile(w Word, operand bool) {
	r.pathUse(tool.Read, w, operand)
	if !isStream(w.Text) && r.isSecret(r.path(tool.Read, w)) {
		r.scope.keys = w.Span
	}
}

// handsOut says that secrets as such are sent: in the body or the address of a request,
// or by what is piped in.
func (r *reader) handsOut() {
	in := r.inv.Stdin
	if r.scope.keys.End == 0 && (in.Taint&FromKeys != 0 || in.Path != nil && r.isSecret(r.path(tool.Read, *in.Path))) {
		r.scope.keys = r.inv.Span
	}
	if r.scope.keys.End == 0 {
		return
	}
	for _, e := range r.inv.Effects {
		if e.Kind == tool.Send {
			r.control("secret.send", r.scope.keys)
			return
		}
	}
}

// travels notes a word whose content comes from a file or is secret and that a program
// takes for a mere word: what talks to a host may well hand it on. What is looked up there is
// among the operands, while flags may say how to log in.
func (s *scope) travels(w Word, operand bool) {
	if w.Taint&(FromFile|FromSecret|FromKeys) != 0 && !w.IsKnown() && !w.Plain {
		s.carried = true
		s.tells = s.tells || operand && w.Taint&FromSecret != 0
		if w.Reach == tool.Prefix {
			s.address = w
		}
	}
}

// tellsHost makes a send of what is fetched with such a word from a host that is named. A secret is
// told to others, too, but for a database, which may keep it, and what runs code of the project gives it to that.
func (r *reader) tellsHost() {
	if !r.scope.carried || r.scope.sends {
		return
	}
	for _, e := range r.inv.Effects {
		if e.Kind != tool.Fetch || e.Reach != tool.Exact {
			continue
		}
		if !strings.HasPrefix(e.Target, "@") || r.scope.tells && e.Target != "@database" && !runsCode(r.inv) {
			r.scope.sends = true
		} else if at, ok := addressed(r.scope.address); ok {
			// What looks like a name is the address of a package or an image.
			r.host(tool.Send, at)
			return
		}
	}
}

// runsCode says whether an invocation runs code besides the program.
func runsCode(inv *Invocation) bool {
	return slices.ContainsFunc(inv.Effects, func(e tool.Effect) bool { return e.Kind == tool.Execute })
}

// addressed is the part of a word that begins with a host, if it is one of another machine:
// "https://host/..." or "host.name/...".
func addressed(w Word) (Word, bool) {
	_, rest, schemed := strings.Cut(w.Text, "://")
	if !schemed {
		rest = w.Text
	}
	at, _, ok := strings.Cut(rest, "/")
	if !ok || !schemed && !strings.Contains(at, ".") || strings.HasPrefix(at, ".") || loopback(at) {
		return Word{}, false
	}
	return Word{Text: rest, Reach: w.Reach, Taint: w.Taint, Span: w.Span}, true
}

// inherits says whether the script hands a secret to a program in a variable of that
// name, however harmless the name is.
func (f *findings) inherits(name string) bool {
	for i := range f.inv.Env {
		if a := &f.inv.Env[i]; a.Name == name && a.Value.Taint&FromSecret != 0 {
			return true
		}
	}
	return false
}

// asksFor notes code that speaks of a variable in which it gets a secret.
func (f *findings) asksFor(code string, span tool.Span) {
	for i := range f.inv.Env {
		a := &f.inv.Env[i]
		if a.Value.Taint&FromSecret != 0 && a.Name != "" && strings.Contains(code, a.Name) && !SecretName(a.Name) {
			f.control("env.secret", span)
			return
		}
	}
}

// countsOnly takes back that a file of secrets is read where nothing of it comes to light but how long it
// is, how many of its lines begin with a name, or whether one has it.
func countsOnly(r *reader, role string) {
	var parts []string // texts that may be parts of names
	if role != "counted" {
		ok := hasWord("tally report names all-names", role)
		if parts, ok = seeksNames(r, ok); !ok {
			return
		}
	}
	if len(r.inv.Runs) > 0 || slices.ContainsFunc(r.inv.Effects, func(e tool.Effect) bool { return e.Kind != tool.Read || e.Reach != tool.Exact || e.Tree || e.Pattern }) {
		return
	}
	r.inv.Effects = slices.DeleteFunc(r.inv.Effects, func(e tool.Effect) bool {
		return r.isSecret(e) && (len(parts) == 0 || namesAt(r.world, e.Target, parts))
	})
}

// seeksNames says whether a search counts lines, or says whether there is one, that begin with a whole name and an equals sign. What is not
// whole could be guessed letter by letter: a part of it is returned, which no value must have.
func seeksNames(r *reader, ok bool) (parts []string, _ bool) {
	quiet := false
	for i := range r.given {
		quiet = quiet || hasWord("-q --quiet --silent -c --count -l --files-with-matches -L --files-without-match", r.given[i].name)
		ok = ok && hasWord("-q --quiet --silent -c --count -s --no-messages -E --extended-regexp -G --basic-regexp -v --invert-match "+
			"-l --files-with-matches -L --files-without-match -i --ignore-case", r.given[i].name)
	}
	if !ok || !quiet || !r.scope.patterned || len(r.oper) < 2 || !r.oper[0].IsKnown() {
		return nil, false
	}
	for one := range strings.SplitSeq(strings.ReplaceAll(r.oper[0].Text, `\|`, "|"), "|") {
		name, anchored := strings.CutPrefix(one, "^")
		name, whole := strings.CutSuffix(strings.TrimPrefix(name, "export "), "=")
		switch {
		case hasWord(". ^# ^$ =", one), one == "", anchored && whole && nameLength(name) == len(name):
		case nameLength(name) == len(name) && len(name) >= minNamePart:
			parts = append(parts, strings.ToLower(name))
		default:
			return nil, false
		}
	}
	return parts, true
}

// minNamePart is how long a text has to be that may be searched for in a file of secrets.
const minNamePart = 3

// namesAt says whether a file sets variables, none to a value that has one of some texts in it.
func namesAt(w *tool.World, file string, parts []string) bool {
	if w.ReadSecret == nil {
		return false
	}
	data, err := w.ReadSecret(file)
	text := strings.ToLower(string(data))
	if err != nil || !hasNames(string(data), w.Tells) {
		return false
	}
	for line := range strings.Lines(text) {
		_, value, _ := strings.Cut(line, "=")
		if slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(value, part) }) {
			return false
		}
	}
	return true
}
