package policy

import (
	"errors"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// exactly makes an effect of a kind on something that is known.
func exactly(kind tool.Kind, target string) tool.Effect {
	return tool.Effect{Kind: kind, Target: target, Reach: tool.Exact}
}

// tree is an effect on a directory with all in it.
func tree(e tool.Effect) tool.Effect {
	e.Tree = true
	return e
}

// TestRepeats: a command does again what was denied if it has the same effect on the same
// thing, or on what holds it; and may, if it runs code that nobody has read and that names it.
func TestRepeats(t *testing.T) {
	set, _, err := Merge(nil, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := fakeDisk()
	w.ReadFile = func(path string) ([]byte, error) {
		if path == "/srv/code" {
			return []byte(`remove("~/notes.txt"); remove("data/all.db"); remove("/etc/x.conf")`), nil
		}
		return nil, errors.New("not there")
	}
	const all = "/home/dev/proj/data/all.db"
	code := exactly(tool.Execute, "file:/srv/code")
	for _, test := range []struct {
		denied, now tool.Effect
		script      string
		want        touch
	}{
		{exactly(tool.Delete, all), exactly(tool.Delete, all), "", touching},
		{exactly(tool.Delete, all), tree(exactly(tool.Delete, "/home/dev/proj/data")), "", touching},
		{exactly(tool.Delete, all), exactly(tool.Delete, "/home/dev/proj/data"), "", apart},
		{exactly(tool.Delete, "/home/dev/proj/data"), exactly(tool.Delete, all), "", apart}, // a file of one's own
		{exactly(tool.Delete, all), exactly(tool.Write, all), "", apart},
		{exactly(tool.Delete, all), exactly(tool.Read, all), "", apart},
		{exactly(tool.Delete, all), exactly(tool.Delete, all+"2"), "", apart},
		{exactly(tool.Write, all), exactly(tool.Create, all), "", touching},
		{exactly(tool.Delete, all), tool.Effect{Kind: tool.Delete}, "", apart},
		{exactly(tool.Delete, all), exactly(tool.Execute, "project:make"), "", apart},
		{exactly(tool.Delete, all), code, "", perhaps},
		{exactly(tool.Delete, "/home/dev/notes.txt"), code, "", perhaps},
		{exactly(tool.Delete, "/etc/x.conf"), code, "", perhaps},
		{exactly(tool.Read, "/etc/x.conf"), code, "", apart}, // it may read what it likes
		{exactly(tool.Delete, "/etc/x"), code, "", apart},
		{exactly(tool.Delete, "/etc/y.conf"), code, "", apart},
		{tool.Effect{Kind: tool.Delete, Target: "/etc/x.conf/*", Pattern: true, Reach: tool.Exact}, code, "", apart},
		{exactly(tool.Delete, "/"), code, "", apart}, // which is in everything
		{exactly(tool.Delete, all), exactly(tool.Execute, "file:/srv/none"), "", apart},
		{exactly(tool.Delete, all), exactly(tool.Execute, "file:code"), "", apart},
		{exactly(tool.Delete, all), exactly(tool.Execute, "inline:x"), "x 'os.remove(\"" + all + "\")'", perhaps},
		{exactly(tool.Delete, all), exactly(tool.Execute, "stdin:x"), "x <<< './data/all.db'", apart}, // what the dot is, is not worked out
		{exactly(tool.Delete, all), exactly(tool.Execute, "stdin:x"), "x <<< 'data/all.db'", perhaps},
		{exactly(tool.Delete, all), exactly(tool.Execute, "stdin:x"), "data/all.db", perhaps},
		{exactly(tool.Delete, all), exactly(tool.Execute, "stdin:x"), "xdata/all.db data/all.dbx data/all.db/ y", perhaps},
		{exactly(tool.Delete, all), exactly(tool.Execute, "stdin:x"), "xdata/all.db data/all.dbx data/all.db/y", apart},
		{exactly(tool.Delete, all), exactly(tool.Execute, "stdin:x"), "x <<< 'olddata/all.db'", apart},
		{exactly(tool.Delete, "/home/dev/proj/ab"), exactly(tool.Execute, "stdin:x"), "x <<< 'ab'", apart}, // too short to say something
		{exactly(tool.Delete, "/home/dev"), exactly(tool.Execute, "inline:x"), "x 'rm(\"$HOME/\")'", perhaps},
		{exactly(tool.Send, "example.com"), exactly(tool.Send, "EXAMPLE.com"), "", touching},
		{exactly(tool.Send, "example.com"), exactly(tool.Send, "example.org"), "", apart},
		{exactly(tool.Send, "example.com"), exactly(tool.Fetch, "example.com"), "", apart},
		{exactly(tool.Control, "git.push"), exactly(tool.Control, "git.push"), "", touching},
		{exactly(tool.Control, "git.push"), exactly(tool.Control, "git.commit"), "", apart},
		{code, code, "", touching},
		{code, exactly(tool.Execute, "file:/srv/other"), "", apart},
		{exactly(tool.Execute, "project:make"), exactly(tool.Execute, "project:make"), "", apart},
		{tool.Effect{}, code, "", apart},
	} {
		call := &tool.Call{Shell: true, Script: test.script, Past: &tool.Past{Denied: []tool.Denial{{Effect: test.denied, Call: 1}}}}
		j := &judging{set: set, g: newGround(w, new(zoneTables)), call: call}
		inv := &command.Invocation{Effects: []tool.Effect{exactly(tool.Read, "/srv/other"), test.now}}
		got := j.repeated(inv)
		if got.strength != test.want || (got.denial != nil) != (test.want != apart) || got.effect != map[touch]int{apart: -1, perhaps: -1, touching: 1}[test.want] {
			t.Errorf("%v %s was denied, and %v %s %s: %v by effect %d", test.denied.Kind, test.denied.Target, test.now.Kind, test.now.Target, test.script, got.strength, got.effect)
		}
	}
}

// TestFetchedAgain: code from the host whose code was denied is the same thing.
func TestFetchedAgain(t *testing.T) {
	denied := tool.Denial{Effect: exactly(tool.Execute, "fetched:sh"), With: "example.com"}
	fetched := func(host string) *command.Invocation {
		return &command.Invocation{Code: &command.Code{Fetched: &tool.Brought{Host: host}}}
	}
	for _, test := range []struct {
		d    tool.Denial
		inv  *command.Invocation
		want bool
	}{
		{denied, fetched("example.com"), true},
		{denied, fetched("example.org"), false},
		{denied, fetched(""), false},
		{tool.Denial{Effect: denied.Effect, With: "@forge"}, fetched("@forge"), false},
		{tool.Denial{Effect: denied.Effect}, fetched(""), false},
		{tool.Denial{Effect: exactly(tool.Execute, "file:/x"), With: "example.com"}, fetched("example.com"), false},
		{denied, &command.Invocation{}, false},
		{denied, &command.Invocation{Code: &command.Code{}}, false},
	} {
		if got := sameFetched(&test.d, test.inv); got != test.want {
			t.Errorf("%+v, %+v: %v", test.d, test.inv.Code, got)
		}
	}
}

// TestTheDeniedCallAgain: a call that was denied is judged again as it was then.
func TestTheDeniedCallAgain(t *testing.T) {
	set, _, err := Merge(nil, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	call := &tool.Call{Shell: true, Script: "x"}
	for _, mark := range []uint64{0, call.Mark()} {
		call.Past = &tool.Past{Denied: []tool.Denial{{Effect: exactly(tool.Delete, "/srv/a"), Call: mark}}}
		j := &judging{set: set, g: newGround(fakeDisk(), new(zoneTables)), call: call}
		if got := j.repeated(&command.Invocation{Effects: []tool.Effect{exactly(tool.Delete, "/srv/a")}}); (got.strength == touching) != (mark == 0) {
			t.Errorf("%d: %v", mark, got.strength)
		}
	}
}
