package guard_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"longline/internal/command"
	"longline/internal/guard"
	"longline/internal/session"
	"longline/internal/tool"
)

// courseOf is a session in a project.
type courseOf struct {
	*workPlace
	guard   *guard.Guard
	journal session.Journal
	now     int64
}

// course begins a session in a project, after what was committed there.
func course(d *workPlace) *courseOf {
	c := &courseOf{workPlace: d, guard: builtin(d.t), now: time.Now().Unix() + 60}
	c.journal.Entries = []session.Entry{{Kind: session.Begun, When: c.now, Texts: []string{"x", "y", d.project}}}
	return c
}

// judge judges a command, or the file that a tool writes after "WRITE ", and learns from it as if it ran.
func (c *courseOf) judge(script string) tool.Verdict {
	call := tool.Call{Tool: "Bash", Dir: c.project, Script: script, Shell: true, Edits: true, Attended: true, Past: c.journal.Past()}
	var invs []*command.Invocation
	if name, ok := strings.CutPrefix(script, "WRITE "); ok {
		call = tool.Call{Tool: "Write", Dir: c.project, Effects: []tool.Effect{{Kind: tool.Write, Target: filepath.Join(c.project, name), Reach: tool.Exact}}, Past: call.Past}
	}
	v, invs := c.guard.Judge(call, realDisk(c.guard, c.home, c.project))
	c.journal.Learn(session.Seen{Call: &call, Verdict: &v, Invs: invs, Runs: true, Home: c.home, Project: c.project}, c.now)
	return v
}

// asks judges a command.
func (c *courseOf) asks(when, script string, want bool) {
	c.t.Helper()
	if v := c.judge(script); (v.Decision >= tool.Ask) != want {
		c.t.Errorf("%s: %s\n\tgot %s %s: %s", when, script, v.Decision, v.Rule, v.Reason)
	}
}

