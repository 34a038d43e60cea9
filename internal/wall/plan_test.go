package wall

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"longline/internal/policy"
	"longline/internal/tool"
)

func testWorld(home, project string) *tool.World {
	return &tool.World{
		Home: home, Project: project,
		Getenv:   os.LookupEnv,
		ReadFile: os.ReadFile,
		Readlink: os.Readlink,
		Exists:   func(path string) bool { _, err := os.Lstat(path); return err == nil },
	}
}

// builtin is the policy that longline brings.
func builtin() *policy.Set {
	packs, err := policy.BuiltinFile()
	if err != nil {
		panic(err)
	}
	set, _, err := policy.Merge(packs, nil, nil, nil)
	if err != nil {
		panic(err)
	}
	return set
}

func BenchmarkPlan(b *testing.B) {
	home := b.TempDir()
	wd := filepath.Join(home, "code/project")
	for i := range 150 {
		for _, name := range []string{"/.tool%d/bin/", "/dir%d/src/", "/.config/tool%d/x/", "/code/p%d/src/", "/.cache/c%d/x/"} {
			dir := home + fmt.Sprintf(name, i)
			_ = os.MkdirAll(dir, 0o700)
			_ = os.WriteFile(dir+"../settings", nil, 0o600)
		}
	}
	_ = os.MkdirAll(wd+"/.git", 0o700)
	set := builtin()
	for b.Loop() {
		For(set, testWorld(home, wd), wd, os.Environ(), Settings{})
	}
}

// TestSecretsBeside: secrets are hidden however much lies in the home directory and beside the project, behind names with
// dots too, and what longline itself keeps.
func TestSecretsBeside(t *testing.T) {
	home := real(t.TempDir())
	project := home + "/code/project"
	want := []string{
		".oci/oci_api_key.pem", ".local/state/longline/serve-token", ".tool/deploy.key", "zz/.env", ".config/tool/credentials.json", ".zz.pem", "code/zz/server.p12", "state/audit.jsonl",
	}
	for _, name := range append(slices.Clone(want), "code/project/.git/HEAD", ".tool/settings", ".config/tool/settings.json") {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(home, name)), 0o700), os.WriteFile(filepath.Join(home, name), nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 200 {
		for _, dir := range []string{".a", "a", ".config/a", "code/a"} {
			if err := os.MkdirAll(filepath.Join(home, dir+strconv.Itoa(i)), 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	p := For(builtin(), testWorld(home, project), project, nil, Settings{State: home + "/state"})
	for _, name := range want {
		if k := p.kindOf(filepath.Join(home, name)); k != Hidden && k != Empty {
			t.Errorf("%s is %s", name, k)
		}
	}
	for _, name := range []string{".tool/settings", ".config/tool/settings.json"} {
		if k := p.kindOf(filepath.Join(home, name)); k != Closed {
			t.Errorf("%s is %s", name, k)
		}
	}
}

// TestTrackedFixtures: with the network open, what is called like a secret is hidden in the project, never emptied, and left
// alone where git tracks it.
func TestTrackedFixtures(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	home := real(t.TempDir())
	project := home + "/project"
	tracked := []string{"testdata/key.pem", ".env.test", "a/store.jks", "a/credentials.json", "x/.netrc", "secrets/a/token.json"}
	others := []string{".env", "testdata/mine.pem", "kubeconfig.yaml", "x/secrets.yaml", "secrets/mine"}
	for _, name := range append(slices.Clone(tracked), others...) {
		path := filepath.Join(project, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, append([]string{"add", "-f"}, tracked...)} {
		if out, err := exec.Command("git", append([]string{"-C", project}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	p := For(builtin(), testWorld(home, project), project, nil, Settings{Network: true})
	for _, name := range tracked {
		if k := p.kindOf(filepath.Join(project, name)); k != Open {
			t.Errorf("%s is %s", name, k)
		}
	}
	for _, name := range others {
		if k := p.kindOf(filepath.Join(project, name)); k != Hidden {
			t.Errorf("%s is %s", name, k)
		}
	}
}

// TestFullHome: secrets are hidden however much else lies in the home directory, and where there is more than is looked at the plan
// says so.
func TestFullHome(t *testing.T) {
	defer func(usual int) { maxEntries = usual }(maxEntries)
	maxEntries = 3000
	home := t.TempDir()
	secrets := []string{".ssh", ".aws", ".gnupg", ".netrc", ".git-credentials", ".pgpass", ".kube", ".docker", ".npmrc", ".pypirc"}
	put := func(list []string) {
		for _, name := range list {
			if err := os.MkdirAll(filepath.Join(home, name), 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	fill := func(from, to int) {
		for i := from; i < to; i++ {
			if err := os.WriteFile(filepath.Join(home, "note"+strconv.Itoa(i)), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	count := func() (hidden int, unseen string) {
		p := For(builtin(), testWorld(home, ""), home, nil, Settings{})
		for _, l := range p.Layers {
			if (l.Kind == Hidden || l.Kind == Empty) && filepath.Dir(l.Path) == home {
				hidden++
			}
		}
		return hidden, p.unseen
	}
	put(secrets)
	few, _ := count()
	for _, name := range secrets[5:] { // which are the first and the last that were made, in whatever order a directory is read
		if err := os.Remove(filepath.Join(home, name)); err != nil {
			t.Fatal(err)
		}
	}
	fill(0, 2000)
	put(secrets[5:])
	if many, unseen := count(); many != few || few < 5 || unseen != "" {
		t.Errorf("%d secrets are hidden, with 2,000 files beside them %d; not seen: %q", few, many, unseen)
	}
	fill(2000, maxEntries)
	if _, unseen := count(); unseen != real(home) {
		t.Errorf("a home directory with too much in it counts as seen: %q", unseen)
	}
}

// TestSpecial: what is said quickly of a path is what the zones say.
func TestSpecial(t *testing.T) {
	for _, project := range []string{"/home/u/code/p", "/root/p", "/srv/p", "/home/u/.config/nvim", "/home/other/p", "/etc/xdg/p", "/home/u/code/.github"} {
		w := testWorld("/home/u", project)
		w.Hooks, w.Guard = []string{project + "/scripts/git"}, []string{"/opt/bin/longline", project + "/bin/longline"}
		g := builtin().Ground(w)
		p := &Plan{Projects: []string{project}}
		special := p.special(g)
		quick := 0
		var names []string
		for z := range policy.Zone(16) {
			for _, m := range g.Members(z) {
				if m = strings.NewReplacer("**", "x", "*", "", "?", "y", `\`, "").Replace(strings.Trim(m, "~./")); m != "" {
					names = append(names, m, "."+m, strings.ToUpper(m), path.Dir(m), path.Base(m))
				}
			}
		}
		for _, name := range append(names, "scripts/git", "scripts/git/x", "bin", "src/main.go", "a/b/c.txt", "data/lib/x", "config") {
			for _, path := range []string{project + "/" + name, project + "/sub/" + name, project + "/node_modules/x/" + name + "/z"} {
				if is := g.In(path, protecting) || g.Leads(path, protecting); is && !special(path) {
					t.Errorf("%s is taken for any path", path)
				} else if !special(path) {
					quick++
				}
			}
		}
		if quick == 0 && project == "/home/u/code/p" {
			t.Error("no path is quick")
		}
		if special(project+"/src/data/main.go") && project == "/home/u/code/p" {
			t.Error("an ordinary path is special")
		}
	}
}
