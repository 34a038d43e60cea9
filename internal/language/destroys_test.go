package language

import "testing"

// TestDestroys holds which calls may lose something that is not in memory, by the name and by what they are given.
func TestDestroys(t *testing.T) {
	for _, c := range []struct {
		lang, before string
		lose, keep   []string
	}{
		{
			"python", "import lib\n",
			[]string{
				"lib.X('a').remove()", "x = lib.X('a'); x.remove()", "lib.X('a').remove(rec=1)", "lib.delete_all()", "lib.c().delete_collection('a')", "lib.drop_index('a')", "lib.remove_tree('a')", "lib.rmtree_p()",
				"lib.x.purge()", "lib.downgrade('base')", "lib.hard_delete(1)", "lib.c.delete(1)", "lib.delete('https://a.example/x')", "lib.T.drop(engine)", "lib.T.drop(bind=lib.e)", "lib.t().to_sql('a', 1, if_exists='replace')",
				"lib.main(['m.py', 'flush'])", "lib.call_command('flush')", "lib.c().execute_command('FLUSHALL')", "from lib import delete_user as d; lib.x(); d(1)",
			},
			[]string{
				"lib.x().remove('a')", "lib.t().drop(columns=['a'])", "lib.t().drop('a', axis=1)", "lib.t().drop(cols)", "lib.t().drop_duplicates()", "lib.t().dropna()", "lib.g.remove_node(1)", "lib.remove_prefix('a')",
				"lib.c.delete('/users/1')", "lib.c.delete(f'/users/{lib.x}')", "lib.c.delete('http://localhost:1/x')", "lib.cache.delete('a')", "lib.is_deleted(1)", "lib.can_delete(1)", "lib.reset()", "lib.flush()", "lib.x.clear()",
				"lib.x.pop('a')", "lib.t().to_sql('a', 1, if_exists='append')", "lib.main(['m.py', 'check'])", "import numpy; numpy.delete(lib.x, 1)",
			},
		},
		{
			"node", "const lib = require('lib');",
			[]string{"lib.sequelize.drop()", "lib.firestore().recursiveDelete('a')", "lib.unpublish('a')", "lib('k').customers.del('c')", "lib.delete('https://a.example/x')", "lib.deleteUser(1)", "lib.db.dropTable('a')"},
			[]string{"lib.cache.delete('a')", "lib.remove([1], 2)", "lib('li').remove()", "lib.drop([1], 2)", "lib.dropRight([1])", "lib(1).delete('/x')", "lib.delete('http://127.0.0.1:3/x')", "lib.destroy()", "lib.isDeleted(1)"},
		},
	} {
		for want, list := range map[bool][]string{true: c.lose, false: c.keep} {
			for _, call := range list {
				code := c.before + call
				if c.lang == "python" {
					code = "cols = engine = 1\n" + code
				}
				d, _ := Read(c.lang, code, nil)
				if got := d.mayRun(false) || d.drops(); got != want || d.Problem != "" {
					t.Errorf("%s\n  loses something: %v, want %v (%s; %s)", code, got, want, d.show(), d.Problem)
				}
			}
		}
	}
}

// drops says whether a program loses what a database holds.
func (d Deeds) drops() bool {
	for _, x := range d.List {
		if x.Target == "database.drop" {
			return true
		}
	}
	return false
}
