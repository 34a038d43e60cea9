package longline_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"longline/internal/command"
)

// notPrograms are words that Go code has for something else than the program of
// that name. A word that is new here must be one of these kinds; what a program's
// arguments mean belongs into a model.
var notPrograms = strings.Fields(`
	: [ alias bg break caller cd clear compgen complete continue deactivate declare dirs disown echo emulate exit export false fg getopts hash help
	history jobs let local logout mapfile nocorrect noglob popd printf pushd pwd read readarray readonly return set setopt shift shopt suspend test time
	times trap true type typeset ulimit umask unalias unset unsetopt wait
	ash awk bash busybox clickhouse composer dash deno duckdb fish git jq just ksh lua make mksh mongo mysql node npm pdm perl php poe psql python ruby
	sed sh sqlite yq zsh powershell cmd compress gci sls
	emacs manpath v vi xargs pre-commit which ftp http https httpie oci rsync scp sftp ssh gs docker
	HEAD GET as at base64 basename batch calendar code column console date decorate diff dir dirname env envsubst fd file forge func g gap gc gpg grep
	guard head host import init install join log look m man mount n nohup number open pack parallel pass passwd patch platform port q random rename reset
	rev say script size sort sparse stat tar task tee timeout tr truncate uuid w watch what write agent longline login next cat ls cp mv rm
	mkdir touch find tail tree unzip fmt strings cmp who id wall errno sqlite3 periodic su super tempfile bundle info kill simh yes cc g++ ar ld
`)

// judging are the packages that work out what a command does and what to say to it.
var judging = []string{"reader", "command", "language", "policy", "sandbox", "guard", "permission", "mask", "value", "scan", "syntax", "tool", "host"}

// Nothing in Go names a program: a model does.
func TestNoProgramIsNamed(t *testing.T) {
	models := command.Builtin()
	used := map[string]bool{}
	for _, name := range judging {
		err := filepath.WalkDir("internal/"+name, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if _, ok := n.(*ast.ImportSpec); ok {
					return false
				}
				lit, ok := n.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					return true
				}
				text, _ := strconv.Unquote(lit.Value)
				words := strings.Fields(text)
				if len(words) > 1 && !strings.HasPrefix(text, " ") {
					return true // a sentence, or a list of something else
				}
				for _, word := range words {
					if !models.Has(word) {
						continue
					}
					used[word] = true
					if !slices.Contains(notPrograms, word) {
						t.Errorf("%s: %q is a program; say what it does in its model", set.Position(lit.Pos()), word)
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(used) < 50 {
		t.Errorf("only %d words found; does the test look in the right place?", len(used))
	}
}

// TestModelFiles keeps the table of model files in docs/models.md whole: every file is named there once,
// under what a person looks for, and none is called after being a leftover.
func TestModelFiles(t *testing.T) {
	page, err := os.ReadFile("docs/models.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "## Files\n\n```text\n")
	table, _, _ = strings.Cut(table, "```")
	named := map[string]int{}
	for line := range strings.Lines(table) {
		// What a person looks for is in the first column.
		for _, name := range strings.Fields(line[min(14, len(line)):]) {
			named[name]++
		}
	}
	files, err := filepath.Glob("internal/command/models/*.yaml")
	if err != nil || len(files) < 100 {
		t.Fatalf("%d model files: %v", len(files), err)
	}
	leftover := regexp.MustCompile(`more|misc|rare|other`)
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".yaml")
		if leftover.MatchString(name) {
			t.Errorf("%s: a model file is named after what is in it", f)
		}
		if named[name] != 1 {
			t.Errorf("%s is named %d times in the table of docs/models.md; name it once", f, named[name])
		}
		delete(named, name)
	}
	for name := range named {
		t.Errorf("docs/models.md names the model file %s, which does not exist", name)
	}
}
