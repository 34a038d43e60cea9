package policy

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// What a name is made of decides: every word, with every ending of data and every stage, alone or behind another word, is
// secret, and nothing is that is a source, a text or about secrets.
func TestCalledSecret(t *testing.T) {
	w := &tool.World{Home: "/home/dev", Project: "/home/dev/proj"}
	g := newGround(w, new(zoneTables))
	c := g.shared.called()
	secret := func(name string) bool {
		at := g.place("/home/dev/proj/" + name)
		return g.zoneRelation(ZoneSecrets, &at)&(same|below) != 0
	}
	words := append(strings.Fields(c.Words), "api_key", "API-Keys", "service-account", "private_key", "apiKey", "Secrets", "auth.token")
	for _, word := range words {
		names := []string{word, "." + word, word + ".prod", word + "-2", "k8s/" + word}
		for _, ending := range strings.Fields(c.Endings) {
			names = append(names, word+"."+ending, "."+word+"."+ending, "app-"+word+"."+ending, "my_"+word+"."+ending, "values."+word+"."+ending,
				word+".prod."+ending, word+"-staging."+ending, word+"_local."+ending, word+"."+ending+".bak", "a/b/"+word+"."+ending, strings.ToUpper(word)+"."+ending)
		}
		for _, script := range strings.Fields(c.Scripts) {
			names = append(names, word+"."+script, "."+word+"."+script)
		}
		for _, name := range names {
			if !secret(name) {
				t.Errorf("%s is not secret", name)
			}
		}
		for _, other := range []string{"go", "ts", "tsx", "js", "mjs", "py", "rb", "rs", "java", "kt", "c", "cpp", "md", "mdx", "rst", "html", "svg", "png", "css", "scss", "lock", "proto", "sql", "vue", "tf", "service", "example", "tmpl", "dist"} {
			for _, name := range []string{word + "." + other, "app-" + word + "." + other, word + ".test." + other, "src/" + word + "/x." + other} {
				if secret(name) {
					t.Errorf("%s is secret", name)
				}
			}
		}
		if strings.HasPrefix(word, "service") {
			continue // what begins like this is secret by itself
		}
		for _, name := range []string{word + "izer.json", "x" + word + "x.json", word + "/main.go", word + "/README.md"} {
			if secret(name) {
				t.Errorf("%s is secret", name)
			}
		}
		for _, about := range strings.Fields(c.About) {
			if name := about + "-" + word + ".toml"; secret(name) {
				t.Errorf("%s is secret", name)
			}
		}
	}
	for _, folder := range strings.Fields(c.Folders) {
		for _, name := range []string{"db.txt", "api", "a/b/pw.yaml", "db_password", ".pgpass", "prod/x.json", "x.env"} {
			if !secret(folder+"/"+name) || !secret("docker/"+folder+"/"+name) {
				t.Errorf("%s/%s is not secret", folder, name)
			}
		}
	}
}

// What is called like secrets and holds none, in projects of many kinds.
func TestCalledNothing(t *testing.T) {
	w := &tool.World{Home: "/home/dev", Project: "/home/dev/proj"}
	for _, file := range []string{
		"tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "tokens.json", "tokens.css", "tokens.txt", "design-tokens.json", "figma-tokens.json",
		"design/tokens/color.json", "src/token/types.ts", "token_counter.py", "token-list.json", "token-metadata.json", "secretary.json", "secret-santa.json", ".secretlintrc.json", ".secrets.baseline",
		"secret-scanning.yml", "secrets-store.yaml", "password_reset_email.txt", "reset-password.json", "forgot_password.yaml", "password-policy.json", "passwords_controller.rb", "locales/en/passwords.json",
		"lang/en/passwords.php", "i18n/token.yaml.md", "rotate-secrets.sh", "get-token.sh", "create-secrets.sh", "set-credentials.sh", "credentials-provider.json", "api-key-schema.json",
		"abi/MyToken.json", "docs/secrets/list.yaml", "openapi/secrets/get.json", "node_modules/x/credentials/a.json", "internal/secrets/store.go", "secrets/README", "secrets/.gitignore",
		"secrets/kustomization.yaml", "secrets/README.md", "secrets.example.yaml", "credentials.sample.json", "secrets.toml.example", "wp-config-sample.php", "secrets.enc.yaml", "secrets.sops.yaml",
		"public-key.json", "primary_key.json", "keyboard.json", "monkey.json", "passwd.go", "data.private.ts", "environment.prod.ts", "config/env.js",
	} {
		if Secret(w, "/home/dev/proj/"+file) {
			t.Errorf("%s is secret", file)
		}
	}
	if Secret(w, "/etc/passwd") || Secret(w, "/etc/pam.d/passwd") {
		t.Error("a list of users is secret")
	}
}

