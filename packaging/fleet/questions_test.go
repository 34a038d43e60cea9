package main

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"testing"
	"time"
)

//go:embed questions.sql
var questionsSQL string

// questions asks everything that an administrator asks, and holds what is known of the
// simulated machines against the answers.
func questions(t *testing.T, l *loader, fleet []*machine) {
	t.Helper()
	ctx := context.Background()
	answers := map[string][][]any{}
	parts := strings.Split(questionsSQL, "-- name: ")[1:]
	for _, part := range parts {
		name, sql, _ := strings.Cut(part, "\n")
		sql = strings.ReplaceAll(sql, ":since", "timestamptz '2000-01-01'")
		start := time.Now()
		rows, err := l.db.Query(ctx, sql)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for rows.Next() {
			row, err := rows.Values()
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			answers[name] = append(answers[name], row)
		}
		if err := rows.Err(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		first := "nothing"
		if len(answers[name]) > 0 {
			first = fmt.Sprint(answers[name][0]...)
		}
		t.Logf("%-55s %3d rows in %4d ms; first: %.100s", name, len(answers[name]), time.Since(start).Milliseconds(), first)
	}
	if len(parts) != 10 {
		t.Errorf("there are %d questions", len(parts))
	}
	asks, denials, approvals := 0, 0, 0
	for _, m := range fleet {
		asks, denials, approvals = asks+m.asks, denials+m.denials, approvals+m.approvals
	}
	sum := func(name string, column int) (n int64) {
		for _, row := range answers[name] {
			n += row[column].(int64)
		}
		return n
	}
	for _, check := range []struct {
		what      string
		got, want int64
	}{
		{"questions", sum("approvals per rule", 1), int64(asks)},
		{"approvals", sum("approvals per rule", 2), int64(approvals)},
		{"denied attempts", sum("denied attempts", 1), int64(denials)},
		{"developers", int64(len(answers["questions per developer and day"])), machines},
		{"calls and held back", sum("agents and how far they are trusted", 2), int64(asks + denials)},
	} {
		if check.got < check.want || check.got > check.want+check.want/1000 && check.what != "developers" {
			t.Errorf("%s: %d, and the machines know of %d", check.what, check.got, check.want)
		}
	}
	for name, host := range map[string]string{"silent machines": "m08", "outdated bundles": "m09"} {
		found := false
		for _, row := range answers[name] {
			found = found || row[0] == host
		}
		if !found {
			t.Errorf("%s: %v, and %s is one", name, answers[name], host)
		}
	}
}
