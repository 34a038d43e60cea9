package command

// Uses of the small languages that hide power: each is a named use, written
// once and open to every model. languageUses lists their names.
var languageUses = []string{}

func knownLanguageUse(name string) bool {
	return listed(languageUses, name) || listed(gitUses, name) || listed(netUses, name)
}

func listed(uses []string, name string) bool {
	for _, u := range uses {
		if u == name {
			return true
		}
	}
	return false
}

// language applies a use of [languageUses].
func (r *reader) language(u Use, w Word) {
	if r.gitUse(u, w) || r.netUse(u, w) {
		return
	}
	switch u.Name {
	default:
		r.gap("unknown use "+quote(u.Name), w.Span)
	}
}

// onlyComputes says whether code in a language provably does nothing but
// compute and print.
func onlyComputes(lang, code string) bool {
	return false
}
