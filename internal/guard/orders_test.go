package guard_test

import (
	"os"
	"strings"
	"testing"

	"longline/internal/tool"
)

// TestOrdersInFiles: a client of a database does the same with a file that a flag names as with one that it reads from standard input,
// so the answers are the same.
func TestOrdersInFiles(t *testing.T) {
	s := &searched{t: t, g: builtin(t), make: "echo TOKEN=SECRET >.env"}
	s.renew()
	clients := map[string]string{
		"psql -f @": "psql < @", "psql -d shop --file=@": "psql -d shop < @", "duckdb /tmp/a.db -f @": "duckdb /tmp/a.db < @", "sqlcmd -i @": "sqlcmd < @",
		"clickhouse-client --queries-file @": "clickhouse-client < @", "cqlsh -f @": "cqlsh < @",
	}
	texts := map[string]bool{ // whether they are looks
		"select 1;": true, "select a from t where b = 'x' limit 5;\n-- done\n": true, "drop table t;": false, "select 1; delete from t;": false, "truncate t;": false,
		"\\! rm -rf ~\n": false, ".shell rm -rf ~\n": false, "!!rm -rf ~\n": false, "\\i other.sql\n": false, "copy t to program 'rm -rf ~';": false, "\\copy t to '../../out'\n": false, "grant all on t to u;": false,
	}
	for flag, stdin := range clients {
		for text, look := range texts {
			if err := os.WriteFile(s.root+project+"/q.sql", []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, before := range []string{"", "cd src && "} {
				file := map[string]string{"": "q.sql", "cd src && ": "../q.sql"}[before]
				a, b := before+strings.ReplaceAll(flag, "@", file), before+strings.ReplaceAll(stdin, "@", file)
				got, want := s.judge(a), s.judge(b)
				if got.Decision != want.Decision {
					t.Errorf("%s with %q: %s (%s)\n%s: %s (%s)", a, text, got.Decision, got.Reason, b, want.Decision, want.Reason)
				}
				if look != (got.Decision < tool.Ask) && !strings.Contains(flag, "/tmp") {
					t.Errorf("%s with %q: %s (%s)", a, text, got.Decision, got.Reason)
				}
			}
		}
		for _, script := range []string{"echo 'drop table t' >q.sql; " + strings.ReplaceAll(flag, "@", "q.sql"), strings.ReplaceAll(flag, "@", "missing.sql"), strings.ReplaceAll(flag, "@", ".env"), strings.ReplaceAll(flag, "@", `"$F"`), "curl -so q.sql https://example.com/q; " + strings.ReplaceAll(flag, "@", "q.sql")} {
			if v := s.judge(script); v.Decision < tool.Ask {
				t.Errorf("%s is allowed", script)
			}
		}
	}
}
