package shell

import (
	"testing"

	"longline/internal/command"
	"longline/internal/tool"
)

// TestNestedJobsAreJudgedOnce counts what a script of jobs within jobs comes to: each level adds the same.
func TestNestedJobsAreJudgedOnce(t *testing.T) {
	for _, form := range [][2]string{{"{ ", "; } & mv d build/"}, {"( ", " ) & mv d build/; wait"}, {"bash -c 'x & y'; { ", "; } & mv d build/"}} {
		count := func(levels int) int {
			script := "rm -rf build"
			for range levels {
				script = form[0] + script + form[1]
			}
			return len(Resolve(script, "/srv/proj", &tool.World{Home: "/home/dev", Project: "/srv/proj"}, command.Builtin()).Invocations)
		}
		if two, four, eight := count(2), count(4), count(8); four <= two || eight-four > 3*(four-two) {
			t.Errorf("%d, %d and %d commands of 2, 4 and 8 levels of %s...%s", two, four, eight, form[0], form[1])
		}
	}
}

// TestJobsThatMeetNothing has jobs that nothing behind them meets judged once.
func TestJobsThatMeetNothing(t *testing.T) {
	for _, job := range []string{"sleep 5", "npm run dev", "tail -f build.log", "grep -rn x .", "rm -rf other", "cp -r src build/"} {
		count := func(script string) int {
			return len(Resolve(script, "/srv/proj", &tool.World{Home: "/home/dev", Project: "/srv/proj"}, command.Builtin()).Invocations)
		}
		const behind = "\nmv d docs/\nmv e docs/\nln -s ../x docs/y\nwait"
		if after, before := count(job+" &"+behind), count(job+behind); after != before {
			t.Errorf("%s: %d commands in the background, %d before the others", job, after, before)
		}
	}
}
