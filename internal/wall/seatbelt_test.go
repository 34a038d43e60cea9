package wall

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"longline/internal/paths"
	"longline/internal/policy"
)

var update = flag.Bool("update", false, "write the profiles anew")

func asIs(path string) string { return path }

// seatbeltPlan is a plan with everything in it that a profile can say.
func seatbeltPlan() *Plan {
	p := &Plan{
		Home: "/Users/me", Projects: []string{"/Users/me/code/app"}, Sockets: []string{"/private/tmp/.s.PGSQL.5432"},
		Overlay: Overlay{Private: "/Users/me/.local/state/longline/walls/1"},
		members: func(z policy.Zone) []string {
			return map[policy.Zone][]string{
				policy.ZoneAgent:        {".claude/settings*.json", ".claude/"},
				policy.ZoneStartup:      {".git/hooks", ".claude/skills/**", ".envrc", "~/code/app/x", "~/.zshrc"},
				policy.ZoneInstructions: {"CLAUDE.md"},
				policy.ZoneBuild:        {"node_modules", "*.egg-info"},
			}[z]
		},
	}
	for path, kind := range map[string]Kind{
		"/private/tmp": Open, "/Users/me/code/app": Open, "/Users/me/code/app/.git": Fixed, "/Users/me/code/app/.git/hooks": Closed,
		"/Users/me/.ssh": Hidden, "/Users/me/.npmrc": Empty, "/Users/me/.local/state/longline": Hidden, "/Users/me/.local/state/longline/walls/1": Open,
		"/Users/me/code/app/deep/er/.env": Hidden,
	} {
		p.add(path, kind)
	}
	return p
}

// TestProfile compares whole profiles.
func TestProfile(t *testing.T) {
	for _, name := range []string{"closed", "network", "keeps"} {
		p := seatbeltPlan()
		p.Network, p.Keeps = name != "closed", name == "keeps"
		s := p.profile(asIs)
		got := s.text.String()
		for i, value := range s.params {
			got += fmt.Sprintf("P%d=%s\n", i, value)
		}
		file := "testdata/seatbelt-" + name + ".sb"
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || string(want) != got {
			t.Errorf("%s: %v; the profile is\n%s", file, err, got)
		}
	}
}

// TestProfileHolds: what a profile leaves open, read as the kernel reads it.
func TestProfileHolds(t *testing.T) {
	k := newKernel(t, seatbeltPlan().profile(asIs))
	app := "/Users/me/code/app"
	for _, test := range []struct {
		ops   string
		path  string
		allow bool
	}{
		{"file-write-create file-write-data file-write-unlink file-link", app + "/main.go", true},
		{"file-write-create file-write-data file-link", "/private/tmp/x", true},
		{"file-write-create", "/private/var/folders/ab/cdef/T/x", true},
		{"file-write-create", "/private/var/folders/ab/cdef/C/x", false},
		{"file-write-data", "/dev/null", true},
		{"file-write-data", "/dev/disk0", false},
		{"file-write-create file-write-data file-write-unlink file-link", "/Users/me/.zshrc", false},
		{"file-write-create file-link", "/Users/me/code/app2/x", false},
		{"file-read-data", "/Users/me/code/app2/x", true},
		{"file-read-data file-read-xattr file-link file-map-executable", "/Users/me/.ssh/id_rsa", false},
		{"file-read-data", "/Users/me/.npmrc", false},
		{"file-read-metadata", "/Users/me/.npmrc", true},
		{"file-read-data", "/Users/me/.local/state/longline/audit.jsonl", false},
		{"file-read-data file-write-create", "/Users/me/.local/state/longline/walls/1/plain/x", true},
		{"file-write-create file-write-data", app + "/.git/index", true},
		{"file-write-create file-write-data", app + "/.git/hooks/pre-commit", false},
		{"file-write-create", app + "/sub/.GIT/Hooks/pre-commit", false},
		{"file-write-create", app + "/sub/.git", false},
		{"file-write-unlink", app + "/.git", false},
		{"file-write-unlink", app, false},
		{"file-write-unlink", app + "/deep", false},
		{"file-write-unlink", app + "/deep/er", false},
		{"file-write-unlink", app + "/deep/er/x", true},
		{"file-read-data file-write-unlink", app + "/deep/er/.env", false},
		{"file-write-create file-write-data file-write-unlink", app + "/Claude.md", false},
		{"file-write-create", app + "/sub/CLAUDE.md/x", false},
		{"file-write-create", app + "/CLAUDE.mdx", true},
		{"file-write-create", app + "/.claude/settings.local.json", false},
		{"file-write-create", app + "/.claude/\u017fettings.json", false},
		{"file-write-create", app + "/.claude/s.json", true},
		{"file-write-create", app + "/.claude/skills", false},
		{"file-write-create", app + "/.claude/\u017f\u212aills/x", false},
		{"file-write-create", app + "/node_modules/x/CLAUDE.md", true},
		{"file-write-create", app + "/node_modules/x/.claude/settings.json", false},
		{"file-write-create", app + "/node_modules/x/.git/hooks/a", false},
		{"file-write-create", app + "/x/y", false}, // a member that stands at one place
		{"file-write-create", app + "/xy", true},
	} {
		for op := range strings.FieldsSeq(test.ops) {
			if got := k.allows(op, test.path); got != test.allow {
				t.Errorf("%s of %s: %t", op, test.path, got)
			}
		}
	}
}

