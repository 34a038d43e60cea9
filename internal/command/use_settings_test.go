package command

import (
	"errors"
	"io/fs"
	"testing"

	"longline/internal/tool"
)

// What shows settings shows a login if there is one in them, or if nobody can tell.
func TestShowsLogins(t *testing.T) {
	for text, want := range map[string]bool{
		"": false,
		"[global]\nindex-url = https://host.example/simple\n":     false,
		"[global]\nindex-url = https://u:p@host.example/simple\n": true,
		"index-url = https://token@host.example/simple":           true,
		"# index-url = https://u:p@host.example/simple":           false,
		"extra = https://a.example/ https://u:p@b.example/":       true,
		"channels:\n  - https://conda.example/t/tk-123/main":      true,
		"channels:\n  - defaults\nauto_update: false":             false,
		"[pypi]\npassword = x":                                    true,
		"[pypi]\npassword =":                                      false,
		"author = me@example.com":                                 false,
		"index-url = https://host.example/simple/@scope/x":        false,
	} {
		world := &tool.World{
			Home:   "/home/dev",
			Getenv: func(string) (string, bool) { return "", false },
			ReadSecret: func(name string) ([]byte, error) {
				if name == "/home/dev/.rc" {
					return []byte(text), nil
				}
				return nil, fs.ErrNotExist
			},
		}
		if got := settingsShown(world); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
		world.ReadSecret = func(string) ([]byte, error) { return nil, fs.ErrNotExist }
		world.Getenv = func(string) (string, bool) { return text, text != "" }
		if got := settingsShown(world); got != want {
			t.Errorf("variable %q: %v, want %v", text, got, want)
		}
		world.Getenv = func(string) (string, bool) { return "", false }
		world.ReadSecret = func(string) ([]byte, error) { return nil, errors.New("permission denied") }
		if !settingsShown(world) {
			t.Errorf("a file that cannot be read holds no login")
		}
	}
	if !settingsShown(&tool.World{Home: "/home/dev"}) {
		t.Errorf("a machine of which nothing is known has no login")
	}
}

func settingsShown(w *tool.World) bool {
	r := &reader{deeds: deeds{&Library{}, surroundings{world: w, dir: Known("/p", span0)}, findings{&Invocation{Dir: Known("/p", span0)}}}}
	showsLogins(r, "~/.rc|/etc/rc|$INDEX")
	return len(r.inv.Effects) > 0
}
