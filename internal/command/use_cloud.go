package command

import (
	"slices"
	"strings"

	"longline/internal/tool"
)

// objectTree is a path of an object store or a local one, with everything below.
func (r *reader) objectTree(w Word) {
	r.scope.tree = true
	r.objectPath(w)
}

// objectPath is a path of an object store ("s3://bucket/key") or a local one.
// Which way the bytes flow follows from where it stands: the last operand is
// the destination.
func (r *reader) objectPath(w Word) {
	last := len(r.oper) > 1 && r.oper[len(r.oper)-1].Span == w.Span && r.oper[len(r.oper)-1].Text == w.Text
	switch {
	case strings.Contains(w.Text, "://"):
		if last {
			r.effect(tool.Effect{Kind: tool.Send, Target: "@cloud", Reach: tool.Exact, Span: w.Span})
			r.controlOnce("cloud.write", w.Span)
		} else if isStream(r.oper[len(r.oper)-1].Text) {
			r.object(w)
		}
	case last && w.Reach == tool.Anywhere:
		r.controlOnce("cloud.write", w.Span) // it may be in the store
		r.pathUse(tool.Write, w, true)
	case last:
		r.pathUse(tool.Write, w, true)
	case w.Glob && len(r.oper) == 1: // the last file that it matches is written
		r.pathUse(tool.Read, w, true)
		r.pathUse(tool.Write, w, true)
	default:
		r.pathUse(tool.Read, w, true)
	}
}

// shownFields is a template of Go, with "CONTROL=A|B" for what it does if it shows all there is, or
// one of the fields of these names.
func (f *findings) shownFields(arg string, w Word) {
	control, fields, _ := strings.Cut(arg, "=")
	if !w.IsKnown() || w.Text == "json" || showsField(w.Text, fields) {
		f.control(control, w.Span)
	}
}

// showsField says whether a template has an action with a field of one of these names, or with a
// dot or dollar sign that has no name behind it: that is everything.
func showsField(template, fields string) bool {
	for {
		_, after, more := strings.Cut(template, "{{")
		if !more {
			return false
		}
		action, next, _ := strings.Cut(after, "}}")
		for at := strings.IndexAny(action, ".$"); at >= 0; at = strings.IndexAny(action, ".$") {
			sign := action[at]
			action = action[at+1:]
			name := action[:nameLength(action)]
			if action = action[len(name):]; strings.HasPrefix(action, ".") {
				continue // what counts is the last name
			}
			if name == "" || sign == '.' && slices.Contains(strings.Split(fields, "|"), name) {
				return true
			}
		}
		template = next
	}
}

// object is something of an object store that is shown.
func (d *deeds) object(w Word) {
	if w.Reach != tool.Exact {
		return
	}
	_, name, _ := strings.Cut(w.Text, ":")
	if d.isSecret(tool.Effect{Kind: tool.Read, Target: "/" + strings.TrimLeft(name, "/"), Reach: tool.Exact}) {
		d.controlOnce("cloud.secret", w.Span)
	}
}

// keyedFile is a file that becomes part of what is made under a name that may stand before it, or
// a directory of such files.
func (d *deeds) keyedFile(w Word) {
	if i := strings.IndexByte(w.Text, '='); i >= 0 {
		w = w.From(i + 1)
	}
	e := d.path(tool.Read, w)
	e.Tree = true
	d.effect(e)
}

// mount is what of the host a container sees: a bind mount is a write of
// everything below it, a named volume is nothing of the host's.
func (d *deeds) mount(w Word) {
	source, readonly, ok := mounted(w)
	if !ok || w.Reach == tool.Exact && !strings.ContainsAny(source, "/.~") {
		return // a place inside the container, or a named volume
	}
	kind := tool.Write
	if readonly {
		kind = tool.Read
	}
	at := Word{Text: source, Reach: tool.Exact, Span: w.Span}
	if w.Reach != tool.Exact && !strings.Contains(w.Text, ":") {
		at = Word{Span: w.Span}
	}
	e := d.path(kind, at)
	e.Tree = true
	d.effect(e)
}

// mounted takes a mount apart: "source=PATH,readonly" or "PATH:PLACE:ro". It fails if it is
// only a place inside the container.
func mounted(w Word) (source string, readonly, ok bool) {
	if strings.Contains(w.Text, "=") {
		source, readonly = mountFields(w.Text)
		return source, readonly, true
	}
	parts := strings.Split(w.Text, ":")
	for _, option := range parts[min(2, len(parts)):] {
		readonly = readonly || option == "ro" || strings.HasPrefix(option, "ro,")
	}
	return parts[0], readonly, len(parts) > 1 || w.Reach != tool.Exact
}

// mountFields are the fields of a mount that count.
func mountFields(text string) (source string, readonly bool) {
	for part := range strings.SplitSeq(text, ",") {
		key, value, _ := strings.Cut(part, "=")
		switch key {
		case "source", "src":
			source = value
		case "readonly", "ro":
			readonly = true
		}
	}
	return source, readonly
}

