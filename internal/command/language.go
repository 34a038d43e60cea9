package command

// Uses of the small languages that hide power: each is a named use, written
// once and open to every model. languageUses lists their names.
var languageUses = []string{
	"s3-path", "mount", "container-path", "manifest", "kube-resource", "http-verb-or-path",
	"config", "package", "package-run:", "rewrite:", "values:", moduleUse,
}

func knownLanguageUse(name string) bool {
	for _, l := range languageUses {
		if l == name {
			return true
		}
	}
	return false
}

// language applies a use of [languageUses].
func (r *reader) language(u Use, w Word) {
	switch u.Name {
	case "s3-path":
		r.objectPath(w)
	case "mount":
		r.mount(w)
	case "container-path":
		r.containerPath(w)
	case "manifest":
		r.manifest(w)
	case "kube-resource":
		r.resource(w)
	case "http-verb-or-path":
		r.httpVerb(w)
	case "config":
		r.config(w)
	case "rewrite":
		r.rewrite(u.Arg, w)
	case "values":
		if !allMatch(w, u.Arg) {
			r.gap("longline does not follow "+quote(w.Text), w.Span)
		}
	case "package":
		r.packageUse(w)
	case moduleUse: // read with the flag itself
	default:
		r.gap("unknown use "+quote(u.Name), w.Span)
	}
}

// onlyComputes says whether code in a language provably does nothing but
// compute and print.
func onlyComputes(lang, code string) bool {
	return false
}
