package mask

import (
	"os"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// What is dull is not searched, so nothing may be found in it.
func FuzzDull(f *testing.F) {
	for _, file := range []string{"formats.txt", "harmless.txt", "ordinary.txt", "secrets.txt"} {
		text, err := os.ReadFile("testdata/" + file)
		if err != nil {
			f.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			f.Add(line)
		}
	}
	for _, text := range []string{
		"ls -la", "bearer a1b2c3", "Basic a1b2c3", "login me password a1b2c3", "set password 'a1b2c3'", "identified by 'x y z1'", "it's password'a1b2c3'", "x -u me", "/with/key/0123456789abcdef", "-----BEGIN PRIVATE KEY-----\nx", "a PRIVATE KEY ---- x", "$2a$0123456789012345",
		"0123456789abcde", "0123456789abcdef", "one two three", "2>&1 | tail -5", "../../../../..", "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if found := search(text); isDull(text) && found != text {
			t.Errorf("%q is dull and becomes %q", text, found)
		}
	})
}

// Everyday commands are dull: that is what makes them cheap to log.
func TestDull(t *testing.T) {
	for _, text := range []string{"ls -la", "git status -s | head -20", "cd src && go test ./... 2>&1 | tail -5", "Runs the project's own tools, such as builds and tests", "All that this does is known, and no rule speaks against it."} {
		if !isDull(text) {
			t.Errorf("%q is searched", text)
		}
	}
}

// A place belongs to every program on the line above it, and to no other.
func TestPlacesOf(t *testing.T) {
	names := map[string]bool{}
	var want [][2]string
	var programs []string
	for line := range strings.Lines(placesText) {
		switch {
		case line[0] == '#':
		case line[0] == '\t':
			for _, p := range programs {
				want = append(want, [2]string{p, strings.Join(strings.Fields(line), " ")})
			}
		default:
			programs = strings.Fields(line)
			for _, p := range programs {
				names[p] = true
			}
		}
	}
	for name := range names {
		var got, expected []string
		if got = placesOf(name); len(got) == 0 {
			t.Errorf("%s is not found", name)
		}
		for _, w := range want {
			if w[0] == name {
				expected = append(expected, w[1])
			}
		}
		if strings.Join(got, "\n") != strings.Join(expected, "\n") {
			t.Errorf("%s: %q, not %q", name, got, expected)
		}
	}
	for _, name := range []string{"ls", "login", "SECRET", "#", "i", "hub", "config", "word,other", "-x"} {
		if names[name] {
			continue
		}
		if got := placesOf(name); len(got) > 0 {
			t.Errorf("%s has the places %q", name, got)
		}
	}
}

// placesOf is what [eachPlace] finds for a program, among others that are not in the text.
func placesOf(name string) (got []string) {
	word := []command.Word{command.Known(name, tool.Span{})}
	invs := []*command.Invocation{{Name: "no-such-program", Words: word}, {Name: name, Words: word}, {Name: name}}
	eachPlace(invs, func(inv *command.Invocation, line []string) {
		if inv == invs[1] {
			got = append(got, strings.Join(line, " "))
		} else {
			got = append(got, "of another command")
		}
	})
	return got
}