// TestProfileHoldsZones: a profile protects what the built-in zones do.
func TestProfileHoldsZones(t *testing.T) {
	home, app := "/Users/me", "/Users/me/code/app"
	w := testWorld(home, app)
	w.FoldCase = true
	g := builtin().Ground(w)
	p := &Plan{Home: home, Projects: []string{app}}
	p.rules(g)
	p.add(app, Open)
	k := newKernel(t, p.profile(asIs))
	tried := 0
	for z := range policy.Zone(32) {
		if !protecting.Has(z) {
			continue
		}
		for _, m := range g.Members(z) {
			if m[0] == '/' || m[0] == '~' {
				continue
			}
			name := strings.NewReplacer("/**", "/x/y", "*", "x", "?", "x").Replace(m)
			for _, path := range []string{name, "sub/dir/" + name, strings.ToUpper(name), name + "/x", "node_modules/a/" + name, ".venv/" + name + "/y"} {
				path = app + "/" + strings.TrimSuffix(path, "/")
				tried++
				if p.Guarded(path) && (k.allows("file-write-create", path) || k.allows("file-write-data", path) || k.allows("file-link", path)) {
					t.Errorf("%s is guarded, and can be written", path)
				}
				if dir := filepath.Dir(path); p.Leading(dir) && !p.Loose(dir) && k.allows("file-write-create", dir) {
					t.Errorf("%s leads to what is guarded, and can be made", dir)
				}
			}
		}
	}
	if tried < 1000 {
		t.Errorf("only %d names", tried)
	}
	for name := range strings.FieldsSeq("src/main.go go.mod .git/index .git/objects/ab/cd .git/refs/heads/x .git/COMMIT_EDITMSG .env package.json dist/CLAUDE.md " +
		"node_modules/a/.travis.yml node_modules/.bin/tsc .venv/lib/python3/site-packages/a.pth sub/.eslintrc .claude/notes.md docs/rules.md .vscode/x.json") {
		if !k.allows("file-write-create", app+"/"+name) || !k.allows("file-write-unlink", app+"/"+name) {
			t.Errorf("%s cannot be made", name)
		}
	}
}

