package policy

import (
	"path"
	"strings"
	"testing"

	"longline/internal/tool"
)

// A copy of whatever is secret is secret, under every name that copies get.
func TestCopiesOfSecrets(t *testing.T) {
	w := &tool.World{Home: "/home/dev", Project: "/home/dev/proj"}
	members := new(zoneTables).of(ZoneSecrets).all()
	checked := 0
	for _, member := range members {
		if strings.HasSuffix(member, "/**") || strings.HasSuffix(member, "/") {
			continue
		}
		file := strings.NewReplacer("*", "x", "?", "y").Replace(member)
		switch {
		case strings.HasPrefix(file, "~/"):
			file = "/home/dev" + file[1:]
		case file[0] != '/':
			file = "/home/dev/proj/" + file
		}
		if !Secret(w, file) {
			continue // an exception
		}
		checked++
		dir, name := path.Split(file)
		kind := path.Ext(strings.TrimPrefix(name, "."))
		if strings.Trim(kind, ".0123456789") == "" {
			kind = ""
		}
		stem := strings.TrimSuffix(name, kind)
		for _, copied := range []string{
			name + ".bak", name + ".old", name + ".orig", name + "~", name + ".save", name + ".1", name + ".bak2", name + "-backup", name + "_old",
			name + " copy", name + ".2024-01-31", name + "-20240131", name + ".bak.1", name + ".BAK", stem + " copy" + kind, stem + ".bak" + kind, stem + " (1)" + kind, "#" + name + "#",
		} {
			if !Secret(w, dir+copied) {
				t.Errorf("%s is secret, its copy %s is not", file, copied)
			}
		}
		for _, pattern := range []string{name + ".*", name + ".b*", name + ".bak*", name + "*"} {
			g := newGround(w, new(zoneTables))
			after := g.target(tool.Effect{Kind: tool.Read, Target: dir + pattern, Reach: tool.Exact, Pattern: true})
			if g.touches(&after, ZoneSecrets).direct == never {
				t.Errorf("%s is secret, %s is not after its copies", file, pattern)
			}
		}
	}
	if checked < 300 {
		t.Errorf("only %d members", checked)
	}
	for _, file := range []string{
		"notes.md.bak", "package.json.old", "src/main.go.orig", "go.mod~", "data-2024-01-31.csv", "README copy.md", "config.1", "backup", "old", "a.bak/b.txt", ".gitignore.bak",
	} {
		if Secret(w, "/home/dev/proj/"+file) {
			t.Errorf("%s is secret", file)
		}
	}
	for _, file := range []string{"/home/dev/.aws.bak/credentials", "/home/dev/.ssh.old/id_rsa", "/home/dev/.docker-backup/config.json", "/home/dev/backup/.netrc"} {
		if !Secret(w, file) {
			t.Errorf("%s is not secret", file)
		}
	}
}
