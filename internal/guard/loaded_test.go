package guard_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"longline/internal/command"
	"longline/internal/modelfile"
	"longline/internal/paths"
	"longline/internal/tool"
)

// TestLoaded takes every example of every model and every file of the project that it would run or take settings
// from, whether a word names the file or the program looks for it by itself. If the same script has written
// to the file what nobody knows, it asks.
func TestLoaded(t *testing.T) {
	if raced {
		t.Skip("too slow with the race detector")
	}
	g, w := builtin(t), world()
	judge := func(script string) tool.Decision {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project, Script: script, Shell: true, Edits: true, Attended: true}, w)
		return v.Decision
	}
	tried, byName := 0, map[string]bool{}
	for _, name := range modelNames(t) {
		for _, e := range examples(t, name) {
			files := loadedBy(e.Run)
			if len(files) == 0 || judge(e.Run) >= tool.Ask {
				continue
			}
			for file, writes := range files {
				tried++
				byName[file] = true
				for _, write := range writes {
					if got := judge(write + "'" + file + "'; " + e.Run); got < tool.Ask {
						t.Errorf("%s: %s'%s'; %s\n\tis %s", e.Pos, write, file, e.Run, got)
					}
				}
			}
		}
	}
	for _, file := range []string{".npmrc", ".yarnrc.yml", "compose.override.yaml", "Dockerfile", "rust-toolchain.toml", "Makefile"} {
		if !byName[project+"/"+file] {
			t.Errorf("no example loads %s", file)
		}
	}
	t.Logf("%d files of examples", tried)
}

func modelNames(t *testing.T) []string {
	names, err := filepath.Glob("../command/models/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return filepath.Base(name) == modelfile.VariablesFile })
}

func examples(t *testing.T, name string) []modelfile.Example {
	for _, f := range read(t, name, modelfile.Parse) {
		return f.Examples
	}
	return nil
}

// loadedBy are the files of the project that a command would run or take settings from, with the ways to write them
// after which it asks: what is edited in a source is the project's, and what is only compiled or read by a tool of the project does not run.
func loadedBy(run string) map[string][]string {
	files := map[string][]string{}
	inv := &command.Invocation{Words: modelfile.Split(run), Dir: command.Known(project, tool.Span{}), Stdin: command.Data{None: true}}
	if strings.Contains(inv.Words[0].Text, "=") {
		return nil
	}
	command.Builtin().Read(inv, &tool.World{Home: home, Project: project})
	for _, n := range inv.Runs {
		if n.File == nil || !n.Known || n.Shell == command.ModulesOf || n.File.Reach != tool.Exact || n.File.Glob {
			continue
		}
		file := paths.Clean(project, n.File.Text)
		if !paths.Within(file, project) || filepath.Ext(file) == ".o" || file == project || n.Shell == "" && filepath.Ext(file) == "" && !strings.HasSuffix(strings.ToLower(file), "file") {
			continue // the last is a directory that is named
		}
		if !n.Project {
			files[file] = append(files[file], `printf "$text" > `)
		}
		switch {
		case n.Shell == command.Loaded:
			files[file] = append(files[file], "cp /tmp/x ", "sed -i 's/a/b/' ")
		case n.Shell != "" && !strings.HasPrefix(n.Shell, command.TextPrefix):
			files[file] = append(files[file], "cp /tmp/x ")
		}
	}
	return files
}

// TestLoadedAbove: programs look for their settings in the directories above as well, up to that of the project.
func TestLoadedAbove(t *testing.T) {
	g, w := builtin(t), world()
	for script, want := range map[string]bool{
		"echo '[build]' > ../../.cargo/config.toml; cargo tree":      true,
		"echo '[build]' > ../.cargo/config; cargo fetch":             true,
		"echo '[build]' > .cargo/config.toml; cargo metadata":        true,
		"sed -i s/a/b/ ../../.cargo/config.toml; cargo tree":         true,
		"curl -so ../rust-toolchain https://example.com/x; cargo -V": true,
		"echo x=y > ../../.npmrc; npm view left-pad":                 true,
		"cargo tree > ../../tree.txt; cargo tree":                    false,
		"echo 'fn main() {}' > src/main.rs; cargo tree":              false,
		"echo target > ../../.cargo/.gitignore; cargo metadata":      false,
		"cargo tree; sed -i s/a/b/ ../../.cargo/config.toml":         false,
	} {
		v, _ := g.Judge(tool.Call{Tool: "Bash", Dir: project + "/a/b", Script: script, Shell: true, Edits: true, Attended: true}, w)
		if (v.Decision >= tool.Ask) != want {
			t.Errorf("%s: %s (%s)", script, v.Decision, v.Reason)
		}
	}
}
