package guard_test

import (
	"strings"
	"testing"
)

// TestHookedScripts judges a script that a hook of git runs and that the same command writes: as if it ran the hook. Hooks that run anything
// else do not make a commit a question.
func TestHookedScripts(t *testing.T) {
	const lose, harmless = "echo 'rm -rf data' > scripts/run.sh", "echo 'echo hi' > scripts/run.sh"
	for _, hook := range []struct {
		dir, text string
		runs      bool
	}{
		{".git/hooks", "#!/bin/sh\nsh scripts/run.sh\n", true},
		{".git/hooks", "#!/usr/bin/env bash\nset -e\nbash ./scripts/run.sh\n", true},
		{".git/hooks", "#!/bin/sh\ncd scripts && sh run.sh\n", true},
		{"tools/hooks", "sh scripts/run.sh\n", true},
		{".git/hooks", "#!/bin/sh\nnpx lint-staged\n", false},
		{".git/hooks", "#!/bin/sh\n. \"$(dirname \"$0\")/_/husky.sh\"\nnpm test\n", false},
		{".git/hooks", "#!/usr/bin/env python3\nimport sys\nprint('scripts/run.sh')\n", false},
		{".git/hooks", "#!/usr/bin/env bash\nINSTALL_PYTHON=/usr/bin/python3\nARGS=(hook-impl --config=.pre-commit-config.yaml --hook-type=pre-commit)\nexec \"$INSTALL_PYTHON\" -mpre_commit \"${ARGS[@]}\"\n", false},
		{".git/hooks", "#!/bin/sh\nsh scripts/other.sh\n", false},
	} {
		d := newWorkPlace(t)
		d.put("scripts/run.sh", "echo run\n")
		d.put("scripts/other.sh", "echo other\n")
		d.put("package.json", "{}\n")
		if hook.dir != ".git/hooks" {
			d.git("config", "core.hooksPath", hook.dir)
		}
		d.commit()
		d.put("data/one.csv", "1\n")
		d.put(hook.dir+"/pre-commit", hook.text)
		for script, want := range map[string]bool{
			lose + " && git commit -qm x":                       hook.runs,
			lose + "; git add -A; git commit -m x":              hook.runs,
			lose + " && git commit -am 'x'; echo done":          hook.runs,
			"git commit -qm x && " + harmless:                   false,
			harmless + " && git commit -qm x":                   false,
			lose:                                                false,
			lose + " && git status":                             false,
			"git commit -qm x":                                  false,
			"echo x > src.txt && git add -A && git commit -m x": false,
			"echo '{}' > package.json && git commit -qam x":     false,
			"sed -i s/a/b/ a.txt && git commit -qam x":          false,
		} {
			d.asks(hook.text, script, want)
		}
	}
}

// TestHookTooLong: a hook that is not read, as it is too long, may do anything with a script that it names.
func TestHookTooLong(t *testing.T) {
	d := newWorkPlace(t)
	d.commit()
	d.put(".git/hooks/pre-commit", "#!/bin/sh\nsh scripts/run.sh\n"+strings.Repeat("# more than is read\n", 1000))
	d.asks("names it", "echo 'echo hi' > scripts/run.sh && git commit -qm x", true)
	d.asks("names another", "echo 'echo hi' > scripts/other.sh && git commit -qm x", false)
	d.asks("nothing is written", "git commit -qm x", false)
}
