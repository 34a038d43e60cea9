package policy

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// linkedDisk is a world in which some files are there, some of them links.
func linkedDisk(links map[string]string, files ...string) *tool.World {
	w := fakeDisk(files...)
	w.Readlink = func(path string) (string, error) {
		switch to, ok := links[path]; {
		case ok:
			return to, nil
		case w.Exists(path):
			return "", tool.ErrNotLink
		}
		return "", fs.ErrNotExist
	}
	return w
}

// zoned says whether something exact touches a zone.
func zoned(w *tool.World, z Zone, path string) bool {
	g := newGround(w, new(zoneTables))
	t := g.target(exactly(tool.Write, path))
	return g.touches(&t, z).direct == certain
}

// TestLinkedSettings: whoever keeps settings elsewhere and links to them has settings there,
// unless that is so much that it would say nothing.
func TestLinkedSettings(t *testing.T) {
	for name, test := range map[string]struct {
		links map[string]string
		path  string
		want  bool
	}{
		"no link":              {nil, "/srv/dots/claude/settings.json", false},
		"a directory":          {map[string]string{"/home/dev/.claude": "/srv/dots/claude"}, "/srv/dots/claude/settings.json", true},
		"beside it":            {map[string]string{"/home/dev/.claude": "/srv/dots/claude"}, "/srv/dots/other", false},
		"a file":               {map[string]string{"/home/dev/.claude/settings.json": "/srv/dots/s.json"}, "/srv/dots/s.json", true},
		"of the project":       {map[string]string{"/home/dev/proj/.claude": "/srv/dots/claude"}, "/srv/dots/claude/settings.json", true},
		"of somebody else":     {map[string]string{"/home/eve/.claude": "/srv/dots/claude"}, "/srv/dots/claude/settings.json", false},
		"everything":           {map[string]string{"/home/dev/.claude": "/"}, "/srv/x", false},
		"the home directory":   {map[string]string{"/home/dev/.claude": "/home/dev"}, "/home/dev/x", false},
		"above the home":       {map[string]string{"/home/dev/.claude": "/home"}, "/home/x", false},
		"the settings as such": {nil, "/home/dev/.claude/settings.json", true},
	} {
		w := linkedDisk(test.links, "/home/dev/.claude/settings.json", "/home/dev/proj/.claude/settings.json", "/home/dev/.other/x", "/srv/dots/claude/settings.json", "/srv/dots/s.json")
		if got := zoned(w, ZoneAgent, test.path); got != test.want {
			t.Errorf("%s: %s: %v", name, test.path, got)
		}
	}
}

// TestOwnFiles: the log is longline's own, and so is what is put away of it, whatever its name is.
func TestOwnFiles(t *testing.T) {
	for _, test := range []struct {
		log, path string
		want      bool
	}{
		{"/var/l/audit.jsonl", "/var/l/audit.jsonl", true},
		{"/var/l/audit.jsonl", "/var/l/audit-1.jsonl", true},
		{"/var/l/audit.jsonl", "/var/l/audit-1", false},
		{"/var/l/audit.jsonl", "/var/l/other.jsonl", false},
		{"/var/l/audit", "/var/l/audit", true},
		{"/var/l/audit", "/var/l/audit-1", true},
		{"/var/l/audit", "/var/l/-1audit", false},
		{"/var/l/.audit", "/var/l/.audit", true},
		{"/var/l.d/audit", "/var/l.d/audit-1", true},
		{"", "/var/l/audit", false},
	} {
		w := fakeDisk()
		w.Log = test.log
		if got := zoned(w, ZoneGuard, test.path); got != test.want {
			t.Errorf("the log is %q, %s: %v", test.log, test.path, got)
		}
	}
}

