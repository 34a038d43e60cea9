package guard_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"longline/internal/tool"
)

// A name that begins with that of a temporary file is one of the script's own, wherever nothing in it leads elsewhere.
func TestBesideScratch(t *testing.T) {
	g := builtin(t)
	for _, c := range []struct {
		script string
		asks   bool
	}{
		{`t=$(mktemp) && cp README.md "$t.bak" && rm -f "$t" "$t.bak"`, false},
		{`t=$(mktemp).json; echo '{}' > "$t"; jq . "$t"; rm -f "$t"`, false},
		{`t=$(mktemp) && mv "$t" "$t.md" && cat "$t.md"`, false},
		{`t=$(mktemp -d) && mkdir "$t-old" && rm -rf "$t-old"`, false},
		{`t=$(mktemp -d) && rm -rf "$t.d/sub"`, false},
		{`t=$(mktemp -d) && rm -rf "$t.d/../../x"`, true},
		{`t=$(mktemp -d) && rm -rf "$t/../x"`, true},
		{`t=$(mktemp -d) && rm -rf $t.d ~/x`, true},
		{`t=$(mktemp -p "$x" -d) && rm -rf "$t.d"`, true},
		{`t=$(mktemp -d) && rm -rf "${t%/*}.d"`, true},
	} {
		w := world()
		w.Getenv = func(string) (string, bool) { return "", false }
		call := attended(c.script)
		call.Edits = true
		if v, _ := g.Judge(call, w); (v.Decision >= tool.Ask) != c.asks {
			t.Errorf("%s: %s (%s)", c.script, v.Decision, v.Reason)
		}
	}
}

// The path of a temporary file is one word without quotes, too, whatever has been put there, as long as nothing in it can be split.
func TestScratchWithoutQuotes(t *testing.T) {
	g := builtin(t)
	home := t.TempDir()
	project := filepath.Join(home, "proj")
	for name, text := range map[string]string{"src/a b/c.txt": "x", "src/d.txt": "y", ".env": "KEY=secret", "src b/x": "z"} {
		file := filepath.Join(project, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for script, asks := range map[string]bool{
		"t=$(mktemp -d); cp -r src $t; cd $t && ls":                  false,
		"t=$(mktemp -d); cp -r src $t; rm -rf $t":                    false,
		"t=$(mktemp -d); cp -r src $t/copy; ls $t/copy; rm -rf $t":   false,
		"t=$(mktemp -d); cp -r src $t && cd $t && cat src/d.txt":     false,
		"t=$(mktemp -d); cp -r . $t; cat $t/.env":                    true,
		"t=$(mktemp -d); cp -r . $t; cd $t && cat .env":              true,
		"t=$(mktemp -d); cp -r src $t; rm -rf $(ls $t/src)":          true,
		"t=$(mktemp -d); cp -r src $t; rm -rf $t $HOME":              true,
		"t=$(mktemp -d); t=\"$t $HOME\"; rm -rf $t":                  true,
		"IFS=m; t=$(mktemp -d); rm -rf $t":                           true,
		"t=$(mktemp -d); cp -r src $t; IFS=p; rm -rf $t":             true,
		"export TMPDIR='src b'; t=$(mktemp -d); rm -rf $t":           true,
		"TMPDIR='src b'; export TMPDIR; rm -rf $(mktemp -d)":         true,
		"t=$(mktemp -d -p 'src b'); rm -rf $t":                       true,
		"t=$(mktemp -d 'src bXXXXXX'); rm -rf $t":                    true,
		"t=$(mktemp -d --suffix=' .env') || exit; cat $t":            true,
		"t=$(mktemp -d); cp -r src $t; cp -r $t $HOME":               true,
		"t=$(mktemp -d); cp -r src $t; mv $t/src/d.txt $HOME/.zshrc": true,
	} {
		w := realDisk(g, home, project)
		w.Getenv = func(string) (string, bool) { return "", false }
		call := tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}
		if v, _ := g.Judge(call, w); (v.Decision >= tool.Ask) != asks {
			t.Errorf("%s: %s (%s)", script, v.Decision, v.Reason)
		}
	}
}
