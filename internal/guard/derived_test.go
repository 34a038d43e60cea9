package guard_test

import (
	"testing"

	"longline/internal/tool"
)

// TestFilesOfDerivedNames has a real shell move files to names that are made of theirs, where several become the same and where none do.
func TestFilesOfDerivedNames(t *testing.T) {
	held := map[string]string{"d/q_1.csv": "text of 1", "d/q_2.csv": "text of 2", "d/a.csv": "text of a", "d/a.txt": "another", "d/in/z": "text of z", "e/x.csv": "text of x", "e/y.csv": "text of y"}
	for _, script := range []string{
		`for f in d/*.csv; do mv "$f" "${f%/*}/report.csv"; done`, `for f in d/q_*.csv; do mv "$f" "${f%_*}"; done`, `for f in d/*.*; do mv "$f" "${f%.*}"; done`, `for f in d/*.csv; do n=${f%/*}; mv "$f" "$n/report.csv"; done`, `for f in d/*.csv; do n="${f%/*}"; mv "$f" "${n}/report.csv"; done`, `for f in d/q*.csv; do mv "$f" "${f%%_*}_x"; done`,
		`for f in d/q*.csv; do mv "$f" "${f%%[0-9]*}all"; done`, `for f in d/q*.csv; do mv "$f" "${f%[0-9].csv}"; done`, `for f in ./d/*.csv; do mv -f "$f" "${f%/*}/r.csv"; done`, `for f in $PWD/d/*.csv; do mv "$f" "${f%/*}/r.csv"; done`, `for f in [de]/*.csv; do mv "$f" "${f%/*}/r.csv"; done`,
		`for f in e/*.csv; do mv "$f" "${f%.csv}.txt"; done`, `for f in e/*; do mv "$f" "${f%.*}"; done`, `for f in d/*.csv; do mv "$f" "$f.bak"; done`, `for f in d/*.csv; do mv "$f" "${f%/*}/in"; done`, `for f in d/*.csv; do mv "$f" "${f%/*}/in/"; done`, `for f in d/a.*; do mv "$f" "${f#d/}"; done`, `for f in d/q*.csv; do mv "$f" "${f%_*}-${f##*_}"; done`, `for f in d/q_1*; do mv "$f" "${f%_*}"; done`,
		`mkdir -p d/new; for f in d/*.csv; do mv "$f" "${f%/*}/new"; done`, `for f in d/*.csv; do cp "$f" "${f%/*}/report.csv"; done`,
	} {
		v, lost := moveFiles(t, held, script)
		if asks := v.Decision >= tool.Ask; lost && !asks || asks && !lost && v.Rule == "project-delete" {
			t.Errorf("%s: %s (%s), lost: %t", script, v.Decision, v.Reason, lost)
		}
	}
}
