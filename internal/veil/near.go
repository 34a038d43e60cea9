package veil

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"longline/internal/command"
	"longline/internal/paths"
	"longline/internal/policy"
	"longline/internal/tool"
)

// Near are the secrets at hand: in variables, in files of the project and beside it, and in files of tools in the home directory.
// Files that are shown are left out.
func Near(ground *policy.Ground, w *tool.World, env []string, shown func(path string) bool) *Secrets {
	n := near{project: w.Project, ground: ground, shown: shown, names: paths.NamesOf(ground.Members(policy.ZoneSecrets)), left: maxSought, secrets: &Secrets{}}
	n.secrets.Environment(env)
	if w.Project != "" && !paths.Within(w.Home, w.Project) {
		n.below(w.Project, 4)
		n.file(filepath.Join(w.Project, ".git/config"))
		n.beside(filepath.Dir(w.Project))
	}
	for _, member := range ground.Members(policy.ZoneSecrets) {
		if below, ok := strings.CutPrefix(member, "~/"); ok && w.Home != "" {
			n.member(w.Home + "/" + below)
		}
	}
	return n.secrets
}

// Bounds of looking for secrets: names, and bytes of a file.
const (
	maxSought = 20_000
	maxSecret = 256 << 10
)

// near collects the secrets that are near.
type near struct {
	project string
	ground  *policy.Ground
	names   *paths.Names
	left    int
	shown   func(path string) bool // nil if none is
	secrets *Secrets
}

// below looks through a directory and those in it.
func (n *near) below(dir string, depth int) {
	entries, _ := os.ReadDir(paths.Native(dir))
	for _, e := range entries {
		if n.left--; n.left < 0 {
			return
		}
		path := dir + "/" + e.Name()
		switch {
		case e.Type().IsRegular() && n.holds(e.Name(), path):
			n.file(path)
		case e.IsDir() && depth > 0 && e.Name() != ".git" && !slices.Contains(command.Installs, e.Name()):
			n.below(path, depth-1)
		}
	}
}

// holds says whether secrets may stand in a file: most names are told quickly.
func (n *near) holds(name, path string) bool {
	return n.ground.MayHold(name) || (n.names.May(name) || n.ground.Called(name)) && n.ground.In(path, policy.ZoneSet(0).With(policy.ZoneSecrets))
}

// beside looks into what lies beside the project, unless that is everything.
func (n *near) beside(dir string) {
	if dir != "/" && dir != "/tmp" && dir != "/var/tmp" {
		n.below(dir, 1)
	}
}

// member reads what a member of the zone stands for: a file, those in a directory, or those of a pattern.
func (n *near) member(path string) {
	list := []string{path}
	if !paths.Literal(path) {
		list, _ = filepath.Glob(paths.Native(path))
	}
	for _, path := range list {
		info, err := os.Stat(paths.Native(path))
		if err != nil {
			continue
		}
		if !info.IsDir() {
			n.file(path)
			continue
		}
		entries, _ := os.ReadDir(paths.Native(path))
		for _, e := range entries[:min(len(entries), 50)] {
			if e.Type().IsRegular() {
				n.file(path + "/" + e.Name())
			}
		}
	}
}

// file takes in what stands in a file, unless it is shown.
func (n *near) file(path string) {
	info, err := os.Stat(paths.Native(path))
	if err != nil || !info.Mode().IsRegular() || n.shown != nil && n.shown(path) {
		return
	}
	f, err := os.Open(paths.Native(path))
	if err != nil {
		return
	}
	defer f.Close()
	if text, err := io.ReadAll(io.LimitReader(f, maxSecret)); err == nil {
		n.secrets.File(strings.TrimPrefix(path, n.project+"/"), text)
	}
}