// TestMoreOfTheMachine: what is told of the machine besides the usual adds to the zones, and a
// directory that holds far more than a project is none.
func TestMoreOfTheMachine(t *testing.T) {
	w := fakeDisk()
	w.Also, w.Secrets, w.Own = []string{"/srv/lib", "/", "/home", "/home/dev"}, []string{"/srv/state"}, []string{"~/.mine"}
	for _, test := range []struct {
		z    Zone
		path string
		want bool
	}{
		{ZoneProject, "/home/dev/proj/a", true},
		{ZoneProject, "/srv/lib/a", true},
		{ZoneProject, "/srv/other", false},
		{ZoneProject, "/home/dev/a", false},
		{ZoneSecrets, "/srv/state", true},
		{ZoneSecrets, "/srv/state/x", true},
		{ZoneSecrets, "/srv/stat", false},
		{ZoneSecrets, "/home/dev/.ssh/id_rsa", true},
		{ZoneOwn, "/home/dev/.mine/x", true},
		{ZoneOwn, "/home/dev/.other", false},
	} {
		if got := zoned(w, test.z, test.path); got != test.want {
			t.Errorf("%v, %s: %v", test.z, test.path, got)
		}
	}
	w.Project = "/home/dev"
	if zoned(w, ZoneProject, "/home/dev/x") {
		t.Error("the home directory is a project")
	}
}

// TestEverythingInADirectory: to delete or write everything in a directory, and all below, is to
// do it to the directory.
func TestEverythingInADirectory(t *testing.T) {
	g := newGround(fakeDisk(), new(zoneTables))
	for _, kind := range []tool.Kind{tool.Read, tool.Write, tool.Delete, tool.Create} {
		for _, all := range []bool{false, true} {
			for _, rest := range []string{"*", "**", "a*", "*/x", "?*", "*/*", "?", ".[!.]*", ".*"} {
				got := g.target(tool.Effect{Kind: kind, Target: "/srv/" + rest, Reach: tool.Exact, Pattern: true, Tree: all})
				is := slices.ContainsFunc(got.spots, func(s spot) bool { return s.rest == "" && s.at.path == "/srv" })
				if want := all && (kind == tool.Write || kind == tool.Delete) && rest != "a*" && rest != "*/x" && rest != "?"; is != want {
					t.Errorf("%v of /srv/%s, tree %v: it is the directory: %v", kind, rest, all, is)
				}
			}
		}
	}
}

// TestSweeps: a rule can speak of what lies below a target only, of all but that, or of both.
func TestSweeps(t *testing.T) {
	w := fakeDisk("/home/dev/.ssh/id_rsa")
	key, home := exactly(tool.Delete, "/home/dev/.ssh/id_rsa"), tree(exactly(tool.Delete, "/home/dev"))
	for _, test := range []struct {
		sweep Answer
		e     tool.Effect
		want  touch
	}{
		{0, key, touching}, {0, home, sweeping}, {Yes, key, apart}, {Yes, home, sweeping}, {No, key, touching}, {No, home, apart},
	} {
		g := newGround(w, new(zoneTables))
		one := g.target(test.e)
		m := Effect{Kinds: KindSet(0).With(tool.Delete), Places: Places{Zones: ZoneSet(0).With(ZoneSecrets)}, Sweep: test.sweep}
		if got := g.objects(&one, &m); got != test.want {
			t.Errorf("sweep %v, %s: %v, want %v", test.sweep, test.e.Target, got, test.want)
		}
	}
}

// TestFindingsOnce: each finding on an invocation is kept once, in the order in which it was made.
func TestFindingsOnce(t *testing.T) {
	for _, different := range []int{1, 3, few, few + 1, 3 * few} {
		var list opinions
		var want []tool.Finding
		for inv := range 3 {
			for i := range 4 * different {
				f := tool.Finding{Rule: fmt.Sprint("r", i%different), Invocation: inv}
				list.add(opinion{Finding: f})
				if i < different {
					want = append(want, f)
				}
			}
		}
		if !slices.Equal(list.findings, want) {
			t.Errorf("of %d different ones on each of 3 invocations %d are kept", different, len(list.findings))
		}
	}
}

