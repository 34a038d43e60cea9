package longline_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlatforms has the programs type-checked for every platform that a release is made for, which takes a tenth of
// the time of building them. Of the packages of others only what they declare is looked at. LONGLINE_PLATFORMS=all,
// as .ci/run says it, takes all of them, else only two are.
func TestPlatforms(t *testing.T) {
	set, parsed := token.NewFileSet(), map[string]*ast.File{}
	platforms := "darwin/arm64 windows/amd64"
	if os.Getenv("LONGLINE_PLATFORMS") == "all" {
		platforms += " darwin/amd64 linux/arm64 freebsd/amd64 openbsd/amd64 netbsd/amd64"
	}
	for _, platform := range strings.Fields(platforms) {
		system, machine, _ := strings.Cut(platform, "/")
		list := exec.Command("go", "list", "-deps", "-json=ImportPath,Dir,GoFiles,ImportMap", "./cmd/...")
		list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+machine, "CGO_ENABLED=0")
		out, err := list.Output()
		if err != nil {
			t.Fatal(platform, err)
		}
		checked := map[string]*types.Package{"unsafe": types.Unsafe}
		for packages := json.NewDecoder(strings.NewReader(string(out))); ; {
			var p struct {
				ImportPath, Dir string
				GoFiles         []string
				ImportMap       map[string]string
			}
			if err := packages.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if p.ImportPath == "unsafe" {
				continue
			}
			var files []*ast.File
			for _, name := range p.GoFiles {
				path := filepath.Join(p.Dir, name)
				if parsed[path] == nil {
					if parsed[path], err = parser.ParseFile(set, path, nil, parser.SkipObjectResolution); err != nil {
						t.Fatal(platform, err)
					}
				}
				files = append(files, parsed[path])
			}
			own := strings.HasPrefix(p.ImportPath, "longline/")
			config := types.Config{
				Importer: importer(func(path string) (*types.Package, error) {
					if to, ok := p.ImportMap[path]; ok {
						path = to
					}
					return checked[path], nil
				}),
				Sizes: types.SizesFor("gc", machine), IgnoreFuncBodies: !own, FakeImportC: true,
				Error: func(err error) {
					if own {
						t.Errorf("%s: %v", platform, err)
					}
				},
			}
			checked[p.ImportPath], _ = config.Check(p.ImportPath, set, files, nil)
		}
		if checked["longline/cmd/longline"] == nil {
			t.Errorf("%s: the program was not checked", platform)
		}
	}
}

type importer func(path string) (*types.Package, error)

func (i importer) Import(path string) (*types.Package, error) { return i(path) }