// TestListedPackages: a package that one call puts into a manifest is asked about when a later one installs it, once, as if it were named
// there. What the manifest listed before, what the lockfile lists and what is installed is not, nor are other changes.
func TestListedPackages(t *testing.T) {
	for _, test := range []struct {
		file, old, with, other string // the manifest as it was, with one more package, and with another change
		before                 []string
		install                []string
	}{
		{
			"package.json", `{"dependencies":{"a":"1"}}`, `{"dependencies":{"a":"1","evil":"1"}}`, `{"scripts":{"x":"true"},"dependencies":{"a":"2"}}`,
			[]string{"npm pkg set dependencies.evil=1", "WRITE package.json", "jq '.dependencies.evil=\"1\"' package.json > p && mv p package.json", "sed -i 's/a/b/' package.json"},
			[]string{"npm install", "npm i", "npm ci", "pnpm install", "yarn", "bun install", "cd src && npm install", "npm install --prefix ."},
		},
		{
			"packages/b/package.json", `{"devDependencies":{"a":"1"}}`, `{"devDependencies":{"x":"npm:evil@1","a":"1"}}`, `{"name":"b","devDependencies":{"a":"1","c":"workspace:*"}}`,
			[]string{"WRITE packages/b/package.json"},
			[]string{"npm install", "pnpm install", "cd packages/b && npm install"},
		},
		{
			"requirements.txt", "a==1\n", "a==1\nevil\n", "a==2\n# evil\n",
			[]string{"echo evil >> requirements.txt", "WRITE requirements.txt"},
			[]string{"pip install -r requirements.txt", "python3 -m pip install -r requirements.txt", "uv pip install -r requirements.txt", ".venv/bin/pip install -r requirements.txt"},
		},
		{"requirements/dev.txt", "a==1\n", "a==1\nevil\n", "A>=1\n", []string{"WRITE requirements/dev.txt"}, []string{"pip install -r requirements/dev.txt", "pip install -r all.txt", "pip install -r all1.txt"}},
		{
			"pyproject.toml", "[project]\ndependencies = [\"a\"]\n", "[project]\ndependencies = [\"a\", \"evil>=1\"]\n", "[project]\nversion = \"2\"\ndependencies = [\"a\"]\n",
			[]string{"WRITE pyproject.toml", "sed -i s/a/b/ pyproject.toml"},
			[]string{"uv sync", "uv run pytest", "poetry install", "pip install -e .", "pdm install"},
		},
		{"Gemfile", "gem 'a'\n", "gem 'a'\ngem 'evil'\n", "ruby '3.3'\ngem 'a', '1'\n", []string{"echo \"gem 'evil'\" >> Gemfile"}, []string{"bundle install", "bundle"}},
		{"composer.json", `{"require":{"a/a":"1"}}`, `{"require":{"a/a":"1","e/evil":"1"}}`, `{"name":"x/y","require":{"a/a":"2"}}`, []string{"WRITE composer.json"}, []string{"composer install"}},
		{"pubspec.yaml", "dependencies:\n  a: 1\n", "dependencies:\n  a: 1\n  evil: 1\n", "name: x\ndependencies:\n  a: 2\n", []string{"WRITE pubspec.yaml"}, []string{"dart pub get", "flutter pub get"}},
		{
			"Cargo.toml", "[package]\nname = \"x\"\n[dependencies]\na = \"1\"\n", "[package]\nname = \"x\"\n[dependencies]\na = \"1\"\nevil = \"1\"\n", "[package]\nname = \"y\"\n[dependencies]\na = \"2\"\nb = { path = \"b\" }\n",
			[]string{"cargo add evil", "WRITE Cargo.toml", "printf 'evil = \"1\"\\n' >> Cargo.toml"},
			[]string{"cargo build", "cargo test", "cargo run", "cargo clippy", "cargo check", "cargo nextest run"},
		},
		{
			"go.mod", "module x\n\nrequire example.com/a v1.0.0\n", "module x\n\nrequire example.com/a v1.0.0\nrequire example.com/evil v1.0.0\n", "module x\n\ngo 1.26\n\nrequire example.com/a v1.2.0\nrequire example.com/b v1.0.0 // indirect\n",
			[]string{"go get example.com/evil", "go mod tidy", "WRITE go.mod"},
			[]string{"go test ./...", "go run ."},
		},
	} {
		d := newWorkPlace(t)
		d.put("all.txt", "-r requirements/dev.txt\n")
		d.put("all1.txt", "--requirement requirements/dev.txt # and no other\n")
		d.put("src/a", "a\n")
		d.put(test.file, test.old)
		d.commit()
		for _, install := range test.install {
			for _, before := range test.before {
				c := course(d)
				c.put(test.file, test.with)
				c.asks(test.file+" written before", install, false)
				c.judge(before)
				c.asks("after "+before, install, true)
				c.asks("the second time after "+before, install, false)
				c = course(d)
				c.judge(before)
				c.put(test.file, test.other)
				c.asks("another change by "+before, install, false)
				c.put(test.file, test.old)
				c.asks("no change by "+before, install, false)
			}
		}
	}
}