// TestFlagsWithoutModel: a word with one dash is several flags if it is a few letters.
func TestFlagsWithoutModel(t *testing.T) {
	for _, test := range []struct {
		list []string
		flag string
		want bool
	}{
		{[]string{"-r", "-v"}, "-r", true},
		{[]string{"-r", "-v"}, "-rv", true},
		{[]string{"-r", "-v"}, "-vr", true},
		{[]string{"-r", "-v"}, "-rf", false},
		{[]string{"-r", "-v"}, "-R", false},
		{[]string{"-r", "-1"}, "-r1", false},
		{[]string{"-rv"}, "-rv", true},
		{[]string{"--long"}, "--long", true},
		{[]string{"-l", "-o", "-n", "-g"}, "--long", false},
		{[]string{"-a", "-b"}, "-ababa", true},
		{[]string{"-a", "-b"}, "-ababab", false},
		{[]string{"-"}, "-", true},
		{nil, "-r", false},
	} {
		if got := listsFlag(test.list, test.flag); got != test.want {
			t.Errorf("%s in %q: %v", test.flag, test.list, got)
		}
	}
}

// TestThings: of a command that was denied, what it changes and sends is remembered, and at
// least that something was denied.
func TestThings(t *testing.T) {
	effects := []tool.Effect{
		exactly(tool.Read, "/a"), exactly(tool.Fetch, "example.com"), exactly(tool.Execute, "file:/x"), exactly(tool.Write, "/a"), exactly(tool.Delete, "/b"), exactly(tool.Create, "/c"),
		exactly(tool.Send, "example.com"), exactly(tool.Send, "@x"), exactly(tool.Control, "git.push"),
		{Kind: tool.Write, Target: "/d", Reach: tool.Under},
		{Kind: tool.Delete},
	}
	effects[3].Span = tool.Span{Start: 1, End: 2}
	var got []string
	for _, d := range Things(tool.Denial{Rule: "r"}, &command.Invocation{Effects: effects}) {
		if d.Rule != "r" || d.Effect.Span != (tool.Span{}) {
			t.Errorf("%+v", d)
		}
		got = append(got, d.Effect.Kind.String()+" "+d.Effect.Target)
	}
	if want := []string{"write /a", "delete /b", "create /c", "send example.com", "control git.push"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Things(tool.Denial{}, &command.Invocation{Effects: effects[:3]}); len(got) != 1 || got[0].Effect != (tool.Effect{}) {
		t.Errorf("%+v", got)
	}
	for n, want := range map[int]int{maxDenied - 1: maxDenied - 1, maxDenied: maxDenied, maxDenied + 1: maxDenied, 50: maxDenied} {
		if got := Things(tool.Denial{}, &command.Invocation{Effects: slices.Repeat(effects[3:4], n)}); len(got) != want {
			t.Errorf("%d things: %d", n, len(got))
		}
	}
}

// TestSecretsRead: the secrets that a call reads are noted, and of patterns only those that are
// after one.
func TestSecretsRead(t *testing.T) {
	w := fakeDisk("/home/dev/.ssh/id_rsa", "/home/dev/proj/a")
	for _, test := range []struct {
		e    tool.Effect
		want bool
	}{
		{exactly(tool.Read, "/home/dev/.ssh/id_rsa"), true},
		{exactly(tool.Read, "/home/dev/proj/a"), false},
		{exactly(tool.Write, "/home/dev/.ssh/id_rsa"), false},
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/.ssh/id_rsa", Reach: tool.Under}, false},
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/.ssh/*", Reach: tool.Exact, Pattern: true}, true},
		{tool.Effect{Kind: tool.Read, Target: "/home/dev/proj/*", Reach: tool.Exact, Pattern: true}, false},
	} {
		g := newGround(w, new(zoneTables))
		j := &judging{g: g, call: &tool.Call{}}
		if j.reads([]target{g.target(test.e)}); (len(j.secrets) == 1) != test.want {
			t.Errorf("%+v: %q", test.e, j.secrets)
		}
		if j.reads(slices.Repeat([]target{g.target(test.e)}, 50)); len(j.secrets) > maxDenied {
			t.Errorf("%d secrets", len(j.secrets))
		}
	}
}

// TestKnownNames: a rule can name what there is, or a glob that matches some of it.
func TestKnownNames(t *testing.T) {
	for name, want := range map[string]bool{
		"git.push": true, "git.*": true, "*": true, "git.psuh": false, "gti.*": false, "file:/x": true, "file:*": true, "file*": true, "fi*": false, "file": false, "filed*": false, "f?le:x": true, "nothing:x": false, "inline*": true, "": false,
	} {
		if got := KnownName(name); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
	for z, name := range ZoneNames() {
		if got, ok := ParseZone(name); !ok || got != Zone(z) {
			t.Errorf("%s: %v, %v", name, got, ok)
		}
	}
	if z, ok := ParseZone("nowhere"); ok {
		t.Errorf("nowhere is %v", z)
	}
	if Layer(len(layerNames)).String() != "" || Level(len(levelNames)).String() != "" {
		t.Error("what is none has a name")
	}
}

// TestAppend: each list of a file goes on with that of another.
func TestAppend(t *testing.T) {
	one := func(name string) *File {
		return &File{AllowCommands: []Allowed{{Text: name}}, AllowPaths: []Allowed{{Text: name}}, Rules: []Rule{{ID: name}}, Disable: []Named{{ID: name}}, Tests: []Test{{ID: name}}}
	}
	f := one("a")
	f.Append(one("b"))
	for i := range reflect.TypeFor[File]().NumField() {
		field := reflect.TypeFor[File]().Field(i)
		if list := reflect.ValueOf(*f).Field(i); field.IsExported() && slices.Contains([]string{"AllowCommands", "AllowPaths", "Rules", "Disable", "Tests"}, field.Name) && (list.Len() != 2 || reflect.DeepEqual(list.Index(0).Interface(), list.Index(1).Interface())) {
			t.Errorf("%s: %v", field.Name, list)
		}
	}
}

// TestOpenOldForms: what another version has written is not read.
func TestOpenOldForms(t *testing.T) {
	data := Encode(&File{Name: "x"})
	if _, err := Open(string(data)); err != nil {
		t.Fatal(err)
	}
	for _, version := range []byte{0, data[0] - 1, data[0] + 1} {
		if _, err := Open(string(append([]byte{version}, data[1:]...))); err == nil {
			t.Errorf("a file of version %d is read by version %d", version, data[0])
		}
	}
}

// TestJudgingEnds: what is not looked at in time is a gap.
func TestJudgingEnds(t *testing.T) {
	set, _, err := Merge(nil, nil, &File{HasDefault: true, Default: tool.Ask}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]int{1: 0, 15: 0, 16: 1, 100: 1} {
		asked := 0
		v := set.JudgeUntil(func() bool { asked++; return true }, &tool.Call{Shell: true}, slices.Repeat([]*command.Invocation{{}}, n), nil, fakeDisk())
		late := 0
		for _, f := range v.Findings {
			if strings.Contains(f.Reason, "too long to judge") {
				late++
			}
		}
		if late != want || asked != want || (v.Decision == tool.Ask) != (want == 1) {
			t.Errorf("%d commands: asked %d times, %d gaps, %s", n, asked, late, v.Decision)
		}
	}
}

// TestSureEnds: that words which are not wholly known count for nothing holds for one look.
func TestSureEnds(t *testing.T) {
	j := &judging{g: newGround(fakeDisk(), new(zoneTables)), call: &tool.Call{}}
	j.surely(&Rule{Decision: tool.Deny}, &command.Invocation{})
	if j.sure {
		t.Error("it holds for others too")
	}
}

// TestBackslashAtTheEnd: in a rule it is a mistake, and to a shell a backslash.
func TestBackslashAtTheEnd(t *testing.T) {
	if CheckGlob(`a\`) == "" || CheckGlob(`a\\`) != "" || CheckGlob("") == "" {
		t.Error("globs of rules")
	}
	if tokens, problem := compile(`a\`, inShell); problem != "" || len(tokens) != 2 || tokens[1].r != '\\' {
		t.Errorf("%v, %s", tokens, problem)
	}
}
