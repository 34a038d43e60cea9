package language

import (
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestRows: code that deletes all rows or tables, by way of what maps objects to them, does what the statement of SQL
// does, wherever it stands; code that picks rows, and what only has such a name, does not.
func TestRows(t *testing.T) {
	around := map[string][]string{
		"python": {
			"from app import M, k; CODE", "import app\nfrom app.models import M, k\nCODE\n", "from app import M, k\ndef f():\n    CODE\nf()\n",
			"from app import M, k\nfor i in range(3):\n    print(i); CODE\n", "from app import M, k\nn = CODE\nprint(n)\n",
		},
		"node": {
			"const {M, k} = require('./db'); CODE", "const {M, k} = require('./db'); (async () => { await CODE })()",
			"const {M, k} = require('./db'); const n = CODE; console.log(n)",
		},
	}
	for lang, c := range map[string]struct{ all, some []string }{
		"python": {
			all:  []string{"M.objects.all().delete()", "k.query(M).delete()", "M.delete().execute()", "M.truncate_table()", "M.delete_all()", "k.drop_all()", "M.objects.exclude().delete()"},
			some: []string{"M.objects.filter(id=1).delete()", "k.query(M).filter_by(id=1).delete()", "M.objects.count()", "M.delete(3)", "k.delete('a')", "M.objects.all()"},
		},
		"node": {
			all:  []string{"k.sync({force: true})", "M.destroy({where: {}})", "M.destroy({truncate: true})", "k('users').del()", "k('users').truncate()", "k.synchronize(true)", "k.migrate.rollback(null, true)", "M.deleteMany()", "M.query().delete()"},
			some: []string{"k.sync()", "k.sync({force: false})", "M.destroy({where: {id: 1}})", "k('users').where({id: 1}).del()", "M.delete('a')", "M.findAll()", "k.migrate.latest()", "k.synchronize()"},
		},
	} {
		for _, frame := range around[lang] {
			for i, list := range [][]string{c.all, c.some} {
				for _, code := range list {
					text := strings.ReplaceAll(frame, "CODE", code)
					lost := false
					d, _ := Read(lang, text, nil)
					for _, x := range d.List {
						lost = lost || x.Kind == tool.Control && x.Target == "database.drop"
					}
					if lost != (i == 0) {
						t.Errorf("%s: %s\n\tloses rows: %v", lang, text, lost)
					}
				}
			}
		}
	}
	long := "from app import M; M.x(" + strings.Repeat("a,", 10000) + ")" + strings.Repeat(".delete()", 10000)
	if d, _ := Read("python", long, nil); d.Problem == "" && len(d.List) == 0 {
		t.Error("a long chain loses nothing")
	}
}