// A name without an ending counts as that of a file, if there is one.
func TestCalledDirectories(t *testing.T) {
	files := map[string][]tool.Entry{
		"/home/dev/proj/secrets":     {{Name: "store.go"}, {Name: "README.md"}},
		"/home/dev/proj/app/secrets": {{Name: "db.txt"}},
		"/home/dev/proj/src/token":   {{Name: "a.json"}},
		"/home/dev/proj/credentials": nil,
	}
	w := &tool.World{
		Home: "/home/dev", Project: "/home/dev/proj",
		Exists:  func(path string) bool { _, ok := files[path]; return ok },
		Entries: func(dir string) ([]tool.Entry, bool) { return files[dir], true },
	}
	for path, want := range map[string]bool{"secrets": false, "app/secrets": true, "src/token": false, "credentials": true, "token": false, "secrets/api": false, "secrets/api.txt": true} {
		if Secret(w, "/home/dev/proj/"+path) != want {
			t.Errorf("%s: want %v", path, want)
		}
	}
}

// Reading a name takes no memory.
func TestCalledCosts(t *testing.T) {
	g := newGround(&tool.World{Home: "/home/dev", Project: "/home/dev/proj"}, new(zoneTables))
	for _, path := range []string{"/home/dev/proj/src/main.go", "/home/dev/proj/config/prod/service-account-key.prod.json", "/home/dev/proj/secrets/" + strings.Repeat("a-", 50) + "x", "/home/dev/proj/a/b/c/package.json"} {
		g.calledSecret(path)
		if n := testing.AllocsPerRun(100, func() { g.calledSecret(path) }); n > 0 {
			t.Errorf("%s: %v allocations", path, n)
		}
	}
}

func BenchmarkCalled(b *testing.B) {
	g := newGround(&tool.World{Home: "/home/dev", Project: "/home/dev/proj"}, new(zoneTables))
	b.Run("name", func(b *testing.B) {
		for b.Loop() {
			g.calledSecret("/home/dev/proj/config/prod/application-settings.json")
		}
	})
	b.Run("zone", func(b *testing.B) {
		at := g.place("/home/dev/proj/config/prod/application-settings.json")
		for b.Loop() {
			g.zoneRelation(ZoneSecrets, &at)
		}
	})
}

// Settings that mostly hold no secret are secret if one stands in them.
func TestToldSecrets(t *testing.T) {
	texts := map[string]string{"/home/dev/proj/.npmrc": "token", "/home/dev/proj/a/.npmrc": "nothing", "/home/dev/proj/mcp.json": "token", "/home/dev/proj/notes.txt": "token"}
	looks := 0
	w := &tool.World{
		Home: "/home/dev", Project: "/home/dev/proj",
		ReadSecret: func(path string) ([]byte, error) {
			looks++
			if text, ok := texts[path]; ok {
				return []byte(text), nil
			}
			return nil, tool.ErrNotLink
		},
		Tells: func(text string) bool { return text == "token" },
	}
	for path, want := range map[string]bool{".npmrc": true, "a/.npmrc": false, "mcp.json": true, "notes.txt": false, "b/.npmrc": false, "a.go": false} {
		if Secret(w, "/home/dev/proj/"+path) != want {
			t.Errorf("%s: want %v", path, want)
		}
	}
	if looks > 4 {
		t.Errorf("looked into %d files", looks)
	}
}

// A word that is a secret only as all of a name is none as a part of it: sa.json is a key, ar-SA.json a translation.
func TestCalledWhole(t *testing.T) {
	w := &tool.World{Home: "/home/dev", Project: "/home/dev/proj"}
	c := newGround(w, new(zoneTables)).shared.called()
	for _, word := range strings.Fields(c.Whole) {
		for _, ending := range strings.Fields(c.Endings) {
			if Secret(w, "/home/dev/proj/x."+ending) {
				continue
			}
			for name, want := range map[string]bool{word: true, word + ".prod": true, word + "-2": true, "ar-" + word: false, word + "-map": false, "my_" + word: false} {
				if Secret(w, "/home/dev/proj/"+name+"."+ending) != want {
					t.Errorf("%s.%s: want %v", name, ending, want)
				}
			}
		}
		for _, name := range []string{word, word + ".go", word + ".ts", "src/" + word + ".md"} {
			if Secret(w, "/home/dev/proj/"+name) {
				t.Errorf("%s is secret", name)
			}
		}
	}
}