// FuzzProfile: whatever a path or a member of a zone is called, nothing of it stands in the text of the profile, and the rules are
// about that path and no other.
func FuzzProfile(f *testing.F) {
	f.Add("Users/me/p", "x/.ssh", ".claude/*.json")
	f.Add(`a")) (allow default) (deny file-read* (literal "`, `\`, `")(allow file*)`)
	f.Add("a.b+(c)|d^$[e]{f}*?", "$", "[a-z]/?*")
	f.Add("é\n\t;x", "-D", "(|")
	f.Add("p", "p", "ffi/st")
	fixed := stringsIn(parse(f, seatbeltBase+seatbeltFiles+seatbeltLocal+seatbeltOpen))
	f.Fuzz(func(t *testing.T, project, secret, member string) {
		project, secret = filepath.Clean("/v/"+project), filepath.Clean("/v/"+secret)
		if !utf8.ValidString(project+secret+member) || strings.Contains(project+secret+member, "\x00") || member == "" || project == "/" || secret == "/" {
			t.Skip()
		}
		p := &Plan{Projects: []string{project}, Sockets: []string{secret}, members: func(z policy.Zone) []string {
			return map[policy.Zone][]string{policy.ZoneAgent: {member}, policy.ZoneStartup: {"Makefile"}, policy.ZoneBuild: {"build"}}[z]
		}}
		p.add(project, Open)
		p.add(secret, Hidden)
		s := p.profile(asIs)
		for _, text := range stringsIn(parse(t, s.text.String())) {
			if !slices.Contains(fixed, text) && !regexp.MustCompile(`^P\d+$`).MatchString(text) {
				t.Errorf("%q stands in the profile", text)
			}
		}
		for i, word := range s.argv([]string{"x"})[3:] {
			if at := i / 2; i%2 == 1 && at < len(s.params) && word != fmt.Sprintf("P%d=%s", at, s.params[at]) {
				t.Errorf("parameter %d is %q", at, word)
			}
		}
		k := newKernel(t, s)
		if k.allows("file-read-data", secret) || !paths.Within(project, secret) && k.allows("file-write-data", secret+"/x") || k.allows("file-write-create", "/v2/x") {
			t.Error("the secret can be read, or what is outside written")
		}
		if !paths.Within(project, secret) && k.allows("file-write-create", project+"/makefile") {
			t.Error("a guarded name can be made")
		}
		p.members = func(z policy.Zone) []string {
			return map[policy.Zone][]string{policy.ZoneStartup: {"Makefile"}, policy.ZoneBuild: {"build"}}[z]
		}
		p.Layers = []Layer{{project, Open}}
		if k = newKernel(t, p.profile(asIs)); !k.allows("file-write-create", project+"/x/build/Makefile") || k.allows("file-write-create", project+"/x/Makefile") {
			t.Error("what a build makes is not told from other files")
		}
	})
}

// kernel decides by a profile as the kernel of macOS does: the last rule that matches counts.
type kernel struct {
	t      testing.TB
	rules  []any
	params []string
	regex  map[string]*regexp.Regexp
}

func newKernel(t testing.TB, s *profile) *kernel {
	return &kernel{t, parse(t, s.text.String()), s.params, map[string]*regexp.Regexp{}}
}

func (k *kernel) allows(op, path string) (allowed bool) {
	for _, r := range k.rules {
		rule := r.([]any)
		verdict := rule[0].(string)
		if verdict != "allow" && verdict != "deny" {
			continue
		}
		ours, filtered, matches := false, false, false
		for _, part := range rule[1:] {
			if name, is := part.(string); is {
				base, all := strings.CutSuffix(name, "*")
				ours = ours || name == "default" || name == op || all && strings.HasPrefix(op, base)
				continue
			}
			filtered = true
			matches = matches || ours && k.matches(part.([]any), path)
		}
		if ours && (matches || !filtered) {
			allowed = verdict == "allow"
		}
	}
	return allowed
}

func (k *kernel) matches(filter []any, path string) bool {
	value := func() string {
		if text, is := filter[1].(quoted); is {
			return string(text)
		}
		n := 0
		if _, err := fmt.Sscanf(string(filter[1].([]any)[1].(quoted)), "P%d", &n); err != nil {
			k.t.Fatal(err)
		}
		return k.params[n]
	}
	switch filter[0] {
	case "subpath":
		return paths.Within(path, value())
	case "literal":
		return path == value()
	case "regex":
		text := value()
		if k.regex[text] == nil {
			k.regex[text] = regexp.MustCompile("(?s)" + text)
		}
		return k.regex[text].MatchString(path)
	case "require-all":
		return !slices.ContainsFunc(filter[1:], func(f any) bool { return !k.matches(f.([]any), path) })
	case "require-not":
		return !k.matches(filter[1].([]any), path)
	case "vnode-type", "file-mode":
		return false
	}
	k.t.Fatalf("unknown filter %v", filter)
	return false
}

// quoted is a text of a profile.
type quoted string

// parse reads a profile. What is left over, or is not closed, is an error.
func parse(t testing.TB, text string) []any {
	stack := [][]any{nil}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimLeft(text, " \n") {
		top := &stack[len(stack)-1]
		switch end := strings.IndexAny(text, " \n()"); {
		case text[0] == ';':
			_, text, _ = strings.Cut(text, "\n")
		case text[0] == '(':
			stack, text = append(stack, nil), text[1:]
		case text[0] == ')':
			if len(stack) < 2 {
				t.Fatal("one ) too many")
			}
			below := &stack[len(stack)-2]
			*below = append(*below, *top)
			stack, text = stack[:len(stack)-1], text[1:]
		case text[0] == '"' || strings.HasPrefix(text, `#"`):
			value, rest, closed := strings.Cut(strings.TrimPrefix(text, "#")[1:], `"`)
			if !closed {
				t.Fatal("a text without an end")
			}
			*top, text = append(*top, quoted(value)), rest
		default:
			*top, text = append(*top, text[:end]), text[end:]
		}
	}
	if len(stack) != 1 {
		t.Fatal("a ) is missing")
	}
	return stack[0]
}

func stringsIn(list []any) (texts []string) {
	for _, e := range list {
		switch e := e.(type) {
		case quoted:
			texts = append(texts, string(e))
		case []any:
			texts = append(texts, stringsIn(e)...)
		}
	}
	return texts
}
