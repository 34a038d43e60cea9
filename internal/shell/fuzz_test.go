package shell

import (
	"strings"
	"testing"

	"longline/internal/command"
)

// FuzzBash holds the reader against real bash on generated scripts.
func FuzzBash(f *testing.F) {
	for i := range 32 {
		seed := make([]byte, 64)
		for j := range seed {
			seed[j] = byte(i*31 + j*j*7 + j*i)
		}
		f.Add(seed)
	}
	rig := newBashRig(f)
	lib := testLibrary(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 512 {
			return
		}
		if strings.IndexByte(string(data), 0) > 400 {
			return
		}
		confirm(t, rig, lib, generate(data))
	})
}

// confirm fails if bash runs something that the reader does not see.
func confirm(t testing.TB, rig *bashRig, lib *command.Library, script string) bool {
	dir := rig.dir(t)
	r := &reader{world: rig.world(dir), lib: lib, parsed: true}
	res := r.resolve(script, dir)
	if hasGap(res) {
		return true // nothing to confirm
	}
	missed := hidden(res, rig.run(t, script, dir))
	for _, c := range missed {
		t.Errorf("%s\n---\n%q\nbash ran %q in %s, which is not in\n%s", script, script, c.argv, c.dir, listing(res))
	}
	return len(missed) == 0
}