// containerPath is "container:path" or a path of this machine; the last operand
// is the destination.
func (r *reader) containerPath(w Word) {
	if name, _, ok := strings.Cut(w.Text, ":"); ok && !strings.ContainsAny(name, "/.") {
		return
	}
	if len(r.oper) < 2 || r.oper[len(r.oper)-1].Span != w.Span {
		r.pathUse(tool.Read, w, true)
		return
	}
	r.pathUse(tool.Write, w, true)
	if w.Reach != tool.Exact || isStream(w.Text) {
		return
	}
	// If it is a directory: what the container has goes below it under its own name,
	// or with "/." at the end as it is.
	for _, source := range r.oper[:len(r.oper)-1] {
		e := put(r.path(tool.Write, below(w, source, "/:")))
		e.Tree = e.Reach == tool.Under
		r.effect(e)
	}
}

// manifest is a file, a directory or an address that describes resources.
func (r *reader) manifest(w Word) {
	if strings.Contains(w.Text, "://") {
		r.url(tool.Fetch, w)
		return
	}
	if strings.Contains(w.Text, "?ref=") || strings.HasPrefix(w.Text, "github.com/") || strings.HasPrefix(w.Text, "git@") {
		r.host(tool.Fetch, Word{Text: strings.TrimPrefix(w.Text, "git@"), Reach: w.Reach, Taint: w.Taint, Span: w.Span})
		return
	}
	r.pathUse(tool.Read, w, r.scope.tree)
}

// resource is the kind of things a cluster is asked for; secrets are apart. A
// table of them (of "table") shows their names and sizes, and so do formats that
// ask for no more.
func (r *reader) resource(of string, w Word) {
	secret := !w.IsKnown() || asksForSecrets(w.Text)
	name := "cluster.read"
	if secret && !(of == "table" && r.showsNames()) {
		name = "cluster.secret"
	}
	if len(r.oper) > 0 && r.oper[0].Span == w.Span || secret && strings.Contains(w.Text, "/") {
		r.control(name, w.Span)
	}
}

// asksForSecrets says whether secrets are among the kinds of things that are asked for.
func asksForSecrets(text string) bool {
	kinds, _, _ := strings.Cut(strings.ToLower(text), "/")
	for kind := range strings.SplitSeq(kinds, ",") {
		if kind, _, _ = strings.Cut(kind, "."); kind == "secret" || kind == "secrets" {
			return true
		}
	}
	return false
}

// showsNames says whether a list of objects is shown without their content.
func (l *commandLine) showsNames() bool {
	for i := range l.given {
		g := &l.given[i]
		switch g.name {
		case "--template", "--raw":
			return false
		case "-o", "--output":
			if len(g.values) != 1 || !g.values[0].IsKnown() || !namesOnly(g.values[0].Text) {
				return false
			}
		}
	}
	return true
}

// namesOnly says whether a format names no field but those that cannot hold a
// secret. Annotations can: the whole object may have been noted down there.
func namesOnly(format string) bool {
	kind, fields, _ := strings.Cut(format, "=")
	switch kind {
	case "wide", "name":
		return true
	case "custom-columns":
		for column := range strings.SplitSeq(fields, ",") {
			if _, path, _ := strings.Cut(column, ":"); !isNameField(path) {
				return false
			}
		}
		return true
	case "jsonpath":
		return pathsNameOnly(fields)
	}
	return false
}

// pathsNameOnly says the same of the expressions in a template.
func pathsNameOnly(template string) bool {
	for {
		_, after, more := strings.Cut(template, "{")
		if !more {
			return true
		}
		field, next, closed := strings.Cut(after, "}")
		if !closed || !isNameField(strings.TrimPrefix(field, ".items[*]")) && !isLayout(field) {
			return false
		}
		template = next
	}
}

// isLayout says whether an expression of a template shows nothing.
func isLayout(field string) bool {
	switch field {
	case "range .items[*]", "end", `"\n"`, `"\t"`:
		return true
	}
	return false
}

func isNameField(path string) bool {
	switch path {
	case ".metadata.name", ".metadata.namespace", ".metadata.creationTimestamp", ".type", ".kind":
		return true
	}
	return false
}

// kubeOutput is a format, which may name the file that holds its template.
func (r *reader) kubeOutput(w Word) {
	kubeTemplate(r, w)
	format, file, ok := strings.Cut(w.Text, "=")
	if ok && strings.HasSuffix(format, "-file") || format == "templatefile" {
		r.pathUse(tool.Read, Word{Text: file, Reach: w.Reach, Plain: w.Plain, Span: w.Span}, false)
	} else if w.Reach == tool.Anywhere && !w.Plain {
		r.pathUse(tool.Read, w, false)
	}
}

// kubeTemplate is a template of what is shown.
func kubeTemplate(r *reader, w Word) {
	if !w.IsKnown() || namesSettings(w.Text) {
		r.control("env.dump", w.Span)
	}
}

// kubeRaw is the address of an object inside the cluster.
func (f *findings) kubeRaw(w Word) {
	name := "cluster.read"
	if w.Reach != tool.Exact || strings.Contains(strings.ToLower(w.Text), "secret") || strings.ContainsAny(w.Text, "%") {
		name = "cluster.secret"
	}
	f.control(name, w.Span)
}

// httpVerb is the method of a request, or what it asks for.
func (f *findings) httpVerb(w Word) {
	switch strings.ToLower(w.Text) {
	case "get", "head", "options":
	case "post", "put", "patch", "delete":
		f.control("cloud.write", w.Span)
	default:
		if !w.IsKnown() {
			f.control("cloud.write", w.Span)
		}
	}
}
