package language_test

import (
	"slices"
	"strings"
	"testing"

	"longline/internal/language"
)

// TestDependencies reads the packages out of manifests.
func TestDependencies(t *testing.T) {
	for _, test := range []struct{ file, text, want string }{
		{"package.json", `{"name":"x","scripts":{"a":"b"},"dependencies":{"a":"1","@b/c":"^2"},"devDependencies":{"d":"npm:e@1","f":"npm:@g/h@2"}}`, "@b/c @g/h a e"},
		{"package.json", `{"dependencies":{"a":"workspace:*","b":"file:./b","c":"link:../c"},"overrides":{"d":"1","e":"npm:f@1"},"peerDependencies":{"g":"*"}}`, "f g"},
		{"package.json", `{"dependencies":{"a":"1"`, language.Unread},
		{"composer.json", `{"require":{"php":">=8","ext-json":"*","a/b":"^1"},"require-dev":{"c/d":"1"}}`, "a/b c/d"},
		{"requirements.txt", "# note\na==1.0\nB_c[x,y]>=1 ; python_version<'3'\n-r other.txt\n-e .\n./here\nd\ne @ https://x\nf~=1 # why\n--hash=x\ng==1 \\\n  --hash=sha256:1\n", "a b-c d e f g"},
		{"Gemfile", "source 'https://x'\ngem 'a', '~> 1'\ngem \"b\"\n  gem('c')\n# gem 'd'\ngem 'e', path: 'e'\n", "a b c"},
		{"x.gemspec", "Gem::Specification.new do |s|\n  s.name = 'x'\n  s.add_dependency 'a', '1'\n  s.add_development_dependency(\"b\")\nend\n", "a b"},
		{"pubspec.yaml", "name: x\ndependencies:\n  flutter:\n    sdk: flutter\n  a: ^1.0.0\n  b:\n    path: ../b\n  c: any\ndev_dependencies:\n  d: 1\nflutter:\n  uses: true\n", "a c d"},
		{"go.mod", "module x\n\ngo 1.26\n\nrequire a.b/c v1.0.0\nrequire (\n\td.e/f v1.0.0\n\tg.h/i v1.0.0 // indirect\n)\nreplace a.b/c => ../c\nreplace d.e/f => j.k/l v1.0.0\n", "a.b/c d.e/f j.k/l"},
		{"Cargo.toml", "dependencies.a = \"1\"\ndependencies.b.version = \"1\"\ndependencies.\"c\".path = \"c\"\n", "a b"},
		{"Cargo.toml", "dependencies = { a = \"1\" }\n", language.Unread},
		{"pyproject.toml", "tool.poetry = { dependencies = { a = \"1\" } }\n", language.Unread},
		{"Cargo.toml", "[package]\nname = \"x\"\nedition = \"2024\"\n[dependencies]\na = \"1\"\nb_c = { version = \"1\", features = [\"f\", \"g\"] }\nd = { path = \"../d\" }\ne.workspace = true\n" +
			"f = { package = \"g\", version = \"1\" }\n[dependencies.h]\nversion = \"1\"\nfeatures = [\n  \"x\",\n]\n[target.'cfg(unix)'.dependencies]\ni = \"1\"\n[dev-dependencies.j]\npath = \"j\"\n[features]\nk = [\"dep:a\"]\n[patch.crates-io]\nl = { git = \"https://x\" }\n", "a b-c g h i l"},
		{"pyproject.toml", "[project]\nname = \"x\"\ndependencies = [\n  \"a>=1\", # why\n  'b[c]',\n]\nkeywords = [\"k\"]\n[project.optional-dependencies]\ntest = [\"d\"]\n[dependency-groups]\ndev = [\"e\", {include-group = \"test\"}]\n" +
			"[build-system]\nrequires = [\"f\"]\n[tool.poetry.dependencies]\npython = \"^3\"\ng = \"^1\"\nh = [{version = \"1\"}, {version = \"2\"}]\n[tool.poetry.group.dev.dependencies]\ni = {version = \"1\", extras = [\"x\"]}\n[tool.other]\nj = \"1\"\n", "a b d e f g h i"},
		{"Pipfile", "[[source]]\nurl = \"x\"\n[packages]\na = \"*\"\n[dev-packages]\nb = {version = \"*\"}\n[requires]\npython_version = \"3\"\n", "a b"},
	} {
		list := language.Dependencies(test.file, test.text)
		slices.Sort(list)
		if got := strings.Join(list, " "); got != test.want {
			t.Errorf("%s\n%s\nlists %q, not %q", test.file, test.text, got, test.want)
		}
	}
}
