package command

import (
	"path"
	"strings"

	"longline/internal/tool"
)

// isSecret says whether an effect is on a file that holds secrets.
func (r *reader) isSecret(e tool.Effect) bool {
	if r.world.Secret == nil || e.Kind != tool.Read {
		return false
	}
	if e.Reach == tool.Exact && isSource(path.Base(e.Target)) && !strings.Contains(e.Target, "/.") {
		return false // most of what is read, and no secret's name
	}
	return r.world.Secret(e)
}

// carries notes a word that holds the content of a file of secrets, or the whole
// environment, if it is of a kind that a request brings along. What a login needs stands
// in headers and flags of its own.
func (r *reader) carries(u Use, w Word) {
	switch u.Name {
	case "header", "cookie", "secret", "ssh-option", "setting-name":
	default:
		if w.Taint&FromKeys != 0 {
			r.scope.keys = w.Span
		}
	}
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
// takes for a mere word: what talks to a host may well hand it on.
func (r *reader) travels(w Word) {
	if w.Taint&(FromFile|FromSecret|FromKeys) != 0 && !w.IsKnown() && !w.Plain {
		r.scope.carried = true
	}
}

// tellsHost makes a send of what is fetched with such a word from a host that is named.
func (r *reader) tellsHost() {
	if !r.scope.carried || r.scope.sends {
		return
	}
	for _, e := range r.inv.Effects {
		if e.Kind == tool.Fetch && e.Reach == tool.Exact && !strings.HasPrefix(e.Target, "@") {
			r.scope.sends = true
		}
	}
}