// TestListedPackagesKnown judges packages that the session has put into a manifest and that were known, or cannot be told from those.
func TestListedPackagesKnown(t *testing.T) {
	const one, two, three = `{"dependencies":{"a":"1"}}`, `{"dependencies":{"a":"1","b":"1"}}`, `{"dependencies":{"a":"1","b":"1","c":"1"}}`
	for _, test := range []struct {
		name        string
		files       string // what is on the disk besides, by name and content
		before      string
		commits, no bool // the change is committed; nothing is
		want        bool
	}{
		{"", "", "WRITE package.json", false, false, true},
		{"committed since", "", "WRITE package.json", true, false, true},
		{"locked", `package-lock.json={"packages":{"node_modules/b":{}}}`, "WRITE package.json", false, false, false},
		{"locked by yarn", "yarn.lock=b@^1:\n", "WRITE package.json", false, false, false},
		{"locked by yarn, quoted", "yarn.lock=\"b@npm:^1, b@npm:1\":\n  version: 1\n", "WRITE package.json", false, false, false},
		{"locked by pnpm", "pnpm-lock.yaml=packages:\n\n  b@1.0.0:\n    resolution: {}\n", "WRITE package.json", false, false, false},
		{"another is locked", `package-lock.json={"packages":{"node_modules/bb":{},"node_modules/@x/b":{}}}`, "WRITE package.json", false, false, true},
		{"the lockfile is written as well", `package-lock.json={"packages":{"node_modules/b":{}}}`, "WRITE package.json\nWRITE package-lock.json", false, false, true},
		{"installed", "node_modules/b/package.json={}", "WRITE package.json", false, false, false},
		{"another is installed", "node_modules/a/package.json={}", "WRITE package.json", false, false, true},
		{"another file is written", "", "WRITE other.json", false, false, false},
		{"another manifest is written", "", "WRITE Cargo.toml", false, false, false},
		{"no repository, nothing to tell by", "", "WRITE package.json", false, true, false},
		{"no repository, but a lockfile", `package-lock.json={"packages":{"node_modules/a":{}}}`, "WRITE package.json", false, true, true},
		{"no repository, but packages", "node_modules/a/package.json={}", "WRITE package.json", false, true, true},
	} {
		d := newWorkPlace(t)
		d.put("package.json", one)
		if test.no {
			if err := os.RemoveAll(filepath.Join(d.project, ".git")); err != nil {
				t.Fatal(err)
			}
		} else {
			d.commit()
		}
		c := course(d)
		for call := range strings.SplitSeq(test.before, "\n") {
			c.judge(call)
		}
		d.put("package.json", two)
		if name, text, ok := strings.Cut(test.files, "="); ok {
			d.put(name, text)
		}
		if test.commits {
			t.Setenv("GIT_COMMITTER_DATE", time.Unix(c.now+60, 0).Format(time.RFC3339))
			d.commit()
			t.Setenv("GIT_COMMITTER_DATE", "")
		}
		c.asks(test.name, "npm install", test.want)
		c.asks(test.name+", again", "npm install", false)
		if test.name == "" {
			d.put("package.json", three)
			c.asks("one more", "npm install", true)
			c.asks("one more, again", "npm ci", false)
		}
	}
}

// TestCargoAddress: a build asks about a place that packages come from if the manifest, or the settings beside it, did not name it when they
// were committed.
func TestCargoAddress(t *testing.T) {
	const plain = "[package]\nname = \"x\"\nrepository = \"https://example.com/x\"\n[dependencies]\na = \"1\"\n"
	for _, test := range []struct {
		file, text string
		want       bool
	}{
		{"Cargo.toml", plain, false},
		{"Cargo.toml", plain + "b = { git = \"https://example.com/b\" }\n", true},
		{"Cargo.toml", plain + "b = { branch = \"main\", git = \"https://example.com/b\" }\n", true},
		{"Cargo.toml", plain + "b = { version = \"1\", registry = \"other\" }\n", true},
		{"Cargo.toml", plain + "[dependencies.b]\ngit = \"https://example.com/b\"\n", true},
		{"Cargo.toml", plain + "[patch.crates-io]\na = { git = \"https://example.com/a\" }\n", true},
		{"Cargo.toml", plain + "b = { path = \"b\" }\n[profile.release]\nlto = true\n", false},
		{".cargo/config.toml", "[source.crates-io]\nreplace-with = \"x\"\n[source.x]\nregistry = \"https://example.com/i\"\n", true},
		{".cargo/config.toml", "[net]\ngit-fetch-with-cli = true\n[build]\njobs = 2\n", false},
	} {
		d := newWorkPlace(t)
		d.put("Cargo.toml", plain)
		d.commit()
		d.put(test.file, test.text)
		d.put("crates/b/src/lib.rs", "")
		for _, script := range []string{"cargo build", "cargo test --release", "cd crates/b && cargo check", "cargo run"} {
			d.asks(test.text, script, test.want)
		}
		d.asks(test.text, "cargo metadata --no-deps", false)
		d.asks(test.text, "cargo --version", false)
		c := course(d)
		c.asks(test.text, "cargo build", test.want)
		c.asks("again: "+test.text, "cargo test", false)
		d.commit()
		d.asks("committed: "+test.text, "cargo build", false)
	}
}
