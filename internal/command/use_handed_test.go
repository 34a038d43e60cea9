package command

import (
	"slices"
	"testing"

	"longline/internal/tool"
)

// TestHandedPlaces holds which texts that are handed to a function count as paths: those
// whose first directory is there, or may be, and not the routes of a server.
func TestHandedPlaces(t *testing.T) {
	there := func(path string) bool { return path == "/etc" || path == "/srv" }
	secret := func(e tool.Effect) bool { return e.Target == "/home/dev/proj/id_rsa" }
	for _, c := range []struct {
		text  string
		world tool.World
		want  []string
	}{
		{"/etc/x", tool.World{Exists: there}, []string{"read /etc/x", "write /etc/x"}},
		{"/api/x", tool.World{Exists: there}, nil},
		{"/api/x", tool.World{}, []string{"read /api/x", "write /api/x"}},
		{"/home/x", tool.World{Exists: there}, []string{"read /home/x", "write /home/x"}},
		{"../x", tool.World{Exists: there}, []string{"read /home/dev/x", "write /home/dev/x"}},
		{"a/b", tool.World{Exists: there}, []string{"read /home/dev/proj/a/b"}},
		{"a.b", tool.World{Exists: there}, []string{"read /home/dev/proj/a.b", "create /home/dev/proj/a.b"}},
		{"word", tool.World{Exists: there, Secret: secret}, nil},
		{"id_rsa", tool.World{Exists: there, Secret: secret}, []string{"read /home/dev/proj/id_rsa"}},
	} {
		w := c.world
		w.Home, w.Project = "/home/dev", "/home/dev/proj"
		inv := Invocation{Words: []Word{Known("python3", tool.Span{}), Known("-c", tool.Span{}), Known("import lib; lib.save(\""+c.text+"\")", tool.Span{})}, Dir: Known(w.Project, tool.Span{})}
		Builtin().Read(&inv, &w)
		var got []string
		for _, e := range inv.Effects {
			if e.Kind.IsPath() {
				got = append(got, e.Kind.String()+" "+e.Target)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