// Code that is called like secrets, and settings of a stage that is in use, are looked into. In code only a text between quotes counts.
func TestCalledLooksInside(t *testing.T) {
	var text string
	w := &tool.World{
		Home: "/home/dev", Project: "/home/dev/proj",
		Exists:     func(string) bool { return true },
		ReadSecret: func(string) ([]byte, error) { return []byte(text), nil },
		Tells:      func(text string) bool { return strings.Contains(text, "tok-123456") },
	}
	c := newGround(w, new(zoneTables)).shared.called()
	type look struct{ name, text string }
	wants := map[look]bool{}
	for _, word := range []string{"Secrets", "secrets", "Credentials", "api_keys", "ApiKeys"} {
		for _, ending := range []string{"swift", "go", "ts", "py", "rb", "dart", "kt", "java", "h", "exs", "cs", "php"} {
			for text, want := range map[string]bool{
				"let a = \"tok-123456\"": true, "a = 'tok-123456'\n": true, "x\n\ny = `tok-123456`": true, "let a: tok-123456": false, "a = \"b\" // tok-123456": false, "": false, "\"tok-123456": false,
				"config :app, secret_key_base: \"Zq9fKd03hf8Wm2LpR7\"": true, "static let apiKey = \"Zq9fKd03hf8Wm2LpR7\"": true, "'db_password' => 'Zq9fKd03hf8Wm2LpR7'": true, "let version = \"Zq9fKd03hf8Wm2LpR7\"": false, "apiKey = \"YOUR KEY 1 GOES HERE\"": false, "token = \"${APP_TOKEN_12345678}\"": false,
			} {
				wants[look{word + "." + ending, text}] = want
				wants[look{"src/app/" + word + "." + ending, text}] = want
				wants[look{"docs/" + word + "." + ending, text}] = false
				wants[look{word + "_test." + ending, text}] = false
				wants[look{"fetch_" + word + "." + ending, text}] = false
				wants[look{word + "Store." + ending, text}] = false
			}
		}
	}
	for _, kind := range strings.Fields(c.Kinds) {
		for _, stage := range strings.Fields(c.Live) {
			for _, name := range []string{kind + "." + stage + ".json", kind + "-" + stage + ".yml", "my-" + kind + "." + stage + ".toml", kind + "/" + stage + ".json", "src/" + kind + "_" + stage + ".properties"} {
				wants[look{name, "a: tok-123456"}], wants[look{name, "a: b"}] = true, false
			}
			for _, name := range []string{kind + ".json", kind + ".test.json", stage + ".json", kind + "." + stage + ".ts", stage + "/" + kind + ".json", kind + "." + stage + ".example.json"} {
				if !Secret(&tool.World{Home: w.Home, Project: w.Project}, "/home/dev/proj/"+name) {
					wants[look{name, "a: tok-123456"}] = false
				}
			}
		}
	}
	for l, want := range wants {
		text = l.text
		if got := Secret(w, "/home/dev/proj/"+l.name); got != want {
			t.Errorf("%s with %q: secret: %v", l.name, l.text, got)
		}
	}
}

// TestSilentNames: what a long script remembers of a name changes nothing, though everything is there and each file has a password in it.
func TestSilentNames(t *testing.T) {
	w := &tool.World{
		Home: "/home/dev", Project: "/home/dev/proj", Exists: func(string) bool { return true }, Tells: func(string) bool { return true },
		ReadSecret: func(string) ([]byte, error) { return []byte(`k = "a password that is told"`), nil },
		Entries:    func(string) ([]tool.Entry, bool) { return []tool.Entry{{Name: "secrets.yaml"}}, true },
	}
	tables := new(zoneTables)
	c := tables.called()
	names := []string{"main.go", "x.bak", "README.md", "a b", ".x", "x~", "config/production.yml", "appsettings.Production.json", "Secrets.swift", "secrets.old/x.go", ""}
	for _, list := range c.lists() {
		for _, word := range strings.Fields(*list) {
			for _, dir := range []string{"", "src/", "secrets/", "docs/", "creds.bak/"} {
				names = append(names, dir+word, dir+word+".json", dir+"x."+word, dir+word+".swift", dir+word+"_prod.sh", dir+strings.ToUpper(word)+".old", dir+word+"/main.go")
			}
		}
	}
	secret, silent := 0, 0
	long := newGround(w, tables)
	long.length = longScript
	for _, name := range names {
		short := newGround(w, tables)
		at := short.place(clean("/home/dev/proj/" + name))
		want := short.zoneRelation(ZoneSecrets, &at)
		for range 2 {
			if got := long.zoneRelation(ZoneSecrets, &at); got != want {
				t.Fatalf("%s: %b in a long script, %b in a short one", name, got, want)
			}
		}
		secret += flag(want&(same|below) != 0)
		silent += flag(c.silent(at.path))
	}
	if secret < 500 || silent < 500 {
		t.Errorf("%d of %d are secret, %d silent", secret, len(names), silent)
	}
	t.Logf("%d of %d are secret, %d silent", secret, len(names), silent)
}
