package guard_test

import (
	"testing"

	"longline/internal/tool"
)

// TestTrapsBeforeTheirFiles: a trap that cleans up may be set before there is anything to clean up. Whenever it comes, its variable is
// empty or holds what mktemp has printed, unless the environment has it or it has held something else since.
func TestTrapsBeforeTheirFiles(t *testing.T) {
	g := builtin(t)
	w := world()
	w.Getenv = func(name string) (string, bool) {
		value, ok := map[string]string{"HOME": home, "inherited": home}[name]
		return value, ok
	}
	for script, asks := range map[string]bool{
		`trap 'rm -rf "$t"' EXIT; t=$(mktemp -d); cp README.md "$t"`:                                               false,
		"set -euo pipefail\ntrap 'rm -rf \"$t\"' EXIT\nt=\"$(mktemp -d)\"\ncp README.md \"$t\"":                    false,
		`trap 'rm -rf $t' EXIT INT TERM; t=$(mktemp -d -t x.XXXXXX); ls "$t"`:                                      false,
		`cleanup() { rm -rf "$t"; }; trap cleanup EXIT; t=$(mktemp -d); ls "$t"`:                                   false,
		`cleanup() { [ -n "$t" ] && rm -rf "$t"; }; trap cleanup EXIT; t=$(mktemp -d); ls "$t"`:                    false,
		`t=; trap 'rm -rf "$t"' EXIT; t=$(mktemp -d); ls "$t"`:                                                     false,
		`t=; trap 'rm -rf "$t"' EXIT; cd src && ls; t=$(mktemp -d); ls "$t"`:                                       false,
		`trap 'rm -rf "$a" "$b"' EXIT; a=$(mktemp -d); b=$(mktemp -d); cp README.md "$a"`:                          false,
		`trap 'rm -f "$f"' EXIT; f=$(mktemp); for i in 1 2 3; do echo $i >> "$f"; done; cat "$f"`:                  false,
		`main() { trap 'rm -rf "$t"' EXIT; t=$(mktemp -d); ls "$t"; }; main`:                                       false,
		`trap 'rm -rf "$inherited"' EXIT; inherited=$(mktemp -d); ls`:                                              true,
		`trap 'rm -rf "$HOME"' EXIT; HOME=$(mktemp -d); ls`:                                                        true,
		`set -e; trap 'rm -rf "$a" "$b"' EXIT; a=$(mktemp -d); b=$(mktemp -d); ls`:                                 false,
		`trap 'rm -rf "$t"' EXIT; ls; t=$(mktemp -d)`:                                                              false,
		`trap 'rm -rf "$t"' EXIT; false || exit; t=$(mktemp -d)`:                                                   false,
		`t=; trap 'rm -rf "$t"' EXIT; t=~; false || exit; t=$(mktemp -d)`:                                          true,
		`set -e; trap 'rm -rf "$t"' EXIT; t=~; false; t=$(mktemp -d)`:                                              true,
		`set -- build; trap 'rm -rf "$1"' EXIT; f() { false || exit; }; f ~`:                                       true,
		`set --; trap 'rm -rf "$1"' EXIT; set -- ~; false || exit; set -- /tmp/x`:                                  true,
		`trap 'rm -rf "$t"' DEBUG; t=$(mktemp -d); ls`:                                                             true,
		`trap 'rm -rf "$t"' EXIT DEBUG; t=$(mktemp -d); ls`:                                                        true,
		`trap 'rm -rf "$t"' EXIT; t=$(mktemp -d); t=~; ls`:                                                         true,
		`trap 'rm -rf "$t"' EXIT; t=$(mktemp -d); cd src; t=..; ls`:                                                true,
		`t=; trap 'rm -rf "$t"' EXIT; t=~; t=$(mktemp -d); ls`:                                                     true,
		`t=~; trap 'rm -rf "$t"' EXIT; t=$(mktemp -d); ls`:                                                         true,
		`trap 'rm -rf "$t"' EXIT; t=$(cat src/x); ls`:                                                              true,
		`trap 'rm -rf "$t"' EXIT; t=$(mktemp -d) || t=~`:                                                           true,
		`trap 'rm -rf "$t"' EXIT; t=$(mktemp -d "$t/x.XXXXXX"); ls`:                                                true,
		`mktemp() { echo ~; }; trap 'rm -rf "$t"' EXIT; t=$(mktemp -d); ls`:                                        true,
		`trap 'rm -rf "$t"/*' EXIT; t=$(mktemp -d); ls`:                                                            true,
		`trap 'rm -rf "$t/src"' EXIT; cd /; t=$(mktemp -d)`:                                                        true,
		`trap 'rm -rf "$t" src' EXIT; t=$(mktemp -d); ls`:                                                          true,
		`trap 'rm -rf "${t:-src}"' EXIT; t=$(mktemp -d); ls`:                                                       true,
		`trap 'rm -rf "$t"' EXIT; t=${X:?}; ls`:                                                                    true,
		`trap 'rm -rf "$t"' EXIT; t=$(mktemp -d) & ls`:                                                             true,
		`set -- a; trap 'rm -rf "$t$1"' EXIT; t=$(mktemp -d); ls`:                                                  true,
		`t=; set -- ""; trap 'rm -rf "$1"' EXIT; set -- ~`:                                                         true,
		`t=; trap 'echo x' EXIT; t=~; trap 'rm -rf "$t"' EXIT; t=; ls`:                                             true,
		`trap 'rm -rf "$t"' EXIT; f() { t=~; }; t=$(mktemp -d); f`:                                                 true,
		`trap 'cd "$t" && rm -rf src' EXIT; t=$(mktemp -d); ls`:                                                    true,
		`trap 'rm -rf "$t"' EXIT; local t=$(mktemp -d); ls`:                                                        true,
		`trap 'rm -rf "$t"' EXIT; t+=$(mktemp -d); ls`:                                                             true,
		`trap 'rm -rf "$t"' EXIT; t=$(mktemp -d)/../../home; ls`:                                                   true,
		`trap 'rm -rf src' EXIT; cd ..; cd proj`:                                                                   true,
		`cd docs; trap 'rm -rf b*' EXIT; cd ..`:                                                                    true,
		`trap 'rm -f x.log' EXIT; ls`:                                                                              true,
		`t=; trap 'rm -rf "$t"' EXIT; if test -f x; then t=$(mktemp -d); else t=src; fi; trap 'rm -rf "$t"' EXIT;`: true,
	} {
		call := attended(script)
		call.Edits = true
		for _, w.Zsh = range []bool{false, true} {
			if v, _ := g.Judge(call, w); (v.Decision >= tool.Ask) != asks {
				t.Errorf("%s (zsh: %v)\n\t%s: %s", script, w.Zsh, v.Decision, v.Reason)
			}
		}
	}
	w.Getenv = nil
	if v, _ := g.Judge(attended(`trap 'rm -rf "$t"' EXIT; t=$(mktemp -d); ls`), w); v.Decision < tool.Ask {
		t.Error("a variable may come from an environment that nobody knows")
	}
}
