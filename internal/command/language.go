package command

// Uses of the small languages that hide power: each is a named use, written
// once and open to every model. languageUses lists their names.
var languageUses = []string{
	"config", "package", "package-run:", "package-script:", "rewrite:", "values:", moduleUse,
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
