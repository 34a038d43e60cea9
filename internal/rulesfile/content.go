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
		"scan": func(n source.Node) {
			c.Scan = nil
			for _, item := range n.List() {
				place := item.Text()
				if place != policy.ScanSandbox && place != policy.ScanDownloads && !strings.HasPrefix(place, "/") && !strings.HasPrefix(place, "~/") {
					item.Errorf("%q is not a place to scan; write sandbox, downloads, /… or ~/…", place)
				}
				c.Scan = append(c.Scan, place)
			}
		},
		"on_injection": func(n source.Node) {
			switch word := n.Text(); word {
			case "deny":
			case "redact":
				c.Redact = true
			default:
				n.Unknown("answer", word, []string{"deny", "redact"})
			}
		},
		"off": func(n source.Node) {
			var known []string
			for _, r := range content.Builtin().List() {
				known = append(known, r.ID)
			}
			for _, id := range n.List() {
				if !slices.Contains(known, id.Text()) {
					id.Unknown("content rule", id.Text(), known)
				}
				c.Off = append(c.Off, id.Text())
			}
		},
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
