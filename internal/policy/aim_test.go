package policy

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"longline/internal/tool"
)

func TestAims(t *testing.T) {
	for _, test := range []struct {
		pattern, member string
		want            bool
	}{
		{".env*", ".env", true},
		{".e*", ".env", true},
		{".???", ".env", true},
		{".*", ".env", true},
		{"*nv", ".env", true},
		{"*env*", ".env", true},
		{"*e*n*v*", ".env", true},
		{".env.local*", ".env.*", true},
		{"*.local", ".env.*", false},
		{"*environment*", ".env.*", false},
		{"id_*", "id_rsa*", true},
		{"?d_rs[a]", "id_rsa*", true},
		{"*_test.go", "id_rsa*", false},
		{"id*x", "id_rsa*", false},
		{"*rsa.", "id_rsa*", false},
		{"*rsa*", "*_rsa", true},
		{"*parser*", "*_rsa", false},
		{"*.pem", "*.pem", true},
		{"*.pe?", "*.pem", true},
		{"backup.pem*", "*.pem", true},
		{"server.p*", "*.pem", true},
		{"options.*", "*.pem", false},
		{"*.json", "credentials.json", false},
		{"*.j*", "credentials.json", false},
		{"c*.json", "credentials.json", true},
		{"*cred*", "credentials.json", true},
		{"tsconfig*.json", "*.tfvars.json", false},
		{"*.tfv*.json", "*.tfvars.json", true},
		{"*config*", "kubeconfig", false},
		{"kube*", "kubeconfig", true},
		{"*settings*.json", "local.settings.json", false},
		{"*service*.json", "service-account*.json", true},
		{"*account*.json", "service-account*.json", false},
		{"*", ".env", false},
		{"*.*", ".env", false},
		{"[a-z]*", "secrets.yaml", false},
		{"*SECRET*", "secrets.yaml", true},
		{"*Step.razor", ".env.*", false},
	} {
		name, problem := compile(test.pattern, inRules)
		if problem != "" {
			t.Fatal(problem)
		}
		if got := (&ground{compiled: new(compiled), shared: new(zoneTables)}).aims(name, test.member, true); got != test.want {
			t.Errorf("%s aims at %s: %v, want %v", test.pattern, test.member, got, test.want)
		}
		if s := (spot{rest: test.pattern, name: name}); test.want && !s.mayAim(test.member) {
			t.Errorf("%s is thought never to aim at %s", test.pattern, test.member)
		}
	}
}

// TestIsLetter: letters and digits say what a name is about, and all that is not ASCII.
func TestIsLetter(t *testing.T) {
	for r := range rune(0x200) {
		if got, want := isLetter(r), r >= 0x80 || unicode.IsLetter(r) || unicode.IsDigit(r); got != want {
			t.Errorf("%q: %v", r, got)
		}
	}
}

// Letters that no name of a secret has never make a pattern stricter than the wider
// one that leaves open what stands there, whether it is an operand or what a search
// looks for.
func TestForeignLettersDoNotAim(t *testing.T) {
	g := newGround(&tool.World{Home: "/home/dev", Project: "/home/dev/proj"}, new(zoneTables))
	var pieces []string
	have := map[rune]bool{}
	g.length = 1 << 30 // of a script with all the patterns
	for _, member := range g.table(ZoneSecrets).all() {
		for _, r := range strings.ToLower(member) {
			have[r] = true
		}
		if isName(member) {
			pieces = append(pieces, strings.FieldsFunc(lastName(member), func(r rune) bool { return r == '*' })...)
		}
	}
	var foreign []string
	for _, r := range "abcdefghijklmnopqrstuvwxyzåß漢ж+~,%" {
		if !have[r] {
			foreign = append(foreign, string(r))
		}
	}
	if len(foreign) < 4 {
		t.Fatalf("only %q are in no name of a secret", foreign)
	}
	pieces = append(pieces, "*", "*", "*", "?", ".", "_", "-", "test", ".go", ".json", ".ts", "config", "[a-z]", "e", "r", "s")
	touched := func(kind tool.Kind, prefix, name string) bool {
		target := g.target(tool.Effect{Kind: kind, Target: prefix + name, Reach: tool.Exact, Pattern: true})
		return g.touches(&target, ZoneSecrets).some()
	}
	random := rand.New(rand.NewPCG(3, 4))
	aimed := 0
	tries := 2000
	if testing.Short() {
		tries = 400
	}
	for range tries {
		var parts []string
		for range 1 + random.IntN(4) {
			piece := pieces[random.IntN(len(pieces))]
			if n := len(piece); n > 2 && piece[0] != '[' && random.IntN(2) == 0 {
				piece = piece[:1+random.IntN(n-1)]
			}
			parts = append(parts, piece)
		}
		parts[random.IntN(len(parts))] = "*"
		at := random.IntN(len(parts) + 1)
		letters := strings.Repeat(foreign[random.IntN(len(foreign))], 1+random.IntN(3))
		with := strings.Join(parts[:at], "") + letters + strings.Join(parts[at:], "")
		without := strings.Join(parts[:at], "") + "*" + strings.Join(parts[at:], "")
		for strings.Contains(with+" "+without, "**") {
			with, without = strings.ReplaceAll(with, "**", "*"), strings.ReplaceAll(without, "**", "*")
		}
		for _, prefix := range []string{"/home/dev/proj/", "/home/dev/proj/**/", "/home/dev/proj/src/"} {
			before := touched(tool.Read, prefix, without)
			if before {
				aimed++
			}
			if !before && touched(tool.Read, prefix, with) {
				t.Fatalf("%s%s reads a secret, %s%s does not", prefix, with, prefix, without)
			}
		}
	}
	if aimed < tries/4 {
		t.Errorf("only %d patterns aimed at a secret", aimed)
	}
}

// TestSecretsOnTheWay: a pattern in a directory that leads to a secret is about it where its letters
// say so, or where such a file is there.
func TestSecretsOnTheWay(t *testing.T) {
	const project = "/home/dev/proj"
	for _, test := range []struct {
		pattern, there string
		want           bool
	}{
		{"app/**/__pycache__", "", false},
		{"app/**/*.ts", "", false},
		{"app/**", "", false},
		{"app/etc/*", "", false},
		{"app/*/env.*", "", true},
		{".aws/cred*", "", true},
		{"app/**/*.php", "app/etc/env.php", true},
		{"app/etc/*", "app/etc/env.php", true},
		{"app/**/*.ts", "app/etc/env.php", false},
		{"app/**/__pycache__", "app/etc/env.php", false},
		{"sub/app/**/*.php", "sub/app/etc/env.php", true},
	} {
		w := &tool.World{Home: "/home/dev", Project: project, Exists: func(path string) bool { return test.there != "" && path == project+"/"+test.there }}
		g := newGround(w, new(zoneTables))
		target := g.target(tool.Effect{Kind: tool.Read, Target: project + "/" + test.pattern, Reach: tool.Exact, Pattern: true})
		if got := g.touches(&target, ZoneSecrets).direct != never; got != test.want {
			t.Errorf("%s where there is %q: %v", test.pattern, test.there, got)
		}
	}
	g := newGround(&tool.World{Home: "/home/dev", Project: project}, new(zoneTables))
	target := g.target(tool.Effect{Kind: tool.Read, Target: project + "/app/etc/*", Reach: tool.Exact, Pattern: true})
	if g.touches(&target, ZoneSecrets).direct == never {
		t.Error("nobody has looked what is there, and it counts as nothing")
	}
}
