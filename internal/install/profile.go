package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"strings"

	"longline/internal/strictjson"
)

// ProfileTarget renders a configuration profile for macOS instead of one agent's file.
const ProfileTarget = "mobileconfig"

// Profile makes a configuration profile: what clients read as managed preferences, in the
// one file that device management for macOS takes.
func Profile(f Fleet) (File, error) {
	f.System = "darwin"
	w := &plist{}
	for _, a := range installable() {
		if a.Hooks.Fleet == nil || a.Hooks.Fleet.Preferences == "" {
			continue
		}
		file, err := Render(a.Name, f)
		if err != nil {
			return File{}, err
		}
		w.payload(a.Hooks.Fleet.Preferences, spoken(a)+": longline", file.Text, func() { w.settings(file) })
	}
	content := w.String()
	out := &plist{}
	out.WriteString(xml.Header + `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">` + "\n<plist version=\"1.0\">\n")
	out.payload("Configuration", "longline", []byte(content), func() {
		out.key("PayloadScope")
		out.text("string", "System")
		out.key("PayloadContent")
		out.WriteString("<array>\n" + content + "</array>\n")
	})
	out.WriteString("</plist>\n")
	return File{"longline.mobileconfig", []byte(out.String())}, nil
}

// settings writes what a client reads as its managed preferences.
func (p *plist) settings(file File) {
	if isTOML(file.Path) {
		p.key("requirements_toml_base64")
		p.text("string", base64.StdEncoding.EncodeToString(file.Text))
		return
	}
	root, _ := strictjson.Parse(file.Text) // which was just made
	for _, m := range root.Members {
		p.key(m.Key)
		p.value(m.Value)
	}
}

// plist is a property list being written.
type plist struct{ strings.Builder }

func (p *plist) text(tag, text string) {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes everything
	fmt.Fprintf(p, "<%s>%s</%s>\n", tag, b.String(), tag)
}

func (p *plist) key(name string) { p.text("key", name) }

// payload writes a dictionary with what every payload has. Its UUID follows from its
// content, so that the same settings are the same profile.
func (p *plist) payload(kind, title string, of []byte, content func()) {
	sum := sha256.Sum256(append([]byte(kind+"\x00"), of...))
	id := sum[:16]
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // a UUID of version 8: made by rules of one's own
	p.WriteString("<dict>\n")
	for _, pair := range [][2]string{
		{"PayloadType", kind},
		{"PayloadIdentifier", "dev.longline." + kind},
		{"PayloadUUID", fmt.Sprintf("%X-%X-%X-%X-%X", id[:4], id[4:6], id[6:8], id[8:10], id[10:])},
		{"PayloadDisplayName", title},
	} {
		p.key(pair[0])
		p.text("string", pair[1])
	}
	p.key("PayloadVersion")
	p.text("integer", "1")
	content()
	p.WriteString("</dict>\n")
}

// value writes a JSON value.
func (p *plist) value(v strictjson.Value) {
	switch v.Kind {
	case strictjson.Object:
		p.WriteString("<dict>\n")
		for _, m := range v.Members {
			p.key(m.Key)
			p.value(m.Value)
		}
		p.WriteString("</dict>\n")
	case strictjson.Array:
		p.WriteString("<array>\n")
		for _, item := range v.Items {
			p.value(item)
		}
		p.WriteString("</array>\n")
	case strictjson.Bool:
		if v.True {
			p.WriteString("<true/>\n")
		} else {
			p.WriteString("<false/>\n")
		}
	case strictjson.Number:
		p.text("integer", v.Raw)
	default:
		p.text("string", v.Text)
	}
}
