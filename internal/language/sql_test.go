package language

import "testing"

func TestSQL(t *testing.T) {
	for _, c := range []struct{ dialect, sql, want string }{
		{"psql", `select 1 \g (format=csv) out.csv`, "control database.read, write out.csv"},
		{"psql", `select 1 \gx (format=csv)`, "control database.read"},
		{"psql", `select 1 \g (format=csv`, "control database.read, problem"},
		{"psql", "SELECT * FROM users WHERE name = 'a; drop table x'", "control database.read"},
		{"psql", "select count(*), max(id) from t; select now()", "control database.read, control database.read"},
		{"psql", "with a as (select 1), b as (select 2) select * from a join b on (true)", "control database.read"},
		{"psql", "with d as (delete from t returning *) select * from d", "control database.write, control database.read"},
		{"psql", "select * into t2 from t", "control database.write, control database.read"},
		{"psql", "select pg_read_file('/etc/passwd')", "control database.read, problem"},
		{"psql", "select pg_catalog.pg_size_pretty(1)", "control database.read"},
		{"psql", "select 1pg_read_file('x')", "control database.read, problem"},
		{"psql", "select my.func(1)", "control database.read, problem"},
		{"psql", `select "lo_import"('/etc/passwd')`, "control database.read, problem"},
		{"psql", "select $$; drop table x; $$", "control database.read"},
		{"", "select 'a'", "control database.read"},
		{"", `select 'a\'; drop table x; --'`, "problem"},
		{"psql", `\copy (select pg_read_file('x')) to stdout`, "control database.read, problem"},
		{"psql", "select $a$ ' $a$; drop table x", "control database.read, control database.drop"},
		{"psql", `select 'a\'; drop table x; --'`, "control database.read, control database.drop"},
		{"psql", "-- drop table x\nselect 1 /* ; drop */", "control database.read"},
		{"psql", "explain select 1", "control database.read"},
		{"sqlite", "explain attach 'x' as y", "control database.write, read x, problem"},
		{"sqlite", "explain pragma user_version = 3", "control database.write"},
		{"mysql", "explain users", "control database.read"},
		{"psql", "explain delete from t", "control database.read"},
		{"psql", "explain analyze delete from t where x", "control database.write"},
		{"psql", "explain (analyze, buffers) update t set a = 1", "control database.write"},
		{"psql", "explain (costs off, analyse) delete from t where x", "control database.write"},
		{"psql", "drop table users", "control database.drop"},
		{"psql", "truncate t", "control database.drop"},
		{"psql", "delete from t", "control database.drop"},
		{"psql", "delete from t where id = 1", "control database.write"},
		{"psql", "alter table t drop column c", "control database.drop"},
		{"psql", "insert into t values (1)", "control database.write"},
		{"psql", "create role x", "control database.admin"},
		{"psql", "grant all on t to x", "control database.admin"},
		{"psql", "vacuum", "control database.write"},
		{"psql", "do $$ begin perform 1; end $$", "problem"},
		{"psql", "call f()", "problem"},
		{"psql", "copy t to stdout", "control database.read"},
		{"psql", "copy t to program 'rm -rf x'", "execute rm -rf x, control database.admin, control database.read"},
		{"psql", "copy t from '/etc/passwd'", "read /etc/passwd, control database.admin, control database.write, control database.read"},
		{"psql", `\dt`, "control database.read"},
		{"psql", `\d+ users`, "control database.read"},
		{"psql", `\l`, "control database.read"},
		{"psql", `\! rm -rf x`, "execute rm -rf x"},
		{"psql", "select 1 \\g |sh", "control database.read, execute sh"},
		{"psql", `\o /etc/x`, "write /etc/x"},
		{"psql", `\i evil.sql`, "problem"},
		{"psql", `\copy t to 'out.csv' csv`, "write out.csv, control database.read"},
		{"psql", `\copy t from program 'id'`, "execute id, control database.write, control database.read"},
		{"psql", "select 1 \\gexec", "problem"},
		{"psql", "\\set x `id`", "problem"},
		{"psql", "select :x", "problem"},
		{"psql", "select a::text from t", "control database.read"},
		{"mysql", "select 1 into outfile '/tmp/x'", "write /tmp/x, control database.admin, control database.read"},
		{"mysql", "select load_file('/etc/passwd')", "control database.read, problem"},
		{"mysql", `select 'a\'; drop table x; -- '`, "control database.read"},
		{"mysql", "/*! drop table x */", "problem"},
		{"mysql", "system rm -rf x", "execute rm -rf x"},
		{"mysql", `\! id`, "execute id"},
		{"mysql", "source x.sql", "problem"},
		{"mysql", `show tables\G`, "control database.read"},
		{"mysql", "# drop\nshow databases", "control database.read"},
		{"mysql", "load data infile '/tmp/d.csv' into table t", "control database.write, read /tmp/d.csv"},
		{"mysql", "set global x = 1", "control database.admin"},
		{"mysql", "set names utf8", "nothing"},
		{"sqlite", ".tables", "control database.read"},
		{"sqlite", ".shell rm -rf x", "execute rm -rf x"},
		{"sqlite", ".output /etc/x\nselect 1;", "write /etc/x, control database.read"},
		{"sqlite", ".once |sh", "execute sh"},
		{"sqlite", ".read x.sql", "execute ?"},
		{"sqlite", ".import data.csv t", "read data.csv, control database.write"},
		{"sqlite", ".backup main out.db", "write out.db"},
		{"sqlite", ".sh id", "problem"},
		{"sqlite", "select writefile('x', 'y')", "control database.read, problem"},
		{"sqlite", `select "load_extension"('x')`, "control database.read, problem"},
		{"sqlite", "pragma table_info(users)", "control database.read"},
		{"sqlite", "pragma journal_mode = wal", "control database.write"},
		{"sqlite", "pragma journal_mode(wal)", "control database.write"},
		{"sqlite", "attach 'other.db' as o", "control database.write, read other.db, problem"},
		{"mssql", "select 1 shutdown", "control database.read, problem"},
		{"mssql", "exec xp_cmdshell 'id'", "problem"},
		{"mssql", "!!id", "execute id"},
		{"", `select 'a\'`, "problem"},
		{"psql", "select * from t for update", "control database.read"},
		{"psql", "select 1 as update, 2 as delete", "control database.read"},
		{"psql", "with d as (update t set a = 1 returning a) select * from d", "control database.write, control database.read"},
		{"mysql", "select truncate(1.5, 1)", "control database.read"},
		{"mysql", "select source, tee from t", "control database.read"},
		{"mysql", "select 1;\nsystem id", "control database.read, execute id"},
		{"psql", "explain (analyze", "nothing"},
		{"psql", "explain (", "nothing"},
		{"", "select 1", "control database.read"},
		{"", "frob", "problem"},
		{"", "select 'a", "problem"},
	} {
		if got := sqlDeeds(c.dialect, c.sql).show(); got != c.want {
			t.Errorf("%s: %s\n  does: %s (%s)\n  want: %s", c.dialect, c.sql, got, sqlDeeds(c.dialect, c.sql).Problem, c.want)
		}
	}
}

// TestClientWords: a command of a client is taken apart at its blanks, however many.
func TestClientWords(t *testing.T) {
	for line, want := range map[string][2]string{"": {"", ""}, "a": {"a", ""}, "  a  ": {"a", ""}, "a b": {"a", "b"}, "\ta \t b  c ": {"a", "b  c"}} {
		if first, rest := word(line); first != want[0] || rest != want[1] {
			t.Errorf("%q: %q, %q", line, first, rest)
		}
	}
}

func FuzzSQL(f *testing.F) {
	f.Add("psql", "select 'a' \\g |x")
	f.Add("sqlite", ".shell x")
	f.Add("mysql", "select `a` -- b")
	f.Fuzz(func(t *testing.T, dialect, sql string) {
		d := sqlDeeds(dialect, sql)
		if d.Problem != "" {
			return
		}
		// A statement on a line of its own is seen whatever stands before it.
		if after := sqlDeeds(dialect, sql+"\n;drop table x"); after.Problem == "" && len(after.List) <= len(d.List) {
			t.Errorf("%s: %q hides what follows it", dialect, sql)
		}
	})
}
