package examine

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"longline/internal/agent"
	"longline/internal/config"
	"longline/internal/paths"
)

// places looks for directories through which somebody else's program could be
// started in place of longline, or somebody else's rules be read.
func (d *doctor) places() {
	dir, err := os.Getwd()
	if err != nil {
		return // it is gone; there is no project to guard against
	}
	roots, site := config.Where(d.Env, dir, d.Project)
	project := site.Project
	d.unread(roots.Home, project)
	for _, told := range roots.Told {
		d.say("warn", "longline", told, "unset the variable where it is set, or record the place with longline init")
	}
	if real, err := filepath.EvalSymlinks(d.Exe); err == nil {
		for at := filepath.Dir(real); ; at = filepath.Dir(at) {
			if writableByOthers(at) {
				d.say("warn", "longline", "others can write to "+at+" and replace longline", "chmod go-w "+at+", or install it elsewhere and run longline init again")
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	d.path(project)
}

// unread looks for rules in places where nobody reads them.
func (d *doctor) unread(home, project string) {
	there := func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.Mode().IsRegular()
	}
	claude := home + "/" + agent.ClaudeDir
	for file, fix := range map[string]string{
		project + "/hooks.config.json":               "move it into " + agent.ClaudeDir,
		home + "/hooks.config.json":                  "move it to " + claude,
		claude + "/hooks/hooks.config.json":          "move it to " + claude,
		home + "/.config/longline/hooks.config.json": "move it to " + claude,
		home + "/.config/longline/longline.yaml":     "it is a file of the Rust longline; longline import reads it",
		home + "/.config/longline/ai-judge.yaml":     "it is a file of the Rust longline; longline needs none",
		claude + "/longline.yaml":                    "move it to ~/.config/longline/rules.yaml",
	} {
		if there(file) && filepath.Dir(file) != "/" {
			d.say("warn", "longline", file+" is not read", fix)
		}
	}
}

// path looks at the search path up to longline's own directory. The hook is
// started by its full path; this is about what a person gets by typing "longline".
func (d *doctor) path(project string) {
	list, _ := d.Env.Get("PATH")
	for _, dir := range filepath.SplitList(list) {
		path := filepath.Join(dir, "longline"+filepath.Ext(d.Exe))
		if info, err := os.Stat(path); err == nil && config.Runnable(path) {
			if own, err := os.Stat(d.Exe); err == nil && !os.SameFile(own, info) {
				d.say("warn", "longline", fmt.Sprintf("\"longline\" in PATH is another program: %s", path), "take "+dir+" out of PATH, or remove that file")
			}
			return
		}
		d.pathDir(dir, project)
	}
}

// pathDir says who else could put a program into a directory of the search path.
func (d *doctor) pathDir(dir, project string) {
	switch {
	case !filepath.IsAbs(dir):
		d.say("warn", "longline", fmt.Sprintf("PATH contains %q, which depends on the directory: a project can bring its own longline", dir), "remove it from PATH")
	case project != "" && paths.Within(dir, project):
		d.say("warn", "longline", "PATH contains "+dir+" of the project, which can bring its own longline", "remove it from PATH, or put it last")
	case writableByOthers(dir):
		d.say("warn", "longline", "PATH contains "+dir+", which others can write to", "remove it from PATH, or put it last")
	}
}

// writableByOthers says whether a directory can be written to by other users in a
// way that lets them replace what is in it.
func writableByOthers(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && runtime.GOOS != "windows" && info.IsDir() && info.Mode()&0o002 != 0 && info.Mode()&os.ModeSticky == 0
}
