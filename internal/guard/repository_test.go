package guard_test

import (
	"io/fs"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestRepositoryIsReadOnce: however often a script turns to a repository, its files are read as often as for
// one command.
func TestRepositoryIsReadOnce(t *testing.T) {
	files := map[string]string{
		"HEAD": "ref: refs/heads/main\n", "config": "[core]\n\tbare = false\n[branch \"main\"]\n\tremote = origin\n\tmerge = refs/heads/main\n",
		"refs/heads/main": strings.Repeat("1", 40) + "\n", "refs/heads/feat": strings.Repeat("2", 40) + "\n",
		"FETCH_HEAD": strings.Repeat("2", 40) + "\t\tbranch 'feat'\n",
	}
	g := builtin(t)
	looks := func(script string) (n int) {
		w := world()
		w.Protected = func(path string) bool { return g.Policy.Protected(w, path) }
		w.Entries = func(string) ([]tool.Entry, bool) { return nil, true }
		w.ReadAt = func(path string, offset int64, room []byte) (int, error) {
			n++
			text, ok := files[strings.TrimPrefix(path, project+"/.git/")]
			if !ok {
				return 0, fs.ErrNotExist
			}
			return copy(room, text[min(int(offset), len(text)):]), nil
		}
		w.Exists = func(path string) bool { return path == project+"/.git" }
		g.Judge(attended(script), w)
		return n
	}
	for _, command := range []string{"git checkout -q feat; git checkout -q main", "git merge feat", "git switch feat", "git stash", "git restore a", "git checkout -- .", "git reset --hard feat", "git pull"} {
		once, often := looks(command), looks(strings.Repeat(command+"\n", 50))
		if once == 0 && command != "git stash" && !strings.HasPrefix(command, "git pull") {
			t.Errorf("%s: nothing is read", command)
		}
		if often > once+2*50 { // the links of the working tree are its own affair
			t.Errorf("%s: %d reads, fifty times %d", command, once, often)
		}
	}
}
