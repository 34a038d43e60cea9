package install

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tailscale/hujson"

	"longline/internal/strictjson"
)

// FuzzInAndOut: whatever a settings file holds, longline is refused, or it is in
// afterwards, once, in a file that the agent can still read, and out again
// without a byte of difference.
func FuzzInAndOut(f *testing.F) {
	for i, a := range listAgents {
		keys := strings.NewReplacer("HOOKS", a.hooks, "EVENT", a.event)
		for _, s := range settings {
			if s.name != "huge" {
				f.Add(uint8(i), []byte(keys.Replace(s.text)))
			}
		}
		for _, s := range commented {
			f.Add(uint8(i), []byte(keys.Replace(s.text)))
		}
		for _, text := range refused {
			f.Add(uint8(i), []byte(keys.Replace(text)))
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, text []byte) {
		a := listAgents[int(which)%len(listAgents)]
		if text == nil {
			text = []byte{}
		}
		d := disk{a.file: text}
		before, err := Uninstall(a.agent, testPlace(a.agent), d.read)
		if err != nil {
			return // nor can it be put in
		}
		changes, err := Install(a.agent, testPlace(a.agent), testCommand, d.read)
		if err != nil {
			return
		}
		d.apply(changes)
		in := bytes.Clone(d[a.file])
		plain := in
		if a.comments {
			// hujson wants a line end behind a comment, the clients do not
			if plain, err = hujson.Standardize(append(bytes.Clone(bytes.TrimPrefix(in, []byte("\ufeff"))), '\n')); err != nil {
				t.Fatalf("%v\n%q", err, in)
			}
		}
		if _, err := strictjson.Parse(plain); err != nil {
			t.Fatalf("%v\n%q", err, in)
		}
		if state, err := Check(a.agent, testPlace(a.agent), testCommand, d.read); err != nil || state != Wired {
			t.Fatalf("%v, %v after the installation in %q:\n%q", state, err, text, in)
		}
		if changes, err = Uninstall(a.agent, testPlace(a.agent), d.read); err != nil {
			t.Fatal(err)
		}
		d.apply(changes)
		// What longline finds of its own in a file goes as well.
		want := text
		for _, c := range before {
			if c.Path == a.file {
				want = c.New
			}
		}
		if !bytes.Equal(want, d[a.file]) {
			t.Fatalf("out again, the file is\n%q\nwant\n%q\ninstalled:\n%q", d[a.file], want, in)
		}
	})
}

// FuzzTrust: the same for Codex's config.toml, which longline adds lines to.
func FuzzTrust(f *testing.F) {
	for _, seed := range []string{"", "\n", "model = \"x\"\n", "model = \"x\"", "[hooks]\nstate = {}\n", "[a]\r\nb = 1\r\n", "[hooks.state.\"/x:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:00\"\n", "\n\n\n"} {
		f.Add([]byte(seed))
	}
	const file = "/home/dev/.codex/config.toml"
	f.Fuzz(func(t *testing.T, text []byte) {
		if text == nil {
			text = []byte{}
		}
		d := disk{file: text}
		changes, err := Install("codex", testPlace("codex"), testCommand, d.read)
		if err != nil {
			return
		}
		d.apply(changes)
		if in := d[file]; !bytes.HasPrefix(in, text) && !bytes.Contains(text, []byte("[hooks.state.")) {
			t.Fatalf("%q became %q", text, in)
		}
		if changes, err = Uninstall("codex", testPlace("codex"), d.read); err != nil {
			t.Fatal(err)
		}
		d.apply(changes)
		if got, ok := d[file]; !ok || !bytes.Equal(got, text) {
			t.Fatalf("out again, %q is %q", text, got)
		}
	})
}
