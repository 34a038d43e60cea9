package guard_test

import (
	"testing"

	"longline/internal/tool"
)

// TestJobsThatDeleteLate has a real shell run jobs in the background that delete something later, where files are moved to meanwhile.
func TestJobsThatDeleteLate(t *testing.T) {
	runsPrograms(t)
	held := map[string]string{"d/x": "text of x", "notes": "text of notes", "build/o": "", "build/sub/o": ""}
	for script, asks := range map[string]bool{
		`(sleep 0.3; rm -rf build) & mv d build/; wait`:                                           true,
		`sleep 0.3 && rm -rf build & mv d build/; wait`:                                           true,
		`{ sleep 0.3; rm -rf build; } & mv d build/new && wait`:                                   true,
		`coproc { sleep 0.3; rm -rf build; }; mv d build/; wait`:                                  true,
		`(sleep 0.3; find build -type f -delete) & mv notes build/; wait`:                         true,
		`(sleep 0.3; rm -rf build/*) & for f in d/*; do mv "$f" build/; done; wait`:               true,
		`touch x; (sleep 0.3; rm -f x) & mv notes x; wait`:                                        true,
		`mkdir -p x; (sleep 0.3; rm -rf x) & mv d x/; wait`:                                       true,
		`(sleep 0.3; rm -rf build/k/*) & ln -s ../d build/k; wait`:                                true,
		`f() { (sleep 0.3; rm -rf build) & mv d build/; wait; }; f`:                               true,
		`if true; then (sleep 0.3; rm -rf build) & mv d build/; wait; fi`:                         true,
		`(sleep 0.1; rm -rf build) & wait; mkdir build; mv d build/`:                              false,
		`(sleep 0.1; rm -rf build/sub) & mv d build/; wait`:                                       false,
		`(rm -rf build/t; mv d build/t) & wait`:                                                   false,
		`(sleep 0.1; rm -rf build/sub) & (sleep 0.1; rm -rf build/t) & mv notes build/; wait; ls`: false,
		`(sleep 0.1; cp notes build/copy; rm -f build/copy) & cp -r d build/; wait`:               false,
		`(sleep 0.1; rm -rf build) & mv d docs; wait`:                                             false,
		`sleep 0.1 & mv d build/; wait`:                                                           false,
	} {
		v, lost := moveFiles(t, held, script)
		if (v.Decision >= tool.Ask) != asks || lost != asks {
			t.Errorf("%s: %s (%s), lost: %t", script, v.Decision, v.Reason, lost)
		}
	}
}
