package rulesfile

import (
	"slices"
	"strings"

	"longline/internal/content"
	"longline/internal/contentfile"
	"longline/internal/policy"
	"longline/internal/source"
)

// contentOf reads what is looked at before an agent reads it.
func contentOf(n source.Node) policy.Content {
	c := policy.Content{Given: true, Scan: []string{policy.ScanSandbox, policy.ScanDownloads}}
	pack := contentfile.New(n)
	own := false
	fields := map[string]func(source.Node){
		"scan":         func(n source.Node) { c.Scan = scanned(n) },
		"on_injection": func(n source.Node) { c.Redact = redacts(n) },
		"off":          func(n source.Node) { c.Off = append(c.Off, contentRules(n)...) },
	}
	for key, read := range pack.Fields() {
		fields[key] = func(n source.Node) { own = true; read(n) }
	}
	n.Fields(fields)
	if own {
		text, err := contentfile.CompileWith(content.BuiltinText(), pack)
		if err != nil {
			n.Errorf("%v", err)
		}
		c.Rules = text
	}
	return c
}

// scanned reads the places that are looked at.
func scanned(n source.Node) (list []string) {
	for _, item := range n.List() {
		place := item.Text()
		if place != policy.ScanSandbox && place != policy.ScanDownloads && !strings.HasPrefix(place, "/") && !strings.HasPrefix(place, "~/") {
			item.Errorf("%q is not a place to scan; write sandbox, downloads, /… or ~/…", place)
		}
		list = append(list, place)
	}
	return list
}

// redacts reads what happens to an injection: it is denied, or left out.
func redacts(n source.Node) bool {
	word := n.Text()
	if word != "deny" && word != "redact" {
		n.Unknown("answer", word, []string{"deny", "redact"})
	}
	return word == "redact"
}

// contentRules reads the ids of built-in content rules.
func contentRules(n source.Node) (list []string) {
	var known []string
	for _, r := range content.Builtin().List() {
		known = append(known, r.ID)
	}
	for _, id := range n.List() {
		if !slices.Contains(known, id.Text()) {
			id.Unknown("content rule", id.Text(), known)
		}
		list = append(list, id.Text())
	}
	return list
}
