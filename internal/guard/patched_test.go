package guard_test

import "testing"

// TestPatched applies patches in directories that hold edited and new files: what they take away there is lost, unless it can be read in them
// what that is.
func TestPatched(t *testing.T) {
	runsPrograms(t)
	l := newLossy(t, `git init -q -b main .; mkdir -p src docs drafts ../wt/src; for f in src/a.py src/b.py docs/a.md; do echo one $f > $f; done; git add -A; git commit -qm one; echo two src/a.py > src/a.py; echo new > src/new.py; echo mine > drafts/d.txt; cp src/b.py ../wt/src
printf '%s\n' '--- a/src/b.py' '+++ b/src/b.py' '@@ -1 +1 @@' '-one src/b.py' '+two src/b.py' > ../b.diff; printf '%s\n' '--- a/d.txt' '+++ /dev/null' '@@ -1 +0,0 @@' '-mine' > ../d.diff`)
	gone := "'\n--- a/d.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-mine\nP"
	added := "'\n--- /dev/null\n+++ b/d.txt\n@@ -0,0 +1 @@\n+mine\nP"
	edited := "'\n--- a/d.txt\n+++ b/d.txt\n@@ -1 +1,2 @@\n mine\n+more\nP"
	scripts := map[string]bool{
		"cd src && git diff . | git apply -R": false, "cd src && git diff | git apply -R": false, "git diff HEAD -- src | patch -s -R -p2 -d src": false, "(cd src; git diff --relative . | patch -s -R -p1)": false, "cd src; git diff > ../../x.diff; git apply -R ../../x.diff; rm ../../x.diff": false,
		"diff -ruN src ../wt/src | patch -s -p1 -d src": false, "cd drafts && patch -s -p1 <<'P" + gone: false, "cd drafts && patch -s -R -p1 <<'P" + added: false, "patch -s -p1 -d drafts -i ../../d.diff": false, "cd drafts && patch -s -p1 < ../../d.diff": false, "cd drafts && cat ../../d.diff | patch -s -p1": false,
		// These lose nothing.
		"cd src && patch -s -p2 < ../../b.diff": false, "patch -s -p2 -d src -i ../../b.diff": false, "cd src && git apply ../../b.diff": false, "cd src && patch -s -p2 --dry-run < ../../b.diff": false,
		"cd docs && git diff HEAD . | git apply -R --allow-empty": false, "cd src && git diff . | git apply --check -R": false, "cd docs && cat ../../b.diff | patch -s -p1 --dry-run": false,
	}
	l.check(scripts)
	for _, quiet := range []string{"cd drafts && patch -s -p1 <<'P" + edited, "cd drafts && patch -s -p1 <<'P" + added, "cd src && git apply --cached ../../b.diff"} {
		if asks, why := l.asks(quiet); asks {
			t.Errorf("%s: %s", quiet, why)
		}
	}
}
